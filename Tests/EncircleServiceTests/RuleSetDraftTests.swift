import EncircleTestSupport
import Foundation
import Testing

@Suite struct RuleSetDraftTests {
  private let path = "/v1/rulesets/default/draft"
  private let text = """
    version: 1
    rules:
      # Taps
      - id: a
        include: { event: $AppClick } # all of them

    """

  private func put(
    _ service: RunningService, _ text: String, seen: String? = nil, headers: [String: String] = [:]
  ) async throws -> HTTPAnswer {
    var headers = headers
    headers["If-Match"] = seen
    return try await service.send("PUT", path, headers: headers, body: Data(text.utf8))
  }

  @Test func `a draft may be broken, and what is published may not`() async throws {
    let service = try RunningService()
    #expect(try await service.get(path).errorCode == "no-draft")
    #expect(try await service.get("/v1/rulesets/none/draft").errorCode == "not-found")
    let broken = try await put(service, "version: 1\nrules:\n  - id: a\n")
    #expect(broken.status == 200 && (broken.object["errors"] as? [Any])?.count == 1)
    let read = try await service.get(path)
    #expect(read.text == "version: 1\nrules:\n  - id: a\n" && read.headers["etag"] == "\"1\"")
    #expect(try await service.post(path + "/publish", json: [:]).errorCode == "broken-rules")
    #expect(try await service.get("/v1/rulesets/default").headers["etag"]?.hasPrefix("\"0-") == true)
    #expect(try await put(service, text).status == 428)
    #expect(try await put(service, text, seen: "\"7\"").status == 412)
    #expect(try await put(service, text, seen: "\"1\"").object["revision"] as? Int == 2)
    let item = try #require(
      (try await service.get("/v1/rulesets").object["rulesets"] as? [[String: Any]])?.first?["draft"] as? [String: Any])
    #expect(item["revision"] as? Int == 2 && item["base_version"] as? Int == 0)
    let published = try await service.post(path + "/publish", json: ["reason": "taps"])
    #expect(published.object["version"] as? Int == 1)
    #expect(try await service.get(path).status == 404)
    #expect(try await service.get("/v1/rulesets/default").text == text)
  }

  @Test func `numbers of drafts are never reused`() async throws {
    let service = try RunningService()
    _ = try await put(service, text)
    #expect(try await service.delete(path, headers: ["If-Match": "\"2\""]).status == 412)
    #expect(try await service.delete(path).status == 204)
    #expect(try await service.delete(path).errorCode == "no-draft")
    #expect(try await put(service, text).object["revision"] as? Int == 2)
  }

  @Test func `a new draft may name its base version, which must be in force`() async throws {
    let service = try RunningService()
    let first = try #require(try await service.get("/v1/rulesets/default").headers["etag"])
    _ = try await service.replace(RuleSetRouteTests.two, seen: "*")
    let late = try await put(service, text, seen: first)
    #expect(late.status == 412 && late.errorCode == "stale", "\(late.text)")
    #expect(try await service.get(path).errorCode == "no-draft")
    let second = try #require(try await service.get("/v1/rulesets/default").headers["etag"])
    #expect(try await put(service, text, seen: second).object["revision"] as? Int == 1)
    #expect(try await put(service, text, seen: second).status == 412, "there is a draft now")
  }

  @Test func `a draft based on an outdated version is not published by accident`() async throws {
    let service = try RunningService()
    _ = try await put(service, text)
    _ = try await service.replace(RuleSetRouteTests.two, seen: "*")
    let outdated = try await service.post(path + "/publish", json: [:])
    #expect(outdated.status == 409 && outdated.errorCode == "outdated-draft")
    #expect(try await service.post(path + "/publish", json: ["version": 1, "revision": 9]).status == 412)
    #expect(try await service.post(path + "/publish", json: ["version": 1]).object["version"] as? Int == 2)
  }

  @Test func `writing one rule leaves the rest of the text unchanged`() async throws {
    let service = try RunningService()
    _ = try await service.replace(text, seen: "*")
    let changed = try await service.put(
      path + "/rules/a", json: ["id": "a", "include": ["event": "$AppClick"], "emit": "tap"])
    #expect(changed.status == 200)
    let wanted = text.replacing(
      "include: { event: $AppClick } # all of them\n",
      with: "include: { event: $AppClick } # all of them\n    emit: tap\n")
    #expect(changed.object["text"] as? String == wanted)
    #expect(try await service.get(path).text == wanted)
    #expect(try await service.get(path + "/rules/a").object["emit"] as? String == "tap")
    let added = try await service.put(path + "/rules/b%2Fc", json: ["exclude": ["page": "P"]])
    #expect((added.object["text"] as? String)?.hasSuffix("  - id: b/c\n    exclude: { page: P }\n") == true)
    #expect((added.object["errors"] as? [Any])?.isEmpty == true)
    #expect(try await service.delete(path + "/rules/b%2Fc").object["text"] as? String == wanted)
    #expect(try await service.delete(path + "/rules/b").status == 404)
    #expect(try await service.get(path + "/rules/b").status == 404)
    #expect(
      try await service.put(path + "/rules/a", json: ["include": 1], headers: ["If-Match": "\"9\""]).status == 412)
    let tag = try #require(try await service.get(path + "/rules/a").headers["etag"])
    // Changes by others to other rules are not a conflict.
    _ = try await service.put(path + "/rules/other", json: ["include": ["page": "P"]])
    let seen = try await service.put(
      path + "/rules/a", json: ["include": ["event": "$AppClick"], "emit": "tap"], headers: ["If-Match": tag])
    #expect(seen.status == 200 && seen.headers["etag"] == tag)
    #expect(try await service.delete(path + "/rules/other").status == 200)
    let wrong = try await service.put(path + "/rules/a", json: ["include": ["sector": "X"]])
    #expect((wrong.object["errors"] as? [Any])?.isEmpty == false)
  }

  @Test func `an invalid rule is refused and changes nothing`() async throws {
    let service = try RunningService()
    _ = try await service.replace(text, seen: "*")
    let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
    for (body, status) in [
      ("", 400), ("[]", 422), ("{\"id\":\"b\"}", 422), ("{\"inclde\":{}}", 422), ("{\"id\":1}", 422),
      ("{\"include\":\(deep)}", 422), (String(repeating: "[", count: 100_000), 400),
    ] {
      let answer = try await service.send("PUT", path + "/rules/a", body: Data(body.utf8))
      #expect(answer.status == status, "\(body.prefix(30)): \(answer.text.prefix(200))")
    }
    #expect(try await service.send("PUT", "/v1/rulesets/no/draft/rules/a", body: Data("{}".utf8)).status == 404)
    #expect(try await service.get(path).status == 404)
  }

  @Test func `with approval, another person publishes`() async throws {
    let service = try RunningService()
    let lin = try await service.token("lin", "publish", as: nil)
    let bob = try await service.token("bob", "author", as: lin)
    let ann = try await service.token("ann", "publish", as: lin)
    let made = try Tool.run(["token", "add", "eve", "--role", "publish", "--data", service.directory.path])
    let eve = made.text.trimmingCharacters(in: .newlines)
    #expect(try await service.put("/v1/settings", json: ["approval": true], headers: bearer(lin)).status == 200)
    #expect(try await service.replace(text, seen: "*", headers: bearer(lin)).errorCode == "approval-needed")
    let other = try await service.replace(text, "other", seen: "*", headers: bearer(lin))
    #expect(other.errorCode == "approval-needed" && other.text.contains("while the setting approval is off"))
    _ = try await put(service, text, headers: bearer(bob))
    #expect(try await service.post(path + "/approve", json: [:], headers: bearer(lin)).errorCode == "not-submitted")
    let pending = try await service.post(path + "/publish", json: ["reason": "taps"], headers: bearer(bob))
    #expect(pending.status == 202 && pending.object["pending"] as? Bool == true)
    #expect(try await service.post(path + "/approve", json: [:], headers: bearer(bob)).status == 403)
    // A change takes the request back.
    _ = try await put(service, text + "# more\n", seen: "*", headers: bearer(bob))
    #expect(try await service.post(path + "/approve", json: [:], headers: bearer(lin)).errorCode == "not-submitted")
    _ = try await service.post(path + "/publish", json: [:], headers: bearer(lin))
    // Lin knows Ann's token, having made it.
    for token in [lin, ann] {
      #expect(try await service.post(path + "/approve", json: [:], headers: bearer(token)).errorCode == "same-person")
    }
    #expect(try await service.post(path + "/reject", json: [:], headers: bearer(eve)).status == 204)
    #expect(try await service.post(path + "/reject", json: [:], headers: bearer(eve)).errorCode == "not-submitted")
    _ = try await service.post(path + "/publish", json: ["reason": "taps"], headers: bearer(lin))
    #expect(try await service.post(path + "/approve", json: [:], headers: bearer(eve)).object["version"] as? Int == 1)
    let version = try #require(
      (try await service.get("/v1/rulesets/default/history", headers: bearer(bob)).object["versions"]
        as? [[String: Any]])?.first)
    #expect(version["by"] as? String == "lin" && version["approved_by"] as? String == "eve")
    #expect(version["reason"] as? String == "taps")
  }

  @Test func `a draft is rejected only if it and the version in force are the ones that were read`() async throws {
    let service = try RunningService()
    let lin = try await service.token("lin", "publish", as: nil)
    let made = try Tool.run(["token", "add", "eve", "--role", "publish", "--data", service.directory.path])
    let eve = bearer(made.text.trimmingCharacters(in: .newlines))
    let headers = bearer(lin)
    #expect(try await service.put("/v1/settings", json: ["approval": true], headers: headers).status == 200)
    _ = try await put(service, text, headers: headers)
    let pending = try await service.post(path + "/publish", json: [:], headers: headers)
    let revision = try #require(pending.object["revision"] as? Int)
    let stale = try await service.post(path + "/reject", json: ["revision": revision - 1], headers: eve)
    #expect(stale.status == 412 && stale.errorCode == "stale", "\(stale.text)")
    let outdated = try await service.post(path + "/reject", json: ["revision": revision, "version": 7], headers: eve)
    #expect(outdated.status == 409 && outdated.errorCode == "outdated-draft", "\(outdated.text)")
    let seen = ["revision": revision, "version": 0]
    #expect(try await service.post(path + "/reject", json: seen, headers: eve).status == 204)
  }

  @Test func `a draft is submitted, published, approved or rejected only as it was read`() async throws {
    let service = try RunningService()
    let lin = try await service.token("lin", "publish", as: nil)
    let made = try Tool.run(["token", "add", "eve", "--role", "publish", "--data", service.directory.path])
    let eve = bearer(made.text.trimmingCharacters(in: .newlines))
    let headers = bearer(lin)
    let stale = ["If-Match": "\"7\""]
    func isStale(_ action: String, _ headers: [String: String], _ body: [String: Any] = [:]) async throws -> Bool {
      let answer = try await service.post(path + action, json: body, headers: headers)
      return answer.status == 412 && answer.errorCode == "stale" && answer.text.contains("The draft has changed")
    }
    let draft = try #require(try await put(service, text, headers: headers).headers["etag"])
    #expect(try await isStale("/publish", headers.merging(stale) { $1 }))
    #expect(try await isStale("/publish", headers.merging(["If-Match": draft]) { $1 }, ["revision": 7]))
    let bad = try await service.post(path + "/publish", json: [:], headers: headers.merging(["If-Match": "7"]) { $1 })
    #expect(bad.errorCode == "bad-etag")
    #expect(try await service.put("/v1/settings", json: ["approval": true], headers: headers).status == 200)
    #expect(try await isStale("/publish", headers.merging(stale) { $1 }), "a request for approval")
    #expect(try await isStale("/publish", headers, ["revision": 7]), "a request for approval")
    let seen = ["If-Match": draft]
    let pending = try await service.post(path + "/publish", json: [:], headers: headers.merging(seen) { $1 })
    #expect(pending.status == 202, "\(pending.text)")
    for action in ["/approve", "/reject"] {
      #expect(try await isStale(action, eve.merging(stale) { $1 }), "\(action)")
    }
    let approved = try await service.post(path + "/approve", json: [:], headers: eve.merging(seen) { $1 })
    #expect(approved.object["version"] as? Int == 1, "\(approved.text)")
  }

  @Test func `the makers of a token stay known after a token in between is removed`() async throws {
    let service = try RunningService()
    let alice = try await service.token("alice", "publish", as: nil)
    let made = try await service.post("/v1/tokens", json: ["name": "mule", "role": "publish"], headers: bearer(alice))
    let mule = try #require(made.object["token"] as? String)
    let second = try await service.token("second mule", "publish", as: mule)
    #expect(try await service.put("/v1/settings", json: ["approval": true], headers: bearer(alice)).status == 200)
    _ = try await put(service, text, headers: bearer(alice))
    #expect(try await service.post(path + "/publish", json: [:], headers: bearer(alice)).status == 202)
    let id = try #require(made.object["id"] as? String)
    #expect(try await service.delete("/v1/tokens/\(id)", headers: bearer(alice)).status == 204)
    // Another token of the same name does not hide who made the first one.
    let admin = try Tool.run(["token", "add", "mule", "--role", "publish", "--data", service.directory.path])
    let third = try await service.token("third mule", "publish", as: second)
    for token in [second, third] {
      #expect(try await service.post(path + "/approve", json: [:], headers: bearer(token)).errorCode == "same-person")
    }
    let other = admin.text.trimmingCharacters(in: .newlines)
    #expect(try await service.post(path + "/approve", json: [:], headers: bearer(other)).status == 200)
  }

  @Test func `a text with a NUL character is refused, as it would be stored truncated`() async throws {
    let service = try RunningService()
    _ = try await service.replace(RuleSetRouteTests.one, seen: "*")
    let rule = #"{"id":"n\u0000a","include":{"event":"z"}}"#
    let ids =
      "version: 1\nrules: [{ id: \"n\\0a\", include: { event: z } }, { id: \"n\\0b\", include: { event: z } }]\n"
    for (method, end, body, status) in [
      ("PUT", "/draft", "version: 1\nrules: []\n# a\0b\n# after\n", 422), ("PUT", "/draft", ids, 422),
      ("PUT", "", "version: 1\nrules: []\n# a\0b\n", 422), ("PUT", "", ids, 422),
      ("PATCH", "/draft/rules", #"{"add":[\#(rule)]}"#, 422), ("PUT", "/draft/rules/n%00a", rule, 404),
      ("POST", "/rollback", #"{"version":1,"reason":"before\u0000after"}"#, 422),
      ("PUT", "?reason=a%00b", RuleSetRouteTests.one, 400),
    ] as [(String, String, String, Int)] {
      let answer = try await service.send(
        method, "/v1/rulesets/default" + end, headers: end.hasPrefix("/") ? [:] : ["If-Match": "*"],
        body: Data(body.utf8))
      #expect(answer.status == status, "\(method) \(end): \(answer.text)")
    }
    #expect(try await service.get("/v1/rulesets/default/draft").errorCode == "no-draft")
    #expect(try await service.get("/v1/rulesets/default/history").object["total"] as? Int == 1)
    #expect(try await service.get("/v1/events?event=nu%00l").errorCode == "bad-query")
  }

  @Test func `without approval only the role publish publishes`() async throws {
    let service = try RunningService()
    let lin = try await service.token("lin", "publish", as: nil)
    let bob = try await service.token("bob", "author", as: lin)
    _ = try await put(service, text, headers: bearer(bob))
    let refused = try await service.post(path + "/publish", json: [:], headers: bearer(bob))
    #expect(refused.status == 403)
    let done = try await service.post(path + "/publish", json: [:], headers: bearer(lin))
    #expect(done.status == 200)
  }
}
