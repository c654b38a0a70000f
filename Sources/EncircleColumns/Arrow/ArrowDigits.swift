/// Memory for one number as a text.
final class ArrowDigits {
  // This is enough for the digits of 64 bits, a sign and three zeros.
  private static let capacity = 24
  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)

  deinit { bytes.deallocate() }

  func write(_ magnitude: UInt64, isNegative: Bool, zeros: Int = 0) -> UnsafeBufferPointer<UInt8> {
    var i = Self.capacity - zeros
    for place in i..<Self.capacity { bytes[place] = UInt8(ascii: "0") }
    var rest = magnitude
    repeat {
      i -= 1
      bytes[i] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    if isNegative {
      i -= 1
      bytes[i] = UInt8(ascii: "-")
    }
    return UnsafeBufferPointer(start: bytes + i, count: Self.capacity - i)
  }
}
