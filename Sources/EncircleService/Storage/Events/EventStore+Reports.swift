import Foundation
import GRDB

/// The key by which events are counted.
enum EventGrouping: String, CaseIterable, Sendable {
  case rule, event, page, hour
  case appVersion = "app_version"
}

/// The number of events with the same key.
struct KeyCount: Sendable, Encodable {
  var key: String
  let events: Int
  /// The number of people who caused them; nil if there are too many to keep apart.
  let people: Int?
}

extension EventStore {
  /// Returns the events and the people who caused them, most events first. Hours are in milliseconds since 1970, the last one
  /// first.
  ///
  /// - Complexity: O(all events), because people are counted one by one.
  func counts(
    by grouping: EventGrouping, _ filter: EventFilter, most count: Int
  ) throws -> [KeyCount] {
    let key =
      switch grouping {
      case .rule: "verdict_rule.rule"
      case .event: "event.event"
      case .page: "event.page"
      case .appVersion: "event.app_version"
      case .hour: "CAST(event.at / 3600000 * 3600000 AS TEXT)"
      }
    let source =
      grouping == .rule ? "event JOIN verdict_rule ON verdict_rule.verdict = event.verdict" : "event"
    let condition = filter.condition()
    return try pool.read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT coalesce(\(key), '') AS k, count(*) AS n, count(DISTINCT distinct_id)
          FROM \(source) WHERE \(condition.sql) GROUP BY k
          ORDER BY \(grouping == .hour ? "min(at) DESC" : "n DESC, k") LIMIT ?
          """, arguments: condition.arguments + [count]
      ).map { KeyCount(key: $0[0], events: $0[1], people: $0[2]) }
    }
  }

  /// Returns how often each element was used since a time in milliseconds since 1970, by event ID.
  ///
  /// - Complexity: O(counters of that time).
  func elementCounts(since time: Int64) throws -> [[UInt8]: Int] {
    try pool.read { database in
      let rows = try Row.fetchCursor(
        database, sql: "SELECT element, sum(events) FROM element_count WHERE hour >= ? GROUP BY element",
        arguments: [time.flooredQuotient(by: 3_600_000)])
      var counts: [[UInt8]: Int] = [:]
      while let row = try rows.next() { counts[[UInt8](row[0] as Data)] = row[1] }
      return counts
    }
  }

  /// Calls `body` with the JSON of the newest events on pages since a time, until it returns false.
  ///
  /// - Parameter project: The project of the events; nil for all.
  func forEach(
    onPages pages: [String], since time: Int64, of project: String? = nil, _ body: ([UInt8]) throws -> Bool
  ) throws {
    var filter = EventFilter()
    (filter.project, filter.from) = (project, time)
    let condition = filter.condition()
    try pool.read { database in
      let marks = pages.map { _ in "?" }.joined(separator: ",")
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT json FROM event JOIN event_json ON event_json.id = event.id
          WHERE page IN (\(marks)) AND \(condition.sql) ORDER BY event.id DESC
          """, arguments: StatementArguments(pages) + condition.arguments)
      while let row = try rows.next() {
        guard try body(try row.withUnsafeData(atIndex: 0) { $0.map { [UInt8]($0) } ?? [] }) else { return }
      }
    }
  }
}
