import EncircleEvents
import EncircleIdentity
import EncircleText

/// Explains the decisions of a rule set.
public struct Explainer: Sendable {
  private let ruleSet: RuleSet
  private var matcher: Matcher
  // Includes the disabled rules, to show whether they would match.
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

  /// Returns an explainer that also names, for events that no rule is about, the rule that would probably select them.
  ///
  /// - Complexity: O(1).
  public func tolerating(_ table: ToleranceTable) -> Explainer {
    var explainer = self
    explainer.matcher = matcher.tolerating(table)
    return explainer
  }

  /// Explains the decision on an event.
  ///
  /// - Complexity: O(size of the rules).
  public func explain(_ event: AnalyticsEvent) -> Explanation {
    var decider = Decider(matcher)
    let decision = decider.decide(event)
    var loaded = ProjectedEvent(allRules.projection)
    loaded.load(event)
    let part = allRules.part(for: loaded)
    var style: PathStyleName??
    if let styles = allRules.styles {
      let number = styles.events.number(of: loaded)
      style = .some(number < styles.events.styles.count ? styles.events.styles[number] : nil)
    }
    let evaluation = RuleEvaluation(part, event, style: style)
    var sorted = ruleSet.rules
    sorted.sortByID()
    var rules = sorted.map { evaluation.result(of: $0, isDisabled: disabled.contains($0.id)) }
    let pages = decider.matchedPages
    let outcomes = decider.propertyOutcomes(of: event)
    for i in rules.indices {
      rules[i].properties = (outcomes[rules[i].rule.id] ?? []).map { Self.result($0.property, $0.outcome) }
    }
    let own = matcher.excludedPages.count
    let missesElement = rules.contains { rule in
      !rule.matches && rule.clauses.contains { $0.tests.contains { $0.subject == Self.element && !$0.passed } }
    }
    return Explanation(
      decision: decision, defaultPages: matcher.excludedPageNames(pages.filter { $0 >= own }),
      paths: evaluation.paths, page: evaluation.page,
      styleMismatch: missesElement
        ? otherStyle(of: event).map { Explanation.StyleMismatch(event: $0, rules: ruleSet.style) } : nil,
      rules: rules, track: ruleSet.track)
  }

  /// The subject of the test of a selector.
  fileprivate static let element = "element"

  /// Returns the style of an event with a path that selectors in the style of the rules cannot match; nil if the event may be in
  /// that style, or if rules are in several.
  private func otherStyle(of event: AnalyticsEvent) -> PathStyleName? {
    guard ruleSet.otherStyles.isEmpty else { return nil }
    var styles = ruleSet.withoutRules
    let mayBeOwn = StyleOfEvents(styles).style(of: event) != nil
    styles.otherStyles = PathStyleName.allCases.filter { $0 != ruleSet.style }
    guard let style = StyleOfEvents(styles).style(of: event), style != ruleSet.style,
      case .string(let path)? = event.value(of: .path, EventFields(style: style)), !path.isEmpty
    else { return nil }
    // HubbleData's SDK sends no paths.
    guard style != .hubbleData, style != .hubbleDataAndroid else { return nil }
    guard mayBeOwn else { return style }
    // Only the brackets of its path distinguish an event of Sensors' SDK from one of HubbleData's to which a path was added.
    return ruleSet.style == .hubbleData && path.utf8.contains(UInt8(ascii: "[")) ? style : nil
  }

  private static func result(
    _ property: RuleProperty, _ outcome: PropertyReader.Outcome
  ) -> Explanation.PropertyResult {
    switch outcome {
    case .value(let value):
      Explanation.PropertyResult(name: property.name.text, source: property.origin, value: value, reason: nil)
    case .missing(let reason):
      Explanation.PropertyResult(name: property.name.text, source: property.origin, value: nil, reason: reason.rawValue)
    }
  }
}

/// Evaluates rules on one event, test by test, without the index.
private final class RuleEvaluation {
  private let matcher: Matcher
  private let source: AnalyticsEvent
  // Allocated, because the input keeps a pointer to it.
  private let event: UnsafeMutablePointer<ProjectedEvent>
  private var input: MatchInput
  private let classes: ClassTable
  // The style of the event, if rules are in several styles. The inner optional is nil if the event is in none of them.
  private let style: PathStyleName??

