import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@testable import EncircleAuthoring

/// Where elements are that rules have lost, from captures, anchors and events.
@Suite struct LostElementsTests {
  /// A page with a bar of buttons, in a stack from version 5.2 on, in two stacks from 5.3 on.
  private static func bar(_ titles: [String], _ version: String?, stacks: Int) throws -> NamedScreen {
    let buttons = titles.map { "<view class='UIButton' title='\($0)' frame='0 0 80 40'/>" }.joined()
    let inner = (0..<stacks).reduce(buttons) { inner, _ in
      "<view class='UIStackView' frame='0 0 300 40'>\(inner)</view>"
    }
    let tree = try Screens.of(
      """
      <view class='UIWindow' frame='0 0 390 844'><view class='UIView' controller='OrderController' frame='0 0 390 844'>
      <view class='UILabel' text='Your order' frame='0 0 390 40'/><view class='OrderBar' frame='0 700 390 80'>\(inner)</view>
      </view></view>
      """, appVersion: version)
    return NamedScreen(name: "bar \(version ?? "")", screen: tree)
  }

  private static func matcher(_ rule: String = "include: { selector: OrderBar/UIButton(1) }") throws -> Matcher {
    Matcher(try RuleFiles(text: "version: 1\nrules:\n  - id: pay\n    \(rule)\n", name: "rules.yaml").ruleSet())
  }

  private static func approximate(
    _ matcher: Matcher, _ successors: [SuccessorElement], on screen: NamedScreen, _ element: Int
  ) -> Approximation? {
    var decider = Decider(matcher.tolerating(ToleranceTable(successors)))
    return decider.decide(ElementEvents(of: screen.screen).event(of: ElementID(element))).approximate
  }

  @Test("a button in a stack is found by captures of both versions, in any order, and by an anchor")
  func captures() throws {
    let old = try Self.bar(["Cancel", "Pay"], "5.1", stacks: 0)
    let new = try Self.bar(["Cancel", "Pay"], "5.2", stacks: 1)
    let matcher = try Self.matcher()
    let anchor = Anchor(of: old, rules: ["pay"]).screen()
    for (captures, anchors) in [([new, old], []), ([old, new], []), ([new], [anchor])] {
      var lost = LostElements(matcher, tolerance: 0.8)
      lost.find(on: captures, anchors: anchors)
      let successors = lost.successors
      #expect(successors.map(\.rule) == ["pay"])
      let found = try #require(Self.approximate(matcher, successors, on: new, 6))
      #expect(found.rule == "pay" && found.confidence >= 0.8 && !found.reasons.isEmpty)
      #expect(Self.approximate(matcher, successors, on: new, 5) == nil, "the other button")
      #expect(Self.approximate(matcher, successors, on: old, 5) == nil, "decided by the rule itself")
    }
  }

  @Test("a capture of another page in between does not replace the old one")
  func otherPage() throws {
    let old = try Self.bar(["Cancel", "Pay"], "5.1", stacks: 0)
    let new = try Self.bar(["Cancel", "Pay"], "5.3", stacks: 1)
    let other = NamedScreen(
      name: "other",
      screen: try Screens.of(
        """
        <view class='UIWindow' frame='0 0 390 844'><view class='UIView' controller='CartController' frame='0 0 390 844'>
        <view class='OrderBar' frame='0 700 390 80'><view class='UIButton' title='Check out' frame='0 0 80 40'/></view>
        </view></view>
        """, appVersion: "5.2"))
    let matcher = try Self.matcher()
    var lost = LostElements(matcher, tolerance: 0.8)
    lost.find(on: [new, other, old])
    let successors = lost.successors
    #expect(Self.approximate(matcher, successors, on: new, 6)?.rule == "pay")
  }

  /// A list with a button in a row, in a stack from version 5.2 on.
  private static func shop(_ version: String, isStacked: Bool) throws -> NamedScreen {
    let button = "<view class='UIButton' title='Pay' actions='pay:' frame='300 0 80 40'/>"
    let stack = isStacked ? "<view class='UIStackView' frame='300 0 80 40'>\(button)</view>" : button
    let tree = try Screens.of(
      """
      <view class='UIWindow' frame='0 0 390 844'><view class='UITableView' controller='Shop' frame='0 0 390 844'>
      <view class='ShopCell' superclasses='UITableViewCell' indexPath='0 0' frame='0 0 390 60'>\(stack)</view>
      <view class='UILabel' text='Our shop' frame='0 700 390 40'/></view></view>
      """, appVersion: version)
    return NamedScreen(name: "shop \(version)", screen: tree)
  }

