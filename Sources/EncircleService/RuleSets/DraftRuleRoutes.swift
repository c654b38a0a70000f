import EncircleEvents
import EncircleRuleFiles
import EncircleText
import Foundation
import Hummingbird

/// Routes for single rules of a draft, which are edited in its text.
struct DraftRuleRoutes: RouteGroup {
  let state: ServiceState

  private static let deepest = 32
  private var library: RuleSetLibrary { state.ruleSets }

  var routes: [Route] {
    let path = "/v1/rulesets/{name}/draft/rules/{id}"
    return [
      Route(method: .get, path: path, operation: "getDraftRule", role: .read, handler: get),
      Route(method: .put, path: path, operation: "putDraftRule", role: .author, handler: put),
      Route(method: .delete, path: path, operation: "deleteDraftRule", role: .author, handler: delete),
    ]
  }

  private func get(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let id = try Self.id(context)
    let (json, revision) = try await state.workers.run { [library] in
      let revision = try library.record(name).draft?.revision
      let document = try library.document(of: name, draft: revision != nil)
      guard let rule = document.rulesByID[UTF8String(id)] else { throw Self.unknown(id) }
      return (EventValue.object(rule).json, revision ?? 0)
    }
    return JSON.response(bytes: ByteBuffer(bytes: json), headers: [.eTag: "\"\(revision)\""])
  }

  private func put(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = try Self.id(context)
    let text = try await state.ruleFile(in: request, name: "rule.json")
    return try await change(request, context) { old, fileName in
      try RuleListEdit.setting(Self.rule(text, id: id), id: id, in: old, name: fileName)
    }
  }

  private func delete(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = try Self.id(context)
    return try await change(request, context) { old, fileName in
      try RuleListEdit.removing(id, in: old, name: fileName)
    }
  }

  /// Changes the text of the draft, or of the file in force where there is no draft.
  ///
  /// - Parameter edit: Returns the new text; nil if the rule is not there.
  private func change(
    _ request: Request, _ context: ServiceContext,
    _ edit: @escaping @Sendable (_ text: String, _ fileName: String) throws -> String?
  ) async throws -> Response {
    let change = DraftChange(
      ruleSet: try state.ruleSetName(context), rule: try Self.id(context),
      expected: try Precondition(request.headers).optional, by: context.caller.name)
    let answer = try await state.workers.run { [library] in try Self.make(change, in: library, edit) }
    return try JSON.response(answer, headers: [.eTag: "\"\(answer.revision)\""])
  }

  /// A change of one rule in a draft.
  private struct DraftChange {
    var ruleSet: String
    var rule: String
    /// The revisions that may be changed; nil for any.
    var expected: Set<Int>?
    var by: String
  }

  private static func make(
    _ change: DraftChange, in library: RuleSetLibrary, _ edit: (_ text: String, _ fileName: String) throws -> String?
  ) throws -> DraftAnswer {
    let name = change.ruleSet
    let revision = try library.record(name).draft?.revision ?? 0
    if let expected = change.expected, !expected.contains(revision) { throw RuleSetLibrary.stale("draft", revision) }
    let old: String
    if revision > 0 {
      old = try library.fullDraft(of: name).text
    } else {
      guard let published = try library.published(name) else { throw RuleSetLibrary.unknown(name) }
      old = published.text
    }
    let changed: String?
    do {
      changed = try edit(old, RuleSetLibrary.fileName(name))
    } catch let errors as RuleFileErrors {
      throw ServiceError(errors)
    }
    guard let text = changed else { throw unknown(change.rule) }
    // If another person has changed the draft in the meantime, their change stays.
    let new = try library.setDraft(of: name, to: text, expecting: [revision], by: change.by)
    let errors = RuleSetLibrary.errors(in: text, name)?.diagnostics.map { ServiceError.Detail($0) } ?? []
    return DraftAnswer(revision: new, text: text, errors: errors)
  }

  // MARK: - Requests

  private static func id(_ context: ServiceContext) throws -> String {
    guard let id = context.parameters.get("id")?.removingPercentEncoding, !id.isEmpty, id.utf8.count <= 1_000 else {
      throw ServiceError.notFound("No rule has this id.")
    }
    return id
  }

  private static func unknown(_ id: String) -> ServiceError { .notFound("There is no rule '\(id)' here.") }

  /// The rule of a body: an object with keys of rules, to which the id of the path belongs.
  ///
  /// - Throws: ``ServiceError`` with 400 or 422.
  private static func rule(_ text: String, id: String) throws -> EventObject {
    let value: EventValue
    do throws(JSONError) {
      value = try EventValue(json: text.utf8)
    } catch {
      throw ServiceError.malformed("The body is not JSON: \(error.kind.message).", code: "bad-json")
    }
    guard case .object(var rule) = value else {
      throw ServiceError.invalid("A rule is an object.", code: "bad-value", location: .init(pointer: ""))
    }
    guard isShallow(text) else {
      throw ServiceError.invalid("A rule has no more than \(deepest) levels.", code: "bad-value")
    }
    for member in rule.members where !RuleFileKeys.rule.contains(where: { $0.utf8.elementsEqual(member.name.utf8) }) {
      let nearest =
        Diagnostic.nearest(to: member.name, among: RuleFileKeys.rule).map { "; did you mean '\($0)'?" } ?? ""
      throw ServiceError.invalid(
        "A rule has no '\(member.name)'\(nearest)", code: "bad-value", location: .init(pointer: "/\(member.name)"))
    }
    if let own = rule["id"] {
      guard case .string(let own) = own, own.utf8.elementsEqual(id.utf8) else {
        throw ServiceError.invalid(
          "The rule must have the id of the path: '\(id)'.", code: "bad-value", location: .init(pointer: "/id"))
      }
    } else {
      rule.members.insert(EventObject.Member(name: "id", value: .string(id)), at: 0)
    }
    return rule
  }

  /// Whether arrays and objects are not nested deeper than rules ever are.
  private static func isShallow(_ json: String) -> Bool {
    var depth = 0
    var isString = false
    var isEscaped = false
    for byte in json.utf8 {
      if isEscaped {
        isEscaped = false
      } else if isString {
        isEscaped = byte == UInt8(ascii: "\\")
        isString = byte != UInt8(ascii: "\"")
      } else if byte == UInt8(ascii: "\"") {
        isString = true
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
        if depth > deepest { return false }
      } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        depth -= 1
      }
    }
    return true
  }
}
