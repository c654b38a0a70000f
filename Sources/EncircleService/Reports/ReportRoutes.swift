import EncircleEvents
import EncircleIdentity
import EncircleText
import Foundation
import Hummingbird

/// Routes for counts over the stored events. Funnels, retention and the like are left to a warehouse.
struct ReportRoutes: RouteGroup {
  let state: ServiceState

  /// The number of days that a report may cover.
  static let days = 1...3_650

  var routes: [Route] {
    let path = "/v1/reports"
    return [
      Route(method: .get, path: path + "/overview", operation: "overview", role: .read, handler: overview),
      Route(method: .get, path: path + "/counts", operation: "counts", role: .read, handler: counts),
      Route(method: .get, path: "/v1/projects", operation: "listProjects", role: .read, handler: projects),
      Route(method: .post, path: path + "/retroactive", operation: "retroactive", role: .read, handler: retroactive),
      Route(method: .get, path: path + "/health", operation: "ruleHealth", role: .read, handler: health),
      Route(method: .get, path: path + "/heatmap", operation: "heatmap", role: .read, handler: heatmap),
    ]
  }

  private func overview(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let days = try request.query("days", in: Self.days, default: 7)
    let (project, ruleSet) = (request.query("project"), request.query("ruleset"))
    return try await state.workers.run {
      try JSON.response(try OverviewReport(state, days: days, of: project, ruleSet: ruleSet))
    }
  }

  private func projects(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try await state.workers.run {
      let projects = try state.events.store.projects()
      return JSON.response {
        $0.array("projects", projects) { project, json in
          json.object {
            $0.member("name", project.name)
            $0.member("last_seen", EventText.time(project.lastSeen))
          }
        }
      }
    }
  }

  private func retroactive(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let limits = state.configuration.limits
    let body = try await request.plainBytes(limit: limits.bodyBytes, limits: limits)
    return try await state.analysts.run {
      let question = try RetroactiveQuestion(JSONBody(body.readableBytesView, limits), state)
      return try JSON.response(
        RetroactiveReport(
          state.events.matchers.matcher(question.ruleSet), state.events.store, days: question.days,
          rules: question.rules))
    }
  }

  private func health(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = request.query("ruleset") ?? EventLibrary.ruleSet
    let project = request.query("project")
    return try await state.workers.run {
      let rules = try state.events.matchers.published(name)
      let (store, now) = (state.events.store, EventLibrary.now)
      let counts = try project.map { try store.ruleCounts(of: $0, now: now) } ?? store.ruleCounts(now: now)
      return try JSON.response(
        HealthReport(rules.ruleSet, counts, alpha: state.settings.current.healthAlpha) { rules, time in
          try state.ruleSets.beginnings(of: rules, in: name, after: time)
        } recount: { time in
          let time = Int64(time.timeIntervalSince1970 * 1_000)
          return try project.map { try store.ruleCounts(of: $0, now: now, since: time) }
            ?? store.ruleCounts(now: now, since: time)
        })
    }
  }

  private func heatmap(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let days = try request.query("days", in: Self.days, default: 7)
    guard let id = request.query("capture") else {
      throw ServiceError.parameter("capture", "capture must name a capture.")
    }
    let project = request.query("project")
    return try await state.workers.run {
      guard let screen = try state.captures.screen(id) else {
        throw ServiceError.notFound("The capture does not exist.")
      }
      return try JSON.response(
        HeatmapReport(
          screen, state.events.store, since: RecentHours(days: days, now: EventLibrary.now).startTime, of: project))
    }
  }

  // MARK: - Counts

  private func counts(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let filter = try EventFilter(request)
    let limit = try request.query("limit", in: 1...1_000, default: 1_000)
    if let place = try Self.property(request) {
      return try await state.workers.run {
        let rows = try state.events.store.counts(by: place, filter, most: limit) { try WorkBudget.check() }
        return try JSON.response(CountList(rows: rows))
      }
    }
    let grouping = try request.query("by", default: EventGrouping.rule)
    return try await state.workers.run {
      var rows = try state.events.store.counts(by: grouping, filter, most: limit)
      if grouping == .hour {
        for index in rows.indices { rows[index].key = Int64(rows[index].key).map(EventText.time) ?? rows[index].key }
      }
      return try JSON.response(CountList(rows: rows))
    }
  }

  private struct CountList: Encodable {
    var rows: [KeyCount]
  }

  /// Returns the place by whose values events are counted: a property that begins with `$`, or a JSON Pointer; nil for a word.
  private static func property(_ request: Request) throws -> PropertyReference? {
    guard let text = request.query("by"), EventGrouping(rawValue: text) == nil else { return nil }
    guard let first = text.utf8.first, [UInt8(ascii: "$"), UInt8(ascii: "/")].contains(first) else {
      let words = EventGrouping.allCases.map(\.rawValue).joined(separator: ", ")
      throw ServiceError.parameter(
        "by", "by must be one of \(words), or a place in events, such as $element_content or /attributes/title.")
    }
    guard let place = PropertyReference(parsing: text) else {
      throw ServiceError.parameter("by", "by is no JSON Pointer: \(VisibleText.shortened(text)).")
    }
    return place
  }
}
