import EncircleTestSupport
import Foundation
import GRDB
import Synchronization
import Testing

@testable import EncircleService

@Suite struct SeriesCounterTests {
  private static let now: Int64 = 1_800_000_000_000
  private static let hour = now / 3_600_000

  private func withStore(_ body: (EventStore) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let store = try Store(directory: directory)
    try body(EventStore(store) { EventLimits() })
  }

  private func row(_ event: String, person: String?, at time: Int64 = now) -> EventRow {
    EventRow(
      received: Self.now, time: time, key: nil, event: event, page: nil, distinctID: person, appVersion: nil,
      element: nil, decision: StoredDecision(isSelected: true, rules: ["r"], excludedBy: [], pages: [], emit: []),
      json: Array("{}".utf8))
  }

  private func answer(_ store: EventStore, _ subject: SeriesSubject, hours: Int = 2) throws -> SeriesAnswer {
    try store.series(
      SeriesQuery(subjects: [subject], interval: .hour, start: Self.hour - Int64(hours) + 1, buckets: hours)
    ) {}
  }

  @Test func `many people are estimated within a few percent, and a few are exact`() throws {
    var random = SeededGenerator(seed: 12)
    for count in [0, 1, 511, 512, 513, 2_000, 10_000, 60_000] + (TestSize.isFull ? [300_000] : []) {
      var small = PeopleSketch(exactTo: PeopleSketch.maximumStored)
      var joined = PeopleSketch()
      for part in 0..<10 {
        var own = PeopleSketch(exactTo: PeopleSketch.maximumStored)
        for _ in (count * part / 10)..<(count * (part + 1) / 10) {
          let hash = random.next()
          small.insert(hash)
          own.insert(hash)
        }
        let bytes = own.bytes
        let read = try #require(bytes.withUnsafeBytes { PeopleSketch($0) })
        #expect(read.count == own.count)
        joined.join(read)
        // A person who comes again counts once.
        joined.join(read)
      }
      for sketch in [small, joined] {
        let error = abs(Double(sketch.count - count)) / Double(max(1, count))
        #expect(sketch.isExact ? error == 0 : error < 0.065, "\(count): \(sketch.count)")
      }
      #expect(small.isExact == (count <= 512))
      #expect(joined.isExact == (count <= 5_120))
    }
    let wrong: [[UInt8]] = [[1], Array(repeating: 0, count: 9), Array(repeating: 1, count: 4_097)]
    for bytes in wrong { #expect(bytes.withUnsafeBytes { PeopleSketch($0) } == nil) }
  }

  @Test func `counters of several transactions add up, and estimates are marked`() throws {
    try withStore { store in
      for batch in 0..<4 {
        let rows = (0..<400).map {
          row("A", person: "u\(batch * 200 + $0)", at: Self.now - Int64(batch % 2) * 3_600_000)
        }
        _ = try store.write([EventRowBatch(events: rows)])
      }
      let answer = try answer(store, SeriesSubject(.event, "A"))
      #expect(answer.isFromCounters)
      let numbers = try #require(answer.rows.first?.numbers)
      #expect(numbers.events == [800, 800])
      // Each hour has two batches of 400 people without anybody in common; both hours together have 1,000.
      #expect(!answer.peopleAreExact)
      #expect(numbers.people.allSatisfy { abs($0 - 800) < 60 })
      #expect(abs(numbers.allPeople - 1_000) < 70)
    }
  }

  @Test func `events from the future count in the hour of their arrival, where curves end`() throws {
    try withStore { store in
      let times = [-1, 0, 60_000, 3_600_000, 86_400_000].map { Self.now + $0 }
      _ = try store.write([EventRowBatch(events: times.map { row("A", person: "u", at: $0) })])
      let name = try #require(try store.overview(days: 1, now: Self.now, most: 9).names.first)
      #expect(name.events == 5)
      #expect(name.series.suffix(2) == [1, 4])
      #expect(try answer(store, SeriesSubject(.event, "A")).rows.first?.numbers.events == [1, 4])
    }
  }

  @Test func `hours from before the counters are counted event by event`() throws {
    try withStore { store in
      let rows = (0..<5).map { row("A", person: "u\($0 % 3)") } + [row("A", person: nil), row("A", person: "")]
      _ = try store.write([EventRowBatch(events: rows)])
      try store.pool.write { database in
        try database.execute(sql: "DELETE FROM series_count")
        try database.execute(sql: "UPDATE series_start SET hour = ?", arguments: [Self.hour + 1])
      }
      for subject in [SeriesSubject(.all), SeriesSubject(.event, "A"), SeriesSubject(.rule, "r")] {
        let answer = try answer(store, subject)
        #expect(!answer.isFromCounters)
        #expect(answer.rows.first?.numbers.events == [0, 7])
        #expect(answer.rows.first?.numbers.people == [0, 3])
      }
    }
  }

  @Test func `counters stay bounded with unbounded names, which are then counted event by event`() throws {
    try withStore { store in
      let most = 1_000
      store.cardinality.withLock { $0.rowsPerDay = most }
      let count = most + 100
      let rows = (0..<count).map { row("e\($0)", person: "u") } + (0..<9).map { row("A", person: "u\($0)") }
      _ = try store.write([EventRowBatch(events: rows)])
      _ = try store.deleteSome(now: Self.now)
      let left = try store.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM series_count") } ?? 0
      #expect(left < most)
      let name = try answer(store, SeriesSubject(.event, "e7"))
      #expect(!name.isFromCounters)
      #expect(name.rows.first?.numbers.events == [0, 1])
      let rule = try answer(store, SeriesSubject(.rule, "r"))
      #expect(rule.isFromCounters)
      #expect(rule.rows.first?.numbers.events == [0, count + 9])
    }
  }

  @Test func `an abandoned query leaves nothing open`() throws {
    struct Cancelled: Error {}
    try withStore { store in
      _ = try store.write([EventRowBatch(events: (0..<3_000).map { row("A", person: "u\($0)") })])
      // More often than there are connections.
      for _ in 0..<20 {
        var query = SeriesQuery(subjects: [SeriesSubject(.all)], interval: .hour, start: Self.hour - 99, buckets: 100)
        #expect(throws: Cancelled.self) { _ = try store.series(query) { throw Cancelled() } }
        query.breakdown = .column(.event)
        var calls = 0
        #expect(throws: Cancelled.self) {
          _ = try store.series(query) {
            calls += 1
            if calls == 2 { throw Cancelled() }
          }
        }
        #expect(calls == 2)
      }
      _ = try store.write([EventRowBatch(events: [row("A", person: "new")])])
      for _ in 0..<20 {
        var query = SeriesQuery(subjects: [SeriesSubject(.all)], interval: .hour, start: Self.hour, buckets: 1)
        #expect(try store.series(query) {}.rows.first?.numbers.events == [3_001])
        query.breakdown = .column(.event)
        #expect(try store.series(query) {}.rows.first?.numbers.events == [3_001])
      }
      // Nobody reads an older state: the log can be emptied.
      let left = try store.pool.writeWithoutTransaction { try $0.checkpoint(.truncate).walFrameCount }
      #expect(left == 0)
    }
  }

  @Test func `names that cannot be counters are counted event by event`() throws {
    try withStore { store in
      let names = [String(repeating: "n", count: 201), "a\u{0}b", "a"]
      _ = try store.write([EventRowBatch(events: names.map { row($0, person: $0) })])
      for (name, isCounted) in zip(names, [false, false, true]) {
        let answer = try answer(store, SeriesSubject(.event, name))
        #expect(answer.isFromCounters == isCounted)
        #expect(answer.rows.first?.numbers.events == [0, 1], "\(name.count)")
      }
    }
  }
}
