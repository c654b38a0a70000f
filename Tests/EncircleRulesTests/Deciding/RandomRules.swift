import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree

/// Rule sets and events that speak of few classes, pages, properties and values, so that rules match often.
struct RandomRules {
  var random: SeededGenerator
  private var places: [ElementPath] = []
  private(set) var ruleSet = RuleSet()

  private static let classes = [
    "UIView", "UIButton", "Cell", "A", "B", "A_B", "_A", "C_D_E", "UITableView", "V<A, B>", "视图", "My Cell",
  ]
  private static let pages = [
    "Home", "Detail", "DetailSub", "UIViewController", "UIAlertController", "首页", "UIInputWindowController",
  ]
  private static let kinds = ["UIView", "UIControl", "UITableViewCell", "A", "Cell", "Home", "Detail", "Unheard"]
  private static let events = ["$AppClick", "$AppViewScreen", "pay"]
  private static let actions = ["tap:", "tap:,more:", "tap: more:", ""]
  private static let messages = ["确认退出?", "", "A"]
  private static let strings = [
    "", "a", "ab", "aba", "abba", "AB", "ß", "SS", "Σας", "ΣΑΣ", "é", "É", "e\u{301}", "1", "true", "null", "5.2",
    "5.10",
    "5.2.0-beta.2", "5.2-beta.10", "6", "v6", "确认", "确认 👍", "¥1,299.00", "满200减20", "-1.50元", "007", "1,2345",
    "12,345,6789", "3.", "Home", "Detail", "\"\\/\n\t", "a*b",
  ]
  private static let numbers = [
    "0", "-0", "1", "1.0", "1e0", "10E-1", "-1", "2", "0.1", "100e-3", "9007199254740992", "9007199254740993",
    "9007199254740993.0", "1e400", "-1e400", "1e-400", "123456789012345678901234567890",
  ]
  private static let times = [
    "1000", "1999", "2000", "2001", "2000.0", "2000.5", "3e3", "2999.999", "-5", "-5.5", "9007199254740993",
    "9007199254740993.0", "9007199254740992.5",
  ]
  private static let ranges = [
    ">=5.2 <6", "5.2", "=5.2.0", "!=6", "<5.2", ">5.2-beta.2", "<=5.10", ">=5.2-beta.10 <5.10",
  ]
  private static let expressions = ["a", "^a", "a$", "^ab$", "^a.a$|^6", "b.a", "确", "^$", "5\\.2", "zz|B"]
  private static let patterns = ["a", "ab", "ba", "", "a*a", "*b*", "A*", "*", "ab*ba", "SS", "σ", "é", "5.*", "确"]

  /// The capture behind the dictionary.
  static let capture = """
    <view class="UIWindow">
     <view class="UIView" controller="Home">
      <view class="UITableView">
       <view class="Cell" superclasses="UITableViewCell UIView" indexPath="0 1"><view class="UIButton"/><view class="UILabel" text="a"/></view>
       <view class="Cell" superclasses="UITableViewCell UIView" indexPath="0 2"><view class="UIButton"/><view class="UIButton"/><view class="UILabel" text="¥1,299.00"/></view>
       <view class="Cell" superclasses="UITableViewCell UIView" indexPath="1 1"><view class="A_B"/></view>
      </view>
     </view>
     <view class="UIView" controller="Detail"><view class="视图"/><view class="My Cell" indexPath="0 0"/></view>
    </view>
    """

  /// The superclasses of all these classes, as far as anybody asks.
  static let superclasses = [
    "UIWindow": "UIView", "UIButton": "UIControl", "UIControl": "UIView", "UITableView": "UIScrollView",
    "UIScrollView": "UIView", "Cell": "UITableViewCell", "UITableViewCell": "UIView",
    "UIAlertController": "UIViewController", "UIInputWindowController": "UIViewController",
    "UISplitViewController": "UIViewController",
  ]

