import EncircleRules
import EncircleText

/// A column of a table of events, by the kind of its values.
public enum EventColumn: Hashable, Sendable {
  /// The whole event as a JSON object. No other column goes with it.
  case event
  /// Properties as names and texts, such as ClickHouse's `Map(String, String)`.
  case properties
  /// Properties as one JSON object.
  case propertiesJSON
  /// A field of the event, which is put where the rules look for it first.
  case field(EventFields.Field)

  /// The columns that an engine passes unless somebody names others.
  public static let defaults: [EventColumn] = [
    .field(.event), .field(.page), .field(.path), .field(.eventID), .field(.content), .field(.appVersion),
    .properties,
  ]

  /// Creates the column with a name: `json`, `properties`, `properties_json` or the name of a field, such as `path`; nil for others.
  public init?(name: String) {
    switch name {
    case "json": self = .event
    case "properties": self = .properties
    case "properties_json": self = .propertiesJSON
    default:
      guard let field = EventFields.Field(rawValue: name) else { return nil }
      self = .field(field)
    }
  }

  /// The name, as ``init(name:)`` takes it.
  public var name: String {
    switch self {
    case .event: "json"
    case .properties: "properties"
    case .propertiesJSON: "properties_json"
    case .field(let field): field.rawValue
    }
  }

  /// This is true if a value may be missing. Only fields may; maps and JSON are empty instead.
  public var isNullable: Bool {
    if case .field = self { true } else { false }
  }

  /// The names of all columns, for messages.
  public static var allNames: [String] {
    ["json", "properties", "properties_json"] + EventFields.Field.allCases.map(\.rawValue)
  }

  /// The reason why a text does not name the columns of a table.
  package struct NamesError: Error {
    /// The reason, as a sentence.
    package let message: String
  }

  /// Returns the columns of a table, given their names with commas between them.
  package static func columns(named text: String) throws(NamesError) -> [EventColumn] {
    var columns: [EventColumn] = []
    for name in text.splitBytes(at: ",", omittingEmptySubsequences: false) {
      guard let column = EventColumn(name: String(name)) else {
        throw NamesError(message: "There is no column '\(name)'; these are: \(allNames.joined(separator: ", ")).")
      }
      columns.append(column)
    }
    if let problem = Self.problem(of: columns) { throw NamesError(message: "Of columns, \(problem).") }
    return columns
  }

  /// Returns the reason why columns cannot form a table of events; nil if they can.
  ///
  /// - Complexity: O(*n*), *n* columns.
  public static func problem(of columns: [EventColumn]) -> String? {
    if columns.isEmpty { return "at least one column is needed" }
    var seen = Set<EventColumn>()
    for column in columns where !seen.insert(column).inserted { return "the column \(column.name) occurs twice" }
    if seen.contains(.properties), seen.contains(.propertiesJSON) {
      return "properties are either a map or JSON: properties and properties_json cannot be combined"
    }
    if seen.contains(.event), columns.count > 1 {
      return "json is the whole event: no other column can be combined with it"
    }
    return nil
  }
}
