import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

/// Plans: what files say, how they join with rules, and what is wrong with them.
@Suite struct PlanFileTests {
  static let rules = """
    version: 1
    rules:
      - id: cart.add
        name: Add to cart
        owner: cart
        tags: [cart, revenue]
        include: { selector: AddButton }
        emit: add_to_cart
      - { id: cart.more, description: One more., include: { selector: MoreButton }, emit: [add_to_cart, add_more] }
      - { id: noise, exclude: { selector: DebugButton } }
    """

  private static func ruleSet() throws -> RuleSet { try RuleFiles(text: rules, name: "rules.yaml").ruleSet() }

  private static func plan(_ texts: String...) throws -> PlanFiles {
    try PlanFiles(
      texts: texts.enumerated().map { (name: "\($0 + 1).plan.yaml", text: $1) }, for: try ruleSet())
  }

  @Test("a file can have every key of the schema")
  func everything() throws {
    let plan = try Self.plan(
      """
      version: 1
      events:
        - event: pay
          name: 支付
          description: Paid.
          owner: money
          tags: [a, b]
          platforms: [ios, mini-program, ios]
          since: 3.2
          until: 4.0.0
          trigger: Tap on 支付
          category: cart
          tracking: code
          status: deprecated
          picture: pictures/pay.png
          remark: Old.
          columns: { Sprint: 12, "": x }
          properties:
            - property: amount
              name: 金额
              description: In yuan.
              type: number
              list: true
              required: true
              values: [1, 2.5]
              remark: Ask.
              columns: { Note: y }
            - { property: channel, type: string, pattern: "^[a-z]+$" }
      """.replacing(", \"\": x", with: ""))
    let event = try #require(plan.events.first)
    #expect(event.event == "pay" && event.name == "支付" && event.summary == "Paid." && event.owner == "money")
    #expect(event.tags == ["a", "b"] && event.platforms == [.ios, .miniProgram])
    #expect(event.since == "3.2" && event.until == "4.0.0" && event.trigger == "Tap on 支付")
    #expect(event.category == "cart" && event.tracking == .code && event.status == .deprecated)
    #expect(event.picture == "pictures/pay.png" && event.remark == "Old." && event.origin == "1.plan.yaml:3:12")
    #expect(event.columns == [.init(header: "Sprint", text: "12")])
    let amount = try #require(event.properties.first)
    #expect(
      amount.property == "amount" && amount.name == "金额" && amount.summary == "In yuan." && amount.type == .number)
    #expect(amount.isList && amount.isRequired && amount.remark == "Ask." && amount.columns.count == 1)
    #expect(amount.values.map(\.description) == ["1", "2.5"])
    #expect(event.properties.last?.pattern?.description == "^[a-z]+$")
  }

  @Test(
    "an event is planned from its first version on, up to the first that no longer has it",
    arguments: [
      ("3.1.9", false), ("3.2", true), ("3.2.0-beta", true), ("3.1.9-beta", false), ("3.10", true),
      ("4.0.0-rc.1", false), ("4", false), ("4.0.1", false), ("unknown", true), (nil, true),
    ] as [(String?, Bool)])
  func versions(version: String?, isPlanned: Bool) throws {
    let plan = try Self.plan("version: 1\nevents:\n  - { event: pay, since: 3.2.0, until: 4.0.0 }\n")
    #expect(plan.events.first?.isPlanned(in: version) == isPlanned)
  }

  @Test(
    "pre-releases differ where the plan names one",
    arguments: [
      ("4.0.0-beta.1", false), ("4.0.0-beta.2", true), ("4.0.0-rc.1", true), ("4.0.0", true), ("5.0-beta.1", true),
      ("5.0-beta.2", false), ("5.0", false),
    ])
  func preReleases(version: String, isPlanned: Bool) throws {
    let plan = try Self.plan("version: 1\nevents:\n  - { event: pay, since: 4.0.0-beta.2, until: 5.0-beta.2 }\n")
    #expect(plan.events.first?.isPlanned(in: version) == isPlanned)
  }

  @Test("rules and plan are joined by name, and each fact comes from its declared home")
  func joined() throws {
    let files = try Self.plan(
      "version: 1\nevents:\n  - { event: pay, name: Pay }\n  - { event: add_to_cart, since: 2 }\n")
    let plan = TrackingPlan(try Self.ruleSet(), files)
    #expect(plan.entries.map(\.event) == ["pay", "add_to_cart", "add_more"])
    #expect(plan.entries.map(\.isPlanned) == [true, true, false] && plan.hasPlan)
    let cart = try #require(plan.entry(of: "add_to_cart"))
    #expect(cart.name == "Add to cart" && cart.owner == "cart" && cart.summary == "One more.")
    #expect(cart.tags == ["cart", "revenue"] && cart.rules.map(\.id) == ["cart.add", "cart.more"])
    #expect(plan.entry(of: "pay")?.name == "Pay" && plan.entry(of: "noise") == nil)
    #expect(!TrackingPlan(try Self.ruleSet(), PlanFiles()).hasPlan)
  }

  @Test(
    "mistakes in a plan have places",
    arguments: [
      ("", "", "the file is empty"), ("events: []\n", "1:1", "no 'version'"),
      ("version: 2\n", "1:10", "unknown version"), ("version: 1\nevents: pay\n", "2:9", "expected a list of events"),
      ("version: 1\nevents:\n  - { name: Pay }\n", "3:5", "has no 'event'"),
      ("version: 1\nevents:\n  - { event: a }\n  - { event: a }\n", "4:14", "planned already, at 1.plan.yaml:3:14"),
      ("version: 1\nevents:\n  - { event: a, platform: ios }\n", "3:17", "unknown key 'platform'"),
      ("version: 1\nevents:\n  - { event: a, platforms: [iOS] }\n", "3:29", "did you mean 'ios'?"),
      ("version: 1\nevents:\n  - { event: a, since: new }\n", "3:24", "expected a version"),
      ("version: 1\nevents:\n  - { event: a, since: 2.0, until: 2 }\n", "3:36", "must come after 'since'"),
      ("version: 1\nevents:\n  - { event: a, status: live }\n", "3:25", "follows from rules and events"),
      ("version: 1\nevents:\n  - { event: a, status: depricated }\n", "3:25", "did you mean 'deprecated'?"),
      ("version: 1\nevents:\n  - { event: a, tracking: circle }\n", "3:27", "did you mean 'circled'?"),
      (
        "version: 1\nevents:\n  - { event: add_more, owner: me }\n", "3:31",
        "the owner of 'add_more' belongs in the rule 'cart.more' (rules.yaml:9:11)"
      ),
      ("version: 1\nevents:\n  - { event: a, properties: [{ name: x }] }\n", "3:30", "has no 'property'"),
      (
        "version: 1\nevents:\n  - { event: a, properties: [{ property: x }, { property: x }] }\n", "3:59",
        "planned already, at 3:42"
      ),
      (
        "version: 1\nevents:\n  - { event: a, properties: [{ property: x, type: int }] }\n", "3:51",
        "unknown type 'int'"
      ),
      (
        "version: 1\nevents:\n  - { event: a, properties: [{ property: x, type: number, values: [a] }] }\n", "3:68",
        "the value is no number"
      ),
      (
        "version: 1\nevents:\n  - { event: a, properties: [{ property: x, pattern: \"(\" }] }\n", "3:54",
        "in the regular expression"
      ),
      (
        "version: 1\nevents:\n  - { event: a, properties: [{ property: x, type: number, pattern: a }] }\n", "3:68",
        "a pattern is for texts"
      ),
      (
        "version: 1\nevents:\n  - { event: a, properties: [{ property: x, required: yes }] }\n", "3:55", "true or false"
      ),
    ])
  func mistakes(text: String, place: String, message: String) {
    do {
      _ = try Self.plan(text)
      Issue.record("there is no problem")
    } catch let error as RuleFileErrors {
      let problem = error.diagnostics.first
      #expect(problem?.file == "1.plan.yaml")
      #expect(problem?.location.map { "\($0)" } ?? "" == place, "\(error.description)")
      #expect(error.description.contains(message), "\(error.description)")
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test("an event may be in only one file, and the problems of all files are reported together")
  func severalFiles() {
    do {
      _ = try Self.plan(
        "version: 1\nevents: [{ event: a }]\n", "version: 1\nevents: [{ event: a }, { event: b, x: 1 }]\n")
      Issue.record("there is no problem")
    } catch let error as RuleFileErrors {
      #expect(error.count == 2 && error.diagnostics.allSatisfy { $0.file == "2.plan.yaml" }, "\(error)")
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test(
    "expressions of plans have their own budget, like expressions of rules")
  func budget() {
    let property = { (i: Int) in "{ property: p\(i), pattern: \"(a{1,900})b\(i)\" }" }
    let text =
      "version: 1\nevents:\n  - event: a\n    properties: [\((0..<1_500).map(property).joined(separator: ", "))]\n"
    do {
      _ = try Self.plan(text)
      Issue.record("there is no problem")
    } catch let error as RuleFileErrors {
      #expect(error.count == 1 && error.description.contains("together larger than the limit"), "\(error)")
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test("plans are formatted like rules, and are not read as rules beside them")
  func files() throws {
    let text =
      "version: 1\nevents: [{ since: \"3.2\", event: 'pay', properties: [{ type: number, property: amount }] }]\n"
    let formatted = try RuleFileFormatter.format(text, name: "x.plan.yaml")
    #expect(
      formatted
        == "version: 1\nevents:\n  - { event: pay, since: \"3.2\", properties: [{ property: amount, type: number }] }\n"
        || formatted.contains("  - event: pay\n    since: \"3.2\"\n    properties:\n"), "\(formatted)")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("plan-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ name: String, _ text: String) throws {
      try text.write(to: folder.appendingPathComponent(name), atomically: false, encoding: .utf8)
    }
    try write("x.yaml", Self.rules)
    try write("x.plan.yaml", formatted)
    try write("plan.yaml", "version: 1\nevents: [{ event: other }]\n")
    for (path, events) in [(folder.path, ["other", "pay"]), (folder.appendingPathComponent("x.yaml").path, ["pay"])] {
      let ruleSet = try RuleFiles([path]).ruleSet()
      #expect(ruleSet.rules.count == 3)
      #expect(try PlanFiles(besides: [path], for: ruleSet).events.map(\.event.text) == events)
    }
  }
}
