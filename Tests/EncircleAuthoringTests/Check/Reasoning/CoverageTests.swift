import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@testable import EncircleAuthoring

/// Compares whether rules cover others with the engine's decisions on all events of a small world.
@Suite struct CoverageTests {
  static let events: [AnalyticsEvent] = {
    let components = [PathComponent("a", .index(0)), PathComponent("a", .row(section: 0, row: 1)), PathComponent("b")]
    var paths: [[PathComponent]] = [[]]
    var last: [[PathComponent]] = [[]]
    for _ in 0..<3 {
      last = last.flatMap { path in components.map { path + [$0] } }
      paths += last
    }
    var events: [AnalyticsEvent] = []
    // The values at the two places of a page.
    let pages: [(EventValue?, EventValue?)] = [
      (nil, nil), ("P", nil), ("Q", nil), ("Sub", nil), ("Base", nil), (nil, "P"), ("Q", "P"),
      ("NSKVONotifying_P", nil),
    ]
    let amounts: [EventValue?] = [nil, 1, 2, .number(DecimalNumber("2.5") ?? 0), "1", "5.2", "5.3-rc", "ab"]
    for path in paths {
      for (page, other) in pages {
        for amount in amounts {
          var event = AnalyticsEvent(name: "tap")
          if !path.isEmpty {
            event.set(.string(ElementPath(path).written(.slashes)), at: .property("$element_path"))
          }
          if let page { event.set(page, at: .property("$screen_name")) }
          if let other { event.set(other, at: .property("$screenName")) }
          if let amount { event.set(amount, at: .property("x")) }
          events.append(event)
        }
      }
    }
    return events
  }()

  static func randomClause(_ random: inout SeededGenerator) -> [String] {
    var parts: [String] = []
    if random.oneIn(2) {
      let selectors = [
        "a", "a(0)", "a(*)", "b", "a/b", "/a/**", "a(row:*)", "*/b", "a(row:1)", "**", "a(row:0...1)", "/b",
      ]
      let some = (0..<(random.oneIn(3) ? 2 : 1)).map { _ in "'\(random.pick(selectors))'" }
      parts.append("selector: [\(some.joined(separator: ", "))]")
    }
    if random.oneIn(2) {
      let pages = [
        "P", "[P, Q]", "{ kindOf: Base }", "{ kindOf: Sub }", "{ not: { kindOf: Sub } }", "{ not: P }", "{ prefix: P }",
        "{ kindOf: UIView }",
      ]
      parts.append("page: \(random.pick(pages))")
    }
    if random.oneIn(2) {
      let tests = [
        "1", "{ '>': 1 }", "{ '<=': 2 }", "{ exists: false }", "{ exists: true }", "{ version: '>=5.2' }",
        "{ version: '<5.3' }", "{ contains: a }", "{ matches: '^[0-9]' }", "{ matches: '^[0-9.]+$' }",
        "{ matches: 'b$' }", "{ version: '>=5', prefix: '5' }", "{ version: '<6', matches: '^5' }",
        "{ not: { '>': 1 } }", "['1', ab]",
        "{ prefix: a, suffix: b }",
      ]
      let pages = ["P", "[P, Sub]", "{ not: P }", "{ exists: false }", "{ prefix: NSKVO }", "{ prefix: S }"]
      let x = random.oneIn(3) ? "" : "x: \(random.pick(tests))"
      let page = !x.isEmpty && random.oneIn(2) ? "" : "$screen_name: \(random.pick(pages))"
      parts.append("where: { \([x, page].filter { !$0.isEmpty }.joined(separator: ", ")) }")
    }
    return parts
  }

  static func randomRules(_ random: inout SeededGenerator) throws -> RuleSet {
    var text = "version: 1\nclasses: { Base: UIViewController, Sub: Base }\nrules:\n"
    var first: [[String]] = []
    for id in ["A", "B", "C"] {
      text += "  - id: \(id)\n    include:\n"
      var clauses = (0..<Int.random(in: 1...2, using: &random)).map { _ in randomClause(&random) }
      if id == "A" { first = clauses }
      // The second rule often tests less than the first, so that it may cover it.
      if id != "A", random.oneIn(2) {
        clauses = first.map { parts in parts.filter { _ in !random.oneIn(3) } }
      }
      for clause in clauses {
        text += "      - { \(clause.isEmpty ? "event: tap" : clause.joined(separator: ", ")) }\n"
      }
      if random.oneIn(4) {
        let clause = randomClause(&random)
        text += "    unless:\n      - { \(clause.isEmpty ? "event: none" : clause.joined(separator: ", ")) }\n"
      }
    }
    return try RuleFiles(text: text).ruleSet()
  }

  @Test(
    "reported covers hold for all events of a small world, and examples are events",
    arguments: TestSize.scaled(0..<12))
  func agreement(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var counts = ["none": 0, "example": 0]
    for _ in 0..<12 {
      let ruleSet = try Self.randomRules(&random)
      let shown = ruleSet.rules.map { rule in "\(rule.id): \(rule.clauses) unless \(rule.unless)" }.joined(
        separator: "\n")
      var hierarchy = ClassHierarchy.builtIn
      hierarchy.add("Base", superclass: "UIViewController")
      hierarchy.add("Sub", superclass: "Base")
      let coverage = Coverage(
        context: SpaceContext(hierarchy: hierarchy, style: .hubbleData))
      let kinds = SameKindContext(ElementDictionary(), ruleSet.vocabulary(), ruleSet.fields)
      let boxes = ruleSet.rules.map { RuleBoxes($0, ruleSet.fields, kinds) }
      let matcher = Matcher(ruleSet)
      var decider = Decider(matcher)
      var taken: Set<[UTF8String]> = []
      for event in Self.events { taken.insert(decider.decide(event).rules) }
      for others in [[], ["B"], ["B", "C"]] {
        let names = others.map { UTF8String($0) }
        let covers = ruleSet.rules.indices.filter { names.contains(ruleSet.rules[$0].id) }.map { boxes[$0] }
        let isLeft = taken.contains { rules in rules.contains("A") && !names.contains { rules.contains($0) } }
        switch coverage.event(of: boxes[0], notOf: covers) {
        case .undecided: Issue.record("undecided: \(shown)")
        case .none:
          counts["none", default: 0] += 1
          #expect(!isLeft, "\(others): \(shown)")
        case .example(let example):
          counts["example", default: 0] += 1
          guard !example.isUncertain else { continue }
          let event = example.event(ruleSet.fields) { _ in "" }
          let found = decider.decide(event).rules
          #expect(
            found.contains("A") && !names.contains { found.contains($0) },
            "\(others): \(String(decoding: event.json, as: UTF8.self)) \(found): \(shown)")
        }
      }
    }
    #expect(counts["none", default: 0] > 2 && counts["example", default: 0] > 10, "\(counts)")
  }
}
