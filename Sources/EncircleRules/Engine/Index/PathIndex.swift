import EncircleIdentity

/// Finds the selectors that a path may match. Says yes too often, never no wrongly.
///
/// - A selector whose last steps name classes is filed under these: first under the classes alone, with all locators
///   erased; there stand the masks in use, that is, which parts of the locators selectors fix; and under the mask with
///   these parts, the selectors. So a path is looked up once for each length in use and each mask found.
/// - Where more selectors have the same end than have the same class, component, or pair of neighbours elsewhere, under
///   that.
/// - Selectors without a class name are in the automaton.
struct PathIndex: ~Copyable, Sendable {
  let keys: PathKeys
  /// Key of the classes → masks in use, times 4, plus 1 if with pages, plus 2 if without.
  let erased: KeyTable
  /// What each mask fixes: position from the end, times 8, plus mode; only where more than the class counts.
  let masks: FrozenArray<UInt32>
  let maskStarts: FrozenArray<UInt32>
  /// Whether some selector is filed under so many last steps.
  let isEndLength: FrozenArray<UInt8>
  /// Whether some selector is filed under all of its steps.
  let hasWholePaths: Bool
  /// By class: how it is filed.
  let classUses: FrozenArray<UInt8>
  let usesClasses: Bool
  let automaton: SelectorAutomaton
  /// What tells that none of them can match.
  let ends: SuffixPrefilter

  static let singleClass: UInt8 = 1
  static let singleComponent: UInt8 = 2
  static let outerOfPair: UInt8 = 4

  var byteCount: Int {
    erased.byteCount + masks.byteCount + maskStarts.byteCount + isEndLength.byteCount + classUses.byteCount
      + automaton.byteCount + ends.byteCount
  }

  /// What changes while paths are looked up.
  struct Scratch: ~Copyable {
    // By position from the end.
    var classHashes = GrowingBuffer<UInt64>(capacity: 64)
    var terms = GrowingBuffer<UInt64>(capacity: 64)
    var ends = GrowingBuffer<End>(capacity: 64)
    // The keys under which leaves are looked for.
    var leafKeys = GrowingBuffer<UInt64>(capacity: 64)
    var automaton = SelectorAutomaton.Scratch()
  }

  /// Some last components of a path, or all, that have the classes of selectors' ends.
  struct End: BitwiseCopyable {
    let key: UInt64
    let sum: UInt64
    let length: Int
    let isWhole: Bool
  }
}

// Methods of the place where a program lies, so that none of its tables is copied or counted.
extension UnsafePointer<RuleProgram> {
  /// Calls `body` with the leaves that a path may match, some of them more than once.
  ///
  /// Tables are larger than caches, so looks at them are made in steps, each for all keys at once: the memory that one
  /// waits for is under way for the others, too.
  @inline(__always)
  func forEachLeaf(
    of path: UnsafeBufferPointer<ComponentNumbers>, page: UInt32?, _ classes: borrowing ClassTable,
    _ scratch: inout PathIndex.Scratch, _ body: (UInt32) -> Void
  ) {
    collectEnds(path, &scratch)
    scratch.leafKeys.removeAll()
    for i in 0..<scratch.ends.count { collectKeys(of: scratch.ends[i], path, page, &scratch) }
    if pointee.index.usesClasses { collectClassKeys(path, page, &scratch) }
    for i in 0..<scratch.leafKeys.count {
      for leaf in pointee.leaves.values(of: scratch.leafKeys[i]) { body(leaf) }
    }
    if !pointee.index.automaton.isEmpty {
      pointee.index.automaton.forEachMatch(path, pointee.selectors, classes, &scratch.automaton, body)
    }
  }

