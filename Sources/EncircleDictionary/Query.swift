import EncircleIdentity
import GRDB
import GRDBSQLite

/// A statement that reads or writes rows, and may do so again and again.
///
/// Values are read from SQLite's memory and bound without conversion. GRDB copies rows, and decodes and binds values by generic
/// code, which takes longer than SQLite takes to find or write them.
final class Query {
  /// A value in place of a question mark.
  enum Value {
    case null
    case number(Int)
    case real(Double)
    case bytes([UInt8])
    /// A text. Unlike GRDB, which ends it at the first NUL, this keeps all of it.
    case text(String)

    /// Returns a number, or null.
    static func optional(_ number: Int?) -> Value { number.map { .number($0) } ?? .null }
  }

  private let statement: Statement
  private var handle: SQLiteStatement { statement.sqliteStatement }

  init(_ db: Database, _ sql: String) throws { statement = try db.makeStatement(sql: sql) }

  /// Calls `body` with each row. `body` must not run this query.
  func forEachRow(_ values: [Value] = [], body: (Columns) throws -> Void) throws {
    defer { sqlite3_reset(handle) }
    try bind(values)
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: try body(Columns(statement: handle))
      case SQLITE_DONE: return
      case let code: throw failure(code)
      }
    }
  }

  /// Returns the result of `body` for the first row; nil if there is no row.
  func firstRow<R>(_ value: Value, body: (Columns) throws -> R) throws -> R? {
    defer { sqlite3_reset(handle) }
    try bind([value])
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return try body(Columns(statement: handle))
    case SQLITE_DONE: return nil
    case let code: throw failure(code)
    }
  }

  /// Runs a statement that writes.
  func run(_ values: [Value]) throws { try forEachRow(values) { _ in } }

  private func bind(_ values: [Value]) throws {
    for (i, value) in values.enumerated() {
      let place = CInt(i + 1)
      let code =
        switch value {
        case .null: sqlite3_bind_null(handle, place)
        case .number(let number): sqlite3_bind_int64(handle, place, Int64(number))
        case .real(let number): sqlite3_bind_double(handle, place, number)
        // An empty array may have no address, and SQLite takes that for null.
        case .bytes(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(handle, place, 0)
        case .bytes(let bytes):
          bytes.withUnsafeBytes { sqlite3_bind_blob(handle, place, $0.baseAddress, CInt($0.count), Self.copied) }
        case .text(let text):
          text.withCString { sqlite3_bind_text(handle, place, $0, CInt(text.utf8.count), Self.copied) }
        }
      guard code == SQLITE_OK else { throw failure(code) }
    }
  }

  // SQLITE_TRANSIENT, a macro that Swift does not import: SQLite copies the bytes, which are only valid during the call.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  private func failure(_ code: CInt) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
  }
}

/// The values of a row, valid until the query moves on.
///
/// SQLite stores values of any type in any column. Each function throws an error if the type differs from that of an intact
/// dictionary; functions whose result is not optional also throw if there is no value.
struct Columns {
  fileprivate let statement: SQLiteStatement

  func integer(_ column: CInt) throws -> Int {
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { throw Self.otherType }
    return Int(sqlite3_column_int64(statement, column))
  }

  /// Returns a number with or without a fraction.
  func number(_ column: CInt) throws -> Double {
    let type = sqlite3_column_type(statement, column)
    guard type == SQLITE_INTEGER || type == SQLITE_FLOAT else { throw Self.otherType }
    return sqlite3_column_double(statement, column)
  }

  func text(_ column: CInt) throws -> String {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT, let text = sqlite3_column_text(statement, column)
    else {
      throw Self.otherType
    }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  func bytes(_ column: CInt) throws -> [UInt8] { try withBytes(column) { [UInt8]($0) } }

  /// Calls `body` with bytes, which are valid during the call only.
  func withBytes<R>(_ column: CInt, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { throw Self.otherType }
    // There is no address where there are no bytes.
    let start = sqlite3_column_blob(statement, column)
    let count = start == nil ? 0 : Int(sqlite3_column_bytes(statement, column))
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  func eventID(_ column: CInt) throws -> EventID {
    guard let id = try withBytes(column, { EventID(bytes: $0) }) else { throw DictionaryError.damaged("an event ID") }
    return id
  }

  func hasNull(_ column: CInt) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  func optionalText(_ column: CInt) throws -> String? { hasNull(column) ? nil : try text(column) }
  func optionalNumber(_ column: CInt) throws -> Double? { hasNull(column) ? nil : try number(column) }

  /// Returns a number that is not negative and less than 2³², as all numbers of rows are.
  func rowNumber(_ column: CInt) throws -> Int {
    let number = try integer(column)
    guard number >= 0, number < 1 << 32 else { throw DictionaryError.damaged("a number is out of range") }
    return number
  }

  func optionalRowNumber(_ column: CInt) throws -> Int? { hasNull(column) ? nil : try rowNumber(column) }

  private static let otherType = DictionaryError.damaged("a value is missing, or of another type")
}
