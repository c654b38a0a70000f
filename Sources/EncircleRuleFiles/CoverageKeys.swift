/// The keys that files `x.coverage.yaml` may have. Errors, suggestions and the JSON Schema use these lists.
public enum CoverageKeys {
  /// The keys of the file.
  public static let file = ["$schema", "version", "style", "setAside"]
  /// The keys of an element that is set aside: the keys of a clause, and the reason.
  public static let item = RuleFileKeys.clause + own
  /// The keys that a clause does not have.
  static let own = ["reason", "owner"]
}
