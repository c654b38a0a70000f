import EncircleTestSupport
import Foundation
import Testing

/// `encircle plan` on the command line.
@Suite struct PlanToolTests {
  private static let rules = """
    version: 1
    rules:
      - { id: add, name: Add, include: { event: $AppClick, where: { $element_content: Add } }, emit: add_to_cart }

    """
  private static let plan = """
    version: 1
    events:
      - { event: add_to_cart, platforms: [ios], properties: [{ property: price, type: number }] }
      - { event: order_paid, tracking: code } # by the service

    """
  private static let event =
    #"{"event":"$AppClick","time":1772323200000,"distinct_id":"a","properties":{"$lib":"iOS","$app_version":"3.2","$element_content":"Add","price":"12 yuan"}}"#

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("app.yaml", rules)
    try folder.write("app.plan.yaml", plan)
    try folder.write("events.ndjson", event + "\n")
    return folder
  }

  private static func plan(_ arguments: [String], in folder: TemporaryFolder) throws -> ToolResult {
    try Tool.run(["plan"] + arguments + ["--rules", "app.yaml"], in: folder.url)
  }

  @Test(
    "the exit status says whether an event is of a status that fails",
    arguments: [
      ([], 1), (["--fail-on", "missing,unexpected"], 0), (["--fail-on", "none"], 0), (["--fail-on", "planned"], 1),
    ]
      as [([String], Int32)])
  func exitStatus(arguments: [String], status: Int32) throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    let result = try Self.plan(["status", "--events", "events.ndjson", "--now", "2026-03-02"] + arguments, in: folder)
    #expect(result.status == status, "\(result.text)\(result.errors)")
    #expect(result.text.contains("price: no number in 1 of 1 (events.ndjson:1)") && !result.text.contains("yuan"))
  }

  @Test("senseless options are refused, with a suggestion for misspelt words")
  func usage() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    for (arguments, message) in [
      (["--fail-on", "mising"], "did you mean 'missing'?"), (["--fail-on", ""], "There is no status ''"),
      (["--live-days", "100"], "at most --stale-days"),
      (["--summary", "--format", "json"], "--format does not go with it"),
      (["--missing-people=-1"], "from 0 on"), (["--events", "-", "--plan", "-"], "once only"),
    ] {
      let result = try Self.plan(["status"] + arguments, in: folder)
      #expect(result.status == 64 && result.errors.contains(message), "\(result.errors)")
    }
    let export = try Self.plan(["export", "--table-encoding", "gb18030", "-o", "plan.xlsx"], in: folder)
    #expect(export.status == 64 && export.errors.contains("a workbook has an encoding of its own"), "\(export.errors)")
  }

  @Test("JUnit has a test for each event and platform, and failed tests say why")
  func junit() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    let result = try Self.plan(
      ["status", "--events", "events.ndjson", "--now", "2026-03-02", "--format", "junit"], in: folder)
    #expect(
      result.text.contains(#"<testsuite name="app.plan.yaml" tests="2" failures="1" errors="0" skipped="0">"#),
      "\(result.text)")
    #expect(
      result.text.contains(
        #"<testcase name="add_to_cart ios 3.2" classname="add_to_cart" file="app.plan.yaml" line="3">"#))
    #expect(result.text.contains(#"<failure type="wrong" message="1 event, last 2026-03-01; price: no number"#))
  }

  @Test(
    "a table is exported and imported in both encodings, and only --write changes files",
    arguments: ["utf-8", "gb18030"])
  func roundTrip(encoding: String) throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    let export = try Self.plan(
      ["export", "--headers", "zh", "--table-encoding", encoding, "-o", "plan.csv"], in: folder)
    #expect(export.status == 0, "\(export.errors)")
    let path = folder.url.appendingPathComponent("plan.csv")
    let bytes = try Data(contentsOf: path)
    #expect(bytes.starts(with: [0xEF, 0xBB, 0xBF]) == (encoding == "utf-8"))
    let same = try Self.plan(["import", "plan.csv", "--write"], in: folder)
    #expect(
      same.status == 0 && same.text == "0 new, 0 changed, 3 unchanged, 0 rejected, 0 missing in the file\n",
      "\(same.text)")
    #expect(try folder.text("app.plan.yaml") == Self.plan && folder.text("app.yaml") == Self.rules)
    // "Add" becomes 加入, in the encoding of the file.
    let added: [UInt8] = encoding == "utf-8" ? Array("加入".utf8) : [0xBC, 0xD3, 0xC8, 0xEB]
    var changed = bytes
    let place = try #require(changed.range(of: Data(",Add,".utf8)))
    changed.replaceSubrange(place, with: Data(",".utf8) + Data(added) + Data(",".utf8))
    try changed.write(to: path)
    let shown = try Self.plan(["import", "plan.csv"], in: folder)
    #expect(shown.text.contains("Add → 加入") && shown.errors.isEmpty, "\(shown.text)")
    #expect(try folder.text("app.yaml") == Self.rules)
    let written = try Self.plan(["import", "plan.csv", "--write"], in: folder)
    #expect(written.status == 0 && written.errors == "app.yaml was written\n", "\(written.errors)")
    #expect(try folder.text("app.yaml") == Self.rules.replacing("name: Add", with: "name: 加入"))
  }

  @Test("a workbook is exported and imported with screens and elements without a rule; other files are refused")
  func workbook() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    try folder.write(
      "home.xml",
      """
      <viewTree version="1" screen="200 300"><view class="UIWindow" frame="0 0 200 300"><view class="UIView" controller="Home" frame="0 0 200 300">
      <view class="UIButton" title="Add" frame="0 0 50 50"/><view class="UIButton" title="Help" frame="0 60 50 50"/></view></view></viewTree>
      """)
    let export = try Self.plan(
      ["export", "-o", "plan.xlsx", "--captures", "home.xml", "--events", "events.ndjson"], in: folder)
    #expect(export.status == 0 && export.output.isEmpty, "\(export.errors)")
    let bytes = try Data(contentsOf: folder.url.appendingPathComponent("plan.xlsx"))
    #expect(bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]))
    #expect(bytes.range(of: Data("xl/worksheets/sheet4.xml".utf8)) != nil, "events, properties, screens, undefined")
    let same = try Self.plan(["import", "plan.xlsx", "--write"], in: folder)
    #expect(
      same.status == 0 && same.text == "0 new, 0 changed, 3 unchanged, 0 rejected, 0 missing in the file\n",
      "\(same.text)\(same.errors)")
    #expect(try folder.text("app.plan.yaml") == Self.plan && folder.text("app.yaml") == Self.rules)
    #expect(try Self.plan(["diff", "plan.xlsx"], in: folder).status == 0)
    let board = try Tool.run(
      ["board", "--rules", "app.yaml", "--captures", "home.xml", "--format", "xlsx"], in: folder.url)
    #expect(board.status == 0 && Data(board.output).starts(with: [0x50, 0x4B, 0x03, 0x04]), "\(board.errors)")

    try bytes.prefix(bytes.count / 2).write(to: folder.url.appendingPathComponent("half.xlsx"))
    try folder.write("old.xlsx", String(decoding: [0x50, 0x4B, 0x03, 0x04] as [UInt8], as: UTF8.self))
    for name in ["half.xlsx", "old.xlsx"] {
      let refused = try Self.plan(["import", name], in: folder)
      #expect(
        refused.status == 65 && refused.errors.hasPrefix("\(name): error: this is not a workbook"), "\(refused.errors)")
    }
    try folder.write(
      "long.yaml", "version: 1\nevents: [{ event: x, remark: \(String(repeating: "x", count: 40_000)) }]\n")
    let long = try Self.plan(["export", "--plan", "long.yaml", "--format", "xlsx"], in: folder)
    #expect(
      long.status == 65 && long.output.isEmpty && long.errors.contains("may have at most 32767 characters"),
      "\(long.errors)"
    )
  }

  @Test("one wrong row keeps all from being written, except with --partial; wrong rows go to a file for correction")
  func rejected() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    try folder.write("plan.csv", "Event Name,Platforms,Owner\nadd_to_cart,ios and web,\nrefund,server,money\n")
    let refused = try Self.plan(["import", "plan.csv", "--write", "--rejected", "bad.csv"], in: folder)
    #expect(refused.status == 1 && refused.errors.contains("nothing was written"), "\(refused.errors)")
    #expect(try folder.text("app.plan.yaml") == Self.plan)
    #expect(
      try folder.text("bad.csv").hasSuffix(
        "add_to_cart,ios and web,,Platforms: unknown platform 'ios and web'\r\n"))
    let partly = try Self.plan(["import", "plan.csv", "--write", "--partial"], in: folder)
    #expect(partly.status == 1 && partly.errors == "app.plan.yaml was written\n")
    #expect(try folder.text("app.plan.yaml").contains("- event: refund\n    owner: money\n"))
    let mended = try folder.text("bad.csv").replacing(",ios and web,", with: ",\"ios, web\",")
    try folder.write("bad.csv", mended)
    let second = try Self.plan(["import", "bad.csv", "--write"], in: folder)
    #expect(second.status == 0, "\(second.text)\(second.errors)")
    #expect(try folder.text("app.plan.yaml").contains("{ event: add_to_cart, platforms: [ios, web],"))
  }

  @Test("an event that cannot be changed on its own is rejected before anything is written; --partial takes the others")
  func shared() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    let plan = Self.plan.replacing("[ios]", with: "&p [ios]") + "  - { event: share, platforms: *p }\n"
    try folder.write("app.plan.yaml", plan)
    try folder.write("plan.csv", "Event Name,Platforms\nadd_to_cart,web\norder_paid,server\n")
    let shown = try Self.plan(["import", "plan.csv"], in: folder)
    #expect(shown.status == 1 && shown.text.contains("app.plan.yaml:3:38: '&p' is used again as '*p'"), "\(shown.text)")
    #expect(try Self.plan(["import", "plan.csv", "--write"], in: folder).errors.contains("nothing was written"))
    #expect(try folder.text("app.plan.yaml") == plan)
    let partly = try Self.plan(["import", "plan.csv", "--write", "--partial"], in: folder)
    #expect(partly.status == 1 && partly.errors == "app.plan.yaml was written\n", "\(partly.errors)")
    let written = try folder.text("app.plan.yaml")
    #expect(written.contains("platforms: &p [ios]") && written.contains("platforms: [server]"), "\(written)")
  }

  @Test("the first import creates the plan beside the rules; files that are no tables are refused")
  func first() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("app.yaml", Self.rules)
    try folder.write("plan.csv", "Event Name,Platforms\nadd_to_cart,ios\nrefund,server\n")
    let result = try Self.plan(["import", "plan.csv", "--write"], in: folder)
    #expect(result.status == 0 && result.errors == "app.plan.yaml was written\n", "\(result.errors)")
    #expect(
      try folder.text("app.plan.yaml")
        == "version: 1\nevents:\n  - event: add_to_cart\n    platforms: [ios]\n\n  - event: refund\n    platforms: [server]\n"
    )
    try folder.write("no.csv", "a,b\n1,2\n")
    #expect(try Self.plan(["import", "no.csv"], in: folder).status == 65)
    try Data([0x80, 0xFF, 0x0A]).write(to: folder.url.appendingPathComponent("no.csv"))
    #expect(try Self.plan(["import", "no.csv"], in: folder).errors.contains("neither UTF-8 nor GB18030"))
    try folder.write("no.csv", "Event Name\n\"pay\"!\n")
    let error = try Self.plan(["import", "no.csv"], in: folder).errors
    #expect(error.hasPrefix("no.csv:2:6: error: expected a separator"))
    #expect(try Self.plan(["import", "missing.csv"], in: folder).status == 66)
  }

  @Test(
    "a rule that comes after its planned event does not block tables: an import of the exported table heals the plan")
  func laterRule() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    try folder.write("app.plan.yaml", "version: 1\nevents:\n  - { event: add_to_cart, owner: cart }\n")
    let status = try Self.plan(["status"], in: folder)
    #expect(status.status == 65 && status.errors.contains("the import of a table moves it there"), "\(status.errors)")
    try folder.write("later.plan.yaml", "version: 1\nevents:\n  - { event: add_to_cart, platforms: [web] }\n")
    let compared = try Self.plan(["diff", "app.plan.yaml", "later.plan.yaml"], in: folder)
    #expect(compared.status == 1 && compared.text.contains("Platforms: - → web"), "\(compared.text)\(compared.errors)")
    try folder.write("new.ndjson", #"{"event":"debug","properties":{"$lib":"js"}}"# + "\n")
    #expect(try Self.plan(["take", "--events", "new.ndjson", "--write"], in: folder).status == 0)
    #expect(try Self.plan(["export", "-o", "plan.csv"], in: folder).status == 0)
    let healed = try Self.plan(["import", "plan.csv", "--write"], in: folder)
    #expect(healed.status == 0 && healed.text.contains("owner → the rule 'add'"), "\(healed.text)\(healed.errors)")
    #expect(try folder.text("app.yaml").contains("owner: cart"))
    #expect(try Self.plan(["export"], in: folder).status == 0)
    let again = try Self.plan(["import", "plan.csv", "--write"], in: folder)
    #expect(again.status == 0 && again.errors.isEmpty && !again.text.contains("moved"), "\(again.text)\(again.errors)")
  }

  @Test("a file with another plan is imported as its table is, with its lines")
  func otherPlan() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    let next =
      "version: 1\nevents:\n  - { event: add_to_cart, platforms: [web] }\n  - { event: refund, tracking: code }\n"
    try folder.write("next.plan.yaml", next)
    let shown = try Self.plan(["import", "next.plan.yaml"], in: folder)
    let compared = try Self.plan(["diff", "next.plan.yaml"], in: folder)
    #expect(shown.status == 0 && shown.text == compared.text, "\(shown.text)\(shown.errors)")
    #expect(shown.text.contains("Platforms: ios → web"), "\(shown.text)")
    let written = try Self.plan(["import", "next.plan.yaml", "--write"], in: folder)
    #expect(written.status == 0 && written.errors == "app.plan.yaml was written\n", "\(written.errors)")
    let text = try folder.text("app.plan.yaml")
    #expect(
      text.contains("platforms: [web]") && text.contains("refund") && text.contains("# by the service"), "\(text)")
    let shared = text.replacing("[web]", with: "&w [web]") + "  - { event: other, platforms: *w }\n"
    try folder.write("app.plan.yaml", shared)
    try folder.write("next.plan.yaml", next.replacing("[web]", with: "[server]"))
    let rejected = try Self.plan(["import", "next.plan.yaml"], in: folder)
    #expect(rejected.text.contains("line 3: app.plan.yaml:3:38: '&w' is used again"), "\(rejected.text)")
    #expect(try Self.plan(["import", "none.plan.yaml"], in: folder).status == 66)
  }

  @Test("two plans, or a plan and a table, are compared")
  func diff() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    try folder.write("new.plan.yaml", Self.plan.replacing("type: number", with: "type: string"))
    let changed = try Self.plan(["diff", "new.plan.yaml"], in: folder)
    #expect(changed.status == 1 && changed.text.contains("Property Value Type: number → string"), "\(changed.text)")
    #expect(try Self.plan(["diff", "app.plan.yaml", "app.plan.yaml"], in: folder).status == 0)
    // Only what people set counts as a status of the new plan.
    try folder.write("old.plan.yaml", Self.plan.replacing("tracking: code", with: "tracking: code, status: deprecated"))
    try folder.write("more.plan.yaml", Self.plan + "  - { event: share }\n")
    let text = try Self.plan(["diff", "old.plan.yaml", "more.plan.yaml"], in: folder).text
    #expect(text.contains("Status: deprecated → -") && text.contains("share") && !text.contains("planned"), "\(text)")
    let changes = [("", "planned", "- → planned"), ("planned", "", "planned → -"), ("", "archived", "- → archived")]
    for (old, new, change) in changes {
      for (name, status) in [("old.plan.yaml", old), ("more.plan.yaml", new)] {
        let text = status.isEmpty ? "tracking: code" : "tracking: code, status: \(status)"
        try folder.write(name, Self.plan.replacing("tracking: code", with: text))
      }
      let result = try Self.plan(["diff", "old.plan.yaml", "more.plan.yaml"], in: folder)
      #expect(result.status == 1 && result.text.contains("Status: \(change)\n"), "\(result.text)")
    }
    #expect(try Self.plan(["export", "-o", "plan.csv"], in: folder).status == 0)
    #expect(try Self.plan(["diff", "plan.csv"], in: folder).status == 0)
  }

  @Test(
    "acceptance fails until all has arrived as planned",
    arguments: [
      ("12", "text", 0, "2 of 2 arrived as planned"), (nil, "text", 1, "1 of 2 arrived as planned, 1 waiting"),
      ("\"much\"", "markdown", 1, #"price: no number, but "much" (tried.ndjson:2)"#),
      ("\"much\"", "junit", 1, #"<failure type="wrong" message="price: no number"#),
      ("12", "json", 0, #""accepted":true,"version":"3.2","tester":"lin""#),
      ("12", "html", 0, "<dt>tester</dt><dd>lin</dd>"),
    ] as [(String?, String, Int32, String)])
  func acceptance(price: String?, format: String, status: Int32, expected: String) throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    let paid = #"{"event":"order_paid","distinct_id":"a","properties":{"$lib":"Java"}}"#
    let tap = price.map {
      #"{"event":"$AppClick","distinct_id":"a","properties":{"$lib":"iOS","$app_version":"3.2","$element_content":"Add","price":\#($0)}}"#
    }
    try folder.write("tried.ndjson", [paid, tap].compactMap { $0 }.joined(separator: "\n") + "\n")
    let arguments = [
      "accept", "--events", "tried.ndjson", "--app-version", "3.2", "--tester", "lin", "--format", format,
    ]
    let result = try Self.plan(arguments, in: folder)
    #expect(result.status == status, "\(result.text)\(result.errors)")
    #expect(result.text.contains(expected), "\(result.text)")
    let written = try Self.plan(arguments + ["-o", "report"], in: folder)
    #expect(written.status == status && written.text.isEmpty)
    #expect(try folder.text("report") == result.text)
  }

  @Test(
    "a version or platform without a planned event is not accepted",
    arguments: [
      (["--app-version", "3.1"], "in version 3.1; versions with new events: 3.2, 4.0"),
      (["--platform", "web"], "on web; platforms of its events: ios, android"),
      (
        ["--app-version", "3.1", "--platform", "web", "--platform", "server"],
        "in version 3.1 on web, server; versions with new events: 3.2, 4.0; platforms of its events: ios, android"
      ),
    ])
  func emptyAcceptance(arguments: [String], expected: String) throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    try folder.write(
      "app.plan.yaml",
      """
      version: 1
      events:
        - { event: order_paid, platforms: [android], since: "4.0" }
        - { event: add_to_cart, platforms: [ios], since: "3.2" }
        - { event: gone, platforms: [other], since: "2.0", until: "2.1", status: archived }

      """)
    let result = try Self.plan(["accept", "--events", "events.ndjson", "--format", "json"] + arguments, in: folder)
    #expect(result.errors == "error: the plan has no event to accept \(expected)\n")
    #expect(result.status == 1 && result.text.hasPrefix(#"{"accepted":false,"#), "\(result.text)")
  }

  @Test("acceptance without a plan, of no version, or over its own input is refused")
  func acceptanceUsage() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    for (arguments, status) in [
      (["--app-version", "new"], 64), (["--platform", "amiga"], 64), (["-o", "events.ndjson"], 64),
      (["--plan", "-", "--events", "-"], 64),
    ] as [([String], Int32)] {
      let result = try Self.plan(["accept", "--events", "events.ndjson"] + arguments, in: folder)
      #expect(result.status == status, "\(arguments): \(result.errors)")
    }
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("app.plan.yaml"))
    #expect(try Self.plan(["accept", "--events", "events.ndjson"], in: folder).status == 66)
  }

  @Test("a missing plan has the exit status of missing input, a plan with errors the one of wrong data")
  func missingPlan() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    try folder.write("bad.plan.yaml", "version: 1\nevents: 3\n")
    for (arguments, status) in [
      (["status", "--plan", "none.yaml"], 66), (["diff", "none.yaml"], 66), (["export", "--plan", "none.yaml"], 66),
      (["take", "--events", "events.ndjson", "--plan", "none.yaml"], 66), (["status", "--plan", "bad.plan.yaml"], 65),
      (["status", "--plan", "none.yaml", "--plan", "bad.plan.yaml"], 65),
    ] as [([String], Int32)] {
      let result = try Self.plan(arguments, in: folder)
      #expect(result.status == status, "\(arguments): \(result.errors)")
    }
  }

  @Test("a workbook has the planned picture of an event; a missing picture is named")
  func pictures() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    let png =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 0, 9, 0, 0, 0, 9, 8, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
    try Data(png).write(to: folder.url.appendingPathComponent("new.png"))
    let plan = Self.plan.replacing("tracking: code }", with: "tracking: code, picture: new.png }")
    try folder.write(
      "app.plan.yaml", plan + "  - { event: a, picture: none.png }\n  - { event: b, picture: /new.png }\n")
    let result = try Self.plan(["export", "-o", "plan.xlsx"], in: folder)
    #expect(result.status == 0 && result.errors.split(separator: "\n").count == 2, "\(result.errors)")
    #expect(result.errors.contains("the picture 'none.png' is not shown: there is no such file beside the plan"))
    let workbook = try Data(contentsOf: folder.url.appendingPathComponent("plan.xlsx"))
    #expect(workbook.range(of: Data(png)) != nil, "as it is, not packed")
    let back = try Self.plan(["import", "plan.xlsx"], in: folder)
    #expect(back.text.contains("0 new, 0 changed,"), "\(back.text)\(back.errors)")
  }

  @Test(
    "the ending of the file says whether it is a workbook, in any case of letters",
    arguments: [("plan.xlsx", true), ("plan.XLSX", true), ("plan.xlsx.csv", false)])
  func ending(name: String, isWorkbook: Bool) throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    let result = try Self.plan(["export", "-o", name], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    let bytes = try Data(contentsOf: folder.url.appendingPathComponent(name))
    #expect(bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) == isWorkbook)
  }

  @Test("if standard output has no reader, --write writes all the same, and the exit status is the same")
  func closedPipe() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    try folder.write("new.ndjson", #"{"event":"debug","properties":{"$lib":"js"}}"# + "\n")
    try folder.write("table.csv", "Event Name,Remark\nrefund,new\n")
    for (arguments, name) in [
      (["take", "--events", "new.ndjson", "--write"], "debug"), (["import", "table.csv", "--write"], "refund"),
    ] {
      let result = try Tool.run(intoClosedPipe: ["plan"] + arguments + ["--rules", "app.yaml"], in: folder.url)
      #expect(result.status == 0 && result.errors == "app.plan.yaml was written\n", "\(result.errors)")
      #expect(try folder.text("app.plan.yaml").contains(name))
    }
    let accept = ["plan", "accept", "--events", "new.ndjson", "--rules", "app.yaml"]
    #expect(try Tool.run(intoClosedPipe: accept, in: folder.url).status == 1)
  }

  @Test("unexpected events are shown, and with --write added to the plan, which keeps its comments")
  func take() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    try folder.write("new.ndjson", #"{"event":"debug","properties":{"$lib":"js","level":3}}"# + "\n")
    let shown = try Self.plan(["take", "--events", "new.ndjson"], in: folder)
    #expect(shown.status == 0 && shown.text.contains("debug"), "\(shown.text)\(shown.errors)")
    #expect(try folder.text("app.plan.yaml") == Self.plan)
    let other = try Self.plan(["take", "other", "order_paid", "--events", "new.ndjson"], in: folder)
    #expect(
      other.text.isEmpty && other.status == 1
        && other.errors == "error: 'other' was not seen\nnote: 'order_paid' is in the plan already\n", "\(other.errors)"
    )
    #expect(try Self.plan(["take", "order_paid", "--events", "new.ndjson"], in: folder).status == 0)
    let written = try Self.plan(["take", "--events", "new.ndjson", "--write"], in: folder)
    #expect(written.errors.contains("app.plan.yaml was written"), "\(written.errors)")
    let text = try folder.text("app.plan.yaml")
    #expect(text.contains("# by the service") && text.contains("debug") && text.contains("level"), "\(text)")
    let again = try Self.plan(["take", "--events", "new.ndjson", "--write"], in: folder)
    #expect(again.errors.contains("nothing was seen that the plan does not have"))
    #expect(try folder.text("app.plan.yaml") == text)
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("app.plan.yaml"))
    #expect(try Self.plan(["take", "--events", "new.ndjson", "--write"], in: folder).status == 0)
    #expect(try folder.text("app.plan.yaml").contains("debug"), "it is made beside the rules")
  }
}
