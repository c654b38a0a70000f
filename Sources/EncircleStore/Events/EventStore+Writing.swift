import EncircleText
import GRDB

extension EventStore {
  /// Stores batches in one transaction, which is on disk when this returns.
  ///
  /// - Returns: For each batch the ids of its events; none for one that had been stored before.
  /// - Throws: `DatabaseError`, as on a full disk; nothing has been stored then.
  /// - Complexity: O(events).
  public func write(_ batches: [EventBatch]) throws -> [[Int64?]] {
    do {
      return try pool.write { database in
        var counts = EventCounts(limits: eventLimits)
        var event = try RowStatement(
          database,
          """
          INSERT OR IGNORE INTO event
            (received, at, time, sent, key, event, page, distinct_id, app_version, element, verdict)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """)
        var json = try RowStatement(database, "INSERT OR REPLACE INTO event_json (id, json) VALUES (?, ?)")
        let ids = try batches.map { batch in
          try batch.events.map { row -> Int64? in
            let at = counts.countedTime(of: row)
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
            event.bind(try number(of: row.verdict, database))
            try event.run()
            guard event.changes == 1 else { return nil }
            let id = event.insertedID
            json.bind(id)
            json.bind(row.json)
            try json.run()
            counts.count(row, at: at)
            return id
          }
        }
        try counts.write(to: database)
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
        return ids
      }
    } catch {
      // Those that this transaction added are not there. Where they cannot be read, decisions are stored once more.
      verdicts.withLock { $0 = [:] }
      try? pool.read { try loadVerdicts($0) }
      throw error
    }
  }

  private func number(of verdict: Verdict, _ database: Database) throws -> Int64 {
    if let known = verdicts.withLock({ $0[verdict] }) { return known }
    try database.execute(
      sql: "INSERT INTO verdict (selected, rules, excluded_by, pages, emit) VALUES (?, ?, ?, ?, ?)",
      arguments: [
        verdict.isSelected, try Verdict.text(verdict.rules), try Verdict.text(verdict.excludedBy),
        try Verdict.text(verdict.pages), try Verdict.text(verdict.emit),
      ])
    let id = database.lastInsertedRowID
    for rule in verdict.rules + verdict.excludedBy {
      try database.execute(
        sql: "INSERT OR IGNORE INTO verdict_rule (rule, verdict) VALUES (?, ?)", arguments: [rule, id])
    }
    verdicts.withLock { $0[verdict] = id }
    return id
  }
}

/// What a transaction adds to the counters.
private struct EventCounts {
  private struct Key: Hashable {
    var hour: Int64
    /// Empty for all events.
    var rule: UTF8String
    var page: UTF8String
    var event: UTF8String
    var appVersion: UTF8String
  }

  private struct ElementKey: Hashable {
    var hour: Int64
    var element: [UInt8]
  }

  private var counts: [Key: (events: Int64, selected: Int64)] = [:]
  private var elements: [ElementKey: (page: String?, events: Int64, selected: Int64)] = [:]
  private var seen: [UTF8String: Int64] = [:]
  private let limits: EventLimits
  /// A longer text is cut off, so that what apps send cannot make the counters large.
  private static let nameLimit = 200

  init(limits: EventLimits) { self.limits = limits }

  /// The time under which an event is counted: when it happened, unless that is before the time for which events are kept,
  /// or in the future; then when it arrived.
  func countedTime(of row: EventRow) -> Int64 {
    let oldest = row.received - Int64(limits.days) * 86_400_000
    return (oldest...row.received + 3_600_000).contains(row.time) ? row.time : row.received
  }

  mutating func count(_ row: EventRow, at time: Int64) {
    var key = Key(
      hour: time.flooredQuotient(by: 3_600_000), rule: UTF8String(""), page: Self.cut(row.page),
      event: Self.cut(row.event),
      appVersion: Self.cut(row.appVersion))
    let selected: Int64 = row.verdict.isSelected ? 1 : 0
    counts[key, default: (0, 0)].events += 1
    counts[key, default: (0, 0)].selected += selected
    if let element = row.element {
      let place = ElementKey(hour: key.hour, element: element)
      elements[place, default: (row.page, 0, 0)].events += 1
      elements[place, default: (row.page, 0, 0)].selected += selected
    }
    for rule in (row.verdict.rules + row.verdict.excludedBy).map({ UTF8String($0) }) {
      key.rule = rule
      counts[key, default: (0, 0)].events += 1
      counts[key, default: (0, 0)].selected += selected
      seen[rule] = max(seen[rule] ?? .min, time)
    }
  }

  private static func cut(_ text: String?) -> UTF8String {
    guard let text else { return UTF8String("") }
    if text.utf8.count <= nameLimit { return UTF8String(text) }
    return UTF8String(String(decoding: text.utf8.prefix(nameLimit), as: UTF8.self))
  }

  func write(to database: Database) throws {
    var count = try RowStatement(
      database,
      """
      INSERT INTO event_count (hour, rule, page, event, app_version, events, selected) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET events = events + excluded.events, selected = selected + excluded.selected
      """)
    for (key, value) in counts {
      count.bind(key.hour)
      count.bind(key.rule.text)
      count.bind(key.page.text)
      count.bind(key.event.text)
      count.bind(key.appVersion.text)
      count.bind(value.events)
      count.bind(value.selected)
      try count.run()
    }
    var element = try RowStatement(
      database,
      """
      INSERT INTO element_count (hour, element, page, events, selected) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET events = events + excluded.events, selected = selected + excluded.selected
      """)
    for (key, value) in elements {
      element.bind(key.hour)
      element.bind(key.element)
      element.bind(value.page)
      element.bind(value.events)
      element.bind(value.selected)
      try element.run()
    }
    var rule = try RowStatement(
      database,
      """
      INSERT INTO rule_seen (rule, last_seen) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET last_seen = max(last_seen, excluded.last_seen)
      """)
    for (name, time) in seen {
      rule.bind(name.text)
      rule.bind(time)
      try rule.run()
    }
  }
}
