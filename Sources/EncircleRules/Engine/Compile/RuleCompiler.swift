import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// Turns rules into a ``RuleProgram``.
struct RuleCompiler: ~Copyable {
  private let dictionary: ElementDictionary
  private let elementProperties: Set<Int>
  /// The numbers of properties in the projection, to which those are added that rules name first.
  private(set) var properties: PropertyNumbers
  /// The class names that paths may contain, to which those are added that selectors name.
  private(set) var vocabulary: ClassVocabulary
  private var classes: ClassTable
  private var selectors = SelectorTable.Builder()
  private var names = StringTable()
  private var rules: [RuleProgram.RuleRecord] = []
  private var ruleExtras: [RuleProgram.RuleExtras] = []
  private var emits: [String] = []
  private var clauses: [RuleProgram.ClauseRecord] = []
  private var clauseExtras: [RuleProgram.ClauseExtras] = []
  private var eventIDs: [EventID] = []
  private var clauseTests: [UInt32] = []
  private var otherTests: [UInt32] = []
  private var tests: [RuleProgram.Test] = []
  private var flatTests: [FastTest] = []
  private var testTexts: [UInt8] = []
  // Tests by what is written of them.
  private var testKeys = StringTable()
  private var testKey: [UInt8] = []
  // By test, the names of which an event or a page must be one; else what a value must have.
  private var testNames: [[UInt32]?] = []
  private var testAlternatives: [[ValueKeys.Alternative]?] = []
  private var filing: IndexBuilder

  /// - Parameters:
  ///   - elementProperties: The numbers of the properties that tell the element; see ``ElementKey``.
  init(
    hierarchy: ClassHierarchy, vocabulary: ClassVocabulary, dictionary: ElementDictionary, properties: PropertyNumbers,
    elementProperties: Set<Int>, limits: IndexLimits
  ) {
    classes = ClassTable(hierarchy: hierarchy)
    self.vocabulary = vocabulary
    self.dictionary = dictionary
    self.properties = properties
    self.elementProperties = elementProperties
    filing = IndexBuilder(keys: PathKeys(seed: UInt64.random(in: .min ... .max)), limits: limits)
  }

  /// The program of the rules that are enabled; their numbers are in byte order of their ids.
  ///
  /// - Complexity: O(size of the rules), but for a sort of keys.
  mutating func compile(_ rules: [SelectionRule]) -> RuleProgram {
    let order = rules.enabledByID
    // Identity strings, of which selectors of rules for elements of the same kind are made, may have any name that the
    // selectors of rules have.
    let hasMadeSelectors = order.contains { rules[$0].sameKind }
    if hasMadeSelectors {
      for place in order { rules[place].forEachClassName { vocabulary.insert($0.text) } }
    }
    rules.withUnsafeBufferPointer { rules in
      guard let first = rules.baseAddress else { return }
      reserve(rules, order)
      for (number, place) in order.enumerated() { add(first + place, number: UInt32(number)) }
    }
    let table = selectors.freeze()
    var named: Set<ClassNumber> = []
    if hasMadeSelectors {
      for place in order { rules[place].forEachClassName { named.insert(classes.number($0)) } }
    } else {
      for step in table.steps.all where step.classTest == .name { named.insert(step.number) }
    }
    let namedClasses = FrozenArray(named.sorted())
    vocabulary.insert(namedClasses, classes)
    let filed = filing.file(
      clauses: clauses, clauseExtras: clauseExtras, eventIDs: eventIDs, selectors: selectors,
      classCount: classes.count)
    return RuleProgram(
      ids: TextList(order.lazy.map { rules[$0].id.text }), rules: FrozenArray(self.rules),
      ruleExtras: FrozenArray(ruleExtras),
      emits: TextList(emits), clauses: FrozenArray(clauses), clauseExtras: FrozenArray(clauseExtras),
      eventIDs: FrozenArray(eventIDs), clauseTests: FrozenArray(clauseTests), tests: tests,
      flatTests: FrozenArray(flatTests), testTexts: FrozenArray(testTexts), classes: classes.copy(),
      namedClasses: namedClasses, selectors: table, names: names, index: filed.index, leaves: filed.leaves,
      leafRecords: FrozenArray(filed.leafRecords), filedValues: filed.values, testKeys: testKeys,
      use: filed.use)
  }

