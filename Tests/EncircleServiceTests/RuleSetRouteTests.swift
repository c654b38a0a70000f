import EncircleTestSupport
import Foundation
import Testing

@Suite struct RuleSetRouteTests {
  static let one = "version: 1\nrules:\n  - id: a\n    include: { event: $AppClick }\n"
  static let two =
    one + "  - id: b\n    name: Second\n    origin: { tool: pendo, id: K3 }\n    exclude: { page: Secret }\n"

  @Test func `a new service has an empty rule set that was never published`() async throws {
    let service = try RunningService()
    let list = try await service.get("/v1/rulesets").object
    #expect(list["total"] as? Int == 1)
    let item = try #require((list["rulesets"] as? [[String: Any]])?.first)
    #expect(item["name"] as? String == "default" && item["version"] as? Int == 0 && item["has_draft"] as? Bool == false)
    let file = try await service.get("/v1/rulesets/default")
    #expect(file.text == "version: 1\nrules: []\n" && file.headers["etag"]?.hasPrefix("\"0-") == true)
    #expect(try await service.get("/v1/rulesets/none").status == 404)
    #expect(try await service.get("/v1/rulesets/a%2F..%2Fb").status == 404)
  }

  @Test func `a file is published where its version was seen, and never over another`() async throws {
    let service = try RunningService()
    #expect(try await service.replace(Self.one, seen: nil).status == 428)
    #expect(try await service.replace(Self.one, seen: "3").errorCode == "bad-etag")
    #expect(try await service.replace(Self.one, seen: "\"0\"").object["version"] as? Int == 1)
    let stale = try await service.replace(Self.two, seen: "\"0\"")
    #expect(stale.status == 412 && stale.headers["etag"] == "\"1\"")
    #expect(try await service.get("/v1/rulesets/default").text == Self.one)
    #expect(try await service.replace(Self.two, seen: "\"7\", \"1\"").object["version"] as? Int == 2)
    #expect(try await service.replace(Self.one, seen: "W/\"1\"").status == 412)
    #expect(try await service.replace(Self.one, seen: "*").object["version"] as? Int == 3)
    let tag = try #require(try await service.get("/v1/rulesets/default").headers["etag"])
    let known = try await service.get("/v1/rulesets/default", headers: ["If-None-Match": tag])
    #expect(known.status == 304 && known.body.isEmpty)
    // Rules of another service under the same number are others.
    let foreign = "\"3-0123456789abcdef\""
    #expect(try await service.get("/v1/rulesets/default", headers: ["If-None-Match": foreign]).text == Self.one)
    #expect(try await service.replace(Self.two, seen: foreign).status == 412)
    let next = try await service.replace(Self.two, seen: tag)
    #expect(next.object["version"] as? Int == 4)
    #expect(next.headers["etag"] == (try await service.get("/v1/rulesets/default").headers["etag"]))
  }

