import EncircleCapture
import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Testing

/// The tap events of Sensors Analytics; the rows of the table in `docs/styles.md`.
@Suite struct SentTests {
  /// The properties that are sent beside the path.
  struct Sent: Equatable, Sendable, CustomTestStringConvertible {
    var path: String
    var type: String
    var content: String?
    var position: String?

    init(_ path: String, _ type: String, _ content: String? = nil, at position: String? = nil) {
      self.path = path
      self.type = type
      self.content = content
      self.position = position
    }

    var testDescription: String { "\(path) \(type) \(content ?? "-") \(position ?? "-")" }
  }

  private static let rows: [(String, Sent)] = [
    // Controls.
    ("<view class='UIButton' title='Pay' identifier='it'/>", Sent("UIView/UIButton[0]", "UIButton", "Pay")),
    (
      "<view class='UIButton' identifier='it'><view class='UIImageView' imageName='cart'/><view class='UIButtonLabel' text='Pay'/></view>",
      Sent("UIView/UIButton[0]", "UIButton", "Pay")
    ),
    (
      "<view class='UIButton' identifier='it'><view class='UIImageView' imageName='cart'/></view>",
      Sent("UIView/UIButton[0]", "UIButton")
    ),
    ("<view class='UISwitch' on='true' identifier='it'/>", Sent("UIView/UISwitch[0]", "UISwitch", "checked")),
    ("<view class='UISwitch' on='false' identifier='it'/>", Sent("UIView/UISwitch[0]", "UISwitch", "unchecked")),
    ("<view class='UIStepper' value='3' identifier='it'/>", Sent("UIView/UIStepper[0]", "UIStepper", "3")),
    ("<view class='UIStepper' value='0.25' identifier='it'/>", Sent("UIView/UIStepper[0]", "UIStepper", "0.25")),
    (
      "<view class='UIStepper' value='1234567' identifier='it'/>",
      Sent("UIView/UIStepper[0]", "UIStepper", "1.23457e+06")
    ),
    ("<view class='UISlider' value='0.5' identifier='it'/>", Sent("UIView/UISlider[0]", "UISlider", "0.500000")),
    (
      "<view class='UIPageControl' selectedIndex='2' identifier='it'/>",
      Sent("UIView/UIPageControl[0]", "UIPageControl", "2")
    ),
    (
      "<view class='UISegmentedControl' selectedIndex='1' identifier='it'><view class='UISegment' frame='50 0 50 9'><view class='UISegmentLabel' text='Year'/></view><view class='UISegment' frame='0 0 50 9'><view class='UISegmentLabel' text='Day'/></view></view>",
      Sent("UIView/UISegmentedControl[0]/UISegment[-]", "UISegmentedControl", "Year", at: "1")
    ),
    (
      "<view class='UISegmentedControl' selectedIndex='-1' identifier='it'><view class='UISegment' title='Day'/><view class='UISegment' title='Year'/></view>",
      Sent("UIView/UISegmentedControl[0]/UISegment[-]", "UISegmentedControl", "Day-Year")
    ),
    (
      "<view class='UISegmentedControl' selectedIndex='0'><view class='UISegment' frame='50 0 50 9' title='Year' identifier='it'/><view class='UISegment' frame='0 0 50 9' title='Day'/></view>",
      Sent("UIView/UISegmentedControl[0]/UISegment[-]", "UISegment", "Year", at: "1")
    ),
    (
      "<view class='BuyButton' superclasses='UIButton' title='Buy' identifier='it'/>",
      Sent("UIView/BuyButton[0]", "BuyButton", "Buy")
    ),
    // Bars.
    (
      "<view class='UINavigationBar'><view class='_UIButtonBarButton' identifier='it'><view class='_UIModernBarButton' superclasses='UIButton' title='Edit'/></view></view>",
      Sent("UIView/UINavigationBar[0]/_UIButtonBarButton[0]", "UIBarButtonItem", "Edit")
    ),
    (
      "<view class='UINavigationBar'><view class='UINavigationButton' title='Edit' identifier='it'/></view>",
      Sent("UIView/UINavigationBar[0]/UINavigationButton[0]", "UIBarButtonItem", "Edit")
    ),
    (
      "<view class='UITabBar'><view class='UITabBarButton'/><view class='UITabBarButton' identifier='it'><view class='UITabBarButtonLabel' text='Cart'/></view></view>",
      Sent("UIView/UITabBar[0]/UITabBarButton[-]", "UITabBarItem", "Cart", at: "1")
    ),
    // Cells, and what is in them.
    (
      "<view class='UITableView'><view class='UITableViewCell' indexPath='1 4' identifier='it'><view class='UILabel' text='a'/><view class='UISwitch' on='true'/></view></view>",
      Sent("UIView/UITableView[0]/UITableViewCell[1][-]", "UITableView", "a-checked", at: "1:4")
    ),
    (
      "<view class='UITableView'><view class='UITableViewCell' indexPath='1 4'><view class='UIButton' title='b' identifier='it'/></view></view>",
      Sent("UIView/UITableView[0]/UITableViewCell[1][-]/UIButton[0]", "UIButton", "b", at: "1:4")
    ),
    (
      "<view class='UITableView'><view class='UITableViewCell' identifier='it'><view class='UILabel' text='a'/></view></view>",
      Sent("UIView/UITableView[0]/UITableViewCell[0]", "UITableView", "a")
    ),
    (
      "<view class='UITableView'><view class='UITableViewCell' indexPath='0 2'><view class='UICollectionView'><view class='UICollectionViewCell'><view class='UIButton' identifier='it'/></view></view></view></view>",
      Sent(
        "UIView/UITableView[0]/UITableViewCell[0][-]/UICollectionView[0]/UICollectionViewCell[0]/UIButton[0]",
        "UIButton")
    ),
    (
      "<view class='UICollectionView'><view class='UICollectionViewCell' indexPath='0 7' identifier='it'/></view>",
      Sent("UIView/UICollectionView[0]/UICollectionViewCell[0][-]", "UICollectionView", at: "0:7")
    ),
    (
      "<view class='UICollectionView'><view class='UIView'><view class='UICollectionViewCell' indexPath='0 7' identifier='it'/></view></view>",
      Sent("UIView/UICollectionView[0]/UIView[0]/UICollectionViewCell[0]", "UICollectionView")
    ),
    (
      "<view class='UITableView'><view class='UITableViewCell' indexPath='0 2'><view class='UICollectionView'><view class='UICollectionViewCell' indexPath='0 5' identifier='it'/></view></view></view>",
      Sent(
        "UIView/UITableView[0]/UITableViewCell[0][2]/UICollectionView[0]/UICollectionViewCell[0][-]",
        "UICollectionView", at: "0:5")
    ),
    (
      "<view class='UITableView'><view class='UITableViewHeaderFooterView' section='2' role='header'><view class='UIButton' title='All' identifier='it'/></view></view>",
      Sent("UIView/UITableView[0]/[SectionHeader][2]/UIButton[0]", "UIButton", "All")
    ),
    // Views with recognizers, and what they show.
    (
      "<view class='UIView' gestures='tap' identifier='it'><view class='UILabel' text='a'/><view class='UIView'><view class='UILabel' text='b'/></view></view>",
      Sent("UIView/UIView[0]", "UIView", "a-b")
    ),
    (
      "<view class='UIView' identifier='it'><view class='UILabel' text='a' hidden='true'/><view class='UIView' hidden='true'><view class='UILabel' text='b'/></view><view class='UILabel' text='c' alpha='0'/></view>",
      Sent("UIView/UIView[0]", "UIView", "c")
    ),
    ("<view class='UILabel' text='a' hidden='true' identifier='it'/>", Sent("UIView/UILabel[0]", "UILabel", "a")),
    (
      "<view class='UIImageView' gestures='tap' imageName='cart' identifier='it'/>",
      Sent("UIView/UIImageView[0]", "UIImageView")
    ),
    (
      "<view class='RCTView' label=' Open ' gestures='tap' identifier='it'><view class='UILabel' text='a'/></view>",
      Sent("UIView/RCTView[0]", "RCTView", "Open")
    ),
    (
      "<view class='RCTView' label=' ' gestures='tap' identifier='it'><view class='UILabel' text='a'/></view>",
      Sent("UIView/RCTView[0]", "RCTView", "a")
    ),
    (
      "<view class='RCTSwitch' superclasses='UISwitch' label='Push' on='true' identifier='it'/>",
      Sent("UIView/RCTSwitch[0]", "RCTSwitch", "checked")
    ),
    ("<view class='WXText' value='a ' gestures='tap' identifier='it'/>", Sent("UIView/WXText[0]", "WXText", "a")),
    // Typed text is not shown, whatever an SDK does.
    (
      "<view class='UIView' identifier='it'><view class='UILabel' text='a'/><view class='UITextField' text='secret'/></view>",
      Sent("UIView/UIView[0]", "UIView", "a")
    ),
    (
      "<view class='UISearchBar'><view class='UISearchBarTextField' text='query' identifier='it'/></view>",
      Sent("UIView/UISearchBar[0]/UISearchBarTextField[0]", "UISearchBarTextField")
    ),
  ]

