/// The keys that files `x.plan.yaml` may have. Errors, suggestions and the JSON Schema use these lists.
public enum PlanKeys {
  /// The keys of the file.
  public static let file = ["$schema", "version", "events"]
  /// The keys of an event.
  public static let event = [
    "event", "name", "description", "owner", "tags", "platforms", "since", "until", "trigger", "category", "tracking",
    "status", "picture", "remark", "columns", "properties",
  ]
  /// The keys that belong to the rule that emits the event, if there is one.
  public static let ofRules = ["name", "description", "owner", "tags"]
  /// The keys of a property.
  public static let property = [
    "property", "name", "description", "type", "list", "required", "values", "pattern", "remark", "columns",
  ]
}
