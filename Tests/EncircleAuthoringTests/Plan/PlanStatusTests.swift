import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

@testable import EncircleAuthoring

/// The state of a plan: statuses, evidence, and faults of properties.
@Suite struct PlanStatusTests {
  private static let rules = """
    version: 1
    rules:
      - { id: add, include: { event: $AppClick, where: { $element_content: Add } }, emit: add_to_cart }
      - { id: pay, include: { event: $AppClick, where: { $element_content: Pay } }, emit: pay }
      - { id: more, include: { event: $AppClick, where: { $element_content: More } } }
      - { id: off, enabled: false, include: { event: $AppClick, where: { $element_content: "Off" } } }
    """
  /// 2026-03-01.
  private static let now: Int64 = 1_772_323_200_000
  private static let day: Int64 = 86_400_000

  /// An event, some days before now.
  private static func event(
    _ name: String = "$AppClick", _ text: String? = nil, days: Int64? = 0, user: Int = 1, version: String? = "3.2",
    lib: String? = "iOS", with properties: EventObject = EventObject()
  ) -> AnalyticsEvent {
    var all = properties
    if let text { all["$element_content"] = .string(text) }
    if let version { all["$app_version"] = .string(version) }
    if let lib { all["$lib"] = .string(lib) }
    return AnalyticsEvent(
      name: name, time: days.map { now - $0 * day }, distinctID: "u\(user)", properties: all)
  }

  private static func report(
    _ plan: String?, _ events: [AnalyticsEvent], limits: PlanTally.Limits = .init(), rules: String = rules,
    now: Int64 = now, change: (inout PlanThresholds) -> Void = { $0.missingPeople = 2 }
  ) throws -> PlanReport {
    let ruleSet = try RuleFiles(text: rules, name: "rules.yaml").ruleSet()
    let texts = plan.map { [(name: "p.plan.yaml", text: "version: 1\nevents:\n" + $0)] } ?? []
    var thresholds = PlanThresholds()
    change(&thresholds)
    let joined = TrackingPlan(ruleSet, try PlanFiles(texts: texts, for: ruleSet))
    var counter = PlanStatusCounter(joined, ruleSet, thresholds: thresholds, now: now, limits: limits)
    for (i, event) in events.enumerated() { counter.add(event, .init(file: "e", line: i + 1)) }
    return counter.finish()
  }

  /// The rows of an event in words: `ios 3.2 live`.
  private static func rows(_ report: PlanReport, _ event: UTF8String) -> [String] {
    let rows = report.events.first { $0.event == event }?.rows ?? []
    return rows.map { row in
      [row.platform?.rawValue ?? "-", row.version ?? "-", row.status.rawValue].joined(separator: " ")
    }
  }

  private static func evidence(_ report: PlanReport, _ event: UTF8String) -> [String] {
    guard let event = report.events.first(where: { $0.event == event }) else { return [] }
    return PlanEvidence.summaries(event).map { PlanEvidence.text($0, of: event) }
  }

  @Test(
    "an unseen event is planned, defined, or has the status that people set",
    arguments: [
      ("{ event: new }", "new", "- - planned", "no rule and no event yet"),
      ("{ event: pay }", "pay", "- - defined", "emitted by pay, no event yet"),
      ("{ event: off }", "off", "- - planned", "no rule and no event yet"),
      ("{ event: pay, status: planned }", "pay", "- - planned", "no event yet"),
      ("{ event: pay, status: deprecated }", "pay", "- - deprecated", "set in the plan, not sent"),
      ("{ event: pay, status: archived }", "pay", "- - archived", "set in the plan, not sent"),
      ("{ event: pay, platforms: ios }", "pay", "ios - defined", "emitted by pay, no event yet"),
      ("{ event: pay }", "more", "- - unexpected", "not in the plan, emitted by more"),
    ])
  func unseen(plan: String, event: String, row: String, evidence: String) throws {
    let report = try Self.report("  - \(plan)\n", [])
    #expect(Self.rows(report, UTF8String(event)) == [row])
    #expect(Self.evidence(report, UTF8String(event)) == [evidence])
  }

