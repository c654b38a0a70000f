import Foundation
import Testing

@Suite struct CountFilterTests {
  @Test(arguments: ["rule", "event", "page", "app_version", "hour"])
  func `counts of every kind can be filtered by rule and by decision`(by: String) async throws {
    let service = try RunningService()
    let rules = "version: 1\nrules:\n  - id: taps\n    include: { event: $AppClick }\n"
    let published = try await service.send(
      "PUT", "/v1/rulesets/default", headers: ["If-Match": "*"], body: Data(rules.utf8))
    #expect(published.status == 200)
    let time = Int(Date().timeIntervalSince1970 * 1_000)
    let event: [String: Any] = [
      "_track_id": 1, "distinct_id": "a", "time": time, "type": "track", "event": "$AppClick",
      "properties": ["$app_version": "1.0", "$screen_name": "HomeViewController"],
    ]
    #expect(try await service.post("/v1/collect", json: [event]).status == 200)
    for (filter, count) in [("rule=taps", 1), ("selected=true", 1), ("rule=other", 0), ("selected=false", 0)] {
      let answer = try await service.get("/v1/reports/counts?by=\(by)&\(filter)")
      #expect(answer.status == 200)
      #expect((answer.object["rows"] as? [Any])?.count == count, "\(filter): \(answer.text)")
    }
  }
}
