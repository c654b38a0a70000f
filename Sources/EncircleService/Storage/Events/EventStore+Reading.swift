import Foundation
import GRDB

extension EventStore {
  private static let columns = """
    event.id, received, at, time, event, page, distinct_id, app_version, element, project, properties, event_json.json,
    selected, rules, excluded_by, pages, emit
    """

  /// CROSS JOIN makes SQLite read the tables in this order, and find the newest events without sorting them and their JSON.
  private static let joined = """
    event CROSS JOIN event_json ON event_json.id = event.id CROSS JOIN verdict ON verdict.id = event.verdict
    """

  /// Returns the newest events that meet a condition, and whether there may be further ones.
  private static func newest(
    _ database: Database, where condition: (sql: String, arguments: StatementArguments), limit: Int, bytes: Int
  ) throws -> (events: [StoredEvent], mayBeMore: Bool) {
    let rows = try Row.fetchCursor(
      database, sql: "SELECT \(columns) FROM \(joined) WHERE \(condition.sql) ORDER BY event.id DESC LIMIT ?",
      arguments: condition.arguments + [limit])
    var events: [StoredEvent] = []
    var left = bytes
    while let row = try rows.next() {
      let event = StoredEvent(row)
      left -= event.row.json.count
      if left < 0, !events.isEmpty { return (events, true) }
      events.append(event)
    }
    return (events, events.count == limit)
  }

  /// Returns the newest events that pass a filter, and whether there may be further ones.
  ///
  /// - Parameters:
  ///   - id: The event before which the returned events were stored.
  ///   - bytes: The maximum size of their JSON; the first event is returned in any case.
  /// - Complexity: O(events that are examined), without their JSON except for the returned events.
  func events(
    _ filter: EventFilter, before id: Int64? = nil, limit: Int, bytes: Int
  ) throws -> (events: [StoredEvent], mayBeMore: Bool) {
    try pool.read { try Self.newest($0, where: filter.condition(before: id), limit: limit, bytes: bytes) }
  }

  /// Returns the events that pass a filter and were stored after a given one, oldest first, and the number of missing events.
  /// Beyond `most` or `bytes`, only the newest are returned. All deleted events count as missing, whether or not they passed
  /// the filter, unless the reader is new.
  ///
  /// - Parameter bytes: The maximum size of their JSON; the newest event is returned in any case.
  /// - Complexity: O(events since then).
  func events(
    _ filter: EventFilter, after id: Int64, most: Int, bytes: Int
  ) throws -> (events: [StoredEvent], missed: Int) {
    try pool.read { database in
      let condition = filter.condition(after: id)
      let (events, mayBeMore) = try Self.newest(database, where: condition, limit: most, bytes: bytes)
      let all =
        mayBeMore
        ? try Int.fetchOne(
          database, sql: "SELECT count(*) FROM event WHERE \(condition.sql)", arguments: condition.arguments) ?? 0
        : events.count
      let oldest =
        try Int64.fetchOne(database, sql: "SELECT coalesce(min(id), (SELECT id + 1 FROM event_last)) FROM event") ?? 0
      // A new reader has not missed events that were deleted before.
      let deleted = id == 0 ? 0 : max(0, Int(oldest - id - 1))
      return (events.reversed(), all - events.count + deleted)
    }
  }

  /// Returns the event with an id; nil if it has been deleted.
  func event(_ id: Int64) throws -> StoredEvent? {
    try pool.read { database in
      try Row.fetchOne(
        database, sql: "SELECT \(Self.columns) FROM \(Self.joined) WHERE event.id = ?", arguments: [id]
      ).map(StoredEvent.init)
    }
  }

  /// Returns the newest rejects with their ids.
  ///
  /// - Parameter bytes: The maximum size of their texts; the first reject is returned in any case.
  func rejects(
    offset: Int, limit: Int, bytes: Int
  ) throws -> (rows: [(id: Int64, reject: RejectRow)], total: Int) {
    try pool.read { database in
      let found = try Row.fetchCursor(
        database, sql: "SELECT * FROM reject ORDER BY id DESC LIMIT ? OFFSET ?", arguments: [limit, offset])
      var rows: [(id: Int64, reject: RejectRow)] = []
      var left = bytes
      while let row = try found.next() {
        let reject = RejectRow(
          received: row["received"], line: row["line"], code: row["code"], reason: row["reason"],
          text: [UInt8](row["text"] as Data))
        left -= reject.text.count
        if left < 0, !rows.isEmpty { break }
        rows.append((row["id"], reject))
      }
      return (rows, try Int.fetchOne(database, sql: "SELECT count(*) FROM reject") ?? 0)
    }
  }

  /// An event in a scan.
  struct ScannedEvent {
    let id: Int64
    /// The time under which it is counted, in milliseconds since 1970.
    let at: Int64
    let distinctID: String?
    let appVersion: String?
    let json: [UInt8]
  }

  /// Calls `body` with each event that was received at a time or later, newest first, until it returns false.
  func forEachRow(receivedSince time: Int64, _ body: (ScannedEvent) throws -> Bool) throws {
    try pool.read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT event.id, at, distinct_id, app_version, json, received
          FROM event CROSS JOIN event_json ON event_json.id = event.id ORDER BY event.id DESC
          """)
      while let row = try rows.next() {
        // Events arrive in the order of their ids.
        guard row[5] as Int64 >= time else { return }
        let event = ScannedEvent(
          id: row[0], at: row[1], distinctID: row[2], appVersion: row[3],
          json: try row.withUnsafeData(atIndex: 4) { $0.map { [UInt8]($0) } ?? [] })
        guard try body(event) else { return }
      }
    }
  }
}

extension EventFilter {
  /// Returns the filter as a condition on rows of `event`.
  func condition(before id: Int64? = nil, after: Int64? = nil) -> (sql: String, arguments: StatementArguments) {
    var parts: [String] = ["1"]
    var arguments = StatementArguments()
    func add(_ part: String, _ value: (any DatabaseValueConvertible)?) {
      guard let value else { return }
      parts.append(part)
      arguments += [value]
    }
    add("event.id < ?", id)
    add("event.id > ?", after)
    add("event.verdict IN (SELECT verdict FROM verdict_rule WHERE rule = ?)", rule)
    add("event.verdict IN (SELECT id FROM verdict WHERE selected = ?)", isSelected)
    if let page {
      // Events of earlier versions are stored with the page that they were sent with.
      parts.append("page IN (?, ?)")
      arguments += [page, EventRow.page(ofEvent: page)]
    }
    add("distinct_id = ?", distinctID)
    add("event = ?", event)
    add("element = ?", element.map { Data($0) })
    add("coalesce(event.project, '\(EventFilter.defaultProject)') = ?", project)
    add("at >= ?", from)
    add("at < ?", to)
    return (parts.joined(separator: " AND "), arguments)
  }
}

extension StoredEvent {
  init(_ row: Row) {
    self.init(
      id: row["id"], at: row["at"],
      row: EventRow(
        received: row["received"], time: row["time"], key: nil, event: row["event"], page: row["page"],
        distinctID: row["distinct_id"], appVersion: row["app_version"],
        element: (row["element"] as Data?).map { [UInt8]($0) }, project: row["project"], decision: StoredDecision(row),
        properties: row["properties"], json: [UInt8](row["json"] as Data)))
  }
}