  @Test(
    "a seen event is live, then stale; an event missing from the plan is unexpected",
    arguments: [
      ("{ event: pay }", 0, "ios 3.2 live", "1 event, last 2026-03-01"),
      ("{ event: pay }", 90, "ios 3.2 live", "1 event, last 2025-12-01"),
      ("{ event: pay }", 91, "ios 3.2 stale", "1 event, last 2025-11-30"),
      ("{ event: pay, status: deprecated }", 0, "ios 3.2 deprecated", "1 event, last 2026-03-01; still sent"),
      ("{ event: pay, status: archived }", 31, "ios 3.2 archived", "1 event, last 2026-01-29; set in the plan"),
      (
        "{ event: pay, status: archived }", 30, "ios 3.2 unexpected",
        "1 event, last 2026-01-30; archived in the plan, and still sent"
      ),
      ("{ event: pay, platforms: [ios, web] }", 0, "ios 3.2 live", "1 event, last 2026-03-01"),
      (
        "{ event: pay, platforms: [web] }", 0, "ios 3.2 unexpected",
        "1 event, last 2026-03-01; the plan does not have this platform"
      ),
      (
        "{ event: pay, since: 3.3 }", 0, "ios 3.2 unexpected",
        "1 event, last 2026-03-01; the plan does not have this version"
      ),
      ("{ event: add_to_cart }", 0, "ios 3.2 unexpected", "1 event, last 2026-03-01; not in the plan, emitted by pay"),
    ] as [(String, Int64, String, String)])
  func seen(plan: String, days: Int64, row: String, evidence: String) throws {
    let report = try Self.report("  - \(plan)\n", [Self.event("$AppClick", "Pay", days: days)])
    #expect(Self.rows(report, "pay").contains(row), "\(Self.rows(report, "pay"))")
    #expect(Self.evidence(report, "pay").contains(evidence), "\(Self.evidence(report, "pay"))")
  }

