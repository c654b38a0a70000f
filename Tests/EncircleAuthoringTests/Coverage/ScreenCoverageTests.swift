import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree
import Foundation
import Testing

@testable import EncircleAuthoring

/// Tapped elements without a rule.
@Suite struct ScreenCoverageTests {
  private static let rules = """
    version: 1
    pages: { exclude: [LoginController] }
    rules:
      - id: add
        include: { event: $AppClick, page: Home, selector: ShopCell(section:* row:0)/UIButton(0) }
      - id: buy
        include: { event: $AppClick, page: Home, selector: BuyButton }
      - id: no.debug
        exclude: { selector: DebugButton }
    """

  private static let views = """
    <view class="UIWindow"><view class="UITableView" controller="Home" controllerTitle="Shop">
      <view class="ShopCell" superclasses="UITableViewCell" indexPath="0 0"><view class="UIButton" title="Add"/></view>
      <view class="ShopCell" superclasses="UITableViewCell" indexPath="0 1"><view class="UIButton" title="Add"/></view>
      <view class="BuyButton" superclasses="UIButton" title="Buy"/>
      <view class="DebugButton" superclasses="UIButton" title="Debug"/>
      <view class="HelpButton" superclasses="UIButton" title="Help"/>
    </view></view>
    <view class="UIWindow"><view class="UIView" controller="LoginController"><view class="UIButton" title="Log in"/></view></view>
    """

  private static func coverage(_ setAside: String? = nil) throws -> ScreenCoverage {
    let ruleSet = try RuleFiles(text: rules, name: "rules.yaml").ruleSet()
    let files = try CoverageFiles(texts: setAside.map { [("rules.coverage.yaml", $0)] } ?? [], for: ruleSet)
    var coverage = ScreenCoverage(ruleSet, setAside: files)
    coverage.add(try Screens.of(views), name: "home.xml")
    return coverage
  }

  private static func tap(_ path: String, user: Int = 1, version: String = "1.0", page: String = "Home") throws
    -> AnalyticsEvent
  {
    try AnalyticsEvent(
      json: """
        {"event":"$AppClick","distinct_id":"u\(user)","properties":{"$screen_name":"\(page)","$element_path":"\(path)",
        "$element_content":"text","$element_type":"UIButton","$app_version":"\(version)"}}
        """)
  }

  private static let table = "UIWindow(0)/UITableView(0)"

  @Test(
    "an element for which the SDK sends nothing, such as a key of a keypad, counts nowhere",
    arguments: [(PathStyleName.sensorsAndroid, 1), (PathStyleName.growingIOAndroid, 3)])
  func keypads(style: PathStyleName, count: Int) throws {
    let capture = """
      <viewTree version="1" os="Android"><view class="android.widget.LinearLayout" controller="com.example.PayActivity">
      <view class="android.widget.TextView" text="1" clickable="true"/><view class="android.widget.TextView" text="2" clickable="true"/>
      <view class="android.widget.Button" text="OK" clickable="true"/></view></viewTree>
      """
    let screen = IdentifiedTree(try CaptureReader().read(Array(capture.utf8)))
    let ruleSet = try RuleFiles(text: "version: 1\nstyle: \(style.rawValue)\nrules: []\n").ruleSet()
    var coverage = ScreenCoverage(ruleSet)
    coverage.add(screen, name: "keys.xml")
    #expect(coverage.finish().totals.elements.open == count)
    #expect(ScreenSuggester(screen, ruleSet).proposals().rules.count == count)
    #expect(ScreenEvents(screen, SelectionSettings(ruleSet)).elements.count == count)
  }

  @Test("elements count once for all rows, by the effect of rules on them")
  func elements() throws {
    let report = try Self.coverage().finish()
    #expect(!report.hasTaps && report.captures == 1)
    // Cells and their buttons, Buy, Help, Debug, and the button of the excluded page.
    let totals = report.totals.elements
    #expect(totals.taken == 2 && totals.open == 2 && totals.excluded == 1 && totals.excludedPage == 1)
    #expect(report.screens.map(\.page) == ["Home", "LoginController"])
    #expect(report.screens.first?.title == "Shop")
    #expect(report.open.map(\.text).contains("Help"))
    let button = try #require(report.open.first { $0.state == .partly }, "the rule is for the first row alone")
    #expect(button.selector == "/UIWindow(0)/UITableView(0)/ShopCell(section:* row:*)/UIButton(0)")
    #expect(button.place == .init(capture: "home.xml", element: 3))
  }

