import EncircleText

/// A text that was printed as a string literal, as debuggers and tools for JSON do, with `\n` and `\"` written as two
/// characters each: `@"<UIWindow: 0x1; …>\n   | <UIView: 0x2; …>"`.
struct EscapedText {
  /// The text itself, in UTF-8.
  let bytes: [UInt8]

  /// Undoes the escapes of a text if its first view shows that there are some: if another view follows behind `\n`, or if
  /// the view stands in quotes.
  ///
  /// - Parameter start: The offset of the first view.
  /// - Complexity: O(bytes).
  init?(_ text: UnsafeBufferPointer<UInt8>, firstView start: Int) {
    var start = start
    while start > 0, text[start - 1] == UInt8(ascii: "<") { start -= 1 }
    let end = text.lineEnd(from: start)
    guard Self.hasEscapedView(text.part(start..<end)) || Self.isQuoted(text, start, end) else { return nil }
    self.init(text)
  }

  /// Undoes the escapes of XML that stands in quotes if its first attribute begins with `=\"` or `=\'`, or if `\n` follows its
  /// first tag, as in no XML.
  ///
  /// - Complexity: O(bytes).
  init?(_ text: UnsafeBufferPointer<UInt8>, xml start: Int) {
    guard start > 0, text[start - 1] == UInt8(ascii: "\"") || text[start - 1] == UInt8(ascii: "'") else { return nil }
    let quote = text.offset(of: text[start - 1], from: start) ?? text.count
    let tagEnd = text.offset(of: UInt8(ascii: ">"), from: start).map { $0 + 1 } ?? text.count
    guard
      text.part(start..<quote).ends(withLiteral: "=\\")
        || text.part(tagEnd..<text.count).starts(withLiteral: "\\n")
    else { return nil }
    self.init(text)
  }

  /// Undoes the escapes of a text that has `\n` behind the heading of XCTest's `debugDescription`.
  ///
  /// - Complexity: O(bytes).
  init?(elementsIn text: UnsafeBufferPointer<UInt8>) {
    guard text.offset(of: "Element subtree:\\n") != nil else { return nil }
    self.init(text)
  }

  private init(_ text: UnsafeBufferPointer<UInt8>) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var i = 0
    while i < text.count { Self.readCharacter(text, &i) { bytes.append($0) } }
    self.bytes = bytes
  }

  /// Returns the offset, in the escaped text, of a byte of the text itself.
  static func originalOffset(of offset: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    var i = 0
    var count = 0
    while i < text.count {
      let start = i
      readCharacter(text, &i) { _ in count += 1 }
      if count > offset { return start }
    }
    return text.count
  }

  private static func hasEscapedView(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    var i = escapedLineEnd(line, from: 0)
    while i < line.count {
      i += 2
      let end = escapedLineEnd(line, from: i)
      // The following text is a line whose marks end at the next `<` or at something that is not a mark. The head of a view is sought
      // in this line only, so that each byte is read only a few times, however many lines begin like a view.
      while i < end, ViewLine.isMark(line[i]) { i += 1 }
      if i < end, line[i] == UInt8(ascii: "<"), ViewLine.isHead(line.part(0..<end), at: i) { return true }
      i = end
    }
    return false
  }

  /// Returns the offset of the next line end written as `\n`; without one, the end of the text.
  private static func escapedLineEnd(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var i = start
    while let next = text[i...].firstIndex(of: UInt8(ascii: "\\")) {
      if next + 1 < text.count, text[next + 1] == UInt8(ascii: "n") { return next }
      i = min(text.count, next + 2)
    }
    return text.count
  }

  private static func isQuoted(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard start > 0, text[start - 1] == UInt8(ascii: "\"") else { return false }
    let last = text[start..<end].lastIndex { !isWhiteSpace($0) && $0 != UInt8(ascii: ")") && $0 != UInt8(ascii: ",") }
    guard let last, last > start, text[last] == UInt8(ascii: "\"") else { return false }
    return text[last - 1] == UInt8(ascii: ">")
  }

  /// Reads a byte or an escape sequence. An unknown sequence is kept as it is.
  private static func readCharacter(
    _ text: UnsafeBufferPointer<UInt8>, _ i: inout Int, _ append: (UInt8) -> Void
  ) {
    let byte = text[i]
    i += 1
    guard byte == UInt8(ascii: "\\"), i < text.count else { return append(byte) }
    let escape = text[i]
    switch escape {
    case UInt8(ascii: "n"): append(0x0A)
    case UInt8(ascii: "r"): append(0x0D)
    case UInt8(ascii: "t"): append(0x09)
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"): append(escape)
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      var end = i + 1
      guard let scalar = readScalar(text, &end) else { return append(byte) }
      UTF8.encode(scalar)?.forEach(append)
      i = end
      return
    default: return append(byte)
    }
    i += 1
  }

  /// Reads the number of `\u{1F600}`, of `\u786E` and the older `\U786E`, or of `\U0001F600`; two of them for the halves of
  /// UTF-16.
  private static func readScalar(_ text: UnsafeBufferPointer<UInt8>, _ i: inout Int) -> Unicode.Scalar? {
    if i < text.count, text[i] == UInt8(ascii: "{") {
      var number: UInt32 = 0
      var j = i + 1
      while j < text.count, j - i <= 8, let digit = Hexadecimal.value(of: text[j]) {
        number = number << 4 | digit
        j += 1
      }
      guard j < text.count, j > i + 1, text[j] == UInt8(ascii: "}"), number != 0 else { return nil }
      i = j + 1
      return Unicode.Scalar(number)
    }
    guard let first = number(text, i, digits: 4) else { return nil }
    if first < 0x20, let long = number(text, i, digits: 8), let scalar = Unicode.Scalar(long), long > 0xFFFF {
      i += 8
      return scalar
    }
    if first >= 0xD800, first < 0xDC00, i + 6 <= text.count, text[i + 4] == UInt8(ascii: "\\"),
      text[i + 5] | 0x20 == UInt8(ascii: "u"), let low = number(text, i + 6, digits: 4), low >= 0xDC00, low < 0xE000
    {
      i += 10
      return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (low - 0xDC00))
    }
    guard first != 0, let scalar = Unicode.Scalar(first) else { return nil }
    i += 4
    return scalar
  }

  private static func number(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, digits: Int) -> UInt32? {
    guard start + digits <= text.count else { return nil }
    return Hexadecimal.number(text[start..<start + digits]).map { UInt32($0) }
  }
}