  init(_ matcher: Matcher, _ event: AnalyticsEvent, style: PathStyleName??) {
    self.matcher = matcher
    self.style = style
    source = event
    self.event = .allocate(capacity: 1)
    self.event.initialize(to: ProjectedEvent(matcher.projection))
    self.event.pointee.load(event)
    classes = ClassTable(hierarchy: matcher.hierarchy)
    input = MatchInput(matcher, UnsafePointer(self.event))
    if matcher.usesKnownTexts { input.addKnownTexts() }
    input.addTextsWithin()
    input.resolve()
  }

  deinit { event.deinitialize(count: 1).deallocate() }

  var paths: [String] { readings.map(\.shown) }

  /// The readings that are named. A path of Android is not ambiguous: its components have several forms, the likeliest first.
  private var readings: [ElementPath] {
    let readings = input.readings
    return matcher.settings.style.isAndroid ? Array(readings.prefix(1)) : readings
  }

  var page: String? {
    let value = input.page
    return value.kind == .string ? String(decoding: value.bytes, as: UTF8.self) : nil
  }

  func result(of rule: SelectionRule, isDisabled: Bool) -> Explanation.RuleResult {
    let variants =
      rule.clausesOfAnyRow(SameKindContext(matcher.dictionary, matcher.vocabulary, matcher.settings.fields))
    let clauses = variants.map { Explanation.ClauseResult(tests: tests(of: $0)) }
    let unless = rule.unless.map { Explanation.ClauseResult(tests: tests(of: $0)) }
    let besides = besidesTests(of: rule)
    var matches = clauses.contains(where: \.holds) && besides.allSatisfy(\.passed) && !unless.contains(where: \.holds)
    if isDisabled { matches = false }
    let change = matches ? nil : Self.change(clauses, besides, unless, isDisabled: isDisabled)
    return Explanation.RuleResult(
      rule: rule, matches: matches, clauses: clauses, besides: besides, unless: unless, change: change)
  }

  /// Returns the changes that would make the rule match, for the clause with the fewest failed tests.
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

  private func tests(of clause: RuleClause) -> [Explanation.Test] {
    var tests: [Explanation.Test] = []
    if let style, !clause.isFor(style) { return [styleTest(clause, style)] }
    let clause = style == nil ? clause : clause.part(of: style ?? nil) ?? clause
    if let event = clause.event {
      tests.append(test("event", event, input.value(of: .event), meant: placeMeant(by: .event)))
    }
    if let page = clause.page { tests.append(test("page", page, input.page, meant: placeMeant(by: .page))) }
    if let wanted = clause.requiredEventIDs?.sorted() {
      let id = input.eventID()
      tests.append(
        Explanation.Test(
          subject: "event ID", expected: "is \(wanted.map(\.description).joined(separator: " or "))",
          found: id?.description ?? "missing", passed: id.map { wanted.contains($0) } ?? false))
    }
    if !clause.selectors.isEmpty { tests.append(selectorTest(clause.selectors)) }
    if let place = clause.place { tests.append(selectorTest([place])) }
    for property in clause.properties {
      guard let number = matcher.properties.find(property.property) else { continue }
      if property.isOfTextsWithin {
        tests.append(testWithin(property, input[number]))
        continue
      }
      let place = property.property
      tests.append(
        test(place.description, property.condition, input[number], meant: source.placeMeant(by: place)))
    }
    return tests
  }

  private func styleTest(_ clause: RuleClause, _ style: PathStyleName?) -> Explanation.Test {
    var expected = ""
    if case .only(let own) = clause.style { expected = own.rawValue }
    return Explanation.Test(
      subject: "style of the event", expected: "is \(expected)", found: style?.rawValue ?? "none of the rule set's",
      passed: false)
  }

  /// - Parameter meant: The place where the event probably has a missing value, such as a property whose name is misspelt in the rule.
  private func test(
    _ subject: String, _ condition: Condition, _ value: ProjectedValue, meant: @autoclosure () -> String?
  ) -> Explanation.Test {
    let passed = CompiledCondition(condition).holds(value, classes)
    let found = !passed && value.kind == .missing ? Self.missing(meant()) : value.description
    return Explanation.Test(subject: subject, expected: condition.description, found: found, passed: passed)
  }

