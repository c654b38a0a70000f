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
    var automaton = SelectorAutomaton.Scratch()
  }

  /// Whether a look at the last classes of a path shows that no selector can match it.
  ///
  /// - Parameter path: At least the last ``PathEnds/depth`` components of the path, or all.
  @inline(__always) func isRuledOut(_ path: UnsafeBufferPointer<ComponentNumbers>, page: UInt32?) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: PathEnds.depth + 1) { sums in
      var sum: UInt64 = 0
      let count = min(path.count, PathEnds.depth)
      sums[0] = 0
      for position in 0..<count {
        sum = sum &+ keys.term(keys.classHash(path[path.count - 1 - position].number), at: position)
        sums[position + 1] = sum
      }
      return !ends.mayMatch(UnsafeBufferPointer(rebasing: sums[0...count]), page: page, keys)
    }
  }

  /// Calls `body` with the leaves that a path may match, some of them more than once.
  @inline(__always)
  func forEachCandidate(
    _ path: UnsafeBufferPointer<ComponentNumbers>, page: UInt32?, _ leaves: borrowing KeyTable,
    _ selectors: borrowing SelectorTable, _ classes: borrowing ClassTable, _ scratch: inout Scratch,
    _ body: (UInt32) -> Void
  ) {
    let count = path.count
    scratch.classHashes.removeAll()
    scratch.terms.removeAll()
    var sum: UInt64 = 0
    // No selector that has an end of this length can match once no shorter one of it is known.
    for position in 0..<count {
      let hash = keys.classHash(path[count - 1 - position].number)
      let term = keys.term(hash, at: position)
      scratch.classHashes.append(hash)
      scratch.terms.append(term)
      sum = sum &+ term
      if position + 1 < isEndLength.count, isEndLength[position + 1] != 0 {
        visit(path, sum, position + 1, isWhole: false, page, leaves, &scratch, body)
      }
    }
    if hasWholePaths { visit(path, sum, count, isWhole: true, page, leaves, &scratch, body) }
    if usesClasses { visitClasses(path, page, leaves, &scratch, body) }
    if !automaton.isEmpty { automaton.forEachMatch(path, selectors, classes, &scratch.automaton, body) }
  }

  @inline(__always)
  private func visit(
    _ path: UnsafeBufferPointer<ComponentNumbers>, _ sum: UInt64, _ length: Int, isWhole: Bool, _ page: UInt32?,
    _ leaves: borrowing KeyTable, _ scratch: inout Scratch, _ body: (UInt32) -> Void
  ) {
    for use in erased.find(keys.erased(sum, length: length, isWhole: isWhole)) {
      let mask = use >> 2
      var masked = sum
      for entry in masks[Int(maskStarts[Int(mask)])..<Int(maskStarts[Int(mask) + 1])] {
        let position = Int(entry >> 3)
        // Not so but in a saved index that is not what was compiled.
        if position >= length { return }
        let component = path.baseAddress.unsafelyUnwrapped + (path.count - 1 - position)
        let mode = MaskMode(rawValue: UInt8(truncatingIfNeeded: entry & 7)).unsafelyUnwrapped
        let hash = keys.hash(
          mode, scratch.classHashes[position], component.pointee.kind, component.pointee.first,
          component.pointee.second)
        masked = masked &+ keys.term(hash, at: position) &- scratch.terms[position]
      }
      let key = keys.masked(masked, mask: mask, isWhole: isWhole)
      if use & 2 != 0 { for leaf in leaves.find(key) { body(leaf) } }
      if use & 1 != 0, let page { for leaf in leaves.find(keys.onPage(key, page)) { body(leaf) } }
    }
  }

  private func visitClasses(
    _ path: UnsafeBufferPointer<ComponentNumbers>, _ page: UInt32?, _ leaves: borrowing KeyTable,
    _ scratch: inout Scratch, _ body: (UInt32) -> Void
  ) {
    func visit(_ key: UInt64) {
      for leaf in leaves.find(key) { body(leaf) }
      if let page { for leaf in leaves.find(keys.onPage(key, page)) { body(leaf) } }
    }
    for position in 0..<path.count {
      let component = path[path.count - 1 - position]
      guard Int(component.number) < classUses.count else { continue }
      let uses = classUses[Int(component.number)]
      if uses == 0 { continue }
      let hash = scratch.classHashes[position]
      if uses & Self.singleClass != 0 { visit(keys.singleClass(hash)) }
      if uses & Self.singleComponent != 0 {
        visit(keys.singleComponent(keys.hash(.full, hash, component.kind, component.first, component.second)))
      }
      if uses & Self.outerOfPair != 0, position > 0 { visit(keys.pair(hash, scratch.classHashes[position - 1])) }
    }
  }
}
