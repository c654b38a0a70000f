import EncircleEvents
import EncircleText
import Hummingbird

/// Routes for the elements of a screen that are already circled.
struct CircledElementRoutes: RouteGroup {
  let state: ServiceState

  /// The number of days that counts may cover; each day costs an index lookup for every hour and rule.
  private static let days = 1...90
  /// The maximum number of rules in an answer; nobody could distinguish the rings of more.
  private static let maximumRules = 500

  var routes: [Route] {
    [
      Route(
        method: .get, path: "/v1/captures/{id}/rules", operation: "listCircledElements", role: .read, handler: rules)
    ]
  }

  private func rules(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = context.captureID
    let ruleSet = request.query("ruleset") ?? "default"
    let days = try request.query("days", in: Self.days, default: 7)
    return try await state.workers.run {
      let screen = try state.analysis.screen(id)
      let circled = try state.analysis.circled.rules(of: ruleSet, on: screen, state.analysis)
      let shown = circled.rules.prefix(Self.maximumRules)
      let series = try state.events.store.series(of: shown.map(\.id), days: days, now: EventLibrary.now)
      let elements = try Self.elements(of: screen, state.events.store, days: days)
      let edited = try state.ruleSets.rules(of: ruleSet, draft: true).ruleSet
      let style = edited.clauseStyle(for: screen.identified)
      let foreign = edited.foreignStyle(for: screen.identified)
      return JSON.response {
        $0.member("ruleset", ruleSet)
        $0.member("version", circled.version)
        $0.nullable("draft", circled.draft)
        $0.nullable("style", style?.rawValue)
        $0.nullable("foreign_style", foreign?.rawValue)
        $0.member("days", days)
        $0.array("starts", series.starts) { $1.value(EventText.time($0)) }
        $0.array("rules", Array(shown)) { rule, json in json.object { Self.write(rule, series, to: &$0) } }
        $0.member("total", circled.rules.count)
        $0.array("elements", elements) { element, json in
          json.object {
            $0.member("element", element.number)
            $0.member("events", element.series.reduce(0, +))
            $0.array("series", element.series) { $1.value($0) }
          }
        }
      }
    }
  }

  /// Returns the elements of a screen that have events, found by event ID, with the number of events in each part of the time.
  private static func elements(
    of screen: StoredScreen, _ store: EventStore, days: Int
  ) throws -> [(number: Int, series: [Int])] {
    let identified = screen.identified
    // An element of an Android screen has a second ID.
    let androidIDs = identified.androidIDs()
    var ids: [(number: Int, id: [UInt8])] = []
    for element in identified.tree.elements where identified.trackingType(of: element) != nil {
      if element.index % 256 == 0 { try WorkBudget.check() }
      ids.append((element.index, identified.eventID(of: element).bytes))
      if let id = androidIDs[element] { ids.append((element.index, id.bytes)) }
    }
    let series = try store.elementSeries(of: Set(ids.map(\.id)), days: days, now: EventLibrary.now)
    var found: [(number: Int, series: [Int])] = []
    for (number, id) in ids {
      guard let own = series[id] else { continue }
      if let last = found.last, last.number == number {
        found[found.count - 1].series = zip(last.series, own).map { $0 + $1 }
      } else {
        found.append((number, own))
      }
    }
    return found
  }

  private static func write(_ rule: CircledRules.Rule, _ series: RuleSeries, to json: inout JSONBuilder) {
    for member in RuleListing.item(rule.object).members { json.member(member.name, member.value) }
    json.member("stage", rule.stage.rawValue)
    json.array("elements", rule.elements) { $1.value($0) }
    if let before = rule.before { json.array("before", before) { $1.value($0) } }
    let events = series.events[UTF8String(rule.id)] ?? []
    json.member("events", events.reduce(0, +))
    json.array("series", events) { $1.value($0) }
  }
}
