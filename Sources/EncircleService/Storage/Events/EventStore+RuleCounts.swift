import EncircleText
import GRDB

extension EventStore {
  /// The counters of each rule.
  struct RuleCounts: Sendable {
    /// A version of an app on a platform.
    struct Release: Hashable, Sendable {
      /// As plans name it; empty if events do not state it.
      var platform: String
      var appVersion: UTF8String
    }

    /// The time of the last event that the rule matches, in milliseconds since 1970.
    var lastSeen: [UTF8String: Int64] = [:]
    /// The events of the last day and of the last week.
    var lastDay: [UTF8String: Int] = [:]
    var lastWeek: [UTF8String: Int] = [:]
    /// The events by rule and release.
    var releases: [UTF8String: [Release: Int]] = [:]
    /// All events by release.
    var all: [Release: Int] = [:]
    /// The time of the first event, in milliseconds since 1970, by release.
    var first: [Release: Int64] = [:]
  }

  /// Returns the counters of all rules for the last week, without the counters of releases.
  ///
  /// - Complexity: O(counters of the last week).
  func recentRuleCounts(now: Int64) throws -> RuleCounts {
    try pool.read { try Self.recentRuleCounts($0, now: now) }
  }

  private static func recentRuleCounts(_ database: Database, now: Int64) throws -> RuleCounts {
    var counts = RuleCounts()
    for row in try Row.fetchAll(database, sql: "SELECT rule, last_seen FROM rule_seen") {
      counts.lastSeen[UTF8String(row[0])] = row[1]
    }
    let hour = now.flooredQuotient(by: 3_600_000)
    let recent = try Row.fetchAll(
      database,
      sql: """
        SELECT rule, sum(events) FILTER (WHERE hour > ?), sum(events) FROM event_count
        WHERE hour > ? AND rule <> '' GROUP BY rule
        """, arguments: [hour - 24, hour - 168])
    for row in recent {
      let rule = UTF8String(row[0])
      counts.lastDay[rule] = row[1] as Int? ?? 0
      counts.lastWeek[rule] = row[2]
    }
    return counts
  }

  /// Returns the counters of all rules.
  ///
  /// - Parameter time: The beginning of the counters of releases, in milliseconds since 1970; all events of its hour count.
  /// - Complexity: O(counters).
  func ruleCounts(now: Int64, since time: Int64 = .min) throws -> RuleCounts {
    try pool.read { database in
      var counts = try Self.recentRuleCounts(database, now: now)
      let releases = try Row.fetchAll(
        database,
        sql: """
          SELECT rule, platform, app_version, sum(events), min(hour) FROM event_count WHERE app_version <> '' AND hour >= ?
          GROUP BY rule, platform, app_version
          """, arguments: [time.flooredQuotient(by: 3_600_000)])
      for row in releases {
        let (rule, events): (String, Int) = (row[0], row[3])
        let release = RuleCounts.Release(platform: row[1], appVersion: UTF8String(row[2]))
        if rule.isEmpty {
          counts.all[release] = events
          counts.first[release] = (row[4] as Int64) * 3_600_000
        } else {
          counts.releases[UTF8String(rule), default: [:]][release] = events
        }
      }
      return counts
    }
  }
}
