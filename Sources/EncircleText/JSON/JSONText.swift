/// Writes JSON (RFC 8259) to bytes.
package enum JSONText {
  /// Appends a string with its quotes.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { append($0, to: &bytes) }
  }

  /// Appends a string in UTF-8 with its quotes. Escapes quotes and backslashes, control characters (C0, DEL and C1), and characters
  /// that some readers treat as line ends (U+2028, U+2029).
  package static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    defer { bytes.append(UInt8(ascii: "\"")) }
    // Names are mostly short.
    if text.count < 8 {
      // Spaces fill the word up.
      let word = text.reduce(0x2020_2020_2020_2020) { $0 << 8 | UInt64($1) }
      if !mayNeedEscape(word) { return bytes.append(contentsOf: text) }
    }
    // Stretches that need no escape are found eight bytes at a time and copied whole.
    var start = 0
    var i = 0
    while i < text.count {
      // The last word overlaps bytes that have been checked already.
      let place = min(i, text.count - 8)
      if place >= 0, !mayNeedEscape(UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: place, as: UInt64.self))
      {
        i = place + 8
        continue
      }
      if needsEscape(text[i]) {
        bytes.append(contentsOf: text.part(start..<i))
        appendEscape(text[i], to: &bytes)
        start = i + 1
      } else if let (scalar, length) = unsafeScalar(text, at: i) {
        bytes.append(contentsOf: text.part(start..<i))
        appendEscape(scalar, to: &bytes)
        i += length
        start = i
        continue
      }
      i += 1
    }
    bytes.append(contentsOf: text.part(start..<text.count))
  }

  @inline(__always)
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  /// Returns the character that begins at a place, and the number of its bytes, if it is not an ASCII character but must be
  /// escaped nevertheless.
  @inline(__always)
  private static func unsafeScalar(_ text: UnsafeBufferPointer<UInt8>, at i: Int) -> (UInt16, Int)? {
    switch text[i] {
    case 0xC2:
      guard i + 1 < text.count, text[i + 1] >= 0x80, text[i + 1] < 0xA0 else { return nil }
      return (UInt16(text[i + 1]), 2)
    case 0xE2:
      guard i + 2 < text.count, text[i + 1] == 0x80, text[i + 2] == 0xA8 || text[i + 2] == 0xA9 else { return nil }
      return (0x2000 | UInt16(text[i + 2] & 0x3F), 3)
    default: return nil
    }
  }

  // Returns whether one of eight bytes may be a control character, a quote, a backslash or the first byte of a character that must
  // be escaped: the classic tests for a zero byte and for a byte below n, from "Bit Twiddling Hacks". It may have false positives,
  // but no false negatives.
  @inline(__always)
  private static func mayNeedEscape(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    func hasZero(_ x: UInt64) -> UInt64 { (x &- ones) & ~x & highs }
    let control = (word &- ones &* 0x20) & ~word & highs
    let ascii =
      control | hasZero(word ^ (ones &* 0x22)) | hasZero(word ^ (ones &* 0x5C)) | hasZero(word ^ (ones &* 0x7F))
    if ascii != 0 || word & highs == 0 { return ascii != 0 }
    return hasZero(word ^ (ones &* 0xC2)) | hasZero(word ^ (ones &* 0xE2)) != 0
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
    case 0x0A: bytes.append(contentsOf: "\\n".utf8)
    case 0x0D: bytes.append(contentsOf: "\\r".utf8)
    case 0x09: bytes.append(contentsOf: "\\t".utf8)
    default: appendEscape(UInt16(byte), to: &bytes)
    }
  }

  private static func appendEscape(_ scalar: UInt16, to bytes: inout [UInt8]) {
    let digits = String(scalar, radix: 16)
    bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8)
  }

  /// Appends a finite number, without fraction where it is whole.
  package static func append(_ number: Double, to bytes: inout [UInt8]) {
    // As Int(exactly:) would, but without the system's library for mathematics, which would have to be linked.
    if number >= -0x1p63, number < 0x1p63, Double(Int(number)) == number {
      appendDecimal(Int(number), to: &bytes)
    } else {
      bytes.append(contentsOf: number.description.utf8)
    }
  }
}

extension [UInt8] {
  /// Appends a constant text.
  @inlinable @inline(__always) package mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
