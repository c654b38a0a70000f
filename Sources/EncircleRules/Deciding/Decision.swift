import EncircleIdentity
import EncircleText

/// The result of applying the rules to one event.
public struct Decision: Hashable, Sendable {
  /// The way in which the element of an event was found.
  public enum Resolution: String, Hashable, Sendable, BitwiseCopyable {
    /// The event has no element.
    case none
    /// The element was found by the path.
    case path
    /// The element was found by the event ID, in the dictionary.
    case dictionary
    /// The path has several readings.
    case ambiguous
    /// The dictionary does not know the event ID, or the path cannot be read.
    case unresolved
  }

  /// The event ID that the event carries or that its path gives.
  public var eventID: EventID?
  /// This is true if the event is selected.
  public var isSelected = false
  /// Ids of the include rules that match, also when the event is excluded; in byte order, unique.
  public var rules: [UTF8String] = []
  /// Ids of the exclude rules that match; in byte order, unique.
  public var excludedBy: [UTF8String] = []
  /// The excluded pages that the event is on; in byte order, unique.
  public var pages: [UTF8String] = []
  /// The names under which the event is selected, unique and in byte order; empty if it is not selected.
  public var emit: [UTF8String] = []
  public var resolution = Resolution.none
  /// The properties that the rules give the event, in byte order of their ids; none unless the event is selected.
  public var properties: [RulePropertyValues] = []
  /// The rule that would probably select the event if no rule is about it; always nil without a ``ToleranceTable``.
  public var approximate: Approximation?

  /// Creates a decision that selects nothing.
  public init() {}
}

extension Decision: Encodable {
  private enum CodingKeys: String, CodingKey {
    case eventID = "event_id"
    case isSelected = "selected"
    case rules
    case excludedBy = "excluded_by"
    case pages, emit, properties, approximate
  }

  private enum ApproximationKeys: String, CodingKey {
    case rule, confidence, reasons, others
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Encodes the members that `encircle match` writes, without an event ID, pages, properties or an approximate rule if the
  /// decision has none.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(eventID?.description, forKey: .eventID)
    try container.encode(isSelected, forKey: .isSelected)
    try container.encode(rules.map(\.text), forKey: .rules)
    try container.encode(excludedBy.map(\.text), forKey: .excludedBy)
    if !pages.isEmpty { try container.encode(pages.map(\.text), forKey: .pages) }
    try container.encode(emit.map(\.text), forKey: .emit)
    if !properties.isEmpty {
      var byRule = container.nestedContainer(keyedBy: Name.self, forKey: .properties)
      for rule in properties {
        var values = byRule.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: rule.rule.text))
        for value in rule.values { try values.encode(value.value, forKey: Name(stringValue: value.name.text)) }
      }
    }
    guard let approximate else { return }
    var nested = container.nestedContainer(keyedBy: ApproximationKeys.self, forKey: .approximate)
    try nested.encode(approximate.rule.text, forKey: .rule)
    try nested.encode(approximate.roundedConfidence, forKey: .confidence)
    try nested.encode(approximate.reasons, forKey: .reasons)
    if !approximate.others.isEmpty { try nested.encode(approximate.others.map(\.text), forKey: .others) }
  }
}

extension Scalar: Encodable {
  /// Encodes the value; a number becomes the nearest one that the encoder supports.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let number):
      if let whole = Int64(number.description) {
        try container.encode(whole)
      } else {
        try container.encode(Double(number.description) ?? 0)
      }
    case .string(let text): try container.encode(text.text)
    }
  }
}
