import EncircleText

/// The text that a log writes before each line of XML, a `recursiveDescription` or a `debugDescription`, such as a time and
/// a process:
///
///     11:02:33.123 Shop[12:34]  →Application, 0x7fb5, pid: 41491, label: 'Shop'
///     11:02:33.124 Shop[12:34]     Window (Main), 0x7fb6, {{0.0, 0.0}, {393.0, 852.0}}
///
/// Its numbers, and the spaces between its words, may differ from line to line.
struct LinePrefix {
  /// The prefix of one line, without the spaces behind it.
  private let example: [UInt8]
  /// This is true if a space or tab separates the prefix from the text.
  private let hasSeparator: Bool

  /// Returns the prefix that a line of a tree shares with the line of the tree after it; nil if there are no such lines,
  /// or if a line of a tree without a prefix comes before them.
  ///
  /// - Complexity: O(bytes).
  static func find(in text: UnsafeBufferPointer<UInt8>) -> LinePrefix? {
    var start = 0
    while start < text.count {
      let line = text.part(start..<text.lineEnd(from: start))
      let next = nextLine(in: text, after: start)
      if let length = lengthBeforeTree(in: line) {
        guard length > 0 else { return nil }
        let prefix = LinePrefix(example: Array(line.part(0..<length)), hasSeparator: isSpace(line[length]))
        if let rest = prefix.rest(ofLineAt: next, in: text), isInTree(rest) { return prefix }
      }
      start = next
    }
    return nil
  }

  /// Returns the prefix that the line in which XML begins shares with the next line, in which a tag follows; nil without one.
  ///
  /// - Parameter start: The offset of the XML.
  /// - Complexity: O(bytes of the two lines).
  static func find(in text: UnsafeBufferPointer<UInt8>, xml start: Int) -> LinePrefix? {
    let lineStart = text[..<start].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
    var end = start
    while end > lineStart, isSpace(text[end - 1]) { end -= 1 }
    guard end > lineStart else { return nil }
    let prefix = LinePrefix(example: Array(text.part(lineStart..<end)), hasSeparator: end < start)
    let rest = prefix.rest(ofLineAt: nextLine(in: text, after: start), in: text)
    return rest?.first { !isSpace($0) } == UInt8(ascii: "<") ? prefix : nil
  }

  /// Returns the offset of the line behind that of a place.
  private static func nextLine(in text: UnsafeBufferPointer<UInt8>, after place: Int) -> Int {
    let end = text.lineEnd(from: place)
    let next = min(text.count, end + 1)
    return next < text.count && text[end] == 0x0D && text[next] == 0x0A ? next + 1 : next
  }

  /// Returns a line without its prefix; nil if it does not have it.
  private func rest(
    ofLineAt start: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8>? {
    let line = text.part(start..<text.lineEnd(from: start))
    let length = length(in: line)
    return length > 0 ? line.part(length..<line.count) : nil
  }

  /// Returns the text without the prefix, which not all lines need to have. Each line keeps its number.
  ///
  /// - Complexity: O(bytes).
  func removed(from text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var start = 0
    while start < text.count {
      let end = min(text.count, text.lineEnd(from: start) + 1)
      let line = text.part(start..<end)
      result.append(contentsOf: line[length(in: line)...])
      start = end
    }
    return result
  }

  /// Returns the length of the prefix of a line, with its separator, in bytes; 0 if the line does not have it.
  func length(in line: UnsafeBufferPointer<UInt8>) -> Int {
    var i = 0
    var length = 0
    while i < example.count {
      let kind = Self.kind(of: example[i])
      guard length < line.count, Self.kind(of: line[length]) == kind else { return 0 }
      let isRun = kind == UInt8(ascii: "0") || kind == 0x20
      repeat { i += 1 } while isRun && i < example.count && Self.kind(of: example[i]) == kind
      repeat { length += 1 } while isRun && length < line.count && Self.kind(of: line[length]) == kind
    }
    if hasSeparator, length < line.count, Self.isSpace(line[length]) { length += 1 }
    return length
  }

  /// Returns a byte that is the same for all digits, for spaces and tabs, and else the byte itself.
  private static func kind(of byte: UInt8) -> UInt8 {
    isDigit(byte) ? UInt8(ascii: "0") : isSpace(byte) ? 0x20 : byte
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Returns the length of the text before a view or an element and its marks of nesting; nil for a line without one.
  private static func lengthBeforeTree(in line: UnsafeBufferPointer<UInt8>) -> Int? {
    var place = line.offset(of: UInt8(ascii: "<"))
    while let view = place, !ViewLine.isCertain(line, at: view) {
      place = line.offset(of: UInt8(ascii: "<"), from: view + 1)
    }
    if let view = place {
      var end = view
      while end > 0, ViewLine.isMark(line[end - 1]) || line[end - 1] == UInt8(ascii: "<") { end -= 1 }
      // The second byte of a no-break space also ends other characters.
      while end < view, line[end] & 0xC0 == 0x80 { end += 1 }
      return end
    }
    guard var end = XCUILine.inner(in: line) else { return nil }
    if line[..<end].suffix(XCUILine.arrow.count).elementsEqual(XCUILine.arrow) { end -= XCUILine.arrow.count }
    while end > 0, isSpace(line[end - 1]) { end -= 1 }
    return end
  }

  /// Returns whether a line without its prefix is a view or an element.
  private static func isInTree(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    ViewLine.start(of: line, allowsBareName: true) != nil || XCUILine.head(of: line, at: 0) != nil
  }
}
