import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

/// Rules on events whose paths are written in other SDKs' styles.
@Suite struct StyleTests {
  @Test(
    "selectors match the paths of the rule set's style",
    arguments: [
      (
        "sensors", "UIWindow[0]/UITableView[0]/UITableViewCell[0][3]/UIButton[1]",
        "UITableViewCell(section:0 row:3)/UIButton(1)", true
      ),
      (
        "sensors", "UIWindow[0]/UITableView[0]/UITableViewCell[0][3]/UIButton[1]",
        "UITableViewCell(section:0 row:4)/UIButton(1)", false
      ),
      (
        "sensors", "UIWindow[0]/UITableView[0]/UITableViewCell[0][-]/UIButton[1]",
        "UITableViewCell(section:0 row:*)/UIButton", true
      ),
      ("sensors", "UIWindow[0]/UITableView[0]/UITableViewCell[0][-]/UIButton[1]", "UITableViewCell/UIButton", true),
      (
        "sensors", "UIWindow[0]/UITableView[0]/UITableViewCell[0][-]/UIButton[1]",
        "UITableViewCell(section:0 row:3)/UIButton", false
      ),
      (
        "sensors", "UIWindow[0]/UITableView[0]/UITableViewCell[0][-]/UIButton[1]",
        "UITableViewCell(section:0 row:...5)/UIButton", false
      ),
      (
        "sensors", "UIWindow[0]/UITableView[0]/UITableViewCell[0][-]/UIButton[1]",
        "UITableViewCell(section:0 row:0...)/UIButton", false
      ),
    ] as [(String, String, String, Bool)])
  func styles(style: String, path: String, selector: String, isMatch: Bool) throws {
    let rules = try RuleFiles(
      text: "version: 1\nstyle: \(style)\nrules:\n  - { id: a, include: { selector: '\(selector)' } }\n"
    ).ruleSet()
    let matcher = Matcher(rules)
    let event = "{\"event\":\"$AppClick\",\"properties\":{\"$element_path\":\"\(path)\"}}"
    let decision = matcher.decide([try AnalyticsEvent(json: event)])[0]
    #expect(decision.isSelected == isMatch)
    #expect(decision.resolution == .path)
    let loaded = try Matcher(compiled: try matcher.compiled())
    #expect(loaded.decide([try AnalyticsEvent(json: event)]) == [decision])
  }

