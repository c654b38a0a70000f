import EncircleText

/// Names and values as CSS writes them.
package enum CSSText {
  /// Returns whether a byte may stand in a name as it is.
  package static func isNameByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  /// Returns a name with `\` in front of characters that would end it.
  static func name(_ name: UTF8String) -> String {
    var bytes: [UInt8] = []
    let text = Array(name.text.utf8)
    for (i, byte) in text.enumerated() {
      // A digit at the beginning, or after a hyphen there, is escaped by its number, as are control characters.
      let isFirst = i == 0 || (i == 1 && text[0] == UInt8(ascii: "-"))
      let isByNumber = isFirst && isDigit(byte) || byte < 0x20 || byte == 0x7F
      if isByNumber {
        bytes += Array("\\\(String(byte, radix: 16)) ".utf8)
      } else if isNameByte(byte), !(text.count == 1 && byte == UInt8(ascii: "-")) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "\\"), byte]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a value between quotes.
  static func quoted(_ value: UTF8String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in value.text.utf8 {
      if byte < 0x20 || byte == 0x7F {
        bytes += Array("\\\(String(byte, radix: 16)) ".utf8)
      } else {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }
}