  @Test(
    "a tap on an element is sent as the SDK's own code sends it", .articles("W10", "W11", "W16", "W17"), arguments: rows
  )
  func sent(views: String, expected: Sent) throws {
    let page = "<view class='UIWindow'><view class='UIView' controller='HomeViewController'>\(views)</view></view>"
    #expect(try Self.sent(page) == expected)
  }

  private static func sent(_ views: String) throws -> Sent {
    let screen = try Screens.of(views)
    let it = try #require(screen.it)
    let chain = PathChains(of: screen).chain(to: it)
    let style = PathStyleName.sensors.style
    return Sent(
      try #require(style.path(of: chain)?.written), screen.elementType(of: it, in: .sensors),
      ElementContents(of: screen).content(of: it), at: style.position(in: chain))
  }

  private static let alertRows: [(String, Sent)] = [
    (
      "<view class='_UIAlertControllerView' controller='UIAlertController' title='Leave?'><view class='_UIInterfaceActionCustomViewRepresentationView' identifier='it'><view class='_UIAlertControllerActionView'><view class='UILabel' text='OK'/></view></view></view>",
      Sent(
        "UIAlertController/_UIAlertControllerView/_UIInterfaceActionCustomViewRepresentationView[0]",
        "UIAlertController", "OK")
    ),
    (
      "<view class='_UIAlertControllerView' controller='UIAlertController'><view class='UICollectionView'><view class='_UIAlertControllerCollectionViewCell' indexPath='0 1' identifier='it'><view class='_UIAlertControllerActionView'><view class='UILabel' text='OK'/></view></view></view></view>",
      Sent(
        "UIAlertController/_UIAlertControllerView/UICollectionView[0]/_UIAlertControllerCollectionViewCell[0][-]",
        "UIAlertController", "OK", at: "0:1")
    ),
    (
      "<view class='_UIAlertControllerView' controller='RCTAlertController' controllerSuperclasses='UIAlertController'><view class='_UIInterfaceActionCustomViewRepresentationView' identifier='it'/></view>",
      Sent(
        "RCTAlertController/_UIAlertControllerView/_UIInterfaceActionCustomViewRepresentationView[0]",
        "UIAlertController")
    ),
    (
      "<view class='UIView' controller='Home'><view class='_UIAlertControllerView' controller='UIAlertController'/><view class='_UIAlertControllerView' controller='UIAlertController'><view class='UIView' identifier='it'/></view></view>",
      Sent("UIAlertController[1]/_UIAlertControllerView/UIView[0]", "UIView")
    ),
  ]

