import EncircleRuleFiles
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

@testable import EncircleService

@Suite struct ReportTests {
  @Test func `a page of the web is one page, whatever the escapes in the paths of its events`() async throws {
    let service = try RunningService()
    let rules = #"{"version":1,"style":"posthog-web","rules":[{"id":"home","include":{"page":"/商城"}}]}"#
    _ = try await service.send(
      "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*", "Content-Type": "application/json"],
      body: Data(rules.utf8))
    let paths = ["/商城", "/%E5%95%86%E5%9F%8E", "/%e5%95%86%e5%9f%8e"]
    var events = paths.enumerated().map { CollectTests.event($0, ["properties": ["$pathname": $1]]) }
    let address = "https://shop.example/%E5%95%86%E5%9F%8E"
    events.append(CollectTests.event(3, ["properties": ["$current_url": address + "?from=mail"]]))
    #expect(try await service.post("/v1/collect", json: events).status == 200)
    let pages = try await service.get("/v1/reports/overview?days=7").object["pages"] as? [[String: Any]]
    #expect(pages?.map { $0["page"] as? String } == ["/商城"] && pages?.first?["selected"] as? Int == 4)
    for text in [paths[0], paths[1], address] {
      let page = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      let found = try await service.get("/v1/events?page=\(page)").object["events"] as? [Any]
      #expect(found?.count == 4, "\(text)")
      for (query, count) in [("page=\(page)", 4), ("where=page%3D\(page)", 4), ("where=page!%3D\(page)", 0)] {
        let answer = try await service.get("/v1/reports/series?\(query)")
        let total = ((answer.object["series"] as? [[String: Any]])?.first?["total"] as? [String: Any])?["events"]
        #expect(total as? Int ?? 0 == count, "\(query)")
      }
    }
  }

  @Test(.articles("H55", "H58", "W3"))
  func `reports count what was stored, and drafts what they would have selected`() async throws {
    let service = try RunningService()
    let rules = #"{"version":1,"rules":[{"id":"home","include":{"event":"$AppClick","page":"Home"}}]}"#
    _ = try await service.send(
      "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*", "Content-Type": "application/json"],
      body: Data(rules.utf8))
    var events = (0..<700).map { CollectTests.event($0) }
    events += (0..<300).map {
      CollectTests.event(1_000 + $0, ["properties": ["$screen_name": "Cart", "$app_version": "2.0"]])
    }
    #expect(try await service.post("/v1/collect", json: events).status == 200)

    let overview = try await service.get("/v1/reports/overview?days=7").object
    #expect(overview["events"] as? Int == 1_000)
    #expect(overview["selected"] as? Int == 700)
    #expect(((overview["rules"] as? [[String: Any]])?.first)?["events"] as? Int == 700)
    #expect((overview["pages"] as? [[String: Any]])?.map { $0["page"] as? String } == ["Home", "Cart"])
    #expect((overview["names"] as? [[String: Any]])?.map { $0["event"] as? String } == ["$AppClick"])
    for (days, parts) in [(1, 24), (7, 7), (3_650, 90)] {
      for project in ["", "&project=default"] {
        let overview = try await service.get("/v1/reports/overview?days=\(days)\(project)").object
        #expect((overview["starts"] as? [String])?.count == parts)
        for kind in ["rules", "pages", "names", "elements"] {
          let rows = overview[kind] as? [[String: Any]] ?? []
          #expect(!rows.isEmpty || kind == "elements")
          for row in rows {
            let series = row["series"] as? [Int] ?? []
            #expect(series.count == parts && series.reduce(0, +) == row["events"] as? Int, "\(kind) \(days) \(project)")
          }
        }
      }
    }

    let counts = try await service.get("/v1/reports/counts?by=page").object["rows"] as? [[String: Any]]
    #expect(counts?.map { $0["events"] as? Int } == [700, 300])
    #expect(counts?.map { $0["people"] as? Int } == [7, 7])
    for grouping in ["rule", "event", "app_version", "hour"] {
      #expect(try await service.get("/v1/reports/counts?by=\(grouping)").status == 200)
    }
    let nothing = try await service.get("/v1/reports/counts?by=nothing")
    #expect(
      nothing.status == 400 && nothing.text.contains("app_version, or a place in events, such as $element_content"))

    let draft = try await service.post(
      "/v1/reports/retroactive", json: ["clause": ["event": "$AppClick", "page": "Cart"], "days": 1])
    #expect(draft.object["events"] as? Int == 300)
    #expect(draft.object["of"] as? Int == 1_000)
    #expect(draft.object["share"] as? Double == 0.3)
    let broken = try await service.post("/v1/reports/retroactive", json: ["text": "version: 1\nrules: 7"])
    #expect(broken.status == 422)

    let three = """
      version: 1
      rules:
        - { id: all, include: { event: $AppClick } }
        - { id: cart, include: { page: Cart } }
        - { id: none, include: { event: other } }
        - { id: not.cart, exclude: { page: Cart } }
      """
    let named = try await service.post(
      "/v1/reports/retroactive", json: ["text": three, "rules": ["all", "cart", "none", "not.cart"]])
    let byRule = named.object["by_rule"] as? [[String: Any]]
    #expect(byRule?.map { $0["id"] as? String } == ["all", "not.cart"], "what is excluded is not selected")
    #expect(byRule?.map { $0["events"] as? Int } == [700, 300])
    for rule in byRule ?? [] {
      let days = rule["days"] as? [[String: Any]] ?? []
      #expect(!days.isEmpty)
      #expect(days.reduce(0) { $0 + ($1["events"] as? Int ?? 0) } == rule["events"] as? Int)
    }
    let one = try await service.post("/v1/reports/retroactive", json: ["text": three, "rules": ["not.cart"]])
    #expect((one.object["by_rule"] as? [[String: Any]])?.map { $0["id"] as? String } == ["not.cart"])
    #expect(one.object["events"] as? Int == 700, "all rules decide")
    let unnamed = try await service.post("/v1/reports/retroactive", json: ["text": three])
    #expect((unnamed.object["by_rule"] as? [[String: Any]])?.contains { $0["days"] != nil } == false)
    for wrong: Any in ["all", ["nothing"], [7], Array(repeating: "all", count: 101)] {
      let answer = try await service.post("/v1/reports/retroactive", json: ["text": three, "rules": wrong])
      #expect(answer.status == 422)
    }

    let health = try await service.get("/v1/reports/health").object["rules"] as? [[String: Any]]
    let alarm = health?.first?["alarm"] as? [String: Any]
    #expect(alarm?["kind"] as? String == "zero")
    #expect(alarm?["to_version"] as? String == "2.0")
    let trial = CollectTests.event(2_000, ["properties": ["$screen_name": "Cart", "$app_version": "2.1-dev"]])
    #expect(try await service.post("/v1/collect", json: [trial]).status == 200)
    let later = try await service.get("/v1/reports/health").object["rules"] as? [[String: Any]]
    let kept = later?.first?["alarm"] as? [String: Any]
    #expect(kept?["to_version"] as? String == "2.0", "one event of a trial build hides no alarm")
    #expect(try await service.get("/v1/reports/health?ruleset=none").status == 404)
    #expect(try await service.get("/v1/reports/heatmap").status == 400)
    #expect(try await service.get("/v1/reports/heatmap?capture=0000000000000000").status == 404)
  }

  @Test func `a clause counts what it would select as a rule, minus excluded events`() async throws {
    let service = try RunningService()
    let rules = """
      version: 1
      pages: { exclude: [Login] }
      rules:
        - { id: clicks, include: { event: $AppClick } }
        - { id: old, exclude: { where: { $app_version: "0.9" } } }
      """
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*"], body: Data(rules.utf8))
    #expect(put.status == 200, "\(put.text)")
    let places = [("Home", "1.0"), ("Home", "0.9"), ("Login", "1.0"), ("UIActivityViewController", "1.0")]
    let events = places.enumerated().map { number, place in
      CollectTests.event(number, ["properties": ["$screen_name": place.0, "$app_version": place.1]])
    }
    #expect(try await service.post("/v1/collect", json: events).status == 200)
    for question: [String: Any] in [["clause": ["event": "$AppClick"]], ["ruleset": "default"]] {
      let answer = try await service.post("/v1/reports/retroactive", json: question)
      #expect(answer.object["events"] as? Int == 1 && answer.object["of"] as? Int == 4, "\(answer.text)")
    }
  }

  @Test func `a rule starts over when its selection changes, but not when its name does`() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let store = try Store(directory: directory)
    defer { try? store.close() }
    let library = try RuleSetLibrary(store: store)
    // Asked after each version, the answer follows from the one before; asked at last only, from all versions.
    for (ruleSet, asksOften) in [("often", true), ("once", false)] {
      func publish(_ page: String, name: String, others: String = "") throws {
        let text = #"{"version":1,"rules":[{"id":"a","name":"\#(name)","include":{"page":"\#(page)"}}\#(others)]}"#
        _ = try library.publish(text, to: ruleSet, RuleSetPublication(by: "lin", reason: "test"))
      }
      func begun() throws -> Int? {
        let date = try library.beginnings(of: ["a"], in: ruleSet, after: .distantPast)["a"]
        return try library.history(of: ruleSet, offset: 0, limit: 10).versions.first { $0.at == date }?.version
      }
      try publish("Home", name: "Home")
      if asksOften { #expect(try begun() == 1) }
      try publish("Home", name: "Start", others: #",{"id":"b","include":{"page":"Cart"}}"#)
      if asksOften { #expect(try begun() == 1, "another name, and another rule, make no new one") }
      try publish("Shop", name: "Start")
      if asksOften { #expect(try begun() == 3) }
      try publish("Shop", name: "Shop")
      #expect(try begun() == 3, "it has been the same rule since the version before")
    }
  }

  @Test func `versions are compared on each platform`() async throws {
    let service = try RunningService()
    let rules =
      #"{"version":1,"rules":[{"id":"cart","include":{"page":"Cart"}},{"id":"scan","include":{"page":"Scan"}}]}"#
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*", "Content-Type": "application/json"],
      body: Data(rules.utf8))
    #expect(put.status == 200, "\(put.text)")
    var count = 0
    // The cart is lost in 5.2 for iOS, and only iOS can scan.
    for (system, version, pages) in [
      ("iOS", "5.1", ["Cart", "Scan", "Home"]), ("iOS", "5.2", ["Scan", "Home", "Home"]),
      ("Android", "9.0", ["Cart", "Home", "Home"]), ("Android", "9.1", ["Cart", "Home", "Home"]),
    ] {
      let events = (0..<300).map { number in
        let properties = ["$os": system, "$app_version": version, "$screen_name": pages[number % 3]]
        return CollectTests.event(count + number, ["properties": properties])
      }
      count += events.count
      #expect(try await service.post("/v1/collect", json: events).object["stored"] as? Int == events.count)
    }
    for query in ["", "?project=default"] {
      let health = try await service.get("/v1/reports/health\(query)").object["rules"] as? [[String: Any]] ?? []
      let alarm = try #require(health.first?["alarm"] as? [String: Any], "\(health)")
      #expect(alarm["kind"] as? String == "zero" && alarm["platform"] as? String == "ios")
      #expect(alarm["from_version"] as? String == "5.1" && alarm["to_version"] as? String == "5.2")
      #expect(alarm["before"] as? [String: Int] == ["events": 100, "all": 300])
      #expect((alarm["message"] as? String)?.hasPrefix("Nothing matches in 5.2 (ios): 0 of 300 events") == true)
      #expect(health.last?["alarm"] is NSNull, "\(health)")
      let versions = health.last?["versions"] as? [[String: Any]] ?? []
      #expect(versions.map { $0["app_version"] as? String } == ["5.1", "5.2", "9.0", "9.1"])
      #expect(versions.map { $0["events"] as? Int } == [100, 100, 0, 0])
    }
  }

  @Test func `the counter that stands for many versions is not compared`() throws {
    let rules = try RuleFiles(text: "version: 1\nrules: [{ id: r, include: { event: A } }]\n", name: "a.yaml").ruleSet()
    let other = EventStore.RuleCounts.Release(platform: "", appVersion: UTF8String(EventStore.otherName))
    let newest = EventStore.RuleCounts.Release(platform: "", appVersion: "1.0")
    var found = EventStore.RuleCounts()
    found.all = [other: 1_000, newest: 1_000]
    found.releases = ["r": [other: 500]]
    let counts = found
    let report = try HealthReport(rules, counts, alpha: 0.001, beginnings: { _, _ in [:] }, recount: { _ in counts })
    #expect(report.rules.map(\.id) == ["r"] && report.rules.first?.alarm == nil)
  }

  @Test func `a rule is compared from its publication on`() async throws {
    let service = try RunningService()
    func post(_ numbers: Range<Int>, page: String, version: String, hoursAgo: Int = 0) async throws {
      let time = (Int(Date().timeIntervalSince1970) - hoursAgo * 3_600) * 1_000
      let events = numbers.map { number in
        CollectTests.event(number, ["time": time, "properties": ["$screen_name": page, "$app_version": version]])
      }
      #expect(try await service.post("/v1/collect", json: events).object["stored"] as? Int == events.count)
    }
    try await post(0..<1_000, page: "Home", version: "1.0", hoursAgo: 5)
    let rules = #"""
      {"version":1,"rules":[{"id":"home","include":{"page":"Home"}},{"id":"cart","include":{"page":"Cart"}}]}
      """#
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*", "Content-Type": "application/json"],
      body: Data(rules.utf8))
    #expect(put.status == 200, "\(put.text)")
    // Home has three quarters of both versions since, but an eighth of all events of 1.0; Cart has nothing any more.
    try await post(1_000..<1_150, page: "Home", version: "1.0")
    try await post(1_150..<1_200, page: "Cart", version: "1.0")
    try await post(2_000..<2_225, page: "Home", version: "2.0")
    try await post(2_225..<2_300, page: "Shop", version: "2.0")
    for query in ["", "?project=default"] {
      let health = try await service.get("/v1/reports/health\(query)").object["rules"] as? [[String: Any]] ?? []
      #expect(health.map { $0["id"] as? String } == ["home", "cart"])
      #expect(health.first?["alarm"] is NSNull, "\(health)")
      let alarm = try #require(health.last?["alarm"] as? [String: Any])
      #expect(alarm["kind"] as? String == "zero")
      #expect(alarm["before"] as? [String: Int] == ["events": 50, "all": 200])
      let versions = health.last?["versions"] as? [[String: Any]]
      #expect(versions?.first?["all"] as? Int == 1_200, "all events of the version count here")
      let since = try #require(alarm["since"] as? String)
      #expect(since.hasSuffix(":00:00.000Z") && since > EventText.time(EventLibrary.now - 5 * 3_600_000), "\(since)")
    }
  }

  @Test(.articles("H45"))
  func `one element in several states is broken down by any property`() async throws {
    let service = try RunningService()
    let rules = #"{"version":1,"style":"hubbledata","rules":[{"id":"tap","include":{"event":"$AppClick"}}]}"#
    _ = try await service.send(
      "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*", "Content-Type": "application/json"],
      body: Data(rules.utf8))
    let id = String(repeating: "a", count: 64)
    let taps = ["Follow", "Follow", "Followed", ""].enumerated().map { number, title in
      let own = title.isEmpty ? "{}" : #"{"title":"\#(title)","row":\#(number % 2),"$element_content":"\#(title)"}"#
      return #"{"eventId":"\#(id)","type":"buttonEvent","deviceUdid":"d\#(number)","attributes":\#(own)}"#
    }
    #expect(try await service.send("POST", "/v1/collect", body: Data(taps.joined(separator: "\n").utf8)).status == 200)
    func rows(_ by: String) async throws -> [String] {
      let answer = try await service.get("/v1/reports/counts?by=\(by)&event_id=\(id)")
      let rows = try #require(answer.object["rows"] as? [[String: Any]], "\(answer.text)")
      return rows.map { "\($0["key"] as? String ?? "?") \($0["events"] as? Int ?? -1) \($0["people"] as? Int ?? -1)" }
    }
    #expect(try await rows("/attributes/title") == ["Follow 2 2", " 1 1", "Followed 1 1"])
    #expect(try await rows("$element_content") == ["Follow 2 2", " 1 1", "Followed 1 1"])
    #expect(try await rows("/attributes/row") == ["0 2 2", " 1 1", "1 1 1"])
    #expect(try await service.get("/v1/reports/counts?by=/attributes/~2").status == 400)
  }

  @Test(arguments: [1, 2, 7])
  func `all reports of the last days cover the same hours, up to the current one`(days: Int) throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let databases = try Store(directory: directory.path)
    let store = try EventStore(databases) { EventLimits() }
    // 2027-01-15 at 08:44 UTC. The first hour of one day is that from 09:00 on.
    let now: Int64 = 1_800_002_640_000
    let minutes = [3 * 60, (days - 1) * 1_440 + 23 * 60 + 44, days * 1_440 - 2, days * 1_440 + 42]
    let rows = minutes.map { minutes in
      let time = now - Int64(minutes) * 60_000
      return EventRow(
        received: time, time: time, event: "A", page: "Home", element: [1],
        decision: StoredDecision(isSelected: true, rules: ["r"], excludedBy: [], pages: [], emit: ["r"]),
        json: Array("{}".utf8)
      )
    }
    _ = try store.write([EventRowBatch(events: rows.sorted { $0.received < $1.received })])
    for overview in [
      try store.overview(days: days, now: now, most: 1),
      try store.overview(of: EventFilter.defaultProject, days: days, now: now, most: 1),
    ] {
      let ofHours = overview.hours.map(\.events)
      #expect(ofHours.reduce(0, +) == 2)
      #expect(overview.rules.map(\.events) == [2] && overview.rules.map { $0.series.reduce(0, +) } == [2])
      #expect(overview.elements.map(\.events) == [2] && overview.elements.map { $0.series.reduce(0, +) } == [2])
    }
    #expect(try store.series(of: ["r"], days: days, now: now).events["r"]?.reduce(0, +) == 2)
    let time = RecentHours(days: days, now: now).startTime
    #expect(try store.elementCounts(since: time) == [[1]: 2])
    #expect(try store.elementCounts(of: EventFilter.defaultProject, since: time) == [[1]: 2])
    if days == 1 { #expect(try store.recentRuleCounts(now: now).lastDay == ["r": 2]) }
    try databases.close()
  }

  @Test func `rules and versions whose names differ in their bytes alone are counted separately`() throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let databases = try Store(directory: directory.path)
    defer { try? databases.close() }
    let store = try EventStore(databases) { EventLimits() }
    let now: Int64 = 1_800_002_640_000
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let rows = [composed, decomposed, decomposed].map { name in
      var row = EventRow(
        received: now, time: now, event: "A", page: "Home", element: [1],
        decision: StoredDecision(isSelected: true, rules: [name], excludedBy: [], pages: [], emit: [name]),
        json: Array("{}".utf8))
      row.appVersion = name
      return row
    }
    _ = try store.write([EventRowBatch(events: rows)])
    let expected = [UTF8String(composed): 1, UTF8String(decomposed): 2]
    for counts in [try store.ruleCounts(now: now), try store.ruleCounts(of: EventFilter.defaultProject, now: now)] {
      #expect(counts.lastDay == expected)
      #expect(counts.releases.mapValues { $0.values.reduce(0, +) } == expected)
      #expect(Dictionary(uniqueKeysWithValues: counts.all.map { ($0.appVersion, $1) }) == expected)
    }
    let series = try store.series(of: [composed, decomposed], days: 1, now: now)
    #expect(series.events.mapValues { $0.reduce(0, +) } == expected)
  }

  @Test func `the overview marks the elements with stored captures`() async throws {
    let service = try RunningService()
    let tree = """
      <viewTree version="1" app="shop" os="iOS" screen="390 844"><view class="UIWindow" frame="0 0 390 844">
      <view class="UIButton" frame="9 9 90 40" title="Buy" actions="buy:"/></view></viewTree>
      """
    let added = try await service.send(
      "POST", "/v1/captures", headers: ["Content-Type": "application/xml"], body: Data(tree.utf8))
    let capture = (added.object["capture"] as? [String: Any])?["id"] as? String ?? ""
    let listed = try await service.get("/v1/captures/\(capture)/elements").object["elements"] as? [[String: Any]]
    let known = try #require(listed?.last?["event_id"] as? String)
    let unknown = String(repeating: "ab", count: 32)
    let events = [known, known, unknown].enumerated().map { CollectTests.event($0, ["event_id": $1]) }
    #expect(try await service.post("/v1/collect", json: events).status == 200)
    let elements = try #require(
      try await service.get("/v1/reports/overview").object["elements"] as? [[String: Any]])
    #expect(elements.map { $0["event_id"] as? String } == [known, unknown])
    #expect(elements.map { $0["stored"] as? Bool } == [true, false])
  }
}

@Suite struct RuleHealthTestTests {
  private let test = RuleHealthTest(level: 0.001, tests: 10)

  @Test func `probabilities agree with both statistical tests`() {
    // Computed with R: fisher.test(matrix(c(3,1,1,3),2)), and prop.test(c(60,40), c(1000,1000), correct=FALSE).
    #expect(abs(RuleHealthTest.probability((3, 4), (1, 4)) - 0.48571428571428571) < 1e-9)
    #expect(abs(RuleHealthTest.probability((60, 1_000), (40, 1_000)) - 0.0402) < 0.001)
    #expect(RuleHealthTest.probability((5, 100), (5, 100)) > 0.99)
    #expect(RuleHealthTest.probability((1, 1), (0, 1)) == 1)
  }

  @Test func `a rule that stops matching is distinguished from a rare one`() {
    #expect(test.alarm(before: (300, 10_000), after: (0, 3_000))?.alarm == .zero)
    #expect(test.alarm(before: (3, 10_000), after: (0, 3_000)) == nil)
    #expect(test.alarm(before: (300, 10_000), after: (0, 50)) == nil, "too few events to say so")
    #expect(test.alarm(before: (0, 10_000), after: (300, 10_000)) == nil, "a rule that is new is no alarm")
  }

  @Test func `a small change of many events is no alarm, a large one is`() {
    #expect(test.alarm(before: (100_000, 1_000_000), after: (110_000, 1_000_000)) == nil)
    #expect(test.alarm(before: (1_000, 10_000), after: (500, 10_000))?.alarm == .rate)
    #expect(test.alarm(before: (1_000, 10_000), after: (2_000, 10_000))?.alarm == .rate)
  }

  @Test func `with more rules the same difference is less significant`() {
    #expect(RuleHealthTest(level: 0.05, tests: 1).alarm(before: (60, 1_000), after: (35, 1_000)) != nil)
    #expect(RuleHealthTest(level: 0.05, tests: 100).alarm(before: (60, 1_000), after: (35, 1_000)) == nil)
  }

  @Test func `impossible counts do not trap`() {
    #expect(test.alarm(before: (5, 0), after: (0, 0)) == nil)
    #expect(RuleHealthTest.probability((9, 3), (0, 4)) <= 1)
  }
}
