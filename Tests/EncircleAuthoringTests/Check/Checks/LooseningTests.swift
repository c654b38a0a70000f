import EncircleCapture
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import Testing

@testable import EncircleAuthoring

private let screen = """
  <view class="UIWindow"><view class="UIView" controller="FeedViewController">
    <view class="UINavigationBar"><view class="UIButton" actions="close:"/></view>
    <view class="UITableView">
      <view class="FeedCell" superclasses="UITableViewCell" indexPath="1 0"><view class="UITableViewCellContentView">
        <view class="UIButton"/><view class="UIButton"/><view class="ShareButton" superclasses="UIButton"/></view></view>
      <view class="FeedCell" superclasses="UITableViewCell" indexPath="1 1"><view class="UITableViewCellContentView">
        <view class="UIButton"/><view class="UIButton"/></view></view>
    </view>
    <view class="UICollectionView">
      <view class="TopicCell" superclasses="UICollectionViewCell" indexPath="0 0"><view class="TopicButton" superclasses="UIControl"/></view>
      <view class="TopicCell" superclasses="UICollectionViewCell" indexPath="0 1"><view class="TopicButton" superclasses="UIControl"/></view>
    </view>
    <view class="FooterView"><view class="UIButton"/></view>
  </view></view>
  """

@Suite struct LooseningTests {
  private static func row(_ claim: String, _ selector: String, _ message: String, _ written: String?) -> MistakeCase {
    MistakeCase(
      claim: claim, clause: "{ page: FeedViewController, selector: '\(selector)' }", code: .matchesNothing,
      message: message, written: written)
  }

  static let cases: [MistakeCase] = [
    row(
      "item for row", "FeedCell(section:1 item:*)/**/UIButton(1)", "FeedCell has a row rather than an item",
      "FeedCell(section:1 row:*)/**/UIButton(1)"),
    row(
      "row for item", "TopicCell(section:0 row:*)/TopicButton", "TopicCell has an item rather than a row",
      "TopicCell(section:0 item:*)/TopicButton"),
    row(
      "an index for a cell", "TopicCell(1)/TopicButton", "TopicCell has a section and an item rather than an index",
      "TopicCell(section:0 item:1)/TopicButton"),
    row(
      "an index for a cell of another section", "FeedCell(0)/**/UIButton(0)",
      "FeedCell has a section and a row rather than an index", "FeedCell(section:* row:0)/**/UIButton(0)"),
    row(
      "a section and row for what has an index", "FooterView(section:0 row:0)/UIButton",
      "FooterView has an index rather than a section and a row", "FooterView(0)/UIButton"),
    row(
      "an index for an item of a bar", "UINavigationBar/UIButton(0)", "UIButton has no locator",
      "UINavigationBar/UIButton()"),
    row(
      "a class for its subclasses", "TopicCell/UIControl", "UIControl alone does not stand for its subclasses",
      "TopicCell/:UIControl"),
    row(
      "views in between", "FeedCell/UIButton(1)", "there are other views between FeedCell and UIButton(1)",
      "FeedCell/**/UIButton(1)"),
    row(
      "a wrong section", "FeedCell(section:0 row:*)/**/UIButton(1)", "1 is the only section of FeedCell",
      "FeedCell(section:1 row:*)/**/UIButton(1)"),
    row(
      "an index counted from 1", "FeedCell/UITableViewCellContentView/UIButton(2)",
      "1 is the last index, counted from 0, of UIButton", "FeedCell/UITableViewCellContentView/UIButton(1)"),
    row(
      "a row far beyond", "FeedCell(section:1 row:9)/**/UIButton(1)", "there are only the row numbers 0, 1 of FeedCell",
      nil),
    row(
      "an index that no class of several has, though one is without index", "*Button(9)",
      "there are only the index numbers 0, 1 of *Button", nil),
    row(
      "a misspelt class", "FedCell/**/UIButton(1)", "there is no FedCell, but FeedCell", "FeedCell/**/UIButton(1)"),
    row(
      "a misspelt class, and views in between", "FedCell/UIButton(1)",
      "there is no FedCell, but FeedCell; there are other views between FeedCell and UIButton(1)",
      "FeedCell/**/UIButton(1)"),
    row(
      "item for row, and views in between", "FeedCell(section:1 item:*)/UIButton(1)",
      "FeedCell has a row rather than an item; there are other views between",
      "FeedCell(section:1 row:*)/**/UIButton(1)"),
    row(
      "brackets of another style", "FooterView[0]/UIButton[0]", "the style hubbledata has no brackets",
      "FooterView(0)/UIButton(0)"),
    row(
      "brackets for a cell", "FeedCell[1][0]/**/UIButton(1)", "the style hubbledata has no brackets",
      "FeedCell(section:1 row:0)/**/UIButton(1)"),
    row("underscores between steps", "FooterView_UIButton(0)", "joined by / rather than _", "FooterView/UIButton(0)"),
    row("full-width parentheses", "FooterView/UIButton（0）", "full-width signs", "FooterView/UIButton(0)"),
    row(
      "a path that does not begin at the window", "/UITableView/FeedCell/**/UIButton(1)",
      "UITableView is not the window, with which a path begins after /", "UITableView/FeedCell/**/UIButton(1)"),
    row(
      "a view that is not there", "UIStackView/FooterView/UIButton(0)",
      "there is no UIStackView around FooterView/UIButton(0)",
      "FooterView/UIButton(0)"),
    row("a class that differs too much to be a misspelling", "ShadyButton", "matches no element of the captures", nil),
    row("an element that is not there", "FooterView/UISlider", "there is no UISlider in FooterView", nil),
    row("something else altogether", "GoneView/GoneButton/GoneLabel/GoneImage/Gone", "matches no element", nil),
  ]