  @Test("the path of an alert's option begins with the alert's controller", arguments: alertRows)
  func alerts(views: String, expected: Sent) throws {
    #expect(try Self.sent("<view class='UIWindow'>\(views)</view>") == expected)
  }

  private static let screenRows: [(String, String?, String?)] = [
    (
      "<view class='UIView' controller='A' controllerTitle='a'><view class='UIButton' identifier='it'/></view>", "A",
      "a"
    ),
    // An embedded child page is a part of its parent.
    (
      "<view class='UIView' controller='A' controllerTitle='a'><view class='UIView' controller='B' controllerTitle='b'><view class='UIButton' identifier='it'/></view></view>",
      "A", "a"
    ),
    (
      "<view class='UIView' controller='P' controllerSuperclasses='UIPageViewController'><view class='UIView' controller='B'><view class='UIButton' identifier='it'/></view></view>",
      "B", nil
    ),
    // Bars have the page on top.
    (
      "<view class='V' controller='UINavigationController'><view class='UIView' controller='A'/><view class='UINavigationBar'><view class='UIButton' identifier='it'/></view></view>",
      "A", nil
    ),
    (
      "<view class='V' controller='UINavigationController'><view class='UIView' controller='A'/><view class='UIToolbar'><view class='UIButton' identifier='it'/></view></view>",
      "A", nil
    ),
    (
      "<view class='V' controller='UITabBarController'><view class='V' controller='UINavigationController'><view class='UIView' controller='A'/><view class='UIView' controller='B'/></view><view class='UITabBar'><view class='UITabBarButton' identifier='it'/></view></view>",
      "B", nil
    ),
    (
      "<view class='V' controller='UITabBarController'><view class='UIView' controller='A'/><view class='UIView' controller='B' hidden='true'/><view class='UITabBar'><view class='UITabBarButton' identifier='it'/></view></view>",
      "A", nil
    ),
    // Overlays and alerts have the page that is visible.
    ("<view class='UIView' controller='A'/><view class='UIDimmingView' gestures='tap' identifier='it'/>", "A", nil),
    (
      "<view class='UIView' controller='A'/><view class='UIView' controller='B'/><view class='_UIAlertControllerView' controller='UIAlertController'><view class='UIView' identifier='it'/></view>",
      "B", nil
    ),
    ("<view class='UIView'><view class='UIButton' identifier='it'/></view>", nil, nil),
    // The SDK sends no empty title.
    ("<view class='UIView' controller='A' controllerTitle=''><view class='UIView' identifier='it'/></view>", "A", nil),
  ]

