import EncircleIdentity
import EncircleTree

/// Finds the clauses that an event may match by what they demand of it.
///
/// A clause is filed once for each of its event IDs or selectors; a selector under the class and, if exact, the locator
/// of its last step and under the page, if the clause names pages; one whose last step is open under the page alone; a
/// clause without element under its page and event. An event is looked up under all combinations of what it has.
struct RuleIndex: Sendable {
  /// A clause and the selector under which it was filed.
  struct Entry: Sendable {
    let clause: Int
    let selector: Int?
  }

  private struct Key: Hashable {
    enum Kind: UInt32 {
      case element, openElement, noElement
    }
    let kind: Kind
    // Numbers of what is demanded, or `any`.
    let a: UInt32
    let locator: Locator?
    let page: UInt32
  }

  private static let any = UInt32.max

  private var byEventID: [EventID: [Entry]] = [:]
  private var byKey: [Key: [Entry]] = [:]
  // Names of pages and events that rules demand.
  private var names = StringTable()

  mutating func file(_ entry: Entry, eventID: EventID) { byEventID[eventID, default: []].append(entry) }

  mutating func file(_ entry: Entry, _ selector: CompiledSelector, _ pattern: Selector, pages: [Name]?) {
    for page in numbers(pages) {
      switch selector.lastStep {
      case (.name(let number), let locator)?:
        byKey[Key(kind: .element, a: number, locator: locator?.exact, page: page), default: []].append(entry)
      case (.kindOf(let number), let locator)?:
        // Found by way of the element's superclasses.
        byKey[Key(kind: .element, a: number, locator: locator?.exact, page: page), default: []].append(entry)
      default: byKey[Key(kind: .openElement, a: Self.any, locator: nil, page: page), default: []].append(entry)
      }
    }
  }

  mutating func file(_ entry: Entry, pages: [Name]?, events: [Name]?) {
    for page in numbers(pages) {
      for event in numbers(events) {
        byKey[Key(kind: .noElement, a: event, locator: nil, page: page), default: []].append(entry)
      }
    }
  }

  private mutating func numbers(_ wanted: [Name]?) -> [UInt32] {
    wanted.map { Set($0).sorted().map { names.intern($0.text).rawValue } } ?? [Self.any]
  }

  /// Calls `body` with the entries whose demands of element, page and event are met, some of them more than once.
  func forEachCandidate(_ state: borrowing MatchState, _ matcher: Matcher, _ body: (Entry) -> Void) {
    func number(_ value: EventValues.Value) -> UInt32? {
      guard case .string(let range) = value else { return nil }
      return state.values.withString(range) { names.find($0)?.rawValue }
    }
    let page = number(state.pageValue(matcher))
    func visit(_ kind: Key.Kind, _ a: UInt32, _ locator: Locator?) {
      byKey[Key(kind: kind, a: a, locator: locator, page: Self.any)]?.forEach(body)
      if let page { byKey[Key(kind: kind, a: a, locator: locator, page: page)]?.forEach(body) }
    }
    if let eventID = state.eventID { byEventID[eventID]?.forEach(body) }
    visit(.noElement, Self.any, nil)
    if let event = number(state.value(of: .event, matcher)) { visit(.noElement, event, nil) }
    for (number, locator) in state.elements {
      for a in CollectionOfOne(number) + state.classes.superclasses(of: number) {
        visit(.element, a, nil)
        if locator != .none { visit(.element, a, locator) }
      }
    }
    if !state.elements.isEmpty { visit(.openElement, Self.any, nil) }
  }
}

extension Selector.LocatorPattern {
  /// The only locator that the pattern takes; nil if it takes several, or none.
  var exact: Locator? {
    func value(_ test: Selector.NumberTest) -> Int? {
      if case .range(let lower?, let upper?) = test, lower == upper { lower } else { nil }
    }
    switch self {
    case .none: return nil
    case .index(let test): return value(test).map { .index($0) }
    case .fields(let tests):
      var values: [Selector.Field: Int] = [:]
      for field in tests { values[field.field] = value(field.test) }
      if let section = values[.section], let row = values[.row] { return .row(section: section, row: row) }
      if let section = values[.section], let item = values[.item] { return .item(section: section, item: item) }
      if let x = values[.indexx], let y = values[.indexy] { return .position(x: x, y: y) }
      return nil
    }
  }
}
