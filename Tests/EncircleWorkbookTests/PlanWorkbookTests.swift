import EncircleEvents
import EncircleRuleFiles
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@testable import EncircleAuthoring
@testable import EncircleWorkbook

/// Tracking plans as workbooks.
@Suite struct PlanWorkbookTests {
  private static let rules = """
    version: 1
    rules:
      - { id: cart.add, name: Add, owner: cart, tags: [cart], include: { event: $AppClick, page: Home }, emit: add_to_cart }

    """

  private static func joined(_ plan: String) throws -> (plan: TrackingPlan, rules: RuleFiles) {
    let rules = RuleFiles(text: rules, name: "r.yaml")
    let ruleSet = try rules.ruleSet()
    return (TrackingPlan(ruleSet, try PlanFiles(texts: [("r.plan.yaml", plan)], for: ruleSet)), rules)
  }

  private static func importing(_ bytes: [UInt8], into plan: String) throws -> (result: PlanImport, plan: String) {
    let (joined, rules) = try joined(plan)
    var result = try PlanImport(try PlanWorkbook.table(bytes), into: joined)
    let files = try result.files(of: joined, [("r.plan.yaml", plan)], home: "r.plan.yaml", rules: rules)
    return (result, files.first { $0.name == "r.plan.yaml" }?.new ?? plan)
  }

  private static let texts = [
    "首页", "=1+1", "@x", "-5", "'=", "\"q\"", "line\nbreak", "a\tb", "e\u{301}", "  spaces  ", "_x0001_", "1", "🙂",
    "<b>&", "",
  ]

  private static func randomPlan(_ random: inout SeededGenerator) -> String {
    func quoted(_ text: String) -> String { String(decoding: EventValue.string(text).json, as: UTF8.self) }
    var text = "version: 1\nevents:\n"
    for i in 0...Int.random(in: 0...4, using: &random) {
      text += "  - event: \(quoted(i == 0 ? "add_to_cart" : "event \(i) \(random.pick(texts))x"))\n"
      for key in ["trigger", "remark", "category"] where random.oneIn(2) {
        text += "    \(key): \(quoted(random.pick(texts) + "t"))\n"
      }
      if random.oneIn(2) { text += "    columns: { Sprint: \(quoted(random.pick(texts) + "s")) }\n" }
      let count = Int.random(in: 0...2, using: &random)
      if count > 0 { text += "    properties:\n" }
      for j in 0..<count {
        text +=
          "      - property: \(quoted("p\(j)\(random.pick(texts))x"))\n        type: \(random.pick(["string", "number"]))\n"
        if random.oneIn(2) { text += "        name: \(quoted(random.pick(texts) + "n"))\n        required: true\n" }
        if random.oneIn(3) { text += "        columns: { Sprint: \(quoted(random.pick(texts) + "s")) }\n" }
      }
    }
    return text
  }

