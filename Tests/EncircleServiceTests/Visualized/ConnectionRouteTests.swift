import EncircleSDK
import EncircleTestSupport
import EncircleText
import Foundation
import GRDB
import Testing

@testable import EncircleService

@Suite struct ConnectionRouteTests {
  @Test func `a link has an unguessable code, which is shown once`() async throws {
    let service = try RunningService()
    let answer = try await service.post(
      "/v1/connections", json: ["scheme": "sa1234", "host": "192.168.1.5:8080", "project": "shop"])
    #expect(answer.status == 201)
    let link = try #require(answer.object["link"] as? String)
    let items = try #require(URLComponents(string: link)?.queryItems)
    let code = try #require(items.first?.value)
    #expect(code.utf8.count >= 22)
    #expect(items.last?.value == "http://192.168.1.5:8080/v1/visualized/\(code)?project=shop")
    let id = try #require((answer.object["connection"] as? [String: Any])?["id"] as? String)
    #expect(id != code)
    for path in ["/v1/connections", "/v1/connections/\(id)"] {
      #expect(try await !service.get(path).text.contains(code))
    }
    #expect(try await service.connection(id)["state"] as? String == "waiting")
    let (_, other) = try await service.connect()
    #expect(other != code)
  }

  @Test func `the audit log says who made a link and who ended its connection, without the code`() async throws {
    let service = try RunningService()
    let (id, code) = try await service.connect()
    #expect(try await service.delete("/v1/connections/\(id)").status == 204)
    #expect(try await service.delete("/v1/connections/\(id)").status == 404)
    let log = try await service.get("/v1/audit")
    let entries = log.object["entries"] as? [[String: Any]] ?? []
    #expect(entries.map { $0["action"] as? String } == ["connection.end", "connection.open"])
    #expect(
      entries.allSatisfy { $0["subject"] as? String == "connections/\(id)" && $0["by"] as? String == "anonymous" })
    #expect(!log.text.contains(code))
  }

  @Test func `a link that cannot be put into the audit log is not made`() async throws {
    let service = try RunningService()
    let database = try DatabaseQueue(path: service.directory.appendingPathComponent("encircle.sqlite").path)
    try await database.write { database in
      try database.execute(
        sql: "CREATE TRIGGER refusal BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'refused'); END")
    }
    #expect(try await service.post("/v1/connections", json: ["scheme": "sa1234"]).status == 500)
    #expect(try await service.get("/v1/connections").object["total"] as? Int == 0)
  }

  @Test func `behind a trusted proxy, a second phone is distinguished from the first`() async throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let configuration = directory.appendingPathComponent("service.yaml")
    try Data("trusted_proxies: [127.0.0.1]\n".utf8).write(to: configuration)
    let service = try RunningService(["--config", configuration.path])
    // A phone may have another address after 1.5 s without a message, so later messages do not show the difference.
    var time = Duration.seconds(2)
    while time >= .seconds(1.5) {
      let (_, code) = try await service.connect()
      let start = ContinuousClock.now
      var isOther: [Bool] = []
      for address in ["10.0.0.1", "10.0.0.2", "10.0.0.1"] {
        let answer = try await service.postScreen(code, AppMessage.body(), headers: ["X-Forwarded-For": address])
        isOther.append(answer.object["delay"] as? Int == -1)
      }
      time = ContinuousClock.now - start
      #expect(time >= .seconds(1.5) || isOther == [false, true, false])
    }
  }

  @Test func `the configuration limits connections and their messages`() async throws {
    let service = try RunningService(limits: ["app_connections": 1, "app_message_bytes": 2048])
    let (_, code) = try await service.connect()
    #expect(try await service.post("/v1/connections", json: ["scheme": "sa1"]).status == 503)
    #expect(try await service.postScreen(code, AppMessage.body() + Data(repeating: 0x20, count: 2_048)).status == 413)
  }

  @Test func `a link has the host of its request by default`() async throws {
    let service = try RunningService()
    let answer = try await service.post("/v1/connections", json: ["scheme": "sa1234"])
    let url = URLComponents(string: answer.object["link"] as? String ?? "")?.queryItems?.last?.value ?? ""
    #expect(url.hasPrefix("http://127.0.0.1:\(service.port)/v1/visualized/"))
  }

  @Test(arguments: [
    ("{}", "/scheme", 422), ("{\"scheme\":\"javascript\"}", "/scheme", 422),
    ("{\"scheme\":\"sa1\",\"kind\":\"x\"}", "/kind", 422), ("{\"scheme\":\"sa1\",\"host\":\"a b\"}", "/host", 422),
    ("{\"scheme\":\"sa1\",\"project\":\"%20\"}", "/project", 422),
    ("{\"scheme\":\"sa1\",\"ruleset\":\"none\"}", "/ruleset", 422), ("{", nil, 400), ("[]", "", 422),
  ])
  func `an unusable link is refused`(body: String, pointer: String?, status: Int) async throws {
    let service = try RunningService()
    let answer = try await service.send("POST", "/v1/connections", body: Data(body.utf8))
    #expect(answer.status == status)
    let location = (answer.object["error"] as? [String: Any])?["location"] as? [String: Any]
    #expect(location?["pointer"] as? String == pointer)
  }

  @Test(.articles("H54"))
  func `an app's screen is shown without what was typed, and kept as a capture`() async throws {
    let service = try RunningService()
    let (id, code) = try await service.connect()
    #expect(try await service.postScreen(code, AppMessage.body()).text == "{\"delay\":0}")
    let answer = try await service.get("/v1/connections/\(id)")
    #expect(!answer.text.contains("typed-secret"))
    let connection = try await service.connection(id)
    // On a busy machine, seconds may have passed since the message.
    #expect(["connected", "quiet"].contains(connection["state"] as? String))
    #expect(connection["app_id"] as? String == "com.example.shop")
    let screen = try #require(connection["screen"] as? [String: Any])
    #expect(screen["revision"] as? Int == 1 && screen["page"] as? String == "HomeViewController")
    // Circling on it uses its name among captures.
    #expect(screen["capture"] as? String == "live.\(id).1")
    #expect(try await service.get("/v1/captures/live.\(id).1/rules").status == 200)
    let elements = try #require(screen["elements"] as? [[String: Any]])
    #expect(
      elements.contains { $0["element_path"] as? String == "UIView/UIButton[1]" && $0["tappable"] as? Bool == true })
    #expect(elements.contains { $0["hidden"] as? Bool == true && $0["listed"] as? Bool == false })

    // Nothing has changed, and nothing does.
    #expect(try await service.postScreen(code, AppMessage.body(label: nil)).status == 200)
    #expect((try await service.connection(id)["screen"] as? [String: Any])?["revision"] as? Int == 1)

    let kept = try await service.post("/v1/connections/\(id)/keep", json: ["name": "Home, live"])
    #expect(kept.status == 201)
    let capture = try #require(kept.object["capture"] as? [String: Any])
    #expect(capture["name"] as? String == "Home, live" && capture["page"] as? String == "HomeViewController")
    let stored = try await service.get("/v1/captures/\(capture["id"] as? String ?? "")/elements")
    #expect((stored.object["elements"] as? [[String: Any]])?.count == elements.count)
    #expect(try await service.post("/v1/connections/\(id)/keep", json: ["name": 1]).status == 422)
  }

  @Test func `a request for anything missing is refused`() async throws {
    let service = try RunningService()
    let (id, _) = try await service.connect()
    #expect(try await service.get("/v1/connections/\(id)/screenshot").status == 404)
    #expect(try await service.post("/v1/connections/\(id)/keep", json: [:]).errorCode == "no-screen")
    for path in ["", "/screenshot", "/stream"] {
      #expect(try await service.get("/v1/connections/none\(path)").status == 404)
    }
    #expect(try await service.delete("/v1/connections/none").status == 404)
  }

  @Test func `an event is not streamed twice`() throws {
    let link = try FeatureLink(.visualized, scheme: "sa1", project: "p", host: "a")
    let connection = try VisualizedConnections().open(link, ruleSet: "default")
    #expect(connection.isNew(["event": "a"]))
    #expect(!connection.isNew(["event": "a"]))
    for number in 0..<2_000 { #expect(connection.isNew(["event": .number(DecimalNumber(number))])) }
    #expect(connection.isNew(["event": "a"]))
  }

  @Test func `notices of the SDK reach the person who circles`() async throws {
    let service = try RunningService()
    let (id, code) = try await service.connect()
    let notice = [
      "title": "No script", "message": "This page lacks it.", "link_text": "More", "link_url": "https://a.b",
    ]
    _ = try await service.postScreen(code, AppMessage.body(["app_alert_infos": [notice, ["title": " "], 5]]))
    let alerts = try await service.connection(id)["alerts"] as? [[String: String]]
    #expect(alerts == [notice])
  }

  @Test func `the code of a link is in no log`() async throws {
    let service = try RunningService(["--log-level", "debug"])
    let (_, code) = try await service.connect()
    _ = try await service.postScreen(code, AppMessage.body())
    _ = try await service.postScreen(code, Data("[".utf8))
    service.stop()
    let log = try service.log()
    #expect(log.contains { $0.contains("/v1/visualized/") } && !log.contains { $0.contains(code) })
  }

  @Test func `only the first app may post, and others are asked to stop`() async throws {
    let service = try RunningService()
    let (id, code) = try await service.connect()
    let (otherID, otherCode) = try await service.connect()
    _ = try await service.postScreen(code, AppMessage.body(label: "Mine"))
    let foreign = try await service.postScreen(code, AppMessage.body(app: "com.example.spy", label: "Theirs"))
    #expect(foreign.text == "{\"delay\":-1}")
    #expect(try await service.postScreen(code, AppMessage.body(label: "Mine still")).text == "{\"delay\":0}")
    #expect(try await service.get("/v1/connections/\(id)").text.contains("Mine still"))
    #expect(try await service.connection(otherID)["screen"] is NSNull)
    // The id of a connection is no code, nor is the code of another one.
    #expect(try await service.postScreen(id, AppMessage.body()).text == "{\"delay\":-1}")
    #expect(try await service.postScreen(otherCode, AppMessage.body(label: "Other")).text == "{\"delay\":0}")
    #expect(try await !service.get("/v1/connections/\(id)").text.contains("Other"))
  }

  @Test func `an ended connection makes the app stop`() async throws {
    let service = try RunningService()
    let (id, code) = try await service.connect()
    _ = try await service.postScreen(code, AppMessage.body())
    #expect(try await service.delete("/v1/connections/\(id)").status == 204)
    #expect(try await service.postScreen(code, AppMessage.body()).text == "{\"delay\":-1}")
    #expect(try await service.get("/v1/connections/\(id)").status == 404)
    #expect(try await service.postScreen("unknown", AppMessage.body()).text == "{\"delay\":-1}")
  }

  @Test func `unreadable messages are refused, and the connection goes on`() async throws {
    let service = try RunningService()
    let (_, code) = try await service.connect()
    let bomb = Data(gzip([UInt8](repeating: 0x20, count: 40 << 20))).base64EncodedString()
    let cases: [(Data, Int)] = [
      (Data(), 400), (Data("{".utf8), 400), (Data("[]".utf8), 400), (Data("null".utf8), 400),
      (Data([0xFF, 0xFE]), 400), (Data(repeating: UInt8(ascii: "["), count: 200_000), 400),
      (Data("{}".utf8), 422), (AppMessage.body(label: nil, ["type": 1]), 422),
      (AppMessage.body(label: nil, ["gzip_payload": "?"]), 422),
      (AppMessage.body(label: nil, ["gzip_payload": "QUJD"]), 422),
      (AppMessage.body(label: nil, ["gzip_payload": bomb]), 413),
    ]
    for (body, status) in cases {
      let answer = try await service.postScreen(code, body)
      #expect(answer.status == status, "\(String(decoding: body.prefix(60), as: UTF8.self))")
      #expect(!answer.errorCode.isEmpty)
    }
    let huge = try await service.send(
      "POST", "/v1/visualized/\(code)", headers: ["Content-Length": "\(50 << 20)"], body: Data("{".utf8))
    #expect(huge.status == 413)
    #expect(try await service.postScreen(code, AppMessage.body()).text == "{\"delay\":0}")
  }

  @Test func `the stream has states, screens, and events with the decision`() async throws {
    let service = try RunningService()
    let rules = """
      version: 1
      style: sensors
      rules:
        - id: buy
          include: { event: $AppClick, page: HomeViewController, selector: '/UIView/UIButton(1)' }
      """
    let published = try await service.send(
      "PUT", "/v1/rulesets/default", headers: ["If-Match": "*"], body: Data(rules.utf8))
    #expect(published.status == 200)
    let (id, code) = try await service.connect()
    let stream = try await service.open("/v1/connections/\(id)/stream")
    let events = [
      AppMessage.click("UIView/UIButton[1]", content: "Buy"),
      AppMessage.click("UIView", content: "Hello-typed-secret"),
    ]
    _ = try await service.postScreen(code, AppMessage.body())
    _ = try await service.postScreen(code, AppMessage.body(label: "Again", events: events))
    _ = try await service.delete("/v1/connections/\(id)")
    let text = try await stream.answer.text
    #expect(text.contains("event: state\ndata: {\"state\":\"connected\"}\n\n"))
    #expect(text.contains("event: screen\ndata: {\"revision\":2}\n\n"))
    #expect(text.contains("event: state\ndata: {\"state\":\"ended\"}\n\n"))
    #expect(!text.contains("typed-secret"))
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("data: {\"events\":") })
    let data = try JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8)) as? [String: Any]
    let received = try #require(data?["events"] as? [[String: Any]])
    #expect(received.map { $0["selected"] as? Bool } == [true, false])
    #expect(received[0]["rules"] as? [String] == ["buy"])
  }
}
