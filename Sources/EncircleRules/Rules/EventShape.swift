import EncircleEvents
import EncircleIdentity
import EncircleText

/// The shape of the events that a style's SDK sends: the name of a tap, and the places of its values.
///
/// | style | tap | page | element | text | app, user, time |
/// | --- | --- | --- | --- | --- | --- |
/// | `hubbledata` | no name; its type | `page` | event ID | by the dictionary | –, `/deviceUdid`, `/time` |
/// | `lede` | `click` | `/pageName` | `/viewInfo/viewPath` | `/viewInfo/title` | `/appKey`, `/deviceId`, `/eventTime` |
/// | `sensors` | `$AppClick` | `$screen_name` | `$element_path` | `$element_content` | `$app_id`, `/distinct_id`, `/time` |
/// | `growingio` and `-android` | `VIEW_CLICK` | `/path`, an alias | `/xpath`, `/xcontent` | `/textValue` | `/domain`, `/deviceId`, `/timestamp` |
/// | `posthog` | `$autocapture` | `$screen_name` | `$elements_chain` | `$el_text` | `$app_namespace`, `/distinct_id` or `distinct_id`, `/timestamp` |
/// | `sensors-web` | `$WebClick` | `$url_path` | `$element_path`, `$element_selector` | `$element_content` | –, `/distinct_id`, `/time` |
/// | `posthog-web` | `$autocapture` | `$pathname` | `$elements_chain` | `$el_text` | –, `/distinct_id`, `/timestamp` |
///
/// Source: for HubbleData and Lede the statements in `docs/articles.md`; otherwise the source code of sa-sdk-ios 4.8.3,
/// growingio-sdk-ios-autotracker 4.11.0, posthog-ios 3.69.3, sa-sdk-android 6.8.5, growingio-sdk-android-autotracker 4.5.2,
/// sa-sdk-javascript 1.27.10 and posthog-js 1.418.10.
public struct EventShape: Sendable {
  /// The event name that rules use for a tap.
  public let tapName: String
  /// This is true if a tap's event has a name. In HubbleData's events, the type takes its place and counts as
  /// ``tapName``.
  public var namesTaps: Bool { tapTypePlaces.isEmpty }
  /// The places of the type that marks an event without a name as a tap.
  package let tapTypePlaces: [PropertyReference]
  /// This is true if a tap's event names the page by its class. GrowingIO sends an alias that the app assigns.
  package let namesPages: Bool
  /// The fields that a tap's event does not carry itself: only a dictionary can look them up by the event ID.
  package let fieldsByEventID: [EventFields.Field]
  /// This is true if a tap's event gives the actions of a bar item, if only through its event ID.
  package var namesActions: Bool { fieldsByEventID.contains(.actions) }
  /// This is true if a tap's event gives the texts of the alert around the element, if only through its event ID.
  package var namesAlerts: Bool { fieldsByEventID.contains(.alertTitle) || ownPlaces[.alertTitle] != nil }
  /// The places of all fields: first those that the SDK itself writes, then those that events of other SDKs use.
  package let places: [EventFields.Field: [PropertyReference]]
  /// The places in ``places`` that only this SDK writes.
  package let ownPlaces: [EventFields.Field: [PropertyReference]]
  /// The places in ``places`` that this SDK writes and other SDKs use for something else; they come last.
  package let lastPlaces: [EventFields.Field: [PropertyReference]]

  /// Returns whether a text is a type of tap in HubbleData's SDK, or one of Encircle's more specific types.
  package static func isTapType(_ text: String) -> Bool { TrackingType(rawValue: text) != nil }

  /// Returns whether a text is a type of tap in HubbleData's SDK, or one of Encircle's more specific types.
  static func isTapType(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    tapTypes.contains { $0.withUTF8 { sameBytes($0, bytes) } }
  }

  private static let tapTypes = TrackingType.allCases.map { UTF8String($0.rawValue) }

  private init(
    tap name: String, types: [String] = [], namesPages: Bool = true, byEventID: [EventFields.Field] = [],
    _ own: [EventFields.Field: [String]] = [:], last: [EventFields.Field: [String]] = [:],
    without: [EventFields.Field: [String]] = [:]
  ) {
    func references(_ names: [String]?) -> [PropertyReference] {
      (names ?? []).compactMap { PropertyReference(parsing: $0) }
    }
    tapName = name
    tapTypePlaces = references(types)
    self.namesPages = namesPages
    fieldsByEventID = byEventID
    ownPlaces = own.mapValues(references)
    lastPlaces = last.mapValues(references)
    var places: [EventFields.Field: [PropertyReference]] = [:]
    for (field, names) in Self.common {
      let first = references(own[field])
      let others = references(names + (last[field] ?? []))
      let excluded = first + references(without[field])
      places[field] = first + others.filter { !excluded.contains($0) }
    }
    self.places = places
  }

