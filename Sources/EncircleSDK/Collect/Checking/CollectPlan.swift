import EncircleEvents
import EncircleRules
import EncircleText

/// Says which members of an event are read, and which are removed.
public struct CollectPlan: Sendable {
  /// A field of events that is kept beside them, so that they can be found.
  public enum Field: Int, CaseIterable, Sendable {
    case event, page, distinctID, appVersion
  }

  /// The SDK that sends the events. It decides what they must have, and how repeats are recognised.
  public var sdk: CollectProtocol
  /// Where events have the fields; of several places, the first that an event has counts.
  public var places: [Field: [PropertyReference]]
  /// Where events say when they happened; of several places, the first that has a time counts.
  public var timePlaces: [PropertyReference]
  /// The shape of events in which a tap has a type but no name; nil if no rule set is for such events.
  public var tapShape: EventShape?
  /// Corrects the times of devices whose clocks are wrong.
  public var correction = TimeCorrection()
  /// The properties that are removed from each event before it is stored.
  public var redacted: [PropertyReference]
  /// The longest event, in bytes.
  public var lengthLimit = 1 << 20
  /// The most events and rejects of one request.
  public var mostEvents = Int.max
  /// The most rejects of one request that are kept; the others are only counted.
  public var mostRejects = 1_000

  /// - Parameters:
  ///   - sdk: Whose SDK sends the events.
  ///   - places: Where events have their fields.
  ///   - timePlaces: Where they say when they happened.
  ///   - redacted: Properties by name, or places by JSON Pointer.
  ///   - tapShape: The shape of events in which a tap has a type but no name.
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
  /// The event with its time corrected, as rules are to see it.
  public var json: [UInt8]
  /// The event without what is redacted, as it is kept; nil if nothing is to be redacted.
  public var redactedJSON: [UInt8]?
  /// When it happened, corrected, in milliseconds since 1970; when it arrived, if the event has no time.
  public var time: Int64
  /// The key by which a repeated event is recognised; nil if the event has no number.
  public var key: EventKey?
  /// The fields by the raw value of ``CollectPlan/Field``, without what is redacted; nil if it has none.
  public var fields: [String?]

  /// What is kept of it.
  public var kept: [UInt8] { redactedJSON ?? json }
}

/// A part of a request that is not an event, or not one that can be kept.
public struct CollectedReject: Hashable, Sendable {
  /// The line of the JSON, from 1.
  public var line: Int
  /// A stable name of the kind of problem.
  public var code: String
  /// The problem in words.
  public var reason: String
  /// What came, at least its beginning; empty where it may hold what is redacted.
  public var text: [UInt8]

  package init(line: Int, code: String, reason: String, text: [UInt8]) {
    self.line = line
    self.code = code
    self.reason = reason
    self.text = text
  }
}