  @Test("matches-nothing says why, and the edit makes it match", arguments: cases)
  func reasons(row: MistakeCase) throws { try row.check(captures: [screen]) }

  @Test(
    "another number, or none, is a guess, because captures show only some rows of a list; another notation is certain",
    arguments: [
      ("FeedCell(section:0 row:*)/**/UIButton(1)", false), ("FeedCell/**/UIButton(2)", false),
      ("UINavigationBar/UIButton(5)", false), ("FooterView(3)/UIButton(0)", false),
      ("FooterView[3]/UIButton[0]", false), ("FooterView[0]/UIButton[0]", true),
      ("FeedCell(section:1 item:*)/**/UIButton(1)", true),
    ])
  func otherNumbers(selector: String, isCertain: Bool) throws {
    let rules = "rules:\n  - id: a\n    include: { selector: '\(selector)' }"
    let found = try Checked.findings(rules, captures: [screen]).filter { $0.code == .matchesNothing }
    #expect(found.count == 1 && found.first?.edit != nil)
    #expect((found.first?.certainEdit != nil) == isCertain)
  }

  @Test("an XPath counts from 1")
  func xpath() throws {
    let capture = """
      <view class="UIWindow"><view class="XCUIElementTypeCell">
        <view class="XCUIElementTypeButton"/><view class="XCUIElementTypeButton"/></view></view>
      """
    try MistakeCase(
      claim: "", clause: "{ selector: 'XCUIElementTypeCell[1]/XCUIElementTypeButton[1]' }", code: .matchesNothing,
      message: "this is an XPath", written: "XCUIElementTypeCell(0)/XCUIElementTypeButton(0)"
    ).check(captures: [capture])
  }

  @Test("a wrong page is replaced if only one page is right")
  func page() throws {
    try MistakeCase(
      claim: "", clause: "{ page: OtherViewController, selector: FooterView/UIButton }", code: .matchesNothing,
      message: "only elements of other pages", written: "FeedViewController"
    ).check(captures: [screen])
  }

  @Test("the captures of a test driver do not name pages, so no page is proposed")
  func withoutPage() throws {
    let rules = "rules:\n  - id: a\n    include: { page: PayViewController, selector: UITableView/UISwitch }"
    let capture = #"<view class="UIWindow"><view class="UITableView"><view class="UISwitch"/></view></view>"#
    let found = try Checked.findings(rules, captures: [capture]).filter { $0.code == .matchesNothing }
    #expect(found.map(\.message) == ["the selector matches only elements whose page the captures do not name"])
    #expect(found.allSatisfy { $0.suggestion == nil && $0.edit == nil })
  }

