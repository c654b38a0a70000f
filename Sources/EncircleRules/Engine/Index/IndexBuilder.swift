import EncircleEvents
import EncircleIdentity
import EncircleText

/// Chooses for each clause the keys under which it is found: those of its tests that the fewest other clauses share, by
/// counting.
struct IndexBuilder {
  private struct Pending {
    let clause: UInt32
    let pages: [UInt32]?
    let events: [UInt32]?
    let values: [ValueKeys]
  }

  /// What is filed under keys.
  struct Filed: ~Copyable {
    let index: PathIndex
    let leaves: KeyTable
    let leafRecords: [RuleProgram.Leaf]
    let values: [(keys: ValueKeys, leaf: UInt32)]
    let use: RuleProgram.Use
  }

  private let keys: PathKeys
  private let limits: IndexLimits
  private var pending: [Pending] = []

  init(keys: PathKeys, limits: IndexLimits) {
    self.keys = keys
    self.limits = limits
  }

  /// Makes room for clauses.
  mutating func reserve(_ count: Int) { pending.reserveCapacity(count) }

  /// Adds a clause.
  ///
  /// - Parameters:
  ///   - pages: The names of which the page must be one; nil for any.
  ///   - events: The names of which the event must be one; nil for any.
  ///   - values: What values it demands of properties.
  mutating func add(clause: UInt32, pages: [UInt32]?, events: [UInt32]?, values: [ValueKeys]) {
    pending.append(Pending(clause: clause, pages: pages, events: events, values: values))
  }

  /// Files all clauses.
  func file(
    clauses: [RuleProgram.ClauseRecord], clauseExtras: [RuleProgram.ClauseExtras], eventIDs: [EventID],
    selectors: SelectorTable.Builder, classCount: Int
  ) -> Filed {
    var maker = SelectorKeys(keys: keys, limits: limits, selectors: selectors)
    var counter = KeyCounter()
    var valueCounter = ValueIndex.Counter()
    func ids(of clause: RuleProgram.ClauseRecord) -> ArraySlice<EventID> {
      guard clause.extras != RuleProgram.none else { return [] }
      let extras = clauseExtras[Int(clause.extras)]
      return eventIDs[Int(extras.idStart)..<Int(extras.idStart + extras.idCount)]
    }
    func selectorNumbers(of clause: RuleProgram.ClauseRecord) -> Range<Int> {
      Int(clause.selectorStart)..<Int(clause.selectorStart + clause.selectorCount)
    }

    // First all that a clause could be filed under is counted.
    for entry in pending {
      let clause = clauses[Int(entry.clause)]
      let ids = ids(of: clause)
      if !ids.isEmpty {
        for id in ids { counter.add(keys.eventID(id)) }
      } else if clause.selectorCount > 0 {
        for selector in selectorNumbers(of: clause) {
          maker.forEachKey(of: selector) { key in
            Self.forEachPage(entry.pages, times: Int(clause.selectorCount)) { counter.add(keys.onPage(key.key, $0)) }
          }
        }
      } else {
        forEachPlainKey(entry) { counter.add($0) }
      }
      for value in entry.values { valueCounter.add(value) }
    }

    // How many others are found with a clause that is filed under what it demands of the element, page and event.
    func cost(of entry: Pending, _ clause: RuleProgram.ClauseRecord, _ ids: ArraySlice<EventID>) -> Int {
      var cost = 0
      if !ids.isEmpty {
        for id in ids { cost += counter[keys.eventID(id)] }
      } else if clause.selectorCount > 0 {
        for selector in selectorNumbers(of: clause) {
          Self.forEachPage(entry.pages, times: Int(clause.selectorCount)) {
            cost += maker.rarest(of: selector, $0, counter)?.count ?? 1
          }
        }
      } else {
        forEachPlainKey(entry) { cost += counter[$0] }
      }
      return cost
    }
    func isCheaper(_ value: ValueKeys, _ entry: Pending, _ clause: RuleProgram.ClauseRecord, _ ids: ArraySlice<EventID>)
      -> Bool
    {
      let cost = cost(of: entry, clause, ids)
      let few = ids.isEmpty && clause.selectorCount == 0 ? limits.fewOnPage : limits.fewOnElement
      return cost > few && valueCounter[value] * 2 < cost
    }

    // Then the rarest is chosen.
    var result = Collected()
    for entry in pending {
      let clause = clauses[Int(entry.clause)]
      let ids = ids(of: clause)
      let value = entry.values.count < 2 ? entry.values.first : entry.values.min { valueCounter[$0] < valueCounter[$1] }
      if let value, isCheaper(value, entry, clause, ids) {
        result.values.append((value, result.leaf(entry.clause, -1)))
      } else if !ids.isEmpty {
        result.use.eventIDs = true
        let leaf = result.leaf(entry.clause, -1)
        for id in ids { result.leaves.append((keys.eventID(id), leaf)) }
      } else if clause.selectorCount > 0 {
        result.use.elements = true
        for selector in selectorNumbers(of: clause) {
          let leaf = result.leaf(entry.clause, Int32(selector))
          var isFiled = false
          Self.forEachPage(entry.pages, times: Int(clause.selectorCount)) { page in
            guard let (key, _) = maker.rarest(of: selector, page, counter) else { return }
            if page == nil { result.use.elementsOnAnyPage = true }
            result.leaves.append((keys.onPage(key.key, page), leaf))
            maker.note(key, selector, page)
            isFiled = true
          }
          if !isFiled {
            maker.addToAutomaton(selector, leaf)
            result.use.elementsOnAnyPage = true
          }
        }
      } else {
        result.use.noElements = true
        let leaf = result.leaf(entry.clause, -1)
        forEachPlainKey(entry) { result.leaves.append(($0, leaf)) }
      }
      if !ids.isEmpty { result.use.eventIDs = true }
    }
    result.use.classNames = maker.steps.contains { $0.classTest == .glob || $0.classTest == .kindOf }
    return Filed(
      index: maker.freeze(classCount: classCount), leaves: KeyTable(result.leaves), leafRecords: result.records,
      values: result.values, use: result.use)
  }

