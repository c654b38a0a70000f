import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleTestSupport
import EncircleText
import Testing

@testable import EncircleRules

/// The properties that rules give to selected events: by hand, and against a plain reading of docs/rules.md.
@Suite struct PropertyTests {
  private static let feed = """
    <viewTree version="1" app="com.example.shop"><view class="UIWindow">
      <view class="UITableView" controller="FeedController" controllerTitle="首页">
        <view class="UILabel" text="今日"/>
        <view class="ProductCell" superclasses="UITableViewCell" indexPath="0 0">
          <view class="UILabel" text="桃"/><view class="PriceView"><view class="UILabel" text="¥168.50 起"/></view>
          <view class="UIButton" title="加入" actions="add:"/>
        </view>
        <view class="ProductCell" superclasses="UITableViewCell" indexPath="0 1">
          <view class="UILabel" text="李"/><view class="UIButton" title="加入" actions="add:"/>
        </view>
      </view>
    </view></viewTree>
    """

  private static func dictionary(_ captures: [String], style: PathStyleName = .hubbleData) throws -> ElementDictionary {
    var dictionary = ElementDictionary(style: style, knowsScreens: true)
    for capture in captures { dictionary.insert(IdentifiedTree(try CaptureReader().read(Array(capture.utf8)))) }
    return dictionary
  }

  private static func values(_ properties: String, row: Int, _ more: String = "") throws -> String {
    let rules = """
      rules:
        - id: add
          include: { event: $AppClick, selector: "ProductCell/UIButton(0)" }
          properties: \(properties)
      """
    let path = "UIWindow(0)/UITableView(0)/ProductCell(section:0 row:\(row))/UIButton(0)"
    let event = """
      {"event":"$AppClick","properties":{"$screen_name":"FeedController","$element_path":"\(path)"\(more)}}
      """
    let decision = try decide(rules, event, dictionary: try dictionary([feed]))
    #expect(decision.emit == ["add"])
    return decision.properties.flatMap(\.values).map { "\($0.name)=\($0.value)" }.joined(separator: " ")
  }

