import EncircleAuthoring
import EncircleCapture
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleTree
import Foundation
import Testing

/// The rule that is suggested for an element of a capture selects the event that the SDK's own code sends for a tap on
/// it, and no event with another path.
@Suite struct OwnEventTests {
  /// A tap: the element, and the event as JSON.
  private struct Tap {
    let element: ElementID
    let event: String
    /// The path and the facts beside it, the only ones that distinguish elements.
    let path: String

    init(_ element: Int, _ event: String) throws {
      self.element = ElementID(element)
      self.event = event
      let all = try #require(try JSONSerialization.jsonObject(with: Data(event.utf8)) as? [String: Any])
      let properties = all["properties"] as? [String: Any] ?? [:]
      // Rows of one place differ in `$element_selector` alone.
      let places = ["xpath", "xcontent", "$elements_chain", "$element_path", "$screen_name", "$element_id"]
      path = places.map { "\(all[$0] ?? properties[$0] ?? "-")" }.joined(separator: " ")
    }
  }

  /// Returns the taps for which the first suggestion misses the event, or selects others.
  ///
  /// - Parameter tried: The numbers of the taps for which a rule is made; all without.
  private func wrong(
    _ screen: IdentifiedTree, _ style: PathStyleName, _ taps: [Tap], tried: [Int]? = nil
  ) throws -> [String] {
    let suggester = TapSuggester(screen, style: style)
    var wrong: [String] = []
    for i in tried ?? Array(taps.indices) {
      let tap = taps[i]
      let suggestion = try #require(suggester.suggestions(for: tap.element).first, "\(tap.element)")
      let rule = SuggestedRule(suggestion, for: tap.element, in: screen, style: style)
      var decider = Decider(Matcher(try RuleFiles(text: rule.yaml).ruleSet()))
      let selected = try taps.map { try decider.decide(json: $0.event.utf8).isSelected }
      let others = zip(taps, selected).contains { $0.path != tap.path && $1 }
      if !selected[i] || others {
        wrong.append("\(tap.element) \(selected[i] ? "others too" : "own missed"): \(suggestion.selector)")
      }
    }
    return wrong
  }

  // MARK: - HubbleData

  @Test(
    "elements with the same event ID and nothing else in events are never called unique",
    arguments: [
      // Texts and ids differ, but only captures know them.
      """
      <view class='UIView' controller='Page'>
        <view class='UIView' controller='Row'><view class='UIButton' title='Buy' actions='a:'/></view>
        <view class='UIView' controller='Row'><view class='UIButton' title='Sell' actions='a:'/></view>
      </view>
      """,
      """
      <view class='UINavigationBar'><view class='UIButton' title='Save' actions='a:' identifier='save'/>
      <view class='UIButton' title='Send' actions='a:' identifier='send'/></view>
      """,
      """
      <view class='UINavigationBar'><view class='UIButton' actions='a:' identifier='save'/>
      <view class='UIButton' actions='a:' identifier='send'/></view>
      """,
    ])
  func sharedEventIDs(views: String) throws {
    let screen = try Screens.of("<view class='UIWindow'>\(views)</view>")
    let buttons = screen.tree.elements.filter { screen.trackingType(of: $0) == .button }
    #expect(buttons.count == 2 && Set(buttons.map { screen.eventID(of: $0) }).count == 1)
    let suggester = TapSuggester(screen)
    for button in buttons {
      let suggestions = suggester.suggestions(for: button)
      #expect(!suggestions.isEmpty)
      for suggestion in suggestions {
        #expect(suggestion.uniqueness == .shared(count: 2) && suggestion.elements == buttons, "\(suggestion.selector)")
      }
    }
  }

  // MARK: - Rows

