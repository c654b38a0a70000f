import EncircleRules
import EncircleText
import Foundation

/// The stored events that rules would have selected.
struct RetroactiveReport: Encodable {
  struct Day: Encodable {
    /// `2026-11-23`, in UTC.
    var day: String
    var events: Int
  }

  struct Rule: Encodable {
    var id: String
    /// The events that the rule selects, or, for an exclude rule, excludes.
    var events: Int
    /// The number of people who caused the events; missing if there are too many to count.
    var people: Int?
    /// Missing if the question names no rules.
    var days: [Day]?
  }

  struct Version: Encodable {
    var appVersion: String
    var events: Int
    /// All events of the version.
    var of: Int
  }

  /// The number of events that would have been selected.
  var events = 0
  /// The number of all events.
  var of = 0
  var share = 0.0
  var days: [Day] = []
  var byRule: [Rule] = []
  var versions: [Version] = []

  /// The maximum number of people that are kept apart, over all rules.
  private static let maximumPeople = 2_000_000
  private static let maximumVersions = 1_000

  /// Decides all events that were received in the last `days`.
  ///
  /// - Parameter rules: The rules to break down by day; nil for all, without days.
  /// - Throws: ``ServiceError`` with 503 if it takes too long.
  /// - Complexity: O(events).
  init(_ matcher: Matcher, _ store: EventStore, days: Int, rules: Set<UTF8String>? = nil) throws {
    var decider = Decider(matcher)
    var byDay: [Int64: Int] = [:]
    /// The counts by rule and day; if no days are requested, all are on day 0.
    var byRule: [Int: [Int64: Int]] = [:]
    var isIncluded: [Int: Bool] = [:]
    var people: [Int: Set<Int>] = [:]
    var peopleCount = 0
    var byVersion: [UTF8String: (events: Int, all: Int)] = [:]
    var (selected, all) = (0, 0)
    try store.forEachRow(receivedSince: EventLibrary.now - Int64(days) * 86_400_000) { event in
      if all % 256 == 0 { try WorkBudget.check() }
      all += 1
      let isSelected = try decider.selects(json: event.json)
      let day = event.at / 86_400_000
      for rule in decider.matchedRules where isSelected || matcher.isExclude(rule) {
        if let rules {
          if isIncluded[rule] == nil { isIncluded[rule] = rules.contains(matcher.ruleID(rule)) }
          if isIncluded[rule] == false { continue }
        }
        byRule[rule, default: [:]][rules == nil ? 0 : day, default: 0] += 1
        if let person = event.distinctID, peopleCount < Self.maximumPeople,
          people[rule, default: []].insert(person.hashValue).inserted
        {
          peopleCount += 1
        }
      }
      let version = UTF8String(event.appVersion ?? "")
      if byVersion[version] != nil || byVersion.count < Self.maximumVersions {
        byVersion[version, default: (0, 0)].all += 1
        if isSelected { byVersion[version, default: (0, 0)].events += 1 }
      }
      if isSelected {
        selected += 1
        byDay[day, default: 0] += 1
      }
      return true
    }
    (events, of) = (selected, all)
    share = all == 0 ? 0 : Double(selected) / Double(all)
    self.days = Self.inOrder(byDay)
    self.byRule = byRule.map { rule, byDay in
      Rule(
        id: matcher.ruleID(rule).text, events: byDay.values.reduce(0, +),
        people: peopleCount < Self.maximumPeople ? people[rule]?.count ?? 0 : nil,
        days: rules == nil ? nil : Self.inOrder(byDay))
    }.sorted { ($1.events, $0.id) < ($0.events, $1.id) }
    versions = byVersion.filter { !$0.key.text.isEmpty }.map { version, counts in
      Version(appVersion: version.text, events: counts.events, of: counts.all)
    }.sorted { VersionNumber.areInOrder($0.appVersion, $1.appVersion) }
  }

  private static func inOrder(_ days: [Int64: Int]) -> [Day] {
    days.sorted { $0.key < $1.key }.map { day, events in
      Day(day: String(EventText.time(day * 86_400_000).prefix(10)), events: events)
    }
  }
}
