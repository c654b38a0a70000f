import EncircleEvents
import EncircleIdentity
import EncircleInput
import EncircleTestSupport
import EncircleText
import Testing

@testable import EncircleRules

/// Decisions about events without a rule, against the definition applied to each successor.
@Suite struct ToleranceTests {
  private static let ruleSetsASeed = 20

  @Test(
    "events are decided as without tolerance, and approximately as each successor says",
    arguments: TestSize.scaled(0..<8 as Range<UInt64>))
  func agreement(seed: UInt64) throws {
    var found = 0
    for number in 0..<Self.ruleSetsASeed {
      let ruleSetSeed = 7_000 + seed * 1_000 + UInt64(number)
      var world = try RandomRules(seed: ruleSetSeed)
      let matcher = Matcher(world.ruleSet, dictionary: world.dictionary)
      let slow = SlowTolerance(matcher, Self.successors(&world, matcher))
      let tolerant = matcher.tolerating(ToleranceTable(slow.successors))
      var decider = Decider(tolerant, cacheLimit: number % 3 == 0 ? 20_000 : Decider.defaultCacheLimit)
      for i in 0..<150 {
        let json = world.event()
        let event = json.event
        var expected = matcher.decide([event])[0]
        expected.approximate = slow.approximation(event, expected)
        let text = json.write(&world.random)
        for decision in [decider.decide(event), try AgreementTests.decideRead(text, &decider)] {
          guard decision != expected else { continue }
          Issue.record("seed \(ruleSetSeed), event \(i): \(text)\nexpected \(expected)\nfound \(decision as Any)")
          return
        }
        if expected.approximate != nil { found += 1 }
      }
    }
    #expect(found >= 20, "seed \(seed): only \(found) events are approximate")
  }

  /// Successors between places that events of the world name, of rules that select the old one.
  private static func successors(_ world: inout RandomRules, _ matcher: Matcher) -> [SuccessorElement] {
    var decider = Decider(matcher)
    var (selected, others): ([(UTF8String, ElementPlace, AnalyticsEvent)], [(ElementPlace, AnalyticsEvent)]) = ([], [])
    for _ in 0..<300 {
      let event = world.event().event
      guard let place = decider.place(of: event) else { continue }
      let decision = decider.decide(event)
      if let rule = decision.rules.first {
        selected.append((rule, place, event))
      } else {
        others.append((place, event))
      }
    }
    guard !selected.isEmpty, !others.isEmpty else { return [] }
    return (0..<60).map { _ in
      let (rule, before, eventBefore) = world.random.pick(selected)
      let (now, eventNow) = world.random.pick(others)
      return SuccessorElement(
        rule: rule, confidence: Double(Int.random(in: 50...99, using: &world.random)) / 100, reasons: ["same text"],
        before: before, eventBefore: eventBefore, now: now, eventNow: eventNow,
        lastVersion: world.random.pick([nil, "5.1", "5.2", "5.10"]).flatMap { VersionNumber($0) },
        endVersion: world.random.pick([nil, nil, nil, nil, nil, nil, "5.2", "5.10"]).flatMap { VersionNumber($0) },
        isPlaceReused: world.random.oneIn(3))
    }
  }

  private static let rules = RuleSetBuilding.button

  @Test("without a table nothing is approximate, and the member is absent")
  func without() throws {
    var decider = Decider(Matcher(Self.rules))
    let decision = decider.decide(Self.tap("UIWindow(0)/Bar(0)/UIStackView(0)/UIButton(0)", "5.2"))
    #expect(decision.approximate == nil && !decision.isSelected)
  }

