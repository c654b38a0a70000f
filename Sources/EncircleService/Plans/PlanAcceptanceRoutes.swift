import EncircleAuthoring
import EncircleText
import Hummingbird

/// Routes for the checklist of a release, based on the events stored since somebody began to try it.
struct PlanAcceptanceRoutes: RouteGroup {
  let state: ServiceState

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
    let draft = try request.flag("draft")
    let format = try request.query("format", default: Format.json)
    let trial = try PlanTrial(request, state)
    return try await state.analysts.run { [state] in
      let joined = try state.plans.joined(name, draft: draft)
      guard joined.record != nil else { throw PlanLibrary.noPlan(name) }
      let found = try trial.report(of: joined, state)
      return Self.response(found.report, format, last: found.last, missed: found.missed)
    }
  }

  private static func response(
    _ report: PlanAcceptanceReport, _ format: Format, last: Int64, missed: Int
  ) -> Response {
    func file(_ text: String, _ type: String, _ ending: String) -> Response {
      Response(
        text.utf8, "\(type); charset=utf-8", saveAs: "acceptance.\(ending)", headers: [.cacheControl: "no-store"])
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