  @Test(
    "an element in a list is suggested in any row, and then in its row alone",
    arguments: [
      ("android-shop.xml", PathStyleName.hubbleDataAndroid, 19, [19, 24]),
      ("android-shop.xml", .hubbleDataAndroid, 28, [28, 29]), ("home-feed.xml", .lede, 26, [17, 26]),
      ("home-feed.xml", .sensors, 26, [17, 26]), ("android-shop.xml", .sensorsAndroid, 19, [19, 24]),
      ("android-shop.xml", .growingIOAndroid, 28, [28, 29]),
    ])
  func anyRow(name: String, style: PathStyleName, element: Int, rows: [Int]) throws {
    let suggester = TapSuggester(try Screens.named(name), style: style)
    let suggestions = suggester.suggestions(for: ElementID(element), limit: 2)
    #expect(suggestions.map(\.uniqueness) == [.kind(count: rows.count), .element], "\(suggestions.map(\.selector))")
    #expect(suggestions.map { $0.elements.map(\.index) } == [rows, [element]])
  }

  // MARK: - Texts

  @Test("if paths are equal, the texts of events distinguish elements", arguments: [PathStyleName.sensors, .lede])
  func texts(style: PathStyleName) throws {
    let screen = try Screens.of(
      """
      <view class='UIWindow'><view class='UIView' controller='Page'>
        <view class='UIView' controller='Row'><view class='UIButton' title='Buy' actions='a:'/></view>
        <view class='UIView' controller='Row'><view class='UIButton' title='Sell' actions='a:'/></view>
        <view class='UIView' controller='Row'><view class='UISwitch' on='true' actions='a:'/></view>
        <view class='UIView' controller='Row'><view class='UISwitch' on='false' actions='a:'/></view>
      </view></view>
      """)
    let suggester = TapSuggester(screen, style: style)
    for element in screen.tree.elements where screen.trackingType(of: element, in: style) != nil {
      let first = try #require(suggester.suggestions(for: element).first)
      // The state of a switch is not a text that distinguishes elements.
      let isButton = screen.trackingType(of: element, in: style) == .button
      #expect(first.uniqueness == (isButton ? .element : .shared(count: 2)), "\(first.selector)")
      #expect(first.evidence.isEmpty != isButton && first.elements.contains(element))
    }
  }

  // MARK: - Alerts

  @Test(
    "options of an alert up to iOS 9 are cells but not rows of one kind",
    arguments: [PathStyleName.sensors, .sensorsExact, .lede, .growingIO])
  func options(style: PathStyleName) throws {
    let screen = try Screens.named("alert-ios9.xml")
    let options = screen.tree.elements.filter { screen.trackingType(of: $0, in: style) == .alert }
    #expect(options.count == 2)
    let suggester = TapSuggester(screen, style: style)
    for option in options {
      let suggestions = suggester.suggestions(for: option)
      #expect(suggestions.first?.evidence.isEmpty == false, "\(option)")
      let whole = style.isSensors ? suggester.wholePath(of: option) : nil
      #expect(style.isSensors == (whole != nil))
      for suggestion in suggestions + [whole].compactMap({ $0 }) {
        #expect(suggestion.uniqueness == .element && suggestion.elements == [option], "\(suggestion.selector)")
      }
    }
  }

  // MARK: - PostHog

  private static let cart = """
    <viewTree version="1"><view class="UIWindow"><view class="UIView" controller="Shop.CartViewController">
      <view class="UIButton" title="Pay" actions="a"/>
      <view class="UIButton" title="Say &quot;hi&quot;" actions="a"/>
      <view class="UIButton" actions="a"/>
      <view class="UIButton" title="Pay" postHogLabel="pay now" actions="a"/>
      <view class="UIView" postHogLabel="promo"><view class="UIButton" title="Pay" actions="a"/></view>
      <view class="UISwitch" actions="a"/>
    </view></view></viewTree>
    """

