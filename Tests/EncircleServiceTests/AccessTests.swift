import EncircleTestSupport
import Foundation
import GRDB
import Testing

@testable import EncircleService

@Suite struct AccessTests {
  private func bearer(_ token: String) -> [String: String] { ["Authorization": "Bearer \(token)"] }

  @Test func `roles include the ones before them, but only publish and collect may send events`() {
    #expect(Role.publish.includes(.read) && Role.publish.includes(.author) && Role.publish.includes(.collect))
    #expect(Role.author.includes(.read) && !Role.author.includes(.publish) && !Role.author.includes(.collect))
    #expect(!Role.collect.includes(.read) && Role.collect.includes(.collect) && !Role.read.includes(.author))
  }

  @Test func `without tokens everybody on this machine is let in, by the machine's own names only`() async throws {
    let service = try RunningService()
    let session = try await service.get("/v1/session").object
    #expect(session["authenticated"] as? Bool == true && session["tokens_exist"] as? Bool == false)
    for host in [
      "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1", "127.0.0.x", "[::1]evil.test",
      "localhost:80@evil.test", "localhost:", "localhost:abc", "localhost:65536", "[::1]:80:evil", "[::1",
    ] {
      #expect(try await service.requestRules(host: host).errorCode == "wrong-host", "\(host)")
    }
    for host in ["localhost", "LOCALHOST:80", "[::1]:8080", "127.0.0.1", "app.localhost:3000"] {
      #expect(try await service.requestRules(host: host).status == 200, "\(host)")
    }
  }

  @Test(arguments: ["1.0", "1.1"])
  func `without tokens, a request without the header Host is refused with the name of the header`(
    version: String
  ) async throws {
    let head = "GET /v1/rulesets HTTP/\(version)\r\nConnection: close\r\n\r\n"
    let answer = try await RunningService().exchange(Data(head.utf8))
    #expect(answer.status == 403 && answer.errorCode == "wrong-host" && answer.text.contains("the header Host"))
  }

  @Test func `without tokens, a proxy on this machine may keep the name of an allowed origin`() async throws {
    let service = try RunningService(["--allowed-origin", "https://rules.example"])
    for host in ["rules.example", "Rules.example:443", "localhost"] {
      #expect(try await service.requestRules(host: host).status == 200, "\(host)")
    }
    for host in ["rules.example:80", "evil.rules.example", "rules.example.evil", "evil.example"] {
      let refused = try await service.requestRules(host: host)
      #expect(refused.errorCode == "wrong-host" && refused.text.contains("--allowed-origin"), "\(host)")
    }
  }

  @Test func `pages of other origins can change nothing`() async throws {
    let service = try RunningService()
    let path = "/v1/settings"
    for headers in [
      ["Origin": "http://evil.example"], ["Origin": "null"],
      ["Origin": "http://127.0.0.1:\(service.port).evil.example"],
      ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
    ] {
      #expect(try await service.put(path, json: ["approval": true], headers: headers).errorCode == "foreign-origin")
      let token = try await service.post("/v1/tokens", json: ["name": "x", "role": "publish"], headers: headers)
      #expect(token.status == 403)
      #expect(try await service.post("/v1/session", json: ["token": "x"], headers: headers).status == 403)
    }
    let own = ["Origin": "http://127.0.0.1:\(service.port)", "Sec-Fetch-Site": "same-origin"]
    #expect(try await service.put(path, json: ["approval": true], headers: own).status == 200)
  }

