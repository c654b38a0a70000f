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

  @Test func `events carry their project, and lists and reports are of one`() async throws {
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
}
