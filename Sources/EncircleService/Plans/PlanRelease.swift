import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The planned events that are new in a version of the app, and how far they have come.
struct PlanRelease {
  /// How far an event has come. A release has come as far as the event that is furthest behind.
  enum State: String, CaseIterable, Comparable {
    /// No rule in force emits it, though one is to.
    case draft
    /// A rule in force emits it, or no rule has to, because code sends it.
    case circled
    /// Somebody has accepted it on all its platforms.
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

  /// Nil if it has no event.
  var state: State? { events.map(\.state).min() }

  /// - Parameters:
  ///   - plan: The plan beside the rules in force.
  ///   - draft: The plan beside those of the draft.
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

  /// The versions that have new events, the newest first.
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

  /// Whether an event of the plan, which is not out of use, is new in a version.
  static func isNew(_ entry: TrackingPlan.Entry, in version: String) -> Bool {
    guard let planned = entry.planned, planned.status != .archived, planned.status != .deprecated,
      let since = planned.since.flatMap({ VersionNumber($0) }), let version = VersionNumber(version)
    else { return false }
    return since == version
  }

  /// What is to be accepted of an event.
  static func items(of entry: TrackingPlan.Entry) -> [ReleaseRecord.Item] {
    let platforms = entry.planned?.platforms ?? []
    guard !platforms.isEmpty else { return [.init(event: entry.event.text, platform: "")] }
    return platforms.map { .init(event: entry.event.text, platform: $0.rawValue) }
  }
}
