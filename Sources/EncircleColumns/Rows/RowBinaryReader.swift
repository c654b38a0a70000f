import EncircleText

/// Reads rows of ClickHouse's `RowBinary`: a text is its length as a variable-length integer (LEB128) and its bytes, one that
/// may be missing has a byte in front that is 1 if it is, and a map is the number of its pairs and the pairs.
///
/// https://clickhouse.com/docs/interfaces/formats/RowBinary
final class RowBinaryReader: RowReader {
  private let columns: [EventColumn]
  private let isNullable: [Bool]
  private let lengthLimit: Int

  init(_ columns: [EventColumn], lengthLimit: Int) {
    self.columns = columns
    isNullable = columns.map(\.isNullable)
    self.lengthLimit = lengthLimit
  }

  func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int, isComplete: Bool, into row: inout EventRow
  ) throws(RowStreamError) -> Bool {
    var cursor = Cursor(bytes: bytes, offset: offset, row: row.number, lengthLimit: lengthLimit)
    guard let version = try cursor.text() else { return false }
    row.version = version
    for column in columns.indices {
      if isNullable[column] {
        guard let flag = cursor.byte() else { return false }
        if flag == 1 { continue }
        if flag != 0 { throw .malformed(row: row.number, column: columns[column].name) }
      } else if columns[column] == .properties {
        guard try cursor.pairs(into: &row) else { return false }
        continue
      }
      guard let text = try cursor.text() else { return false }
      row.set(column, text)
    }
    guard cursor.offset - offset <= lengthLimit else { throw .tooLong(row: row.number, limit: lengthLimit) }
    offset = cursor.offset
    return true
  }

  private struct Cursor {
    let bytes: UnsafeBufferPointer<UInt8>
    var offset: Int
    let row: Int
    let lengthLimit: Int

    mutating func byte() -> UInt8? {
      guard offset < bytes.count else { return nil }
      defer { offset += 1 }
      return bytes[offset]
    }

    /// A number up to the limit; nil if it is not complete.
    mutating func number() throws(RowStreamError) -> Int? {
      var value = 0
      var shift = 0
      while let byte = byte() {
        value |= Int(byte & 0x7F) << shift
        if value > lengthLimit { break }
        if byte < 0x80 { return value }
        shift += 7
        // The limit is below 2³⁵.
        if shift > 28 { break }
      }
      if value > lengthLimit || shift > 28 { throw .tooLong(row: row, limit: lengthLimit) }
      return nil
    }

    mutating func text() throws(RowStreamError) -> EventRow.Text? {
      guard let count = try number(), bytes.count - offset >= count else { return nil }
      defer { offset += count }
      return bytes.part(offset..<offset + count)
    }

    mutating func pairs(into row: inout EventRow) throws(RowStreamError) -> Bool {
      guard let count = try number() else { return false }
      for _ in 0..<count {
        guard let name = try text(), let value = try text() else { return false }
        row.append(name, value)
      }
      return true
    }
  }
}
