import EncircleEvents
import EncircleIdentity
import EncircleText

/// The places where events have the fields that rules ask for. Of several places, the first that an event has counts.
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
    /// Indexes that belong to the path, where the style keeps them apart: GrowingIO's `xcontent`.
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

  /// The fields as Sensors-like and HubbleData-like events have them.
  public init() {
    let rows: [(Field, [String])] = [
      (.event, ["/event", "/eventId"]), (.time, ["/time"]), (.distinctID, ["/distinct_id"]),
      (.eventID, ["/event_id", "$element_id", "/eventId"]), (.path, ["$element_path"]),
      (.page, ["$screen_name", "$screenName"]),
      (.title, ["$title", "$screenTitle"]), (.type, ["$element_type"]), (.content, ["$element_content"]),
      (.position, ["$element_position"]), (.actions, ["$element_actions"]), (.alertMessage, ["$alert_message"]),
      (.alertTitle, ["$alert_title"]), (.app, ["$app_id"]), (.appVersion, ["$app_version"]), (.os, ["$os"]),
      (.pathIndexes, ["xcontent", "/xcontent"]),
    ]
    references = Dictionary(
      uniqueKeysWithValues: rows.map { ($0.0, $0.1.compactMap { PropertyReference(parsing: $0) }) })
  }

  /// The fields as events of a style have them: the places that the SDK itself writes come first, then those of other events.
  public init(style: PathStyleName) {
    self.init()
    for (field, names) in Self.ownPlaces(of: style) {
      let own = names.compactMap { PropertyReference(parsing: $0) }
      references[field] = own + places(of: field).filter { !own.contains($0) }
    }
    // On Android, `$element_id` is the name of a resource id.
    if style == .sensorsAndroid, let id = PropertyReference(parsing: "$element_id") {
      references[.eventID] = places(of: .eventID).filter { $0 != id }
    }
  }

  /// The places that the SDK of a style writes, where they are others than ``init()`` has.
  ///
  /// Source: for LeDe `docs/articles.md`; else the code of growingio-sdk-ios-autotracker 4.11.0, posthog-ios 3.69.3,
  /// sa-sdk-android 6.8.5 and growingio-sdk-android-autotracker 4.5.2.
  package static func ownPlaces(of style: PathStyleName) -> [Field: [String]] {
    switch style {
    case .hubbleData, .hubbleDataAndroid, .sensors, .sensorsExact, .sensorsAndroid: [:]
    case .lede:
      [
        .event: ["/eventName"], .time: ["/eventTime"], .distinctID: ["/deviceId"], .page: ["/pageName"],
        .path: ["/viewInfo/viewPath", "viewPath", "/viewPath"], .type: ["/viewInfo/viewClass"],
        .content: ["/viewInfo/title"], .alertTitle: ["/viewInfo/alertTitle"],
        .alertMessage: ["/viewInfo/alertMessage"],
      ]
    case .growingIOAndroid:
      ownPlaces(of: .growingIO).merging([.position: ["/index"]]) { own, _ in own }
    case .growingIO:
      [
        .event: ["/eventType"], .time: ["/timestamp"], .distinctID: ["/deviceId"], .page: ["/path"],
        .path: ["/xpath", "xpath"], .pathIndexes: ["/xcontent", "xcontent"], .content: ["/textValue"],
        .app: ["/domain"], .appVersion: ["/appVersion"], .os: ["/platform"],
      ]
    case .postHog:
      [
        .path: ["$elements_chain"], .content: ["$el_text"], .app: ["$app_namespace"], .os: ["$os_name"],
      ]
    }
  }

  /// Sets the places of a field.
  ///
  /// - Precondition: `places` is not empty.
  public mutating func set(_ field: Field, _ places: [PropertyReference]) {
    precondition(!places.isEmpty)
    references[field] = places
  }

  /// The places of a field, the first choice first.
  public func places(of field: Field) -> [PropertyReference] { references[field] ?? [] }
}

extension PathStyleName {
  /// The name of the event that the SDK of the style sends for a tap.
  package var tapName: String {
    switch self {
    case .hubbleData, .hubbleDataAndroid, .sensors, .sensorsExact, .sensorsAndroid: "$AppClick"
    case .lede: "click"
    case .growingIO, .growingIOAndroid: "VIEW_CLICK"
    case .postHog: "$autocapture"
    }
  }

  /// Whether a tap's event names the page by its class. GrowingIO sends an alias that the app assigns.
  package var namesPages: Bool { self != .growingIO && self != .growingIOAndroid }
}

extension AnalyticsEvent {
  /// Returns the value of a field, from the first place that has one; nil if none has.
  package func value(of field: EventFields.Field, _ fields: EventFields) -> EventValue? {
    for place in fields.places(of: field) {
      if let value = value(at: place) { return value }
    }
    return nil
  }
}
