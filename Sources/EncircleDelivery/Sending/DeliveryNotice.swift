/// What a program should know about its events.
public enum DeliveryNotice: Hashable, Sendable {
  /// This number of the oldest events was dropped, as the queue was full, or of the oldest rejected ones, as they were too many.
  case dropped(Int)
  /// The number of events that the receiver refused for good; they are kept apart.
  case rejected(Int, status: Int)
  /// The number of events that the policy deleted as the receiver did not take them.
  case lost(Int, status: Int)
  /// Sending failed. `retryIn` is the seconds until it is tried again; nil if that is at the next occasion.
  case failed(DeliveryFailure, retryIn: Double?)
  /// The file of the queue was damaged. It was renamed to `path`, and a new file was begun.
  case queueSetAside(path: String, reason: String)
}

/// Why events could not be delivered.
public enum DeliveryFailure: Hashable, Sendable, CustomStringConvertible {
  /// The receiver's status.
  case status(Int)
  /// The answer is a success by its status, but not one of a receiver.
  case strangeAnswer(Int)
  /// There was no answer.
  case transport(TransportError)
  /// The queue could not be read or written.
  case queue(DeliveryError)

  /// The problem in words.
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
  /// The requests that were sent.
  public internal(set) var requests = 0
  /// The events that the receiver took.
  public internal(set) var delivered = 0
  /// The events that were set aside.
  public internal(set) var rejected = 0
  /// The events that the policy deleted although they were not taken.
  public internal(set) var lost = 0
  /// Why sending ended before all was sent; nil if nothing failed.
  public internal(set) var failure: DeliveryFailure?
  /// Whether nothing was tried, because sending was already under way, is paused, or has no network to use.
  public internal(set) var isBusy = false
}
