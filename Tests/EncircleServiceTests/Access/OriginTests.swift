import Foundation
import Testing

@testable import EncircleService

@Suite struct OriginTests {
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

  @Test(arguments: [
    ("https://shop.example/", 200), ("https://shop.example", 200), ("https://shop.example:443/cart?a=/", 200),
    ("http://shop.example/", 403), ("https://shop.example.evil.example/", 403),
    ("https://evil.example/https://shop.example/", 403),
    ("shop.example", 403), ("", 403),
  ])
  func `pages of configured origins may also send events as the address of an image, which has no Origin`(
    page: String, status: Int
  ) async throws {
    let service = try RunningService(["--allowed-origin", "https://shop.example"])
    let query = "/v1/collect?data=" + Data(#"{"event":"a","distinct_id":"p"}"#.utf8).base64EncodedString()
    let headers = ["Sec-Fetch-Site": "cross-site"].merging(page.isEmpty ? [:] : ["Referer": page]) { $1 }
    #expect(try await service.get(query, headers: headers).status == status)
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

  @Test(arguments: [
    ("GET", "/none", "", 404), ("PUT", "/v1/captures", "", 405), ("GET", "/v1/rulesets/none", "", 404),
    ("POST", "/v1/tokens", "{", 400), ("GET", "/v1/settings?x=1", "", 400),
  ])
  func `pages of configured origins can read every error`(
    method: String, path: String, body: String, status: Int
  ) async throws {
    let service = try RunningService(["--allowed-origin", "https://tools.example"])
    let headers = ["Origin": "https://tools.example", "Content-Type": "application/json"]
    let answer = try await service.send(method, path, headers: headers, body: Data(body.utf8))
    #expect(answer.status == status && !answer.errorCode.isEmpty, "\(answer.text)")
    #expect(answer.headers["access-control-allow-origin"] == "https://tools.example")
    #expect(answer.headers["vary"] == "Origin")
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

  @Test(
    arguments: [
      ("10.0.0.9", ["10.0.0.1"], "10.0.0.9"), ("127.0.0.1", ["10.0.0.1"], "10.0.0.1"), ("127.0.0.1", [], "127.0.0.1"),
      ("127.0.0.1", ["10.0.0.1", "10.0.0.2, ::ffff:127.0.0.1"], "10.0.0.2"), ("::1", ["::ffff:10.0.0.1"], "10.0.0.1"),
      ("::ffff:127.0.0.1", ["10.0.0.1"], "10.0.0.1"), ("::ffff:10.0.0.9", ["10.0.0.1"], "10.0.0.9"),
      ("192.168.0.1", ["10.0.0.1"], "10.0.0.1"), ("127.0.0.1", ["10.0.0.1:4711"], "10.0.0.1"),
      ("127.0.0.1", ["10.0.0.1:4711, 127.0.0.1:80"], "10.0.0.1"), ("127.0.0.1", ["[2001:db8::1]:4711"], "2001:db8::1"),
      ("127.0.0.1", ["[2001:db8::1]"], "2001:db8::1"), ("127.0.0.1", ["2001:db8::1"], "2001:db8::1"),
    ])
  func `headers of a trusted proxy count, even if IPv4 is written as IPv6 or a port follows`(
    peer: String, forwardedFor: [String], expected: String
  ) {
    var configuration = ServiceConfiguration()
    configuration.trustedProxies = ["127.0.0.1", "0:0:0:0:0:0:0:1", "::ffff:192.168.0.1"]
    let client = ClientAddress(configuration)
    #expect(client.address(from: ClientAddress.plain(peer), forwardedFor: forwardedFor) == expected)
  }

  @Test(
    arguments: [
      ("10.1.2.3", ["203.0.113.7"], "203.0.113.7"), ("11.1.2.3", ["203.0.113.7"], "11.1.2.3"),
      ("::ffff:10.1.2.3", ["203.0.113.7"], "203.0.113.7"), ("fd12::3", ["2001:db8::1"], "2001:db8::1"),
      ("fe80::3", ["2001:db8::1"], "fe80::3"), ("172.31.255.255", ["203.0.113.7"], "203.0.113.7"),
      ("172.32.0.0", ["203.0.113.7"], "172.32.0.0"), ("192.168.0.1", ["203.0.113.7"], "203.0.113.7"),
      ("192.168.0.2", ["203.0.113.7"], "192.168.0.2"), ("100.64.0.9", ["203.0.113.7"], "203.0.113.7"),
      ("10.1.2.3", ["198.51.100.9, 203.0.113.7", "10.4.5.6, fd00::1"], "203.0.113.7"),
      ("10.1.2.3", ["203.0.113.7, unknown"], "unknown"), ("10.1.2.3", ["10.7.7.7, 10.4.5.6"], "10.7.7.7"),
    ])
  func `proxies are trusted by ranges of addresses, and a client in a range is the first address`(
    peer: String, forwardedFor: [String], expected: String
  ) {
    var configuration = ServiceConfiguration()
    configuration.trustedProxies = [
      "10.0.0.0/8", "fd00::/8", "172.16.9.9/12", "192.168.0.1/32", "::ffff:100.64.0.0/106",
    ]
    let client = ClientAddress(configuration)
    #expect(client.address(from: ClientAddress.plain(peer), forwardedFor: forwardedFor) == expected)
  }

  @Test func `all addresses, and the range of a single one, are ranges`() throws {
    for (range, inside, outside) in [
      ("0.0.0.0/0", "203.0.113.7", "2001:db8::1"), ("::/0", "2001:db8::1", "client"), ("::1/128", "::1", "::2"),
      ("127.0.0.1/32", "127.0.0.1", "127.0.0.2"), ("127.0.0.0/31", "127.0.0.1", "127.0.0.2"),
    ] {
      let ranges = [try #require(AddressRange(parsing: range))]
      #expect(ranges.contains(inside) && !ranges.contains(outside), "\(range)")
    }
  }

  @Test(arguments: [
    "10.0.0.0/33", "fd00::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.0/255.0.0.0", "/8",
    "10.0.0/8", "10/8", "10.0.0.0 /8", "10.0.0.0/ 8", "[fd00::]/8", "proxy.example", "", "10.0.0.1:80",
    "10.0.0.0/99999999999999999999",
  ])
  func `what is no range of addresses is refused`(text: String) { #expect(AddressRange(parsing: text) == nil) }
}

extension RunningService {
  /// Asks for something under a name of the service.
  fileprivate func requestRules(host: String) async throws -> HTTPAnswer {
    try await exchange(Data("GET /v1/rulesets HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n".utf8))
  }
}
