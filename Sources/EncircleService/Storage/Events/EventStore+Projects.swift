import EncircleText
import GRDB

extension EventStore {
  /// The maximum number of remembered projects. Only those with the newest events are kept, because any sender may make up
  /// names.
  static let maximumProjects = 1_000

  /// Returns the projects of events, in byte order, with the time of the newest event in milliseconds since 1970.
  func projects() throws -> [(name: String, lastSeen: Int64)] {
    try pool.read { database in
      try Row.fetchAll(
        database, sql: "SELECT project, last_seen FROM project_seen ORDER BY last_seen DESC LIMIT ?",
        arguments: [Self.maximumProjects]
      ).map { ($0[0], $0[1]) }
    }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  func deleteOldProjects(_ database: Database, before time: Int64) throws {
    try database.execute(sql: "DELETE FROM project_seen WHERE last_seen < ?", arguments: [time])
    try database.execute(
      sql: """
        DELETE FROM project_seen WHERE project IN (
          SELECT project FROM project_seen ORDER BY last_seen DESC LIMIT -1 OFFSET ?)
        """, arguments: [Self.maximumProjects])
  }

  /// Returns the counters of all rules for the events of one project, counted event by event.
  ///
  /// - Parameter time: The beginning of all counters, in milliseconds since 1970; all events of its hour count.
  /// - Complexity: O(all events).
  func ruleCounts(of project: String, now: Int64, since time: Int64? = nil) throws -> RuleCounts {
    let hour = now.flooredQuotient(by: 3_600_000)
    var filter = EventFilter()
    filter.project = project
    filter.from = time.map { $0.flooredQuotient(by: 3_600_000) * 3_600_000 }
    let condition = filter.condition()
    return try pool.read { database in
      var rules: [Int64: [UTF8String]] = [:]
      for row in try Row.fetchAll(database, sql: "SELECT verdict, rule FROM verdict_rule") {
        rules[row[0], default: []].append(UTF8String(row[1]))
      }
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT verdict, coalesce(platform, ''), coalesce(app_version, ''), count(*), max(at),
            count(*) FILTER (WHERE at >= ?), count(*) FILTER (WHERE at >= ?), min(at)
          FROM event WHERE \(condition.sql) GROUP BY 1, 2, 3
          """, arguments: [(hour - 23) * 3_600_000, (hour - 167) * 3_600_000] + condition.arguments)
      var counts = RuleCounts()
      while let row = try rows.next() {
        let release = RuleCounts.Release(platform: row[1], appVersion: UTF8String(row[2]))
        let events: Int = row[3]
        let hasVersion = !release.appVersion.text.isEmpty
        if hasVersion {
          counts.all[release, default: 0] += events
          counts.first[release] = min(counts.first[release] ?? .max, row[7])
        }
        for rule in rules[row[0]] ?? [] {
          counts.lastSeen[rule] = max(counts.lastSeen[rule] ?? .min, row[4])
          counts.lastDay[rule, default: 0] += row[5]
          counts.lastWeek[rule, default: 0] += row[6]
          if hasVersion { counts.releases[rule, default: [:]][release, default: 0] += events }
        }
      }
      return counts
    }
  }

  /// Returns how often each element was used since a time, by event ID, in the events of one project, counted event by event.
  ///
  /// - Complexity: O(all events).
  func elementCounts(of project: String, since time: Int64) throws -> [[UInt8]: Int] {
    var filter = EventFilter()
    filter.project = project
    filter.from = time.flooredQuotient(by: 3_600_000) * 3_600_000
    let condition = filter.condition()
    return try pool.read { database in
      let rows = try RowReader(
        database,
        "SELECT element, count(*) FROM event WHERE \(condition.sql) AND element IS NOT NULL GROUP BY element",
        condition.arguments)
      var counts: [[UInt8]: Int] = [:]
      while try rows.next() { counts[Array(rows.bytes(0))] = Int(rows.number(1)) }
      return counts
    }
  }
}
