/// Bytes, lines and the text between nodes.
extension SyntaxParser {
  /// The byte here; zero at the end, which no YAML text has elsewhere.
  var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  /// The column here, in bytes from 0. In block style, only spaces, dashes and keys precede a node in its line.
  var column: Int { Self.column(of: position, in: bytes) }

  static func column(of position: Int, in bytes: [UInt8]) -> Int {
    var start = position
    while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
    return position - start
  }

  var isAtLineEnd: Bool { position == bytes.count || bytes[position] == 0x0A }

  func problem(_ message: String) -> Problem { Problem(message: message, offset: position) }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns whether a line begins here with the marker `---` or `...`, and white space or nothing follows the marker.
  func isMarker(_ marker: StaticString) -> Bool {
    guard position == 0 || bytes[position - 1] == 0x0A, position + 3 <= bytes.count else { return false }
    for i in 0..<3 where bytes[position + i] != marker.utf8Start[i] { return false }
    return !isPlainByte(after: position + 2)
  }

  /// Returns whether the indicator stands here, with white space behind it.
  func isIndicator(_ indicator: Unicode.Scalar) -> Bool {
    byte == UInt8(ascii: indicator) && !isPlainByte(after: position)
  }

  /// Returns whether something other than white space stands right behind a byte.
  func isPlainByte(after i: Int) -> Bool { i + 1 < bytes.count && !Self.isBlank(bytes[i + 1]) }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A }

  mutating func skipSpaces() {
    while byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { position += 1 }
  }

  /// Goes to the first content of a line, and keeps the comments and blank lines before it.
  mutating func skipToContent() {
    while position < bytes.count {
      let start = position
      skipSpaces()
      guard isAtLineEnd || byte == UInt8(ascii: "#") else {
        // A tab is not indentation. The column then differs from libyaml's, so the comparison with libyaml fails.
        return
      }
      if byte == UInt8(ascii: "#") {
        pending.append((position - start, .comment(comment())))
      } else if start < bytes.count, pending.last?.trivia != .blank {
        pending.append((0, .blank))
      }
      if position < bytes.count { position += 1 }
    }
  }

  /// Reads the comment here, up to the end of the line.
  mutating func comment() -> String {
    let start = position
    commentOffsets.append(start)
    while !isAtLineEnd { position += 1 }
    var end = position
    while end > start, Self.isBlank(bytes[end - 1]) { end -= 1 }
    return text(start..<end)
  }

  /// Moves to the next line if nothing but a comment is left on this one. The comment is kept as trailing.
  ///
  /// - Returns: False if something else is left on this line; the position is then before it.
  mutating func finishLine() -> Bool {
    let end = position
    skipSpaces()
    if byte == UInt8(ascii: "#") {
      guard position > end || end == 0 || Self.isBlank(bytes[end - 1]) else { return false }
      trailing = comment()
    }
    guard isAtLineEnd else { return false }
    if position < bytes.count { position += 1 }
    return true
  }

  mutating func takeTrailing() -> String? {
    defer { trailing = nil }
    return trailing
  }

  mutating func takePending() -> [Trivia] {
    defer { pending.removeAll() }
    return pending.map(\.trivia)
  }

  /// Takes the pending comments at or right of a column, up to the first one left of it: they belong to the collection at that
  /// column.
  mutating func takeComments(from column: Int) -> [Trivia] {
    var end = 0
    for (i, item) in pending.enumerated() where item.trivia != .blank {
      guard item.column >= column else { break }
      end = i + 1
    }
    defer { pending.removeFirst(end) }
    return pending[..<end].map(\.trivia)
  }
}