  let dictionary: ElementDictionary
  /// The texts of elements in the capture.
  let screenTexts: [(page: String, path: ElementPath, text: String?)]
  let entries: [EventID: ReferenceMatcher.Entry]
  private let ids: [EventID]
  let captureClasses: Set<UTF8String>

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    let screen = try Screens.of(Self.capture)
    // The texts of elements that events name by their IDs alone are tested elsewhere.
    var dictionary = ElementDictionary(knowsTexts: false, knowsScreens: true)
    dictionary.insert(screen)
    self.dictionary = dictionary
    let contents = ElementContents(of: screen)
    screenTexts = screen.tree.elements.compactMap { element in
      guard let page = screen.page(of: element), let text = contents.shownText(of: element, screen) else { return nil }
      return (page, screen.path(of: element), text)
    }
    var entries: [EventID: ReferenceMatcher.Entry] = [:]
    for element in screen.tree.elements where entries[screen.eventID(of: element)] == nil {
      entries[screen.eventID(of: element)] = (screen.path(of: element), screen.page(of: element))
    }
    self.entries = entries
    ids = entries.keys.sorted()
    captureClasses = Set(screen.tree.elements.map { UTF8String(screen.className(of: $0)) })
    places = ids.prefix(6).compactMap { entries[$0]?.path }
    for _ in 0..<10 { places.append(path()) }
    fillRuleSet()
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  // MARK: - Elements

  private mutating func locator() -> Locator {
    switch number(0...10) {
    case 0, 9, 10: .none
    case 1, 2: .row(section: number(0...1), row: number(0...2))
    case 3: .item(section: 0, item: number(0...2))
    case 4: .position(x: number(-1...1), y: 0)
    default: .index(number(0...1))
    }
  }

  private mutating func path() -> ElementPath {
    ElementPath(
      [PathComponent("UIWindow", .index(0))]
        + (0..<number(0...4)).map { _ in PathComponent(random.pick(Self.classes), locator()) })
  }

  /// One of the places, or one in another row or beside it.
  private mutating func place() -> ElementPath {
    var path = random.pick(places)
    if random.oneIn(3) {
      let i = Int.random(in: path.components.indices, using: &random)
      switch path.components[i].locator {
      case .row(let section, _): path.components[i].locator = .row(section: section, row: number(0...3))
      case .item(let section, _): path.components[i].locator = .item(section: section, item: number(0...3))
      case .index: path.components[i].locator = .index(number(0...1))
      default: break
      }
    }
    return path
  }

  private static let reader = ReferenceMatcher(RuleSet())

  private mutating func written(_ path: ElementPath) -> String {
    let text = path.written(.underscores)
    // The slow reader makes all readings.
    if random.oneIn(2), Self.reader.readings(of: text).count <= 200 { return text }
    return (random.oneIn(4) ? "/" : "") + path.written(.slashes)
  }

  private mutating func identity(_ path: ElementPath) -> String {
    var identity = IdentityString(path: path.written(.underscores))
    switch number(0...5) {
    case 0: identity.actions = ["tap:"]
    case 1:
      identity.controller = "UIAlertController"
      identity.message = random.pick(Self.messages)
      if random.oneIn(2) { identity.title = "" }
    case 2: break
    default: identity.controller = random.pick(Self.pages)
    }
    return identity.written
  }

  private mutating func selector() throws -> ElementSelector {
    let path = place()
    if random.oneIn(3) { return ElementSelector(exactly: path) }
    var steps: [ElementSelector.Step] = []
    for component in path.components {
      let exact = ElementSelector(exactly: ElementPath([component])).steps[0]
      guard case .component(let pattern, let locator) = exact else { continue }
      switch number(0...9) {
      case 0: steps.append(.recursiveWildcard)
      case 1: steps.append(.component(.any, random.oneIn(2) ? nil : locator))
      case 2: steps.append(.component(pattern, nil))
      case 3: steps.append(.component(.kindOf(UTF8String(random.pick(Self.kinds))), random.oneIn(2) ? nil : locator))
      case 4:
        let name = component.className.unicodeScalars
        let isPlain = !name.contains(" ")
        steps.append(
          .component(
            isPlain ? .glob(UTF8String(String(name.prefix(1)) + "*" + String(name.suffix(1)))) : pattern, locator))
      case 5: steps.append(.component(pattern, .index(.range(lower: number(0...1), upper: nil))))
      case 6: steps.append(.component(pattern, .fields([.init(.row, .oneOf([1, 2]))])))
      case 7:
        steps.append(.component(pattern, .fields([.init(.item, .any), .init(.section, .range(lower: 0, upper: 0))])))
      default: steps.append(exact)
      }
    }
    var selector = ElementSelector(isAnchored: random.oneIn(3), steps: steps)
    if !selector.isAnchored { selector.steps.removeFirst(number(0...steps.count - 1)) }
    // As it would be in a file.
    return try ElementSelector(parsing: selector.description)
  }

