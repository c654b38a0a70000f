import Foundation
import GRDB
import Synchronization
import Testing

@testable import EncircleService

@Suite struct EventLimitTests {
  private static let now: Int64 = 1_800_000_000_000

  private func withStore(_ limits: EventLimits, _ body: (EventStore) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let store = try Store(directory: directory)
    try body(EventStore(store) { limits })
  }

  private func row(page: String, received: Int64 = now, bytes: Int = 2) -> EventRow {
    EventRow(
      received: received, time: received, key: nil, event: "A", page: page, distinctID: "u", appVersion: nil,
      element: Array(page.utf8),
      decision: StoredDecision(isSelected: true, rules: [], excludedBy: [], pages: [], emit: ["a"]),
      json: Array(repeating: 0x20, count: bytes))
  }

  @Test(arguments: [
    (String(repeating: "车", count: 100), String(repeating: "车", count: 66)),
    (String(repeating: "a", count: 199) + "é", String(repeating: "a", count: 199)),
    (String(repeating: "a", count: 200), String(repeating: "a", count: 200)),
  ])
  func `a long name is not cut within a character`(page: String, counted: String) throws {
    try withStore(EventLimits()) { store in
      _ = try store.write([EventRowBatch(events: [row(page: page)])])
      let pages = try store.overview(days: 1, now: Self.now, most: 1).pages.map(\.key)
      #expect(pages.map { Array($0.utf8) } == [Array(counted.utf8)])
    }
  }

  @Test func `counters stay bounded with unbounded pages and elements, and sums stay correct`() throws {
    try withStore(EventLimits(days: 30, rows: 1_000_000)) { store in
      let most = 1_000
      store.cardinality.withLock { $0.rowsPerDay = most }
      let common = Array(repeating: row(page: "Home"), count: 50)
      let count = most + 100
      _ = try store.write([EventRowBatch(events: common + (0..<count).map { row(page: "p\($0)") }, rejects: [])])
      _ = try store.deleteSome(now: Self.now)
      let (sum, home) = try store.pool.read { database in
        (
          try Int.fetchOne(database, sql: "SELECT sum(events) FROM event_count WHERE rule = ''"),
          try Int.fetchOne(database, sql: "SELECT events FROM event_count WHERE page = 'Home'")
        )
      }
      for table in ["event_count", "element_count", "element_people", "plan_day", "plan_page"] {
        let rows = try store.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") } ?? 0
        #expect(rows <= most, "\(table)")
      }
      #expect(sum == count + 50)
      #expect(home == 50)
    }
  }

  @Test func `the oldest events are deleted when events exceed their limit in bytes`() throws {
    try withStore(EventLimits(days: 30, rows: 1_000_000, bytes: 2 << 20)) { store in
      for batch in 0..<8 {
        let rows = (0..<500).map { row(page: "p", received: Self.now + Int64(batch * 500 + $0), bytes: 1_000) }
        _ = try store.write([EventRowBatch(events: rows, rejects: [])])
      }
      while try store.deleteSome(now: Self.now + 10_000, most: 100) {}
      let (oldest, newest) = try store.pool.read { database in
        (
          try Int64.fetchOne(database, sql: "SELECT min(received) FROM event") ?? 0,
          try Int64.fetchOne(database, sql: "SELECT max(received) FROM event")
        )
      }
      #expect(newest == Self.now + 3_999)
      #expect(oldest > Self.now + 1_000 && oldest < Self.now + 3_900)
    }
  }

  @Test func `ids continue after all events have been deleted`() throws {
    try withStore(EventLimits(days: 1, rows: 1_000_000)) { store in
      let batch = EventRowBatch(events: [row(page: "p"), row(page: "p")], rejects: [])
      #expect(try store.write([batch]).map { $0.map { $0?.id } } == [[1, 2]])
      _ = try store.deleteSome(now: Self.now + 3 * 86_400_000)
      #expect(try store.isEmpty() && store.lastID() == 2)
      #expect(try store.write([batch]).map { $0.map { $0?.id } } == [[3, 4]])
      #expect(try store.lastID() == 4)
    }
  }

  @Test func `a reader misses events deleted since its last read, and a new reader misses none`() throws {
    try withStore(EventLimits(days: 1, rows: 1_000_000)) { store in
      let later = Self.now + 3 * 86_400_000
      _ = try store.write([EventRowBatch(events: Array(repeating: row(page: "p"), count: 5))])
      _ = try store.write([EventRowBatch(events: [row(page: "p", received: later)])])
      _ = try store.deleteSome(now: later)
      var filter = EventFilter()
      for (page, count) in [(nil, 1), ("none", 0)] as [(String?, Int)] {
        filter.page = page
        for (id, missed) in [(0, 0), (2, 3), (5, 0)] as [(Int64, Int)] {
          let found = try store.events(filter, after: id, most: 10, bytes: 1_000)
          #expect(found.events.count == count && found.missed == missed, "after \(id)")
        }
      }
    }
  }

  @Test func `a reader also misses events if none is left`() throws {
    try withStore(EventLimits(days: 1, rows: 1_000_000)) { store in
      _ = try store.write([EventRowBatch(events: Array(repeating: row(page: "p"), count: 5))])
      _ = try store.deleteSome(now: Self.now + 3 * 86_400_000)
      for (id, missed) in [(0, 0), (2, 3), (5, 0), (9, 0)] as [(Int64, Int)] {
        #expect(try store.events(EventFilter(), after: id, most: 10, bytes: 1_000).missed == missed, "after \(id)")
      }
    }
  }

  @Test func `a reader gets the newest event even if it is larger than the reader's limit`() throws {
    try withStore(EventLimits(days: 1, rows: 1_000_000)) { store in
      _ = try store.write([EventRowBatch(events: Array(repeating: row(page: "p", bytes: 100), count: 5))])
      for (bytes, count) in [(0, 1), (99, 1), (250, 2), (1_000, 5)] {
        let found = try store.events(EventFilter(), after: 0, most: 10, bytes: bytes)
        #expect(found.events.map(\.id) == Array((6 - Int64(count))...5) && found.missed == 5 - count, "\(bytes)")
        let page = try store.events(EventFilter(), limit: 10, bytes: bytes)
        #expect(page.events.map(\.id) == found.events.map(\.id).reversed() && page.mayBeMore == (count < 5), "\(bytes)")
      }
    }
  }

  @Test(arguments: [1, 10])
  func `rows from the future do not keep later rows from deletion, however many they are`(count: Int) throws {
    try withStore(EventLimits(days: 1, rows: 1_000_000)) { store in
      let old = Self.now - 3 * 86_400_000
      let future = Array(repeating: row(page: "p", received: Self.now + 86_400_000), count: count)
      _ = try store.write([EventRowBatch(events: future + [row(page: "p", received: old)])])
      _ = try store.deleteSome(now: Self.now, most: 5)
      #expect(
        try store.pool.read {
          try Int.fetchOne($0, sql: "SELECT count(*) FROM event WHERE received = ?", arguments: [old])
        } == 0)
    }
  }

  @Test func `rows from the future are deleted when events exceed their limit in bytes`() throws {
    try withStore(EventLimits(days: 30, rows: 1_000_000, bytes: 0)) { store in
      _ = try store.write([EventRowBatch(events: [row(page: "p", received: Self.now + 86_400_000)])])
      _ = try store.deleteSome(now: Self.now)
      #expect(try store.isEmpty())
    }
  }
}
