import EncircleCapture
import EncircleIdentity
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

/// The paths that styles give to an element, which has the identifier `it`.
@Suite struct StyleWritingTests {
  // The big list only has more of the same.
  private static let captures = PackageFolder.smallCaptureNames

  private func path(_ style: PathStyleName, _ views: String, header: String = "") throws -> StyledPath? {
    let text = viewTree(views).replacing("<viewTree version=\"1\"", with: "<viewTree version=\"1\" \(header)")
    let screen = IdentifiedTree(try CaptureReader().read(Array(text.utf8)))
    let element = try #require(screen.it)
    return style.style.path(of: PathChains(of: screen).chain(to: element))
  }

  private static func page(_ inner: String) -> String {
    """
    <view class='UIWindow'><view class='UITransitionView'><view class='UIView'/>
    <view class='UIView' controller='ElementViewController'>\(inner)</view></view></view>
    """
  }

  // MARK: - Sensors

  private static let scrollView = """
    <view class='UIScrollView'><view class='UIButton' identifier='UIButton'/>
    <view class='CustomButton' superclasses='UIButton UIControl UIView' identifier='CustomButton'/>
    <view class='UISlider' identifier='UISlider'/><view class='UIStepper' identifier='UIStepper'/>
    <view class='UISwitch' identifier='UISwitch'/><view class='UISegmentedControl' identifier='UISegmentedControl'>
    <view class='UISegment' frame='50 0 50 30' identifier='segment.right'/><view class='UIImageView'/>
    <view class='UISegment' frame='0 0 50 30'><view class='UISegmentLabel' identifier='segment.label'/></view></view>
    <view class='UILabel' identifier='UILabel'/><view class='UIImageView' identifier='UIImageView'/></view>
    """

  @Test(
    "the paths of the Sensors SDK's own test screen are written, a root view without index",
    arguments: [
      ("UIButton", "UIView/UIScrollView[0]/UIButton[0]"), ("CustomButton", "UIView/UIScrollView[0]/CustomButton[0]"),
      ("UISlider", "UIView/UIScrollView[0]/UISlider[0]"), ("UIStepper", "UIView/UIScrollView[0]/UIStepper[0]"),
      ("UISwitch", "UIView/UIScrollView[0]/UISwitch[0]"), ("UILabel", "UIView/UIScrollView[0]/UILabel[0]"),
      ("UIImageView", "UIView/UIScrollView[0]/UIImageView[0]"),
      ("UISegmentedControl", "UIView/UIScrollView[0]/UISegmentedControl[0]/UISegment[-]"),
      ("segment.right", "UIView/UIScrollView[0]/UISegmentedControl[0]/UISegment[-]"),
      ("segment.label", "UIView/UIScrollView[0]/UISegmentedControl[0]/UISegment[-]/UISegmentLabel[0]"),
    ])
  func sensorsVectors(identifier: String, expected: String) throws {
    let views = Self.page(Self.scrollView.replacing("identifier='\(identifier)'", with: "identifier='it'"))
    #expect(try path(.sensors, views)?.written == expected)
  }

  @Test(
    "cells have any row in sensors, their row in sensors-exact, and the forms of the other styles", .articles("H9"),
    arguments: [
      (.sensors, "UIView/UITableView[0]/UITableViewCell[0][-]"),
      (.sensorsExact, "UIView/UITableView[0]/UITableViewCell[0][3]"),
      (.lede, "ElementViewController-UITableView-UITableViewWrapperView-UITableViewCell & 0-0-0-0:3"),
      (.growingIO, "/ElementViewController/UIView/UITableView/Section/UITableViewCell & /0/0/0/0/-"),
      (.postHog, "UITableViewCell;UITableViewWrapperView;UITableView;UIView;UITransitionView;UIWindow"),
      (
        .hubbleData,
        "UIWindow(0)_UITransitionView(0)_UIView(1)_UITableView(0)_UITableViewWrapperView(0)_UITableViewCell(section:0 row:3)"
      ),
    ] as [(PathStyleName, String)])
  func cells(style: PathStyleName, expected: String) throws {
    let views = Self.page(
      """
      <view class='UITableView'><view class='UITableViewWrapperView'><view class='UITableViewCell' indexPath='0 4'/>
      <view class='UITableViewCell' indexPath='0 3' identifier='it'/></view></view>
      """)
    #expect(try path(style, views)?.written == expected)
  }

