import Foundation

/// A means of carrying requests to the receiver and answers back.
///
/// ``HTTPTransport`` is the implementation for HTTP. A transport sends each request once; the sender tries again.
public protocol Transport: Sendable {
  /// Sends a request and waits for the whole answer.
  ///
  /// The method must return within a bounded time, and soon after its task is cancelled.
  ///
  /// - Throws: ``TransportError`` if there was no complete answer. The receiver may have taken the events nevertheless.
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
  /// The HTTP status.
  public var status: Int
  /// The beginning of the body.
  public var body: [UInt8]
  /// The number of seconds after which the receiver asks to be contacted again (`Retry-After`); nil if it does not ask.
  public var retryAfter: Double?

  /// Creates an answer.
  public init(status: Int, body: [UInt8] = [], retryAfter: Double? = nil) {
    self.status = status
    self.body = body
    self.retryAfter = retryAfter
  }
}

/// The reason why there was no complete answer.
public enum TransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The receiver did not answer in time.
  case timeout
  /// The connection could not be made, or ended before the answer was complete; the text is the system's reason.
  case connection(String)
  /// The answer is longer than the limit.
  case answerTooLong(limit: Int)
  /// The task was cancelled.
  case cancelled

  /// A description of the problem.
  public var description: String {
    switch self {
    case .timeout: "no answer in time"
    case .connection(let reason): reason
    case .answerTooLong(let limit): "an answer of more than \(limit) bytes"
    case .cancelled: "cancelled"
    }
  }
}

extension TransportError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
