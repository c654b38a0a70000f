/// The keys that files with tests of rules may have. Errors, suggestions and the JSON Schema use these lists.
public enum RuleTestKeys {
  /// The keys of the file.
  public static let file = ["$schema", "version", "captures", "tests"]
  /// The keys of a test.
  public static let test = [
    "name", "description", "capture", "page", "elements", "selector", "event", "events", "session", "sdk", "lines",
    "with", "expect",
  ]
  /// The keys of `expect`.
  public static let expectation = [
    "selected", "rules", "includes", "excludedBy", "pages", "emit", "properties", "elements",
  ]
}
