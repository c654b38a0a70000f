/// Percent-encoding (RFC 3986).
package enum PercentEncoding {
  /// Returns whether a byte never needs an escape (§2.3).
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "-._~".utf8.contains(byte)
  }

  /// Returns a text with an escape for each byte but unreserved ones, and slashes if they are kept.
  package static func escaping(_ text: String, keepingSlashes: Bool = false) -> String {
    escaping(text) { isUnreserved($0) || keepingSlashes && $0 == UInt8(ascii: "/") }
  }

  /// Returns a text with an escape for each byte but those that are kept.
  package static func escaping(_ text: String, inLowerCase: Bool = false, keeping isKept: (UInt8) -> Bool) -> String {
    let digits = Array((inLowerCase ? "0123456789abcdef" : "0123456789ABCDEF").utf8)
    var escaped: [UInt8] = []
    for byte in text.utf8 {
      if isKept(byte) {
        escaped.append(byte)
      } else {
        escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  /// Returns the bytes that a text stands for. Percent signs without two digits behind them stay as they are.
  ///
  /// - Parameter plus: The byte that an unescaped plus sign stands for.
  package static func decode(_ text: ArraySlice<UInt8>, plus: UInt8 = UInt8(ascii: "+")) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var i = text.startIndex
    while i < text.endIndex {
      let byte = text[i]
      if byte == UInt8(ascii: "%"), i + 2 < text.endIndex, let high = Hexadecimal.value(of: text[i + 1]),
        let low = Hexadecimal.value(of: text[i + 2])
      {
        result.append(UInt8(high << 4 | low))
        i += 3
      } else {
        result.append(byte == UInt8(ascii: "+") ? plus : byte)
        i += 1
      }
    }
    return result
  }
}
