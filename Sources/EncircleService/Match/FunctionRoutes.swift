import EncircleColumns
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Hummingbird

/// The function for warehouses that cannot run rules themselves: they call it over HTTP, with batches of rows.
struct FunctionRoutes: RouteGroup {
  let state: ServiceState
  /// Versions that are no longer in force, but that running queries still request. The text of a version never changes.
  private let earlier = RuleValueCache<ActiveRules>(capacity: 4)

  init(state: ServiceState) { self.state = state }

  var routes: [Route] {
    [
      Route(method: .post, path: "/v1/functions/decide", operation: "decideRows", role: .read) { request, _ in
        let name = request.query("ruleset") ?? EventLibrary.ruleSet
        let version = try request.query("version", in: 0...1_000_000_000)
        let columns = try Self.columns(request.query("columns") ?? EventColumn.event.name)
        let limits = state.configuration.limits
        let body = try await request.plainBytes(limit: limits.bodyBytes, limits: limits)
        let answer = try await state.workers.run {
          let calls = try RemoteCalls(try JSONBody(body.readableBytesView, limits), columns: columns)
          let rules = try rules(name, version)
          return calls.answer(
            ValueRowDecider(rules.matcher, columns, version: "\(rules.name)@\(rules.version)"))
        }
        return JSON.response(bytes: answer)
      }
    ]
  }

  private static func columns(_ text: String) throws -> [EventColumn] {
    do throws(EventColumn.NamesError) {
      return try EventColumn.columns(named: text)
    } catch {
      throw ServiceError.parameter("columns", error.message)
    }
  }

  /// Returns the rules of a version, so that a query uses the same rules to its end; without a version, the rules in force.
  private func rules(_ name: String, _ version: Int?) throws -> ActiveRules {
    let active = try state.events.matchers.active(name, waitingForCaptures: true)
    guard let version, version != active.version else { return active }
    return try earlier.value(of: "\(name)@\(version)", "", captures: state.captures.revision) {
      guard let text = try state.ruleSets.text(of: name, version: version) else {
        throw ServiceError.notFound("The rule set '\(name)' does not have this version.")
      }
      let ruleSet = try ServiceError.explaining {
        try RuleFiles(text: text, name: RuleSetLibrary.fileName(name)).ruleSet()
      }
      return ActiveRules(name: name, version: version, matcher: try state.events.matchers.matcher(ruleSet))
    }
  }
}
