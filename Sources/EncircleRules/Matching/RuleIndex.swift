import EncircleIdentity
import EncircleTree

/// Finds the clauses that an event may match by what they demand of it. Says yes too often, never no wrongly.
///
/// A clause is filed once for each of its event IDs or selectors. A selector is filed under one of the classes that it
/// names, the one that the fewest selectors name, with its locator if only one will do, and under the page if the clause
/// names pages; one that names no class under the class of which its last step is a kind, or else under the page alone;
/// a clause without element under its page and event. An event is looked up under all that it has.
struct RuleIndex: Sendable {
  /// A clause, its rule, and the selector under which it was filed, or -1.
  struct Entry: Sendable {
    let rule: Int32
    let clause: Int32
    let selector: Int32
  }

  /// What keys are made of; equal keys of different demands only cost time.
  private enum Kind: UInt64 {
    case eventID = 1
    case namedClass, kindOfClass, openElement, noElement
  }

  static let any = UInt32.max

  // Open addressing with linear probing; each key's entries are entries[start ..< end]. Empty slots have end 0.
  private struct Slot: Sendable {
    var key: UInt64 = 0
    var start: Int32 = 0
    var end: Int32 = 0
  }

  private var slots: [Slot] = [Slot()]
  private var entries: [Entry] = []
  // By class: how it is used, so that most components of paths need no further look.
  private var isNamed: [Bool] = []
  private var isKindOf: [Bool] = []
  private var hasOpenElements = false
  // Names of pages and events that rules demand.
  private var names = StringTable()

  /// Collects what is to be filed, as the choice of classes needs to know all selectors.
  struct Builder {
    private var index = RuleIndex()
    private var filed: [(key: UInt64, entry: Entry)] = []
    private var selectors: [(entry: Entry, pages: [UInt32])] = []

    mutating func file(_ entry: Entry, eventID: EventID) { filed.append((RuleIndex.key(eventID), entry)) }

    mutating func file(_ entry: Entry, pages: [Name]?) { selectors.append((entry, numbers(pages))) }

    mutating func file(_ entry: Entry, pages: [Name]?, events: [Name]?) {
      for page in numbers(pages) {
        for event in numbers(events) { filed.append((RuleIndex.key(.noElement, event, page), entry)) }
      }
    }

    private mutating func numbers(_ wanted: [Name]?) -> [UInt32] {
      wanted.map { Set($0).map { index.names.intern($0.text).rawValue } } ?? [RuleIndex.any]
    }

    consuming func finish(_ table: SelectorTable, classCount: Int) -> RuleIndex {
      index.isNamed = Array(repeating: false, count: classCount)
      index.isKindOf = Array(repeating: false, count: classCount)
      var uses = Array(repeating: 0, count: classCount)
      for (entry, _) in selectors {
        for step in table.steps(of: Int(entry.selector)) where step.classTest == .name { uses[Int(step.number)] += 1 }
      }
      for (entry, pages) in selectors {
        let steps = table.steps(of: Int(entry.selector))
        let rarest = steps.lazy.filter { $0.classTest == .name }.min { uses[Int($0.number)] < uses[Int($1.number)] }
        for page in pages {
          if let rarest {
            index.isNamed[Int(rarest.number)] = true
            filed.append((RuleIndex.key(.namedClass, rarest.number, page, rarest.exactLocator), entry))
          } else if let last = steps.first, last.classTest == .kindOf {
            index.isKindOf[Int(last.number)] = true
            filed.append((RuleIndex.key(.kindOfClass, last.number, page), entry))
          } else {
            index.hasOpenElements = true
            filed.append((RuleIndex.key(.openElement, RuleIndex.any, page), entry))
          }
        }
      }
      filed.sort { $0.key < $1.key }
      index.entries = filed.map(\.entry)
      var size = 1
      while size < filed.count * 2 { size *= 2 }
      index.slots = Array(repeating: Slot(), count: size)
      var start = 0
      while start < filed.count {
        var end = start
        while end < filed.count, filed[end].key == filed[start].key { end += 1 }
        index.insert(Slot(key: filed[start].key, start: Int32(start), end: Int32(end)))
        start = end
      }
      return index
    }
  }

