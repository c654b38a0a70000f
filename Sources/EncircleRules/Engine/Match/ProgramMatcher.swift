import CProcessor
import EncircleEvents
import EncircleIdentity
import EncircleText

/// One program at work on one event after the other.
struct ProgramMatcher: ~Copyable {
  private let owner: SharedProgram
  let program: UnsafePointer<RuleProgram>
  // The classes of the rules, and those that events have named since.
  var classes: ClassTable
  private var readings = NumberedPaths()
  private var hasReadings = false
  private(set) var candidates = GrowingBuffer<UInt32>()
  private var pathScratch = PathIndex.Scratch()
  private var valueScratch = ValueIndex.Scratch()
  // By test: the round in which it was tried last, times two, plus one if it held.
  private var triedIn = GrowingBuffer<UInt32>()
  private var round: UInt32 = 0

  // Classes that events name are remembered up to this number, as hostile ones could go on for ever.
  private static let mostClasses = 1 << 20

  init(_ owner: SharedProgram) {
    self.owner = owner
    program = UnsafePointer(owner.program)
    classes = program.pointee.classes.copy()
    triedIn.append(repeating: 0, count: program.pointee.tests.count)
  }

  /// Forgets the last event.
  @inline(__always) mutating func beginEvent() {
    hasReadings = false
    round &+= 1
    if round == 1 << 31 {
      for i in 0..<triedIn.count { triedIn[i] = 0 }
      round = 1
    }
  }

  // MARK: - Finding candidates

  /// Finds the leaves that an event's element, page and name may match, some of them more than once.
  mutating func collectCandidates(
    _ event: borrowing ProjectedEvent, page: UInt32?, _ element: UnsafeMutablePointer<ResolvedElement>,
    _ matcher: borrowing Matcher
  ) {
    candidates.removeAll()
    // A copy of the pointer, as the closures change this.
    let program = program
    if program.pointee.use.eventIDs, let id = element.pointee.eventID(event, matcher) {
      candidates.append(contentsOf: program.pointee.leaves.find(program.pointee.index.keys.eventID(id)))
    }
    program.forEachPlainLeaves(matcher.fields.value(of: .event, event), page: page) {
      candidates.append(contentsOf: $0)
    }
    // Where all selectors are on pages, one without rules needs no look at the path.
    guard program.pointee.use.elements, page != nil || program.pointee.use.elementsOnAnyPage else { return }
    ensureReadings(element)
    for reading in 0..<readings.count {
      program.forEachLeaf(of: readings[reading], page: page, classes, &pathScratch) { candidates.append($0) }
    }
  }

  /// Whether the page, the event's name and the last classes of the path show that no rule says anything of an element
  /// which no event ID names.
  ///
  /// - Parameters:
  ///   - page: The number of the page.
  ///   - names: The last class names, the last one first, at most ``PathEnds/depth`` of them.
  @inline(__always)
  func isRuledOut(
    _ event: borrowing ProjectedEvent, page: UInt32?, names: UnsafeBufferPointer<UnsafeBufferPointer<UInt8>>,
    _ matcher: borrowing Matcher
  ) -> Bool {
    var hasPlainLeaves = false
    program.forEachPlainLeaves(matcher.fields.value(of: .event, event), page: page) {
      if !$0.isEmpty { hasPlainLeaves = true }
    }
    return !hasPlainLeaves
      && program.pointee.index.ends.areRuledOut(
        names, page: page, program.pointee.index.keys, program.pointee.classNumbers)
  }

  /// Finds the leaves that the values of an event's properties may match, some of them more than once.
  ///
  /// - Parameter page: The number of the event's page.
  mutating func collectByValues(_ event: borrowing ProjectedEvent, page: UInt32?) {
    candidates.removeAll()
    program.pointee.values.forEachCandidate(
      event, page: page, &valueScratch, holds: { triedIn[Int($0)] = round << 1 | 1 }, { candidates.append($0) })
  }

