import Foundation
import Testing

@testable import EncircleService

@Suite struct BodyMemberTests {
  @Test func `an unknown member is refused, as a misspelt one would be ignored`() async throws {
    let service = try RunningService()
    let requests: [(method: String, path: String, body: String, member: String)] = [
      ("PUT", "/v1/settings", #"{"redacted_properties": ["$ip"]}"#, "redacted_properties"),
      ("POST", "/v1/tokens", #"{"name": "a", "role": "publish", "expires": 3}"#, "expires"),
      ("POST", "/v1/session", #"{"token": "a", "name": "b"}"#, "name"),
      ("POST", "/v1/rulesets/default/draft/publish", #"{"reasn": "a"}"#, "reasn"),
      ("POST", "/v1/rulesets/default/draft/approve", #"{"reasn": "a"}"#, "reasn"),
      ("POST", "/v1/rulesets/default/draft/reject", #"{"reasn": "a"}"#, "reasn"),
      ("POST", "/v1/rulesets/default/rollback", #"{"version": 1, "reasn": "a"}"#, "reasn"),
      ("POST", "/v1/connections", #"{"scheme": "sa12345678", "rule_set": "a"}"#, "rule_set"),
      ("POST", "/v1/reports/retroactive", #"{"clause": {"page": "A"}, "day": 3}"#, "day"),
      ("POST", "/v1/reports/retroactive", #"{"ruleset": "default", "drafts": true}"#, "drafts"),
    ]
    for (method, path, body, member) in requests {
      let answer = try await service.send(method, path, body: Data(body.utf8))
      #expect(answer.status == 422 && answer.errorCode == "unknown-member", "\(path): \(answer.text)")
      let location = (answer.object["error"] as? [String: Any])?["location"] as? [String: Any]
      #expect(location?["pointer"] as? String == "/\(member)", "\(path)")
    }
    #expect(try await service.get("/v1/session").object["tokens_exist"] as? Bool == false)
  }

  @Test(arguments: [
    ("PUT", "/v1/settings", #"{"retention_days": 7, "retention_days": 99}"#, "/retention_days"),
    ("PUT", "/v1/rulesets/default/draft/rules/z", #"{"include": {"page": "A"}, "include": {"page": "B"}}"#, "/include"),
    (
      "PATCH", "/v1/rulesets/default/draft/rules", #"{"change": {"a": {"name": "A"}, "a": {"name": "B"}}}"#, "/change/a"
    ),
  ])
  func `a duplicate member is refused, as one of its values would be ignored`(
    _ method: String, _ path: String, _ body: String, _ pointer: String
  ) async throws {
    let answer = try await RunningService().send(method, path, body: Data(body.utf8))
    #expect(answer.status == 422 && answer.errorCode == "duplicate-member", "\(answer.text)")
    let location = (answer.object["error"] as? [String: Any])?["location"] as? [String: Any]
    #expect(location?["pointer"] as? String == pointer, "\(answer.text)")
  }

  @Test func `an error is a sentence in the log, with its place`() {
    let error = #expect(throws: ServiceError.self) { try JSONBody(Array("{}".utf8)).required("redact").texts }
    #expect(error.map { "\($0)" } == "/redact: This is missing.")
  }
}
