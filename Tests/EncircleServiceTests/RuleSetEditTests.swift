import Foundation
import Testing

/// Edits of single rules through the API, as the page makes them.
@Suite struct RuleSetEditTests {
  private let path = "/v1/rulesets/default/draft/rules/"
  private let text = """
    version: 1
    rules:
      # Taps
      - id: a
        name: 'Taps' # of all
        owner: lin
        tags: [x, "y"]
        from: 2026-01-01
        sameKind: true
        include:
          event: "$AppClick" # the tap
          where: { price: { ">": 1.50 }, number: { equals: 12345678901234567890 } }
        # never there
        unless: { page: Secret }
      - { id: b, include: { event: x }, owner: 'bob' } # short

    """

  private func service() async throws -> RunningService {
    let service = try RunningService()
    _ = try await service.replace(text, seen: "*")
    return service
  }

  private func draft(_ service: RunningService) async throws -> String {
    try await service.get("/v1/rulesets/default/draft").text
  }

  private func patch(
    _ service: RunningService, _ id: String, _ json: String, headers: [String: String] = [:]
  ) async throws -> HTTPAnswer {
    try await service.send("PATCH", path + id, headers: headers, body: Data(json.utf8))
  }

  @Test func `a change of one member changes nothing else, byte for byte`() async throws {
    let service = try await service()
    #expect(try await patch(service, "a", #"{"name":"Clicks"}"#).status == 200)
    #expect(try await draft(service) == text.replacing("'Taps'", with: "Clicks"))
    #expect(try await patch(service, "b", #"{"description":"B","owner":null}"#).status == 200)
    #expect(
      try await draft(service)
        == text.replacing("'Taps'", with: "Clicks").replacing(
          "{ id: b, include: { event: x }, owner: 'bob' } # short",
          with: "{ id: b, description: B, include: { event: x } } # short"))
  }

  @Test func `saving without a change makes no draft and withdraws no request for approval`() async throws {
    let service = try await service()
    for json in [#"{}"#, #"{"name":"Taps"}"#, #"{"emit":null,"id":"a"}"#] {
      let answer = try await patch(service, "a", json)
      #expect(answer.object["revision"] as? Int == 0 && answer.object["text"] as? String == text)
    }
    let rule = try await service.get(path + "b")
    #expect(try await service.send("PUT", path + "b", body: rule.body).object["revision"] as? Int == 0)
    #expect(try await service.get("/v1/rulesets/default/draft").status == 404)
    _ = try await patch(service, "a", #"{"name":"Clicks"}"#)
    let revision = try await service.get("/v1/rulesets/default/draft").headers["etag"]
    _ = try await patch(service, "a", #"{"name":"Clicks"}"#)
    #expect(try await service.get("/v1/rulesets/default/draft").headers["etag"] == revision)
  }

  @Test("an id that is a dot segment goes into the query", arguments: [".", ".."])
  func step(id: String) async throws {
    let service = try await service()
    let rule = path + "-?id=\(id)"
    let added = try await service.put(rule, json: ["include": ["page": "P"]], headers: ["If-None-Match": "*"])
    #expect(added.status == 200)
    #expect(try await service.get(rule).object["id"] as? String == id)
    let changed = try await patch(service, "-?id=\(id)", #"{"name":"New"}"#)
    #expect((changed.object["text"] as? String)?.contains("name: New") == true)
    let tag = try #require(changed.headers["etag"])
    #expect(try await service.delete(rule, headers: ["If-Match": tag]).status == 200)
    #expect(try await draft(service) == text)
  }

  @Test func `such an id in the path, as clients rewrite it, is not taken for the draft`() async throws {
    let service = try await service()
    #expect(try await patch(service, "a", #"{"name":"Clicks"}"#).status == 200)
    let before = try await draft(service)
    #expect(try await service.delete("/v1/rulesets/default/draft/").status == 404)
    #expect(try await service.put("/v1/rulesets/default/draft/", json: [:], headers: ["If-Match": "*"]).status == 404)
    #expect(try await draft(service) == before)
  }

  @Test func `a new rule replaces no rule, and a changed one no change by others`() async throws {
    let service = try await service()
    let rule: [String: Any] = ["include": ["page": "P"]]
    let refused = try await service.put(path + "a", json: rule, headers: ["If-None-Match": "*"])
    #expect(refused.status == 412 && refused.errorCode == "rule-exists")
    #expect(try await service.put(path + "new", json: rule, headers: ["If-None-Match": "*"]).status == 200)
    #expect(
      try await service.put(path + "new", json: rule, headers: ["If-None-Match": "*"]).errorCode == "rule-exists")
    let tag = try #require(try await service.get(path + "a").headers["etag"])
    let mine = try await patch(service, "a", #"{"name":"Mine"}"#, headers: ["If-Match": tag])
    #expect(mine.status == 200 && mine.headers["etag"] != tag)
    let theirs = try await patch(service, "a", #"{"name":"Theirs"}"#, headers: ["If-Match": tag])
    #expect(theirs.status == 412 && theirs.errorCode == "stale")
    #expect(try await patch(service, "none", #"{"name":"x"}"#).status == 404)
    #expect(try await patch(service, "none", #"{"name":"x"}"#, headers: ["If-Match": tag]).status == 412)
    #expect(try await patch(service, "a", #"{"nmae":"x"}"#).status == 422)
  }

  @Test func `many people who change rules at once lose nothing`() async throws {
    let service = try await service()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<6 {
        group.addTask {
          try await service.put(
            "/v1/rulesets/default/draft/rules/r\(number)", json: ["include": ["page": "P\(number)"]]
          ).status
        }
      }
      for try await status in group { #expect(status == 200) }
    }
    let text = try await draft(service)
    for number in 0..<6 { #expect(text.contains("- id: r\(number)\n")) }
  }

  // MARK: - Many at once

  private func patchAll(
    _ service: RunningService, _ json: String, headers: [String: String] = [:]
  ) async throws -> HTTPAnswer {
    try await service.send("PATCH", "/v1/rulesets/default/draft/rules", headers: headers, body: Data(json.utf8))
  }

  @Test func `one change of the draft adds and changes many rules`() async throws {
    let service = try await service()
    let answer = try await patchAll(
      service,
      #"""
      {"add":[{"id":"new.1","name":"首页","include":{"event":"$AppClick","page":"P"}},{"id":"new.2","include":{"page":"Q"}}],
      "change":{"a":{"owner":"wang","tags":["x"],"enabled":false},"b":{"owner":null,"tags":["x"]}}}
      """#)
    #expect(answer.status == 200, "\(answer.text)")
    let revision = try #require(answer.object["revision"] as? Int)
    #expect(revision > 0 && answer.headers["etag"] == "\"\(revision)\"")
    let draft = try await draft(service)
    #expect(
      draft
        == text.replacing("owner: lin\n    tags: [x, \"y\"]", with: "owner: wang\n    tags: [x]\n    enabled: false")
        .replacing(
          "{ id: b, include: { event: x }, owner: 'bob' } # short",
          with: "{ id: b, tags: [x], include: { event: x } } # short")
          + """
            - id: new.1
              name: 首页
              include: { event: $AppClick, page: P }
            - id: new.2
              include: { page: Q }

          """, "\(draft)")
    // All the same again changes nothing, as a draft that is known to be so.
    let again = try await patchAll(
      service, #"{"change":{"a":{"owner":"wang"}}}"#, headers: ["If-Match": "\"\(revision)\""])
    #expect(again.status == 200 && again.object["revision"] as? Int == revision)
    let changes = try await service.get("/v1/rulesets/default/draft/changes").object["changes"] as? [[String: Any]]
    #expect(Set(changes?.compactMap { $0["rule"] as? String } ?? []) == ["a", "b", "new.1", "new.2"])
  }

  @Test func `if one of many changes fails, none is made`() async throws {
    let service = try await service()
    let refused: [(String, Int, String?)] = [
      (#"{"add":[{"id":"c","include":{"page":"P"}},{"id":"a","include":{"page":"P"}}]}"#, 412, "rule-exists"),
      (#"{"change":{"a":{"owner":"x"},"none":{"owner":"x"}}}"#, 404, nil),
      (#"{"change":{"a":{"ownr":"x"}}}"#, 422, "unknown-member"), (#"{"change":{"a":{"id":"b"}}}"#, 422, "bad-value"),
      (#"{"change":{"a":{"include":[{"event":"x","event":"y"}]}}}"#, 422, "duplicate-member"),
      (#"{"add":[{"include":{"page":"P"}}]}"#, 422, "bad-value"), (#"{"add":[{"id":""}]}"#, 422, "bad-value"),
      (#"{"add":[{"id":"c"},{"id":"c"}]}"#, 422, "bad-value"), (#"{"add":{}}"#, 422, "bad-value"),
      (#"{}"#, 422, "bad-value"), (#"{"remove":["a"]}"#, 422, "unknown-member"), (#"{"add":["#, 400, "bad-json"),
      (
        "{\"add\":[{\"id\":\"c\",\"include\":\(String(repeating: "[", count: 40))\(String(repeating: "]", count: 40))}]}",
        422, "bad-value"
      ),
    ]
    for (json, status, code) in refused {
      let answer = try await patchAll(service, json)
      #expect(answer.status == status, "\(json): \(answer.text)")
      if let code { #expect(answer.errorCode == code, "\(json): \(answer.text)") }
    }
    #expect(try await service.get("/v1/rulesets/default/draft").status == 404)
    let stale = try await patchAll(service, #"{"change":{"a":{"owner":"x"}}}"#, headers: ["If-Match": "\"7\""])
    #expect(stale.status == 412)
  }
}
