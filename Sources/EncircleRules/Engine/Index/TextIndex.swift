import EncircleText

/// Finds leaves by the texts of one property: whole values by hash, parts by one automaton, so that a text is read once for
/// all rules.
struct TextIndex: Sendable {
  /// What is filed.
  struct Builder {
    fileprivate var values: [(key: UInt64, value: UInt32)] = []
    fileprivate var parts: [[UInt8]: [(pages: [UInt32]?, leaf: UInt32)]] = [:]

    /// Files a leaf under the key of a whole value.
    ///
    /// - Parameter pages: The numbers of the pages on which it is asked for; nil for any.
    mutating func add(value key: UInt64, pages: [UInt32]?, leaf: UInt32) {
      guard let pages else { return values.append((key, leaf)) }
      for page in pages { values.append((TextIndex.key(key, onPage: page), leaf)) }
    }

    /// Files a leaf under a text that is somewhere in the value.
    mutating func add(part: [UInt8], pages: [UInt32]?, leaf: UInt32) {
      parts[part, default: []].append((pages, leaf))
    }
  }

  // Whole values, and parts on pages.
  fileprivate let values: KeyTable
  fileprivate var parts: TextAutomaton
  // By part: what is filed under it for any page is partLeaves[partStarts[part] ..< partStarts[part + 1]].
  fileprivate let partLeaves: FrozenArray<UInt32>
  fileprivate let partStarts: FrozenArray<UInt32>
  // By part: the test that asks for nothing else than that the value contains it, or ``RuleProgram/none``.
  fileprivate let partTests: FrozenArray<UInt32>
  // By the number of a page, 1 if some part is asked for there; empty if some is on any page.
  fileprivate let pagesOfParts: FrozenArray<UInt8>
  fileprivate let seed: UInt64

  var isEmpty: Bool { values.count == 0 && parts.count == 0 }
  /// Whether there are whole values, or parts that depend on the page.
  var hasValues: Bool { values.count > 0 }
  var byteCount: Int {
    values.byteCount + parts.byteCount + partLeaves.byteCount + partStarts.byteCount + partTests.byteCount
      + pagesOfParts.byteCount
  }

  /// - Parameters:
  ///   - seed: Of the keys.
  ///   - testNumber: The number of the test that the value contains a text, if there is one.
  init(_ builder: Builder, seed: UInt64, testNumber: ([UInt8]) -> UInt32?) {
    self.seed = seed
    var values = builder.values
    var leaves: [UInt32] = []
    var starts: [UInt32] = [0]
    var tests: [UInt32] = []
    var pagesOfParts: Set<Int> = []
    var isOnAnyPage = false
    let sorted = builder.parts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    for (part, (text, entries)) in sorted.enumerated() {
      for (pages, leaf) in entries {
        if let pages {
          for page in pages {
            values.append((Self.key(Self.key(ofPart: part, seed), onPage: page), leaf))
            pagesOfParts.insert(Int(page))
          }
        } else {
          leaves.append(leaf)
          isOnAnyPage = true
        }
      }
      starts.append(UInt32(leaves.count))
      tests.append(testNumber(text) ?? RuleProgram.none)
    }
    let pageCount = isOnAnyPage ? 0 : pagesOfParts.max().map { $0 + 1 } ?? 0
    self.values = KeyTable(values)
    parts = TextAutomaton(sorted.map(\.key))
    partLeaves = FrozenArray(leaves)
    partStarts = FrozenArray(starts)
    partTests = FrozenArray(tests)
    self.pagesOfParts = FrozenArray((0..<pageCount).map { pagesOfParts.contains($0) ? 1 : 0 })
  }

  fileprivate static func key(_ key: UInt64, onPage page: UInt32) -> UInt64 { KeyHash.mix(key, UInt64(page) &+ 1) }

  fileprivate static func key(ofPart part: Int, _ seed: UInt64) -> UInt64 {
    // What values have in the place of a text's hash, whatever it is: leaves are tried.
    KeyHash.mix(seed, ~UInt64(truncatingIfNeeded: part))
  }
}

// Methods of the place where an index lies, so that nothing of it is copied or counted.
extension UnsafeMutablePointer<TextIndex> {
  /// Calls `body` with the leaves under a whole value.
  @inline(__always)
  func forEachLeaf(value key: UInt64, page: UInt32?, _ body: (UInt32) -> Void) {
    for leaf in pointee.values.find(key) { body(leaf) }
    if let page { for leaf in pointee.values.find(TextIndex.key(key, onPage: page)) { body(leaf) } }
  }

  /// Calls `body` with the leaves under what a text contains, and `holds` with the tests for parts that do hold.
  @inline(__always)
  func forEachLeaf(
    partsOf text: UnsafeBufferPointer<UInt8>, page: UInt32?, _ scratch: inout TextAutomaton.Scratch,
    holds: (UInt32) -> Void, _ body: (UInt32) -> Void
  ) {
    guard hasParts(onPage: page) else { return }
    TextAutomaton.forEachText(of: &pointee.parts, in: text, &scratch) { part in
      let test = pointee.partTests[Int(part)]
      if test != RuleProgram.none { holds(test) }
      for leaf in pointee.partLeaves[pointee.partStarts.range(Int(part))] { body(leaf) }
      guard let page else { return }
      let key = TextIndex.key(TextIndex.key(ofPart: Int(part), pointee.seed), onPage: page)
      for leaf in pointee.values.find(key) { body(leaf) }
    }
  }

  /// Whether texts on a page may have parts that matter.
  @inline(__always)
  func hasParts(onPage page: UInt32?) -> Bool {
    guard pointee.parts.count > 0 else { return false }
    if pointee.pagesOfParts.count == 0 { return true }
    guard let page, Int(page) < pointee.pagesOfParts.count else { return false }
    return pointee.pagesOfParts[Int(page)] != 0
  }
}
