import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import Testing

/// Rules and the plan beside them, checked against each other.
@Suite struct PlanCheckTests {
  private static let codes: Set<CheckCode> = [.plannedWithoutRule, .emittedWithoutPlan, .propertyType, .refusedName]

  private static func found(_ rules: String, plan: String?) throws -> [String] {
    try Checked.findings(rules, plan: plan).filter { codes.contains($0.code) }.map {
      "\($0.file) \($0.place.location) \($0.code.rawValue): \($0.message)"
    }
  }

  @Test("circled events have a rule in force, unless planned for later; events sent by code need none")
  func withoutRule() throws {
    let rules =
      "rules:\n  - { id: a, enabled: false, include: { page: P }, emit: off }\n  - { id: b, include: { page: Q } }\n"
    let plan = """
      events:
        - { event: off, tracking: circled }
        - { event: b, tracking: circled }
        - { event: new, tracking: circled }
        - { event: later, tracking: circled, status: planned }
        - { event: old, tracking: circled, status: archived }
        - { event: paid, tracking: code }
      """
    #expect(
      try Self.found(rules, plan: plan) == [
        "rules.plan.yaml 3:14 planned-without-rule: 'off' is planned as circled, but no rule emits it: the rule 'a' is not enabled",
        "rules.plan.yaml 5:14 planned-without-rule: 'new' is planned as circled, but no rule emits it",
      ])
    #expect(
      try Self.found("checks: { planned-without-rule: { severity: off, reason: later } }\n" + rules, plan: plan).isEmpty
    )
  }

  @Test("a comment in the plan silences findings there, and is reported if it is wrong or silences nothing")
  func comments() throws {
    let rules = "rules:\n  - { id: a, include: { page: P }, emit: made }\n"
    let plan = """
      events:
        # encircle: off planned-without-rule - the screen is not out yet
        - { event: new, tracking: circled }
        - event: later # encircle: off planned-without-rule - the screen is not out yet
          tracking: circled
        - { event: other, tracking: circled }
        - { event: made, tracking: circled } # encircle: off planned-without-rule - the screen is not out yet
        - { event: last, tracking: code } # encircle: off planned-without-rules - the screen is not out yet
      """
    let found = try Checked.findings(rules, plan: plan).filter { $0.file == "rules.plan.yaml" }
    #expect(
      found.map { "\($0.severity.rawValue) \($0.code.rawValue) \($0.place.location.line)" } == [
        "warning planned-without-rule 7", "note useless-suppression 8", "warning useless-suppression 9",
      ], "\(found.map(\.message))")
  }

  @Test("each name that a rule emits is in the plan, if a plan exists")
  func withoutPlan() throws {
    let rules = "rules:\n  - { id: a, include: { page: P }, emit: [x, y] }\n  - { id: e, exclude: { page: Q } }\n"
    #expect(
      try Self.found(rules, plan: "events: [{ event: x }]")
        == ["rules.yaml 3:11 emitted-without-plan: emits 'y', which the plan does not mention"])
    #expect(try Self.found(rules, plan: nil).isEmpty)
    let silenced = rules.replacing("rules:\n", with: "rules:\n  # encircle: off emitted-without-plan - it is new\n")
    #expect(try Self.found(silenced, plan: "events: [{ event: x }]").isEmpty)
  }

  @Test(
    "a planned property is tested with its type",
    arguments: [
      ("number", "12", nil), ("number", "\"12\"", "a text, but planned as a number"), ("number", "{ \">\": 3 }", nil),
      ("number", "{ prefix: a }", "a text, but planned as a number"), ("string", "{ matches: a }", nil),
      ("string", "[a, 1]", "a number, but planned as a text"), ("boolean", "true", nil),
      ("string", "{ exists: true }", nil), ("number", "[12, \"12\"]", nil), ("string", "[\"12\", 12]", nil),
      ("boolean", "[1, true]", nil), ("boolean", "[12, \"12\"]", "a number, but planned as true or false"),
      ("number", "[12, \"13\"]", "a text, but planned as a number"),
      ("boolean", "{ not: yes it is }", "a text, but planned as true or false"), ("datetime", "{ \">\": 1000 }", nil),
      ("datetime", "true", "true or false, but planned as a time"), ("any", "true", nil), ("string", "null", nil),
    ] as [(String, String, String?)])
  func types(type: String, test: String, message: String?) throws {
    let rules = "rules:\n  - id: a\n    include: { page: P, where: { p: \(test) } }\n"
    let found = try Self.found(rules, plan: "events: [{ event: a, properties: [{ property: p, type: \(type) }] }]")
    #expect(found == (message.map { ["rules.yaml 4:34 property-type: 'p' is tested as \($0)"] } ?? []), "\(found)")
  }

  @Test(
    "names must be valid in the chosen tools",
    arguments: [
      ("sensors", "add_to_cart", nil), ("sensors", "$x", nil), ("sensors", "cart.add", "characters other than"),
      ("sensors", "1st", "a digit"), ("sensors", "Distinct_ID", "reserved"), ("sensors", "user_tag_x", "reserved"),
      ("sensors", String(repeating: "a", count: 101), "at most 100"), ("growingio", "add_to_cart", nil),
      ("growingio", "$x", "characters other than"), ("growingio", String(repeating: "a", count: 31), "at most 30"),
      ("segment", "Order Completed", nil), ("segment", "'x '", "white space"), ("segment", "购物车", nil),
      ("[sensors, growingio]", String(repeating: "a", count: 31), "GrowingIO refuses"),
      ("sensors", "加入", "characters other than"),
    ] as [(String, String, String?)])
  func names(tools: String, name: String, message: String?) throws {
    let checks = "checks: { refused-name: { destinations: \(tools) } }\n"
    let rules = checks + "rules:\n  - { id: ok, include: { page: P }, emit: \(name) }\n"
    let plan =
      "events:\n  - { event: \(name) }\n  - { event: ok, properties: [{ property: \(name) }, { property: /lib/x }] }\n"
    for (found, count) in [
      (try Self.found(rules, plan: nil), 1),
      (try Self.found(checks + "rules:\n  - { id: ok, include: { page: P } }\n", plan: plan), 2),
    ] {
      let refused = found.filter { $0.contains("refused-name") }
      #expect(refused.count == (message == nil ? 0 : count), "\(found)")
      #expect(refused.allSatisfy { $0.contains(message ?? "") }, "\(found)")
    }
  }

  @Test(
    "destinations are known words and need names",
    arguments: [
      ("{ refused-name: { destinations: [sensor] } }", "did you mean 'sensors'?"),
      ("{ refused-name: { destinations: [] } }", "is empty"),
      ("{ exact-row: { destinations: [sensors] } }", "goes with 'refused-name' only"),
    ])
  func mistakes(checks: String, message: String) {
    #expect { try Checked.findings("checks: \(checks)\nrules: []\n") } throws: { "\($0)".contains(message) }
  }
}
