import EncircleEvents

/// The properties that SDKs add to each event by asking the device. In a replay, they come from the session.
enum PresetProperties {
  /// Those of the statements on page views and on starts in docs/articles.md.
  static let articles = ["$model", "$manufacturer"] + library + ["$os", "$os_version", "$app_version"]
  /// Those of sa-sdk-ios 4.8.
  static let sensors =
    articles + ["$app_id", "$app_name", "$screen_width", "$screen_height", "$timezone_offset"]
    + deviceIDs
  /// Those that code cannot set.
  static let deviceIDs = ["$device_id", "$anonymization_id"]
  /// Those that say which library has made the event.
  static let library = ["$lib", "$lib_version"]

  /// Returns the properties that an SDK asks for once a process.
  ///
  /// - Parameters:
  ///   - properties: What the device says.
  ///   - names: The names of the SDK's preset properties.
  static func lasting(_ properties: EventObject, _ names: [String]) -> EventObject {
    EventObject(properties.members.filter { member in names.contains { sameText($0, member.name) } })
  }

  /// Returns the properties that sa-sdk-ios asks for at each event; none if the device says nothing of itself.
  static func momentary(_ properties: EventObject, _ network: NetworkSignal) -> EventObject {
    guard !properties.members.isEmpty else { return EventObject() }
    return [
      "$network_type": .string(network.isUp ? network.kind.rawValue : "NULL"),
      "$wifi": .bool(network.isUp && network.kind == .wifi),
    ]
  }
}
