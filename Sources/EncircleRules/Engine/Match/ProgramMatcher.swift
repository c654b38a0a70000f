import CProcessor
import EncircleEvents
import EncircleText

/// Matches one event after the other against one program: finds the entries for the event's keys, and evaluates their clauses.
///
/// The event is in the ``MatchInput``, which an ``EventMatcher`` and all its program matchers share.
struct ProgramMatcher: ~Copyable {
  let program: UnsafePointer<RuleProgram>
  /// The numbers that the program's first rule and first clause have in the matcher.
  let firstRule: UInt32
  let firstClause: UInt32
  // Keeps the program alive.
  private let owner: SharedProgram
  private let input: UnsafeMutablePointer<MatchInput>
  /// The classes of the rules, and those that events have named since.
  private(set) var classes: ClassTable
  // The event's path as numbers: one reading, or a graph if there are several.
  private var path = NumberedPath()
  private var graph = NumberedGraph()
  private var isAmbiguous = false
  // The number of components from the last one up that may be the element; see ``ElementPath/endCount``.
  private var endCount = 1
  private var hasReadPath = false
  private var graphMatcher = GraphMatcher()
  // The lengths of all class names that selectors can match; found when the first ambiguous path comes.
  private var nameLengths: [Int]?
  /// The entries that were collected last, some of them more than once.
  private(set) var candidates = GrowingBuffer<UInt32>()
  private var pathScratch = PathIndex.Scratch()
  private var valueScratch = ValueIndex.Scratch()
  // For each test, twice the last round that evaluated it, plus one if it held. A round is one event.
  private var testRounds = GrowingBuffer<UInt32>()
  private var round: UInt32 = 0

  // The memory limit for classes, including those that events name: hostile events could otherwise name new classes for ever.
  private let classByteLimit: Int
  private static let eventClassBytes = 16 << 20
  // The number of candidates that are prefetched together.
  private static let batchSize = 16

  init(_ owner: SharedProgram, _ input: UnsafeMutablePointer<MatchInput>, firstRule: Int, firstClause: Int) {
    self.owner = owner
    self.input = input
    self.firstRule = UInt32(firstRule)
    self.firstClause = UInt32(firstClause)
    program = owner.program
    classes = program.pointee.classes.copyOfTable()
    classByteLimit = classes.byteCount + Self.eventClassBytes
    testRounds.append(repeating: 0, count: program.pointee.tests.count)
  }

  /// Turns to the event of the input.
  @inline(__always) mutating func begin() {
    hasReadPath = false
    round &+= 1
    if round == 1 << 31 {
      for i in 0..<testRounds.count { testRounds[i] = 0 }
      round = 1
    }
  }

  /// The number of the event's page, if rules name it. It is final only after the element has been resolved.
  @inline(__always) var page: UInt32? { program.pointee.names.number(input.pointee.page) }

  // MARK: - Finding candidates

  /// Collects the entries that the event's element, page and name lead to. The element must be resolved.
  mutating func collectCandidates(page: UInt32?) {
    candidates.removeAll()
    // Copies of the pointers, as the closures change this matcher.
    let (program, input) = (program, input)
    if program.pointee.index.features.eventIDs, let id = input.pointee.eventID() {
      candidates.append(contentsOf: program.pointee.index.entries(forEventID: id))
    }
    program.pointee.index.forEachEntry(
      event: program.pointee.names.number(input.pointee.value(of: .event)), page: page
    ) { candidates.append(contentsOf: $0) }
    // If all selectors are limited to pages, a page that no rule names makes the path irrelevant.
    let features = program.pointee.index.features
    guard features.elements, page != nil || features.elementsOnAnyPage else { return }
    readPath()
    if isAmbiguous {
      collectCandidatesOfGraph(page: page)
    } else {
      for dropped in 0..<min(endCount, max(1, path.components.count)) {
        let end = path.components[0..<path.components.count - dropped]
        program.pointee.index.forEachEntry(
          matching: end, page: page, program.pointee.selectors, classes, &pathScratch
        ) { candidates.append($0) }
      }
    }
  }

