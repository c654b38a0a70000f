import EncircleRuleFiles
import EncircleText

/// The status of the events of a plan: what was seen on each platform and in each version of the app, and whether it agrees with the
/// plan.
public struct PlanReport: Sendable {
  /// The status of an event, from rules, captures and events.
  public enum Status: String, CaseIterable, Sendable {
    /// It is in the plan, and nothing sends it yet (规划中).
    case planned
    /// A rule emits it, and it was not seen yet (已定义).
    case defined
    /// It was seen recently (已上报).
    case live
    /// It should be seen, but was never seen or is no longer seen (漏埋).
    case missing
    /// It was seen, with a property that is not as planned (错埋).
    case wrong
    /// It was seen or is emitted, and the plan does not have it (未管理).
    case unexpected
    /// It has not been seen for a long time (沉默).
    case stale
    /// People have set it so (废弃, 归档).
    case deprecated, archived

    /// The rank of the status of one platform or version. The status with the lowest rank becomes the status of the event.
    var rank: Int {
      switch self {
      case .wrong: 0
      case .missing: 1
      case .unexpected: 2
      case .live: 3
      case .stale: 4
      case .defined: 5
      case .planned: 6
      case .deprecated: 7
      case .archived: 8
      }
    }
  }

  /// The reason for a status that counts alone do not explain.
  public enum Reason: Hashable, Sendable {
    /// The plan does not mention the event.
    case notInPlan
    /// The plan has it on other platforms only.
    case otherPlatform
    /// The plan has the event only from a later version on, or only before this version.
    case otherVersion
    /// It is archived, and still sent.
    case archivedButSent
    /// It was never seen in a version that is out: how many people have used that version, and since when, in milliseconds since
    /// 1970.
    case neverSeen(people: Int, since: Int64)
    /// It was never seen in a version although a capture of the version shows its element.
    case onlyCaptured(capture: UTF8String)
    /// It is no longer seen in a version that many people still use; `people` is their number.
    case stopped(people: Int)
  }

  /// The ways in which a property differs from the plan.
  public enum Violation: String, CaseIterable, Sendable {
    /// It is required but missing.
    case missing
    case wrongType = "wrong_type"
    /// It should be a list but is not, or is a list but should not be.
    case list
    /// The value is not an allowed one.
    case value
    /// The text does not match the pattern.
    case pattern
  }

  /// A line of a file of events.
  public struct Place: Hashable, Sendable {
    public let file: String
    public let line: Int

    public init(file: String, line: Int) {
      self.file = file
      self.line = line
    }
  }

  /// The number of times that a property differed from the plan.
  public struct PropertyFault: Sendable {
    public let property: UTF8String
    public let violation: Violation
    /// The type that was planned.
    public let type: PlannedProperty.ValueType?
    /// This is true if a list was planned.
    public let isList: Bool
    public internal(set) var count: Int
    /// The first event with it.
    public let sample: Place
  }

  /// The observations of an event on a platform and in a version of the app.
  public struct Row: Sendable {
    /// The platform; nil if events do not name it, or if nothing was seen and no platform is planned.
    public let platform: PlannedEvent.Platform?
    /// The version; nil for events without one, or if no event was seen.
    public let version: String?
    public let status: Status
    public let reason: Reason?
    public internal(set) var events = 0
    /// The first and the last time; nil if events have none.
    public internal(set) var first: Int64?
    public internal(set) var last: Int64?
    public internal(set) var faults: [PropertyFault] = []
  }

  /// An event of the plan, of rules or of neither.
  public struct Event: Sendable {
    public let event: UTF8String
    /// Its display name.
    public let name: String?
    public let owner: String?
    public let isPlanned: Bool
    /// The ids of the rules in force that emit it.
    public let rules: [UTF8String]
    /// The place in the plan; nil if it is not there.
    public let origin: PlanReport.Origin?
    /// The rows, sorted by platform, then by version.
    public let rows: [Row]
    /// The number of recent events, within the days in which they count as live, and of their people.
    public internal(set) var recentEvents = 0
    public internal(set) var recentPeople = 0

    /// The most important status of a row: wrong, missing or unexpected before live, and live before the others.
    public var status: Status { rows.map(\.status).min { $0.rank < $1.rank } ?? .planned }
  }

  /// A place in a plan.
  public struct Origin: Hashable, Sendable {
    public let file: String
    public let location: SourceLocation
  }

  /// The events in the order of the plan, then events that only rules emit, then events that were only seen, by name.
  public internal(set) var events: [Event] = []
  /// The number of events read, and of events that count under no name.
  public internal(set) var read = 0
  public internal(set) var others = 0
  /// The number of times that a name, a version, a row or a person was not recorded because a limit was reached.
  public internal(set) var beyondLimits = 0
  /// This is false if some of the recent events are not counted by name, so that their numbers are lower bounds.
  package internal(set) var recentIsComplete = true
  /// The places of events in captures, by name.
  public internal(set) var places: [UTF8String: PlanPlace] = [:]
  /// When this is, in milliseconds since 1970.
  public internal(set) var now: Int64 = 0
  /// An event that was not seen since then is stale.
  var staleBefore = Int64.min

  /// Returns the text for a number of recent events or people.
  package static func text(ofRecent count: Int, isComplete: Bool) -> String { isComplete ? "\(count)" : "≥ \(count)" }

  /// The number of events of each status.
  public var counts: [Status: Int] { Dictionary(events.map { ($0.status, 1) }, uniquingKeysWith: +) }
}

/// The thresholds by which an event is live, stale or missing.
public struct PlanThresholds: Hashable, Sendable {
  /// The number of days that count as recent: an event that was not seen in them is missing if at least ``missingPeople`` have
  /// used its version in them.
  public var liveDays = 30
  /// An event is stale if it was not seen for this number of days.
  public var staleDays = 90
  /// The minimum age of a version's first event, in days, for the version to count as released.
  public var missingAfterDays = 3
  /// The minimum number of people for a version to count as released.
  public var missingPeople = 1_000

  public init() {}
}
