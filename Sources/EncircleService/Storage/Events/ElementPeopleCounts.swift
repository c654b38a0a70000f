import EncircleIdentity
import EncircleText
import Foundation
import GRDB

/// The increments, in one transaction, of the counters of people by day, element and app version. Selected events are counted
/// separately, because coverage reports the people of elements without a rule.
struct ElementPeopleCounts: StoredCounts {
  private struct Key: Hashable {
    var day: Int64
    var element: Int64
    var isSelected: Bool
    var version: UTF8String
  }

  private var people: [Key: Set<UInt64>] = [:]

  /// The number of rows that ``write(to:)`` adds or changes, by day.
  var rowsByDay: [Int64: Int] { people.keys.reduce(into: [:]) { $0[$1.day, default: 0] += 1 } }

  /// Returns the number that identifies an element: the first 64 bits of its event ID.
  static func number(of element: some Collection<UInt8>) -> Int64 {
    Int64(bitPattern: element.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
  }

  /// - Parameter time: The time under which the row is counted, in milliseconds since 1970.
  mutating func count(_ row: EventRow, at time: Int64) {
    guard let element = row.element else { return }
    count(
      Self.number(of: element), isSelected: row.decision.isSelected, version: row.appVersion, person: row.distinctID,
      at: time)
  }

  private mutating func count(
    _ element: Int64, isSelected: Bool, version: String?, person: String?, at time: Int64
  ) {
    let key = Key(
      day: time.flooredQuotient(by: 86_400_000), element: element, isSelected: isSelected,
      version: EventCounts.cut(version))
    if let person, !person.isEmpty {
      people[key, default: []].insert(SeriesCounts.hash(person))
    } else if people[key] == nil {
      people[key] = []
    }
  }

  func write(to database: Database) throws {
    var rows = try PeopleRows(
      database, table: "element_people", key: ["day", "element", "selected", "app_version"])
    for (key, hashes) in people {
      try rows.add(
        hashes,
        to: [
          key.day.databaseValue, key.element.databaseValue, key.isSelected.databaseValue,
          key.version.text.databaseValue,
        ])
    }
  }

  /// Counts the stored events of a file from an earlier version without these counters.
  ///
  /// - Complexity: As for ``StoredCounts/countRows(_:in:count:)``.
  static func countStored(in database: Database) throws {
    let sql = """
      SELECT element, verdict.selected, app_version, distinct_id, at
      FROM event JOIN verdict ON verdict.id = event.verdict WHERE element IS NOT NULL ORDER BY event.id
      """
    try countRows(sql, in: database) { counts, row in
      counts.count(
        Self.number(of: row[0] as Data), isSelected: row[1], version: row[2], person: row[3], at: row[4])
    }
  }
}
