import Foundation
import GRDB
import GRDBSQLite

// SQLite stores values of any type in any column, and GRDB traps where a value has another type than is asked for. These
// types are decoded only from values that an intact dictionary has there; anything else throws `RowDecodingError`.

/// A whole number in a column.
private struct IntegerColumn: DatabaseValueConvertible, StatementColumnConvertible {
  let value: Int

  init?(sqliteStatement: SQLiteStatement, index: CInt) {
    guard sqlite3_column_type(sqliteStatement, index) == SQLITE_INTEGER else { return nil }
    value = Int(sqlite3_column_int64(sqliteStatement, index))
  }

  private init(_ value: Int) { self.value = value }
  var databaseValue: DatabaseValue { value.databaseValue }

  static func fromDatabaseValue(_ value: DatabaseValue) -> IntegerColumn? {
    guard case .int64(let number) = value.storage else { return nil }
    return IntegerColumn(Int(number))
  }
}

/// A number in a column, with or without a fraction.
private struct NumberColumn: DatabaseValueConvertible, StatementColumnConvertible {
  let value: Double

  init?(sqliteStatement: SQLiteStatement, index: CInt) {
    let type = sqlite3_column_type(sqliteStatement, index)
    guard type == SQLITE_INTEGER || type == SQLITE_FLOAT else { return nil }
    value = sqlite3_column_double(sqliteStatement, index)
  }

  private init(_ value: Double) { self.value = value }
  var databaseValue: DatabaseValue { value.databaseValue }

  static func fromDatabaseValue(_ value: DatabaseValue) -> NumberColumn? {
    switch value.storage {
    case .int64(let number): NumberColumn(Double(number))
    case .double(let number): NumberColumn(number)
    case .null, .string, .blob: nil
    }
  }
}

/// A text in a column.
private struct TextColumn: DatabaseValueConvertible, StatementColumnConvertible {
  let value: String

  init?(sqliteStatement: SQLiteStatement, index: CInt) {
    guard sqlite3_column_type(sqliteStatement, index) == SQLITE_TEXT,
      let text = sqlite3_column_text(sqliteStatement, index)
    else { return nil }
    let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(sqliteStatement, index)))
    value = String(decoding: bytes, as: UTF8.self)
  }

  private init(_ value: String) { self.value = value }
  var databaseValue: DatabaseValue { value.databaseValue }

  static func fromDatabaseValue(_ value: DatabaseValue) -> TextColumn? {
    guard case .string(let text) = value.storage else { return nil }
    return TextColumn(text)
  }
}

/// Bytes in a column.
private struct BytesColumn: DatabaseValueConvertible, StatementColumnConvertible {
  let value: [UInt8]

  init?(sqliteStatement: SQLiteStatement, index: CInt) {
    guard sqlite3_column_type(sqliteStatement, index) == SQLITE_BLOB else { return nil }
    let bytes = sqlite3_column_blob(sqliteStatement, index)
    value = [UInt8](
      UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(sqlite3_column_bytes(sqliteStatement, index))))
  }

  private init(_ value: [UInt8]) { self.value = value }
  var databaseValue: DatabaseValue { Data(value).databaseValue }

  static func fromDatabaseValue(_ value: DatabaseValue) -> BytesColumn? {
    guard case .blob(let data) = value.storage else { return nil }
    return BytesColumn([UInt8](data))
  }
}

extension Row {
  // Each throws `RowDecodingError` if the column has a value of another type; those that are not optional also if it has
  // none.

  func integer(_ index: Int) throws -> Int { try decode(IntegerColumn.self, atIndex: index).value }
  func text(_ index: Int) throws -> String { try decode(TextColumn.self, atIndex: index).value }
  func bytes(_ index: Int) throws -> [UInt8] { try decode(BytesColumn.self, atIndex: index).value }
  func number(_ index: Int) throws -> Double { try decode(NumberColumn.self, atIndex: index).value }

  func optionalText(_ index: Int) throws -> String? { hasNull(atIndex: index) ? nil : try text(index) }
  func optionalNumber(_ index: Int) throws -> Double? { hasNull(atIndex: index) ? nil : try number(index) }

  /// Returns a number that is not negative and less than 2³², as all numbers of rows are.
  func rowNumber(_ index: Int) throws -> Int {
    let number = try integer(index)
    guard number >= 0, number < 1 << 32 else { throw DictionaryError.damaged("a number is out of range") }
    return number
  }

  func optionalRowNumber(_ index: Int) throws -> Int? { hasNull(atIndex: index) ? nil : try rowNumber(index) }
}
