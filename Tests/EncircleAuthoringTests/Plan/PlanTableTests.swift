import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

@testable import EncircleAuthoring

/// The plan as a table: out, in, and what it changes.
@Suite struct PlanTableTests {
  private static let rules = """
    version: 1
    app: com.example.shop
    rules:
      # The first one.
      - id: cart.add
        name: Add # short
        owner: cart
        tags: [cart]
        include: { event: $AppClick, page: Home, selector: ShopCell/UIButton, where: { $element_content: 加入 } }
        emit: add_to_cart
      - { id: cart.more, include: { selector: MoreButton }, emit: [add_to_cart, add_more] }

    """

  private static let plan = """
    version: 1
    events:
      # What people buy.
      - event: add_to_cart
        platforms: [ios, android]   # both
        since: "3.2"
        properties:
          - { property: price, type: number, required: true }
          # Where from.
          - property: channel
            values: [home, "1", 2]
      - event: order_paid
        name: 支付
        tracking: code
        columns: { Sprint: "12" }

    """

  /// Rules and a plan as they are in files.
  struct Files {
    var rules: String
    var plan: String

    init(rules: String = PlanTableTests.rules, plan: String = PlanTableTests.plan) {
      (self.rules, self.plan) = (rules, plan)
    }

    var ruleFiles: RuleFiles { RuleFiles(text: rules, name: "r.yaml") }

    func joined() throws -> TrackingPlan {
      let ruleSet = try ruleFiles.ruleSet()
      return TrackingPlan(ruleSet, try PlanFiles(texts: [("r.plan.yaml", plan)], for: ruleSet))
    }

    /// Imports a table, and returns the files after that.
    func importing(_ table: String) throws -> (result: PlanImport, files: Files) {
      let plan = try joined()
      let result = try PlanImport(table, into: plan)
      var files = self
      for file in try result.files(of: plan, [("r.plan.yaml", self.plan)], home: "r.plan.yaml", rules: ruleFiles) {
        if file.name == "r.yaml" { files.rules = file.new } else { files.plan = file.new }
      }
      return (result, files)
    }
  }

  @Test("importing an unchanged export changes no byte", arguments: PlanHeaders.allCases)
  func unchanged(set: PlanHeaders) throws {
    let files = Files()
    let table = PlanExport.text(try files.joined(), set)
    let (result, after) = try files.importing(table)
    #expect(!result.hasChanges && result.rejected.isEmpty && result.missing.isEmpty, "\(PlanImportText.text(result))")
    #expect(result.rows.count == 5 && after.plan == files.plan && after.rules == files.rules)
  }

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

  @Test("an export with observed values is imported without them and changes nothing", arguments: PlanHeaders.allCases)
  func unchangedWithEvents(set: PlanHeaders) throws {
    let files = Files()
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

  @Test("the table has a row for each event, followed by its properties")
  func export() throws {
    let text = PlanExport.text(try Files().joined(), .en)
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
    let chinese = PlanExport.text(try Files().joined(), .zh)
    #expect(chinese.contains("已定义") && chinese.contains("点击 加入（Home）") && chinese.contains("代码"))
  }

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
    let (result, after) = try Files().importing(table)
    #expect(result.rejected.isEmpty, "\(PlanImportText.text(result))")
    #expect(result.missing.isEmpty)
    #expect(
      after.rules
        == Self.rules.replacing("name: Add # short", with: "name: Add it # short")
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
    let files = Files(plan: before)
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
    let (result, after) = try Files().importing("Object Type,Event Name,Property Name,\(table)")
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
    let (result, after) = try Files().importing(
      "Event Name,Platforms,Property Name,Property Value Type,Property Required\n"
        + "share,\(platforms),to,\(type),\(required)\n")
    #expect(result.rejected.isEmpty, "\(PlanImportText.text(result))")
    let share = try #require(try after.joined().entry(of: "share")?.planned)
    #expect(share.platforms == expected, "\(after.plan)")
    #expect(share.properties.first?.type == valueType && share.properties.first?.isRequired == isRequired)
  }

