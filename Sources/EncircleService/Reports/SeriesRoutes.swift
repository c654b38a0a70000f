import EncircleText
import Hummingbird

/// Events over time, which the event-analysis view shows.
struct SeriesRoutes: RouteGroup {
  let state: ServiceState

  private enum Format: String, CaseIterable {
    case json, csv
  }

  var routes: [Route] {
    [
      Route(method: .get, path: "/v1/reports/series", operation: "series", role: .read) { request, _ in
        let isCSV = try request.query("format", default: request.accepts("text/csv") ? Format.csv : .json) == .csv
        return try await state.workers.run {
          let question = try SeriesQuestion(request, state.events.matchers, now: EventLibrary.now)
          let store = state.events.store
          let report = SeriesReport(
            question: question, answer: try store.series(question.query) { try WorkBudget.check() },
            keptSince: try store.oldestArrival())
          guard isCSV else { return JSON.response(headers: [.vary: "Accept"]) { report.members(&$0) } }
          return Response(
            report.csv.utf8, "text/csv; charset=utf-8", saveAs: "events.csv", headers: [.vary: "Accept"])
        }
      }
    ]
  }
}
