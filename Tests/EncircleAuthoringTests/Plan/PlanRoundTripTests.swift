import EncircleEvents
import EncircleRuleFiles
import EncircleTestSupport
import EncircleText
import Testing

@testable import EncircleAuthoring

/// The plan as a table, out and in again.
@Suite struct PlanRoundTripTests {
  @Test("importing an unchanged export changes no byte", arguments: PlanHeaders.allCases)
  func unchanged(set: PlanHeaders) throws {
    let files = PlanTableFiles()
    let table = PlanExport.text(try files.joined(), set)
    let (result, after) = try files.importing(table)
    #expect(!result.hasChanges && result.rejected.isEmpty && result.missing.isEmpty, "\(PlanImportText.text(result))")
    #expect(result.rows.count == 5 && after.plan == files.plan && after.rules == files.rules)
  }

  @Test("an export with observed values is imported without them and changes nothing", arguments: PlanHeaders.allCases)
  func unchangedWithEvents(set: PlanHeaders) throws {
    let files = PlanTableFiles()
    let plan = try files.joined()
    var counter = PlanStatusCounter(plan, try files.ruleFiles.ruleSet(), now: 1_772_323_200_000)
    for name in ["order_paid", "unknown"] {
      let properties: EventObject = ["$lib": "Java", "$app_version": "3.2", "$app_id": "com.example.shop"]
      counter.add(
        AnalyticsEvent(name: name, time: 1_772_323_200_000, distinctID: "u", properties: properties),
        .init(file: "e", line: 1))
    }
    let table = PlanExport.text(plan, set, report: counter.finish())
    if set == .en { #expect(table.contains("live") && table.contains("server?") && table.contains("2026-03-01")) }
    let (result, after) = try files.importing(table)
    #expect(!result.hasChanges && result.rejected.isEmpty, "\(PlanImportText.text(result))")
    #expect(after.plan == files.plan && after.rules == files.rules)
  }

  private static let texts = [
    "首页", "a, b", "=1+1", "@x", "-5", "+", "'=", "\"quoted\"", "line\nbreak", "tab\there", "e\u{301}", "# no comment",
    "yes", "null", "1", "2026-03-01", "a: b", "- item", "  spaces  ", "'", "🙂", "{x}", "[y]", "|", "&a", "*b", "!t",
    "\u{A0}",
    "long " + String(repeating: "text ", count: 40),
  ]

  private static func randomPlan(_ random: inout SeededGenerator) -> String {
    var members: [EventValue] = []
    for i in 0..<Int.random(in: 0...6, using: &random) {
      var event: EventObject = ["event": .string(i == 0 ? "add_to_cart" : "event \(i) \(random.pick(texts))")]
      func text() -> EventValue { .string(random.pick(texts)) }
      if i > 0 { for key in PlanKeys.ofRules.prefix(3) where random.oneIn(2) { event[key] = text() } }
      if i > 0, random.oneIn(2) { event["tags"] = [text(), .string("tag")] }
      if random.oneIn(2) { event["platforms"] = ["web", "other"] }
      if random.oneIn(2) { event["since"] = "1.0" }
      if random.oneIn(2) { event["until"] = "2" }
      for key in ["trigger", "category", "picture", "remark"] where random.oneIn(2) { event[key] = text() }
      if random.oneIn(2) { event["tracking"] = .string(random.pick(PlannedEvent.Tracking.allCases).rawValue) }
      if random.oneIn(3) { event["status"] = .string(random.pick(PlannedEvent.Status.allCases).rawValue) }
      if random.oneIn(3) { event["columns"] = ["Sprint": text(), "备注": text(), " x y ": text()] }
      var properties: [EventValue] = []
      for j in 0..<Int.random(in: 0...3, using: &random) {
        var property: EventObject = ["property": .string("p\(j) \(random.pick(texts))")]
        for key in ["name", "description", "remark"] where random.oneIn(2) { property[key] = text() }
        if random.oneIn(2) { property["list"] = .bool(random.oneIn(2)) }
        if random.oneIn(2) { property["required"] = .bool(random.oneIn(2)) }
        switch Int.random(in: 0...3, using: &random) {
        case 0: (property["type"], property["values"]) = ("string", [text(), text(), "x"])
        case 1: (property["type"], property["values"]) = ("number", [1, .number(DecimalNumber(-7))])
        case 2: property["values"] = [text(), 5, true]
        default: (property["type"], property["pattern"]) = ("string", "^[a-z,\"]+$")
        }
        if random.oneIn(3) { property["columns"] = ["Sprint": text()] }
        properties.append(.object(property))
      }
      if !properties.isEmpty { event["properties"] = .list(properties) }
      members.append(.object(event))
    }
    let json = String(decoding: EventValue.object(["version": 1, "events": .list(members)]).json, as: UTF8.self)
    return (try? RuleFileFormatter.format(json, name: "x.yaml")) ?? json
  }

  @Test("random plans come back as they were, in all sets of headers", arguments: PlanHeaders.allCases)
  func randomPlans(set: PlanHeaders) throws {
    var random = SeededGenerator(seed: UInt64(set.headers.count))
    for _ in 0..<max(10, TestSize.scaled(1_000) / 5) {
      let files = PlanTableFiles(plan: Self.randomPlan(&random))
      let table = PlanExport.text(try files.joined(), set)
      let (result, after) = try files.importing(table)
      try #require(
        !result.hasChanges && result.rejected.isEmpty && result.missing.isEmpty,
        "\(files.plan)\n\(table)\n\(PlanImportText.text(result))")
      #expect(after.plan == files.plan && after.rules == files.rules)
    }
  }

  @Test("a random plan can be rebuilt from its table, except for the facts of rules")
  func fromTable() throws {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<max(5, TestSize.scaled(200) / 5) {
      let files = PlanTableFiles(plan: Self.randomPlan(&random))
      let table = PlanExport.text(try files.joined(), .en)
      let (result, after) = try PlanTableFiles(plan: "version: 1\n").importing(table)
      try #require(result.rejected.isEmpty, "\(files.plan)\n\(PlanImportText.text(result))")
      #expect(PlanExport.text(try after.joined(), .en).utf8.count > 0)
      let again = try after.importing(table)
      #expect(!again.result.hasChanges, "\(files.plan)\n\(after.plan)\n\(PlanImportText.text(again.result))")
    }
  }

  @Test("the time for ten thousand rows is proportional", .enabled(if: TestSize.isFull))
  func size() throws {
    let rows = (0..<10_000).map { "event_\($0),Name \($0),web\r\n" }
    let (result, after) = try PlanTableFiles(plan: "version: 1\n").importing(
      "Event Name,Event Display Name,Platforms\r\n" + rows.joined())
    #expect(result.rows.count == 10_000 && after.plan.utf8.count > 500_000)
  }
}
