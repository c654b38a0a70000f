/// Reads records of comma-separated values (RFC 4180), one after the other: cells in quotes may have commas, line breaks and doubled
/// quotes in them. Lines end with LF, CR LF or CR.
///
/// Cells may be separated by semicolons or tabs instead, as spreadsheets write them where the comma is the decimal sign: the
/// first line shows it, or says it as `sep=;`, which spreadsheets take for no part of the table.
///
/// ```swift
/// var reader = CSVReader(text)
/// while let record = try reader.next() { print(record.line, record.cells) }
/// ```
package struct CSVReader {
  /// The cells of a record, and where it is.
  package struct Record: Sendable {
    /// The line where it begins, counted from 1.
    package let line: Int
    package let cells: [String]
    /// This is true if the text ends right after the record, without a line end.
    package let isUnended: Bool

    package init(line: Int, cells: [String], isUnended: Bool = false) {
      (self.line, self.cells, self.isUnended) = (line, cells, isUnended)
    }
  }

  /// The reason why a text cannot be read as comma-separated values.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String
    package let location: SourceLocation

    package var description: String { "\(location): \(message)" }
  }

  /// The maximum number of cells of a record. Empty cells beyond it are left out: rows that are formatted as a whole have them.
  package static let maximumCells = 1_000

  private let bytes: [UInt8]
  private let separator: UInt8
  private var position: Int
  private var line = 1
  // The offset at which the current line begins.
  private var lineStart: Int

  /// - Parameter text: The text, with a byte order mark or not.
  package init(_ text: String) {
    bytes = Array(text.utf8)
    position = bytes.starts(with: ByteOrderMark.utf8) ? ByteOrderMark.utf8.count : 0
    lineStart = position
    let firstLine = bytes[position...].drop(while: Self.isLineEnd).prefix { !Self.isLineEnd($0) }
    guard let stated = Self.statedSeparator(in: firstLine) else {
      separator = Self.separator(of: firstLine)
      return
    }
    separator = stated
    while position < firstLine.endIndex {
      if Self.isLineEnd(bytes[position]) { endLine() } else { position += 1 }
    }
  }

  /// Returns the separator that the line `sep=;` states; nil if it is another line.
  private static func statedSeparator(in line: ArraySlice<UInt8>) -> UInt8? {
    guard line.count == 5, let last = line.last, last < 0x80, last != quote,
      String(decoding: line.dropLast(), as: UTF8.self).lowercased() == "sep="
    else { return nil }
    return last
  }

  /// Returns the separator of cells by a line: a comma if one stands outside quotes, else the more frequent of semicolon and tab.
  private static func separator(of line: ArraySlice<UInt8>) -> UInt8 {
    var isQuoted = false
    var (semicolons, tabs) = (0, 0)
    for byte in line {
      if byte == quote { isQuoted.toggle() }
      if isQuoted { continue }
      switch byte {
      case comma: return comma
      case UInt8(ascii: ";"): semicolons += 1
      case UInt8(ascii: "\t"): tabs += 1
      default: break
      }
    }
    if semicolons == 0, tabs == 0 { return comma }
    return semicolons >= tabs ? UInt8(ascii: ";") : UInt8(ascii: "\t")
  }

  /// Returns the next record; nil at the end. Lines without anything on them are skipped.
  ///
  /// - Complexity: O(length of the record).
  package mutating func next() throws(Problem) -> Record? {
    while position < bytes.count, Self.isLineEnd(bytes[position]) { endLine() }
    guard position < bytes.count else { return nil }
    let first = line
    var cells: [String] = []
    var isUnended = false
    while true {
      let start = (offset: position, line: line, lineStart: lineStart)
      let cell = bytes[position...].first == Self.quote ? try quoted() : plain()
      if cells.count < Self.maximumCells {
        cells.append(cell)
      } else if !cell.isEmpty {
        (line, lineStart) = (start.line, start.lineStart)
        throw problem("a record has at most \(Self.maximumCells) cells", start.offset)
      }
      guard position < bytes.count else {
        isUnended = true
        break
      }
      if bytes[position] == separator {
        position += 1
      } else {
        endLine()
        break
      }
    }
    return Record(line: first, cells: cells, isUnended: isUnended)
  }

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// Goes behind the line end at the position.
  private mutating func endLine() {
    position += bytes[position] == 0x0D && position + 1 < bytes.count && bytes[position + 1] == 0x0A ? 2 : 1
    line += 1
    lineStart = position
  }

  private mutating func plain() -> String {
    let start = position
    while position < bytes.count, bytes[position] != separator, !Self.isLineEnd(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func quoted() throws(Problem) -> String {
    let start = (offset: position, line: line, lineStart: lineStart)
    position += 1
    var cell: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      if byte == Self.quote {
        position += 1
        if position < bytes.count, bytes[position] == Self.quote {
          cell.append(byte)
          position += 1
          continue
        }
        guard position == bytes.count || bytes[position] == separator || Self.isLineEnd(bytes[position]) else {
          throw problem("expected a separator or the end of the line after the closing quote of a cell", position)
        }
        return String(decoding: cell, as: UTF8.self)
      }
      if Self.isLineEnd(byte) {
        let lineBreak = position
        endLine()
        cell += bytes[lineBreak..<position]
      } else {
        cell.append(byte)
        position += 1
      }
    }
    (line, lineStart) = (start.line, start.lineStart)
    throw problem("the quote that begins this cell is not closed", start.offset)
  }

  private func problem(_ message: String, _ offset: Int) -> Problem {
    let column = bytes[lineStart..<offset].count { $0 & 0xC0 != 0x80 } + 1
    return Problem(message: message, location: SourceLocation(line: line, column: column))
  }
}