  @Test("of two repairs, the one on the requested page is offered")
  func wantedPage() throws {
    let other = screen.replacing("FeedViewController", with: "OldViewController").replacing(
      "FooterView", with: "FootersView")
    try MistakeCase(
      claim: "", clause: "{ page: FeedViewController, selector: FooteryView/UIButton }", code: .matchesNothing,
      message: "FooterView", written: "FooterView/UIButton"
    ).check(captures: [other, screen])
  }

  @Test("a selector beside a matching one is explained without an edit")
  func others() throws {
    try MistakeCase(
      claim: "", clause: "{ selector: [FooterView/UIButton, FedCell/**/UIButton] }", code: .matchesNothing,
      severity: .note, message: "others of this rule do: there is no FedCell, but FeedCell"
    ).check(captures: [screen])
  }

  @Test(
    "in the style of another SDK, a selector that matches nothing is explained once, without an edit",
    arguments: [
      ("sensors", "FeedCell/UIButton", "there are other views between FeedCell and UIButton", "FeedCell/**/UIButton"),
      (
        "sensors", "FeedCell[1][7]/UITableViewCellContentView[0]/UIButton[1]",
        "there are only the row numbers 0, 1 of FeedCell", nil
      ),
      ("sensors", "UIStackView/FooterView/UIButton", "there is no UIStackView around", "FooterView/UIButton"),
      ("lede", "FedCell/**/UIButton(0)", "there is no FedCell, but FeedCell", "FeedCell/**/UIButton(0)"),
      ("growingio", "FooterView(1)/UIButton", "0 is the only index of FooterView", "FooterView(0)/UIButton"),
    ])
  func otherStyles(style: String, selector: String, message: String, instead: String?) throws {
    let rules = "style: \(style)\nrules:\n  - id: a\n    include: { selector: '\(selector)' }"
    let found = try Checked.findings(rules, captures: [screen]).filter { $0.code == .matchesNothing }
    #expect(found.count == 1)
    #expect(found.first?.message.contains(message) == true, "\(found.map(\.message))")
    #expect(found.first?.suggestion == instead)
    #expect(found.first?.example?.contains("element ") == true)
    #expect(found.first?.edit == nil)
  }

  @Test("brackets that a style does not have are reported once", arguments: ["hubbledata", "lede", "growingio"])
  func brackets(style: String) throws {
    let rules = "style: \(style)\nrules:\n  - id: a\n    include: { selector: 'FooterView/UIButton[0]' }"
    #expect(try Checked.findings(rules, captures: [screen]).map(\.code) == [.matchesNothing])
  }

  @Test("many selectors that match nothing on a deep and wide capture stay within the limit of visits")
  func bounded() throws {
    let wide = (0..<2_000).map { #"<view class="A\#($0 % 50)"><view class="B"/></view>"# }.joined()
    let deep = String(repeating: #"<view class="D">"#, count: 800) + String(repeating: "</view>", count: 800)
    let capture = #"<viewTree version="1"><view class="UIWindow">\#(wide)\#(deep)</view></viewTree>"#
    var paths = ElementPaths()
    paths.add(IdentifiedTree(try CaptureReader().read(Array(capture.utf8))), name: "a", style: .hubbleData)
    var loosener = SelectorLoosener(paths, hierarchy: .builtIn)
    let all = loosener.search.steps
    let steps = (0..<59).map { "D(\($0))" }.joined(separator: "/**/")
    // With the deep one there is nothing left.
    let selectors = (0..<TestSize.scaled(40)).map { "A\($0)/C\($0 % 7)(3)/**/B(\($0 + 9))" } + [steps, steps, steps]
    for selector in selectors { _ = loosener.repair(try ElementSelector(parsing: selector), in: .hubbleData) }
    // One path may be looked at to its end, with a visit for each step that it may be at.
    #expect(loosener.search.steps < all && loosener.search.steps > -100_000)
  }
}
