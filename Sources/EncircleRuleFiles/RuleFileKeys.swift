import EncircleRules

/// The keys that rule files may have, which errors, suggestions and the JSON Schema go by.
public enum RuleFileKeys {
  /// Of the file.
  public static let file = ["$schema", "version", "app", "style", "track", "classes", "pages", "fields", "rules"]
  /// Of `pages`.
  public static let pages = ["exclude"]
  /// Of a rule.
  public static let rule = [
    "id", "name", "description", "owner", "tags", "enabled", "from", "to", "sameKind", "include", "exclude", "unless",
    "emit",
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
  /// Of `fields`.
  public static let fields = EventFields.Field.allCases.map(\.rawValue)
}
