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
  private static let mostVersions = 10
  /// The number of events below which a version is not compared. Otherwise one event of a trial build would hide the alarms of
  /// the last release.
  private static let leastEvents = 100

  /// - Parameters:
  ///   - beginnings: Returns, by id, the publication times of the rules that were not in force in their present form at a time.
  ///   - recount: Returns the counts from a time on.
  init(
    _ ruleSet: RuleSet, _ counts: EventStore.RuleCounts, alpha: Double,
    beginnings: (_ rules: Set<UTF8String>, _ time: Date) throws -> [UTF8String: Date],
    recount: (_ time: Date) throws -> EventStore.RuleCounts
  ) throws {
    self.alpha = alpha
    let enabled = ruleSet.rules.filter(\.isEnabled).map(\.id.text)
    let versions = counts.all.keys.sorted(by: AppVersionOrder.areInOrder)
    let compared = Self.compared(counts)
    let test = RuleHealthTest(level: alpha, tests: enabled.count)
    rules = enabled.map { id in
      let own = counts.versions[id] ?? [:]
      return Rule(
        id: id, lastSeen: counts.lastSeen[id].map(EventText.time), events24h: counts.lastDay[id] ?? 0,
        events7d: counts.lastWeek[id] ?? 0,
        versions: versions.suffix(Self.mostVersions).map { version in
          let (events, all) = (own[version] ?? 0, counts.all[version] ?? 0)
          return Version(
            appVersion: version, events: events, all: all, rate: all == 0 ? 0 : Double(events) / Double(all))
        },
        alarm: Self.alarm(of: id, compared, counts, test))
    }
    let alarmed = rules.filter { $0.alarm != nil }.map { UTF8String($0.id) }
    guard !alarmed.isEmpty, let first = compared.compactMap({ counts.first[$0] }).min() else { return }
    // No rule matches events from before its publication. Counting them would make a new rule look as if its share had changed.
    let begun = try beginnings(Set(alarmed), Date(timeIntervalSince1970: Double(first) / 1_000))
    for time in Set(begun.values) {
      let counts = try recount(time)
      let compared = Self.compared(counts)
      // The counters are hourly.
      let hour = Int64(time.timeIntervalSince1970).flooredQuotient(by: 3_600)
      let since = EventText.time(hour * 3_600_000)
      for index in rules.indices where begun[UTF8String(rules[index].id)] == time {
        rules[index].alarm = Self.alarm(of: rules[index].id, compared, counts, test)
        rules[index].alarm?.since = since
      }
    }
  }

  /// Returns the last two app versions with enough events, in order.
  private static func compared(_ counts: EventStore.RuleCounts) -> [String] {
    Array(counts.all.filter { $0.value >= leastEvents }.keys.sorted(by: AppVersionOrder.areInOrder).suffix(2))
  }

  /// Compares the newest version that has enough events with the previous one.
  private static func alarm(
    of rule: String, _ versions: [String], _ counts: EventStore.RuleCounts, _ test: RuleHealthTest
  ) -> Alarm? {
    let (own, all) = (counts.versions[rule] ?? [:], counts.all)
    guard let newest = versions.last, let previous = versions.dropLast().last else { return nil }
    let before = (events: own[previous] ?? 0, all: all[previous] ?? 0)
    let after = (events: own[newest] ?? 0, all: all[newest] ?? 0)
    guard let found = test.alarm(before: before, after: after) else { return nil }
    func share(_ counts: (events: Int, all: Int)) -> String {
      "\(counts.events) of \(counts.all) events"
    }
    let message =
      found.alarm == .zero
      ? "Nothing matches in \(newest): \(share(after)), after \(share(before)) in \(previous)."
      : "The share that matches has changed in \(newest): \(share(after)), after \(share(before)) in \(previous)."
    return Alarm(
      kind: found.alarm.rawValue, fromVersion: previous, toVersion: newest, pValue: found.p,
      before: Share(events: before.events, all: before.all), after: Share(events: after.events, all: after.all),
      message: message)
  }
}
