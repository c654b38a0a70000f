import EncircleText
import Foundation
import Hummingbird

/// Routes for drafts: editing, submitting, publishing and approving them.
struct DraftRoutes: RouteGroup {
  let state: ServiceState

  private var library: RuleSetLibrary { state.ruleSets }

  var routes: [Route] {
    let path = "/v1/rulesets/{name}/draft"
    return [
      Route(method: .get, path: path, operation: "getDraft", role: .read, handler: get),
      Route(method: .put, path: path, operation: "putDraft", role: .author, handler: put),
      Route(method: .delete, path: path, operation: "deleteDraft", role: .author, handler: delete),
      Route(method: .get, path: path + "/changes", operation: "listDraftChanges", role: .read, handler: changes),
      Route(method: .post, path: path + "/revert", operation: "revertDraft", role: .author, handler: revert),
      Route(method: .post, path: path + "/publish", operation: "publishDraft", role: .author, handler: publish),
      Route(method: .post, path: path + "/approve", operation: "approveDraft", role: .publish, handler: approve),
      Route(method: .post, path: path + "/reject", operation: "rejectDraft", role: .publish, handler: reject),
    ]
  }

  private func get(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let (draft, text) = try await state.workers.run { [library] in try library.fullDraft(of: name) }
    return Response(
      text.utf8, "application/yaml; charset=utf-8",
      headers: [.eTag: "\"\(draft.revision)\"", .cacheControl: "no-cache"])
  }

  /// Refuses a path such as `…/draft/`. Clients shorten `…/draft/rules/..` to it, although they mean a rule rather than the
  /// whole draft.
  private static func checkEnd(of request: Request) throws {
    guard !request.uri.path.endsWithBytes(of: "/") else {
      throw ServiceError.notFound("The path of a draft has no '/' at its end.")
    }
  }

  private func put(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try Self.checkEnd(of: request)
    let name = try state.ruleSetName(context)
    let condition = try Precondition(request.headers)
    let versions = try TagPrecondition(request.headers)
    let text = try await state.ruleFile(in: request, name: RuleSetLibrary.fileName(name))
    let caller = context.caller.name
    let answer = try await state.workers.run { [library] in
      if condition == .missing, try library.record(name).draft != nil { _ = try condition.required("draft") }
      let expected = condition == .missing ? [0] : condition.optional
      let revision = try library.changeDraft(
        of: name, expecting: expected, from: versions, by: caller, always: true
      ) { _ in text }.revision
      return DraftAnswer(revision: revision, errors: RuleSetLibrary.draftErrors(in: text, name))
    }
    return try JSON.response(answer, headers: [.eTag: "\"\(answer.revision)\""])
  }

  private func delete(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try Self.checkEnd(of: request)
    let name = try state.ruleSetName(context)
    let expected = try Precondition(request.headers).optional
    let caller = context.caller.name
    try await state.workers.run { [library] in try library.removeDraft(of: name, expecting: expected, by: caller) }
    return Response(status: .noContent)
  }

  // MARK: - Changes

  private struct ChangeList: Encodable {
    struct Change: Encodable {
      var rule: String?
      var change: String
      var by: String
      var at: Date
    }
    var revision: Int
    var baseVersion: Int
    var changes: [Change]
  }

  private func changes(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let found = try await state.workers.run { [library] in try library.changes(of: name) }
    let list = ChangeList(
      revision: found.draft.revision, baseVersion: found.draft.base,
      changes: found.all.map { change in
        ChangeList.Change(
          rule: change.rule?.text, change: change.kind?.rawValue ?? "rest", by: found.author(change),
          at: change.record?.at ?? found.draft.at)
      })
    return try JSON.response(list, headers: [.eTag: "\"\(found.draft.revision)\""])
  }

  private func revert(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let expected = try Precondition(request.headers).optional
    let body = try await request.object(members: "rule", "rest", limits: state.configuration.limits)
    let rule = try body.optional("rule") { try $0.text }
    let rest = try body.optional("rest") { try $0.flag } ?? false
    guard (rule != nil) != rest else { throw body.error("This needs the id of a rule, or rest.") }
    let caller = context.caller.name
    let answer = try await state.workers.run { [library] in
      let (text, revision) = try library.revert(rule, of: name, expecting: expected, by: caller)
      return DraftAnswer(revision: revision, text: text, errors: RuleSetLibrary.draftErrors(in: text, name))
    }
    return try JSON.response(answer, headers: [.eTag: "\"\(answer.revision)\""])
  }

  // MARK: - Publishing

  private struct Pending: Encodable {
    var pending = true
    var revision: Int
  }

  private func publishRequest(_ request: Request) async throws -> PublishRequest {
    let seen = try Precondition(request.headers).optional
    let wanted = try PublishRequest(
      await request.object(members: "reason", "version", "revision", "own", limits: state.configuration.limits),
      seen: seen)
    _ = try state.reason(wanted.reason)
    return wanted
  }

  private func publish(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let wanted = try await publishRequest(request)
    let caller = context.caller
    if state.settings.current.approval {
      let revision = try await state.workers.run { [library] in
        try library.submitDraft(of: name, wanted, by: caller.name)
      }
      return try JSON.response(Pending(revision: revision), status: .accepted)
    }
    guard caller.role == .publish else {
      throw ServiceError(
        .forbidden, code: "forbidden", message: "Publishing needs the role publish; you have \(caller.role).")
    }
    return try await published { [library] in
      try library.publishDraft(of: name, wanted, by: caller.name)
    }
  }

  private func approve(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let wanted = try await publishRequest(request)
    let caller = context.caller.name
    return try await published { [library] in
      try library.approveDraft(
        of: name, wanted, by: caller, makers: try state.access.tokens.makers(of: caller))
    }
  }

  private func published(
    _ publish: @escaping @Sendable () throws -> (record: RuleSetRecord, tag: VersionTag)
  ) async throws -> Response {
    let (record, tag) = try await state.workers.run(publish)
    return try JSON.response(record, headers: [.eTag: tag.header])
  }

  private func reject(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let wanted = try await publishRequest(request)
    let caller = context.caller.name
    try await state.workers.run { [library] in try library.rejectDraft(of: name, wanted, by: caller) }
    return Response(status: .noContent)
  }
}