  @Test
  func `behind a proxy a page is the service's own where the proxy keeps the host, with or without the usual port`()
    async throws
  {
    let service = try RunningService()
    let lin = try await service.token("lin", "publish", as: nil)
    for (host, origin, status) in [
      ("rules.example", "https://rules.example", 200), ("rules.example:443", "https://rules.example", 200),
      ("rules.example:80", "http://rules.example", 200), ("rules.example:8443", "https://rules.example:8443", 200),
      ("rules.example:443", "http://rules.example", 403), ("rules.example:8443", "https://rules.example", 403),
      ("127.0.0.1:8080", "https://rules.example", 403),
    ] {
      let head = [
        "PUT /v1/settings HTTP/1.1", "Host: \(host)", "Origin: \(origin)", "Authorization: Bearer \(lin)",
        "Content-Type: application/json", "Content-Length: 2", "Connection: close", "", "{}",
      ]
      let answer = try await service.exchange(Data(head.joined(separator: "\r\n").utf8))
      #expect(answer.status == status, "\(host) \(origin): \(answer.text)")
      if status == 403 { #expect(answer.text.contains("must keep the header Host")) }
    }
  }

  @Test func `pages of other origins cannot make a browser send events, with or without a session cookie`() async throws
  {
    let service = try RunningService()
    let event = ["event": "$AppClick", "distinct_id": "p"]
    let query = "/v1/collect?data=" + Data(#"{"event":"a","distinct_id":"p"}"#.utf8).base64EncodedString()
    for headers in [["Origin": "http://evil.example"], ["Sec-Fetch-Site": "cross-site"]] {
      #expect(try await service.post("/v1/collect", json: event, headers: headers).errorCode == "foreign-origin")
      #expect(try await service.get(query, headers: headers).errorCode == "foreign-origin")
    }
    #expect(try await service.post("/v1/collect", json: event).status == 200)
    let lin = try await service.token("lin", "publish", as: nil)
    let opened = try await service.post("/v1/session", json: ["token": lin])
    let cookie = ["Cookie": String(try #require(opened.headers["set-cookie"]).prefix { $0 != ";" })]
    #expect(try await service.get(query, headers: cookie).errorCode == "csrf")
  }

  @Test func `a login longer than any token is refused before it is read`() async throws {
    let service = try RunningService()
    let long = String(repeating: "x", count: 5_000)
    #expect(try await service.post("/v1/session", json: ["token": long]).status == 413)
  }

  @Test func `configured origins may use the API, and others are not answered`() async throws {
    let service = try RunningService(["--allowed-origin", "https://tools.example"])
    let headers = ["Origin": "https://tools.example", "Sec-Fetch-Site": "cross-site"]
    let asked = try await service.send(
      "OPTIONS", "/v1/settings", headers: headers.merging(["Access-Control-Request-Method": "PUT"]) { $1 })
    #expect(asked.status == 204 && asked.headers["access-control-allow-origin"] == "https://tools.example")
    let changed = try await service.put("/v1/settings", json: ["approval": false], headers: headers)
    #expect(changed.status == 200 && changed.headers["access-control-allow-origin"] == "https://tools.example")
    let wrong = try await service.get("/v1/rulesets/none", headers: headers)
    #expect(wrong.status == 404 && wrong.headers["access-control-allow-origin"] == "https://tools.example")
    let other = try await service.get("/v1/settings", headers: ["Origin": "https://other.example"])
    #expect(other.headers["access-control-allow-origin"] == nil)
    // A cache must not give this answer to a page of the named origin.
    #expect(other.headers["vary"] == "Origin" && changed.headers["vary"] == "Origin")
    #expect(
      try await service.put("/v1/settings", json: [:], headers: ["Origin": "https://other.example"]).status == 403)
  }

  @Test func `an allowed origin may name the default port, which browsers leave out`() async throws {
    let origins = ["https://a.example:443/", "http://B.example:80"]
    let service = try RunningService(origins.flatMap { ["--allowed-origin", $0] })
    for origin in ["https://a.example", "https://a.example:443", "http://b.example"] {
      let headers = ["Origin": origin, "Sec-Fetch-Site": "cross-site"]
      let answer = try await service.put("/v1/settings", json: [:], headers: headers)
      #expect(answer.status == 200 && answer.headers["access-control-allow-origin"] == origin, "\(origin)")
    }
    for origin in ["http://a.example", "https://b.example", "https://a.example:80", "http://b.example:443"] {
      #expect(try await service.put("/v1/settings", json: [:], headers: ["Origin": origin]).status == 403, "\(origin)")
    }
    for host in ["a.example", "a.example:443", "b.example"] {
      #expect(try await service.requestRules(host: host).status == 200, "\(host)")
    }
  }

  @Test func `pages of configured origins may send every header of the API`() async throws {
    let service = try RunningService(["--allowed-origin", "https://tools.example"])
    let asked = try await service.send(
      "OPTIONS", "/v1/live", headers: ["Origin": "https://tools.example", "Access-Control-Request-Method": "GET"])
    let allowed = (asked.headers["access-control-allow-headers"] ?? "").split(separator: ", ").map(String.init)
    let paths = try await service.get("/v1/openapi.json").object["paths"] as? [String: [String: Any]] ?? [:]
    let operations = paths.values.flatMap { $0.values.compactMap { $0 as? [String: Any] } }
    let parameters = operations.flatMap { $0["parameters"] as? [[String: Any]] ?? [] }
    let headers = Set(parameters.filter { $0["in"] as? String == "header" }.compactMap { $0["name"] as? String })
    // A page that may send a token cannot use `EventSource`, and its own reader comes back with this one.
    #expect(headers.contains("Last-Event-ID"))
    #expect(headers.isSubset(of: allowed), "\(headers.subtracting(allowed))")
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
      try ToolRun(["token", "add", name, "--role", role, "--data", directory.path]).output
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
    for json: [String: Any] in [
      ["name": "", "role": "read"], ["name": "x", "role": "king"], ["name": "x", "role": "read", "days": 0],
      ["name": "a\nb", "role": "read"], ["role": "read"], ["name": 1, "role": "read"],
      ["name": String(repeating: "x", count: 101), "role": "read"],
    ] {
      #expect(try await service.post("/v1/tokens", json: json, headers: bearer(lin)).status == 422, "\(json)")
    }
    let file = try Data(contentsOf: service.directory.appendingPathComponent("encircle.sqlite"))
    let log = try Data(contentsOf: service.directory.appendingPathComponent("encircle.sqlite-wal"))
    #expect((file + log).range(of: Data(lin.suffix(43).utf8)) == nil)
  }

  @Test func `a browser has a session, whose changes carry a second secret`() async throws {
    let service = try RunningService()
    let lin = try await service.token("lin", "publish", as: nil)
    let opened = try await service.post("/v1/session", json: ["token": lin])
    let csrf = try #require(opened.object["csrf"] as? String)
    let header = try #require(opened.headers["set-cookie"])
    #expect(header.contains("HttpOnly") && header.contains("SameSite=Strict") && !header.contains("Secure"))
    let cookie = ["Cookie": "x=1; \(header.prefix { $0 != ";" })"]
    #expect(try await service.get("/v1/session", headers: cookie).object["csrf"] as? String == csrf)
    #expect(try await service.get("/v1/rulesets", headers: cookie).status == 200)
    #expect(try await service.put("/v1/settings", json: [:], headers: cookie).errorCode == "csrf")
    let wrong = cookie.merging(["X-CSRF-Token": "no"]) { $1 }
    #expect(try await service.put("/v1/settings", json: [:], headers: wrong).errorCode == "csrf")
    let right = cookie.merging(["X-CSRF-Token": csrf]) { $1 }
    #expect(try await service.put("/v1/settings", json: [:], headers: right).status == 200)
    #expect(try await service.get("/v1/rulesets", headers: ["Cookie": "encircle_session=x"]).status == 401)
    let secure = try await service.post(
      "/v1/session", json: ["token": lin], headers: ["X-Forwarded-Proto": "https"])
    #expect(secure.headers["set-cookie"]?.contains("; Secure") == true)
    let closed = try await service.delete("/v1/session", headers: cookie)
    #expect(closed.status == 204 && closed.headers["set-cookie"]?.contains("Max-Age=0") == true)
    #expect(try await service.get("/v1/rulesets", headers: cookie).status == 401)
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

  @Test func `a session ends with its token, and outlives the process`() async throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let first = try RunningService(directory: directory)
    let lin = try await first.token("lin", "publish", as: nil)
    let made = try await first.post("/v1/tokens", json: ["name": "bob", "role": "read"], headers: bearer(lin)).object
    let opened = try await first.post("/v1/session", json: ["token": made["token"] as? String ?? ""])
    let cookie = ["Cookie": String(try #require(opened.headers["set-cookie"]).prefix { $0 != ";" })]
    first.crash()
    let second = try RunningService(directory: directory)
    #expect(try await second.get("/v1/rulesets", headers: cookie).status == 200)
    _ = try await second.delete("/v1/tokens/\(made["id"] as? String ?? "")", headers: bearer(lin))
    #expect(try await second.get("/v1/rulesets", headers: cookie).status == 401)
  }

  @Test func `failed logins are slowed down`() async throws {
    let service = try RunningService()
    let lin = try await service.token("lin", "publish", as: nil)
    for _ in 1...10 {
      #expect(try await service.post("/v1/session", json: ["token": "encircle_0_no"]).status == 401)
    }
    let slowed = try await service.post("/v1/session", json: ["token": "encircle_0_no"])
    #expect(slowed.status == 429 && slowed.headers["retry-after"] != nil)
    // Whoever shares the address of an attacker is not locked out.
    #expect(try await service.post("/v1/session", json: ["token": lin]).status == 200)
    #expect(try await service.get("/v1/rulesets", headers: bearer(lin)).status == 200)
    #expect(try await service.post("/v1/session", json: ["tokn": lin]).status == 422)
  }

  @Test(
    arguments: [
      ("10.0.0.9", ["10.0.0.1"], "10.0.0.9"), ("127.0.0.1", ["10.0.0.1"], "10.0.0.1"), ("127.0.0.1", [], "127.0.0.1"),
      ("127.0.0.1", ["10.0.0.1", "10.0.0.2, ::ffff:127.0.0.1"], "10.0.0.2"), ("::1", ["::ffff:10.0.0.1"], "10.0.0.1"),
      ("::ffff:127.0.0.1", ["10.0.0.1"], "10.0.0.1"), ("::ffff:10.0.0.9", ["10.0.0.1"], "10.0.0.9"),
      ("192.168.0.1", ["10.0.0.1"], "10.0.0.1"),
    ])
  func `headers of a trusted proxy count, even if IPv4 is written as IPv6`(
    peer: String, forwardedFor: [String], expected: String
  ) {
    var configuration = ServiceConfiguration()
    configuration.trustedProxies = ["127.0.0.1", "0:0:0:0:0:0:0:1", "::ffff:192.168.0.1"]
    let client = ClientAddress(configuration)
    #expect(client.address(from: ClientAddress.plain(peer), forwardedFor: forwardedFor) == expected)
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

  @Test func `settings are checked, and missing ones stay unchanged`() async throws {
    let service = try RunningService(["--retention-days", "9", "--redact", "$ip"])
    var settings = try await service.get("/v1/settings").object
    #expect(settings["retention_days"] as? Int == 9 && settings["redact"] as? [String] == ["$ip"])
    for json: [String: Any] in [
      ["retention_days": 0], ["retention_rows": 1.5], ["redact": [""]], ["redact": "x"], ["health_alpha": 0],
      ["health_alpha": 1], ["approval": "yes"], ["redact": ["/a~2"]], ["redact": [String(repeating: "x", count: 251)]],
      ["redact": Array(repeating: "x", count: 1_001)],
    ] {
      #expect(try await service.put("/v1/settings", json: json).status == 422, "\(json)")
    }
    settings = try await service.put("/v1/settings", json: ["health_alpha": 0.01]).object
    #expect(settings["health_alpha"] as? Double == 0.01 && settings["retention_days"] as? Int == 9)
    #expect(try await service.put("/v1/settings", json: [1]).status == 422)
    #expect(try await service.send("PUT", "/v1/settings", body: Data("{".utf8)).status == 400)
  }

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

  // MARK: - The tool

  @Test func `the tool changes tokens beside a running service`() async throws {
    let service = try RunningService()
    let data = ["--data", service.directory.path]
    let added = try ToolRun(["token", "add", "lin", "--role", "publish"] + data)
    #expect(added.status == 0)
    let token = added.output.trimmingCharacters(in: .newlines)
    #expect(try await service.get("/v1/rulesets", headers: bearer(token)).status == 200)
    let list = try ToolRun(["token", "list"] + data)
    #expect(list.output.contains("publish") && list.output.contains("lin") && !list.output.contains(token.suffix(43)))
    #expect(try ToolRun(["token", "add", "lin", "--role", "read"] + data).status == 64)
    #expect(try ToolRun(["token", "remove", "nobody"] + data).status == 1)
    #expect(try ToolRun(["token", "remove", "lin"] + data).status == 0)
    // The service looks for changed tokens once a second.
    #expect(try await service.waitsFor(401) { try await service.get("/v1/rulesets", headers: bearer(token)).status })
  }

  @Test func `the tool makes the first token of a directory that no service has used`() throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let data = ["--data", directory.appendingPathComponent("new").path]
    #expect(try ToolRun(["token", "list"] + data).status == 66)
    #expect(try ToolRun(["token", "add", "lin", "--role", "read"] + data).status == 64)
    #expect(try ToolRun(["token", "add", "lin", "--role", "publish"] + data).status == 0)
    #expect(try ToolRun(["token", "add", "app", "--role", "read", "--days", "30"] + data).status == 0)
    let lines = try ToolRun(["token", "list"] + data).output.split(separator: "\n")
    #expect(lines.count == 2 && Set(lines.map(\.count)).count == 1, "columns are aligned: \(lines)")
    let refused = try ToolRun(["token", "add", "x", "--role", "king"] + data)
    #expect(refused.status == 64)
    #expect(try ToolRun(["token", "list", "--data", "/dev/null"]).status == 66)
  }
}

extension RunningService {
  /// Makes a token.
  func token(_ name: String, _ role: String, as token: String?) async throws -> String {
    let headers = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    let answer = try await post("/v1/tokens", json: ["name": name, "role": role], headers: headers)
    return try #require(answer.object["token"] as? String, "\(answer.text)")
  }

  /// Asks for something under a name of the service.
  fileprivate func requestRules(host: String) async throws -> HTTPAnswer {
    try await exchange(Data("GET /v1/rulesets HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n".utf8))
  }
}

/// A run of the tool to its end.
struct ToolRun {
  var status: Int32
  var output: String
  var errors: String

  init(_ arguments: [String]) throws {
    let tool = try #require(BuiltTool.url, "the tool has not been built")
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // Neither is longer than what a pipe holds.
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }
}
