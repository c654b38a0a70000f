import EncircleIdentity
import EncircleText

/// Builds the ``RuleIndex``: files each clause under the keys that it shares with the fewest other clauses.
///
/// It makes two passes over the clauses: the first counts how many clauses share each possible key, the second chooses the rarest.
struct IndexBuilder {
  /// A clause with every key under which it could be filed, other than event IDs and selectors.
  private struct Candidate {
    let clause: UInt32
    let pages: [UInt32]?
    let events: [UInt32]?
    let values: [ValueKeys]
  }

  private let keys: PathKeys
  private let limits: IndexLimits
  private var candidates: [Candidate] = []

  init(keys: PathKeys, limits: IndexLimits) {
    self.keys = keys
    self.limits = limits
  }

  /// Reserves memory for a number of clauses.
  mutating func reserve(_ count: Int) { candidates.reserveCapacity(count) }

  /// Adds a clause.
  ///
  /// - Parameters:
  ///   - pages: The numbers of the pages; one must be the event's page. Nil for any.
  ///   - events: The numbers of the event names; one must be the event's name. Nil for any.
  ///   - values: The keys of tests that require certain values of properties.
  mutating func add(clause: UInt32, pages: [UInt32]?, events: [UInt32]?, values: [ValueKeys]) {
    candidates.append(Candidate(clause: clause, pages: pages, events: events, values: values))
  }

  /// Builds the index over all added clauses.
  ///
  /// - Complexity: O(size of the clauses), plus a sort of keys.
  func build(
    _ clauses: ClauseTable.Builder, _ selectors: SelectorTable.Builder, _ tests: borrowing TestTable, classCount: Int
  ) -> RuleIndex {
    let choice = KeyChoice(keys: keys, limits: limits, clauses: clauses, selectors: selectors)
    for candidate in candidates { choice.count(candidate) }
    for candidate in candidates { choice.insert(candidate) }
    return choice.freeze(tests, classCount: classCount)
  }

  /// Counts keys, then chooses among them. It is a class because closures over the selectors' keys change the counters.
  private final class KeyChoice {
    private let keys: PathKeys
    private let limits: IndexLimits
    private let clauses: ClauseTable.Builder
    private var selectorKeys: SelectorKeys
    private var counter = KeyCounter()
    private var valueCounter = ValueIndex.Counter()
    // The result.
    private var entries: [RuleIndex.Entry] = []
    private var buckets: [(key: UInt64, value: UInt32)] = []
    private var values: [(keys: ValueKeys, entry: UInt32)] = []
    private var features = RuleIndex.Features()

    init(keys: PathKeys, limits: IndexLimits, clauses: ClauseTable.Builder, selectors: SelectorTable.Builder) {
      self.keys = keys
      self.limits = limits
      self.clauses = clauses
      selectorKeys = SelectorKeys(keys: keys, limits: limits, selectors: selectors)
    }

    /// Counts every key that a clause could have.
    func count(_ candidate: Candidate) {
      let clause = clauses[candidate.clause]
      let ids = clauses.eventIDs(of: clause)
      if !ids.isEmpty {
        for id in ids { counter.add(keys.eventID(id)) }
      } else if clause.selectorCount > 0 {
        for selector in clause.selectors {
          selectorKeys.forEachKey(of: selector) { key in
            Self.forEachPage(candidate.pages, times: Int(clause.selectorCount)) {
              counter.add(keys.onPage(key.key, $0))
            }
          }
        }
      } else {
        forEachPlainKey(candidate) { counter.add($0) }
      }
      for value in candidate.values { valueCounter.add(value) }
    }

    /// Puts a clause under its rarest keys.
    func insert(_ candidate: Candidate) {
      let clause = clauses[candidate.clause]
      let ids = clauses.eventIDs(of: clause)
      if !ids.isEmpty { features.eventIDs = true }
      if let value = rarestValue(of: candidate), isCheaper(value, candidate, clause, ids) {
        values.append((value, newEntry(candidate.clause)))
      } else if !ids.isEmpty {
        let entry = newEntry(candidate.clause)
        for id in ids { buckets.append((keys.eventID(id), entry)) }
      } else if clause.selectorCount > 0 {
        for selector in clause.selectors { insert(selector, of: candidate, times: Int(clause.selectorCount)) }
      } else {
        features.noElements = true
        let entry = newEntry(candidate.clause)
        forEachPlainKey(candidate) { buckets.append(($0, entry)) }
      }
    }

