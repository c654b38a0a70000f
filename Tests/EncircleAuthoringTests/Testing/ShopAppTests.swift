import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree
import Foundation
import Testing

/// `Rules/shop-app.yaml`: one rule file for an app on iOS and Android, whichever SDK sends the events.
@Suite struct ShopAppTests {
  /// The taps that each rule takes: in `ios-shop.xml` by Sensors, HubbleData, PostHog and GrowingIO, in `android-shop.xml` by
  /// Sensors and GrowingIO. The elements of alerts come from `ios-shop-alert.xml`.
  private static let taken:
    [String: (sensors: [Int], hubbleData: [Int], postHog: [Int], growingIO: [Int], android: [Int])] = [
      "flowers.filter": ([60], [60], [60], [60], [6]),
      "flowers.plants": ([7], [7], [7], [10], [10]),
      "flowers.ad": ([13, 15], [13, 15], [15], [13, 15], [14]),
      "flowers.bouquet.open": ([17, 25], [17, 25], [], [17, 25], [16, 21]),
      "flowers.bouquet.favourite": ([21, 29], [21, 29], [21, 29], [21, 29], [19, 24]),
      "flowers.bouquet.add": ([23, 31], [23, 31], [23, 31], [23, 31], [20, 25]),
      "flowers.extra": ([36, 39], [36, 39], [], [36, 39], [28, 29]),
      "flowers.occasion": ([42, 47], [42, 47], [], [42, 47], [32, 37]),
      "flowers.occasion.look": ([45, 50], [45, 50], [45, 50], [45, 50], [36]),
      "flowers.gift": ([54], [54], [54], [54], [41]),
      "flowers.clear": ([21], [21], [], [22], [51]),
      "flowers.keep": ([17], [17], [], [18], [50]),
    ]

  @Test("each rule takes exactly the taps of its element, in every row, from every SDK")
  func rules() throws {
    let file = PackageFolder.root.appendingPathComponent("Rules/shop-app.yaml")
    let ruleSet = try RuleFiles([file.path]).ruleSet()
    #expect(Set(ruleSet.rules.map { "\($0.id)" }) == Set(Self.taken.keys))
    let dictionary = Screens.dictionary(try Screens.named("ios-shop.xml"), try Screens.named("ios-shop-alert.xml"))
    var decider = Decider(Matcher(ruleSet, dictionary: dictionary))
    var found: [String: Set<String>] = [:]
    let taps = try ShopTap.all()
    for tap in taps {
      for rule in try decider.decide(json: tap.event.utf8).rules {
        found[rule.text, default: []].insert("\(tap.style) \(tap.capture) \(tap.element)")
      }
    }
    for (rule, taken) in Self.taken {
      let isAlert = ["flowers.clear", "flowers.keep"].contains(rule)
      let capture = isAlert ? "ios-shop-alert.xml" : "ios-shop.xml"
      var expected: Set<String> = []
      for (style, elements) in [
        ("sensors", taken.sensors), ("hubbledata", taken.hubbleData), ("posthog", taken.postHog),
        ("growingio", taken.growingIO),
      ] {
        expected.formUnion(elements.map { "\(style) \(capture) \($0)" })
      }
      for style in ["sensors-android", "growingio-android"] {
        expected.formUnion(taken.android.map { "\(style) android-shop.xml \($0)" })
      }
      #expect(found[rule] == expected, "\(rule)")
    }
  }

  @Test(
    "the stored events are the captures' events, for all elements that the SDK tracks",
    arguments: ["sensors", "posthog", "growingio", "sensors-android", "growingio-android"])
  func events(style: String) throws {
    let name = try #require(PathStyleName(rawValue: style))
    let taps = try ShopTap.all().filter { $0.style == style }
    for capture in style.hasSuffix("-android") ? ["android-shop.xml"] : ["ios-shop.xml", "ios-shop-alert.xml"] {
      let screen = try Screens.named(capture)
      let own = taps.filter { $0.capture == capture }
      let tracked = screen.tree.elements.filter { screen.trackingType(of: $0, in: name) != nil }
      #expect(own.map { ElementID($0.element) } == tracked, "\(capture)")
      let fields = EventFields(style: name)
      let made = ElementEvents(of: screen, style: name, fields: fields)
      for tap in own {
        let event = try AnalyticsEvent(json: tap.event)
        let expected = made.event(of: ElementID(tap.element))
        // PostHog's SDK sends no position.
        let position: [EventFields.Field] = name == .postHog ? [] : [.position]
        for field in [.event, .path, .pathIndexes, .app] + position {
          #expect(
            event.value(of: field, fields) == expected.value(of: field, fields), "\(capture) \(tap.element) \(field)")
        }
        // No SDK sends the class of a controller as its page but Sensors', and none an empty text but GrowingIO's.
        if name.rawValue.hasPrefix("sensors") {
          #expect(event.value(of: .page, fields) == expected.value(of: .page, fields), "\(capture) \(tap.element)")
          #expect(
            event.value(of: .content, fields) == expected.value(of: .content, fields), "\(capture) \(tap.element)")
        }
      }
    }
  }
}