  private static func missing(_ meant: String?) -> String {
    "missing" + (meant.map { ", but the event has \($0)" } ?? "")
  }

  /// Returns the place where the event probably has a field that it lacks: with a similar name, at the root, or under the field's own
  /// name, as in rows of tables. Nil if there is none.
  private func placeMeant(by field: EventFields.Field) -> String? {
    let fields = matcher.settings.fields
    for place in fields.places(of: field) {
      if let meant = source.placeMeant(by: place) { return meant }
    }
    // In events of GrowingIO, for example, /path is the page.
    guard let own = PropertyReference(parsing: "/" + field.rawValue),
      !EventFields.Field.allCases.contains(where: { fields.places(of: $0).contains(own) })
    else { return nil }
    return source.value(at: own) == nil ? source.placeMeant(by: own) : own.description
  }

  private func testWithin(_ test: PropertyTest, _ value: ProjectedValue) -> Explanation.Test {
    var found = "nothing, because no capture has a definite text there"
    if matcher.dictionary.screenTexts.isEmpty { found = "nothing, because there are no captures" }
    if value.kind == .composite { found = String(decoding: value.bytes, as: UTF8.self) }
    return Explanation.Test(
      subject: test.property.description, expected: (test.condition.ofTextWithin ?? test.condition).description,
      found: found, passed: CompiledCondition(test.condition).holds(value, classes))
  }

  private func selectorTest(_ selectors: [ElementSelector]) -> Explanation.Test {
    let paths = readings
    let graph = input.graph ?? paths.first.map { PathGraph($0) }
    let passed = selectors.contains { selector in
      graph.map { SelectorMatcher(selector, hierarchy: matcher.hierarchy).matches($0) } ?? false
    }
    var found = paths.map(\.shown).joined(separator: " or ")
    if paths.isEmpty {
      found = Self.missing(input.value(of: .path).kind == .missing ? placeMeant(by: .path) : nil)
    }
    if !passed, selectors.count == 1, let path = paths.first, let mismatch = mismatch(selectors[0], path) {
      found = mismatch
    }
    return Explanation.Test(
      subject: Explainer.element, expected: "matches \(selectors.map(\.description).joined(separator: " or "))",
      found: found, passed: passed)
  }

  /// Describes the last step that does not match its component. Steps before a `**` are not considered, because it is open which
  /// component they stand for.
  private func mismatch(_ selector: ElementSelector, _ path: ElementPath) -> String? {
    for (i, step) in selector.steps.reversed().enumerated() {
      guard case .component = step else { return nil }
      guard i < path.components.count else { return "nothing is left of the path for step \(step)" }
      let component = path.components[path.components.count - 1 - i]
      let alone = SelectorMatcher(ElementSelector(isAnchored: true, steps: [step]), hierarchy: matcher.hierarchy)
      if !alone.matches(ElementPath([component])) {
        return "step \(step) does not match \(component.shown(for: step))"
      }
    }
    return selector.isAnchored ? "the path does not begin there" : nil
  }

  private func besidesTests(of rule: SelectionRule) -> [Explanation.Test] {
    var tests: [Explanation.Test] = []
    if !rule.apps.isEmpty {
      let value = input.value(of: .app)
      tests.append(
        Explanation.Test(
          subject: "app", expected: "is \(rule.apps.map(\.text).joined(separator: " or ")) or unknown",
          found: value.kind == .string ? String(decoding: value.bytes, as: UTF8.self) : "missing",
          passed: rule.apps.contains { input.mayBe(of: $0) }))
    }
    let value = input.value(of: .time)
    // A value that is not a time is shown as it is.
    let found = EventTime.wholeMilliseconds(value).map(Self.text(ofTime:)) ?? value.description
    func add(_ expected: String, _ passed: Bool) {
      tests.append(Explanation.Test(subject: "time", expected: "is \(expected)", found: found, passed: passed))
    }
    func holds(_ from: Int64?, _ to: Int64?) -> Bool { RuleTime(from: from, to: to).contains(value) }
    if !rule.windows.isEmpty {
      let spans = rule.windows.map { Self.span(from: $0.from, to: $0.to) }
      add(spans.joined(separator: ", or "), rule.windows.contains { holds($0.from, $0.to) })
      return tests
    }
    if let from = rule.from { add(Self.span(from: from, to: nil), holds(from, nil)) }
    if let to = rule.to { add(Self.span(from: nil, to: to), holds(nil, to)) }
    return tests
  }

