import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// A checklist of the events that are planned for a version of the app; each is ticked off when it arrives (验收).
///
/// ```swift
/// var acceptance = PlanAcceptance(plan, ruleSet, of: .init(version: "3.2.0"))
/// for number in acceptance.add(event, .init(file: name, line: line)) { print(acceptance.items[number].state) }
/// ```
/// Events of other versions or platforms do not count. An item that a wrong event has reached stays wrong, whatever events follow.
public struct PlanAcceptance: ~Copyable {
  /// The events to accept.
  public struct Target: Sendable {
    /// The version of the app; nil for the events of all versions.
    public var version: String?
    /// The platforms; empty for all.
    public var platforms: Set<PlannedEvent.Platform>

    public init(version: String? = nil, platforms: Set<PlannedEvent.Platform> = []) {
      (self.version, self.platforms) = (version, platforms)
    }

    /// Returns whether the target includes events of a version on a platform. If an event does not name its version or platform, it
    /// counts as the right one.
    func includes(_ release: PlanCounts.Release) -> Bool {
      if let platform = release.platform, !platforms.isEmpty, !platforms.contains(platform) { return false }
      guard let version, let other = release.version?.text else { return true }
      if let a = VersionNumber(version), let b = VersionNumber(other) { return a == b }
      return version.hasSameBytes(as: other)
    }
  }

  /// The states of an item.
  public enum State: String, CaseIterable, Sendable {
    case waiting
    case accepted
    /// It has arrived with a property that is not as planned.
    case wrong
  }

  /// An event that is not as planned.
  public struct Sample: Sendable {
    /// The problems, such as `price: no number, but "12"`.
    public let problems: [String]
    public let place: PlanReport.Place
    /// The event's own properties as JSON; texts that are not planned are left out, as they may be private.
    public let event: String
  }

  /// An event of the plan on a platform.
  public struct Item: Sendable {
    public let event: UTF8String
    public let name: String?
    public let owner: String?
    /// Its trigger, in words.
    public let trigger: String?
    /// Its platform; nil if the plan names none.
    public let platform: PlannedEvent.Platform?
    /// Its place in the plan.
    public let origin: PlanReport.Origin
    /// This is true if the event may be missing, because its status in the plan is `planned`.
    public let isOptional: Bool
    public internal(set) var arrived = 0
    public internal(set) var wrong = 0
    /// When it arrived first, in milliseconds since 1970.
    public internal(set) var first: Int64?
    /// The first events that are not as planned, each with another problem.
    public internal(set) var samples: [Sample] = []

    public var state: State { wrong > 0 ? .wrong : arrived > 0 ? .accepted : .waiting }
  }

  static let maximumSamples = 5
  private static let maximumDevices = 10
  private static let maximumUnexpected = 1_000

  private let target: Target
  private var decider: PlanDecider
  private var numbers: [Int: [Int]] = [:]
  private var report = PlanAcceptanceReport()

  /// Compiles the rules, and makes the list.
  ///
  /// - Parameter dictionary: The elements that events name by event ID alone.
  /// - Complexity: O(size of the rules and the plan).
  public init(
    _ plan: TrackingPlan, _ ruleSet: RuleSet, of target: Target = Target(),
    dictionary: ElementDictionary = ElementDictionary()
  ) {
    self.target = target
    decider = PlanDecider(plan, ruleSet, dictionary: dictionary)
    report.version = target.version
    for (number, entry) in plan.entries.enumerated() {
      guard let planned = entry.planned, planned.isActive, planned.isPlanned(in: target.version) else { continue }
      var platforms: [PlannedEvent.Platform?] = planned.platforms
      if !target.platforms.isEmpty { platforms.removeAll { $0.map { !target.platforms.contains($0) } ?? false } }
      if planned.platforms.isEmpty { platforms = [nil] }
      for platform in platforms {
        numbers[number, default: []].append(report.items.count)
        report.items.append(Item(entry, planned, platform, target.version))
      }
    }
  }

  /// The projection of the matcher, which makes a reader fastest.
  public var projection: EventProjection { decider.projection }

  /// The items, in the order of the plan.
  public var items: [Item] { report.items }

  /// Adds the event that a reader has returned last.
  ///
  /// - Returns: The numbers of the items to which the event belongs.
  /// - Precondition: The reader has returned an event last, not a rejection or nil.
  @discardableResult
  public mutating func add(eventOf reader: borrowing EventReader, _ place: PlanReport.Place) -> [Int] {
    decider.decided(eventOf: reader).map { add($0, place) } ?? []
  }

