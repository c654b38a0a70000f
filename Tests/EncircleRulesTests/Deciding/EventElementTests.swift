import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

/// Which element an event is of, by what it says of it, and which rules take that element.
@Suite struct EventElementTests {
  private static let path = "UIWindow(0)_UIView(0)_UITableView(0)_Cell(section:0 row:2)_UIButton(0)"
  private static let slashes = "/UIWindow(0)/UIView(0)/UITableView(0)/Cell(section:0 row:2)/UIButton(0)"
  private static let id = EventID(identity: "path(\(path))&controller(Home)").description
  private static let views = """
    <view class="UIWindow"><view class="UIView" controller="Home"><view class="UITableView">
     <view class="Cell" superclasses="UITableViewCell UIView" indexPath="0 2"><view class="UIButton"/></view>
     <view class="Cell" superclasses="UITableViewCell UIView" indexPath="0 3"><view class="UIButton"/></view>
    </view></view></view>
    """

  private static func event(path: String? = nil, id: String? = nil, page: String? = nil, more: String = "") -> String {
    var members: [String] = []
    if let path { members.append("\"$element_path\":\"\(path)\"") }
    if let page { members.append("\"$screen_name\":\"\(page)\"") }
    if let id { members.append("\"$element_id\":\"\(id)\"") }
    if !more.isEmpty { members.append(more) }
    return "{\"event\":\"$AppClick\",\"properties\":{\(members.joined(separator: ","))}}"
  }

  @Test(
    "the title of the page is part of identities where a rule set says so, and only there", .articles("H28"),
    arguments: [
      ("identity: { screenTitle: true }", "Tea", true), ("identity: { screenTitle: true }", "Coffee", false),
      ("identity: { screenTitle: true }", nil, false), ("", "Tea", false),
      ("identity: { screenTitle: false }", "Tea", false), ("identity: { screenTitle: Home }", "Tea", true),
      ("identity: { screenTitle: [Other, Base] }\nclasses: { Home: Base }", "Tea", true),
      ("identity: { screenTitle: [Other] }", "Tea", false),
      ("app: com.example.shop\nidentity: { screenTitle: true }", "Tea", true),
      ("app: com.example.other\nidentity: { screenTitle: true }", "Tea", false),
    ] as [(String, String?, Bool)])
  func screenTitles(rules: String, title: String?, expected: Bool) throws {
    let id = EventID(identity: "path(\(Self.path))&controller(Home)&screenTitle(Tea)")
    let text = "\(rules)\nrules: [ { id: a, include: { eventID: \(id) } } ]".replacing(
      "app: com.example.other\n", with: "")
    let more = (title.map { "\"$title\":\"\($0)\"," } ?? "") + "\"$app_id\":\"com.example.shop\""
    let event = Self.event(path: Self.path, page: "Home", more: more)
    var ruleSet = try RuleFiles(text: "version: 1\n" + text).ruleSet()
    if rules.contains("com.example.other") {
      ruleSet.identity.screenTitle = [IdentityOptions.Page(app: "com.example.other")]
    }
    let matcher = Matcher(ruleSet)
    for matcher in [matcher, try Matcher(compiled: try matcher.compiled())] {
      var decider = Decider(matcher)
      #expect(decider.decide(try AnalyticsEvent(json: event)).isSelected == expected)
      // Another title is another element, whatever is known of the first.
      let other = event.replacing("Tea", with: "Coffee")
      let isOtherSelected = try decider.decide(AnalyticsEvent(json: other)).isSelected
      #expect(isOtherSelected == (expected && title == nil))
    }
  }

