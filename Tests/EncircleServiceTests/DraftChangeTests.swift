import EncircleTestSupport
import Foundation
import GRDB
import Testing

/// The changes of a draft with their authors, and parts of it: taken back, or published alone.
@Suite struct DraftChangeTests {
  private static let path = "/v1/rulesets/default/draft"
  private static let base = """
    version: 1
    rules:
      # Taps
      - id: a
        include: { event: a } # a tap

      - id: b
        include: { event: b }
    # The end.

    """

  /// A service on which Lin, who may publish, and Bob, an author, work.
  private struct Team {
    let service: RunningService
    let lin: [String: String]
    let bob: [String: String]

    init(_ text: String) async throws {
      service = try RunningService()
      let lin = try await service.token("lin", "publish", as: nil)
      let bob = try await service.token("bob", "author", as: lin)
      self.lin = bearer(lin)
      self.bob = bearer(bob)
      _ = try await service.replace(text, seen: "*", headers: self.lin)
    }

    func patch(_ id: String, _ json: String, as person: [String: String]) async throws {
      let answer = try await service.send("PATCH", path + "/rules/\(id)", headers: person, body: Data(json.utf8))
      #expect(answer.status == 200, "\(answer.text)")
    }

    func changes() async throws -> [String] {
      let list = try await service.get(path + "/changes", headers: lin).object["changes"] as? [[String: Any]] ?? []
      return list.map { "\($0["change"] ?? "") \($0["rule"] ?? "–") by \($0["by"] ?? "")" }
    }

    func text(_ what: String = "/draft") async throws -> String {
      try await service.get("/v1/rulesets/default" + what, headers: lin).text
    }
  }

