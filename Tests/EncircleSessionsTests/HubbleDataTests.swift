import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleSessions
import EncircleTestSupport
import EncircleTree
import Testing

/// HubbleData's article (`docs/articles.md`), claim by claim.
@Suite struct HubbleDataTests {
  private static let shop = [
    #"define {"controller":"Shop","title":"Tea"}"#, #"view {"view":"window","class":"UIWindow"}"#,
    #"view {"view":"root","class":"UIView","in":"window","controller":"Shop"}"#,
  ]

  private func replay(config: String = "", _ signals: [String]) throws -> WrittenSession.Result {
    try WrittenSession.replay(.hubbledata, config: config, WrittenSession.start + signals)
  }

  private func id(_ identity: String) -> String { String(describing: EventID(identity: identity)) }

  // MARK: - Pages

  @Test(
    "A page view has the constant event ID da_screen, the page's name, and a title that may be empty",
    .articles("H32", "H33"))
  func pages() throws {
    let result = try replay([#"appear {"controller":"Home"}"#, #"appear {"controller":"Shop","title":"Tea"}"#])
    #expect(result.names == ["da_screen", "da_screen"])
    #expect(result.texts("$screenName") == ["Home", "Shop"])
    #expect(result.texts("$screenTitle") == ["", "Tea"])
  }

  @Test("A page adds properties and a URL by the protocol", .articles("H34"))
  func pageProtocol() throws {
    let result = try replay([#"appear {"controller":"Home","url":"app://home","properties":{"sku":"7"}}"#])
    #expect(result.texts("$screenUrl") == ["app://home"])
    #expect(result.texts("sku") == ["7"])
  }

  @Test("Controllers in the list are no pages, by default private ones of the system, by name", .articles("H30", "H31"))
  func pageList() throws {
    let result = try replay(
      config: #""ignoreControllers":["Login"]"#,
      [
        #"appear {"controller":"SFBrowserRemoteViewController"}"#, #"appear {"controller":"UIInputWindowController"}"#,
        #"appear {"controller":"Login"}"#, #"appear {"controller":"ShortLogin","class":"ShortLogin","base":"Login"}"#,
      ])
    #expect(result.texts("$screenName") == ["ShortLogin"])
  }

  @Test("A page is tracked before viewDidAppear, which therefore need not call its superclass", .articles("H35"))
  func withoutSuper() throws {
    #expect(try replay([#"appear {"controller":"Home","super":false}"#]).names == ["da_screen"])
  }

  @Test("A page view is sent once, at viewWillAppear, also if a swipe cancels the appearance", .articles("H35"))
  func willAppear() throws {
    func names(_ signals: String...) throws -> [String] { try replay(signals).names }
    let (will, did) = (#"willAppear {"controller":"Home"}"#, #"appear {"controller":"Home"}"#)
    let gone = #"disappear {"controller":"Home"}"#
    #expect(try names(will) == ["da_screen"])
    #expect(try names(will, did) == ["da_screen"])
    #expect(try names(will, gone, did) == ["da_screen", "da_screen"])
    #expect(try names(#"willAppear {"controller":"Home","super":false}"#, did) == [])
  }

  @Test("There are no events of starts, ends, logins and crashes")
  func undescribed() throws {
    let result = try replay(
      WrittenSession.background + WrittenSession.foreground + [#"login {"id":"a"}"#, #"exception {"reason":"r"}"#])
    #expect(result.names == [])
  }

  // MARK: - Identities

  @Test("The event ID is the SHA-256 of the path with the nearest controller; the index counts the same class")
  func buttonIdentity() throws {
    let result = try replay(
      Self.shop + [
        #"view {"view":"label","class":"UILabel","in":"root"}"#, #"view {"view":"a","class":"UIButton","in":"root"}"#,
        #"tap {"view":"b","class":"UIButton","in":"root"}"#,
      ])
    #expect(result.names == [id("path(UIWindow(0)_UIView(0)_UIButton(1))&controller(Shop)")])
  }

  @Test("The selection of a row is the cell's, by section and row, which are properties, too")
  func cellIdentity() throws {
    let result = try replay(
      Self.shop + [
        #"view {"view":"list","class":"UITableView","in":"root"}"#,
        #"view {"view":"cell","class":"TeaCell","base":"UITableViewCell","in":"list","attributes":{"indexPath":"0 7"}}"#,
        #"select {"view":"list","indexPath":[0,7]}"#,
      ])
    #expect(
      result.names == [id("path(UIWindow(0)_UIView(0)_UITableView(0)_TeaCell(section:0 row:7))&controller(Shop)")])
    #expect(result.texts("type") == ["tableViewSelectEvent"])
    #expect(result.values("section") == [0])
    #expect(result.values("row") == [7])
  }

  @Test(
    "Every click has its type and page beside the other attributes; a long press has the type of a tap",
    .articles("H47"))
  func clickAttributes() throws {
    let result = try replay(
      Self.shop + [
        #"tap {"view":"b","class":"UIButton","in":"root"}"#,
        #"gesture {"view":"l","class":"UILabel","in":"root","recognizer":"UILongPressGestureRecognizer","state":"began"}"#,
      ])
    let attributes = result.events.map { event -> EventObject in
      if case .object(let attributes)? = event["attributes"] { attributes } else { EventObject() }
    }
    #expect(attributes.map { $0["type"] } == ["buttonEvent", "gestureTapEvent"])
    #expect(attributes.map { $0["page"] } == ["Shop", "Shop"])
    #expect(TrackingType.gestureLongPress.sent == .gestureTap)
  }

  @Test("A bar item has no index and no controller, but its actions")
  func barIdentity() throws {
    let result = try replay(
      Self.shop + [
        #"view {"view":"bar","class":"UINavigationBar","in":"window"}"#,
        #"tap {"view":"share","class":"_UIButtonBarButton","in":"bar","attributes":{"actions":"share:"}}"#,
      ])
    #expect(result.names == [id("path(UIWindow(0)_UINavigationBar(0)__UIButtonBarButton)&actions(share:)")])
    #expect(result.texts("$screenName") == ["Shop"])
  }

  @Test("An alert's option is the one under the touch, and has the alert's message and title in its identity")
  func alertIdentity() throws {
    let alert = [
      #"define {"controller":"alert","class":"UIAlertController"}"#,
      #"view {"view":"v","class":"_UIAlertControllerView","base":"UIView","in":"window","controller":"alert","attributes":{"title":"Leave","message":"Sure?"}}"#,
      #"view {"view":"g","class":"_UIAlertControllerInterfaceActionGroupView","base":"UIView","in":"v"}"#,
      #"view {"view":"a","class":"_UIInterfaceActionCustomViewRepresentationView","base":"UIView","in":"g","frame":[0,0,100,40]}"#,
      #"view {"view":"b","class":"_UIInterfaceActionCustomViewRepresentationView","base":"UIView","in":"g","frame":[100,0,100,40]}"#,
    ]
    func touch(_ x: Int) -> String {
      #"gesture {"view":"g","recognizer":"UITapGestureRecognizer","state":"ended","point":[\#(x),20]}"#
    }
    let result = try replay(Self.shop + alert + [touch(150), touch(20), touch(250)])
    let path =
      "UIWindow(0)__UIAlertControllerView(0)__UIAlertControllerInterfaceActionGroupView(0)"
      + "__UIInterfaceActionCustomViewRepresentationView"
    let rest = "&controller(UIAlertController)&message(Sure?)&title(Leave)"
    #expect(result.names == [id("path(\(path)(1))\(rest)"), id("path(\(path)(0))\(rest)")])
    #expect(result.texts("$screenName") == ["Shop", "Shop"])
  }

  @Test("Without a way up to the window there is no event ID")
  func unknownIdentity() throws {
    let result = try replay([#"tap {"view":"a","class":"UIButton"}"#])
    #expect(result.texts("eventId") == [nil])
    #expect(result.texts("type") == ["buttonEvent"])
  }

  @Test("The index counts views of the same class, also where observing has made a subclass; 1,000 is the limit")
  func manySiblings() throws {
    let names = ["UIButton", "UILabel", "NSKVONotifying_UIButton"]
    let few = names.enumerated().map { #"view {"view":"v\#($0)","class":"\#($1)","in":"root"}"# }
    let tap = #"tap {"view":"b","class":"UIButton","in":"root"}"#
    let id = id("path(UIWindow(0)_UIView(0)_UIButton(2))&controller(Shop)")
    #expect(try replay(Self.shop + few + [tap]).names == [id])
    let many = (0...1000).map { #"view {"view":"m\#($0)","class":"UIButton","in":"root"}"# }
    #expect(try replay(Self.shop + many + [tap]).texts("eventId") == [nil])
  }

  @Test("Names that are longer than those of captures may be have no event ID")
  func longNames() throws {
    let name = String(repeating: "A", count: 33_000)
    let result = try replay([
      #"view {"view":"w","class":"UIWindow"}"#, #"tap {"view":"a","class":"\#(name)","in":"w"}"#,
    ])
    #expect(result.texts("eventId") == [nil])
  }

  // MARK: - Controls

  @Test("A button has its title, its colour as rgba, its image and its frame as rect")
  func buttons() throws {
    let result = try replay([
      ##"tap {"view":"a","class":"UIButton","frame":[16,60,74.5,36],"attributes":{"title":"Buy","titleColor":"#FF3B30","imageName":"cart"}}"##
    ])
    #expect(result.texts("type") == ["buttonEvent"])
    #expect(result.texts("title") == ["Buy"])
    #expect(result.texts("titleColor") == ["rgba(255, 59, 48, 1)"])
    #expect(result.texts("imageName") == ["cart"])
    #expect(result.texts("frame") == ["rect(16, 60, 74.5, 36)"])
  }

  @Test("A button in two states is one event ID")
  func states() throws {
    let result = try replay(
      Self.shop + [
        #"tap {"view":"a","class":"UIButton","in":"root","attributes":{"title":"Follow"}}"#,
        #"tap {"view":"a","attributes":{"title":"Followed"}}"#,
      ])
    #expect(result.names[0] == result.names[1])
    #expect(result.texts("title") == ["Follow", "Followed"])
  }

  @Test("A switch has its state; other controls have their type and page only; a text field is never tracked")
  func otherControls() throws {
    let result = try replay([
      #"tap {"view":"a","class":"UISwitch","attributes":{"on":true}}"#, #"tap {"view":"b","class":"UISlider"}"#,
      #"tap {"view":"c","class":"UITextField"}"#, #"tap {"view":"d","class":"UISearchBarTextField"}"#,
    ])
    #expect(result.texts("type") == ["switchEvent", "controlEvent"])
    #expect(result.values("switchState") == [true, nil])
  }

  @Test("The back button of iOS 10 has the type that it has in captures")
  func backButton() throws {
    let path = PackageFolder.viewTrees.appending(path: "alert-ios10.xml").path
    let screen = IdentifiedTree(try CaptureReader().read(contentsOf: path))
    #expect(screen.trackingType(of: ElementID(39))?.sent.rawValue == "buttonEvent")
    let result = try replay([
      #"tap {"capture":"\#(path)","element":39}"#, #"tap {"view":"back","class":"UINavigationItemButtonView"}"#,
    ])
    #expect(result.texts("type") == ["buttonEvent", "buttonEvent"])
  }

  @Test("The control sends each of its actions itself, whoever the sender is", .articles("H36"))
  func targets() throws {
    let result = try replay([#"tap {"view":"a","class":"UIButton","targets":2,"sender":"UIBarButtonItem"}"#])
    #expect(result.events.count == 2)
  }

  // MARK: - Gestures

  @Test("Only taps and long presses count, a long press once, when it begins", .articles("H52"))
  func gestures() throws {
    func gesture(_ recognizer: String, _ state: String) -> String {
      #"gesture {"view":"a","class":"UILabel","recognizer":"\#(recognizer)","state":"\#(state)"}"#
    }
    let result = try replay([
      gesture("UITapGestureRecognizer", "ended"), gesture("UILongPressGestureRecognizer", "began"),
      gesture("UILongPressGestureRecognizer", "ended"), gesture("UIPanGestureRecognizer", "began"),
    ])
    #expect(result.texts("type") == ["gestureTapEvent", "gestureTapEvent"])
  }

  @Test("Events of the same kind are found by their frames, in rows that no capture has, too", .articles("H53"))
  func sameKindByFrame() throws {
    let list = Self.shop + [#"view {"view":"list","class":"UITableView","in":"root"}"#]
    let rows = (0..<6).flatMap { row in
      [
        #"view {"view":"cell\#(row)","class":"TeaCell","base":"UITableViewCell","in":"list","attributes":{"indexPath":"0 \#(row)"}}"#,
        #"tap {"view":"buy\#(row)","class":"UIButton","in":"cell\#(row)","frame":[300,20,74,36]}"#,
        #"tap {"view":"like\#(row)","class":"UIButton","in":"cell\#(row)","frame":[16,20,74,36]}"#,
      ]
    }
    let events = try replay(list + rows).events
    #expect(Set(events.map { $0["eventId"] }).count == 12)
    let rules = try RuleFiles(
      text: """
        version: 1
        style: hubbledata
        rules:
          - id: tea.buy
            include: { page: Shop, where: { type: buttonEvent, frame: { prefix: "rect(300, ", suffix: ", 74, 36)" } } }
        """
    ).ruleSet()
    let decisions = Matcher(rules).decide(events.map { AnalyticsEvent($0) })
    #expect(decisions.map(\.isSelected) == Array(repeating: [true, false], count: 6).flatMap { $0 })
  }

  @Test(
    "A test of the frame finds rows of a capture and rows that the capture lacks", .articles("H53"))
  func sameKindByFrameInCaptures() throws {
    let rows = (0..<3).map { row in
      """
      <view class="TeaCell" superclasses="UITableViewCell UIView" indexPath="0 \(row)" frame="0 \(100 + 76 * row) 390 76">
      <view class="UIButton" frame="300 \(120 + 76 * row) 74 36" title="Buy" titleColor="#FF8000" imageName="cart" actions="buy:"/>
      <view class="UIButton" frame="16 \(120 + 76 * row) 74 36" title="Like" actions="like:"/></view>
      """
    }
    let tree = """
      <viewTree version="1" app="shop" os="iOS" screen="390 844"><view class="UIWindow" frame="0 0 390 844">
      <view class="UIView" controller="Shop" frame="0 0 390 844"><view class="UITableView" frame="0 100 390 744">
      \(rows.joined())</view></view></view></viewTree>
      """
    let screen = IdentifiedTree(try CaptureReader().read(Array(tree.utf8)))
    let rules = try RuleFiles(
      text: """
        version: 1
        rules:
          - id: tea.buy
            include: { page: Shop, where: { type: buttonEvent, frame: { prefix: "rect(300, ", suffix: ", 74, 36)" } } }
          - id: tea.buy.orange
            include: { where: { titleColor: "rgba(255, 128, 0, 1)", imageName: cart, title: Buy } }
        """
    ).ruleSet()
    let matcher = Matcher(rules)
    let events = ElementEvents(of: screen)
    let buttons = screen.tree.elements.filter { screen.trackingType(of: $0) == .button }
    #expect(buttons.count == 6)
    for (index, button) in buttons.enumerated() {
      // As the capture knows it, by which `select` and the page find elements, and as the SDK sends it.
      for event in events.sentEvents(of: button) {
        let rules = matcher.decide([event])[0].rules.map(\.text)
        #expect(rules.contains("tea.buy") == index.isMultiple(of: 2), "\(event)")
      }
      let sent = try #require(events.sentEvents(of: button).last)
      #expect(
        matcher.decide([sent])[0].rules.map(\.text) == (index.isMultiple(of: 2) ? ["tea.buy", "tea.buy.orange"] : []))
    }
    // Six rows are replayed; the capture has the first three.
    let list = Self.shop + [#"view {"view":"list","class":"UITableView","in":"root"}"#]
    let taps = (0..<6).flatMap { row in
      [
        #"view {"view":"cell\#(row)","class":"TeaCell","base":"UITableViewCell","in":"list","attributes":{"indexPath":"0 \#(row)"}}"#,
        #"tap {"view":"buy\#(row)","class":"UIButton","in":"cell\#(row)","frame":[300,20,74,36]}"#,
      ]
    }
    let replayed = try replay(list + taps).events
    let known = Set(buttons.map { String(describing: screen.eventID(of: $0)) })
    let knownCount = replayed.count { event in known.contains { event["eventId"] == .string($0) } }
    #expect(knownCount == 3)
    let decisions = matcher.decide(replayed.map { AnalyticsEvent($0) })
    #expect(decisions.map(\.isSelected) == Array(repeating: true, count: 6))
  }

  @Test("Code tracks events beside the SDK's own", .articles("H57"))
  func code() throws {
    let result = try replay([#"track {"event":"Paid","properties":{"sum":9}}"#])
    #expect(result.names == ["Paid"])
    #expect(result.values("sum") == [9])
  }

  @Test(
    "A search bar's field is tracked when editing ends, with the typed text unless it is empty; other fields never are",
    .articles("H38", "H40"))
  func search() throws {
    let bar = [
      #"view {"view":"bar","class":"UISearchBar","in":"root"}"#,
      #"view {"view":"field","class":"UISearchBarTextField","in":"bar"}"#,
    ]
    let result = try replay(
      Self.shop + bar + [
        #"editingEnd {"view":"field","text":"tea"}"#, #"editingEnd {"view":"bar","text":"tea"}"#,
        #"editingEnd {"view":"field","text":""}"#,
        #"editingEnd {"view":"name","class":"UITextField","in":"root","text":"Ann"}"#,
      ])
    let id = id("path(UIWindow(0)_UIView(0)_UISearchBar(0)_UISearchBarTextField(0))&controller(Shop)")
    #expect(result.names == [id, id])
    #expect(result.texts("type") == ["searchBarEvent", "searchBarEvent"])
    #expect(result.texts("searchText") == ["tea", "tea"])
  }

  @Test("An element of a capture has the event ID, page and looks that the capture gives")
  func captures() throws {
    let path = PackageFolder.viewTrees.appending(path: "home-feed.xml").path
    let screen = IdentifiedTree(try CaptureReader().read(contentsOf: path))
    let result = try replay([
      #"tap {"capture":"\#(path)","element":17}"#, #"select {"capture":"\#(path)","element":29}"#,
    ])
    #expect(result.names == [17, 29].map { String(describing: screen.eventID(of: ElementID($0))) })
    #expect(result.texts("$screenName") == ["HomeViewController", "HomeViewController"])
    #expect(result.texts("type") == ["buttonEvent", "tableViewSelectEvent"])
    #expect(result.texts("frame")[0]?.hasPrefix("rect(") == true)
  }

  @Test("The options of alerts in captures are those under the touch, in the layouts of iOS 9 and iOS 10")
  func capturedAlerts() throws {
    for (name, carrier, x) in [("alert-ios9", 37, 60), ("alert-ios10", 48, 60)] {
      let path = PackageFolder.viewTrees.appending(path: "\(name).xml").path
      let screen = IdentifiedTree(try CaptureReader().read(contentsOf: path))
      let result = try replay([
        #"gesture {"view":"a","capture":"\#(path)","element":\#(carrier),"point":[\#(x),110],"recognizer":"UITapGestureRecognizer","state":"ended"}"#
      ])
      let options = screen.tree.elements.filter { screen.trackingType(of: $0) == .alert }
      #expect(options.map { String(describing: screen.eventID(of: $0)) }.contains(result.names.first ?? ""), "\(name)")
    }
  }
}