  @Test(
    "of nested lists only the innermost has any row",
    arguments: [
      (
        .sensors,
        "UIView/UITableView[1]/TableViewCollectionViewCell[0][0]/UITableViewCellContentView[0]/UICollectionView[0]/HomeOptionsCollecionCell[0][-]/UIButton[0]"
      ),
      (
        .sensorsExact,
        "UIView/UITableView[1]/TableViewCollectionViewCell[0][0]/UITableViewCellContentView[0]/UICollectionView[0]/HomeOptionsCollecionCell[0][2]/UIButton[0]"
      ),
      (
        .growingIO,
        "/ElementViewController/UIView/UITableView/Section/TableViewCollectionViewCell/UITableViewCellContentView/UICollectionView/Section/HomeOptionsCollecionCell/UIButton & /0/0/1/0/0/0/0/0/-/0"
      ),
      (
        .lede,
        "ElementViewController-UITableView-TableViewCollectionViewCell-UITableViewCellContentView-UICollectionView-HomeOptionsCollecionCell-UIButton & 0-1-0:0-0-0-0:2-0"
      ),
    ] as [(PathStyleName, String)])
  func nested(style: PathStyleName, expected: String) throws {
    let views = Self.page(
      """
      <view class='UITableView'/><view class='UITableView'>
      <view class='TableViewCollectionViewCell' superclasses='UITableViewCell UIView' indexPath='0 0'>
      <view class='UITableViewCellContentView'><view class='UICollectionView'>
      <view class='HomeOptionsCollecionCell' superclasses='UICollectionViewCell UIView' indexPath='0 2'>
      <view class='UIButton' identifier='it'/></view></view></view></view></view>
      """)
    #expect(try path(style, views)?.written == expected)
  }

  @Test(
    "up to iOS 9 the options of an alert are cells like others, and GrowingIO has a button",
    arguments: [
      (
        .sensors,
        "UIAlertController/_UIAlertControllerView/UICollectionView[0]/_UIAlertControllerCollectionViewCell[0][-]/_UIAlertControllerActionView[0]"
      ),
      (
        .growingIO,
        "/HomeViewController/UICollectionView/Button/Button & /0/0/0/-/1"
      ),
    ] as [(PathStyleName, String)])
  func alerts(style: PathStyleName, expected: String) throws {
    let cell = "_UIAlertControllerCollectionViewCell' superclasses='UICollectionViewCell UIView"
    let views = """
      <view class='UIWindow'><view class='UIView' controller='HomeViewController'/></view>
      <view class='UIWindow'><view class='_UIAlertControllerView' controller='UIAlertController' title='t'>
      <view class='UICollectionView'>
      <view class='\(cell)' indexPath='0 1'><view class='_UIAlertControllerActionView' identifier='it'/></view>
      <view class='\(cell)' indexPath='0 0'><view class='_UIAlertControllerActionView'/></view>
      </view></view></view>
      """
    #expect(try path(style, views)?.written == expected)
  }

