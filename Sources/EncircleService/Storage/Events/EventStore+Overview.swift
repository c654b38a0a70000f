import EncircleText
import Foundation
import GRDB

/// The number of events with the same key.
struct EventCount: Sendable {
  /// The key; empty for events without one.
  let key: String
  let events: Int
  let selected: Int
  /// The number of events in each part of the time.
  fileprivate(set) var series: [Int] = []
}

/// The events of a period, by hour.
struct EventOverview: Sendable {
  /// The beginnings of the parts of the curves, in milliseconds since 1970, ascending.
  fileprivate(set) var starts: [Int64] = []
  /// The events by the number of the hour since 1970.
  var hours: [(hour: Int64, events: Int, selected: Int)] = []
  /// The rules with the most events, most first; pages, names and elements are in the same order.
  var rules: [EventCount] = []
  var pages: [EventCount] = []
  /// The events by name.
  var names: [EventCount] = []
  /// The events by event ID.
  var elements: [(element: [UInt8], page: String?, events: Int, selected: Int, series: [Int])] = []
  var rejects = 0
}

extension EventStore {
  /// Returns the counters of the last days up to a time in milliseconds since 1970.
  ///
  /// - Parameter rules: The rules that are counted; nil for all.
  /// - Complexity: O(counters of that time), regardless of the number of events.
  func overview(days: Int, now: Int64, most count: Int, rules: [String]? = nil) throws -> EventOverview {
    let hours = RecentHours(days: days, now: now)
    let hour = hours.first
    return try pool.read { database in
      var overview = EventOverview()
      overview.starts = hours.starts
      overview.hours = try Row.fetchAll(
        database,
        sql: """
          SELECT hour, sum(events), sum(selected) FROM event_count WHERE hour >= ? AND rule = ''
          GROUP BY hour ORDER BY hour
          """, arguments: [hour]
      ).map { ($0[0], $0[1], $0[2]) }
      func curves(
        _ key: String, _ keys: [Data], _ source: String, _ arguments: StatementArguments = []
      ) throws -> [Data: [Int]] {
        try Self.curves(
          of: keys, hours, database, key: key, hour: "hour", events: "sum(events)", from: source, [hour] + arguments)
      }
      func counts(
        _ key: String, where condition: String, _ arguments: StatementArguments = []
      ) throws -> [EventCount] {
        let source = "event_count WHERE hour >= ? AND \(condition)"
        let counts = try Row.fetchAll(
          database,
          sql: """
            SELECT \(key), sum(events) AS n, sum(selected) FROM \(source) GROUP BY \(key) ORDER BY n DESC, \(key) LIMIT ?
            """, arguments: [hour] + arguments + [count]
        ).map { EventCount(key: $0[0], events: $0[1], selected: $0[2]) }
        return Self.counts(counts, with: try curves(key, counts.map(\.keyBytes), source, arguments))
      }
      let (named, names) = try Self.condition(on: "rule", rules)
      overview.rules = try counts("rule", where: "rule <> ''\(named)", names)
      overview.pages = try counts("page", where: "rule = '' AND page <> ''")
      overview.names = try counts("event", where: "rule = '' AND event <> ''")
      let elements = try Row.fetchAll(
        database,
        sql: """
          SELECT element, max(page), sum(events) AS n, sum(selected) FROM element_count WHERE hour >= ?
          GROUP BY element ORDER BY n DESC, element LIMIT ?
          """, arguments: [hour, count])
      let taps = try curves("element", elements.map { $0[0] }, "element_count WHERE hour >= ?")
      overview.elements = elements.map { ([UInt8]($0[0] as Data), $0[1], $0[2], $0[3], taps[$0[0]] ?? []) }
      overview.rejects =
        try Int.fetchOne(database, sql: "SELECT count(*) FROM reject WHERE received >= ?", arguments: [hours.startTime])
        ?? 0
      return overview
    }
  }

  /// Returns a condition that a column is one of some rules; empty for all rules.
  private static func condition(
    on column: String, _ rules: [String]?
  ) throws -> (sql: String, arguments: StatementArguments) {
    guard let rules else { return ("", []) }
    return (" AND \(column) IN (SELECT value FROM json_each(?))", [try JSONColumn.text(of: rules)])
  }

