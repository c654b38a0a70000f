import EncircleEvents
import EncircleText

/// An event as the SDK would have sent it.
public struct SessionEvent: Sendable {
  /// The time in milliseconds since 1970.
  public var time: Int64
  /// The kind of record, such as `track` or `profile_set`.
  public var type: String
  /// The name; nil for profiles.
  public var name: String?
  /// The origin of the event: `autoTrack` or `code`.
  public var method: String?
  public var distinctID: String?
  public var anonymousID: String?
  public var loginID: String?
  /// The user's ID before a login; nil for other events.
  public var originalID: String?
  public var identities: EventObject
  /// The properties, without the properties of the device.
  public var properties: EventObject
  /// This is true if a web page sent the event through the app.
  public var isFromWeb = false
}

/// A result of replaying a session.
public enum ReplayRecord: Sendable {
  /// An event was stored.
  case event(SessionEvent)
  /// An event was stored in the SDK's own format.
  case record(EventObject)
  /// This number of events left the queue. If the SDK gives requests an ID, `request` is the ID of their request.
  case delivery(Int, request: String? = nil)
  /// Another effect that is visible from outside, such as the call of a handler.
  case note(String)
}

/// The reason why a signal did or did not become an event.
public struct ReplayReason: Sendable {
  /// The rule's name, such as `click.interval`.
  public var rule: String
  /// The rule in words.
  public var text: String
  /// The name of the event that the rule concerns; nil if it concerns no particular event.
  public var event: String?
  /// This is true if the event was sent.
  public var isSent: Bool
}

extension ReplayRecord {
  /// This is true if the record is an event.
  public var isEvent: Bool {
    switch self {
    case .event, .record: true
    case .delivery, .note: false
    }
  }

  /// Appends the record as one line of JSON with its line end. The parameters are the same as for ``object(line:life:session:)``.
  public func append(line: Int, life: Int, session: String? = nil, to bytes: inout [UInt8]) {
    bytes += EventValue.object(object(line: line, life: life, session: session)).json
    bytes.append(0x0A)
  }

  /// Returns the record as an object.
  ///
  /// - Parameters:
  ///   - line: The line of the signal.
  ///   - life: The number of the process.
  ///   - session: The session's name; nil to leave it out of the record.
  public func object(line: Int, life: Int, session: String? = nil) -> EventObject {
    var object = EventObject()
    if let session { object.add("session", .string(session)) }
    object.add("line", .number(DecimalNumber(line)))
    object.add("life", .number(DecimalNumber(life)))
    switch self {
    case .event(let event): event.addMembers(to: &object)
    case .record(let record): object.members += record.members
    case .delivery(let count, let request):
      object.add("flush", .number(DecimalNumber(count)))
      if let request { object.add("eventsId", .string(request)) }
    case .note(let text): object.add("note", .string(text))
    }
    return object
  }
}

extension SessionEvent {
  fileprivate func addMembers(to object: inout EventObject) {
    object.add("time", .number(DecimalNumber(time)))
    object.add("type", .string(type))
    if let name { object.add("event", .string(name)) }
    if let method { object.add("method", .string(method)) }
    if let distinctID { object.add("distinct_id", .string(distinctID)) }
    if let anonymousID { object.add("anonymous_id", .string(anonymousID)) }
    if let loginID { object.add("login_id", .string(loginID)) }
    if let originalID { object.add("original_id", .string(originalID)) }
    object.add("identities", .object(identities))
    object.add("properties", .object(properties))
    if isFromWeb { object.add("_hybrid_h5", .bool(true)) }
  }
}