  @Test(
    "versions that spreadsheets have taken for numbers change nothing, or are rejected if they are others",
    arguments: [
      ("4.0", "4", "unchanged"), ("3.2.0", "3.2", "unchanged"), ("3.2", "3.2.0", "unchanged"), ("3.10", "3.1", nil),
      ("3.20", "3.2", nil), ("3.100", "3.1", nil), ("3.10", "3.2", "3.2"), ("3.10.0", "3.1", "3.1"), ("30", "3", "3"),
      ("3.1", "3.10", "3.10"), ("3.10", "", ""),
    ] as [(String, String, String?)])
  func numbersForVersions(old: String, cell: String, outcome: String?) throws {
    let files = Files(plan: "version: 1\nevents:\n  - { event: share, since: \(old) }\n")
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
    let (result, after) = try Files(plan: "version: 1\n").importing(
      "Object Type,Event Name,Status,Since Version\nEvent,share,\(cell),1.0\n")
    let share = try #require(try after.joined().entry(of: "share")?.planned)
    #expect(share.status?.rawValue == status && share.since == "1.0", "\(after.plan)")
    let changes = result.rows[0].changes.filter { $0.column == "Status" }
    #expect(changes.map { [$0.old, $0.new] } == (status == nil ? [] : [["", cell]]))
  }

