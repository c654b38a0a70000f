import GRDB
import GRDBSQLite

/// Work that uses a database and can be cancelled, until a change is written for it.
protocol StoreWork: Sendable {
  /// Whether the work was cancelled. SQLite then ends the running statement with `SQLITE_INTERRUPT`.
  var isGivenUp: Bool { get }

  /// Called before a change is written. From then on the work must not be given up, as the change may be in force.
  ///
  /// - Throws: When the work has been given up; nothing is written then.
  func willChange() throws
}

/// The work that this thread does.
enum CurrentStoreWork {
  @TaskLocal static var work: (any StoreWork)?
}

extension Database {
  /// Makes statements end when the work that they belong to is cancelled.
  func followWork() {
    // An instruction takes some nanoseconds.
    sqlite3_progress_handler(
      sqliteConnection, 20_000, { _ in CurrentStoreWork.work?.isGivenUp == true ? 1 : 0 }, nil)
  }
}

extension DatabasePool {
  /// Writes a change that is acknowledged: it is in force if and only if the acknowledgement is sent.
  func change<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try CurrentStoreWork.work?.willChange()
    return try write(body)
  }
}
