import EncircleTestSupport
import Foundation
import GRDB
import Synchronization
import Testing

@testable import EncircleService

@Suite struct TokenTests {
  @Test func `roles include the ones before them, but only publish and collect may send events`() {
    #expect(Role.publish.includes(.read) && Role.publish.includes(.author) && Role.publish.includes(.collect))
    #expect(Role.author.includes(.read) && !Role.author.includes(.publish) && !Role.author.includes(.collect))
    #expect(!Role.collect.includes(.read) && Role.collect.includes(.collect) && !Role.read.includes(.author))
  }

  @Test func `once a token exists, nobody gets in without one`() async throws {
    let service = try RunningService()
    let first = try await service.post("/v1/tokens", json: ["name": "a", "role": "read"])
    #expect(first.status == 409 && first.errorCode == "first-token")
    let lin = try await service.token("lin", "publish", as: nil)
    let without = try await service.get("/v1/rulesets")
    #expect(without.status == 401 && without.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
    #expect(try await service.get("/v1/session").object["authenticated"] as? Bool == false)
    #expect(try await service.get("/healthz").status == 200)
    #expect(try await service.get("/v1/rulesets", headers: bearer(lin)).status == 200)
    for header in [
      "Bearer \(lin)x", "Bearer \(lin.dropLast())", "Basic \(lin)", lin, "Bearer", "Bearer encircle__", "",
      "Bearer " + String(repeating: "x", count: 10_000),
    ] {
      #expect(
        try await service.get("/v1/rulesets", headers: ["Authorization": header]).status == 401, "\(header.prefix(40))")
    }
    let read = try await service.token("reader", "read", as: lin)
    #expect(try await service.get("/v1/rulesets", headers: bearer(read)).status == 200)
    #expect(try await service.get("/v1/tokens", headers: bearer(read)).status == 403)
    #expect(try await service.get("/v1/audit", headers: bearer(read)).status == 403)
    #expect(
      try await service.send("PUT", "/v1/rulesets/default/draft", headers: bearer(read), body: Data("x".utf8)).status
        == 403)
    let collect = try await service.token("app", "collect", as: lin)
    #expect(try await service.get("/v1/rulesets", headers: bearer(collect)).status == 403)
    // In an address no token opens anything but events, for which only tokens for them count there.
    #expect(try await service.get("/v1/rulesets?token=\(lin)").status == 401)
    let event = ["event": "$AppClick", "distinct_id": "p"]
    #expect(try await service.post("/v1/collect?token=\(lin)", json: event).status == 403)
    #expect(try await service.post("/v1/collect?token=\(collect)", json: event).status == 200)
    #expect(try await service.post("/v1/collect", json: event, headers: bearer(lin)).status == 200)
  }

  @Test func `a token with an unknown role may do nothing, not even send events`() async throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    func add(_ name: String, _ role: String) throws -> String {
      try Tool.run(["token", "add", name, "--role", role, "--data", directory.path]).text
        .trimmingCharacters(in: .newlines)
    }
    func change(_ sql: String) throws {
      let path = directory.appendingPathComponent("encircle.sqlite").path
      try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
    }
    let lin = try add("lin", "publish")
    let app = try add("app", "collect")
    try change("UPDATE tokens SET role = 'analyst' WHERE name = 'app'")
    let service = try RunningService(directory: directory)
    let event = ["event": "$AppClick", "distinct_id": "p"]
    for answer in [
      try await service.get("/v1/rulesets", headers: bearer(app)),
      try await service.post("/v1/collect", json: event, headers: bearer(app)),
      try await service.post("/v1/collect?token=\(app)", json: event),
      try await service.post("/v1/session", json: ["token": app]),
    ] {
      #expect(answer.status == 403 && answer.errorCode == "unknown-role", "\(answer.text)")
    }
    let tokens = try await service.get("/v1/tokens", headers: bearer(lin)).object["tokens"] as? [[String: Any]]
    #expect(tokens?.first?["role"] as? String == "analyst")
  }

  @Test func `a password for a proxy is not taken for a token and locks nobody out`() async throws {
    let password = ["Authorization": "Basic bGluOnNlY3JldA=="]
    let event = ["event": "$AppClick", "distinct_id": "p"]
    let open = try RunningService(["--allow-anonymous"])
    #expect(try await open.get("/v1/rulesets", headers: password).status == 200)
    #expect(try await open.post("/v1/collect", json: event, headers: password).status == 200)
    let service = try RunningService()
    let lin = try await service.token("lin", "publish", as: nil)
    let app = try await service.token("app", "collect", as: lin)
    #expect(try await service.get("/v1/rulesets", headers: password).errorCode == "unauthorized")
    #expect(try await service.post("/v1/collect?token=\(app)", json: event, headers: password).status == 200)
    let opened = try await service.post("/v1/session", json: ["token": lin], headers: password)
    let cookie = ["Cookie": String(try #require(opened.headers["set-cookie"]).prefix { $0 != ";" })]
    #expect(try await service.get("/v1/rulesets", headers: cookie.merging(password) { $1 }).status == 200)
  }

  @Test func `tokens are listed without their secrets, and end when they are removed`() async throws {
    let service = try RunningService()
    let lin = try await service.token("lin", "publish", as: nil)
    let made = try await service.post(
      "/v1/tokens", json: ["name": "bob", "role": "read", "days": 3], headers: bearer(lin)
    ).object
    let bob = try #require(made["token"] as? String)
    #expect(made["expires_at"] is String)
    let taken = try await service.post("/v1/tokens", json: ["name": "bob", "role": "read"], headers: bearer(lin))
    #expect(taken.status == 409 && taken.errorCode == "name-taken")
    let list = try await service.get("/v1/tokens", headers: bearer(lin))
    #expect(list.object["total"] as? Int == 2 && !list.text.contains(bob.suffix(43)))
    let id = try #require(made["id"] as? String)
    #expect(try await service.get("/v1/rulesets", headers: bearer(bob)).status == 200)
    #expect(try await service.delete("/v1/tokens/bob", headers: bearer(lin)).status == 404)
    #expect(try await service.delete("/v1/tokens/\(id)", headers: bearer(lin)).status == 204)
    #expect(try await service.get("/v1/rulesets", headers: bearer(bob)).status == 401)
    for (json, member): ([String: Any], String) in [
      (["name": "", "role": "read"], "name"), (["name": "x", "role": "king"], "role"),
      (["name": "x", "role": "read", "days": 0], "days"), (["name": "a\nb", "role": "read"], "name"),
      (["role": "read"], "name"), (["name": 1, "role": "read"], "name"),
      (["name": String(repeating: "x", count: 101), "role": "read"], "name"),
      (["name": "x", "role": "read", "key": "phc_0123456789abcdef"], "role"),
      (["name": "x", "role": "collect", "key": "phc"], "key"),
    ] {
      let refused = try await service.post("/v1/tokens", json: json, headers: bearer(lin))
      let location = (refused.object["error"] as? [String: Any])?["location"] as? [String: Any]
      #expect(refused.status == 422 && location?["pointer"] as? String == "/\(member)", "\(json): \(refused.text)")
    }
    let file = try Data(contentsOf: service.directory.appendingPathComponent("encircle.sqlite"))
    let log = try Data(contentsOf: service.directory.appendingPathComponent("encircle.sqlite-wal"))
    #expect((file + log).range(of: Data(lin.suffix(43).utf8)) == nil)
  }

  @Test func `the last token that may make others cannot be removed`() async throws {
    let service = try RunningService()
    let lin = try await service.token("lin", "publish", as: nil)
    func remove(_ name: String) async throws -> HTTPAnswer {
      let tokens = try await service.get("/v1/tokens", headers: bearer(lin)).object["tokens"] as? [[String: Any]] ?? []
      let id = try #require(tokens.first { $0["name"] as? String == name }?["id"] as? String)
      return try await service.delete("/v1/tokens/\(id)", headers: bearer(lin))
    }
    _ = try await service.token("bob", "author", as: lin)
    _ = try await service.token("ada", "publish", as: lin)
    #expect(try await remove("ada").status == 204)
    let refused = try await remove("lin")
    #expect(refused.status == 409 && refused.errorCode == "last-publisher", "\(refused.text)")
    #expect(try await remove("bob").status == 204)
    // The only token may be removed: then none exists, as at the beginning.
    #expect(try await remove("lin").status == 204)
    #expect(try await service.get("/v1/tokens").object["total"] as? Int == 0)
  }

  @Test func `two publishers cannot remove each other at once, so that nobody could make tokens`() async throws {
    let service = try RunningService()
    let lin = try await service.token("lin", "publish", as: nil)
    let ada = try await service.token("ada", "publish", as: lin)
    _ = try await service.token("bob", "author", as: lin)
    let paths = [ada, lin].map { "/v1/tokens/\($0.split(separator: "_")[1])" }
    let callers = [bearer(lin), bearer(ada)]
    async let first = service.delete(paths[0], headers: callers[0])
    async let second = service.delete(paths[1], headers: callers[1])
    // The second token is the last one, or was removed before its request was looked at.
    let statuses = try await [first.status, second.status].sorted()
    #expect(statuses == [204, 409] || statuses == [204, 401])
  }

  @Test func `every change has an entry in the audit log`() async throws {
    let service = try RunningService()
    let lin = try await service.token("lin", "publish", as: nil)
    _ = try await service.replace(RuleSetRouteTests.one, seen: "*", headers: bearer(lin))
    _ = try await service.put("/v1/settings", json: ["retention_days": 3], headers: bearer(lin))
    let log = try await service.get("/v1/audit", headers: bearer(lin)).object
    let entries = try #require(log["entries"] as? [[String: Any]])
    #expect(entries.map { $0["action"] as? String } == ["settings.change", "ruleset.replace", "token.add"])
    #expect(entries.map { $0["by"] as? String } == ["lin", "lin", "anonymous"])
    #expect(try await service.get("/v1/audit?limit=1&offset=2", headers: bearer(lin)).object["total"] as? Int == 3)
  }

  @Test func `the log says who has sent a request`() async throws {
    let service = try RunningService(["--log-level", "debug", "--log-format", "json"])
    let lin = try await service.token("lin", "publish", as: nil)
    let reader = try await service.token("reader", "read", as: lin)
    #expect(try await service.get("/v1/screens", headers: bearer(lin)).status == 200)
    #expect(try await service.get("/v1/audit", headers: bearer(reader)).status == 403)
    #expect(try await service.get("/v1/events").status == 401)
    #expect(service.stop() == 0)
    let entries = try service.log().compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String]
    }.filter { $0["message"] == "request" }
    func callers(_ path: String) -> [String?] { entries.filter { $0["path"] == path }.map { $0["caller"] } }
    #expect(callers("/v1/screens") == ["lin"])
    #expect(callers("/v1/audit") == ["reader"])
    #expect(callers("/v1/events") == ["anonymous"])
  }

  @Test func `the tool changes tokens beside a running service`() async throws {
    let service = try RunningService()
    let data = ["--data", service.directory.path]
    let added = try Tool.run(["token", "add", "lin", "--role", "publish"] + data)
    #expect(added.status == 0)
    let token = added.text.trimmingCharacters(in: .newlines)
    #expect(try await service.get("/v1/rulesets", headers: bearer(token)).status == 200)
    let list = try Tool.run(["token", "list"] + data)
    #expect(list.text.contains("publish") && list.text.contains("lin") && !list.text.contains(token.suffix(43)))
    #expect(try Tool.run(["token", "add", "lin", "--role", "read"] + data).status == 64)
    #expect(try Tool.run(["token", "remove", "nobody"] + data).status == 1)
    #expect(try Tool.run(["token", "remove", "lin"] + data).status == 0)
    // The service looks for changed tokens once a second.
    #expect(try await service.waitsFor(401) { try await service.get("/v1/rulesets", headers: bearer(token)).status })
  }

  @Test func `a read that began before a token was removed does not bring it back`() async throws {
    let token = TokenRecord(
      id: "1", name: "lin", role: "read", hash: [1], createdAt: Date(), createdBy: "", expiresAt: nil)
    let (begun, begins) = AsyncStream.makeStream(of: Void.self)
    let (ended, ends) = AsyncStream.makeStream(of: Void.self)
    let reads = Mutex(0)
    let known = KnownCallers {
      let number = reads.withLock { reads in
        reads += 1
        return reads
      }
      guard number == 1 else { return ([], []) }
      begins.finish()
      for await _ in ended {}
      return ([token], [])
    }
    async let earlier = known.refresh()
    for await _ in begun {}
    #expect(try await known.refresh().tokens.isEmpty)
    ends.finish()
    let found = try await earlier
    #expect(found.tokens.isEmpty)
    #expect(try await known.snapshot().tokens.isEmpty)
  }

  #if os(Linux)
    @Test(arguments: ["mkfifo $D.p; exec 3<>$D.p 4>$D.p 3<&-; rm $D.p;", "exec 4>/dev/full;"])
    func `a token that cannot be written is removed again`(output: String) throws {
      let directory = try RunningService.newDirectory()
      defer { try? FileManager.default.removeItem(at: directory) }
      let tool = try #require(BuiltTool.url, "the tool has not been built")
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      let command = "exec \"$0\" token add lin --role publish --data \"$D\" >&4 4>&-"
      shell.arguments = ["-c", "D=\"$1\"; \(output) \(command)", tool.path, directory.path]
      shell.standardError = FileHandle.nullDevice
      try shell.run()
      shell.waitForEnd()
      #expect(shell.terminationStatus == 74)
      #expect(try Tool.run(["token", "list", "--data", directory.path]).text.isEmpty)
    }
  #endif

  @Test func `the tool makes the first token of a directory that no service has used`() throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let data = ["--data", directory.appendingPathComponent("new").path]
    #expect(try Tool.run(["token", "list"] + data).status == 66)
    #expect(try Tool.run(["token", "add", "lin", "--role", "read"] + data).status == 64)
    #expect(try Tool.run(["token", "add", "lin", "--role", "publish"] + data).status == 0)
    #expect(try Tool.run(["token", "add", "app", "--role", "read", "--days", "30"] + data).status == 0)
    let lines = try Tool.run(["token", "list"] + data).text.split(separator: "\n")
    #expect(lines.count == 2 && Set(lines.map(\.count)).count == 1, "columns are aligned: \(lines)")
    let refused = try Tool.run(["token", "add", "x", "--role", "king"] + data)
    #expect(refused.status == 64)
    #expect(try Tool.run(["token", "list", "--data", "/dev/null"]).status == 66)
  }
}
