import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Testing

/// The events of growingio-sdk-ios-autotracker 4.11.0 for the element with the identifier `it`.
@Suite struct GrowingIOStyleTests {
  private static func page(_ inner: String) -> String {
    """
    <view class='UIWindow'><view class='UIView' controller='UINavigationController'>
    <view class='UIView' controller='CartViewController'>\(inner)</view></view></view>
    """
  }

  private func path(_ views: String) throws -> (path: String, index: String?)? {
    let screen = try Screens.of(views)
    let chain = PathChains(of: screen).chain(to: try #require(screen.it))
    return GrowingIOStyle().path(of: chain).map { ($0.written, GrowingIOStyle().position(in: chain)) }
  }

  private static let start = "/UINavigationController/CartViewController/UIView"

  @Test(
    "indexes count what the SDK counts, and the row of the innermost similar element is any",
    arguments: [
      // A cell without index path is the first, as far as the SDK knows, and so is all in it.
      (
        "<view class='UITableView'><view class='UITableViewCell'/><view class='UITableViewCell'><view class='UILabel' identifier='it'/></view></view>",
        "/UITableView/UITableViewCell/UILabel & /0/0/0/0/0/0", "1"
      ),
      // A header in a carousel: the row around it is exact again.
      (
        "<view class='UITableView'><view class='UITableViewCell' indexPath='1 4'><view class='UICollectionView'><view class='UICollectionReusableView'/><view class='UICollectionReusableView' identifier='it'/></view></view></view>",
        "/UITableView/Section/UITableViewCell/UICollectionView/UICollectionReusableView & /0/0/0/0/1/4/0/1", "2"
      ),
      // A cell that is not directly in its list has no index path for the SDK.
      (
        "<view class='UICollectionView'><view class='UIView'><view class='UICollectionViewCell' indexPath='0 3' identifier='it'/></view></view>",
        "/UICollectionView/UIView/UICollectionViewCell & /0/0/0/0/0/0", "1"
      ),
      // Segments are any, counted from the left; what stands beside them is the first.
      (
        "<view class='UISegmentedControl'><view class='UISegment' frame='9 0 9 9' identifier='it'/><view class='UISegment' frame='0 0 9 9'/></view>",
        "/UISegmentedControl/UISegment & /0/0/0/0/-", "2"
      ),
      (
        "<view class='UISegmentedControl'><view class='UIImageView'/><view class='UIImageView' identifier='it'/></view>",
        "/UISegmentedControl/UIImageView & /0/0/0/0/0", nil
      ),
      (
        "<view class='UISegmentedControl'><view class='UIView'><view class='UISegment'/><view class='UISegment' identifier='it'/></view></view>",
        "/UISegmentedControl/UIView/UISegment & /0/0/0/0/0/-", "2"
      ),
      (
        "<view class='Tabs' superclasses='UISegmentedControl UIControl UIView'><view class='UISegment'/><view class='UISegment' identifier='it'/></view>",
        "/Tabs/UISegment & /0/0/0/0/-", nil
      ),
      // The index of a segment does not pass to its label outside of lists.
      (
        "<view class='UISegmentedControl'><view class='UISegment'><view class='UILabel' identifier='it'/></view></view>",
        "/UISegmentedControl/UISegment/UILabel & /0/0/0/0/-/0", nil
      ),
      // A controller in a row begins the path anew.
      (
        "<view class='UITableView'><view class='UITableViewCell' indexPath='0 2'><view class='UIView' controller='Child'><view class='UIButton' identifier='it'/></view></view></view>",
        "!/UINavigationController/CartViewController/Child/UIView/UIButton & /0/0/0/0/0", nil
      ),
      // Tags.
      (
        "<view class='UITableView'><view class='UITableViewCell' indexPath='1 2' growingUniqueTag='Buy' identifier='it'/></view>",
        "!/Buy & /1/-", "3"
      ),
      (
        "<view class='UITableView'><view class='UITableViewCell' indexPath='1 2' growingUniqueTag='Buy'><view class='UICollectionView'><view class='UICollectionViewCell' indexPath='0 1' identifier='it'/></view></view></view>",
        "!/Buy/UICollectionView/Section/UICollectionViewCell & /1/2/0/0/-", "2"
      ),
      (
        "<view class='UITableView'><view class='UITableViewHeaderFooterView' section='3' role='header' growingUniqueTag='Head' identifier='it'/></view>",
        "!/Head & /3", nil
      ),
      ("<view class='UIView' growingUniqueTag='home/top 1' identifier='it'/>", "!/home/top 1 & /0", nil),
    ] as [(String, String, String?)])
  func paths(inner: String, expected: String, index: String?) throws {
    let found = try #require(try path(Self.page(inner)))
    #expect(found.path == (expected.hasPrefix("!") ? String(expected.dropFirst()) : Self.start + expected))
    #expect(found.index == index)
    #expect(try GrowingIOStyle().read(found.path).map(\.written) == [found.path])
  }

  private static let alert = """
    <view class='_UIAlertControllerView' controller='UIAlertController' title='t'><view class='UIView'>
    <view class='_UIInterfaceActionCustomViewRepresentationView'><view class='_UIAlertControllerActionView' text='OK' actionIndex='1' identifier='it'/></view>
    <view class='_UIInterfaceActionCustomViewRepresentationView'><view class='_UIAlertControllerActionView' text='No' actionIndex='0'/></view>
    </view></view>
    """

  @Test(
    "an element without a page is on the current one",
    arguments: [
      (alert, "/UIView/_UIInterfaceActionCustomViewRepresentationView/Button & /0/0/0/0/1"),
      (
        "<view class='UITransitionView'><view class='UIButton' identifier='it'/></view>",
        "/UIWindow/UITransitionView/UIButton & /0/0/0/1/0"
      ),
      (
        "<view class='UIView' controller='UIInputWindowController'><view class='UIButton' identifier='it'/></view>",
        "/UIView/UIButton & /0/0/0/0"
      ),
    ])
  func currentPage(inner: String, expected: String) throws {
    let views = """
      <view class='UIWindow'><view class='UITransitionView'><view class='UIView' controller='UINavigationController'>
      <view class='UIView' controller='CartViewController'/><view class='UIView' hidden='true' controller='Gone'/></view></view>\(inner)</view>
      """
    let screen = try Screens.of(views)
    let it = try #require(screen.it)
    #expect(try path(views)?.path == "/UINavigationController/CartViewController" + expected)
    #expect(screen.page(of: it, in: .growingIO) == "CartViewController")
  }

  @Test("a view without a component has its superview's path, and an alert's own view has no path")
  func omitted() throws {
    #expect(
      try path(Self.page("<view class='UITableView'><view class='UITableViewWrapperView' identifier='it'/></view>"))?
        .path
        == Self.start + "/UITableView & /0/0/0/0")
    #expect(try path("<view class='_UIAlertControllerView' controller='UIAlertController' identifier='it'/>") == nil)
  }

