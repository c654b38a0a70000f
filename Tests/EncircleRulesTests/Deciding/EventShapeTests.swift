import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

/// The events of each SDK as rules see them.
@Suite struct EventShapeTests {
  private static let click = "rules: [ { id: a, include: { event: $AppClick } } ]"
  private static let onHome = "rules: [ { id: a, include: { event: $AppClick, page: Home } } ]"

  @Test(
    "a tap of HubbleData has a type in place of a name, and counts as $AppClick",
    arguments: [
      (click, #"{"eventId":"x","type":"buttonEvent","attributes":{}}"#, true),
      (click, #"{"eventId":"x","attributes":{"type":"gestureTapEvent"}}"#, true),
      (click, #"{"type":"collectionViewSelectEvent"}"#, true),
      (click, #"{"eventId":"da_screen","attributes":{"$screenName":"Home"}}"#, false),
      (click, #"{"eventId":"x","type":"track"}"#, false), (click, #"{"eventId":"x","type":5}"#, false),
      // The event's own name takes precedence.
      (click, #"{"event":"Paid","type":"buttonEvent"}"#, false),
      (
        "fields: { event: /type }\nrules: [ { id: a, include: { event: buttonEvent } } ]", #"{"type":"buttonEvent"}"#,
        true
      ),
      ("style: lede\n" + click, #"{"type":"buttonEvent"}"#, false),
      (onHome, #"{"eventId":"x","type":"buttonEvent","attributes":{"page":"Home"}}"#, true),
      (onHome, #"{"eventId":"x","type":"buttonEvent","attributes":{"page":"Shop","$screenName":"Home"}}"#, true),
      (onHome, #"{"eventId":"x","type":"buttonEvent","attributes":{"page":"Shop"}}"#, false),
    ])
  func types(rules: String, event: String, expected: Bool) throws {
    #expect(try decide(rules, event).isSelected == expected)
    let explanation = Explainer(try RuleFiles(text: "version: 1\n" + rules).ruleSet()).explain(
      try AnalyticsEvent(json: event))
    #expect(explanation.rules.first?.matches == expected)
  }

  @Test("every type of Encircle's is one of a tap", arguments: TrackingType.allCases)
  func allTypes(type: TrackingType) throws {
    #expect(try decide(Self.click, #"{"type":"\#(type.rawValue)"}"#).isSelected)
    let event = try AnalyticsEvent(json: #"{"type":"\#(type.rawValue)"}"#)
    #expect(event.value(of: .event, EventFields()) == "$AppClick")
  }

  @Test(
    "a rule of another app does not apply, wherever the style's SDK says the app",
    arguments: [
      ("lede", #"{"eventName":"click","appKey":"APP"}"#), ("growingio", #"{"eventType":"click","domain":"APP"}"#),
      ("posthog", #"{"event":"click","properties":{"$app_namespace":"APP"}}"#),
      ("sensors", #"{"event":"click","properties":{"$app_id":"APP"}}"#),
      ("hubbledata", #"{"event":"click","attributes":{"$app_id":"APP"}}"#),
    ] as [(String, String)])
  func apps(style: String, event: String) throws {
    let rules = "app: com.example.shop\nstyle: \(style)\nrules: [ { id: a, include: { event: click } } ]"
    #expect(try decide(rules, event.replacing("APP", with: "com.example.shop")).isSelected)
    #expect(try !decide(rules, event.replacing("APP", with: "com.example.chat")).isSelected)
  }

  @Test(
    "in every style a time is milliseconds, seconds with a fraction, or a text of ISO 8601",
    arguments: [
      ("1772352000000", true), ("1772351999999", false), ("1772352000.0", true), ("1772352000.5", true),
      ("1772351999.999", false), ("1772352000", true), ("1.772352e9", true), ("1772351999.9996", false),
      (#""2026-03-01T08:00:00Z""#, true), (#""2026-03-01T07:59:59.999Z""#, false),
      (#""2026-03-01T16:00:00.000+08:00""#, true), (#""2026-03-01T16:00:00+0800""#, true),
      (#""2026-03-01T15:59:59+0800""#, false), (#""2026-03-02""#, true), (#""yesterday""#, false), (#""""#, false),
      ("true", false), ("99999999", false),
    ] as [(String, Bool)])
  func times(time: String, expected: Bool) throws {
    let places = [
      ("hubbledata", "time", "event"), ("lede", "eventTime", "eventName"), ("growingio", "timestamp", "eventType"),
      ("posthog", "timestamp", "event"), ("sensors", "time", "event"),
    ]
    for (style, place, name) in places {
      let rules = "style: \(style)\nrules: [ { id: a, include: { event: e }, from: 2026-03-01T08:00:00Z } ]"
      #expect(try decide(rules, "{\"\(name)\":\"e\",\"\(place)\":\(time)}").isSelected == expected, "\(style)")
    }
  }

  @Test("HubbleData's device counts as the user")
  func user() throws {
    let event = try AnalyticsEvent(json: #"{"eventId":"x","deviceUdid":"d"}"#)
    #expect(event.value(of: .distinctID, EventFields()) == "d")
  }

  // MARK: - What only a dictionary knows

  @Test(
    "what an element says is known by its event ID where the event does not say it",
    arguments: [
      (#"{ selector: UIButton, where: { $element_content: { equals: Buy } } }"#, 2, true),
      (#"{ selector: UIButton, where: { $element_content: { equals: Sell } } }"#, 2, false),
      // What is found by a value alone.
      (#"{ where: { $element_content: { equals: Buy } } }"#, 2, true),
      (#"{ where: { $element_content: { exists: false } } }"#, 3, true),
      (
        #"{ selector: _UIInterfaceActionCustomViewRepresentationView, where: { $alert_title: Leave, $element_content: OK } }"#,
        8,
        true
      ),
      (#"{ where: { $element_actions: { equals: "share:,log:" } } }"#, 5, true),
      (
        #"{ selector: AlertOption, where: { $alert_title: Leave, $element_content: OK } }"#, 8,
        false
      ),
    ] as [(String, Int, Bool)])
  func knownTexts(include: String, element: Int, expected: Bool) throws {
    let screen = try Self.screen()
    var dictionary = ElementDictionary()
    dictionary.insert(screen)
    let id = screen.eventID(of: ElementID(element))
    let rules = "rules: [ { id: a, include: \(include) } ]"
    let event = #"{"eventId":"\#(id)","type":"buttonEvent"}"#
    #expect(try decide(rules, event, dictionary: dictionary).isSelected == expected)
    let ruleSet = try RuleFiles(text: "version: 1\n" + rules).ruleSet()
    #expect(ruleSet.testsKnownTexts)
    let explainer = Explainer(ruleSet, dictionary: dictionary)
    #expect(explainer.explain(try AnalyticsEvent(json: event)).rules.first?.matches == expected)
    // Without the texts, or the dictionary, nobody knows.
    if expected, !include.contains("exists") {
      var other = ElementDictionary(knowsTexts: false)
      other.insert(screen)
      #expect(try !decide(rules, event, dictionary: other).isSelected)
      #expect(try !decide(rules, event).isSelected)
    }
  }

  @Test(
    "the resource ids around an element of Android are known if an event has an event ID alone, and need not be named",
    arguments: [
      ("MaterialButton#add", true), ("MaterialButton", true), ("MaterialButton#remove", false),
      ("BouquetRecycler#bouquets/BouquetCard/MaterialButton", true),
      ("BouquetRecycler/BouquetCard/MaterialButton#add", true),
    ])
  func resourceIDs(selector: String, expected: Bool) throws {
    let screen = try Screens.named("android-shop.xml")
    var dictionary = ElementDictionary(style: .hubbleDataAndroid)
    dictionary.insert(screen)
    let rules = "style: hubbledata-android\nrules: [ { id: a, include: { selector: \"\(selector)\" } } ]"
    let event = #"{"eventId":"\#(screen.eventID(of: ElementID(20)))","type":"buttonEvent"}"#
    #expect(try decide(rules, event, dictionary: dictionary).isSelected == expected)
  }

  @Test("the event's own values take precedence, and the dictionary's texts stay with their event")
  func ownTexts() throws {
    let screen = try Self.screen()
    var dictionary = ElementDictionary()
    dictionary.insert(screen)
    let ruleSet = try RuleFiles(
      text: "version: 1\nrules: [ { id: a, include: { where: { $element_content: { equals: Buy } } } } ]"
    ).ruleSet()
    var decider = Decider(Matcher(ruleSet, dictionary: dictionary))
    func decide(_ element: Int, _ more: String = "") throws -> Bool {
      let id = screen.eventID(of: ElementID(element))
      let event = try AnalyticsEvent(json: #"{"eventId":"\#(id)","type":"buttonEvent"\#(more)}"#)
      return decider.decide(event).isSelected
    }
    for _ in 0..<2 {
      #expect(try decide(2))
      #expect(try !decide(2, #","attributes":{"$element_content":"Bought"}"#))
      #expect(try !decide(3))
      #expect(try decide(2))
    }
  }

  private static func screen() throws -> IdentifiedTree {
    let text = viewTree(
      """
      <view class="UIWindow"><view class="UIView" controller="Home">
        <view class="UIButton" title="Buy"/><view class="UIButton"/>
        <view class="UINavigationBar"><view class="UIButton" actions="share: log:"/></view>
      </view></view>
      <view class="UIWindow"><view class="_UIAlertControllerView" controller="UIAlertController" title="Leave" message="Sure?">
        <view class="_UIInterfaceActionCustomViewRepresentationView"><view class="UILabel" text="OK"/></view>
      </view></view>
      """)
    return IdentifiedTree(try CaptureReader().read(Array(text.utf8)))
  }
}