  @Test(
    "a lost element is found in later versions, in any row, where nothing else is said against it",
    arguments: [
      ("UIWindow(0)/List(0)/Cell(section:0 row:1)/UIStackView(0)/UIButton(0)", "5.2", "Home", true),
      ("UIWindow(0)/List(0)/Cell(section:0 row:17)/UIStackView(0)/UIButton(0)", "5.2", "Home", true),
      ("UIWindow(0)/List(0)/Cell(section:0 row:17)/UIStackView(0)/UIButton(0)", nil, "Home", true),
      // Another path, page or event, the old version, and a row that the rule does not select.
      ("UIWindow(0)/List(0)/Cell(section:0 row:17)/UIStackView(0)/UIButton(1)", "5.2", "Home", false),
      ("UIWindow(0)/List(0)/Cell(section:0 row:17)/UIStackView(0)/UIButton(0)", "5.2", "Other", false),
      ("UIWindow(0)/List(0)/Cell(section:0 row:17)/UIStackView(0)/UIButton(0)", "5.1", "Home", false),
      ("UIWindow(0)/List(0)/Cell(section:1 row:17)/UIStackView(0)/UIButton(0)", "5.2", "Home", false),
    ] as [(String, String?, String, Bool)])
  func rows(path: String, version: String?, page: String, isFound: Bool) throws {
    let before = "UIWindow(0)/List(0)/Cell(section:0 row:1)/UIButton(0)"
    let now = "UIWindow(0)/List(0)/Cell(section:0 row:1)/UIStackView(0)/UIButton(0)"
    let table = ToleranceTable([try Self.successor("list", before, now, "5.1")])
    var decider = Decider(Matcher(Self.rules).tolerating(table))
    let decision = decider.decide(Self.tap(path, version, page: page))
    #expect(decision.approximate?.rule == (isFound ? "list" : nil))
    #expect(!decision.isSelected && decision.rules.isEmpty && decision.emit.isEmpty)
  }

  @Test("an event without a version at another element's former place is about an unknown element")
  func reusedPlace() throws {
    var successor = try Self.successor(
      "button", "UIWindow(0)/Bar(0)/UIButton(0)", "UIWindow(0)/Bar(0)/UIButton(1)", "5.1")
    successor.isPlaceReused = true
    var decider = Decider(Matcher(Self.rules).tolerating(ToleranceTable([successor])))
    #expect(decider.decide(Self.tap("UIWindow(0)/Bar(0)/UIButton(1)", nil)).approximate == nil)
    #expect(decider.decide(Self.tap("UIWindow(0)/Bar(0)/UIButton(1)", "5.1.0")).approximate == nil)
    #expect(decider.decide(Self.tap("UIWindow(0)/Bar(0)/UIButton(1)", "5.1.1")).approximate?.rule == "button")
  }

  @Test("exclude rules and excluded pages apply to approximate elements, too")
  func excluded() throws {
    let successor = try Self.successor(
      "button", "UIWindow(0)/Bar(0)/UIButton(0)", "UIWindow(0)/Bar(0)/UIButton(1)", "5.1")
    var ruleSet = Self.rules
    var clause = RuleClause()
    clause.selectors = [try ElementSelector(parsing: "Bar/UIButton(0)")]
    ruleSet.rules.append(SelectionRule("no", .exclude, [clause]))
    var decider = Decider(Matcher(ruleSet).tolerating(ToleranceTable([successor])))
    #expect(decider.decide(Self.tap("UIWindow(0)/Bar(0)/UIButton(1)", "5.2")).approximate == nil)
    ruleSet.rules.removeLast()
    ruleSet.excludedPages = [ExcludedPage("Home")]
    decider = Decider(Matcher(ruleSet).tolerating(ToleranceTable([successor])))
    #expect(decider.decide(Self.tap("UIWindow(0)/Bar(0)/UIButton(1)", "5.2")).approximate == nil)
  }

  @Test("the likeliest rule is named first, then the others")
  func several() throws {
    var (a, b) = (
      try Self.successor("button", "UIWindow(0)/Bar(0)/UIButton(0)", "UIWindow(0)/Bar(0)/UIButton(1)", "5.1"),
      try Self.successor("any", "UIWindow(0)/Bar(0)/UIButton(0)", "UIWindow(0)/Bar(0)/UIButton(1)", "5.1")
    )
    (a.confidence, b.confidence) = (0.8, 0.9)
    var decider = Decider(Matcher(Self.rules).tolerating(ToleranceTable([a, b])))
    let found = decider.decide(Self.tap("UIWindow(0)/Bar(0)/UIButton(1)", "5.2")).approximate
    #expect(found == Approximation(rule: "any", confidence: 0.9, reasons: ["moved"], others: ["button"]))
  }