  /// Adds an event.
  ///
  /// - Returns: The numbers of the items to which the event belongs.
  @discardableResult
  public mutating func add(_ event: AnalyticsEvent, _ place: PlanReport.Place) -> [Int] {
    add(decider.decided(event), place)
  }

  private mutating func add(_ decided: DecidedEvent, _ place: PlanReport.Place) -> [Int] {
    report.read += 1
    let event = decided.event
    guard let occurrence = decider.occurrence(of: decided), target.includes(occurrence.release) else {
      report.others += 1
      return []
    }
    note(event, occurrence)
    if let other = occurrence.other { noteUnexpected(other) }
    var ticked: [Int] = []
    for (number, faults) in occurrence.known {
      let items = (numbers[number] ?? []).filter { item in
        let platform = report.items[item].platform
        return platform == nil || occurrence.release.platform == nil || platform == occurrence.release.platform
      }
      let entry = decider.plan.entries[number]
      // A deprecated event may still be sent.
      if items.isEmpty, entry.planned?.status != .deprecated { noteUnexpected(entry.event) }
      for item in items { arrive(item, number, event, occurrence, faults, place) }
      ticked += items
    }
    return ticked
  }

  private mutating func arrive(
    _ item: Int, _ number: Int, _ event: AnalyticsEvent, _ occurrence: PlanDecider.Occurrence,
    _ faults: [PlanTally.Fault], _ place: PlanReport.Place
  ) {
    report.items[item].arrived += 1
    if let time = occurrence.time { report.items[item].first = min(report.items[item].first ?? time, time) }
    guard !faults.isEmpty, let planned = decider.plan.entries[number].planned else { return }
    report.items[item].wrong += 1
    guard report.items[item].samples.count < Self.maximumSamples else { return }
    let shown = AcceptedEvent(event, planned, given: decider.givenValues(number, occurrence.decision))
    let sample = Sample(problems: faults.map { shown.problem($0) }, place: place, event: shown.json)
    guard !report.items[item].samples.contains(where: { $0.problems == sample.problems }) else { return }
    report.items[item].samples.append(sample)
  }

  /// Records the times and devices of events.
  private mutating func note(_ event: AnalyticsEvent, _ occurrence: PlanDecider.Occurrence) {
    if let time = occurrence.time {
      report.first = min(report.first ?? time, time)
      report.last = max(report.last ?? time, time)
    }
    guard report.devices.count < Self.maximumDevices else { return }
    let device = AcceptedEvent.device(event)
    if !device.isEmpty, !report.devices.contains(where: { $0.hasSameBytes(as: device) }) {
      report.devices.append(device)
    }
  }

  private mutating func noteUnexpected(_ name: UTF8String) {
    guard report.unexpected[name] != nil || report.unexpected.count < Self.maximumUnexpected else { return }
    report.unexpected[name, default: 0] += 1
  }

  /// Returns the result.
  public consuming func finish() -> PlanAcceptanceReport { report }
}

extension PlanAcceptance.Item {
  fileprivate init(
    _ entry: TrackingPlan.Entry, _ planned: PlannedEvent, _ platform: PlannedEvent.Platform?, _ version: String?
  ) {
    self.init(
      event: entry.event, name: entry.name, owner: entry.owner,
      trigger: planned.trigger ?? PlanTrigger.text(entry, .en, platform: platform, version: version),
      platform: platform,
      origin: .init(file: planned.file, location: planned.location), isOptional: planned.status == .planned)
  }
}

/// The state of a checklist.
public struct PlanAcceptanceReport: Sendable {
  public internal(set) var items: [PlanAcceptance.Item] = []
  /// The number of events for each name that is not planned for the target.
  public internal(set) var unexpected: [UTF8String: Int] = [:]
  /// The version of the app; nil for any.
  public internal(set) var version: String?
  /// The number of events read, and of events of other apps, versions or platforms.
  public internal(set) var read = 0
  public internal(set) var others = 0
  /// When the first and the last event happened, in milliseconds since 1970.
  public internal(set) var first: Int64?
  public internal(set) var last: Int64?
  /// The devices, as events name them.
  public internal(set) var devices: [String] = []
  /// The tester.
  public var tester: String?

  /// The numbers of items of each state.
  public var counts: [PlanAcceptance.State: Int] { Dictionary(items.map { ($0.state, 1) }, uniquingKeysWith: +) }

  /// This is true if all required items have arrived and none is wrong. A list without items is never accepted, because it is
  /// probably of the wrong version or platform.
  public var isAccepted: Bool {
    !items.isEmpty && items.allSatisfy { $0.state == .accepted || ($0.isOptional && $0.state == .waiting) }
  }
}
