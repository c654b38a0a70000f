/// Base64 (RFC 4648) in both alphabets, with or without padding and line breaks.
enum Base64 {
  /// Returns the bytes; nil if a character belongs to neither alphabet, or the end is missing.
  ///
  /// - Complexity: O(length).
  static func decode(_ text: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3 + 3)
    var bits: UInt32 = 0
    var count = 0
    var isPadded = false
    for byte in text {
      let value = values[Int(byte)]
      if value == skipped { continue }
      if value == padding {
        isPadded = true
        continue
      }
      if value == invalid || isPadded { return nil }
      bits = bits << 6 | UInt32(value)
      count += 1
      if count == 4 {
        result.append(UInt8(truncatingIfNeeded: bits >> 16))
        result.append(UInt8(truncatingIfNeeded: bits >> 8))
        result.append(UInt8(truncatingIfNeeded: bits))
        (bits, count) = (0, 0)
      }
    }
    switch count {
    case 0: break
    case 2: result.append(UInt8(truncatingIfNeeded: bits >> 4))
    case 3:
      result.append(UInt8(truncatingIfNeeded: bits >> 10))
      result.append(UInt8(truncatingIfNeeded: bits >> 2))
    default: return nil
    }
    return result
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
