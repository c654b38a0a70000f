import EncircleAuthoring
import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Hummingbird

/// The stored events of a person who tests a release, compared with the plan.
struct PlanTrial: Sendable {
  /// The maximum number of events, and of their bytes, that are examined.
  private static let maximumEvents = 5_000
  private static let maximumBytes = 64 << 20

  var target = PlanAcceptance.Target()
  private let after: Int64?
  private let tester: String
  private var filter = EventFilter()

  /// - Throws: ``ServiceError`` for parameters that are not a version, platform or number.
  init(_ request: Request, _ state: ServiceState) throws {
    if let version = request.query("app_version"), !version.isEmpty {
      guard VersionNumber(version) != nil else {
        throw ServiceError.parameter("app_version", "app_version must be a version of the app, such as 5.2.")
      }
      target.version = version
    }
    if request.query("platform").map({ !$0.isEmpty }) ?? false {
      target.platforms = [try request.query("platform", default: PlannedEvent.Platform.other)]
    }
    after = try request.query("after", in: 0...Int.max).map { Int64($0) }
    tester = try state.reason(request.query("tester"))
    filter.distinctID = request.query("distinct_id")
    filter.project = request.query("project")
  }

  /// Returns a report on the events that have arrived, up to the event with the id `last`. `missed` is the number of events
  /// that were not examined, because they were too many or have been deleted.
  ///
  /// - Throws: ``ServiceError`` when the request has used up its budget.
  func report(
    of joined: PlanLibrary.Joined, _ state: ServiceState
  ) throws -> (report: PlanAcceptanceReport, last: Int64, missed: Int) {
    var acceptance = PlanAcceptance(
      joined.plan, joined.rules.ruleSet, of: target,
      dictionary: try state.analysis.snapshot(SelectionSettings(joined.rules.ruleSet)).dictionary)
    // A trial without `after` begins now, so only later events count.
    let last = try state.events.store.lastID()
    let found = try state.events.store.events(
      filter, after: after ?? last, most: Self.maximumEvents, bytes: Self.maximumBytes)
    for event in found.events {
      try WorkBudget.check()
      guard let parsed = try? AnalyticsEvent(json: event.row.json) else { continue }
      acceptance.add(parsed, PlanReport.Place(file: EventStore.eventPlace, line: Int(event.id)))
    }
    var report = acceptance.finish()
    if !tester.isEmpty { report.tester = tester }
    return (report, found.events.last?.id ?? last, found.missed)
  }
}