  /// Decides taps of version 5.2 by a rule in a style that takes the button as it was in version 5.1.
  private static func tolerant(style: String) throws -> Decider {
    let rules = "version: 1\nstyle: \(style)\nrules: [{ id: pay, include: { selector: ShopCell/UIButton } }]\n"
    let matcher = Matcher(try RuleFiles(text: rules, name: "rules.yaml").ruleSet())
    var lost = LostElements(matcher, tolerance: 0.5)
    lost.find(on: [try Self.shop("5.1", isStacked: false), try Self.shop("5.2", isStacked: true)])
    return Decider(matcher.tolerating(ToleranceTable(lost.successors)))
  }

  @Test("a tap of GrowingIO is found in any row, whatever alias the app gives the page", arguments: ["", "/order"])
  func pageAliases(_ alias: String) throws {
    var decider = try Self.tolerant(style: "growingio")
    for index in [1, 8] {
      let event = try AnalyticsEvent(
        json: """
          {"eventType":"VIEW_CLICK","path":"\(alias)","appVersion":"5.2","index":\(index),"textValue":"Pay",
          "xpath":"/Shop/UITableView/Section/ShopCell/UIStackView/UIButton","xcontent":"/0/0/0/-/0/0"}
          """)
      #expect(decider.decide(event).approximate?.rule == "pay", "index \(index)")
    }
  }

  @Test(
    "a tap is found in any row if the style writes the row into the path",
    arguments: [
      (
        "lede",
        """
        {"eventName":"click","pageName":"Shop","properties":{"$app_version":"5.2"},
        "viewInfo":{"viewPath":"Shop-ShopCell-UIStackView-UIButton & 0-0:ROW-0-0","title":"Pay"}}
        """
      ),
      (
        "sensors-exact",
        """
        {"event":"$AppClick","properties":{"$screen_name":"Shop","$app_version":"5.2","$element_content":"Pay",
        "$element_path":"UITableView/ShopCell[0][ROW]/UIStackView[0]/UIButton[0]"}}
        """
      ),
    ])
  func rowsInPaths(style: String, event: String) throws {
    var decider = try Self.tolerant(style: style)
    for row in [0, 8] {
      let tap = try AnalyticsEvent(json: event.replacing("ROW", with: String(row)))
      #expect(decider.decide(tap).approximate?.rule == "pay", "row \(row)")
    }
  }

  @Test("with rules in several styles, an event is found by the clause for its own style")
  func severalStyles() throws {
    let matcher = try Self.matcher(
      "include: [{ style: sensors, selector: ShopCell/UIButton }, { style: posthog, selector: ShopCell/UIButton }]")
    let new = try Self.shop("5.2", isStacked: true)
    var lost = LostElements(matcher, tolerance: 0.5)
    lost.find(on: [try Self.shop("5.1", isStacked: false), new])
    let successors = lost.successors
    var decider = Decider(matcher.tolerating(ToleranceTable(successors)))
    for (style, fields) in matcher.stylesAndFields {
      let event = ElementEvents(of: new.screen, style: style, fields: fields).event(of: ElementID(4))
      #expect(decider.decide(event).approximate?.rule == "pay", "\(style)")
    }
  }

  @Test("captures without a version are newer than anchors without one")
  func withoutVersions() throws {
    let (old, new) = (
      try Self.bar(["Cancel", "Pay"], nil, stacks: 0), try Self.bar(["Cancel", "Pay"], nil, stacks: 1)
    )
    let matcher = try Self.matcher()
    var lost = LostElements(matcher, tolerance: 0.8)
    lost.find(on: [new], anchors: [Anchor(of: old, rules: ["pay"]).screen()])
    let successors = lost.successors
    #expect(Self.approximate(matcher, successors, on: new, 6)?.rule == "pay")
  }

