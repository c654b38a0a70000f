import EncircleIdentity
import EncircleText
import GRDB

/// The increments, in one transaction, of the counters of events and people by hour.
struct SeriesCounts {
  private struct Key: Hashable {
    var hour: Int64
    var subject: SeriesSubject
  }

  private struct Increment {
    var events: Int64 = 0
    var people: Set<UInt64> = []
  }

  private var counts: [Key: Increment] = [:]

  /// The number of rows that ``write(to:)`` adds or changes, by day.
  var rowsByDay: [Int64: Int] {
    counts.keys.reduce(into: [:]) { $0[$1.hour.flooredQuotient(by: 24), default: 0] += 1 }
  }

  /// - Parameter time: The time under which the row is counted, in milliseconds since 1970.
  mutating func count(_ row: EventRow, at time: Int64) {
    let hour = time.flooredQuotient(by: 3_600_000)
    let person = row.distinctID.flatMap { $0.isEmpty ? nil : Self.hash($0) }
    func add(_ subject: SeriesSubject, _ counts: inout [Key: Increment]) {
      guard subject.hasCounters else { return }
      let key = Key(hour: hour, subject: subject)
      counts[key, default: Increment()].events += 1
      if let person { counts[key, default: Increment()].people.insert(person) }
    }
    add(SeriesSubject(.all), &counts)
    if let name = row.event { add(SeriesSubject(.event, name), &counts) }
    for rule in row.decision.rules + row.decision.excludedBy { add(SeriesSubject(.rule, rule), &counts) }
  }

  /// Returns 64 bits of the SHA-256 of an identifier. Hashes are stored, so they must be the same in every process.
  static func hash(_ person: String) -> UInt64 {
    EventID(identity: person).leadingBits
  }

  func write(to database: Database) throws {
    var rows = try PeopleRows(
      database, table: "series_count", key: ["hour", "kind", "name"], counters: ["events"])
    for (key, increment) in counts {
      let (kind, name) = (key.subject.kind.rawValue, key.subject.name.text)
      try rows.add(
        increment.people, [increment.events],
        to: [key.hour.databaseValue, kind.databaseValue, name.databaseValue])
    }
  }
}
