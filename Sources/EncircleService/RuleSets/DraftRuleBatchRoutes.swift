import EncircleEvents
import EncircleRuleFiles
import EncircleText
import Hummingbird

/// A route that changes many rules of a draft at once: either all of them, or none.
struct DraftRuleBatchRoutes: RouteGroup {
  let state: ServiceState

  private static let maximumRules = 2_000
  private static let longestID = 1_000

  /// The requested changes.
  private struct Edit: Sendable {
    /// New rules.
    var added: [(id: String, rule: EventObject)] = []
    /// Changed members of existing rules; null removes a member.
    var changed: [(id: String, members: EventObject)] = []
  }

  var routes: [Route] {
    [
      Route(
        method: .patch, path: "/v1/rulesets/{name}/draft/rules", operation: "patchDraftRules", role: .author,
        handler: patch)
    ]
  }

  private func patch(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    let expected = try Precondition(request.headers).optional
    let limits = state.configuration.limits
    let bytes = try await request.plainBytes(limit: limits.bodyBytes, limits: limits)
    // A rule is two levels deeper in the body.
    guard DraftRuleRoutes.isShallow(bytes.readableBytesView, levels: DraftRuleRoutes.deepest + 2) else {
      throw ServiceError.invalid("A rule has no more than \(DraftRuleRoutes.deepest) levels.", code: "bad-value")
    }
    let edit = try Self.edit(try JSONBody(bytes.readableBytesView, limits))
    let caller = context.caller.name
    let answer = try await state.workers.run { [library = state.ruleSets] in
      let fileName = RuleSetLibrary.fileName(name)
      let (text, revision) = try library.changeDraft(of: name, expecting: expected, by: caller) { old in
        try ServiceError.explaining { try Self.text(old, after: edit, fileName) }
      }
      return DraftAnswer(revision: revision, text: text, errors: RuleSetLibrary.draftErrors(in: text, name))
    }
    return try JSON.response(answer, headers: [.eTag: "\"\(answer.revision)\""])
  }

  /// - Throws: ``ServiceError`` with 404 for a rule that does not exist, or 412 for a new rule with an id that is taken.
  private static func text(_ old: String, after edit: Edit, _ fileName: String) throws -> String {
    let known = try RuleFileDocument(old, name: fileName).rulesByID
    var rules: [(id: String, rule: EventObject)] = []
    for (id, members) in edit.changed {
      guard var rule = known[UTF8String(id)] else { throw DraftRuleRoutes.unknown(id) }
      for member in members.members { rule[member.name] = member.value == .null ? nil : member.value }
      rules.append((id, rule))
    }
    for (id, rule) in edit.added {
      guard known[UTF8String(id)] == nil else {
        throw ServiceError(
          .stale(current: nil), code: "rule-exists", message: "There is a rule '\(id)' already.")
      }
      rules.append((id, rule))
    }
    return try RuleListEdit.setting(rules, in: old, name: fileName)
  }

  // MARK: - Requests

  private static func edit(_ body: JSONBody) throws -> Edit {
    try body.allow("add", "change")
    var edit = Edit()
    var seen: Set<UTF8String> = []
    for rule in try body.member("add")?.elements ?? [] {
      let place = try rule.required("id")
      let id = try Self.id(try place.text, place)
      guard seen.insert(UTF8String(id)).inserted else { throw place.error("Two of the rules have this id.") }
      edit.added.append((id, try DraftRuleRoutes.rule(rule, id: id)))
    }
    for (id, members) in try body.member("change")?.members ?? [] {
      _ = try Self.id(id, members)
      guard seen.insert(UTF8String(id)).inserted else { throw members.error("Two of the rules have this id.") }
      edit.changed.append((id, try DraftRuleRoutes.rule(members, id: id)))
    }
    guard !seen.isEmpty else { throw body.error("This needs rules to add or to change.") }
    guard seen.count <= maximumRules else {
      throw body.error("At most \(maximumRules) rules change at once.", code: "too-many")
    }
    return edit
  }

  private static func id(_ text: String, _ place: JSONBody) throws -> String {
    guard (1...longestID).contains(text.utf8.count) else {
      throw place.error("The id of a rule has 1 to \(longestID) bytes.")
    }
    return text
  }
}
