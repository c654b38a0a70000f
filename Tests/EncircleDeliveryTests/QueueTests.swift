import EncircleDelivery
import EncircleTestSupport
import Foundation
import GRDB
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

  @Test("instant events go before all others, oldest first among themselves")
  func lanes() throws {
    let queue = try EventQueue(path: folder.queue)
    try queue.store([event(1), event(2)])
    try queue.store([event(3), event(4)], lane: .instant)
    #expect(try drain(queue) == [3, 4, 1, 2])
  }

  @Test("rejected events are kept apart and return to their old places")
  func rejected() throws {
    let queue = try EventQueue(path: folder.queue)
    try queue.store((1...3).map { event($0) })
    let batch = try #require(try queue.nextBatch(limit: 2))
    try queue.settle(batch, .rejected(status: 422))
    #expect(queue.counts.rejected == 2)
    #expect(queue.counts.waiting == 1)
    #expect(try queue.rejectedEvents(limit: 10).map(\.status) == [422, 422])
    #expect(try queue.restoreRejected() == 2)
    #expect(try drain(queue) == [1, 2, 3])
  }

  @Test("rejected events are left over once they are restored, also in a file that was opened again")
  func restoredAreLeftOver() throws {
    let queue = try EventQueue(path: folder.queue)
    try queue.store((1...3).map { event($0) })
    try queue.settle(try #require(try queue.nextBatch(limit: 3)), .rejected(status: 422))
    queue.close()
    let again = try EventQueue(path: folder.queue)
    #expect(try again.restoreRejected() == 3)
    try again.store(event(4))
    #expect(again.fresh == 1)
    #expect(numbers(try again.nextBatch(limit: 9, part: .fresh)) == [4])
    #expect(again.fresh == 0)
    #expect(numbers(try again.nextBatch(limit: 9, part: .leftOver)) == [1, 2, 3])
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

@Suite("A queue survives broken files and disks")
struct QueueFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("a full disk stores nothing of a call and keeps stored events, and sending makes room")
  func fullDisk() throws {
    let queue = try EventQueue(
      path: folder.queue, limits: QueueLimits(), durability: .powerLoss, pageLimit: 30)
    var stored = 0
    var error: DeliveryError?
    while error == nil, stored < 1000 {
      do throws(DeliveryError) {
        try queue.store([event(stored + 1, padding: 3000), event(stored + 2, padding: 3000)])
        stored += 2
      } catch let problem {
        error = problem
      }
    }
    #expect(error == .diskFull)
    #expect(queue.counts.waiting == stored)
    #expect(try drain(queue) == Array(1...stored))
    try queue.store(event(1, padding: 3000))
    #expect(queue.counts.waiting == 1)
  }

  @Test("on a full disk, taken events that cannot be deleted are not sent again, and leave the queue later")
  func fullDiskAtOutcome() throws {
    let queue = try EventQueue(
      path: folder.queue, limits: QueueLimits(), durability: .powerLoss, pageLimit: 30)
    var stored = 0
    while stored < 1000, (try? queue.store(event(stored + 1, padding: 3000))) != nil { stored += 1 }
    let refused = try #require(try queue.nextBatch(limit: 10))
    #expect(throws: DeliveryError.diskFull) { try queue.settle(refused, .rejected(status: 422)) }
    #expect(queue.unclaimed == stored)
    let taken = try #require(try queue.nextBatch(limit: 4))
    #expect(numbers(taken) == Array(11...14))
    try queue.settle(taken, .delivered)
    #expect(try drain(queue) == Array(15...stored))
    #expect(try queue.rejectedEvents(limit: 100).map { number($0.json) } == Array(1...10))
    #expect(queue.counts.waiting == 0 && queue.counts.rejected == 10 && queue.counts.delivered == stored - 10)
  }

  @Test("a file that is not a queue is renamed, reported and kept unchanged; a second one gets another name")
  func damaged() throws {
    for round in 1...2 {
      let garbage = Data("this is not a database, round \(round)".utf8)
      try garbage.write(to: URL(fileURLWithPath: folder.queue))
      let notices = Notices()
      let queue = try EventQueue(path: folder.queue, report: notices.add)
      let other = folder.queue + ".damaged-\(round)"
      guard case .queueSetAside(let path, _)? = notices.all.first else {
        Issue.record("not reported")
        return
      }
      #expect(path == other)
      #expect(FileManager.default.contents(atPath: other) == garbage)
      try queue.store(event(1))
      #expect(try drain(queue) == [1])
      queue.close()
    }
  }

  /// Returns an open queue whose file has been overwritten.
  private func damagedQueue(_ notices: Notices) throws -> EventQueue {
    let queue = try EventQueue(path: folder.queue, durability: .crash, report: notices.add)
    // More than SQLite keeps in memory, so that it reads the file again.
    for first in stride(from: 1, through: 9000, by: 100) {
      try queue.store((first..<first + 100).map { event($0, padding: 1000) })
    }
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.queue))
    let size = try file.seekToEnd()
    try #require(size > 5 << 20)
    try file.seek(toOffset: 8192)
    try file.write(contentsOf: Data(repeating: 0xAA, count: Int(size) - 8192))
    try file.close()
    return queue
  }

  @Test("if no new file can be begun in place of a damaged one, it is begun later")
  func newFileLater() throws {
    let queue = try damagedQueue(Notices())
    let elsewhere = folder.url.appendingPathExtension("moved")
    try FileManager.default.moveItem(at: folder.url, to: elsewhere)
    #expect(throws: DeliveryError.readOnly) {
      while let batch = try queue.nextBatch(limit: 500) { try queue.settle(batch, .delivered) }
    }
    #expect(throws: DeliveryError.readOnly) { try queue.store(event(1)) }
    try FileManager.default.moveItem(at: elsewhere, to: folder.url)
    try queue.store(event(2))
    #expect(try drain(queue) == [2])
  }

  @Test("a file that is damaged while it is open is set aside, reported, and a new one begun")
  func damagedWhileOpen() throws {
    let notices = Notices()
    let queue = try damagedQueue(notices)
    var error: DeliveryError?
    do throws(DeliveryError) {
      while let batch = try queue.nextBatch(limit: 500) { try queue.settle(batch, .delivered) }
    } catch let problem {
      error = problem
    }
    guard case .damaged? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    guard notices.all.count == 1, case .queueSetAside(let path, _) = notices.all[0] else {
      Issue.record("\(notices.all)")
      return
    }
    let aside = try #require(FileManager.default.contents(atPath: path))
    // The events that were only in the log have been written to it.
    #expect(aside.count { $0 == 0xAA } > 1 << 20)
    try queue.store(event(1))
    #expect(try drain(queue) == [1])
  }

  @Test("opening a queue needs only its own file, so it can be read on a full disk")
  func noSharedMemory() throws {
    let queue = try EventQueue(path: folder.queue)
    try queue.store(event(1))
    // These files are what a killed process leaves.
    for name in ["", "-wal"] {
      let bytes = try #require(FileManager.default.contents(atPath: folder.queue + name))
      try bytes.write(to: URL(fileURLWithPath: folder.queue + "2" + name))
    }
    // A directory of that name keeps SQLite from making the file for shared memory.
    try FileManager.default.createDirectory(atPath: folder.queue + "2-shm", withIntermediateDirectories: false)
    let copy = try EventQueue(path: folder.queue + "2")
    #expect(try drain(copy) == [1])
  }

  @Test("a log whose file is missing or empty is set aside, not deleted", arguments: [true, false])
  func logAlone(isMissing: Bool) throws {
    let queue = try EventQueue(path: folder.queue)
    try queue.store([event(1), event(2)])
    // As a kill leaves it: the events are in the log.
    let log = try #require(FileManager.default.contents(atPath: folder.queue + "-wal"))
    try #require(log.count > 0)
    queue.close()
    try log.write(to: URL(fileURLWithPath: folder.queue + "-wal"))
    try Data().write(to: URL(fileURLWithPath: folder.queue))
    if isMissing { try FileManager.default.removeItem(atPath: folder.queue) }
    let notices = Notices()
    let again = try EventQueue(path: folder.queue, report: notices.add)
    #expect(notices.all.count == 1)
    #expect(FileManager.default.contents(atPath: folder.queue + ".damaged-1-wal") == log)
    try again.store(event(3))
    #expect(try drain(again) == [3])
  }

  @Test("each of several damaged files keeps its own log")
  func setAsideBesideOthers() throws {
    let names = ["", "-wal", ".damaged-1-wal", ".damaged-2", ".damaged-3-journal"]
    for name in names { try Data("old\(name)".utf8).write(to: URL(fileURLWithPath: folder.queue + name)) }
    let notices = Notices()
    let queue = try EventQueue(path: folder.queue, report: notices.add)
    guard case .queueSetAside(let path, _)? = notices.all.first else {
      Issue.record("not reported")
      return
    }
    #expect(path == folder.queue + ".damaged-4")
    func text(_ name: String) -> String {
      String(decoding: FileManager.default.contents(atPath: folder.queue + name) ?? Data(), as: UTF8.self)
    }
    #expect(text(".damaged-4") == "old")
    #expect(text(".damaged-4-wal") == "old-wal")
    for name in names.dropFirst(2) { #expect(text(name) == "old\(name)") }
    try queue.store(event(1))
    #expect(try drain(queue) == [1])
  }

  @Test(
    "whatever bytes of a file change, events are delivered or the file is set aside",
    arguments: TestSize.scaled(0..<200))
  func flippedBytes(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let original = try EventQueue(path: folder.queue)
    try original.store((1...200).map { event($0, padding: 100) })
    original.close()
    let url = URL(fileURLWithPath: folder.queue)
    var bytes = try Data(contentsOf: url)
    if random.oneIn(4) {
      bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
    } else {
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
    }
    try bytes.write(to: url)
    do throws(DeliveryError) {
      let queue = try EventQueue(path: folder.queue)
      // The call that finds the damage throws; the file has been replaced by then.
      for _ in 0..<300 {
        guard let batch = (try? queue.nextBatch(limit: 50)) ?? (try? queue.nextBatch(limit: 50)) else { break }
        try? queue.settle(batch, .delivered)
      }
      try queue.store(event(1))
    } catch {
      // The header says that the file belongs to another program or version, so it is left alone.
      var isForeign = error == .otherDatabase
      if case .newerVersion = error { isForeign = true }
      #expect(isForeign, "seed \(seed): \(error)")
    }
  }

  @Test(
    "totals and numbers of events that cannot be true are damage, and trap nothing",
    arguments: [
      "UPDATE totals SET waiting = 9223372036854775807", "UPDATE totals SET waiting = -1",
      "UPDATE totals SET waiting = 1",
      "UPDATE totals SET bytes = 9223372036854775807", "UPDATE totals SET bytes = 0", "DELETE FROM totals",
      "UPDATE totals SET dropped = 'x'", "UPDATE events SET id = 9223372036854775807 WHERE id = 2",
      "UPDATE events SET id = -9223372036854775808 WHERE id = 2",
      "UPDATE sqlite_sequence SET seq = 9223372036854775807",
      "UPDATE events SET event = ''", "UPDATE events SET event = 5", "UPDATE events SET lane = 7",
      "DROP TABLE rejected",
      "DELETE FROM events", "CREATE TRIGGER t AFTER DELETE ON events BEGIN SELECT 1; END",
    ])
  func impossible(sql: String) throws {
    let original = try EventQueue(path: folder.queue)
    try original.store([event(1), event(2), event(3)])
    original.close()
    let file = try DatabaseQueue(path: folder.queue)
    try file.writeWithoutTransaction { try $0.execute(sql: sql) }
    try file.close()
    let queue = try EventQueue(path: folder.queue, limits: QueueLimits(events: 2))
    for _ in 0..<10 {
      guard let batch = (try? queue.nextBatch(limit: 1)) ?? nil else { break }
      try? queue.settle(batch, .rejected(status: 400))
    }
    _ = try? queue.restoreRejected()
    try queue.store([event(4), event(5), event(6)])
    // Here at last the damage shows, and the file is replaced.
    _ = try? drain(queue)
    try queue.store(event(7))
    #expect(try drain(queue).last == 7)
  }

  @Test("another program's database and a newer queue are refused and left alone")
  func others() throws {
    let other = try DatabaseQueue(path: folder.queue)
    try other.write { try $0.execute(sql: "CREATE TABLE mine (a)") }
    try other.close()
    let before = FileManager.default.contents(atPath: folder.queue)
    #expect(throws: DeliveryError.otherDatabase) { _ = try EventQueue(path: folder.queue) }
    #expect(FileManager.default.contents(atPath: folder.queue) == before)

    let path = folder.queue + "2"
    try EventQueue(path: path).close()
    let newer = try DatabaseQueue(path: path)
    try newer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 9") }
    try newer.close()
    #expect(throws: DeliveryError.newerVersion(found: 9, known: 1)) { _ = try EventQueue(path: path) }
  }

  @Test("a directory, a missing directory and a place where nothing can be written are errors")
  func places() throws {
    #expect(throws: DeliveryError.badPath) { _ = try EventQueue(path: folder.url.path) }
    #expect(throws: DeliveryError.badPath) { _ = try EventQueue(path: "") }
    #expect(throws: DeliveryError.badPath) { _ = try EventQueue(path: "a\u{0}b") }
    #expect(throws: DeliveryError.readOnly) { _ = try EventQueue(path: folder.url.path + "/none/events.queue") }
    #expect(throws: DeliveryError.readOnly) { _ = try EventQueue(path: "/proc/events.queue") }
  }

  @Test(
    "in a directory that may not be written there is no queue", .enabled(if: geteuid() != 0, "root may write anywhere"))
  func readOnlyDirectory() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
    #expect(throws: DeliveryError.readOnly) { _ = try EventQueue(path: folder.queue) }
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path)
  }

  @Test("a read-only file is set aside", .enabled(if: geteuid() != 0, "root may write anything"))
  func readOnlyFile() throws {
    try EventQueue(path: folder.queue).close()
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: folder.queue)
    let notices = Notices()
    let queue = try EventQueue(path: folder.queue, report: notices.add)
    #expect(notices.all.count == 1)
    try queue.store(event(1))
  }

  @Test("a file is opened once at a time, and a closed queue says so")
  func locked() throws {
    let queue = try EventQueue(path: folder.queue)
    try queue.store(event(1))
    #expect(throws: DeliveryError.locked) { _ = try EventQueue(path: folder.queue) }
    queue.close()
    #expect(throws: DeliveryError.closed) { try queue.store(event(1)) }
    let again = try EventQueue(path: folder.queue)
    #expect(again.counts.waiting == 1)
  }
}
