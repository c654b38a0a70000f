import Foundation
import GRDB
import Testing

@testable import EncircleService

@Suite struct StoreDirectoryTests {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)")
    .path

  private func withDirectory(_ body: () throws -> Void) throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try body()
  }

  /// Calls `body` with a store after executing `sql`, and with the path of a copy of its directory at that time.
  private func withCopy(after sql: String, _ body: (_ copy: String) throws -> Void) throws {
    try withDirectory {
      let copy = directory + "-copy"
      defer { try? FileManager.default.removeItem(atPath: copy) }
      let store = try Store(directory: directory)
      try store.library.write { try $0.execute(sql: sql) }
      try FileManager.default.copyItem(atPath: directory, toPath: copy)
      try body(copy)
      try store.close()
    }
  }

  private func file(_ name: String) -> URL { URL(fileURLWithPath: directory).appendingPathComponent(name) }

  private func size(_ name: String) -> Int { (try? Data(contentsOf: file(name)).count) ?? 0 }

  /// The error of a start, or `nil` if it succeeds.
  private func failure() -> String? {
    do {
      try Store(directory: directory).close()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `a write counts only after it is synchronised to disk`() throws {
    try withDirectory {
      let store = try Store(directory: directory)
      for pool in [store.library, store.events] {
        #expect(try pool.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
      }
      let beside = try Store.libraryBesideService(directory: directory, isMade: false)
      #expect(try beside.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
    }
  }

  @Test func `a slow check for damage ends and does not block the log`() throws {
    try withDirectory {
      let store = try Store(directory: directory)
      try store.events.write { database in
        try database.execute(
          sql: """
            CREATE TABLE t (x);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO t SELECT randomblob(500) FROM n
            """)
      }
      // The file is checked in some milliseconds; how many of these are interrupted does not matter.
      for microseconds in stride(from: 0, to: 5_000, by: 250) {
        try store.events.write { try $0.execute(sql: "UPDATE t SET x = 1 WHERE rowid < 20") }
        #expect(try Store.damage(in: store.events, within: .microseconds(microseconds)) == nil)
        try store.checkpoint(.truncate)
      }
      try store.close()
    }
  }

  @Test func `after a clean stop the files hold everything and only their owner can read them`() throws {
    try withDirectory {
      do {
        let store = try Store(directory: directory)
        try store.library.write { try $0.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES (1)") }
        try store.close()
      }
      #expect(size("encircle.sqlite-wal") == 0 && size("events.sqlite-wal") == 0)
      for name in ["encircle.sqlite", "events.sqlite", "state", "lock"] {
        let attributes = try FileManager.default.attributesOfItem(atPath: file(name).path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(name)")
      }
      #expect(failure() == nil)
    }
  }

  @Test func `a lock ends with its holder, even if a starting process has inherited its descriptor`()
    throws
  {
    try withDirectory {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
      let lock = try DirectoryLock(directory: directory)
      let inherited = dup(lock.descriptor)
      defer { close(inherited) }
      _ = consume lock
      _ = try DirectoryLock(directory: directory)
    }
  }

  @Test(arguments: ["encircle.sqlite", "events.sqlite"])
  func `a used directory does not start with an empty or missing file`(name: String) throws {
    try withDirectory {
      try Store(directory: directory).close()
      try Data().write(to: file(name))
      #expect(try #require(failure()).contains("\(name): the file is empty"))
      try FileManager.default.removeItem(at: file(name))
      #expect(try #require(failure()).contains("\(name): the file is missing"))
      // The message says how to go on.
      try FileManager.default.removeItem(at: file("state"))
      #expect(failure() == nil)
    }
  }

  @Test func `an unclosed directory starts only with its logs`() throws {
    try withCopy(after: "CREATE TABLE t (x); INSERT INTO t VALUES (1)") { copy in
      let whole = try Store(directory: copy)
      #expect(try whole.library.read { try Int.fetchOne($0, sql: "SELECT x FROM t") } == 1)
      try whole.close()
      try FileManager.default.removeItem(atPath: copy)
      try FileManager.default.copyItem(atPath: directory, toPath: copy)
      for name in ["encircle.sqlite-wal", "events.sqlite-wal"] {
        try FileManager.default.removeItem(atPath: copy + "/" + name)
      }
      #expect(throws: StoreError.self) { try Store(directory: copy) }
    }
  }

  @Test func `a log with a flipped bit in its header is not taken for an empty log`() throws {
    try withCopy(after: "CREATE TABLE t (x)") { copy in
      let log = URL(fileURLWithPath: copy + "/encircle.sqlite-wal")
      let good = try Data(contentsOf: log)
      for byte in [0, 9, 18, 31] {
        var bad = good
        bad[byte] ^= 1
        try bad.write(to: log)
        #expect(throws: StoreError.self, "byte \(byte)") { try Store(directory: copy) }
      }
    }
  }

  @Test func `a damaged page keeps a service from being ready`() throws {
    try withDirectory {
      do {
        let store = try Store(directory: directory)
        try store.library.write { database in
          try database.execute(sql: "CREATE TABLE t (x)")
          for _ in 1...200 { try database.execute(sql: "INSERT INTO t VALUES (randomblob(1000))") }
        }
        #expect(throws: Never.self) { try store.checkWritable() }
        try store.close()
      }
      var bytes = try Data(contentsOf: file("encircle.sqlite"))
      let end = bytes.count
      bytes.replaceSubrange(end - 200_000..<end - 100_000, with: Data(repeating: 0x5A, count: 100_000))
      try bytes.write(to: file("encircle.sqlite"))
      let damaged = try Store(directory: directory)
      #expect {
        try damaged.checkWritable()
      } throws: {
        Store.temporaryFailure($0) == "The files of the service are damaged."
      }
    }
  }
}
