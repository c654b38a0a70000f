import Foundation
import GRDB
import Synchronization

/// The events on disk, with their decisions, rejects and counters.
final class EventStore: Sendable {
  let pool: DatabasePool
  /// The ids of stored decisions. Only the writer uses them.
  let decisions = Mutex<[StoredDecision: Int64]>([:])
  let cardinality = Mutex(CounterCardinality())
  private let limits: @Sendable () -> EventLimits

  init(_ store: Store, limits: @escaping @Sendable () -> EventLimits) throws {
    pool = store.events
    self.limits = limits
    try pool.writeWithoutTransaction { database in
      // A checkpoint copies the pages of the log into the file and synchronises it. SQLite's default, every 1,000 pages, would
      // copy frequently changing pages more often than needed.
      try database.execute(sql: "PRAGMA wal_autocheckpoint = 8000")
      try loadDecisions(database)
    }
  }

  /// The limits of the stored events.
  var eventLimits: EventLimits { limits() }

  func loadDecisions(_ database: Database) throws {
    var known: [StoredDecision: Int64] = [:]
    let rows = try Row.fetchCursor(database, sql: "SELECT id, selected, rules, excluded_by, pages, emit FROM verdict")
    while let row = try rows.next() { known[StoredDecision(row)] = row["id"] }
    decisions.withLock { $0 = known }
  }

  /// Returns the id of the newest event, even if it has been deleted; 0 if no event was ever stored.
  func lastID() throws -> Int64 {
    try pool.read { database in
      try Int64.fetchOne(database, sql: "SELECT coalesce(max(id), (SELECT id FROM event_last)) FROM event") ?? 0
    }
  }

  /// Returns whether no event is stored.
  func isEmpty() throws -> Bool {
    try pool.read { try Bool.fetchOne($0, sql: "SELECT NOT EXISTS (SELECT 1 FROM event)") ?? true }
  }

  // MARK: - Retention

  /// Deletes some of the oldest events and rejects beyond the limits, and counters of hours that are too old.
  ///
  /// - Returns: True if there may be more to delete.
  func deleteSome(now: Int64, most count: Int = 5_000) throws -> Bool {
    let limits = eventLimits
    let oldest = now - Int64(limits.days) * 86_400_000
    return try pool.write { database in
      var mayBeMore = false
      // Pages of deleted rows are reused; the file itself does not become smaller.
      let size = try Int.fetchOne(
        database,
        sql: """
          SELECT (page_count - freelist_count) * page_size
          FROM pragma_page_count, pragma_freelist_count, pragma_page_size
          """)
      let isTooLarge = (size ?? 0) > limits.bytes
      for (table, most) in [("event", limits.rows), ("reject", max(1_000, limits.rows / 10))] {
        let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM \(table)") ?? 0
        // Rows are in the order of arrival, so the first row to keep ends the search. A clock that was temporarily wrong may
        // have left events with a future time; they must not preserve all later events.
        let rows = try Row.fetchCursor(
          database, sql: "SELECT id, received FROM \(table) WHERE received <= ? OR id <= ? OR ? ORDER BY id LIMIT ?",
          arguments: [now, last - Int64(most), isTooLarge, count])
        var end: Int64?
        var found = 0
        while let row = try rows.next() {
          let (id, received): (Int64, Int64) = (row[0], row[1])
          guard id <= last - Int64(most) || received < oldest || isTooLarge else { break }
          end = id
          found += 1
        }
        guard let end else { continue }
        if table == "event" {
          try database.execute(sql: "DELETE FROM event_json WHERE id <= ?", arguments: [end])
          if end == last { try database.execute(sql: "UPDATE event_last SET id = ?", arguments: [last]) }
        }
        try database.execute(sql: "DELETE FROM \(table) WHERE id <= ?", arguments: [end])
        if found == count { mayBeMore = true }
      }
      for table in ["event_count", "element_count", "series_count"] {
        try database.execute(sql: "DELETE FROM \(table) WHERE hour < ?", arguments: [oldest / 3_600_000])
      }
      for table in [
        "series_gap", "plan_people", "plan_fault", "plan_day", "plan_page", "plan_gap", "element_people",
      ] {
        try database.execute(sql: "DELETE FROM \(table) WHERE day < ?", arguments: [oldest / 86_400_000])
      }
      try deleteOldPlanUses(database)
      try deleteOldProjects(database, before: oldest)
      try joinSmallCounts(database)
      return mayBeMore
    }
  }
}

extension StoredDecision {
  init(_ row: Row) {
    self.init(
      isSelected: row["selected"], rules: Self.list(row["rules"]), excludedBy: Self.list(row["excluded_by"]),
      pages: Self.list(row["pages"]), emit: Self.list(row["emit"]))
  }

  private static func list(_ text: String) -> [String] { (try? JSONColumn.value(text)) ?? [] }
}