  /// Collects the entries that any reading may lead to: by the keys of its parts, and all entries that have no keys.
  private mutating func collectCandidatesOfGraph(page: UInt32?) {
    let program = program
    let isComplete = graph.forEachKnownPart { part in
      program.pointee.index.forEachEntry(withKeysOf: part, page: page, &pathScratch) { candidates.append($0) }
    }
    if isComplete {
      candidates.append(contentsOf: program.pointee.index.paths.automaton.accepts.all)
    } else {
      candidates.removeAll()
      for entry in 0..<program.pointee.index.entries.count { candidates.append(UInt32(entry)) }
    }
  }

  /// Collects the entries that the values of the event's properties lead to.
  mutating func collectCandidatesByValues(page: UInt32?) {
    candidates.removeAll()
    program.pointee.index.values.forEachEntry(
      input.pointee.values.pointee, page: page, &valueScratch,
      holds: { testRounds[Int($0)] = round << 1 | 1 }, { candidates.append($0) })
  }

  /// Returns true if the page, the event's name and the last classes of the path show that no rule is about the element,
  /// unless an event ID names it.
  ///
  /// - Parameter names: The last class names, the last one first, at most ``SuffixPrefilter/depth`` of them.
  @inline(__always)
  mutating func prefilterRejects(_ names: UnsafeBufferPointer<UnsafeBufferPointer<UInt8>>, page: UInt32?) -> Bool {
    var hasEntries = false
    program.pointee.index.forEachEntry(
      event: program.pointee.names.number(input.pointee.value(of: .event)), page: page
    ) { if !$0.isEmpty { hasEntries = true } }
    return !hasEntries
      && program.pointee.index.paths.prefilter.rejects(
        names, page: page, program.pointee.index.paths.keys, program.pointee.classes)
  }

  /// Turns the element's path into numbers, unless that has been done.
  private mutating func readPath() {
    if hasReadPath { return }
    hasReadPath = true
    if classes.byteCount > classByteLimit { classes = program.pointee.classes.copyOfTable() }
    path.removeAll()
    isAmbiguous = false
    endCount = 1
    if let text = input.pointee.plainPath {
      // Classes that no rule names need not be distinguished, unless some rule tests the names themselves.
      let needsNames = program.pointee.index.features.classNames
      for component in input.pointee.components {
        let name = component.name(in: text.bytes)
        var numbers = component.numbers
        if let known = program.pointee.classes.number(name) {
          numbers.number = known
        } else if needsNames {
          numbers.number = classes.number(name)
        }
        path.append(numbers)
      }
    } else if let readings = input.pointee.graph {
      if let only = readings.only {
        for component in only.components { path.append(program.pointee.selectors.numbers(component, &classes)) }
        endCount = only.endCount
      } else {
        isAmbiguous = true
        let lengths = nameLengths ?? classes.nameLengths.all
        nameLengths = lengths
        graph.read(readings, &classes, program.pointee.selectors, lengths: lengths)
      }
    }
  }

  // MARK: - Prefetching

  // The data of a clause is spread over several tables that are larger than the processor's caches. Fetching it for a batch of
  // candidates together costs one wait instead of many.

  /// Prefetches the candidates from one on, if it begins a batch.
  @inline(__always) func prefetchCandidates(from first: Int) {
    if first % Self.batchSize == 0 { prefetchBatch(first..<min(first + Self.batchSize, candidates.count)) }
  }

