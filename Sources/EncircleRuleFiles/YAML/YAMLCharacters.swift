import EncircleText

/// A YAML text in which some characters have been replaced so that libyaml reads them as ordinary characters.
///
/// libyaml takes U+0085, U+2028 and U+2029 for line breaks, as YAML 1.1 does but YAML 1.2 does not. Each is replaced by a private-use
/// character that does not occur in the text, so that all places stay the same; values get the original characters back.
struct YAMLCharacters {
  /// The text for libyaml.
  let text: String
  // The characters that stand in for others, each with its original; most texts need none.
  private let originals: [(standIn: Unicode.Scalar, original: Unicode.Scalar)]

  /// Prepares a text. If it uses all private-use characters of the first plane, it is left as it is.
  ///
  /// - Complexity: O(length).
  init(_ text: String) {
    let mistaken = Self.mistaken(in: text)
    let standIns = mistaken.isEmpty ? [] : Self.unusedCharacters(text, count: mistaken.count)
    originals = zip(standIns, mistaken).map { ($0, $1) }
    guard !originals.isEmpty else {
      self.text = text
      return
    }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append(originals.first { $0.original == scalar }?.standIn ?? scalar)
    }
    self.text = String(scalars)
  }

  /// Returns a value with the original characters.
  func restored(_ text: String) -> String {
    guard !originals.isEmpty, text.unicodeScalars.contains(where: { $0.value >= 0xE000 }) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append(originals.first { $0.standIn == scalar }?.original ?? scalar)
    }
    return String(scalars)
  }

  /// Returns the first character that YAML does not allow, or that would not have the effect its author meant, with its byte
  /// offset.
  static func problem(in text: String) -> (message: String, offset: Int)? {
    withContiguousBytes(text.utf8) { bytes in
      var lineStart = 0
      for i in bytes.indices {
        switch bytes[i] {
        case 0x0A, 0x0D: lineStart = i + 1
        case 0...0x08, 0x0B...0x1F, 0x7F: return (notAllowed(UInt32(bytes[i])), i)
        case 0xC2 where (0x80...0x9F).contains(bytes[i + 1]) && bytes[i + 1] != 0x85:
          return (notAllowed(UInt32(bytes[i + 1])), i)
        case 0xEF where i == lineStart && bytes[i + 1] == 0xBB && bytes[i + 2] == 0xBF:
          return ("a byte order mark (U+FEFF, which is not seen) within the file: remove it", i)
        case 0xEF where bytes[i + 1] == 0xBF && bytes[i + 2] >= 0xBE:
          return (notAllowed(0xFF00 | UInt32(bytes[i + 2] | 0x40)), i)
        default: continue
        }
      }
      return nil
    }
  }

  private static func notAllowed(_ scalar: UInt32) -> String {
    let name = zeroPadded(scalar, to: 4, radix: 16)
    return "not valid YAML: control characters are not allowed; U+\(name) is written \"\\u\(name)\""
  }

  private static func mistaken(in text: String) -> [Unicode.Scalar] {
    let isThere: Bool = withContiguousBytes(text.utf8) { bytes in
      for i in bytes.indices {
        // The text is valid UTF-8, so that behind these bytes the others are there.
        switch bytes[i] {
        case 0xC2 where bytes[i + 1] == 0x85: return true
        case 0xE2 where bytes[i + 1] == 0x80 && bytes[i + 2] & 0xFE == 0xA8: return true
        default: continue
        }
      }
      return false
    }
    guard isThere else { return [] }
    return (["\u{85}", "\u{2028}", "\u{2029}"] as [Unicode.Scalar]).filter(text.unicodeScalars.contains)
  }

  /// Returns private-use characters that a text does not contain. Four hexadecimal digits may be an escape, so the character
  /// that they denote counts as contained.
  private static func unusedCharacters(_ text: String, count: Int) -> [Unicode.Scalar] {
    var used = Set(text.unicodeScalars.lazy.map(\.value).filter { (0xE000...0xF8FF).contains($0) })
    var number: UInt32 = 0
    for byte in text.utf8 {
      // The mask keeps the last four digits of a longer number.
      number = Hexadecimal.value(of: byte).map { (number << 4 | $0) & 0xFFFF } ?? 0
      if number >= 0xE000 { used.insert(number) }
    }
    let unused = (0xE000...0xF8FF).lazy.filter { !used.contains($0) }.compactMap { Unicode.Scalar($0 as UInt32) }
    return Array(unused.prefix(count))
  }
}