  // MARK: - Rules

  private mutating func scalar() -> Scalar {
    switch number(0...9) {
    case 0: .null
    case 1: .bool(random.oneIn(2))
    case 2...4: .number(DecimalNumber(random.pick(Self.numbers)) ?? 0)
    default: .string(UTF8String(random.pick(Self.strings)))
    }
  }

  private mutating func condition(depth: Int = 0) -> Condition {
    switch number(0...(depth < 2 ? 18 : 10)) {
    case 0...2: .isOneOf((0..<number(1...3)).map { _ in scalar() }, fold: random.oneIn(3))
    case 3, 4:
      .text(random.pick(Condition.TextTest.allCases), UTF8String(random.pick(Self.patterns)), fold: random.oneIn(3))
    case 5: expression()
    case 6: .exists(random.oneIn(2))
    case 7, 8: .number(random.pick(Condition.Comparison.allCases), DecimalNumber(random.pick(Self.numbers)) ?? 0)
    case 9: .version(VersionRange(parsing: random.pick(Self.ranges)) ?? Self.anyVersion)
    case 10: .kindOf([UTF8String(random.pick(Self.kinds))])
    case 11, 12: .not(condition(depth: depth + 1))
    case 14, 15: .items(random.pick(Condition.ListTest.allCases), condition(depth: depth + 1))
    case 16: .numberInText(numberCondition())
    case 17: sample()
    case 13: .all((0..<number(1...2)).map { _ in condition(depth: depth + 1) })
    default: .any((0..<number(1...3)).map { _ in condition(depth: depth + 1) })
    }
  }

  private mutating func numberCondition() -> Condition {
    let value = DecimalNumber(random.pick(Self.numbers)) ?? 0
    return switch number(0...3) {
    case 0: .not(.number(random.pick(Condition.Comparison.allCases), value))
    case 1: .isOneOf([.number(value), .number(52)], fold: false)
    default: .number(random.pick(Condition.Comparison.allCases), value)
    }
  }

  private mutating func sample() -> Condition {
    let share = random.pick([1, 100_000, 500_000, 1_000_000])
    guard let sample = ValueSample(millionths: share, salt: random.pick(["", "spring"])) else {
      preconditionFailure("a share")
    }
    return .sample(sample)
  }

  private static let anyVersion: VersionRange = {
    guard let range = VersionRange(parsing: ">=0") else { preconditionFailure("a range") }
    return range
  }()

  private mutating func expression() -> Condition {
    let text = random.pick(Self.expressions)
    do throws(RegularExpression.SyntaxError) {
      return .matches(try RegularExpression(text, foldsCase: random.oneIn(3)))
    } catch {
      preconditionFailure("\(text): \(error.message)")
    }
  }

  private mutating func nameCondition(_ names: [String]) -> Condition {
    switch number(0...11) {
    case 0: .not(.isOneOf([.string(UTF8String(random.pick(names)))], fold: false))
    case 1: .kindOf([UTF8String(random.pick(Self.kinds))])
    case 2: .text(.prefix, UTF8String(String(random.pick(names).prefix(2))), fold: random.oneIn(2))
    case 3: .isOneOf([.string(UTF8String(random.pick(names).lowercased()))], fold: true)
    case 4: .isOneOf([scalar(), .string(UTF8String(random.pick(names)))], fold: false)
    case 5: .any([.isOneOf([.string(UTF8String(random.pick(names)))], fold: false), condition(depth: 2)])
    case 6: condition(depth: 1)
    default: .isOneOf((0..<number(1...2)).map { _ in .string(UTF8String(random.pick(names))) }, fold: false)
    }
  }

  private static let properties = [
    "p", "q", "r", "$element_content", "$app_version", "/deep/0/x", "/deep/1", "/extra~1a", "/attributes/p",
    "/properties/p",
    "/event", "/properties/list/1", "/", "ke\u{301}y",
  ]

