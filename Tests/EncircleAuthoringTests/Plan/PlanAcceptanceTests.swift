import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import Testing

@testable import EncircleAuthoring

/// A checklist of planned events ticks as they arrive.
@Suite struct PlanAcceptanceTests {
  private static let rules = """
    version: 1
    rules:
      - { id: add, name: 加入购物车, include: { event: $AppClick, where: { $element_content: Add } }, emit: add_to_cart }
    """
  private static let plan = """
    version: 1
    events:
      - event: add_to_cart
        platforms: [ios, android]
        since: "3.2"
        properties:
          - { property: price, type: number, required: true }
          - { property: channel, values: [home, search] }
      - { event: order_paid }
      - { event: share, status: planned }
      - { event: old, until: "3.0" }
      - { event: gone, status: archived }
      - { event: less, status: deprecated }
    """

  private static func event(
    _ name: String, lib: String? = "iOS", version: String? = "3.2", _ properties: EventObject = EventObject()
  ) -> AnalyticsEvent {
    var all = properties
    if let lib { all["$lib"] = .string(lib) }
    if let version { all["$app_version"] = .string(version) }
    return AnalyticsEvent(name: name, time: 1_772_323_200_000, distinctID: "t", properties: all)
  }

  private static func tap(
    lib: String? = "iOS", version: String? = "3.2", _ properties: EventObject
  ) -> AnalyticsEvent {
    var all = properties
    all["$element_content"] = "Add"
    return event("$AppClick", lib: lib, version: version, all)
  }

  private static func acceptance(_ target: PlanAcceptance.Target) throws -> PlanAcceptance {
    let ruleSet = try RuleFiles(text: rules, name: "rules.yaml").ruleSet()
    let files = try PlanFiles(texts: [("p.plan.yaml", plan)], for: ruleSet)
    return PlanAcceptance(TrackingPlan(ruleSet, files), ruleSet, of: target)
  }

  private static func words(_ items: [PlanAcceptance.Item]) -> [String] {
    items.map { "\($0.event) \($0.platform?.rawValue ?? "-") \($0.state.rawValue) \($0.arrived)" }
  }