    private func insert(_ selector: Int, of candidate: Candidate, times count: Int) {
      features.elements = true
      let entry = newEntry(candidate.clause, selector: Int32(selector))
      var hasKey = false
      Self.forEachPage(candidate.pages, times: count) { page in
        guard let (key, _) = selectorKeys.rarest(of: selector, page, counter) else { return }
        if page == nil { features.elementsOnAnyPage = true }
        buckets.append((keys.onPage(key.key, page), entry))
        selectorKeys.use(key, of: selector, page)
        hasKey = true
      }
      if !hasKey {
        selectorKeys.addToAutomaton(selector, entry: entry)
        features.elementsOnAnyPage = true
      }
    }

    private func newEntry(_ clause: UInt32, selector: Int32 = -1) -> UInt32 {
      entries.append(RuleIndex.Entry(clause: clause, selector: selector))
      return UInt32(entries.count - 1)
    }

    private func rarestValue(of candidate: Candidate) -> ValueKeys? {
      guard candidate.values.count > 1 else { return candidate.values.first }
      return candidate.values.min { valueCounter[$0] < valueCounter[$1] }
    }

    /// Returns whether clearly fewer clauses share a value of a clause than share its element, page and event.
    private func isCheaper(
      _ value: ValueKeys, _ candidate: Candidate, _ clause: ClauseTable.Record, _ ids: ArraySlice<EventID>
    ) -> Bool {
      let cost = cost(of: candidate, clause, ids)
      let most = ids.isEmpty && clause.selectorCount == 0 ? limits.maximumOnPage : limits.maximumOnElement
      return cost > most && valueCounter[value] * 2 < cost
    }

    /// Returns the number of clauses that are found together with a clause, by element, page and event.
    private func cost(
      of candidate: Candidate, _ clause: ClauseTable.Record, _ ids: ArraySlice<EventID>
    ) -> Int {
      var cost = 0
      if !ids.isEmpty {
        for id in ids { cost += counter[keys.eventID(id)] }
      } else if clause.selectorCount > 0 {
        for selector in clause.selectors {
          Self.forEachPage(candidate.pages, times: Int(clause.selectorCount)) {
            cost += selectorKeys.rarest(of: selector, $0, counter)?.count ?? 1
          }
        }
      } else {
        forEachPlainKey(candidate) { cost += counter[$0] }
      }
      return cost
    }

    func freeze(_ tests: borrowing TestTable, classCount: Int) -> RuleIndex {
      features.classNames = selectorKeys.steps.contains { $0.classTest == .glob || $0.classTest == .kindOf }
      return RuleIndex(
        paths: selectorKeys.freeze(classCount: classCount), buckets: KeyTable(buckets), entries: FrozenArray(entries),
        values: ValueIndex(values, tests), features: features)
    }

    /// Calls `body` with each page that belongs in the keys. It is called once with nil, for any page, if `pages` is nil, or if
    /// pages times `count` is far more than their sum: the keys would then outgrow the rule.
    private static func forEachPage(_ pages: [UInt32]?, times count: Int, _ body: (UInt32?) -> Void) {
      guard let pages, pages.count * count <= 64 + 2 * (pages.count + count) else { return body(nil) }
      for page in pages { body(page) }
    }

    /// Calls `body` with the keys of a clause that names no element.
    private func forEachPlainKey(_ candidate: Candidate, _ body: (UInt64) -> Void) {
      Self.forEachPage(candidate.pages, times: candidate.events?.count ?? 1) { page in
        guard let events = candidate.events else { return body(keys.noElement(event: nil, page: page)) }
        for event in events { body(keys.noElement(event: event, page: page)) }
      }
    }
  }
}

/// The number of clauses at which one kind of key gives way to another. Decisions do not depend on it.
package struct IndexLimits: Sendable {
  /// The maximum number of clauses under an element before values are considered. Elements are preferred because the results for an
  /// element are cached.
  package var maximumOnElement = 64
  /// The maximum number of clauses under a page or event before values are considered.
  package var maximumOnPage = 4
  /// The maximum number of selectors under one end before single classes are considered. Single classes are looked up for every
  /// path.
  package var maximumAtEnd = 8

  package init() {}
}
