import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// Compiles rules into a ``RuleProgram``.
///
/// The compiler appends rules, clauses, tests, selectors and names to builders, one rule after the other in byte order of the ids.
/// Then the ``IndexBuilder`` chooses the keys that find the clauses.
struct RuleCompiler: ~Copyable {
  private let dictionary: ElementDictionary
  private let fields: EventFields
  /// The numbers of properties in the projection. Compiling adds each property that the projection lacks.
  private(set) var properties: PropertyNumbers
  /// The class names that paths may contain. Compiling adds the names in selectors.
  private(set) var vocabulary: ClassVocabulary
  private var rules = RuleTable.Builder()
  private var clauses = ClauseTable.Builder()
  private var tests: TestTable.Builder
  // For each test, the numbers of the names that it accepts for an event or page, and the alternatives that it accepts for
  // another value. An entry is nil if the test does not limit them.
  private var testNames: [[UInt32]?] = []
  private var testAlternatives: [[ValueKeys.Alternative]?] = []
  private var names = StringTable()
  private var classes: ClassTable
  private var selectors = SelectorTable.Builder()
  private var index: IndexBuilder
  // Scratch for the tests of a clause that are not of the element.
  private var otherTests: [UInt32] = []

  /// - Parameter elementProperties: The numbers of the properties that identify the element; see ``ElementCache``.
  init(
    hierarchy: ClassHierarchy, vocabulary: ClassVocabulary, dictionary: ElementDictionary, fields: EventFields,
    properties: PropertyNumbers, elementProperties: Set<Int>, limits: IndexLimits
  ) {
    classes = ClassTable(hierarchy: hierarchy)
    tests = TestTable.Builder(elementProperties: elementProperties)
    self.vocabulary = vocabulary
    self.dictionary = dictionary
    self.fields = fields
    self.properties = properties
    index = IndexBuilder(keys: PathKeys(seed: UInt64.random(in: .min ... .max)), limits: limits)
  }

  /// Compiles the enabled rules; they are numbered in byte order of their ids.
  ///
  /// - Complexity: O(size of the rules), plus a sort of keys.
  mutating func compile(_ rules: [SelectionRule]) -> RuleProgram {
    let order = rules.enabledByID
    // Rules with `sameKind` turn identity strings into selectors, and the paths in those strings are read with the class names that
    // the selectors of all rules name. So those names must be collected first.
    let makesSelectors = order.contains { rules[$0].sameKind }
    if makesSelectors {
      for place in order { rules[place].forEachClassName { vocabulary.insert($0.text) } }
    }
    rules.withUnsafeBufferPointer { rules in
      guard let first = rules.baseAddress else { return }
      reserve(for: rules, order)
      for (number, place) in order.enumerated() { add(first + place, number: UInt32(number)) }
    }
    let selectorTable = selectors.freeze()
    var named: Set<ClassNumber> = []
    if makesSelectors {
      for place in order { rules[place].forEachClassName { named.insert(classes.number($0)) } }
    } else {
      for step in selectorTable.steps.all where step.classTest == .name { named.insert(step.number) }
    }
    let programClasses = ProgramClasses(classes.copy(), named: FrozenArray(named.sorted()))
    programClasses.forEachNamed { vocabulary.insert($0) }
    let testTable = tests.freeze()
    let index = index.build(clauses, selectors, testTable, classCount: classes.count)
    return RuleProgram(
      rules: self.rules.freeze(ids: order.lazy.map { rules[$0].id.text }, details: details(rules, order)),
      clauses: clauses.freeze(), tests: testTable,
      names: NumberedNames(names), classes: programClasses, selectors: selectorTable, index: index)
  }

  /// Returns the details of each rule as JSON; empty if no rule has any.
  private func details(_ rules: [SelectionRule], _ order: [Int]) -> [String] {
    guard order.contains(where: { rules[$0].hasDetails }) else { return [] }
    return order.map { rules[$0].hasDetails ? String(decoding: rules[$0].details, as: UTF8.self) : "" }
  }

  /// Reserves about as much memory as the rules need, so that adding them reallocates little.
  private mutating func reserve(for rules: UnsafeBufferPointer<SelectionRule>, _ order: [Int]) {
    var (clauseCount, testCount, selectorCount, stepCount) = (0, 0, 0, 0)
    for place in order {
      for clause in rules[place].clauses.indices {
        clauseCount += 1
        testCount += 2 + rules[place].clauses[clause].properties.count
        for selector in rules[place].clauses[clause].selectors.indices {
          selectorCount += 1
          stepCount += rules[place].clauses[clause].selectors[selector].steps.count
        }
      }
    }
    self.rules.reserve(order.count)
    clauses.reserve(clauseCount, tests: testCount)
    selectors.reserve(selectorCount, steps: stepCount)
    index.reserve(clauseCount)
  }

