import EncircleEvents
import EncircleIdentity
import EncircleLog
import EncircleSDK
import EncircleTestSupport
import Foundation
import Logging
import Synchronization
import Testing

@testable import EncircleService

@Suite struct CollectorTests {
  /// A collector that has its rules from a service. Files and rules are in its directory.
  private func collector(
    of control: Int, in directory: URL? = nil, _ arguments: [String] = []
  ) throws -> RunningService {
    try RunningService(
      directory: directory,
      command: {
        [
          "collect", "--control", "http://127.0.0.1:\(control)", "--files", $0.path + "/events", "--rules-cache",
          $0.path + "/rules",
        ]
      }, arguments)
  }

  /// A collector that decides: on a busy machine, the first poll may take longer than a collector waits for it.
  private func readyCollector(
    of control: Int, in directory: URL? = nil, _ arguments: [String] = []
  ) async throws -> RunningService {
    let collector = try collector(of: control, in: directory, arguments)
    #expect(try await waits { try await collector.get("/readyz").status == 200 })
    return collector
  }

  private func configuration(of control: RunningService, in directory: URL) throws -> CollectorConfiguration {
    var configuration = CollectorConfiguration(
      service: ServiceConfiguration(directory: directory.path),
      control: try #require(ControlPlane("http://127.0.0.1:\(control.port)")))
    configuration.cache = directory.appendingPathComponent("rules").path
    return configuration
  }

  private func publish(_ page: String, to service: RunningService, _ ruleSet: String = "default") async throws {
    let rules = #"{"version":1,"rules":[{"id":"r","include":{"event":"$AppClick","page":"\#(page)"}}]}"#
    let put = try await service.send(
      "PUT", "/v1/rulesets/\(ruleSet)?reason=test", headers: ["If-Match": "*", "Content-Type": "application/json"],
      body: Data(rules.utf8))
    #expect(put.status == 200, "\(put.text)")
  }

  /// The lines of a stream in all files of a collector, also those that are being written.
  private func lines(_ stream: String, in directory: URL) throws -> [[String: Any]] {
    let folder = directory.appendingPathComponent("events")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(stream) }.sorted()
      .flatMap { name in
        try Data(contentsOf: folder.appendingPathComponent(name)).split(separator: 0x0A).map { line in
          try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any], "a line of \(name)")
        }
      }
  }

  private func decision(_ line: [String: Any]) -> [String: Any] { line["$encircle"] as? [String: Any] ?? [:] }

  private func waits(_ condition: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<1_200 {
      if try await condition() { return true }
      try await Task.sleep(for: .milliseconds(50))
    }
    return false
  }

  @Test func `acknowledged events are in the files, decided as by the service and redacted`() async throws {
    let service = try RunningService()
    try await publish("Home", to: service)
    try await publish("Shop", to: service, "shop")
    let put = try await service.put("/v1/settings", json: ["redact": ["secret"]])
    #expect(put.status == 200, "\(put.text)")
    let collector = try await readyCollector(of: service.port, ["--raw", "--ruleset", "default", "--ruleset", "shop"])
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

    let decided = try lines("decided", in: collector.directory)
    #expect(decided.map { decision($0)["selected"] as? Bool } == [true, true, false, false])
    #expect(decided.map { decision($0)["rules"] as? [String] } == [["r"], ["r"], [], []])
    #expect(
      decided.map { decision($0)["rules_version"] as? String } == [
        "default@1,shop@1", "default@1,shop@1", "default@1,shop@1", "shop@1",
      ])
    #expect(decided.last.map { decision($0)["project"] as? String } == "shop")
    #expect(Set(decided.compactMap { decision($0)["key"] as? String }).count == 4)
    #expect(decided.allSatisfy { ($0["properties"] as? [String: Any])?["secret"] == nil })
    let raw = try lines("raw", in: collector.directory)
    #expect(raw.count == 4)
    #expect(raw.allSatisfy { ($0["properties"] as? [String: Any])?["secret"] == nil })
    #expect(try lines("rejects", in: collector.directory).map { $0["code"] as? String } == ["bad-value"])
    let names = try FileManager.default.contentsOfDirectory(atPath: collector.directory.path + "/events")
    #expect(names.count == 3 && names.allSatisfy { $0.hasSuffix(".ndjson") })
  }

  @Test func `a failing log causes a 503, and takes the events when they are sent again`() async throws {
    let service = try RunningService()
    let collector = try await readyCollector(of: service.port)
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
    #expect(try lines("decided", in: collector.directory).map { $0["_track_id"] as? Int } == [2])
  }

  @Test func `without its control plane a collector runs on, and restarts with its last rules`() async throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let service = try RunningService()
    try await publish("Home", to: service)
    try await publish("Home", to: service)
    let port = service.port
    var collector = try await readyCollector(of: port, in: directory)
    service.crash()
    #expect(try await collector.post("/v1/collect", json: [CollectTests.event(1)]).status == 200)
    collector.crash()
    collector = try self.collector(of: port, in: directory)
    #expect(try await collector.get("/readyz").text == "ready default@2\n")
    #expect(try await collector.post("/v1/collect", json: [CollectTests.event(2)]).status == 200)
    collector.stop()
    let decided = try lines("decided", in: directory)
    #expect(decided.map { decision($0)["rules_version"] as? String } == ["default@2", "default@2"])
    #expect(decided.allSatisfy { decision($0)["selected"] as? Bool == true })

    // Another service has other rules under the same number.
    let other = try RunningService()
    try await publish("Other", to: other)
    try await publish("Other", to: other)
    collector = try self.collector(of: other.port, in: directory)
    let isReplaced = try await waits {
      #expect(try await collector.post("/v1/collect", json: [CollectTests.event(3)]).status == 200)
      // Sorted by event, because files of one second are in the order of process IDs, which begin anew.
      return try lines("decided", in: directory).contains {
        $0["_track_id"] as? Int == 3 && decision($0)["selected"] as? Bool == false
      }
    }
    let log = try collector.log().joined(separator: "\n")
    #expect(isReplaced, "\(log)")
    other.crash()
    collector.stop()

    // Nothing is decided without the list of what is removed, nor by kept rules that are half a file.
    let folder = directory.appendingPathComponent("rules")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names.count == 2 && names[0].hasPrefix("default@2-") && names[1] == "redact.json")
    let list = try Data(contentsOf: folder.appendingPathComponent("redact.json"))
    let kept = folder.appendingPathComponent(names[0])
    for damage in [
      { try FileManager.default.removeItem(at: folder.appendingPathComponent("redact.json")) },
      {
        try list.write(to: folder.appendingPathComponent("redact.json"))
        try Data(try Data(contentsOf: kept).dropLast(100)).write(to: kept)
      },
    ] as [() throws -> Void] {
      try damage()
      collector = try self.collector(of: port, in: directory)
      let refused = try await collector.post("/v1/collect", json: [CollectTests.event(4)])
      #expect(refused.status == 503)
      #expect(refused.errorCode == "no-rules")
      #expect(try await collector.get("/readyz").status == 503)
      #expect(try await collector.get("/healthz").status == 200)
      collector.stop()
    }
  }

  @Test func `a collector that lacks a token for its service says which one it needs`() async throws {
    let service = try RunningService()
    _ = try await service.token("lin", "publish", as: nil)
    let collector = try self.collector(of: service.port)
    #expect(try await collector.get("/readyz").status == 503)
    func saysSo() throws -> Bool {
      try collector.log().contains { $0.contains("answers 401") && $0.contains("--control-token names a file") }
    }
    // On a busy machine, the first poll may take longer than a collector waits for it.
    for _ in 0..<600 {
      if try saysSo() { break }
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(try saysSo())
  }

  @Test func `published rules come into force, and no request is decided by two versions`() async throws {
    let service = try RunningService()
    try await publish("Home", to: service)
    let collector = try await readyCollector(of: service.port)
    // On a busy machine, the next version may be there before the tasks have sent anything.
    let first = try await collector.post("/v1/collect", json: [CollectTests.event(0, ["request": "first"])])
    #expect(first.status == 200)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for sender in 0..<3 {
        group.addTask {
          for request in 0..<1_000_000 {
            let events = (0..<200).map { CollectTests.event($0, ["request": "\(sender)-\(request)"]) }
            let answer = try await collector.post("/v1/collect", json: events)
            #expect(answer.status == 200)
            if Task.isCancelled { return }
          }
        }
      }
      for version in 2...3 {
        try await publish(version == 2 ? "Other" : "Home", to: service)
        let isInForce = try await waits { try await collector.get("/readyz").text == "ready default@\(version)\n" }
        #expect(isInForce)
      }
      // Broken rules do not reach collectors: the service refuses them.
      let broken = try await service.send(
        "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*"], body: Data("rules: [".utf8))
      #expect(broken.status == 422)
      group.cancelAll()
      try await group.waitForAll()
    }
    collector.stop()
    var versions: [String: Set<String>] = [:]
    for line in try lines("decided", in: collector.directory) {
      let request = try #require(line["request"] as? String)
      let version = try #require(decision(line)["rules_version"] as? String)
      versions[request, default: []].insert(version)
      #expect(decision(line)["selected"] as? Bool == (version != "default@2"))
    }
    #expect(versions.values.allSatisfy { $0.count == 1 })
    #expect(versions.values.contains(["default@1"]))
  }

  /// A log that takes no long records, as a topic does.
  private final class ShortLog: EventLog {
    let records = Mutex<[LogRecord]>([])

    func append(_ records: [LogRecord]) async throws(LogError) {
      let tooLong = records.indices.filter { records[$0].json.count > 3_000 }
      let taken = records.indices.filter { !tooLong.contains($0) }.map { records[$0] }
      self.records.withLock { $0 += taken }
      if !tooLong.isEmpty { throw .tooLong(tooLong) }
    }

    func checkWritable() throws(LogError) {}

    func close() async {}
  }

  @Test(arguments: [false, true])
  func `an event too long for the log is kept as a reject and affects no other`(logsRaw: Bool) async throws {
    let service = try RunningService()
    try await publish("Home", to: service)
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let rules = try PolledRules(
      try configuration(of: service, in: directory), metrics: ServiceMetrics(), logger: Logger(label: "test"))
    await rules.poll()
    let log = ShortLog()
    let events = LoggedEvents(log: log, polled: rules, eventsPerRequest: .max, logsRaw: logsRaw)
    let long = String(repeating: "x", count: 3_000)
    let lines = [
      #"{"event":"A","distinct_id":"u"}"#, #"{"event":"B","distinct_id":"u","properties":{"a":"\#(long)"}}"#,
      #"{"type":"track","distinct_id":"u","properties":{"a":"\#(long)"}}"#, "7", #"{"event":"C","distinct_id":"u"}"#,
    ]
    let contents = CollectContents(json: Array(lines.joined(separator: "\n").utf8))
    let outcome = try await events.store(try events.decide(contents, receivedAt: 1_800_000_000_000))
    let counts = [outcome.received, outcome.stored, outcome.rejected] as [Int]
    #expect(counts == [5, 2, 3])
    #expect(outcome.rejects.map(\.code) == ["missing", "bad-json", "too-large"])
    let written = try log.records.withLock { $0 }.map { record in
      (record.stream, try #require(try JSONSerialization.jsonObject(with: Data(record.json)) as? [String: Any]))
    }
    for stream in [LogRecord.Stream.decided, .raw] {
      let names = written.filter { $0.0 == stream }.map { $0.1["event"] as? String }
      #expect(names == (stream == .decided || logsRaw ? ["A", "C"] : []))
    }
    let rejects = written.filter { $0.0 == .rejects }.map(\.1)
    #expect(rejects.map { $0["line"] as? Int } == [4, 2, 3])
    #expect(rejects.map { $0["code"] as? String } == ["bad-json", "too-large", "missing"])
    let texts = ["7"] + lines[1...2].map { String($0.prefix(1_000)) }
    #expect(rejects.map { $0["text"] as? String } == texts)
  }

  @Test func `a version is fetched again if its elements cannot be looked up at first`() async throws {
    let service = try RunningService()
    try await publish("Home", to: service)
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    var configuration = try configuration(of: service, in: directory)
    let attempts = Mutex(0)
    configuration.elements = CollectorConfiguration.Elements(ofRules: { _ in
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      if attempt == 1 { throw CocoaError(.fileReadUnknown) }
      return ElementDictionary()
    })
    let rules = try PolledRules(configuration, metrics: ServiceMetrics(), logger: Logger(label: "test"))
    await rules.poll()
    #expect(rules.snapshot.rules == nil)
    await rules.poll()
    #expect(rules.snapshot.rules?.map(\.version) == [1])
    // The version in force is not fetched again.
    await rules.poll()
    #expect(attempts.withLock { $0 } == 2)
  }

  @Test func `rules that could not be written to disk are written after a later poll`() async throws {
    let service = try RunningService()
    try await publish("Home", to: service)
    let put = try await service.put("/v1/settings", json: ["redact": ["secret"]])
    #expect(put.status == 200, "\(put.text)")
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let configuration = try configuration(of: service, in: directory)
    func polledRules() throws -> PolledRules {
      try PolledRules(configuration, metrics: ServiceMetrics(), logger: Logger(label: "test"))
    }
    let rules = try polledRules()
    try FileManager.default.removeItem(atPath: configuration.cache)
    await rules.poll()
    #expect(rules.snapshot.rules?.map(\.version) == [1], "it is in force all the same")
    try FileManager.default.createDirectory(atPath: configuration.cache, withIntermediateDirectories: false)
    await rules.poll()
    let later = try polledRules()
    later.load()
    #expect(later.snapshot.rules?.map(\.version) == [1])
    #expect(later.snapshot.redacted == rules.snapshot.redacted)
    #expect(later.snapshot.redacted.count == 1)
  }

  @Test func `properties whose names look the same are all redacted, also by the list on disk`() async throws {
    let service = try RunningService()
    try await publish("Home", to: service)
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let configuration = try configuration(of: service, in: directory)
    func polledRules() throws -> PolledRules {
      try PolledRules(configuration, metrics: ServiceMetrics(), logger: Logger(label: "test"))
    }
    let rules = try polledRules()
    for names in [["caf\u{E9}"], ["cafe\u{301}"], ["cafe\u{301}", "caf\u{E9}"]] {
      #expect(try await service.put("/v1/settings", json: ["redact": names]).status == 200)
      await rules.poll()
      let later = try polledRules()
      later.load()
      let redacted = names.compactMap { PropertyReference(parsing: $0) }
      #expect(rules.snapshot.redacted == redacted)
      #expect(later.snapshot.redacted == redacted)
    }
  }

  /// The progress of the senders to a collector that will be killed.
  private final class Senders: Sendable {
    let state = Mutex((answers: 0, ended: 0))
  }

  @Test func `every event that was acknowledged is in the files, however often the collector is killed`() async throws {
    let service = try RunningService()
    try await publish("Home", to: service)
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    var acknowledged: Set<Int> = []
    var next = 0
    for kill in 0..<TestSize.scaled(100) {
      let collector = try collector(of: service.port, in: directory, ["--file-bytes", "4096"])
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
    let last = try collector(of: service.port, in: directory)
    #expect(last.stop() == 0)
    let written = Set(try lines("decided", in: directory).compactMap { $0["_track_id"] as? Int })
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

  @Test func `a cache that is a file is an error in one sentence`() throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("rules").path
    try Data().write(to: URL(fileURLWithPath: file))
    let run = try Tool.run([
      "collect", "--control", "http://127.0.0.1:9", "--port", "0", "--files", directory.path + "/events",
      "--rules-cache", file,
    ])
    #expect(run.status == 74 && run.errors.hasPrefix("error: \(file): cannot be used: "), "\(run.errors)")
    #expect(!run.errors.contains("UserInfo"), "\(run.errors)")
  }

  @Test func `a rule set that is named twice decides once`() async throws {
    let service = try RunningService()
    try await publish("Home", to: service)
    let twice = ["--ruleset", "default", "--ruleset", "default"]
    let collector = try await readyCollector(of: service.port, twice)
    #expect(try await collector.get("/readyz").text == "ready default@1\n")
  }

  @Test func `tokens from a file are required, each for its own purpose`() async throws {
    let service = try RunningService()
    let file = service.directory.appendingPathComponent("tokens")
    let tokens = "collect 0123456789abcdef\r\n\nread fedcba9876543210\ncollect phc_0123456789ab shop\n"
    try Data("\u{FEFF}# apps\r\n\(tokens)".utf8).write(to: file)
    let collector = try await readyCollector(of: service.port, ["--tokens", file.path])
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
    let posted = try lines("decided", in: collector.directory).suffix(2)
    #expect(posted.map { decision($0)["project"] as? String } == ["shop", nil])
    #expect(posted.allSatisfy { decision($0)["key"] is String })
    #expect(throws: RunningService.NotListening.self) {
      try self.collector(of: service.port, ["--host", "0.0.0.0"])
    }
  }
}
