import EncircleRules

/// The keys that rule files may have. Errors, suggestions and the JSON Schema use these lists.
public enum RuleFileKeys {
  /// The keys of the file.
  public static let file = [
    "$schema", "version", "app", "style", "track", "classes", "pages", "identity", "fields", "checks", "define",
    "rules",
  ]
  /// The keys of `pages`.
  public static let pages = ["exclude", "defaults"]
  /// The keys of `define`.
  public static let define = ["clauses", "values"]
  /// The keys of `identity`.
  public static let identity = ["screenTitle"]
  /// The keys of a rule.
  public static let rule = [
    "id", "name", "description", "owner", "tags", "origin", "enabled", "style", "from", "to", "during", "sameKind",
    "tolerance",
    "include",
    "exclude",
    "unless", "emit", "properties", "checks",
  ]
  /// The keys of a rule that say which events it takes, and when.
  package static let selection = [
    "enabled", "style", "from", "to", "during", "sameKind", "tolerance", "include", "exclude", "unless",
  ]
  /// The keys of a property that a rule gives: its source, one of ``propertySources``, and the conversion.
  public static let property = propertySources + ["extract", "type"]
  /// The keys for the source of a property.
  public static let propertySources = ["value", "property", "path", "element"]
  /// The keys of the definition in another tool from which a rule was made.
  public static let origin = ["tool", "id", "url"]
  /// The keys of an item of `during`.
  public static let window = ["from", "to"]
  /// The keys of a clause.
  public static let clause = ["style", "use", "event", "page", "selector", "eventID", "identity", "within", "where"]
  /// The keys of `within`.
  public static let within = ["selector", "says"]
  /// The keys of a test of an element's text.
  public static let saysTest = [
    "equals", "in", "prefix", "suffix", "contains", "glob", "matches", "number", "not", "use", "fold",
  ]
  /// The keys of a page that is excluded with exceptions.
  public static let excludedPage = ["page", "unless"]
  /// The keys of a test of a name.
  public static let nameTest = [
    "equals", "in", "prefix", "suffix", "contains", "glob", "matches", "exists", "<", "<=", ">", ">=", "version", "not",
    "use", "fold",
  ]
  /// The keys of a test.
  public static let test = nameTest + ["any", "all", "number", "sample"]
  /// The keys of a test of a page.
  public static let pageTest = nameTest + ["kindOf"]
  /// The keys of a test of the number in a text.
  public static let numberTest = ["equals", "in", "<", "<=", ">", ">=", "not"]
  /// The keys of `sample`.
  public static let sample = ["share", "salt"]
  /// The keys of `checks`: the codes of findings.
  public static let checks = CheckCode.allCases.map(\.rawValue)
  /// The keys of a setting in `checks`.
  public static let checkSetting = ["severity", "reason", "limit", "destinations"]
  /// The keys of `fields`.
  public static let fields = EventFields.Field.allCases.map(\.rawValue)
}
