/// How much a queue holds, and what happens beyond.
///
/// When more events wait than the queue holds, the oldest ones that are not being sent are dropped, some at a time. They are
/// counted in ``QueueCounts/dropped`` and reported as ``DeliveryNotice/dropped(_:)``.
public struct QueueLimits: Hashable, Sendable {
  /// The largest number of waiting events.
  public var events = 100_000
  /// The largest size of all waiting events together, in bytes of their JSON.
  public var bytes = 256 << 20
  /// How many of the oldest events are dropped at a time; never more than a tenth of ``events``.
  public var droppedAtOnce = 100
  /// The largest size of one event, in bytes. A longer one is an error.
  public var eventBytes = 1 << 20
  /// The largest number of rejected events that are kept; the oldest ones are dropped, counted and reported as waiting ones are.
  public var rejected = 10_000
  /// The largest size of all rejected events together, in bytes of their JSON.
  public var rejectedBytes = 64 << 20

  /// Creates the limits that a server or tool begins with: 100,000 events, 256 MiB.
  public init() {}

  /// Creates limits for a number of waiting events.
  public init(events: Int, bytes: Int = 256 << 20, droppedAtOnce: Int = 100) {
    self.events = max(1, events)
    self.bytes = max(1, bytes)
    self.droppedAtOnce = max(1, droppedAtOnce)
  }
}

/// The failures that a stored event survives.
public enum Durability: Hashable, Sendable {
  /// Every crash and kill of the process, and the loss of power: each call that stores waits until the disk says that it has
  /// the events (SQLite's write-ahead log with `synchronous=FULL`; on Apple's platforms with `F_FULLFSYNC`).
  case powerLoss
  /// Every crash and kill of the process. If the power fails or the system crashes, the events that were stored last may be lost;
  /// the queue itself stays intact (`synchronous=NORMAL`).
  case crash
}

/// The numbers of events that wait in a queue, and of those that have left it.
public struct QueueCounts: Hashable, Sendable {
  /// The events that wait, those being sent included.
  public internal(set) var waiting = 0
  /// The bytes of those events.
  public internal(set) var bytes = 0
  /// The events that the receiver took since the file was made.
  public internal(set) var delivered = 0
  /// The events that the receiver refused for good and that are kept apart.
  public internal(set) var rejected = 0
  /// The events that were dropped because the queue was full, rejected ones included, since the file was made.
  public internal(set) var dropped = 0
  /// The events that the policy deleted although the receiver did not take them, since the file was made.
  public internal(set) var lost = 0
}

/// Which events go first.
public enum DeliveryLane: Int, Hashable, Sendable {
  /// Events that are sent before all others, oldest first among themselves.
  case instant = 0
  /// All others.
  case normal = 1
}

/// An event in a queue.
public struct QueuedEvent: Hashable, Sendable {
  /// The number of the event in its queue, ascending in the order of storing; never used again.
  public let id: Int64
  /// The JSON that was stored.
  public let json: [UInt8]
}

/// Events that are taken out of a queue together to be sent. They stay in the file until they are settled.
public struct EventBatch: Hashable, Sendable {
  /// A random number by which the batch is known while it is under way.
  public let id: UInt64
  /// Where the events come from.
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