  private struct Collected {
    var leaves: [(key: UInt64, value: UInt32)] = []
    var values: [(keys: ValueKeys, leaf: UInt32)] = []
    var records: [RuleProgram.Leaf] = []
    var use = RuleProgram.Use()

    mutating func leaf(_ clause: UInt32, _ selector: Int32) -> UInt32 {
      records.append(RuleProgram.Leaf(clause: clause, selector: selector))
      return UInt32(records.count - 1)
    }
  }

  /// Calls `body` with the pages to file under; with nil, any, where the product would be more than linear in what was
  /// written.
  private static func forEachPage(_ pages: [UInt32]?, times count: Int, _ body: (UInt32?) -> Void) {
    guard let pages, pages.count * count <= 64 + 2 * (pages.count + count) else { return body(nil) }
    for page in pages { body(page) }
  }

  /// Calls `body` with the keys of a clause without element.
  private func forEachPlainKey(_ entry: Pending, _ body: (UInt64) -> Void) {
    let events = entry.events?.count ?? 1
    // Where events and pages together were too many, by event alone.
    Self.forEachPage(entry.pages, times: events) { page in
      guard let events = entry.events else { return body(keys.noElement(event: nil, page: page)) }
      for event in events { body(keys.noElement(event: event, page: page)) }
    }
  }
}

/// How crowded keys may be before others are looked for; decisions do not depend on it.
package struct IndexLimits: Sendable {
  /// Elements and pages are preferred to values up to so many clauses a key, as what is known of an element is remembered;
  /// elements for longer, because to try a selector for each event, the path has to be read.
  package var fewOnElement = 64
  package var fewOnPage = 4
  /// So many selectors with the same end had rather be tried than found by classes, for which every path is searched.
  package var fewAtEnd = 8

  package init() {}
}