  @Test("without a rule, every element of every app is open")
  func noRules() throws {
    var coverage = ScreenCoverage(try RuleFiles(text: "version: 1\nrules: []\n", name: "rules.yaml").ruleSet())
    let capture = "<viewTree version=\"1\" app=\"com.example.shop\">\(Self.views)</viewTree>"
    coverage.add(IdentifiedTree(try CaptureReader().read(Array(capture.utf8))), name: "home.xml")
    let report = coverage.finish()
    #expect(report.captures == 1 && report.skippedCaptures == 0)
    #expect(report.totals.elements.open == 6 && report.totals.elements.taken == 0)
  }

  @Test("rows count as one element if the rules name another place of the path, too")
  func ownPlaceOfPaths() throws {
    let ruleSet = try RuleFiles(text: "version: 1\nfields: { path: element_path }\nrules: []\n").ruleSet()
    let screen = try Screens.of(Self.views)
    var coverage = ScreenCoverage(ruleSet)
    coverage.add(screen, name: "home.xml")
    #expect(coverage.finish().totals.elements.open == 6)
    #expect(ScreenSuggester(screen, ruleSet).proposals().rules.count == 6)
  }

  @Test("taps in the rows of an app's own list on Android count as taps on one element")
  func rowsOnAndroid() throws {
    var coverage = ScreenCoverage(
      try RuleFiles(text: "version: 1\nstyle: sensors-android\nrules: []\n").ruleSet())
    for row in 1...3 {
      coverage.add(
        try AnalyticsEvent(
          json: """
            {"event":"$AppClick","properties":{"$screen_name":"com.example.Main","$element_position":"\(row)",
            "$element_path":"android.widget.LinearLayout[0]/com.example.CardList[0]/com.example.Card[-]"}}
            """))
    }
    let open = coverage.finish().open
    #expect(open.map(\.taps.open) == [3])
  }

  /// Places of the page `/商/men's` in events of PostHog.
  static let webPages = [
    #""$pathname":"/商/men's""#, #""$pathname":"/%E5%95%86/men%27s""#,
    #""$current_url":"https://a.example/%e5%95%86/men's?q=1""#,
  ]

