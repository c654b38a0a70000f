/// A notice to the program about its events.
public enum DeliveryNotice: Hashable, Sendable {
  /// The number of the oldest events dropped from a full queue, or of the oldest rejected events dropped beyond their limit.
  case dropped(Int)
  /// The number of events that the receiver refused for good; they are kept apart.
  case rejected(Int, status: Int)
  /// The number of events that the policy deleted because the receiver did not take them.
  case lost(Int, status: Int)
  /// Sending failed. `retryIn` is the number of seconds until the next try; nil if the sender waits for the next occasion.
  case failed(DeliveryFailure, retryIn: Double?)
  /// The queue's file was damaged. It was renamed to `path`, and a new file was begun.
  case queueSetAside(path: String, reason: String)
}

/// The reason why events could not be delivered.
public enum DeliveryFailure: Hashable, Sendable, CustomStringConvertible {
  /// The receiver's status.
  case status(Int)
  /// The status is a success, but the body is a web page, which no receiver sends.
  case strangeAnswer(Int)
  /// There was no answer.
  case transport(TransportError)
  /// The queue could not be read or written.
  case queue(DeliveryError)

  /// A description of the problem.
  public var description: String {
    switch self {
    case .status(let status): "the receiver answered \(status)"
    case .strangeAnswer(let status): "the answer with status \(status) is a web page, and not from a receiver"
    case .transport(let error): "\(error)"
    case .queue(let error): "the queue \(error)"
    }
  }
}

/// The result of one occasion to send.
public struct FlushReport: Hashable, Sendable {
  /// The number of requests that were sent.
  public internal(set) var requests = 0
  /// The number of events that the receiver took.
  public internal(set) var delivered = 0
  /// The number of events that were set aside.
  public internal(set) var rejected = 0
  /// The number of events that the policy deleted although the receiver did not take them.
  public internal(set) var lost = 0
  /// The failure that ended sending early; nil if nothing failed.
  public internal(set) var failure: DeliveryFailure?
  /// This is true if nothing was tried, because sending is paused or has no network to use, or because sending was already under
  /// way when the app's state changed or the caller's task was cancelled.
  public internal(set) var isBusy = false
}
