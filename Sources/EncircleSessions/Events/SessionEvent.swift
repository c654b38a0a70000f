import EncircleEvents
import EncircleText

/// An event as an SDK would have sent it.
public struct SessionEvent: Sendable {
  /// The time in milliseconds since 1970.
  public var time: Int64
  /// The kind of record, such as `track` or `profile_set`.
  public var type: String
  /// The name; profiles have none.
  public var name: String?
  /// How it came about: `autoTrack` or `code`.
  public var method: String?
  public var distinctID: String?
  public var anonymousID: String?
  public var loginID: String?
  /// Who the user was before; only where somebody logs in.
  public var originalID: String?
  public var identities: EventObject
  /// The properties, without those of the device.
  public var properties: EventObject
  /// Whether a web page sent it through the app.
  public var isFromWeb = false
}

/// Something that resulted from replaying a session.
public enum ReplayRecord: Sendable {
  /// An event was stored.
  case event(SessionEvent)
  /// An event was stored whose members are those of an SDK's own format.
  case record(EventObject)
  /// This number of events left the queue. If the SDK gives requests an ID, `request` is that of their request.
  case delivery(Int, request: String? = nil)
  /// Something else that can be seen from outside, such as a handler that was called.
  case note(String)
}

/// Why a signal did, or did not, become an event.
public struct ReplayReason: Sendable {
  /// The rule's name, such as `click.interval`.
  public var rule: String
  /// The rule in words.
  public var text: String
  /// The name of the event that the rule is about; nil if it is about none.
  public var event: String?
  /// Whether there is an event.
  public var isSent: Bool
}

extension ReplayRecord {
  /// Whether it is an event.
  public var isEvent: Bool {
    switch self {
    case .event, .record: true
    case .delivery, .note: false
    }
  }

  /// Appends the record as one line of JSON, with its line end; the parameters are those of ``object(line:life:session:)``.
  public func append(line: Int, life: Int, session: String? = nil, to bytes: inout [UInt8]) {
    bytes += EventValue.object(object(line: line, life: life, session: session)).json
    bytes.append(0x0A)
  }

  /// Returns the record as an object.
  ///
  /// - Parameters:
  ///   - line: The line of the signal.
  ///   - life: The number of the process.
  ///   - session: The session's name, if it is to be in the record.
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