  @Test("a rule's tolerance is in its compiled form, and only include rules that name elements have one")
  func compiled() throws {
    var ruleSet = Self.rules
    for (number, tolerance) in [0.8, nil, 0.123456].enumerated() { ruleSet.rules[number].tolerance = tolerance }
    var page = RuleClause()
    page.page = .isOneOf([.string("Home")], fold: false)
    page.event = .isOneOf([.string("view")], fold: false)
    ruleSet.rules.append(SelectionRule("page", .include, [page]))
    let matcher = Matcher(ruleSet)
    let loaded = try Matcher(compiled: try matcher.compiled())
    for matcher in [matcher, loaded] {
      let rules = matcher.rulesWithElements
      #expect(rules.map { matcher.ruleID($0) } == ["any", "button", "list"])
      #expect(rules.map { matcher.tolerance(ofRule: $0) } == [0.123456, 0.8, nil])
    }
  }

  // MARK: - Rules and events

  private enum RuleSetBuilding {
    /// `button` and `any` select the first button of a bar, `list` a button in the rows of section 0.
    static let button: RuleSet = {
      var ruleSet = RuleSet()
      let selectors: [(UTF8String, String)] = [
        ("button", "Bar/UIButton(0)"), ("list", "Cell(section:0 row:*)/UIButton(0)"), ("any", "Bar/*(0)"),
      ]
      for (id, selector) in selectors {
        var clause = RuleClause()
        clause.event = .isOneOf([.string("$AppClick")], fold: false)
        clause.selectors = (try? ElementSelector(parsing: selector)).map { [$0] } ?? []
        ruleSet.rules.append(SelectionRule(id, .include, [clause]))
      }
      return ruleSet
    }()
  }

  private static func tap(_ path: String, _ version: String?, page: String = "Home") -> AnalyticsEvent {
    var properties: EventObject = ["$element_path": .string(path), "$screen_name": .string(page)]
    if let version { properties["$app_version"] = .string(version) }
    return AnalyticsEvent(name: "$AppClick", properties: properties)
  }

  private static func successor(
    _ rule: UTF8String, _ before: String, _ now: String, _ lastVersion: String
  ) throws -> SuccessorElement {
    func place(_ path: String) throws -> ElementPlace {
      ElementPlace(page: "Home", path: try ElementPath(parsing: path))
    }
    return SuccessorElement(
      rule: rule, confidence: 0.9, reasons: ["moved"], before: try place(before), eventBefore: tap(before, "5.1"),
      now: try place(now), eventNow: tap(now, "5.2"), lastVersion: VersionNumber(lastVersion))
  }
}

/// The definition: each successor is tried on each event, which is decided anew as a separate event.
private struct SlowTolerance {
  let matcher: Matcher
  let successors: [SuccessorElement]

  init(_ matcher: Matcher, _ successors: [SuccessorElement]) {
    self.matcher = matcher
    self.successors = successors
  }

