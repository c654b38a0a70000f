import EncircleText

/// Texts as JavaScript handles them: in UTF-16 units.
enum JSText {
  /// Returns whether a unit is white space in JavaScript (`\s`, `trim`).
  static func isSpace(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
    default: false
    }
  }

  static func trimmed(_ text: ArraySlice<UInt16>) -> ArraySlice<UInt16> {
    var text = text
    while let last = text.last, isSpace(last) { text.removeLast() }
    return text.drop(while: isSpace)
  }

  /// Returns the text; half a pair becomes U+FFFD.
  static func string(_ units: some Collection<UInt16>) -> String { String(decoding: units, as: UTF16.self) }

  /// Returns the words of a text, between white space.
  static func words(_ text: String) -> [String] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return text.utf8.split { isSpace(UInt16($0)) }.map { String(Substring($0)) }
    }
    return Array(text.utf16)[...].split(whereSeparator: isSpace).map { string($0) }
  }

  /// Returns the first units of a text, and `...` if there are more.
  static func limited(_ text: String, _ limit: Int) -> String {
    text.utf8.count <= limit || text.utf16.count <= limit ? text : string(Array(text.utf16.prefix(limit))) + "..."
  }

  static func prefix(_ text: String, _ limit: Int) -> String {
    text.utf8.count <= limit || text.utf16.count <= limit ? text : string(Array(text.utf16.prefix(limit)))
  }

  /// Returns each line end as a space, and several spaces in a row as one.
  static func collapsed(_ text: ArraySlice<UInt16>) -> [UInt16] {
    var result: [UInt16] = []
    for unit in text {
      let unit: UInt16 = unit == 0x0A || unit == 0x0D ? 0x20 : unit
      if unit == 0x20, result.last == 0x20 { continue }
      result.append(unit)
    }
    return result
  }

  // MARK: - PostHog's secret texts

  /// Returns whether a text as a whole looks like the number of a card or like a social security number.
  ///
  /// Source: posthog-js 1.418.10, `shouldCaptureValue`.
  static func looksSecret(_ text: some Collection<UInt16>) -> Bool {
    var trimmed = Array(text)[...]
    // A longer text is not such a number: these have at most 16 digits, with few spaces and hyphens between them.
    guard trimmed.count <= 4_096 else { return false }
    trimmed = Self.trimmed(trimmed)
    let plain = trimmed.filter { $0 != 0x2D && $0 != 0x20 }
    return isCardNumber(plain) || isSocialSecurityNumber(trimmed)
  }

  private static func isDigit(_ unit: UInt16) -> Bool { (0x30...0x39).contains(unit) }

  private static func isCardNumber(_ text: [UInt16]) -> Bool {
    guard (13...16).contains(text.count), text.allSatisfy(isDigit) else { return false }
    func number(_ count: Int) -> Int { text.prefix(count).reduce(0) { $0 * 10 + Int($1 - 0x30) } }
    switch text.count {
    case 13: return number(1) == 4
    case 14: return (300...305).contains(number(3)) || [36, 38].contains(number(2))
    case 15: return [34, 37].contains(number(2)) || [2131, 1800].contains(number(4))
    default:
      return number(1) == 4 || (51...55).contains(number(2)) || number(4) == 6011 || number(2) == 65 || number(2) == 35
    }
  }

  /// `\d{3}-?\d{2}-?\d{4}`
  private static func isSocialSecurityNumber(_ text: ArraySlice<UInt16>) -> Bool {
    guard (9...11).contains(text.count) else { return false }
    var rest = text
    for (i, count) in [3, 2, 4].enumerated() {
      if i > 0, rest.first == 0x2D { rest.removeFirst() }
      guard rest.prefix(count).count == count, rest.prefix(count).allSatisfy(isDigit) else { return false }
      rest = rest.dropFirst(count)
    }
    return rest.isEmpty
  }
}
