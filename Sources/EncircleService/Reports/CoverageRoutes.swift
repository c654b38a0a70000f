import EncircleAuthoring
import EncircleText
import Hummingbird

/// Routes for the elements that people tap and that have no rule.
struct CoverageRoutes: RouteGroup {
  let state: ServiceState

  var routes: [Route] {
    [
      Route(method: .get, path: "/v1/coverage", operation: "coverage", role: .read) { request, _ in
        let days = try request.query("days", in: ReportRoutes.days, default: 7)
        let limit = try request.query("limit", in: 1...1_000, default: 100)
        let name = request.query("ruleset") ?? EventLibrary.ruleSet
        let isDraft = try request.flag("draft")
        let project = request.query("project")
        return try await state.analysts.run {
          let report = try state.coverage.report(
            of: name, draft: isDraft, since: RecentHours(days: days, now: EventLibrary.now).startTime, project: project)
          return JSON.response { CoverageJSON.append(report, limit: limit, to: &$0) }
        }
      }
    ]
  }
}