  func approximation(_ event: AnalyticsEvent, _ strict: Decision) -> Approximation? {
    guard strict.rules.isEmpty, strict.excludedBy.isEmpty, strict.pages.isEmpty else { return nil }
    var decider = Decider(matcher)
    guard let place = decider.place(of: event) else { return nil }
    let fields = matcher.fieldPlaces
    let version: VersionNumber? =
      if case .string(let text)? = event.value(of: .appVersion, fields) { VersionNumber(text) } else { nil }
    let found = successors.filter { successor in
      guard successor.now.page == place.page, Self.shape(successor.now) == Self.shape(place) else { return false }
      if let version, let end = successor.endVersion, version >= end { return false }
      if let version, let last = successor.lastVersion {
        if version <= last { return false }
      } else if successor.isPlaceReused || version == nil && successor.endVersion != nil {
        return false
      }
      guard let old = asBefore(event, place, successor) else { return false }
      let decision = matcher.decide([old])[0]
      return decision.isSelected && decision.rules.contains(successor.rule)
    }.sorted { a, b in a.confidence != b.confidence ? a.confidence > b.confidence : a.rule < b.rule }
    guard let first = found.first else { return nil }
    var others: [UTF8String] = []
    for rule in found.map(\.rule) where rule != first.rule && !others.contains(rule) { others.append(rule) }
    return Approximation(rule: first.rule, confidence: first.confidence, reasons: first.reasons, others: others)
  }

  private static func isCell(_ component: PathComponent) -> Bool {
    switch component.locator {
    case .row, .item: true
    default: false
    }
  }

  private static func shape(_ place: ElementPlace) -> [String] {
    place.path.components.map { isCell($0) ? "\($0.className) in a row" : "\($0.className) \($0.locator)" }
  }

  private static func numbers(_ place: ElementPlace) -> [[Int]] {
    place.path.components.filter(isCell).map { $0.locator.fields.map(\.value) }
  }

  /// The event as the old version would have sent it.
  private func asBefore(
    _ event: AnalyticsEvent, _ place: ElementPlace, _ successor: SuccessorElement
  ) -> AnalyticsEvent? {
    let fields = matcher.fieldPlaces
    var result = event
    func text(_ field: EventFields.Field, _ event: AnalyticsEvent) -> String? {
      if case .string(let text)? = event.value(of: field, fields) { text } else { nil }
    }
    func put(_ field: EventFields.Field, _ text: String?) {
      for place in fields.places(of: field) { result.remove(place) }
      if let text { result.set(.string(text), at: fields.places(of: field)[0]) }
    }
    let rows = place.path.components.filter(Self.isCell).map(\.locator)
    let isSameRow = rows == successor.now.path.components.filter(Self.isCell).map(\.locator)
    var path = text(.path, successor.eventBefore)
    if !isSameRow {
      guard Self.numbers(successor.before).count == rows.count else { return nil }
      var number = 0
      var old = successor.before.path
      for i in old.components.indices where Self.isCell(old.components[i]) {
        let values = rows[number].fields.map(\.value)
        if case .item = old.components[i].locator {
          old.components[i].locator = .item(section: values[0], item: values[1])
        } else {
          old.components[i].locator = .row(section: values[0], row: values[1])
        }
        number += 1
      }
      path = old.written(.slashes)
    }
    put(.path, path)
    put(.eventID, isSameRow || path == nil ? text(.eventID, successor.eventBefore) : nil)
    if successor.before.page != successor.now.page || event.value(of: .page, fields) == nil {
      put(.page, successor.before.page?.text)
    }
    for field in [EventFields.Field.content, .title, .type, .actions, .alertTitle, .alertMessage] {
      guard let own = text(field, event), let now = text(field, successor.eventNow), UTF8String(own) == UTF8String(now)
      else { continue }
      let before = text(field, successor.eventBefore)
      if before.map({ UTF8String($0) }) != UTF8String(now) { put(field, before) }
    }
    return result
  }
}

extension AnalyticsEvent {
  /// Removes the value that a reference finds, wherever it is.
  fileprivate mutating func remove(_ place: PropertyReference) {
    switch place {
    case .property(let name):
      for container in ["properties", "attributes"] {
        guard case .object(let object)? = members[container] else { continue }
        members[container] = .object(EventObject(object.members.filter { UTF8String($0.name) != name }))
      }
    case .pointer(let pointer):
      // The fields of these tests are members of the event.
      let name = UTF8String(String(pointer.description.dropFirst()))
      members = EventObject(members.members.filter { UTF8String($0.name) != name })
    case .textsWithin: break
    }
  }
}
