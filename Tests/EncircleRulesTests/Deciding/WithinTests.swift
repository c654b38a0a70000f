import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleTestSupport
import EncircleText
import Testing

@testable import EncircleRules

/// The texts around the element of an event, as captures know them.
@Suite struct WithinTests {
  private static let feed = """
    <viewTree version="1" app="com.example.shop"><view class="UIWindow">
      <view class="UITableView" controller="FeedController">
        <view class="ProductCell" superclasses="UITableViewCell" indexPath="0 0">
          <view class="UILabel" text="桃"/><view class="PriceView"><view class="UILabel" text="¥168.50 起"/></view>
          <view class="UIButton" title="加入" actions="add:"/>
        </view>
        <view class="ProductCell" superclasses="UITableViewCell" indexPath="0 1">
          <view class="UILabel" text="李"/><view class="UILabel" text="售罄"/><view class="UIButton" title="加入" actions="add:"/>
        </view>
      </view>
    </view></viewTree>
    """

  private static func screen(_ capture: String) throws -> IdentifiedTree {
    IdentifiedTree(try CaptureReader().read(Array(capture.utf8)))
  }

  private static func dictionary(
    _ captures: [String], style: PathStyleName = .hubbleData, otherStyles: [PathStyleName] = []
  ) throws -> ElementDictionary {
    var dictionary = ElementDictionary(style: style, knowsScreens: true, otherStyles: otherStyles)
    for capture in captures { dictionary.insert(try screen(capture)) }
    return dictionary
  }

  private static func ruleSet(_ within: String) throws -> RuleSet {
    try RuleFiles(
      text: """
        version: 1
        rules:
          - id: a
            include: { event: $AppClick, selector: "UIButton(0)", within: \(within) }
        """
    ).ruleSet()
  }

