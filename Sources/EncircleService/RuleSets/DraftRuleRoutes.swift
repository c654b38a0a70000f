import EncircleEvents
import EncircleRuleFiles
import EncircleText
import Foundation
import Hummingbird

/// Routes for single rules of a draft, which are edited in the draft's text.
struct DraftRuleRoutes: RouteGroup {
  let state: ServiceState

  static let deepest = 32
  private var library: RuleSetLibrary { state.ruleSets }

  var routes: [Route] {
    let path = "/v1/rulesets/{name}/draft/rules/{id}"
    return [
      Route(method: .get, path: path, operation: "getDraftRule", role: .read, handler: get),
      Route(method: .put, path: path, operation: "putDraftRule", role: .author, handler: put),
      Route(method: .patch, path: path, operation: "patchDraftRule", role: .author, handler: patch),
      Route(method: .delete, path: path, operation: "deleteDraftRule", role: .author, handler: delete),
    ]
  }

  private func get(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let id = try Self.id(request, context)
    let rule = try await state.workers.run { [library] in
      let document = try library.document(of: name, draft: try library.record(name).draft != nil)
      guard let rule = document.rulesByID[UTF8String(id)] else { throw Self.unknown(id) }
      return rule
    }
    return JSON.response(
      bytes: EventValue.object(rule).json, headers: [.eTag: "\"\(RuleSetLibrary.digest(rule))\""])
  }

  private func put(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = try Self.id(request, context)
    let rule = try await rule(of: request, id: id)
    return try await change(request, context) { _, text, fileName in
      try RuleListEdit.setting(rule, id: id, in: text, name: fileName)
    }
  }

  /// Changes the members of a rule that the body contains. Members that are null are removed; all others keep their spelling.
  private func patch(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = try Self.id(request, context)
    let changes = try await rule(of: request, id: id)
    return try await change(request, context) { old, text, fileName in
      guard var rule = old else { return nil }
      for member in changes.members { rule[member.name] = member.value == .null ? nil : member.value }
      return try RuleListEdit.setting(rule, id: id, in: text, name: fileName)
    }
  }

  private func delete(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = try Self.id(request, context)
    return try await change(request, context) { _, text, fileName in
      try RuleListEdit.removing(id, in: text, name: fileName)
    }
  }

  /// Changes the text of the draft, or of the file in force if there is no draft.
  ///
  /// - Parameter edit: Returns the new text; nil if the rule does not exist.
  private func change(
    _ request: Request, _ context: ServiceContext,
    _ edit: @escaping @Sendable (_ rule: EventObject?, _ text: String, _ fileName: String) throws -> String?
  ) async throws -> Response {
    let name = try state.ruleSetName(context)
    let id = try Self.id(request, context)
    let condition = try TagPrecondition(request.headers)
    let caller = context.caller.name
    let (answer, tag) = try await state.workers.run { [library] in
      let fileName = RuleSetLibrary.fileName(name)
      let (text, revision) = try library.changeDraft(of: name, expecting: nil, by: caller) { old in
        try ServiceError.explaining {
          let rule = try RuleFileDocument(old, name: fileName).rulesByID[UTF8String(id)]
          try Self.check(condition, rule, id)
          guard let text = try edit(rule, old, fileName) else { throw Self.unknown(id) }
          return text
        }
      }
      let rule = try? RuleFileDocument(text, name: fileName).rulesByID[UTF8String(id)]
      let answer = DraftAnswer(revision: revision, text: text, errors: RuleSetLibrary.draftErrors(in: text, name))
      return (answer, rule.map(RuleSetLibrary.digest))
    }
    return try JSON.response(answer, headers: tag.map { [.eTag: "\"\($0)\""] } ?? [:])
  }

  /// - Throws: ``ServiceError`` with 412 if another person has since created or changed the rule.
  private static func check(_ condition: TagPrecondition, _ rule: EventObject?, _ id: String) throws {
    guard !condition.allows(rule.map(RuleSetLibrary.digest)) else { return }
    if condition == .missing, rule != nil {
      throw ServiceError(.stale(current: nil), code: "rule-exists", message: "There is a rule '\(id)' already.")
    }
    throw ServiceError(
      .stale(current: nil), code: "stale",
      message: rule == nil ? "The rule '\(id)' is gone." : "The rule '\(id)' has changed meanwhile.")
  }

  // MARK: - Requests

  /// Returns the id in the query, or else in the path. The ids `.` and `..` need the query: in a path, clients take them for
  /// steps in any encoding.
  private static func id(_ request: Request, _ context: ServiceContext) throws -> String {
    guard let id = request.query("id") ?? context.parameters.get("id")?.removingPercentEncoding, !id.isEmpty,
      id.utf8.count <= 1_000, !id.utf8.contains(0)
    else {
      throw ServiceError.notFound("The id of a rule has 1 to 1000 bytes of UTF-8, with percent escapes, and no NUL.")
    }
    return id
  }

  static func unknown(_ id: String) -> ServiceError { .notFound("There is no rule '\(id)' here.") }

  /// Returns the rule in a body: an object with the keys of a rule, to which the id in the path is added.
  ///
  /// - Throws: ``ServiceError`` with 400 or 422.
  private func rule(of request: Request, id: String) async throws -> EventObject {
    let text = try await state.ruleFile(in: request, name: "rule.json")
    let body = try JSONBody(text.utf8, state.configuration.limits)
    guard Self.isShallow(text.utf8, levels: Self.deepest) else {
      throw ServiceError.invalid("A rule has no more than \(Self.deepest) levels.", code: "bad-value")
    }
    return try Self.rule(body, id: id)
  }

  /// Returns the rule in a value: an object with the keys of a rule, to which the id is added.
  ///
  /// - Throws: ``ServiceError`` with 422.
  static func rule(_ body: JSONBody, id: String) throws -> EventObject {
    guard case .object(var rule) = body.value else { throw body.error("A rule is an object.") }
    try body.allow(RuleFileKeys.rule)
    try body.refuseRepeatedMembers()
    if let own = rule["id"] {
      guard case .string(let own) = own, own.hasSameBytes(as: id) else {
        throw JSONBody(.null, at: "\(body.pointer)/id").error(
          "This must be the id that the request gives the rule: '\(id)'.")
      }
    } else {
      rule.members.insert(EventObject.Member(name: "id", value: .string(id)), at: 0)
    }
    return rule
  }

  /// Returns whether arrays and objects are nested no deeper than a number of levels.
  static func isShallow(_ json: some Collection<UInt8>, levels: Int) -> Bool {
    var depth = 0
    var isString = false
    var isEscaped = false
    for byte in json {
      if isEscaped {
        isEscaped = false
      } else if isString {
        isEscaped = byte == UInt8(ascii: "\\")
        isString = byte != UInt8(ascii: "\"")
      } else if byte == UInt8(ascii: "\"") {
        isString = true
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
        if depth > levels { return false }
      } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        depth -= 1
      }
    }
    return true
  }
}
