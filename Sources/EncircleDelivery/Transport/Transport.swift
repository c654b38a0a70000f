/// What carries a request to the receiver and brings back its answer.
///
/// ``HTTPTransport`` is the one for HTTP. A transport sends each request once; the sender tries again.
public protocol Transport: Sendable {
  /// Sends a request and waits for the whole answer.
  ///
  /// It must return within a bounded time, and soon after its task was cancelled.
  ///
  /// - Throws: ``TransportError`` if there was no complete answer. The receiver may have taken the events all the same.
  func send(_ request: DeliveryRequest) async throws(TransportError) -> DeliveryAnswer
}

/// A request with events.
public struct DeliveryRequest: Hashable, Sendable {
  /// The header fields that belong to the body.
  public var headers: [(name: String, value: String)] { fields.map { ($0.name, $0.value) } }
  /// The body.
  public let body: [UInt8]
  /// The number of events in the body.
  public let eventCount: Int
  private let fields: [Field]

  private struct Field: Hashable {
    let name: String
    let value: String
  }

  /// Creates a request.
  public init(headers: [(name: String, value: String)], body: [UInt8], eventCount: Int) {
    fields = headers.map { Field(name: $0.name, value: $0.value) }
    self.body = body
    self.eventCount = eventCount
  }
}

/// The answer of a receiver.
public struct DeliveryAnswer: Hashable, Sendable {
  /// The status of HTTP.
  public var status: Int
  /// The beginning of the body.
  public var body: [UInt8]
  /// The seconds after which the receiver wants to hear from us again, if it says so (`Retry-After`).
  public var retryAfter: Double?

  /// Creates an answer.
  public init(status: Int, body: [UInt8] = [], retryAfter: Double? = nil) {
    self.status = status
    self.body = body
    self.retryAfter = retryAfter
  }
}

/// Why there was no complete answer.
public enum TransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The receiver did not answer in time.
  case timeout
  /// The connection could not be made, or ended before the answer was complete, for the reason that the system gives.
  case connection(String)
  /// The answer does not end where it should.
  case answerTooLong(limit: Int)
  /// The task was cancelled.
  case cancelled

  /// The problem in words.
  public var description: String {
    switch self {
    case .timeout: "no answer in time"
    case .connection(let reason): reason
    case .answerTooLong(let limit): "an answer of more than \(limit) bytes"
    case .cancelled: "cancelled"
    }
  }
}
