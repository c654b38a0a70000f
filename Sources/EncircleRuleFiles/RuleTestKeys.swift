/// The keys that files with tests of rules may have, which errors, suggestions and the JSON Schema go by.
public enum RuleTestKeys {
  /// Of the file.
  public static let file = ["$schema", "version", "captures", "tests"]
  /// Of a test.
  public static let test = [
    "name", "description", "capture", "elements", "selector", "event", "events", "lines", "with", "expect",
  ]
  /// Of what a test expects.
  public static let expectation = ["selected", "rules", "includes", "excludedBy", "pages", "emit", "elements"]
}
