import EncircleEvents
import EncircleRules
import EncircleText

/// A plan that names the members of events to read and to remove.
public struct CollectPlan: Sendable {
  /// A field that is stored beside each event, so that searches can use it.
  public enum Field: Int, CaseIterable, Sendable {
    case event, page, distinctID, appVersion
  }

  /// The SDK that sends the events. It determines the required members of events, and how repeats are recognised.
  public var sdk: CollectProtocol
  /// The places of each field. The first place that an event has counts.
  public var places: [Field: [PropertyReference]]
  /// The places of the time. The first place that holds a time counts.
  public var timePlaces: [PropertyReference]
  /// The shape of events that give a tap a type but no name; nil if no rule set decides such events.
  public var tapShape: EventShape?
  /// Corrects the times of devices whose clocks are wrong.
  public var correction = TimeCorrection()
  /// The properties that are removed from each event before it is stored.
  public var redacted: [PropertyReference]
  /// The longest event, in bytes.
  public var lengthLimit = 1 << 20
  /// The maximum number of events and rejects in one request.
  public var maximumEvents = Int.max
  /// The maximum number of rejects of one request that are kept; the others are only counted.
  public var maximumRejects = 1_000

  /// - Parameters:
  ///   - sdk: The SDK that sends the events.
  ///   - places: The places of the fields of events.
  ///   - timePlaces: The places of the times of events.
  ///   - redacted: Properties by name, or places by JSON Pointer.
  ///   - tapShape: The shape of events whose taps have a type but no name.
  public init(
    sdk: CollectProtocol = .sensors, places: [Field: [PropertyReference]],
    timePlaces: [PropertyReference] = EventFields().places(of: .time),
    redacted: [PropertyReference] = [], tapShape: EventShape? = nil
  ) {
    self.sdk = sdk
    self.places = places
    self.timePlaces = timePlaces
    self.tapShape = tapShape
    self.redacted = redacted
  }
}

/// An event that can be kept.
public struct CollectedEvent: Sendable {
  /// The event with its time corrected, in the form that rules see.
  public var json: [UInt8]
  /// The event without redacted values, in the form that is kept; nil if nothing is to be redacted.
  public var redactedJSON: [UInt8]?
  /// The corrected time of the event, in milliseconds since 1970; the time of arrival if the event has none.
  public var time: Int64
  /// The key by which a repeated event is recognised; nil if the SDK did not give the event an identifier.
  public var key: EventKey?
  /// The fields by the raw value of ``CollectPlan/Field``, without redacted values; nil for a field that the event does not have.
  public var fields: [String?]

  /// The event in the form that is kept.
  public var kept: [UInt8] { redactedJSON ?? json }
}

/// A part of a request that is not an event, or an event that cannot be kept.
public struct CollectedReject: Hashable, Sendable {
  /// The line of the JSON, from 1.
  public var line: Int
  /// A stable name of the kind of problem.
  public var code: String
  /// The problem in words.
  public var reason: String
  /// The received bytes, or their beginning; empty if they may hold redacted values.
  public var text: [UInt8]

  package init(line: Int, code: String, reason: String, text: [UInt8]) {
    self.line = line
    self.code = code
    self.reason = reason
    self.text = text
  }
}
