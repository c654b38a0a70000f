import GRDB
import GRDBSQLite

/// A prepared statement whose values are bound one by one without allocation, for statements that run tens of thousands of
/// times a second.
struct RowStatement {
  private let statement: SQLiteStatement
  private var next: Int32 = 1
  // SQLite copies the bytes.
  private static let copied = unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self)

  init(_ database: Database, _ sql: String) throws {
    statement = try database.cachedStatement(sql: sql).sqliteStatement
  }

  mutating func bind(_ value: Int64?) {
    if let value { sqlite3_bind_int64(statement, next, value) } else { sqlite3_bind_null(statement, next) }
    next += 1
  }

  mutating func bind(_ text: String?) {
    if var text {
      text.withUTF8 { bytes in
        // A null address would bind NULL instead of an empty text.
        bytes.withMemoryRebound(to: CChar.self) { bytes in
          _ =
            bytes.baseAddress.map { sqlite3_bind_text(statement, next, $0, Int32(bytes.count), Self.copied) }
            ?? sqlite3_bind_text(statement, next, "", 0, Self.copied)
        }
      }
    } else {
      sqlite3_bind_null(statement, next)
    }
    next += 1
  }

  mutating func bind(_ bytes: [UInt8]?) {
    if let bytes {
      bytes.withUnsafeBytes { bytes in
        _ =
          bytes.isEmpty
          ? sqlite3_bind_zeroblob(statement, next, 0)
          : sqlite3_bind_blob(statement, next, bytes.baseAddress, Int32(bytes.count), Self.copied)
      }
    } else {
      sqlite3_bind_null(statement, next)
    }
    next += 1
  }

  /// Executes the statement, and resets it for other values.
  mutating func run() throws {
    let status = sqlite3_step(statement)
    next = 1
    if status == SQLITE_DONE {
      sqlite3_reset(statement)
      return
    }
    let connection = sqlite3_db_handle(statement)
    let message = String(cString: sqlite3_errmsg(connection))
    let code = sqlite3_extended_errcode(connection)
    sqlite3_reset(statement)
    throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
  }

  /// The number of rows that the last execution has changed.
  var changes: Int { Int(sqlite3_changes(sqlite3_db_handle(statement))) }

  /// The id of the row that was inserted last.
  var insertedID: Int64 { sqlite3_last_insert_rowid(sqlite3_db_handle(statement)) }
}
