/// The reason why compiled rules cannot be used or made.
public enum CompiledRulesError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are not compiled rules.
  case notCompiledRules
  /// The rules were compiled by another version of Encircle, or for another kind of machine.
  case otherVersion
  /// The compiled rules are truncated or have been changed.
  case damaged
  /// A matcher that has been updated since it was compiled cannot be saved.
  case updated

  /// The problem in words.
  public var description: String {
    switch self {
    case .notCompiledRules: "not a file of compiled rules"
    case .otherVersion:
      "compiled by another version of Encircle, or for another kind of machine: compile the rules again"
    case .damaged: "the compiled rules are damaged: compile the rules again"
    case .updated: "the rules have been updated since they were compiled: compile them all together"
    }
  }
}