  @Test(
    "each source gives its value, and what cannot be read gives none",
    arguments: [
      ("{ source: feed, vip: true, n: 2.50 }", 0, "", "source=\"feed\" vip=true n=2.5"),
      ("{ v: { property: $app_version } }", 0, #","$app_version":"5.2""#, "v=\"5.2\""),
      ("{ v: { property: $app_version } }", 0, #","$app_version":["5.2"]"#, ""),
      ("{ v: { property: /event } }", 0, "", "v=\"$AppClick\""),
      ("{ v: { property: a, extract: 'b+', type: number } }", 0, #","a":"bbb""#, ""),
      ("{ v: { property: a, extract: '[0-9]+', type: number } }", 0, #","a":"x12y3""#, "v=12"),
      // The test `number` reads a text in the same way.
      ("{ v: { property: a, type: number } }", 0, #","a":"¥1,299.00 起""#, "v=1299"),
      ("{ v: { property: a, type: number } }", 0, #","a":"1,2345""#, "v=1"),
      ("{ v: { property: a, type: number } }", 0, #","a":"一""#, ""),
      ("{ v: { property: a, type: text } }", 0, #","a":12"#, "v=\"12\""),
      ("{ v: { property: a } }", 0, #","a":"a\"b""#, "v=\"a\"b\""),
      ("{ row: { path: row }, section: { path: section }, i: { path: index } }", 7, "", "row=7 section=0 i=0"),
      ("{ name: { element: ../UILabel(0) } }", 0, "", "name=\"桃\""),
      ("{ name: { element: ../UILabel(0) } }", 1, "", "name=\"李\""),
      // No capture has this row.
      ("{ name: { element: ../UILabel(0) } }", 5, "", ""),
      (
        "{ price: { element: ../PriceView(0)/UILabel(0), extract: '[0-9.]+', type: number } }", 0, "", "price=168.5"
      ),
      // Another row never counts, though it has the only such label.
      ("{ price: { element: PriceView/UILabel } }", 1, "", ""),
      ("{ price: { element: PriceView/UILabel } }", 0, "", "price=\"¥168.50 起\""),
      ("{ title: { element: /UIWindow/UITableView/UILabel(0) } }", 1, "", "title=\"今日\""),
      ("{ title: { element: UITableView/UILabel } }", 1, "", "title=\"今日\""),
      ("{ up: { element: ../../../../../../UILabel(0) } }", 0, "", ""),
      // The value that the SDK has read counts.
      ("{ name: { element: ../UILabel(0) } }", 0, #","name":"杏""#, "name=\"杏\""),
      ("{ name: { element: ../UILabel(0), extract: '^李$' } }", 0, "", ""),
    ] as [(String, Int, String, String)])
  func sources(properties: String, row: Int, more: String, expected: String) throws {
    #expect(try Self.values(properties, row: row, more) == expected)
  }

  @Test(
    "on Android a number in a path is a row only if it is marked as one or the list is known, and always an index",
    arguments: [
      ("android.widget.ListView[0]/shop.Card[-]/android.widget.Button[2]", "row=3 section=0 i=2"),
      ("shop.Recycler[0]/shop.Card[-]/android.widget.Button[2]", "row=3 section=0 i=2"),
      ("android.widget.ListView[0]/shop.Card[-]", "row=3 section=0 i=3"),
      ("shop.Unknown[0]/shop.Card[-]/android.widget.Button[2]", "row=3 section=0 i=2"),
      ("shop.Other[1]/shop.Card[4]/android.widget.Button[2]", "i=2"),
    ] as [(String, String)])
  func android(path: String, expected: String) throws {
    let rules = """
      style: sensors-android
      classes: { shop.Recycler: androidx.recyclerview.widget.RecyclerView }
      rules:
        - id: add
          include: { event: $AppClick, selector: "*" }
          properties: { row: { path: row }, section: { path: section }, i: { path: index } }
      """
    let event =
      #"{"event":"$AppClick","properties":{"$element_path":"\#(path)","$element_position":"3"}}"#
    let decision = try decide(rules, event)
    #expect(decision.properties.flatMap(\.values).map { "\($0.name)=\($0.value)" }.joined(separator: " ") == expected)
  }

  @Test("a child of a RecyclerView is a row under its short name, too, which several classes have")
  func shortNameOfList() throws {
    let rules = """
      style: growingio-android
      rules:
        - id: add
          include: { event: VIEW_CLICK }
          properties: { row: { path: row } }
      """
    let event = #"""
      {"eventType":"VIEW_CLICK","xpath":"/Main/RecyclerView/ViewGroup/Button","xcontent":"/0/list/-/buy","index":3}
      """#
    let decision = try decide(rules, event)
    #expect(decision.properties.flatMap(\.values).map { "\($0.name)=\($0.value)" } == ["row=2"])
  }

  @Test(
    "on Android, too, captures say what is around an element, and give properties of others",
    arguments: [
      (.sensorsAndroid, "com.example.kiosk.BouquetCard", "androidx.appcompat.widget.AppCompatTextView"),
      (.hubbleDataAndroid, "BouquetCard", "AppCompatTextView"),
      (.growingIOAndroid, "BouquetCard", "AppCompatTextView"),
    ] as [(PathStyleName, String, String)])
  func androidElements(style: PathStyleName, card: String, label: String) throws {
    let screen = try Screens.named("android-shop.xml")
    var dictionary = ElementDictionary(style: style, knowsScreens: true)
    dictionary.insert(screen)
    let rules = try RuleFiles(
      text: """
        version: 1
        style: \(style.rawValue)
        rules:
          - id: add
            include: { selector: "**", within: { selector: \(card), says: 粉玫瑰 } }
            properties: { price: { element: "../\(label)(1)" } }
        """
    ).ruleSet()
    var decider = Decider(Matcher(rules, dictionary: dictionary))
    let events = ElementEvents(of: screen, style: style, fields: EventFields(style: style))
    let elements = Array(screen.tree.elements)
    let decisions = [20, 25].map { decider.decide(events.event(of: elements[$0])) }
    #expect(decisions.map(\.emit) == [["add"], []])
    #expect(decisions[0].properties.flatMap(\.values).map { "\($0.name)=\($0.value)" } == ["price=\"¥89\""])
  }

  @Test("values on which captures disagree are not guessed")
  func disagreement() throws {
    let other = Self.feed.replacing("桃", with: "梨")
    let rules = """
      rules:
        - id: add
          include: { selector: "ProductCell/UIButton(0)" }
          properties: { name: { element: ../UILabel(0) }, title: { element: UITableView/UILabel(0) } }
      """
    let path = "UIWindow(0)/UITableView(0)/ProductCell(section:0 row:0)/UIButton(0)"
    let event = #"{"event":"a","properties":{"$screen_name":"FeedController","$element_path":"\#(path)"}}"#
    let decision = try decide(rules, event, dictionary: try Self.dictionary([Self.feed, other]))
    #expect(decision.properties.flatMap(\.values).map(\.name) == ["title"])
  }

  @Test("an event with an event ID alone, and events of sensors, have the same properties")
  func otherEvents() throws {
    let properties = "properties: { name: { element: ../UILabel(0) }, row: { path: row } }"
    let byID = """
      rules:
        - { id: add, include: { event: $AppClick, selector: "ProductCell/UIButton(0)" }, \(properties) }
      """
    let tree = IdentifiedTree(try CaptureReader().read(Array(Self.feed.utf8)))
    let button = try #require(tree.tree.elements.first { tree.className(of: $0) == "UIButton" })
    let event = #"{"event":"$AppClick","event_id":"\#(tree.eventID(of: button))"}"#
    let decision = try decide(byID, event, dictionary: try Self.dictionary([Self.feed]))
    #expect(decision.properties.flatMap(\.values).map { "\($0.name)=\($0.value)" } == ["name=\"桃\"", "row=0"])
    let path = "UITableView/ProductCell[0][-]/UIButton[0]"
    let sensors =
      #"{"event":"$AppClick","properties":{"$element_path":"\#(path)","$element_position":"0:1","$screen_name":"FeedController"}}"#
    let other = try decide(
      "style: sensors\n" + byID, sensors, dictionary: try Self.dictionary([Self.feed], style: .sensors))
    #expect(other.properties.flatMap(\.values).map { "\($0.name)=\($0.value)" } == ["name=\"李\"", "row=1"])
  }

  @Test("only selected events have properties, for each matching rule, also when compiled or updated")
  func decisions() throws {
    let text = """
      version: 1
      rules:
        - { id: a, include: { event: [x, y] }, properties: { k: 1, "a\\"b": { property: p } } }
        - { id: b, include: { event: x }, properties: { k: two } }
        - { id: c, include: { event: x } }
        - { id: z, exclude: { event: y } }
      """
    let ruleSet = try RuleFiles(text: text).ruleSet()
    let matcher = Matcher(ruleSet)
    let added = Matcher(RuleSet()).updated(with: ruleSet.rules)
    for matcher in [matcher, try Matcher(compiled: try matcher.compiled()), added] {
      var decider = Decider(matcher)
      let x = decider.decide(try AnalyticsEvent(json: #"{"event":"x","properties":{"p":"q"}}"#))
      #expect(
        x.properties == [
          RulePropertyValues(
            rule: "a",
            values: [.init(name: "k", value: .number(DecimalNumber(1))), .init(name: "a\"b", value: .string("q"))]),
          RulePropertyValues(rule: "b", values: [.init(name: "k", value: .string("two"))]),
        ])
      var json = JSONBuilder()
      json.object { $0.member(x.properties) }
      #expect(json.line == #"{"properties":{"a":{"k":1,"a\"b":"q"},"b":{"k":"two"}}}"# + "\n")
      #expect(decider.decide(try AnalyticsEvent(json: #"{"event":"y","properties":{"p":"q"}}"#)).properties == [])
    }
    #expect(
      !Matcher(try RuleFiles(text: "version: 1\nrules: [{ id: c, include: { event: x } }]").ruleSet()).givesProperties)
  }

  @Test("a message has the same properties as an event of a stream, on request")
  func messages() throws {
    let text = "version: 1\nrules: [{ id: a, include: { event: x }, properties: { k: { property: p } } }]"
    let matcher = Matcher(try RuleFiles(text: text).ruleSet())
    var decider = Decider(matcher)
    var record = DecisionRecord(for: matcher)
    let selected = #"{"selected":true,"rules":["a"],"excluded_by":[],"emit":["a"]"#
    for (message, readingProperties, expected) in [
      (#"{"event":"x","properties":{"p":"q"}}"#, true, selected + #","properties":{"a":{"k":"q"}}}"#),
      (#"{"event":"x","properties":{"p":"q"}}"#, false, selected + "}"),
      (#"{"event":"x"}"#, true, selected + "}"),
      (#"{"event":"y","properties":{"p":"q"}}"#, true, #"{"selected":false,"rules":[],"excluded_by":[],"emit":[]}"#),
    ] {
      try Array(message.utf8).withUnsafeBufferPointer {
        try record.decide(message: $0, &decider, matcher, readingProperties: readingProperties)
      }
      var json: [UInt8] = []
      record.appendObject(matcher, to: &json)
      #expect(String(decoding: json, as: UTF8.self) == expected)
    }
  }

  @Test(
    "if part of an event is kept, properties are read from that part",
    arguments: [
      (
        "{ v: 1, a: { property: a }, row: { path: row }, name: { element: ../UILabel(0) } }", ["a", "name"],
        "v=1 row=0 name=\"桃\""
      ),
      ("{ name: { element: ../UILabel(0) } }", ["name"], "name=\"桃\""),
      ("{ v: 1, row: { path: row }, name: { element: ../UILabel(0) } }", ["name", "$element_path"], "v=1"),
      ("{ name: { element: ../UILabel(0) }, row: { path: row } }", ["name", "$screen_name"], "row=0"),
    ] as [(String, [String], String)])
  func parts(properties: String, removed: [String], expected: String) throws {
    // Rules of several styles are matched by several engines.
    for other in ["", "\n  - { id: other, include: { style: posthog, event: other } }"] {
      let rules = """
        version: 1
        rules:
          - id: add
            include: { style: hubbledata, event: $AppClick, selector: "ProductCell/UIButton(0)", where: { a: secret } }
            properties: \(properties)\(other)
        """
      var event = try AnalyticsEvent(
        json: """
          {"event":"$AppClick","properties":{"a":"secret","name":"secret","$screen_name":"FeedController",\
          "$element_path":"UIWindow(0)/UITableView(0)/ProductCell(section:0 row:0)/UIButton(0)"}}
          """)
      let ruleSet = try RuleFiles(text: rules).ruleSet()
      var dictionary = ElementDictionary(
        style: ruleSet.style, knowsScreens: true, otherStyles: ruleSet.otherStyles)
      dictionary.insert(IdentifiedTree(try CaptureReader().read(Array(Self.feed.utf8))))
      var decider = Decider(Matcher(ruleSet, dictionary: dictionary))
      let decision = decider.decide(event)
      #expect(decision.rules == ["add"])
      guard case .object(var own)? = event.members["properties"] else { throw Disagreement() }
      for name in removed { own[name] = nil }
      event.members["properties"] = .object(own)
      let kept = event.json
      var tape = JSONTape()
      let read = try kept.withUnsafeBufferPointer { text in
        try tape.parse(text)
        return decider.properties(of: decision, keptAs: tape, text)
      }
      #expect(read.flatMap(\.values).map { "\($0.name)=\($0.value)" }.joined(separator: " ") == expected)
      #expect(decider.decide(try AnalyticsEvent(json: #"{"event":"other"}"#)).properties == [])
    }
  }

  @Test(
    "a way up is written as it is read", arguments: ["'..'/A", "../'..'/A", "./'.'/A", "../../A(0)/**/B", "/A", "A"])
  func written(text: String) throws {
    let selector = try RelativeSelector(parsing: text)
    #expect(selector.description == text)
    #expect(try RelativeSelector(parsing: selector.description) == selector)
  }

  @Test("a damaged list of properties is damaged")
  func damage() throws {
    var property: [UInt8] = []
    RuleProperty("a", .element(try RelativeSelector(parsing: "../UILabel(1)"))).encode(to: &property)
    for length in 0..<property.count {
      property[..<length].withUnsafeBufferPointer { bytes in
        var decoder = ByteCoding.Decoder(bytes: bytes)
        #expect(RuleProperty(from: &decoder) == nil)
      }
    }
    property.withUnsafeBufferPointer { bytes in
      var decoder = ByteCoding.Decoder(bytes: bytes)
      #expect(RuleProperty(from: &decoder)?.origin == "the text of ../UILabel(1)" && decoder.isAtEnd)
    }
  }

  @Test("explanations give the source of each value, or why it is missing")
  func explanations() throws {
    let text = """
      version: 1
      rules:
        - id: a
          include: { event: x }
          properties: { k: 1, v: { property: p }, l: { element: ../UILabel(0) }, r: { path: row } }
      """
    let explainer = Explainer(try RuleFiles(text: text).ruleSet())
    let explanation = explainer.explain(try AnalyticsEvent(json: #"{"event":"x"}"#))
    let written = ExplanationText.text(explanation, explanation.rules, left: 0)
    #expect(
      written.contains(
        """
            property k: 1 (a constant)
            property v: none, as the event does not have it (the property p)
            property l: none, as the event names no element whose path is known (the text of ../UILabel(0))
            property r: none, as the event names no element whose path is known (the row in the path)
        """))
  }

  @Test(
    "an explanation says what is wrong with a value from which nothing could be read",
    arguments: [
      ("extract: '[0-9]+'", "12", "the value is not a text"), ("extract: '[0-9]+'", "true", "the value is not a text"),
      ("extract: '[0-9]+', type: number", "12", "the value is not a text"),
      ("type: number", "true", "the value is not a text"),
      ("extract: '[0-9]+'", #""x""#, "the expression does not match"),
      ("extract: '[a-z]+', type: number", #""x""#, "the text contains no number"),
      ("type: number", #""x""#, "the text contains no number"),
    ] as [(String, String, String)])
  func unreadable(keys: String, value: String, reason: String) throws {
    let rule = "{ id: a, include: { event: x }, properties: { v: { property: p, \(keys) } } }"
    let explainer = Explainer(try RuleFiles(text: "version: 1\nrules: [ \(rule) ]").ruleSet())
    let explanation = explainer.explain(try AnalyticsEvent(json: #"{"event":"x","properties":{"p":\#(value)}}"#))
    #expect(explanation.rules[0].properties.map { $0.reason ?? "" } == [reason])
  }

  // MARK: - Against a plain reading

  @Test(
    "the element that a selector means is the one that the definition says",
    arguments: TestSize.scaled(0..<40 as Range<UInt64>))
  func agreement(seed: UInt64) throws {
    var random = SeededGenerator(seed: 4_100 + seed)
    let classes = ["A", "B", "Cell"]
    func path(_ random: inout SeededGenerator, _ start: [PathComponent] = []) -> ElementPath {
      var components = start
      for _ in 0..<Int.random(in: start.isEmpty ? 1...4 : 1...2, using: &random) {
        let name = classes.randomElement(using: &random) ?? "A"
        let number = Int.random(in: 0...1, using: &random)
        components.append(PathComponent(name, name == "Cell" ? .row(section: 0, row: number) : .index(number)))
      }
      return ElementPath(components)
    }
    var dictionary = ElementDictionary(knowsScreens: true)
    var screen: [(path: ElementPath, text: String?)] = []
    var paths: [ElementPath] = []
    for number in 0..<30 {
      let start = paths.randomElement(using: &random)?.components ?? []
      let path = path(&random, Bool.random(using: &random) && start.count < 5 ? start : [])
      paths.append(path)
      var node: Int32 = -1
      for component in path.components {
        node = dictionary.appendNode(
          parent: node, className: dictionary.intern(component.className), locator: component.locator)
      }
      let text = "t\(number)"
      dictionary.insertScreenText(text, node, page: "P")
      if let known = screen.firstIndex(where: { $0.path == path }) {
        screen[known].text = nil
      } else {
        screen.append((path, text))
      }
    }
    var found = 0
    for _ in 0..<100 {
      let element = paths.randomElement(using: &random) ?? paths[0]
      let steps = (0..<Int.random(in: 1...2, using: &random)).map { _ in
        let name = (classes + ["*", "**"]).randomElement(using: &random) ?? "A"
        guard name != "**" else { return name }
        return name + (["", name == "Cell" ? "(section:0 row:1)" : "(0)", "(*)"].randomElement(using: &random) ?? "")
      }
      let prefix = ["", "/", "./", "../", "../../"].randomElement(using: &random) ?? ""
      let text = prefix + steps.joined(separator: "/")
      let selector = try RelativeSelector(parsing: text)
      #expect(try RelativeSelector(parsing: selector.description) == selector)
      let expected = Self.meant(prefix, steps.joined(separator: "/"), element, screen)
      let reader = ScreenReader(texts: dictionary.screenTexts, hierarchy: .builtIn)
      let outcome = reader.outcome(selector, RuleProperty("p", .element(selector)), page: "P", path: element)
      let value: String? =
        switch outcome {
        case .value(.string(let text)): text.text
        case .missing(.capturesDiffer): "differ"
        default: nil
        }
      #expect(value == expected, "\(text) from \(element.written(.slashes))")
      if value != nil { found += 1 }
    }
    #expect(found > 5)
  }

  /// The meaning of a selector, tried on every element of the screen.
  private static func meant(
    _ prefix: String, _ steps: String, _ element: ElementPath, _ screen: [(path: ElementPath, text: String?)]
  ) -> String? {
    func isCell(_ component: PathComponent) -> Bool { if case .row = component.locator { true } else { false } }
    let levels = prefix == "./" ? 0 : prefix.filter { $0 == "." }.count / 2
    let matching = screen.filter { other in
      let common = zip(other.path.components, element.components).prefix { $0 == $1 }.count
      if prefix.hasPrefix(".") {
        let kept = element.components.count - levels
        guard kept >= 0, common >= kept, other.path.components.count > kept else { return false }
        return ReferenceSelector("/" + steps).matches(ElementPath(Array(other.path.components.dropFirst(kept))))
      }
      if common < other.path.components.count, common < element.components.count,
        isCell(other.path.components[common]), isCell(element.components[common])
      {
        return false
      }
      return ReferenceSelector(prefix + steps).matches(other.path)
    }
    func nearness(_ other: ElementPath) -> Int { zip(other.components, element.components).prefix { $0 == $1 }.count }
    let best = matching.map { nearness($0.path) }.max()
    let first = matching.first { best == nearness($0.path) }
    return first.map { $0.text ?? "differ" }
  }
}
