import EncircleRuleFiles
import EncircleText

/// The counts for a plan, from counters of events rather than single events.
package struct PlanCounts: Sendable {
  /// The source of the name under which events are counted.
  package enum NameSource: Int, Sendable {
    /// Rules emit the name.
    case emitted = 1
    /// The app sent the events under the name.
    case sent = 2
    /// The app sent the events under the name that rules emit for them.
    case both = 3
  }

  /// A version of the app on a platform; nil for a part that events do not have.
  package struct Release: Hashable, Sendable {
    package let platform: PlannedEvent.Platform?
    package let version: UTF8String?

    package init(platform: PlannedEvent.Platform?, version: UTF8String?) {
      (self.platform, self.version) = (platform, version)
    }
  }

  private let plan: TrackingPlan
  private var tally: PlanTally
  private let places: [UTF8String: PlanPlace]
  private let sentNames: SentNames
  private let thresholds: PlanThresholds
  private var recent: [UTF8String: (events: Int, people: Int)] = [:]
  private var recentIsComplete = true
  // The event and the property of each fingerprint.
  private let properties: [Int64: (event: Int, property: Int)]

  init(
    _ plan: TrackingPlan, _ tally: PlanTally, _ places: [UTF8String: PlanPlace], _ sentNames: SentNames,
    _ thresholds: PlanThresholds
  ) {
    (self.plan, self.tally, self.places) = (plan, tally, places)
    (self.sentNames, self.thresholds) = (sentNames, thresholds)
    var properties: [Int64: (event: Int, property: Int)] = [:]
    for (number, entry) in plan.entries.enumerated() {
      for (i, property) in (entry.planned?.properties ?? []).enumerated() {
        properties[PlanWatch.fingerprint(of: property, of: entry.event)] = (number, i)
      }
    }
    self.properties = properties
  }

  /// Adds a counter of events under a name.
  ///
  /// - Parameters:
  ///   - source: The source of the name.
  ///   - first: The first and the last time, in milliseconds since 1970.
  package mutating func add(
    _ name: UTF8String, _ source: NameSource, _ release: Release, events: Int, first: Int64, last: Int64
  ) {
    if source != .emitted { tally.read += events }
    let place = tally.number(of: release)
    tally.addUse(of: place, first: first, last: last)
    guard areCounted(name, source), let number = plan.number(of: name) ?? tally.number(of: name) else {
      if source != .emitted { tally.others += events }
      return
    }
    tally.add(number, place, events: events, first: first, last: last)
  }

  /// Returns whether events count under a name from a source.
  package func areCounted(_ name: UTF8String, _ source: NameSource) -> Bool {
    source != .emitted && sentNames.areCounted(name) || source != .sent && plan.number(of: name) != nil
  }

  /// Sets the number of recent events and people of a name, within the days in which it counts as live.
  package mutating func set(recentEvents events: Int, recentPeople people: Int, of name: UTF8String) {
    recent[name] = (events, people)
  }

  /// Notes that recent events of any name may be missing.
  package mutating func noteMissingRecent() { recentIsComplete = false }

  /// Adds the number of people of a version, in all and recently.
  package mutating func add(_ release: Release, people: Int, recentPeople: Int) {
    let place = tally.number(of: release)
    tally.addUse(of: place, people: people, recentPeople: recentPeople)
  }

  /// Adds a counter of a fault of a property. It is ignored if the property is planned differently by now.
  ///
  /// - Precondition: The counters of events were added before.
  package mutating func add(
    _ fingerprint: Int64, _ violation: PlanReport.Violation, _ release: Release, events: Int, sample: PlanReport.Place
  ) {
    guard let (event, property) = properties[fingerprint] else { return }
    let place = tally.number(of: release)
    tally.add(event, place, .init(property: property, violation: violation), count: events, at: sample)
  }

  /// Returns the result.
  ///
  /// - Complexity: O(*n* log *n*), *n* rows.
  package func report(now: Int64) -> PlanReport {
    var report = PlanEvaluator(plan, tally, thresholds, now: now).report()
    report.places = places
    report.recentIsComplete = recentIsComplete
    for i in report.events.indices {
      let found = recent[report.events[i].event]
      (report.events[i].recentEvents, report.events[i].recentPeople) = (found?.events ?? 0, found?.people ?? 0)
    }
    return report
  }
}