  @Test("an element is followed over several versions, with the product of the confidences")
  func severalVersions() throws {
    let screens = try (0...2).map { try Self.bar(["Cancel", "Pay"], "5.\($0)", stacks: $0) }
    let matcher = try Self.matcher()
    var lost = LostElements(matcher, tolerance: 0.5)
    lost.find(on: screens.reversed())
    let successors = lost.successors
    let steps = successors.sorted { $0.now.path.components.count < $1.now.path.components.count }
    #expect(steps.count == 2)
    #expect(steps[1].confidence < steps[0].confidence)
    #expect(steps.map(\.lastVersion) == [VersionNumber("5.0"), VersionNumber("5.1")])
    #expect(Self.approximate(matcher, successors, on: screens[1], 6)?.rule == "pay")
    #expect(Self.approximate(matcher, successors, on: screens[2], 7)?.rule == "pay")
  }

  @Test("the place of a lost element counts until a later version has another element there")
  func laterElement() throws {
    let screens = [
      try Self.bar(["Pay"], "5.0", stacks: 0), try Self.bar(["Cancel", "Pay"], "5.1", stacks: 1),
      try Self.bar(["Cancel", "Help", "Pay"], "5.2", stacks: 1),
    ]
    let matcher = try Self.matcher("include: { selector: OrderBar/UIButton(0) }")
    var lost = LostElements(matcher, tolerance: 0.5)
    lost.find(on: screens)
    let successors = lost.successors
    #expect(successors.map(\.endVersion).contains(VersionNumber("5.2")) && successors.count == 2)
    #expect(Self.approximate(matcher, successors, on: screens[1], 6)?.rule == "pay")
    #expect(Self.approximate(matcher, successors, on: screens[2], 6) == nil, "it is Help")
    #expect(Self.approximate(matcher, successors, on: screens[2], 7)?.rule == "pay")
    var decider = Decider(matcher.tolerating(ToleranceTable(successors)))
    let path = "UIWindow(0)/UIView(0)/OrderBar(0)/UIStackView(0)/UIButton(1)"
    for (version, isFound) in [("5.1.3", true), ("5.2.0", false), ("6.0", false)] {
      let event = AnalyticsEvent(
        name: "$AppClick",
        properties: [
          "$element_path": .string(path), "$screen_name": "OrderController", "$app_version": .string(version),
        ])
      #expect((decider.decide(event).approximate != nil) == isFound, "\(version)")
    }
  }

  @Test("the place of a lost element also ends if the element has kept it for several versions")
  func laterElementAfterSeveral() throws {
    let screens = [
      try Self.bar(["Pay"], "5.0", stacks: 0), try Self.bar(["Cancel", "Pay"], "5.1", stacks: 1),
      try Self.bar(["Cancel", "Pay"], "5.2", stacks: 1), try Self.bar(["Cancel", "Help", "Pay"], "5.3", stacks: 1),
    ]
    let matcher = try Self.matcher("include: { selector: OrderBar/UIButton(0) }")
    var lost = LostElements(matcher, tolerance: 0.5)
    lost.find(on: screens)
    let successors = lost.successors
    #expect(Self.approximate(matcher, successors, on: screens[2], 6)?.rule == "pay")
    #expect(Self.approximate(matcher, successors, on: screens[3], 6) == nil, "it is Help")
    #expect(Self.approximate(matcher, successors, on: screens[3], 7)?.rule == "pay")
  }

  @Test(
    "a rule's own tolerance overrides the caller's, and nothing is tolerant by default",
    arguments: [
      ("include: { selector: OrderBar/UIButton(1) }", nil, false),
      ("include: { selector: OrderBar/UIButton(1) }", 0.8, true),
      ("tolerance: 0.7\n    include: { selector: OrderBar/UIButton(1) }", nil, true),
      ("tolerance: 1\n    include: { selector: OrderBar/UIButton(1) }", 0.5, false),
      ("exclude: { selector: OrderBar/UIButton(1) }", 0.5, false),
      ("include: { page: OrderController, where: { $element_content: Pay } }", 0.5, false),
    ] as [(String, Double?, Bool)])
  func tolerances(rule: String, tolerance: Double?, isFound: Bool) throws {
    let (old, new) = (
      try Self.bar(["Cancel", "Pay"], "5.1", stacks: 0), try Self.bar(["Cancel", "Pay"], "5.2", stacks: 1)
    )
    var lost = LostElements(try Self.matcher(rule), tolerance: tolerance)
    lost.find(on: [old, new])
    let successors = lost.successors
    #expect(!successors.isEmpty == isFound)
  }

