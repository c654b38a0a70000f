import EncircleEvents
import EncircleIdentity
import EncircleText

/// Why an event is or is not selected: rule by rule, test by test.
public struct Explanation: Sendable {
  /// One test with what it found.
  public struct Test: Sendable {
    /// What is tested, such as `page` or the name of a property.
    public let subject: String
    /// What must hold of it, in words.
    public let expected: String
    /// What the event has.
    public let found: String
    /// Whether it holds.
    public let passed: Bool
  }

  /// The tests of one clause, all of which must hold.
  public struct ClauseResult: Sendable {
    /// The tests.
    public let tests: [Test]
    /// Whether all hold.
    public var holds: Bool { tests.allSatisfy(\.passed) }
  }

  /// What one rule says.
  public struct RuleResult: Sendable {
    /// The rule.
    public let rule: SelectionRule
    /// Whether the rule matches; a disabled rule never does.
    public let matches: Bool
    /// The clauses, of which one must hold.
    public let clauses: [ClauseResult]
    /// The tests that must hold besides, of app and time.
    public let besides: [Test]
    /// The clauses of `unless`, of which none may hold.
    public let unless: [ClauseResult]
    /// What would have to change for the rule to match, in words; nil if it does.
    public let change: String?
  }

  /// The decision.
  public let decision: Decision
  /// The element's path, in each of its readings, with slashes.
  public let paths: [String]
  /// The page, if it is known.
  public let page: String?
  /// The rules, in byte order of their ids.
  public let rules: [RuleResult]
  /// What of the rule set's `track` the decision follows from.
  public let track: RuleSet.Tracking
}

/// Explains the decisions of a rule set.
public struct Explainer: Sendable {
  private let ruleSet: RuleSet
  private let matcher: Matcher
  // Also knows the rules that are disabled, to say what they would do.
  private let allRules: Matcher
  private let disabled: Set<UTF8String>

  /// Creates an explainer.
  public init(_ ruleSet: RuleSet, dictionary: ElementDictionary = ElementDictionary()) {
    self.ruleSet = ruleSet
    matcher = Matcher(ruleSet, dictionary: dictionary)
    var enabled = ruleSet
    for i in enabled.rules.indices { enabled.rules[i].isEnabled = true }
    disabled = Set(ruleSet.rules.filter { !$0.isEnabled }.map(\.id))
    allRules = disabled.isEmpty ? matcher : Matcher(enabled, dictionary: dictionary)
  }

  /// Explains what the rules say about an event.
  ///
  /// - Complexity: O(size of the rules).
  public func explain(_ event: AnalyticsEvent) -> Explanation {
    var state = MatchState(for: matcher)
    let decision = matcher.decide(event, using: &state)
    var trial = Trial(allRules, event)
    var sorted = ruleSet.rules
    sorted.sortByID()
    let rules = sorted.map { trial.result(of: $0, isDisabled: disabled.contains($0.id)) }
    return Explanation(
      decision: decision, paths: trial.paths, page: trial.page, rules: rules, track: ruleSet.track)
  }
}

/// One event tried on rules, test by test rather than by the index.
private struct Trial: ~Copyable {
  private let matcher: Matcher
  private var event: ProjectedEvent
  private var element = ResolvedElement()
  private var classes: ClassTable

  init(_ matcher: Matcher, _ event: AnalyticsEvent) {
    self.matcher = matcher
    self.event = ProjectedEvent(matcher.projection)
    self.event.load(event)
    classes = ClassTable(hierarchy: matcher.hierarchy)
    element.resolve(self.event, matcher)
  }

  var paths: [String] { element.readings.map { $0.written(.slashes) } }

  var page: String? {
    let value = element.page(event, matcher)
    return value.kind == .string ? String(decoding: value.bytes, as: UTF8.self) : nil
  }

  mutating func result(of rule: SelectionRule, isDisabled: Bool) -> Explanation.RuleResult {
    let variants =
      rule.clausesOfAnyRow(matcher.dictionary, matcher.vocabulary)
    let clauses = variants.map { Explanation.ClauseResult(tests: tests(of: $0)) }
    let unless = rule.unless.map { Explanation.ClauseResult(tests: tests(of: $0)) }
    let besides = besidesTests(of: rule)
    var matches = clauses.contains(where: \.holds) && besides.allSatisfy(\.passed) && !unless.contains(where: \.holds)
    if isDisabled { matches = false }
    let change = matches ? nil : Self.change(clauses, besides, unless, isDisabled: isDisabled)
    return Explanation.RuleResult(
      rule: rule, matches: matches, clauses: clauses, besides: besides, unless: unless, change: change)
  }

