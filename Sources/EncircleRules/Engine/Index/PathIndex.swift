import EncircleIdentity

/// Finds the keys of the selectors that a path may match. May find too many, never too few.
///
/// - A selector whose last steps name classes is filed under the key of this end. The key is found in two steps: the classes
///   alone, with all locators erased, lead to the *masks* in use. A mask marks the parts of the locators that selectors fix;
///   adding those parts completes the key. So a path is looked up once for each length of end in use and once for each mask
///   found there, however many selectors there are.
/// - Where many selectors share an end, a selector is filed under a class, a component or a pair of neighbouring classes
///   further up, if fewer selectors share that.
/// - Selectors that name no class are in the automaton.
struct PathIndex: ~Copyable, Sendable {
  let keys: PathKeys
  /// Key of the classes of an end → numbers of the masks in use, times 4, plus 1 if in use with pages, plus 2 if without pages.
  let erased: KeyTable
  /// Positions from the end, times 8, plus the ``MaskMode`` there: masks[maskStarts[m] ..< maskStarts[m + 1]] for mask m. A
  /// position where only the class counts is omitted.
  let masks: FrozenArray<UInt32>
  let maskStarts: FrozenArray<UInt32>
  /// For each number of steps, 1 if ends of that length are in use.
  let isEndLength: FrozenArray<UInt8>
  /// This is true if some selector is anchored at the window and filed under a key that covers all of its steps.
  let hasWholePaths: Bool
  /// For each class, the kinds of keys in use that begin with it: ``singleClass`` and so on, as bits.
  let classUses: FrozenArray<UInt8>
  let usesClasses: Bool
  let automaton: SelectorAutomaton
  /// Rejects most paths that no selector can match.
  let prefilter: SuffixPrefilter

  static let singleClass: UInt8 = 1
  static let singleComponent: UInt8 = 2
  static let outerOfPair: UInt8 = 4

  init(
    keys: PathKeys, erased: consuming KeyTable, masks: FrozenArray<UInt32>, maskStarts: FrozenArray<UInt32>,
    isEndLength: FrozenArray<UInt8>, hasWholePaths: Bool, classUses: FrozenArray<UInt8>,
    automaton: consuming SelectorAutomaton, prefilter: consuming SuffixPrefilter
  ) {
    self.keys = keys
    self.erased = erased
    self.masks = masks
    self.maskStarts = maskStarts
    self.isEndLength = isEndLength
    self.hasWholePaths = hasWholePaths
    self.classUses = classUses
    usesClasses = classUses.all.contains { $0 != 0 }
    self.automaton = automaton
    self.prefilter = prefilter
  }

  var byteCount: Int {
    erased.byteCount + masks.byteCount + maskStarts.byteCount + isEndLength.byteCount + classUses.byteCount
      + automaton.byteCount + prefilter.byteCount
  }

  /// Buffers for the look-ups of one path after the other.
  struct Scratch: ~Copyable {
    // The values for each position, counted from the end.
    fileprivate var classHashes = GrowingBuffer<UInt64>(capacity: 64)
    fileprivate var terms = GrowingBuffer<UInt64>(capacity: 64)
    fileprivate var ends = GrowingBuffer<End>(capacity: 64)
    /// Keys that may have a bucket.
    fileprivate(set) var bucketKeys = GrowingBuffer<UInt64>(capacity: 64)
    var automaton = SelectorAutomaton.Scratch()
  }

  /// The last components of a path, or all of them, if their classes may match the end of some selector.
  struct End: BitwiseCopyable {
    let key: UInt64
    let sum: UInt64
    let length: Int
    let isWhole: Bool
  }

  // These methods are inlined because Swift would otherwise copy this large structure for each call. Each has only one caller.

  /// Collects the keys that a path has and that the filter of the buckets lets pass.
  @inline(__always)
  func collectKeys(
    of path: UnsafeBufferPointer<ComponentNumbers>, page: UInt32?, _ scratch: inout Scratch,
    in buckets: borrowing KeyTable
  ) {
    collectEnds(of: path, &scratch)
    scratch.bucketKeys.removeAll()
    for i in 0..<scratch.ends.count { collectKeys(of: scratch.ends[i], path, page, &scratch, buckets) }
    if usesClasses { collectClassKeys(of: path, page, &scratch, buckets) }
  }

  @inline(__always)
  private func collectEnds(of path: UnsafeBufferPointer<ComponentNumbers>, _ scratch: inout Scratch) {
    let count = path.count
    scratch.classHashes.removeAll()
    scratch.terms.removeAll()
    scratch.ends.removeAll()
    var sum: UInt64 = 0
    for position in 0..<count {
      let hash = keys.classHash(path[count &- 1 &- position].number)
      let term = keys.term(hash, at: position)
      scratch.classHashes.append(hash)
      scratch.terms.append(term)
      sum = sum &+ term
      if position &+ 1 < isEndLength.count, isEndLength[position &+ 1] != 0 {
        appendEnd(sum, length: position &+ 1, isWhole: false, &scratch)
      }
    }
    if hasWholePaths { appendEnd(sum, length: count, isWhole: true, &scratch) }
  }

