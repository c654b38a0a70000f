import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The rules in question in a request: either a text in the request, or a stored rule set.
struct RequestedRules {
  let rules: NamedRules

  /// The members of a request that name the rules.
  static let members = ["text", "name", "ruleset", "version", "draft", "by"]

  /// Reads the rules: `text` and `name`, or `ruleset`. Together with `ruleset`, `version` means an earlier version, `draft` the
  /// draft, and `draft` with `by` one person's changes in the draft.
  ///
  /// - Throws: ``ServiceError``: `invalid` if the body names no rules, or contradicts itself; `notFound` for an unknown rule
  ///   set, version or draft.
  init(_ body: JSONBody, _ ruleSets: RuleSetLibrary) throws {
    if let text = try body.member("text") {
      if let stored = try body.member("ruleset") {
        throw stored.error("Rules come as a text or from a rule set, not both.")
      }
      for name in ["version", "draft", "by"] {
        if let member = try body.member(name) { throw member.error("This goes with a rule set, not with a text.") }
      }
      rules = NamedRules(text: try text.text, name: try body.member("name")?.text ?? "rules.yaml")
      return
    }
    let ruleSet = try body.member("ruleset")?.text
    guard let ruleSet else {
      throw body.error("This needs rules: a text, or the name of a rule set as ruleset.", code: "no-rules")
    }
    if let name = try body.member("name") { throw name.error("This goes with a text, not with a rule set.") }
    guard let published = try ruleSets.published(ruleSet) else { throw Analysis.noRuleSet() }
    let draft = try body.member("draft")
    if let by = try body.member("by"), try !(draft?.flag ?? false) { throw by.error("This goes with a draft.") }
    if try draft?.flag ?? false {
      if let version = try body.member("version") { throw version.error("A draft has no version.") }
      if let person = try body.member("by")?.text {
        let text = try ruleSets.publishable(of: ruleSet, by: person).text
        rules = NamedRules(text: text, name: "\(ruleSet) (draft of \(person))")
        return
      }
      guard let text = try ruleSets.draft(of: ruleSet) else {
        throw ServiceError(.notFound, code: "no-draft", message: "The rule set has no draft.")
      }
      rules = NamedRules(text: text, name: "\(ruleSet) (draft)")
    } else if let version = try body.member("version")?.number(in: 0...Int(Int32.max)) {
      guard let text = try ruleSets.text(of: ruleSet, version: version) else {
        throw ServiceError(.notFound, code: "no-version", message: "The rule set does not have this version.")
      }
      rules = NamedRules(text: text, name: "\(ruleSet) (version \(version))")
    } else {
      rules = NamedRules(text: published.text, name: ruleSet)
    }
  }

  private init(_ rules: NamedRules) { self.rules = rules }

  /// Returns the same rules with `rule` in place of the rule with its id, or at the end if no rule has it.
  ///
  /// - Throws: ``ServiceError`` with 422.
  func setting(_ rule: JSONBody) throws -> RequestedRules {
    let id = try rule.required("id").text
    let object = try rule.object
    let text = try ServiceError.explaining {
      try RuleListEdit.setting(object, id: id, in: rules.text, name: rules.name)
    }
    return RequestedRules(NamedRules(text: text, name: rules.name))
  }

  /// Returns the parsed rules.
  ///
  /// - Throws: ``ServiceError`` with 422 and all problems, each with line and column.
  func ruleSet() throws -> RuleSet {
    try ServiceError.explaining { try rules.files.ruleSet() }
  }

  /// Returns the changes from other rules to these.
  ///
  /// - Throws: ``ServiceError`` with 422 for a text that is neither YAML nor JSON.
  func changes(from old: RequestedRules) throws -> RuleChanges {
    try ServiceError.explaining { try RuleChanges(from: old.rules, to: rules) }
  }
}
