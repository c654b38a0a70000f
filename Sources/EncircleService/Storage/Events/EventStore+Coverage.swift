import Foundation
import GRDB

extension EventStore {
  /// How often an element was used, and how many of these events were selected when they arrived.
  struct ElementUse: Sendable {
    let element: [UInt8]
    let page: String?
    let events: Int
    let selected: Int
  }

  /// The uses of all elements since a time in milliseconds since 1970.
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
            SELECT element, max(page), count(*), sum(verdict.selected)
            FROM event JOIN verdict ON verdict.id = event.verdict
            WHERE \(condition.sql) AND element IS NOT NULL GROUP BY element
            """, arguments: condition.arguments)
      } else {
        rows = try Row.fetchCursor(
          database,
          sql: """
            SELECT element, max(page), sum(events), sum(selected) FROM element_count WHERE hour >= ? GROUP BY element
            """, arguments: [time.flooredQuotient(by: 3_600_000)])
      }
      var uses: [ElementUse] = []
      while let row = try rows.next() {
        uses.append(ElementUse(element: [UInt8](row[0] as Data), page: row[1], events: row[2], selected: row[3]))
      }
      return uses
    }
  }
}