  @Test("a rule that demands the old text finds the element under its new one")
  func changedText() throws {
    let (old, new) = (
      try Self.bar(["Cancel", "Pay now"], "5.1", stacks: 0), try Self.bar(["Cancel", "Pay later"], "5.2", stacks: 1)
    )
    let matcher = try Self.matcher(
      "include: { selector: OrderBar/UIButton(1), where: { $element_content: Pay now } }")
    var lost = LostElements(matcher, tolerance: 0.3)
    lost.find(on: [old, new])
    let successors = lost.successors
    #expect(Self.approximate(matcher, successors, on: new, 6)?.rule == "pay")
  }

  @Test("an element that is gone has no successor")
  func gone() throws {
    let (old, new) = (try Self.bar(["Cancel", "Pay"], "5.1", stacks: 0), try Self.bar(["Cancel"], "5.2", stacks: 1))
    var lost = LostElements(try Self.matcher(), tolerance: 0.45)
    lost.find(on: [old, new])
    let successors = lost.successors
    #expect(successors.isEmpty)
  }

  @Test("from events alone, the successor has the evidence of both versions and an estimated confidence")
  func events() throws {
    func event(_ user: Int, _ version: String, _ path: String, _ text: String) throws -> AnalyticsEvent {
      try AnalyticsEvent(
        json: """
          {"event":"$AppClick","distinct_id":"u\(user)","properties":{"$screen_name":"OrderController","$element_path":"\(path)",
          "$element_content":"\(text)","$element_type":"buttonEvent","$app_version":"\(version)"}}
          """)
    }
    let matcher = try Self.matcher()
    var drift = StreamDrift(matcher)
    let (old, new) = ("UIWindow(0)/OrderBar(0)/UIButton(1)", "UIWindow(0)/OrderBar(0)/UIStackView(0)/UIButton(1)")
    for user in 0..<60 {
      for event in [
        try event(user, "5.1", old, "Pay"), try event(user, "5.2", new, "Pay"),
        try event(user, "5.2", "UIWindow(0)/OrderBar(0)/UIStackView(0)/UIButton(0)", "Coupons"),
      ] { drift.add(event) }
    }
    var lost = LostElements(matcher, tolerance: 0.7)
    lost.add(drift.finish())
    let successors = lost.successors
    #expect(successors.count == 1)
    var tolerant = Decider(matcher.tolerating(ToleranceTable(successors)))
    let found = try #require(tolerant.decide(try event(1, "5.2", new, "Pay")).approximate)
    #expect(found.rule == "pay" && found.reasons.contains("same text in events"))
    #expect((0.7...0.9).contains(found.confidence), "\(found.confidence)")
    #expect(tolerant.decide(try event(1, "5.1", new, "Pay")).approximate == nil, "the old version")
  }

  @Test("from events alone, with rules in several styles, an element is found by the clause for its style")
  func eventsOfSeveralStyles() throws {
    func event(_ user: Int, _ version: String, _ path: String, _ indexes: String, _ text: String) throws
      -> AnalyticsEvent
    {
      try AnalyticsEvent(
        json: """
          {"eventType":"VIEW_CLICK","deviceId":"u\(user)","path":"/order","appVersion":"\(version)","index":1,
          "textValue":"\(text)","xpath":"/Shop/UITableView/Section/\(path)","xcontent":"/0/0/0/-/\(indexes)"}
          """)
    }
    let matcher = try Self.matcher(
      "include: [{ style: sensors, selector: ShopCell/UIButton }, { style: growingio, selector: ShopCell/UIButton }]")
    var drift = StreamDrift(matcher)
    for user in 0..<60 {
      for event in [
        try event(user, "5.1", "ShopCell/UIButton", "0", "Pay"),
        try event(user, "5.2", "ShopCell/UIStackView/UIButton", "0/0", "Pay"),
        try event(user, "5.2", "ShopCell/UIStackView/UILabel", "0/0", "Coupons"),
      ] { drift.add(event) }
    }
    var lost = LostElements(matcher, tolerance: 0.7)
    lost.add(drift.finish())
    let successors = lost.successors
    #expect(successors.map(\.rule) == ["pay"])
    var tolerant = Decider(matcher.tolerating(ToleranceTable(successors)))
    let new = try event(1, "5.2", "ShopCell/UIStackView/UIButton", "0/0", "Pay")
    #expect(tolerant.decide(new).approximate?.rule == "pay")
  }
}