  /// What would have to change, by the clause that lacks least.
  private static func change(
    _ clauses: [Explanation.ClauseResult], _ besides: [Explanation.Test], _ unless: [Explanation.ClauseResult],
    isDisabled: Bool
  ) -> String {
    var changes: [String] = []
    let nearest = clauses.min { $0.tests.count { !$0.passed } < $1.tests.count { !$0.passed } }
    if let nearest, !nearest.holds { changes += nearest.tests.filter { !$0.passed }.map(phrase) }
    changes += besides.filter { !$0.passed }.map(phrase)
    for clause in unless where clause.holds {
      if let test = clause.tests.first {
        changes.append("not (\(test.subject) \(test.expected)), which 'unless' rules out")
      }
    }
    if isDisabled { changes.append("enabled: true") }
    return changes.joined(separator: "; and ")
  }

  private static func phrase(_ test: Explanation.Test) -> String {
    "\(test.subject) \(test.expected), found \(test.found)"
  }

  private mutating func tests(of clause: RuleClause) -> [Explanation.Test] {
    var tests: [Explanation.Test] = []
    if let event = clause.event { tests.append(test("event", event, matcher.fields.value(of: .event, self.event))) }
    if let page = clause.page { tests.append(test("page", page, element.page(event, matcher))) }
    if let wanted = clause.requiredEventIDs?.sorted() {
      let id = element.eventID(event, matcher)
      tests.append(
        Explanation.Test(
          subject: "event ID", expected: "is \(wanted.map(\.description).joined(separator: " or "))",
          found: id?.description ?? "missing", passed: id.map { wanted.contains($0) } ?? false))
    }
    if !clause.selectors.isEmpty { tests.append(selectorTest(clause.selectors)) }
    if let place = clause.place { tests.append(selectorTest([place])) }
    for property in clause.properties {
      guard let number = matcher.properties.find(property.property) else { continue }
      tests.append(test(property.property.description, property.condition, event[number]))
    }
    return tests
  }

  private mutating func test(_ subject: String, _ condition: Condition, _ value: ProjectedValue) -> Explanation.Test {
    Explanation.Test(
      subject: subject, expected: condition.description, found: value.description,
      passed: CompiledCondition(condition).holds(value, &classes))
  }

  private mutating func selectorTest(_ selectors: [ElementSelector]) -> Explanation.Test {
    let paths = element.readings
    let passed = selectors.contains { selector in
      let matcher = SelectorMatcher(selector, hierarchy: matcher.hierarchy)
      return paths.contains { matcher.matches($0) }
    }
    var found = paths.isEmpty ? "missing" : paths.map { $0.written(.slashes) }.joined(separator: " or ")
    if !passed, selectors.count == 1, let path = paths.first, let mismatch = mismatch(selectors[0], path) {
      found = mismatch
    }
    return Explanation.Test(
      subject: "element", expected: "matches \(selectors.map(\.description).joined(separator: " or "))", found: found,
      passed: passed)
  }

  /// The last step that does not match its component, where `**` leaves no doubt which component that is.
  private func mismatch(_ selector: ElementSelector, _ path: ElementPath) -> String? {
    for (i, step) in selector.steps.reversed().enumerated() {
      guard case .component = step else { return nil }
      guard i < path.components.count else { return "nothing is left of the path for step \(step)" }
      let component = path.components[path.components.count - 1 - i]
      let alone = SelectorMatcher(ElementSelector(isAnchored: true, steps: [step]), hierarchy: matcher.hierarchy)
      if !alone.matches(ElementPath([component])) {
        return "step \(step) does not match \(ElementPath([component]).written(.slashes))"
      }
    }
    return selector.isAnchored ? "the path does not begin there" : nil
  }

  private func besidesTests(of rule: SelectionRule) -> [Explanation.Test] {
    var tests: [Explanation.Test] = []
    if let app = rule.app {
      let value = matcher.fields.value(of: .app, event)
      tests.append(
        Explanation.Test(
          subject: "app", expected: "is \(app) or unknown",
          found: value.kind == .string ? String(decoding: value.bytes, as: UTF8.self) : "missing",
          passed: matcher.isApp(app, event)))
    }
    let value = matcher.fields.value(of: .time, event)
    let time = value.kind == .number ? DecimalNumber(value.bytes) : nil
    func add(_ expected: String, _ from: Int64?, _ to: Int64?) {
      tests.append(
        Explanation.Test(
          subject: "time", expected: expected, found: time?.description ?? "missing",
          passed: value.kind == .number && RuleTime(from: from, to: to).contains(value.bytes)))
    }
    if let from = rule.from { add("is \(from) ms or later", from, nil) }
    if let to = rule.to { add("is \(to) ms or earlier", nil, to) }
    return tests
  }
}

extension ProjectedValue {
  /// The value in words.
  fileprivate var description: String {
    switch kind {
    case .missing: "missing"
    case .null: "null"
    case .true: "true"
    case .false: "false"
    case .number: String(decoding: bytes, as: UTF8.self)
    case .string: "\"\(String(decoding: bytes, as: UTF8.self))\""
    case .composite: "a list or an object"
    }
  }
}
