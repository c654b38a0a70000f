import EncircleEvents
import EncircleText

/// An event before the SDK adds the properties that all events have.
struct SensorsDraft {
  static let automatic = "autoTrack"
  static let code = "code"

  var types: SensorsEventTypes
  /// The name, or the timer that stands for it; nil for profiles.
  var name: SensorsTimers.Name?
  var method: String? = code
  /// The event's own properties.
  var properties = EventObject()
  /// This is true if the event is sent immediately.
  var isSignUp = false
  /// The data from a web page; nil for an event of the app itself.
  var web: Web?

  /// The data that an event of a web page contains.
  struct Web {
    var time: Int64
    var distinctID: String?
    var anonymousID: String?
    var loginID: String?
    var originalID: String?
    var identities: EventObject?
    var properties = EventObject()
  }

  init(_ types: SensorsEventTypes, _ name: SensorsTimers.Name?) {
    self.types = types
    self.name = name
  }

  /// Creates an event of the app with a name.
  init(_ types: SensorsEventTypes, named name: String?, _ properties: EventObject = EventObject()) {
    self.init(types, name.map { .name(UTF8String($0)) })
    self.properties = properties
  }
}
