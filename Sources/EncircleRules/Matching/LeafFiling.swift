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
    let values: ValueIndex
    let use: RuleProgram.Use
  }

  // Elements and pages are preferred to values up to so many clauses a key, as what is known of an element is remembered;
  // elements for longer, because to try a selector for each event, the path has to be read.
  private static let fewOnElement = 64
  private static let fewOnPage = 4

  private let keys: PathKeys
  private var pending: [Pending] = []

  init(keys: PathKeys) { self.keys = keys }

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
    var maker = SelectorKeys(keys: keys, selectors: selectors)
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
      let few = ids.isEmpty && clause.selectorCount == 0 ? Self.fewOnPage : Self.fewOnElement
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
        let leaf = result.leaf(entry.clause, -1)
        forEachPlainKey(entry) { result.leaves.append(($0, leaf)) }
      }
      if !ids.isEmpty { result.use.eventIDs = true }
    }
    result.use.classNames = selectors.steps.contains { $0.classTest == .glob || $0.classTest == .kindOf }
    return Filed(
      index: maker.freeze(classCount: classCount), leaves: KeyTable(result.leaves), leafRecords: result.records,
      values: ValueIndex(result.values), use: result.use)
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

/// Makes the keys of selectors, and collects what an index over them needs.
struct SelectorKeys {
  /// A key under which a selector can be filed.
  struct Key {
    enum Form {
      /// The last so many steps with a mask.
      case end(length: Int, mask: UInt32, erased: UInt64, isWhole: Bool)
      case singleClass(ClassNumber)
      case singleComponent(ClassNumber)
      case pair(outer: ClassNumber)
    }

    let key: UInt64
    let form: Form
  }

  // Looking for classes costs every path something, so that so many selectors with the same end had rather be tried.
  private static let fewAtEnd = 8

  private let keys: PathKeys
  private let selectors: SelectorTable.Builder
  private var masks = StringTable()
  private var maskEntries: [UInt32] = []
  private var maskStarts: [UInt32] = [0]
  private var uses: [(key: UInt64, value: UInt32)] = []
  private var endLengths: Set<Int> = []
  private var hasWholePaths = false
  private var classUses: [ClassNumber: UInt8] = [:]
  private var automaton = SelectorAutomaton.Builder()

  init(keys: PathKeys, selectors: SelectorTable.Builder) {
    self.keys = keys
    self.selectors = selectors
  }

  /// Calls `body` with the keys of a selector; with none if it names no class.
  mutating func forEachKey(of selector: Int, _ body: (Key) -> Void) {
    let numbers = selectors.steps(of: selector)
    let steps = selectors.steps
    var length = 0
    for number in numbers {
      if steps[Int(number)].classTest != .name { break }
      length += 1
    }
    let isWhole = length == numbers.count
    if length > 0 { body(endKey(numbers.prefix(length), isWhole: isWhole)) }
    // The end is all there is to such a selector, but for a beginning at any depth.
    let isEndOnly =
      isWhole || (length == numbers.count - 1 && steps[Int(numbers[numbers.startIndex + length])] == .anyNumber)
    if isEndOnly { return }
    var inner: ClassNumber?
    for number in numbers {
      let step = steps[Int(number)]
      guard step.classTest == .name else {
        inner = nil
        continue
      }
      let hash = keys.classHash(step.number)
      body(Key(key: keys.singleClass(hash), form: .singleClass(step.number)))
      let mask = step.mask
      if mask.mode == .full {
        let full = keys.hash(.full, hash, mask.kind, mask.first, mask.second)
        body(Key(key: keys.singleComponent(full), form: .singleComponent(step.number)))
      }
      if let inner {
        body(Key(key: keys.pair(hash, keys.classHash(inner)), form: .pair(outer: step.number)))
      }
      inner = step.number
    }
  }

