import Foundation
import Testing

@Suite struct HTTPShapeTests {
  private func exchange(_ service: RunningService, _ text: String) async throws -> HTTPAnswer {
    try await service.exchange(Data(text.utf8))
  }

  @Test(arguments: [
    ("FOO /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad-http"),
    ("GET /healthz HTTP/2.7\r\nHost: a\r\n\r\n", 400, "bad-http"),
    ("\u{16}\u{3}\u{1}\r\n\r\n", 400, "bad-http"),
    ("GET /healthz HTTP/1.1\r\nX Y: 1\r\n\r\n", 400, "bad-http"),
    ("POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400, "bad-length"),
    ("POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400, "bad-length"),
    ("GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\nHost: a\r\n\r\n", 431, "header-too-large"),
    (
      "GET / HTTP/1.1\r\n" + (0..<200).map { "X\($0): 1\r\n" }.joined() + "\r\n", 431, "header-too-large"
    ),
  ])
  func `invalid HTTP is answered in the shape of all errors, and the connection ends`(
    request: String, status: Int, code: String
  ) async throws {
    let service = try RunningService()
    let answer = try await exchange(service, request)
    #expect(answer.status == status)
    #expect(answer.errorCode == code)
    #expect(answer.headers["connection"] == "close")
    #expect(answer.headers["content-length"] == String(answer.body.count))
    #expect(try await service.get("/healthz").status == 200)
  }

  @Test(
    "an address that is not percent-encoded is answered with how it is written",
    arguments: [
      ("/v1/captures?search=é", "percent-encoded"), ("/v1/rulesets/default/draft/rules/圈", "percent-encoded"),
      ("v1/captures", "begin with /"), ("/v1/captures?search=a b", "%20"),
    ])
  func plainAddress(address: String, hint: String) async throws {
    // curl sends addresses as they are.
    let answer = try await exchange(RunningService(), "GET \(address) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(answer.status == 400 && answer.errorCode == "bad-http")
    #expect(answer.text.contains(hint), "\(answer.text)")
  }

  @Test func `HEAD is answered as GET is, without the body`() async throws {
    let service = try RunningService()
    let whole = try await service.get("/v1/openapi.json")
    let head = try await service.send("HEAD", "/v1/openapi.json")
    #expect(head.status == 200)
    #expect(head.headers["content-length"] == String(whole.body.count))
    #expect(head.body.isEmpty)
  }

  @Test(arguments: ["POST", "OPTIONS", "TRACE", "PROPFIND", "CONNECT"])
  func `any other method of a path is a 405`(method: String) async throws {
    let answer = try await RunningService().send(method, "/healthz")
    #expect(answer.status == 405)
    #expect(answer.headers["allow"] == "GET, HEAD")
    #expect(answer.errorCode == "method-not-allowed")
  }

  @Test(arguments: [("GET /healthz", 200), ("POST /v1/collect", 200), ("CONNECT localhost:80", 404)])
  func `a request that asks for another protocol is answered, and ends the connection`(
    line: String, status: Int
  ) async throws {
    // Java's HttpClient and `curl --http2` ask so, and would wait for ever for the answer to the next request.
    let answer = try await exchange(
      RunningService(),
      "\(line) HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
        + "HTTP2-Settings: AAMAAABkAAQ\r\nContent-Length: 2\r\n\r\n[]")
    #expect(answer.status == status, "\(answer.text)")
    #expect(answer.headers["connection"] == "close")
  }

  @Test(arguments: ["Connection: Close", "Connection: TE, close", "Connection: TE\r\nConnection: close"])
  func `a client that asks to close the connection sees it closed after the answer, in any spelling`(
    header: String
  ) async throws {
    let service = try RunningService(["--idle-seconds", "30"])
    let answer = try await exchange(
      service, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\(header)\r\n\r\n" + Self.furtherRequest)
    #expect(answer.status == 200 && Self.isLast(answer))
  }

  @Test(
    "HTTP/1.0 is answered without chunks, and the connection ends after the answer",
    arguments: ["", "Connection: keep-alive\r\n"])
  func olderHTTP(header: String) async throws {
    let service = try RunningService(["--idle-seconds", "30"])
    let health = try await exchange(service, "GET /healthz HTTP/1.0\r\n\(header)\r\n" + Self.furtherRequest)
    #expect(health.status == 200 && health.headers["connection"] == "close" && Self.isLast(health))
    let event = #"{"event":"$AppClick"}"#
    let decided = try await exchange(
      service,
      "POST /v1/match HTTP/1.0\r\nHost: localhost\r\n\(header)Content-Type: application/x-ndjson\r\n"
        + "Content-Length: \(event.utf8.count)\r\n\r\n\(event)" + Self.furtherRequest)
    #expect(decided.status == 200 && decided.headers["transfer-encoding"] == nil && Self.isLast(decided))
    #expect(decided.object["line"] as? Int == 1, "\(decided.text)")
  }

  /// A pipelined request, which a service answers if it has not closed the connection.
  private static let furtherRequest = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

  /// Returns whether the connection ended after one answer.
  private static func isLast(_ answer: HTTPAnswer) -> Bool { !answer.text.contains("HTTP/1.1 ") }

  @Test func `a request with two Host headers is refused`() async throws {
    let answer = try await exchange(
      RunningService(), "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: other\r\nConnection: close\r\n\r\n")
    #expect(answer.status == 400 && answer.errorCode == "two-hosts")
  }

  @Test(arguments: ["gzip, chunked", "gzip", "identity, chunked", "gzip\r\nTransfer-Encoding: chunked"])
  func `a body in a transfer coding other than chunks is refused`(coding: String) async throws {
    let answer = try await exchange(
      RunningService(),
      "POST /v1/match HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: \(coding)\r\n\r\n2\r\n[]\r\n0\r\n\r\n")
    #expect(answer.status == 501 && answer.text.contains("unknown-transfer-encoding"), "\(answer.text)")
    #expect(answer.headers["connection"] == "close")
  }

  @Test(arguments: ["chunked", "Chunked", "chunked "])
  func `a body in chunks is read`(coding: String) async throws {
    let answer = try await exchange(
      RunningService(),
      "POST /v1/collect HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: \(coding)\r\n\r\n"
        + "2\r\n[]\r\n0\r\n\r\n")
    #expect(answer.status == 200, "\(answer.text)")
  }

  @Test func `an address has no more connections than its share`() async throws {
    let service = try RunningService(limits: ["connections_per_address": 4])
    let held = try (0..<4).map { _ in try RunningService.connect(to: service.port) }
    let refused = try? await service.get("/healthz").status
    #expect(refused == nil)
    for connection in held { close(connection) }
    #expect(try await service.waitsFor(200) { (try? await service.get("/healthz").status) ?? 0 })
  }

  @Test(arguments: [
    ("/v1/events?slected=true", "unknown-parameter", "slected", "Did you mean selected?"),
    ("/v1/rulesets?_=1", "unknown-parameter", "_", ""), ("/metrics?name", "unknown-parameter", "name", ""),
    ("/v1/events?limit=1&limit=2", "duplicate-parameter", "limit", ""),
    ("/v1/events?limit=1&li%6Dit=2", "duplicate-parameter", "limit", ""),
  ])
  func `a parameter that a route does not have, or that is there twice, is refused, as it would be ignored`(
    path: String, code: String, parameter: String, hint: String
  ) async throws {
    let answer = try await RunningService().get(path)
    #expect(answer.status == 400 && answer.errorCode == code, "\(answer.text)")
    let error = answer.object["error"] as? [String: Any]
    #expect((error?["location"] as? [String: Any])?["parameter"] as? String == parameter)
    #expect(hint.isEmpty || (error?["message"] as? String)?.contains(hint) == true)
  }

  @Test func `parameters of lists may be repeated, and SDKs may add any`() async throws {
    let service = try RunningService()
    for path in [
      "/v1/reports/series?event=a&event=b&where=page%3DA&where=page!%3DB", "/v1/live?from=2026-01-01",
      "/v1/collect?project=a&project=b&a=1&data=W10%3D", "/healthz?a=1&a=2",
    ] {
      let answer = try await service.send(path.hasPrefix("/v1/live") ? "HEAD" : "GET", path)
      #expect(answer.status == 200, "\(path): \(answer.text)")
    }
  }

  @Test func `JSON with more levels than the limit is refused, with the place`() async throws {
    let service = try RunningService(limits: ["depth": 16])
    func nested(_ levels: Int) -> Data {
      Data((String(repeating: #"{"a":"#, count: levels - 1) + "{}" + String(repeating: "}", count: levels - 1)).utf8)
    }
    for (method, path) in [
      ("POST", "/v1/rules/explain"), ("POST", "/v1/reports/retroactive"),
      ("PUT", "/v1/settings"), ("PUT", "/v1/rulesets/default/draft/rules/a"),
      ("PATCH", "/v1/rulesets/default/draft/rules"),
    ] {
      #expect(try await service.send(method, path, body: nested(16)).status == 422, "\(path)")
      let refused = try await service.send(method, path, body: nested(17))
      #expect(refused.status == 400 && refused.errorCode == "bad-json", "\(path): \(refused.text)")
      let location = (refused.object["error"] as? [String: Any])?["location"] as? [String: Any]
      #expect(location?["column"] as? Int == 81, "\(path)")
    }
    // An event has its own limit.
    let event =
      #"{"event":"a","type":"track","distinct_id":"p","_track_id":1,"properties":\#(String(decoding: nested(40), as: UTF8.self))}"#
    #expect(try await service.send("POST", "/v1/collect", body: Data(event.utf8)).object["stored"] as? Int == 1)
  }

  @Test func `JSON may begin with a byte order mark, which has no column`() async throws {
    let service = try RunningService()
    for (method, path, body) in [
      ("POST", "/v1/rules/check", #"{"text":"version: 1\nrules: []\n"}"#), ("PUT", "/v1/settings", "{}"),
      ("PUT", "/v1/rulesets/default/draft/rules/a", #"{"include":{"page":"P"}}"#),
      ("PATCH", "/v1/rulesets/default/draft/rules", #"{"add":[{"id":"b","include":{"page":"P"}}]}"#),
    ] {
      let answer = try await service.send(method, path, body: Data("\u{FEFF}\(body)".utf8))
      #expect(answer.status == 200, "\(path): \(answer.text)")
      let refused = try await service.send(method, path, body: Data("\u{FEFF}{]".utf8))
      #expect(refused.status == 400 && refused.errorCode == "bad-json", "\(path): \(refused.text)")
      let location = (refused.object["error"] as? [String: Any])?["location"] as? [String: Any]
      #expect(location?["column"] as? Int == 2, "\(path)")
    }
  }

  @Test(arguments: [("/v1/rules/check", 408), ("/v1/match", 200)])
  func `a client that waits for 100 Continue gets it when its body is read`(path: String, status: Int) async throws {
    let service = try RunningService(limits: ["stall_seconds": 1])
    let head = "POST \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n"
    // It sends nothing more, so that the body is too slow.
    let answer = try await exchange(service, head + "Expect: 100-continue\r\n\r\n")
    #expect(answer.status == 100, "\(answer.text)")
    #expect(answer.text.hasPrefix("HTTP/1.1 \(status) ") && answer.text.contains("too-slow"), "\(answer.text)")
    let sent = try await exchange(service, head + "Expect: 100-continue\r\n\r\n[]")
    #expect(sent.status != 408 && !sent.text.contains("too-slow"), "a body that is sent without waiting is read")
  }

  @Test(arguments: [
    ("POST /healthz", 2, 405), ("POST /none", 2, 404), ("POST /v1/captures", 1 << 40, 413),
    ("POST /v1/match?ruleset=none", 2, 404), ("PUT /v1/rulesets/default", 2, 428),
  ])
  func `a client that waits for 100 Continue gets a refusal at once, and the connection ends`(
    line: String, length: Int, status: Int
  ) async throws {
    let service = try RunningService(["--idle-seconds", "30"])
    let answer = try await exchange(
      service,
      "\(line) HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: \(length)\r\n\r\n")
    #expect(answer.status == status && answer.headers["connection"] == "close", "\(answer.text)")
    #expect(Self.isLast(answer))
  }

  @Test func `pipelined requests are answered in order`() async throws {
    let service = try RunningService()
    let many = String(repeating: "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", count: 20)
    let answer = try await exchange(service, many + "GET /none HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    let text = String(decoding: answer.body, as: UTF8.self)
    #expect(text.components(separatedBy: "HTTP/1.1 200 OK").count == 20)
    #expect(text.components(separatedBy: "HTTP/1.1 404 Not Found").count == 2)
  }
}
