import EncircleEvents
import EncircleRules
import EncircleRuleFiles
import EncircleText
import Testing

@testable import EncircleAuthoring

/// The plan as a table that is written.
@Suite struct PlanExportTests {
  @Test("thirty-day numbers that may lack events are marked as lower bounds, on the board, too")
  func lowerBounds() throws {
    let ruleSet = RuleSet()
    let text = "version: 1\nevents: [{ event: pay }]\n"
    let plan = TrackingPlan(ruleSet, try PlanFiles(texts: [("a.plan.yaml", text)], for: ruleSet))
    let now: Int64 = 1_772_323_200_000
    var counts = PlanStatusCounter(plan, ruleSet, now: now).counts()
    counts.add("pay", .sent, .init(platform: nil, version: nil), events: 5, first: now, last: now)
    counts.set(recentEvents: 5, recentPeople: 2, of: "pay")
    func numbers() throws -> [String] {
      let report = counts.report(now: now)
      let table = PlanExport.table(plan, .en, report: report)
      let cells = try ["Events 30d", "Users 30d"].map { header in
        let column = try #require(table.columns.firstIndex(where: { $0.header == header }))
        return table.rows[0].cells[column]
      }
      var board = BoardTally(plan)
      board.add(counted: "pay", on: "Cart", 3)
      board.add(visit: "Cart", by: 1)
      let html = BoardHTML.text(board.finish(report), title: "a")
      return cells + html.matches(of: /<td class="count">([^<]*)</).map { String($0.1) }
    }
    #expect(try numbers() == ["5", "2", "3"])
    counts.noteMissingRecent()
    #expect(try numbers() == ["≥ 5", "≥ 2", "≥ 3"])
  }

  @Test("the versions in which an event was seen are in order, whatever platforms have them")
  func versionsSeen() throws {
    let ruleSet = RuleSet()
    let text = "version: 1\nevents: [{ event: pay }]\n"
    let plan = TrackingPlan(ruleSet, try PlanFiles(texts: [("a.plan.yaml", text)], for: ruleSet))
    let now: Int64 = 1_772_323_200_000
    var counts = PlanStatusCounter(plan, ruleSet, now: now).counts()
    let seen: [(platform: PlannedEvent.Platform, version: UTF8String)] = [
      (.ios, "3.10"), (.ios, "5.0"), (.android, "4.0-beta"), (.android, "3.9"), (.android, "5.0"),
    ]
    for (platform, version) in seen {
      counts.add("pay", .sent, .init(platform: platform, version: version), events: 1, first: now, last: now)
    }
    let table = PlanExport.table(plan, .en, report: counts.report(now: now))
    let column = try #require(table.columns.firstIndex(where: { $0.header == "Versions Seen" }))
    #expect(table.rows[0].cells[column] == "3.9, 3.10, 4.0-beta, 5.0")
  }

  @Test("the table has a row for each event, followed by its properties")
  func export() throws {
    let text = PlanExport.text(try PlanTableFiles().joined(), .en)
    var reader = CSVReader(text)
    let head = try #require(try reader.next()).cells
    var rows: [[String: String]] = []
    while let record = try reader.next() { rows.append(Dictionary(uniqueKeysWithValues: zip(head, record.cells))) }
    #expect(head.count == 45 && head.last == "Sprint")
    #expect(rows.map { $0["Object Type"] } == ["Event", "Property", "Property", "Event", "Event"])
    let cart = rows[0]
    #expect(cart["Event Name"] == "add_to_cart" && cart["Event Display Name"] == "Add" && cart["Owner"] == "cart")
    #expect(cart["Platforms"] == "ios, android" && cart["Since Version"] == "3.2" && cart["Status"] == "defined")
    #expect(cart["Rule IDs"] == "cart.add, cart.more" && cart["App"] == "com.example.shop" && cart["Page"] == "Home")
    #expect(cart["Trigger"] == "Tap on 加入, on Home" && cart["Selector"] == "ShopCell/UIButton\nMoreButton")
    #expect(rows[1]["Property Value Type"] == "number" && rows[1]["Property Required"] == "TRUE")
    #expect(
      rows[2]["Enum Values"] == "home, \"1\", 2" && rows[3]["Sprint"] == "12" && rows[3]["Tracking Type"] == "code")
    #expect(rows[4]["Event Name"] == "add_more" && rows[4]["Status"] == "defined")
    let chinese = PlanExport.text(try PlanTableFiles().joined(), .zh)
    #expect(chinese.contains("已定义") && chinese.contains("点击 加入（Home）") && chinese.contains("代码"))
  }

  @Test(
    "a page of the web is named once, without escapes",
    arguments: [("/商城", "On /商城"), ("/%E5%95%86/1", "On /商/1"), ("/100%25", "On /100%")])
  func pageOfTheWeb(page: String, trigger: String) throws {
    let rules = "version: 1\nstyle: posthog-web\nrules: [{ id: a, include: { page: \"\(page)\" } }]\n"
    let clause = try RuleFiles(text: rules).ruleSet().rules[0].clauses[0]
    #expect(PlanTrigger.text(clause, .en) == trigger)
  }
}
