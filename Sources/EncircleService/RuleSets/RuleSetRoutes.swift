import EncircleRuleFiles
import EncircleText
import Foundation
import Hummingbird

/// Routes for rule sets as whole files: in force, earlier versions, and publishing.
struct RuleSetRoutes: RouteGroup {
  let state: ServiceState

  private var library: RuleSetLibrary { state.ruleSets }

  var routes: [Route] {
    [
      Route(
        method: .get, path: "/v1/rulesets", operation: "listRuleSets", role: .read, handler: list),
      Route(
        method: .get, path: "/v1/rulesets/{name}", operation: "getRuleSet", role: .read, handler: get),
      Route(
        method: .put, path: "/v1/rulesets/{name}", operation: "putRuleSet", role: .publish, handler: put),
      Route(
        method: .delete, path: "/v1/rulesets/{name}", operation: "deleteRuleSet", role: .publish, handler: delete),
      Route(
        method: .get, path: "/v1/rulesets/{name}/rules", operation: "listRules", role: .read, handler: rules),
      Route(
        method: .get, path: "/v1/rulesets/{name}/history", operation: "listVersions", role: .read, handler: history),
      Route(
        method: .get, path: "/v1/rulesets/{name}/history/{version}", operation: "getVersion", role: .read,
        handler: version),
      Route(
        method: .post, path: "/v1/rulesets/{name}/rollback", operation: "rollBackRuleSet", role: .publish,
        handler: rollBack),
    ]
  }

  // MARK: - Reading

  private struct List: Encodable {
    var rulesets: [RuleSetRecord]
    var total: Int
  }

  private func list(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let all = try await state.workers.run { [library] in try library.all() }
    return try JSON.response(List(rulesets: all, total: all.count))
  }

  private func get(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    guard let published = try library.published(name) else { throw RuleSetLibrary.unknown(name) }
    let wantsJSON = try Self.wantsJSON(request)
    if Precondition.isKnown(published.tag.text, request.headers) {
      return Response(status: .notModified, headers: Self.headers(published.tag))
    }
    return try await file(published.text, name, published.tag, asJSON: wantsJSON)
  }

  private func version(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let wantsJSON = try Self.wantsJSON(request)
    let number = context.parameters.get("version").flatMap { Int($0) } ?? -1
    let text = try await state.workers.run { [library] in
      guard let text = try library.text(of: name, version: number) else {
        _ = try library.record(name)
        throw ServiceError.notFound("The rule set '\(name)' does not have this version.")
      }
      return text
    }
    return try await file(text, name, VersionTag(number, of: text), asJSON: wantsJSON)
  }

  private func file(_ text: String, _ name: String, _ tag: VersionTag, asJSON: Bool) async throws -> Response {
    let headers = Self.headers(tag)
    guard asJSON else { return Response(text.utf8, "application/yaml; charset=utf-8", headers: headers) }
    let json = try await state.workers.run {
      try ServiceError.explaining { try RuleFileDocument(text, name: RuleSetLibrary.fileName(name)).value.json }
    }
    return JSON.response(bytes: json, headers: headers)
  }

  private static func headers(_ tag: VersionTag) -> HTTPFields {
    [.eTag: tag.header, .vary: "Accept", .cacheControl: "no-cache"]
  }

  private static func wantsJSON(_ request: Request) throws -> Bool {
    if let format = request.query("format"), format != "json", format != "yaml" {
      throw ServiceError.parameter("format", "format must be one of yaml, json.")
    }
    return request.wantsJSON
  }

  private func rules(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let draft = try request.flag("draft")
    let search = request.query("search") ?? ""
    let (offset, limit) = try request.listPart()
    let days = try request.query("days", in: 1...90)
    let bytes = try await state.workers.run { [library, store = state.events.store, analysis = state.analysis] in
      let now = EventLibrary.now
      var listing = RuleListing(
        search: search, offset: offset, limit: limit, counts: try store.recentRuleCounts(now: now),
        places: try analysis.circled.places(of: name, draft: draft, analysis))
      if let days { listing.series = { try store.series(of: $0, days: days, now: now) } }
      return try listing.answer(try library.document(of: name, draft: draft)).json
    }
    return JSON.response(bytes: bytes)
  }

  private struct History: Encodable {
    var versions: [RuleSetVersion]
    var total: Int
  }

  private func history(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let (offset, limit) = try request.listPart()
    let (versions, total) = try await state.workers.run { [library] in
      try library.history(of: name, offset: offset, limit: limit)
    }
    return try JSON.response(History(versions: versions, total: total))
  }

  // MARK: - Changing

  private func put(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let expected = try precondition(request, name).required("version")
    let reason = try state.reason(request.query("reason"))
    let isJSON = HeaderValue(request.headers[.contentType] ?? "").value.hasSameBytes(as: "application/json")
    // The rules of a file whose name ends in .json must be JSON.
    let fileName = isJSON ? "\(name).json" : RuleSetLibrary.fileName(name)
    let text = try await state.ruleFile(in: request, name: fileName)
    let caller = context.caller.name
    try requireNoApproval()
    let (record, tag) = try await state.workers.run { [library] in
      try library.publish(
        text, to: name, fileName: fileName,
        RuleSetPublication(by: caller, reason: reason, replaces: expected, action: "ruleset.replace"))
    }
    return try JSON.response(record, headers: [.eTag: tag.header])
  }

  private func delete(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    guard name != "default" else {
      throw ServiceError.conflict("The rule set 'default' cannot be removed.", code: "needed")
    }
    let expected = try precondition(request, name).optional
    try requireNoApproval()
    let caller = context.caller.name
    try await state.workers.run { [library] in try library.remove(name, expecting: expected, by: caller) }
    return Response(status: .noContent)
  }

  private func rollBack(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let expected = try precondition(request, name).optional
    let wanted = try await request.object(members: "version", "reason", limits: state.configuration.limits)
    let version = try wanted.required("version").integer
    let reason = try state.reason(wanted.optional("reason") { try $0.text })
    let caller = context.caller.name
    let (record, tag) = try await state.workers.run { [library] in
      try library.rollBack(name, to: version, expecting: expected, by: caller, reason: reason)
    }
    return try JSON.response(record, headers: [.eTag: tag.header])
  }

  /// Returns the precondition on the version in force, from `If-Match` and `If-None-Match`.
  private func precondition(_ request: Request, _ name: String) throws -> Precondition {
    try Precondition(request.headers) { tag in
      try library.text(of: name, version: tag.version).map { VersionTag(tag.version, of: $0) } == tag
    }
  }

  private func requireNoApproval() throws {
    guard state.settings.current.approval else { return }
    throw ServiceError.conflict(
      """
      A second person must approve what is published here: change the draft, publish it, and let somebody else approve it. A \
      rule set is made or removed while the setting approval is off.
      """, code: "approval-needed")
  }
}
