import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree
import Foundation
import Testing

@testable import EncircleAuthoring

/// Rules for all elements of a capture at once.
@Suite struct ScreenSuggesterTests {
  private static func rules(_ name: String) throws -> RuleSet {
    try RuleFiles([PackageFolder.root.appendingPathComponent("Rules/\(name).yaml").path]).ruleSet()
  }

  private static func style(_ style: PathStyleName) -> RuleSet {
    var ruleSet = RuleSet()
    ruleSet.style = style
    ruleSet.fields = EventFields(style: style)
    return ruleSet
  }

  /// Loads what was proposed, and decides the tap on each tracked element of the capture with it.
  ///
  /// - Returns: The decisions by element.
  private static func decisions(
    _ proposals: ScreenProposals, _ screen: IdentifiedTree, beside others: RuleSet? = nil
  ) throws -> [ElementID: Decision] {
    var ruleSet = try RuleFiles(text: proposals.yaml(), name: "proposed.yaml").ruleSet()
    if let others {
      let own = ruleSet.rules
      ruleSet = others.part(for: screen)
      ruleSet.rules += own
    }
    var dictionary = ElementDictionary(style: ruleSet.style, knowsTexts: true)
    dictionary.insert(screen)
    var decider = Decider(Matcher(ruleSet, dictionary: dictionary))
    let settings = SelectionSettings(ruleSet)
    let style = settings.style(for: screen)
    let events = ElementEvents(of: screen, style: style, fields: settings.fields)
    var result: [ElementID: Decision] = [:]
    for element in screen.tree.elements where screen.trackingType(of: element, in: style) != nil {
      result[element] = decider.decide(events.event(of: element))
    }
    return result
  }

  /// Expects that each element's tap has its own rule and no other.
  private static func expectOwnRules(
    _ proposals: ScreenProposals, _ screen: IdentifiedTree, beside others: RuleSet? = nil, _ place: String
  ) throws {
    let decisions = try decisions(proposals, screen, beside: others)
    var own: [ElementID: UTF8String] = [:]
    for rule in proposals.rules {
      for element in rule.elements {
        #expect(own[element] == nil, "\(place): element \(element) is in two rules")
        own[element] = UTF8String(rule.id)
      }
    }
    let proposed = Set(proposals.rules.map { UTF8String($0.id) })
    #expect(proposed.count == proposals.rules.count, "\(place): ids are unique")
    for (element, decision) in decisions {
      guard let id = own[element] else {
        #expect(proposed.isDisjoint(with: decision.rules), "\(place), element \(element): \(decision.rules)")
        continue
      }
      #expect(decision.rules == [id], "\(place), element \(element): \(decision.rules)")
      #expect(decision.isSelected && decision.emit == [id], "\(place), element \(element)")
    }
    for rule in proposals.rules {
      #expect(rule.id.utf8.allSatisfy(isFilenameByte) && NameSlug.isMeaningful(rule.id), "\(place): \(rule.id)")
      #expect(rule.id.utf8.count <= NameTemplate.longestName + 12, "\(place): \(rule.id)")
    }
  }

  @Test(
    "with the rules for all elements of a capture, each tap has its own one and no other",
    arguments: TestSize.isFull
      ? PackageFolder.captureNames : TestSize.spread(PackageFolder.smallCaptureNames, atLeast: 16))
  func shipped(name: String) throws {
    let screen = try Screens.named(name)
    let proposals = ScreenSuggester(screen, RuleSet()).proposals()
    try Self.expectOwnRules(proposals, screen, name)
    #expect(proposals.impossible.isEmpty && proposals.beyondLimit == 0)
    #expect(proposals.rules.allSatisfy { $0.suggestion.isUnique }, "none selects more than its element")
    let tracked = screen.tree.elements.filter { screen.trackingType(of: $0) != nil }
    let excluded = Set(proposals.others.filter { $0.state == .excludedPage }.map(\.element))
    if excluded.isEmpty {
      #expect(proposals.rules.reduce(0) { $0 + $1.elements.count } == tracked.count, "no element is forgotten")
    }
  }

