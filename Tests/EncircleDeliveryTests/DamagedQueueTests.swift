import EncircleDelivery
import EncircleTestSupport
import Foundation
import GRDB
import Testing

@Suite("A queue survives damaged files")
struct DamagedQueueTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

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
}
