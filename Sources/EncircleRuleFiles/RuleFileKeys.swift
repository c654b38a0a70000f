import EncircleRules

/// The keys that rule files may have, which errors, suggestions and the JSON Schema go by.
public enum RuleFileKeys {
  /// Of the file.
  public static let file = [
    "$schema", "version", "app", "style", "track", "classes", "pages", "fields", "checks",
    "rules",
  ]
  /// Of `pages`.
  public static let pages = ["exclude"]
  /// Of a rule.
  public static let rule = [
    "id", "name", "description", "owner", "tags", "enabled", "from", "to", "sameKind", "include", "exclude", "unless",
    "emit", "checks",
  ]
  /// Of a clause.
  public static let clause = ["event", "page", "selector", "eventID", "identity", "where"]
  /// Of a test.
  public static let test = [
    "equals", "in", "prefix", "suffix", "contains", "glob", "matches", "exists", "<", "<=", ">", ">=", "version", "not",
    "fold",
  ]
  /// Of a test of a page.
  public static let pageTest = test + ["kindOf"]
  /// Of `checks`: the codes of findings.
  public static let checks = CheckCode.allCases.map(\.rawValue)
  /// Of what is said of a finding.
  public static let checkSetting = ["severity", "reason", "limit"]
  /// Of `fields`.
  public static let fields = EventFields.Field.allCases.map(\.rawValue)
}
