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
  let ends: PathEnds

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

  /// Calls `body` with the leaves that a path may match, some of them more than once.
  ///
  /// Tables are larger than caches, so looks at them are made in steps, each for all keys at once: the memory that one
  /// waits for is under way for the others, too.
  @inline(__always)
  func forEachCandidate(
    _ path: UnsafeBufferPointer<ComponentNumbers>, page: UInt32?, _ leaves: borrowing KeyTable,
    _ selectors: borrowing SelectorTable, _ classes: borrowing ClassTable, _ scratch: inout Scratch,
    _ body: (UInt32) -> Void
  ) {
    collectEnds(path, &scratch)
    scratch.leafKeys.removeAll()
    for i in 0..<scratch.ends.count { collectKeys(of: scratch.ends[i], path, page, leaves, &scratch) }
    if usesClasses { collectClassKeys(path, page, leaves, &scratch) }
    for i in 0..<scratch.leafKeys.count {
      for leaf in leaves.values(of: scratch.leafKeys[i]) { body(leaf) }
    }
    if !automaton.isEmpty { automaton.forEachMatch(path, selectors, classes, &scratch.automaton, body) }
  }

  /// Finds the ends of a path whose classes some selector may have.
  private func collectEnds(_ path: UnsafeBufferPointer<ComponentNumbers>, _ scratch: inout Scratch) {
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
        append(sum, length: position &+ 1, isWhole: false, &scratch)
      }
    }
    if hasWholePaths { append(sum, length: count, isWhole: true, &scratch) }
  }

  @inline(__always)
  private func append(_ sum: UInt64, length: Int, isWhole: Bool, _ scratch: inout Scratch) {
    let key = keys.erased(sum, length: length, isWhole: isWhole)
    guard erased.mayHave(key) else { return }
    erased.prefetch(key)
    scratch.ends.append(End(key: key, sum: sum, length: length, isWhole: isWhole))
  }

  /// Adds the keys that an end has by the masks in use.
  private func collectKeys(
    of end: End, _ path: UnsafeBufferPointer<ComponentNumbers>, _ page: UInt32?, _ leaves: borrowing KeyTable,
    _ scratch: inout Scratch
  ) {
    for use in erased.values(of: end.key) {
      let mask = use >> 2
      var masked = end.sum
      for entry in masks[Int(maskStarts[Int(mask)])..<Int(maskStarts[Int(mask) + 1])] {
        let position = Int(entry >> 3)
        // Not so but in a saved index that is not what was compiled.
        if position >= end.length { return }
        let component = path.baseAddress.unsafelyUnwrapped + (path.count - 1 - position)
        let mode = MaskMode(rawValue: UInt8(truncatingIfNeeded: entry & 7)).unsafelyUnwrapped
        let hash = keys.hash(
          mode, scratch.classHashes[position], component.pointee.kind, component.pointee.first,
          component.pointee.second)
        masked = masked &+ keys.term(hash, at: position) &- scratch.terms[position]
      }
      let key = keys.masked(masked, mask: mask, isWhole: end.isWhole)
      if use & 2 != 0 { append(key, leaves, &scratch) }
      if use & 1 != 0, let page { append(keys.onPage(key, page), leaves, &scratch) }
    }
  }

  @inline(__always)
  private func append(_ key: UInt64, _ leaves: borrowing KeyTable, _ scratch: inout Scratch) {
    guard leaves.mayHave(key) else { return }
    leaves.prefetch(key)
    scratch.leafKeys.append(key)
  }

  /// Adds the keys that classes, components and pairs of classes have.
  private func collectClassKeys(
    _ path: UnsafeBufferPointer<ComponentNumbers>, _ page: UInt32?, _ leaves: borrowing KeyTable,
    _ scratch: inout Scratch
  ) {
    @inline(__always) func add(_ key: UInt64) {
      append(key, leaves, &scratch)
      if let page { append(keys.onPage(key, page), leaves, &scratch) }
    }
    for position in 0..<path.count {
      let component = path.baseAddress.unsafelyUnwrapped + (path.count - 1 - position)
      guard Int(component.pointee.number) < classUses.count else { continue }
      let uses = classUses[Int(component.pointee.number)]
      if uses == 0 { continue }
      let hash = scratch.classHashes[position]
      if uses & Self.singleClass != 0 { add(keys.singleClass(hash)) }
      if uses & Self.singleComponent != 0 {
        add(
          keys.singleComponent(
            keys.hash(.full, hash, component.pointee.kind, component.pointee.first, component.pointee.second)))
      }
      if uses & Self.outerOfPair != 0, position > 0 { add(keys.pair(hash, scratch.classHashes[position - 1])) }
    }
  }
}