  /// Makes room for about what rules need, so that little is moved while they are added.
  private mutating func reserve(_ rules: UnsafeBufferPointer<SelectionRule>, _ order: [Int]) {
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
    self.rules.reserveCapacity(order.count)
    clauses.reserveCapacity(clauseCount)
    clauseTests.reserveCapacity(testCount)
    selectors.reserve(selectorCount, steps: stepCount)
    filing.reserve(clauseCount)
  }

  // By pointer, so that a rule, which has many parts, is not copied.
  private mutating func add(_ rule: UnsafePointer<SelectionRule>, number: UInt32) {
    let clauses =
      rule.pointee.sameKind ? rule.pointee.clausesOfAnyRow(dictionary, vocabulary) : rule.pointee.clauses
    for clause in append(clauses, rule: number) { file(clause) }
    var bits = RuleProgram.RuleRecord.noExtras << 1
    let isOrdinary =
      rule.pointee.app == nil && rule.pointee.from == nil && rule.pointee.to == nil && rule.pointee.unless.isEmpty
    if !isOrdinary || UTF8String(rule.pointee.emit) != rule.pointee.id {
      let unless = append(rule.pointee.unless, rule: number)
      bits = UInt32(ruleExtras.count) << 1
      ruleExtras.append(
        RuleProgram.RuleExtras(
          emit: UInt32(emits.count), app: rule.pointee.app.map { names.intern($0.text).rawValue } ?? RuleProgram.none,
          time: RuleTime(from: rule.pointee.from, to: rule.pointee.to), unlessStart: unless.lowerBound,
          unlessCount: UInt32(unless.count)))
      emits.append(rule.pointee.emit)
    }
    rules.append(RuleProgram.RuleRecord(bits: bits | (rule.pointee.effect == .exclude ? 1 : 0)))
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

  /// Files a clause under what its tests demand.
  private mutating func file(_ clause: UInt32) {
    let record = clauses[Int(clause)]
    var pages: [UInt32]?
    var events: [UInt32]?
    var values: [ValueKeys] = []
    for place in Int(record.testStart)..<Int(record.testStart + record.testCount) {
      let number = Int(clauseTests[place])
      switch tests[number].subject {
      case RuleProgram.Test.page: pages = testNames[number]
      case RuleProgram.Test.event: events = testNames[number]
      // Those of event and page come first.
      case let subject:
        guard let alternatives = testAlternatives[number], !alternatives.isEmpty else { continue }
        values.append(ValueKeys(alternatives, subject: subject, pages: pages))
      }
    }
    filing.add(clause: clause, pages: pages, events: events, values: values)
  }

  private mutating func append(_ clause: UnsafePointer<RuleClause>, rule: UInt32) {
    let selectorStart = selectors.count
    clause.pointee.selectors.withUnsafeBufferPointer { added in
      for i in added.indices { _ = selectors.add(added[i], &classes) }
    }
    let selectorCount = selectors.count - selectorStart
    var extras = RuleProgram.none
    let required = clause.pointee.requiredEventIDs
    if clause.pointee.place != nil || required != nil {
      extras = UInt32(clauseExtras.count)
      let idStart = eventIDs.count
      eventIDs += required?.sorted() ?? []
      clauseExtras.append(
        RuleProgram.ClauseExtras(
          place: clause.pointee.place.map { UInt32(selectors.add($0, &classes)) } ?? RuleProgram.none,
          idStart: UInt32(idStart),
          idCount: UInt32(eventIDs.count - idStart)))
    }
    // Those of the element first.
    let testStart = clauseTests.count
    otherTests.removeAll(keepingCapacity: true)
    if let event = clause.pointee.event { clauseTests.append(test(RuleProgram.Test.event, event)) }
    if let page = clause.pointee.page { clauseTests.append(test(RuleProgram.Test.page, page)) }
    for property in clause.pointee.properties {
      let number = test(properties.number(property.property), property.condition)
      if flatTests[Int(number)].isOfElement { clauseTests.append(number) } else { otherTests.append(number) }
    }
    clauseTests += otherTests
    clauses.append(
      RuleProgram.ClauseRecord(
        rule: rule, testStart: UInt32(testStart), testCount: UInt32(clauseTests.count - testStart),
        selectorStart: UInt32(selectorStart), selectorCount: UInt32(selectorCount), extras: extras))
  }

  /// The number of a test, equal ones having one.
  private mutating func test(_ subject: Int, _ condition: Condition) -> UInt32 {
    testKey.removeAll(keepingCapacity: true)
    StringTable.appendTestKey(condition, subject: subject, to: &testKey)
    let id = testKey.withUnsafeBufferPointer { testKeys.intern($0) }
    if Int(id.rawValue) == tests.count {
      let isOfElement = subject < 0 || elementProperties.contains(subject)
      tests.append(RuleProgram.Test(subject: subject, condition: CompiledCondition(condition)))
      flatTests.append(FastTest(condition, subject: subject, isOfElement: isOfElement, texts: &testTexts))
      testNames.append(subject < 0 ? onlyNames(condition) : nil)
      testAlternatives.append(subject < 0 ? nil : ValueKeys.alternatives(of: condition))
    }
    return id.rawValue
  }

  /// The names of which a condition demands one, as numbers; nil if it can be met otherwise.
  private mutating func onlyNames(_ condition: Condition) -> [UInt32]? {
    guard case .isOneOf(let values, fold: false) = condition else { return nil }
    var result: [UInt32] = []
    for value in values {
      // A page or an event may be a number, too, which has no name to be found by.
      guard case .string(let name) = value else { return nil }
      let number = names.intern(name.text).rawValue
      if !result.contains(number) || values.count > 64 { result.append(number) }
    }
    return values.count > 64 ? Array(Set(result)).sorted() : result
  }
}

extension [SelectionRule] {
  /// Where the rules are that are enabled, in byte order of their ids.
  fileprivate var enabledByID: [Int] {
    var order = indices.filter { self[$0].isEnabled }
    let isSorted = zip(order, order.dropFirst()).allSatisfy { self[$0].id < self[$1].id }
    if !isSorted { order.sort { self[$0].id < self[$1].id } }
    return order
  }
}

extension SelectionRule {
  /// Calls `body` with the names of classes in all selectors.
  fileprivate func forEachClassName(_ body: (UTF8String) -> Void) {
    for clause in clauses + unless {
      for selector in clause.selectors {
        for case .component(.name(let name), _) in selector.steps { body(name) }
      }
    }
  }
}

extension ClassVocabulary {
  /// Adds classes by their numbers.
  mutating func insert(_ numbers: FrozenArray<ClassNumber>, _ classes: borrowing ClassTable) {
    for number in numbers.all { classes.withBytes(of: number) { insert(String(decoding: $0, as: UTF8.self)) } }
  }
}

/// The numbers of properties, in order of first mention.
struct PropertyNumbers {
  private(set) var references: [PropertyReference] = []
  private var numbers: [PropertyReference: Int] = [:]

  init(_ references: [PropertyReference] = []) { for reference in references { _ = number(reference) } }

  mutating func number(_ reference: PropertyReference) -> Int {
    if let known = numbers[reference] { return known }
    numbers[reference] = references.count
    references.append(reference)
    return references.count - 1
  }

  func find(_ reference: PropertyReference) -> Int? { numbers[reference] }
}