  @Test(
    "special cases of single classes",
    arguments: [
      // Left out of the path, but counted.
      (
        .sensors, "<view class='_UISearchBarFieldEditor'><view class='UILabel' identifier='it'/></view>",
        "UIView/UILabel[0]"
      ),
      (
        .sensors,
        "<view class='UITabBar'><view class='UITabBarButton'/><view class='UITabBarButton' identifier='it'/></view>",
        "UIView/UITabBar[0]/UITabBarButton[-]"
      ),
      (
        .sensorsExact,
        "<view class='UITabBar'><view class='UITabBarButton'/><view class='UITabBarButton' identifier='it'/></view>",
        "UIView/UITabBar[0]/UITabBarButton[1]"
      ),
      // A cell of unknown index path is numbered as any view.
      (
        .sensors,
        "<view class='UITableView'><view class='UITableViewCell'/><view class='UITableViewCell' identifier='it'/></view>",
        "UIView/UITableView[0]/UITableViewCell[1]"
      ),
      (
        .sensors,
        "<view class='UITableView'><view class='UITableViewHeaderFooterView' section='2' role='header'><view class='UIButton' identifier='it'/></view><view class='UITableViewCell' indexPath='2 0' frame='0 9 9 9'/></view>",
        "UIView/UITableView[0]/[SectionHeader][2]/UIButton[0]"
      ),
      (
        .sensors,
        "<view class='UITableView'><view class='UITableViewHeaderFooterView' section='2' role='footer' identifier='it'/><view class='UITableViewCell' indexPath='2 0' frame='0 9 9 9'/></view>",
        "UIView/UITableView[0]/[SectionFooter][2]"
      ),
      (
        .growingIO,
        "<view class='UITableView'><view class='UITableViewHeaderFooterView' indexPath='1 0'><view class='UIButton' identifier='it'/></view></view>",
        "/ElementViewController/UIView/UITableView/UITableViewHeaderFooterView/UIButton & /0/0/0/1/0"
      ),
      (
        .growingIO,
        "<view class='UISegmentedControl'><view class='UISegment' frame='9 0 9 9'/><view class='UISegment' frame='0 0 9 9' identifier='it'/></view>",
        "/ElementViewController/UIView/UISegmentedControl/UISegment & /0/0/0/-"
      ),
      // A developer's tag begins the path anew.
      (.growingIO, "<view class='UIButton' growingUniqueTag='ButtonAAA' identifier='it'/>", "/ButtonAAA & /0"),
      (
        .growingIO,
        "<view class='UIView'/><view class='UIView' growingUniqueTag='CCCCC'><view class='UIButton' identifier='it'/></view>",
        "/CCCCC/UIButton & /1/0"
      ),
      (
        .lede, "<view class='Shop.CartView'><view class='Box&lt;Shop.Item>' identifier='it'/></view>",
        "ElementViewController-CartView-Box<Shop.Item> & 0-0-0"
      ),
      (
        .postHog,
        "<view class='Shop.Box&lt;Shop.Item>' superclasses='UILabel UIView' postHogLabel='a&quot;b' identifier='it'/>",
        "Box:attr__class=\"UILabel\"attr_id=\"a\"b\";UIView;UITransitionView;UIWindow"
      ),
      (
        .postHog, "<view class='UIButton' title='  Pay&#10;&#10; now&#x200B; ' identifier='it'/>",
        "UIButton:text=\"Pay now\";UIView;UITransitionView;UIWindow"
      ),
      (
        .postHog, "<view class='UISwitch' on='true' identifier='it'/>",
        "UISwitch:text=\"true\";UIView;UITransitionView;UIWindow"
      ),
      // No path contains what somebody typed.
      (
        .postHog, "<view class='UITextField' text='secret' identifier='it'/>",
        "UITextField;UIView;UITransitionView;UIWindow"
      ),
    ] as [(PathStyleName, String, String)])
  func special(style: PathStyleName, inner: String, expected: String) throws {
    #expect(try path(style, Self.page(inner))?.written == expected)
  }

  @Test("hidden siblings count in every style", arguments: [PathStyleName.sensors, .lede, .growingIO, .hubbleData])
  func hidden(style: PathStyleName) throws {
    let views = Self.page("<view class='UIButton' hidden='true'/><view class='UIButton' identifier='it'/>")
    let last = try #require(try path(style, views)).components.last
    #expect(last?.place == .index(1))
  }

