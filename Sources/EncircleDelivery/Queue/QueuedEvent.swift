/// The priority of events.
public enum DeliveryLane: Int, Hashable, Sendable {
  /// Events that are sent before all others, oldest first among themselves.
  case instant = 0
  /// All others.
  case normal = 1
}

/// An event in a queue.
public struct QueuedEvent: Hashable, Sendable {
  /// The number of the event in its queue, ascending in the order of storing; never reused.
  public let id: Int64
  /// The JSON that was stored.
  public let json: [UInt8]
}

/// Events that are taken out of a queue together to be sent. They stay in the file until they are settled.
public struct EventBatch: Hashable, Sendable {
  /// A random number that identifies the batch while it is under way.
  public let id: UInt64
  /// The lane of the events.
  public let lane: DeliveryLane
  /// The events, oldest first; at least one.
  public let events: [QueuedEvent]
}

/// An event that the receiver refused for good.
public struct RejectedEvent: Hashable, Sendable {
  /// The number that the event had in the queue.
  public let id: Int64
  /// The JSON that was stored.
  public let json: [UInt8]
  /// The status of the answer.
  public let status: Int
}
