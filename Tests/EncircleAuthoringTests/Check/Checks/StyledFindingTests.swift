import EncircleAuthoring
import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import Testing

/// Findings about rules in other styles than `hubbledata`: their paths have other classes and places, and their events other pages.
@Suite struct StyledFindingTests {
  private static let codes: [CheckCode] = [.matchesNothing, .unknownClass, .unknownPage]

  private static func findings(_ rules: String, _ name: String) throws -> [String] {
    var checker = RuleChecker(try RuleFiles(text: rules, name: "rules.yaml").ruleSetWithSources())
    checker.add(try Screens.named(name), name: name)
    return checker.check(at: Checked.now).findings.filter { codes.contains($0.code) }.map {
      "\($0.code.rawValue) \($0.message)"
    }
  }

  @Test(
    "suggestions for all elements of a capture use known names and match",
    arguments: [
      ("home-feed.xml", [.lede, .sensors, .sensorsExact, .growingIO, .postHog]),
      ("ios-shop.xml", [.sensors, .growingIO]), ("segmented.xml", [.sensors, .growingIO]),
      ("alert-ios9.xml", [.growingIO]), ("web-view.xml", [.sensors]), ("cart.xml", [.postHog]),
      ("android-shop.xml", [.hubbleDataAndroid, .sensorsAndroid, .growingIOAndroid]),
      ("flowers.html", [.sensorsWeb, .postHogWeb]),
    ] as [(String, [PathStyleName])])
  func suggested(name: String, styles: [PathStyleName]) throws {
    for style in styles {
      var settings = RuleSet()
      settings.style = style
      settings.fields = EventFields(style: style)
      let proposals = ScreenSuggester(try Screens.named(name), settings).proposals()
      #expect(!proposals.rules.isEmpty)
      #expect(try Self.findings(proposals.yaml(), name) == [], "\(style.rawValue)")
    }
  }

  @Test(
    "names in the form of a rule's style are known",
    arguments: [
      ("sensors", "selector: UITabBar/UITabBarButton(1)", "home-feed.xml"),
      ("sensors", "selector: \"ProductCell(section:0 row:2)/**/UIButton(0)\"", "home-feed.xml"),
      ("growingio", "selector: Button(section:0 item:0)", "alert-ios9.xml"),
      ("posthog", "selector: CheckoutButton, page: CartViewController", "cart.xml"),
      ("posthog", "selector: CheckoutButton, page: Cart", "cart.xml"),
      ("sensors-android", "selector: \":MaterialButton\"", "android-shop.xml"),
      ("sensors-android", "selector: com.google.android.material.tabs.TabLayout.TabView", "android-shop.xml"),
      ("growingio-android", "selector: \":MaterialButton\"", "android-shop.xml"),
      ("growingio-android", "selector: \"MaterialButton#add\", page: BouquetList", "android-shop.xml"),
      ("growingio-android", "selector: \"MaterialButton#add\", page: /BouquetList", "android-shop.xml"),
      (
        "sensors-android",
        "selector: com.example.kiosk.BouquetCard, page: com.example.kiosk.ShopActivity|com.example.kiosk.bouquet.BouquetList",
        "android-shop.xml"
      ),
      ("sensors-web", "selector: button, page: /flowers/today", "flowers.html"),
    ])
  func known(style: String, clause: String, name: String) throws {
    let rules = "version: 1\nstyle: \(style)\nrules: [{ id: a, include: { \(clause) } }]"
    #expect(try Self.findings(rules, name) == [])
  }

  @Test(
    "names in paths of a dictionary are known, with resource ids and without them",
    arguments: ["MaterialButton#add", "MaterialButton", "BouquetCard"])
  func knownOfDictionary(selector: String) throws {
    var dictionary = ElementDictionary(style: .hubbleDataAndroid)
    dictionary.insert(try Screens.named("android-shop.xml"))
    let rules = "version: 1\nstyle: hubbledata-android\nrules: [{ id: a, include: { selector: \"\(selector)\" } }]"
    let sourced = try RuleFiles(text: rules, name: "rules.yaml").ruleSetWithSources()
    let found = RuleChecker(sourced, dictionary: dictionary).check(at: Checked.now).findings.map(\.code)
    #expect(!found.contains { Self.codes.contains($0) }, "\(found)")
  }

  @Test(
    "a selector of web pages that matches nothing is explained by the names that no element has",
    arguments: [
      ("sensors-web", "button.favourit", "there is no .favourit, but .favourite"),
      (
        "posthog-web", #"buton[data-action=\"basket-ad\"]"#,
        #"there is no buton, but button; there is no [data-action="basket-ad"], but [data-action="basket-add"]"#
      ),
      ("sensors-web", "#filtr", "there is no #filtr, but #filter"), ("sensors-web", "li:nth-of-type(9)", nil),
    ] as [(String, String, String?)])
  func pageNames(style: String, selector: String, reason: String?) throws {
    let rules = "version: 1\nstyle: \(style)\nrules: [{ id: a, include: { selector: \"\(selector)\" } }]"
    let message = "the selector matches no element of the captures" + (reason.map { ": \($0)" } ?? "")
    #expect(try Self.findings(rules, "flowers.html").contains("matches-nothing \(message)"))
  }

  @Test("part of an event's page name is known", arguments: ["com.k.Shop", "com.k.List", "com.k.Shop|com.k.List"])
  func pages(page: String) throws {
    let rules = "style: sensors-android\nrules: [{ id: a, include: { page: \(page) } }]"
    let event = #"{"event":"$AppClick","properties":{"$screen_name":"com.k.Shop|com.k.List"}}"#
    #expect(try !Checked.findings(rules, events: [event]).contains { $0.code == .unknownPage })
  }

