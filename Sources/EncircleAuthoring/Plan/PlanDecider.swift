import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Decides events, and relates them to a plan: the names under which they count, and the faults of their properties.
struct PlanDecider: ~Copyable {
  /// The role of an event in a plan.
  struct Occurrence: Sendable {
    let release: PlanCounts.Release
    /// The time in milliseconds since 1970; nil if the event has none.
    let time: Int64?
    let person: UInt64
    /// The numbers of the entries under which the event counts, without duplicates, each with its faults.
    var known: [(number: Int, faults: [PlanTally.Fault])] = []
    /// The name under which the event was sent, if the event counts and neither the plan nor the rules have this name.
    var other: UTF8String?
    let decision: Decision
  }

  let plan: TrackingPlan
  let sentNames: SentNames
  private var decider: Decider
  private let fieldPlaces: FieldPlaces
  private let apps: RuleApps
  private let checks: [[PropertyCheck]]
  private var people = PersonHashes()

  /// Compiles the rules.
  ///
  /// - Complexity: O(size of the rules and the plan).
  init(_ plan: TrackingPlan, _ ruleSet: RuleSet, dictionary: ElementDictionary) {
    self.plan = plan
    decider = Decider(Matcher(ruleSet, dictionary: dictionary))
    fieldPlaces = FieldPlaces(ruleSet)
    apps = ruleSet.apps
    checks = plan.entries.map { ($0.planned?.properties ?? []).map { PropertyCheck($0) } }
    sentNames = SentNames(plan, ruleSet)
  }

  /// The projection of the matcher, which makes a reader fastest.
  var projection: EventProjection { decider.matcher.projection }

  /// Returns the event that a reader has returned last, with its decision; nil if it was not an event.
  mutating func decided(eventOf reader: borrowing EventReader) -> DecidedEvent? {
    decider.decided(eventOf: reader)
  }

  /// Returns an event with its decision.
  mutating func decided(_ event: AnalyticsEvent) -> DecidedEvent { decider.decided(event) }

  /// Returns how an event counts; nil if its app has no rules.
  mutating func occurrence(of decided: DecidedEvent) -> Occurrence? {
    let (event, decision) = (decided.event, decided.decision)
    let fields = fieldPlaces.fields(of: fieldPlaces.style(of: event))
    guard apps.mayInclude(event.text(.app, fields)) else { return nil }
    let version = event.text(.appVersion, fields).flatMap { $0.isEmpty ? nil : UTF8String($0) }
    var occurrence = Occurrence(
      release: .init(platform: PlannedEvent.Platform(of: event, fields), version: version),
      time: event.value(of: .time, fields).flatMap { EventTime.wholeMilliseconds($0) },
      person: people.number(of: event.value(of: .distinctID, fields)), decision: decision)
    for name in decision.emit {
      if let number = plan.number(of: name) { count(number, event, &occurrence) }
    }
    guard let sent = event.text(.event, fields).map({ UTF8String($0) }), sentNames.areCounted(sent) else {
      return occurrence
    }
    if let number = plan.number(of: sent) { count(number, event, &occurrence) } else { occurrence.other = sent }
    return occurrence
  }

  private func count(_ number: Int, _ event: AnalyticsEvent, _ occurrence: inout Occurrence) {
    guard !occurrence.known.contains(where: { $0.number == number }) else { return }
    let checks = checks[number]
    let given = checks.isEmpty ? [:] : givenValues(number, occurrence.decision)
    occurrence.known.append((number, checks.faults(in: event, given: given)))
  }

  /// Returns the properties that an event gets from the rules that emit it.
  func givenValues(_ number: Int, _ decision: Decision) -> [UTF8String: Scalar] {
    let rules = plan.entries[number].rules
    return decision.givenValues { id in rules.contains { $0.id == id } }
  }
}

extension [PropertyCheck] {
  /// Returns how the properties of an event differ from the plan.
  fileprivate func faults(in event: AnalyticsEvent, given: [UTF8String: Scalar]) -> [PlanTally.Fault] {
    enumerated().compactMap { i, check in
      check.violation(in: event, given: given).map { PlanTally.Fault(property: i, violation: $0) }
    }
  }
}
