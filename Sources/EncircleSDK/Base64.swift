import EncircleText

/// Base64 (RFC 4648) in both alphabets, with or without padding and line breaks.
enum Base64 {
  /// Returns the bytes; nil if a character belongs to neither alphabet, or the end is missing.
  ///
  /// - Complexity: O(length).
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? { withContiguousBytes(text, decodeBytes) }

  private static func decodeBytes(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var isValid = true
    let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { output, count in
      var bits: UInt32 = 0
      var digits = 0
      var isPadded = false
      for byte in text {
        let value = values[Int(byte)]
        if value < 64, !isPadded {
          bits = bits << 6 | UInt32(value)
          digits += 1
          if digits == 4 {
            output[count] = UInt8(truncatingIfNeeded: bits >> 16)
            output[count + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            output[count + 2] = UInt8(truncatingIfNeeded: bits)
            count += 3
            (bits, digits) = (0, 0)
          }
        } else if value == padding {
          isPadded = true
        } else if value != skipped {
          isValid = false
          return
        }
      }
      switch digits {
      case 0: break
      case 2:
        output[count] = UInt8(truncatingIfNeeded: bits >> 4)
        count += 1
      case 3:
        output[count] = UInt8(truncatingIfNeeded: bits >> 10)
        output[count + 1] = UInt8(truncatingIfNeeded: bits >> 2)
        count += 2
      default: isValid = false
      }
    }
    return isValid ? bytes : nil
  }

  private static let (invalid, padding, skipped): (UInt8, UInt8, UInt8) = (255, 254, 253)

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: invalid, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
    values[Int(UInt8(ascii: "-"))] = 62
    values[Int(UInt8(ascii: "_"))] = 63
    values[Int(UInt8(ascii: "="))] = padding
    for space: UInt8 in [0x0A, 0x0D, 0x20, 0x09] { values[Int(space)] = skipped }
    return values
  }()
}
