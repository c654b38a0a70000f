import EncircleTestSupport
import Foundation
import GRDB
import Testing

@Suite struct CollectTests {
  static func event(_ number: Int, _ more: [String: Any] = [:]) -> [String: Any] {
    [
      "event": "$AppClick", "type": "track", "distinct_id": "u\(number % 7)", "_track_id": number,
      "time": Int(Date().timeIntervalSince1970 * 1_000),
      "properties": ["$screen_name": "Home", "$app_version": "1.0"],
    ].merging(more) { $1 }
  }

  private func counts(_ answer: HTTPAnswer) -> [Int] {
    ["received", "stored", "repeated", "rejected"].map { answer.object[$0] as? Int ?? -1 }
  }

  @Test func `acknowledged events are stored once, with their decision`() async throws {
    let service = try RunningService()
    let rules =
      #"{"version":1,"rules":[{"id":"home","include":{"event":"$AppClick","page":"Home"}}]}"#
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*", "Content-Type": "application/json"],
      body: Data(rules.utf8))
    #expect(put.status == 200, "\(put.text)")
    let events = (0..<50).map { Self.event($0) }
    #expect(counts(try await service.post("/v1/collect?project=default", json: events)) == [50, 50, 0, 0])
    #expect(counts(try await service.post("/v1/collect?project=default", json: events)) == [50, 0, 50, 0])
    let list = try await service.get("/v1/events?rule=home&selected=true&limit=1000")
    let stored = try #require(list.object["events"] as? [[String: Any]])
    #expect(stored.count == 50)
    #expect(stored[0]["rules"] as? [String] == ["home"])
    #expect(stored[0]["page"] as? String == "Home")
    #expect((stored[0]["event_json"] as? [String: Any])?["event"] as? String == "$AppClick")
    let id = try #require(stored[0]["id"] as? Int)
    let one = try await service.get("/v1/events/\(id)")
    #expect((one.object["event"] as? [String: Any])?["id"] as? Int == id)
  }

  @Test func `the first event after a capture was added is decided with it by all rule sets`() async throws {
    let service = try RunningService()
    let selector = "ProductCell(section:0 row:*)/**/UIButton(0)"
    for name in ["default", "other"] {
      let put = try await service.send(
        "PUT", "/v1/rulesets/\(name)", headers: ["If-Match": "*", "Content-Type": "application/json"],
        body: Data(#"{"version":1,"rules":[{"id":"\#(name)","include":{"selector":"\#(selector)"}}]}"#.utf8))
      #expect([200, 201].contains(put.status), "\(put.text)")
    }
    let element = "19fcd72be0e5ed2e8c1f42ecda0f4102ab10d08d53612d354a3a44d51654479d"
    for (number, rules) in [(1, []), (2, ["default", "other"])] as [(Int, [String])] {
      let tap = Self.event(number, ["event_id": element])
      #expect(counts(try await service.post("/v1/collect?project=default", json: [tap])) == [1, 1, 0, 0])
      let list = try await service.get("/v1/events?limit=1").object["events"] as? [[String: Any]]
      #expect(list?.first?["rules"] as? [String] == rules)
      if number == 1 { _ = try await SelectorRouteTests.upload(["home-feed.xml"], to: service) }
    }
  }

  @Test func `with rules in several styles, events are read where their own SDK writes its values`()
    async throws
  {
    let service = try RunningService()
    let clauses = "[{ style: sensors, event: $AppClick }, { style: growingio, event: VIEW_CLICK }]"
    let rules = "version: 1\nrules:\n  - { id: tap, include: \(clauses) }\n"
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*"], body: Data(rules.utf8))
    #expect(put.status == 200, "\(put.text)")
    let seconds = Int(Date().timeIntervalSince1970) - 3_600
    let click: [String: Any] = [
      "eventType": "VIEW_CLICK", "path": "/cart", "deviceId": "d1", "appVersion": "2.0", "platform": "iOS",
      "timestamp": seconds * 1_000,
    ]
    #expect(
      counts(try await service.post("/v1/collect?project=default", json: [click, Self.event(1)])) == [2, 2, 0, 0])
    let list = try await service.get("/v1/events").object["events"] as? [[String: Any]]
    let stored = try #require(list?.last)
    let values = ["event", "page", "distinct_id", "app_version"].map { stored[$0] as? String }
    #expect(values == ["VIEW_CLICK", "/cart", "d1", "2.0"])
    let time = Date(timeIntervalSince1970: TimeInterval(seconds)).ISO8601Format()
    #expect((stored["time"] as? String)?.replacing(".000Z", with: "Z") == time)
    #expect(list?.map { $0["rules"] as? [String] } == [["tap"], ["tap"]])
  }

  @Test func `HEAD stores nothing where GET does`() async throws {
    let service = try RunningService()
    let data = try JSONSerialization.data(withJSONObject: Self.event(1)).base64EncodedString()
    let query = "?data=" + (try #require(data.addingPercentEncoding(withAllowedCharacters: .alphanumerics)))
    for path in ["/v1/collect", "/v1/debug"] {
      let answer = try await service.send("HEAD", path + query)
      #expect(answer.status == 405 && answer.headers["allow"] == "POST, GET", "\(path): \(answer.status)")
      #expect(answer.body.isEmpty)
    }
    #expect((try await service.get("/v1/events").object["events"] as? [Any])?.isEmpty == true)
    #expect(counts(try await service.get("/v1/collect" + query)) == [1, 1, 0, 0])
  }

  @Test(.enabled(if: PackageFolder.uploads != nil, "needs the bodies of a real SDK"))
  func `bodies of a real SDK are accepted, and repeats are recognised`() async throws {
    let folder = try #require(PackageFolder.uploads)
    let service = try RunningService()
    for (name, count) in [("one", 1), ("fifty", 50), ("odd-unicode", 1)] {
      let body = try Data(contentsOf: folder.appendingPathComponent(name + ".body"))
      #expect(
        counts(try await service.send("POST", "/v1/collect?project=default", body: body)) == [count, count, 0, 0])
      #expect(
        counts(try await service.send("POST", "/v1/collect?project=default", body: body)) == [count, 0, count, 0])
    }
    let debug = try Data(contentsOf: folder.appendingPathComponent("debug.body"))
    let answer = try await service.send("POST", "/v1/debug", headers: ["Dry-Run": "true"], body: debug)
    #expect(answer.object["dry_run"] as? Bool == true)
    #expect((answer.object["decisions"] as? [Any])?.count == 1)
  }

  @Test func `after any failure the events are kept, by the SDK or by the service`() async throws {
    let service = try RunningService()
    func status(_ body: String, _ path: String = "/v1/collect") async throws -> Int {
      try await service.send("POST", path, body: Data(body.utf8)).status
    }
    #expect(try await status("gzip=9&data_list=eyJ9") == 403)
    #expect(try await status("gzip=13&data_list=eyJ9") == 403)
    #expect(try await status("crc=1&data_list=W10%3D") == 503, "damaged on its way")
    #expect(try await status("gzip=1&data_list=H4sIAAAAAAAAA4uO") == 503, "cut short")
    #expect(try await status("data_list=%21") == 503)
    #expect(try await status("[]") == 200)
    #expect(try await status("a=b") == 400, "no events to lose")
    let bad = try await service.send("POST", "/v1/collect", body: Data("[{\"event\":\"A\"},{\"type\":7},5]".utf8))
    #expect(counts(bad) == [3, 1, 0, 2])
    let rejects = try #require(try await service.get("/v1/rejects").object["rejects"] as? [[String: Any]])
    #expect(rejects.count == 2)
    #expect(rejects.map { $0["code"] as? String } == ["bad-json", "bad-value"])
    let bomb = Data(gzip([UInt8](repeating: 0x20, count: 20 << 20)))
    #expect(try await service.send("POST", "/v1/collect", body: bomb).status == 503)
    #expect(try await service.send("POST", "/v1/collect", headers: ["Content-Length": "99999999"]).status == 503)
    for encoding in ["deflate", "br", "zstd"] {
      let answer = try await service.send(
        "POST", "/v1/collect", headers: ["Content-Encoding": encoding], body: Data("[]".utf8))
      #expect(answer.status == 403 && answer.errorCode == "unsupported-encoding")
    }
    let noGzip = try await service.send(
      "POST", "/v1/collect", headers: ["Content-Encoding": "gzip"], body: Data("[]".utf8))
    #expect(noGzip.status == 503 && noGzip.errorCode == "damaged")
    for path in ["/", "/sa", "/sa.gif?project=default", "/v1/nothing"] {
      #expect(try await status("data_list=W10%3D", path) == 404)
    }
  }

  @Test(arguments: ["/v1/collect", "/batch", "/v3/projects/shop/collect"])
  func `a truncated body is a network failure, not an error in the log`(path: String) async throws {
    let service = try RunningService()
    let head = "POST \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    let answer = try await service.exchange(Data((head + "zz\r\n[]").utf8))
    #expect(answer.status == 503 && answer.errorCode == "damaged", "\(answer.text)")
    #expect(try service.log().allSatisfy { !$0.contains(" error ") })
    #expect(try await service.get("/v1/rejects").object["total"] as? Int == 0)
  }

  @Test func `a request with too many events stores none of them`() async throws {
    let service = try RunningService(limits: ["collect_events": 10])
    let answer = try await service.post("/v1/collect", json: (0..<11).map { Self.event($0) })
    #expect(answer.status == 503 && answer.errorCode == "too-large")
    #expect(counts(try await service.post("/v1/collect", json: (0..<10).map { Self.event($0) })) == [10, 10, 0, 0])
  }

  @Test func `debug modes report what is wrong`() async throws {
    let service = try RunningService()
    let bad = try await service.post("/v1/debug", json: [["type": "track"]])
    #expect(bad.status == 422)
    #expect(bad.errorCode == "bad-events")
    #expect(bad.text.contains("event is missing"))
  }

  @Test func `redacted properties are stored nowhere`() async throws {
    let service = try RunningService(["--redact", "$element_content"])
    let event = Self.event(1, ["properties": ["$element_content": "secret", "$screen_name": "Home"]])
    #expect(
      counts(
        try await service.post(
          "/v1/collect", json: [event, ["type": "track", "properties": ["$element_content": "secret"]]])) == [
          2, 1, 0, 1,
        ])
    #expect(!(try await service.get("/v1/events").text.contains("secret")))
    #expect(!(try await service.get("/v1/rejects").text.contains("secret")))
    service.stop()
  }

  @Test(
    "events are counted under their platform, unless it is redacted",
    arguments: [("$ip", "ios"), ("$os", ""), ("/properties", "")])
  func redactedPlatform(redacted: String, platform: String) async throws {
    let service = try RunningService(["--redact", redacted])
    let event = Self.event(1, ["properties": ["$os": "iOS", "$ip": "192.0.2.1"]])
    #expect(counts(try await service.post("/v1/collect", json: [event])) == [1, 1, 0, 0])
    service.stop()
    let database = try DatabaseQueue(path: service.directory.appendingPathComponent("events.sqlite").path)
    let platforms = try await database.read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT coalesce(platform, '') FROM event
          UNION SELECT platform FROM event_count UNION SELECT platform FROM plan_seen
          """)
    }
    #expect(platforms == [platform])
  }

  @Test(
    "rules give events that are stored nothing of what is redacted, and select by it",
    arguments: ["$element_content", "/properties/$element_content", "/properties"])
  func redactedSources(redacted: String) async throws {
    let service = try RunningService(["--redact", redacted])
    let rules = """
      version: 1
      style: sensors
      rules:
        - id: tap
          include: { event: $AppClick, where: { $element_content: { contains: secret } } }
          properties: { source: home, label: { property: $element_content }, digits: { property: $element_content, extract: "[0-9]+" } }
      """
    let put = try await service.send(
      "PUT", "/v1/rulesets/default", headers: ["If-Match": "*", "Content-Type": "application/yaml"],
      body: Data(rules.utf8))
    try #require(put.status == 200, "\(put.text)")
    let event = Self.event(1, ["properties": ["$element_content": "secret 4711", "$screen_name": "Home"]])
    #expect(counts(try await service.post("/v1/collect", json: [event])) == [1, 1, 0, 0])
    let list = try await service.get("/v1/events")
    let stored = try #require((list.object["events"] as? [[String: Any]])?.first, "\(list.text)")
    #expect(stored["rules"] as? [String] == ["tap"])
    #expect(stored["properties"] as? [String: [String: String]] == ["tap": ["source": "home"]])
    #expect(!list.text.contains("secret") && !list.text.contains("4711"))
  }

  @Test func `events are taken while rule sets are made and removed`() async throws {
    let service = try RunningService()
    let rules = "version: 1\nrules:\n" + (0..<300).map { "  - { id: r\($0), include: { page: P\($0) } }\n" }.joined()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<20 {
          let put = try await service.send(
            "PUT", "/v1/rulesets/shop?reason=test", headers: ["If-Match": "*"], body: Data(rules.utf8))
          #expect(put.status == 200, "\(put.text)")
          #expect(try await service.delete("/v1/rulesets/shop").status == 204)
        }
      }
      for query in ["", "?project=shop"] {
        group.addTask {
          for number in 0..<100 {
            let answer = try await service.post("/v1/collect\(query)", json: [Self.event(number)])
            #expect(answer.status == 200, "\(answer.text)")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `kills while events arrive lose no acknowledged event and store none twice`() async throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    var acknowledged: Set<Int> = []
    var number = 0
    for round in 0..<(TestSize.isFull ? 10 : 3) {
      let service = try RunningService(directory: directory)
      let first = number
      // One for each acknowledged batch. They end with the first client that ends.
      let (answers, answered) = AsyncStream.makeStream(of: Void.self)
      let taken = try await withThrowingTaskGroup(of: [Int].self) { group in
        for client in 0..<3 {
          group.addTask {
            var taken: [Int] = []
            for batch in 0... {
              let numbers = (0..<20).map { first + 100_000 * client + batch * 20 + $0 }
              let events = numbers.map { Self.event($0, ["properties": ["n": $0]]) }
              let answer = try? await service.post("/v1/collect", json: events)
              answered.yield()
              guard answer?.status == 200 else {
                answered.finish()
                return taken
              }
              taken += numbers
            }
            return taken
          }
        }
        var next = answers.makeAsyncIterator()
        for _ in 0...round * 3 { await next.next() }
        service.crash()
        return try await group.reduce(into: []) { $0 += $1 }
      }
      acknowledged.formUnion(taken)
      number += 1_000_000
    }
    let service = try RunningService(directory: directory)
    var stored: [Int] = []
    var next = ""
    repeat {
      let page = try await service.get("/v1/events?limit=1000\(next)")
      for event in try #require(page.object["events"] as? [[String: Any]]) {
        let json = event["event_json"] as? [String: Any]
        stored.append((json?["properties"] as? [String: Any])?["n"] as? Int ?? -1)
      }
      next = (page.object["next"] as? String).map { "&before=\($0)" } ?? ""
    } while next != ""
    #expect(!acknowledged.isEmpty)
    #expect(acknowledged.subtracting(stored).isEmpty)
    #expect(Set(stored).count == stored.count)
  }

  @Test func `long events are returned in several answers, each event once`() async throws {
    let service = try RunningService()
    let text = String(repeating: "x", count: 1_000_000)
    for half in 0..<2 {
      let events = (0..<10).map { Self.event(half * 10 + $0, ["properties": ["text": text]]) }
      #expect(try await service.post("/v1/collect", json: events).status == 200)
    }
    var (numbers, answers, next): ([Int], Int, String?) = ([], 0, "")
    while let before = next {
      let page = try await service.get("/v1/events?limit=1000" + (before.isEmpty ? "" : "&before=\(before)"))
      let events = try #require(page.object["events"] as? [[String: Any]])
      numbers += events.compactMap { ($0["event_json"] as? [String: Any])?["_track_id"] as? Int }
      next = page.object["next"] as? String
      answers += 1
    }
    #expect(numbers == Array((0..<20).reversed()))
    #expect(answers == 2)
  }

  @Test func `long rejects are returned in several answers, each reject once`() async throws {
    let service = try RunningService()
    let text = String(repeating: "x", count: 1_000_000)
    for half in 0..<2 {
      let rejects = (0..<10).map { number -> [String: Any] in
        ["type": "track", "properties": ["text": text], "number": half * 10 + number]
      }
      #expect(counts(try await service.post("/v1/collect", json: rejects)) == [10, 0, 0, 10])
    }
    var (ids, answers): ([Int], Int) = ([], 0)
    while ids.count < 20, answers < 20 {
      let page = try await service.get("/v1/rejects?limit=1000&offset=\(ids.count)")
      #expect(page.object["total"] as? Int == 20)
      ids += (page.object["rejects"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? Int }
      answers += 1
    }
    #expect(ids == Array((1...20).reversed()))
    #expect(answers == 2)
  }

  @Test func `no more events are kept than configured`() async throws {
    let service = try RunningService(["--retention-rows", "1000"])
    for batch in 0..<10 {
      let events = (0..<1_000).map { Self.event(batch * 1_000 + $0) }
      #expect(try await service.post("/v1/collect", json: events).status == 200)
    }
    let rows = try await service.get("/v1/reports/counts?by=event").object["rows"] as? [[String: Any]]
    let kept = try #require(rows?.first?["events"] as? Int)
    #expect(kept >= 1_000 && kept < 6_000)
  }

  @Test func `wrong queries about events are refused with the parameter`() async throws {
    let service = try RunningService()
    for query in ["event_id=12", "selected=maybe", "from=yesterday", "limit=0", "limit=1001", "before=x"] {
      let answer = try await service.get("/v1/events?\(query)")
      #expect(answer.status == 400, "\(query)")
      #expect(answer.errorCode == "bad-parameter", "\(query)")
    }
    #expect(try await service.get("/v1/events/999").status == 404)
    #expect(try await service.get("/v1/events/x").status == 404)
  }
}
