/// Where a collector writes decided events: files, or the topics of a broker.
///
/// A record is acknowledged when ``append(_:)`` returns: it then survives a crash of this process and, with files, of the machine.
/// If a call throws, its records may have been written nevertheless, so consumers must recognise repeats by
/// ``LogRecord/eventKey``.
public protocol EventLog: Sendable {
  /// Writes records, and returns when the log has acknowledged all of them.
  func append(_ records: [LogRecord]) async throws(LogError)

  /// Checks whether records could be written now, without writing one.
  func checkWritable() throws(LogError)

  /// Waits until everything under way is acknowledged or refused, and releases what the log holds.
  func close() async
}

/// One record of a log.
public struct LogRecord: Sendable {
  /// What a record says. Each has files, or a topic, of its own.
  public enum Stream: String, CaseIterable, Sendable {
    /// An event with its decision as the member `$encircle`.
    case decided
    /// An event without a decision.
    case raw
    /// A part of a request that is no event.
    case rejects
  }

  public var stream: Stream
  /// A JSON object in one line, without a line feed.
  public var json: [UInt8]
  /// The user. Records of one key stay in order.
  public var key: [UInt8]?
  /// The event ID of the element, 32 bytes.
  public var eventID: [UInt8]?
  /// A key that is the same whenever an event is sent again, and different for all other events; nil if the event has no number.
  public var eventKey: String?
  /// The versions of the rules that decided, such as `default@3`.
  public var rulesVersion: String

  public init(
    _ stream: Stream, json: [UInt8], key: [UInt8]? = nil, eventID: [UInt8]? = nil, eventKey: String? = nil,
    rulesVersion: String
  ) {
    self.stream = stream
    self.json = json
    self.key = key
    self.eventID = eventID
    self.eventKey = eventKey
    self.rulesVersion = rulesVersion
  }
}

/// Why records are not acknowledged.
public enum LogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// More records wait than the queue takes.
  case full
  /// The log cannot take records now, for the reason in words.
  case refused(String)
  /// The log will never take the records at these places of the call, in ascending order, because they are too long for it. It has
  /// acknowledged all others.
  case tooLong([Int])

  public var description: String {
    switch self {
    case .full: "the queue of records is full"
    case .refused(let reason): reason
    case .tooLong(let places): "\(places.count) of the records are too long for the log"
    }
  }
}