  /// Turns the element's paths into numbers.
  private mutating func ensureReadings(_ element: UnsafeMutablePointer<ResolvedElement>) {
    if hasReadings { return }
    hasReadings = true
    if classes.count > program.pointee.classes.count + Self.mostClasses { classes = program.pointee.classes.copy() }
    readings.removeAll()
    if let path = element.pointee.plainPath {
      // A class that no rule names need not be told from others, unless some rule looks at the names themselves.
      let needsNames = program.pointee.use.classNames
      for component in element.pointee.components {
        let name = component.name(in: path.bytes)
        var numbers = component.numbers
        if let known = program.pointee.classNumbers.find(name) {
          numbers.number = known
        } else if needsNames {
          numbers.number = classes.number(name)
        }
        readings.append(numbers)
      }
      readings.endPath()
      return
    }
    for path in element.pointee.paths {
      for component in path.components {
        readings.append(ComponentNumbers(classes.number(UTF8String(component.className)), component.locator))
      }
      readings.endPath()
    }
  }

  // MARK: - Trying

  // So many candidates are fetched at once.
  private static let batchSize = 16

  /// Says that candidates from one on will be tried soon: what is looked at of each lies in several tables, and while it
  /// comes for one, it comes for some others, too.
  @inline(__always) func prefetchCandidates(from first: Int) {
    if first % Self.batchSize == 0 { prefetchBatch(first..<min(first + Self.batchSize, candidates.count)) }
  }

  /// Says that an open clause, or only one of its tests, will be tried soon.
  @inline(__always) func prefetch(clause: Int, test: UInt32) {
    if test != RuleProgram.none {
      program.pointee.flatTests.prefetch(Int(test))
      encircle_prefetch(triedIn.base + Int(test))
    } else {
      program.pointee.clauses.prefetch(clause)
    }
  }

  private func prefetchBatch(_ range: Range<Int>) {
    for i in range { program.pointee.leafRecords.prefetch(Int(candidates[i])) }
    for i in range {
      let leaf = program.pointee.leafRecords[Int(candidates[i])]
      program.pointee.clauses.prefetch(Int(leaf.clause))
      if leaf.selector >= 0 { program.pointee.selectors.starts.prefetch(Int(leaf.selector)) }
    }
    for i in range {
      let leaf = program.pointee.leafRecords[Int(candidates[i])]
      let clause = program.pointee.clauses.base + Int(leaf.clause)
      if leaf.selector >= 0 {
        program.pointee.selectors.stepNumbers.prefetch(Int(program.pointee.selectors.starts[Int(leaf.selector)]))
      }
      program.pointee.clauseTests.prefetch(Int(clause.pointee.testStart))
      program.pointee.rules.prefetch(Int(clause.pointee.rule))
    }
  }

  /// What a clause's element says of it.
  enum Outcome {
    case fails
    /// Its rule matches, whatever else the event has.
    case holds
    /// Its rule matches if what else there is holds.
    case dependsOnEvent
  }

  /// Tries what of a clause depends on the element alone.
  mutating func examine(
    _ leaf: RuleProgram.Leaf, _ clause: RuleProgram.ClauseRecord, _ event: borrowing ProjectedEvent,
    _ element: UnsafeMutablePointer<ResolvedElement>, _ matcher: borrowing Matcher
  ) -> Outcome {
    // The name of the event, mostly, costs less than a look at the path.
    var isOpen = false
    for number in program.pointee.clauseTests[Int(clause.testStart)..<Int(clause.testStart + clause.testCount)] {
      if !program.pointee.flatTests[Int(number)].isOfElement {
        isOpen = true
        break
      }
      if !holds(test: number, event, element, matcher) { return .fails }
    }
    guard elementHolds(leaf, clause, event, element, matcher) else { return .fails }
    if let extras = program.pointee.rules[Int(clause.rule)].extras {
      let extras = program.pointee.ruleExtras[extras]
      guard program.isApp(extras.app, event, matcher) else { return .fails }
      if !extras.time.isAlways || extras.unlessCount > 0 { isOpen = true }
    }
    return isOpen ? .dependsOnEvent : .holds
  }

