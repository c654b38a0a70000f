/// A filter for a set of 64-bit keys: a key sets one bit, chosen by its upper bits. Immutable.
struct KeyFilter: ~Copyable, Sendable {
  /// The words of bits; their number is a power of two.
  let bits: FrozenArray<UInt64>
  private let shift: UInt64

  /// Wraps the bits of a filter.
  init(bits: FrozenArray<UInt64>) {
    self.bits = bits
    shift = 64 - UInt64(bits.count.trailingZeroBitCount) - 6
  }

  /// Makes a filter.
  ///
  /// - Parameter bitCount: A power of two, at least 64.
  init(_ keys: [UInt64], bitCount: Int) {
    var bits = [UInt64](repeating: 0, count: bitCount / 64)
    let shift = 64 - UInt64(bitCount.trailingZeroBitCount)
    for key in keys {
      let bit = key >> shift
      bits[Int(bit >> 6)] |= 1 << (bit & 63)
    }
    self.init(bits: FrozenArray(bits))
  }

  /// Returns true for every key of the set, and for few others.
  @inline(__always) func mayContain(_ key: UInt64) -> Bool {
    let bit = key &>> shift
    return bits[Int(truncatingIfNeeded: bit &>> 6)] &>> (bit & 63) & 1 != 0
  }

  var byteCount: Int { bits.byteCount }
}
