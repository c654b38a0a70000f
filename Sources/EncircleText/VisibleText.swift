/// Makes text safe to show: escapes characters that a terminal would obey or hide, and measures text in columns.
package enum VisibleText {
  /// Returns the text with `\u{…}` in place of characters that move the cursor, change colours, add a line, change the direction of
  /// writing, or are invisible.
  ///
  /// These are control characters (C0, DEL and C1), line and paragraph separators, and the characters that Unicode calls formatting
  /// or ignorable: marks of direction such as U+202E and U+061C, spaces without width such as U+200B and U+FEFF, soft hyphens. The
  /// selectors of emoji forms (U+FE0E, U+FE0F) stay.
  ///
  /// Captures, events, rules and file names may be hostile: an escape sequence in a class name must not rewrite the text above, and
  /// two names that look alike must be the same.
  ///
  /// - Complexity: O(length).
  package static func escaping(_ text: String, keepingNewlines: Bool = false, keepingTabs: Bool = false) -> String {
    // Most text is ASCII.
    if isPlain(text) { return text }
    guard text.unicodeScalars.contains(where: { isUnsafe($0) }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isUnsafe(scalar), !(keepingNewlines && scalar == "\n"), !(keepingTabs && scalar == "\t") {
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Returns whether a terminal would obey or hide a character.
  package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F, 0xA1..<0xAD, 0xAE..<0x300, 0x3041..<0x3130, 0x4E00..<0xA000, 0xFE0E, 0xFE0F: return false
    case 0..<0x20, 0x7F..<0xA0: return true
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// Returns the width of a text in terminal columns, by Unicode's East Asian Width (UAX #11).
  package static func width(_ text: String) -> Int {
    isPlain(text) ? text.utf8.count : text.reduce(0) { $0 + width($1) }
  }

  /// Returns whether each byte of a text is a character of one column.
  private static func isPlain(_ text: String) -> Bool {
    // The loop does not stop at a wider character, so that the compiler can test many bytes at once.
    withContiguousBytes(text.utf8) { $0.reduce(UInt8(0)) { $0 | ($1 &- 0x20 < 0x5F ? 0 : 1) } == 0 }
  }

  private static func width(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    switch first.value {
    case ..<0x300: return 1
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F1E6...0x1F1FF,
      0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    case 0x200B...0x200D: return 0
    default: return first.properties.generalCategory == .nonspacingMark ? 0 : 1
    }
  }

  /// Returns the text in exactly `columns` columns, padded with spaces or shortened by `…` at the end or in the middle.
  package static func fitting(_ text: String, columns: Int, shorteningMiddle: Bool = false) -> String {
    let text = escaping(text)
    let isPlain = isPlain(text)
    let full = isPlain ? text.utf8.count : width(text)
    if full <= columns { return text + String(repeating: " ", count: columns - full) }
    guard columns > 0 else { return "" }
    let room = columns - 1
    let tailRoom = shorteningMiddle ? room * 3 / 5 : 0
    if isPlain {
      return String(Substring(text.utf8.prefix(room - tailRoom))) + "…" + String(Substring(text.utf8.suffix(tailRoom)))
    }
    var tail: [Character] = []
    var tailWidth = 0
    for character in text.reversed() {
      let next = tailWidth + width(character)
      if next > tailRoom { break }
      tail.append(character)
      tailWidth = next
    }
    var head = ""
    var headWidth = 0
    for character in text {
      let next = headWidth + width(character)
      if next > room - tailWidth { break }
      head.append(character)
      headWidth = next
    }
    return head + "…" + String(tail.reversed()) + String(repeating: " ", count: room - headWidth - tailWidth)
  }

  /// Returns the text, shortened in the middle if it is long.
  ///
  /// - Complexity: O(columns): only the beginning and the end of a long text are examined.
  package static func shortened(_ text: String, columns: Int = 100) -> String {
    // No character of a text that people write has more bytes than this.
    let most = 64 * columns
    var text = text
    if text.utf8.count > 2 * most {
      text =
        String(decoding: text.utf8.prefix(most), as: UTF8.self)
        + String(decoding: text.utf8.suffix(most), as: UTF8.self)
    }
    let escaped = escaping(text)
    return width(escaped) <= columns ? escaped : fitting(escaped, columns: columns, shorteningMiddle: true)
  }
}
