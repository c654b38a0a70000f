import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import Testing

/// Rules that come and go while others are in force; that updated matchers decide as others do, ``AgreementTests`` says.
@Suite struct UpdateTests {
  private static func rule(_ id: String, page: String, enabled: Bool = true) -> SelectionRule {
    var clause = RuleClause()
    clause.page = .isOneOf([.string(UTF8String(page))], fold: false)
    var rule = SelectionRule(UTF8String(id), .include, [clause])
    rule.isEnabled = enabled
    return rule
  }

  private static func event(page: String) -> AnalyticsEvent {
    AnalyticsEvent(name: "$AppClick", properties: ["$screen_name": .string(page)])
  }

  private static func matcher(_ rules: [SelectionRule]) -> Matcher {
    var ruleSet = RuleSet()
    ruleSet.rules = rules
    return Matcher(ruleSet)
  }

  @Test("rules are added, replaced by id, disabled and removed, without changing the earlier matcher")
  func updates() {
    let first = Self.matcher([Self.rule("a", page: "A"), Self.rule("b", page: "B")])
    let events = ["A", "B", "C"].map { Self.event(page: $0) }
    func selected(_ matcher: Matcher) -> [[UTF8String]] { matcher.decide(events).map(\.rules) }
    #expect(selected(first) == [["a"], ["b"], []])

    let added = first.updated(with: [Self.rule("c", page: "C"), Self.rule("0", page: "A")])
    #expect(selected(added) == [["0", "a"], ["b"], ["c"]])
    #expect(added.ruleCount == 4)
    let replaced = added.updated(with: [Self.rule("a", page: "C")])
    #expect(selected(replaced) == [["0"], ["b"], ["a", "c"]])
    #expect(replaced.ruleCount == 4)
    let disabled = replaced.updated(with: [Self.rule("b", page: "B", enabled: false)])
    #expect(selected(disabled) == [["0"], [], ["a", "c"]])
    let removed = disabled.updated(with: [], removing: ["a", "c", "never there"])
    #expect(selected(removed) == [["0"], [], []])
    #expect(removed.ruleCount == 1)
    let none = removed.updated(with: [], removing: ["0"])
    #expect(selected(none) == [[], [], []])
    #expect(selected(first) == [["a"], ["b"], []])
  }

  @Test("a thousand updates of one rule leave few programs and the right rules")
  func manyUpdates() {
    var matcher = Self.matcher((0..<500).map { Self.rule("base \($0)", page: "Base") })
    for i in 0..<1_000 { matcher = matcher.updated(with: [Self.rule("new \(i % 300)", page: "P\(i)")]) }
    #expect(matcher.ruleCount == 800)
    for i in [0, 699, 700, 999] {
      let decision = matcher.decide([Self.event(page: "P\(i)")])[0]
      #expect(decision.rules == (i < 700 ? [] : [UTF8String("new \(i % 300)")]))
    }
    #expect(matcher.decide([Self.event(page: "Base")])[0].rules.count == 500)
  }

  @Test("the class names of a removed rule no longer decide how paths are read")
  func classNames() throws {
    func rule(_ id: String, _ selector: String) throws -> SelectionRule {
      var clause = RuleClause()
      clause.selectors = [try ElementSelector(parsing: selector)]
      return SelectionRule(UTF8String(id), .include, [clause])
    }
    // Without a locator, My_Cell may be two classes or one.
    let event = AnalyticsEvent(name: "$AppClick", properties: ["$element_path": .string("UIWindow(0)_My_Cell")])
    func selected(_ matcher: Matcher) -> [UTF8String] { matcher.decide([event])[0].rules }
    let first = Self.matcher([try rule("any", "Cell")])
    #expect(selected(first) == ["any"])
    let added = first.updated(with: [try rule("one", "My_Cell")])
    #expect(selected(added) == ["one"])
    #expect(selected(added.updated(with: [], removing: ["one"])) == ["any"])
  }

  @Test("readers see each newer matcher as a whole")
  func live() async {
    let live = LiveMatcher(Self.matcher([Self.rule("a 0", page: "P"), Self.rule("b 0", page: "P")]))
    var known = 0
    #expect(live.matcher(newerThan: &known)?.ruleCount == 2)
    #expect(live.matcher(newerThan: &known) == nil)
    live.update(with: [Self.rule("c", page: "Q")])
    #expect(live.matcher(newerThan: &known)?.ruleCount == 3)

    // Rules change in pairs, so that a matcher with one of a pair would be half an update.
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        for i in 1..<200 {
          live.update(
            with: [Self.rule("a \(i)", page: "P"), Self.rule("b \(i)", page: "P")],
            removing: [UTF8String("a \(i - 1)"), UTF8String("b \(i - 1)")])
        }
        return true
      }
      for _ in 0..<2 {
        group.addTask {
          var version = 0
          for _ in 0..<500 {
            guard let matcher = live.matcher(newerThan: &version) else { continue }
            let rules = matcher.decide([Self.event(page: "P")])[0].rules.map(\.text)
            guard rules.count == 2, rules[0].dropFirst() == rules[1].dropFirst() else { return false }
          }
          return true
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(live.current.decide([Self.event(page: "P")])[0].rules == ["a 199", "b 199"])
  }
}
