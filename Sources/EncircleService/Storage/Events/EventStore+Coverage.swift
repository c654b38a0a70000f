import Foundation
import GRDB

extension EventStore {
  /// The number of an element's uses, and how many of these events were selected or excluded when they arrived.
  struct ElementUse: Sendable {
    let element: [UInt8]
    let page: String?
    let events: Int
    let selected: Int
    let excludedByRule: Int
    let excludedPage: Int
  }

  /// Returns the uses of all elements since a time in milliseconds since 1970.
  ///
  /// - Parameter project: The project of the events; nil for all.
  /// - Complexity: O(counters of that time); with a project, O(events).
  func elementUses(since time: Int64, of project: String?) throws -> [ElementUse] {
    try pool.read { database in
      let rows: RowCursor
      if let project {
        var filter = EventFilter()
        filter.project = project
        filter.from = time.flooredQuotient(by: 3_600_000) * 3_600_000
        let condition = filter.condition()
        rows = try Row.fetchCursor(
          database,
          sql: """
            SELECT element, max(page), count(*), sum(verdict.selected),
              sum(NOT verdict.selected AND verdict.pages = '[]' AND verdict.excluded_by <> '[]'),
              sum(NOT verdict.selected AND verdict.pages <> '[]')
            FROM event JOIN verdict ON verdict.id = event.verdict
            WHERE \(condition.sql) AND element IS NOT NULL GROUP BY element
            """, arguments: condition.arguments)
      } else {
        rows = try Row.fetchCursor(
          database,
          sql: """
            SELECT element, max(page), sum(events), sum(selected), sum(excluded_by_rule), sum(excluded_page)
            FROM element_count WHERE hour >= ? GROUP BY element
            """, arguments: [time.flooredQuotient(by: 3_600_000)])
      }
      var uses: [ElementUse] = []
      while let row = try rows.next() {
        uses.append(
          ElementUse(
            element: [UInt8](row[0] as Data), page: row[1], events: row[2], selected: row[3], excludedByRule: row[4],
            excludedPage: row[5]))
      }
      return uses
    }
  }

  /// The people who used an element: a row for each day and app version, and for events with and without a rule.
  struct ElementPeople {
    let isSelected: Bool
    /// The app version; empty for events that do not state it.
    let version: String
    /// The people as ``PeopleSketch`` stores them; valid until the next row.
    let people: UnsafeRawBufferPointer
  }

  /// Calls `body` with the people of some elements, from the beginning of the day of a time in milliseconds since 1970.
  ///
  /// - Parameters:
  ///   - wanted: The elements, by ``ElementPeopleCounts/number(of:)``, each with the value to pass to `body`.
  ///   - project: The project of the events; nil for all.
  /// - Complexity: O(counters of that time); with a project, O(events).
  func forEachElementPeople<Value>(
    of wanted: [Int64: Value], since time: Int64, project: String?, _ body: (Value, ElementPeople) throws -> Void
  ) throws {
    let day = time.flooredQuotient(by: 86_400_000)
    try pool.read { database in
      if let project { return try Self.forEachPerson(of: wanted, since: day, project: project, database, body) }
      let rows = try RowReader(
        database, "SELECT element, selected, people, app_version FROM element_people WHERE day >= ?", [day])
      defer { rows.end() }
      while try rows.next() {
        guard let value = wanted[rows.number(0)] else { continue }
        try body(
          value,
          ElementPeople(
            isSelected: rows.number(1) != 0, version: String(decoding: rows.bytes(3), as: UTF8.self),
            people: UnsafeRawBufferPointer(rows.bytes(2))))
      }
    }
  }

  private static func forEachPerson<Value>(
    of wanted: [Int64: Value], since day: Int64, project: String, _ database: Database,
    _ body: (Value, ElementPeople) throws -> Void
  ) throws {
    var filter = EventFilter()
    filter.project = project
    filter.from = day * 86_400_000
    let condition = filter.condition()
    let rows = try RowReader(
      database,
      """
      SELECT element, verdict.selected, distinct_id, app_version
      FROM event JOIN verdict ON verdict.id = event.verdict WHERE \(condition.sql) AND element IS NOT NULL
      """, condition.arguments)
    defer { rows.end() }
    while try rows.next() {
      guard let value = wanted[ElementPeopleCounts.number(of: rows.bytes(0))] else { continue }
      let person = String(decoding: rows.bytes(2), as: UTF8.self)
      var sketch = PeopleSketch()
      if !person.isEmpty { sketch.insert(SeriesCounts.hash(person)) }
      let version = EventCounts.cut(String(decoding: rows.bytes(3), as: UTF8.self)).text
      try sketch.bytes.withUnsafeBytes { people in
        try body(value, ElementPeople(isSelected: rows.number(1) != 0, version: version, people: people))
      }
    }
  }
}