  private static func webTap(_ place: String) throws -> AnalyticsEvent {
    let chain = #"a:nth-child=\"1\"nth-of-type=\"1\";body:nth-child=\"2\"nth-of-type=\"1\""#
    return try AnalyticsEvent(
      json: #"{"event":"$autocapture","properties":{"$event_type":"click",\#(place),"$elements_chain":"\#(chain)"}}"#)
  }

  @Test("taps on a page of the web are on one page, however their events write its address")
  func pagesOfTheWeb() throws {
    var coverage = ScreenCoverage(try RuleFiles(text: "version: 1\nstyle: posthog-web\nrules: []\n").ruleSet())
    for place in Self.webPages { coverage.add(try Self.webTap(place)) }
    let open = coverage.finish().open
    #expect(open.map(\.taps.open) == [3] && open.map(\.page) == ["/商/men's"])
  }

  @Test("the page of an event of the web is suggested as captures have it", arguments: webPages)
  func suggestedPage(place: String) throws {
    #expect(EventSubject(try Self.webTap(place)).page == "/商/men's")
  }

  @Test("a tap on an item of a toolbar on Android, whose event has no path, counts at the element with its id and text")
  func pathlessOnAndroid() throws {
    let ruleSet = try RuleFiles(
      text: """
        version: 1
        style: sensors-android
        rules: [{ id: scan, include: { where: { $element_id: action_scan } } }]
        """, name: "rules.yaml"
    ).ruleSet()
    func item(_ id: String, _ title: String) -> String {
      """
      <view class="androidx.appcompat.view.menu.ActionMenuItemView" menuItem="com.example:id/\(id)" title="\(title)"/>
      """
    }
    let capture = """
      <viewTree version="1" os="Android"><view class="com.android.internal.policy.DecorView" controller="com.example.Main">
      \(item("action_scan", "Scan"))\(item("action_search", "Search"))</view></viewTree>
      """
    var coverage = ScreenCoverage(ruleSet)
    coverage.add(IdentifiedTree(try CaptureReader().read(Array(capture.utf8))), name: "main.xml")
    for (id, text) in [("action_scan", "Scan"), ("action_search", "Search"), ("action_share", "Share")] {
      coverage.add(
        try AnalyticsEvent(
          json: """
            {"event":"$AppClick","properties":{"$screen_name":"com.example.Main","$element_type":"MenuItem",
            "$element_id":"\(id)","$element_content":"\(text)"}}
            """))
    }
    let report = coverage.finish()
    #expect(report.totals.taps.taken == 1 && report.totals.elements.taken == 1 && report.others == 1)
    #expect(report.open.map(\.text) == ["Search"] && report.open.map(\.taps.open) == [1])
  }

  @Test("taps count as their events are decided, and taps without a rule have people and versions")
  func taps() throws {
    var coverage = try Self.coverage()
    for user in 1...3 {
      coverage.add(try Self.tap("\(Self.table)/HelpButton(0)", user: user, version: "1.\(user + 8)"))
    }
    coverage.add(try Self.tap("\(Self.table)/HelpButton(0)", user: 1, version: "1.9"))
    coverage.add(try Self.tap("\(Self.table)/BuyButton(0)"))
    coverage.add(try Self.tap("\(Self.table)/ShopCell(section:0 row:0)/UIButton(0)"))
    coverage.add(try Self.tap("\(Self.table)/ShopCell(section:0 row:7)/UIButton(0)"))
    coverage.add(try Self.tap("\(Self.table)/DebugButton(0)"))
    coverage.add(try Self.tap("UIWindow(0)/UIView(0)/UIButton(0)", page: "LoginController"))
    coverage.add(try Self.tap("\(Self.table)/NewButton(0)", user: 9))
    coverage.add(try AnalyticsEvent(json: #"{"event":"$AppStart","distinct_id":"u1"}"#))
    let report = coverage.finish()
    let taps = report.totals.taps
    #expect(taps.taken == 2 && taps.open == 6 && taps.excluded == 1 && taps.excludedPage == 1 && report.others == 1)
    #expect(taps.share == 0.25)
    let first = try #require(report.open.first)
    #expect(first.text == "Help" && first.taps.open == 4 && first.people == 3)
    #expect(first.versions == ["1.9", "1.10", "1.11"], "versions are in the order of their numbers")
    let new = try #require(report.open.first { $0.selector.contains("NewButton") })
    #expect(new.place == nil && new.text == "text" && new.type == "UIButton", "what events say of it")
    let partly = try #require(report.open.first { $0.state == .partly })
    #expect(partly.taps.open == 1 && partly.taps.taken == 1)
  }

  @Test(
    "a tap of GrowingIO counts for the element of the capture, whatever alias the app gives the page",
    arguments: ["", "/shop"])
  func pageAliases(_ alias: String) throws {
    var coverage = ScreenCoverage(
      try RuleFiles(text: "version: 1\nstyle: growingio\nrules: []\n", name: "rules.yaml").ruleSet())
    let views = #"<view class="UIView" controller="Home"><view class="UIButton" actions="help:" title="Help"/></view>"#
    coverage.add(try Screens.of(#"<view class="UIWindow">\#(views)</view>"#), name: "home.xml")
    coverage.add(
      try AnalyticsEvent(
        json: """
          {"eventType":"VIEW_CLICK","path":"\(alias)","xpath":"/Home/UIView/UIButton","xcontent":"/0/0/0","textValue":"Help"}
          """))
    let report = coverage.finish()
    #expect(report.screens.map(\.page) == ["Home"] && report.open.count == 1)
    #expect(report.open.first?.taps.open == 1 && report.open.first?.place?.capture == "home.xml")
  }

  @Test("a tap on an item that the bars of several pages share counts on its own page")
  func sharedItems() throws {
    var coverage = ScreenCoverage(try RuleFiles(text: "version: 1\nrules: []\n", name: "rules.yaml").ruleSet())
    var ids: Set<EventID> = []
    for page in ["Home", "Cart"] {
      let screen = try Screens.of(
        """
        <view class="UIWindow"><view class="UILayoutContainerView" controller="UINavigationController">
          <view class="UIView" controller="\(page)"/>
          <view class="UINavigationBar"><view class="_UIButtonBarButton" actions="back:"/></view>
        </view></view>
        """)
      coverage.add(screen, name: "\(page).xml")
      ids.insert(screen.eventID(of: ElementID(4)))
    }
    let id = try #require(ids.first)
    try #require(ids.count == 1)
    for page in ["Home", "Home", "Cart"] {
      coverage.add(
        try AnalyticsEvent(
          json: #"{"event":"$AppClick","event_id":"\#(id)","properties":{"$screen_name":"\#(page)"}}"#))
    }
    let report = coverage.finish()
    #expect(report.screens.map(\.page) == ["Home", "Cart"] && report.screens.map(\.totals.taps.open) == [2, 1])
  }

  @Test("an element that is set aside counts for neither side, with the reason")
  func setAside() throws {
    var coverage = try Self.coverage(
      """
      version: 1
      setAside:
        - page: Home
          selector: HelpButton
          reason: Opens the manual, which counts for itself.
          owner: shop
      """)
    coverage.add(try Self.tap("\(Self.table)/HelpButton(0)"))
    coverage.add(try Self.tap("\(Self.table)/BuyButton(0)"))
    let report = coverage.finish()
    #expect(report.totals.taps.setAside == 1 && report.totals.taps.share == 1)
    #expect(report.setAside.map(\.reason) == ["Opens the manual, which counts for itself."])
    #expect(!report.open.contains { $0.text == "Help" })
  }

  @Test("the report is one JSON object, a table, or Markdown with names escaped")
  func formats() throws {
    var coverage = try Self.coverage()
    for _ in 0..<2 { coverage.add(try Self.tap("\(Self.table)/HelpButton(0)")) }
    coverage.add(try Self.tap("UIWindow(0)/`UI|View`(0)", page: "A|B`c"))
    let report = coverage.finish()
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(CoverageJSON.text(report).utf8)) as? [String: Any])
    #expect((json["taps"] as? [String: Any])?["open"] as? Int == 3 && json["open_count"] as? Int == report.open.count)
    let open = json["open"] as? [[String: Any]]
    #expect(open?.first?["text"] as? String == "Help" && open?.first?["people"] as? Int == 1)
    #expect(open?.first?["capture"] as? String == "home.xml" && open?.first?["element"] is Int)
    let text = CoverageText.text(report, limit: 1)
    #expect(text.contains("Home Shop") && text.contains("home.xml 8"))
    #expect(text.contains("and \(report.open.count - 1) more"))
    #expect(text.contains("excluded: 1 element; on excluded pages: 1 element"), "in all")
    let markdown = CoverageMarkdown.text(report, limit: 50)
    #expect(markdown.hasPrefix("### Coverage: 0 % of taps, 40 % of elements\n"), "\(markdown)")
    let cells = markdown.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { row in
      row.replacing("\\|", with: "").split(separator: "|").count
    }
    #expect(Set(cells) == [5, 6])
  }

  @Test("beyond the limits, taps are counted apart")
  func limits() {
    var limits = CoverageTally.Limits()
    (limits.kinds, limits.people, limits.bytes) = (2, 3, 1_000)
    var tally = CoverageTally(limits: limits)
    func kind(_ name: String) -> ElementKind { ElementKind(page: "Home", selector: UTF8String(name), distinction: []) }
    #expect(tally.number(of: kind(String(repeating: "x", count: 1_000))) == nil)
    #expect(tally.number(of: kind("/UIButton(0)")) == 0 && tally.number(of: kind("/UIButton(1)")) == 1)
    #expect(tally.number(of: kind("/UIButton(2)")) == nil && tally.number(of: kind("/UIButton(1)")) == 1)
    for person in 1...5 { tally.add(1, on: 0, .open, person: UInt64(person)) }
    let report = tally.finish(reasons: [:])
    #expect(report.totals.taps.open == 5 && report.open.first?.people == 3 && report.beyondLimits == 4)
  }

  @Test("events and captures of other apps do not count if each rule is for an app")
  func apps() throws {
    let text = "version: 1\napp: [a, b]\nrules:\n  - { id: buy, include: { selector: BuyButton } }\n"
    var coverage = ScreenCoverage(try RuleFiles(text: text, name: "rules.yaml").ruleSet())
    for app in ["a", "c", ""] {
      var event = try Self.tap("\(Self.table)/HelpButton(0)")
      event.set(.string(app), at: .property("$app_id"))
      coverage.add(event)
    }
    coverage.add(try Screens.named("home-feed.xml"), name: "home-feed.xml")
    let report = coverage.finish()
    #expect(report.totals.taps.open == 2 && report.others == 1 && report.skippedCaptures == 1 && report.captures == 0)
  }

  @Test(
    "mistakes in a coverage file have places",
    arguments: [
      ("version: 1\nsetAside:\n  - selector: UIButton(\n    reason: x\n", "3:24", "in the selector"),
      ("version: 1\nsetAside:\n  - selector: UIButton\n", "3:5", "has no 'reason'"),
      ("version: 1\nsetAside:\n  - reason: x\n", "3:5", "the clause is empty"),
      ("version: 1\nsetAside:\n  - selecter: UIButton\n    reason: x\n", "3:5", "unknown key 'selecter'"),
      ("version: 2\nsetAside: []\n", "1:10", "unknown version"), ("setAside: []\n", "1:1", "no 'version'"),
      ("version: 1\nsetAside: UIButton\n", "2:11", "expected a list"), ("", "", "the file is empty"),
    ])
  func mistakes(text: String, place: String, message: String) {
    do throws(RuleFileErrors) {
      _ = try CoverageFiles(texts: [("x.coverage.yaml", text)], for: RuleSet())
      Issue.record("there is no problem")
    } catch {
      let problem = error.diagnostics.first
      #expect(problem?.file == "x.coverage.yaml")
      #expect(problem?.location.map { "\($0)" } ?? "" == place, "\(error.description)")
      #expect(error.description.contains(message), "\(error.description)")
    }
  }

  /// A slow and obvious implementation of the same counts: one event and element at a time, with kinds as texts of paths.
  private struct SlowCount {
    let ruleSet: RuleSet
    let dictionary: ElementDictionary
    var elements: [String: Set<String>] = [:]
    var taps: [String: Int] = [:]
    /// The kinds, by event ID and page, and by the ID alone.
    var kindsByID: [String: String] = [:]

    /// The text of a path without rows, and without the indexes of rows whose places captures lack, after its page; in bars and
    /// alerts with the actions or texts of the element.
    private static func kind(_ event: AnalyticsEvent) -> String? {
      func text(_ field: EventFields.Field) -> String { event.text(field, EventFields()) ?? "" }
      guard !text(.path).isEmpty else { return nil }
      let path = text(.path).replacing("/", with: "_").replacing("'", with: "")
        .replacing(/\((section|item|row):-?\d+ (row|item):-?\d+\)/, with: "()")
        .replacing(/(?<cell>(XCUIElementType|UIATable)Cell|RecyclerView\(0\)_android\.view\.ViewGroup)\(\d+\)/) {
          "\($0.cell)()"
        }
      var parts = [text(.page), path]
      let options = [
        "ControllerActionView", "_UIInterfaceActionCustomViewRepresentationView", "UIAlertControllerCollectionViewCell",
      ]
      let isAlert =
        !text(.alertTitle).isEmpty || !text(.alertMessage).isEmpty || options.contains { path.contains($0) }
      if isAlert {
        parts += [text(.alertTitle), text(.alertMessage), text(.content)]
      } else if ["UINavigationBar", "UITabBar", "UIToolbar"].contains(where: { path.contains($0) }) {
        parts.append(text(.actions).isEmpty ? text(.content) : text(.actions))
      }
      return parts.joined(separator: "\u{0}")
    }

    private func outcome(_ decision: Decision) -> String {
      if !decision.pages.isEmpty { return "page" }
      if !decision.excludedBy.isEmpty { return "excluded" }
      return decision.rules.isEmpty ? "open" : "taken"
    }

    mutating func add(_ screen: IdentifiedTree) {
      var timeless = ruleSet
      for i in timeless.rules.indices { (timeless.rules[i].from, timeless.rules[i].to) = (nil, nil) }
      let matcher = Matcher(timeless, dictionary: dictionary)
      let events = ElementEvents(of: screen)
      for element in screen.tree.elements where screen.trackingType(of: element) != nil {
        let event = events.event(of: element)
        guard let kind = Self.kind(event) else { continue }
        var decider = Decider(matcher)
        elements[kind, default: []].insert(outcome(decider.decide(event)))
        let id = screen.eventID(of: element)
        kindsByID["\(id)"] = kind
        kindsByID["\(id) \(event.text(.page, EventFields()) ?? "")"] = kind
      }
    }

    mutating func add(_ event: AnalyticsEvent) {
      var decider = Decider(Matcher(ruleSet, dictionary: dictionary))
      let decision = decider.decide(event)
      let page = event.text(.page, EventFields()) ?? ""
      guard
        let kind = decision.eventID.flatMap({ kindsByID["\($0) \(page)"] ?? kindsByID["\($0)"] }) ?? Self.kind(event)
          ?? decision.eventID?.description
      else { return }
      taps[outcome(decision), default: 0] += 1
      elements[kind, default: []].insert(outcome(decision))
    }

    /// The number of kinds with a taken element or tap, and of kinds without one that have an open element or tap.
    var taken: Int { elements.values.count { $0.contains("taken") } }
    var open: Int { elements.values.count { !$0.contains("taken") && $0.contains("open") } }
  }

  @Test("the coverage of the shipped rules, captures and events equals a slow count")
  func slowCount() throws {
    let folder = PackageFolder.root.appendingPathComponent("Rules")
    let rules = ["shop.yaml", "chat.yaml", "reader.yaml"].map { folder.appendingPathComponent($0).path }
    let ruleSet = try RuleFiles(rules).ruleSet()
    let screens = try PackageFolder.smallCaptureNames.map { ($0, try Screens.named($0)) }
    var dictionary = ElementDictionary()
    for (_, screen) in screens { dictionary.insert(screen) }
    var coverage = ScreenCoverage(ruleSet, dictionary: dictionary)
    var slow = SlowCount(ruleSet: ruleSet, dictionary: dictionary)
    let apps = ["com.example.shop", "com.example.chat", "com.example.reader"]
    for (name, screen) in screens where coverage.add(screen, name: name) == nil {
      if screen.tree.header.app.map(apps.contains) ?? true { slow.add(screen) }
    }
    var reader = try EventReader(path: PackageFolder.root.appendingPathComponent("Rules/events/shop.ndjson").path)
    while let record = try reader.next() {
      guard case .event = record else { continue }
      coverage.add(eventOf: reader)
      let event = try reader.withEvent { try AnalyticsEvent(json: Array($0)) }
      if event.text(.app, EventFields()).map(apps.contains) ?? true { slow.add(event) }
    }
    let report = coverage.finish()
    let taps = report.totals.taps
    #expect(taps.taken == slow.taps["taken"] && taps.open == slow.taps["open"])
    #expect(taps.excluded == slow.taps["excluded"] && taps.excludedPage == slow.taps["page"] ?? 0)
    #expect(taps.taken > 20 && taps.open > 5 && report.skippedCaptures > 0)
    #expect(report.totals.elements.total == slow.elements.count)
    #expect(report.totals.elements.taken == slow.taken && report.totals.elements.open == slow.open)
    #expect(report.screens.reduce(0) { $0 + $1.totals.taps.total } == taps.total)
  }
}

extension ScreenCoverageTests {
  @Test("coverage files are formatted like rules, and are not read as rules beside them")
  func files() throws {
    let text = "version: 1\nsetAside: [{ reason: Why., selector: /**/HelpButton, page: Home }]\n"
    let formatted = try RuleFileFormatter.format(text, name: "x.coverage.yaml")
    #expect(formatted == "version: 1\nsetAside:\n  - { page: Home, selector: HelpButton, reason: Why. }\n")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("coverage-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Self.rulesText.write(to: folder.appendingPathComponent("x.yaml"), atomically: false, encoding: .utf8)
    try formatted.write(to: folder.appendingPathComponent("x.coverage.yaml"), atomically: false, encoding: .utf8)
    for path in [folder.path, folder.appendingPathComponent("x.yaml").path] {
      let ruleSet = try RuleFiles([path]).ruleSet()
      #expect(ruleSet.rules.count == 1)
      #expect(try CoverageFiles(besides: [path], for: ruleSet).reasons.values.map(\.text) == ["Why."])
    }
  }

  private static let rulesText = "version: 1\nrules:\n  - { id: buy, include: { selector: BuyButton } }\n"
}
