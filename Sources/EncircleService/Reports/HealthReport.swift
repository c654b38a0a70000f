import EncircleRules
import EncircleText
import Foundation

/// The match rates of the published rules by app version, with alarms.
struct HealthReport: Encodable {
  struct Version: Encodable {
    var appVersion: String
    /// Events of the version that the rule matches.
    var events: Int
    /// All events of the version.
    var all: Int
    var rate: Double
  }

  struct Alarm: Encodable {
    var kind: String
    /// The platform of both versions, as plans name it; nil for events that do not state it.
    var platform: String?
    var fromVersion: String
    var toVersion: String
    /// The hour, in ISO 8601, in which the rule was published. Only events from then on count. Nil if all events of the
    /// versions count.
    var since: String?
    var pValue: Double
    /// The matched and all events, of the previous version and of the newest one.
    var before: Share
    var after: Share
    var message: String
  }

  struct Share: Encodable {
    var events: Int
    var all: Int
  }

  struct Rule: Encodable {
    var id: String
    /// In ISO 8601; null if no event has ever matched.
    var lastSeen: String?
    var events24h: Int
    var events7d: Int
    var versions: [Version]
    var alarm: Alarm?

    enum CodingKeys: String, CodingKey {
      case id, lastSeen, versions, alarm
      case events24h = "events_24h"
      case events7d = "events_7d"
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      try container.encode(lastSeen, forKey: .lastSeen)
      try container.encode(events24h, forKey: .events24h)
      try container.encode(events7d, forKey: .events7d)
      try container.encode(versions, forKey: .versions)
      try container.encode(alarm, forKey: .alarm)
    }
  }

  var rules: [Rule]
  /// The significance level of alarms, for all rules together.
  var alpha: Double

  /// The maximum number of versions that are shown, the newest ones.
  private static let maximumVersions = 10
  /// The number of events below which a version is not compared. Otherwise one event of a trial build would hide the alarms of
  /// the last release.
  private static let minimumEvents = 100

  /// - Parameters:
  ///   - beginnings: Returns, by id, the publication times of the rules that were not in force in their present form at a time.
  ///   - recount: Returns the counts from a time on.
  init(
    _ ruleSet: RuleSet, _ counts: EventStore.RuleCounts, alpha: Double,
    beginnings: (_ rules: Set<UTF8String>, _ time: Date) throws -> [UTF8String: Date],
    recount: (_ time: Date) throws -> EventStore.RuleCounts
  ) throws {
    self.alpha = alpha
    let enabled = ruleSet.rules.filter(\.isEnabled).map(\.id)
    let allByVersion = Self.byVersion(counts.all)
    let versions = allByVersion.keys.sorted { VersionNumber.areInOrder($0.text, $1.text) }
    let compared = Self.compared(counts)
    let test = RuleHealthTest(level: alpha, tests: enabled.count * compared.count)
    rules = enabled.map { id in
      let own = Self.byVersion(counts.releases[id] ?? [:])
      return Rule(
        id: id.text, lastSeen: counts.lastSeen[id].map(EventText.time), events24h: counts.lastDay[id] ?? 0,
        events7d: counts.lastWeek[id] ?? 0,
        versions: versions.suffix(Self.maximumVersions).map { version in
          let (events, all) = (own[version] ?? 0, allByVersion[version] ?? 0)
          return Version(
            appVersion: version.text, events: events, all: all, rate: all == 0 ? 0 : Double(events) / Double(all))
        },
        alarm: Self.alarm(of: id, compared, counts, test))
    }
    let alarmed = rules.filter { $0.alarm != nil }.map { UTF8String($0.id) }
    let releases = compared.flatMap { [$0.before, $0.after] }
    guard !alarmed.isEmpty, let first = releases.compactMap({ counts.first[$0] }).min() else { return }
    // No rule matches events from before its publication. Counting them would make a new rule look as if its share had changed.
    let begun = try beginnings(Set(alarmed), Date(timeIntervalSince1970: Double(first) / 1_000))
    for time in Set(begun.values) {
      let counts = try recount(time)
      let compared = Self.compared(counts)
      // The counters are hourly.
      let hour = Int64(time.timeIntervalSince1970).flooredQuotient(by: 3_600)
      let since = EventText.time(hour * 3_600_000)
      for index in rules.indices where begun[UTF8String(rules[index].id)] == time {
        rules[index].alarm = Self.alarm(of: UTF8String(rules[index].id), compared, counts, test)
        rules[index].alarm?.since = since
      }
    }
  }

  private typealias Release = EventStore.RuleCounts.Release

  /// Returns the events by app version, of all platforms together.
  private static func byVersion(_ counts: [Release: Int]) -> [UTF8String: Int] {
    counts.reduce(into: [:]) { $0[$1.key.appVersion, default: 0] += $1.value }
  }

  /// Returns the last two app versions with enough events of each platform, because platforms number their versions each in its
  /// own way. Platforms are in the order of their names.
  private static func compared(_ counts: EventStore.RuleCounts) -> [(before: Release, after: Release)] {
    let other = UTF8String(EventStore.otherName)
    let large = counts.all.filter { $0.value >= minimumEvents && $0.key.appVersion != other }.keys
    var pairs: [(before: Release, after: Release)] = []
    for (_, releases) in Dictionary(grouping: large, by: \.platform).sorted(by: { $0.key < $1.key }) {
      let last = releases.sorted { VersionNumber.areInOrder($0.appVersion.text, $1.appVersion.text) }.suffix(2)
      if last.count == 2, let before = last.first, let after = last.last { pairs.append((before, after)) }
    }
    return pairs
  }

  /// Compares the newest version that has enough events with the previous one, on each platform.
  ///
  /// - Returns: The alarm of the first platform on which nothing matches any more, otherwise of the one whose change is the
  ///   least likely to be chance.
  private static func alarm(
    of rule: UTF8String, _ compared: [(before: Release, after: Release)], _ counts: EventStore.RuleCounts,
    _ test: RuleHealthTest
  ) -> Alarm? {
    let own = counts.releases[rule] ?? [:]
    let alarms = compared.compactMap { releases -> Alarm? in
      func share(_ release: Release) -> Share { Share(events: own[release] ?? 0, all: counts.all[release] ?? 0) }
      return alarm(releases.before, share(releases.before), releases.after, share(releases.after), test)
    }
    let zero = alarms.first { $0.kind == RuleHealthTest.Alarm.zero.rawValue }
    return zero ?? alarms.min { $0.pValue < $1.pValue }
  }

  private static func alarm(
    _ previous: Release, _ before: Share, _ newest: Release, _ after: Share, _ test: RuleHealthTest
  ) -> Alarm? {
    let found = test.alarm(before: (before.events, before.all), after: (after.events, after.all))
    guard let found else { return nil }
    let (from, to) = (previous.appVersion.text, newest.appVersion.text)
    let place = newest.platform.isEmpty ? to : "\(to) (\(newest.platform))"
    let shares =
      "\(after.events) of \(after.all) events, after \(before.events) of \(before.all) events in \(from)."
    return Alarm(
      kind: found.alarm.rawValue, platform: newest.platform.isEmpty ? nil : newest.platform,
      fromVersion: from, toVersion: to, pValue: found.p, before: before, after: after,
      message: found.alarm == .zero
        ? "Nothing matches in \(place): \(shares)" : "The share that matches has changed in \(place): \(shares)")
  }
}
