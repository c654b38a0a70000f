import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Foundation
import Hummingbird

/// Routes for elements that are deliberately left without a rule, with the reasons.
struct SetAsideRoutes: RouteGroup {
  let state: ServiceState

  /// The maximum number of items in a rule set, and of bytes in one item.
  private static let maximumItems = 5_000
  private static let longest = 16 << 10

  var routes: [Route] {
    let path = "/v1/rulesets/{name}/set-aside"
    return [
      Route(method: .get, path: path, operation: "setAside", role: .read, handler: list),
      Route(method: .post, path: path, operation: "setElementAside", role: .author, handler: add),
      Route(method: .delete, path: path + "/{id}", operation: "takeElementBack", role: .author, handler: remove),
    ]
  }

  private func list(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    return try await state.workers.run { [state] in
      let rules = try state.plans.ruleSets.rules(of: name, draft: false).ruleSet
      let items = try state.coverage.setAside.items(of: name)
      let problems = try CoverageLibrary.readable(items, for: rules).problems
      return JSON.response(headers: [.cacheControl: "no-cache"]) {
        $0.array("items", items) { item, json in
          json.object {
            $0.member("id", Int(item.id))
            $0.member("clause", json: item.clause.utf8)
            $0.member("reason", item.reason)
            $0.member("at", item.at.formatted(.iso8601))
            $0.member("by", item.by)
            $0.member("problem", problems[item.id]?.diagnostics.first?.messageWithSuggestion)
          }
        }
      }
    }
  }

  private func add(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let body = try await request.object(
      members: "clause", "reason", limit: Self.longest, limits: state.configuration.limits)
    let clause = try body.required("clause")
    let object = try clause.object
    guard !object.members.isEmpty else { throw clause.error("This selects every element.") }
    let reason = try state.reason(try body.required("reason").text)
    guard !reason.isEmpty else { throw try body.required("reason").error("This is empty.") }
    let json = String(decoding: EventValue.object(object).json, as: UTF8.self)
    let caller = context.caller.name
    let id = try await state.workers.run { [state] in
      let rules = try state.plans.ruleSets.rules(of: name, draft: true).ruleSet
      let record = SetAsideRecord(id: 0, clause: json, reason: reason, at: Date(), by: caller)
      _ = try ServiceError.explaining(code: "bad-clause") { try CoverageLibrary.files(of: [record], for: rules) }
      let id = try RuleSetLibrary.explaining(name) {
        try state.coverage.setAside.add(json, reason: reason, to: name, most: Self.maximumItems, by: caller)
      }
      guard let id else {
        throw ServiceError.conflict("At most \(Self.maximumItems) items are set aside.", code: "too-many")
      }
      return id
    }
    return JSON.response(status: .created) { $0.member("id", Int(id)) }
  }

  private func remove(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let id = context.parameters.get("id", as: Int64.self)
    let caller = context.caller.name
    try await state.workers.run { [state] in
      guard let id, try state.coverage.setAside.remove(id, of: name, by: caller) else {
        throw ServiceError.notFound("Nothing is set aside under this id.")
      }
    }
    return Response(status: .noContent)
  }
}
