import EncircleEvents
import EncircleIdentity
import EncircleText

/// Conditions that must all hold.
public struct RuleClause: Sendable {
  /// On the event's name.
  public var event: Condition?
  /// On the page.
  public var page: Condition?
  /// Selectors; one must match the element. Empty means no condition.
  public var selectors: [ElementSelector] = []
  /// Event IDs, given as such or as identity strings; one must be the element's. Empty means no condition.
  public var eventIDs: [ElementReference] = []
  /// On properties.
  public var properties: [PropertyTest] = []
  /// The style of the events that the clause is for. It counts only where rules are in several styles.
  public var style = Style.unstated

  /// The style of the events that a clause is for.
  public enum Style: Hashable, Sendable {
    /// The clause states no style. It takes the style of its file or rule set; if they have none, it is for any style.
    case unstated
    /// Events of any style.
    case any
    /// Events of one style, in which the selectors are written.
    case only(PathStyleName)
  }

  /// A selector that the element must match in addition to `selectors`; it is made for a rule with `sameKind`.
  var place: ElementSelector?

  /// Creates a clause without conditions, which matches every event.
  public init() {}

  /// The event IDs that the element may have; nil for any.
  var requiredEventIDs: Set<EventID>? { eventIDs.isEmpty ? nil : Set(eventIDs.map(\.eventID)) }

  /// This is true if the clause has no condition and would therefore match every event.
  public var isEmpty: Bool {
    event == nil && page == nil && selectors.isEmpty && eventIDs.isEmpty && properties.isEmpty
  }
}

/// An element named by its identity.
public struct ElementReference: Hashable, Sendable {
  /// The event ID.
  public var eventID: EventID
  /// The identity string, if the rule gives it.
  public var identity: UTF8String?

  /// Creates a reference to an element by its event ID.
  public init(eventID: EventID) { self.eventID = eventID }

  /// Creates a reference to an element by its identity string.
  public init(identity: String) {
    eventID = EventID(identity: identity)
    self.identity = UTF8String(identity)
  }
}

/// A condition on one property.
public struct PropertyTest: Sendable {
  /// The property.
  public var property: PropertyReference
  /// The condition on its value.
  public var condition: Condition

  /// Creates a test.
  public init(_ property: PropertyReference, _ condition: Condition) {
    self.property = property
    self.condition = condition
  }

  /// This is true if the test is about the text of an element around the event's element.
  package var isOfTextsWithin: Bool { if case .textsWithin = property { true } else { false } }
}