  @Test("an event shows a property as it was read, not one of the same name elsewhere")
  func containers() throws {
    let plan = "version: 1\nevents:\n  - event: order\n    properties: [{ property: note }]\n"
    let ruleSet = RuleSet()
    let joined = TrackingPlan(ruleSet, try PlanFiles(texts: [("p.plan.yaml", plan)], for: ruleSet))
    let planned = try #require(joined.entry(of: UTF8String("order"))?.planned)
    let event = try AnalyticsEvent(
      json: #"{"event":"order","properties":{"note":"ok","x":"y"},"attributes":{"note":"other","x":1}}"#)
    #expect(AcceptedEvent(event, planned, given: [:]).json == #"{"note":"ok","x":"(text)"}"#)
  }

  @Test(
    "the list has the plan's items for a version and its platforms",
    arguments: [
      (
        .init(version: "3.2"),
        ["add_to_cart ios waiting 0", "add_to_cart android waiting 0", "order_paid - waiting 0", "share - waiting 0"]
      ),
      (.init(version: "3.1"), ["order_paid - waiting 0", "share - waiting 0"]),
      (
        .init(version: "2.9", platforms: [.ios]),
        ["order_paid - waiting 0", "share - waiting 0", "old - waiting 0"]
      ),
      (
        .init(platforms: [.android]),
        ["add_to_cart android waiting 0", "order_paid - waiting 0", "share - waiting 0", "old - waiting 0"]
      ),
      (.init(version: "3.2", platforms: [.web]), ["order_paid - waiting 0", "share - waiting 0"]),
    ] as [(PlanAcceptance.Target, [String])])
  func list(target: PlanAcceptance.Target, expected: [String]) throws {
    let acceptance = try Self.acceptance(target)
    let items = acceptance.items
    #expect(Self.words(items) == expected)
  }

  @Test("each event ticks its items, and a wrong item stays wrong with an example of each problem")
  func ticks() throws {
    var acceptance = try Self.acceptance(.init(version: "3.2"))
    let place = PlanReport.Place(file: "e", line: 1)
    let events: [(AnalyticsEvent, [Int])] = [
      (Self.tap(["price": 1]), [0]),
      (Self.tap(lib: "Android", ["price": "12", "note": "my secret", "count": 3]), [1]),
      (Self.tap(lib: "Android", ["price": "13"]), [1]), (Self.tap(lib: "Android", ["price": 1]), [1]),
      // It may be of either.
      (Self.tap(lib: nil, ["price": 1, "channel": "home"]), [0, 1]),
      // The plan does not have it there, or in that version.
      (Self.tap(lib: "js", ["price": 1]), []), (Self.tap(version: "3.1", ["price": 1]), []),
      (Self.event("order_paid", version: nil), [2]), (Self.event("debug"), []), (Self.event("gone"), []),
      (Self.event("$AppStart"), []),
      // It is deprecated, and still in the plan.
      (Self.event("less"), []),
    ]
    for (number, (event, expected)) in events.enumerated() {
      let ticked = acceptance.add(event, place)
      #expect(ticked == expected, "event \(number)")
    }
    let report = acceptance.finish()
    #expect(
      Self.words(report.items) == [
        "add_to_cart ios accepted 2", "add_to_cart android wrong 4", "order_paid - accepted 1", "share - waiting 0",
      ])
    #expect(!report.isAccepted)
    let samples = report.items[1].samples
    #expect(samples.map(\.problems) == [[#"price: no number, but "12""#], [#"price: no number, but "13""#]])
    #expect(samples.first?.event == #"{"price":"12","note":"(text)","count":3}"#)
    #expect(report.unexpected == ["add_to_cart": 1, "debug": 1, "gone": 1])
    #expect((report.read, report.others) == (12, 1))
    let texts = [
      PlanAcceptanceText.text(report), PlanAcceptanceText.markdown(report), PlanAcceptanceJSON.text(report),
      PlanAcceptanceHTML.text(report, title: "<3.2>"),
    ]
    for text in texts { #expect(!text.contains("secret") && text.contains("order_paid"), "\(text)") }
    #expect(texts[3].contains("&lt;3.2&gt;") && !texts[3].contains("<3.2>"))
  }

  @Test(
    "an item names its cause on its platform and in its version",
    arguments: [
      ("5.1", ["ios Tap on Bar/UIButton(1)", "android Tap on Bar/Button", "web Tap on #join, on /join"]),
      ("5.3", ["ios Tap on Bar/UIButton(0)", "android Tap on Bar/Button", "web Tap on #join, on /join"]),
      (nil, ["ios Tap on Bar/UIButton(2)", "android Tap on Bar/Button", "web Tap on #join, on /join"]),
    ] as [(String?, [String])])
  func triggers(version: String?, expected: [String]) throws {
    let rules = """
      version: 1
      rules:
        - id: off
          enabled: false
          include: { style: sensors, selector: Old }
          emit: join
        - id: join
          include:
            - { style: sensors, selector: Bar/UIButton(1), where: { $app_version: { version: <5.2 } } }
            - { style: sensors, selector: Bar/UIButton(0), where: { $app_version: { version: ">=5.2 <5.10" } } }
            - { style: sensors, selector: Bar/UIButton(2), where: { $app_version: { version: ">=5.10" } } }
            - { style: sensors-android, selector: Bar/Button }
            - { style: sensors-web, page: /join, selector: "#join" }
      """
    let ruleSet = try RuleFiles(text: rules, name: "rules.yaml").ruleSet()
    let plan = "version: 1\nevents: [{ event: join, platforms: [ios, android, web] }]\n"
    let files = try PlanFiles(texts: [("p.plan.yaml", plan)], for: ruleSet)
    let acceptance = PlanAcceptance(TrackingPlan(ruleSet, files), ruleSet, of: .init(version: version))
    #expect(acceptance.items.map { "\($0.platform?.rawValue ?? "-") \($0.trigger ?? "")" } == expected)
  }

  @Test("a checklist is accepted once its last required item has arrived as planned")
  func accepted() throws {
    var acceptance = try Self.acceptance(.init(version: "3.2", platforms: [.ios]))
    let place = PlanReport.Place(file: "e", line: 1)
    acceptance.add(Self.tap(["price": 1]), place)
    acceptance.add(Self.event("order_paid", lib: "Java"), place)
    let early = acceptance.items.map(\.state)
    #expect(early == [.accepted, .waiting, .waiting], "a server is none of the platforms")
    acceptance.add(Self.event("order_paid"), place)
    var report = acceptance.finish()
    report.tester = "lin"
    #expect(report.isAccepted, "what is set to planned need not be there")
    #expect(PlanAcceptanceText.text(report).contains("tester: lin"))
    #expect(!PlanAcceptanceReport().isAccepted, "an empty list is probably of the wrong version")
  }

  @Test(
    "events of a version count however its zeros are written, and those of other versions and texts do not",
    arguments: [
      ("3.2.0", true), ("3.2+5", true), ("03.2", true), ("3.2.1", false), ("3.20", false), ("3.2-beta", false),
      ("3.2 (123)", false),
    ])
  func versions(version: String, counts: Bool) throws {
    var acceptance = try Self.acceptance(.init(version: "3.2"))
    let ticked = acceptance.add(Self.tap(version: version, ["price": 1]), .init(file: "e", line: 1))
    #expect(ticked == (counts ? [0] : []))
  }

  @Test(
    "problems show what differs and the actual value",
    arguments: [
      ([:], "price: missing"), (["price": .list([1])], "price: a list: [1]"),
      (["price": 1, "channel": "mail"], #"channel: not among the values: "mail""#),
      (["price": true], "price: no number, but true"),
    ] as [(EventObject, String)])
  func problems(properties: EventObject, expected: String) throws {
    var acceptance = try Self.acceptance(.init(version: "3.2"))
    acceptance.add(Self.tap(properties), .init(file: "e", line: 1))
    let problems = acceptance.items[0].samples.map(\.problems)
    #expect(problems == [[expected]])
  }

  @Test("up to ten devices are distinguished")
  func devices() throws {
    var acceptance = try Self.acceptance(.init())
    for number in 0..<30 {
      let device: EventObject = ["$manufacturer": "Apple", "$model": .string("iPhone\(number / 2),1"), "$os": "iOS"]
      acceptance.add(Self.event("order_paid", device), .init(file: "e", line: number))
    }
    let devices = acceptance.finish().devices
    #expect(devices.count == 10)
    #expect(devices[0] == "Apple iPhone0,1 iOS")
  }
}
