/// A set of 64-bit keys as bits, one a key, by its upper bits: says yes too often, never no wrongly. Immutable.
struct KeyFilter: Sendable {
  /// A power of two of words.
  let bits: FrozenArray<UInt64>
  private let shift: UInt64

  /// A filter that has been made before.
  init(bits: FrozenArray<UInt64>) {
    self.bits = bits
    shift = 64 - UInt64(bits.count.trailingZeroBitCount) - 6
  }

  /// Makes a filter of so many bits, a power of two, at least 64.
  init(_ keys: some Sequence<UInt64>, bitCount: Int) {
    var bits = [UInt64](repeating: 0, count: bitCount / 64)
    let shift = 64 - UInt64(bitCount.trailingZeroBitCount)
    for key in keys {
      let bit = key >> shift
      bits[Int(bit >> 6)] |= 1 << (bit & 63)
    }
    self.init(bits: FrozenArray(bits))
  }

  /// Whether a key may be in the set.
  @inline(__always) func mayContain(_ key: UInt64) -> Bool {
    let bit = key &>> shift
    return bits[Int(truncatingIfNeeded: bit &>> 6)] &>> (bit & 63) & 1 != 0
  }

  var byteCount: Int { bits.byteCount }
}
