import EncircleAuthoring
import EncircleIdentity
import EncircleText
import GRDB

/// The increments, in one transaction, of the counters that determine the status of planned events.
struct PlanUseCounts {
  private struct Release: Hashable {
    var platform: UTF8String
    var version: UTF8String
  }

  private struct Name: Hashable {
    var name: UTF8String
    var source: PlanCounts.NameSource
    var release: Release
  }

  private struct Day: Hashable {
    var day: Int64
    var release: Release
  }

  private struct Fault: Hashable {
    var day: Day
    var fault: PlanWatch.Fault
  }

  private var seen: [Name: (events: Int64, first: Int64, last: Int64)] = [:]
  private var people: [Day: Set<UInt64>] = [:]
  private var faults: [Fault: (events: Int64, sample: Int64)] = [:]

  /// - Parameter time: The time under which the row is counted, in milliseconds since 1970.
  mutating func count(_ row: EventRow, id: Int64, at time: Int64) {
    let release = Release(platform: UTF8String(row.platform ?? ""), version: EventCounts.cut(row.appVersion))
    for (name, source) in PlanCounts.names(sent: row.event, emitted: row.decision.emit) {
      add(Name(name: name, source: source, release: release), time)
    }
    let day = Day(day: time.flooredQuotient(by: 86_400_000), release: release)
    if let person = row.distinctID, !person.isEmpty { people[day, default: []].insert(SeriesCounts.hash(person)) }
    for fault in row.planFaults {
      let old = faults[Fault(day: day, fault: fault)]
      faults[Fault(day: day, fault: fault)] = ((old?.events ?? 0) + 1, max(old?.sample ?? id, id))
    }
  }

  private mutating func add(_ name: Name, _ time: Int64) {
    let old = seen[name]
    seen[name] = ((old?.events ?? 0) + 1, min(old?.first ?? time, time), max(old?.last ?? time, time))
  }

  func write(to database: Database) throws {
    var seen = try RowStatement(
      database,
      """
      INSERT INTO plan_seen (name, way, platform, app_version, events, first, last) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET events = events + excluded.events,
        first = min(first, excluded.first), last = max(last, excluded.last)
      """)
    for (name, counts) in self.seen {
      seen.bind(name.name.text)
      seen.bind(Int64(name.source.rawValue))
      seen.bind(name.release.platform.text)
      seen.bind(name.release.version.text)
      seen.bind(counts.events)
      seen.bind(counts.first)
      seen.bind(counts.last)
      try seen.run()
    }
    try writePeople(to: database)
    var fault = try RowStatement(
      database,
      """
      INSERT INTO plan_fault (day, fingerprint, violation, platform, app_version, events, sample) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET events = events + excluded.events, sample = max(sample, excluded.sample)
      """)
    for (key, counts) in faults {
      fault.bind(key.day.day)
      fault.bind(key.fault.fingerprint)
      fault.bind(key.fault.violation.rawValue)
      fault.bind(key.day.release.platform.text)
      fault.bind(key.day.release.version.text)
      fault.bind(counts.events)
      fault.bind(counts.sample)
      try fault.run()
    }
  }

  private func writePeople(to database: Database) throws {
    var rows = try PeopleRows(database, table: "plan_people", key: ["day", "platform", "app_version"])
    for (key, hashes) in people {
      try rows.add(
        hashes,
        to: [
          key.day.databaseValue, key.release.platform.text.databaseValue, key.release.version.text.databaseValue,
        ])
    }
  }
}

extension PlanCounts {
  /// Returns the names under which an event may count, with the source of each. Names that are too long are left out,
  /// because a truncated name would count as another one.
  static func names(sent: String?, emitted: [String]) -> [(name: UTF8String, source: NameSource)] {
    let sent = sent.map { UTF8String($0) }
    let emitted = emitted.map { UTF8String($0) }
    var names = emitted.map { (name: $0, source: $0 == sent ? NameSource.both : .emitted) }
    if let sent, !emitted.contains(sent) { names.append((sent, .sent)) }
    return names.filter { (1...EventCounts.nameLimit).contains($0.name.text.utf8.count) }
  }
}