  @Test("PostHog's labels and texts, or their absence, distinguish buttons")
  func postHog() throws {
    let screen = IdentifiedTree(try CaptureReader().read(Array(Self.cart.utf8)))
    let entries = [
      (2, #"UIButton:text=\"Pay\";UIView;UIWindow"#), (3, #"UIButton:text=\"Say \"hi\"\";UIView;UIWindow"#),
      (4, "UIButton;UIView;UIWindow"), (5, #"UIButton:text=\"Pay\"attr_id=\"pay now\";UIView;UIWindow"#),
      (7, #"UIButton:text=\"Pay\";UIView:attr_id=\"promo\";UIView;UIWindow"#),
      (8, #"UISwitch:text=\"false\";UIView;UIWindow"#),
    ]
    let taps = try entries.map { element, chain in
      try Tap(
        element,
        #"{"event":"$autocapture","properties":{"$screen_name":"Cart","$elements_chain":""# + chain + #""}}"#)
    }
    #expect(try wrong(screen, .postHog, taps) == [])
    let suggester = StyledSuggester(screen, style: .postHog)
    let first = taps.map { suggester.suggestions(for: $0.element)[0].selector.description }
    #expect(first[3] == "UIButton(id:'pay now')")
    #expect(first[4] == "UIView(id:promo)/**/UIButton" || first[4] == "UIView(id:promo)/UIButton")
  }

  private static let controls = """
    <view class='UIWindow'><view class='UIView' controller='CartViewController'>
      <view class='UIView'><view class='UISwitch' on='false' actions='a'/></view>
      <view class='UISwitch' on='false' actions='a'/><view class='UISwitch' on='true' actions='b'/>
      <view class='UISlider' value='0.5' actions='a'/><view class='UISlider' value='1' actions='b'/>
      <view class='UIStepper' value='2' actions='a'/><view class='UIStepper' value='3' actions='b'/>
      <view class='UINavigationBar'><view class='UISegmentedControl' selectedIndex='0' actions='a'>
        <view class='UISegment' title='New' frame='0 0 9 9'/><view class='UISegment' title='Old' frame='9 0 9 9'/>
      </view></view>
    </view></view>
    """

  @Test(
    "a rule for a control selects it in every state, and is not named by one",
    arguments: [PathStyleName.hubbleData, .sensors, .lede, .growingIO, .postHog])
  func states(style: PathStyleName) throws {
    let before = try Screens.of(Self.controls)
    var changed = Self.controls
    for (old, new) in [
      ("on='false'", "off"), ("on='true'", "on='false'"), ("off", "on='true'"), ("value='", "value='4"),
      ("selectedIndex='0'", "selectedIndex='1'"),
    ] {
      changed = changed.replacing(old, with: new)
    }
    let after = try Screens.of(changed)
    let events = ElementEvents(of: after, style: style, fields: EventFields(style: style))
    let suggester = TapSuggester(before, style: style)
    for element in before.tree.elements
    where before.className(of: element) != "UISegment" && before.trackingType(of: element, in: style) != nil {
      for suggestion in suggester.suggestions(for: element) where !suggestion.needsCaptures {
        let rule = SuggestedRule(suggestion, for: element, in: before, style: style)
        var decider = Decider(Matcher(try RuleFiles(text: rule.yaml).ruleSet()))
        #expect(decider.decide(events.event(of: element)).isSelected, "\(element):\n\(rule.yaml)")
        #expect(rule.name == nil)
      }
    }
  }

  // MARK: - GrowingIO

  private static let feed = """
    <viewTree version="1"><view class="UIWindow"><view class="UIView" controller="FeedViewController">
      <view class="UISegmentedControl" actions="a"><view class="UISegment" title="New" frame="0 0 9 9"/>
        <view class="UISegment" title="Old" frame="9 0 9 9"/></view>
      <view class="UITableView">
        <view class="FeedCell" superclasses="UITableViewCell UIView" indexPath="0 1" growingUniqueTag="feed/row"/>
        <view class="FeedCell" superclasses="UITableViewCell UIView" indexPath="1 3"><view class="UIButton" actions="a"/></view>
      </view>
      <view class="UISlider" actions="a" growingUniqueTag="volume/left"/>
    </view></view></viewTree>
    """

  @Test("GrowingIO's segments, tags on cells, tags with slashes and sliders are selected")
  func growingIO() throws {
    let screen = IdentifiedTree(try CaptureReader().read(Array(Self.feed.utf8)))
    let events = [
      (3, "VIEW_CLICK", "/FeedViewController/UIView/UISegmentedControl/UISegment", "/0/0/0/-", 1),
      (4, "VIEW_CLICK", "/FeedViewController/UIView/UISegmentedControl/UISegment", "/0/0/0/-", 2),
      (6, "VIEW_CLICK", "/feed/row", "/0/-", 2),
      (8, "VIEW_CLICK", "/FeedViewController/UIView/UITableView/Section/FeedCell/UIButton", "/0/0/0/1/-/0", 4),
      (9, "VIEW_CHANGE", "/volume/left", "/0", 0),
    ]
    let taps = try events.map { element, name, xpath, xcontent, index in
      try Tap(
        element,
        #"{"eventType":"\#(name)","xpath":"\#(xpath)","xcontent":"\#(xcontent)""#
          + (index > 0 ? #","index":\#(index)}"# : "}"))
    }
    #expect(try wrong(screen, .growingIO, taps) == [])
  }

  @Test("the index of GrowingIO's events is the row for selectors")
  func rows() throws {
    let rules = """
      version: 1
      style: growingio
      rules: [{ id: a, include: { selector: "FeedCell(section:1 row:3)/UIButton" } }]
      """
    var decider = Decider(Matcher(try RuleFiles(text: rules).ruleSet()))
    for (index, isSelected) in [(4, true), (3, false)] {
      let event = #"{"xpath":"/F/Section/FeedCell/UIButton","xcontent":"/0/1/-/0","index":\#(index)}"#
      #expect(try decider.decide(json: event.utf8).isSelected == isSelected)
    }
  }

  // MARK: - Events of the SDKs themselves

  private static func captures(_ style: PathStyleName) -> [URL] {
    let name = style.isAndroid ? "android" : style.rawValue
    guard let folder = PackageFolder.shared?.appendingPathComponent("sdks/" + name) else { return [] }
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.pathExtension == "xml" }.sorted { $0.path < $1.path }
  }

  private static let controlsWithState = ["UITextField", "UISwitch", "UISlider", "UIStepper", "UISegmentedControl"]

  /// Elements whose events say nothing that another's do not: cells of two lists with the same button, rows of a list that
  /// lies in a row, and a tag that two views have.
  private static let alike = [
    "posthog containers.xml": [31, 39], "sensors-android fuzz-1-3.xml": [21, 22],
    "growingio-android fuzz-1-6.xml": [15],
  ]

  @Test(
    "the SDKs' own events of all taps",
    .enabled(if: !captures(.postHog).isEmpty, "no shared data beside the package; ENCIRCLE_SHARED names their folder"),
    arguments: [PathStyleName.postHog, .growingIO, .sensorsAndroid, .growingIOAndroid])
  func shared(style: PathStyleName) throws {
    for (number, file) in TestSize.spread(Self.captures(style), atLeast: 8).enumerated() {
      let events = file.deletingPathExtension().appendingPathExtension("\(style.rawValue).events.ndjson")
      let screen = IdentifiedTree(try CaptureReader().read(contentsOf: file.path))
      let taps = try String(contentsOf: events, encoding: .utf8).split(separator: "\n").map { line in
        let all = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let event = try JSONSerialization.data(withJSONObject: try #require(all["event"]))
        return try Tap(try #require(all["element"] as? Int), String(decoding: event, as: UTF8.self))
      }
      // Controls of one place differ only by what they are set to, or by what is typed into them, for which no rule asks.
      let wrong = try wrong(screen, style, taps, tried: TestSize.part(Array(taps.indices), of: number))
        .filter { line in !Self.controlsWithState.contains { line.hasSuffix($0) || line.hasSuffix("\($0)(id:'')") } }
      let alike = Self.alike["\(style.rawValue) \(file.lastPathComponent)"] ?? []
      #expect(wrong.filter { line in !alike.contains { line.hasPrefix("\($0) others too: ") } } == [], "\(file.path)")
    }
  }
}
