import EncircleText
import GRDB

extension EventStore {
  /// Stores batches in one transaction, and returns when it is on disk.
  ///
  /// - Returns: The events of each batch as they are stored; nil for an event that was already stored.
  /// - Throws: `DatabaseError`, as on a full disk; nothing is stored then.
  /// - Complexity: O(events).
  func write(_ batches: [EventRowBatch]) throws -> [[StoredEvent?]] {
    do {
      return try pool.write { database in
        let limits = eventLimits
        var counters = Counters()
        var event = try RowStatement(
          database,
          """
          INSERT OR IGNORE INTO event
            (id, received, at, time, sent, key, event, page, distinct_id, app_version, element, project, verdict, properties,
            platform)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """)
        var json = try RowStatement(database, "INSERT OR REPLACE INTO event_json (id, json) VALUES (?, ?)")
        // In an empty table, SQLite would number events from 1 again. Readers that continue after the last id they have seen
        // would miss those events.
        var first = try Int64.fetchOne(
          database, sql: "SELECT id + 1 FROM event_last WHERE NOT EXISTS (SELECT 1 FROM event)")
        let stored = try batches.map { batch in
          try batch.events.map { row -> StoredEvent? in
            let at = limits.countedTime(of: row)
            event.bind(first)
            event.bind(row.received)
            event.bind(at)
            event.bind(row.time)
            event.bind(row.key?.sent)
            event.bind(row.key?.hash)
            event.bind(row.event)
            event.bind(row.page)
            event.bind(row.distinctID)
            event.bind(row.appVersion)
            event.bind(row.element)
            event.bind(row.project)
            event.bind(try number(of: row.decision, database))
            event.bind(row.properties)
            event.bind(row.platform)
            try event.run()
            guard event.changes == 1 else { return nil }
            let id = event.insertedID
            first = nil
            json.bind(id)
            json.bind(row.json)
            try json.run()
            counters.count(row, id: id, at: at)
            return StoredEvent(id: id, at: at, row: row)
          }
        }
        try counters.write(to: database)
        let rows = counters.rowsByDay
        cardinality.withLock { cardinality in for rows in rows { cardinality.add(rows) } }
        try Self.writeRejects(of: batches, to: database)
        return stored
      }
    } catch {
      // The decisions that the failed transaction added are not on disk. If the others cannot be read, they are stored once more.
      decisions.withLock { $0 = [:] }
      try? pool.read { try loadDecisions($0) }
      throw error
    }
  }

  private static func writeRejects(of batches: [EventRowBatch], to database: Database) throws {
    var reject = try RowStatement(
      database, "INSERT INTO reject (received, line, code, reason, text) VALUES (?, ?, ?, ?, ?)")
    for row in batches.lazy.flatMap(\.rejects) {
      reject.bind(row.received)
      reject.bind(Int64(row.line))
      reject.bind(row.code)
      reject.bind(row.reason)
      reject.bind(row.text)
      try reject.run()
    }
  }

  /// Returns the id of a decision, which is stored if it is new.
  private func number(of decision: StoredDecision, _ database: Database) throws -> Int64 {
    if let known = decisions.withLock({ $0[decision] }) { return known }
    try database.execute(
      sql: "INSERT INTO verdict (selected, rules, excluded_by, pages, emit) VALUES (?, ?, ?, ?, ?)",
      arguments: [
        decision.isSelected, try JSONColumn.text(of: decision.rules), try JSONColumn.text(of: decision.excludedBy),
        try JSONColumn.text(of: decision.pages), try JSONColumn.text(of: decision.emit),
      ])
    let id = database.lastInsertedRowID
    for rule in decision.rules + decision.excludedBy {
      try database.execute(
        sql: "INSERT OR IGNORE INTO verdict_rule (rule, verdict) VALUES (?, ?)", arguments: [rule, id])
    }
    decisions.withLock { $0[decision] = id }
    return id
  }
}

/// The increments of all counters in one transaction.
private struct Counters {
  private var events = EventCounts()
  private var series = SeriesCounts()
  private var planUses = PlanUseCounts()
  private var planDays = PlanDayCounts()
  private var people = ElementPeopleCounts()

  /// The numbers of rows that ``write(to:)`` adds to or changes in the tables whose size is limited, by day.
  var rowsByDay: [[Int64: Int]] { [events.rowsByDay, series.rowsByDay, people.rowsByDay, planDays.rowsByDay] }

  mutating func count(_ row: EventRow, id: Int64, at time: Int64) {
    events.count(row, at: time)
    series.count(row, at: time)
    planUses.count(row, id: id, at: time)
    planDays.count(row, at: time)
    people.count(row, at: time)
  }

  func write(to database: Database) throws {
    try events.write(to: database)
    try series.write(to: database)
    try planUses.write(to: database)
    try planDays.write(to: database)
    try people.write(to: database)
  }
}
