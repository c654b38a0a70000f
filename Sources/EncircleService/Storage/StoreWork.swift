import GRDB
import GRDBSQLite

/// Work with a database that can be cancelled until it writes a change.
protocol StoreWork: Sendable {
  /// This is true if the work was cancelled. SQLite then ends the running statement with `SQLITE_INTERRUPT`.
  var isCancelled: Bool { get }

  /// Prepares for a change that is about to be written. From then on the work must not be cancelled, because the change may be
  /// in force.
  ///
  /// - Throws: An error if the work has been cancelled; nothing is written then.
  func willChange() throws
}

/// The current thread's work.
enum CurrentStoreWork {
  @TaskLocal static var work: (any StoreWork)?
}

extension Database {
  /// Makes statements end when their work is cancelled.
  func followWork() {
    // An instruction takes some nanoseconds.
    sqlite3_progress_handler(
      sqliteConnection, 20_000, { _ in CurrentStoreWork.work?.isCancelled == true ? 1 : 0 }, nil)
  }
}

/// A change as a part of a transaction, which is undone if this throws an error.
typealias StoreChange = (Database) throws -> Void

extension DatabasePool {
  /// Writes an acknowledged change: it is in force if and only if the acknowledgement is sent.
  func change<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try CurrentStoreWork.work?.willChange()
    return try write(body)
  }
}
