import Foundation
import GRDB
import Testing

@testable import EncircleService

@Suite struct StoreWorkTests {
  private struct Cancelled: StoreWork {
    struct Refusal: Error {}

    let isCancelled = true
    func willChange() throws { throw Refusal() }
  }

  private func withStore(_ body: (Store) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try body(Store(directory: directory))
  }

  @Test func `a statement ends when its work is abandoned, and others go on`() throws {
    try withStore { store in
      let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
      for pool in [store.library, store.events] {
        let error = #expect(throws: DatabaseError.self) {
          try CurrentStoreWork.$work.withValue(Cancelled()) {
            _ = try pool.read { try Int.fetchOne($0, sql: endless) }
          }
        }
        #expect(error?.resultCode == .SQLITE_INTERRUPT)
        let one = try pool.read { try Int.fetchOne($0, sql: "SELECT 1") }
        #expect(one == 1)
      }
    }
  }

  @Test func `an abandoned change does not take effect`() throws {
    try withStore { store in
      #expect(throws: Cancelled.Refusal.self) {
        try CurrentStoreWork.$work.withValue(Cancelled()) {
          try store.library.change { try $0.execute(sql: "CREATE TABLE t (x)") }
        }
      }
      let exists = try store.library.read { try $0.tableExists("t") }
      #expect(!exists)
    }
  }

  @Test func `the directory reports whether it is writable while a write is running`() throws {
    try withStore { store in
      try store.library.write { _ in try store.events.write { _ in try store.checkWritable() } }
    }
  }
}