  private mutating func property() -> PropertyReference {
    PropertyReference(parsing: random.pick(Self.properties)) ?? .property("p")
  }

  private mutating func reference() -> ElementReference {
    switch number(0...3) {
    case 0: ElementReference(eventID: random.pick(ids))
    case 1: ElementReference(eventID: EventID(identity: "unknown"))
    default: ElementReference(identity: identity(place()))
    }
  }

  private mutating func clause() throws -> RuleClause {
    var clause = RuleClause()
    repeat {
      if random.oneIn(3) { clause.event = nameCondition(Self.events) }
      if random.oneIn(3) { clause.page = nameCondition(Self.pages) }
      if random.oneIn(2) { clause.selectors = try (0..<number(1...2)).map { _ in try selector() } }
      if random.oneIn(clause.selectors.isEmpty ? 3 : 12) {
        clause.eventIDs = (0..<number(1...3)).map { _ in reference() }
      }
      if random.oneIn(3) {
        clause.properties = (0..<number(1...2)).map { _ in PropertyTest(property(), condition()) }
      }
      if random.oneIn(8) {
        let around = random.pick([
          "Cell", "Cell(section:0 row:*)", "UITableView", "*", ":UITableViewCell", "UIWindow/*",
        ])
        clause.properties.append(PropertyTest(.textsWithin(UTF8String(around)), condition().onTextsWithin))
      }
    } while clause.isEmpty
    return clause
  }

  private mutating func rule(_ id: UTF8String) throws -> SelectionRule {
    var rule = SelectionRule(
      id, random.oneIn(4) ? .exclude : .include, try (0..<number(1...3)).map { _ in try clause() })
    if random.oneIn(4) { rule.unless = try (0..<number(1...2)).map { _ in try clause() } }
    if random.oneIn(3) { rule.emit = random.pick(["buy", "加入购物车", "open"]) }
    if random.oneIn(12) { rule.isEnabled = false }
    if random.oneIn(6) { rule.origin = RuleOrigin(tool: "pendo", id: "\"1\"") }
    if random.oneIn(6) { (rule.name, rule.owner, rule.tags) = ("规则 \"1\"", "growth", ["a", "b\n"]) }
    if random.oneIn(3) { rule.sameKind = true }
    if random.oneIn(8) { rule.from = random.pick([2000, 9_007_199_254_740_993, -5]) }
    if random.oneIn(8) {
      rule.windows = [
        .init(from: nil, to: 1_999), .init(from: 2_000, to: random.pick([2_000, 2_999])),
        .init(from: 9_007_199_254_740_993, to: nil),
      ].shuffled(using: &random).suffix(number(1...3)).map { $0 }
    }
    if rule.effect == .include, random.oneIn(6) { rule.otherNames = ["second name", "buy"].filter { $0 != rule.emit } }
    if random.oneIn(8) { rule.to = random.pick([2000, 9_007_199_254_740_992, -6]) }
    if random.oneIn(8) {
      rule.apps = random.pick([
        ["com.example.shop"], ["com.example.other"], ["com.example.other", "com.example.shop"],
      ])
    }
    return rule
  }

  private mutating func fillRuleSet() {
    if random.oneIn(3) { ruleSet.track = .all }
    let classes: [(UTF8String, UTF8String)] = [
      ("A", "UIButton"), ("B", "A"), ("Cell", "A"), ("Detail", "Home"), ("DetailSub", "Detail"),
      ("首页", "UISplitViewController"),
    ]
    for (name, superclass) in classes where random.oneIn(2) { ruleSet.classes[name] = superclass }
    if random.oneIn(3) { ruleSet.excludesDefaultPages = false }
    if random.oneIn(4) {
      ruleSet.excludedPages = [
        ExcludedPage(UTF8String(random.pick(Self.pages)), app: random.oneIn(2) ? "com.example.shop" : nil)
      ]
    }
    if random.oneIn(4) {
      for (field, places) in [
        (EventFields.Field.path, ["/path", "$element_path"]), (.page, ["page"]), (.event, ["/name", "/event"]),
      ] {
        ruleSet.fields.set(field, places.compactMap { PropertyReference(parsing: $0) })
      }
    }
    let names = ["a", "B", "b.1", "b", "é", "e\u{301}", "规则", "z"].shuffled(using: &random)
    do {
      for name in names.prefix(number(1...8)) { ruleSet.rules.append(try rule(UTF8String(name))) }
    } catch {
      preconditionFailure("a selector that cannot be printed: \(error)")
    }
  }

