import EncircleText

/// Finds entries by the texts of one property: whole values by hash, parts by one automaton, so that a text is read once for
/// all rules.
struct TextIndex: ~Copyable, Sendable {
  /// Collects entries.
  struct Builder {
    fileprivate var values: [(key: UInt64, value: UInt32)] = []
    fileprivate var parts: [[UInt8]: [(pages: [UInt32]?, entry: UInt32)]] = [:]

    /// Files an entry under a whole value.
    ///
    /// - Parameter pages: The numbers of the pages on which the entry is found; nil for any.
    mutating func add(value key: UInt64, pages: [UInt32]?, entry: UInt32) {
      guard let pages else { return values.append((key, entry)) }
      for page in pages { values.append((TextIndex.key(key, onPage: page), entry)) }
    }

    /// Puts an entry under a part of the value.
    mutating func add(part: [UInt8], pages: [UInt32]?, entry: UInt32) {
      parts[part, default: []].append((pages, entry))
    }
  }

  // Entries under whole values, and under parts on certain pages.
  private let values: KeyTable
  private let automaton: TextAutomaton
  // Entries under parts on any page: partEntries[partStarts[part] ..< partStarts[part + 1]].
  private let partEntries: FrozenArray<UInt32>
  private let partStarts: FrozenArray<UInt32>
  // For each part, the number of the test that does nothing but check that the value contains the part, or
  // RuleProgram.none.
  private let partTests: FrozenArray<UInt32>
  // For each page, by number, 1 if some part is looked for there; empty if some part is looked for on any page.
  private let pagesOfParts: FrozenArray<UInt8>
  private let seed: UInt64

  var isEmpty: Bool { values.count == 0 && automaton.count == 0 }
  /// This is true if there are entries under whole values, or under parts on certain pages.
  var hasValues: Bool { values.count > 0 }
  var byteCount: Int {
    values.byteCount + automaton.byteCount + partEntries.byteCount + partStarts.byteCount + partTests.byteCount
      + pagesOfParts.byteCount
  }

  /// - Parameters:
  ///   - seed: The seed of the keys.
  ///   - testNumber: Returns the number of the test that the value contains a text, if there is such a test.
  init(_ builder: Builder, seed: UInt64, testNumber: ([UInt8]) -> UInt32?) {
    self.seed = seed
    var values = builder.values
    var entries: [UInt32] = []
    var starts: [UInt32] = [0]
    var tests: [UInt32] = []
    var pagesOfParts: Set<Int> = []
    var isOnAnyPage = false
    let sorted = builder.parts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    for (part, (text, added)) in sorted.enumerated() {
      for (pages, entry) in added {
        if let pages {
          for page in pages {
            values.append((Self.key(Self.key(ofPart: part, seed), onPage: page), entry))
            pagesOfParts.insert(Int(page))
          }
        } else {
          entries.append(entry)
          isOnAnyPage = true
        }
      }
      starts.append(UInt32(entries.count))
      tests.append(testNumber(text) ?? RuleProgram.none)
    }
    let pageCount = isOnAnyPage ? 0 : pagesOfParts.max().map { $0 + 1 } ?? 0
    self.values = KeyTable(values)
    automaton = TextAutomaton(sorted.map(\.key))
    partEntries = FrozenArray(entries)
    partStarts = FrozenArray(starts)
    partTests = FrozenArray(tests)
    self.pagesOfParts = FrozenArray((0..<pageCount).map { pagesOfParts.contains($0) ? 1 : 0 })
  }

  /// Calls `body` with the entries under a whole value.
  @inline(__always)
  func forEachEntry(value key: UInt64, page: UInt32?, _ body: (UInt32) -> Void) {
    for entry in values.find(key) { body(entry) }
    if let page { for entry in values.find(Self.key(key, onPage: page)) { body(entry) } }
  }

  /// Calls `body` with the entries under the parts of a text, and `holds` with the tests of parts that are found to hold.
  ///
  /// - Complexity: O(length of the text + entries).
  @inline(__always)
  func forEachEntry(
    partsOf text: UnsafeBufferPointer<UInt8>, page: UInt32?, _ scratch: inout TextAutomaton.Scratch,
    holds: (UInt32) -> Void, _ body: (UInt32) -> Void
  ) {
    guard hasParts(onPage: page) else { return }
    automaton.forEachText(in: text, &scratch) { part in
      let test = partTests[Int(part)]
      if test != RuleProgram.none { holds(test) }
      for entry in partEntries[partStarts.range(Int(part))] { body(entry) }
      guard let page else { return }
      for entry in values.find(Self.key(Self.key(ofPart: Int(part), seed), onPage: page)) { body(entry) }
    }
  }

  /// Returns whether some part is looked for in texts on a page.
  @inline(__always) private func hasParts(onPage page: UInt32?) -> Bool {
    guard automaton.count > 0 else { return false }
    if pagesOfParts.count == 0 { return true }
    guard let page, Int(page) < pagesOfParts.count else { return false }
    return pagesOfParts[Int(page)] != 0
  }

  fileprivate static func key(_ key: UInt64, onPage page: UInt32) -> UInt64 { KeyHash.mix(key, UInt64(page) &+ 1) }

  // May collide with the key of a whole value, which is harmless because every candidate is evaluated.
  private static func key(ofPart part: Int, _ seed: UInt64) -> UInt64 {
    KeyHash.mix(seed, ~UInt64(truncatingIfNeeded: part))
  }
}
