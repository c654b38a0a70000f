import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree
import Foundation
import Testing

@Suite struct EventSuggesterTests {
  // MARK: - Every event

  @Test("the suggested rules match the event, for every event in files of events", arguments: ["Rules", "Examples"])
  func files(folder: String) throws {
    let events = try Self.files(in: folder, [".ndjson"]).flatMap { file in
      try Self.events(of: file).map { (file.lastPathComponent, $0) }
    }
    #expect(!events.isEmpty)
    for (name, event) in TestSize.spread(events, atLeast: 30) {
      try Self.check(event, "\(name): \(String(decoding: event.json, as: UTF8.self))")
    }
  }

  @Test("the suggested rules match the event, for every event in the documentation")
  func documentation() throws {
    var count = 0
    let files =
      ["README.md", "Rules/README.md", "ViewTrees/README.md"].map { PackageFolder.root.appendingPathComponent($0) }
      + Self.files(in: "docs", [".md"]) + Self.files(in: "Sources/Encircle/Encircle.docc", [".md"])
    for file in files {
      for line in String(decoding: try PackageFolder.bytes(file), as: UTF8.self).split(separator: "\n") {
        guard line.utf8.first == UInt8(ascii: "{"), let event = try? AnalyticsEvent(json: String(line)),
          event.members["event"] != nil
        else { continue }
        try Self.check(event, "\(file.lastPathComponent): \(line)")
        count += 1
      }
    }
    #expect(count >= 3)
  }

  @Test("the suggested rules match the event, for every event of the tests beside rules")
  func ruleTests() throws {
    let folder = PackageFolder.root.appendingPathComponent("Rules").path
    let rules = try RuleFiles([folder]).ruleSet()
    let tests = try RuleTestFiles(RuleTestFiles.paths(besides: [folder]), for: rules).files.flatMap(\.tests)
    var events: [(String, TestEvent)] = []
    for test in tests {
      if case .events(let all) = test.subject { events += all.map { (test.name, $0) } }
    }
    #expect(events.count >= 80)
    for (name, event) in TestSize.spread(events, atLeast: 30) {
      try Self.check(event.event, "\(name): \(event.label)")
    }
  }

  @Test(
    "the page of a web event is the path of its address without escapes",
    arguments: [
      #""$pathname":"/商城""#, #""$pathname":"/%E5%95%86%e5%9f%8e""#,
      #""$current_url":"https://a.example/%E5%95%86%E5%9F%8E?q=1#top""#,
    ])
  func webPages(place: String) throws {
    let chain = #"button.pay:nth-child=\"1\"nth-of-type=\"1\"text=\"Pay\";body:nth-child=\"2\"nth-of-type=\"1\""#
    let event = #"{"event":"$autocapture","properties":{\#(place),"$elements_chain":"\#(chain)"}}"#
    #expect(try Self.check(try AnalyticsEvent(json: event), event).page == "/商城")
  }

  @Test(
    "the suggested rules match the event, for elements of captures in every style",
    arguments: PackageFolder.captureNames)
  func captures(name: String) throws {
    let screen = try Screens.named(name)
    for style in Self.styles(for: name) where style.style.unmetRequirement(for: screen) == nil {
      let events = ElementEvents(of: screen, style: style, fields: EventFields(style: style))
      let trackable = screen.tree.elements.filter { screen.trackingType(of: $0, in: style) != nil }
      for i in stride(from: 0, to: trackable.count, by: max(1, trackable.count / TestSize.scaled(40))) {
        let event = events.event(of: trackable[i])
        let place = "\(name), element \(trackable[i]) in \(style.rawValue)"
        let subject = try Self.check(event, place)
        guard let path = subject.writtenPath else { continue }
        // A path with no certain row is the same in both styles of Sensors, and one of a root view alone in several.
        guard path.utf8.contains(where: { "/[(&;:-_".utf8.contains($0) }) else { continue }
        let isSensors = [.sensors, .sensorsExact].contains(style) && [.sensors, .sensorsExact].contains(subject.style)
        #expect(subject.style == style || isSensors, "\(place): \(path)")
      }
    }
  }