  @Test(
    "each tap has its own rule in other SDKs' styles, too, if their events distinguish elements",
    arguments: TestSize.spread(
      PackageFolder.smallCaptureNames.flatMap { name in
        PathStyleName.allCases.filter { $0 != .hubbleData }.map { (name, $0) }
      }, atLeast: 30))
  func styles(name: String, style: PathStyleName) throws {
    let screen = try Screens.named(name)
    guard style.style.unmetRequirement(for: screen) == nil else { return }
    let proposals = ScreenSuggester(screen, Self.style(style)).proposals()
    let needsReview = proposals.rules.contains { rule in
      rule.reviewReasons.contains {
        switch $0 {
        case .selectsOthers, .missesPlaces: true
        case .relies: false
        }
      }
    }
    if needsReview {
      // What it says of each rule is so.
      let decisions = try Self.decisions(proposals, screen)
      for rule in proposals.rules {
        let id = UTF8String(rule.id)
        let missed = rule.elements.count { !(decisions[$0]?.rules.contains(id) ?? false) }
        let others = decisions.count { $0.value.rules.contains(id) && !rule.elements.contains($0.key) }
        #expect(
          rule.reviewReasons.contains(.missesPlaces(count: missed)) == (missed > 0), "\(name), \(style): \(rule.id)")
        #expect(
          rule.reviewReasons.contains(.selectsOthers(count: others)) == (others > 0), "\(name), \(style): \(rule.id)")
      }
    } else {
      try Self.expectOwnRules(proposals, screen, "\(name), \(style)")
    }
  }

  @Test(
    "elements taken by rules get no other, and the ids of these rules are not given again",
    arguments: [("home-feed.xml", "shop"), ("cart.xml", "shop"), ("alert-ios9.xml", "chat"), ("tab-bar.xml", "shop")])
  func beside(name: String, rules: String) throws {
    let screen = try Screens.named(name)
    let ruleSet = try Self.rules(rules)
    let suggester = ScreenSuggester(screen, ruleSet)
    let proposals = suggester.proposals()
    try Self.expectOwnRules(proposals, screen, beside: ruleSet, "\(name) beside \(rules)")
    let known = Set(ruleSet.rules.map(\.id))
    #expect(proposals.rules.allSatisfy { !known.contains(UTF8String($0.id)) })
    // With them, nothing is left.
    var all = ruleSet
    all.rules += try RuleFiles(text: proposals.yaml(), name: "proposed.yaml").ruleSet().rules
    #expect(ScreenSuggester(screen, all).proposals().rules.isEmpty)
    // The same elements as coverage lists.
    var coverage = ScreenCoverage(ruleSet)
    coverage.add(screen, name: name)
    let open = coverage.finish().open.filter { $0.state == .open }.compactMap(\.place?.element)
    #expect(Set(open) == Set(proposals.rules.map(\.element.index)))
  }

  @Test("ids follow the template, names are the texts of elements, and words are translated")
  func names() throws {
    let words = try WordList(yaml: "首页: home\n购物车: cart\n加入: add\n去结算: checkout")
    let screen = try Screens.named("home-feed.xml")
    let suggester = ScreenSuggester(screen, RuleSet())
    let proposals = suggester.proposals(names: try NameTemplate("{page_title}.{text}.{action}"), words: words)
    let add = try #require(proposals.rules.first { $0.name == "加入" })
    #expect(add.id == "home.add.click" && add.emit == add.id && add.elements.count == 3)
    #expect(add.suggestion.selector.description.contains("section:* row:*"))
    let plain = suggester.proposals(names: try NameTemplate("{type}"))
    #expect(plain.rules.contains { $0.id == "button_2" } && plain.rules.contains { $0.id == "row" })
    #expect(suggester.proposals(names: try NameTemplate("{row}")).rules.allSatisfy { !$0.id.isEmpty })
  }

  private static let views = """
    <view class="UIWindow"><view class="UIView" controller="首页" controllerTitle="首页">
      <view class="UIButton" title="加入"/><view class="UIButton" title="加入"/><view class="UIButton" title="去结算"/>
      <view class="UISearchBar"><view class="UITextField" text="secret words"/></view>
      <view class="UITextField" text="my password" identifier="my password"/>
      <view class="UISwitch"/>
    </view></view>
    """

  @Test("elements without a translation are named by type and number, and equal ids are numbered")
  func fallback() throws {
    let screen = try Screens.of(Self.views)
    let proposals = ScreenSuggester(screen, RuleSet()).proposals()
    let ids = proposals.rules.map(\.id)
    #expect(ids.contains("page_button_1_click") && ids.contains("page_button_3_click"))
    #expect(ids.contains("page_switch_1_switch"))
    #expect(ids == ScreenSuggester(screen, RuleSet()).proposals().rules.map(\.id), "the same each time")
    let words = try WordList(yaml: "加入: add\n首页: home")
    let translated = ScreenSuggester(screen, RuleSet()).proposals(words: words).rules.map(\.id)
    #expect(translated.prefix(3) == ["home_add_click", "home_add_click_2", "home_button_3_click"])
  }

  @Test("no name or id contains text that people may have typed")
  func typed() throws {
    let screen = try Screens.of(Self.views)
    let proposals = ScreenSuggester(screen, RuleSet()).proposals(names: try NameTemplate("{element}.{text}"))
    #expect(proposals.rules.contains { $0.type == .searchBar })
    for word in ["secret", "password"] { #expect(!proposals.yaml().contains(word)) }
  }

  @Test("only the chosen elements get rules, and one row stands for all")
  func chosen() throws {
    let screen = try Screens.named("home-feed.xml")
    let ruleSet = try Self.rules("shop")
    let suggester = ScreenSuggester(screen, RuleSet())
    let all = suggester.proposals()
    let add = try #require(all.rules.first { $0.name == "加入" })
    let chosen = suggester.proposals(for: [add.elements[1], add.elements[2], ElementID(0)])
    #expect(chosen.rules.map(\.elements) == [add.elements] && chosen.others.isEmpty)
    let taken = ScreenSuggester(screen, ruleSet).proposals(for: [add.element])
    #expect(taken.rules.isEmpty && taken.others.map(\.state) == [.taken])
    #expect(taken.others.first?.element == add.element)
  }

  @Test("elements set aside by a coverage file or excluded by a rule get no rule")
  func setAside() throws {
    let rules = """
      version: 1
      rules:
        - id: no.switch
          exclude: { selector: UISwitch }
      """
    let ruleSet = try RuleFiles(text: rules, name: "rules.yaml").ruleSet()
    let files = try CoverageFiles(
      texts: [("a.coverage.yaml", "version: 1\nsetAside: [{ selector: UIButton(2), reason: none }]")], for: ruleSet)
    let proposals = ScreenSuggester(try Screens.of(Self.views), ruleSet, setAside: files).proposals()
    #expect(Set(proposals.others.map(\.state)) == [.excluded, .setAside])
    #expect(proposals.rules.count { $0.type == .button } == 2)
  }

  @Test(
    "rows whose places the capture lacks get one rule for all, as their indexes say nothing, and coverage counts one element",
    arguments: [
      ("login.uiautomator.xml", [13, 17, 21]), ("login.uiautomator.xml", [16, 20, 24]),
      ("settings.wda.xml", [8, 11, 14, 17]),
    ])
  func unplacedRows(name: String, elements: [Int]) throws {
    let screen = try Screens.named(name)
    let proposals = ScreenSuggester(screen, RuleSet()).proposals()
    let rule = try #require(proposals.rules.first { $0.element.index == elements[0] })
    #expect(rule.elements.map(\.index) == elements)
    #expect(rule.suggestion.selector.description.contains("(*)"), "\(rule.suggestion.selector)")
    var coverage = ScreenCoverage(RuleSet())
    coverage.add(screen, name: name)
    #expect(coverage.finish().open.count == proposals.rules.count)
  }

  @Test("a list on Android gets one rule for all rows even if only some have a place in the capture")
  func someRowsPlaced() throws {
    let rows = ["indexPath='0 3'", "", "indexPath='0 5'"].map { place in
      "<view class='com.example.Row' superclasses='android.widget.LinearLayout' \(place)>"
        + "<view class='android.widget.Button' text='Buy' clickable='true'/></view>"
    }
    let capture =
      "<viewTree version='1' os='Android'><view class='android.widget.ListView' controller='com.example.Shop'>"
      + "\(rows.joined())</view></viewTree>"
    let screen = IdentifiedTree(try CaptureReader().read(Array(capture.utf8)))
    let buttons = screen.tree.elements.filter { screen.trackingType(of: $0) == .button }
    for style in [PathStyleName.hubbleData, .hubbleDataAndroid, .sensorsAndroid, .growingIOAndroid] {
      let proposals = ScreenSuggester(screen, Self.style(style)).proposals()
      #expect(proposals.rules.count { $0.type == .button } == 1, "\(style)")
      #expect(proposals.rules.contains { $0.elements == buttons && $0.reviewReasons.isEmpty }, "\(style)")
    }
  }

  @Test(
    "rows of a list on Android, even one of the app's own class, get one rule for all, and coverage counts one element",
    arguments: [PathStyleName.hubbleDataAndroid, .sensorsAndroid, .growingIOAndroid])
  func rowsOnAndroid(style: PathStyleName) throws {
    let screen = try Screens.named("android-shop.xml")
    let ruleSet = Self.style(style)
    let proposals = ScreenSuggester(screen, ruleSet).proposals()
    for elements in [[16, 21], [19, 24], [20, 25], [28, 29]] {
      let rule = try #require(proposals.rules.first { $0.element.index == elements[0] })
      #expect(rule.elements.map(\.index) == elements)
      #expect(rule.suggestion.uniqueness == .kind(count: 2), "\(rule.suggestion.selector)")
    }
    var dictionary = ElementDictionary(style: style)
    dictionary.insert(screen)
    var coverage = ScreenCoverage(ruleSet, dictionary: dictionary)
    coverage.add(screen, name: "android-shop.xml")
    #expect(coverage.finish().open.count == proposals.rules.count)
  }

  @Test("a dump whose paths events do not have gets rules by ids and texts alone, in each window its own")
  func inexactPaths() throws {
    func button(_ attributes: String) -> String {
      "<node class='android.widget.Button' \(attributes) clickable='true' bounds='[0,0][50,50]'/>"
    }
    func window(_ content: String) -> String {
      "<node class='android.widget.FrameLayout' bounds='[0,0][100,100]'>\(content)</node>"
    }
    let app = button("resource-id='com.example.shop:id/buy'") + button("")
    let dump = "<hierarchy rotation='0'>\(window(button("text='OK'")))\(window(app))</hierarchy>"
    let screen = IdentifiedTree(try CaptureReader().read(Array(dump.utf8)))
    let proposals = ScreenSuggester(screen, Self.style(.sensorsAndroid)).proposals()
    #expect(proposals.rules.map(\.elements) == [[ElementID(1)], [ElementID(3)]])
    #expect(!proposals.yaml().containsBytes(of: "selector"))
    #expect(proposals.impossible == [ElementID(4)])
  }

  @Test("a selector that relies on changing parts is doubtful, and a comment above the rule says why")
  func reviewReasons() throws {
    let screen = try Screens.named("settings.wda.xml")
    let proposals = ScreenSuggester(screen, RuleSet()).proposals()
    let doubtful = proposals.rules.filter { !$0.reviewReasons.isEmpty }
    #expect(!doubtful.isEmpty)
    for rule in doubtful { #expect(rule.suggestion.stability.score < 75) }
    let lines = proposals.yaml().splitBytes(at: "\n")
    #expect(
      lines.count { $0.beginsWithBytes(of: "  # doubtful: ") } == doubtful.reduce(0) { $0 + $1.reviewReasons.count })
    // In the layout of fmt, so that nothing moves.
    #expect(try RuleFileFormatter.format(proposals.yaml()) == proposals.yaml())
  }

  @Test(
    "no rule asks for actions or alert texts that the SDK of its style does not send",
    arguments: [
      (PathStyleName.sensors, [.actions, .alertTitle, .alertMessage]),
      (.sensorsExact, [.actions, .alertTitle, .alertMessage]), (.growingIO, [.actions, .alertTitle, .alertMessage]),
      (.postHog, [.actions, .alertTitle, .alertMessage]), (.lede, [.actions]),
    ] as [(PathStyleName, [EventFields.Field])])
  func sentFields(style: PathStyleName, unsent: [EventFields.Field]) throws {
    let text = try ["alert-ios9.xml", "alert-ios10.xml", "cart.xml"].map { name in
      ScreenSuggester(try Screens.named(name), Self.style(style)).proposals().yaml()
    }.joined()
    for field in unsent {
      let place = try #require(EventFields(style: style).places(of: field).first)
      #expect(!text.contains("\(place)"), "\(style), \(place)")
    }
  }

  @Test("each option of an alert up to iOS 9 has its own rule", arguments: [PathStyleName.hubbleData, .growingIO])
  func options(style: PathStyleName) throws {
    let proposals = ScreenSuggester(try Screens.named("alert-ios9.xml"), Self.style(style)).proposals()
    let options = proposals.rules.filter { $0.type == .alert }
    #expect(options.map(\.elements.count) == [1, 1])
  }

  @Test("a switch is one element in PostHog's paths, too, which say whether it is on")
  func states() throws {
    let proposals = ScreenSuggester(try Screens.named("cart.xml"), Self.style(.postHog)).proposals()
    #expect(proposals.rules.filter { $0.type == .switchControl }.map(\.elements.count) == [3])
  }

  @Test("in the sensors styles, a configuration of the SDK can express the rules for lists of one section")
  func expressible() throws {
    let proposals = ScreenSuggester(try Screens.named("cart.xml"), Self.style(.sensors)).proposals()
    #expect(proposals.rules.contains { $0.suggestion.selector.description.contains("CartRowCell(section:0 row:*)") })
    for selector in proposals.rules.flatMap({ $0.suggestion.selector.read(in: .sensors) }) {
      #expect(throws: Never.self) { try SDKConfiguration.place(of: selector) }
    }
    // Rows of outer lists move with the feed.
    let nested = ScreenSuggester(try Screens.named("home-feed.xml"), Self.style(.sensors)).proposals()
    #expect(nested.rules.contains { $0.suggestion.selector.description.contains("FeedStripCell(section:* row:*)") })
  }

  @Test("work ends when it is cancelled")
  func cancelled() throws {
    struct Enough: Error {}
    let suggester = ScreenSuggester(try Screens.named("cart.xml"), RuleSet())
    #expect(throws: Enough.self) { try suggester.proposals(check: { throw Enough() }) }
  }

  @Test("a screen with very many elements gets a bounded number of rules")
  func bounded() throws {
    let buttons = (0..<ScreenSuggester.maximumRules + 5).map { "<view class=\"B\($0)\" superclasses=\"UIButton\"/>" }
    let screen = try Screens.of("<view class=\"UIWindow\">\(buttons.joined())</view>")
    let suggester = ScreenSuggester(screen, RuleSet())
    var count = 0
    struct Enough: Error {}
    // Only the first are suggested for, as each takes its time.
    #expect(throws: Enough.self) {
      try suggester.proposals(check: {
        count += 1
        if count > 20 { throw Enough() }
      })
    }
    #expect(
      suggester.proposals(for: (1...3).map { ElementID($0) }).rules.map(\.id) == ["b0_click", "b1_click", "b2_click"])
  }
}
