import EncircleText

/// Folds the case of texts.
enum CaseFolding {
  /// Appends the folded text. Texts that differ only by case become equal: Unicode's full case folding (statuses C and F) makes
  /// "ß" equal to "SS", and both forms of the Greek sigma equal. The result does not depend on a locale. Invalid UTF-8 is
  /// repaired with U+FFFD.
  static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    if text.allSatisfy({ $0 < 0x80 }) {
      for byte in text { bytes.append(lowercased(byte)) }
      return
    }
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      switch scalar {
      // Lower-casing the upper-case mapping gives the folding, with two exceptions: the dotless i has no other case, although its
      // upper-case mapping is I, and the capital sharp s is its own upper-case mapping, although "ß" maps to "SS".
      case "\u{131}": bytes.append(contentsOf: "\u{131}".utf8)
      case "\u{1E9E}": bytes.append(contentsOf: "ss".utf8)
      default:
        for upper in scalar.properties.uppercaseMapping.unicodeScalars {
          bytes.append(contentsOf: upper.properties.lowercaseMapping.utf8)
        }
      }
    }
  }

  static func folded(_ name: UTF8String) -> UTF8String {
    var bytes: [UInt8] = []
    name.withUTF8 { append($0, to: &bytes) }
    return UTF8String(String(decoding: bytes, as: UTF8.self))
  }
}
