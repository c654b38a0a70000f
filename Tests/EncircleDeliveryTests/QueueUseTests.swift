import EncircleTestSupport
import EncircleDelivery
import Foundation
import Testing

/// Queues as programs use them: from several threads, and in the extensions of an app.
@Suite struct QueueUseTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(
    "events of several threads are stored one after the other: none is lost, and each thread's stay in order",
    .articles("L21"))
  func threads() async throws {
    let queue = try EventQueue(path: folder.queue, durability: .crash)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask { for i in 0..<25 { try queue.store(event(thread * 1000 + i)) } }
      }
      try await group.waitForAll()
    }
    let stored = try drain(queue)
    #expect(stored.count == 100)
    for thread in 0..<4 {
      #expect(stored.filter { $0 / 1000 == thread } == (0..<25).map { thread * 1000 + $0 })
    }
  }

  @Test("the pages of a queue's file have 8 KB", .articles("W33"))
  func pageSize() throws {
    let queue = try EventQueue(path: folder.queue)
    try queue.store(event(1))
    queue.close()
    // The header of an SQLite file has the size of pages in two bytes, the higher one first.
    let header = try Data(contentsOf: URL(fileURLWithPath: folder.queue)).prefix(18)
    #expect(Array(header.suffix(2)) == [0x20, 0x00])
  }

  @Test("no row is larger than the limit of the queue, such as the 20 KB of a telephone", .articles("W33"))
  func rowSize() throws {
    var limits = QueueLimits()
    limits.eventBytes = 20_000
    let queue = try EventQueue(path: folder.queue, limits: limits)
    let short = event(1, padding: 19_000)
    let long = event(2, padding: 20_000)
    #expect(short.count <= 20_000)
    #expect(throws: DeliveryError.eventTooLong(index: 0, bytes: long.count, limit: 20_000)) { try queue.store(long) }
    try queue.store(short)
    #expect(queue.counts.waiting == 1)
  }

  @Test(
    "events of an extension's queue move into the app's unchanged, and an end in between repeats equal events",
    .articles("W47"))
  func extensionQueue() throws {
    let path = folder.url.appendingPathComponent("extension.queue").path
    let written = try EventQueue(path: path)
    try written.store([event(1), event(2)])
    written.close()
    let app = try EventQueue(path: folder.queue)
    for isInterrupted in [true, false] {
      let queue = try EventQueue(path: path)
      let batch = try #require(try queue.nextBatch(limit: 10))
      try app.store(batch.events.map(\.json))
      if !isInterrupted { try queue.settle(batch, .delivered) }
      queue.close()
    }
    #expect(try EventQueue(path: path).counts.waiting == 0)
    let moved = try #require(try app.nextBatch(limit: 10)).events.map(\.json)
    #expect(moved == [event(1), event(2), event(1), event(2)])
  }
}
