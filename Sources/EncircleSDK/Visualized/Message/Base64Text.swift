/// Base64 (RFC 4648 §4).
enum Base64Text {
  /// Returns the decoded bytes; nil if the text is not base64. Line ends are skipped, and padding may be missing.
  ///
  /// - Complexity: O(length).
  static func decoded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var isValid = true
    let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { output, count in
      var bits: UInt32 = 0
      var digits = 0
      var padding = 0
      for byte in text {
        let value = values[Int(byte)]
        if value < 64 {
          guard padding == 0 else {
            isValid = false
            return
          }
          bits = bits << 6 | UInt32(value)
          digits += 1
          if digits == 4 {
            output[count] = UInt8(truncatingIfNeeded: bits >> 16)
            output[count + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            output[count + 2] = UInt8(truncatingIfNeeded: bits)
            count += 3
            bits = 0
            digits = 0
          }
        } else if byte == UInt8(ascii: "=") {
          padding += 1
        } else if byte != 0x0A, byte != 0x0D {
          isValid = false
          return
        }
      }
      switch (digits, padding) {
      case (0, 0): break
      case (2, 0), (2, 2):
        output[count] = UInt8(truncatingIfNeeded: bits >> 4)
        count += 1
      case (3, 0), (3, 1):
        output[count] = UInt8(truncatingIfNeeded: bits >> 10)
        output[count + 1] = UInt8(truncatingIfNeeded: bits >> 2)
        count += 2
      default: isValid = false
      }
    }
    return isValid ? bytes : nil
  }

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()
}
