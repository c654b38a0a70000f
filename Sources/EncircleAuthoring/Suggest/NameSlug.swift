import EncircleText

/// Makes names for programs from texts of people and developers.
enum NameSlug {
  /// The maximum number of bytes of a text that are read.
  static let longestText = 80

  /// Returns the words of a text in lower-case ASCII letters and digits; a capital begins a word.
  ///
  /// - Parameters:
  ///   - separator: The separator of words.
  ///   - keepsDots: True to keep each `.`.
  /// - Complexity: O(1): only the beginning of a long text counts.
  static func slug(_ text: String, separator: Unicode.Scalar = "-", keepsDots: Bool = true) -> String {
    let (separator, dot) = (UInt8(ascii: separator), UInt8(ascii: "."))
    var result: [UInt8] = []
    var previous: UInt8 = 0
    for byte in text.utf8.prefix(longestText) {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        if isLowerOrDigit(previous) { result.append(separator) }
        result.append(byte + 0x20)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): result.append(byte)
      default:
        if let last = result.last, last != separator, last != dot {
          result.append(keepsDots && byte == dot ? dot : separator)
        }
      }
      previous = byte
    }
    while let last = result.last, last == separator || last == dot { result.removeLast() }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isLowerOrDigit(_ byte: UInt8) -> Bool {
    (byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")) || (byte >= 0x30 && byte <= 0x39)
  }

  /// Returns whether a name has a letter, so that it is meaningful.
  static func isMeaningful(_ slug: String) -> Bool { slug.utf8.contains { $0 > 0x39 && $0 != UInt8(ascii: "_") } }

  /// Returns the part of a text after the last of these separators, looked for one after the other; parts without text do not count.
  static func lastPart(of text: String, after separators: [Unicode.Scalar]) -> String {
    var part = text[...]
    for separator in separators { part = part.splitBytes(at: separator).last { !$0.isEmpty } ?? part }
    return String(part)
  }

  /// Returns the name of a page without the usual suffix of such names.
  static func withoutSuffix(_ page: String) -> String {
    for suffix in ["ViewController", "Controller", "Activity", "Page"] {
      let length = suffix.utf8.count
      if page.utf8.count > length, page.endsWithBytes(of: suffix) {
        return String(decoding: page.utf8.dropLast(length), as: UTF8.self)
      }
    }
    return page
  }
}