  @Test func `who publishes while others do gets the version and the ETag of the own text`() async throws {
    let service = try RunningService()
    let set = "/v1/rulesets/default"
    try await withThrowingTaskGroup(of: Void.self) { group in
      for person in 0..<8 {
        group.addTask {
          for number in 0..<10 {
            let text = Self.one + "  - { id: r\(person).\(number), include: { event: e } }\n"
            let answer = try await service.replace(text, seen: "*")
            let version = try #require(answer.object["version"] as? Int, "\(answer.text)")
            let found = try await service.get(set + "/history/\(version)")
            #expect(found.text == text && found.headers["etag"] == answer.headers["etag"])
            // Any plan may be replaced, so no other person's plan is in the way.
            let plan = "version: 1\nevents:\n  - event: e\(person).\(number)\n"
            let planned = try await service.send(
              "PUT", set + "/plan", headers: ["If-Match": "*"], body: Data(plan.utf8))
            #expect(planned.status == 200, "\(planned.text)")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `what the client has is not sent again, and HEAD says so too`() async throws {
    let service = try RunningService()
    _ = try await service.replace(Self.one, seen: "*")
    let set = "/v1/rulesets/default"
    let draft = try await service.send("PUT", set + "/draft", body: Data(Self.two.utf8))
    #expect(draft.status == 200)
    for path in [
      "", "?format=json", "/history/1", "/history/1?format=json", "/draft", "/draft/changes", "/draft/rules/b",
    ] {
      let tag = try #require(try await service.get(set + path).headers["etag"])
      for known in [tag, "\"0\", W/" + tag, "*"] {
        for method in ["GET", "HEAD"] {
          let answer = try await service.send(method, set + path, headers: ["If-None-Match": known])
          #expect(answer.status == 304 && answer.body.isEmpty, "\(method) \(path) \(known)")
          #expect(answer.headers["etag"] == tag && answer.headers["content-type"] == nil, "\(method) \(path)")
        }
      }
      let changed = try await service.get(set + path, headers: ["If-None-Match": "\"other\", 7"])
      #expect(changed.status == 200 && !changed.body.isEmpty, "\(path)")
    }
    // Only reading is conditional on it.
    let tag = try #require(draft.headers["etag"])
    let reverted = try await service.post(set + "/draft/revert", json: ["rule": "b"], headers: ["If-None-Match": tag])
    #expect(reverted.status == 200)
  }

  @Test func `a tag changed by a compressing proxy, such as nginx or Apache, names the same version`()
    async throws
  {
    let service = try RunningService()
    _ = try await service.replace(Self.one, seen: "*")
    let file = try #require(try await service.get("/v1/rulesets/default").headers["etag"])
    #expect(try await service.get("/v1/rulesets/default", headers: ["If-None-Match": "W/" + file]).status == 304)
    #expect(try await service.replace(Self.two, seen: "W/" + file).object["version"] as? Int == 2)
    let next = try #require(try await service.get("/v1/rulesets/default").headers["etag"])
    #expect(try await service.replace(Self.two, seen: "\(next.dropLast())-gzip\"").object["version"] as? Int == 3)
    let rule = "/v1/rulesets/default/draft/rules/b"
    let tag = try #require(try await service.get(rule).headers["etag"])
    #expect(try await service.delete(rule, headers: ["If-Match": "\"0\", W/" + tag]).status == 200)
  }

  @Test func `a broken file is refused with all its errors and leaves the old one in place`() async throws {
    let service = try RunningService()
    _ = try await service.replace(Self.one, seen: "*")
    let broken = try await service.replace(
      "version: 1\nrules:\n  - id: a\n    inclde: {}\n  - id: b\n    include: { sector: X }\n", seen: "*")
    #expect(broken.status == 422 && broken.errorCode == "broken-rules")
    let error = try #require(broken.object["error"] as? [String: Any])
    let details = try #require(error["details"] as? [[String: Any]])
    #expect(details.compactMap { ($0["location"] as? [String: Any])?["line"] as? Int } == [4, 6])
    #expect((details[0]["message"] as? String)?.contains("did you mean 'include'") == true)
    #expect(try await service.get("/v1/rulesets/default").text == Self.one)
    #expect(try await service.get("/v1/rulesets/default/history").object["total"] as? Int == 1)
  }

  @Test func `files that are not rules get an answer, whatever they are`() async throws {
    let service = try RunningService()
    let deep = Data(repeating: UInt8(ascii: "["), count: 100_000)
    let bodies: [Data] = [
      Data(), Data([0xFF, 0xFE, 0x00]), Data("[1, 2".utf8), deep, Data("version: 1\nrules: {{{{\n".utf8),
      Data("\u{0}".utf8), Data("{\"version\":1".utf8), Data("&a [*a, *a]".utf8),
    ]
    for body in bodies {
      let answer = try await service.send("PUT", "/v1/rulesets/default", headers: ["If-Match": "*"], body: body)
      #expect(
        answer.status == 422 && answer.errorCode == "broken-rules", "\(body.prefix(20)) \(answer.text.prefix(200))")
    }
    let packed = try await service.send(
      "PUT", "/v1/rulesets/default", headers: ["If-Match": "*", "Content-Encoding": "gzip"], body: Data("x".utf8))
    #expect(packed.status == 415)
    let small = try RunningService(["--body-bytes", "1024"])
    #expect(try await small.replace(String(repeating: "#", count: 2_000), seen: "*").status == 413)
    for (type, status) in [
      ("application/json", 422), ("APPLICATION/Json; charset=utf-8", 422), ("application/json-seq", 200),
    ] {
      let named = try await service.send(
        "PUT", "/v1/rulesets/default", headers: ["If-Match": "*", "Content-Type": type], body: Data(Self.one.utf8))
      #expect(named.status == status, "\(type): \(named.text)")
    }
  }

  @Test func `a file can be read and written as YAML and as JSON`() async throws {
    let service = try RunningService()
    let json = #"{"version":1,"rules":[{"id":"a","include":{"event":"$AppClick","where":{"price":{">":1.50}}}}]}"#
    let put = try await service.send(
      "PUT", "/v1/rulesets/prices", headers: ["If-Match": "*", "Content-Type": "application/json"],
      body: Data(json.utf8))
    #expect(put.status == 200)
    #expect(try await service.get("/v1/rulesets/prices?format=json").text == json.replacing("1.50", with: "1.5"))
    _ = try await service.replace(Self.two, seen: "*")
    let asked = try await service.get("/v1/rulesets/default", headers: ["Accept": "application/json"])
    #expect(
      asked.text
        == #"{"version":1,"rules":[{"id":"a","include":{"event":"$AppClick"}},{"id":"b","name":"Second","origin":{"tool":"pendo","id":"K3"},"exclude":{"page":"Secret"}}]}"#
    )
    for (accepted, type) in [
      ("application/json", "json"), ("Application/JSON; charset=utf-8", "json"),
      ("application/json;q=0.5, application/yaml;q=0", "json"), ("application/json, application/yaml", "yaml"),
      ("application/json;q=0", "yaml"), ("application/json; Q=0.000, */*", "yaml"), ("*/*", "yaml"),
    ] {
      let answer = try await service.get("/v1/rulesets/default", headers: ["Accept": accepted])
      #expect(answer.headers["content-type"] == "application/\(type); charset=utf-8", "\(accepted)")
    }
    #expect(try await service.get("/v1/rulesets/default?format=xml").status == 400)
  }

  @Test func `rules are listed in pages and searched, with one line each`() async throws {
    let service = try RunningService()
    _ = try await service.replace(Self.two, seen: "*")
    let all = try await service.get("/v1/rulesets/default/rules").object
    let rules = try #require(all["rules"] as? [[String: Any]])
    #expect(rules.map { $0["id"] as? String } == ["a", "b"] && all["total"] as? Int == 2)
    #expect(rules[0]["kind"] as? String == "include" && rules[1]["kind"] as? String == "exclude")
    #expect(rules[1]["summary"] as? String == "on Secret")
    #expect((rules[0]["clauses"] as? [[String: Any]])?.first?["event"] as? String == "$AppClick")
    let found = try await service.get("/v1/rulesets/default/rules?search=SECOND&limit=1").object
    #expect(((found["rules"] as? [[String: Any]])?.first?["id"] as? String) == "b" && found["total"] as? Int == 1)
    let origin = try await service.get("/v1/rulesets/default/rules?search=pendo").object["rules"] as? [[String: Any]]
    #expect(
      origin?.map { $0["id"] as? String } == ["b"]
        && origin?[0]["origin"] as? [String: String] == ["tool": "pendo", "id": "K3"])
    let rest = try await service.get("/v1/rulesets/default/rules?offset=2").object
    #expect((rest["rules"] as? [Any])?.isEmpty == true && rest["total"] as? Int == 2)
    for query in ["limit=0", "limit=1001", "offset=-1", "limit=x", "draft=maybe"] {
      #expect(try await service.get("/v1/rulesets/default/rules?\(query)").status == 400, "\(query)")
    }
    #expect(try await service.get("/v1/rulesets/default/rules?draft=true").errorCode == "no-draft")
    // One character with a thousand marks.
    let page = "e" + String(repeating: "\u{301}", count: 1_000)
    _ = try await service.replace(Self.one.replacing("event: $AppClick", with: "page: \(page)"), "marks", seen: "*")
    let marks = try await service.get("/v1/rulesets/marks/rules").object["rules"] as? [[String: Any]]
    #expect((marks?.first?["summary"] as? String)?.unicodeScalars.count == 300)
  }

  @Test func `the list says when events matched a rule`() async throws {
    let service = try RunningService()
    _ = try await service.replace(Self.two, seen: "*")
    _ = try await service.replace(Self.two, "other", seen: "*")
    let event: [String: Any] = [
      "type": "track", "event": "$AppClick", "distinct_id": "p", "time": Int(Date().timeIntervalSince1970 * 1_000),
      "properties": ["$screen_name": "Home"],
    ]
    #expect(try await service.post("/v1/collect", json: [event]).status == 200)
    let rules = try await service.get("/v1/rulesets/default/rules").object["rules"] as? [[String: Any]]
    #expect(rules?.map { $0["events_24h"] as? Int } == [1, 0])
    #expect(rules?[0]["last_seen"] is String && rules?[1]["last_seen"] is NSNull)
    // The other rule set has a rule of the same id, which counts together with the first.
    let others = try await service.get("/v1/rulesets/other/rules").object["rules"] as? [[String: Any]]
    #expect(others?.map { $0["events_24h"] as? Int } == [1, 0])
  }

  @Test func `a version that only orders the keys of a rule differently changes no rule`() async throws {
    let service = try RunningService()
    _ = try await service.replace(Self.one, seen: "*")
    _ = try await service.replace("version: 1\nrules:\n  - include: { event: $AppClick }\n    id: a\n", seen: "*")
    let versions = try #require(
      try await service.get("/v1/rulesets/default/history").object["versions"] as? [[String: Any]])
    #expect(versions.first?["change"] as? [String: Int] == ["added": 0, "removed": 0, "changed": 0])
  }

