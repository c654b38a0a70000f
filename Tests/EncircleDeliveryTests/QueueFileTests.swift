import EncircleDelivery
import Foundation
import GRDB
import Testing

@Suite("A queue opens only a file of its own, and survives full disks")
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
