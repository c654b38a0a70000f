import EncircleAuthoring
import EncircleRuleFiles
import EncircleText
import Foundation
import GRDB

extension EventStore {
  /// The name that replaces a file in the places of sample events, because stored events are not lines of a file.
  static let eventPlace = "event"
  private static let maximumPlanUses = 100_000

  /// Adds the counters of stored events to a plan.
  ///
  /// - Parameters:
  ///   - recent: The time from which events and people count as recent, in milliseconds since 1970.
  ///   - check: Called every few rows; an error that it throws ends the reading.
  /// - Complexity: O(counters), regardless of the number of events.
  func addPlanUses(to counts: inout PlanCounts, recentSince recent: Int64, _ check: () throws -> Void) throws {
    try pool.read { database in
      let seen = try Row.fetchCursor(
        database, sql: "SELECT name, way, platform, app_version, events, first, last FROM plan_seen")
      var number = 0
      while let row = try seen.next() {
        if number % 1_024 == 0 { try check() }
        number += 1
        guard let source = PlanCounts.NameSource(rawValue: row[1]) else { continue }
        counts.add(
          UTF8String(row[0] as String), source, Self.release(row[2], row[3]), events: row[4], first: row[5],
          last: row[6])
      }
      try Self.addPeople(to: &counts, recentSince: recent, database, check)
      try Self.addRecent(to: &counts, since: recent, database, check)
      let faults = try Row.fetchCursor(
        database,
        sql: """
          SELECT fingerprint, violation, platform, app_version, sum(events), max(sample) FROM plan_fault
          GROUP BY fingerprint, violation, platform, app_version
          """)
      while let row = try faults.next() {
        guard let violation = PlanReport.Violation(rawValue: row[1]) else { continue }
        counts.add(
          row[0], violation, Self.release(row[2], row[3]), events: row[4],
          sample: PlanReport.Place(file: Self.eventPlace, line: row[5]))
      }
    }
  }

  private static func addPeople(
    to counts: inout PlanCounts, recentSince recent: Int64, _ database: Database, _ check: () throws -> Void
  ) throws {
    var people: [PlanCounts.Release: (all: PeopleSketch, recent: PeopleSketch)] = [:]
    let day = recent.flooredQuotient(by: 86_400_000)
    let rows = try Row.fetchCursor(database, sql: "SELECT day, platform, app_version, people FROM plan_people")
    while let row = try rows.next() {
      try check()
      let release = Self.release(row[1], row[2])
      let isRecent = row[0] as Int64 >= day
      try row.withUnsafeData(atIndex: 3) { data in
        (data ?? Data()).withUnsafeBytes { bytes in
          people[release, default: (PeopleSketch(), PeopleSketch())].all.join(stored: bytes)
          if isRecent { people[release]?.recent.join(stored: bytes) }
        }
      }
    }
    for (release, sketches) in people {
      counts.add(release, people: sketches.all.count, recentPeople: sketches.recent.count)
    }
  }

  /// Adds the numbers of recent events and people of each name.
  private static func addRecent(
    to counts: inout PlanCounts, since time: Int64, _ database: Database, _ check: () throws -> Void
  ) throws {
    let day = time.flooredQuotient(by: 86_400_000)
    if try Int.fetchOne(database, sql: "SELECT 1 FROM plan_gap WHERE day >= ?", arguments: [day]) != nil {
      counts.noteMissingRecent()
    }
    let rows = try RowReader(
      database, "SELECT name, way, events, people FROM plan_day WHERE day >= ? ORDER BY name", [day])
    defer { rows.end() }
    var use: (name: UTF8String, events: Int, people: PeopleSketch)?
    func finish() {
      if let use { counts.set(recentEvents: use.events, recentPeople: use.people.count, of: use.name) }
    }
    var number = 0
    while try rows.next() {
      if number % 1_024 == 0 { try check() }
      number += 1
      let name = UTF8String(String(decoding: rows.bytes(0), as: UTF8.self))
      guard let source = PlanCounts.NameSource(rawValue: Int(rows.number(1))), counts.areCounted(name, source) else {
        continue
      }
      if use?.name != name {
        finish()
        use = (name, 0, PeopleSketch(exactTo: PeopleSketch.maximumStored))
      }
      use?.events += Int(rows.number(2))
      use?.people.join(stored: UnsafeRawBufferPointer(rows.bytes(3)))
    }
    finish()
  }

  /// Returns how often each name was emitted on each page since the beginning of the day of a time, in milliseconds since 1970.
  ///
  /// - Complexity: O(counters of that time).
  func emittedNames(since time: Int64) throws -> [(page: String, name: String, events: Int)] {
    try pool.read { database in
      let rows = try Row.fetchCursor(
        database, sql: "SELECT page, name, sum(events) FROM plan_page WHERE day >= ? GROUP BY page, name",
        arguments: [time.flooredQuotient(by: 86_400_000)])
      var found: [(page: String, name: String, events: Int)] = []
      while let row = try rows.next() { found.append((row[0], row[1], row[2])) }
      return found
    }
  }

  /// Returns the pages and people of the newest events, oldest first.
  ///
  /// - Complexity: O(`count`).
  func newestVisits(_ count: Int) throws -> [(page: String, person: String?)] {
    try pool.read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT page, distinct_id FROM event WHERE id > (SELECT max(id) FROM event) - ? AND page IS NOT NULL ORDER BY id
          """, arguments: [count])
      var found: [(page: String, person: String?)] = []
      while let row = try rows.next() { found.append((row[0], row[1])) }
      return found
    }
  }

  private static func release(_ platform: String, _ version: String) -> PlanCounts.Release {
    PlanCounts.Release(
      platform: PlannedEvent.Platform(rawValue: platform), version: version.isEmpty ? nil : UTF8String(version))
  }

  /// Deletes the names that were not seen for the longest time, if apps have made up too many.
  func deleteOldPlanUses(_ database: Database) throws {
    let oldest = try Int64.fetchOne(
      database, sql: "SELECT last FROM plan_seen ORDER BY last DESC LIMIT 1 OFFSET ?", arguments: [Self.maximumPlanUses]
    )
    guard let oldest else { return }
    try database.execute(sql: "DELETE FROM plan_seen WHERE last <= ?", arguments: [oldest])
  }
}
