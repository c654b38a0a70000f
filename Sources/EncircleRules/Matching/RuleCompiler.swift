import EncircleEvents
import EncircleIdentity
import EncircleTree

/// Property references as numbers.
struct PropertyTable: Sendable {
  private(set) var references: [PropertyReference] = []
  private var numbers: [PropertyReference: PropertyNumber] = [:]
  /// Keys of `properties`, and pointers to members of the root, by key.
  private(set) var keys = StringTable()
  private(set) var numberOfKey: [PropertyNumber] = []
  private(set) var rootKeys = StringTable()
  private(set) var numberOfRootKey: [PropertyNumber] = []
  /// Pointers that go deeper.
  private(set) var deepPointers: [(pointer: JSONPointer, number: PropertyNumber)] = []

  var count: Int { references.count }

  func find(_ reference: PropertyReference) -> PropertyNumber? { numbers[reference] }

  mutating func number(_ reference: PropertyReference) -> PropertyNumber {
    if let known = numbers[reference] { return known }
    let number = references.count
    references.append(reference)
    numbers[reference] = number
    switch reference {
    case .property(let name):
      _ = keys.intern(name.text)
      numberOfKey.append(number)
    case .pointer(let pointer):
      if pointer.steps.count == 1 {
        _ = pointer.steps[0].name.withUnsafeBufferPointer { rootKeys.intern($0) }
        numberOfRootKey.append(number)
      } else {
        deepPointers.append((pointer, number))
      }
    }
    return number
  }
}

/// The property numbers of fields.
struct FieldTable: Sendable {
  private var numbers: [PropertyNumber] = []
  private var starts: [Int] = [0]

  init(_ numbersOfFields: [[PropertyNumber]] = []) {
    for numbers in numbersOfFields {
      self.numbers.append(contentsOf: numbers)
      starts.append(self.numbers.count)
    }
  }

  subscript(field: EventFields.Field) -> ArraySlice<PropertyNumber> {
    numbers[starts[field.ordinal]..<starts[field.ordinal + 1]]
  }

  /// The first property of a field that has a value.
  func firstValue(of field: EventFields.Field, in values: borrowing EventValues) -> EventValues.Value {
    for i in starts[field.ordinal]..<starts[field.ordinal + 1] {
      if case .missing = values[numbers[i]] { continue }
      return values[numbers[i]]
    }
    return .missing
  }
}

extension Rule {
  /// The moment behind the last millisecond of the rule, all of which belongs to it.
  var end: DecimalNumber? { to.map { $0 == .max ? DecimalNumber(UInt64(1) << 63) : DecimalNumber($0 + 1) } }
}

/// Turns rules into clauses over numbers, and files them in the index.
struct RuleCompiler {
  var classes: ClassTable
  var vocabulary: ClassVocabulary
  private let dictionary: ElementDictionary
  private(set) var properties = PropertyTable()
  private(set) var fields = FieldTable()
  private(set) var rules: [Matcher.CompiledRule] = []
  private(set) var clauses: [Matcher.CompiledClause] = []
  private(set) var selectors = SelectorTable()
  private var index = RuleIndex.Builder()

  init(
    hierarchy: ClassHierarchy, vocabulary: ClassVocabulary, dictionary: ElementDictionary, fields places: EventFields
  ) {
    classes = ClassTable(hierarchy: hierarchy)
    self.vocabulary = vocabulary
    self.dictionary = dictionary
    fields = FieldTable(EventFields.Field.allCases.map { places.places(of: $0).map { properties.number($0) } })
  }

  /// Adds the class names of a rule to those by which paths are read, which the order of rules must not change.
  mutating func addNames(of rule: Rule) {
    for clause in rule.clauses + rule.unless {
      for selector in clause.selectors {
        for case .component(.name(let name), _) in selector.steps { vocabulary.insert(name.text) }
      }
    }
  }

  /// Adds a rule, whose number is its place among the rules.
  mutating func add(_ rule: Rule, number: Int) {
    for clause in rule.clauses {
      let variants = rule.sameKind ? clause.withSameKind(dictionary, vocabulary) : [clause]
      for variant in variants { file(compile(variant, rule: number), variant) }
    }
    let start = clauses.count
    for clause in rule.unless { clauses.append(compile(clause, rule: number)) }
    rules.append(
      Matcher.CompiledRule(
        effect: rule.effect, from: rule.from.map { DecimalNumber($0) }, end: rule.end, app: rule.app,
        unless: start..<clauses.count))
  }

  private mutating func compile(_ clause: Clause, rule: Int) -> Matcher.CompiledClause {
    let start = selectors.count
    for selector in clause.selectors {
      _ = selectors.add(selector, &classes)
    }
    let end = selectors.count
    let place = clause.place.map { selectors.add($0, &classes) }
    return Matcher.CompiledClause(
      rule: rule, event: clause.event.map { CompiledCondition($0, &classes) },
      page: clause.page.map { CompiledCondition($0, &classes) }, selectors: start..<end, place: place,
      eventIDs: clause.requiredEventIDs,
      properties: clause.properties.map { (properties.number($0.property), CompiledCondition($0.condition, &classes)) })
  }

  /// Files a clause in the index under what its element must be, or else its page and event.
  private mutating func file(_ compiled: Matcher.CompiledClause, _ clause: Clause) {
    let number = Int32(clauses.count)
    clauses.append(compiled)
    let rule = Int32(compiled.rule)
    let pages = Self.onlyNames(clause.page)
    if let eventIDs = compiled.eventIDs {
      for id in eventIDs { index.file(.init(rule: rule, clause: number, selector: -1), eventID: id) }
    } else if !clause.selectors.isEmpty {
      for selector in compiled.selectors {
        index.file(.init(rule: rule, clause: number, selector: Int32(selector)), pages: pages)
      }
    } else {
      index.file(.init(rule: rule, clause: number, selector: -1), pages: pages, events: Self.onlyNames(clause.event))
    }
  }

  /// The index of all clauses that were added.
  func makeIndex() -> RuleIndex { index.finish(selectors, classCount: classes.count) }

  /// The names of which a condition demands one; nil if it can be met otherwise.
  private static func onlyNames(_ condition: Condition?) -> [Name]? {
    guard case .isOneOf(let values, fold: false)? = condition else { return nil }
    var names: [Name] = []
    for value in values {
      // A page or an event may be a number, too, which has no name to be found by.
      guard case .string(let name) = value else { return nil }
      names.append(name)
    }
    return names
  }
}