  /// Lin has changed `a`; Bob has removed `b`, added `c`, and written a comment.
  private func team() async throws -> Team {
    let team = try await Team(Self.base)
    try await team.patch("a", #"{"emit":"tap"}"#, as: team.lin)
    #expect(try await team.service.delete(Self.path + "/rules/b", headers: team.bob).status == 200)
    let added = try await team.service.put(
      Self.path + "/rules/c", json: ["include": ["page": "P"]], headers: team.bob)
    #expect(added.status == 200)
    let text = try await team.text().replacing("# The end.", with: "# The very end.")
    _ = try await team.service.send(
      "PUT", Self.path, headers: team.bob.merging(["If-Match": "*"]) { $1 }, body: Data(text.utf8))
    return team
  }

  @Test func `each change keeps its author after others have saved the whole text`() async throws {
    let team = try await team()
    #expect(try await team.changes() == ["changed a by lin", "added c by bob", "removed b by bob", "rest – by bob"])
    try await team.patch("a", #"{"emit":"other"}"#, as: team.bob)
    #expect(try await team.changes().first == "changed a by bob")
    try await team.patch("a", #"{"emit":null}"#, as: team.lin)
    #expect(try await team.changes() == ["added c by bob", "removed b by bob", "rest – by bob"])
    #expect(try await team.service.get("/v1/rulesets/none/draft/changes", headers: team.lin).status == 404)
  }

  @Test func `a draft that is a single word has an error and does not remove all rules`() async throws {
    let team = try await Team(Self.base)
    let headers = team.lin.merging(["If-None-Match": "*"]) { $1 }
    let put = try await team.service.send("PUT", Self.path, headers: headers, body: Data("hello\n".utf8))
    #expect(put.status == 200 && (put.object["errors"] as? [Any])?.count == 1, "\(put.text)")
    for path in [Self.path + "/changes", "/v1/rulesets/default/rules?draft=true", Self.path + "/rules/a"] {
      let answer = try await team.service.get(path, headers: team.lin)
      #expect(answer.status == 422 && answer.errorCode == "broken-rules", "\(path): \(answer.text)")
      #expect(answer.text.contains("expected a rule file, a mapping with"), "\(answer.text)")
    }
  }

  @Test func `each change is taken back alone, and the last one with the draft`() async throws {
    let team = try await team()
    func revert(_ body: [String: Any], seen: String? = nil) async throws -> HTTPAnswer {
      var headers = team.lin
      headers["If-Match"] = seen
      return try await team.service.post(Self.path + "/revert", json: body, headers: headers)
    }
    #expect(try await revert(["rule": "a"], seen: "\"1\"").status == 412)
    #expect(try await revert(["rule": "x"]).errorCode == "no-such-change")
    #expect(try await revert([:]).status == 422)
    #expect(try await revert(["rule": "a", "rest": true]).status == 422)
    #expect(try await revert(["rule": "b"]).status == 200)
    #expect(try await team.changes() == ["changed a by lin", "added c by bob", "rest – by bob"])
    #expect(try await revert(["rest": true]).status == 200)
    #expect(try await team.changes() == ["changed a by lin", "added c by bob"])
    #expect(try await team.text().contains("# The end."))
    #expect(try await revert(["rule": "c"]).status == 200)
    #expect(try await team.text() == Self.base.replacing("# a tap\n", with: "# a tap\n    emit: tap\n"))
    let last = try await revert(["rule": "a"])
    #expect(last.object["revision"] as? Int == 0 && last.object["text"] as? String == Self.base)
    #expect(try await team.service.get(Self.path, headers: team.lin).status == 404)
  }

  @Test(
    "changes are taken back, and the last one with the draft, where rules are not in lines of their own",
    arguments: [
      """
      {
        "version": 1,
        "rules": [
          { "id": "r1", "include": { "event": "e" }, "tags": ["a"], "name": "n" },
          { "id": "r2", "include": { "event": "e2" } }
        ]
      }

      """,
      """
      version: 1
      rules:
        - id: r1
          tags: [a]
          name: n
          include: &tap { event: e }
        - id: r2
          include: *tap

      """,
    ])
  func withoutLines(text: String) async throws {
    let team = try await Team(text)
    try await team.patch("r1", #"{"name":"m","tags":null}"#, as: team.lin)
    try await team.patch("r2", #"{"name":"m"}"#, as: team.bob)
    func revert(_ rule: String) async throws -> HTTPAnswer {
      try await team.service.post(Self.path + "/revert", json: ["rule": rule], headers: team.lin)
    }
    #expect(try await revert("r1").status == 200)
    #expect(try await team.changes() == ["changed r2 by bob"])
    let last = try await revert("r2")
    #expect(last.object["revision"] as? Int == 0 && last.object["text"] as? String == text)
    #expect(try await team.service.get(Self.path, headers: team.lin).status == 404)
  }

  @Test func `a person's own changes can be published alone, and the others stay in the draft`() async throws {
    let team = try await team()
    let draft = try await team.text()
    let own = try await team.service.post(
      Self.path + "/publish", json: ["own": true, "reason": "taps"], headers: team.lin)
    #expect(own.status == 200 && own.object["has_draft"] as? Bool == true, "\(own.text)")
    #expect(try await team.text("") == Self.base.replacing("# a tap\n", with: "# a tap\n    emit: tap\n"))
    #expect(try await team.text() == draft)
    #expect(try await team.changes() == ["added c by bob", "removed b by bob", "rest – by bob"])
    let none = try await team.service.post(Self.path + "/publish", json: ["own": true], headers: team.lin)
    #expect(none.status == 409 && none.errorCode == "no-own-changes")
    #expect(try await team.service.post(Self.path + "/publish", json: [:], headers: team.lin).status == 200)
    #expect(try await team.text("") == draft)
    #expect(try await team.service.get(Self.path, headers: team.lin).status == 404)
  }

  @Test func `a person's own changes in an outdated draft are shown, and replace the named version`()
    async throws
  {
    let team = try await team()
    _ = try await team.service.replace(Self.base + "# newer\n", seen: "*", headers: team.lin)
    let own: [String: Any] = ["own": true, "version": 2]
    let refused = try await team.service.post(Self.path + "/publish", json: ["own": true], headers: team.lin)
    #expect(refused.status == 409 && refused.errorCode == "outdated-draft")
    let difference = try await team.service.post(
      "/v1/rules/diff",
      json: ["old": ["ruleset": "default"], "new": ["ruleset": "default", "draft": true, "by": "lin"]],
      headers: team.lin)
    #expect((difference.object["unified"] as? String)?.contains("-# newer") == true)
    let published = try await team.service.post(Self.path + "/publish", json: own, headers: team.lin)
    #expect(published.object["version"] as? Int == 3)
    #expect(try await team.text("") == Self.base.replacing("# a tap\n", with: "# a tap\n    emit: tap\n"))
    #expect(try await team.changes() == ["added c by bob", "removed b by bob", "rest – by bob"])
  }

  @Test(arguments: [("UPDATE rule_set_drafts SET revision = revision + 1", 200), ("DELETE FROM rule_set_drafts", 404)])
  func `the last change is taken back even if somebody changes or removes the draft meanwhile`(
    change: String, status: Int
  ) async throws {
    let team = try await Team(Self.base)
    try await team.patch("a", #"{"emit":"tap"}"#, as: team.lin)
    let file = team.service.directory.appendingPathComponent("encircle.sqlite")
    try await DatabaseQueue(path: file.path).write { database in
      // After the text without the change has been stored, and before the draft, which changes nothing any more, is removed.
      try database.execute(
        sql: """
          CREATE TRIGGER other AFTER INSERT ON audit WHEN NEW.action = 'draft.change' BEGIN \(change); END
          """)
    }
    let reverted = try await team.service.post(Self.path + "/revert", json: ["rule": "a"], headers: team.lin)
    #expect(reverted.status == 200 && reverted.object["text"] as? String == Self.base, "\(reverted.text)")
    #expect(try await team.service.get(Self.path, headers: team.lin).status == status)
  }

  @Test func `approval of a person's own changes is requested, shown and given for these alone`() async throws {
    let team = try await team()
    #expect(try await team.service.put("/v1/settings", json: ["approval": true], headers: team.lin).status == 200)
    let pending = try await team.service.post(Self.path + "/publish", json: ["own": true], headers: team.bob)
    #expect(pending.status == 202)
    let sets = try await team.service.get("/v1/rulesets", headers: team.lin).object["rulesets"] as? [[String: Any]]
    let submission = (sets?.first?["draft"] as? [String: Any])?["pending"] as? [String: Any]
    #expect(submission?["by"] as? String == "bob" && submission?["own"] as? Bool == true)
    let difference = try await team.service.post(
      "/v1/rules/diff",
      json: ["old": ["ruleset": "default"], "new": ["ruleset": "default", "draft": true, "by": "bob"]],
      headers: team.lin)
    #expect(
      difference.object["rules"] as? [[String: String]] == [
        ["id": "b", "change": "removed"], ["id": "c", "change": "added"],
      ])
    // Lin has made Bob's token, which does not keep her from approving what Bob asks for.
    let approved = try await team.service.post(Self.path + "/approve", json: [:], headers: team.lin)
    #expect(approved.status == 200, "\(approved.text)")
    let published = try await team.text("")
    #expect(published.contains("# The very end.") && !published.contains("emit: tap"))
    #expect(try await team.changes() == ["changed a by lin"])
  }

  @Test func `who has reviewed one person's own changes does not approve or reject another request`() async throws {
    let team = try await team()
    let made = try Tool.run(["token", "add", "eve", "--role", "publish", "--data", team.service.directory.path])
    let eve = bearer(made.text.trimmingCharacters(in: .newlines))
    #expect(try await team.service.put("/v1/settings", json: ["approval": true], headers: team.lin).status == 200)
    func request(_ body: [String: Any], as person: [String: String]) async throws -> Int {
      let answer = try await team.service.post(Self.path + "/publish", json: body, headers: person)
      #expect(answer.status == 202, "\(answer.text)")
      return try #require(answer.object["revision"] as? Int)
    }
    func approve(_ action: String, _ revision: Int) async throws -> HTTPAnswer {
      try await team.service.post(Self.path + action, json: ["revision": revision], headers: eve)
    }
    let first = try await request(["own": true], as: team.bob)
    #expect(try await request(["own": true, "reason": "soon"], as: team.bob) == first, "the same changes")
    let second = try await request(["own": true], as: team.lin)
    let third = try await request([:], as: team.lin)
    #expect(try await request([:], as: team.bob) == third, "the same changes")
    for seen in [first, second] {
      #expect(try await approve("/approve", seen).errorCode == "stale")
      #expect(try await approve("/reject", seen).errorCode == "stale")
    }
    let fourth = try await request(["own": true], as: team.lin)
    #expect(try await approve("/reject", fourth).status == 204)
    let fifth = try await request([:], as: team.lin)
    #expect(try await approve("/approve", fourth).errorCode == "stale")
    #expect(try await approve("/approve", fifth).object["version"] as? Int == 2)
  }
}
