import GRDB
import GRDBSQLite

/// Restricts SQLite to reading data, whatever an untrusted dictionary file contains.
enum HostileFile {
  /// The largest value that a row may have, in bytes.
  static let maximumValueLength = 4 << 20
  /// The number of steps of SQLite's machine that a look-up may take.
  static let lookUpSteps = 10_000_000
  /// The number of steps, per byte of the file, that reading all of it may take in addition to a look-up's.
  static let stepsPerByte = 32

  /// Returns the number of steps that reading all of a file may take.
  static func maximumSteps(fileSize: Int) -> Int { lookUpSteps + min(fileSize, 1 << 40) * stepsPerByte }

  /// Prepares a connection. It must be called before the connection is used.
  static func secure(_ db: Database) throws {
    // Without memory mapping, because truncating a mapped file would end this process; without functions that a schema can call.
    try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON")
    guard let connection = db.sqliteConnection else { return }
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, CInt(maximumValueLength))
    sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
  }

  /// Checks that a file has exactly the tables and indexes of a dictionary.
  ///
  /// Views, triggers, virtual tables and columns that are computed could do any work whenever something is read.
  static func checkSchema(_ db: Database) throws {
    var missing = Schema.objects
    try Query(db, "SELECT type, name, sql FROM sqlite_master").forEachRow { row in
      let (type, name) = (try row.text(0), try row.text(1))
      // The indexes that SQLite makes for constraints are described by the tables.
      if type == "index", row.hasNull(2) { return }
      let object = Schema.Object(type: type, sql: Schema.normalized(try row.text(2)))
      guard missing.removeValue(forKey: name) == object else {
        throw DictionaryError.damaged("it has a \(type) '\(name)' that differs from the one of a dictionary")
      }
    }
    if let name = missing.keys.min() { throw DictionaryError.damaged("it has no table or index '\(name)'") }
  }
}

/// Ends statements that take more steps than they should.
///
/// In a damaged file, the pages of a table can contain each other, so that its rows never end.
///
/// Unchecked because only the owner of a connection uses it, and only while no statement runs.
final class StepLimit: @unchecked Sendable {
  // The number of steps between two calls of the handler.
  private static let interval = 1000
  private var remaining = 0

  /// Installs the limit in a connection, which must not be used after this object is gone.
  func install(in db: Database) {
    guard let connection = db.sqliteConnection else { return }
    sqlite3_progress_handler(
      connection, CInt(Self.interval),
      { context in
        guard let context else { return 0 }
        return Unmanaged<StepLimit>.fromOpaque(context).takeUnretainedValue().count()
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Allows a number of steps from now on.
  func allow(_ steps: Int) { remaining = steps }

  private func count() -> CInt {
    remaining -= Self.interval
    return remaining < 0 ? 1 : 0
  }
}
