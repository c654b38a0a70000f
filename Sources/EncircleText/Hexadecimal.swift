/// Hexadecimal digits.
@usableFromInline package enum Hexadecimal {
  /// Returns the value of a digit of either case, or nil if the byte is not a digit.
  @inlinable package static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte) - 0x30
    case 0x41...0x46: UInt32(byte) - 0x41 + 10
    case 0x61...0x66: UInt32(byte) - 0x61 + 10
    default: nil
    }
  }

  /// Returns the number that up to 16 digits of either case write, or nil if a byte is not a digit.
  @inlinable package static func number(_ digits: some Sequence<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      number = number << 4 | UInt64(value)
    }
    return number
  }

  /// Returns whether a byte is a digit, and not in upper case.
  package static func isLowerCaseDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte) }

  /// Returns the eight lower-case digits of a number, the first in the lowest byte.
  @inlinable package static func digits(of number: UInt32) -> UInt64 {
    // Spreads the halves apart, down to single digits.
    var digits = UInt64(number)
    digits = digits >> 16 | (digits & 0xFFFF) << 32
    digits = digits >> 8 & 0x00FF_0000_00FF | (digits & 0x00FF_0000_00FF) << 16
    digits = digits >> 4 & 0x000F_000F_000F_000F | (digits & 0x000F_000F_000F_000F) << 8
    // Letters are the digits that, with 6 more, do not fit into four bits.
    let letters = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return digits + 0x3030_3030_3030_3030 + letters * 0x27
  }

  /// Writes bytes, each as two lower-case digits.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    let digits: StaticString = "0123456789abcdef"
    return String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
      var count = 0
      for byte in bytes {
        text[count] = digits.utf8Start[Int(byte >> 4)]
        text[count + 1] = digits.utf8Start[Int(byte & 0xF)]
        count += 2
      }
      return count
    }
  }
}