  /// The number of the last test of a clause, if it is not one of the element.
  @inline(__always)
  func lastTest(of clause: RuleProgram.ClauseRecord) -> UInt32 {
    guard clause.testCount > 0 else { return RuleProgram.none }
    let number = program.pointee.clauseTests[Int(clause.testStart + clause.testCount) - 1]
    return program.pointee.flatTests[Int(number)].isOfElement ? RuleProgram.none : number
  }

  /// Whether what is left of a clause that depends on the event holds, and what its rule demands besides.
  mutating func holdsOtherwise(
    _ clause: RuleProgram.ClauseRecord, _ event: borrowing ProjectedEvent,
    _ element: UnsafeMutablePointer<ResolvedElement>, _ matcher: borrowing Matcher
  ) -> Bool {
    // Those of the element come first, so going backwards ends where they begin.
    var i = Int(clause.testStart + clause.testCount) - 1
    while i >= Int(clause.testStart) {
      let number = program.pointee.clauseTests[i]
      if program.pointee.flatTests[Int(number)].isOfElement { break }
      if !holds(test: number, event, element, matcher) { return false }
      i -= 1
    }
    return ruleHolds(clause.rule, event, element, matcher)
  }

  /// Whether all of a clause holds, and what its rule demands besides. The element of an event without page must have been
  /// resolved.
  mutating func holds(
    _ leaf: RuleProgram.Leaf, _ clause: RuleProgram.ClauseRecord, _ event: borrowing ProjectedEvent,
    _ element: UnsafeMutablePointer<ResolvedElement>, _ matcher: borrowing Matcher
  ) -> Bool {
    // Most candidates fail here, before the path has been read.
    guard allTestsHold(clause, event, element, matcher) else { return false }
    if clause.selectorCount > 0 || clause.extras != RuleProgram.none { element.pointee.resolve(event, matcher) }
    guard elementHolds(leaf, clause, event, element, matcher) else { return false }
    if let extras = program.pointee.rules[Int(clause.rule)].extras {
      guard program.isApp(program.pointee.ruleExtras[extras].app, event, matcher) else { return false }
    }
    return ruleHolds(clause.rule, event, element, matcher)
  }

  private mutating func allTestsHold(
    _ clause: RuleProgram.ClauseRecord, _ event: borrowing ProjectedEvent,
    _ element: UnsafeMutablePointer<ResolvedElement>, _ matcher: borrowing Matcher
  ) -> Bool {
    for i in Int(clause.testStart)..<Int(clause.testStart + clause.testCount) {
      if !holds(test: program.pointee.clauseTests[i], event, element, matcher) { return false }
    }
    return true
  }

  /// Whether the element is one that the clause names.
  private mutating func elementHolds(
    _ leaf: RuleProgram.Leaf, _ clause: RuleProgram.ClauseRecord, _ event: borrowing ProjectedEvent,
    _ element: UnsafeMutablePointer<ResolvedElement>, _ matcher: borrowing Matcher
  ) -> Bool {
    if clause.selectorCount > 0 {
      ensureReadings(element)
      if leaf.selector >= 0 {
        if !readings.contains(Int(leaf.selector), of: program.pointee.selectors, classes) { return false }
      } else {
        let numbers = Int(clause.selectorStart)..<Int(clause.selectorStart + clause.selectorCount)
        if !numbers.contains(where: { readings.contains($0, of: program.pointee.selectors, classes) }) { return false }
      }
    }
    guard clause.extras != RuleProgram.none else { return true }
    let extras = program.pointee.clauseExtras[Int(clause.extras)]
    if extras.idCount > 0 {
      guard let id = element.pointee.eventID(event, matcher) else { return false }
      let ids = program.pointee.eventIDs[Int(extras.idStart)..<Int(extras.idStart + extras.idCount)]
      var (low, high) = (0, ids.count)
      while low < high {
        let middle = (low + high) / 2
        if ids[middle] < id { low = middle + 1 } else { high = middle }
      }
      guard low < ids.count, ids[low] == id else { return false }
    }
    guard extras.place != RuleProgram.none else { return true }
    ensureReadings(element)
    return readings.contains(Int(extras.place), of: program.pointee.selectors, classes)
  }