  @Test("an event can be live on one platform and missing on another, and in one version and not in the next")
  func missing() throws {
    var events: [AnalyticsEvent] = []
    for user in 1...3 {
      for (lib, version) in [("iOS", "3.2"), ("Android", "3.2"), ("Android", "3.10")] {
        events.append(Self.event("$AppStart", days: 5, user: user, version: version, lib: lib))
      }
    }
    // Out for too short a time, and by too few people.
    events += (1...3).map { Self.event("$AppStart", days: 2, user: $0, version: "4.0") }
    events.append(Self.event("$AppStart", days: 20, user: 1, version: "3.1"))
    events.append(Self.event("$AppClick", "Pay", days: 5, version: "3.2", lib: "Android"))
    let report = try Self.report("  - { event: pay, platforms: [ios, android] }\n  - { event: add_to_cart }\n", events)
    #expect(Self.rows(report, "pay") == ["ios 3.2 missing", "android 3.2 live", "android 3.10 missing"])
    #expect(
      Self.evidence(report, "pay").first == "no event, though 3 people used the version since 2026-02-24")
    #expect(Self.rows(report, "add_to_cart").count == 3, "where the plan does not say, any platform")
    let later = try Self.report("  - { event: pay, since: 3.3, platforms: ios }\n", events)
    #expect(Self.rows(later, "pay") == ["ios - defined", "android 3.2 unexpected"])
  }

  @Test("the evidence of several versions is that of the version which most people used")
  func severalVersions() throws {
    var events: [AnalyticsEvent] = []
    for (version, days, people) in [("3.1", 40, 2), ("3.2", 20, 5), ("3.3", 10, 3)] as [(String, Int64, Int)] {
      events += (1...people).map { Self.event("$AppStart", days: days, user: $0, version: version) }
    }
    let report = try Self.report("  - { event: pay, platforms: ios }\n", events)
    #expect(Self.rows(report, "pay") == ["ios 3.1 missing", "ios 3.2 missing", "ios 3.3 missing"])
    #expect(Self.evidence(report, "pay") == ["no event, though 5 people used the version since 2026-02-09"])
  }

  @Test("an event without a platform may be of any platform")
  func unknownPlatform() throws {
    var events = (1...3).map { Self.event("$AppStart", days: 5, user: $0) }
    events.append(Self.event("$AppClick", "Pay", days: 5, lib: nil))
    let report = try Self.report("  - { event: pay, platforms: ios }\n", events)
    #expect(Self.rows(report, "pay") == ["ios - defined", "- 3.2 live"])
  }

  @Test("an event that has stopped is missing while others use its version")
  func stopped() throws {
    var events = [Self.event("$AppClick", "Pay", days: 40)]
    for user in 1...2 { events.append(Self.event("$AppStart", days: 3, user: user)) }
    let report = try Self.report("  - { event: pay }\n", events)
    #expect(Self.rows(report, "pay") == ["ios 3.2 missing"])
    #expect(
      Self.evidence(report, "pay") == ["1 event, last 2026-01-20; stopped, though 2 people used the version recently"])
    let unused = try Self.report("  - { event: pay }\n", events) { $0.missingPeople = 3 }
    #expect(Self.rows(unused, "pay") == ["ios 3.2 live"])
  }

  @Test("a version with a capture of the element is out from its first event on")
  func captures() throws {
    let ruleSet = try RuleFiles(text: Self.rules, name: "rules.yaml").ruleSet()
    let files = try PlanFiles(
      texts: [("p.plan.yaml", "version: 1\nevents:\n  - { event: pay }\n  - { event: add_to_cart }\n")], for: ruleSet)
    var counter = PlanStatusCounter(TrackingPlan(ruleSet, files), ruleSet, now: Self.now)
    let capture =
      #"<viewTree version="1" appVersion="3.2" os="iOS"><view class="UIWindow"><view class="UIButton" title="Pay" actions="a:"/>"#
      + "</view></viewTree>"
    counter.add(IdentifiedTree(try CaptureReader().read(Array(capture.utf8))), name: "pay.xml")
    counter.add(Self.event("$AppStart"), .init(file: "e", line: 1))
    let report = counter.finish()
    #expect(Self.rows(report, "pay") == ["ios 3.2 missing"])
    #expect(Self.evidence(report, "pay") == ["no event, though pay.xml shows its element"])
    #expect(Self.rows(report, "add_to_cart") == ["- - defined"])
  }

  @Test(
    "properties are compared with the plan",
    arguments: [
      ("type: number", 12, nil), ("type: number", "12", "p: no number in 1 of 1 (e:1)"), ("type: any", ["x"], nil),
      ("type: string", 12, "p: no string in 1 of 1 (e:1)"), ("type: boolean", true, nil),
      ("type: boolean", 1, "p: no boolean in 1 of 1 (e:1)"),
      ("type: datetime", "2026-03-01T08:00:00Z", nil), ("type: datetime", 1_772_323_200_000, nil),
      ("type: datetime", "today", "p: no datetime in 1 of 1 (e:1)"),
      ("type: datetime", 7, "p: no datetime in 1 of 1 (e:1)"),
      ("required: true", nil, "p: missing in 1 of 1 (e:1)"), ("required: true", .null, "p: missing in 1 of 1 (e:1)"),
      ("type: number", nil, nil), ("type: number, list: true", [1, 2], nil), ("type: number, list: true", [], nil),
      ("type: number, list: true", [1, "2"], "p: no number in 1 of 1 (e:1)"),
      ("type: number, list: true", 1, "p: no list in 1 of 1 (e:1)"), ("type: number", [1], "p: a list in 1 of 1 (e:1)"),
      ("type: number", ["a": 1], "p: no number in 1 of 1 (e:1)"),
      ("values: [a, 1]", "a", nil), ("values: [a, 1]", 1.0, nil),
      ("values: [a, 1]", "1", "p: not among the values in 1 of 1 (e:1)"),
      ("pattern: ^a", "abc", nil), ("pattern: ^a", "bca", "p: does not match the pattern in 1 of 1 (e:1)"),
      ("pattern: ^a", 1, "p: does not match the pattern in 1 of 1 (e:1)"),
    ] as [(String, Value?, String?)])
  func properties(planned: String, value: Value?, fault: String?) throws {
    var properties = EventObject()
    if let value { properties["p"] = value.value }
    let plan = "  - { event: paid, properties: [{ property: p, \(planned) }] }\n"
    let report = try Self.report(plan, [Self.event("paid", with: properties)])
    let expected = "1 event, last 2026-03-01" + (fault.map { "; \($0)" } ?? "")
    #expect(Self.evidence(report, "paid") == [expected])
    #expect(Self.rows(report, "paid") == ["ios 3.2 \(fault == nil ? "live" : "wrong")"])
  }

  /// A value of an event that is written as a literal.
  struct Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, Sendable
  {
    let value: EventValue
    static let null = Value(.null)
    init(_ value: EventValue) { self.value = value }
    init(integerLiteral value: Int64) { self.value = .number(DecimalNumber(value)) }
    init(floatLiteral value: Double) { self.value = DecimalNumber(value).map { .number($0) } ?? .null }
    init(stringLiteral value: String) { self.value = .string(value) }
    init(booleanLiteral value: Bool) { self.value = .bool(value) }
    init(arrayLiteral elements: Value...) { value = .list(elements.map(\.value)) }
    init(dictionaryLiteral elements: (String, Value)...) {
      value = .object(EventObject(elements.map { .init(name: $0.0, value: $0.1.value) }))
    }
  }

  @Test("faults are counted by version, with the first event, and no value is shown")
  func faults() throws {
    let plan = "  - event: paid\n    properties: [{ property: p, values: [a] }, { property: q, required: true }]\n"
    let events = (1...5).map { i in
      Self.event("paid", version: "1.\(i % 2)", with: ["p": .string(i > 2 ? "secret" : "a")])
    }
    let report = try Self.report(plan, events)
    let rows = try #require(report.events.first { $0.event == "paid" }?.rows)
    #expect(rows.map(\.events) == [2, 3] && rows.map(\.status) == [.wrong, .wrong])
    #expect(rows.flatMap(\.faults).map(\.count) == [1, 2, 2, 3])
    #expect(rows[0].faults[0].sample == .init(file: "e", line: 4))
    #expect(
      Self.evidence(report, "paid")
        == ["5 events, last 2026-03-01; p: not among the values in 3 of 5 (e:4); q: missing in 5 of 5 (e:2)"])
    for text in [
      PlanText.text(report, statuses: nil), PlanMarkdown.text(report, statuses: nil), PlanJSON.text(report),
    ] { #expect(!text.contains("secret") && text.contains("paid")) }
  }

  @Test("values given by a rule override the event's own")
  func givenValues() throws {
    let rules = """
      version: 1
      rules:
        - id: add
          include: { event: $AppClick }
          emit: add_to_cart
          properties: { price: { property: label, type: number } }
      """
    let plan = "  - { event: add_to_cart, properties: [{ property: price, type: number, required: true }] }\n"
    let report = try Self.report(
      plan, [Self.event(with: ["price": "x", "label": "¥12"]), Self.event(with: ["price": "x"])],
      rules: rules)
    #expect(Self.evidence(report, "add_to_cart") == ["2 events, last 2026-03-01; price: no number in 1 of 2 (e:2)"])
  }

  @Test("events count under emitted names and their own, taps and SDK events under emitted names only")
  func names() throws {
    let events = [
      Self.event("$AppClick", "Pay"), Self.event("$AppClick", "Nothing"), Self.event("$AppStart"),
      Self.event("$AppEnd"), Self.event("code", lib: "Java"), Self.event("code", lib: nil), Self.event("switchEvent"),
    ]
    let report = try Self.report("  - { event: pay }\n  - { event: $AppStart, tracking: autocapture }\n", events)
    #expect(Self.rows(report, "pay") == ["ios 3.2 live"] && Self.rows(report, "$AppStart") == ["ios 3.2 live"])
    #expect(Self.rows(report, "code") == ["server 3.2 unexpected", "- 3.2 unexpected"])
    #expect(Self.rows(report, "$AppClick").isEmpty && Self.rows(report, "$AppEnd").isEmpty)
    #expect(report.read == 7 && report.others == 3)
    let without = try Self.report(nil, events)
    #expect(without.events.map(\.event) == ["add_to_cart", "pay", "more"], "without a plan, code is not unexpected")
    #expect(Self.rows(without, "more") == ["- - defined"])
  }

  @Test(
    "the platform follows from the SDK, else from the system",
    arguments: [
      ("iOS", nil, "ios"), ("Android", "iOS", "android"), ("js", "iOS", "web"), ("MiniProgram", "iOS", "mini-program"),
      ("AlipayMini", nil, "mini-program"), ("Java", nil, "server"), ("posthog-ios", nil, "ios"), ("web", nil, "web"),
      ("posthog-node", nil, "server"), ("unknown", "iPadOS", "ios"), (nil, "HarmonyOS", "other"), (nil, "Linux", nil),
      (nil, nil, nil), ("Golang", nil, "server"), ("algorithm", nil, nil),
    ] as [(String?, String?, String?)])
  func platforms(lib: String?, os: String?, platform: String?) {
    var event = Self.event(lib: lib)
    if let os { event.set(.string(os), at: .property("$os")) }
    #expect(PlannedEvent.Platform(of: event, EventFields())?.rawValue == platform)
  }

  @Test("names and values beyond the limits are counted apart")
  func limits() throws {
    var limits = PlanTally.Limits()
    (limits.names, limits.versions, limits.people, limits.length) = (2, 3, 4, 8)
    let events =
      (1...4).map { Self.event("code\($0)", user: $0, version: "1.\($0)") }
      + [Self.event("a long name", user: 1), Self.event("code1", user: 1, version: "a long version")]
    let report = try Self.report("  - { event: pay }\n", events, limits: limits)
    #expect(report.events.filter { !$0.isPlanned && $0.rules.isEmpty }.map(\.event) == ["code1", "code2"])
    #expect(report.beyondLimits > 5 && report.read == 6)
    var rows = PlanTally.Limits()
    rows.rows = 1
    #expect(try Self.report("  - { event: pay }\n", events, limits: rows).beyondLimits == 5)
  }

  /// The obvious way to the same counts: by name and version, one event after the other.
  @Test("counts equal a slow count on random events", arguments: [1, 2, 3] as [UInt64])
  func slowCount(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var events: [AnalyticsEvent] = []
    var counts: [String: Int] = [:]
    for _ in 0..<300 {
      let text = ["Add", "Pay", "More", "Other"].randomElement(using: &random) ?? ""
      let version = "1.\(Int.random(in: 0...12, using: &random))"
      let lib = Bool.random(using: &random) ? "iOS" : "Android"
      events.append(
        Self.event("$AppClick", text, user: Int.random(in: 1...9, using: &random), version: version, lib: lib))
      let name = ["Add": "add_to_cart", "Pay": "pay", "More": "more"][text]
      if let name { counts["\(name) \(lib.lowercased()) \(version)", default: 0] += 1 }
    }
    let report = try Self.report("  - { event: pay }\n  - { event: add_to_cart }\n", events)
    var found: [String: Int] = [:]
    for event in report.events {
      for row in event.rows where row.events > 0 {
        found["\(event.event) \(row.platform?.rawValue ?? "") \(row.version ?? "")"] = row.events
      }
    }
    #expect(found == counts)
  }

  @Test("the report is a table, Markdown with names escaped, JSON by version, or three lines")
  func formats() throws {
    let events = [Self.event("$AppClick", "Pay", version: "3.1"), Self.event("$AppClick", "Pay"), Self.event("a|`b")]
    let report = try Self.report("  - { event: pay }\n", events)
    let text = PlanText.text(report, statuses: [.live])
    #expect(text.contains("pay    ios       3.1–3.2   live    2 events, last 2026-03-01\n"), "\(text)")
    #expect(text.hasSuffix("seen recently: ios 1 of 1\n3 events read: all properties as planned\n"), "\(text)")
    #expect(!text.contains("unexpected  "))
    let fault = try Self.report(
      "  - { event: pay, properties: [{ property: price, required: true }] }\n", events,
      now: Self.now + 365 * 86_400_000)
    #expect(PlanEvidence.summary(fault)[1] == "seen recently: ios 0 of 1", "what is wrong may be long ago")
    let markdown = PlanMarkdown.text(report, statuses: nil)
    let cells = markdown.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { row in
      row.replacing("\\|", with: "").split(separator: "|").count
    }
    #expect(cells.count == 6 && Set(cells) == [5], "\(markdown)")
    let json = try #require(try JSONSerialization.jsonObject(with: Data(PlanJSON.text(report).utf8)) as? [String: Any])
    let pay = try #require((json["events"] as? [[String: Any]])?.first { $0["event"] as? String == "pay" })
    #expect((pay["rows"] as? [[String: Any]])?.compactMap { $0["version"] as? String } == ["3.1", "3.2"])
    #expect((json["counts"] as? [String: Int])?["unexpected"] == 3)
  }
}
