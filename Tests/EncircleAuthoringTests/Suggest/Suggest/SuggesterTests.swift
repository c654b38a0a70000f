import EncircleAuthoring
import EncircleCapture
import EncircleIdentity
import EncircleRules
import EncircleTestSupport
import EncircleTree
import Testing

@Suite struct SuggesterTests {
  /// Describes suggestions in short, with their evidence and the elements that they select.
  private static func short(_ suggestion: Suggestion) -> String {
    var text = suggestion.selector.description
    if suggestion.needsPage { text += " on \(suggestion.page ?? "?")" }
    for evidence in suggestion.evidence {
      switch evidence {
      case .content(let content): text += " where content is \(content)"
      case .noContent: text += " without content"
      case .developerID(let id): text += " where id is \(id)"
      case .actions(let names): text += " where actions are \(names)"
      case .alertTitle(let title): text += " where title is \(title)"
      case .alertMessage(let message): text += " where message is \(message)"
      case .eventID: text += " with its event ID"
      case .within(let selector, let says): text += " within \(selector) says \(says)"
      }
    }
    switch suggestion.uniqueness {
    case .element: return text
    case .kind(let count): return "\(text): \(count) of a kind"
    case .shared(let count): return "\(text): \(count) alike"
    }
  }

  private static func first(_ capture: String, _ element: Int, _ count: Int) throws -> [String] {
    Suggester(try Screens.named(capture)).suggestions(for: ElementID(element), limit: count).map(short)
  }

  @Test(
    "the app's classes come before UIKit's, free rows before certain ones, short suffixes before chains",
    arguments: [
      ("cart.xml", 75, ["CheckoutButton"]),
      (
        "home-feed.xml", 35,
        [
          "ProductCell(section:0 row:*)/**/UIButton(0): 1 of a kind", "ProductCell(section:0 row:2)/**/UIButton(0)",
          "ProductCell(section:* row:*)/**/UIButton(0): 3 of a kind",
        ]
      ),
      // Elements in ubiquitous views are found there, too: a list around them says more.
      ("alert-ios10.xml", 32, ["UITableView(0)/UIView(0)/UIButton(0)", "UIView(0)/UIButton(0)"]),
      // And if there is none, the text of the button does.
      ("action-sheet.xml", 27, ["UIButton where content is 再次购买"]),
    ])
  func preferences(capture: String, element: Int, expected: [String]) throws {
    #expect(try Self.first(capture, element, expected.count) == expected)
  }

  @Test(
    "items of bars are named by actions, text or identity, and options of alerts by the texts of both",
    arguments: [
      ("alert-ios9.xml", 28, "UINavigationButton where actions are quitGroup:"),
      ("cart.xml", 97, "UIButton where actions are shareCart:,logShare:"),
      ("cart.xml", 102, "_UIButtonBarButton where actions are clearCart:"),
      // The text of a back button is the title of the page before.
      ("cart.xml", 86, "_UIButtonBarButton with its event ID"),
      ("tab-bar.xml", 89, "UITabBarButton where content is 分类"),
      (
        "alert-ios10.xml", 70,
        "_UIInterfaceActionCustomViewRepresentationView where title is 退出登录 where content is 退出"
      ),
      (
        "action-sheet.xml", 61,
        "_UIInterfaceActionCustomViewRepresentationView where title is  where content is 申请退款"
      ),
      ("alert-ios9.xml", 55, "_UIAlertControllerActionView where title is 删除聊天记录 where content is 删除"),
    ])
  func distinctive(capture: String, element: Int, expected: String) throws {
    #expect(try Self.first(capture, element, 1) == [expected])
  }

  @Test("no option of an alert is suggested by its place in any alert", .articles("H17"))
  func alertOptions() throws {
    for capture in PackageFolder.captureNames {
      let screen = try Screens.named(capture)
      let suggester = Suggester(screen)
      for element in screen.tree.elements
      where screen.trackingType(of: element) == .alert && screen.alertTexts(of: element) != nil {
        for suggestion in suggester.suggestions(for: element) {
          #expect(!suggestion.evidence.isEmpty, "\(capture), \(element): \(Self.short(suggestion))")
        }
      }
    }
  }

  @Test("two options of one alert with the same text are distinguished by their places")
  func equalOptions() throws {
    let option = "<view class='_UIInterfaceActionCustomViewRepresentationView'><view class='UILabel' text='OK'/></view>"
    let screen = try Screens.of(
      "<view class='UIWindow'><view class='_UIAlertControllerView' controller='UIAlertController' title='T'>\(option)\(option)</view></view>"
    )
    let options = screen.tree.elements.filter { screen.trackingType(of: $0) == .alert }
    #expect(options.count == 2)
    for element in options {
      let first = try #require(Suggester(screen).suggestions(for: element).first)
      #expect(first.isUnique && first.elements == [element], "\(Self.short(first))")
    }
  }

