import EncircleCapture
import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Testing

@Suite struct TrackingTests {
  private static let typesRows: [(String, TrackingType?)] = [
    (#"<view class="UIButton" identifier="it"/>"#, .button),
    // Its SDK has said it of a running app.
    (#"<view class="UIButton" identifier="it" enableAppClick="false"/>"#, nil),
    (#"<view class="UIButton" identifier="it" enableAppClick="true"/>"#, .button),
    (#"<view class="UILabel" identifier="it" enableAppClick="true"/>"#, .gestureTap),
    (#"<view class="UITableViewCell" indexPath="0 0" enableAppClick="false" identifier="it"/>"#, nil),
    (#"<view class="UISwitch" identifier="it"/>"#, .switchControl),
    (#"<view class="UISlider" identifier="it"/>"#, .control),
    (#"<view class="UISegmentedControl" identifier="it"/>"#, .control),
    (#"<view class="Buy" superclasses="UIButton" identifier="it"/>"#, .button),
    (#"<view class="NSKVONotifying_UIButton" identifier="it"/>"#, .button),
    (#"<view class="UISearchBar" gestures="tap" identifier="it"/>"#, nil),
    (#"<view class="UISearchBar"><view class="UISearchBarTextField" identifier="it"/></view>"#, .searchBar),
    (#"<view class="UISearchBar"><view class="UIView" identifier="it"/></view>"#, nil),
    (#"<view class="UITextField" identifier="it"/>"#, nil),
    (#"<view class="UITextField" gestures="tap" identifier="it"/>"#, nil),
    (#"<view class="UITextView" gestures="tap" identifier="it"/>"#, nil),
    (#"<view class="UITableViewCell" indexPath="0 0" identifier="it"/>"#, .tableViewSelect),
    (#"<view class="UITableViewCell" identifier="it"/>"#, .tableViewSelect),
    (#"<view class="UICollectionViewCell" indexPath="0 0" identifier="it"/>"#, .collectionViewSelect),
    (#"<view class="UIView" gestures="tap" identifier="it"/>"#, .gestureTap),
    (#"<view class="UIView" gestures="pan longPress" identifier="it"/>"#, .gestureLongPress),
    (#"<view class="UIView" gestures="longPress tap" identifier="it"/>"#, .gestureTap),
    (#"<view class="UIView" gestures="pan swipe doubletap" identifier="it"/>"#, nil),
    (#"<view class="UILabel" identifier="it"/>"#, nil),
    (
      #"<view class="_UIAlertControllerView"><view class="_UIAlertControllerActionView" identifier="it"/></view>"#,
      .alert
    ),
    (#"<view class="_UIAlertControllerView"><view class="UIButton" identifier="it"/></view>"#, .alert),
    (#"<view class="_UIAlertControllerView" gestures="tap" identifier="it"/>"#, nil),
    (
      #"<view class="_UIAlertControllerView"><view class="_UIAlertControllerInterfaceActionGroupView" gestures="tap" identifier="it"/></view>"#,
      nil
    ),
    (
      #"<view class="_UIAlertControllerView"><view class="_UIInterfaceActionCustomViewRepresentationView" identifier="it"><view class="_UIAlertControllerActionView"/></view></view>"#,
      .alert
    ),
    (
      #"<view class="_UIAlertControllerView"><view class="_UIInterfaceActionCustomViewRepresentationView"><view class="_UIAlertControllerActionView" identifier="it"/></view></view>"#,
      nil
    ),
    (#"<view class="UINavigationBar"><view class="_UIButtonBarButton" identifier="it"/></view>"#, .control),
    (
      #"<view class="_UIButtonBarButton"><view class="_UIModernBarButton" superclasses="UIButton" identifier="it"/></view>"#,
      nil
    ),
    (#"<view class="UINavigationBar"><view class="UINavigationItemButtonView" identifier="it"/></view>"#, .button),
    (#"<view class="UINavigationBar"><view class="UINavigationButton" identifier="it"/></view>"#, .button),
    (#"<view class="UIButton"><view class="UIButtonLabel" text="a" identifier="it"/></view>"#, nil),
    (#"<view class="UIButton"><view class="UIImageView" identifier="it"/></view>"#, nil),
    (#"<view class="_UIAlertControllerView"><view class="UICollectionViewCell" identifier="it"/></view>"#, nil),
    (#"<view class="_UIAlertControllerView"><view class="UITextField" identifier="it"/></view>"#, nil),
    (#"<view class="UINavigationBar"><view class="UIButton" identifier="it"/></view>"#, .button),
  ]

  @Test(
    "a tap on an element has this type",
    .articles("H12", "H13", "H14", "H15", "H37", "H39", "H41", "H48", "H50", "H51"), arguments: typesRows)
  func types(views: String, expected: TrackingType?) throws {
    let screen = try Screens.of(views)
    let it = try #require(screen.it)
    #expect(screen.trackingType(of: it) == expected)
  }

  @Test(
    "Android's clickable views are taps, when nothing else says more",
    arguments: [
      (#"class="android.widget.TextView" clickable="true""#, .gestureTap),
      (#"class="android.widget.TextView" clickable="false""#, nil),
      (#"class="android.view.View" long-clickable="true""#, .gestureLongPress),
      (#"class="android.widget.Button" clickable="true""#, .button),
      (#"class="android.widget.Switch""#, .switchControl), (#"class="android.widget.EditText" clickable="true""#, nil),
    ] as [(String, TrackingType?)])
  func android(attributes: String, expected: TrackingType?) throws {
    let text = "<hierarchy><node \(attributes)/></hierarchy>"
    #expect(IdentifiedTree(try CaptureReader().read(Array(text.utf8))).trackingType(of: ElementID(0)) == expected)
  }

  @Test(
    "controls are assumed to have actions if the format of the capture has none",
    arguments: [PathStyleName.growingIO, .postHog])
  func unknownActions(style: PathStyleName) throws {
    let text = """
      <A 0x9>, state: appeared, view: <UIView: 0x2>
      <UIWindow: 0x1>
         | <UIView: 0x2>
         |    | <UIButton: 0x3>
         |    | <UIButton: 0x4; enabled = NO>
         |    | <_UIButtonBarButton: 0x5>
         |    |    | <_UIModernBarButton: 0x6>
      """
    let screen = IdentifiedTree(try CaptureReader().read(Array(text.utf8)))
    let tracked = screen.tree.elements.filter { screen.trackingType(of: $0, in: style) != nil }
    #expect(tracked == [ElementID(2), ElementID(4)])
  }

  private static let contentsRows: [(String, String?)] = [
    (#"<view class="UILabel" text="a" identifier="it"/>"#, "a"),
    (#"<view class="UIButton" title="b" identifier="it"/>"#, "b"),
    (#"<view class="UILabel" text="" identifier="it"/>"#, ""), (#"<view class="UILabel" identifier="it"/>"#, nil),
    (#"<view class="UILabel" label="l" value="v" placeholder="p" identifier="it"/>"#, nil),
    (#"<view class="UIView" identifier="it"><view class="UILabel" text="a"/></view>"#, "a"),
    (
      #"<view class="UITableViewCell" identifier="it"><view class="UIView"><view class="UILabel" text="a"/></view><view class="UILabel" text=""/><view class="UIButton" title="b"><view class="UILabel" text="b"/></view><view class="UILabel" text="c"/></view>"#,
      "a-b-c"
    ),
    (
      #"<view class="UITableViewCell" identifier="it"><view class="UITextField" text="do-not-leak"/><view class="UILabel" text="a"/></view>"#,
      "a"
    ),
    (#"<view class="UITableViewCell" identifier="it"><view class="UIView"/></view>"#, nil),
    (
      #"<view class="UICollectionViewCell" text="own" identifier="it"><view class="UILabel" text="a"/></view>"#, "own"
    ),
    (#"<view class="UITextField" text="do-not-leak" title="do-not-leak" identifier="it"/>"#, nil),
    (
      #"<view class="UISearchBar"><view class="UISearchBarTextField" text="do-not-leak" identifier="it"/></view>"#,
      nil
    ),
    (#"<view class="UILabel" secure="1" text="do-not-leak" identifier="it"/>"#, nil),
    (#"<view class="UITextField"><view class="UILabel" text="do-not-leak" identifier="it"/></view>"#, nil),
    (#"<view class="_UIAlertControllerView" title="t" identifier="it"/>"#, nil),
  ]

  @Test(
    "content is the view's own text or state, else the content of its visible subviews", .articles("W11", "W12"),
    arguments: contentsRows)
  func contents(views: String, expected: String?) throws {
    let screen = try Screens.of(views)
    let it = try #require(screen.it)
    #expect(ElementContents(of: screen).content(of: it) == expected)
  }

  @Test("a cell's content ends at a scalar's boundary")
  func longContent() throws {
    let label = "<view class='UILabel' text='" + String(repeating: "确", count: 2_000) + "'/>"
    let screen = try Screens.of("<view class='UITableViewCell' identifier='it'>\(label)\(label)\(label)</view>")
    let it = try #require(screen.it)
    let content = try #require(ElementContents(of: screen).content(of: it))
    #expect(
      content.utf8.count <= ElementContents.maximumLength && content.utf8.count > ElementContents.maximumLength - 3)
    #expect(!content.unicodeScalars.contains("\u{FFFD}"))
  }

  @Test("the cell of an element is the nearest one that has an index path", .articles("H49"))
  func cells() throws {
    let screen = try Screens.of(
      """
      <view class="UITableView"><view class="UITableViewCell" indexPath="1 2"><view class="UICollectionView">
      <view class="UICollectionViewCell" indexPath="0 5"><view class="UILabel"/></view></view></view></view>
      """)
    let row = Locator.row(section: 1, row: 2)
    let item = Locator.item(section: 0, item: 5)
    #expect(screen.tree.elements.map { screen.cellLocator(of: $0) } == [nil, row, row, item, item])
  }
}

@Suite struct FindingsTests {
  @Test("event IDs with only a common prefix are different")
  func almostEqualIDs() throws {
    let ids = try ["0", "1", "0", "2", "1"].map {
      try #require(EventID(hexadecimal: String(repeating: "ab", count: 31) + "0" + $0))
    }
    let views = (0..<5).map { "<view class='V\($0)'/>" }.joined()
    let found = try Screens.of(views).collisions(among: ids)
    #expect(found.map { $0.elements.map(\.index) } == [[0, 2], [1, 4]])
    #expect(found.map(\.eventID) == [ids[0], ids[1]])
  }

  private static func collisions(_ views: String) throws -> [String] {
    let screen = try Screens.of(views)
    let ids = screen.tree.elements.map { screen.eventID(of: $0) }
    return screen.collisions(among: ids).map {
      "\($0.elements.map(\.description).joined(separator: " ")): \($0.reason)\($0.isInherited ? ", inherited" : "")"
    }
  }

  @Test(
    "elements that share an identity are found, with the reason",
    arguments: [
      ("<view class='A'/><view class='A'/><view class='B'/>", ["0 1: windows"]),
      (
        "<view class='UINavigationBar'><view class='UIButton' actions='a'/><view class='UIButton' actions='a'/><view class='UIButton' actions='b'/></view>",
        ["1 2: sharedAction"]
      ),
      (
        "<view class='UINavigationBar'><view class='UIButton'/><view class='UIButton'/><view class='UIButton'/></view>",
        ["1 2 3: noActions"]
      ),
      (
        "<view class='UITableView'><view class='UITableViewCell' indexPath='0 0'><view class='A'/></view><view class='UITableViewCell' indexPath='0 0'><view class='A'/></view></view>",
        ["1 3: sameIndexPath", "2 4: sameIndexPath, inherited"]
      ),
      (
        "<view class='R' controller='H'><view class='P' controller='C'/><view class='P' controller='C'/><view class='P' controller='D'/></view>",
        ["1 2: equalChildPages"]
      ),
    ] as [(String, [String])])
  func found(views: String, expected: [String]) throws {
    #expect(try Self.collisions(views) == expected)
  }

  /// A controller with two child pages in a scroll view.
  private static func pages(_ controller: String) -> String {
    """
    <view class="V" controller="\(controller)"><view class="_UIQueuingScrollView" frame="0 0 100 100">
    <view class="UIView" frame="0 0 100 100"><view class="A" controller="P" frame="0 0 100 100"/></view>
    <view class="UIView" frame="100 0 100 100"><view class="A" controller="P" frame="0 0 100 100"/></view>
    </view></view>
    """
  }

  private func android(_ views: String) throws -> IdentifiedTree {
    let text = "<viewTree version='1' app='a' os='Android'>\(views)</viewTree>"
    return IdentifiedTree(try CaptureReader().read(Array(text.utf8)))
  }

  @Test("rows of Android's lists need their positions in the adapter")
  func rowsOfAndroid() throws {
    let rows =
      "<view class='android.widget.ListView' controller='M'>\(String(repeating: "<view class='R'/>", count: 3))</view>"
    #expect(try android(rows).missingInformation == [.rowPositions(rows: 3)])
    let known = "<view class='android.widget.ListView' controller='M'><view class='R' indexPath='0 4'/></view>"
    #expect(try android(known).missingInformation == [])
    let dump = """
      <hierarchy rotation="0"><node index="0" class="androidx.recyclerview.widget.RecyclerView" bounds="[0,0][10,10]">\
      <node index="0" class="android.widget.TextView" bounds="[0,0][10,5]"/></node></hierarchy>
      """
    #expect(
      IdentifiedTree(try CaptureReader().read(Array(dump.utf8))).missingInformation == [
        .controllers, .rowPositions(rows: 1),
      ])
  }

  @Test(
    "findings name what a capture lacks", .articles("H25"),
    arguments: [
      ("<view class='A' controller='C'/>", []), ("<view class='A'/>", [.controllers]),
      ("<view class='UINavigationBar' controller='C'><view class='UIButton'/></view>", [.actions(items: 1)]),
      (
        "<view class='UITableView' controller='C'><view class='UITableViewCell'/><view class='UITableViewCell'/></view>",
        [.indexPaths(cells: 2)]
      ),
      (
        """
        <view class='UITableView' controller='C'><view class='UITableViewHeaderFooterView'/>
        <view class='H' superclasses='UITableViewHeaderFooterView UIView'/>
        <view class='UITableViewHeaderFooterView' section='1'/><view class='UITableViewHeaderFooterView' indexPath='1 0'/>
        <view class='UITableViewCell' indexPath='0 0'/></view>
        """, [.sections(views: 2)]
      ),
      (
        """
        <view class='UICollectionView' controller='C'><view class='UICollectionReusableView'/>
        <view class='UICollectionViewCell' indexPath='0 0'/></view>
        """, [.sections(views: 1)]
      ),
      ("<view class='V' controller='C'><view class='UITableViewHeaderFooterView'/></view>", []),
      (pages("UIPageViewController"), [.pagesInSlots([ElementID(3), ElementID(5)])]),
      (
        pages("Feeds\" controllerSuperclasses=\"UIPageViewController UIViewController"),
        [.pagesInSlots([ElementID(3), ElementID(5)])]
      ),
      (pages("FeedsViewController"), []),
    ] as [(String, [MissingInformation])])
  func missingInformation(views: String, expected: [MissingInformation]) throws {
    #expect(try Screens.of(views).missingInformation == expected)
  }
}