  /// Describes a span of time of a rule for people.
  private static func span(from: Int64?, to: Int64?) -> String {
    switch (from, to) {
    case (let from?, let to?): "\(text(ofTime: from)) to \(text(ofTime: to))"
    case (let from?, nil): "\(text(ofTime: from)) or later"
    case (nil, let to?): "\(text(ofTime: to)) or earlier"
    case (nil, nil): "at any time"
    }
  }

  private static func text(ofTime milliseconds: Int64) -> String {
    Timestamp.text(milliseconds) ?? "\(milliseconds) ms"
  }
}

extension ElementPath {
  /// The path, for people: `-` stands for a number that the event does not give, as in the events of SDKs.
  fileprivate var shown: String {
    components.map { $0.shown() }.joined(separator: components.last?.texts?.web == nil ? "/" : " > ")
  }
}

extension PathComponent {
  /// Returns the component, for people, in the notation of selectors.
  ///
  /// - Parameter step: A step that tests it: of a web page's element, the attributes that the step tests are shown, too.
  fileprivate func shown(for step: ElementSelector.Step? = nil) -> String {
    if let texts { return ElementSelector.Step.component(.name(UTF8String(className)), shown(texts, step)).description }
    var fields = locator.fields
    // The place of a child page may be a negative number.
    if case .position = locator { fields = [] }
    guard fields.contains(where: { $0.value == Locator.unknown }) else { return ElementPath([self]).written(.slashes) }
    let numbers = fields.map { name, value -> String in
      let number = value == Locator.unknown ? "-" : "\(value)"
      return name.isEmpty ? number : "\(name):\(number)"
    }
    let name = ElementPath([PathComponent(className)]).written(.slashes)
    return "\(name)(\(numbers.joined(separator: " ")))"
  }

  private func shown(_ texts: ComponentTexts, _ step: ElementSelector.Step?) -> ElementSelector.LocatorPattern {
    guard let web = texts.web else {
      let tests = [ElementSelector.TextTest(.text, UTF8String(texts.text)), .init(.id, UTF8String(texts.id))]
      return .texts(tests.filter { !$0.text.text.isEmpty })
    }
    var tests: [ElementSelector.PageTest] = web.id.map { [.id(UTF8String($0))] } ?? []
    // A path would otherwise be long: some pages give every element dozens of classes.
    for name in (web.classes ?? []).prefix(step == nil ? 3 : .max) { tests.append(.hasClass(UTF8String(name))) }
    if case .component(_, .conditions(let asked)?)? = step {
      for case .hasAttribute(let name) in asked where web.attributes[name] != nil { tests.append(.hasAttribute(name)) }
      for case .attribute(let name, _) in asked {
        if let value = web.attributes[name] { tests.append(.attribute(name, UTF8String(value))) }
      }
      let asksForChild = asked.contains { if case .nthChild = $0 { true } else { false } }
      if asksForChild, let place = web.nthChild { tests.append(.nthChild(place)) }
    }
    if let place = web.nthOfType { tests.append(.nthOfType(place)) }
    return .conditions(tests)
  }
}

extension ProjectedValue {
  /// The value, for people.
  fileprivate var description: String {
    switch kind {
    case .missing: "missing"
    case .null: "null"
    case .true: "true"
    case .false: "false"
    case .number: String(decoding: bytes, as: UTF8.self)
    case .string: "\"\(String(decoding: bytes, as: UTF8.self))\""
    // An object has no bytes here.
    case .composite: bytes.isEmpty ? "an object" : VisibleText.shortened(String(decoding: bytes, as: UTF8.self))
    }
  }
}
