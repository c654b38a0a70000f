/// Which classes selectors have at their ends, by page: most elements that no selector matches are told by their last
/// components, and need no further look.
///
/// Says yes too often, never no wrongly. A selector has one key, that of the classes of its last steps, at most ``depth``,
/// with each page of its clause.
struct SuffixPrefilter: Sendable {
  /// So many classes of a path are looked at.
  static let depth = 3

  let keys: KeyFilter
  /// By number of steps, 1 if some selector without page has a key of so many, 2 if some with page.
  let uses: FrozenArray<UInt8>

  /// Whether some selector may match whatever the path and the page.
  var takesAny: Bool { uses[0] & 1 != 0 }

  var byteCount: Int { keys.byteCount + uses.byteCount }

  /// Whether no selector of any rule can match a path.
  ///
  /// - Parameter names: Its last class names, the last one first: as many as ``depth``, or all.
  @inline(__always)
  func areRuledOut(
    _ names: UnsafeBufferPointer<UnsafeBufferPointer<UInt8>>, page: UInt32?, _ hashes: PathKeys,
    _ classNumbers: borrowing FrozenNames
  ) -> Bool {
    var sum: UInt64 = 0
    for length in 0...names.count {
      let use = uses[length]
      if use != 0 {
        let key = hashes.ending(sum, length: length)
        if use & 1 != 0, keys.mayContain(key) { return false }
        if use & 2 != 0, let page, keys.mayContain(hashes.onPage(key, page)) { return false }
      }
      // What ends with a class that no rule names, no longer end has either.
      guard length < names.count, let number = classNumbers.find(names[length]) else { return true }
      sum = sum &+ hashes.term(hashes.classHash(number), at: length)
    }
    return true
  }

  /// Collects selectors.
  struct Builder {
    private var keys = KeyCounter()
    private var uses = [UInt8](repeating: 0, count: SuffixPrefilter.depth + 1)

    /// Adds the key of the last steps of a selector, on a page; nil for any.
    mutating func add(_ key: UInt64, length: Int, page: UInt32?) {
      keys.add(key)
      uses[length] |= page == nil ? 1 : 2
    }

    func freeze() -> SuffixPrefilter {
      var count = 64
      while count < keys.count * 16 { count *= 2 }
      return SuffixPrefilter(keys: KeyFilter(keys.keys, bitCount: count), uses: FrozenArray(uses))
    }
  }
}
