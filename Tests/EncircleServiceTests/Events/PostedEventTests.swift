import EncircleTestSupport
import Foundation
import Testing

/// Requests of PostHog's and GrowingIO's SDKs to their built-in addresses.
@Suite struct PostedEventTests {
  private static let rules = #"""
    version: 1
    rules:
      - id: app.checkout
        include: { style: posthog, event: $autocapture, page: Cart, selector: "UIButton/**" }
      - id: cart.add
        include: { style: growingio, event: VIEW_CLICK, selector: "**/UIButton(1)" }

    """#

  /// The body of posthog-ios.
  private static func batch(_ uuids: String..., key: String = "phc_0123456789abcdef") throws -> Data {
    try JSONSerialization.data(withJSONObject: [
      "api_key": key, "sent_at": Date().ISO8601Format(),
      "batch": uuids.map { uuid in
        [
          "event": "$autocapture", "distinct_id": "u1", "timestamp": Date().ISO8601Format(), "uuid": uuid,
          "properties": [
            "$screen_name": "Cart", "$event_type": "touch", "$lib": "posthog-ios", "$app_version": "5.2",
            "$elements_chain": #"UIButton:text="Check out (3)"attr_id="checkout";UIView;UIWindow"#,
          ],
        ] as [String: Any]
      },
    ])
  }

  /// The body of posthog-js, from its queue.
  private static func web(_ uuid: String, key: String = "phc_0123456789abcdef") -> String {
    #"[{"uuid":"\#(uuid)","event":"$pageview","properties":{"token":"\#(key)","distinct_id":"w1","$pathname":"/cart","$lib":"web"},"offset":10}]"#
  }

  private static func clicks(_ numbers: Int...) throws -> Data {
    try JSONSerialization.data(
      withJSONObject: numbers.map { number in
        [
          "eventType": "VIEW_CLICK", "deviceId": "d1", "timestamp": 1_795_428_000_000, "eventSequenceId": number,
          "platform": "iOS", "domain": "com.example.shop", "path": "", "index": 2, "textValue": "加入购物车",
          "xcontent": "/0/0/0/1", "xpath": "/HomeViewController/UIView/UITableView/UIButton",
        ] as [String: Any]
      })
  }

  private func counts(_ answer: HTTPAnswer) -> [Int] {
    ["received", "stored", "repeated", "rejected"].map { answer.object[$0] as? Int ?? -1 }
  }

  private func events(of project: String, on service: RunningService) async throws -> [[String: Any]] {
    try await service.get("/v1/events?project=\(project)").object["events"] as? [[String: Any]] ?? []
  }

  @Test func `apps are served with only the host changed, with their keys as tokens and their origins`()
    async throws
  {
    let service = try RunningService(["--allowed-origin", "https://web.example"])
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*"], body: Data(Self.rules.utf8))
    #expect(put.status == 200, "\(put.text)")

    // PostHog, in all its forms: without tokens the key is the project.
    let body = try Self.batch("a", "b")
    let gzipped = ["Content-Type": "application/json; charset=utf-8", "Content-Encoding": "gzip"]
    #expect(
      counts(try await service.send("POST", "/batch", headers: gzipped, body: Data(gzip(Array(body))))) == [2, 2, 0, 0])
    #expect(counts(try await service.send("POST", "/batch/", body: body)) == [2, 0, 2, 0], "repeats")
    let page = ["Content-Type": "text/plain", "Origin": "https://web.example", "Sec-Fetch-Site": "cross-site"]
    let browser = try await service.send(
      "POST", "/e/?compression=gzip-js&ip=1&ver=1.418.10", headers: page, body: Data(gzip(Array(Self.web("c").utf8))))
    #expect(counts(browser) == [1, 1, 0, 0], "\(browser.text)")
    #expect(browser.headers["access-control-allow-origin"] == "https://web.example")
    let form = "data=" + Data(Self.web("c").utf8).base64EncodedString().replacing("=", with: "%3D")
    #expect(
      counts(try await service.send("POST", "/i/v0/e/?compression=base64", headers: page, body: Data(form.utf8))) == [
        1, 0, 1, 0,
      ])
    let one = #"{"api_key":"phc_0123456789abcdef","event":"bought","distinct_id":"u1","properties":[]}"#
    #expect(counts(try await service.send("POST", "/capture", body: Data(one.utf8))) == [1, 0, 0, 1])

    let stored = try await events(of: "phc_0123456789abcdef", on: service)
    #expect(stored.map { $0["page"] as? String } == ["/cart", "Cart", "Cart"])
    #expect(stored.map { $0["distinct_id"] as? String } == ["w1", "u1", "u1"])
    #expect(stored.map { $0["rules"] as? [String] } == [[], ["app.checkout"], ["app.checkout"]])
    let kept = (stored.first?["event_json"] as? [String: Any])?["properties"] as? [String: Any]
    #expect(kept?["token"] == nil && kept?["distinct_id"] as? String == "w1")

    // GrowingIO: 204 is what its SDK for browsers asks for.
    let collect = "/v3/projects/a1b2c3d4e5f60718/collect"
    let query = String(decoding: try Self.clicks(2), as: UTF8.self).addingPercentEncoding(
      withAllowedCharacters: .alphanumerics)!
    for (method, path, body) in [
      ("OPTIONS", collect, Data()), ("POST", collect + "?stm=1795428000000", try Self.clicks(1)),
      ("POST", "/v3/projects/%61%31b2c3d4e5f60718/collect", try Self.clicks(1, 2)),
      ("GET", collect + "?compress=0&data=\(query)", Data()),
    ] {
      let answer = try await service.send(method, path, body: body)
      #expect(answer.status == 204 && answer.body.isEmpty, "\(method) \(path) \(answer.text)")
    }
    let clicks = try await events(of: "a1b2c3d4e5f60718", on: service)
    #expect(clicks.map { $0["rules"] as? [String] } == [["cart.add"], ["cart.add"]])
    #expect(clicks.map { $0["distinct_id"] as? String } == ["d1", "d1"])

    // A refused request leaves an SDK its events.
    for (path, headers, body, status, code) in [
      (collect, ["X-Crypt-Codec": "1", "X-Compress-Codec": "2"], "\u{1}", 403, "encrypted"),
      (collect, ["Content-Type": "application/protobuf"], "\u{A}", 403, "unsupported-encoding"),
      (collect + "?compress=1", [:], "\u{1}", 403, "unsupported-encoding"),
      (collect, [:], "\u{A}\u{12}", 503, "damaged"),
      ("/batch", ["Content-Encoding": "br"], "x", 503, "unsupported-encoding"),
      ("/batch", ["Content-Encoding": "gzip"], "{}", 503, "damaged"),
      ("/batch", ["Content-Encoding": "gzip", "User-Agent": "posthog-ios/3.50.0"], "{}", 300, "damaged"),
      ("/e?compression=lz64", [:], "x", 503, "unsupported-encoding"),
      ("/batch", ["Content-Length": "99999999"], "", 413, "too-large"),
      (collect, ["Content-Length": "99999999"], "", 503, "too-large"),
      ("/e", ["Origin": "https://evil.example"], Self.web("d"), 503, "foreign-origin"),
      (collect, ["Sec-Fetch-Site": "cross-site"], "[]", 403, "foreign-origin"), ("/batch", [:], "", 400, "no-events"),
    ] as [(String, [String: String], String, Int, String)] {
      let answer = try await service.send("POST", path, headers: headers, body: Data(body.utf8))
      #expect(
        answer.status == status && answer.errorCode == code, "\(path) \(headers): \(answer.status) \(answer.text)")
    }

    // The answers that keep PostHog's SDKs quiet.
    for (method, path) in [("POST", "/flags/?v=2"), ("POST", "/decide/?v=3"), ("GET", "/array/phc_k/config")] {
      let answer = try await service.send(
        method, path, headers: page, body: Data(method == "POST" ? "{}".utf8 : "".utf8))
      #expect(answer.status == 200 && answer.object["autocapture_opt_out"] as? Bool == false, "\(path)")
      #expect(answer.object["hasFeatureFlags"] as? Bool == false && answer.object["sessionRecording"] as? Bool == false)
      #expect((answer.object["featureFlags"] as? [String: Any])?.isEmpty ?? (method == "GET"))
    }
    let script = try await service.get("/array/phc_k/config.js")
    #expect(script.headers["content-type"]?.hasPrefix("text/javascript") == true)
    #expect(script.headers["cross-origin-resource-policy"] == "cross-origin")
    #expect(script.text.contains(#"_POSTHOG_REMOTE_CONFIG["phc_k"] = { config: {"supportedCompression""#))
    for key in ["a%22b", "%3C", "a%2fb", String(repeating: "k", count: 201)] {
      #expect(try await service.get("/array/\(key)/config.js").status == 404, "\(key)")
    }
    let preflight = try await service.send(
      "OPTIONS", "/e/", headers: ["Origin": "https://web.example", "Access-Control-Request-Method": "POST"])
    #expect(preflight.status == 204 && preflight.headers["access-control-allow-origin"] == "https://web.example")

    // With tokens, the keys that the apps have are tokens, and their names the projects.
    let lin = try await bearer(service.token("lin", "publish", as: nil))
    func add(_ name: String, _ key: String?, _ role: String = "collect", project: String? = nil) async throws
      -> HTTPAnswer
    {
      var json = ["name": name, "role": role]
      (json["key"], json["project"]) = (key, project)
      return try await service.post("/v1/tokens", json: json, headers: lin)
    }
    #expect(try await add("shop", "phc_0123456789abcdef").status == 201)
    #expect(try await add("growing", "a1b2c3d4e5f60718").status == 201)
    #expect(try await add("other", "a1b2c3d4e5f60718").errorCode == "key-taken")
    for (key, role) in [("0123456789abcdefg", "read"), ("short", "collect"), ("0123456789 abcdefg", "collect")] {
      #expect(try await add("bad", key, role).status == 422, "\(key)")
    }
    #expect(counts(try await service.send("POST", "/batch", body: try Self.batch("e"))) == [1, 1, 0, 0])
    #expect(try await service.send("POST", collect, body: try Self.clicks(3)).status == 204)
    for body in [try Self.batch("f", key: "phc_wrong"), Data("[]".utf8)] {
      let refused = try await service.send("POST", "/batch", body: body)
      #expect(refused.status == 503 && refused.headers["retry-after"] == "3600", "\(refused.text)")
    }
    #expect(try await service.send("POST", "/v3/projects/wrong/collect", body: try Self.clicks(4)).status == 403)
    #expect(try await service.send("POST", "/batch", headers: lin, body: try Self.batch("g")).status == 200)
    let seen = try await service.get("/v1/events?limit=3", headers: lin).object["events"] as? [[String: Any]] ?? []
    #expect(seen.map { $0["project"] as? String } == ["shop", "growing", "shop"], "no token is written")
    // A second key, as of the app for another system, or a new one, sends to the same project.
    let key = "phc_second_key_of_shop"
    for (key, project) in [(nil, "shop"), (key, ""), (key, "\n")] as [(String?, String)] {
      let refused = try await add("a", key, project: project)
      let location = (refused.object["error"] as? [String: Any])?["location"] as? [String: Any]
      #expect(refused.status == 422 && location?["pointer"] as? String == "/project", "\(refused.text)")
    }
    let second = try await add("shop for Android", key, project: "shop")
    #expect(second.status == 201 && second.object["project"] as? String == "shop", "\(second.text)")
    #expect(counts(try await service.send("POST", "/batch", body: try Self.batch("h", key: key))) == [1, 1, 0, 0])
    let newest = try await service.get("/v1/events?limit=1", headers: lin).object["events"] as? [[String: Any]]
    #expect(newest?.first?["project"] as? String == "shop")
    #expect(try await service.get("/v1/rulesets", headers: bearer("phc_0123456789abcdef")).status == 403)
  }

  @Test func `the key of an app is in no log`() async throws {
    let service = try RunningService(["--log-level", "debug"])
    let key = "a1b2c3d4e5f60718"
    #expect(try await service.send("POST", "/v3/projects/\(key)/collect", body: try Self.clicks(1)).status == 204)
    #expect(try await service.get("/array/\(key)/config").status == 200)
    // A server URL that ends in a slash leads to paths with two.
    #expect(try await service.send("POST", "//v3/projects/\(key)/collect", body: try Self.clicks(2)).status == 204)
    #expect(try await service.get("//array//\(key)/config").status == 200)
    #expect(try await service.send("POST", "/batch", body: try Self.batch("a", key: key)).status == 200)
    service.stop()
    let log = try service.log()
    #expect(log.contains { $0.contains("/v3/projects/") } && !log.contains { $0.contains(key) })
  }
}