  @Test(
    "an element is known by its path, by its event ID, by both, or not at all", .articles("H57"),
    arguments: [
      (event(path: path, page: "Home"), true, "selected as id, sel by id, sel; path"),
      (event(path: slashes, page: "Home"), true, "selected as id, sel by id, sel; path"),
      (event(path: path, page: "Other"), true, "selected as sel by sel; path"),
      (event(path: path), true, "selected as sel by sel; path"),
      (event(path: path, id: id, page: "Other"), true, "selected as id, sel by id, sel; path"),
      (event(path: "UIWindow(0)", id: id, page: "Other"), true, "selected as id by id; path"),
      // The path counts, and the page comes from the event ID.
      (event(path: "UIWindow(0)", id: id), true, "selected as id, page by id, page; path"),
      (event(path: path, id: id), true, "selected as id, page, sel by id, page, sel; path"),
      (event(path: path, id: id), false, "selected as id, sel by id, sel; path"),
      (event(id: id), true, "selected as id, page, sel by id, page, sel; dictionary"),
      (event(id: id.uppercased()), true, "selected as id, page, sel by id, page, sel; dictionary"),
      (event(id: id, page: "Other"), true, "selected as id, sel by id, sel; dictionary"),
      (event(id: id), false, "selected as id by id; unresolved"),
      (event(path: "UIWindow(0)//A", id: id), true, "selected as id, page, sel by id, page, sel; dictionary"),
      (event(path: "UIWindow(0)//A"), true, "not selected; unresolved"),
      (event(id: String(repeating: "0", count: 64)), true, "not selected; unresolved"),
      (event(id: "no ID"), true, "not selected"), (event(), true, "not selected"),
      (event(path: "", page: "Home"), true, "not selected; unresolved"),
      ("{\"event_id\":\"\(id)\"}", true, "selected as id, page, sel by id, page, sel; dictionary"),
      ("{\"eventId\":\"\(id)\",\"attributes\":{}}", true, "selected as id, page, sel by id, page, sel; dictionary"),
    ])
  func elements(event: String, hasDictionary: Bool, expected: String) throws {
    // The third one asks for a page that only the dictionary can know for some events.
    let rules = """
      rules:
        - { id: sel, include: { selector: "Cell(section:0 row:*)/UIButton(0)" } }
        - { id: id, include: { eventID: \(Self.id) } }
        - { id: page, include: { page: Home, where: { $screen_name: { exists: false } } } }
      """
    let dictionary = hasDictionary ? Screens.dictionary(try Screens.of(Self.views)) : ElementDictionary()
    #expect(try decide(rules, event, dictionary: dictionary).summary == expected)
  }