  // Takes a pointer, because copying a rule would count references for each of its many parts.
  private mutating func add(_ rule: UnsafePointer<SelectionRule>, number: UInt32) {
    let clauses =
      rule.pointee.sameKind
      ? rule.pointee.clausesOfAnyRow(SameKindContext(dictionary, vocabulary, fields)) : rule.pointee.clauses
    for clause in append(clauses, rule: number) { addToIndex(clause) }
    let isExclude = rule.pointee.effect == .exclude
    let isPlain =
      rule.pointee.apps.isEmpty && rule.pointee.from == nil && rule.pointee.to == nil && rule.pointee.unless.isEmpty
      && rule.pointee.tolerance == nil && rule.pointee.otherNames.isEmpty && rule.pointee.windows.isEmpty
      && UTF8String(rule.pointee.emit) == rule.pointee.id
    defer { addProperties(of: rule) }
    if isPlain { return self.rules.append(isExclude: isExclude) }
    self.rules.append(
      isExclude: isExclude, emits: rule.pointee.names,
      apps: rule.pointee.apps.map { names.intern($0.text).rawValue },
      time: RuleTime(from: rule.pointee.from, to: rule.pointee.to),
      windows: rule.pointee.windows.map { RuleTime(from: $0.from, to: $0.to) },
      unless: append(rule.pointee.unless, rule: number),
      tolerance: rule.pointee.tolerance)
  }

  /// Adds the properties of the most recent rule, and the places that they read.
  private mutating func addProperties(of rule: UnsafePointer<SelectionRule>) {
    guard !rule.pointee.properties.isEmpty else { return }
    rules.setProperties(rule.pointee.properties)
    for property in rule.pointee.properties {
      for reference in property.references { _ = properties.number(of: reference) }
    }
  }

  /// Appends clauses and returns their numbers.
  private mutating func append(_ added: [RuleClause], rule: UInt32) -> Range<UInt32> {
    let start = UInt32(clauses.count)
    added.withUnsafeBufferPointer { added in
      guard let first = added.baseAddress else { return }
      for i in added.indices { append(first + i, rule: rule) }
    }
    return start..<UInt32(clauses.count)
  }

  private mutating func append(_ clause: UnsafePointer<RuleClause>, rule: UInt32) {
    let selectorStart = selectors.count
    clause.pointee.selectors.withUnsafeBufferPointer { added in
      for i in added.indices { _ = selectors.add(added[i], &classes) }
    }
    let selectorRange = selectorStart..<selectors.count
    let place = clause.pointee.place.map { UInt32(selectors.add($0, &classes)) }
    // Tests of the element come first.
    clauses.begin()
    otherTests.removeAll(keepingCapacity: true)
    if let event = clause.pointee.event { clauses.append(test: test(event, subject: TestTable.Test.event)) }
    if let page = clause.pointee.page { clauses.append(test: test(page, subject: TestTable.Test.page)) }
    for property in clause.pointee.properties {
      let number = test(property.condition, subject: properties.number(of: property.property))
      if tests.isOfElement(number) { clauses.append(test: number) } else { otherTests.append(number) }
    }
    for number in otherTests { clauses.append(test: number) }
    clauses.end(
      rule: rule, selectors: selectorRange, place: place, eventIDs: clause.pointee.requiredEventIDs?.sorted())
  }

  /// Hands a clause to the index, with everything that its tests demand of page, event and values.
  private mutating func addToIndex(_ clause: UInt32) {
    var pages: [UInt32]?
    var events: [UInt32]?
    var values: [ValueKeys] = []
    for number in clauses.tests(of: clause) {
      switch tests.subject(of: number) {
      case TestTable.Test.page: pages = testNames[Int(number)]
      case TestTable.Test.event: events = testNames[Int(number)]
      // Event and page come first, so the pages are known.
      case let subject:
        guard let alternatives = testAlternatives[Int(number)], !alternatives.isEmpty else { continue }
        values.append(ValueKeys(alternatives, subject: subject, pages: pages))
      }
    }
    index.add(clause: clause, pages: pages, events: events, values: values)
  }

  private mutating func test(_ condition: Condition, subject: Int) -> UInt32 {
    let number = tests.number(of: condition, subject: subject)
    if Int(number) == testNames.count {
      testNames.append(subject < 0 ? requiredNames(condition) : nil)
      testAlternatives.append(subject < 0 ? nil : ValueKeys.alternatives(of: condition))
    }
    return number
  }

  /// Returns the numbers of the names that can fulfil a condition; nil if other values may fulfil it, too.
  private mutating func requiredNames(_ condition: Condition) -> [UInt32]? {
    guard case .isOneOf(let values, fold: false) = condition else { return nil }
    var result: [UInt32] = []
    for value in values {
      // A page or an event may also be a number, and the index finds only names.
      guard case .string(let name) = value else { return nil }
      let number = names.intern(name.text).rawValue
      if !result.contains(number) || values.count > 64 { result.append(number) }
    }
    return values.count > 64 ? Array(Set(result)).sorted() : result
  }
}

extension [SelectionRule] {
  /// The indices of the enabled rules, in byte order of their IDs; rules with equal IDs keep their order. The position of a rule in
  /// the result is its number in a matcher.
  var enabledByID: [Int] {
    var order = indices.filter { self[$0].isEnabled }
    let isSorted = zip(order, order.dropFirst()).allSatisfy { self[$0].id < self[$1].id }
    if !isSorted { order.sort { (self[$0].id, $0) < (self[$1].id, $1) } }
    return order
  }
}
