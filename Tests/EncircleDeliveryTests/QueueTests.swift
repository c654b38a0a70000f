import EncircleDelivery
import EncircleTestSupport
import Foundation
import Testing

@Suite("A queue keeps events until they are taken")
struct QueueTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(
    "events come out in the order in which they were stored, also from a file that was opened again", .articles("W37"))
  func order() throws {
    let queue = try EventQueue(path: folder.queue)
    try queue.store(event(1))
    try queue.store([event(2), event(3)])
    queue.close()
    let again = try EventQueue(path: folder.queue)
    try again.store(event(4))
    #expect(again.counts.waiting == 4)
    #expect(try drain(again) == [1, 2, 3, 4])
    #expect(again.counts.waiting == 0)
    #expect(again.counts.bytes == 0)
    #expect(again.counts.delivered == 4)
  }

  @Test("the localised description of an error is its description")
  func localizedErrors() {
    #expect((DeliveryError.locked as any Error).localizedDescription == "is in use by another process")
    #expect((TransportError.timeout as any Error).localizedDescription == "no answer in time")
  }

  @Test("several events are stored together or not at all")
  func transaction() throws {
    let queue = try EventQueue(path: folder.queue)
    #expect(throws: DeliveryError.self) { try queue.store([event(1), Array("[]".utf8)]) }
    #expect(throws: DeliveryError.self) { try queue.store([event(1), Array("{\"a\":".utf8)]) }
    #expect(throws: DeliveryError.eventTooLong(index: 1, bytes: event(2, padding: 2 << 20).count, limit: 1 << 20)) {
      try queue.store([event(1), event(2, padding: 2 << 20)])
    }
    #expect(queue.counts.waiting == 0)
    #expect(try queue.nextBatch(limit: 1) == nil)
  }

  @Test(
    "an event is deleted only when its batch was settled, and an unsettled one waits again after opening",
    .articles("W32", "L18"))
  func unsettled() throws {
    let queue = try EventQueue(path: folder.queue)
    try queue.store((1...6).map { event($0) })
    let first = try #require(try queue.nextBatch(limit: 2))
    let second = try #require(try queue.nextBatch(limit: 2))
    #expect(numbers(first) == [1, 2])
    #expect(numbers(second) == [3, 4])
    try queue.settle(second, .delivered)
    // Settling twice, or a batch of another queue, does nothing.
    try queue.settle(second, .delivered)
    #expect(queue.counts.waiting == 4)
    queue.close()
    let again = try EventQueue(path: folder.queue)
    #expect(try drain(again) == [1, 2, 5, 6])
  }

  @Test("instant events go before all others, oldest first among themselves")
  func lanes() throws {
    let queue = try EventQueue(path: folder.queue)
    try queue.store([event(1), event(2)])
    try queue.store([event(3), event(4)], lane: .instant)
    #expect(try drain(queue) == [3, 4, 1, 2])
  }

  @Test("any calls in any order behave as on a list", arguments: TestSize.scaled(0..<100))
  func model(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var queue = try EventQueue(path: folder.queue, durability: .crash)
    var waiting: [Int] = []
    var rejected: [Int] = []
    var batches: [EventBatch] = []
    var next = 1
    for _ in 0..<120 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3:
        let last = next + Int.random(in: 0..<5, using: &random)
        try queue.store((next...last).map { event($0) })
        waiting += next...last
        next = last + 1
      case 4...5:
        guard let batch = try queue.nextBatch(limit: Int.random(in: 1...6, using: &random)) else { break }
        // The batch begins with the oldest event that is in no batch and not within the range of one, and ends before one that is.
        let busy = batches.compactMap { batch in numbers(batch).first.flatMap { $0...(numbers(batch).last ?? $0) } }
        let start = try #require(waiting.firstIndex { number in !busy.contains { $0.contains(number) } })
        #expect(waiting[start...].starts(with: numbers(batch)), "seed \(seed)")
        batches.append(batch)
      case 6...8:
        if batches.isEmpty { break }
        let batch = batches.remove(at: Int.random(in: 0..<batches.count, using: &random))
        let outcome = random.pick([BatchOutcome.delivered, .kept, .rejected(status: 400), .lost(status: 400)])
        try queue.settle(batch, outcome)
        if outcome == .kept { break }
        if case .rejected = outcome { rejected += numbers(batch) }
        let gone = Set(numbers(batch))
        waiting.removeAll { gone.contains($0) }
      default:
        if random.oneIn(2) {
          try queue.restoreRejected()
          waiting = (waiting + rejected).sorted()
          rejected = []
        } else {
          queue.close()
          queue = try EventQueue(path: folder.queue, durability: .crash)
          batches = []
        }
      }
      #expect(queue.counts.waiting == waiting.count, "seed \(seed)")
      #expect(queue.counts.rejected == rejected.count, "seed \(seed)")
    }
    for batch in batches { try queue.settle(batch, .kept) }
    #expect(try drain(queue) == waiting, "seed \(seed)")
    #expect(queue.counts.bytes == 0, "seed \(seed)")
  }
}
