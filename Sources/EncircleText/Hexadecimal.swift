/// Hexadecimal digits.
@usableFromInline package enum Hexadecimal {
  /// Returns the value of a digit of either case, or nil if the byte is none.
  @inlinable package static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte) - 0x30
    case 0x41...0x46: UInt32(byte) - 0x41 + 10
    case 0x61...0x66: UInt32(byte) - 0x61 + 10
    default: nil
    }
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
