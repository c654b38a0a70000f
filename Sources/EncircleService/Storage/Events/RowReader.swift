import GRDB
import GRDBSQLite

/// Reads the rows of a statement column by column without allocation, for statements with a million rows.
struct RowReader {
  private let statement: Statement
  private var row: SQLiteStatement { statement.sqliteStatement }

  /// - Throws: `DatabaseError` for wrong SQL.
  init(_ database: Database, _ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
    statement = try database.cachedStatement(sql: sql)
    try restart(arguments)
  }

  /// Restarts the statement with other values.
  func restart(_ arguments: StatementArguments) throws {
    sqlite3_reset(row)
    try statement.setArguments(arguments)
  }

  /// Advances to the next row; false after the last one.
  ///
  /// - Throws: `DatabaseError`, also when the work is interrupted.
  func next() throws -> Bool {
    switch sqlite3_step(row) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      sqlite3_reset(row)
      return false
    default:
      let connection = sqlite3_db_handle(row)
      let error = DatabaseError(
        resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
        message: String(cString: sqlite3_errmsg(connection)))
      sqlite3_reset(row)
      throw error
    }
  }

  /// Ends reading before the last row. A caller that leaves rows unread must call this, because until then the connection reads
  /// the same state of the file.
  func end() { sqlite3_reset(row) }

  func number(_ column: Int32) -> Int64 { sqlite3_column_int64(row, column) }

  /// Returns the bytes of a text or a blob, empty for NULL; valid until the next row.
  func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    // The bytes must be read before their number, because reading may convert the value and change the number.
    let start = sqlite3_column_blob(row, column)
    let count = Int(sqlite3_column_bytes(row, column))
    return UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : count)
  }
}
