import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The planned events that are new in a version of the app, with their progress.
struct PlanRelease {
  /// The progress of an event. A release has the progress of the event that is furthest behind.
  enum State: String, CaseIterable, Comparable {
    /// No rule in force emits the event, though one should.
    case draft
    /// A rule in force emits the event, or none has to, because code sends it.
    case circled
    /// Somebody has accepted the event on all its platforms.
    case accepted

    static func < (a: State, b: State) -> Bool { a.number < b.number }

    private var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// A planned event.
  struct Event {
    let entry: TrackingPlan.Entry
    let state: State
    /// The rules of the draft that emit it.
    let draftRules: [String]
  }

  let version: String
  let record: ReleaseRecord
  let events: [Event]

  /// The progress of the release; nil if it has no event.
  var state: State? { events.map(\.state).min() }

  /// - Parameters:
  ///   - plan: The plan joined with the rules in force.
  ///   - draft: The plan joined with the draft's rules.
  /// - Complexity: O(events of the plan).
  init(_ version: String, _ plan: TrackingPlan, draft: TrackingPlan, _ record: ReleaseRecord) {
    self.version = version
    self.record = record
    let accepted = Set(record.acceptance?.items ?? [])
    events = plan.entries.filter { Self.isNew($0, in: version) }.map { entry in
      let items = Self.items(of: entry)
      let rules = draft.entry(of: entry.event)?.rules.filter(\.isEnabled).map(\.id.text) ?? []
      let isCircled = entry.isEmitted || entry.planned.map { ($0.tracking ?? .circled) != .circled } ?? false
      let isAccepted = items.allSatisfy(accepted.contains)
      return Event(
        entry: entry, state: isCircled ? isAccepted ? .accepted : .circled : .draft, draftRules: rules)
    }
  }

  /// Returns the versions that have new events, newest first.
  static func versions(of plan: TrackingPlan) -> [String] {
    var known: Set<VersionNumber> = []
    let versions = plan.entries.compactMap { entry -> (String, VersionNumber)? in
      guard let text = entry.planned?.since, let version = VersionNumber(text), isNew(entry, in: text) else {
        return nil
      }
      return known.insert(version).inserted ? (text, version) : nil
    }
    return versions.sorted { $1.1 < $0.1 }.map(\.0)
  }

  /// Returns the release of the plan that a version of the app belongs to, as the plan writes it: that of the version itself or, for
  /// a pre-release such as `4.0-beta.1` in which no event is new, 4.0; nil if there is none.
  static func version(for version: String, in plan: TrackingPlan) -> String? {
    guard let number = VersionNumber(version) else { return nil }
    let known = versions(of: plan)
    return known.first { VersionNumber($0) == number } ?? known.first { VersionNumber($0) == number.release }
  }

  /// Returns whether an event of the plan is new in a version. Deprecated and archived events are never new.
  static func isNew(_ entry: TrackingPlan.Entry, in version: String) -> Bool {
    guard let planned = entry.planned, planned.isActive,
      let since = planned.since.flatMap({ VersionNumber($0) }), let version = VersionNumber(version)
    else { return false }
    return since == version
  }

  /// Returns the items to accept for an event.
  static func items(of entry: TrackingPlan.Entry) -> [ReleaseRecord.Item] {
    let platforms = entry.planned?.platforms ?? []
    guard !platforms.isEmpty else { return [.init(event: entry.event.text, platform: "")] }
    return platforms.map { .init(event: entry.event.text, platform: $0.rawValue) }
  }
}
