/// Variable-length numbers: seven bits per byte, the lowest first (LEB128).
enum Varint {
  static func append(_ number: Int, to bytes: inout [UInt8]) {
    precondition(number >= 0)
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Reads a number and removes it from the beginning of `bytes`. Returns nil if there is no number or it is too large.
  static func read<C: Collection>(_ bytes: inout C) -> Int? where C.Element == UInt8, C.SubSequence == C {
    var number = 0
    var shift = 0
    while let byte = bytes.popFirst() {
      guard shift <= 56 else { return nil }
      number |= Int(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return number }
      shift += 7
    }
    return nil
  }
}