  @Test("of two equally stable selectors, the one that names the app's own container comes first")
  func containers() throws {
    let suggestions = Suggester(try Screens.named("cart.xml")).suggestions(for: ElementID(70))
    #expect(suggestions.first.map { "\($0.selector)" } == "CartFooterView/UIButton(0)")
    let hierarchy = Screens.hierarchy(of: try Screens.named("cart.xml"))
    func namesApp(_ suggestion: Suggestion) -> Bool {
      suggestion.selector.steps.contains {
        if case .component(.name(let name), _) = $0 { ClassOrigin(of: name, in: hierarchy) == .app } else { false }
      }
    }
    for (a, b) in zip(suggestions, suggestions.dropFirst()) where a.stability.penalty == b.stability.penalty {
      #expect(namesApp(a) || !namesApp(b))
    }
  }

  @Test("the row of an outer list stays if the inner one is free")
  func nestedLists() throws {
    let cells = (0..<2).map { row in
      "<view class='StripCell' superclasses='UITableViewCell UIView' indexPath='0 \(row)'><view class='UICollectionView'>"
        + (0..<3).map { item in
          "<view class='BannerCell' superclasses='UICollectionViewCell UIView' indexPath='0 \(item)'><view class='UIButton'/></view>"
        }.joined() + "</view></view>"
    }.joined()
    let screen = try Screens.of("<view class='UIWindow'><view class='UITableView'>\(cells)</view></view>")
    let button = ElementID(5)
    #expect(screen.className(of: button) == "UIButton")
    let suggestions = Suggester(screen).suggestions(for: button)
    #expect(
      suggestions.prefix(2).map(Self.short) == [
        "StripCell(section:0 row:0)/UICollectionView(0)/BannerCell(section:0 item:*)/UIButton(0): 3 of a kind",
        "StripCell(section:0 row:0)/UICollectionView(0)/BannerCell(section:0 item:0)/UIButton(0)",
      ])
  }

  private static let twins = """
    <view class='UIWindow'><view class='UINavigationBar' frame='0 0 100 44'>
      <view class='UIButton' actions='save:' title='Save' identifier='save'/>
      <view class='UIButton' actions='send:' title='Send' identifier='send'/>
      <view class='UIButton' actions='go:' title='1' identifier='a'/>
      <view class='UIButton' actions='go:' title='1' identifier='b'/>
      <view class='UIButton' actions='stop:'/><view class='UIButton' actions='halt:'/>
      <view class='UIButton' actions='none:' title='x'/><view class='UIButton' actions='none:' title='x'/>
      <view class='UIButton' actions='none:'/>
    </view></view>
    """

  @Test(
    "elements with the same path and page are distinguished by other values of events, or not at all",
    arguments: [
      (2, ["UINavigationBar(0)/UIButton where content is Save", "UINavigationBar(0)/UIButton where id is save"], true),
      (4, ["UINavigationBar(0)/UIButton where id is a"], false),
      (6, ["UINavigationBar(0)/UIButton with its event ID"], false),
      (8, ["UINavigationBar(0)/UIButton: 9 alike"], false),
      // Content alone does not distinguish elements with one event ID.
      (10, ["UINavigationBar(0)/UIButton: 9 alike"], false),
    ])
  func evidence(element: Int, expected: [String], isLocalised: Bool) throws {
    let suggestions = Suggester(try Screens.of(Self.twins)).suggestions(for: ElementID(element), limit: 20)
    let texts = suggestions.map(Self.short)
    for text in expected { #expect(texts.contains(text), "\(texts)") }
    #expect(suggestions.contains { $0.evidence.contains(where: \.isLocalised) } == isLocalised)
  }

  @Test(
    "an id that a build tool gave all resources, or that was made at run time, names no element",
    arguments: ["com.x:id/0_resource_name_obfuscated", "generated:5"])
  func namelessIDs(id: String) throws {
    let screen = try Screens.of(Self.twins.replacing("identifier='a'", with: "identifier='\(id)'"))
    let texts = Suggester(screen).suggestions(for: ElementID(4), limit: 20).map(Self.short)
    #expect(!texts.isEmpty && texts.allSatisfy { !$0.contains("where id is") }, "\(texts)")
  }

  @Test("equal pages side by side are distinguished by their controllers, and the suggestion says so")
  func pages() throws {
    let screen = try Screens.of(
      """
      <view class='UIWindow'><view class='UIView' controller='HomeViewController'>
        <view class='UIView' controller='NewsViewController'><view class='UIButton'/></view>
        <view class='UIView' controller='ShopViewController'><view class='UIButton'/></view>
      </view></view>
      """)
    let first = try #require(Suggester(screen).suggestions(for: ElementID(5)).first)
    #expect(first.needsPage && first.isUnique && first.page == "ShopViewController")
    #expect(first.stability.reasons.contains(.page("ShopViewController")))
    #expect(first.elements == [ElementID(5)])
  }

  @Test("if the capture has no index path, any row is suggested instead of an index, with the reason")
  func unknownRows() throws {
    let cell = "<view class='UITableViewCell'><view class='UIButton'/></view>"
    let screen = try Screens.of("<view class='UIWindow'><view class='UITableView'>\(cell)\(cell)</view></view>")
    for (element, wanted) in [
      (5, "UITableViewCell(section:* row:*)/UIButton"), (4, "UITableViewCell(section:* row:*)"),
    ] {
      let suggestions = Suggester(screen).suggestions(for: ElementID(element))
      let first = try #require(suggestions.first)
      #expect(first.selector.description.contains(wanted), "\(Self.short(first))")
      #expect(first.uniqueness == .kind(count: 2) && first.elements.contains(ElementID(element)))
      #expect(first.stability.reasons.contains { if case .unknownRow = $0 { true } else { false } })
      for suggestion in suggestions { #expect(!suggestion.selector.description.contains("Cell(0)")) }
      #expect(SelectorMatcher(first.selector).elements(of: screen) == first.elements)
    }
  }

  @Test("rows of Android's lists have any index if the capture has no position")
  func unknownRowsOfAndroid() throws {
    let row = "<view class='Row'><view class='android.widget.Button'/></view>"
    let views = "<view class='android.widget.ListView'>\(row)\(row)</view>"
    let tree = try CaptureReader().read(Array("<viewTree version='1' os='Android'>\(views)</viewTree>".utf8))
    let first = try #require(Suggester(IdentifiedTree(tree)).suggestions(for: ElementID(2)).first)
    #expect(
      !first.selector.description.contains("Row(0)") && first.uniqueness == .kind(count: 2), "\(Self.short(first))")
  }

  @Test("paths that are the end of longer paths are anchored at the window")
  func nestedPaths() throws {
    let screen = try Screens.of(
      "<view class='A'><view class='A'><view class='A'><view class='A'/></view></view></view>")
    let suggester = Suggester(screen)
    for element in screen.tree.elements {
      let first = try #require(suggester.suggestions(for: element).first)
      #expect(first.isUnique && first.elements == [element], "\(Self.short(first))")
    }
  }

  private static let depth = TestSize.scaled(400)
  private static let width = TestSize.scaled(1_500)

  @Test(
    "the elements of any capture get suggestions that are unique and readable",
    arguments: [
      // A deep tree, a wide one, names with special characters, and a child page left of its scroll view.
      String(repeating: "<view class='A'>", count: depth) + String(repeating: "</view>", count: depth),
      "<view class='L'>" + String(repeating: "<view class='UIButton'/>", count: width) + "</view>",
      "<view class=\"a/b'c d(e)*:é&#10;\"><view class='*'/><view class='**'/><view class=\"'\"/><view class=':x'/></view>",
      """
      <view class='UIView' controller='H' frame='0 0 100 100'><view class='UIScrollView' frame='0 0 100 100'>
      <view class='P' controller='C' frame='-150 0 100 100'/><view class='P' controller='C' frame='300 0 100 100'/></view></view>
      """,
    ])
  func hostile(views: String) throws {
    let screen = try Screens.of(views)
    let suggester = Suggester(screen)
    for element in screen.tree.elements where element.index % TestSize.scaled(300) < 3 {
      let first = try #require(suggester.suggestions(for: element).first)
      #expect(first.isUnique, "\(Self.short(first))")
      #expect(try ElementSelector(parsing: first.selector.description) == first.selector)
    }
  }

  @Test("a name too long for a selector is left out of all selectors")
  func longNames() throws {
    let name = String(repeating: "A", count: 70_000)
    let views = "<view class='UIWindow'><view class='\(name)'><view class='UIButton'/></view></view>"
    var reader = CaptureReader()
    reader.limits.pathBytes = 1 << 20
    let screen = IdentifiedTree(try reader.read(Array("<viewTree>\(views)</viewTree>".utf8)))
    let suggester = Suggester(screen)
    #expect(suggester.suggestions(for: ElementID(1)).isEmpty)
    #expect(suggester.suggestions(for: ElementID(2)).first?.isUnique == true)
  }
}
