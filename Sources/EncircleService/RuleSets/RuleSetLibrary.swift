import EncircleRules
import EncircleStore

/// A rule set as it is in force.
struct PublishedRuleSet: Sendable {
  let name: String
  /// Counts from 1; 0 before anything was published.
  let version: Int
  /// The file: YAML or JSON.
  let text: String
  let ruleSet: RuleSet
  let matcher: Matcher
}

/// The rule sets that are in force, with their history and drafts.
final class RuleSetLibrary: Sendable {
  init(store: Store) {}

  /// The rule set that is in force; none where the name is unknown.
  func published(_ name: String) throws -> PublishedRuleSet? { nil }

  /// The text of a version; none where there is no such.
  func text(of name: String, version: Int) throws -> String? { nil }

  /// The text of the draft; none where there is none.
  func draft(of name: String) throws -> String? { nil }
}