  private mutating func insert(_ slot: Slot) {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: slot.key) & mask
    while slots[place].end != 0 { place = (place + 1) & mask }
    slots[place] = slot
  }

  // MARK: - Keys

  private static func key(_ eventID: EventID) -> UInt64 { mix(Kind.eventID.rawValue, eventID.prefix) }

  private static func key(_ kind: Kind, _ a: UInt32, _ page: UInt32, _ locator: Locator? = nil) -> UInt64 {
    var key = mix(kind.rawValue, UInt64(a) << 32 | UInt64(page))
    func add(_ tag: UInt64, _ x: Int, _ y: Int) {
      key = mix(mix(key ^ tag, UInt64(bitPattern: Int64(x))), UInt64(bitPattern: Int64(y)))
    }
    switch locator {
    case nil, .some(.none): break
    case .index(let index): add(1, index, 0)
    case .row(let section, let row): add(2, section, row)
    case .item(let section, let item): add(3, section, item)
    case .position(let x, let y): add(4, x, y)
    }
    return key
  }

  @inline(__always)
  private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = (a ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: b ^ 0xD1B5_4A32_D192_ED03)
    return product.high ^ product.low &+ a
  }

  // MARK: - Look-up

  /// Appends the entries whose demands of element, page and event may be met, some of them more than once.
  func appendCandidates(
    eventID: EventID?, page: UnsafeBufferPointer<UInt8>?, event: UnsafeBufferPointer<UInt8>?,
    paths: borrowing CandidateElements, _ classes: borrowing ClassTable, to candidates: inout [Entry]
  ) {
    let page = page.flatMap { names.find($0)?.rawValue }
    let event = event.flatMap { names.find($0)?.rawValue }
    func visit(_ kind: Kind, _ a: UInt32, _ locator: Locator? = nil) {
      append(Self.key(kind, a, Self.any, locator), to: &candidates)
      if let page { append(Self.key(kind, a, page, locator), to: &candidates) }
    }
    if let eventID { append(Self.key(eventID), to: &candidates) }
    visit(.noElement, Self.any)
    if let event { visit(.noElement, event) }
    for i in 0..<paths.classes.count {
      let number = paths.classes[i]
      // Classes that only events name are beyond the table of the rules.
      guard Int(number) < isNamed.count, isNamed[Int(number)] else { continue }
      visit(.namedClass, number)
      if paths.locators[i] != .none { visit(.namedClass, number, paths.locators[i]) }
    }
    for end in paths.ends {
      let number = paths.classes[end - 1]
      if Int(number) < isKindOf.count, isKindOf[Int(number)] { visit(.kindOfClass, number) }
      for base in classes.superclasses(of: number) where Int(base) < isKindOf.count && isKindOf[Int(base)] {
        visit(.kindOfClass, base)
      }
    }
    if hasOpenElements, !paths.ends.isEmpty { visit(.openElement, Self.any) }
  }

  private func append(_ key: UInt64, to candidates: inout [Entry]) {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: key) & mask
    while slots[place].end != 0 {
      if slots[place].key == key {
        candidates.append(contentsOf: entries[Int(slots[place].start)..<Int(slots[place].end)])
        return
      }
      place = (place + 1) & mask
    }
  }
}

/// The readings of an event's path, one after the other.
struct CandidateElements {
  var classes: [ClassNumber] = []
  var locators: [Locator] = []
  /// Where each reading ends.
  var ends: [Int] = []

  mutating func removeAll() {
    classes.removeAll(keepingCapacity: true)
    locators.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  mutating func append(_ number: ClassNumber, _ locator: Locator) {
    classes.append(number)
    locators.append(locator)
  }

  mutating func endPath() { ends.append(classes.count) }

  /// Whether a selector matches some reading.
  func contains(_ selector: Int, of table: borrowing SelectorTable, _ classTable: borrowing ClassTable) -> Bool {
    classes.withUnsafeBufferPointer { classes in
      locators.withUnsafeBufferPointer { locators in
        var start = 0
        for end in ends {
          let path = CandidatePath(
            classes: UnsafeBufferPointer(rebasing: classes[start..<end]),
            locators: UnsafeBufferPointer(rebasing: locators[start..<end]))
          if table.matches(selector, path, classTable) { return true }
          start = end
        }
        return false
      }
    }
  }
}
