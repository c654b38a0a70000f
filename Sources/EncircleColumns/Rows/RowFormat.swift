/// A format in which an engine exchanges rows with a program; the names are ClickHouse's.
public enum RowFormat: String, CaseIterable, Sendable {
  /// Texts with their length in front; nothing is escaped, so it is the fastest.
  case rowBinary = "RowBinary"
  /// Values between tabs, one row a line. Values must not have line breaks in them, and tabs only in the last column if that is
  /// `json` or `properties_json`.
  case tsvRaw = "TSVRaw"
  /// A JSON object a line, with columns by their names.
  case jsonEachRow = "JSONEachRow"

  /// Returns whether rows can have the column.
  public func takes(_ column: EventColumn) -> Bool { self != .tsvRaw || column != .properties }
}

/// The reason why an input cannot be read as rows at all.
public enum RowStreamError: Error, Hashable, CustomStringConvertible {
  /// A value is longer than any can be.
  case tooLong(row: Int, limit: Int)
  /// The bytes of a value do not fit the type of its column.
  case malformed(row: Int, column: String)
  /// The input ends within a row.
  case incomplete(row: Int)

  /// The problem in words, with the number of the row, from 1.
  public var description: String {
    switch self {
    case .tooLong(let row, let limit):
      "row \(row): a value of more than \(limit) bytes; does the function have other types than it was declared with?"
    case .malformed(let row, let column):
      "row \(row): column \(column) is not of its type; does the function have other types than it was declared with?"
    case .incomplete(let row): "row \(row): the input ends within the row"
    }
  }
}

/// Reads the rows of a format from bytes that arrive piece by piece.
protocol RowReader: AnyObject {
  /// Reads the row at an offset and moves the offset behind it; returns false if it is not complete yet.
  ///
  /// A row that is longer than the limit gets a problem and is not kept: the offset moves over its available part.
  ///
  /// - Parameters:
  ///   - isComplete: True if all bytes have arrived.
  ///   - row: An empty row; its values then lie in `bytes` or in memory of the reader.
  func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int, isComplete: Bool, into row: inout EventRow
  ) throws(RowStreamError) -> Bool
}