  @Test("the path of an event's page is known, also if it is percent-encoded", arguments: ["/商/men's", "/商/*"])
  func pagePaths(page: String) throws {
    let rules = "style: posthog-web\nrules: [{ id: a, include: { page: \(page) } }]"
    for place in [#""$pathname":"/%E5%95%86/men%27s""#, #""$current_url":"https://a.example/%e5%95%86/men%27s?q=1""#] {
      let event = #"{"event":"$autocapture","properties":{\#(place)}}"#
      #expect(try !Checked.findings(rules, events: [event]).contains { $0.code == .unknownPage })
    }
  }

  @Test("an excluded page is known whatever its escapes", arguments: ["/商城", "/%E5%95%86%E5%9F%8E"])
  func excludedPath(page: String) throws {
    let rules = "style: posthog-web\npages: { exclude: [\(page)] }\nrules: [{ id: a, include: { event: b } }]"
    let event = #"{"event":"b","properties":{"$pathname":"/%E5%95%86%E5%9F%8E"}}"#
    #expect(try !Checked.findings(rules, events: [event]).contains { $0.code == .unknownPage })
  }

  @Test("an unknown path of a page is reported once, whatever its escapes", arguments: ["/商城", "/%E5%95%86%E5%9F%8E"])
  func unknownPath(page: String) throws {
    let rules = "style: posthog-web\nrules: [{ id: a, include: { page: \(page) } }]"
    let event = #"{"event":"$autocapture","properties":{"$pathname":"/other"}}"#
    let found = try Checked.findings(rules, events: [event]).filter { $0.code == .unknownPage }
    #expect(found.map(\.message) == ["no page /商城 is known"])
  }

  @Test("an unknown page of GrowingIO's SDK for Android is reported once", arguments: ["Cart", "/Cart"])
  func unknownPageWithSlash(page: String) throws {
    let rules = "style: growingio-android\nrules: [{ id: a, include: { page: \(page) } }]"
    let event = #"{"eventType":"VIEW_CLICK","platform":"Android","path":"/Other"}"#
    let found = try Checked.findings(rules, events: [event]).filter { $0.code == .unknownPage }
    #expect(found.map(\.message) == ["no page Cart is known"])
  }

  @Test("an excluded page of GrowingIO's SDK for Android is known with its slash, too", arguments: ["Other", "/Other"])
  func excludedPageWithSlash(page: String) throws {
    let rules = "style: growingio-android\npages: { exclude: [\(page)] }\nrules: [{ id: a, include: { event: b } }]"
    let event = #"{"eventType":"VIEW_CLICK","platform":"Android","path":"/Other"}"#
    #expect(try !Checked.findings(rules, events: [event]).contains { $0.code == .unknownPage })
  }

  @Test(
    "a selector of elements for which the style's SDK sends nothing is reported, such as of keys of a keypad",
    arguments: [
      ("sensors-android", "android.widget.TextView(0)", true), ("sensors-android", "android.widget.Button", false),
      ("growingio-android", "TextView", false), ("growingio-android", "EditText", false),
    ])
  func untracked(style: String, selector: String, isReported: Bool) throws {
    let screen = """
      <view class="android.widget.LinearLayout" controller="com.example.PayActivity">
      <view class="android.widget.TextView" text="1" clickable="true"/><view class="android.widget.TextView" text="2" clickable="true"/>
      <view class="android.widget.Button" text="OK" clickable="true"/><view class="android.widget.EditText" text=""/></view>
      """
    let rules = "style: \(style)\nrules: [{ id: a, include: { selector: \(selector) } }]"
    let capture = IdentifiedTree(
      try CaptureReader().read(Array("<viewTree version=\"1\" os=\"Android\">\(screen)</viewTree>".utf8)))
    var checker = RuleChecker(try RuleFiles(text: "version: 1\n" + rules, name: "rules.yaml").ruleSetWithSources())
    checker.add(capture, name: "pay.xml")
    let found = checker.check(at: Checked.now).findings.map(\.code)
    #expect(found.contains(.untrackedElement) == isReported && !found.contains(.matchesNothing), "\(found)")
  }

  @Test(
    "missing elements, classes and pages are reported in every style",
    arguments: [
      ("sensors", "selector: UITabBar/UITabBarButton(9)", "home-feed.xml", "matches-nothing"),
      ("posthog", "selector: CheckoutButton, page: OtherViewController", "cart.xml", "unknown-page"),
      ("growingio-android", "selector: \"MaterialButton#remove\"", "android-shop.xml", "unknown-class"),
      // Only tests with `:` know classes by their short names where paths have full ones.
      ("sensors-android", "selector: MaterialButton", "android-shop.xml", "unknown-class"),
      ("sensors-android", "selector: \"BouquetCard(row:1)\"", "android-shop.xml", "unknown-class"),
      ("sensors-android", "page: com.example.kiosk.OtherActivity", "android-shop.xml", "unknown-page"),
      ("sensors-web", "selector: button, page: /flowers/tomorrow", "flowers.html", "unknown-page"),
    ])
  func unknown(style: String, clause: String, name: String, code: String) throws {
    let rules = "version: 1\nstyle: \(style)\nrules: [{ id: a, include: { \(clause) } }]"
    #expect(try Self.findings(rules, name).contains { $0.hasPrefix(code) })
  }
}