  @Test(
    "an event with a path has the event ID of its identity",
    arguments: [
      (event(path: "UIWindow(0)_UIButton(0)", page: "Home"), "path(UIWindow(0)_UIButton(0))&controller(Home)"),
      (event(path: "UIWindow(0)/UIButton(0)"), "path(UIWindow(0)_UIButton(0))"),
      (
        event(path: "UIWindow(0)_UINavigationBar(0)_UIButton", page: "Home", more: #""$element_actions":"tap:""#),
        "path(UIWindow(0)_UINavigationBar(0)_UIButton)&actions(tap:)"
      ),
      (
        event(path: "UIWindow(0)_UINavigationBar(0)_UIButton", page: "Home", more: #""$element_actions":"tap: more:""#),
        "path(UIWindow(0)_UINavigationBar(0)_UIButton)&actions(tap:,more:)"
      ),
      (
        event(path: "UIWindow(0)_UIView(0)", page: "Home", more: #""$element_actions":["tap:",1,"m\u006fre:"]"#),
        "path(UIWindow(0)_UIView(0))&actions(tap:,more:)"
      ),
      (
        event(path: "UIWindow(0)_UIView(0)", page: "Home", more: #""$alert_message":"确认退出群聊吗?","$alert_title":"退群""#),
        "path(UIWindow(0)_UIView(0))&controller(UIAlertController)&message(确认退出群聊吗?)&title(退群)"
      ),
      (
        event(path: "UIWindow(0)_UIView(0)", page: "Home", more: #""$alert_title":"""#),
        "path(UIWindow(0)_UIView(0))&controller(UIAlertController)&title()"
      ),
      // Empty actions are none.
      (
        event(path: "UIWindow(0)_UIView(0)", page: "Home", more: #""$element_actions":" ,""#),
        "path(UIWindow(0)_UIView(0))&controller(Home)"
      ),
      (
        event(path: "UIWindow(0)_UIView(0)", page: "Home", more: #""$element_actions":"","$alert_title":"A""#),
        "path(UIWindow(0)_UIView(0))&controller(UIAlertController)&title(A)"
      ),
      (
        event(path: "UIWindow(0)_UIView(0)", page: "Home", more: #""$element_actions":"tap:","$alert_title":"A""#),
        "path(UIWindow(0)_UIView(0))&actions(tap:)&title(A)"
      ),
      (
        event(path: "UIWindow(0)_UIView(0)", page: "Home", more: #""$element_actions":[]"#),
        "path(UIWindow(0)_UIView(0))&controller(Home)"
      ),
      // The names that key-value observing makes are not part of identities.
      (
        event(path: "UIWindow(0)_NSKVONotifying_MyView(0)", page: "NSKVONotifying_Home"),
        "path(UIWindow(0)_MyView(0))&controller(Home)"
      ),
      (event(path: "NSKVONotifying_MyWindow(0)/NSKVONotifying_MyView(0)"), "path(MyWindow(0)_MyView(0))"),
    ] as [(String, String)])
  func computedIdentities(event: String, identity: String) throws {
    let rules = "rules: [ { id: a, include: { identity: '\(identity)' } } ]"
    let decision = try decide(rules, event)
    #expect(decision.isSelected)
    #expect(decision.eventID == EventID(identity: identity))
  }

  @Test(
    "a path is malformed where a locator or a class is; what looks like no locator is part of the name",
    arguments: [
      ("selector: '**'", "A((", "selected as a by a; path"), ("selector: A*", "A(x)", "selected as a by a; path"),
      ("selector: '**'", "A(-1)", "not selected; unresolved"), ("selector: '**'", "A(", "selected as a by a; path"),
      ("selector: '**'", "A(section:0)", "not selected; unresolved"),
      ("selector: '**'", "A//B", "not selected; unresolved"), ("selector: '**'", "A(0)_", "not selected; unresolved"),
      ("selector: '**'", "(0)", "not selected; unresolved"),
      ("selector: '**'", String(repeating: "A", count: 65_536), "selected as a by a; path"),
      ("selector: '**'", String(repeating: "A", count: 65_537), "not selected; unresolved"),
      ("selector: '**'", String(repeating: "A(0)/", count: 13_107) + "A(0)", "not selected; unresolved"),
    ] as [(String, String, String)])
  func malformed(include: String, path: String, expected: String) throws {
    #expect(try decide("rules: [ { id: a, include: { \(include) } } ]", Self.event(path: path)).summary == expected)
  }

  @Test(
    "classes and pages are those of the app, not those that key-value observing makes of them",
    arguments: [
      ("selector: MyView", "UIWindow(0)/NSKVONotifying_MyView(0)", true),
      ("selector: MyView", "UIWindow(0)_NSKVONotifying_MyView(0)", true),
      ("selector: MyView/MyButton", "NSKVONotifying_MyView_NSKVONotifying_MyButton", true),
      ("selector: ':UIControl'", "UIWindow(0)/NSKVONotifying_UIButton(0)", true),
      ("selector: \"'My View'/B\"", "UIWindow(0)/'NSKVONotifying_My View'(0)/B(0)", true),
      ("selector: \"'My View'\"", "UIWindow(0)/'ANSKVONotifying_My View'(0)", false),
      ("selector: NSKVONotifying_MyView", "UIWindow(0)/NSKVONotifying_MyView(0)", false),
      ("selector: MyView", "UIWindow(0)/ANSKVONotifying_MyView(0)", false),
      ("page: Home", "UIWindow(0)", true), ("page: {kindOf: UIViewController}", "UIWindow(0)", false),
      ("{page: Home, selector: MyView}", "UIWindow(0)/MyView(0)", true),
      ("page: NSKVONotifying_Home", "UIWindow(0)", false),
    ] as [(String, String, Bool)])
  func keyValueObserving(include: String, path: String, expected: Bool) throws {
    let include = include.hasPrefix("{") ? include : "{ \(include) }"
    let event = Self.event(path: path, page: "NSKVONotifying_Home")
    #expect(try decide("rules: [ { id: a, include: \(include) } ]", event).isSelected == expected)
    // With rules enough for the prefilter.
    let others = (0..<300).map { "  - { id: o\($0), include: { page: Other\($0), selector: X\($0) } }\n" }.joined()
    #expect(try decide("rules:\n" + others + "  - { id: a, include: \(include) }", event).isSelected == expected)
  }

  @Test(
    "an ambiguous path matches when one of its readings does; known class names decide",
    arguments: [
      ("rules: [ { id: a, include: { selector: A } } ]", "UIWindow(0)_B_A", "selected as a by a; ambiguous"),
      ("rules: [ { id: a, include: { selector: B_A } } ]", "UIWindow(0)_B_A", "selected as a by a; path"),
      ("rules: [ { id: a, include: { selector: B/A } } ]", "UIWindow(0)_B_A", "selected as a by a; path"),
      ("rules: [ { id: a, include: { selector: B/A } } ]", "UIWindow(0)/B_A", "not selected; path"),
      (
        "rules: [ { id: a, include: { selector: '*' } } ]\nclasses: { B_A: UIView }", "UIWindow(0)_B_A",
        "selected as a by a; path"
      ),
      (
        "rules: [ { id: a, include: { selector: ':UIView' } } ]\nclasses: { B_A: UIView }", "UIWindow(0)_B_A(1)",
        "selected as a by a; path"
      ),
      (
        "rules: [ { id: a, include: { selector: A } } ]\nclasses: { B_A: UIView }", "UIWindow(0)_B_A",
        "not selected; path"
      ),
      (
        "rules: [ { id: a, include: { selector: Z } } ]\nclasses: { A: UIView, B: UIView }", "UIWindow(0)_B_A",
        "not selected; path"
      ),
      (
        "rules: [ { id: a, include: { selector: A } }, { id: b, exclude: { selector: B_A } } ]", "UIWindow(0)_B_A(0)",
        "not selected; excluded by b; path"
      ),
      ("rules: [ { id: a, include: { selector: Nothing } } ]", "UIWindow(0)_B_A", "not selected; ambiguous"),
      (
        "rules: [ { id: a, include: { selector: _UIButton } } ]", "UIWindow(0)__UIButton(0)", "selected as a by a; path"
      ),
    ] as [(String, String, String)])
  func ambiguity(rules: String, path: String, expected: String) throws {
    #expect(try decide(rules, Self.event(path: path)).summary == expected)
  }

  @Test(
    "sameKind also takes what fills the same place in other rows of the innermost list",
    arguments: [
      ("selector: 'Cell(section:0 row:2)/UIButton(0)'", "", 7, true),
      ("selector: 'Cell(section:0 row:2)/UIButton(1)'", "", 7, false),
      ("selector: 'Cell(section:1 row:2)/UIButton(0)'", "", 7, true),
      // The dictionary has the element's path.
      ("eventID: \(id)", "", 2, true), ("eventID: \(id)", "", 7, true), ("eventID: \(id)", ", page: Home", 7, true),
      ("eventID: \(id)", ", page: Other", 7, false),
      // The identity itself has the element's path.
      ("identity: 'path(\(path))&controller(Home)'", "", 7, true),
      ("identity: 'path(\(path))&controller(Other)'", "", 7, false),
      ("identity: 'path(\(path))'", "", 7, true),
      // The event is in no alert.
      ("identity: 'path(\(path))&controller(UIAlertController)&message(M)'", "", 7, false),
      // An element without other known facts stands for itself.
      ("eventID: \(EventID(identity: "x"))", "", 7, false),
      // All fields of a clause still have to hold.
      ("eventID: \(id), selector: 'Other(0)'", "", 7, false), ("eventID: \(id), selector: 'UIButton(0)'", "", 7, true),
      ("eventID: \(id), selector: '**'", "", 7, true),
      ("eventID: \(EventID(identity: "x")), selector: 'UIButton(0)'", "", 7, false),
    ] as [(String, String, Int, Bool)])
  func sameKind(element: String, more: String, row: Int, expected: Bool) throws {
    let dictionary = Screens.dictionary(try Screens.of(Self.views))
    let event = Self.event(path: Self.path.replacing("row:2", with: "row:\(row)"), page: "Home")
    let rule = "id: a, include: { \(element)\(more) }, sameKind: true"
    #expect(try decide("rules: [ { \(rule) } ]", event, dictionary: dictionary).isSelected == expected)
    let beneath = Self.event(path: Self.path + "_UIView(0)", page: "Home")
    #expect(try decide("rules: [ { \(rule) } ]", beneath, dictionary: dictionary).isSelected == false)
  }

  @Test("the elements of sameKind do not depend on the order of ids", arguments: ["0", "b"])
  func sameKindOrder(id: String) throws {
    let rules = """
      rules:
        - { id: a, include: { identity: "path(UIWindow(0)_Foo_Bar(section:0 row:1))" }, sameKind: true }
        - { id: \(id), include: { selector: "Foo/Bar/Baz" } }
      """
    #expect(
      try decide(rules, Self.event(path: "UIWindow(0)/Foo/Bar(section:0 row:5)")).summary == "selected as a by a; path")
  }

  @Test("a kind-of test uses the rules' classes, then the captures', then UIKit's")
  func kindsOfElements() throws {
    let dictionary = Screens.dictionary(try Screens.of(Self.views))
    let event = Self.event(path: "UIWindow(0)/Cell(section:0 row:9)")
    let rules = "rules: [ { id: a, include: { selector: ':UITableViewCell' } } ]"
    #expect(try decide(rules, event, dictionary: dictionary).isSelected)
    #expect(try decide(rules, event).isSelected == false)
    #expect(try decide(rules + "\nclasses: { Cell: UITableViewCell }", event).isSelected)
    #expect(try decide(rules + "\nclasses: { Cell: UIButton }", event, dictionary: dictionary).isSelected == false)
  }

  @Test(
    "every element of the captures is matched by its own path, event ID and exact selector",
    arguments: ["cart.xml", "alert-ios10.xml", "tab-bar.xml", "swiftui.xml"])
  func ownElements(capture: String) throws {
    let screen = try Screens.named(capture)
    let dictionary = Screens.dictionary(screen)
    var ruleSet = RuleSet()
    for element in screen.tree.elements {
      var bySelector = RuleClause()
      bySelector.selectors = [ElementSelector(exactly: screen.path(of: element))]
      var byID = RuleClause()
      byID.eventIDs = [ElementReference(identity: screen.identity(of: element))]
      ruleSet.rules.append(SelectionRule(UTF8String("selector \(element.index)"), .include, [bySelector]))
      ruleSet.rules.append(SelectionRule(UTF8String("id \(element.index)"), .include, [byID]))
    }
    let matcher = Matcher(ruleSet, dictionary: dictionary)
    var decider = Decider(matcher)
    for element in screen.tree.elements {
      let path = screen.path(of: element).written(.underscores)
      let id = screen.eventID(of: element)
      let byPath = decider.decide(try Self.parsed(Self.event(path: path)))
      #expect(byPath.rules.contains(UTF8String("selector \(element.index)")), "\(path)")
      let byID = decider.decide(try Self.parsed(Self.event(id: "\(id)")))
      #expect(byID.rules.contains(UTF8String("id \(element.index)")), "\(path)")
      #expect(byID.resolution == .dictionary)
      #expect(
        byID.rules.contains(UTF8String("selector \(element.index)")) || dictionary[id]?.path != screen.path(of: element)
      )
    }
  }

  private static func parsed(_ json: String) throws -> AnalyticsEvent { try AnalyticsEvent(json: json) }
}
