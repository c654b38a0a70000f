import EncircleEvents
import EncircleText

/// Reads actions of PostHog, as its API lists them.
///
/// Source: PostHog's API reference (https://posthog.com/docs/api/actions), and its server's models and queries of actions.
struct PostHogActions {
  let file: String
  let allowsWider: Bool

  /// Both shapes of events have paths: the SDK sends the chain as a property, exports have it beside the properties.
  private static let ruleFile = ImportRuleFile(
    "posthog.yaml",
    ["version": 1, "fields": ["time": "/timestamp", "path": ["$elements_chain", "/elements_chain"]]])

  func definition(_ action: DefinitionNode) -> ImportedDefinition {
    let name = action["name"]?.text ?? ""
    // The body of a create call has no id yet.
    let id = action["id"]?.label ?? action["name"]?.words
    var definition = ImportedDefinition(
      origin: ImportOrigin(tool: .posthog, id: id ?? "", url: nil), ruleID: "posthog.\(id ?? "")", name: name,
      file: file, pointer: action.pointer, ruleFile: Self.ruleFile)
    definition.count = action["count"]?.count
    guard action.isObject, id != nil else {
      definition.reasons = [ImportReason(.unknownForm, .skipped, action.pointer, action.isObject ? "no id" : nil)]
      return definition
    }
    addDetails(action, to: &definition)
    guard !(action["deleted"]?.isTrue ?? false) else {
      definition.reasons.append(ImportReason(.inactive, .skipped, action.pointer + "/deleted"))
      return definition
    }
    addForms(action, to: &definition)
    return definition
  }

  private func addDetails(_ action: DefinitionNode, to definition: inout ImportedDefinition) {
    definition.details["description"] = action["description"]?.words.map { .string($0) }
    let creator = action["created_by"]
    let owner = creator?["email"]?.words ?? creator?["first_name"]?.words
    definition.details["owner"] = owner.map { .string($0) }
    let tags = (action["tags"]?.items ?? []).compactMap(\.words)
    if !tags.isEmpty { definition.details["tags"] = .list(tags.map { .string($0) }) }
    if action["post_to_slack"]?.isTrue ?? false {
      definition.reasons.append(
        ImportReason(.settingsLeftOut, .exact, action.pointer + "/post_to_slack", "Messages to Slack"))
    }
  }

  private func addForms(_ action: DefinitionNode, to definition: inout ImportedDefinition) {
    var literal = ImportedForm(.literal)
    var readable = ImportedForm(.readable)
    var isReadable = false
    let steps = action["steps"]
    if let steps, !steps.isList {
      definition.reasons.append(ImportReason(.unknownForm, .skipped, steps.pointer))
      return
    }
    for item in steps?.items ?? [] {
      var step = PostHogStep(item, allowsWider: allowsWider)
      step.read()
      definition.circled = definition.circled ?? PostHogCircled(item).circled(id: definition.ruleID)
      let own = step.literal()
      literal.clauses += own.clauses
      literal.reasons += own.reasons
      let other = step.readable()
      isReadable = isReadable || other != nil
      readable.clauses += (other ?? own).clauses
      readable.reasons += (other ?? own).reasons
    }
    if steps?.items.isEmpty ?? true {
      literal.reasons.append(ImportReason(.matchesEverything, .skipped, steps?.pointer ?? action.pointer))
    }
    definition.forms = isReadable ? [readable, literal] : [literal]
  }
}
