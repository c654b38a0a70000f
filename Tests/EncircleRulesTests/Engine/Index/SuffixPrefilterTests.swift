import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleTestSupport
import EncircleText
import Testing

/// The paths that their ends rule out at once.
@Suite struct SuffixPrefilterTests {
  private static let classes = ["UIView", "UIButton", "Cell", "A_B", "_A", "It's", "A/B", "视图", "V<A, B>"]
  // Of these no rule knows.
  private static let others = ["Other", "Unheard", "O/A"]
  private static let pages = ["Home", "Detail"]
  private static let systemPages = ["UIInputWindowController", "UITabBarController"]

  private static func path(_ random: inout SeededGenerator, _ names: [String]) -> String {
    let path = ElementPath(
      (0..<Int.random(in: 1...6, using: &random)).map { _ in
        PathComponent(
          random.pick(names), random.oneIn(4) ? .row(section: 0, row: Int.random(in: 0...1, using: &random)) : .index(0)
        )
      })
    let text = path.written(random.oneIn(2) ? .underscores : .slashes)
    switch Int.random(in: 0...11, using: &random) {
    case 0: return "/" + text
    case 1: return text + "/"
    case 2: return String(text.dropLast())
    case 3: return random.pick(["?/", "?_", "A(0)_", "A/"]) + text
    default: return text
    }
  }

  private static func step(_ random: inout SeededGenerator) -> ElementSelector.Step {
    let locator: ElementSelector.LocatorPattern? = random.oneIn(2) ? .index(.range(lower: 0, upper: 0)) : nil
    return switch Int.random(in: 0...19, using: &random) {
    case 0: .component(.any, locator)
    case 1: .component(.kindOf("UIControl"), locator)
    default: .component(.name(UTF8String(random.pick(classes))), locator)
    }
  }

  private static func rule(_ id: Int, _ random: inout SeededGenerator) -> SelectionRule {
    var clause = RuleClause()
    var steps = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      random.oneIn(4) ? .recursiveWildcard : step(&random)
    }
    steps.append(step(&random))
    clause.selectors = [ElementSelector(isAnchored: random.oneIn(3), steps: steps)]
    if !random.oneIn(4) { clause.page = .isOneOf([.string(UTF8String(random.pick(Self.pages)))], fold: false) }
    if random.oneIn(8) {
      clause.selectors = []
      clause.page = .isOneOf([.string("Detail")], fold: false)
      if random.oneIn(2) { clause.event = .isOneOf([.string("pay")], fold: false) }
    }
    return SelectionRule(UTF8String("\(1_000 + id)"), random.oneIn(4) ? .exclude : .include, [clause])
  }

  @Test(
    "events ruled out by the end of their path are decided as by a matcher without this test",
    arguments: TestSize.scaled(0..<4 as Range<UInt64>))
  func agreement(seed: UInt64) throws {
    var random = SeededGenerator(seed: 4_100 + seed)
    var ruledOut = 0
    var selected = 0
    for round in 0..<6 {
      var ruleSet = RuleSet()
      ruleSet.rules = (0..<Int.random(in: 1...5, using: &random)).map { Self.rule($0, &random) }
      if random.oneIn(2) { ruleSet.track = .all }
      if random.oneIn(3) { ruleSet.excludesDefaultPages = false }
      // On which nothing ever is: with excluded pages, all elements are looked at.
      var plain = ruleSet
      plain.excludedPages = [ExcludedPage("Nowhere")]
      var matcher = Matcher(ruleSet)
      if round % 3 == 1 { matcher = try Matcher(compiled: try matcher.compiled()) }
      if round % 3 == 2, let last = ruleSet.rules.last {
        var fewer = ruleSet
        fewer.rules.removeLast()
        matcher = Matcher(fewer).updated(with: [last])
      }
      let slow = Matcher(plain)
      var decider = Decider(matcher)
      var slowState = Decider(slow)
      for i in 0..<300 {
        let names = random.oneIn(2) ? Self.classes : Self.classes + Self.others
        var properties: EventObject = [:]
        if !random.oneIn(10) { properties["$element_path"] = .string(Self.path(&random, names)) }
        if !random.oneIn(10) {
          properties["$screen_name"] = .string(
            random.pick(Self.pages + ["Nobody"] + (random.oneIn(6) ? Self.systemPages : [])))
        }
        if random.oneIn(10) { properties["$element_id"] = .string("no event ID") }
        let event = AnalyticsEvent(name: random.pick(["$AppClick", "pay", "$AppViewScreen"]), properties: properties)
        let expected = slowState.decide(event)
        let found = decider.decide(event)
        #expect(found == expected, "seed \(seed), round \(round), event \(i): \(properties)")
        selected += found.rules.isEmpty && found.excludedBy.isEmpty ? 0 : 1
      }
      #expect(slowState.prefiltered == 0)
      ruledOut += decider.prefiltered
    }
    #expect(ruledOut > 60 && selected > 60)
  }

  @Test("ends that rule little out are skipped for a while, and then tried again")
  func pauses() throws {
    let matcher = try matcher(selecting: "UIButton(0)")
    var decider = Decider(matcher)
    func decide(_ name: String, _ count: Int) -> Bool {
      let path: EventValue = .string("UIWindow(0)/\(name)(0)")
      let event = AnalyticsEvent(name: "e", properties: ["$element_path": path])
      let decisions = (0..<count).map { _ in decider.selects(event) }
      return decisions.allSatisfy { $0 == (name == "UIButton") }
    }
    #expect(decide("UILabel", 100))
    #expect(decider.prefiltered == 100)
    #expect(decide("UIButton", 1_000))
    #expect(decide("UILabel", 100))
    #expect(decider.prefiltered == 100)
    #expect(decide("UILabel", 6_000))
    #expect(decider.prefiltered > 1_500)
  }

  @Test("ends are not tried for decisions with the event ID, which the cache keeps")
  func withEventIDs() throws {
    let matcher = try matcher(selecting: "UIButton(0)")
    var decider = Decider(matcher)
    let event = AnalyticsEvent(
      name: "e", properties: ["$element_path": .string("UIWindow(0)/UILabel(0)"), "$screen_name": .string("Page")])
    for _ in 0..<1_000 {
      let decision = decider.decide(event)
      #expect(!decision.isSelected && decision.eventID != nil)
    }
    #expect(decider.prefiltered == 256, "those that are tried first")
    #expect(decider.cacheHits == 743)
  }
}
