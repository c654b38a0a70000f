import EncircleText

/// A YAML text in which some characters have given way to others, so that libyaml reads them as what they are.
///
/// libyaml takes U+0085, U+2028 and U+2029 for line breaks, which they are in YAML 1.1 and not in YAML 1.2. Each gives way to a
/// private-use character that the text does not have, so that all places stay, and is put back in what was read.
struct YAMLCharacters {
  /// The text for libyaml.
  let text: String
  // The characters that stand for others, with those; most texts need none.
  private let originals: [(standIn: Unicode.Scalar, original: Unicode.Scalar)]

  /// Prepares a text. Should it have all private-use characters of the first plane, it stays as it is.
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

  /// Returns what was read with the characters that were written.
  func restored(_ text: String) -> String {
    guard !originals.isEmpty, text.unicodeScalars.contains(where: { $0.value >= 0xE000 }) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append(originals.first { $0.standIn == scalar }?.original ?? scalar)
    }
    return String(scalars)
  }

  /// Returns the first character that YAML does not have, or that would not do what its author meant, and its byte offset.
  static func problem(in text: String) -> (message: String, offset: Int)? {
    var offset = 0
    var isLineStart = true
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0A, 0x0D: isLineStart = true
      case 0xFEFF where isLineStart:
        return ("a byte order mark (U+FEFF, which is not seen) within the file: remove it", offset)
      case 0...0x08, 0x0B...0x1F, 0x7F...0x84, 0x86...0x9F, 0xFFFE, 0xFFFF:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let name = String(repeating: "0", count: 4 - digits.count) + digits
        return ("not valid YAML: control characters are not allowed; U+\(name) is written \"\\u\(name)\"", offset)
      default: isLineStart = false
      }
      offset += UTF8.width(scalar)
    }
    return nil
  }

  private static func mistaken(in text: String) -> [Unicode.Scalar] {
    // The first bytes of these characters, as most texts have neither.
    guard text.utf8.contains(where: { $0 == 0xC2 || $0 == 0xE2 }) else { return [] }
    return (["\u{85}", "\u{2028}", "\u{2029}"] as [Unicode.Scalar]).filter(text.unicodeScalars.contains)
  }

  /// Returns private-use characters that a text has neither as they are nor, as far as its digits go, in escapes.
  private static func unusedCharacters(_ text: String, count: Int) -> [Unicode.Scalar] {
    var used = Set(text.unicodeScalars.lazy.map(\.value).filter { (0xE000...0xF8FF).contains($0) })
    var number: UInt32 = 0
    for byte in text.utf8 {
      // Of longer numbers the last four digits.
      number = Hexadecimal.value(of: byte).map { (number << 4 | $0) & 0xFFFF } ?? 0
      if number >= 0xE000 { used.insert(number) }
    }
    let unused = (0xE000...0xF8FF).lazy.filter { !used.contains($0) }.compactMap { Unicode.Scalar($0 as UInt32) }
    return Array(unused.prefix(count))
  }
}
