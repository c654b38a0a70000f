import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// Determines the status of a plan from rules, captures and events.
///
/// ```swift
/// var counter = PlanStatusCounter(plan, ruleSet, now: now)
/// while let record = try reader.next() { if case .event(let line) = record { counter.add(eventOf: reader, .init(file: name, line: line)) } }
/// for event in counter.finish().events where event.status == .missing { print(event.event) }
/// ```
///
/// An event counts under the names that rules emit for it, and under the name that it was sent with, unless it is a tap, which rules
/// decide, or an event of the SDK (`$AppStart`) that the plan does not mention. If each rule is for some apps, events of other apps do not
/// count.
public struct PlanStatusCounter: ~Copyable {
  private let plan: TrackingPlan
  private let ruleSet: RuleSet
  private let thresholds: PlanThresholds
  private let now: Int64
  private var decider: PlanDecider
  private var elementDecider: Decider
  private var tally: PlanTally
  private var places: [UTF8String: PlanPlace] = [:]
  private var samples: PlanSamples?

  /// Compiles the rules.
  ///
  /// - Parameters:
  ///   - dictionary: The elements that events name by event ID alone.
  ///   - now: The time, in milliseconds since 1970.
  /// - Complexity: O(size of the rules and the plan).
  public init(
    _ plan: TrackingPlan, _ ruleSet: RuleSet, dictionary: ElementDictionary = ElementDictionary(),
    thresholds: PlanThresholds = PlanThresholds(), now: Int64
  ) {
    self.init(plan, ruleSet, dictionary: dictionary, thresholds: thresholds, now: now, limits: .init())
  }

  init(
    _ plan: TrackingPlan, _ ruleSet: RuleSet, dictionary: ElementDictionary = ElementDictionary(),
    thresholds: PlanThresholds = PlanThresholds(), now: Int64, limits: PlanTally.Limits
  ) {
    self.plan = plan
    self.ruleSet = ruleSet
    self.thresholds = thresholds
    self.now = now
    decider = PlanDecider(plan, ruleSet, dictionary: dictionary)
    elementDecider = Decider(Matcher(ruleSet.atAnyTime, dictionary: dictionary))
    tally = PlanTally(
      known: plan.entries.count, recentFrom: PlanEvaluator.moment(thresholds.liveDays, before: now), limits: limits)
  }

  /// Also keeps samples of events that the plan does not mention, so that they can be added to it.
  package mutating func keepSamples() { samples = PlanSamples() }

  /// The projection of the matcher, which makes a reader fastest.
  public var projection: EventProjection { decider.projection }

  /// Adds a capture: a version that shows the element of an event should send the event.
  ///
  /// - Complexity: O(elements × depth), plus the decision of one event for each element.
  public mutating func add(_ screen: IdentifiedTree, name: String) {
    let header = screen.tree.header
    guard ruleSet.apps.mayInclude(header.app), let version = header.appVersion, !version.isEmpty else { return }
    let settings = SelectionSettings(ruleSet.part(for: screen))
    let style = settings.style(for: screen)
    guard style.style.unmetRequirement(for: screen) == nil else { return }
    let screen = settings.identified(screen)
    let events = ElementEvents(of: screen, style: style, fields: settings.fields)
    let platform = header.os.flatMap { PlannedEvent.Platform(system: $0) }
    var release: Int?
    for element in screen.tree.elements where events.trackingType(of: element) != nil {
      let event = events.event(of: element)
      for emitted in elementDecider.decide(event).emit {
        guard let number = plan.number(of: emitted) else { continue }
        let place = release ?? tally.number(of: .init(platform: platform, version: UTF8String(version)))
        release = place
        tally.addCapture(number, place, UTF8String(name))
        guard places[emitted] == nil else { continue }
        places[emitted] = PlanPlace(
          title: screen.pageTitle(of: element, in: style),
          type: CoverageText.typeName(event.text(.type, settings.fields)),
          text: screen.holdsTypedText(element) ? nil : event.text(.content, settings.fields),
          position: event.text(.position, settings.fields))
      }
    }
  }

  /// Adds the event that a reader has returned last.
  ///
  /// - Precondition: The reader has returned an event last, not a rejection or nil.
  public mutating func add(eventOf reader: borrowing EventReader, _ place: PlanReport.Place) {
    if let decided = decided(eventOf: reader) { add(decided, place) }
  }

  package mutating func add(_ event: AnalyticsEvent, _ place: PlanReport.Place) { add(decider.decided(event), place) }

  /// Returns the event that a reader has returned last with its decision, for all that counts it.
  package mutating func decided(eventOf reader: borrowing EventReader) -> DecidedEvent? {
    decider.decided(eventOf: reader)
  }

  /// Adds an event that was decided by the same rules.
  package mutating func add(_ decided: DecidedEvent, _ place: PlanReport.Place) {
    let (event, occurrence) = (decided.event, decider.occurrence(of: decided))
    tally.read += 1
    guard let occurrence else {
      tally.others += 1
      return
    }
    let release = tally.number(of: occurrence.release)
    tally.addUse(of: release, person: occurrence.person, time: occurrence.time)
    var numbers = occurrence.known
    if let other = occurrence.other, let number = tally.number(of: other) { numbers.append((number, [])) }
    for (number, faults) in numbers {
      tally.add(number, release, person: occurrence.person, time: occurrence.time, faults, at: place)
      sample(number, event, occurrence)
    }
    if numbers.isEmpty { tally.others += 1 }
  }

  private mutating func sample(_ number: Int, _ event: AnalyticsEvent, _ occurrence: PlanDecider.Occurrence) {
    guard samples != nil else { return }
    let isKnown = number < plan.entries.count
    if isKnown, plan.entries[number].isPlanned { return }
    samples?.add(
      isKnown ? plan.entries[number].event : tally.names[number - plan.entries.count], event,
      occurrence.release.platform, person: occurrence.person,
      given: isKnown ? decider.givenValues(number, occurrence.decision) : [:])
  }

  /// Returns the samples of events that the plan does not mention.
  package consuming func finishSamples() -> PlanSamples { samples ?? PlanSamples() }

  /// Returns the counts from captures and events so far, to which counters can be added.
  package consuming func counts() -> PlanCounts { PlanCounts(plan, tally, places, decider.sentNames, thresholds) }

  /// Returns the result.
  ///
  /// - Complexity: O(*n* log *n*), *n* rows.
  public consuming func finish() -> PlanReport {
    var report = PlanEvaluator(plan, tally, thresholds, now: now).report()
    report.places = places
    return report
  }
}
