import EncircleRuleFiles

/// A text of rules, and the name that places in it have.
package struct NamedRules: Sendable {
  package let text: String
  package let name: String

  package init(text: String, name: String) {
    self.text = text
    self.name = name
  }

  package var files: RuleFiles { RuleFiles(text: text, name: name) }
}
