import EncircleRuleFiles
import EncircleText

/// The changes from one text of rules to another: the lines and the rules.
package struct RuleChanges: Sendable {
  /// The changed lines, as a unified diff.
  package let unified: String
  /// The rules that differ as data, by id: a change of the layout alone does not count.
  package let rules: [(id: String, change: RuleTransfer.Change)]

  /// - Throws: `RuleFileErrors` with the problem of a text that is neither YAML nor JSON.
  package init(from old: NamedRules, to new: NamedRules) throws(RuleFileErrors) {
    unified = UnifiedDiff.text(of: new.name, was: old.name, from: old.text, to: new.text)
    let before = try RuleFileDocument(old.text, name: old.name).rulesByID
    let now = try RuleFileDocument(new.text, name: new.name).rulesByID
    let changes = RuleTransfer.changes(from: before, to: now)
    rules = changes.sorted { $0.key < $1.key }.map { (id: $0.key.text, change: $0.value) }
  }
}