  @Test func `the history says who, why and how much, and allows going back`() async throws {
    let service = try RunningService()
    _ = try await service.replace(Self.one, seen: "*", reason: "the%20first")
    _ = try await service.replace(Self.two, seen: "*")
    let back = try await service.post("/v1/rulesets/default/rollback", json: ["version": 1, "reason": "too much"])
    #expect(back.object["version"] as? Int == 3)
    #expect(try await service.get("/v1/rulesets/default").text == Self.one)
    #expect(try await service.get("/v1/rulesets/default/history/2").text == Self.two)
    let versions = try #require(
      try await service.get("/v1/rulesets/default/history").object["versions"] as? [[String: Any]])
    #expect(versions.map { $0["version"] as? Int } == [3, 2, 1])
    #expect(versions.map { $0["reason"] as? String } == ["too much", "", "the first"])
    #expect(versions.allSatisfy { $0["by"] as? String == "anonymous" })
    let changes = versions.compactMap { $0["change"] as? [String: Int] }
    #expect(
      changes == [
        ["added": 0, "removed": 1, "changed": 0], ["added": 1, "removed": 0, "changed": 0],
        ["added": 1, "removed": 0, "changed": 0],
      ])
    #expect(try await service.get("/v1/rulesets/default/history?limit=1&offset=1").object["total"] as? Int == 3)
    for version in [0, -1, 9, Int.max] {
      #expect(
        try await service.post("/v1/rulesets/default/rollback", json: ["version": version]).status == 404, "\(version)")
    }
    #expect(try await service.get("/v1/rulesets/default/history/x").status == 404)
    #expect(try await service.post("/v1/rulesets/default/rollback", json: ["version": "1"]).status == 422)
    #expect(try await service.post("/v1/rulesets/default/rollback", json: [:]).status == 422)
  }

  @Test func `rolling back does not undo what somebody else has published meanwhile`() async throws {
    let service = try RunningService()
    _ = try await service.replace(Self.one, seen: "*")
    let seen = try #require(try await service.replace(Self.two, seen: "*").headers["etag"])
    _ = try await service.replace(Self.one + "# more\n", seen: "*")
    func rollBack(_ tag: String) async throws -> HTTPAnswer {
      try await service.post("/v1/rulesets/default/rollback", json: ["version": 1], headers: ["If-Match": tag])
    }
    for tag in [seen, "\"2\""] {
      let refused = try await rollBack(tag)
      #expect(refused.status == 412 && refused.errorCode == "stale", "\(tag): \(refused.text)")
    }
    #expect(try await service.get("/v1/rulesets/default").text == Self.one + "# more\n")
    for tag in ["\"3\"", "*"] { #expect(try await rollBack(tag).status == 200, "\(tag)") }
  }

  @Test func `a removed rule set continues its version numbers when it is made again`() async throws {
    let service = try RunningService()
    _ = try await service.replace(Self.one, "shop", seen: "*")
    #expect(try await service.delete("/v1/rulesets/shop", headers: ["If-Match": "\"9\""]).status == 412)
    #expect(try await service.delete("/v1/rulesets/shop").status == 204)
    #expect(try await service.get("/v1/rulesets/shop").status == 404)
    #expect(try await service.get("/v1/rulesets/shop/history").status == 404)
    #expect(try await service.get("/v1/rulesets/shop/history/1").status == 404)
    #expect(try await service.replace(Self.two, "shop", seen: "\"1\"").status == 412)
    #expect(try await service.replace(Self.two, "shop", seen: "*").object["version"] as? Int == 2)
    #expect(try await service.delete("/v1/rulesets/default").status == 409)
  }

  @Test func `names of rule sets are plain words`() async throws {
    let service = try RunningService()
    for name in ["-a", ".a", "a%20b", "%2e%2e", String(repeating: "a", count: 65), "%E4%BA%8B"] {
      let answer = try await service.replace(Self.one, name, seen: "*")
      #expect(answer.status == 404 && answer.text.contains("letters from A to Z and a to z"), "\(name)")
    }
    #expect(try await service.replace(Self.one, "A_1.b-c", seen: "*").status == 200)
  }

  @Test func `published versions survive a restart`() async throws {
    var service: RunningService? = try RunningService()
    let directory = try RunningService.newDirectory()
    service = try RunningService(directory: directory)
    _ = try await service?.replace(Self.two, "shop", seen: "*")
    #expect(service?.stop() == 0)
    service = try RunningService(directory: directory)
    #expect(try await service?.get("/v1/rulesets/shop").text == Self.two)
    #expect(try await service?.get("/v1/rulesets/shop/rules").object["total"] as? Int == 2)
    service = nil
    try FileManager.default.removeItem(at: directory)
  }

  @Test func `no published version is lost when the process is killed`() async throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    var acknowledged = 0
    for round in 0..<(TestSize.isFull ? 10 : 3) {
      let service = try RunningService(directory: directory)
      let found = try await service.get("/v1/rulesets/default/history").object
      let total = found["total"] as? Int ?? -1
      // The last one may have been written without its answer.
      #expect(total == acknowledged || total == acknowledged + 1)
      acknowledged = total
      let (answers, answered) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        var count = 0
        while true {
          let answer = try? await service.replace(Self.one + "# \(round) \(count)\n", seen: "*")
          answered.yield()
          guard answer?.status == 200 else {
            answered.finish()
            return count
          }
          count += 1
        }
      }
      var next = answers.makeAsyncIterator()
      for _ in 0...round { await next.next() }
      service.crash()
      acknowledged += await task.value
    }
    let service = try RunningService(directory: directory)
    let total = try await service.get("/v1/rulesets/default/history").object["total"] as? Int ?? -1
    #expect(total >= acknowledged && acknowledged > 0)
    #expect(try await service.get("/v1/rulesets/default").headers["etag"]?.hasPrefix("\"\(total)-") == true)
  }
}

extension RunningService {
  /// Publishes a file.
  ///
  /// - Parameter seen: The value of `If-Match`.
  func replace(
    _ text: String, _ name: String = "default", seen: String?, reason: String? = nil,
    headers: [String: String] = [:]
  ) async throws -> HTTPAnswer {
    var headers = headers
    headers["If-Match"] = seen
    return try await send(
      "PUT", "/v1/rulesets/\(name)" + (reason.map { "?reason=\($0)" } ?? ""), headers: headers, body: Data(text.utf8))
  }
}