  @Test("controllers of a class are counted even off screen, and a root view's tag is ignored")
  func controllers() throws {
    let views = """
      <view class='UIWindow'><view class='UIView' controller='UITabBarController'>
      <view class='UIView' controller='Nav' controllerSiblingsBefore='Nav Other Nav' growingUniqueTag='Root'><view class='UIButton' identifier='it'/></view></view></view>
      """
    #expect(try path(views)?.path == "/UITabBarController/Nav/UIView/UIButton & /0/2/0/0")
  }

  @Test(
    "the text is the first label's, or the control's state",
    arguments: [
      (
        "<view class='UIView' identifier='it'><view class='UIView'><view class='UILabel' text='A'/></view><view class='UILabel' text='B'/></view>",
        "A"
      ),
      (
        "<view class='UIView' identifier='it'><view class='UILabel' text=''/><view class='UILabel' text='B' hidden='true'/></view>",
        "B"
      ),
      ("<view class='UIButton' title='Buy' label='no' identifier='it'/>", "Buy"),
      (
        "<view class='UIButton' title='Buy' identifier='it'><view class='UIImageView'><view class='UILabel' text='3'/></view></view>",
        "3"
      ),
      (
        "<view class='UIView' identifier='it'><view class='UIButton' title='Buy'/><view class='UILabel' text='B'/></view>",
        "Buy"
      ),
      ("<view class='UIView'><view class='UIView' identifier='it'/><view class='UIButton' title='Buy'/></view>", nil),
      ("<view class='UITableView' identifier='it'><view class='UILabel' text='A'/></view>", nil),
      (
        "<view class='UIImageView' identifier='it'><view class='UIView'><view class='UILabel' text='A'/></view></view>",
        nil
      ),
      ("<view class='UISlider' value='0.5' identifier='it'/>", "0"),
      ("<view class='UISlider' value='49.5' identifier='it'/>", "50"),
      ("<view class='UISwitch' on='true' identifier='it'/>", "true"),
      ("<view class='UIStepper' value='3' identifier='it'/>", nil),
      (
        "<view class='UILabel' frame='10 10 50 20' text='Card'/><view class='UIControl' frame='0 0 99 99' identifier='it'/>",
        "Card"
      ),
      (
        "<view class='UILabel' frame='90 10 50 20' text='Card'/><view class='UIControl' frame='0 0 99 99' identifier='it'/>",
        nil
      ),
      (
        "<view class='UIView' growingViewCustomContent='own' identifier='it'><view class='UILabel' text='A'/></view>",
        "own"
      ),
      (
        "<view class='UIView' identifier='it'><view class='UITextField' text='typed'><view class='UILabel' text='typed'/></view></view>",
        nil
      ),
      (
        "<view class='UILabel' text='\(String(repeating: "a", count: 49))😀' identifier='it'/>",
        String(repeating: "a", count: 49)
      ),
    ] as [(String, String?)])
  func contents(inner: String, expected: String?) throws {
    let screen = try Screens.of(Self.page(inner))
    #expect(ElementContents(of: screen, in: .growingIO).content(of: try #require(screen.it)) == expected)
  }

