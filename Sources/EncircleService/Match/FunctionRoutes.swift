import EncircleColumns
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Hummingbird
import Synchronization

/// The function for warehouses that cannot run rules themselves: they call it over HTTP, with batches of rows.
struct FunctionRoutes: RouteGroup {
  let state: ServiceState
  private let earlier = EarlierRules()

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
        return JSON.response(bytes: ByteBuffer(bytes: answer))
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
    let active = try state.events.matchers.active(name)
    guard let version, version != active.version else { return active }
    return try earlier.rules(name, version, state.captures.revision) {
      guard let text = try state.ruleSets.text(of: name, version: version) else {
        throw ServiceError.notFound("The rule set '\(name)' does not have this version.")
      }
      do throws(RuleFileErrors) {
        return try RuleFiles(text: text, name: RuleSetLibrary.fileName(name)).ruleSet()
      } catch {
        throw ServiceError(error)
      }
    } matcher: {
      try state.events.matchers.matcher($0)
    }
  }
}

/// Versions of rules that are no longer in force, but that running queries still request.
private final class EarlierRules: Sendable {
  private struct Known {
    let rules: ActiveRules
    /// The revision of the captures for which the rules were compiled.
    let revision: Int

    func isVersion(_ version: Int, of name: String) -> Bool {
      rules.version == version && rules.name.hasSameBytes(as: name)
    }
  }

  private static let maximumKnown = 4
  private let known = Mutex<[Known]>([])

  /// - Parameter revision: The current revision of the captures; rules that were compiled for another one are compiled again.
  func rules(
    _ name: String, _ version: Int, _ revision: Int, ruleSet: () throws -> RuleSet,
    matcher: (RuleSet) throws -> Matcher
  ) throws -> ActiveRules {
    let found = known.withLock { $0.first { $0.revision == revision && $0.isVersion(version, of: name) } }
    if let found { return found.rules }
    let rules = ActiveRules(name: name, version: version, matcher: try matcher(try ruleSet()))
    known.withLock { known in
      known.removeAll { $0.isVersion(version, of: name) }
      if known.count >= Self.maximumKnown { known.removeFirst() }
      known.append(Known(rules: rules, revision: revision))
    }
    return rules
  }
}