  /// The places of fields in Sensors' events, with the other names that every style accepts.
  private static let common: [(EventFields.Field, [String])] = [
    (.event, ["/event", "/eventId"]), (.time, ["/time"]), (.distinctID, ["/distinct_id"]),
    (.eventID, ["/event_id", "$element_id", "/eventId"]), (.path, ["$element_path"]),
    (.page, ["$screen_name", "$screenName"]), (.title, ["$title", "$screenTitle"]), (.type, ["$element_type"]),
    (.content, ["$element_content"]), (.position, ["$element_position"]), (.actions, ["$element_actions"]),
    (.alertMessage, ["$alert_message"]), (.alertTitle, ["$alert_title"]), (.app, ["$app_id"]),
    (.appVersion, ["$app_version"]), (.os, ["$os"]), (.pathIndexes, ["xcontent", "/xcontent"]),
  ]

  fileprivate static let hubbleData = EventShape(
    tap: "$AppClick", types: ["/type", "type"], byEventID: [.content, .actions, .alertTitle, .alertMessage],
    last: [.distinctID: ["/deviceUdid"], .page: ["page"], .type: ["type"]])

  fileprivate static let sensors = EventShape(tap: "$AppClick")

  fileprivate static let lede = EventShape(
    tap: "click",
    [
      .event: ["/eventName"], .time: ["/eventTime"], .distinctID: ["/deviceId"], .page: ["/pageName"],
      .path: ["/viewInfo/viewPath", "viewPath", "/viewPath"], .type: ["/viewInfo/viewClass"],
      .content: ["/viewInfo/title"], .alertTitle: ["/viewInfo/alertTitle"],
      .alertMessage: ["/viewInfo/alertMessage"], .app: ["/appKey"],
    ])

  fileprivate static let growingIO = EventShape(
    tap: "VIEW_CLICK", namesPages: false,
    [
      .event: ["/eventType"], .time: ["/timestamp"], .distinctID: ["/deviceId"], .page: ["/path"],
      .path: ["/xpath", "xpath"], .pathIndexes: ["/xcontent", "xcontent"], .content: ["/textValue"],
      .position: ["/index"], .app: ["/domain"], .appVersion: ["/appVersion"], .os: ["/platform"],
    ])

  // On Android, `$element_id` is the name of a resource ID, not an event ID.
  fileprivate static let sensorsAndroid = EventShape(tap: "$AppClick", without: [.eventID: ["$element_id"]])

  // On web pages, `$element_id` is the attribute `id`, not an event ID.
  fileprivate static let sensorsWeb = EventShape(
    tap: "$WebClick", [.page: ["$url_path", "$url"], .pathIndexes: ["$element_selector"]],
    without: [
      .eventID: ["$element_id"], .page: ["$screen_name", "$screenName"], .pathIndexes: ["xcontent", "/xcontent"],
    ])

  fileprivate static let postHogWeb = EventShape(
    tap: "$autocapture",
    [
      .path: ["$elements_chain"], .page: ["$pathname", "$current_url"], .content: ["$el_text"], .time: ["/timestamp"],
    ], last: [.distinctID: ["distinct_id"]],
    without: [.eventID: ["$element_id"], .page: ["$screen_name", "$screenName"]])

  fileprivate static let postHog = EventShape(
    tap: "$autocapture",
    [
      .path: ["$elements_chain"], .page: ["$screen_name", "$pathname"], .content: ["$el_text"],
      .app: ["$app_namespace"], .os: ["$os_name"],
      .time: ["/timestamp"],
    ], last: [.distinctID: ["distinct_id"]])
}

extension PathStyleName {
  /// The shape of the events that the style's SDK sends.
  public var eventShape: EventShape {
    switch self {
    case .hubbleData, .hubbleDataAndroid: .hubbleData
    case .sensors, .sensorsExact: .sensors
    case .lede: .lede
    case .growingIO, .growingIOAndroid: .growingIO
    case .sensorsAndroid: .sensorsAndroid
    case .postHog: .postHog
    case .sensorsWeb: .sensorsWeb
    case .postHogWeb: .postHogWeb
    }
  }
}