  private static func tap(row: Int, page: String = "FeedController") throws -> AnalyticsEvent {
    let path = "UIWindow(0)/UITableView(0)/ProductCell(section:0 row:\(row))/UIButton(0)"
    return try AnalyticsEvent(
      json: #"{"event":"$AppClick","properties":{"$screen_name":"\#(page)","$element_path":"\#(path)"}}"#)
  }

  /// The rows whose buttons a clause selects, of those that the capture has and one that it has not.
  private static func rows(_ matcher: Matcher) throws -> [Int] {
    var decider = Decider(matcher)
    return try (0...2).filter { decider.decide(try tap(row: $0)).isSelected }
  }

  @Test(
    "the button is in the cell that says it",
    arguments: [
      ("{ selector: ProductCell, says: 桃 }", [0]), ("{ selector: ProductCell, says: [桃, 李] }", [0, 1]),
      ("{ selector: ProductCell, says: { prefix: ¥ } }", [0]),
      ("{ selector: 'ProductCell(section:0 row:1...)', says: { exists_: 1 } }", nil),
      // The cell itself says all of it together.
      ("{ selector: ProductCell, says: { contains: 桃-¥168 } }", [0]),
      ("{ selector: ':UITableViewCell', says: { number: { \">\": 100 } } }", [0]),
      // One text passes all that must hold, and none passes what must not.
      ("{ selector: ProductCell, says: { prefix: 桃, suffix: 起 } }", []),
      ("{ selector: ProductCell, says: { prefix: ¥, suffix: 起 } }", [0]),
      ("{ selector: ProductCell, says: { not: 售罄 } }", [0]),
      ("{ selector: ProductCell, says: { in: [桃, 李], not: 售罄 } }", [0]),
      // The innermost element that matches counts.
      ("{ selector: '*', says: 桃 }", [0]), ("{ selector: UITableView, says: 桃 }", [0, 1, 2]),
      ("{ selector: UIButton, says: 加入 }", []), ("{ selector: Missing, says: { not: 桃 } }", []),
    ] as [(String, [Int]?)])
  func cells(within: String, expected: [Int]?) throws {
    guard let expected else {
      #expect(throws: RuleFileErrors.self) { try Self.ruleSet(within) }
      return
    }
    let ruleSet = try Self.ruleSet(within)
    let dictionary = try Self.dictionary([Self.feed])
    let matcher = Matcher(ruleSet, dictionary: dictionary)
    #expect(try Self.rows(matcher) == expected)
    #expect(try Self.rows(Matcher(compiled: try matcher.compiled(), dictionary: dictionary)) == expected)
    #expect(try Self.rows(Matcher(RuleSet(), dictionary: dictionary).updated(with: ruleSet.rules)) == expected)
    #expect(try Self.rows(Matcher(ruleSet)) == [])
  }

  @Test("texts on which captures disagree, and texts of other pages, are unknown")
  func unknown() throws {
    let ruleSet = try Self.ruleSet("{ selector: ProductCell, says: 桃 }")
    let other = Self.feed.replacing("桃", with: "梨")
    #expect(try Self.rows(Matcher(ruleSet, dictionary: try Self.dictionary([Self.feed, other]))) == [])
    var decider = Decider(Matcher(ruleSet, dictionary: try Self.dictionary([Self.feed])))
    #expect(!decider.decide(try Self.tap(row: 0, page: "OtherController")).isSelected)
    #expect(decider.decide(try Self.tap(row: 0)).isSelected)
    // An event that has such a property itself gains nothing by it.
    let made =
      #"{"event":"$AppClick","properties":{"a text within ProductCell":["桃"],"$element_path":"A(0)/UIButton(0)"}}"#
    #expect(!decider.decide(try AnalyticsEvent(json: made)).isSelected)
  }

  @Test("an event with an event ID alone, and events of several styles, are decided by their own captures")
  func otherEvents() throws {
    let screen = try Self.screen(Self.feed)
    let buttons = screen.tree.elements.filter { screen.className(of: $0) == "UIButton" }
    var decider = Decider(
      Matcher(try Self.ruleSet("{ selector: ProductCell, says: 桃 }"), dictionary: try Self.dictionary([Self.feed])))
    let selected = try buttons.map { button in
      decider.decide(try AnalyticsEvent(json: #"{"event":"$AppClick","event_id":"\#(screen.eventID(of: button))"}"#))
        .isSelected
    }
    #expect(selected == [true, false])
    let several = try RuleFiles(
      text: """
        version: 1
        rules:
          - id: a
            include:
              - { style: hubbledata, selector: "UIButton(0)", within: { selector: ProductCell, says: 桃 } }
              - { style: growingio, event: VIEW_CLICK, within: { selector: ProductCell, says: 李 } }
            properties: { name: { element: ../UILabel(0) } }
        """
    ).ruleSet()
    let both = Matcher(
      several,
      dictionary: try Self.dictionary([Self.feed], style: several.style, otherStyles: several.otherStyles))
    var decisions = Decider(both)
    #expect(decisions.decide(try Self.tap(row: 0)).isSelected)
    let events = ElementEvents(of: screen, style: .growingIO, fields: EventFields(style: .growingIO))
    let growing = buttons.map { decisions.decide(events.event(of: $0)) }
    #expect(growing.map(\.isSelected) == [false, true])
    #expect(growing.last?.properties.flatMap(\.values).map { "\($0.value)" } == ["\"李\""])
  }

  @Test("explanations give the texts around the element, or why they are unknown")
  func explanations() throws {
    let ruleSet = try Self.ruleSet("{ selector: ProductCell, says: { prefix: 桃, not: 李 } }")
    func text(_ row: Int, _ dictionary: ElementDictionary) throws -> String {
      let explanation = Explainer(ruleSet, dictionary: dictionary).explain(try Self.tap(row: row))
      return ExplanationText.text(explanation, explanation.rules, left: 0)
    }
    let dictionary = try Self.dictionary([Self.feed])
    #expect(try text(0, dictionary).contains(#"✓ a text within ProductCell begins with "桃" and not (is "李")"#))
    #expect(try text(1, dictionary).contains("李"))
    #expect(try text(2, dictionary).contains("found nothing, because no capture has a definite text there"))
    #expect(try text(0, ElementDictionary()).contains("found nothing, because there are no captures"))
  }

  @Test("an excluded page with exceptions excludes everything else on it and its subclasses, in its app only")
  func excludedPages() throws {
    let ruleSet = try RuleFiles(
      text: """
        version: 1
        app: com.example.shop
        track: all
        classes: { ShopWebController: WebController, WebController: UIViewController }
        pages:
          exclude:
            - LoginController
            - page: WebController
              unless: { where: { $url: { prefix: "https://shop" } } }
        """
    ).ruleSet()
    var decider = Decider(Matcher(ruleSet))
    func decide(_ page: String, _ url: String, app: String = "com.example.shop") throws -> Decision {
      decider.decide(
        try AnalyticsEvent(
          json: #"{"event":"x","properties":{"$screen_name":"\#(page)","$url":"\#(url)","$app_id":"\#(app)"}}"#))
    }
    #expect(try decide("WebController", "https://shop.example.com/").isSelected)
    #expect(try decide("WebController", "https://bank").excludedBy == ["pages.exclude.WebController"])
    #expect(try !decide("ShopWebController", "https://bank").isSelected)
    #expect(try decide("WebController", "https://bank", app: "other").isSelected)
    #expect(try decide("LoginController", "https://shop").pages == ["LoginController"])
  }
}
