import EncircleText

/// The role of a node in a rule file, or in a file of tests, coverage or a plan. The role determines the order of the node's
/// keys and the layout.
enum NodeRole {
  case ruleFile, rules, rule, clauses, selectors, givenProperties, givenProperty
  case definitions, namedClauses, pages, excludedPages, within
  case testFile, tests, test, expectation
  case coverageFile, setAside
  case planFile, plannedEvents, plannedEvent, plannedProperties, plannedProperty
  case other

  /// Determines the role of a document by its keys.
  init(ofDocumentWithKeys keys: [String]) {
    let has = { (key: String) in keys.contains { $0.hasSameBytes(as: key) } }
    self =
      has("rules")
      ? .ruleFile : has("tests") ? .testFile : has("setAside") ? .coverageFile : has("events") ? .planFile : .ruleFile
  }

  /// The canonical order of the keys; nil if the author's order stays.
  private var order: [String]? {
    switch self {
    case .ruleFile: RuleFileKeys.file
    case .rule: RuleFileKeys.rule
    case .clauses: RuleFileKeys.clause
    case .givenProperty: RuleFileKeys.property
    case .definitions: RuleFileKeys.define
    case .excludedPages: RuleFileKeys.excludedPage
    case .within: RuleFileKeys.within
    case .testFile: RuleTestKeys.file
    case .test: RuleTestKeys.test
    case .expectation: RuleTestKeys.expectation
    case .coverageFile: CoverageKeys.file
    case .setAside: CoverageKeys.item
    case .planFile: PlanKeys.file
    case .plannedEvent: PlanKeys.event
    case .plannedProperty: PlanKeys.property
    default: nil
    }
  }

  /// Returns the role of a member.
  func role(ofMember key: String) -> NodeRole {
    switch (self, key) {
    case (.ruleFile, "rules"): .rules
    case (.ruleFile, "define"): .definitions
    case (.ruleFile, "pages"): .pages
    case (.pages, "exclude"): .excludedPages
    case (.excludedPages, "unless"): .clauses
    case (.clauses, "within"), (.setAside, "within"): .within
    case (.definitions, "clauses"): .namedClauses
    case (.namedClauses, _): .clauses
    case (.rule, "include"), (.rule, "exclude"), (.rule, "unless"): .clauses
    case (.rule, "properties"): .givenProperties
    case (.givenProperties, _): .givenProperty
    case (.clauses, "selector"), (.test, "selector"), (.setAside, "selector"): .selectors
    case (.coverageFile, "setAside"): .setAside
    case (.planFile, "events"): .plannedEvents
    case (.plannedEvent, "properties"): .plannedProperties
    case (.testFile, "tests"): .tests
    case (.test, "expect"): .expectation
    default: .other
    }
  }

  /// The role of an item.
  var roleOfItem: NodeRole {
    switch self {
    case .rules: .rule
    case .tests: .test
    case .plannedEvents: .plannedEvent
    case .plannedProperties: .plannedProperty
    case .clauses, .selectors, .excludedPages, .setAside: self
    default: .other
    }
  }

  /// This is true if a list in this role is never written in brackets.
  var isBlockList: Bool { [.rules, .tests, .clauses, .setAside, .plannedEvents, .plannedProperties].contains(self) }

  /// This is true if a mapping in this role is never written in braces.
  var isBlockMapping: Bool { [.ruleFile, .testFile, .coverageFile, .planFile].contains(self) }

  /// This is true if the items of a list in this role have blank lines between them.
  var hasBlankLinesBetween: Bool { self == .rules || self == .tests || self == .plannedEvents }

  /// Returns the numbers of keys in canonical order; unknown keys come last, in the order of the author.
  func ordered(_ keys: [String?]) -> [Int] {
    guard let order else { return Array(keys.indices) }
    func rank(_ key: String?) -> Int {
      guard let key else { return order.count }
      return order.firstIndex { $0.hasSameBytes(as: key) } ?? order.count
    }
    return keys.indices.sorted { (rank(keys[$0]), $0) < (rank(keys[$1]), $1) }
  }
}