  @Test(
    "the suggested rules match the event, for events of recorded sessions",
    .enabled(if: PackageFolder.shared != nil, "there is no folder with recorded sessions"))
  func sessions() throws {
    let shared = try #require(PackageFolder.shared)
    for folder in ["sessions", "bench/fixture"] {
      let root = shared.appendingPathComponent(folder)
      for name in (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
      where name.hasSuffix("events.ndjson") {
        for event in try Self.events(of: root.appendingPathComponent(name)).prefix(TestSize.scaled(50)) {
          try Self.check(event, "\(name): \(String(decoding: event.json, as: UTF8.self))")
        }
      }
    }
  }

  /// The styles that a capture is tried in.
  private static func styles(for name: String) -> [PathStyleName] {
    TestSize.part(PathStyleName.allCases, of: PackageFolder.captureNames.firstIndex(of: name) ?? 0)
  }

  private static func files(in folder: String, _ suffixes: [String]) -> [URL] {
    let root = PackageFolder.root.appendingPathComponent(folder)
    let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return names.filter { name in !name.contains(".build") && suffixes.contains { name.hasSuffix($0) } }.sorted()
      .map { root.appendingPathComponent($0) }
  }

  private static func events(of file: URL) throws -> [AnalyticsEvent] {
    var reader = try EventReader(path: file.path)
    var events: [AnalyticsEvent] = []
    while let record = try reader.next() {
      guard case .event = record else { continue }
      events.append(try reader.withEvent { try AnalyticsEvent(json: Array($0)) })
    }
    return events
  }

  /// Checks that the rules of the suggestions for an event, as they are written, load and match it.
  @discardableResult private static func check(_ event: AnalyticsEvent, _ place: String) throws -> EventSubject {
    let subject = EventSubject(event)
    let suggester = EventSuggester(subject)
    let suggestions = suggester.suggestions(limit: 2)
    if let path = subject.path, path.written(.slashes).utf8.count < 10_000 {
      #expect(!suggestions.isEmpty || path.components.contains { $0.className.contains("[") }, "\(place)")
    }
    let hasNothing =
      subject.name == nil && subject.page == nil && subject.path == nil && subject.eventID == nil
    for suggestion in suggestions.isEmpty ? [nil] : suggestions.map(Optional.some) {
      guard let rule = suggester.rule(for: suggestion) else {
        #expect(hasNothing, "\(place)")
        continue
      }
      let rules = try RuleFiles(text: rule.yaml).ruleSet()
      var decider = Decider(Matcher(rules))
      #expect(decider.decide(event).rules.map { "\($0)" } == [rule.id], "\(place):\n\(rule.yaml)")
    }
    return subject
  }

  // MARK: - What is suggested

  private static func first(_ json: String) throws -> String {
    let suggester = EventSuggester(EventSubject(try AnalyticsEvent(json: json)))
    return try #require(suggester.rule(for: suggester.suggestions().first)).yaml
  }

  @Test(
    "the style of an event follows from its path",
    arguments: [
      (#""$element_path":"UIWindow(0)_UIView(0)_UIButton(1)""#, PathStyleName.hubbleData),
      (#""$element_path":"UIWindow(0)/UINavigationBar(0)/UIButton""#, .hubbleData),
      (#""$element_path":"UIView/UITableView[0]/ProductCell[0][-]/UIButton[0]""#, .sensors),
      (#""$element_path":"UIView/UITableView[0]/ProductCell[0][2]/UIButton[0]""#, .sensorsExact),
      (#""$element_path":"UIView/UISegmentedControl[0]/UISegment[1]""#, .sensorsExact),
      (#""$element_path":"UILayoutContainerView/UITabBar[0]/UITabBarButton[-]""#, .sensors),
      (#""$element_path":"UIView/UIButton[0]""#, .sensors), (#""$element_path":"RCTRootView""#, .sensors),
      (#""$element_path":"com.example.MainActivity:DecorView[0]/Button[0]#pay""#, .hubbleDataAndroid),
      (#""viewPath":"HomeViewController-UIButton & 0-0""#, .lede),
      (#""xpath":"/HomeViewController/UIView/UIButton","xcontent":"/0/0/0""#, .growingIO),
      (#""$elements_chain":"UIButton;UIView""#, .postHog), (#""x":1"#, .hubbleData),
    ])
  func styles(properties: String, expected: PathStyleName) throws {
    let event = try AnalyticsEvent(json: #"{"event":"$AppClick","properties":{\#(properties)}}"#)
    #expect(EventSubject(event).style == expected)
    try Self.check(event, properties)
  }

  @Test(
    "a row that a path has as an index is suggested in any row, then alone",
    arguments: [("RelativeLayout[3]", "RelativeLayout(*)", "RelativeLayout(3)"), ("Card[0]", "Card(*)", "Card(0)")])
  func indexedRow(written: String, any: String, this: String) throws {
    let path = "com.example.A:DecorView[0]/ListView[0]/\(written)/Button[0]"
    let event = try AnalyticsEvent(json: #"{"event":"$AppClick","properties":{"$element_path":"\#(path)"}}"#)
    let suggestions = EventSuggester(EventSubject(event)).suggestions(limit: 2)
    #expect(suggestions.map(\.selector.description) == ["\(any)/Button(0)", "\(this)/Button(0)"])
  }

  @Test("an event of an alert or a bar is named by its text, not by its place")
  func distinctive() throws {
    let alert = try Self.first(
      #"{"event":"$AppClick","properties":{"$element_path":"UIWindow(0)__UIAlertControllerView(0)__UIInterfaceActionCustomViewRepresentationView(1)","$alert_title":"退出登录","$element_content":"退出","$screen_name":"S"}}"#
    )
    #expect(alert.contains("selector: _UIInterfaceActionCustomViewRepresentationView\n"))
    #expect(alert.contains("$alert_title: { equals: 退出登录 }\n        $element_content: { equals: 退出 }"))
    let bar = try Self.first(
      #"{"event":"$AppClick","properties":{"$element_path":"UIWindow(0)_UINavigationBar(0)_UIButton","$element_actions":"save:"}}"#
    )
    #expect(bar.contains("selector: UIButton\n") && bar.contains("$element_actions: { equals: \"save:\" }"))
  }

  @Test("an event without a path is named by its event ID, or by its name and page, on Android also by its id or text")
  func withoutPath() throws {
    let id = String(repeating: "ab", count: 32)
    #expect(
      try Self.first(#"{"event":"$AppClick","event_id":"\#(id)"}"#)
        == "version: 1\nrules:\n  - id: app-click\n    include:\n      event: $AppClick\n      eventID: \(id)\n")
    #expect(
      try Self.first(#"{"event":"$AppViewScreen","properties":{"$screen_name":"CartViewController","$app_id":"a.b"}}"#)
        == """
        version: 1
        app: a.b
        rules:
          - id: cart.app-view-screen
            include:
              event: $AppViewScreen
              page: CartViewController

        """)
    let android = #""$lib":"Android","$element_type":"MenuItem","$element_content":"Scan","$screen_name":"a.Main""#
    let item = try Self.first(#"{"event":"$AppClick","properties":{\#(android),"$element_id":"scan"}}"#)
    #expect(item.contains("style: sensors-android\n"))
    #expect(item.hasSuffix("      page: a.Main\n      where: { $element_id: { equals: scan } }\n"), "\(item)")
    let drawer = try Self.first(#"{"event":"$AppClick","properties":{\#(android)}}"#)
    #expect(drawer.hasSuffix("      where: { $element_content: { equals: Scan } }\n"), "\(drawer)")
    let nothing = EventSuggester(EventSubject(try AnalyticsEvent(json: "{}")))
    #expect(nothing.suggestions().isEmpty && nothing.rule(for: nil) == nil)
  }

  @Test(
    "with any values in an event, the rules load and match it",
    arguments: [
      "", "_", "/", "(", "UIWindow(0", "A(0)_", "'a/b'(1)/C", "A[0]", "A[0][", "a:b", "a:b[0]#", " ", "\\u0000",
      "é(0)/e\\u0301(0)",
      "NSKVONotifying_UIButton(0)", "UIWindow(0)_NSKVONotifying_Shop_Cell(section:0 row:1)_UIButton(0)",
      "A(99999999999999999999)", String(repeating: "A(0)_", count: 3000) + "B(0)", String(repeating: "_", count: 5000),
      String(repeating: "a_", count: 200) + "b", String(repeating: "A", count: 70_000) + "(0)",
    ])
  func hostile(path: String) throws {
    for key in ["$element_path", "viewPath", "xpath", "$elements_chain"] {
      let event = try AnalyticsEvent(
        json:
          #"{"event":"e: #\"","properties":{"\#(key)":"\#(path)","$screen_name":"P\n- x","$element_content":"\u0007"}}"#
      )
      try Self.check(event, "\(key): \(path.prefix(80))")
    }
  }

  @Test("a path with very many components gets few suggestions, other paths as many as requested")
  func longPaths() throws {
    func count(_ components: Int) throws -> Int {
      let path = String(repeating: "Shop.A(0)_", count: components - 1) + "Shop.B(0)"
      let event = try AnalyticsEvent(json: #"{"event":"e","properties":{"$element_path":"\#(path)"}}"#)
      return EventSuggester(EventSubject(event)).suggestions(limit: 100).count
    }
    #expect(try count(6_000) == 1)
    #expect(try count(100) == count(20) && count(20) > 5)
  }

  // MARK: - Elements of captures

  @Test(
    "an event denotes the element that it was made for, in every style",
    arguments: TestSize.isFull ? PackageFolder.captureNames : PackageFolder.smallCaptureNames)
  func elements(name: String) throws {
    let screen = try Screens.named(name)
    for style in Self.styles(for: name) where style.style.unmetRequirement(for: screen) == nil {
      let events = ElementEvents(of: screen, style: style, fields: EventFields(style: style))
      let trackable = screen.tree.elements.filter { screen.trackingType(of: $0, in: style) != nil }
      // Each is compared with all elements of the capture, of which one has thousands.
      let samples = min(TestSize.scaled(10), max(1, 2_000 / screen.tree.count))
      for i in stride(from: 0, to: trackable.count, by: max(1, trackable.count / samples)) {
        var event = events.event(of: trackable[i])
        let own = EventSubject(event, style: style)
        let place = "\(name) \(trackable[i]) in \(style.rawValue)"
        guard let found = own.elements(in: screen) else {
          // SDKs for Android send no path of a menu item.
          #expect(style.isAndroid, "\(place)")
          continue
        }
        #expect(found.elements.contains(trackable[i]), "\(place)")
        // Without its ID, by its path.
        Self.removeID(from: &event)
        let subject = EventSubject(event, style: style)
        guard subject.path != nil else { continue }
        let byPath = subject.elements(in: screen)
        #expect(byPath?.elements.contains(trackable[i]) ?? false, "\(name) \(trackable[i]) in \(style.rawValue)")
        #expect(byPath?.match != .eventID)
      }
    }
  }

  @Test(
    "an event in a row that a capture of Android does not show denotes the same element in its rows",
    arguments: [("1", [19], .path), ("9", [19, 24], .kind)] as [(String, [Int], EventSubject.Match)])
  func otherRows(row: String, elements: [Int], match: EventSubject.Match) throws {
    let screen = try Screens.named("android-shop.xml")
    let chain = PathChains(of: screen).chain(to: ElementID(19))
    let path = try #require(PathStyleName.hubbleDataAndroid.style.path(of: chain)).written
    let other = path.replacing("BouquetCard[1]", with: "BouquetCard[\(row)]")
    let event = try AnalyticsEvent(json: #"{"event":"$AppClick","properties":{"$element_path":"\#(other)"}}"#)
    let found = try #require(EventSubject(event).elements(in: screen))
    #expect(found.elements.map(\.index) == elements && found.match == match)
  }

  @Test(
    "if a path leaves out the row, the position of the event gives it",
    arguments: [("1:1", [17], .path), ("1:0", [26], .path), ("1:9", [17, 26], .kind), (nil, [17, 26], .path)]
      as [(String?, [Int], EventSubject.Match)])
  func positions(position: String?, elements: [Int], match: EventSubject.Match) throws {
    let path = "UIView/UITableView[0]/ProductCell[1][-]/UITableViewCellContentView[0]/UIButton[0]"
    let own = position.map { ",\"$element_position\":\"\($0)\"" } ?? ""
    let event = try AnalyticsEvent(
      json: "{\"properties\":{\"$screen_name\":\"HomeViewController\",\"$element_path\":\"\(path)\"\(own)}}")
    let found = try #require(EventSubject(event).elements(in: try Screens.named("home-feed.xml")))
    #expect(found.elements.map(\.index) == elements && found.match == match)
  }

  private static func removeID(from event: inout AnalyticsEvent) {
    event.members["eventId"] = nil
    guard case .object(var properties)? = event.members["properties"] else { return }
    properties["$element_id"] = nil
    event.members["properties"] = .object(properties)
  }

  @Test(
    "an event of GrowingIO denotes its element, whatever the app calls the page",
    arguments: [("home-feed.xml", PathStyleName.growingIO), ("android-shop.xml", .growingIOAndroid)])
  func pageOfGrowingIO(name: String, style: PathStyleName) throws {
    let screen = try Screens.named(name)
    let element = try #require(screen.tree.elements.first { screen.trackingType(of: $0, in: style) != nil })
    var event = ElementEvents(of: screen, style: style, fields: EventFields(style: style)).event(of: element)
    Self.removeID(from: &event)
    for page in ["/ShopActivity", "首页", ""] {
      event.members["path"] = .string(page)
      let found = try #require(EventSubject(event, style: style).elements(in: screen), "\(page)")
      #expect(found.elements.contains(element) && found.match == .path)
    }
  }
}