  @inline(__always)
  private func appendEnd(_ sum: UInt64, length: Int, isWhole: Bool, _ scratch: inout Scratch) {
    let key = keys.erased(sum, length: length, isWhole: isWhole)
    guard erased.mayContain(key) else { return }
    erased.prefetch(key)
    scratch.ends.append(End(key: key, sum: sum, length: length, isWhole: isWhole))
  }

  /// Collects the keys that an end has with each mask in use.
  @inline(__always)
  private func collectKeys(
    of end: End, _ path: UnsafeBufferPointer<ComponentNumbers>, _ page: UInt32?, _ scratch: inout Scratch,
    _ buckets: borrowing KeyTable
  ) {
    for use in erased.values(of: end.key) {
      let mask = use >> 2
      var masked = end.sum
      for entry in masks[maskStarts.range(Int(mask))] {
        let position = Int(entry >> 3)
        // Happens only with a damaged file of compiled rules, whose masks can refer to longer ends.
        if position >= end.length { return }
        let component = path.baseAddress.unsafelyUnwrapped + (path.count - 1 - position)
        let mode = MaskMode(rawValue: UInt8(truncatingIfNeeded: entry & 7)).unsafelyUnwrapped
        let hash = keys.hash(
          mode, scratch.classHashes[position], component.pointee.kind, component.pointee.first,
          component.pointee.second)
        masked = masked &+ keys.term(hash, at: position) &- scratch.terms[position]
      }
      let key = keys.masked(masked, mask: mask, isWhole: end.isWhole)
      if use & 2 != 0 { appendKey(key, &scratch, buckets) }
      if use & 1 != 0, let page { appendKey(keys.onPage(key, page), &scratch, buckets) }
    }
  }

  /// Collects the keys that classes, components and pairs of classes have.
  @inline(__always)
  private func collectClassKeys(
    of path: UnsafeBufferPointer<ComponentNumbers>, _ page: UInt32?, _ scratch: inout Scratch,
    _ buckets: borrowing KeyTable
  ) {
    for position in 0..<path.count {
      let component = path.baseAddress.unsafelyUnwrapped + (path.count - 1 - position)
      guard Int(component.pointee.number) < classUses.count else { continue }
      let uses = classUses[Int(component.pointee.number)]
      if uses == 0 { continue }
      let hash = scratch.classHashes[position]
      if uses & Self.singleClass != 0 { appendKeys(keys.singleClass(hash), page, &scratch, buckets) }
      if uses & Self.singleComponent != 0 {
        let full = keys.hash(
          .full, hash, component.pointee.kind, component.pointee.first, component.pointee.second)
        appendKeys(keys.singleComponent(full), page, &scratch, buckets)
      }
      if uses & Self.outerOfPair != 0, position > 0 {
        appendKeys(keys.pair(hash, scratch.classHashes[position - 1]), page, &scratch, buckets)
      }
    }
  }

  @inline(__always)
  private func appendKeys(
    _ key: UInt64, _ page: UInt32?, _ scratch: inout Scratch, _ buckets: borrowing KeyTable
  ) {
    appendKey(key, &scratch, buckets)
    if let page { appendKey(keys.onPage(key, page), &scratch, buckets) }
  }

  @inline(__always)
  private func appendKey(_ key: UInt64, _ scratch: inout Scratch, _ buckets: borrowing KeyTable) {
    guard buckets.mayContain(key) else { return }
    buckets.prefetch(key)
    scratch.bucketKeys.append(key)
  }
}

// MARK: - Saving

extension PathIndex {
  func write(to writer: inout CompiledWriter) {
    writer.append(FrozenArray([keys.seed]))
    writer.append(erased)
    writer.append(masks)
    writer.append(maskStarts)
    writer.append(isEndLength)
    writer.append(FrozenArray([UInt8(hasWholePaths ? 1 : 0)]))
    writer.append(classUses)
    automaton.write(to: &writer)
    prefilter.write(to: &writer)
  }

  init(from reader: inout CompiledReader) throws(CompiledRulesError) {
    let seed: FrozenArray<UInt64> = try reader.array()
    let erased = try reader.keyTable()
    let masks: FrozenArray<UInt32> = try reader.array()
    let maskStarts: FrozenArray<UInt32> = try reader.array()
    let isEndLength: FrozenArray<UInt8> = try reader.array()
    let hasWholePaths: FrozenArray<UInt8> = try reader.array()
    let classUses: FrozenArray<UInt8> = try reader.array()
    let automaton = try SelectorAutomaton(from: &reader)
    let prefilter = try SuffixPrefilter(from: &reader)
    guard seed.count == 1, hasWholePaths.count == 1 else { throw .damaged }
    self.init(
      keys: PathKeys(seed: seed[0]), erased: erased, masks: masks, maskStarts: maskStarts, isEndLength: isEndLength,
      hasWholePaths: hasWholePaths[0] != 0, classUses: classUses, automaton: automaton, prefilter: prefilter)
  }

  /// Returns whether every number in the tables refers to something that is there.
  func isConsistent(classCount: Int, stepCount: Int, entryCount: Int) -> Bool {
    classUses.count <= classCount && maskStarts.areStarts(upTo: masks.count)
      && masks.all.allSatisfy { MaskMode(rawValue: UInt8($0 & 7)) != nil }
      && erased.values(areBelow: (maskStarts.count - 1) * 4)
      && automaton.isConsistent(stepCount: stepCount, entryCount: entryCount)
  }
}