  // MARK: - Events

  private mutating func json(depth: Int = 0) -> JSON {
    switch number(0...(depth < 2 ? 11 : 8)) {
    case 0: .null
    case 1: .bool(random.oneIn(2))
    case 2...4: .number(random.pick(Self.numbers))
    case 5...8: .string(random.pick(Self.strings))
    case 9: .list((0..<number(0...3)).map { _ in json(depth: depth + 1) })
    default: .object(["x", "p", "0", "1"].map { .init($0, json(depth: depth + 1)) })
    }
  }

  /// A text most of the time.
  private mutating func usually(_ text: String) -> JSON { random.oneIn(15) ? json() : .string(text) }

  mutating func event() -> JSON {
    var root: [JSON.Member] = []
    var properties: [JSON.Member] = []
    if !random.oneIn(10) { root.append(.init(random.oneIn(5) ? "name" : "event", usually(random.pick(Self.events)))) }
    if !random.oneIn(4) { root.append(.init("time", random.oneIn(8) ? json() : .number(random.pick(Self.times)))) }
    if random.oneIn(4) { root.append(.init("deep", json())) }
    if random.oneIn(4) { root.append(.init(random.pick(["extra/a", "", "path"]), json())) }

    let page = random.pick(Self.pages)
    if !random.oneIn(4) { properties.append(.init(random.oneIn(5) ? "page" : "$screen_name", usually(page))) }
    let path = place()
    if !random.oneIn(4) {
      let broken = ["", "/", "UIWindow(0)//A(0)", "UIWindow(0)_", "A(row:1)", "UIWindow(0)/A(section:0)"]
      let text = random.oneIn(20) ? random.pick(broken) : written(path)
      if random.oneIn(6) {
        root.append(.init("path", usually(text)))
      } else {
        properties.append(.init("$element_path", usually(text)))
      }
    }
    if random.oneIn(4) {
      let id = random.pick([random.pick(ids), EventID(identity: identity(path)), EventID(identity: "unheard")])
      let text = random.oneIn(4) ? id.description.uppercased() : random.oneIn(12) ? "not an ID" : id.description
      switch number(0...2) {
      case 0: root.append(.init("event_id", usually(text)))
      case 1: root.append(.init("eventId", usually(text)))
      default: properties.append(.init("$element_id", usually(text)))
      }
    }
    if random.oneIn(6) { properties.append(.init("$element_actions", usually(random.pick(Self.actions)))) }
    if random.oneIn(6) { properties.append(.init("$alert_message", usually(random.pick(Self.messages)))) }
    if random.oneIn(8) { properties.append(.init("$alert_title", usually(""))) }
    if random.oneIn(3) {
      properties.append(.init("$app_id", usually(random.pick(["com.example.shop", "com.example.other"]))))
    }
    for name in ["p", "q", "r", "$element_content", "$app_version", "list", "ke\u{301}y", "k\u{E9}y"]
    where random.oneIn(2) {
      properties.append(.init(name, json()))
    }
    // Of members with one name the last one counts.
    if random.oneIn(6), let name = properties.randomElement(using: &random)?.name {
      properties.append(.init(name, json()))
    }
    properties.shuffle(using: &random)

    switch number(0...9) {
    case 0: root.append(.init("attributes", .object(properties)))
    case 1:
      let half = properties.count / 2
      root.append(.init("properties", .object(Array(properties[half...]))))
      root.append(.init("attributes", .object(Array(properties[..<half]) + [.init("p", json())])))
    case 2: root += [.init("properties", json()), .init("properties", .object(properties))]
    case 3: root.append(.init("properties", json()))
    default: root.append(.init("properties", .object(properties)))
    }
    if random.oneIn(10) { root.append(.init(random.pick(["event", "time"]), json())) }
    root.shuffle(using: &random)
    return .object(root)
  }
}
