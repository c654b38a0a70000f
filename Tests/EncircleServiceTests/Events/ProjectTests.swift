import EncircleTestSupport
import Foundation
import Testing

@Suite struct ProjectTests {
  private func send(_ id: Int, to project: String?, on service: RunningService) async throws {
    let event: [String: Any] = [
      "_track_id": id, "type": "track", "event": "$AppClick", "distinct_id": "u\(id)",
      "time": Int(Date().timeIntervalSince1970) * 1_000, "properties": ["$screen_name": "Home"],
    ]
    let body = try JSONSerialization.data(withJSONObject: [event])
    let query = project.map { "?project=\($0)" } ?? ""
    let answer = try await service.send(
      "POST", "/v1/collect\(query)", headers: ["Content-Type": "application/json"], body: body)
    #expect(answer.status == 200 && answer.object["stored"] as? Int == 1, "\(answer.text)")
  }

  private func publish(_ name: String, on service: RunningService) async throws {
    let rules = "version: 1\nrules:\n  - { id: \(name).home, include: { event: $AppClick, page: Home } }\n"
    let answer = try await service.send(
      "PUT", "/v1/rulesets/\(name)?reason=x", headers: ["If-Match": "*"], body: Data(rules.utf8))
    #expect([200, 201].contains(answer.status), "\(answer.text)")
  }

  @Test func `events carry their project, and lists and reports can be limited to one`() async throws {
    let service = try RunningService()
    try await publish("default", on: service)
    try await publish("chat", on: service)
    for (id, project) in [(1, nil), (2, "default"), (3, "chat"), (4, "other")] as [(Int, String?)] {
      try await send(id, to: project, on: service)
    }
    let expected: [(String, [String], [String])] = [
      ("default", ["u2", "u1"], ["chat.home", "default.home"]), ("chat", ["u3"], ["chat.home"]),
      ("other", ["u4"], ["chat.home", "default.home"]), ("none", [], []),
    ]
    for (project, people, rules) in expected {
      let events = try await service.get("/v1/events?project=\(project)").object["events"] as? [[String: Any]] ?? []
      #expect(events.map { $0["distinct_id"] as? String } == people)
      #expect(events.allSatisfy { $0["project"] as? String == project && $0["rules"] as? [String] == rules })
      let counts = try await service.get("/v1/reports/counts?by=rule&project=\(project)").object["rows"]
      let keys = (counts as? [[String: Any]] ?? []).compactMap { $0["key"] as? String }
      #expect(keys.sorted() == rules)
      let overview = try await service.get("/v1/reports/overview?project=\(project)").object
      #expect(overview["events"] as? Int == people.count && overview["selected"] as? Int == people.count)
      #expect((overview["rules"] as? [[String: Any]])?.count == rules.count)
    }
    #expect(try await service.get("/v1/reports/overview").object["events"] as? Int == 4)
  }

  @Test func `the overview of a rule set lists its include rules alone`() async throws {
    let service = try RunningService()
    let rules = """
      version: 1
      rules:
        - { id: home, include: { page: Home } }
        - { id: none, include: { page: Nowhere } }
        - { id: not.home, exclude: { page: Home } }
      """
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=x", headers: ["If-Match": "*"], body: Data(rules.utf8))
    #expect(put.status == 200, "\(put.text)")
    try await publish("chat", on: service)
    try await send(1, to: nil, on: service)
    for (query, expected) in [
      ("", ["chat.home", "home", "not.home"]), ("ruleset=default", ["home"]), ("ruleset=chat", ["chat.home"]),
    ] {
      for project in ["", "&project=default"] {
        let overview = try await service.get("/v1/reports/overview?\(query)\(project)").object
        let rules = overview["rules"] as? [[String: Any]] ?? []
        #expect(rules.compactMap { $0["id"] as? String }.sorted() == expected, "\(query)\(project)")
        #expect(rules.allSatisfy { ($0["series"] as? [Int])?.reduce(0, +) == 1 }, "\(query)\(project)")
      }
    }
    #expect(try await service.get("/v1/reports/overview?ruleset=none").status == 404)
  }

  @Test func `health, heat map and the list of projects keep projects apart`() async throws {
    let service = try RunningService()
    try await publish("default", on: service)
    let tree = """
      <viewTree version="1" app="shop" os="iOS" screen="390 844"><view class="UIWindow" frame="0 0 390 844">
      <view class="UIView" controller="Home" frame="0 0 390 844">
      <view class="UIButton" frame="9 9 90 40" title="Buy" actions="buy:"/></view></view></viewTree>
      """
    let added = try await service.send(
      "POST", "/v1/captures", headers: ["Content-Type": "application/xml"], body: Data(tree.utf8))
    let capture = try #require((added.object["capture"] as? [String: Any])?["id"] as? String)
    let elements = try await service.get("/v1/captures/\(capture)/elements").object["elements"] as? [[String: Any]]
    let button = try #require(elements?.last?["event_id"] as? String)
    for (number, project) in [nil, "shop", "shop", "chat"].enumerated() {
      let event = CollectTests.event(
        number,
        [
          "event_id": button,
          "properties": [
            "$screen_name": "Home", "$app_version": "\(number).0", "$page_x": 20 + number * 100, "$page_y": 20,
          ],
        ])
      let query = project.map { "?project=\($0)" } ?? ""
      #expect(try await service.post("/v1/collect\(query)", json: [event]).status == 200)
    }
    for (project, taps, versions) in [
      ("default", 1, ["0.0"]), ("shop", 2, ["1.0", "2.0"]), ("chat", 1, ["3.0"]), ("none", 0, []),
    ] {
      let health = try await service.get("/v1/reports/health?project=\(project)").object["rules"] as? [[String: Any]]
      let rule = try #require(health?.first)
      #expect(rule["events_24h"] as? Int == taps && rule["events_7d"] as? Int == taps, "\(project)")
      #expect((rule["last_seen"] as? String != nil) == (taps > 0))
      #expect((rule["versions"] as? [[String: Any]])?.map { $0["app_version"] as? String } == versions)
      let heat = try await service.get("/v1/reports/heatmap?capture=\(capture)&project=\(project)").object
      #expect(heat["events"] as? Int == taps, "\(project)")
      #expect((heat["points"] as? [Any])?.count == taps)
    }
    let all = try await service.get("/v1/reports/health").object["rules"] as? [[String: Any]]
    #expect(all?.first?["events_24h"] as? Int == 4)
    let projects = try await service.get("/v1/projects").object["projects"] as? [[String: Any]]
    #expect(projects?.map { $0["name"] as? String } == ["chat", "default", "shop"])
    #expect(projects?.allSatisfy { $0["last_seen"] is String } == true)
  }
}
