/// Makes text fit for a terminal: measures it in columns, and escapes what a terminal would obey.
enum VisibleText {
  /// Returns the text with control, formatting and bidirectional characters as `\u{…}`.
  ///
  /// Captures may be hostile: an escape sequence in a class name must not move the cursor.
  static func escaping(_ text: String, keepingNewlines: Bool = false, keepingTabs: Bool = false) -> String {
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

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  /// Returns the width of a text in terminal columns, by Unicode's East Asian Width (UAX #11).
  static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

  private static func width(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    switch first.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F1E6...0x1F1FF,
      0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    case 0x200B...0x200D: return 0
    default: return first.properties.generalCategory == .nonspacingMark ? 0 : 1
    }
  }

  /// Returns the text in exactly `columns` columns, padded with spaces or shortened by `…` at the end or in the middle.
  static func fitting(_ text: String, columns: Int, shorteningMiddle: Bool = false) -> String {
    let text = escaping(text)
    let full = width(text)
    if full <= columns { return text + String(repeating: " ", count: columns - full) }
    guard columns > 0 else { return "" }
    let room = columns - 1
    let tailRoom = shorteningMiddle ? room * 3 / 5 : 0
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
  static func shortened(_ text: String, columns: Int = 100) -> String {
    width(text) <= columns ? text : fitting(text, columns: columns, shorteningMiddle: true)
  }
}
