import EncircleEvents
import EncircleSessions
import Testing

/// The facts that the Sensors SDK sends about elements and screens, one statement a test.
@Suite struct SensorsElementTests {
  typealias Session = BriefSession

  private static let home = #"define "controller":"home","class":"HomeViewController","title":"Home""#

  /// Returns a property of all clicks.
  private static func clicks(
    _ property: String, _ signals: [String], configuration: String = ""
  ) throws -> [String] {
    try Session.replay(Session.front + [home] + signals, configuration: configuration)
      .values(property, of: "$AppClick")
  }

  private static func tap(_ name: String, _ members: String) -> String {
    #"tap "view":"\#(name)","controller":"home",\#(members)"#
  }

  // MARK: - Content

  @Test(
    "The content of a control is its title, its state or its value",
    arguments: [
      (#""class":"UIButton","attributes":{"title":"Buy"}"#, "\"Buy\""),
      (#""class":"UIButton","attributes":{"title":""}"#, "\"\""), (#""class":"UIButton""#, "-"),
      (#""class":"UISwitch","attributes":{"on":true}"#, "\"checked\""), (#""class":"UISwitch""#, "\"unchecked\""),
      (#""class":"UIStepper","attributes":{"value":2}"#, "\"2\""),
      (#""class":"UIStepper","attributes":{"value":0.1}"#, "\"0.1\""),
      (#""class":"UIStepper","attributes":{"value":1234567}"#, "\"1.23457e+06\""), (#""class":"UIStepper""#, "\"0\""),
      (#""class":"UISlider","attributes":{"value":0.1}"#, "\"0.100000\""),
      (#""class":"UISlider","attributes":{"value":123456.789}"#, "\"123456.789062\""),
      (#""class":"UIPageControl","attributes":{"selectedIndex":3}"#, "\"3\""), (#""class":"UIPageControl""#, "\"0\""),
      (#""class":"UISegmentedControl","attributes":{"selectedIndex":1,"titles":["A","B"]}"#, "\"B\""),
      (#""class":"UISegmentedControl","attributes":{"selectedIndex":1,"segments":["A","B"]}"#, "\"B\""),
      (#""class":"UISegmentedControl","attributes":{"selectedIndex":2,"titles":["A","B"]}"#, "-"),
      (#""class":"UITextField","attributes":{"text":"secret"}"#, "-"), (#""class":"UIDatePicker""#, "-"),
    ])
  func contents(members: String, content: String) throws {
    #expect(try Self.clicks("$element_content", [Self.tap("a", members)]) == [content])
  }

  @Test("The content of a view is that of its visible subviews, which the app does not ignore, joined by hyphens")
  func subviews() throws {
    func label(_ name: String, _ members: String) -> String {
      #"view "view":"\#(name)","class":"UILabel","in":"card",\#(members)"#
    }
    let card = #"view "view":"card","class":"UIView","controller":"home""#
    let content = try Self.clicks(
      "$element_content",
      [
        card, label("1", #""attributes":{"text":"Tea"}"#), label("2", #""attributes":{"text":""}"#),
        label("3", #""attributes":{"text":"old","hidden":true}"#),
        label("4", #""attributes":{"text":"secret"},"ignoreView":true"#),
        #"view "view":"5","class":"UIImageView","in":"card","attributes":{"imageName":"cup"}"#,
        #"view "view":"6","class":"UIButton","in":"card","attributes":{"title":"Buy"}"#,
        #"view "view":"7","class":"UIView","in":"card","attributes":{"label":"not this"}"#,
        #"gesture "view":"card","recognizer":"UITapGestureRecognizer","state":"ended""#,
      ])
    #expect(content == ["\"Tea-cup-Buy\""])
  }

  @Test("Views of React Native have their accessibility label, and so have segments inside a control of it")
  func reactNative() throws {
    let content = try Self.clicks(
      "$element_content",
      [
        #"view "view":"control","class":"RNCSegmentedControl","base":"UISegmentedControl","controller":"home""#,
        #"gesture "view":"segment","class":"UISegment","base":"UIImageView","in":"control","recognizer":"UITapGestureRecognizer","state":"ended","attributes":{"label":" Day "}"#,
        #"gesture "view":"view","class":"RCTView","controller":"home","recognizer":"UITapGestureRecognizer","state":"ended","attributes":{"label":"Pay"}"#,
        #"view "view":"plain","class":"UISegmentedControl","controller":"home""#,
        #"gesture "view":"other","class":"UISegment","base":"UIImageView","in":"plain","recognizer":"UITapGestureRecognizer","state":"ended","attributes":{"label":"Day"}"#,
      ])
    #expect(content == ["\"Day\"", "\"Pay\"", "-"])
  }

  // MARK: - Type and position

  @Test("An option of an alert that has a window of its own is that of an alert view or, if it is high, of a sheet")
  func alertTypes() throws {
    func types(_ window: String, _ height: Int) throws -> [String] {
      try Self.clicks(
        "$element_type",
        [
          #"view "view":"window","class":"\#(window)","base":"UIWindow""#,
          #"view "view":"alert","class":"_UIAlertControllerView","base":"UIView","in":"window""#,
          #"view "view":"cell","class":"_UIAlertControllerCollectionViewCell","in":"alert","frame":[0,0,99,\#(height)]"#,
          #"gesture "view":"alert","recognizer":"UITapGestureRecognizer","state":"ended","point":[1,1]"#,
        ])
    }
    #expect(try types("_UIAlertControllerShimPresenterWindow", 51) == ["\"UIActionSheet\""])
    #expect(try types("_UIAlertControllerShimPresenterWindow", 50) == ["\"UIAlertView\""])
    #expect(try types("UIWindow", 51) == ["\"UIAlertController\""])
  }

  @Test("The position of a tab bar's button is its number among those of its superview, or of its controller's view")
  func tabs() throws {
    let bar = #"view "view":"bar","class":"UITabBar","controller":"home""#
    let inBar = (0..<3).map { #"tap "view":"\#($0)","class":"UITabBarButton","in":"bar""# }
    #expect(try Self.clicks("$element_position", [bar] + inBar) == ["\"0\"", "\"1\"", "\"2\""])
    let alone = (0..<3).map { Self.tap("\($0)", #""class":"UITabBarButton""#) }
    #expect(try Self.clicks("$element_position", alone) == ["\"0\"", "\"1\"", "\"2\""])
    #expect(try Self.clicks("$element_position", [Self.tap("a", #""class":"UIButton""#)]) == ["-"])
  }

  @Test("A view inside a cell has the cell's position, a segmented control its own, as long as something is selected")
  func positionInCells() throws {
    let signals = [
      #"view "view":"list","class":"UICollectionView","controller":"home""#,
      #"view "view":"cell","class":"Tile","base":"UICollectionViewCell","in":"list","attributes":{"indexPath":"2 5"}"#,
      #"tap "view":"a","class":"UIButton","in":"cell""#,
      #"tap "view":"b","class":"UISegmentedControl","in":"cell","attributes":{"selectedIndex":1}"#,
      #"trackClick "view":"b","attributes":{"selectedIndex":-1}"#,
    ]
    #expect(try Self.clicks("$element_position", signals) == ["\"2:5\"", "\"1\"", "\"2:5\""])
  }

  @Test("Cells of a list that had its delegate before the SDK was started give no events")
  func earlierLists() throws {
    let list = [
      Self.home, #"view "view":"list","class":"UITableView","controller":"home""#,
      #"view "view":"cell","class":"UITableViewCell","in":"list","attributes":{"indexPath":"0 0"}"#,
    ]
    let selection = #"select "view":"list","indexPath":[0,0]"#
    #expect(try Session.replay(["launch"] + list + ["init", selection]).names == ["$AppStart"])
    #expect(try Session.replay(["launch", "init"] + list + [selection]).names == ["$AppStart", "$AppClick"])
  }

  // MARK: - Screens

  @Test("The screen of a view in a child of a page is the page, in a container the child")
  func screens() throws {
    func screen(_ base: String) throws -> [String] {
      try Self.clicks(
        "$screen_name",
        [
          #"define "controller":"outer","class":"Outer","base":"\#(base)""#,
          #"define "controller":"inner","class":"Inner","parent":"outer""#,
          #"tap "view":"a","class":"UIButton","controller":"inner""#,
        ])
    }
    #expect(try screen("UIViewController") == ["\"Outer\""])
    for base in ["UINavigationController", "UITabBarController", "UIPageViewController", "UISplitViewController"] {
      #expect(try screen(base) == ["\"Inner\""], "\(base)")
    }
  }

  @Test(
    "Beneath an alert is the page of the navigation controller inside the window's controller, as in apps with drawers")
  func drawers() throws {
    let drawer = [
      #"define "controller":"drawer","class":"Drawer","top":true"#,
      #"define "controller":"nav","class":"UINavigationController","parent":"drawer""#,
      #"define "controller":"menu","class":"Menu","parent":"drawer""#,
      #"define "controller":"list","class":"List","parent":"nav""#,
      #"define "controller":"alert","class":"UIAlertController""#,
    ]
    let tap = #"tap "view":"a","class":"UIButton","controller":"alert""#
    #expect(try Self.clicks("$screen_name", drawer + [tap]) == ["\"List\""])
    let shown = #"define "controller":"menu","top":true"#
    #expect(try Self.clicks("$screen_name", drawer + [shown, tap]) == ["\"Drawer\""])
  }

  @Test("A controller's own properties are in its clicks, and count instead of its name and title")
  func controllerProperties() throws {
    let signals = [
      #"define "controller":"home","properties":{"$screen_name":"Shop","sku":7}"#,
      Self.tap("a", #""class":"UIButton""#),
    ]
    #expect(try Self.clicks("$screen_name", signals) == ["\"Shop\""])
    #expect(try Self.clicks("$title", signals) == ["\"Home\""])
    #expect(try Self.clicks("sku", signals) == ["7"])
  }

  @Test("Code tracks pages that never appeared, with properties of the event over those of the controller")
  func codePages() throws {
    let result = try Session.replay(
      Session.front + [
        #"trackScreen "controller":"Cart","title":"Cart","properties":{"sku":7,"n":1},"extra":{"n":2}"#,
        #"appear "controller":"Cart""#, #"trackScreen "controller":"nav","class":"UINavigationController""#,
      ], configuration: #""autoTrack":["start"]"#)
    #expect(result.values("$screen_name", of: "$AppViewScreen") == ["\"Cart\""])
    #expect(result.values("sku", of: "$AppViewScreen") == ["7"])
    #expect(result.values("n", of: "$AppViewScreen") == ["2"])
  }

  @Test("What changes when a page disappears is in the event of leaving it")
  func leavingChanges() throws {
    let pages = [
      #"appear "controller":"Cart","title":"1 item""#, #"disappear "controller":"Cart","title":"2 items""#,
      #"appear "controller":"Silent""#, #"disappear "controller":"Silent","super":false"#,
      #"disappear "controller":"Nobody","title":"none""#,
    ]
    let result = try Session.replay(Session.front + pages, configuration: #""pageLeave":true"#)
    #expect(result.values("$title", of: "$AppPageLeave") == ["\"2 items\""])
  }

  @Test("A page that was held until the start, and released since, is not left when the app goes to the background")
  func heldAndReleased() throws {
    let result = try Session.replay(
      Session.woken + [#"appear "controller":"Feed""#, #"dealloc "controller":"Feed""#] + Session.back + Session.left,
      configuration: #""pageLeave":true"#)
    #expect(result.names == ["$AppStartPassively", "$AppStart", "$AppViewScreen", "$AppEnd"])
  }
}
