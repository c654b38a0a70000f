import EncircleTestSupport
import Foundation
import Synchronization
import Testing

/// These tests send events to `encircle collect`, and check its answers and the records that it writes.
@Suite struct CollectorTests {
  @Test func `acknowledged events are in the files, decided as by the service and redacted`() async throws {
    let service = try RunningService()
    try await service.publish("Home")
    try await service.publish("Shop", "shop")
    let put = try await service.put("/v1/settings", json: ["redact": ["secret"]])
    #expect(put.status == 200, "\(put.text)")
    let collector = try await RunningService.readyCollector(
      of: service.port, ["--raw", "--ruleset", "default", "--ruleset", "shop"])
    #expect(try await collector.get("/healthz").status == 200)
    #expect(try await collector.get("/readyz").text == "ready default@1,shop@1\n")
    let events: [Any] =
      [0, 1].map { CollectTests.event($0, ["properties": ["$screen_name": "Home", "secret": "x"]]) }
      + [
        CollectTests.event(2, ["$encircle": ["selected": true], "properties": ["$screen_name": "Other"]]), ["type": 7],
      ]
    let answer = try await collector.post("/v1/collect", json: events)
    #expect(answer.status == 200, "\(answer.text)")
    let counts = ["received", "stored", "rejected"].map { answer.object[$0] as? Int }
    #expect(counts == [4, 3, 1])
    let hostile = Data(("[" + #"{"event":"$AppClick","properties":{"$screen_name":"Home\u0000"}},NaN,{},"# + "\n").utf8)
    for path in ["/v1/debug", "/v1/debug?project=shop"] {
      let (mine, theirs) = (
        try await collector.send("POST", path, headers: ["Dry-Run": "true"], body: hostile),
        try await service.send("POST", path, headers: ["Dry-Run": "true"], body: hostile)
      )
      #expect(mine.status == theirs.status)
      #expect(mine.text == theirs.text)
    }
    let metrics = try await collector.get("/metrics").text
    #expect(metrics.contains("encircle_events_stored_total 3\n"))
    #expect(metrics.contains("\nencircle_rule_polls_failed_total "))
    #expect(try await collector.post("/v1/collect?project=shop", json: [CollectTests.event(9)]).status == 200)
    #expect(collector.stop() == 0)

    let decided = try collectedLines("decided", in: collector.directory)
    #expect(decided.map { decision($0)["selected"] as? Bool } == [true, true, false, false])
    #expect(decided.map { decision($0)["rules"] as? [String] } == [["r"], ["r"], [], []])
    #expect(
      decided.map { decision($0)["rules_version"] as? String } == [
        "default@1,shop@1", "default@1,shop@1", "default@1,shop@1", "shop@1",
      ])
    #expect(decided.last.map { decision($0)["project"] as? String } == "shop")
    #expect(Set(decided.compactMap { decision($0)["key"] as? String }).count == 4)
    #expect(decided.allSatisfy { ($0["properties"] as? [String: Any])?["secret"] == nil })
    let raw = try collectedLines("raw", in: collector.directory)
    #expect(raw.count == 4)
    #expect(raw.allSatisfy { ($0["properties"] as? [String: Any])?["secret"] == nil })
    #expect(try collectedLines("rejects", in: collector.directory).map { $0["code"] as? String } == ["bad-value"])
    let names = try FileManager.default.contentsOfDirectory(atPath: collector.directory.path + "/events")
    #expect(names.count == 3 && names.allSatisfy { $0.hasSuffix(".ndjson") })
  }

  @Test func `a failing log causes a 503, and takes the events when they are sent again`() async throws {
    let service = try RunningService()
    let collector = try await RunningService.readyCollector(of: service.port)
    let folder = collector.directory.appendingPathComponent("events")
    #expect(try await collector.post("/v1/collect", json: [CollectTests.event(1)]).status == 200)
    try FileManager.default.moveItem(at: folder, to: collector.directory.appendingPathComponent("gone"))
    try FileManager.default.removeItem(at: collector.directory.appendingPathComponent("gone"))
    let refused = try await collector.post("/v1/collect", json: [CollectTests.event(2)])
    #expect(refused.status == 503)
    #expect(refused.errorCode == "storage")
    #expect(refused.headers["retry-after"] != nil)
    #expect(try await collector.get("/readyz").status == 503)
    #expect(try await collector.get("/healthz").status == 200)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #expect(try await collector.post("/v1/collect", json: [CollectTests.event(2)]).status == 200)
    #expect(collector.stop() == 0)
    #expect(try collectedLines("decided", in: collector.directory).map { $0["_track_id"] as? Int } == [2])
  }

  /// The progress of the senders to a collector that will be killed.
  private final class Senders: Sendable {
    let state = Mutex((answers: 0, ended: 0))
  }

  @Test func `every event that was acknowledged is in the files, however often the collector is killed`() async throws {
    let service = try RunningService()
    try await service.publish("Home")
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    var acknowledged: Set<Int> = []
    var next = 0
    for kill in 0..<TestSize.scaled(100) {
      let collector = try RunningService.collector(of: service.port, in: directory, ["--file-bytes", "4096"])
      let first = next
      let senders = Senders()
      acknowledged.formUnion(
        try await withThrowingTaskGroup(of: [Int].self) { group in
          for sender in 0..<3 {
            group.addTask {
              var sent: [Int] = []
              for request in 0..<10_000 {
                let numbers = (0..<5).map { first + (request * 3 + sender) * 5 + $0 }
                // Once it is killed, nothing answers.
                let answer = try? await collector.post("/v1/collect", json: numbers.map { CollectTests.event($0) })
                guard answer?.status == 200 else { break }
                sent += numbers
                senders.state.withLock { $0.answers += 1 }
              }
              senders.state.withLock { $0.ended += 1 }
              return sent
            }
          }
          group.addTask {
            // It is killed while it writes, each time after more requests.
            while senders.state.withLock({ $0.answers <= kill % 7 && $0.ended < 3 }) {
              try await Task.sleep(for: .milliseconds(1))
            }
            collector.crash()
            return []
          }
          return try await group.reduce(into: []) { $0 += $1 }
        })
      next += 150_000
    }
    let last = try RunningService.collector(of: service.port, in: directory)
    #expect(last.stop() == 0)
    let written = Set(try collectedLines("decided", in: directory).compactMap { $0["_track_id"] as? Int })
    #expect(!acknowledged.isEmpty)
    #expect(acknowledged.subtracting(written).sorted() == [])
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path + "/events")
    #expect(names.allSatisfy { $0.hasSuffix(".ndjson") })
  }