  /// Whether a test holds; each is tried once an event.
  @inline(__always)
  mutating func holds(
    test number: UInt32, _ event: borrowing ProjectedEvent, _ element: UnsafeMutablePointer<ResolvedElement>,
    _ matcher: borrowing Matcher
  ) -> Bool {
    let tried = triedIn[Int(number)]
    if tried >> 1 == round { return tried & 1 == 1 }
    let test = program.pointee.flatTests.base + Int(number)
    let subject = Int(test.pointee.subject)
    let value =
      switch subject {
      case RuleProgram.Test.event: matcher.fields.value(of: .event, event)
      case RuleProgram.Test.page: element.pointee.page(event, matcher)
      default: event[subject]
      }
    let holds =
      test.pointee.holds(value, program.pointee.testTexts.base)
      ?? program.pointee.tests[Int(number)].condition.holds(value, &classes)
    triedIn[Int(number)] = round << 1 | (holds ? 1 : 0)
    return holds
  }

  /// Whether a rule matches once one of its clauses holds: time, and no clause of `unless`.
  private mutating func ruleHolds(
    _ rule: UInt32, _ event: borrowing ProjectedEvent, _ element: UnsafeMutablePointer<ResolvedElement>,
    _ matcher: borrowing Matcher
  ) -> Bool {
    guard let number = program.pointee.rules[Int(rule)].extras else { return true }
    let extras = program.pointee.ruleExtras[number]
    if !extras.time.isAlways {
      let time = matcher.fields.value(of: .time, event)
      guard time.kind == .number, extras.time.contains(time.bytes) else { return false }
    }
    guard extras.unlessCount > 0 else { return true }
    element.pointee.resolve(event, matcher)
    for i in Int(extras.unlessStart)..<Int(extras.unlessStart + extras.unlessCount) {
      let clause = program.pointee.clauses[i]
      let leaf = RuleProgram.Leaf(clause: UInt32(i), selector: -1)
      if allTestsHold(clause, event, element, matcher), elementHolds(leaf, clause, event, element, matcher) {
        return false
      }
    }
    return true
  }
}

// Methods of the pointer, as a struct that large is copied for its own.
extension UnsafePointer<RuleProgram> {
  /// The number of the page of the event, whose element has been resolved.
  func page(
    _ event: borrowing ProjectedEvent, _ element: UnsafeMutablePointer<ResolvedElement>, _ matcher: borrowing Matcher
  ) -> UInt32? { pointee.nameNumber(element.pointee.page(event, matcher)) }

  fileprivate func isApp(_ app: UInt32, _ event: borrowing ProjectedEvent, _ matcher: borrowing Matcher) -> Bool {
    guard app != RuleProgram.none else { return true }
    let value = matcher.fields.value(of: .app, event)
    return value.kind != .string || pointee.names.equals(StringID(app), value.bytes)
  }

  /// Calls `body` with the leaves filed under neither element nor value, by the event's name and page.
  @inline(__always)
  fileprivate func forEachPlainLeaves(
    _ event: ProjectedValue, page: UInt32?, _ body: (UnsafeBufferPointer<UInt32>) -> Void
  ) {
    guard pointee.use.noElements else { return }
    visitPlainLeaves(nil, page, body)
    if let name = pointee.nameNumber(event) { visitPlainLeaves(name, page, body) }
  }

  private func visitPlainLeaves(_ event: UInt32?, _ page: UInt32?, _ body: (UnsafeBufferPointer<UInt32>) -> Void) {
    body(pointee.leaves.find(pointee.index.keys.noElement(event: event, page: nil)))
    if let page { body(pointee.leaves.find(pointee.index.keys.noElement(event: event, page: page))) }
  }
}
