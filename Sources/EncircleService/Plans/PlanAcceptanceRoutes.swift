import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Hummingbird

/// The checklist of a release, by the events that were stored since somebody began to try it.
struct PlanAcceptanceRoutes: RouteGroup {
  let state: ServiceState

  /// The most events, and bytes of them, that are looked at: those of one trial.
  private static let mostEvents = 5_000
  private static let mostBytes = 64 << 20

  var routes: [Route] {
    [
      Route(
        method: .get, path: "/v1/rulesets/{name}/plan/acceptance", operation: "planAcceptance", role: .read,
        handler: get)
    ]
  }

  private enum Format: String, CaseIterable {
    case json, markdown, html
  }

  private func get(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let draft = try request.query("draft", default: Flag.false) == .true
    let format = try request.query("format", default: Format.json)
    let target = try Self.target(request)
    let after = try request.query("after").map { _ in try request.query("after", in: 0...Int.max, default: 0) }
    let tester = try state.reason(request.query("tester"))
    var filter = EventFilter()
    filter.distinctID = request.query("distinct_id")
    filter.project = request.query("project")
    return try await state.analysts.run { [state, filter] in
      let joined = try state.plans.joined(name, draft: draft)
      guard joined.record != nil else { throw PlanLibrary.noPlan(name) }
      var acceptance = PlanAcceptance(
        joined.plan, joined.rules.ruleSet, of: target,
        dictionary: try state.analysis.snapshot(SelectionSettings(joined.rules.ruleSet)).dictionary)
      // Who begins has no event yet.
      let last = try state.events.store.lastID()
      let found = try state.events.store.events(
        filter, after: after.map { Int64($0) } ?? last, most: Self.mostEvents, bytes: Self.mostBytes)
      for event in found.events {
        try WorkBudget.check()
        guard let parsed = try? AnalyticsEvent(json: event.row.json) else { continue }
        acceptance.add(parsed, PlanReport.Place(file: EventStore.eventPlace, line: Int(event.id)))
      }
      var report = acceptance.finish()
      if !tester.isEmpty { report.tester = tester }
      return Self.response(report, format, last: found.events.last?.id ?? last, missed: found.missed)
    }
  }

  private static func target(_ request: Request) throws -> PlanAcceptance.Target {
    var target = PlanAcceptance.Target()
    if let version = request.query("app_version"), !version.isEmpty {
      guard VersionNumber(version) != nil else {
        throw ServiceError.parameter("app_version", "app_version must be a version of the app, such as 5.2.")
      }
      target.version = version
    }
    if request.query("platform").map({ !$0.isEmpty }) ?? false {
      target.platforms = [try request.query("platform", default: PlannedEvent.Platform.other)]
    }
    return target
  }

  private static func response(
    _ report: PlanAcceptanceReport, _ format: Format, last: Int64, missed: Int
  ) -> Response {
    func file(_ text: String, _ type: String, _ ending: String) -> Response {
      Response(
        status: .ok,
        headers: [
          .contentType: "\(type); charset=utf-8", .cacheControl: "no-store",
          .contentDisposition: "attachment; filename=\"acceptance.\(ending)\"",
        ],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
    switch format {
    case .markdown: return file(PlanAcceptanceText.markdown(report), "text/markdown", "md")
    case .html:
      let title = report.version.map { "Acceptance of \($0)" } ?? "Acceptance"
      return file(PlanAcceptanceHTML.text(report, title: title), "text/html", "html")
    case .json:
      return JSON.response(headers: [.cacheControl: "no-store"]) {
        $0.member("last_event", Int(last))
        $0.member("missed", missed)
        PlanAcceptanceJSON.append(report, to: &$0)
      }
    }
  }
}
