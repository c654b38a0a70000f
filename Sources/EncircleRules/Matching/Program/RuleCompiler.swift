import EncircleEvents
import EncircleIdentity
import EncircleTree

/// Turns rules into a ``RuleProgram``.
struct RuleCompiler: ~Copyable {
  private let dictionary: ElementDictionary
  private let vocabulary: ClassVocabulary
  private let elementProperties: Set<Int>
  /// The numbers of properties in the projection, to which those are added that rules name first.
  private(set) var properties: PropertyNumbers
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
  private var tests: [RuleProgram.Test] = []
  private var flatTests: [FlatTest] = []
  private var testTexts: [UInt8] = []
  // Tests by what is written of them.
  private var testKeys = StringTable()
  private var filing: LeafFiling

  /// - Parameters:
  ///   - elementProperties: The numbers of the properties that tell the element; see ``ElementKey``.
  init(
    hierarchy: ClassHierarchy, vocabulary: ClassVocabulary, dictionary: ElementDictionary, properties: PropertyNumbers,
    elementProperties: Set<Int>, limits: FilingLimits
  ) {
    classes = ClassTable(hierarchy: hierarchy)
    self.vocabulary = vocabulary
    self.dictionary = dictionary
    self.properties = properties
    self.elementProperties = elementProperties
    filing = LeafFiling(keys: PathKeys(seed: UInt64.random(in: .min ... .max)), limits: limits)
  }

  /// The program of rules in byte order of their ids.
  ///
  /// - Complexity: O(size of the rules), but for a sort of keys.
  mutating func compile(_ rules: [Rule]) -> RuleProgram {
    for (number, rule) in rules.enumerated() { add(rule, number: UInt32(number)) }
    let table = selectors.freeze()
    let filed = filing.file(
      clauses: clauses, clauseExtras: clauseExtras, eventIDs: eventIDs, selectors: selectors,
      classCount: classes.count)
    return RuleProgram(
      ids: TextList(rules.lazy.map(\.id.text)), rules: FrozenArray(self.rules), ruleExtras: FrozenArray(ruleExtras),
      emits: TextList(emits), clauses: FrozenArray(clauses), clauseExtras: FrozenArray(clauseExtras),
      eventIDs: FrozenArray(eventIDs), clauseTests: FrozenArray(clauseTests), tests: tests,
      flatTests: FrozenArray(flatTests), testTexts: FrozenArray(testTexts), classes: classes.copy(),
      selectors: table, names: names, index: filed.index, leaves: filed.leaves,
      leafRecords: FrozenArray(filed.leafRecords), filedValues: filed.values, testKeys: testKeys,
      use: filed.use)
  }

  private mutating func add(_ rule: Rule, number: UInt32) {
    for clause in rule.clauses {
      let variants = rule.sameKind ? clause.withSameKind(dictionary, vocabulary) : [clause]
      for variant in variants {
        filing.add(
          clause: UInt32(clauses.count), pages: onlyNames(variant.page), events: onlyNames(variant.event),
          tests: valueTests(of: variant))
        append(variant, rule: number)
      }
    }
    var bits = RuleProgram.RuleRecord.noExtras << 1
    let hasOtherName = !rule.emit.utf8.elementsEqual(rule.id.text.utf8)
    if hasOtherName || rule.app != nil || rule.from != nil || rule.to != nil || !rule.unless.isEmpty {
      let start = clauses.count
      for clause in rule.unless { append(clause, rule: number) }
      bits = UInt32(ruleExtras.count) << 1
      ruleExtras.append(
        RuleProgram.RuleExtras(
          emit: UInt32(emits.count), app: rule.app.map { names.intern($0.text).rawValue } ?? RuleProgram.none,
          time: RuleTime(from: rule.from, to: rule.to), unlessStart: UInt32(start),
          unlessCount: UInt32(rule.unless.count)))
      emits.append(rule.emit)
    }
    rules.append(RuleProgram.RuleRecord(bits: bits | (rule.effect == .exclude ? 1 : 0)))
  }

  private mutating func append(_ clause: Clause, rule: UInt32) {
    let selectorStart = selectors.count
    for selector in clause.selectors { _ = selectors.add(selector, &classes) }
    let selectorCount = selectors.count - selectorStart
    var extras = RuleProgram.none
    let required = clause.requiredEventIDs
    if clause.place != nil || required != nil {
      extras = UInt32(clauseExtras.count)
      let idStart = eventIDs.count
      eventIDs += required?.sorted() ?? []
      clauseExtras.append(
        RuleProgram.ClauseExtras(
          place: clause.place.map { UInt32(selectors.add($0, &classes)) } ?? RuleProgram.none, idStart: UInt32(idStart),
          idCount: UInt32(eventIDs.count - idStart)))
    }
    var elementTests: [UInt32] = []
    var otherTests: [UInt32] = []
    if let event = clause.event { elementTests.append(test(RuleProgram.Test.event, event)) }
    if let page = clause.page { elementTests.append(test(RuleProgram.Test.page, page)) }
    for property in clause.properties {
      let subject = properties.number(property.property)
      let number = test(subject, property.condition)
      if elementProperties.contains(subject) { elementTests.append(number) } else { otherTests.append(number) }
    }
    clauses.append(
      RuleProgram.ClauseRecord(
        rule: rule, testStart: UInt32(clauseTests.count), testCount: UInt32(elementTests.count + otherTests.count),
        selectorStart: UInt32(selectorStart), selectorCount: UInt32(selectorCount), extras: extras))
    clauseTests += elementTests
    clauseTests += otherTests
  }

  /// The number of a test, equal ones having one.
  private mutating func test(_ subject: Int, _ condition: Condition) -> UInt32 {
    let key = StringTable.testKey(condition, subject: subject)
    let id = key.withUnsafeBufferPointer { testKeys.intern($0) }
    if Int(id.rawValue) == tests.count {
      let isOfElement = subject < 0 || elementProperties.contains(subject)
      tests.append(RuleProgram.Test(subject: subject, condition: CompiledCondition(condition)))
      flatTests.append(FlatTest(condition, subject: subject, isOfElement: isOfElement, texts: &testTexts))
    }
    return id.rawValue
  }

  /// The names of which a condition demands one, as numbers; nil if it can be met otherwise.
  private mutating func onlyNames(_ condition: Condition?) -> [UInt32]? {
    guard case .isOneOf(let values, fold: false)? = condition else { return nil }
    var result: [UInt32] = []
    for value in values {
      // A page or an event may be a number, too, which has no name to be found by.
      guard case .string(let name) = value else { return nil }
      let number = names.intern(name.text).rawValue
      if !result.contains(number) || values.count > 64 { result.append(number) }
    }
    return values.count > 64 ? Array(Set(result)).sorted() : result
  }

  /// The tests of a clause by whose values it can be found.
  private mutating func valueTests(of clause: Clause) -> [(subject: Int, condition: Condition)] {
    clause.properties.map { (properties.number($0.property), $0.condition) }
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