  @Test func `a configuration without a port leaves a collector its default port`() throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("service.yaml").path
    // No machine has this address, so that the error names the port, whatever else listens here.
    try Data("host: 192.0.2.1\nlimits: { collect_bytes: 65536 }\n".utf8).write(to: URL(fileURLWithPath: file))
    let run = try Tool.run([
      "collect", "--control", "http://127.0.0.1:9", "--config", file, "--allow-anonymous",
      "--files", directory.path + "/events", "--rules-cache", directory.path + "/rules",
    ])
    #expect(run.status == 74 && run.errors.contains("cannot listen on 192.0.2.1:8081: "), "\(run.errors)")
  }

  @Test func `tokens from a file are required, each for its own purpose`() async throws {
    let service = try RunningService()
    let file = service.directory.appendingPathComponent("tokens")
    let tokens = "collect 0123456789abcdef\r\n\nread fedcba9876543210\ncollect phc_0123456789ab shop\n"
    try Data("\u{FEFF}# apps\r\n\(tokens)".utf8).write(to: file)
    let collector = try await RunningService.readyCollector(of: service.port, ["--tokens", file.path])
    func status(_ path: String, _ token: String? = nil) async throws -> Int {
      let headers = token.map(bearer) ?? [:]
      return path == "/metrics"
        ? try await collector.get(path, headers: headers).status
        : try await collector.post(path, json: [CollectTests.event(1)], headers: headers).status
    }
    #expect(try await status("/v1/collect") == 403)
    #expect(try await status("/v1/collect", "0123456789abcdef") == 200)
    #expect(try await status("/v1/collect?token=0123456789abcdef") == 200)
    #expect(try await status("/v1/collect?token=fedcba9876543210") == 403)
    #expect(try await status("/v1/collect", "fedcba9876543210") == 403)
    #expect(try await status("/metrics") == 401)
    #expect(try await status("/metrics", "0123456789abcdef") == 403)
    #expect(try await status("/metrics", "fedcba9876543210") == 200)
    // The keys of apps, as PostHog's and GrowingIO's SDKs send them.
    let event = #"{"event":"$pageview","distinct_id":"u","uuid":"a"}"#
    for (key, expected) in [("phc_0123456789ab", 200), ("phc_other", 503)] {
      let body = Data(#"{"api_key":"\#(key)","batch":[\#(event)]}"#.utf8)
      #expect(try await collector.send("POST", "/batch", body: body).status == expected)
    }
    let click = Data(#"[{"eventType":"VIEW_CLICK","deviceId":"d","timestamp":1795428000000,"eventSequenceId":1}]"#.utf8)
    #expect(try await collector.send("POST", "/v3/projects/0123456789abcdef/collect", body: click).status == 204)
    #expect(try await collector.send("POST", "/v3/projects/other/collect", body: click).status == 403)
    #expect(try await collector.get("/array/phc_0123456789ab/config").status == 200)
    let posted = try collectedLines("decided", in: collector.directory).suffix(2)
    #expect(posted.map { decision($0)["project"] as? String } == ["shop", nil])
    #expect(posted.allSatisfy { decision($0)["key"] is String })
    #expect(throws: RunningService.NotListening.self) {
      try RunningService.collector(of: service.port, ["--host", "0.0.0.0"])
    }
  }
}
