import EncircleText

/// Replacements of parts of a text: all else stays byte for byte.
package struct TextSplices {
  /// The text before.
  package let bytes: [UInt8]
  private var splices: [(range: Range<Int>, text: String)] = []

  package init(_ text: String) { bytes = Array(text.utf8) }

  /// Replaces a part of the text before.
  package mutating func replace(_ range: Range<Int>, by text: String) { splices.append((range, text)) }

  mutating func insert(_ text: String, at offset: Int) { replace(offset..<offset, by: text) }

  mutating func remove(_ range: Range<Int>) { replace(range, by: "") }

  /// The replaced parts of the text before, in their order.
  var ranges: [Range<Int>] { sorted.map(\.range) }

  private var sorted: [(range: Range<Int>, text: String)] { splices.stablySorted { [$0.range.lowerBound] } }

  /// The text with all replacements; nil if two of them overlap. Replacements at the same place keep the order of their insertion.
  ///
  /// - Complexity: O(*n* + *s* log *s*), *n* bytes and *s* replacements.
  package var result: String? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    for splice in sorted {
      guard splice.range.lowerBound >= position else { return nil }
      result += bytes[position..<splice.range.lowerBound]
      result += splice.text.utf8
      position = splice.range.upperBound
    }
    result += bytes[position...]
    return String(decoding: result, as: UTF8.self)
  }

  // MARK: - Lines

  /// Returns the beginning of the line that contains `offset`.
  func lineStart(_ offset: Int) -> Int {
    var start = offset
    while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
    return start
  }

  /// Returns the end of the line that contains `offset`: its line feed, or the end of the text.
  func lineEnd(_ offset: Int) -> Int {
    var end = offset
    while end < bytes.count, bytes[end] != 0x0A { end += 1 }
    return end
  }

  /// Returns the indentation of the line that contains a place, or `column` if something else precedes the place in that line.
  func indent(_ offset: Int, or column: Int) -> Int {
    // The search goes backwards from the place, because the line may be as long as the file.
    var start = offset
    while start > 0, bytes[start - 1] == 0x20 { start -= 1 }
    return start == 0 || bytes[start - 1] == 0x0A ? offset - start : column
  }

  /// Returns the indentation of the line that contains a place.
  func indent(ofLineAt offset: Int) -> Int {
    let start = lineStart(offset)
    return (bytes[start...].firstIndex { $0 != 0x20 } ?? bytes.count) - start
  }

  /// Returns the offset of the dash in front of a list item that begins at an offset; nil if something other than space is
  /// between them.
  func dash(before offset: Int) -> Int? {
    var i = offset
    while i > 0 {
      i -= 1
      if bytes[i] == UInt8(ascii: "-") { return i }
      guard bytes[i] == 0x20 || bytes[i] == 0x0A else { return nil }
    }
    return nil
  }

  /// Returns the end of a node, without the line ends that belong to it.
  func trimmedEnd(_ range: Range<Int>) -> Int {
    var end = range.upperBound
    while end > range.lowerBound, bytes[end - 1] == 0x0A { end -= 1 }
    return end
  }

  /// Returns the lines of a range, with the comments right above them.
  func lines(_ range: Range<Int>, above limit: Int) -> Range<Int> {
    var start = lineStart(range.lowerBound)
    while start > limit {
      let above = lineStart(start - 1)
      guard above >= limit, firstByte(above) == UInt8(ascii: "#") else { break }
      start = above
    }
    return start..<min(bytes.count, lineEnd(trimmedEnd(range)) + 1)
  }

  /// Returns whether a line is blank. A line beyond the end of the text is not.
  func isBlank(lineAt start: Int) -> Bool {
    start >= bytes.count || firstByte(start) == 0x0A
  }

  /// Returns the first byte of a line that is not white space, or the line feed of a blank line.
  private func firstByte(_ start: Int) -> UInt8 {
    var i = start
    while i < bytes.count, bytes[i] == 0x20 || bytes[i] == 0x09 { i += 1 }
    return i < bytes.count ? bytes[i] : 0x0A
  }
}