  @Test(
    "a test for a kind takes classes of Android by either of their names",
    arguments: [":Button", ":android.widget.Button"], ["Button", "AppCompatButton", "MaterialButton", "TextView"])
  func shortNames(selector: String, name: String) throws {
    let rules = "version: 1\nstyle: growingio-android\nrules: [ { id: a, include: { selector: '\(selector)' } } ]"
    let matcher = Matcher(try RuleFiles(text: rules).ruleSet())
    let event = try AnalyticsEvent(
      json: #"{"eventType":"VIEW_CLICK","platform":"Android","xpath":"/Main/\#(name)","xcontent":"/0/a"}"#)
    let decision = matcher.decide([event])[0]
    #expect(decision.isSelected == (name != "TextView") && decision.resolution == .path)
    #expect(try Matcher(compiled: matcher.compiled()).decide([event]) == [decision])
  }

  @Test(
    "a page of GrowingIO's SDKs is the same with its slash and without it", arguments: ["iOS", "Android"],
    ["Cart", "/Cart", "{ prefix: Cart }", "{ prefix: /Cart }", "{ glob: Cart* }", "{ glob: /Cart* }"])
  func pageWithSlash(system: String, page: String) throws {
    let style = system == "iOS" ? "growingio" : "growingio-android"
    let rules = "version: 1\nstyle: \(style)\nrules: [ { id: a, include: { page: \(page) } } ]"
    let matcher = Matcher(try RuleFiles(text: rules).ruleSet())
    let isPrefix = page.contains("{")
    for (sent, isMatch) in [("/Cart", true), ("Cart", true), ("/Carts", isPrefix), ("/", false), ("/aCart", false)] {
      let event = try AnalyticsEvent(
        json: #"{"eventType":"VIEW_CLICK","platform":"\#(system)","xpath":"/Main","xcontent":"/0","path":"\#(sent)"}"#)
      #expect(matcher.decide([event])[0].isSelected == isMatch, "\(sent)")
    }
  }

  @Test("events made in style lede have the id of the path, and section and row of a cell, as Lede's SDK sends them")
  func viewInfo() throws {
    let screen = try Screens.of(
      """
      <view class='UIView' controller='A'>
        <view class='UIButton'/>
        <view class='UITableView'><view class='C' superclasses='UITableViewCell UIView' indexPath='1 3'/></view>
      </view>
      """)
    let rules = """
      version: 1
      style: lede
      rules:
        - id: button
          include: { where: { /viewInfo/viewId: 078e98f4345f4dd24e50f1c6d202b1be } }
        - id: cell
          include: { where: { /viewInfo/section: 1, /viewInfo/row: 3 } }
      """
    let matcher = Matcher(try RuleFiles(text: rules).ruleSet())
    let events = ElementEvents(of: screen, style: .lede, fields: EventFields(style: .lede))
    let decisions = matcher.decide([ElementID(1), ElementID(3)].map { events.event(of: $0) })
    #expect(decisions.map { $0.rules.map(\.text) } == [["button"], ["cell"]])
  }

  @Test("events made of HubbleData have section and row for cells alone, not for the elements in them")
  func placeOfCells() throws {
    let screen = try Screens.of(
      """
      <view class='UITableView'>
        <view class='C' superclasses='UITableViewCell UIView' indexPath='1 3'><view class='UIButton'/></view>
      </view>
      """)
    let rules = "version: 1\nrules: [ { id: a, include: { where: { section: 1, row: 3 } } } ]"
    let matcher = Matcher(try RuleFiles(text: rules).ruleSet())
    let events = ElementEvents(of: screen)
    let decisions = [ElementID(1), ElementID(2)].map { matcher.decide(events.sentEvents(of: $0)) }
    #expect(decisions.map { $0.contains { $0.isSelected } } == [true, false])
  }

  @Test("an event made in style growingio has the page with its slash, as GrowingIO's SDK for iOS sends it")
  func madePageWithSlash() throws {
    let screen = try Screens.of("<view class='UIView' controller='Cart'><view class='UIButton' actions='pay:'/></view>")
    let events = ElementEvents(of: screen, style: .growingIO, fields: EventFields(style: .growingIO))
    let event = events.event(of: ElementID(1))
    #expect(event.members["path"] == .string("/Cart"))
  }

  @Test("an event made for an element of a page within an app has the page's path, as the page's script sends it")
  func pathOfPageInApp() throws {
    let screen = try Screens.of(
      "<view class='UIView'><view class='A' elementPath='body > a' url='https://m.example/%E5%95%86?q=1'/></view>")
    let rules = "version: 1\nstyle: sensors\nrules: [ { id: a, include: { where: { $url_path: /商 } } } ]"
    let matcher = Matcher(try RuleFiles(text: rules).ruleSet())
    let events = ElementEvents(of: screen, style: .sensors, fields: EventFields(style: .sensors))
    #expect(matcher.decide([events.event(of: ElementID(1))])[0].isSelected)
  }

  @Test(
    "an excluded page also excludes the events of GrowingIO's SDKs, which write a slash before it",
    arguments: ["iOS", "Android"], ["Cart", "/Cart"])
  func excludedPageWithSlash(system: String, page: String) throws {
    let rules = """
      version: 1
      style: \(system == "iOS" ? "growingio" : "growingio-android")
      pages: { exclude: [\(page)] }
      rules: [ { id: a, include: { event: VIEW_CLICK } } ]
      """
    let matcher = Matcher(try RuleFiles(text: rules).ruleSet())
    for (sent, isExcluded) in [("/Cart", true), ("Cart", true), ("/Carts", false), ("/", false)] {
      let event = try AnalyticsEvent(
        json: #"{"eventType":"VIEW_CLICK","platform":"\#(system)","xpath":"/Main","xcontent":"/0","path":"\#(sent)"}"#)
      let decision = matcher.decide([event])[0]
      #expect(decision.isSelected != isExcluded, "\(sent)")
      #expect(decision.pages.map(\.text) == (isExcluded ? [page] : []))
    }
  }

  @Test(
    "a class that key-value observing has made is the app's in every style, and quotes hide none",
    arguments: [
      ("lede", "/viewInfo/viewPath", "Home-NSKVONotifying_Card-NSKVONotifying_UIButton & 0-0-0"),
      ("growingio", "/xpath", "/Home/NSKVONotifying_Card/NSKVONotifying_UIButton & /0/0/0"),
      ("posthog", "$elements_chain", "NSKVONotifying_UIButton:text=\\\"Pay\\\";NSKVONotifying_Card"),
      ("sensors", "$element_path", "NSKVONotifying_Card/NSKVONotifying_UIButton[0]"),
      ("sensors-exact", "$element_path", "NSKVONotifying_Card/NSKVONotifying_UIButton[0]"),
      ("hubbledata", "$element_path", "NSKVONotifying_Card(0)/'NSKVONotifying_UIButton'(0)"),
      ("hubbledata", "$element_path", "UIWindow(0)/'NSKVONotifying_Card'(0)/'NSKVONotifying_UIButton'(0)"),
    ] as [(String, String, String)])
  func observation(style: String, place: String, path: String) throws {
    let rules = try RuleFiles(
      text: "version: 1\nstyle: \(style)\nrules:\n  - { id: a, include: { selector: Card/UIButton } }\n"
    ).ruleSet()
    let members = place.split(separator: "/")
    let value = "\"\(members[members.count - 1])\":\"\(path)\""
    let event =
      place.hasPrefix("/") && members.count == 1
      ? "{\(value)}" : "{\"\(place.hasPrefix("/") ? members[0] : "properties")\":{\(value)}}"
    #expect(Matcher(rules).decide([try AnalyticsEvent(json: event)])[0].isSelected)
  }

  @Test(
    "an explanation says if rules with a selector are for the events of another SDK",
    arguments: [
      ("hubbledata", #"{"properties":{"$element_path":"UIView/UIButton[0]"}}"#, "sensors"),
      ("hubbledata", #"{"properties":{"$lib":"Android","$element_path":"a.Button[0]"}}"#, "sensors-android"),
      ("hubbledata", #"{"properties":{"$lib":"js","$element_path":"body > button"}}"#, "sensors-web"),
      ("hubbledata", #"{"properties":{"$elements_chain":"UIButton;UIWindow"}}"#, "posthog"),
      ("hubbledata", #"{"eventName":"click","viewInfo":{"viewPath":"UIWindow-UIButton & 0-0"}}"#, "lede"),
      ("sensors", #"{"properties":{"$lib":"Android","$element_path":"android.widget.Button[0]"}}"#, "sensors-android"),
      ("growingio-android", #"{"eventType":"C","platform":"iOS","xpath":"/A/B","xcontent":"/0/0"}"#, "growingio"),
      // These may be in the style of the rules, which select other elements, or have no path.
      ("hubbledata", #"{"properties":{"$element_path":"UIWindow(0)/UIButton(0)"}}"#, nil),
      ("hubbledata", #"{"eventId":"00","properties":{"$lib":"Android"}}"#, nil), ("hubbledata", "{}", nil),
      ("hubbledata-android", #"{"properties":{"$element_path":"E[group:1]"}}"#, nil),
      ("sensors", #"{"properties":{"$lib":"iOS","$element_path":"UIView/UIButton[0]"}}"#, nil),
      ("sensors-exact", #"{"properties":{"$element_path":"UIView/UIButton[0]"}}"#, nil),
      ("sensors-android", #"{"properties":{"$element_path":"android.widget.Button[0]"}}"#, nil),
    ] as [(String, String, String?)])
  func otherSDK(style: String, json: String, expected: String?) throws {
    let text = "version: 1\nstyle: \(style)\nrules:\n  - { id: a, include: { selector: Card } }\n"
    let explanation = Explainer(try RuleFiles(text: text).ruleSet()).explain(try AnalyticsEvent(json: json))
    #expect(explanation.styleMismatch?.event.rawValue == expected)
    let lines = ExplanationText.text(explanation, explanation.rules, left: 0).split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("style: \(expected ?? ""), but the rules are for") } == (expected != nil))
  }

  @Test(
    "items of expandable lists are selected as HubbleData's SDK for Android writes them",
    arguments: [
      ("E[group:1]/B", "E[group:1]", true), ("E[group:1]/B", "E[group:2]", false),
      ("E[group:1,child:2]/B", "E[group:1,child:2]", true), ("E[group:1,child:2]/B", "E[group:1,child:3]", false),
      ("E(section:1 row:2)/B", "E[group:1,child:2]", true), ("E[header:0]/B", "E[header:0]", true),
      ("E[footer:1]/B", "E[footer:0]", false),
    ] as [(String, String, Bool)])
  func expandableLists(selector: String, item: String, isMatch: Bool) throws {
    let rules = try RuleFiles(
      text: "version: 1\nstyle: hubbledata-android\nrules:\n  - { id: a, include: { selector: '\(selector)' } }\n"
    ).ruleSet()
    let event = "{\"properties\":{\"$element_path\":\"com.a.M:D[0]/\(item)/B[0]\"}}"
    #expect(Matcher(rules).decide([try AnalyticsEvent(json: event)])[0].isSelected == isMatch)
  }

  @Test(
    "in growingio, Section and the name behind it are one component, a cell, in events and selectors alike; in others two",
    arguments: [
      ("growingio", "Section/C/B", true), ("growingio", "C/B", true), ("growingio", "/*/B", true),
      ("growingio", "/*/*/B", false), ("sensors", "Section/C/B", true), ("sensors", "/*/*/B", true),
    ] as [(String, String, Bool)])
  func sections(style: String, selector: String, isMatch: Bool) throws {
    let rules = try RuleFiles(
      text: "version: 1\nstyle: \(style)\nrules:\n  - { id: a, include: { selector: '\(selector)' } }\n"
    ).ruleSet()
    let event = #"{"xpath":"/Section/C/B","xcontent":"/0/0/0","properties":{"$element_path":"Section/C[0]/B[0]"}}"#
    #expect(Matcher(rules).decide([try AnalyticsEvent(json: event)])[0].isSelected == isMatch)
  }

  @Test(
    "the same kind frees the section of a cell that states no row, in brackets, too",
    arguments: ["A(section:0 row:3)/C(section:0)/B", "A[0][3]/C[0][-]/B"])
  func sectionsOfSameKind(selector: String) throws {
    let rules = try RuleFiles(
      text: "version: 1\nstyle: sensors\nrules:\n"
        + "  - { id: a, sameKind: true, include: { selector: '\(selector)' } }\n"
    ).ruleSet()
    func isSelected(_ cells: String) throws -> Bool {
      let event = "{\"properties\":{\"$element_path\":\"\(cells)/B[0]\"}}"
      return Matcher(rules).decide([try AnalyticsEvent(json: event)])[0].isSelected
    }
    #expect(try isSelected("A[0][3]/C[0][-]"))
    #expect(try isSelected("A[0][3]/C[2][-]"))
    #expect(try !isSelected("A[0][4]/C[0][-]"))
  }

  @Test(
    "texts of PostHog's paths match as written, and empty ones match missing texts",
    arguments: [
      ("UIButton(text:Pay)", true), ("UIButton(text:'Pay')", true), ("UIButton(text:Pa)", false),
      ("UIButton(text:Pay id:'')", true), ("UIButton(id:'')", true), ("UIButton(text:'')", false),
      ("UIView(id:card)/UIButton", true), ("*(id:card)/**/*", true), ("*(id:card)", false),
      ("UIView(text:'say \"hi\"' id:card)/**/:UIControl(text:Pay)", true), ("UIB*(text:Pay)", true),
      ("UIWindow(text:'' id:'')/**/UIButton", true), ("UIButton()", true), ("UIButton(0)", false),
    ] as [(String, Bool)])
  func texts(selector: String, isMatch: Bool) throws {
    let rules = try RuleFiles(
      text: "version: 1\nstyle: posthog\nrules:\n  - { id: a, include: { selector: \"\(Self.quoted(selector))\" } }\n"
    ).ruleSet()
    let chain = #"UIButton:text="Pay";UIView:text="say "hi""attr_id="card";UIWindow"#
    let event = "{\"properties\":{\"$elements_chain\":\"\(Self.quoted(chain))\"}}"
    let matcher = Matcher(rules)
    let decision = matcher.decide([try AnalyticsEvent(json: event)])[0]
    #expect(decision.isSelected == isMatch)
    let loaded = try Matcher(compiled: try matcher.compiled())
    #expect(loaded.decide([try AnalyticsEvent(json: event)]) == [decision])
    #expect(try ElementSelector(parsing: selector).matches(Self.path(chain), hierarchy: .builtIn) == isMatch)
    #expect(try SelectorMatcher(ElementSelector(parsing: selector)).matches(Self.path(chain)) == isMatch)
  }

  private static func quoted(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }

  private static func path(_ chain: String) throws -> ElementPath {
    let text = Array(chain.utf8)
    let readings = try text.withUnsafeBufferPointer { try PathStyleName.postHog.style.readings(of: $0) }
    return try #require(readings.graph.only)
  }

  @Test(
    "compiled selectors with texts match what plain functions on their syntax do", arguments: TestSize.scaled(0..<20))
  func randomTexts(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let classes = ["UIButton", "UIView", "Card", "UIWindow"]
    let texts = ["Pay", "it's / (1)", "x", "a\"b", "e\u{301}"]
    var selectors: [ElementSelector] = []
    for _ in 0..<40 {
      var steps: [ElementSelector.Step] = []
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let name = UTF8String(random.pick(classes))
        let pattern: ElementSelector.ClassPattern =
          switch Int.random(in: 0...4, using: &random) {
          case 0: .any
          case 1: .glob("U*")
          case 2: .kindOf(name)
          default: .name(name)
          }
        var tests: [ElementSelector.TextTest] = []
        for field in ElementSelector.TextField.allCases where random.oneIn(2) {
          tests.append(.init(field, random.oneIn(4) ? "" : UTF8String(random.pick(texts))))
        }
        steps.append(random.oneIn(5) ? .recursiveWildcard : .component(pattern, tests.isEmpty ? nil : .texts(tests)))
      }
      let selector = ElementSelector(isAnchored: random.oneIn(4), steps: steps)
      #expect(try ElementSelector(parsing: selector.description) == selector)
      #expect(try ElementSelector(parsing: selector.canonical.description) == selector.canonical)
      selectors.append(selector)
    }
    var rules = RuleSet()
    rules.style = .postHog
    rules.fields = EventFields(style: .postHog)
    rules.rules = selectors.enumerated().map { i, selector in
      var clause = RuleClause()
      clause.selectors = [selector]
      return SelectionRule(UTF8String("r\(i)"), .include, [clause])
    }
    let matcher = Matcher(rules)
    for _ in 0..<60 {
      var chain = StyledPath(.postHog, [])
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        var component = StyledComponent(random.pick(classes))
        if random.oneIn(2) { component.attributes.text = random.pick(texts) }
        if random.oneIn(2) { component.attributes.label = random.pick(texts) }
        chain.components.append(component)
      }
      var event = AnalyticsEvent(EventObject())
      event.setPath(chain, rules.fields)
      let path = try Self.path(chain.written)
      let expected = selectors.indices.filter { selectors[$0].matches(path, hierarchy: .builtIn) }.map { "r\($0)" }
      #expect(Set(matcher.decide([event])[0].rules.map { "\($0)" }) == Set(expected), "\(chain.written)")
    }
  }

  @Test("a selector with texts in a style without texts is an error with its place")
  func noTexts() throws {
    let files = RuleFiles(
      text: "version: 1\nstyle: sensors\nrules:\n  - { id: a, include: { selector: \"A/B(id:x)\" } }\n", name: "a.yaml")
    #expect(throws: (any Error).self) { try files.ruleSet() }
    do { _ = try files.ruleSet() } catch {
      #expect("\(error)".contains("a.yaml:4:"))
      #expect("\(error)".contains("paths of style 'sensors' have no texts; paths of posthog have 'text' and 'id'"))
    }
  }

  @Test(
    "pages of PostHog are named by their controllers or as screens, also in tests for a class and in exclusions",
    arguments: [
      ("page: Cart", "Cart", true), ("page: CartViewController", "Cart", true),
      ("page: Shop.CartViewController", "Cart", true), ("page: [Home, CartViewController]", "Cart", true),
      ("page: Shop.Help", "Help", true), ("page: CartViewController", "Home", false),
      ("page: { kindOf: CartViewController }", "Cart", true), ("page: { kindOf: BaseViewController }", "Cart", true),
      ("page: { kindOf: BaseViewController }", "Home", false),
      ("page: { not: { equals: CartViewController } }", "Cart", false),
      ("event: $autocapture", "Gone", false), ("event: $autocapture", "GoneToo", false),
      ("event: $autocapture", "Home", true),
      // One of the pages that are excluded by default.
      ("event: $autocapture", "SFSafari", false),
    ] as [(String, String, Bool)])
  func screens(clause: String, page: String, isMatch: Bool) throws {
    let rules = """
      version: 1
      style: posthog
      classes: { CartViewController: BaseViewController, GoneTooViewController: GoneViewController }
      pages: { exclude: [GoneViewController] }
      rules: [{ id: a, include: { \(clause) } }]
      """
    let matcher = Matcher(try RuleFiles(text: rules).ruleSet())
    let event = "{\"event\":\"$autocapture\",\"properties\":{\"$screen_name\":\"\(page)\"}}"
    #expect(matcher.decide([try AnalyticsEvent(json: event)])[0].isSelected == isMatch)
    let loaded = try Matcher(compiled: try matcher.compiled())
    #expect(loaded.decide([try AnalyticsEvent(json: event)])[0].isSelected == isMatch)
  }

  @Test(
    "kindOf knows the classes in the pages of every style",
    arguments: [
      ("sensors", "HomePage", "BasePage", true), ("sensors", "HomePage|Base", "BasePage", true),
      ("sensors-android", "com.a.Main|HomePage", "BasePage", true),
      ("sensors-android", "HomePage|com.a.F", "BasePage", true),
      ("sensors-android", "com.a.Main|com.a.F", "BasePage", false), ("sensors-android", "HomePage", "BasePage", true),
      ("growingio-android", "/HomePage", "BasePage", true), ("growingio-android", "/Other", "BasePage", false),
      ("posthog", "Home", "BaseViewController", true), ("posthog", "Base", "BaseViewController", true),
      ("posthog", "Other", "BaseViewController", false),
    ] as [(String, String, String, Bool)])
  func kindsOfPages(style: String, page: String, base: String, isMatch: Bool) throws {
    let rules = try RuleFiles(
      text: """
        version: 1
        style: \(style)
        classes: { HomePage: BasePage, HomeViewController: BaseViewController, BaseViewController: UIViewController }
        rules: [{ id: a, include: { page: { kindOf: \(base) } } }]
        """
    ).ruleSet()
    let matcher = Matcher(rules)
    let event = try AnalyticsEvent(json: #"{"path":"\#(page)","properties":{"$screen_name":"\#(page)"}}"#)
    #expect(matcher.decide([event])[0].isSelected == isMatch)
    #expect(try Matcher(compiled: try matcher.compiled()).decide([event])[0].isSelected == isMatch)
  }

  @Test(
    "in Sensors' style for Android, a child of a group matches as events write it, whatever its position",
    arguments: [
      ("ELVG[1]/ELVC[-]/L[0]", true), ("ELVC[-]/L[0]", true), ("ELVC[1:2]/L[0]", true), ("ELVC/L[0]", true),
      ("ELVC[1:3]/L[0]", false), ("ELVG[0]/ELVC[-]/L[0]", false),
    ] as [(String, Bool)])
  func childrenOfGroups(selector: String, isMatch: Bool) throws {
    let rules = "version: 1\nstyle: sensors-android\nrules: [ { id: a, include: { selector: '\(selector)' } } ]"
    let matcher = Matcher(try RuleFiles(text: rules).ruleSet())
    let path = "android.widget.ExpandableListView[0]/ELVG[1]/ELVC[-]/L[0]"
    let event = try AnalyticsEvent(
      json: #"{"event":"$AppClick","properties":{"$element_path":"\#(path)","$element_position":"1:2"}}"#)
    #expect(matcher.decide([event])[0].isSelected == isMatch)
  }

  @Test(
    "an explanation shows what a selector tests: texts of PostHog, and ids, classes, attributes and places of web pages",
    arguments: [
      (
        "posthog", "UIButton(text:Pay)", #"UIButton:text="加入";UIView;UIWindow"#, "UIWindow/UIView/UIButton(text:加入)",
        "step UIButton(text:Pay) does not match UIButton(text:加入)"
      ),
      (
        "posthog-web", #"li > button.ad[data-x="1"]"#,
        #"button.add.big:attr__data-x="2"nth-child="3"nth-of-type="2";li:nth-child="1"nth-of-type="1""#,
        "li:nth-of-type(1) > button.add.big:nth-of-type(2)",
        #"step button.ad[data-x="1"] does not match button.add.big[data-x="2"]:nth-of-type(2)"#
      ),
      (
        "posthog-web", "button:nth-child(2)", #"button:nth-child="3"nth-of-type="2""#, "button:nth-of-type(2)",
        "step button:nth-child(2) does not match button:nth-child(3):nth-of-type(2)"
      ),
    ])
  func explanationOfTexts(style: String, selector: String, chain: String, path: String, found: String) throws {
    let rules = try RuleFiles(
      text: "version: 1\nstyle: \(style)\nrules: [ { id: a, include: { selector: '\(selector)' } } ]"
    ).ruleSet()
    let json = EventValue.string(chain).json
    let event = try AnalyticsEvent(
      json: #"{"event":"$autocapture","properties":{"$elements_chain":\#(String(decoding: json, as: UTF8.self))}}"#)
    let explanation = Explainer(rules).explain(event)
    #expect(explanation.paths == [path])
    #expect(explanation.rules.first?.clauses.first?.tests.first?.found == found)
  }

  @Test("an explanation names a path of Android once, though its components have several forms")
  func explanationOfAndroid() throws {
    let rules = try RuleFiles(
      text: "version: 1\nstyle: sensors-android\nrules: [{ id: a, include: { selector: shop.Cart } }]"
    ).ruleSet()
    let event = try AnalyticsEvent(json: #"{"properties":{"$element_path":"shop.Root[0]/shop.Card[4]"}}"#)
    #expect(Explainer(rules).explain(event).paths == ["shop.Root(0)/shop.Card(4)"])
  }
}
