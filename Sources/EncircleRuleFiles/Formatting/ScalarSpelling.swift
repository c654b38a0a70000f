import EncircleRules
import EncircleText

/// The canonical spelling of scalars.
package enum ScalarSpelling {
  /// Returns a text as a scalar of one line, with as few quotes as possible.
  package static func written(_ text: String) -> String { spelled(text).lines[0] }

  /// Returns the canonical spelling of a scalar.
  ///
  /// - Parameters:
  ///   - value: The scalar as libyaml reads it.
  ///   - isSelector: True if it is a selector, which has a canonical form.
  static func canonical(_ scalar: ScalarSyntax, _ value: Node.Scalar, isSelector: Bool) -> ScalarSyntax {
    if isSelector, let selector = canonicalSelector(value.string), !selector.hasSameBytes(as: value.string) {
      let isPlain = scalar.style == .plain && selector.unicodeScalars.first.map(beginsPlain) ?? false
      return isPlain ? ScalarSyntax(style: .plain, lines: [selector]) : spelled(selector)
    }
    // A dash is a text in {a: -}; with a space between it and the bracket, it would begin an item of a list.
    if scalar.style == .plain, value.string == "-" { return spelled(value.string) }
    guard scalar.style != .plain, scalar.lines.count == 1 else { return scalar }
    // An escape that was not necessary was chosen on purpose: "caf\u00E9" shows which é is meant.
    if scalar.style == .doubleQuoted, hasChosenEscapes(scalar.lines[0]) { return scalar }
    // Here \t, \n and the like would have to be escapes.
    guard value.string.unicodeScalars.allSatisfy(isPrintable) else { return scalar }
    return spelled(value.string)
  }

  /// Returns the canonical form of a valid selector; nil if the selector stays as it is written.
  ///
  /// The canonical form is never longer: needless quotes around names and `**/` at the beginning are removed, and `(1,0)` becomes
  /// `(0,1)`. Selectors that may be in another style's notation stay as they are.
  static func canonicalSelector(_ text: String) -> String? {
    guard !text.utf8.contains(UInt8(ascii: "[")), let selector = try? ElementSelector(parsing: text) else { return nil }
    let canonical = selector.canonical
    let written = canonical.description
    guard written.utf8.count <= text.utf8.count, (try? ElementSelector(parsing: written)) == canonical else {
      return nil
    }
    return written
  }

  /// Returns a text with as few quotes as possible.
  static func spelled(_ text: String) -> ScalarSyntax {
    if isPlain(text) { return ScalarSyntax(style: .plain, lines: [text]) }
    if text.unicodeScalars.allSatisfy({ isPrintable($0) && $0 != "\"" && $0 != "\\" }) {
      return ScalarSyntax(style: .doubleQuoted, lines: ["\"\(text)\""])
    }
    if text.unicodeScalars.allSatisfy(isPrintable) {
      return ScalarSyntax(style: .singleQuoted, lines: [singleQuoted(text)])
    }
    var written = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": written += "\\\(scalar)"
      case "\n": written += "\\n"
      case "\r": written += "\\r"
      case "\t": written += "\\t"
      case _ where isPrintable(scalar): written.unicodeScalars.append(scalar)
      case "\0"..."\u{FFFF}": written += "\\u" + zeroPadded(scalar.value, to: 4, radix: 16)
      default: written += "\\U" + zeroPadded(scalar.value, to: 8, radix: 16)
      }
    }
    return ScalarSyntax(style: .doubleQuoted, lines: [written + "\""])
  }

  /// Returns a text in single quotes, with the single quotes in it doubled.
  package static func singleQuoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 2)
    for byte in text.utf8 {
      bytes.append(byte)
      if byte == UInt8(ascii: "'") { bytes.append(byte) }
    }
    return "'\(String(decoding: bytes, as: UTF8.self))'"
  }

  /// Returns whether a text can be written without quotes anywhere: as a key, as a value and in brackets.
  ///
  /// This is stricter than YAML, so that no YAML reader of any version takes the text for something else. A text that begins with a
  /// digit keeps its quotes, and so do expressions, whose characters have a meaning in YAML.
  static func isPlain(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { return false }
    guard beginsPlain(first), last != ":", last != " " else { return false }
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      guard isLetter(scalar) || isDigit(scalar) || isPlainSign(scalar) else { return false }
      if previous == ":", scalar == " " { return false }
      previous = scalar
    }
    // These are truth values in YAML 1.1, although few readers treat them as such.
    if text.utf8.count == 1, "yYnN".utf8.contains(text.utf8[text.utf8.startIndex]) { return false }
    return ScalarTag(ofPlain: text) == .text
  }

  private static func beginsPlain(_ scalar: Unicode.Scalar) -> Bool {
    isLetter(scalar) || scalar == "$" || scalar == "/" || scalar == "_" || scalar == "("
  }

  private static func isPlainSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "$", "/", "_", "(", ")", ".", "-", ":", "=", " ", ";", "*": true
    default: false
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter: return !VisibleText.isUnsafe(scalar)
    default: return false
    }
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F: return true
    case 0..<0xA1, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: return false
    default:
      switch scalar.properties.generalCategory {
      case .control, .format, .privateUse, .surrogate, .unassigned, .spaceSeparator: return false
      // Fillers and similar characters, which are invisible.
      default: return !VisibleText.isUnsafe(scalar)
      }
    }
  }

  private static func hasChosenEscapes(_ text: String) -> Bool {
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped {
        if byte != UInt8(ascii: "\\"), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "/") { return true }
        isEscaped = false
      } else {
        isEscaped = byte == UInt8(ascii: "\\")
      }
    }
    return false
  }
}