  @Test("the screen is the controller that the SDK finds", .articles("W13"), arguments: screenRows)
  func screens(views: String, page: String?, title: String?) throws {
    let screen = try Screens.of("<view class='UIWindow'>\(views)</view>")
    let it = try #require(screen.it)
    #expect(screen.page(of: it, in: .sensors) == page)
    #expect(screen.pageTitle(of: it, in: .sensors) == title)
  }

  @Test("the title of a button in recursiveDescription is the text of its label, without other labels in it")
  func titleLabels() throws {
    let views = """
      <UIWindow: 0x1; frame = (0 0; 9 9)>
         | <UIButton: 0x2; frame = (0 0; 9 9)>
         |    | <UILabel: 0x3; frame = (0 0; 9 9); text = '3'>
         |    | <UIButtonLabel: 0x4; frame = (0 0; 9 9); text = 'Pay'>
         | <UIButton: 0x5; frame = (0 0; 9 9)>
         |    | <UILabel: 0x6; frame = (0 0; 9 9); text = '3'>

      """
    let screen = IdentifiedTree(try CaptureReader().read(Array(views.utf8)))
    let buttons = [ElementID(1), ElementID(4)]
    #expect(buttons.map { screen.buttonTitle(of: $0) } == ["Pay", nil])
    let contents = ElementContents(of: screen, in: .sensors)
    #expect(buttons.map { contents.content(of: $0) } == ["Pay", "3"])
    let chains = PathChains(of: screen)
    let paths = buttons.map { PostHogStyle().path(of: chains.chain(to: $0))?.written }
    #expect(paths == [#"UIButton:text="Pay";UIWindow"#, "UIButton;UIWindow"])
  }

  @Test("up to iOS 9 the option of an alert is another view for each SDK", .articles("H14"))
  func oldAlerts() throws {
    let screen = try Screens.named("alert-ios9.xml")
    func tracked(_ style: PathStyleName) -> Set<String> {
      Set(
        screen.tree.elements.filter { screen.trackingType(of: $0, in: style) == .alert }.map {
          screen.className(of: $0)
        })
    }
    #expect(tracked(.hubbleData) == ["_UIAlertControllerActionView"])
    #expect(tracked(.sensors) == ["_UIAlertControllerCollectionViewCell"])
  }

  @Test(
    "the state of an element has HubbleData's names", .articles("H40", "H42", "H43", "H44", "H46", "H47"),
    arguments: [
      (
        "<view class='UIButton' titleColor='#FF8000' imageName='cart' frame='1 2 30.5 40' identifier='it'/>",
        "rgba(255, 128, 0, 1)|cart|rect(1, 2, 30.5, 40)|||||a"
      ),
      ("<view class='UIButton' titleColor='rgba(1, 2, 3, 0.5)' identifier='it'/>", "rgba(1, 2, 3, 0.5)|||||||a"),
      ("<view class='UISwitch' on='true' identifier='it'/>", "|||true||||a"),
      ("<view class='UISegmentedControl' selectedIndex='2' identifier='it'/>", "||||2|||a"),
      ("<view class='UISlider' value='0.5' identifier='it'/>", "|||||0.5||a"),
      (
        "<view class='UISearchBar'><view class='UISearchBarTextField' text='tea' value='tea' identifier='it'/></view>",
        "||||||tea|a"
      ),
      (
        "<view class='UISearchBar'><view class='UISearchBarTextField' text='tea' secure='true' identifier='it'/></view>",
        "|||||||a"
      ),
      (
        "<view class='UISearchBar'><view class='UISearchBarTextField' text='' value='' identifier='it'/></view>",
        "|||||||a"
      ),
      ("<view class='UITextField' text='secret' value='1234' identifier='it'/>", "|||||||a"),
      ("<view class='UITextField'><view class='UISearchTextField' text='secret' identifier='it'/></view>", "|||||||a"),
    ])
  func properties(views: String, expected: String) throws {
    let screen = try Screens.of(
      "<view class='UIWindow'><view class='UIView' controller='A' controllerTitle='a'>\(views)</view></view>")
    let found = screen.properties(of: try #require(screen.it))
    let texts: [String?] = [
      found.titleColor, found.imageName, found.frame?.rectText, found.switchState?.description,
      found.selectedIndex?.description, found.value?.description, found.searchText, found.screenTitle,
    ]
    #expect(texts.map { $0 ?? "" }.joined(separator: "|") == expected)
  }
}
