import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

@testable import EncircleAuthoring

/// The board of an app's screens.
@Suite struct ScreenBoardTests {
  private static let rules = """
    version: 1
    rules:
      - id: add
        name: Put <into> the cart
        owner: shop
        tags: [cart]
        include: { event: $AppClick, page: Home, selector: ShopCell(section:* row:*)/UIButton(0) }
        emit: add_to_cart
        properties: { row: { path: row } }
      - id: search
        include: { page: Home, selector: UITextField }
      - id: home.view
        include: { event: $AppViewScreen, page: Home }
      - id: later
        include: { event: $AppClick, page: Home, selector: BuyButton }
        from: 2099-01-01
      - id: off
        enabled: false
        include: { event: $AppClick, page: Home, selector: BuyButton }
    """

  private static let home = """
    <view class="UIWindow" frame="0 0 390 844"><view class="UITableView" controller="Home" controllerTitle="Shop" frame="0 0 390 844">
      <view class="ShopCell" superclasses="UITableViewCell" indexPath="0 0" frame="0 100 390 60">
        <view class="UIButton" title="Add &amp; go" frame="300 10 80 40"/></view>
      <view class="ShopCell" superclasses="UITableViewCell" indexPath="0 1" frame="0 160 390 60">
        <view class="UIButton" title="Add &amp; go" frame="300 10 80 40"/></view>
      <view class="ShopCell" superclasses="UITableViewCell" indexPath="0 2" frame="0 220 390 60" hidden="true">
        <view class="UIButton" title="Hidden" frame="300 10 80 40"/></view>
      <view class="UISearchBar" frame="10 40 370 40"><view class="UITextField" text="my secret" frame="0 0 370 40"/></view>
      <view class="BuyButton" superclasses="UIButton" title="Buy" frame="10 700 370 50"/>
    </view></view>
    """

  private static func board(_ text: String = rules) throws -> ScreenBoard {
    ScreenBoard(try RuleFiles(text: text, name: "rules.yaml").ruleSet())
  }

  private static func event(_ name: String, on page: String, by person: Int, _ path: String = "") throws
    -> AnalyticsEvent
  {
    try AnalyticsEvent(
      json: """
        {"event":"\(name)","distinct_id":"u\(person)","properties":{"$screen_name":"\(page)","$element_path":"\(path)"}}
        """)
  }