  /// Finds the ends of a path whose classes some selector may have.
  private func collectEnds(_ path: UnsafeBufferPointer<ComponentNumbers>, _ scratch: inout PathIndex.Scratch) {
    let count = path.count
    scratch.classHashes.removeAll()
    scratch.terms.removeAll()
    scratch.ends.removeAll()
    var sum: UInt64 = 0
    for position in 0..<count {
      let hash = pointee.index.keys.classHash(path[count &- 1 &- position].number)
      let term = pointee.index.keys.term(hash, at: position)
      scratch.classHashes.append(hash)
      scratch.terms.append(term)
      sum = sum &+ term
      if position &+ 1 < pointee.index.isEndLength.count, pointee.index.isEndLength[position &+ 1] != 0 {
        append(sum, length: position &+ 1, isWhole: false, &scratch)
      }
    }
    if pointee.index.hasWholePaths { append(sum, length: count, isWhole: true, &scratch) }
  }

  @inline(__always)
  private func append(_ sum: UInt64, length: Int, isWhole: Bool, _ scratch: inout PathIndex.Scratch) {
    let key = pointee.index.keys.erased(sum, length: length, isWhole: isWhole)
    guard pointee.index.erased.mayHave(key) else { return }
    pointee.index.erased.prefetch(key)
    scratch.ends.append(PathIndex.End(key: key, sum: sum, length: length, isWhole: isWhole))
  }

  /// Adds the keys that an end has by the masks in use.
  private func collectKeys(
    of end: PathIndex.End, _ path: UnsafeBufferPointer<ComponentNumbers>, _ page: UInt32?,
    _ scratch: inout PathIndex.Scratch
  ) {
    for use in pointee.index.erased.values(of: end.key) {
      let mask = use >> 2
      var masked = end.sum
      for entry in pointee.index.masks[pointee.index.maskStarts.range(Int(mask))] {
        let position = Int(entry >> 3)
        // Not so but in a saved index that is not what was compiled.
        if position >= end.length { return }
        let component = path.baseAddress.unsafelyUnwrapped + (path.count - 1 - position)
        let mode = MaskMode(rawValue: UInt8(truncatingIfNeeded: entry & 7)).unsafelyUnwrapped
        let hash = pointee.index.keys.hash(
          mode, scratch.classHashes[position], component.pointee.kind, component.pointee.first,
          component.pointee.second)
        masked = masked &+ pointee.index.keys.term(hash, at: position) &- scratch.terms[position]
      }
      let key = pointee.index.keys.masked(masked, mask: mask, isWhole: end.isWhole)
      if use & 2 != 0 { append(key, &scratch) }
      if use & 1 != 0, let page { append(pointee.index.keys.onPage(key, page), &scratch) }
    }
  }

  @inline(__always)
  private func append(_ key: UInt64, _ scratch: inout PathIndex.Scratch) {
    guard pointee.leaves.mayHave(key) else { return }
    pointee.leaves.prefetch(key)
    scratch.leafKeys.append(key)
  }

  /// Adds the keys that classes, components and pairs of classes have.
  private func collectClassKeys(
    _ path: UnsafeBufferPointer<ComponentNumbers>, _ page: UInt32?,
    _ scratch: inout PathIndex.Scratch
  ) {
    @inline(__always) func add(_ key: UInt64) {
      append(key, &scratch)
      if let page { append(pointee.index.keys.onPage(key, page), &scratch) }
    }
    for position in 0..<path.count {
      let component = path.baseAddress.unsafelyUnwrapped + (path.count - 1 - position)
      guard Int(component.pointee.number) < pointee.index.classUses.count else { continue }
      let uses = pointee.index.classUses[Int(component.pointee.number)]
      if uses == 0 { continue }
      let hash = scratch.classHashes[position]
      if uses & PathIndex.singleClass != 0 { add(pointee.index.keys.singleClass(hash)) }
      if uses & PathIndex.singleComponent != 0 {
        add(
          pointee.index.keys.singleComponent(
            pointee.index.keys.hash(
              .full, hash, component.pointee.kind, component.pointee.first, component.pointee.second)))
      }
      if uses & PathIndex.outerOfPair != 0, position > 0 {
        add(pointee.index.keys.pair(hash, scratch.classHashes[position - 1]))
      }
    }
  }
}
