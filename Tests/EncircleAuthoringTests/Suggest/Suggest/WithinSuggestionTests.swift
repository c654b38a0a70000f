import EncircleAuthoring
import EncircleCapture
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleTree
import Testing

/// Suggestions by what is said around an element.
@Suite struct WithinSuggestionTests {
  private static let screen = Result {
    IdentifiedTree(
      try CaptureReader().read(
        Array(
          """
          <viewTree version="1" app="com.example.shop"><view class="UIWindow">
            <view class="UITableView" controller="FeedController">
              <view class="ProductCell" superclasses="UITableViewCell" indexPath="0 0">
                <view class="UILabel" text="桃"/><view class="UILabel" text="¥168.50"/><view class="UIButton" title="加入" actions="add:"/>
              </view>
              <view class="ProductCell" superclasses="UITableViewCell" indexPath="0 1">
                <view class="UILabel" text="李"/><view class="UILabel" text="¥9"/><view class="UIButton" title="加入" actions="add:"/>
              </view>
              <view class="PriceCell" superclasses="UITableViewCell" indexPath="1 0">
                <view class="UILabel" text="¥1"/><view class="UIButton" title="加入" actions="add:"/>
              </view>
              <view class="PriceCell" superclasses="UITableViewCell" indexPath="1 1">
                <view class="UILabel" text="¥2"/><view class="UIButton" title="加入" actions="add:"/>
              </view>
            </view>
            <view class="UIView" controller="SettingsController">
              <view class="OptionRow"><view class="UILabel" text="夜间模式"/><view class="UISwitch" actions="a:"/></view>
              <view class="OptionRow"><view class="UILabel" text="通知"/><view class="UISwitch" actions="a:"/></view>
              <view class="TwinRow"><view class="UILabel" text="开"/><view class="UISwitch" actions="a:"/></view>
              <view class="TwinRow"><view class="UILabel" text="开"/><view class="UISwitch" actions="a:"/></view>
              <view class="LoneRow"><view class="UILabel" text="关"/><view class="UISwitch" actions="a:"/></view>
            </view>
          </view></viewTree>
          """.utf8)))
  }

  /// The place of the suggestion by what is around an element, and its clause; nil if there is none.
  private static func around(_ element: Int, _ style: PathStyleName, limit: Int = 5) throws -> (Int, String)? {
    let screen = try screen.get()
    let element = ElementID(element)
    let suggestions = TapSuggester(screen, style: style).suggestions(for: element, limit: limit)
    guard let place = suggestions.firstIndex(where: \.needsCaptures) else { return nil }
    let rule = SuggestedRule(suggestions[place], for: element, in: screen, style: style)
    // As it is written, it selects the element alone where captures are known, and nothing without.
    let ruleSet = try RuleFiles(text: rule.yaml).ruleSet()
    var dictionary = ElementDictionary(style: style, knowsScreens: true)
    dictionary.insert(screen)
    let events = ElementEvents(of: screen, style: style, fields: ruleSet.fields)
    for (known, expected) in [(dictionary, [element]), (ElementDictionary(style: style), [])] {
      var decider = Decider(Matcher(ruleSet, dictionary: known))
      let selected = screen.tree.elements.filter { element in
        screen.trackingType(of: element, in: style) != nil && decider.decide(events.event(of: element)).isSelected
      }
      #expect(selected == expected, "\(rule.yaml)")
    }
    let lines = rule.yaml.split(separator: "\n").map { $0.drop { $0 == " " } }
    let wanted = ["selector:", "within:"].compactMap { key in lines.first { $0.hasPrefix(key) } }
    return (place, wanted.joined(separator: ", "))
  }

  @Test(
    "the button in the cell that says 桃 comes after any row and the exact one",
    arguments: [
      (5, "selector: ProductCell(section:0 row:*)/UIButton(0), within: { selector: ProductCell, says: 桃 }"),
      (9, "selector: ProductCell(section:0 row:*)/UIButton(0), within: { selector: ProductCell, says: 李 }"),
    ])
  func rows(element: Int, clause: String) throws {
    let found = try #require(try Self.around(element, .hubbleData))
    #expect(found.0 == 2)
    #expect(found.1 == clause)
    #expect(try Self.around(element, .hubbleData, limit: 2) == nil)
  }

  @Test("outside lists, the text around the element replaces the index of the view around it")
  func views() throws {
    let found = try #require(try Self.around(22, .hubbleData))
    #expect(found.0 == 1)
    #expect(found.1 == "selector: OptionRow/UISwitch(0), within: { selector: OptionRow, says: 通知 }")
  }

  @Test(
    "no text around is offered if the texts change, are equal or are not needed",
    arguments: [12, 15, 25, 28, 31, 6, 1])
  func none(element: Int) throws { #expect(try Self.around(element, .hubbleData) == nil) }

  @Test(
    "in other styles it is made of their paths", arguments: [(PathStyleName.lede, 2), (.growingIO, 2), (.sensors, 2)])
  func styles(style: PathStyleName, place: Int) throws {
    let found = try #require(try Self.around(5, style))
    #expect(found.0 == place && found.1.hasSuffix("within: { selector: ProductCell, says: 桃 }"), "\(found)")
  }

  @Test(
    "the texts around an element of Android are found although paths have resource ids",
    arguments: [PathStyleName.hubbleDataAndroid, .growingIOAndroid])
  func resourceIDs(style: PathStyleName) throws {
    let screen = try Screens.named("android-shop.xml")
    let suggestions = TapSuggester(screen, style: style).suggestions(for: ElementID(20), limit: 5)
    let texts = suggestions.flatMap(\.evidence).compactMap { if case .within(_, let text) = $0 { text } else { nil } }
    #expect(texts.contains { $0 == "粉玫瑰" }, "\(texts)")
    let name = try #require(RelativeSelector(from: ElementID(20), to: ElementID(17), in: screen, style))
    #expect(!name.description.contains("#"), "\(name)")
  }

  @Test("trials in other captures keep it behind suggestions decided by events, though it finds a moved row")
  func others() throws {
    let screen = try Self.screen.get()
    let suggestions = TapSuggester(screen, style: .hubbleData).suggestions(for: ElementID(5), limit: 5)
    var ranking = TransferRanking(suggestions, for: ElementID(5), in: screen)
    let matches = suggestions.map { SelectionSettings(style: .hubbleData).elements(matching: $0.selector, in: screen) }
    ranking.add(screen, matches: matches)
    let around = try #require(suggestions.firstIndex { $0.needsCaptures })
    #expect(ranking.outcomes(of: around) == [.same])
    #expect(ranking.order.firstIndex(of: around) == 2)
  }
}