  @Test(
    "an event has one number, with a ring around each element that can be seen and causes it, whatever the days of its rule"
  )
  func rings() throws {
    var board = try Self.board()
    board.add(try Screens.of(Self.home), name: "home.xml", screenshot: nil)
    let sheet = try #require(board.finish().sheets.first)
    #expect(sheet.page == "Home" && sheet.title == "Shop" && sheet.capture == "home.xml")
    #expect(sheet.rows.map(\.event) == ["search", "add_to_cart", "later"])
    #expect(sheet.rows.map(\.number) == [1, 2, 3])
    #expect(sheet.rings.map(\.number) == [1, 2, 2, 3])
    #expect(
      sheet.rings.dropFirst().first.map { [$0.frame.x, $0.frame.y, $0.frame.width, $0.frame.height] } == [
        300, 110, 80, 40,
      ])
    let row = sheet.rows[1]
    #expect(row.rules == ["add"] && row.name == "Put <into> the cart" && row.owner == "shop" && row.tags == ["cart"])
    #expect(row.trigger == "Tap on Add & go" && row.properties == ["row"])
  }

  @Test("a plan shows the cause of an event, its properties and its state")
  func plan() throws {
    let ruleSet = try RuleFiles(text: Self.rules, name: "rules.yaml").ruleSet()
    let text = """
      version: 1
      events:
        - event: add_to_cart
          trigger: Somebody puts a product into the cart
          properties: [{ property: row }, { property: price, required: true }]
      """
    let plan = TrackingPlan(ruleSet, try PlanFiles(texts: [("rules.plan.yaml", text)], for: ruleSet))
    var board = ScreenBoard(ruleSet, plan: plan)
    var counter = PlanStatusCounter(plan, ruleSet, now: 1_772_323_200_000)
    board.add(try Screens.of(Self.home), name: "home.xml", screenshot: nil)
    counter.add(try Screens.of(Self.home), name: "home.xml")
    let row = try #require(board.finish(counter.finish()).sheets.first?.rows.first { $0.event == "add_to_cart" })
    #expect(row.trigger == "Somebody puts a product into the cart")
    #expect(row.properties == ["row", "price"] && row.status == .defined && row.owner == "shop")
  }

  @Test("events are counted on their page; events without an element have no number")
  func counts() throws {
    var board = try Self.board()
    board.add(try Screens.of(Self.home), name: "home.xml", screenshot: nil)
    let add = "UIWindow(0)/UITableView(0)/ShopCell(section:0 row:7)/UIButton(0)"
    for person in [1, 1, 2] { board.add(try Self.event("$AppViewScreen", on: "Home", by: person)) }
    for person in 1...2 { board.add(try Self.event("$AppClick", on: "Home", by: person, add)) }
    board.add(try Self.event("$AppClick", on: "Other", by: 1, add))
    let report = board.finish()
    #expect(report.hasEvents && report.sheets.count == 1)
    let rows = report.sheets[0].rows
    #expect(rows.map(\.event) == ["search", "add_to_cart", "later", "home.view"])
    #expect(rows.map(\.count) == [0, 2, 0, 3])
    #expect(rows.map(\.number) == [1, 2, 3, nil])
    #expect(report.sheets[0].people == 2)
  }

  @Test(
    "a tap of GrowingIO counts on the screen of its element, whatever alias the app gives the page",
    arguments: ["", "/shop"])
  func pageAliases(_ alias: String) throws {
    var board = try Self.board(
      """
      version: 1
      style: growingio
      rules: [{ id: help, include: { event: VIEW_CLICK, selector: UIButton } }]
      """)
    let views = #"<view class="UIView" controller="Home"><view class="UIButton" actions="help:" title="Help"/></view>"#
    board.add(try Screens.of(#"<view class="UIWindow">\#(views)</view>"#), name: "home.xml", screenshot: nil)
    board.add(
      try AnalyticsEvent(
        json: """
          {"eventType":"VIEW_CLICK","deviceId":"d","path":"\(alias)","xpath":"/Home/UIView/UIButton","xcontent":"/0/0/0",
          "textValue":"Help"}
          """))
    let report = board.finish()
    #expect(report.sheets.map(\.page) == ["Home"] && report.sheets.first?.people == 1)
    #expect(report.sheets.first?.rows.map(\.count) == [1])
  }

  @Test("a tap on an element of another page than its screen's, such as the bottom bar, counts beside its ring")
  func pagesOfElements() throws {
    var board = try Self.board(
      """
      version: 1
      style: sensors-android
      rules:
        - { id: buy, include: { page: com.example.Main|com.example.Feed, where: { $element_content: Buy } } }
        - { id: home, include: { page: com.example.Main, where: { $element_content: Home } } }
        - { id: view, include: { event: $AppViewScreen } }
      """)
    func button(_ text: String, _ y: Int) -> String {
      "<view class='android.widget.Button' text='\(text)' clickable='true' frame='0 \(y) 300 40'/>"
    }
    let capture = """
      <viewTree os='Android'><view class='com.android.internal.policy.DecorView' controller='com.example.Main' frame='0 0 300 600'>
      <view class='android.widget.FrameLayout' frame='0 0 300 500' controller='com.example.Feed'
        controllerSuperclasses='androidx.fragment.app.Fragment'>\(button("Buy", 0))\(button("More", 50))</view>
      \(button("Home", 500))</view></viewTree>
      """
    board.add(IdentifiedTree(try CaptureReader().read(Array(capture.utf8))), name: "feed.xml", screenshot: nil)
    for (name, page, text) in [
      ("$AppClick", "com.example.Main|com.example.Feed", "Buy"), ("$AppClick", "com.example.Main", "Home"),
      ("$AppClick", "com.example.Main", "Home"), ("$AppViewScreen", "com.example.Other", ""),
    ] {
      board.add(
        try AnalyticsEvent(
          json: """
            {"event":"\(name)","distinct_id":"u1","properties":{"$screen_name":"\(page)","$element_content":"\(text)"}}
            """))
    }
    let sheets = board.finish().sheets
    #expect(sheets.map(\.page) == ["com.example.Main|com.example.Feed", "com.example.Other"])
    #expect(sheets.map { $0.rows.map(\.event) } == [["buy", "home"], ["view"]])
    #expect(sheets.map { $0.rows.map(\.count) } == [[1, 2], [1]])
  }

  @Test("a further capture of a page is shown if it has an event that the others lack")
  func captures() throws {
    var board = try Self.board()
    let less = Self.home.replacing("BuyButton", with: "HelpButton")
    board.add(try Screens.of(less), name: "a.xml", screenshot: nil)
    board.add(try Screens.of(Self.home), name: "b.xml", screenshot: nil)
    board.add(try Screens.of(less.replacing("Home", with: "Cart")), name: "c.xml", screenshot: nil)
    let report = board.finish()
    #expect(report.sheets.map(\.capture) == ["b.xml", "c.xml"])
    #expect(report.sheets[1].rows.isEmpty)
    #expect(report.leftOut == 1)
  }

  @Test("of captures of a page with equally many events, the one of the newest version is shown")
  func newestVersion() throws {
    var board = try Self.board()
    for (name, version) in [("a.xml", "5.9"), ("b.xml", "5.10"), ("c.xml", nil), ("d.xml", "5.10-beta.1")] {
      board.add(try Screens.of(Self.home, appVersion: version), name: name, screenshot: nil)
    }
    #expect(board.finish().sheets.map(\.capture) == ["b.xml"])
  }

  @Test("pages are in the order in which people reach them, as a slow count finds it")
  func order() throws {
    var dice = SeededGenerator(seed: 7)
    for _ in 0..<30 {
      var visits = PageVisits()
      var seen: [Int: [UTF8String]] = [:]
      for _ in 0..<200 {
        let person = Int.random(in: 0..<9, using: &dice)
        let page = UTF8String("Page\(Int.random(in: 0..<8, using: &dice))")
        visits.add(page, by: UInt64(person))
        if !(seen[person]?.contains(page) ?? false) { seen[person, default: []].append(page) }
      }
      let places = Set(seen.values.joined()).map { page in
        let places = seen.values.compactMap { $0.firstIndex(of: page) }
        return (page, Double(places.reduce(0, +)) / Double(places.count), places.count)
      }
      let expected = places.sorted { a, b in (a.1, -a.2, a.0) < (b.1, -b.2, b.0) }
      #expect(visits.pages == expected.map(\.0))
      #expect(expected.allSatisfy { visits.people(on: $0.0) == $0.2 })
    }
  }

  @Test("the page has the escaped texts of elements and no text that people may have typed")
  func html() throws {
    var board = try Self.board()
    board.add(try Screens.of(Self.home), name: "home.xml", screenshot: nil)
    let html = BoardHTML.text(board.finish(), title: "A <b>")
    #expect(html.contains("<h1>A &lt;b&gt;</h1>"))
    #expect(html.contains("Put &lt;into&gt; the cart"))
    #expect(html.contains("Add &amp; go"))
    #expect(!html.contains("secret") && !html.contains("Hidden"))
    #expect(html.components(separatedBy: "class=\"ring\"").count - 1 == 4)
    #expect(html.components(separatedBy: "<circle class=\"badge\"").count - 1 == 3)
    for tag in ["div", "section", "table", "svg", "figure"] {
      #expect(
        html.components(separatedBy: "<\(tag)").count == html.components(separatedBy: "</\(tag)>").count, "\(tag)")
    }
    #expect(!html.contains("<script") && !html.contains("http://") && !html.contains("https://"))
  }

  @Test("a capture without frames and a page without a capture have their events")
  func withoutFrames() throws {
    var board = try Self.board()
    board.add(try Screens.of(Self.home.replacing(#/ frame="[^"]*"/#, with: "")), name: "home.xml", screenshot: nil)
    board.add(try Self.event("$AppViewScreen", on: "Home", by: 1))
    let report = board.finish()
    #expect(report.sheets[0].rings.isEmpty)
    #expect(report.sheets[0].rows.map(\.event) == ["add_to_cart", "search", "later", "home.view"])
    #expect(BoardHTML.text(report, title: "x").contains("<svg"))
  }
}
