import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// Finds what became of a plan, from rules, captures and events.
///
/// ```swift
/// var counter = PlanStatusCounter(plan, ruleSet, now: now)
/// while let record = try reader.next() { if case .event(let line) = record { counter.add(eventOf: reader, .init(file: name, line: line)) } }
/// for event in counter.finish().events where event.status == .missing { print(event.event) }
/// ```
///
/// An event counts under the names that rules emit for it, and under the name with which it was sent, unless it is a tap, which rules decide, or
/// one of the SDK's own (`$AppStart`) that the plan does not mention. If each rule is for some apps, events of other apps do not count.
public struct PlanStatusCounter: ~Copyable {
  private let plan: TrackingPlan
  private let ruleSet: RuleSet
  private let thresholds: PlanThresholds
  private let now: Int64
  private var decider: Decider
  private var elementDecider: Decider
  private let styleOfEvents: StyleOfEvents
  private let fields: [PathStyleName: EventFields]
  // The apps that rules are for; nil is any.
  private let apps: Set<UTF8String>?
  private let checks: [[PropertyCheck]]
  private let tapNames: Set<UTF8String>
  private var people = PersonHashes()
  private var tally: PlanTally
  private var places: [UTF8String: PlanPlace] = [:]

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
    decider = Decider(Matcher(ruleSet, dictionary: dictionary))
    elementDecider = Decider(Matcher(ruleSet.atAnyTime, dictionary: dictionary))
    styleOfEvents = StyleOfEvents(ruleSet)
    fields = Dictionary(uniqueKeysWithValues: ruleSet.styles.map { ($0, ruleSet.part(of: $0).fields) })
    apps = ruleSet.apps
    checks = plan.entries.map { ($0.planned?.properties ?? []).map { PropertyCheck($0) } }
    tapNames = Set(ruleSet.styles.map { UTF8String($0.eventShape.tapName) })
    tally = PlanTally(
      known: plan.entries.count, recentFrom: PlanJudge.moment(thresholds.liveDays, before: now), limits: limits)
  }

  /// The projection of the matcher, with which a reader is fastest.
  public var projection: EventProjection { decider.matcher.projection }

  /// Adds a capture: a version that shows the element of an event is to send it.
  ///
  /// - Complexity: O(elements × depth), each for what an event costs a decider.
  public mutating func add(_ screen: IdentifiedTree, name: String) {
    let header = screen.tree.header
    if let apps, let app = header.app, !app.isEmpty, !apps.contains(UTF8String(app)) { return }
    guard let version = header.appVersion, !version.isEmpty else { return }
    let settings = SelectionSettings(ruleSet.part(for: screen))
    let style = settings.style(for: screen)
    guard style.style.unmetRequirement(for: screen) == nil else { return }
    let screen = settings.identified(screen)
    let events = ElementEvents(of: screen, style: style, fields: settings.fields)
    let platform = header.os.flatMap { PlannedEvent.Platform(system: $0) }
    var release: Int?
    for element in screen.tree.elements where screen.trackingType(of: element, in: style) != nil {
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
    guard let event = reader.withEvent({ try? AnalyticsEvent(json: Array($0)) }) else { return }
    add(event, decider.decide(eventOf: reader), place)
  }

  mutating func add(_ event: AnalyticsEvent, _ place: PlanReport.Place) { add(event, decider.decide(event), place) }

  private mutating func add(_ event: AnalyticsEvent, _ decision: Decision, _ place: PlanReport.Place) {
    tally.read += 1
    let style = ruleSet.otherStyles.isEmpty ? ruleSet.style : styleOfEvents.style(of: event) ?? ruleSet.style
    let fields = fields[style] ?? ruleSet.fields
    if let apps, let app = event.text(.app, fields), !app.isEmpty, !apps.contains(UTF8String(app)) {
      tally.others += 1
      return
    }
    let version = event.text(.appVersion, fields).flatMap { $0.isEmpty ? nil : UTF8String($0) }
    let release = tally.number(of: .init(platform: PlannedEvent.Platform(of: event, fields), version: version))
    let time = event.value(of: .time, fields).flatMap { EventTime.wholeMilliseconds($0) }
    let person = people.number(of: event.value(of: .distinctID, fields))
    tally.addUse(of: release, person: person, time: time)
    let use = Use(release: release, person: person, time: time, place: place)
    var counted = Set<Int>()
    for name in decision.emit {
      guard let number = plan.number(of: name) else { continue }
      count(number, event, decision, use, &counted)
    }
    if let sent = event.text(.event, fields).map({ UTF8String($0) }), let number = number(ofSent: sent) {
      count(number, event, decision, use, &counted)
    }
    if counted.isEmpty { tally.others += 1 }
  }

  /// Who sent an event, in which version, when, and where it stands.
  private struct Use {
    let release: Int
    let person: UInt64
    let time: Int64?
    let place: PlanReport.Place
  }

  /// The number under which an event counts by the name with which it was sent; nil if it does not count so.
  private mutating func number(ofSent name: UTF8String) -> Int? {
    guard !name.text.isEmpty else { return nil }
    if let number = plan.number(of: name) { return plan.entries[number].isPlanned ? number : nil }
    if tapNames.contains(name) || EventShape.isTapType(name.text) || name.text.utf8.first == UInt8(ascii: "$") {
      return nil
    }
    return tally.number(of: name)
  }

  private mutating func count(
    _ number: Int, _ event: AnalyticsEvent, _ decision: Decision, _ use: Use, _ counted: inout Set<Int>
  ) {
    guard counted.insert(number).inserted else { return }
    var faults: [PlanTally.Fault] = []
    if number < checks.count, !checks[number].isEmpty {
      let given = givenValues(number, decision)
      for (i, check) in checks[number].enumerated() {
        guard let violation = check.violation(in: event, given: given) else { continue }
        faults.append(.init(property: i, violation: violation))
      }
    }
    tally.add(number, use.release, person: use.person, time: use.time, faults, at: use.place)
  }

  /// The properties that the rules which emit an event give it.
  private func givenValues(_ number: Int, _ decision: Decision) -> [UTF8String: Scalar] {
    var given: [UTF8String: Scalar] = [:]
    for values in decision.properties where plan.entries[number].rules.contains(where: { $0.id == values.rule }) {
      for value in values.values { given[value.name] = value.value }
    }
    return given
  }

  /// Returns the result.
  ///
  /// - Complexity: O(*n* log *n*), *n* rows.
  public consuming func finish() -> PlanReport {
    var report = PlanJudge(plan, tally, thresholds, now: now).report()
    report.places = places
    return report
  }
}
