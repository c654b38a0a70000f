/// The destination of a collector's decided events: files, or the topics of a broker.
///
/// A record is acknowledged when ``append(_:)`` returns; it then survives a crash of this process and, with files, of the
/// machine. If a call throws, it may still have written some of its records, so consumers must recognise repeats by
/// ``LogRecord/eventKey``.
public protocol EventLog: Sendable {
  /// Writes records, and returns when the log has acknowledged all of them.
  func append(_ records: [LogRecord]) async throws(LogError)

  /// Checks that records can be written now, without writing one.
  func checkWritable() throws(LogError)

  /// Waits until all pending records are acknowledged or refused, then releases the log's resources. Later records are refused.
  func close() async
}

/// One record of a log.
public struct LogRecord: Sendable {
  /// The kind of a record. Each kind has its own files or topic.
  public enum Stream: String, CaseIterable, Sendable {
    /// An event with its decision as the member `$encircle`.
    case decided
    /// An event without a decision.
    case raw
    /// A part of a request that is not an event.
    case rejects
  }

  /// The stream to which the record belongs.
  public var stream: Stream
  /// A JSON object in one line, without a line feed.
  public var json: [UInt8]
  /// The user. Records of one key stay in order.
  public var key: [UInt8]?
  /// The event ID of the element, 32 bytes.
  public var eventID: [UInt8]?
  /// A key that all copies of an event share, and no other event has; nil if the SDK did not give the event an identifier.
  public var eventKey: String?
  /// The versions of the rules that decided, such as `default@3`.
  public var rulesVersion: String

  /// Creates a record.
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

/// The reason why records are not acknowledged.
public enum LogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The queue cannot take more waiting records.
  case full
  /// The log cannot take records now, for the given reason.
  case refused(String)
  /// The records at these positions of the call, in ascending order, are too long. The log will never take them; it has
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
