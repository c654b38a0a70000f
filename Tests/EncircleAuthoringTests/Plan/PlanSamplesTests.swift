import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import Testing

@testable import EncircleAuthoring

/// Events that are not in the plan are taken into it as they were seen.
@Suite struct PlanSamplesTests {
  private static let rules = """
    version: 1
    rules:
      - { id: add, include: { event: $AppClick, where: { $element_content: Add } }, emit: add_to_cart }
    """
  private static let plan = "version: 1\nevents:\n  - { event: known }\n"

  private static func joined() throws -> (plan: TrackingPlan, rules: RuleSet) {
    let ruleSet = try RuleFiles(text: rules, name: "rules.yaml").ruleSet()
    return (TrackingPlan(ruleSet, try PlanFiles(texts: [("p.plan.yaml", plan)], for: ruleSet)), ruleSet)
  }

  private static func samples(_ events: [AnalyticsEvent]) throws -> (PlanSamples, TrackingPlan) {
    let (plan, ruleSet) = try joined()
    var counter = PlanStatusCounter(plan, ruleSet, now: 0)
    counter.keepSamples()
    for (number, event) in events.enumerated() { counter.add(event, .init(file: "e", line: number + 1)) }
    return (counter.finishSamples(), plan)
  }

  private static func text(_ events: [AnalyticsEvent], _ names: Set<UTF8String>? = nil) throws -> String {
    let (samples, plan) = try samples(events)
    return String(decoding: EventValue.list(samples.items(for: plan, names).map { .object($0) }).json, as: UTF8.self)
  }

  private static func event(_ name: String, user: Int = 1, _ properties: EventObject = EventObject())
    -> AnalyticsEvent
  {
    AnalyticsEvent(name: name, distinctID: "u\(user)", properties: properties)
  }

