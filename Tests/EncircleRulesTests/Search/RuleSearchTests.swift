import EncircleIdentity
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@Suite struct RuleSearchTests {
  private static func rule(_ selector: String, id: UTF8String, isEnabled: Bool = true) throws -> SelectionRule {
    var clause = RuleClause()
    clause.selectors = [try ElementSelector(parsing: selector)]
    var rule = SelectionRule(id, .include, [clause])
    rule.isEnabled = isEnabled
    return rule
  }

  @Test(arguments: [["same", "same", "same", "same", "same"], ["e", "b", "d", "a", "c"]])
  func `each rule finds its own elements, whatever the ids`(ids: [String]) throws {
    let screen = try Screens.named("home-feed.xml")
    let settings = SelectionSettings(style: .hubbleData)
    let selectors = ["UIButton", "ProductCell", "**/UITabBarButton", "Nowhere", ":UIControl"]
    var dictionary = ElementDictionary()
    dictionary.insert(screen)
    let rules = try zip(selectors, ids).map { selector, id in
      try Self.rule(selector, id: UTF8String(id), isEnabled: selector != "ProductCell")
    }
    let events = ScreenEvents(screen, settings)
    var finder = RuleSearch(rules, settings, dictionary).finder()
    let found = finder.elements(of: events, count: rules.count)
    let tracked = Set(events.elements)
    for (i, selector) in selectors.enumerated() {
      let expected = settings.elements(matching: try ElementSelector(parsing: selector), in: screen)
        .filter(tracked.contains)
      #expect(found[i] == (rules[i].isEnabled ? expected : []), "\(selector)")
    }
    #expect(!found[0].isEmpty && !found[4].isEmpty)
  }

  @Test(arguments: [PathStyleName.hubbleData, .sensors, .sensorsExact, .lede])
  func `a cell without an index path matches by its index and as a cell in any row`(style: PathStyleName) throws {
    let cell = #"<view class="Cell" superclasses="UITableViewCell"><view class="UIButton"/></view>"#
    let screen = try Screens.of(
      #"<view class="UIWindow"><view class="UIView" controller="Home"><view class="UITableView">"#
        + "\(cell)\(cell)</view></view></view>")
    let settings = SelectionSettings(style: style)
    let cases: [(String, [Int])] = [
      ("Cell(1)/UIButton(0)", [6]), ("Cell(section:* row:*)", [3, 5]), ("Cell", [3, 5]), ("Cell(2)", []),
      ("Cell(section:* item:*)", []),
    ]
    for (selector, expected) in cases {
      let found = settings.elements(matching: try ElementSelector(parsing: selector), in: screen)
      #expect(found == expected.map { ElementID($0) }, "\(selector)")
    }
  }

  @Test func `a style that cannot serve a capture makes no events of it`() throws {
    let lacking = try PackageFolder.captureNames.map { try Screens.named($0) }
      .first { PathStyleName.sensors.style.unmetRequirement(for: $0) != nil }
    let events = ScreenEvents(try #require(lacking), SelectionSettings(style: .sensors))
    #expect(events.elements.isEmpty)
  }
}