  @Test("GrowingIO's paths begin with all controllers, numbered among their parents' children")
  func controllers() throws {
    let views = """
      <view class='UIWindow'><view class='UILayoutContainerView' controller='UITabBarController'>
      <view class='UILayoutContainerView' controller='UINavigationController'/>
      <view class='UILayoutContainerView' controller='UINavigationController'><view class='UINavigationTransitionView'>
      <view class='UIView' controller='GIOSimpleUIElemtsViewController'><view class='UIView'>
      <view class='UIButton' identifier='it'/></view></view></view></view></view></view>
      """
    let path = try #require(try path(.growingIO, views))
    #expect(
      GrowingIOStyle.xpath(of: path)
        == "/UITabBarController/UINavigationController/GIOSimpleUIElemtsViewController/UIView/UIView/UIButton")
    #expect(GrowingIOStyle.xcontent(of: path) == "/0/1/0/0/0/0")
  }

  @Test(
    "Lede's sample path is written, with its MD5 as id, and an element without a controller has no path",
    .articles("L17"))
  func lede() throws {
    let views = """
      <view class='UIWindow'><view class='UIView' controller='Hall.HYGHallSlideViewController'><view class='UIScrollView'>
      <view class='HYGHallProductTableView' superclasses='UITableView'/>
      <view class='HYGHallProductTableView' superclasses='UITableView'><view class='UITableViewWrapperView'>
      <view class='HYGHallProductCell' superclasses='UITableViewCell' indexPath='0 2'>
      <view class='UITableViewCellContentView'><view class='HYGHallProductView'/>
      <view class='HYGHallProductView' identifier='it'/></view></view></view></view></view></view></view>
      """
    let path = try #require(try path(.lede, views))
    let expected =
      "HYGHallSlideViewController-UIScrollView-HYGHallProductTableView-UITableViewWrapperView-HYGHallProductCell-UITableViewCellContentView-HYGHallProductView & 0-0-1-0-0:2-0-1"
    #expect(path.written == expected)
    // As md5sum has it.
    #expect(path.digest.map { Hexadecimal.text($0) } == "9939498b21974f4b1abea0cd493fecf8")
    #expect(
      try self.path(.lede, "<view class='UIWindow' identifier='it'><view class='UIView' controller='A'/></view>") == nil
    )
  }

  @Test(
    "an element in an alert without controller has a path from the alert on, and the alert's texts", .articles("L15"))
  func ledeAlerts() throws {
    let alert = """
      <view class='UIWindow'><view class='UIView' controller='Home'/></view>
      <view class='UIWindow'><view class='UIAlertView' title='Log out' message='Really?'>
      <view class='UIAlertButton' superclasses='UIButton'/><view class='UIAlertButton' superclasses='UIButton' identifier='it'/>
      </view></view>
      """
    #expect(try path(.lede, alert)?.written == "UIAlertView-UIAlertButton & 0-1")
    let sheet = alert.replacing("UIAlertView", with: "UIActionSheet").replacing(" title='Log out'", with: "")
    #expect(try path(.lede, sheet)?.written == "UIActionSheet-UIAlertButton & 0-1")
    let screen = try Screens.of(sheet)
    let button = try #require(screen.it)
    let texts = try #require(screen.alertTexts(of: button))
    #expect(texts.title == nil && texts.message == "Really?")
    #expect(screen.alertTexts(of: ElementID(0)) == nil)
  }

  @Test(
    "Android's paths have the activity, resource ids, adapter positions and fragments",
    arguments: [
      ("<view class='Button'/><view class='Button' identifier='it'/>", "MainActivity:DecorView[0]/List[0]/Button[1]"),
      (
        "<view class='Button'/><view class='Button' identifier='com.shop:id/pay'><view class='T' identifier='it'/></view>",
        "MainActivity:DecorView[0]/List[0]/Button[0]#pay/T[0]#it"
      ),
      (
        "<view class='FrameLayout' controller='CartFragment'><view class='T' identifier='it'/></view>",
        "MainActivity:DecorView[0]/List[0]/CartFragment[-]/T[0]#it"
      ),
    ])
  func android(inner: String, expected: String) throws {
    let views =
      "<view class='DecorView' controller='MainActivity'><view class='List'>\(inner)</view></view>"
    let path = try #require(try path(.hubbleDataAndroid, views, header: "os='Android'"))
    #expect(path.written == expected.replacing("Button[1]", with: "Button[0]#it"))
    #expect(path.digest?.count == 32)
  }

  @Test(
    "positions come from the nearest cell, counted as the SDK counts",
    arguments: [
      (PathStyleName.sensors, "0:3"), (.sensorsExact, "0:3"), (.growingIO, "4"), (.lede, nil), (.hubbleData, nil),
    ] as [(PathStyleName, String?)])
  func positions(style: PathStyleName, expected: String?) throws {
    let screen = try Screens.of(
      Self.page(
        "<view class='UITableView'><view class='UITableViewCell' indexPath='0 3'><view class='UILabel' identifier='it'/></view></view>"
      ))
    let chain = PathChains(of: screen).chain(to: try #require(screen.it))
    #expect(style.style.position(in: chain) == expected)
  }

  @Test(
    "a style says which captures it cannot serve",
    arguments: [
      ("home-feed.xml", PathStyleName.allCases.filter { !$0.isAndroid && !$0.isWeb }),
      ("android-shop.xml", [.hubbleData, .hubbleDataAndroid, .sensorsAndroid, .growingIOAndroid]),
      ("settings.wda.xml", [.hubbleData]),
      ("login.uiautomator.xml", [.hubbleData, .sensorsAndroid, .growingIOAndroid]),
      ("cart.recursive-description.txt", [.hubbleData]),
    ] as [(String, [PathStyleName])])
  func lacks(capture: String, served: [PathStyleName]) throws {
    let screen = try Screens.named(capture)
    #expect(PathStyleName.allCases.filter { $0.style.unmetRequirement(for: screen) == nil } == served)
  }

  @Test("walked chains are the requested ones and give the paths of identities", arguments: Self.captures)
  func chains(capture: String) throws {
    let screen = try Screens.named(capture)
    let chains = PathChains(of: screen)
    chains.forEach { element, chain in
      #expect(chain == chains.chain(to: element))
      #expect(HubbleDataStyle().path(of: chain)?.written == screen.path(of: element).written(.underscores))
    }
  }

  @Test("a path written directly equals the path made first, in every style", arguments: Self.captures)
  func writtenAtOnce(capture: String) throws {
    let screen = try Screens.named(capture)
    PathChains(of: screen).forEach { _, chain in
      for name in PathStyleName.allCases where name.style.unmetRequirement(for: screen) == nil {
        let path = name.style.path(of: chain)
        var text = Array("before".utf8)
        #expect(name.style.write(pathOf: chain, to: &text) == (path != nil))
        #expect(String(decoding: text, as: UTF8.self) == "before" + (path?.written ?? ""))
        #expect(name.digest(ofPathOf: chain) == path?.digest)
      }
    }
  }

  @Test("every style reads back what it writes, except for kinds of lists", arguments: Self.captures)
  func roundTrip(capture: String) throws {
    let screen = try Screens.named(capture)
    try PathChains(of: screen).forEach { element, chain in
      for name in PathStyleName.allCases where name.style.unmetRequirement(for: screen) == nil {
        guard let path = name.style.path(of: chain), name != .hubbleData, !path.components.isEmpty else {
          continue
        }
        let read = try name.style.read(path.written)
        #expect(read.map(\.written) == [path.written])
        #expect(read[0].components.map(\.className) == path.components.map(\.className))
      }
    }
  }
}
