import EncircleEvents
import EncircleIdentity
import EncircleTree

/// Chooses for each clause the keys under which it is found: those of its tests that the fewest other clauses share, by
/// counting.
struct LeafFiling {
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
  private let limits: FilingLimits
  private var pending: [Pending] = []

  init(keys: PathKeys, limits: FilingLimits) {
    self.keys = keys
    self.limits = limits
  }

  /// Adds a clause.
  ///
  /// - Parameters:
  ///   - pages: The names of which the page must be one; nil for any.
  ///   - events: The names of which the event must be one; nil for any.
  ///   - tests: The tests of properties.
  mutating func add(
    clause: UInt32, pages: [UInt32]?, events: [UInt32]?, tests: [(subject: Int, condition: Condition)]
  ) {
    let values = tests.compactMap { ValueKeys($0.condition, subject: $0.subject, pages: pages) }
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
          for page in Self.pages(entry.pages, times: Int(clause.selectorCount)) {
            maker.forEachKey(of: selector) { counter.add(keys.onPage($0.key, page)) }
          }
        }
      } else {
        forEachPlainKey(entry) { counter.add($0) }
      }
      for value in entry.values { valueCounter.add(value) }
    }

    // Then the rarest is chosen.
    var result = Collected()
    for entry in pending {
      let clause = clauses[Int(entry.clause)]
      let ids = ids(of: clause)
      var cost = 0
      if !ids.isEmpty {
        for id in ids { cost += counter[keys.eventID(id)] }
      } else if clause.selectorCount > 0 {
        for selector in selectorNumbers(of: clause) {
          for page in Self.pages(entry.pages, times: Int(clause.selectorCount)) {
            cost += maker.rarest(of: selector, page, counter).count
          }
        }
      } else {
        forEachPlainKey(entry) { cost += counter[$0] }
      }
      let value = entry.values.min { valueCounter[$0] < valueCounter[$1] }
      let few = ids.isEmpty && clause.selectorCount == 0 ? limits.fewOnPage : limits.fewOnElement
      if let value, cost > few, valueCounter[value] * 2 < cost {
        result.values.append((value, result.leaf(entry.clause, -1)))
      } else if !ids.isEmpty {
        result.use.eventIDs = true
        let leaf = result.leaf(entry.clause, -1)
        for id in ids { result.leaves.append((keys.eventID(id), leaf)) }
      } else if clause.selectorCount > 0 {
        result.use.elements = true
        for selector in selectorNumbers(of: clause) {
          let leaf = result.leaf(entry.clause, Int32(selector))
          for page in Self.pages(entry.pages, times: Int(clause.selectorCount)) {
            if page == nil { result.use.elementsOnAnyPage = true }
            if let key = maker.rarest(of: selector, page, counter).key {
              result.leaves.append((keys.onPage(key.key, page), leaf))
              maker.note(key, selector, page)
            } else {
              maker.addToAutomaton(selector, leaf)
              result.use.elementsOnAnyPage = true
              break
            }
          }
        }
      } else {
        result.use.noElements = true
        let leaf = result.leaf(entry.clause, -1)
        forEachPlainKey(entry) { result.leaves.append(($0, leaf)) }
      }
      if !ids.isEmpty { result.use.eventIDs = true }
    }
    result.use.classNames = selectors.steps.contains { $0.classTest == .glob || $0.classTest == .kindOf }
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

  /// The pages to file under; any where the product would be more than linear in what was written.
  private static func pages(_ pages: [UInt32]?, times count: Int) -> [UInt32?] {
    guard let pages, pages.count * count <= 64 + 2 * (pages.count + count) else { return [nil] }
    return pages
  }

  /// Calls `body` with the keys of a clause without element.
  private func forEachPlainKey(_ entry: Pending, _ body: (UInt64) -> Void) {
    let events = entry.events?.count ?? 1
    for page in Self.pages(entry.pages, times: events) {
      // Where events and pages together were too many, by event alone.
      for event in entry.events.map({ $0 as [UInt32?] }) ?? [nil] { body(keys.noElement(event: event, page: page)) }
    }
  }
}

/// How crowded keys may be before others are looked for; decisions do not depend on it.
package struct FilingLimits: Sendable {
  /// Elements and pages are preferred to values up to so many clauses a key, as what is known of an element is remembered;
  /// elements for longer, because to try a selector for each event, the path has to be read.
  package var fewOnElement = 64
  package var fewOnPage = 4
  /// So many selectors with the same end had rather be tried than found by classes, for which every path is searched.
  package var fewAtEnd = 8

  package init() {}
}