  /// The key of a selector that the fewest others on the page have; nil without any.
  mutating func rarest(of selector: Int, _ page: UInt32?, _ counter: KeyCounter) -> (key: Key?, count: Int) {
    var best: Key?
    var least = Int.max
    let keys = keys
    forEachKey(of: selector) { key in
      let count = counter[keys.onPage(key.key, page)]
      // The first one, which is that of the end, unless many have it and another is clearly rarer.
      if best == nil || (least > Self.fewAtEnd && count * 2 < least) { (best, least) = (key, count) }
    }
    return (best, best == nil ? 1 : least)
  }

  private mutating func endKey(_ numbers: ArraySlice<UInt32>, isWhole: Bool) -> Key {
    var sum: UInt64 = 0
    var masked: UInt64 = 0
    scratch.removeAll(keepingCapacity: true)
    for (position, number) in numbers.enumerated() {
      let step = selectors.steps[Int(number)]
      let hash = keys.classHash(step.number)
      let term = keys.term(hash, at: position)
      sum = sum &+ term
      let mask = step.mask
      if mask.mode == .classOnly {
        masked = masked &+ term
      } else {
        masked = masked &+ keys.term(keys.hash(mask.mode, hash, mask.kind, mask.first, mask.second), at: position)
        scratch.append(UInt32(position) << 3 | UInt32(mask.mode.rawValue))
      }
    }
    let entries = scratch
    let mask = entries.withUnsafeBytes { masks.intern($0.bindMemory(to: UInt8.self)).rawValue }
    if Int(mask) == maskStarts.count - 1 {
      maskEntries += scratch
      maskStarts.append(UInt32(maskEntries.count))
    }
    return Key(
      key: keys.masked(masked, mask: mask, isWhole: isWhole),
      form: .end(
        length: numbers.count, mask: mask, erased: keys.erased(sum, length: numbers.count, isWhole: isWhole),
        isWhole: isWhole))
  }

  private var scratch: [UInt32] = []

  /// Notes under what a selector has been filed.
  mutating func note(_ key: Key, _ selector: Int, _ page: UInt32?) {
    switch key.form {
    case .end(let length, let mask, let erased, let isWhole):
      uses.append((erased, mask << 2 | (page == nil ? 2 : 1)))
      if isWhole { hasWholePaths = true } else { endLengths.insert(length) }
    case .singleClass(let number): classUses[number, default: 0] |= PathIndex.singleClass
    case .singleComponent(let number): classUses[number, default: 0] |= PathIndex.singleComponent
    case .pair(let number): classUses[number, default: 0] |= PathIndex.outerOfPair
    }
  }

  mutating func addToAutomaton(_ selector: Int, _ leaf: UInt32) {
    automaton.add(selectors.steps(of: selector), selectors.steps, leaf)
  }

  func freeze(classCount: Int) -> PathIndex {
    // One entry a mask, which says whether it is used with pages, without, or both.
    var sorted = uses
    sorted.sort { $0.key != $1.key ? $0.key < $1.key : $0.value < $1.value }
    var merged: [(key: UInt64, value: UInt32)] = []
    for use in sorted {
      if let last = merged.last, last.key == use.key, last.value >> 2 == use.value >> 2 {
        merged[merged.count - 1].value |= use.value
      } else {
        merged.append(use)
      }
    }
    var isEndLength = [UInt8](repeating: 0, count: (endLengths.max() ?? 0) + 1)
    for length in endLengths { isEndLength[length] = 1 }
    var usesOfClass = [UInt8](repeating: 0, count: classUses.isEmpty ? 0 : classCount)
    for (number, use) in classUses { usesOfClass[Int(number)] = use }
    return PathIndex(
      keys: keys, erased: KeyTable(merged), masks: FrozenArray(maskEntries), maskStarts: FrozenArray(maskStarts),
      isEndLength: FrozenArray(isEndLength), hasWholePaths: hasWholePaths, classUses: FrozenArray(usesOfClass),
      usesClasses: !classUses.isEmpty, automaton: automaton.freeze())
  }
}
