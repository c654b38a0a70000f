import EncircleRuleFiles
import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleLanguageServer

@Suite struct FeatureTests {
  private static let head = "version: 1\nrules:\n  - id: shop.a\n    include:\n      page: HomeViewController\n"

  /// A text with ‸ at the cursor, what is among the proposals, and what is not.
  static let completions: [(String, [String], [String])] = [
    ("‸", ["version", "rules"], ["id"]),
    ("version: 1\nrules:\n  - ‸", ["id", "include", "sameKind"], ["selector"]),
    (head + "      ‸", ["selector", "where"], ["page", "id"]),
    (head + "      selector: Prod‸", ["ProductCell"], ["UIButton", "page"]),
    (head + "      selector: ProductCell(section:0 row:*)/‸", ["**", "*", "UITableViewCellContentView"], ["page"]),
    (head + "      selector: UITableView/:UITableV‸", ["UITableViewCell", "UITableView"], ["**"]),
    (head + "      selector: ProductCell(‸", ["section:", "row:", "*"], ["ProductCell"]),
    (head + "      selector: ProductCell(section:‸)", ["*", "0"], ["section:", "row:"]),
    (head + "      selector: ProductCell(section:0 ‸)", ["row:", "item:"], ["section:", "indexx:", "*", "0"]),
    (head + "      selector: ProductCell(sec‸:0 row:*)", ["section"], ["section:"]),
    (head + "      selector: UIButton(1,‸)", ["0"], ["*", "row:"]),
    ("version: 1\nrules:\n  - { id: a, include: { selector: A(section:‸ } }", ["*", "0"], ["**", "section:"]),
    ("version: 1\nrules:\n  - { id: a, include: { page: \"Home\" ‸} }", [], ["HomeViewController", "selector"]),
    (head + "      selector: UIButton(text:‸)", [], ["section:", "*"]),
    (head + "      selector: [ProductCell, 'UITab‸", ["UITableView"], []),
    (head + "      where: { ‸", ["$element_content", "$app_version"], ["equals"]),
    (head + "      where: { $element_content: ‸", ["加入"], [""]),
    (head + "      where: { $element_content: { ‸", ["equals", "prefix", "not"], ["kindOf"]),
    (head + "      where: { $element_content: { in: [加‸", ["加入"], []),
    (head + "      event: ‸", ["$AppClick"], []),
    ("version: 1\nrules:\n  - id: a\n    include:\n      page: { kindOf: ‸", ["HomeViewController"], []),
    ("version: 1\nrules:\n  - id: a\n    include:\n      page: [Ho‸", ["HomeViewController"], []),
    ("version: 1\nrules:\n  - id: a\n    sameKind: ‸", ["true", "false"], []),
    ("version: 1\nrules:\n  - id: a\n    tolerance: ‸", ["0.8", "0.9", "1"], ["true"]),
    ("version: 1\nchecks: { ‸", ["matches-nothing"], []),
    ("version: 1\nchecks: { exact-row: ‸", ["off", "note", "warning", "error"], []),
    ("version: 1\nstyle: ‸", ["sensors", "hubbledata"], []),
    ("version: 1\nrules:\n  - id: a\n    style: ‸", ["sensors-android", "any"], []),
    (head + "      style: ‸", ["growingio", "any"], []),
    (head + "      where: { tags: { any: { ‸", ["prefix", "sample", "use"], ["kindOf"]),
    (head + "      where: { p: { sample: { ‸", ["share", "salt"], ["equals"]),
    ("version: 1\nrules:\n  - id: a\n    during:\n      - { ‸", ["from", "to"], ["id"]),
    ("version: 1\nrules:\n  - id: a\n    origin: { ‸", ["tool", "id", "url"], ["include"]),
    ("version: 1\nrules:\n  - id: a\n    origin: { tool: ‸", ["sensors", "posthog"], ["id"]),
    (head + "      within: { ‸", ["selector", "says"], ["event"]),
    (head + "      within: { selector: Prod‸", ["ProductCell"], []),
    (head + "      within: { selector: ProductCell, says: 加‸", ["加入"], []),
    (head + "      within: { selector: ProductCell, says: { ‸", ["prefix", "not"], ["exists"]),
    ("version: 1\npages:\n  exclude:\n    - { ‸", ["page", "unless"], ["selector"]),
    ("version: 1\npages:\n  exclude:\n    - { page: Ho‸", ["HomeViewController"], []),
    ("version: 1\npages:\n  exclude:\n    - { page: A, unless: { ‸", ["where"], ["id"]),
    ("version: 1\ndefine: { ‸", ["clauses", "values"], ["rules"]),
    ("version: 1\ndefine:\n  clauses:\n    a: { ‸", ["event", "where"], ["id"]),
    ("version: 1\napp: [‸", ["com.example.shop"], []),
    ("version: 1\napp: ‸", ["com.example.shop"], []),
    ("version: 1\npages: { exclude: [‸", ["HomeViewController"], []),
    ("version: 1\nrules:\n  - { id: a, include: { identity: \"path(A)&controller(‸", ["HomeViewController"], []),
    ("{\"version\": 1, \"rules\": [{\"id\": \"a\", \"include\": {\"page\": \"Ho‸\"}}]}", ["HomeViewController"], []),
    ("# ‸", [], ["version"]),
  ]

