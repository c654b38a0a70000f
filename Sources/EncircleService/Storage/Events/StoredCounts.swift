import GRDB

/// The increments of counters, in one transaction, that can also be computed from events stored earlier.
protocol StoredCounts {
  init()
  func write(to database: Database) throws
}

extension StoredCounts {
  /// Counts and writes the rows of a query.
  ///
  /// - Parameter count: Counts one of the rows.
  /// - Complexity: O(rows), with memory for a part of them.
  static func countRows(_ sql: String, in database: Database, count: (inout Self, Row) -> Void) throws {
    var counts = Self()
    var number = 0
    let rows = try Row.fetchCursor(database, sql: sql)
    while let row = try rows.next() {
      count(&counts, row)
      number += 1
      if number.isMultiple(of: 50_000) {
        try counts.write(to: database)
        counts = Self()
      }
    }
    try counts.write(to: database)
  }
}
