/// Which classes selectors have at their ends, by page: most elements that no selector matches are told by their last
/// components, and need no further look.
///
/// A set of keys as bits, one or more a key, which says yes too often, never no wrongly. A selector has one key, that of
/// the classes of its last steps, at most ``depth``, with each page of its clause.
struct PathEnds: Sendable {
  /// So many classes of a path are looked at.
  static let depth = 3

  /// One bit for each value of the upper bits of a key; a power of two of them.
  let bits: FrozenArray<UInt64>
  /// By number of steps, 1 if some selector without page has a key of so many, 2 if some with page.
  let uses: FrozenArray<UInt8>
  private let shift: UInt64

  init(bits: FrozenArray<UInt64>, uses: FrozenArray<UInt8>) {
    self.bits = bits
    self.uses = uses
    shift = 64 - UInt64(bits.count.trailingZeroBitCount) - 6
  }

  var byteCount: Int { bits.byteCount + uses.byteCount }

  /// Whether a selector of some rule may match a path.
  ///
  /// - Parameter sums: By number of components, the hash of the classes of so many last ones, as far as the path has them.
  @inline(__always)
  func mayMatch(_ sums: UnsafeBufferPointer<UInt64>, page: UInt32?, _ keys: PathKeys) -> Bool {
    for length in 0..<sums.count {
      let use = uses[length]
      if use == 0 { continue }
      let key = keys.ending(sums[length], length: length)
      if use & 1 != 0, contains(key) { return true }
      if use & 2 != 0, let page, contains(keys.onPage(key, page)) { return true }
    }
    return false
  }

  @inline(__always) private func contains(_ key: UInt64) -> Bool {
    let bit = key &>> shift
    return bits[Int(truncatingIfNeeded: bit &>> 6)] &>> (bit & 63) & 1 != 0
  }

  /// Collects selectors.
  struct Builder {
    private var keys: Set<UInt64> = []
    private var uses = [UInt8](repeating: 0, count: PathEnds.depth + 1)

    /// Adds the key of the last steps of a selector, on a page; nil for any.
    mutating func add(_ key: UInt64, length: Int, page: UInt32?) {
      keys.insert(key)
      uses[length] |= page == nil ? 1 : 2
    }

    func freeze() -> PathEnds {
      var count = 64
      while count < keys.count * 16 { count *= 2 }
      var bits = [UInt64](repeating: 0, count: count / 64)
      let shift = 64 - UInt64(count.trailingZeroBitCount)
      for key in keys { bits[Int(key >> (shift + 6))] |= 1 << (key >> shift & 63) }
      return PathEnds(bits: FrozenArray(bits), uses: FrozenArray(uses))
    }
  }
}
