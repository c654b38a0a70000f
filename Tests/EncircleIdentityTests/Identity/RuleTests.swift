import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Testing

/// The rules of identities, as a table: views, and the identity of the one with the identifier `it`.
@Suite struct RuleTests {
  @Test(
    "the index counts the siblings of exactly the same class, in subview order", .articles("H2", "H3", "H4"),
    arguments: [
      (#"<view class="UIWindow" identifier="it"/>"#, "path(UIWindow(0))"),
      (#"<view class="UIWindow"/><view class="UIWindow" identifier="it"/>"#, "path(UIWindow(0))"),
      (#"<view class="UIWindow"/><view class="UITextEffectsWindow" identifier="it"/>"#, "path(UITextEffectsWindow(0))"),
      (
        #"<view class="W"><view class="A"/><view class="B"/><view class="A"><view class="A"/></view><view class="A" identifier="it"/></view>"#,
        "path(W(0)_A(2))"
      ),
      (
        #"<view class="W"><view class="UIButton"/><view class="MyButton" superclasses="UIButton" identifier="it"/></view>"#,
        "path(W(0)_MyButton(0))"
      ),
      (#"<view class="W"><view class="a"/><view class="A" identifier="it"/></view>"#, "path(W(0)_A(0))"),
      (
        "<view class=\"W\"><view class=\"caf\u{E9}\"/><view class=\"cafe\u{301}\" identifier=\"it\"/></view>",
        "path(W(0)_cafe\u{301}(0))"
      ),
      (#"<view class="W"><view class="A" hidden="true"/><view class="A" identifier="it"/></view>"#, "path(W(0)_A(1))"),
    ])
  func index(views: String, expected: String) throws { try check(views, expected) }

  @Test(
    "runtime-made subclasses give way to the class that was written, and count as it",
    arguments: [
      (#"<view class="NSKVONotifying_W" identifier="it"/>"#, "path(W(0))"),
      (#"<view class="W"><view class="A"/><view class="NSKVONotifying_A" identifier="it"/></view>"#, "path(W(0)_A(1))"),
      (#"<view class="W"><view class="A_Aspects_"/><view class="A" identifier="it"/></view>"#, "path(W(0)_A(1))"),
      (
        #"<view class="W" controller="NSKVONotifying_HomeViewController"><view class="A_CN.SENSORSDATA" identifier="it"/></view>"#,
        "path(W(0)_A(0))&controller(HomeViewController)"
      ),
      (
        #"<view class="W"><view class="NSKVONotifying_UITableViewCell" indexPath="1 2" identifier="it"/></view>"#,
        "path(W(0)_UITableViewCell(section:1 row:2))"
      ),
    ])
  func runtimeSubclasses(views: String, expected: String) throws { try check(views, expected) }

  @Test(
    "a cell with an index path is named by section and row or item", .articles("H7", "H8"),
    arguments: [
      (
        #"<view class="W"><view class="UITableView"><view class="C" superclasses="UITableViewCell UIView" indexPath="0 7" identifier="it"/></view></view>"#,
        "path(W(0)_UITableView(0)_C(section:0 row:7))"
      ),
      (
        #"<view class="UITableView"><view class="C" superclasses="UITableViewCell UIView" indexPath="0 8"/><view class="C" superclasses="UITableViewCell UIView" indexPath="0 7"><view class="UIButton" identifier="it"/></view></view>"#,
        "path(UITableView(0)_C(section:0 row:7)_UIButton(0))"
      ),
      (
        #"<view class="UITableView"><view class="UITableViewWrapperView"><view class="C" superclasses="UITableViewCell" indexPath="3 0" identifier="it"/></view></view>"#,
        "path(UITableView(0)_UITableViewWrapperView(0)_C(section:3 row:0))"
      ),
      (
        #"<view class="UICollectionView"><view class="C" superclasses="UICollectionViewCell" indexPath=" 2  5 " identifier="it"/></view>"#,
        "path(UICollectionView(0)_C(section:2 item:5))"
      ),
      (
        #"<view class="UITableView"><view class="C" superclasses="UITableViewCell" indexPath="0 1"><view class="UICollectionView"><view class="D" superclasses="UICollectionViewCell" indexPath="0 4"><view class="UILabel" identifier="it"/></view></view></view></view>"#,
        "path(UITableView(0)_C(section:0 row:1)_UICollectionView(0)_D(section:0 item:4)_UILabel(0))"
      ),
      // Without an index path a cell is a view like any other.
      (
        #"<view class="UITableView"><view class="C" superclasses="UITableViewCell" indexPath="0 0"/><view class="C" superclasses="UITableViewCell" identifier="it"/></view>"#,
        "path(UITableView(0)_C(1))"
      ),
      (#"<view class="UIView" indexPath="0 1" identifier="it"/>"#, "path(UIView(0))"),
    ])
  func cells(views: String, expected: String) throws { try check(views, expected) }

  private static func bar(_ items: String) -> String {
    #"<view class="UILayoutContainerView" controller="UINavigationController"><view class="UIView" controller="OrderViewController"/><view class="UINavigationBar">"#
      + items + "</view></view>"
  }

  private static let barPath = "path(UILayoutContainerView(0)_UINavigationBar(0)"

  @Test(
    "a control anywhere under a navigation bar has no locator and no controller, but its actions",
    .articles("H10", "H11"),
    arguments: [
      (#"<view class="UIButton" actions="button1Click:" identifier="it"/>"#, "_UIButton)&actions(button1Click:)"),
      (
        #"<view class="UIButton"/><view class="UIButton" actions="share: logShare:" identifier="it"/>"#,
        "_UIButton)&actions(share:,logShare:)"
      ),
      (#"<view class="UIButton" identifier="it"/>"#, "_UIButton)"),
      (#"<view class="UIButton" actions="" identifier="it"/>"#, "_UIButton)"),
      (
        #"<view class="_UINavigationBarContentView"><view class="_UIButtonBarStackView"><view class="_UIButtonBarButton" superclasses="UIControl UIView" actions="a" identifier="it"/></view></view>"#,
        "__UINavigationBarContentView(0)__UIButtonBarStackView(0)__UIButtonBarButton)&actions(a)"
      ),
      (#"<view class="UISwitch" actions="a:" identifier="it"/>"#, "_UISwitch)&actions(a:)"),
      // An element that is no control keeps index and controller.
      (#"<view class="UILabel" identifier="it"/>"#, "_UILabel(0))&controller(UINavigationController)"),
      (
        #"<view class="UIButton" actions="a"><view class="UILabel" identifier="it"/></view>"#,
        "_UIButton_UILabel(0))&controller(UINavigationController)"
      ),
    ])
  func navigationBar(items: String, expected: String) throws { try check(Self.bar(items), Self.barPath + expected) }

  @Test("a control in a toolbar or tab bar is no navigation-bar item", arguments: ["UIToolbar", "UITabBar"])
  func otherBars(bar: String) throws {
    try check(
      #"<view class="\#(bar)" controller="C"><view class="UIButton"/><view class="UIButton" actions="a:" identifier="it"/></view>"#,
      "path(\(bar)(0)_UIButton(1))&controller(C)")
  }

  private static func child(_ parent: String, _ between: (String, String) = ("", "")) -> String {
    #"<view class="R" controller="\#(parent)" frame="0 0 100 200">"# + between.0
      + #"<view class="A"/><view class="A" frame="100 0 100 200" controller="ChildViewController" identifier="it"/>"#
      + between.1 + "</view>"
  }

  @Test(
    "a child page has no locator, unless its parent only holds pages", .articles("H20", "H26"),
    arguments: [
      (child("HomeViewController"), "path(R(0)_A)&controller(ChildViewController)"),
      (child("UIViewController"), "path(R(0)_A)&controller(ChildViewController)"),
      (child("UINavigationController"), "path(R(0)_A(1))&controller(ChildViewController)"),
      (child("UITabBarController"), "path(R(0)_A(1))&controller(ChildViewController)"),
      (child("UISplitViewController"), "path(R(0)_A(1))&controller(ChildViewController)"),
      (
        child("My\" controllerSuperclasses=\"UINavigationController UIViewController"),
        "path(R(0)_A(1))&controller(ChildViewController)"
      ),
      (
        child("HomeViewController", (#"<view class="UIView">"#, "</view>")),
        "path(R(0)_UIView(0)_A)&controller(ChildViewController)"
      ),
      (
        #"<view class="W"><view class="A"/><view class="A" controller="RootViewController" identifier="it"/></view>"#,
        "path(W(0)_A(1))&controller(RootViewController)"
      ),
    ])
  func childPages(views: String, expected: String) throws { try check(views, expected) }

  private static func page(_ frame: String, scrollView: String = #"class="UIScrollView" frame="0 0 100 200""#) -> String
  {
    #"<view class="R" controller="HomeViewController"><view \#(scrollView)><view class="A"/><view class="A" \#(frame) controller="PageViewController" identifier="it"/></view></view>"#
  }

  @Test(
    "a child page in a scroll view is named by its centre, in superviews, truncated toward zero",
    .articles("H22", "H23"),
    arguments: [
      (page(#"frame="0 0 100 200""#), "A(indexx:0 indexy:0)"),
      (page(#"frame="100 0 100 200""#), "A(indexx:1 indexy:0)"),
      (page(#"frame="300 400 100 200""#), "A(indexx:3 indexy:2)"),
      (page(#"frame="49 0 100 200""#), "A(indexx:0 indexy:0)"),
      (page(#"frame="50 0 100 200""#), "A(indexx:1 indexy:0)"),
      (page(#"frame="-100 0 100 200""#), "A(indexx:0 indexy:0)"),
      (page(#"frame="-160 -400 100 200""#), "A(indexx:-1 indexy:-1)"),
      (page(#"frame="1e300 0 1 1""#), "A"), (page(""), "A"), (page(#"frame="0 0 0 0""#), "A(indexx:0 indexy:0)"),
      (page(#"frame="100 0 100 200""#, scrollView: #"class="UIScrollView""#), "A"),
      (page(#"frame="100 0 100 200""#, scrollView: #"class="UIScrollView" frame="0 0 0 200""#), "A"),
      (
        page(#"frame="100 0 100 200""#, scrollView: #"class="My" superclasses="UIScrollView" frame="0 0 100 200""#),
        "A(indexx:1 indexy:0)"
      ),
    ])
  func pagesInScrollViews(views: String, expected: String) throws {
    let screen = try Screens.of(views)
    let it = try #require(screen.it)
    let component = try #require(screen.path(of: it).components.last)
    #expect(ElementPath([component]).written(.underscores) == expected)
    let isUnplaced = screen.missingInformation.contains { if case .pagePositions([it]) = $0 { true } else { false } }
    #expect(isUnplaced == (expected == "A"), "what has no position is reported")
  }

  @Test("a page slot in a scroll view is named like its page; a slot without page is not", .articles("H24"))
  func pageSlots() throws {
    let screen = try Screens.of(
      """
      <view class="R" controller="UIPageViewController"><view class="_UIQueuingScrollView" frame="0 0 100 200">
      <view class="UIView" frame="0 0 100 200"/>
      <view class="UIView" frame="200 0 100 200"><view class="P" frame="0 0 100 200" controller="PageViewController"><view class="UILabel"/></view></view>
      <view class="UIView" frame="100 0 100 200"><view class="P" frame="0 0 100 200" controller="PageViewController"/></view>
      </view></view>
      """)
    let paths = screen.tree.elements.map { screen.path(of: $0).written(.slashes) }
    let scroll = "R(0)/_UIQueuingScrollView(0)"
    #expect(
      paths == [
        "R(0)", scroll, scroll + "/UIView(0)", scroll + "/UIView(indexx:2 indexy:0)",
        scroll + "/UIView(indexx:2 indexy:0)/P(indexx:0 indexy:0)",
        scroll + "/UIView(indexx:2 indexy:0)/P(indexx:0 indexy:0)/UILabel(0)",
        scroll + "/UIView(indexx:1 indexy:0)", scroll + "/UIView(indexx:1 indexy:0)/P(indexx:0 indexy:0)",
      ])
  }

  private static func alert(_ attributes: String) -> String {
    #"<view class="_UIAlertControllerView" controller="UIAlertController" \#(attributes)><view class="UIView" identifier="it"/></view>"#
  }

  private static let alertPath = "path(_UIAlertControllerView(0)_UIView(0))&controller(UIAlertController)"

  @Test(
    "inside an alert the identity has its message and title: absent ones left out, empty ones written",
    .articles("H16"),
    arguments: [
      (#"title="退群" message="确认?""#, "&message(确认?)&title(退群)"), (#"title="t""#, "&title(t)"),
      (#"message="m""#, "&message(m)"),
      ("", ""), (#"title="" message="""#, "&message()&title()"), (#"title="""#, "&title()"),
      (#"title="a)&amp;title(b" message="(""#, "&message(()&title(a)&title(b)"),
      (#"title="A &amp; B""#, "&title(A & B)"), ("title=\"caf\u{65}\u{301}\"", "&title(caf\u{65}\u{301})"),
      ("title=\"a&#10;b\"", "&title(a\nb)"), ("title=\" a \"", "&title( a )"),
    ])
  func alertTexts(attributes: String, expected: String) throws {
    try check(Self.alert(attributes), Self.alertPath + expected)
  }

  @Test("outside alerts a title is not part of the identity")
  func noAlert() throws {
    try check(#"<view class="A" title="t" message="m" identifier="it"/>"#, "path(A(0))")
  }

  @Test("an alert within an alert has its own texts")
  func nestedAlerts() throws {
    let views =
      #"<view class="_UIAlertControllerView" title="outer" message="m"><view class="_UIAlertControllerView" title="inner"><view class="UIView" identifier="it"/></view></view>"#
    try check(views, "path(_UIAlertControllerView(0)__UIAlertControllerView(0)_UIView(0))&title(inner)")
  }

  @Test("child pages have the same identities in whichever order they were opened", .articles("H21"))
  func openedInTwoOrders() throws {
    func identities(_ name: String) throws -> [String] {
      let screen = try Screens.named(name)
      return screen.tree.elements.map { screen.identity(of: $0) }.sorted()
    }
    #expect(try identities("channels-a.xml") == identities("channels-b.xml"))
  }

  private func check(_ views: String, _ expected: String) throws {
    let screen = try Screens.of(views)
    let it = try #require(screen.it)
    #expect(
      Array(screen.identity(of: it).utf8) == Array(expected.utf8), "\(screen.identity(of: it)) is not \(expected)")
    #expect(screen.eventID(of: it) == EventID(identity: expected))
  }
}
