import EncircleRules
import EncircleText

/// The match rates of the published rules by version of the app, with alarms.
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
    var pValue: Double
    /// The events that matched, and all, of the version before and of the newest one.
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
    /// ISO 8601; null where no event has ever matched.
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

  /// The most versions that are shown, the newest ones.
  private static let mostVersions = 10
  /// Versions with fewer events are not compared: one event of a trial build would hide the alarms of the last release.
  private static let leastEvents = 100

  init(_ ruleSet: RuleSet, _ counts: EventStore.RuleCounts, alpha: Double) {
    self.alpha = alpha
    let enabled = ruleSet.rules.filter(\.isEnabled).map(\.id.text)
    let versions = counts.all.keys.sorted(by: AppVersionOrder.areInOrder)
    let compared = versions.filter { counts.all[$0] ?? 0 >= Self.leastEvents }
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
        alarm: Self.alarm(compared, own, counts.all, test))
    }
  }

  /// Compares the newest of the versions with enough events with the one before it.
  private static func alarm(
    _ versions: [String], _ own: [String: Int], _ all: [String: Int], _ test: RuleHealthTest
  ) -> Alarm? {
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
