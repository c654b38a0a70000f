import EncircleEvents
import EncircleText

/// The properties that SDKs query from the device and add to each event. In a replay, the session provides them.
enum PresetProperties {
  /// The properties in the statements on page views and starts in docs/articles.md.
  static let articles = ["$model", "$manufacturer"] + library + ["$os", "$os_version", "$app_version"]
  /// The properties of sa-sdk-ios 4.8.
  static let sensors =
    articles + ["$app_id", "$app_name", "$screen_width", "$screen_height", "$timezone_offset"]
    + deviceIDs
  /// The properties that code cannot set.
  static let deviceIDs = ["$device_id", "$anonymization_id"]
  /// The properties that name the library of an event.
  static let library = ["$lib", "$lib_version"]

  /// Returns the properties that an SDK queries once per process.
  ///
  /// - Parameters:
  ///   - properties: The properties of the device.
  ///   - names: The names of the SDK's preset properties.
  static func lasting(_ properties: EventObject, _ names: [String]) -> EventObject {
    EventObject(properties.members.filter { member in names.contains { sameText($0, member.name) } })
  }

  /// Returns the properties that sa-sdk-ios queries for each event; empty if the session states no properties of the device.
  static func momentary(_ properties: EventObject, _ network: NetworkSignal) -> EventObject {
    guard !properties.members.isEmpty else { return EventObject() }
    return [
      "$network_type": .string(network.isUp ? network.kind.rawValue : "NULL"),
      "$wifi": .bool(network.isUp && network.kind == .wifi),
    ]
  }
}
