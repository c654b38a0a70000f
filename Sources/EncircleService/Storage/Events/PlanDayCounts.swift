import EncircleAuthoring
import EncircleText
import Foundation
import GRDB

/// The increments of the daily counters for plans, in one transaction. One counter has the events and people of each name; the
/// other has the events of each name that rules emit, by page.
struct PlanDayCounts: StoredCounts {
  private struct Name: Hashable {
    var day: Int64
    var name: UTF8String
    var source: PlanCounts.NameSource
  }

  private struct Page: Hashable {
    var day: Int64
    var page: UTF8String
    var name: UTF8String
  }

  private var names: [Name: (events: Int64, people: Set<UInt64>)] = [:]
  private var pages: [Page: Int64] = [:]

  /// The number of rows that ``write(to:)`` adds or changes, by day.
  var rowsByDay: [Int64: Int] {
    var rows: [Int64: Int] = [:]
    for key in names.keys { rows[key.day, default: 0] += 1 }
    for key in pages.keys { rows[key.day, default: 0] += 1 }
    return rows
  }

  /// - Parameter time: The time under which the row is counted, in milliseconds since 1970.
  mutating func count(_ row: EventRow, at time: Int64) {
    count(sent: row.event, emitted: row.decision.emit, page: row.page, person: row.distinctID, at: time)
  }

  private mutating func count(sent: String?, emitted: [String], page: String?, person: String?, at time: Int64) {
    let day = time.flooredQuotient(by: 86_400_000)
    let person = person.flatMap { $0.isEmpty ? nil : SeriesCounts.hash($0) }
    let page = EventCounts.cut(page)
    for (name, source) in PlanCounts.names(sent: sent, emitted: emitted) {
      let key = Name(day: day, name: name, source: source)
      names[key, default: (0, [])].events += 1
      if let person { names[key]?.people.insert(person) }
      guard source != .sent, !page.text.isEmpty else { continue }
      pages[Page(day: day, page: page, name: name), default: 0] += 1
    }
  }

  func write(to database: Database) throws {
    var rows = try PeopleRows(database, table: "plan_day", key: ["day", "name", "way"], counters: ["events"])
    for (key, use) in names {
      try rows.add(
        use.people, [use.events],
        to: [key.day.databaseValue, key.name.text.databaseValue, key.source.rawValue.databaseValue])
    }
    var page = try RowStatement(
      database,
      """
      INSERT INTO plan_page (day, page, name, events) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET events = events + excluded.events
      """)
    for (key, events) in pages {
      page.bind(key.day)
      page.bind(key.page.text)
      page.bind(key.name.text)
      page.bind(events)
      try page.run()
    }
  }

  /// Counts the stored events of a file from an earlier version without these counters.
  ///
  /// - Complexity: As for ``StoredCounts/countRows(_:in:count:)``.
  static func countStored(in database: Database) throws {
    var emitted: [Int64: [String]] = [:]
    for row in try Row.fetchAll(database, sql: "SELECT id, selected, rules, excluded_by, pages, emit FROM verdict") {
      emitted[row["id"]] = StoredDecision(row).emit
    }
    let sql = "SELECT event, verdict, page, distinct_id, at FROM event ORDER BY id"
    try countRows(sql, in: database) { counts, row in
      counts.count(sent: row[0], emitted: emitted[row[1]] ?? [], page: row[2], person: row[3], at: row[4])
    }
  }
}
