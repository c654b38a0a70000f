import EncircleEvents
import EncircleIdentity
import EncircleText

/// The places in events of the fields that rules test. If a field has several places, the first with a value counts.
public struct EventFields: Hashable, Sendable {
  /// A field of events.
  public enum Field: String, CaseIterable, Hashable, Sendable {
    /// Name of the event.
    case event
    /// Time in milliseconds since 1970.
    case time
    /// Identifier of the user or device.
    case distinctID = "distinct_id"
    /// Event ID of the element.
    case eventID = "event_id"
    /// Path of the element.
    case path
    /// Class of the page's view controller.
    case page
    /// Title of the page.
    case title
    /// Type of the element.
    case type
    /// Text of the element.
    case content
    /// `section:row` of the element.
    case position
    /// Action selectors of a navigation-bar item.
    case actions
    /// Message of the alert.
    case alertMessage = "alert_message"
    /// Title of the alert.
    case alertTitle = "alert_title"
    /// Identifier of the app.
    case app
    /// Version of the app.
    case appVersion = "app_version"
    /// Operating system.
    case os
    /// Indexes that belong to the path, in styles that send them separately: GrowingIO's `xcontent`.
    case pathIndexes = "path_indexes"

    /// The position among all fields.
    var ordinal: Int {
      switch self {
      case .event: 0
      case .time: 1
      case .distinctID: 2
      case .eventID: 3
      case .path: 4
      case .page: 5
      case .title: 6
      case .type: 7
      case .content: 8
      case .position: 9
      case .actions: 10
      case .alertMessage: 11
      case .alertTitle: 12
      case .app: 13
      case .appVersion: 14
      case .os: 15
      case .pathIndexes: 16
      }
    }
  }

  /// The places of each field, the first choice first; not empty.
  public private(set) var references: [Field: [PropertyReference]]
  /// The style whose SDK writes its fields in these places, unless others were set.
  public let style: PathStyleName

  /// Creates the fields as Sensors-like and HubbleData-like events have them.
  public init() { self.init(style: .hubbleData) }

  /// Creates the fields as events of a style have them; see ``EventShape``.
  public init(style: PathStyleName) {
    self.style = style
    references = style.eventShape.places
  }

  /// Sets the places of a field.
  ///
  /// - Precondition: `places` is not empty.
  public mutating func set(_ field: Field, _ places: [PropertyReference]) {
    precondition(!places.isEmpty)
    references[field] = places
  }

  /// Returns the places of a field, the first choice first.
  public func places(of field: Field) -> [PropertyReference] { references[field] ?? [] }
}

extension AnalyticsEvent {
  /// Returns the value of a field from the first of its places that has one; nil if none has. If an event without a name has the
  /// type of a tap, its name is the name of a tap.
  package func value(of field: EventFields.Field, _ fields: EventFields) -> EventValue? {
    let places = fields.places(of: field)
    if let value = places.first.flatMap({ value(at: $0) }) { return value }
    if field == .event, let name = tapName(fields.style.eventShape) { return .string(name) }
    return places.dropFirst().lazy.compactMap { value(at: $0) }.first
  }

  private func tapName(_ shape: EventShape) -> String? {
    let isTap = shape.tapTypePlaces.contains { place in
      guard case .string(let type)? = value(at: place) else { return false }
      return EventShape.isTapType(type)
    }
    return isTap ? shape.tapName : nil
  }
}
