import EncircleEvents
import EncircleText

/// Reads rows of ClickHouse's `RowBinary`: a text is its length as a variable-length integer (LEB128) and its bytes; a nullable text
/// has a byte in front, which is 1 if the text is missing; a map is the number of its pairs and the pairs.
///
/// https://clickhouse.com/docs/interfaces/formats/RowBinary
final class RowBinaryReader: RowReader {
  /// The progress through a row that is longer than the limit.
  private struct Place {
    /// The columns that have begun, without the version.
    var columnCount = 0
    /// The texts of the last one, at first the version, that have not begun.
    var textCount = 1
    /// The bytes of the last text that have not been passed over.
    var byteCount = 0
  }

  private let columns: [EventColumn]
  private let isNullable: [Bool]
  private let lengthLimit: Int
  // Nil unless the present row is longer than the limit.
  private var place: Place?

  init(_ columns: [EventColumn], lengthLimit: Int) {
    self.columns = columns
    isNullable = columns.map(\.isNullable)
    self.lengthLimit = lengthLimit
  }

  func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int, isComplete: Bool, into row: inout EventRow
  ) throws(RowStreamError) -> Bool {
    var cursor = Cursor(bytes: bytes, offset: offset, row: row.number)
    if place == nil {
      let isWhole = try readValues(&cursor, into: &row)
      let end = isWhole ? cursor.offset : bytes.count
      guard end - offset > lengthLimit else {
        if isWhole { offset = end }
        return isWhole
      }
      cursor.offset = offset
    }
    defer { offset = cursor.offset }
    var reached = place ?? Place()
    guard try passOver(&reached, &cursor) else {
      // One byte stays, so that the input ends within the row if nothing follows.
      if cursor.offset == bytes.count {
        cursor.offset -= 1
        reached.byteCount += 1
      }
      place = reached
      return false
    }
    place = nil
    row.begin(row.number)
    row.problem = Rejection.Reason.tooLong(limit: lengthLimit).message
    return true
  }

  /// Reads all values of a row; returns false if it is not complete.
  private func readValues(_ cursor: inout Cursor, into row: inout EventRow) throws(RowStreamError) -> Bool {
    guard let version = try cursor.text() else { return false }
    row.version = version
    for column in columns.indices {
      guard let count = try textCount(of: column, &cursor) else { return false }
      if count == 1 {
        guard let text = try cursor.text() else { return false }
        row.set(column, text)
      } else {
        for _ in 0..<count / 2 {
          guard let name = try cursor.text(), let value = try cursor.text() else { return false }
          row.append(name, value)
        }
      }
    }
    return true
  }

  /// Skips the available part of a row; returns false if the end of the row has not arrived yet.
  private func passOver(_ place: inout Place, _ cursor: inout Cursor) throws(RowStreamError) -> Bool {
    while true {
      let count = min(place.byteCount, cursor.bytes.count - cursor.offset)
      cursor.offset += count
      place.byteCount -= count
      guard place.byteCount == 0 else { return false }
      if place.textCount > 0 {
        guard let length = try cursor.number() else { return false }
        place.textCount -= 1
        place.byteCount = length
      } else if place.columnCount < columns.count {
        guard let count = try textCount(of: place.columnCount, &cursor) else { return false }
        place.columnCount += 1
        place.textCount = count
      } else {
        return true
      }
    }
  }

  /// Returns the number of texts in a column of a row: 0 for a missing value, two for each pair of a map; nil if the number is not
  /// complete.
  private func textCount(of column: Int, _ cursor: inout Cursor) throws(RowStreamError) -> Int? {
    if isNullable[column] {
      guard let flag = cursor.byte() else { return nil }
      guard flag <= 1 else { throw .malformed(row: cursor.row, column: columns[column].name) }
      return flag == 1 ? 0 : 1
    }
    guard columns[column] == .properties else { return 1 }
    guard let pairs = try cursor.number() else { return nil }
    return 2 * pairs
  }

  private struct Cursor {
    /// The limit on the length of a text and on the number of pairs. A greater number belongs to a column of another type.
    static let greatestNumber = Int(Int32.max)

    let bytes: UnsafeBufferPointer<UInt8>
    var offset: Int
    let row: Int

    mutating func byte() -> UInt8? {
      guard offset < bytes.count else { return nil }
      defer { offset += 1 }
      return bytes[offset]
    }

    /// Reads a length or a number of pairs; returns nil if it is not complete, and then the offset stays.
    mutating func number() throws(RowStreamError) -> Int? {
      let start = offset
      var value = 0
      var shift = 0
      while let byte = byte() {
        value |= Int(byte & 0x7F) << shift
        if value > Self.greatestNumber { break }
        if byte < 0x80 { return value }
        shift += 7
        // The greatest number is below 2³⁵.
        if shift > 28 { break }
      }
      if value > Self.greatestNumber || shift > 28 { throw .tooLong(row: row, limit: Self.greatestNumber) }
      offset = start
      return nil
    }

    mutating func text() throws(RowStreamError) -> EventRow.Text? {
      guard let count = try number(), bytes.count - offset >= count else { return nil }
      defer { offset += count }
      return bytes.part(offset..<offset + count)
    }
  }
}
