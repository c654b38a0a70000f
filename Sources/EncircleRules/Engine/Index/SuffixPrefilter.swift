/// Rejects most elements that no selector matches, by the last classes of their paths and the page.
///
/// A selector has one key for each page of its clause: the classes of its last steps, at most ``depth`` of them. If no end of a
/// path is among the keys, no selector can match the path. A path that passes may still match none.
struct SuffixPrefilter: ~Copyable, Sendable {
  /// The number of classes at the end of a path that are examined.
  static let depth = 3

  let keys: KeyFilter
  /// For each number of steps, two flags: 1 if a selector without pages has a key of that length, 2 if a selector with pages
  /// has one.
  let uses: FrozenArray<UInt8>

  /// This is true if the filter never rejects anything, because some selector may match any path on any page.
  var passesAll: Bool { uses[0] & 1 != 0 }

  var byteCount: Int { keys.byteCount + uses.byteCount }

  /// Returns true if no selector of any rule can match a path.
  ///
  /// - Parameter names: The last class names of the path, the last one first: as many as ``depth``, or all.
  @inline(__always)
  func rejects(
    _ names: UnsafeBufferPointer<UnsafeBufferPointer<UInt8>>, page: UInt32?, _ hashes: PathKeys,
    _ classes: borrowing ProgramClasses
  ) -> Bool {
    var sum: UInt64 = 0
    for length in 0...names.count {
      let use = uses[length]
      if use != 0 {
        let key = hashes.ending(sum, length: length)
        if use & 1 != 0, keys.mayContain(key) { return false }
        if use & 2 != 0, let page, keys.mayContain(hashes.onPage(key, page)) { return false }
      }
      // A class that no rule names ends the search: no longer key can contain it.
      guard length < names.count, let number = classes.number(names[length]) else { return true }
      sum = sum &+ hashes.term(hashes.classHash(number), at: length)
    }
    return true
  }

  /// Collects selectors.
  struct Builder {
    private var keys = KeyCounter()
    private var uses = [UInt8](repeating: 0, count: SuffixPrefilter.depth + 1)

    /// Adds the key of a selector's last steps, on a page; nil stands for any page.
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

// MARK: - Saving

extension SuffixPrefilter {
  func write(to writer: inout CompiledWriter) {
    writer.append(keys.bits)
    writer.append(uses)
  }

  init(from reader: inout CompiledReader) throws(CompiledRulesError) {
    let bits: FrozenArray<UInt64> = try reader.array()
    let uses: FrozenArray<UInt8> = try reader.array()
    guard bits.count > 0, bits.count & (bits.count - 1) == 0, uses.count == Self.depth + 1 else { throw .damaged }
    self.init(keys: KeyFilter(bits: bits), uses: uses)
  }
}