  @Test(
    "an event is sent for actions, segments, cells, options of alerts and single taps",
    arguments: [
      ("<view class='UIButton' actions='a' identifier='it'/>", .button),
      ("<view class='UIButton' identifier='it'/>", nil),
      ("<view class='UIButton' actions='a' alpha='0.0001' identifier='it'/>", nil),
      ("<view class='UIView' hidden='true'><view class='UIButton' actions='a' identifier='it'/></view>", .button),
      ("<view class='UISegmentedControl' actions='a' identifier='it'/>", nil),
      ("<view class='UISegmentedControl'><view class='UISegment' identifier='it'/></view>", .control),
      ("<view class='UISegmentedControl' enabled='false'><view class='UISegment' identifier='it'/></view>", nil),
      ("<view class='UITabBarButton' superclasses='UIControl UIView' identifier='it'/>", .control),
      (
        "<view class='UITableView'><view class='UITableViewCell' indexPath='0 0' identifier='it'/></view>",
        .tableViewSelect
      ),
      (
        "<view class='UIPickerView'><view class='UITableView'><view class='UITableViewCell' identifier='it'/></view></view>",
        nil
      ),
      ("<view class='UIView' gestures='tap' identifier='it'/>", .gestureTap),
      ("<view class='UIView' gestures='tap' tapCount='2' identifier='it'/>", nil),
      ("<view class='UIView' gestures='longPress' identifier='it'/>", nil),
      ("<view class='UITextField' actions='a' identifier='it'/>", nil),
      (
        "<view class='UIView' growingViewIgnorePolicy='2'><view class='UIButton' actions='a' identifier='it'/></view>",
        nil
      ),
      ("<view class='UIButton' actions='a' growingViewIgnorePolicy='2' identifier='it'/>", .button),
      (alert, .alert),
      (alert.replacing("<view class='UIView'>", with: "<view class='UIView'><view class='UICollectionView'/>"), nil),
    ] as [(String, TrackingType?)])
  func tracking(inner: String, expected: TrackingType?) throws {
    let screen = try Screens.of(Self.page(inner))
    #expect(screen.trackingType(of: try #require(screen.it), in: .growingIO) == expected)
  }

  @Test("the index of an event replaces the row that its path leaves open")
  func filled() throws {
    var path = try #require(try GrowingIOStyle().read("/A/Section/Cell/B & /0/1/-/0").first)
    GrowingIOStyle.fill(&path, index: 4)
    #expect(path.written == "/A/Section/Cell/B & /0/1/3/0")
    GrowingIOStyle.fill(&path, index: 9)
    #expect(path.written == "/A/Section/Cell/B & /0/1/3/0")
  }
}
