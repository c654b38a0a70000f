import EncircleText

/// The text of a document. Converts places between three forms: lines and Unicode scalars from 1, as the readers of rules count;
/// lines and units of UTF-16 or UTF-8 from 0, as clients count; and byte offsets.
///
/// Byte offsets begin after a byte order mark. Readers do not count it as part of the document, but clients that keep it do.
struct DocumentText {
  /// The bytes of the text without a byte order mark.
  let bytes: [UInt8]
  /// The text without a byte order mark.
  var text: String { lines.text }
  /// The whole text.
  let whole: String
  private let lines: SourceLines
  private let hasMark: Bool
  // The number of UTF-16 units before each block of bytes; empty if all bytes are ASCII.
  private let unitsBefore: [Int]
  private static let segmentLength = 256

  /// - Complexity: O(length).
  init(_ text: String) {
    whole = text
    hasMark = text.utf8.starts(with: ByteOrderMark.utf8)
    let unmarked = hasMark ? String(decoding: text.utf8.withoutByteOrderMark, as: UTF8.self) : text
    lines = SourceLines(unmarked)
    bytes = Array(unmarked.utf8)
    var units = 0
    var before: [Int] = []
    before.reserveCapacity(bytes.count / Self.segmentLength + 1)
    for i in bytes.indices {
      if i % Self.segmentLength == 0 { before.append(units) }
      units += Self.units(bytes[i])
    }
    unitsBefore = units == bytes.count ? [] : before
  }

  /// Returns the number of UTF-16 units of the scalar that begins with a byte; 0 for a byte inside a scalar.
  private static func units(_ byte: UInt8) -> Int { byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1 }

  /// Returns the number of UTF-16 units before a byte.
  private func units(before offset: Int) -> Int {
    guard !unitsBefore.isEmpty else { return offset }
    let segment = min(offset / Self.segmentLength, unitsBefore.count - 1)
    var count = unitsBefore[segment]
    for i in segment * Self.segmentLength..<offset { count += Self.units(bytes[i]) }
    return count
  }

  // MARK: - Lines

  /// Returns the range of a line, counted from 0, without its line end; the empty range at the end of the text for later lines.
  func line(_ number: Int) -> Range<Int> {
    let start = lines.offset(of: SourceLocation(line: number + 1, column: 1))
    return start..<max(start, lines.offset(of: SourceLocation(line: number + 1, column: .max)))
  }

  /// Returns the number, from 0, of the line that contains a byte.
  func lineNumber(of offset: Int) -> Int { lines.location(of: offset).line - 1 }

  /// Returns the byte offset of a place in the form of the readers.
  func offset(of location: SourceLocation) -> Int { lines.offset(of: location) }

  // MARK: - Places of clients

  /// Returns the byte offset of a client's place; the end of the line for places beyond it.
  ///
  /// - Complexity: O(log *length*).
  func offset(of position: LSP.Position, _ encoding: LSP.PositionEncoding) -> Int {
    guard position.line >= 0 else { return 0 }
    // No text has more lines than this.
    guard position.line < bytes.count + 1 else { return bytes.count }
    let line = line(position.line)
    var character = min(max(0, position.character), 3 * bytes.count + 3)
    if position.line == 0, hasMark { character = max(0, character - (encoding == .utf8 ? 3 : 1)) }
    if encoding == .utf8 || unitsBefore.isEmpty {
      var offset = min(line.upperBound, line.lowerBound + character)
      while offset > line.lowerBound, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
      return offset
    }
    let wanted = units(before: line.lowerBound) + character
    let segment = max(1, unitsBefore.partitioningIndex { $0 > wanted }) - 1
    var offset = max(line.lowerBound, segment * Self.segmentLength)
    var count = units(before: offset)
    while offset < line.upperBound {
      let next = Self.units(bytes[offset])
      if next > 0, count + next > wanted { break }
      count += next
      offset += 1
    }
    return offset
  }

  /// Returns the client's place of a byte offset.
  ///
  /// - Complexity: O(log *length*).
  func position(of offset: Int, _ encoding: LSP.PositionEncoding) -> LSP.Position {
    let offset = min(max(0, offset), bytes.count)
    let number = lineNumber(of: offset)
    let start = line(number).lowerBound
    let mark = number == 0 && hasMark ? (encoding == .utf8 ? 3 : 1) : 0
    let count = encoding == .utf8 ? offset - start : units(before: offset) - units(before: start)
    return LSP.Position(line: number, character: count + mark)
  }

  /// Returns the client's range for a range of bytes.
  func range(_ range: Range<Int>, _ encoding: LSP.PositionEncoding) -> LSP.Range {
    LSP.Range(start: position(of: range.lowerBound, encoding), end: position(of: range.upperBound, encoding))
  }

  /// Returns the text of a range of bytes.
  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns whether the document has a text at an offset.
  func has(_ other: String, at offset: Int) -> Bool { lines.has(other, at: offset) }
}
