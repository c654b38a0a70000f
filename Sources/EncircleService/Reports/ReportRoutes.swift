import EncircleEvents
import EncircleIdentity
import EncircleText
import Foundation
import Hummingbird

/// Routes for counts over the stored events. Funnels, retention and the like are left to a warehouse.
struct ReportRoutes: RouteGroup {
  let state: ServiceState

  var routes: [Route] {
    [
      Route(method: .get, path: "/v1/reports/overview", operation: "overview", role: .read) { request, _ in
        let days = try request.query("days", in: Self.days, default: 7)
        let (project, ruleSet) = (request.query("project"), request.query("ruleset"))
        return try await state.workers.run {
          try JSON.response(try overview(days: days, of: project, ruleSet: ruleSet))
        }
      },
      Route(method: .get, path: "/v1/reports/counts", operation: "counts", role: .read) { request, _ in
        let filter = try EventFilter(request)
        let limit = try request.query("limit", in: 1...1_000, default: 1_000)
        if let place = try Self.property(request) {
          return try await state.workers.run {
            let rows = try state.events.store.counts(by: place, filter, most: limit) { try WorkBudget.check() }
            return try JSON.response(
              CountList(rows: rows.map { CountList.Row(key: $0.key, events: $0.events, people: $0.people) }))
          }
        }
        let grouping = try request.query("by", default: EventGrouping.rule)
        return try await state.workers.run {
          let rows = try state.events.store.counts(by: grouping, filter, most: limit)
          return try JSON.response(
            CountList(
              rows: rows.map { row in
                let key = grouping == .hour ? Int64(row.key).map(EventText.time) ?? row.key : row.key
                return CountList.Row(key: key, events: row.events, people: row.people)
              }))
        }
      },
      Route(method: .get, path: "/v1/projects", operation: "listProjects", role: .read) { _, _ in
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
      },
      Route(method: .post, path: "/v1/reports/retroactive", operation: "retroactive", role: .read) { request, _ in
        let limits = state.configuration.limits
        let body = try await request.plainBytes(limit: limits.bodyBytes, limits: limits)
        return try await state.analysts.run {
          let question = try RetroactiveQuestion(JSONBody(body.readableBytesView, limits), state)
          return try JSON.response(
            RetroactiveReport(
              state.events.matchers.matcher(question.ruleSet), state.events.store, days: question.days,
              rules: question.rules))
        }
      },
      Route(method: .get, path: "/v1/reports/health", operation: "ruleHealth", role: .read) { request, _ in
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
      },
      Route(method: .get, path: "/v1/reports/heatmap", operation: "heatmap", role: .read) { request, _ in
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
      },
    ]
  }

  /// The number of days that a report may cover.
  static let days = 1...3_650

  private struct CountList: Encodable {
    struct Row: Encodable {
      var key: String
      var events: Int
      /// The number of people who caused the events; missing if there are too many to keep apart.
      var people: Int?
    }
    var rows: [Row]
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

  // MARK: - Overview

  private struct Overview: Encodable {
    struct Period: Encodable {
      /// `2026-11-23`, in UTC, if the report covers more than two days.
      var day: String?
      /// The beginning of the hour.
      var hour: String?
      var events: Int
      var selected: Int
    }

    struct Rule: Encodable {
      var id: String
      var events: Int
      /// The events in each part of the time, as in every `series` of the report; `starts` contains the beginnings of the parts.
      var series: [Int]
    }

    struct Page: Encodable {
      var page: String
      var events: Int
      var selected: Int
      var series: [Int]
    }

    struct Name: Encodable {
      var event: String
      var events: Int
      var selected: Int
      var series: [Int]
    }

    struct Element: Encodable {
      var eventId: String
      var page: String?
      var events: Int
      var selected: Int
      var series: [Int]
      /// Whether an element of a stored capture has this event ID.
      var stored: Bool
    }

    var days: [Period]
    /// The beginnings of the parts of the curves.
    var starts: [String]
    var rules: [Rule]
    var pages: [Page]
    var names: [Name]
    var elements: [Element]
    var events: Int
    var selected: Int
    var rejects: Int
    var captures: Int
  }

  private func overview(days: Int, of project: String?, ruleSet: String?) throws -> Overview {
    let (store, now) = (state.events.store, EventLibrary.now)
    let rules = try ruleSet.map { name in
      try state.events.matchers.published(name).ruleSet.rules.filter { $0.effect == .include }.map(\.id.text)
    }
    let found =
      try project.map { try store.overview(of: $0, days: days, now: now, most: 20, rules: rules) }
      ?? store.overview(days: days, now: now, most: 20, rules: rules)
    var periods: [Overview.Period] = []
    for hour in found.hours {
      let time = EventText.time(hour.hour * 3_600_000)
      if days <= 2 {
        periods.append(.init(hour: time, events: hour.events, selected: hour.selected))
        continue
      }
      let day = String(time.prefix(10))
      if periods.last?.day == day {
        periods[periods.count - 1].events += hour.events
        periods[periods.count - 1].selected += hour.selected
      } else {
        periods.append(.init(day: day, events: hour.events, selected: hour.selected))
      }
    }
    return Overview(
      days: periods, starts: found.starts.map(EventText.time),
      rules: found.rules.map { .init(id: $0.key, events: $0.events, series: $0.series) },
      pages: found.pages.map {
        .init(page: $0.key, events: $0.events, selected: $0.selected, series: $0.series)
      },
      names: found.names.map {
        .init(event: $0.key, events: $0.events, selected: $0.selected, series: $0.series)
      },
      elements: try found.elements.map {
        let id = Data($0.element)
        return .init(
          eventId: Hexadecimal.text($0.element), page: $0.page, events: $0.events, selected: $0.selected,
          series: $0.series, stored: try state.captures.elements(from: id, through: id, offset: 0, limit: 1).total > 0)
      },
      events: found.hours.reduce(0) { $0 + $1.events }, selected: found.hours.reduce(0) { $0 + $1.selected },
      rejects: found.rejects, captures: try state.captures.records(.init(), limit: 1).total)
  }
}
