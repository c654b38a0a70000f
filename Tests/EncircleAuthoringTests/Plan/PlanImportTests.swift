import EncircleRuleFiles
import EncircleTestSupport
import Testing

@testable import EncircleAuthoring

/// These tests read tables into a plan, and check which facts of the plan they change.
@Suite struct PlanImportTests {
  @Test("changed facts go to their home, which keeps comments and layout")
  func changes() throws {
    let table = """
      Event Name,Event Display Name,Owner,Tags,Platforms,Status,Property Name,Property Value Type,Property Required,Enum Values,Sprint,Note
      add_to_cart,Add it,cart,"cart, revenue","ios, android, 小程序",,,,,,,
      add_to_cart,,,,,,price,string,否,,,
      add_to_cart,,,,,,channel,,FALSE,"home, ""1"", 3",,
      order_paid,支付成功,,,,deprecated,,,,,12,=1+1
      share,分享,growth,,web,,,,,,,
      share,,,,,,to,string,TRUE,"a, 1",,
      """
    let (result, after) = try PlanTableFiles().importing(table)
    #expect(result.rejected.isEmpty, "\(PlanImportText.text(result))")
    #expect(result.missing.isEmpty)
    #expect(
      after.rules
        == PlanTableFiles.rules.replacing("name: Add # short", with: "name: Add it # short")
        .replacing("tags: [cart]", with: "tags: [cart, revenue]"))
    #expect(
      after.plan == """
        version: 1
        events:
          # What people buy.
          - event: add_to_cart
            platforms: [ios, android, mini-program]   # both
            since: "3.2"
            properties:
              - { property: price, type: string }
              # Where from.
              - property: channel
                values: [home, "1", 3]
          - event: order_paid
            name: 支付成功
            tracking: code
            status: deprecated
            columns: { Sprint: "12", Note: "=1+1" }

          - event: share
            name: 分享
            owner: growth
            platforms: [web]
            properties:
              - property: to
                type: string
                required: true
                values: [a, "1"]

        """ || after.plan.contains("- event: share"), "\(after.plan)")
    let text = PlanImportText.text(result)
    #expect(text.contains(" Event Display Name: Add → Add it\n"), "\(text)")
    #expect(text.contains("3 new") == false && text.hasSuffix("0 missing in the file\n"), "\(text)")
    let again = try after.importing(table)
    #expect(!again.result.hasChanges, "the second time nothing is left to change: \(PlanImportText.text(again.result))")
  }

  @Test("unchanged tags and values stay as they were, whatever is beside them")
  func lists() throws {
    let before = """
      version: 1
      events:
        - event: share
          tags: ["a,b", "c、d", "\u{3000}x"]
          properties:
            - { property: to, type: string, values: ["\u{3000}v", "e;f"] }

      """
    let files = PlanTableFiles(plan: before)
    let table = PlanExport.text(try files.joined(), .en)
    let (result, after) = try files.importing(
      table.replacing("\u{3000}x", with: "\u{3000}x, new").replacing("\u{3000}v", with: "\u{3000}v, new"))
    #expect(result.rejected.isEmpty, "\(PlanImportText.text(result))")
    let share = try #require(try after.joined().entry(of: "share"))
    #expect(share.tags == ["a,b", "c、d", "\u{3000}x", "new"])
    let values = share.planned?.properties.first?.values
    #expect(values == [.string("\u{3000}v"), .string("new"), .string("e;f")], "\(after.plan)")
  }

  @Test(
    "truth values are read as spreadsheets write them",
    arguments: [
      "Property Value Type,Enum Values\nEvent,share,,,\nProperty,share,sent,boolean,TRUE\n",
      "Enum Values,Property Value Type\nEvent,share,,,\nProperty,share,sent,True,boolean\n",
    ])
  func truthValues(table: String) throws {
    let (result, after) = try PlanTableFiles().importing("Object Type,Event Name,Property Name,\(table)")
    #expect(result.rejected.isEmpty, "\(PlanImportText.text(result))")
    #expect(try after.joined().entry(of: "share")?.planned?.properties.first?.values == [.bool(true)], "\(after.plan)")
    let capitals = try after.importing(PlanExport.text(try after.joined(), .en).replacing(",true,", with: ",TRUE,"))
    #expect(!capitals.result.hasChanges && capitals.result.rejected.isEmpty, "\(PlanImportText.text(capitals.result))")
  }

  @Test(
    "words are read as people write them in their own tables",
    arguments: [
      ("iOS/Android", "int", "必传", [.ios, .android], .number, true),
      ("安卓 / H5", "Double", "非必填", [.android, .web], .number, false),
      ("微信小程序", "文本", "选填", [.miniProgram], .string, false), ("后端", "时间戳", "Y", [.server], .datetime, true),
      ("网页", "布尔型", "", [.web], .boolean, false),
    ] as [(String, String, String, [PlannedEvent.Platform], PlannedProperty.ValueType, Bool)])
  func words(
    platforms: String, type: String, required: String, expected: [PlannedEvent.Platform],
    valueType: PlannedProperty.ValueType, isRequired: Bool
  ) throws {
    let (result, after) = try PlanTableFiles().importing(
      "Event Name,Platforms,Property Name,Property Value Type,Property Required\n"
        + "share,\(platforms),to,\(type),\(required)\n")
    #expect(result.rejected.isEmpty, "\(PlanImportText.text(result))")
    let share = try #require(try after.joined().entry(of: "share")?.planned)
    #expect(share.platforms == expected, "\(after.plan)")
    #expect(share.properties.first?.type == valueType && share.properties.first?.isRequired == isRequired)
  }

  @Test(
    "columns that no set of headers has are named until the plan keeps their texts",
    arguments: [
      ("Event Name,Since,Platforms,Property Type", ["Since", "Property Type"]),
      ("Event Name,起始版本,Platforms,备注 2", ["备注 2"]), ("Object Name,Since Version,Platforms,Property Type", []),
    ] as [(String, [String])])
  func unknownColumns(headers: String, expected: [String]) throws {
    let (result, after) = try PlanTableFiles().importing("\(headers)\nshare,3.2,ios,number\n")
    #expect(result.unknownHeaders == expected)
    #expect(try after.importing("\(headers)\nshare,3.2,ios,number\n").result.unknownHeaders.isEmpty)
  }

  @Test(
    "versions that spreadsheets have taken for numbers change nothing, or are rejected if they are others",
    arguments: [
      ("4.0", "4", "unchanged"), ("3.2.0", "3.2", "unchanged"), ("3.2", "3.2.0", "unchanged"), ("3.10", "3.1", nil),
      ("3.20", "3.2", nil), ("3.100", "3.1", nil), ("3.10", "3.2", "3.2"), ("3.10.0", "3.1", "3.1"), ("30", "3", "3"),
      ("3.1", "3.10", "3.10"), ("3.10", "", ""),
    ] as [(String, String, String?)])
  func numbersForVersions(old: String, cell: String, outcome: String?) throws {
    let files = PlanTableFiles(plan: "version: 1\nevents:\n  - { event: share, since: \(old) }\n")
    let (result, after) = try files.importing("Event Name,Since Version\nshare,\(cell)\n")
    let text = PlanImportText.text(result)
    if let outcome {
      let isUnchanged = outcome == "unchanged"
      #expect(result.rejected.isEmpty && result.hasChanges == !isUnchanged, "\(text)")
      let since = try after.joined().entry(of: "share")?.planned?.since ?? ""
      #expect(since == (isUnchanged ? old : outcome), "\(after.plan)")
    } else {
      #expect(text.contains("line 2, Since Version: '\(old)' has lost its last zeros"), "\(text)")
      #expect(after.plan == files.plan)
    }
  }

  @Test(
    "a new event has the status of its cell, if people can set it",
    arguments: [
      ("planned", "planned"), ("Planned", "planned"), ("规划中", "planned"), ("deprecated", "deprecated"),
      ("live", nil), ("", nil),
    ])
  func statusOfNewEvent(cell: String, status: String?) throws {
    let (result, after) = try PlanTableFiles(plan: "version: 1\n").importing(
      "Object Type,Event Name,Status,Since Version\nEvent,share,\(cell),1.0\n")
    let share = try #require(try after.joined().entry(of: "share")?.planned)
    #expect(share.status?.rawValue == status && share.since == "1.0", "\(after.plan)")
    let changes = result.rows[0].changes.filter { $0.column == "Status" }
    #expect(changes.map { [$0.old, $0.new] } == (status == nil ? [] : [["", cell]]))
  }

  @Test("facts of a planned event move into the rule that has come later; a fact of the rule or the table wins")
  func factsOfLaterRules() throws {
    let files = PlanTableFiles(
      rules: """
        version: 1
        rules:
          - { id: pay, owner: ana, include: { event: order_paid }, emit: [paid, bought] }

        """,
      plan: """
        version: 1
        events:
          - event: paid # a comment
            name: 支付
            description: An order is paid.
            owner: money
            tags: [order, "a, b"]
            tracking: code
          - { event: bought, name: 购买 }
          - { event: refund, name: 退款 }

        """)
    let plan = try files.lenient()
    var result = try PlanImport("Event Name,Description\npaid,Paid.\n", into: plan)
    #expect(result.movedFacts.isEmpty)
    let changed = try result.files(
      of: plan, [("r.plan.yaml", files.plan)], home: "r.plan.yaml", rules: files.ruleFiles)
    // The rules are written first, so that no fact is lost. Both are read strictly.
    let after = PlanTableFiles(rules: try #require(changed.first?.new), plan: try #require(changed.last?.new))
    let paid = try #require(try after.joined().entry(of: "paid"))
    #expect([paid.name, paid.summary, paid.owner] == ["支付", "Paid.", "ana"] && paid.tags == ["order", "a, b"])
    #expect(paid.planned?.tracking == .code && after.plan.contains("event: paid # a comment\n"), "\(after.plan)")
    #expect(try after.joined().entry(of: "bought")?.name == "支付" && !after.plan.contains("购买"), "\(after.plan)")
    #expect(after.plan.contains("{ event: refund, name: 退款 }"), "\(after.plan)")
    let text = PlanImportText.text(result)
    for line in [
      "moved    paid    name → the rule 'pay'", "dropped  paid    description: the rule 'pay' has it",
      "dropped  paid    owner: the rule 'pay' has it", "moved    paid    tags → the rule 'pay'",
      "dropped  bought  name: the rule 'pay' has it",
    ] {
      #expect(text.contains(line + "\n"), "\(text)")
    }
  }

  @Test("Remove archives an event, and takes a property out; Ignore passes over a row")
  func actions() throws {
    let table = """
      Action,Object Type,Event Name,Property Name,Owner
      Remove,Event,order_paid,,
      Remove,Property,add_to_cart,channel,
      Ignore,Event,add_to_cart,,somebody
      Remove,Event,add_more,,
      """
    let (result, after) = try PlanTableFiles().importing(table)
    #expect(result.rejected.isEmpty, "\(PlanImportText.text(result))")
    #expect(after.plan.contains("tracking: code\n    status: archived\n"), "\(after.plan)")
    #expect(!after.plan.contains("channel") && after.plan.contains("- event: add_more\n    status: archived\n"))
    #expect(after.rules == PlanTableFiles.rules)
  }

  @Test(
    "an event that is archived already and a property that was taken out are not removed again",
    arguments: ["Event,order_paid,", "Property,add_to_cart,channel"])
  func removedTwice(row: String) throws {
    let table = "Action,Object Type,Event Name,Property Name\nRemove,\(row)\n"
    let (first, after) = try PlanTableFiles().importing(table)
    #expect(PlanImportText.text(first).contains("1 removed"))
    #expect(after.plan.contains("status: archived") || !after.plan.contains("channel"), "\(after.plan)")
    let (second, again) = try after.importing(table)
    #expect(!second.hasChanges && again.plan == after.plan, "\(PlanImportText.text(second))")
    #expect(PlanImportText.text(second).contains("1 unchanged") && !PlanImportText.text(second).contains("removed"))
  }
}
