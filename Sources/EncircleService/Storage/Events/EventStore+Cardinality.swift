import GRDB

/// Records which days may have more counters than the limit.
///
/// Apps make up names of pages and elements, so the number of names is unlimited: a page for each product would make a row for
/// each page, hour and version.
struct CounterCardinality {
  /// The maximum number of rows of a day in a table; there may temporarily be twice as many.
  var rowsPerDay = 50_000

  /// The number of rows written since a day was last examined. A day that was never examined may have many.
  private var written: [Int64: Int] = [:]

  mutating func add(_ rows: [Int64: Int]) {
    for (day, count) in rows { written[day, default: rowsPerDay] += count }
  }

  /// Returns the days to examine, and marks them as examined.
  mutating func daysOverLimit() -> [Int64] {
    let days = written.filter { $0.value >= rowsPerDay }.map(\.key)
    for day in days { written[day] = 0 }
    return days
  }
}

extension EventStore {
  /// The page, event and version of the counter that stands for all names that are not kept separately.
  static let otherName = "(other)"

  /// Makes room on days with too many counters. The smallest counters of events are merged, so their sums stay the same; the
  /// smallest rows of the other tables are deleted.
  func joinSmallCounts(_ database: Database) throws {
    let (days, limit) = cardinality.withLock { ($0.daysOverLimit(), $0.rowsPerDay) }
    for day in days {
      let hours = [day * 24, day * 24 + 24]
      if let most = try Self.joinedSize("event_count", "hour", hours, by: "events", limit, database) {
        try database.execute(
          sql: """
            INSERT INTO event_count (hour, rule, page, event, app_version, platform, events, selected)
            SELECT hour, rule, ?4, ?4, ?4, '', sum(events), sum(selected) FROM event_count
            WHERE hour >= ?1 AND hour < ?2 AND events <= ?3 AND page <> ?4 GROUP BY hour, rule
            ON CONFLICT DO UPDATE SET events = events + excluded.events, selected = selected + excluded.selected
            """, arguments: [hours[0], hours[1], most, Self.otherName])
        try database.execute(
          sql: "DELETE FROM event_count WHERE hour >= ? AND hour < ? AND events <= ? AND page <> ?",
          arguments: [hours[0], hours[1], most, Self.otherName])
      }
      if let most = try Self.joinedSize("element_count", "hour", hours, by: "events", limit, database) {
        // These rows are not merged: no element could stand for all of them, and the sums of the days come from `event_count`.
        try database.execute(
          sql: "DELETE FROM element_count WHERE hour >= ? AND hour < ? AND events <= ?",
          arguments: [hours[0], hours[1], most])
      }
      if let most = try Self.joinedSize("series_count", "hour", hours, by: "events", limit, database) {
        // A query for a name on such a day counts event by event.
        try database.execute(
          sql: "DELETE FROM series_count WHERE hour >= ? AND hour < ? AND events <= ? AND kind = ?",
          arguments: [hours[0], hours[1], most, SeriesSubject.Kind.event.rawValue])
        try database.execute(sql: "INSERT OR IGNORE INTO series_gap (day) VALUES (?)", arguments: [day])
      }
      if let most = try Self.joinedSize("element_people", "day", [day, day + 1], by: "length(people)", limit, database)
      {
        // Taps of the least used elements are still counted, but no longer by person.
        try database.execute(
          sql: "DELETE FROM element_people WHERE day = ? AND length(people) <= ?", arguments: [day, most])
      }
      for table in ["plan_day", "plan_page"] {
        guard let most = try Self.joinedSize(table, "day", [day, day + 1], by: "events", limit, database) else {
          continue
        }
        // The plan shows the remaining counts of such a day as lower bounds.
        try database.execute(sql: "DELETE FROM \(table) WHERE day = ? AND events <= ?", arguments: [day, most])
        try database.execute(sql: "INSERT OR IGNORE INTO plan_gap (day) VALUES (?)", arguments: [day])
      }
    }
  }

  /// Returns the size up to which rows of a day are merged; nil if there are not too many.
  ///
  /// - Parameters:
  ///   - time: The column of the rows' time, and the range of the day.
  ///   - size: The expression by which rows are compared.
  ///   - limit: The maximum number of rows of a day.
  private static func joinedSize(
    _ table: String, _ time: String, _ range: [Int64], by size: String, _ limit: Int, _ database: Database
  ) throws -> Int64? {
    let condition = "\(time) >= ? AND \(time) < ?"
    let rows = try Int.fetchOne(
      database, sql: "SELECT count(*) FROM \(table) WHERE \(condition)", arguments: StatementArguments(range))
    guard let rows, rows > limit else { return nil }
    return try Int64.fetchOne(
      database, sql: "SELECT \(size) FROM \(table) WHERE \(condition) ORDER BY 1 DESC LIMIT 1 OFFSET ?",
      arguments: [range[0], range[1], limit / 2])
  }
}
