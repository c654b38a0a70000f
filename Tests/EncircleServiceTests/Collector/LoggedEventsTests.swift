import EncircleLog
import EncircleSDK
import Foundation
import Logging
import Synchronization
import Testing

@testable import EncircleService

/// Events and rejects in the log of a collector.
@Suite struct LoggedEventsTests {
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
    try await service.publish("Home")
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let rules = try PolledRules(
      try CollectorConfiguration(of: service, in: directory), metrics: ServiceMetrics(), logger: Logger(label: "test"))
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
}
