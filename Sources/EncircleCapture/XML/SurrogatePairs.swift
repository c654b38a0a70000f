import EncircleText

/// Repairs characters beyond U+FFFF that a serializer has written as two references, one for each half of their UTF-16
/// form: `&#xD83D;&#xDE00;` or `&#55357;&#56832;`.
///
/// XML does not allow such references, but Android's serializer writes them.
enum SurrogatePairs {
  /// Returns the text with one reference in place of each pair, padded with zeros to the same length, so that no place
  /// in the text changes; nil if there is no pair.
  ///
  /// - Complexity: O(bytes).
  static func mended(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var result: [UInt8]?
    var i = 0
    while let start = text.offset(of: UInt8(ascii: "&"), from: i) {
      i = start + 1
      guard let (high, middle) = reference(in: text, at: start), high >= 0xD800, high < 0xDC00,
        let (low, end) = reference(in: text, at: middle), low >= 0xDC00, low < 0xE000
      else { continue }
      let scalar = 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
      let digits = Array(String(scalar).utf8)
      let padding = Array(repeating: UInt8(ascii: "0"), count: end - start - 3 - digits.count)
      if result == nil { result = Array(text) }
      // In decimal, as libxml2 refuses hexadecimal numbers with many zeros.
      let reference = Array("&#".utf8) + padding + digits + [UInt8(ascii: ";")]
      result?.replaceSubrange(start..<end, with: reference)
      i = end
    }
    return result
  }

  /// Reads a character reference of at most ten bytes.
  ///
  /// - Returns: Its number, and the offset behind it.
  private static func reference(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> (number: UInt32, end: Int)? {
    let limit = min(text.count, start + 10)
    guard start + 3 < limit, text[start] == UInt8(ascii: "&"), text[start + 1] == UInt8(ascii: "#") else { return nil }
    let isHexadecimal = text[start + 2] == UInt8(ascii: "x")
    var i = start + (isHexadecimal ? 3 : 2)
    var number: UInt32 = 0
    while i < limit, text[i] != UInt8(ascii: ";") {
      guard let digit = Hexadecimal.value(of: text[i]), isHexadecimal || digit < 10 else { return nil }
      number = number * (isHexadecimal ? 16 : 10) + digit
      i += 1
    }
    return i < limit ? (number, i + 1) : nil
  }
}
