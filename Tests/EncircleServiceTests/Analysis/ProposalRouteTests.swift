import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleService

/// Rules for many elements of a screen, from the proposal to the draft.
@Suite struct ProposalRouteTests {
  private func rules(_ answer: HTTPAnswer) throws -> [[String: Any]] {
    try #require(answer.object["rules"] as? [[String: Any]], "\(answer.text)")
  }

  @Test func `all elements of a screen get rules, with names by template and words and the reasons for doubts`()
    async throws
  {
    let service = try RunningService()
    let id = try #require(try await SelectorRouteTests.upload(["home-feed.xml"], to: service)["home-feed.xml"])
    let answer = try await service.post(
      "/v1/suggest/all",
      json: ["capture": id, "names": "{page}.{text}", "words": ["加入": "add", "HomeViewController": "start"]])
    #expect(answer.status == 200, "\(answer.text)")
    let rules = try rules(answer)
    let add = try #require(rules.first { $0["name"] as? String == "加入" })
    #expect(add["id"] as? String == "start.add" && add["emit"] as? String == "start.add")
    #expect(add["count"] as? Int == 3 && (add["elements"] as? [Int])?.count == 3)
    #expect((add["selector"] as? String)?.contains("section:* row:*") ?? false)
    #expect((add["clause"] as? [String: Any])?["page"] as? String == "HomeViewController")
    #expect(rules.contains { ($0["id"] as? String)?.hasPrefix("start.button_") ?? false })
    for rule in rules {
      let doubts = try #require(rule["doubtful"] as? [[String: Any]])
      if !doubts.isEmpty { #expect(rule["stability"] as? Int ?? 100 < 75) }
      for doubt in doubts { #expect(doubt["text"] is String && doubt["code"] is String) }
    }
    #expect(answer.object["beyond_limit"] as? Int == 0)
  }

  @Test func `chosen elements that have a rule in the draft get no other`() async throws {
    let service = try RunningService()
    let id = try #require(try await SelectorRouteTests.upload(["home-feed.xml"], to: service)["home-feed.xml"])
    _ = try await service.replace("version: 1\nrules: []\n", seen: "*")
    let body: [String: Any] = ["capture": id, "elements": [26, 27, 90], "draft": true, "ruleset": "default"]
    let first = try await service.post("/v1/suggest/all", json: body)
    let proposed = try rules(first)
    // The label inside the button stands for it.
    #expect(proposed.count == 2)
    let added = proposed.map { rule -> [String: Any] in
      ["id": rule["id"] ?? "", "include": rule["clause"] ?? [:], "emit": rule["emit"] ?? ""]
    }
    let saved = try await service.send(
      "PATCH", "/v1/rulesets/default/draft/rules", body: try JSONSerialization.data(withJSONObject: ["add": added]))
    #expect(saved.status == 200, "\(saved.text)")
    #expect((saved.object["errors"] as? [Any])?.isEmpty ?? false)
    let again = try await service.post("/v1/suggest/all", json: body)
    #expect(try rules(again).isEmpty)
    let others = try #require(again.object["others"] as? [[String: Any]])
    #expect(others.count == 2 && others.allSatisfy { $0["state"] as? String == "taken" })
    // The version in force has none of them.
    #expect(try rules(try await service.post("/v1/suggest/all", json: ["capture": id, "elements": [90]])).count == 1)
  }

  @Test func `an unreadable body is refused with the place`() async throws {
    let service = try RunningService()
    let id = try #require(try await SelectorRouteTests.upload(["cart.xml"], to: service)["cart.xml"])
    let cases: [([String: Any], Int, String, String?)] = [
      (["names": "{pgae}"], 422, "bad-template", "/names"), (["names": "cart"], 422, "bad-template", "/names"),
      (["words": ["首页": "家"]], 422, "bad-word", "/words/首页"), (["words": ["a": 1]], 422, "bad-value", "/words/a"),
      (["elements": [1_000_000]], 422, "bad-value", "/elements/0"), (["elements": 3], 422, "bad-value", "/elements"),
      (["ruleset": "none"], 404, "no-ruleset", nil), (["element": 3], 422, "unknown-member", "/element"),
    ]
    for (members, status, code, pointer) in cases {
      let answer = try await service.post("/v1/suggest/all", json: members.merging(["capture": id]) { $1 })
      #expect(answer.status == status && answer.errorCode == code, "\(members): \(answer.text)")
      let location = (answer.object["error"] as? [String: Any])?["location"] as? [String: Any]
      #expect(location?["pointer"] as? String == pointer, "\(members)")
    }
    #expect(try await service.post("/v1/suggest/all", json: ["capture": "none"]).status == 404)
    #expect(try await service.post("/v1/suggest/all", json: ["names": "{page}"]).status == 422)
  }
}