  @Test("random plans come back as they were, in all sets of headers", arguments: PlanHeaders.allCases)
  func roundTrip(set: PlanHeaders) throws {
    var random = SeededGenerator(seed: UInt64(set.rawValue.utf8.count))
    for _ in 0..<max(8, TestSize.scaled(200)) {
      let text = Self.randomPlan(&random)
      let workbook = PlanWorkbook.workbook(try Self.joined(text).plan, set)
      let (result, after) = try Self.importing(try WorkbookWriter.bytes(workbook), into: text)
      try #require(
        !result.hasChanges && result.rejected.isEmpty && result.missing.isEmpty,
        "\(text)\n\(PlanImportText.text(result))")
      #expect(after.hasSameBytes(as: text) && result.rows.count > 0)
    }
  }

  @Test("changes in either sheet are taken, and errors are reported with sheet and row")
  func changes() throws {
    let plan = "version: 1\nevents:\n  - event: pay\n    properties:\n      - { property: price, type: number }\n"
    var workbook = PlanWorkbook.workbook(try Self.joined(plan).plan, .en)
    #expect(workbook.sheets.map(\.name) == ["events", "properties"])
    #expect(workbook.sheets.map(\.rows.count) == [2, 1])
    func set(_ sheet: Int, _ row: Int, _ header: String, _ text: String) throws {
      let column = try #require(workbook.sheets[sheet].headers.firstIndex(of: header))
      workbook.sheets[sheet].rows[row].cells[column] = .text(text)
    }
    try set(0, 0, "Platforms", "ios, web")
    try set(1, 0, "Property Required", "TRUE")
    workbook.sheets[1].rows.append(workbook.sheets[1].rows[0])
    try set(1, 1, "Property Name", "note")
    try set(1, 1, "Property Value Type", "texd")
    workbook.sheets[0].headers.append("Sprint")
    workbook.sheets[0].rows[0].cells.append(.text("=2"))
    let (result, after) = try Self.importing(try WorkbookWriter.bytes(workbook), into: plan)
    #expect(result.rejected.map(\.sheet) == ["properties"] && result.rejected.map(\.line) == [3])
    #expect(PlanImportText.text(result).contains("properties, line 3, Property Value Type: unknown type 'texd'"))
    #expect(after.contains("platforms: [ios, web]") && after.contains("required: true"), "\(after)")
    #expect(after.contains("columns: { Sprint: \"=2\" }"), "\(after)")
    #expect(result.rejectedTable.contains("Sprint") && result.rejectedTable.contains("note"))
  }

  @Test("a workbook of another program needs no names of sheets, and other sheets are passed over")
  func firstSheet() throws {
    let sheets = [
      Workbook.Sheet("Tabelle1", headers: ["Event Name", "Platforms"]), Workbook.Sheet("other", headers: ["x"]),
    ]
    var workbook = Workbook(sheets)
    workbook.sheets[0].rows = [.init([.text("refund"), .text("server")]), .init([.number(12), .text("web")])]
    let (result, after) = try Self.importing(try WorkbookWriter.bytes(workbook), into: "version: 1\n")
    #expect(result.rejected.isEmpty && after.contains("event: refund") && after.contains("event: \"12\""), "\(after)")
  }

  @Test("the names of the sheets for events and properties may have capitals")
  func capitals() throws {
    var workbook = Workbook([
      Workbook.Sheet("Properties", headers: ["Event Name", "Property Name"]),
      Workbook.Sheet("EVENTS", headers: ["Event Name"]),
    ])
    workbook.sheets[0].rows = [.init([.text("refund"), .text("amount")])]
    workbook.sheets[1].rows = [.init([.text("refund")])]
    let (result, after) = try Self.importing(try WorkbookWriter.bytes(workbook), into: "version: 1\n")
    #expect(result.rejected.isEmpty, "\(after)")
    #expect(after.contains("event: refund") && after.contains("property: amount"), "\(after)")
  }

  @Test("a header twice in one sheet is refused, and a header in both sheets counts as one")
  func headers() throws {
    var workbook = Workbook([Workbook.Sheet("events", headers: ["Event Name", "Owner", "Owner"])])
    workbook.sheets[0].rows = [.init([.text("x")])]
    let bytes = try WorkbookWriter.bytes(workbook)
    #expect { try Self.importing(bytes, into: "version: 1\n") } throws: { "\($0)".contains("two columns") }
    #expect {
      try Self.importing(try WorkbookWriter.bytes(Workbook([.init("events", headers: [])])), into: "version: 1\n")
    } throws: {
      "\($0)".contains("the table is empty")
    }
  }

  @Test("rows whose cells stand far behind are refused while they are few")
  func farCells() throws {
    let wide = PlanSheet(name: "events", rows: [.init(line: 1, cells: ["Event Name"] + (0..<999).map { "c\($0)" })])
    let rows = (0..<9_000).map { CSVReader.Record(line: $0 + 2, cells: ["x\($0)"]) }
    let far = PlanSheet(name: "properties", rows: [.init(line: 1, cells: ["far"])] + rows)
    let plan = try Self.joined("version: 1\n").plan
    #expect { try PlanImport([wide, far], into: plan) } throws: { "\($0)".contains("more than 8388608 cells") }
  }

  @Test("the sheet of screens shows each with picture and rings; a separate sheet has elements without a rule")
  func screens() throws {
    let rules = try RuleFiles(
      text: "version: 1\nrules:\n  - { id: a, include: { event: $AppClick, selector: BuyButton }, emit: buy }\n",
      name: "r.yaml"
    ).ruleSet()
    let plan = TrackingPlan(
      rules, try PlanFiles(texts: [("p.yaml", "version: 1\nevents: [{ event: buy, trigger: Tap }]\n")], for: rules))
    let screen = try Screens.of(
      """
      <view class="UIWindow" frame="0 0 390 844"><view class="UIView" controller="Home" frame="0 0 390 844">
      <view class="BuyButton" superclasses="UIButton" title="Buy" frame="10 700 370 50"/>
      <view class="UIButton" title="More" frame="10 100 370 50"/></view></view>
      """)
    let png = Self.png(39, 84)
    var board = ScreenBoard(rules, plan: plan)
    board.add(screen, name: "home.xml", screenshot: try Screenshot(png))
    var coverage = ScreenCoverage(rules)
    coverage.add(screen, name: "home.xml")
    let workbook = PlanWorkbook.workbook(plan, .en, board: board.finish(), coverage: coverage.finish())
    #expect(workbook.sheets.map(\.name) == ["events", "properties", "screens", "undefined"])
    let bytes = try WorkbookWriter.bytes(workbook)
    var reader = try WorkbookReader(bytes)
    let shown = try reader.rows(of: reader.sheets[2])
    #expect(
      shown.map { $0.cells.dropFirst().prefix(6).joined(separator: "|") } == [
        "Page|Page Title|No.|Event Name|Event Display Name|Trigger", "Home|||||", "Home||1|buy||Tap",
      ])
    let open = try reader.rows(of: reader.sheets[3])
    #expect(open.count == 2 && open[1].cells[2] == "More", "\(open)")
    var archive = try ZIPReader(bytes, limit: 1 << 20)
    var drawing: [UInt8] = []
    let hasDrawing = try archive.read("xl/drawings/drawing1.xml") { drawing += $0 }
    let text = String(decoding: drawing, as: UTF8.self)
    #expect(
      hasDrawing && text.contains("r:embed=\"rId1\"") && text.contains("prst=\"ellipse\"")
        && text.contains("<a:t>1</a:t>"))
    var picture: [UInt8] = []
    let hasPicture = try archive.read("xl/media/image1.png") { picture += $0 }
    #expect(hasPicture && picture == png)
  }

  /// The beginning and the end of a picture, which is all that is read.
  private static func png(_ width: UInt8, _ height: UInt8) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 0, width, 0, 0, 0, height, 8, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Array("IEND".utf8)
      + [0xAE, 0x42, 0x60, 0x82]
  }

  @Test("each event has its picture: the planned one, else the part of a screen; a picture of several rows is one file")
  func picturesOfEvents() throws {
    let rules = try RuleFiles(
      text: "version: 1\nrules:\n  - { id: a, include: { event: $AppClick, selector: BuyButton }, emit: buy }\n"
        + "  - { id: b, include: { event: $AppClick, selector: MoreButton }, emit: more }\n",
      name: "r.yaml"
    ).ruleSet()
    let plan = TrackingPlan(
      rules,
      try PlanFiles(
        texts: [("p.yaml", "version: 1\nevents: [{ event: new, picture: a.png }, { event: none }, { event: buy }]\n")],
        for: rules))
    let screen = try Screens.of(
      """
      <view class="UIWindow" frame="0 0 400 800"><view class="UIView" controller="Home" frame="0 0 400 800">
      <view class="BuyButton" superclasses="UIButton" frame="0 400 40 40"/>
      <view class="MoreButton" superclasses="UIButton" frame="0 0 400 800"/></view></view>
      """)
    var board = ScreenBoard(rules, plan: plan)
    board.add(screen, name: "home.xml", screenshot: try Screenshot(Self.png(40, 80)))
    let report = board.finish()
    for (set, hasPictures) in [(PlanHeaders.en, true), (.zh, true), (.amplitude, false), (.segment, false)] {
      let workbook = PlanWorkbook.workbook(
        plan, set, board: report, pictures: ["new": try Screenshot(Self.png(90, 30))])
      let pictures = workbook.sheets[0].rows.map(\.picture)
      guard hasPictures else {
        #expect(pictures.allSatisfy { $0 == nil }, "there is no column for them")
        continue
      }
      #expect(pictures.map { $0 == nil } == [false, true, false, false])
      let column = try #require(workbook.sheets[0].headers.firstIndex { ["Screenshot", "截图"].contains($0) })
      #expect(pictures.compactMap { $0?.column } == [column, column, column])
      let (new, buy, more) = (pictures[0], pictures[2], pictures[3])
      #expect(new?.part == nil && new?.width == 210 && new?.height == 70 && new?.rings.isEmpty == true)
      // A band of 180 of 800 points around the middle of the element, at 420.
      #expect(buy?.part == Frame(x: 0, y: 330.0 / 800, width: 1, height: 180.0 / 800))
      #expect(buy?.rings.map(\.frame) == [Frame(x: 0, y: 36.75, width: 21, height: 21)] && buy?.height == 94)
      #expect(more?.part == nil && more?.height == 160, "an element that is the screen shows all of it")
      let bytes = try WorkbookWriter.bytes(workbook)
      var archive = try ZIPReader(bytes, limit: 1 << 20)
      var files: [Int] = []
      for number in 1...4 {
        var size = 0
        if try archive.read("xl/media/image\(number).png", { size += $0.count }) { files.append(size) }
      }
      #expect(files == [45, 45], "that of the plan and that of the screen")
      #expect(try PlanImport(try PlanWorkbook.table(bytes), into: plan).hasChanges == false)
    }
  }
}