  @Test(
    "types are inferred from all values",
    arguments: [
      (["a", "b"], #""type":"string""#), ([1, 25], #""type":"number""#), ([true], #""type":"boolean""#),
      (["2026-03-01T08:00:00Z", "2026-03-02"], #""type":"datetime""#), (["2026-03-02", "x"], #""type":"string""#),
      ([1, "1"], nil), ([.list(["a"])], #""type":"string","list":true"#), ([.list(["a"]), "a"], nil),
      ([.object(["a": 1])], nil), ([.null, 1], #""type":"number""#), ([.list([])], #""list":true"#),
    ] as [([EventValue], String?)])
  func types(values: [EventValue], expected: String?) throws {
    let text = try Self.text(values.map { Self.event("new", ["key": $0]) })
    let properties = #","properties":[{"property":"key"\#(expected.map { "," + $0 } ?? "")}]"#
    #expect(text == #"[{"event":"new","tracking":"code"\#(properties)}]"#)
  }

  @Test("new names are those missing from the plan, for taps the emitted ones")
  func names() throws {
    let events = [
      Self.event("$AppClick", ["$element_content": "Add", "$lib": "iOS", "price": 3]),
      Self.event("$AppClick", ["$element_content": "Other"]), Self.event("known"), Self.event("$AppStart"),
      Self.event("new", ["$lib": "js", "$title": "x"]),
    ]
    let add =
      #"{"event":"add_to_cart","platforms":["ios"],"tracking":"circled","properties":[{"property":"price","type":"number"}]}"#
    let new = #"{"event":"new","platforms":["web"],"tracking":"code"}"#
    #expect(try Self.text(events) == "[\(add),\(new)]")
    #expect(try Self.text(events, ["new", "known", "unknown"]) == "[\(new)]")
  }

  @Test(
    "a property is required if a thousand events have it, and none lacks it", arguments: [(1_000, true), (999, false)])
  func required(count: Int, isRequired: Bool) throws {
    let events = (0..<count).map { Self.event("new", ["all": 1, "some": $0 == 0 ? .null : 1]) }
    let text = try Self.text(events)
    #expect(text.contains(#"{"property":"all","type":"number","required":true}"#) == isRequired)
    #expect(text.contains(#"{"property":"some","type":"number"}"#))
  }

  @Test(
    "a key that begins with a slash is taken as the place where the events have it",
    arguments: [
      (#""properties":{"/c":2}"#, "/properties/~1c"), (#""properties":{"/a/~b":2}"#, "/properties/~1a~1~0b"),
      (#""attributes":{"/c":2}"#, "/attributes/~1c"), (#""properties":{"c/d":2}"#, "c/d"),
    ])
  func slash(members: String, expected: String) throws {
    let event = try AnalyticsEvent(json: #"{"event":"new",\#(members)}"#)
    let (samples, plan) = try Self.samples(Array(repeating: event, count: 1_000))
    let text = try PlanSamples.appending(samples.items(for: plan), to: "", name: "a")
    let files = try PlanFiles(texts: [("a", text)], for: Self.joined().rules)
    let property = try #require(files.events[0].properties.first)
    #expect(property.property == UTF8String(expected) && property.isRequired, "\(text)")
    #expect(PropertyCheck(property).violation(in: event, given: [:]) == nil)
  }

  /// Values that several events have, and those that are taken of them.
  struct ValueCase: Sendable {
    let values: [String]
    let expected: [String]

    static func numbered(_ count: Int, _ kinds: Int) -> [String] { (0..<count).map { "v\($0 % kinds)" } }

    static let all: [ValueCase] = [
      ValueCase(values: numbered(100, 2), expected: ["v0", "v1"]),
      ValueCase(values: numbered(99, 2), expected: []),
      // One person alone has sent the last of them.
      ValueCase(values: numbered(100, 2) + ["my name"], expected: []),
      ValueCase(values: numbered(200, 20), expected: Set(numbered(20, 20)).sorted()),
      ValueCase(values: numbered(210, 21), expected: []),
      // In the order of their bytes.
      ValueCase(
        values: (0..<100).map { ["\u{E9}", "f", "e\u{301}", "a b", "a"][$0 % 5] },
        expected: ["a", "a b", "e\u{301}", "f", "\u{E9}"]),
      ValueCase(values: Array(repeating: String(repeating: "long", count: 20), count: 100), expected: []),
    ]
  }

  @Test("values of events that identify nobody are not taken, as one person may have sent them")
  func anonymous() throws {
    let event = try AnalyticsEvent(json: #"{"event":"new","properties":{"key":"my name"}}"#)
    let text = try Self.text(Array(repeating: event, count: 100))
    #expect(text == #"[{"event":"new","tracking":"code","properties":[{"property":"key","type":"string"}]}]"#)
  }

  @Test("values are taken if they are few, frequent and not from one person only", arguments: ValueCase.all)
  func values(of example: ValueCase) throws {
    let events = example.values.enumerated().map { number, value in
      Self.event("new", user: number / 7, ["key": .string(value)])
    }
    let (samples, plan) = try Self.samples(events)
    let text = try PlanSamples.appending(samples.items(for: plan), to: "", name: "a")
    let ruleSet = try Self.joined().rules
    let property = try PlanFiles(texts: [("a", text)], for: ruleSet).events[0].properties[0]
    let expected = example.expected.map { Scalar.string(UTF8String($0)) }
    #expect(property.values == expected, "\(text)")
  }

  @Test("any observed events become a readable plan and are not taken again")
  func everything() throws {
    var random = SeededGenerator(seed: 381)
    for _ in 0..<200 {
      let words = ["a", "é", "e\u{301}", "- x", "null", "1", "a: b", "\"", "'", "#", "加入 购物车", "\n", "{", "=1"]
      func word() -> String {
        (0...Int.random(in: 0...2, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }.joined()
      }
      let events = (0..<5).map { _ in
        var properties = EventObject()
        for _ in 0..<3 { properties[word()] = Bool.random(using: &random) ? .string(word()) : 1 }
        return Self.event(word(), properties)
      }
      let (samples, plan) = try Self.samples(events)
      let items = samples.items(for: plan)
      let text = try PlanSamples.appending(items, to: Self.plan, name: "p.plan.yaml")
      let ruleSet = try Self.joined().rules
      let files = try PlanFiles(texts: [("p.plan.yaml", text)], for: ruleSet)
      #expect(files.events.count == items.count + 1, "\(text)")
      #expect(samples.items(for: TrackingPlan(ruleSet, files)).isEmpty)
    }
  }
}
