import EncircleText

/// The text of a document, with its places in three forms: as the readers of rules count them (lines and Unicode scalars from 1),
/// as clients count them (from 0, in units of UTF-16 or UTF-8), and as bytes.
///
/// Bytes are counted after a byte order mark: readers do not count it as a part of the document, but clients that keep it do.
struct DocumentText {
  /// The bytes of the text without a byte order mark.
  let bytes: [UInt8]
  /// The text without a byte order mark.
  var text: String { lines.text }
  /// The whole text.
  let whole: String
  private let lines: SourceLines
  private let hasMark: Bool
  // The units of UTF-16 that stand before each stretch of bytes; empty if all bytes are ASCII.
  private let unitsBefore: [Int]
  private static let stretch = 256

  /// - Complexity: O(length).
  init(_ text: String) {
    whole = text
    hasMark = text.utf8.starts(with: [0xEF, 0xBB, 0xBF])
    let unmarked = hasMark ? String(decoding: text.utf8.dropFirst(3), as: UTF8.self) : text
    lines = SourceLines(unmarked)
    bytes = Array(unmarked.utf8)
    var units = 0
    var before: [Int] = []
    before.reserveCapacity(bytes.count / Self.stretch + 1)
    for i in bytes.indices {
      if i % Self.stretch == 0 { before.append(units) }
      units += Self.units(bytes[i])
    }
    unitsBefore = units == bytes.count ? [] : before
  }

  /// The units of UTF-16 of the scalar that begins with a byte; 0 for a byte within one.
  private static func units(_ byte: UInt8) -> Int { byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1 }

  /// Returns the number of UTF-16 units before a byte.
  private func units(before offset: Int) -> Int {
    guard !unitsBefore.isEmpty else { return offset }
    let stretch = min(offset / Self.stretch, unitsBefore.count - 1)
    var count = unitsBefore[stretch]
    for i in stretch * Self.stretch..<offset { count += Self.units(bytes[i]) }
    return count
  }

  // MARK: - Lines

  /// Returns the bytes of a line, counted from 0, without its end; the empty end of the text for one beyond it.
  func line(_ number: Int) -> Range<Int> {
    let start = lines.offset(of: SourceLocation(line: number + 1, column: 1))
    return start..<max(start, lines.offset(of: SourceLocation(line: number + 1, column: .max)))
  }

  /// Returns the number, from 0, of the line in which a byte is.
  func lineNumber(of offset: Int) -> Int { lines.location(of: offset).line - 1 }

  /// Returns the byte at a place as the readers count.
  func offset(of location: SourceLocation) -> Int { lines.offset(of: location) }

  // MARK: - Places of clients

  /// Returns the byte at a client's place; beyond a line it is the end of the line.
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
    let stretch = max(1, unitsBefore.partitioningIndex { $0 > wanted }) - 1
    var offset = max(line.lowerBound, stretch * Self.stretch)
    var count = units(before: offset)
    while offset < line.upperBound {
      let next = Self.units(bytes[offset])
      if next > 0, count + next > wanted { break }
      count += next
      offset += 1
    }
    return offset
  }

  /// Returns the client's place of a byte.
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

  /// Returns the client's range of bytes.
  func range(_ range: Range<Int>, _ encoding: LSP.PositionEncoding) -> LSP.Range {
    LSP.Range(start: position(of: range.lowerBound, encoding), end: position(of: range.upperBound, encoding))
  }

  /// Returns the text of bytes.
  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns whether the bytes of a text stand at an offset.
  func has(_ other: String, at offset: Int) -> Bool { lines.has(other, at: offset) }
}
