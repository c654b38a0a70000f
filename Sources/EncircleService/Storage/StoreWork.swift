import GRDB
import GRDBSQLite

/// The work that asks a database for something: it can be given up, and knows when something is changed for it.
public protocol StoreWork: Sendable {
  /// Whether nobody waits for the work any more. SQLite then ends the statement under way with `SQLITE_INTERRUPT`.
  var isGivenUp: Bool { get }

  /// Called before a change is written. From then on the work must not be given up, as the change may be in force.
  ///
  /// - Throws: When the work has been given up; nothing is written then.
  func willChange() throws
}

/// The work that this thread does.
public enum CurrentStoreWork {
  @TaskLocal public static var work: (any StoreWork)?
}

extension Database {
  /// Has statements end when the work that they belong to is given up.
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
