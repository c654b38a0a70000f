import EncircleDelivery
import Testing

@Suite("A full queue drops its oldest events")
struct QueueLimitsTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("a full queue drops, counts and reports the oldest hundred, but never events being sent")
  func bound() throws {
    let notices = Notices()
    let queue = try EventQueue(path: folder.queue, limits: QueueLimits(events: 1000), report: notices.add)
    try queue.store((1...1000).map { event($0) })
    let sending = try #require(try queue.nextBatch(limit: 10))
    try queue.store(event(1001))
    #expect(queue.counts.waiting == 901)
    #expect(queue.counts.dropped == 100)
    #expect(notices.all == [.dropped(100)])
    try queue.settle(sending, .kept)
    #expect(try drain(queue) == Array(1...10) + Array(111...1001))
  }

  @Test("a queue is bounded by bytes, too")
  func boundBytes() throws {
    let queue = try EventQueue(
      path: folder.queue, limits: QueueLimits(events: 1000, bytes: 50_000, droppedAtOnce: 1))
    for number in 1...100 { try queue.store(event(number, padding: 1000)) }
    #expect(queue.counts.bytes <= 50_000)
    #expect(queue.counts.waiting + queue.counts.dropped == 100)
    #expect(try drain(queue).last == 100)
  }

  @Test("a full queue drops one event at a time if its limits say none")
  func boundByNone() throws {
    var limits = QueueLimits(events: 10)
    limits.droppedAtOnce = 0
    let queue = try EventQueue(path: folder.queue, limits: limits)
    try queue.store((1...12).map { event($0) })
    #expect(try drain(queue) == Array(3...12))
  }

  @Test(
    "rejected events are bounded in number and bytes; the oldest ones are dropped, counted and reported",
    arguments: [(3, 1 << 20), (100, 3_500)])
  func boundRejected(events: Int, bytes: Int) throws {
    let notices = Notices()
    var limits = QueueLimits()
    limits.rejected = events
    limits.rejectedBytes = bytes
    func reject(_ numbers: ClosedRange<Int>, in queue: EventQueue) throws -> [Int?] {
      try queue.store(numbers.map { event($0, padding: 1_000) })
      while let batch = try queue.nextBatch(limit: 1) { try queue.settle(batch, .rejected(status: 422)) }
      return try queue.rejectedEvents(limit: 9).map { number($0.json) }
    }
    let queue = try EventQueue(path: folder.queue, limits: limits, report: notices.add)
    #expect(try reject(1...5, in: queue) == [3, 4, 5])
    #expect(queue.counts.rejected == 3)
    #expect(queue.counts.dropped == 2)
    let one = DeliveryNotice.rejected(1, status: 422)
    #expect(notices.all == [one, one, one, one, .dropped(1), one, .dropped(1)])
    queue.close()
    let again = try EventQueue(path: folder.queue, limits: limits)
    #expect(try reject(6...6, in: again) == [4, 5, 6])
    #expect(try again.restoreRejected() == 3)
    #expect(try reject(7...7, in: again) == [5, 6, 7])
    try again.deleteRejected()
    #expect(try reject(8...9, in: again) == [8, 9])
  }
}