  private func prefetchBatch(_ range: Range<Int>) {
    let program = program
    for i in range { program.pointee.index.entries.prefetch(Int(candidates[i])) }
    for i in range {
      let entry = program.pointee.index.entries[Int(candidates[i])]
      program.pointee.clauses.records.prefetch(Int(entry.clause))
      if entry.selector >= 0 { program.pointee.selectors.starts.prefetch(Int(entry.selector)) }
    }
    for i in range {
      let entry = program.pointee.index.entries[Int(candidates[i])]
      let clause = program.pointee.clauses.records.address(of: Int(entry.clause))
      if entry.selector >= 0 {
        program.pointee.selectors.stepNumbers.prefetch(Int(program.pointee.selectors.starts[Int(entry.selector)]))
      }
      program.pointee.clauses.testNumbers.prefetch(Int(clause.pointee.testStart))
      program.pointee.rules.records.prefetch(Int(clause.pointee.rule))
    }
  }

  /// Prefetches an open clause, or the required test that usually fails.
  @inline(__always) func prefetch(clause: Int, test: UInt32) {
    if test != RuleProgram.none {
      program.pointee.tests.fast.prefetch(Int(test))
      encircle_prefetch(testRounds.base + Int(test))
    } else {
      program.pointee.clauses.records.prefetch(clause)
    }
  }

  // MARK: - Evaluating

  /// Returns the clause of an entry, and the entry itself.
  @inline(__always) func entry(_ number: UInt32) -> (RuleIndex.Entry, ClauseTable.Record) {
    let entry = program.pointee.index.entries[Int(number)]
    return (entry, program.pointee.clauses.records[Int(entry.clause)])
  }

  /// The result of evaluating the parts of a clause that depend on the element alone.
  enum ElementResult {
    case fails
    /// The rule matches, regardless of the rest of the event.
    case holds
    /// The clause is open: the rule matches if the rest holds.
    case dependsOnEvent
  }

  /// Evaluates the parts of a clause that depend on the element alone. The element must be resolved.
  mutating func evaluateElement(_ entry: RuleIndex.Entry, _ clause: ClauseTable.Record) -> ElementResult {
    let program = program
    // Tests come first: the event's name usually decides, and it is cheaper to test than the path.
    var isOpen = false
    for number in program.pointee.clauses.tests(of: clause) {
      if !program.pointee.tests.fast.address(of: Int(number)).pointee.isOfElement {
        isOpen = true
        break
      }
      if !holds(test: number) { return .fails }
    }
    guard elementMatches(entry, clause) else { return .fails }
    if let extras = program.pointee.rules.records[Int(clause.rule)].extras {
      let extras = program.pointee.rules.extras[extras]
      guard appMatches(extras) else { return .fails }
      if !extras.time.isAlways || extras.windowCount > 0 || extras.unlessCount > 0 { isOpen = true }
    }
    return isOpen ? .dependsOnEvent : .holds
  }

  /// Returns the number of the last test of a clause if it depends on more than the element, else ``RuleProgram/none``.
  @inline(__always)
  func lastOpenTest(of clause: ClauseTable.Record) -> UInt32 {
    guard let number = program.pointee.clauses.tests(of: clause).last else { return RuleProgram.none }
    return program.pointee.tests.fast.address(of: Int(number)).pointee.isOfElement ? RuleProgram.none : number
  }

  /// Evaluates the rest of an open clause, and the other conditions of its rule.
  mutating func restHolds(_ clause: ClauseTable.Record) -> Bool {
    let program = program
    // Tests of the element come first, so going backwards ends where they begin.
    for number in program.pointee.clauses.tests(of: clause).reversed() {
      if program.pointee.tests.fast.address(of: Int(number)).pointee.isOfElement { break }
      if !holds(test: number) { return false }
    }
    return ruleHolds(clause.rule)
  }

  /// Evaluates a whole clause, and the other conditions of its rule. If the event names no page, the element must be resolved.
  mutating func clauseHolds(_ entry: RuleIndex.Entry, _ clause: ClauseTable.Record) -> Bool {
    let program = program
    // Most candidates fail here, before the path has been read.
    guard allTestsHold(clause) else { return false }
    if clause.selectorCount > 0 || clause.extras != RuleProgram.none { input.pointee.resolve() }
    guard elementMatches(entry, clause) else { return false }
    if let extras = program.pointee.rules.records[Int(clause.rule)].extras {
      guard appMatches(program.pointee.rules.extras[extras]) else { return false }
    }
    return ruleHolds(clause.rule)
  }