  @Test("in a style of web pages a selector is completed by names that people have given")
  func pageCompletion() throws {
    let page = PackageFolder.viewTrees.appendingPathComponent("flowers.html").path
    let client = try TestClient(captures: [page])
    let head = "version: 1\nstyle: sensors-web\nrules:\n  - id: a\n    include:\n      selector: "
    client.open("a.yaml", head + "button\n")
    let labels = try client.complete("a.yaml", head + "nav > ‸")
    for label in ["button", "#filter", ".bouquet"] { #expect(labels.contains(label), "\(labels)") }
    // Events of this style do not have other attributes than name and href.
    for label in [".css-1x2y3z", ".mt-4", ".active", "**", "[data-action]"] { #expect(!labels.contains(label)) }
    let postHog = head.replacing("sensors-web", with: "posthog-web")
    client.change("a.yaml", postHog + "button\n")
    client.settle()
    #expect(try client.complete("a.yaml", postHog + "nav > ‸").contains("[data-action]"))
    // Without quotes it would be a comment.
    #expect(try client.completing("a.yaml", head + "nav > ‸", with: "#filter") == head + #""nav > #filter""#)
  }

  @Test("only text that is valid at a place is proposed", arguments: completions)
  func completion(row: (text: String, some: [String], none: [String])) throws {
    let client = try TestClient(captures: [DiagnosticTests.home])
    client.open("a.yaml", "version: 1\nrules: []\n")
    let labels = try client.complete("a.yaml", row.text)
    for label in row.some { #expect(labels.contains(label), "\(labels.prefix(20))") }
    for label in row.none { #expect(!labels.contains(label)) }
  }

  @Test(
    "keys of rules are not proposed in files of other kinds",
    arguments: ["a.plan.yaml", "plan.yaml", "a.coverage.yaml", "encircle.yaml"])
  func otherFiles(name: String) throws {
    let client = try TestClient()
    client.open(name, "version: 1\n")
    #expect(try client.complete(name, "version: 1\n‸").isEmpty)
  }

  @Test(
    "keys are proposed in a new file, but not in the file of another tool",
    arguments: [("‸", true), ("version: 1\n‸", true), ("services: {}\n‸", false), ("name: x\non:\n  push:\n‸", false)])
  func newFiles(text: String, isProposed: Bool) throws {
    let client = try TestClient()
    client.open("a.yaml", "")
    #expect(try client.complete("a.yaml", text).contains("rules") == isProposed)
  }

  @Test("actions of the captures are proposed in identities and values") func actions() throws {
    let client = try TestClient(captures: [PackageFolder.viewTrees.appendingPathComponent("alert-ios9.xml").path])
    client.open("a.yaml", "version: 1\nrules: []\n")
    let identity =
      "version: 1\nrules:\n  - { id: a, include: { identity: path(UIWindow(0)_UIButton)&actions(quit‸) } }\n"
    #expect(try client.complete("a.yaml", identity) == ["quitGroup:"])
    let value = "version: 1\nrules:\n  - { id: a, include: { where: { $element_actions: quit‸ } } }\n"
    #expect(try client.complete("a.yaml", value) == ["quitGroup:"])
  }

  @Test("rules are proposed in tests") func ruleIDs() throws {
    let client = try TestClient(files: [
      "a.yaml": "version: 1\nrules:\n  - { id: shop.a, include: { page: A }, emit: x }\n"
        + "  - { id: no, exclude: { page: B } }\n"
    ])
    client.open("a.test.yaml", "version: 1\ntests: []\n")
    let head = "version: 1\ntests:\n  - name: t\n    event: {}\n    expect: "
    #expect(try client.complete("a.test.yaml", head + "{ rules: [‸") == ["shop.a"])
    #expect(try client.complete("a.test.yaml", head + "{ excludedBy: ‸") == ["no"])
    #expect(try client.complete("a.test.yaml", head + "{ emit: ‸") == ["x"])
    #expect(try client.complete("a.test.yaml", head + "{ properties: { ‸") == ["shop.a"])
    #expect(try client.complete("a.test.yaml", head + "{ sel‸").contains("selected"))
    #expect(try client.completing("a.test.yaml", head + "{ ru‸}", with: "rules") == head + "{ rules: }")
  }

  @Test("names under define are proposed where they are used, from every file") func definitions() throws {
    let client = try TestClient(files: [
      "shared.yaml":
        "version: 1\ndefine:\n  clauses: { testers: { where: { g: t } } }\n  values: { cities: [北京, 上海] }\n"
    ])
    client.open("a.yaml", "version: 1\nrules: []\n")
    client.settle()
    #expect(try client.complete("a.yaml", "version: 1\nrules:\n  - { id: a, include: { use: ‸") == ["testers"])
    #expect(try client.complete("a.yaml", Self.head + "      where: { p: { use: ‸") == ["cities"])
    let (params, text) = client.place("a.yaml", Self.head + "      where: { p: { use: cit‸ies } }\n")
    client.change("a.yaml", text)
    client.settle()
    let result = try client.request("textDocument/hover", params) as? [String: Any]
    let hover = (result?["contents"] as? [String: Any])?["value"] as? String
    #expect(hover?.contains("北京") == true)
  }

  @Test("a proposal replaces the written text, and the result is read as the proposal") func replacing() throws {
    let client = try TestClient(captures: [DiagnosticTests.home])
    client.open("a.yaml", "version: 1\nrules: []\n")
    let text = Self.head + "      selector: \"ProductCell/UITab‸Foo(0)/UIView\"\n"
    let completed = try client.completing("a.yaml", text, with: "UITableViewCellContentView")
    #expect(completed.contains("\"ProductCell/UITableViewCellContentView(0)/UIView\""))
  }

  /// A file, a text in it with ‸ at the cursor, a proposal, and the text after it was taken.
  static let insertions: [(file: String, text: String, label: String, result: String)] = [
    ("a.json", #"{"include":{"page":"Home‸"}}"#, "HomeViewController", #"{"include":{"page":"HomeViewController"}}"#),
    ("a.json", #"{"include":{"page":‸}}"#, "HomeViewController", #"{"include":{"page":"HomeViewController"}}"#),
    ("a.json", #"{"include":{"selector":‸}}"#, "UIButton", #"{"include":{"selector":"UIButton"}}"#),
    ("a.json", #"{"include":{"sel‸":"A"}}"#, "selector", #"{"include":{"selector":"A"}}"#),
    ("a.json", #"{"include":{"sel‸"}}"#, "selector", #"{"include":{"selector": }}"#),
    ("a.json", #"{"sameKind":‸}"#, "true", #"{"sameKind":true}"#),
    ("a.json", #"{"tolerance":‸}"#, "0.8", #"{"tolerance":0.8}"#),
    ("a.json", #"{"style":‸}"#, "sensors", #"{"style":"sensors"}"#),
    ("a.yaml", "{ style: ‸ }", "sensors", "{ style: sensors }"),
    ("a.yaml", "{ include: { page: ‸ } }", "HomeViewController", "{ include: { page: HomeViewController } }"),
    ("a.yaml", "{ include: { selector: ‸ } }", "**", #"{ include: { selector: "**" } }"#),
    ("a.yaml", "{ include: { selector: A/‸ } }", "**", "{ include: { selector: A/** } }"),
    ("a.yaml", "{ style:‸ }", "sensors", "{ style: sensors }"),
    ("a.yaml", "include: { selector:‸, page: A }", "**", #"include: { selector: "**", page: A }"#),
    ("a.yaml", "include:\n      page:‸", "HomeViewController", "include:\n      page: HomeViewController"),
    (
      "a.yaml", "include:\n      page:\n      -‸", "HomeViewController",
      "include:\n      page:\n      - HomeViewController"
    ),
  ]

  @Test("a proposal is written as its place needs it, in JSON and in YAML", arguments: insertions)
  func inserting(row: (file: String, text: String, label: String, result: String)) throws {
    let client = try TestClient(captures: [DiagnosticTests.home])
    let isJSON = row.file.hasSuffix("json")
    let (before, after) = isJSON ? (#"{"version":1,"rules":["#, "]}") : ("version: 1\nrules:\n  - ", "\n")
    client.open(row.file, before + after)
    let completed = try client.completing(row.file, before + row.text + after, with: row.label)
    #expect(completed == before + row.result + after)
  }

  @Test("a proposal inside quotes is escaped as the quotes require") func insertingInQuotes() throws {
    let views = #"<view class="A B" frame="0 0 1 1"/><view class="C&quot;D" frame="0 0 1 1"/>"#
    let client = try TestClient(
      files: ["a.xml": #"<viewTree version="1">\#(views)</viewTree>"#], options: #"{"captures":["a.xml"]}"#)
    let head = "version: 1\nrules:\n  - id: a\n    include:\n      selector: "
    client.open("a.yaml", "version: 1\nrules: []\n")
    #expect(try client.completing("a.yaml", head + "'A/‸'", with: "A B") == head + "'A/''A B'''")
    #expect(try client.completing("a.yaml", head + "A/‸", with: "A B") == head + "A/'A B'")
    #expect(try client.completing("a.yaml", head + "\"A/‸\"", with: "C\"D") == head + #""A/C\"D""#)
  }

  @Test("a text without quotes gets them if a proposal for a part of it needs them") func insertingWithQuotes() throws {
    let client = try TestClient(
      files: ["a.xml": #"<viewTree version="1"><view class="A&lt;B, C&gt;" frame="0 0 1 1"/></viewTree>"#],
      options: #"{"captures":["a.xml"]}"#)
    client.open("a.yaml", "version: 1\nrules: []\n")
    let (before, after) = ("version: 1\nrules:\n  - { id: a, include: { selector: ", " } }\n")
    let completed = try client.completing("a.yaml", before + "UIView/A‸(0)" + after, with: "A<B, C>")
    #expect(completed == before + #""UIView/'A<B, C>'(0)""# + after)
    let list = try client.completing("a.yaml", before + "[D, UIView/‸]" + after, with: "A<B, C>")
    #expect(list == before + #"[D, "UIView/'A<B, C>'"]"# + after)
  }

  @Test("hovering says what a selector matches, what an event ID is, and what a code means") func hover() throws {
    let client = try TestClient(
      captures: ["home-feed.xml", "cart.xml"].map { PackageFolder.viewTrees.appendingPathComponent($0).path })
    client.open("a.yaml", "version: 1\nrules: []\n")
    func hover(_ text: String) throws -> String {
      let (params, text) = client.place("a.yaml", text)
      client.change("a.yaml", text)
      client.settle()
      let result = try client.request("textDocument/hover", params) as? [String: Any]
      return (result?["contents"] as? [String: Any])?["value"] as? String ?? ""
    }
    let selector = try hover(Self.head + "      selector: Product‸Cell(section:0 row:*)/**/UIButton(0)\n")
    #expect(selector.contains("`home-feed.xml`: 1, the first is `UIButton` `加入`"), "\(selector)")
    let eventID = "19fcd72be0e5ed2e8c1f42ecda0f4102ab10d08d53612d354a3a44d51654479d"
    let element = try hover("version: 1\nrules:\n  - { id: a, include: { eventID: 19‸\(eventID.dropFirst(2)) } }\n")
    #expect(element.contains("element 35 of `home-feed.xml`") && element.contains("`加入`"), "\(element)")
    #expect(try hover("version: 1\nchecks: { exact‸-row: note }\n").contains("row"))
    #expect(try hover("version: 1\nrules:\n  - { id: a, include: { selector: 'A/‸(' } }\n").isEmpty)
    #expect(try hover("ver‸sion: 1\n").isEmpty)
  }

  @Test("hovering over a list of selectors counts what any of them matches") func hoverOfList() throws {
    let client = try TestClient(captures: [PackageFolder.viewTrees.appendingPathComponent("flowers.html").path])
    client.open("a.yaml", "version: 1\nrules: []\n")
    func count(_ selector: String) throws -> Int? {
      let text = "version: 1\nstyle: sensors-web\nrules:\n  - { id: a, include: { selector: '‸\(selector)' } }\n"
      let (params, plain) = client.place("a.yaml", text)
      client.change("a.yaml", plain)
      client.settle()
      let result = try client.request("textDocument/hover", params) as? [String: Any]
      let hover = (result?["contents"] as? [String: Any])?["value"] as? String ?? ""
      return hover.split(separator: " ").first.flatMap { Int($0) }
    }
    let added = try #require(try count("button.add"))
    let favourite = try #require(try count("button.favourite"))
    let all = try count("button.add, button.favourite")
    #expect(added > 0 && favourite > 0 && all == added + favourite)
  }

  @Test("with rules for several platforms, each selector is looked up on the captures of its own platform")
  func severalStyles() throws {
    let captures = ["home-feed.xml", "flowers.html"].map { PackageFolder.viewTrees.appendingPathComponent($0).path }
    let client = try TestClient(captures: captures)
    let app = "{ style: sensors, page: HomeViewController, selector: 'ProductCell/**/UIButton(0)' }"
    let web = "{ style: sensors-web, selector: button.add }"
    let text = "version: 1\nrules:\n  - id: a\n    include:\n      - \(app)\n      - \(web)\n"
    client.open("a.yaml", text)
    func hover(_ marked: String) throws -> String {
      let (params, _) = client.place(
        "a.yaml", text.replacing(marked.replacing("‸", with: ""), with: marked, maxReplacements: 1))
      let result = try client.request("textDocument/hover", params) as? [String: Any]
      return (result?["contents"] as? [String: Any])?["value"] as? String ?? ""
    }
    let inApp = try hover("Product‸Cell")
    #expect(inApp.contains("in 1 of 1 capture") && inApp.contains("home-feed.xml"), "\(inApp)")
    let onWeb = try hover("button‸.add")
    #expect(onWeb.contains("in 1 of 1 capture") && onWeb.contains("/flowers/today"), "\(onWeb)")
    #expect(try hover("Home‸ViewController").contains("home-feed.xml"))
    func labels(_ old: String, _ new: String) throws -> [String] {
      try client.complete("a.yaml", text.replacing(old, with: new))
    }
    let pages = try labels("HomeViewController", "‸")
    #expect(pages.contains("HomeViewController") && pages.contains("/flowers/today"), "\(pages)")
    let names = try labels("button.add", "\"nav > ‸\"")
    #expect(names.contains("#filter") && !names.contains("**"), "\(names)")
    #expect(try labels("/UIButton(0)", "/‸").contains("**"))
    // The style of a clause counts before its rules have been loaded.
    let new = "version: 1\nstyle: posthog-web\nrules:\n  - id: a\n    include: { selector: ‸ }\n"
    #expect(try client.complete("a.yaml", new).contains("#filter"))
  }

  @Test("with rules for two SDKs of one platform, a selector in either style is looked up on its captures")
  func severalStylesOfPlatform() throws {
    let capture = PackageFolder.viewTrees.appendingPathComponent("home-feed.xml").path
    for style in ["hubbledata", "sensors"] {
      let clauses = ["hubbledata", "sensors"].map {
        "      - { style: \($0), selector: '\($0 == style ? "Product‸Cell" : "ProductCell")/**/UIButton(0)' }\n"
      }
      let client = try TestClient(captures: [capture])
      let rules = "version: 1\nrules:\n  - id: a\n    include:\n"
      let (params, text) = client.place("a.yaml", rules + clauses.joined())
      client.open("a.yaml", text)
      let result = try client.request("textDocument/hover", params) as? [String: Any]
      let value = (result?["contents"] as? [String: Any])?["value"] as? String ?? ""
      #expect(value.contains("in 1 of 1 capture"), "\(style): \(value)")
    }
  }

  @Test("values are proposed from the events that the style's SDK sends, not from keys of a keypad") func keypad()
    throws
  {
    let keys = ["1", "2"].map { #"<view class="android.widget.TextView" text="\#($0)" clickable="true"/>"# }.joined()
    let capture =
      #"<viewTree version="1" os="Android"><view class="android.widget.LinearLayout" controller="com.example.Pay">"#
      + keys + #"<view class="android.widget.Button" text="OK" clickable="true"/></view></viewTree>"#
    let client = try TestClient(files: ["c.xml": capture], options: #"{"captures":["c.xml"]}"#)
    let text = Self.head.replacing("version: 1\n", with: "version: 1\nstyle: sensors-android\n")
    client.open("a.yaml", "version: 1\nstyle: sensors-android\nrules: []\n")
    let labels = try client.complete("a.yaml", text + "      where: { $element_content: ‸")
    #expect(labels.contains("OK") && !labels.contains { $0.contains("1") || $0.contains("2") }, "\(labels)")
  }

  @Test("no typed text is shown or proposed") func privacy() throws {
    let capture = """
      <viewTree version="1"><view class="UIWindow"><view class="UITextField" text="SECRET" actions="a:"/>
      <view class="UIView" secure="true" text="SECRET" gestures="tap"/><view class="UILabel" text="Shown"/></view></viewTree>
      """
    let client = try TestClient(files: ["c.xml": capture], options: #"{"captures":["c.xml"]}"#)
    client.open("a.yaml", "version: 1\nrules: []\n")
    _ = try client.complete("a.yaml", Self.head + "      where: { $element_content: ‸")
    let said = try client.complete("a.yaml", Self.head + "      within: { selector: UIWindow, says: ‸")
    #expect(said.contains("Shown"), "\(said)")
    let (params, text) = client.place("a.yaml", Self.head + "      selector: UIText‸Field\n")
    client.change("a.yaml", text)
    client.settle()
    let hover = try client.request("textDocument/hover", params)
    #expect("\(hover ?? "")".contains("UITextField"))
    #expect(!"\(client.messages)".contains("SECRET"))
  }

  @Test("a rule gets another id in all files, with its tests and its event in the plan") func rename() throws {
    let tests =
      "version: 1\ntests:\n  - { name: t, event: {}, expect: { includes: [shop.a, b], emit: shop.a } }\n"
      + "  - name: u\n    event: {}\n    expect:\n      excludedBy: []\n      rules: 'shop.a'\n"
      + "      properties:\n        shop.a: { p: 1 }\n"
      + "  - { name: v, event: {}, expect: &same { rules: [shop.a] } }\n  - { name: w, event: {}, expect: *same }\n"
    let plan = "version: 1\nevents:\n  - event: shop.a\n    remark: shop.a\n  - event: b\n"
    let client = try TestClient(files: [
      "a.test.yaml": tests, "a.plan.yaml": plan,
      "b.json": #"{"version":1,"rules":[{"id":"b","include":{"page":"A"}}]}"#,
    ])
    let (params, text) = client.place(
      "a.yaml", "version: 1\nrules:\n  - id: shop‸.a # here\n    include: { page: A }\n")
    // Editors ask before the server has read the files.
    client.open("a.yaml", text, settles: false)
    let prepared = try client.request("textDocument/prepareRename", params) as? [String: Any]
    #expect(prepared?["placeholder"] as? String == "shop.a")
    func renamed(_ name: String) throws -> [String: [[String: Any]]]? {
      let result = try client.request("textDocument/rename", params.dropLast() + ",\"newName\":\(client.json(name))}")
      return (result as? [String: [String: [[String: Any]]]])?["changes"]
    }
    let changes = try #require(try renamed("5 new"))
    #expect(
      client.applying(changes[client.uri("a.yaml")] ?? [], to: text) == text.replacing("shop.a", with: "\"5 new\""))
    #expect(
      client.applying(changes[client.uri("a.test.yaml")] ?? [], to: tests)
        == tests.replacing("'shop.a'", with: "\"5 new\"").replacing("shop.a", with: "\"5 new\""))
    #expect(
      client.applying(changes[client.uri("a.plan.yaml")] ?? [], to: plan)
        == plan.replacing("event: shop.a", with: "event: \"5 new\""))
    for name in ["b", "", "a\nb", "a\"b"] {
      #expect(
        try client.failure("textDocument/rename", params.dropLast() + ",\"newName\":\(client.json(name))}") == -32803)
    }
    let (elsewhere, _) = client.place(
      "a.yaml", "version: 1\nrules:\n  - id: shop.a # here\n    inc‸lude: { page: A }\n")
    #expect(try client.request("textDocument/prepareRename", elsewhere) is NSNull)
    client.open("a.test.yaml", tests)
    let (inTests, _) = client.place("a.test.yaml", tests.replacing("        shop.a", with: "        shop‸.a"))
    let preparedInTests = try client.request("textDocument/prepareRename", inTests) as? [String: Any]
    #expect(preparedInTests?["placeholder"] as? String == "shop.a")
    let references = try client.request("textDocument/references", inTests) as? [[String: Any]]
    #expect(references?.count == 7)
  }

  @Test("formatting gives the same as fmt, and nothing for invalid YAML") func formatting() throws {
    let text = "rules:\n  - include: {page: A}\n    id: 'a' # one\nversion: 1\n\n\n"
    let client = try TestClient()
    client.open("a.yaml", text)
    let params =
      #"{"textDocument":{"uri":\#(client.json(client.uri("a.yaml")))},"options":{"tabSize":2,"insertSpaces":true}}"#
    let edits = try client.request("textDocument/formatting", params) as? [[String: Any]]
    let formatted = try RuleFileFormatter.format(text)
    #expect(client.applying(try #require(edits), to: text) == formatted)
    client.change("a.yaml", formatted)
    #expect((try client.request("textDocument/formatting", params) as? [Any])?.isEmpty == true)
    client.change("a.yaml", "a: [")
    #expect(try client.request("textDocument/formatting", params) is NSNull)
  }

  @Test(
    "files of other tools are not formatted",
    arguments: [
      ("package.json", #"{"name":   "x", "version": "1.0.0"}"#, false),
      ("compose.yaml", "services:\n    web:   {image: x}\n", false), ("encircle.yaml", "captures:   X\n", false),
      ("a.plan.yaml", "version: 1\nevents:\n  -   event: a\n", true),
      ("a.coverage.yaml", "version: 1\nsetAside:\n  -   page: A\n      reason: b\n", true),
    ])
  func formattingOfOthers(name: String, text: String, isFormatted: Bool) throws {
    let client = try TestClient()
    client.open(name, text)
    let params = #"{"textDocument":{"uri":\#(client.json(client.uri(name)))},"options":{}}"#
    #expect((try client.request("textDocument/formatting", params) is NSNull) == !isFormatted)
  }

  @Test("formatting edits only lines that change", arguments: TestSize.scaled(1...100 as ClosedRange<UInt64>))
  func formattingEdits(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let lines = [
      "  - {id: a%, include: {page: A}}", "  - { id: a%, include: { page: A } }", "# c", "",
      "  - id:   \"a%\"\n    include: { page: 'B' }",
    ]
    var text = "version: 1\nrules:\n"
    for i in 0..<8 { text += (lines.randomElement(using: &random) ?? "").replacing("%", with: "\(i)") + "\n" }
    let client = try TestClient()
    client.open("a.yaml", text)
    let params =
      #"{"textDocument":{"uri":\#(client.json(client.uri("a.yaml")))},"options":{"tabSize":2,"insertSpaces":true}}"#
    let edits = try client.request("textDocument/formatting", params) as? [[String: Any]] ?? []
    #expect(client.applying(edits, to: text) == (try RuleFileFormatter.format(text)), "\(text)")
  }

  @Test("no place of a document makes a request fail", arguments: ["a.yaml", "a.test.yaml", "a.json"])
  func everywhere(name: String) throws {
    let client = try TestClient(captures: [DiagnosticTests.home])
    let text =
      Self.head
      + "      selector: 'A(0)/B'\n      where: { $element_content: \"加入\", x: [1, {not: 2}] }\nchecks: { a: b }\n"
    client.open(name, text)
    for line in -1...11 {
      for character in stride(from: -1, to: 70, by: 3) {
        let params =
          #"{"textDocument":{"uri":\#(client.json(client.uri(name)))},"position":{"line":\#(line),"character":\#(character)}}"#
        for method in ["completion", "hover", "prepareRename"] { try client.request("textDocument/\(method)", params) }
      }
    }
  }
}
