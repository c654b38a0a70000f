import EncircleTestSupport
import Foundation
import Testing

@Suite struct FunctionTests {
  private static let path = "/v1/functions/decide"

  private func service() async throws -> RunningService {
    let service = try RunningService()
    for page in ["Home", "Cart"] {
      let rules = #"{"version":1,"rules":[{"id":"r","include":{"event":"E","page":"\#(page)"}}]}"#
      let put = try await service.send(
        "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*", "Content-Type": "application/json"],
        body: Data(rules.utf8))
      #expect(put.status == 200, "\(put.text)")
    }
    return service
  }

  private func event(_ page: String) -> String { #"{"event":"E","properties":{"$screen_name":"\#(page)"}}"# }

  private func ask(_ service: RunningService, _ query: String, _ body: Any) async throws -> HTTPAnswer {
    try await service.post(Self.path + query, json: body)
  }

  @Test func `every contract returns a result for each row in order, with a reason for bad rows`() async throws {
    let service = try await service()
    let rows: [[Any]] = [[event("Cart")], [event("Home")], [NSNull()], ["{"], [5], [], ["a", "b"], [["event": "E"]]]
    let selected = [1, 0, 0, 0, 0, 0, 0, 0]
    let isError = [false, false, true, true, true, true, true, false]
    func check(_ results: [Any], _ contract: String) throws {
      let objects = results.compactMap { $0 as? [String: Any] }
      #expect(objects.map { $0["selected"] as? Int } == selected, "\(contract)")
      #expect(objects.map { ($0["error"] as? String)?.isEmpty } == isError.map { !$0 }, "\(contract)")
      #expect(objects.map { $0["rules"] as? [String] } == selected.map { $0 == 1 ? ["r"] : [] }, "\(contract)")
      #expect(objects.allSatisfy { $0["rules_version"] as? String == "default@2" }, "\(contract)")
    }
    let bigQuery: [String: Any] = [
      "requestId": "124ab1c", "caller": "//bigquery.googleapis.com/p", "sessionUser": "a@example.com",
      "userDefinedContext": ["a": "b"], "calls": rows,
    ]
    try check(try #require(try await ask(service, "", bigQuery).object["replies"] as? [Any]), "BigQuery")

    let numbered = rows.enumerated().map { [$0 + 7] + $1 }
    let snowflake = try #require(try await ask(service, "", ["data": numbered]).object["data"] as? [[Any]])
    #expect(snowflake.map { $0[0] as? Int } == rows.indices.map { $0 + 7 })
    try check(snowflake.map { $0[1] }, "Snowflake")

    let redshift = try await ask(
      service, "", ["request_id": "23FF97F97A8A", "num_records": rows.count, "arguments": rows]
    ).object
    #expect(redshift["success"] as? Bool == true)
    #expect(redshift["num_records"] as? Int == rows.count)
    let texts = try #require(redshift["results"] as? [String])
    try check(try texts.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) }, "Redshift")
  }

  @Test func `columns name the arguments, and a version names the rules that decide`() async throws {
    let service = try await service()
    let body = ["calls": [["E", "Home", ["x": 1]], ["E", NSNull(), NSNull()]]]
    for (version, expected) in [
      ("&version=1", [1, 0]), ("&version=2", [0, 0]), ("&version=1", [1, 0]), ("", [0, 0]),
    ] {
      let answer = try await ask(service, "?columns=event,page,properties" + version, body)
      let replies = try #require(answer.object["replies"] as? [[String: Any]], "\(answer.text)")
      #expect(replies.map { $0["selected"] as? Int } == expected)
      #expect(replies.map { $0["error"] as? String } == ["", ""])
      #expect(replies[0]["rules_version"] as? String == (version == "&version=1" ? "default@1" : "default@2"))
    }
  }

  @Test(arguments: ["?version=1", "?version=2", ""])
  func `each version uses the current captures`(version: String) async throws {
    let service = try RunningService()
    for name in ["rule", "other"] {
      let rule = #"{"id":"\#(name)","include":{"selector":"ProductCell(section:0 row:*)/**/UIButton(0)"}}"#
      let put = try await service.send(
        "PUT", "/v1/rulesets/default", headers: ["If-Match": "*", "Content-Type": "application/json"],
        body: Data(#"{"version":1,"rules":[\#(rule)]}"#.utf8))
      #expect(put.status == 200, "\(put.text)")
    }
    let tap = #"{"event":"$AppClick","eventId":"19fcd72be0e5ed2e8c1f42ecda0f4102ab10d08d53612d354a3a44d51654479d"}"#
    func selected() async throws -> [Int?] {
      let replies = try await ask(service, version, ["calls": [[tap]]]).object["replies"] as? [[String: Any]]
      return try #require(replies).map { $0["selected"] as? Int }
    }
    #expect(try await selected() == [0])
    let name = "home-feed.xml"
    let id = try #require(try await SelectorRouteTests.upload([name], to: service)[name])
    #expect(try await selected() == [1])
    let matched = try await service.send("POST", "/v1/match", body: Data(tap.utf8))
    #expect(matched.text.contains(#""selected":true"#), "\(matched.text)")
    #expect(try await service.delete("/v1/captures/\(id)").status == 204)
    #expect(try await selected() == [0])
  }

  @Test func `a body that is not a batch is refused`() async throws {
    let service = try await service()
    let one = ["calls": [[event("Home")]]]
    #expect(try await ask(service, "?columns=none", one).status == 400)
    #expect(try await ask(service, "?columns=json,page", one).status == 400)
    #expect(try await ask(service, "?version=9", one).status == 404)
    #expect(try await ask(service, "?ruleset=none", one).status == 404)
    #expect(try await ask(service, "", ["rows": [1]]).status == 400)
    for broken: Any in [["calls": 5], ["calls": [5]], ["data": [[]]], ["data": [["x", "y"]]]] {
      #expect(try await ask(service, "", broken).status == 422)
    }
    #expect(try await service.send("POST", Self.path, body: Data("{".utf8)).status == 400)
    #expect(try await ask(service, "", ["calls": [Int]()]).text == #"{"replies":[]}"#)
  }
}