  private mutating func allTestsHold(_ clause: ClauseTable.Record) -> Bool {
    let program = program
    for number in program.pointee.clauses.tests(of: clause) where !holds(test: number) { return false }
    return true
  }

  /// Returns whether the clause names the event's element.
  private mutating func elementMatches(_ entry: RuleIndex.Entry, _ clause: ClauseTable.Record) -> Bool {
    let program = program
    if clause.selectorCount > 0 {
      readPath()
      if entry.selector >= 0 {
        if !pathMatches(Int(entry.selector)) { return false }
      } else {
        var isMatch = false
        for selector in clause.selectors where !isMatch { isMatch = pathMatches(selector) }
        if !isMatch { return false }
      }
    }
    guard clause.extras != RuleProgram.none else { return true }
    let ids = program.pointee.clauses.eventIDs(of: clause)
    if !ids.isEmpty {
      guard let id = input.pointee.eventID() else { return false }
      let place = ids.partitioningIndex { $0 >= id }
      guard place < ids.count, ids[place] == id else { return false }
    }
    let place = program.pointee.clauses.extras[Int(clause.extras)].place
    guard place != RuleProgram.none else { return true }
    readPath()
    return pathMatches(Int(place))
  }

  /// Returns whether a selector matches the path, or one of its readings. The path must have been read.
  @inline(__always) private mutating func pathMatches(_ selector: Int) -> Bool {
    if isAmbiguous { return graphMatcher.matches(selector, graph, program.pointee.selectors, classes) }
    for dropped in 0..<endCount {
      if path.matches(selector, program.pointee.selectors, classes, dropping: dropped) { return true }
    }
    return false
  }

  /// Returns whether a test holds; each is evaluated once an event.
  @inline(__always) mutating func holds(test number: UInt32) -> Bool {
    let known = testRounds[Int(number)]
    if known >> 1 == round { return known & 1 == 1 }
    let program = program
    let test = program.pointee.tests.fast.address(of: Int(number))
    let subject = Int(test.pointee.subject)
    let value =
      switch subject {
      case TestTable.Test.event: input.pointee.value(of: .event)
      case TestTable.Test.page: input.pointee.page
      default: input.pointee[subject]
      }
    let holds =
      test.pointee.holds(value, program.pointee.tests.texts.base)
      ?? program.pointee.tests.condition(of: number).holds(value, classes)
    testRounds[Int(number)] = round << 1 | (holds ? 1 : 0)
    return holds
  }

  /// Returns whether a rule matches once one of its clauses holds: its time is right, and no clause of `unless` holds.
  private mutating func ruleHolds(_ rule: UInt32) -> Bool {
    let program = program
    guard let number = program.pointee.rules.records[Int(rule)].extras else { return true }
    let extras = program.pointee.rules.extras[number]
    if !extras.time.isAlways {
      guard extras.time.contains(input.pointee.value(of: .time)) else { return false }
    }
    if extras.windowCount > 0 {
      let time = input.pointee.value(of: .time)
      guard program.pointee.rules.windows[extras.windows].contains(where: { $0.contains(time) }) else { return false }
    }
    guard extras.unlessCount > 0 else { return true }
    input.pointee.resolve()
    for i in extras.unless {
      let clause = program.pointee.clauses.records[i]
      let entry = RuleIndex.Entry(clause: UInt32(i), selector: -1)
      if allTestsHold(clause), elementMatches(entry, clause) { return false }
    }
    return true
  }

  private mutating func appMatches(_ extras: RuleTable.Extras) -> Bool {
    guard extras.appCount > 0 else { return true }
    let value = input.pointee.value(of: .app)
    guard value.kind == .string else { return true }
    for name in program.pointee.rules.appNames[extras.apps] where program.pointee.names.equals(name, value.bytes) {
      return true
    }
    return false
  }
}
