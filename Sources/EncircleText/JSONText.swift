/// Writes JSON (RFC 8259) to bytes.
package enum JSONText {
  /// Appends a string with its quotes.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { append($0, to: &bytes) }
  }

  /// Appends a string in UTF-8 with its quotes. Escapes control characters, DEL among them, quotes and backslashes.
  package static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    // Whole stretches that need no escape at once.
    var start = 0
    var i = 0
    while i < text.count {
      if i + 8 <= text.count,
        !mayNeedEscape(UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: i, as: UInt64.self))
      {
        i += 8
        continue
      }
      if needsEscape(text[i]) {
        bytes.append(contentsOf: text[start..<i])
        appendEscape(text[i], to: &bytes)
        start = i + 1
      }
      i += 1
    }
    bytes.append(contentsOf: text[start...])
    bytes.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  // Whether one of eight bytes may be a control character, a quote or a backslash: the classic test for a zero byte and
  // for a byte below n, from "Bit Twiddling Hacks"; it may say yes without need, never no.
  @inline(__always)
  private static func mayNeedEscape(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    func hasZero(_ x: UInt64) -> UInt64 { (x &- ones) & ~x & highs }
    let control = (word &- ones &* 0x20) & ~word & highs
    return control | hasZero(word ^ (ones &* 0x22)) | hasZero(word ^ (ones &* 0x5C)) | hasZero(word ^ (ones &* 0x7F))
      != 0
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
    case 0x0A: bytes.append(contentsOf: "\\n".utf8)
    case 0x0D: bytes.append(contentsOf: "\\r".utf8)
    case 0x09: bytes.append(contentsOf: "\\t".utf8)
    default:
      let digits = String(byte, radix: 16)
      bytes.append(contentsOf: ("\\u00" + (digits.count == 1 ? "0" : "") + digits).utf8)
    }
  }

  /// Appends a finite number, without fraction where it is whole.
  package static func append(_ number: Double, to bytes: inout [UInt8]) {
    // As Int(exactly:) would, but without the system's library for mathematics, which would have to be linked.
    if number >= -0x1p63, number < 0x1p63, Double(Int(number)) == number {
      bytes.append(contentsOf: String(Int(number)).utf8)
    } else {
      bytes.append(contentsOf: number.description.utf8)
    }
  }
}
