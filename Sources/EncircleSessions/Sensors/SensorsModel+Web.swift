import EncircleEvents
import EncircleText

// Events that a web page in the app passes to the SDK.
extension SensorsModel {
  // Members of a web page's properties that serve other purposes.
  private static let notProperties = [
    "_nocache", "server_url", "sensorsdata_app_visual_properties", "project", "token", "$time",
    "sensorsdata_web_visual_eventName",
  ]
  // Properties that the SDK adds to the events of web pages, too.
  private static let deviceProperties = [
    "$model", "$manufacturer", "$os", "$os_version", "$app_version", "$app_id", "$app_name", "$screen_width",
    "$screen_height", "$timezone_offset", "$network_type", "$wifi", "$device_id",
  ]
  // The SDK ignores times before this one, 15 May 2015.
  private static let earliestTime = 1_431_656_640_000.0

  /// Tracks the event in a web page's message.
  mutating func receive(_ message: EventObject, _ output: inout ReplayOutput) {
    let types = SensorsEventTypes.named(message.text("type"))
    var draft = SensorsDraft(types, named: message.text("event"))
    draft.isSignUp = types == .signUp
    if case .object(let lib)? = message["lib"] { draft.method = lib.text("$lib_method") } else { draft.method = nil }
    var web = SensorsDraft.Web(time: Self.milliseconds(message["time"]) ?? time)
    web.distinctID = message.text("distinct_id")
    web.anonymousID = message.text("anonymous_id")
    web.loginID = message.text("login_id")
    web.originalID = message.text("original_id")
    if case .object(let identities)? = message["identities"] { web.identities = identities }
    if case .object(let properties)? = message["properties"] {
      if let custom = Self.milliseconds(properties["$time"]), Double(custom) >= Self.earliestTime { web.time = custom }
      web.properties = properties
      for name in Self.notProperties { web.properties.set(name, nil) }
      // The app's values count instead, and results omit them.
      if !types.isDisjoint(with: .events) { for name in Self.deviceProperties { web.properties.set(name, nil) } }
      web.properties = EventObject(web.properties.members.filter { $0.value != .null })
    }
    draft.web = web
    track(draft, "web.message", "A web page in the app sent it.", &output)
  }

  private static func milliseconds(_ value: EventValue?) -> Int64? {
    guard case .number(let number)? = value, let double = Double(number.description), double >= 0, double < 0x1p62
    else { return nil }
    return Int64(double)
  }
}