  @Test(
    "a table that breaks off within its last row is not taken for complete",
    arguments: [
      ("Event Name,Platforms,Owner\nrefund,ios,lin\norder_p", "line 3: the table breaks off here, after 1 of 3 cells"),
      (
        "Event Name,Platforms,Owner\nrefund,ios,lin\norder_paid,ios",
        "line 3: the table breaks off here, after 2 of 3 cells"
      ),
      ("Event Name,Platforms,Owner\nrefund\n", nil), ("Event Name,Platforms,Owner\nrefund,ios,lin", nil),
    ])
  func brokenOff(table: String, reason: String?) throws {
    let (result, _) = try Files().importing(table)
    #expect(result.rejected.count == (reason == nil ? 0 : 1))
    if let reason { #expect(PlanImportText.text(result).contains(reason)) }
  }

  @Test("what the table has is not missing in it, even if its row is rejected, whatever the reason")
  func rejectedIsNotMissing() throws {
    let table = """
      Object Type,Event Name,Property Name,Platforms,Action
      Event,add_to_cart,,,Delete
      Property,add_to_cart,price,,Delete
      Property,add_to_cart,channel,,,extra
      Event,order_paid,,windows,
      """
    let (result, _) = try Files().importing(table)
    #expect(result.rejected.count == 4 && result.missing.isEmpty, "\(PlanImportText.text(result))")
    let brokenOff = try Files().importing("Event Name,Owner,Platforms\nadd_to_cart,cart\norder_paid,lin").result
    #expect(brokenOff.rejected.count == 1, "\(PlanImportText.text(brokenOff))")
    #expect(!brokenOff.missing.contains(.init(event: "order_paid", property: nil)))
  }

  @Test("wrong rows are rejected with the reason, others are taken, and the rejected table can be read again")
  func rejected() throws {
    let table = """
      Event Name,Platforms,Since Version,Until Version,Status,App,Property Name,Property Value Type,Enum Values,Regex,Action
      add_to_cart,"ios, windows",,,,,,,,,
      order_paid,ios,,,,,,,,,
      order_paid,ios,,,,,,,,,
      a,,new,,,,,,,,
      b,,3.0,2,,,,,,,
      c,,,,finished,,,,,,
      add_more,,,,,com.other,,,,,
      ,ios,,,,,,,,,
      x,,,,,,p,,,,
      order_paid,,,,,,p,number,a,,
      order_paid,,,,,,q,,,(,
      order_paid,,,,,,r,integr,,,
      y,,,,,,,,,,Delete
      z,,,,,,,,,,Remove
      d,,,,,,,,,,,extra
      ok,web,,,,,,,,,
      """
    let (result, after) = try Files().importing(table)
    let reasons = result.rejected.map { row -> String in
      guard case .rejected(let column, let reason) = row.outcome else { return "" }
      return "\(row.line) \(column): \(reason)"
    }
    let expected = [
      "2 Platforms: unknown platform 'windows'", "4 Event Name: line 3 has it already",
      "5 Since Version: expected a version",
      "6 Until Version: the first version without the event", "7 Status: unknown status 'finished'",
      "8 App: the rules that emit the event are not for 'com.other'", "9 Event Name: the row does not name an event",
      "11 Enum Values: a is no number", "12 Regex: in the regular expression",
      "13 Property Value Type: unknown type 'integr'; did you mean 'integer'?",
      "14 Action: expected nothing, Ignore or Remove",
      "15 Action: there is nothing with that name", "16 : cell 12 has no header",
    ]
    #expect(reasons.count == expected.count, "\(reasons)")
    for (reason, start) in zip(reasons, expected) { #expect(reason.hasPrefix(start), "\(reason)") }
    #expect(after.plan.contains("- event: ok") && after.plan.contains("platforms: [ios]"), "\(after.plan)")
    #expect(!after.plan.contains("event: a\n") && after.rules == Self.rules)
    let again = try after.importing(result.rejectedTable)
    #expect(again.result.rows.count == expected.count)
    #expect(result.rejectedTable.hasPrefix("\u{FEFF}Event Name,Platforms,"))
    #expect(result.rejectedTable.contains(",Action,Error\r\n"))
    #expect(again.result.headers.last == "Error", "a table of rejected rows can be read again")
  }

  @Test("a table of Amplitude says whether events are active, which is no status")
  func activity() throws {
    let table = """
      Object Type,Object Name,Event Activity
      Event,alpha,ACTIVE
      Event,beta,Inactive
      Event,gamma,planned
      """
    let (result, after) = try Files(rules: "version: 1\nrules: []\n", plan: "version: 1\n").importing(table)
    #expect(result.rejected.isEmpty)
    #expect(after.plan.contains("beta") && after.plan.contains("status: planned"), "\(after.plan)")
    #expect(!after.plan.lowercased().contains("active"), "\(after.plan)")
  }

  @Test("a table of Sensors says whether events are shown, which is no status")
  func shown() throws {
    let table = "事件英文变量名,显示状态\nalpha,显示\nbeta,隐藏\n"
    let (result, after) = try Files(rules: "version: 1\nrules: []\n", plan: "version: 1\n").importing(table)
    #expect(result.rejected.isEmpty)
    #expect(after.plan.contains("beta") && !after.plan.contains("status"), "\(after.plan)")
  }

  @Test("without a column for the object type, the first row of an event may have its first property")
  func firstProperties() throws {
    let table = """
      事件英文变量名,事件显示名,应埋点平台,属性英文变量名,属性显示名,属性值类型,是否必填
      alpha,甲,"IOS,WEB",price,价格,数值,是
      ,,,sku,商品,字符串,否
      beta,乙,IOS,,,,
      """
    let (result, after) = try Files(rules: "version: 1\nrules: []\n", plan: "version: 1\n").importing(table)
    #expect(result.rejected.isEmpty && result.rows.map(\.event) == ["alpha", "alpha", "beta"])
    #expect(after.plan.contains("price") && after.plan.contains("sku") && after.plan.contains("甲"), "\(after.plan)")
  }

  @Test("a row that repeats the type and name of an event above it, and names a property, is the property's")
  func repeatedEvents() throws {
    let table = """
      Object Type,Object Name,Event Property Name,Property Value Type
      Event,alpha,,
      Event,alpha,price,number
      Event,alpha,sku,string
      Event,alpha,,
      """
    let (result, after) = try Files(rules: "version: 1\nrules: []\n", plan: "version: 1\n").importing(table)
    #expect(result.rejected.map(\.line) == [5])
    #expect(after.plan.contains("price") && after.plan.contains("sku"), "\(after.plan)")
  }

  @Test("nothing of a rejected or ignored row is taken, and the rows below it belong to its event")
  func partsOfRows() throws {
    let head = "Action,事件英文变量名,应埋点平台,触发时机,创建人,属性英文变量名,属性值类型\n"
    func plan(_ rows: String) throws -> (PlanImport, String) {
      let (result, after) = try Files(rules: "version: 1\nrules: []\n", plan: "version: 1\n").importing(head + rows)
      return (result, after.plan)
    }
    let (moved, plan1) = try plan(
      ",alpha,IOS,x,me,pa,字符串\n,beta,WINDOWSPHONE,x,me,pb,字符串\n,,,,,pc,字符串\n")
    #expect(moved.rows.map(\.event) == ["alpha", "beta", "beta"] && moved.rejected.count == 2)
    #expect(!plan1.contains("pc") && plan1.contains("pa") && !plan1.contains("beta"), "\(plan1)")
    let (ignored, plan2) = try plan(",alpha,IOS,x,me,pa,字符串\nIgnore,gamma,IOS,changed,me,pg,字符串\n")
    #expect(ignored.rejected.isEmpty && !plan2.contains("gamma") && !plan2.contains("changed"), "\(plan2)")
    let (rejected, plan3) = try plan(",gamma,IOS,x,me,pg,NONSENSE\n,alpha,IOS,x,me,pa,字符串\n")
    #expect(rejected.rejected.count == 1 && !plan3.contains("gamma") && plan3.contains("alpha"), "\(plan3)")
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
    let (result, after) = try Files().importing(table)
    #expect(result.rejected.isEmpty, "\(PlanImportText.text(result))")
    #expect(after.plan.contains("tracking: code\n    status: archived\n"), "\(after.plan)")
    #expect(!after.plan.contains("channel") && after.plan.contains("- event: add_more\n    status: archived\n"))
    #expect(after.rules == Self.rules)
  }

  @Test(
    "an event that is archived already and a property that was taken out are not removed again",
    arguments: ["Event,order_paid,", "Property,add_to_cart,channel"])
  func removedTwice(row: String) throws {
    let table = "Action,Object Type,Event Name,Property Name\nRemove,\(row)\n"
    let (first, after) = try Files().importing(table)
    #expect(PlanImportText.text(first).contains("1 removed"))
    #expect(after.plan.contains("status: archived") || !after.plan.contains("channel"), "\(after.plan)")
    let (second, again) = try after.importing(table)
    #expect(!second.hasChanges && again.plan == after.plan, "\(PlanImportText.text(second))")
    #expect(PlanImportText.text(second).contains("1 unchanged") && !PlanImportText.text(second).contains("removed"))
  }

  @Test(
    "headers of any set are known in any order, and one set decides ambiguous ones",
    arguments: [
      ("备注,事件英文变量名,应埋点平台\nx,order_paid,\"IOS,MINI_APP\"\n", "remark: x\n", "platforms: [ios, mini-program]"),
      ("备注,创建人,事件英文变量名,显示状态\nx,me,order_paid,废弃\n", "description: x\n    owner: me", "status: deprecated"),
      ("Object Name,Object description,Event Source\norder_paid,x,server\n", "description: x\n", "platforms: [server]"),
      (
        "Description,Name,Status,Data Type\nx,order_paid,,\ny,p,required,date time\n", "description: x\n",
        "type: datetime"
      ),
      ("Event Name,负责人,Remark\norder_paid,me,later\n", "owner: me\n", "remark: later"),
      ("EVENT NAME,owner,Remark,remark\norder_paid,me,later,kept\n", "owner: me\n", "\"12\", remark: kept }"),
    ])
  func headers(table: String, first: String, second: String) throws {
    let (result, after) = try Files().importing(table)
    #expect(result.rejected.isEmpty, "\(PlanImportText.text(result))")
    #expect(after.plan.contains(first) && after.plan.contains(second), "\(after.plan)")
    #expect(result.missing == [.init(event: "add_to_cart", property: nil)], "what the table does not have stays")
  }

  @Test(
    "a file that is not a table is refused",
    arguments: [
      ("", "the table is empty"), ("a,b\n1,2\n", "no column has the names of events"),
      ("Event Name,Event Name\n", "two columns"), ("Event name,event Name\n", "two columns"),
      ("Event Name\n\"a", "2:1: the quote"),
    ])
  func failures(table: String, message: String) throws {
    let plan = try Files().joined()
    #expect { try PlanImport(table, into: plan) } throws: { "\($0)".contains(message) }
  }

  @Test("one table cannot give two names to a rule that emits two events")
  func contradiction() throws {
    let rules = "version: 1\nrules:\n  - { id: a, name: A, include: { page: P }, emit: [x, y] }\n"
    let files = Files(rules: rules, plan: "version: 1\n")
    let both = try files.importing("Event Name,Event Display Name\nx,B\ny,B\n")
    #expect(both.files.rules.contains("{ id: a, name: B,") && both.result.rejected.isEmpty)
    let other = try files.importing("Event Name,Event Display Name\nx,B\ny,C\n")
    #expect(other.result.rejected.map(\.event) == ["y"])
  }

  // MARK: - Random plans

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
      let files = Files(plan: Self.randomPlan(&random))
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
      let files = Files(plan: Self.randomPlan(&random))
      let table = PlanExport.text(try files.joined(), .en)
      let (result, after) = try Files(plan: "version: 1\n").importing(table)
      try #require(result.rejected.isEmpty, "\(files.plan)\n\(PlanImportText.text(result))")
      #expect(PlanExport.text(try after.joined(), .en).utf8.count > 0)
      let again = try after.importing(table)
      #expect(!again.result.hasChanges, "\(files.plan)\n\(after.plan)\n\(PlanImportText.text(again.result))")
    }
  }

  @Test("the time for ten thousand rows is proportional", .enabled(if: TestSize.isFull))
  func size() throws {
    let rows = (0..<10_000).map { "event_\($0),Name \($0),web\r\n" }
    let (result, after) = try Files(plan: "version: 1\n").importing(
      "Event Name,Event Display Name,Platforms\r\n" + rows.joined())
    #expect(result.rows.count == 10_000 && after.plan.utf8.count > 500_000)
  }
}