  private static func counts(_ counts: [EventCount], with curves: [Data: [Int]]) -> [EventCount] {
    counts.map { count in
      var count = count
      count.series = curves[count.keyBytes] ?? []
      return count
    }
  }

  /// Returns the events of some keys, part by part.
  ///
  /// - Parameters:
  ///   - key: The expression for the bytes of the key; `hour` and `events` are the expressions for the hour since 1970 and for
  ///     the number of a group's events.
  ///   - source: Tables and a condition, whose arguments are `arguments`.
  private static func curves(
    of keys: [Data], _ hours: RecentHours, _ database: Database, key: String, hour: String, events: String,
    from source: String, _ arguments: StatementArguments
  ) throws -> [Data: [Int]] {
    var curves: [Data: [Int]] = [:]
    guard !keys.isEmpty else { return curves }
    let none = Array(repeating: 0, count: hours.starts.count)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT CAST(\(key) AS BLOB) AS k, (\(hour) - ?) / ? AS part, \(events) FROM \(source)
        AND k IN (\(databaseQuestionMarks(count: keys.count))) GROUP BY k, part
        """, arguments: [hours.first, hours.width] + arguments + StatementArguments(keys))
    while let row = try rows.next() {
      let part = row[1] as Int
      if part < none.count { curves[row[0], default: none][part] += row[2] as Int }
    }
    return curves
  }

  /// Returns the overview of one project, counted event by event.
  ///
  /// - Complexity: O(all events).
  func overview(
    of project: String, days: Int, now: Int64, most count: Int, rules: [String]? = nil
  ) throws -> EventOverview {
    let hours = RecentHours(days: days, now: now)
    var filter = EventFilter()
    filter.project = project
    filter.from = hours.startTime
    let condition = filter.condition()
    return try pool.read { database in
      var overview = EventOverview()
      overview.starts = hours.starts
      let tables = "event JOIN verdict ON verdict.id = event.verdict"
      func rows(
        _ key: String, from source: String = "", _ arguments: StatementArguments = [], by order: String, _ limit: Int
      ) throws -> [Row] {
        try Row.fetchAll(
          database,
          sql: """
            SELECT \(key) AS k, count(*) AS n, sum(verdict.selected), max(event.page)
            FROM \(tables) \(source)
            WHERE \(condition.sql) AND k IS NOT NULL GROUP BY k ORDER BY \(order) LIMIT ?
            """, arguments: arguments + condition.arguments + [limit])
      }
      func curves(
        _ key: String, _ keys: [Data], from source: String = "", _ arguments: StatementArguments = []
      ) throws -> [Data: [Int]] {
        try Self.curves(
          of: keys, hours, database, key: key, hour: "event.at / 3600000", events: "count(*)",
          from: "\(tables) \(source) WHERE \(condition.sql)", arguments + condition.arguments)
      }
      func counts(
        _ key: String, from source: String = "", _ arguments: StatementArguments = []
      ) throws -> [EventCount] {
        let counts = try rows(key, from: source, arguments, by: "n DESC, k", count).map {
          EventCount(key: $0[0], events: $0[1], selected: $0[2])
        }
        return Self.counts(counts, with: try curves(key, counts.map(\.keyBytes), from: source, arguments))
      }
      overview.hours = try rows("event.at / 3600000", by: "k", -1).map { ($0[0], $0[1], $0[2]) }
      let (named, names) = try Self.condition(on: "verdict_rule.rule", rules)
      overview.rules = try counts(
        "verdict_rule.rule", from: "JOIN verdict_rule ON verdict_rule.verdict = event.verdict\(named)", names)
      overview.pages = try counts("event.page")
      overview.names = try counts("event.event")
      let elements = try rows("event.element", by: "n DESC, k", count)
      let taps = try curves("event.element", elements.map { $0[0] })
      overview.elements = elements.map { ([UInt8]($0[0] as Data), $0[3], $0[1], $0[2], taps[$0[0]] ?? []) }
      overview.rejects =
        try Int.fetchOne(database, sql: "SELECT count(*) FROM reject WHERE received >= ?", arguments: [hours.startTime])
        ?? 0
      return overview
    }
  }
}

extension EventCount {
  fileprivate var keyBytes: Data { Data(key.utf8) }
}
