/// The limits of a queue.
///
/// When more events wait than the queue can hold, it drops the oldest ones that are not being sent, several at a time. They are
/// counted in ``QueueCounts/dropped`` and reported as ``DeliveryNotice/dropped(_:)``.
public struct QueueLimits: Hashable, Sendable {
  /// The largest number of waiting events.
  public var events = 100_000
  /// The largest size of all waiting events together, in bytes of their JSON.
  public var bytes = 256 << 20
  /// The number of events that a full queue drops at a time, the oldest first; never more than a tenth of ``events``.
  public var droppedAtOnce = 100
  /// The largest size of one event, in bytes. A longer one is an error.
  public var eventBytes = 1 << 20
  /// The largest number of rejected events that are kept; beyond it, the oldest are dropped, counted and reported like waiting
  /// ones.
  public var rejected = 10_000
  /// The largest size of all rejected events together, in bytes of their JSON.
  public var rejectedBytes = 64 << 20

  /// Creates the default limits of a server or tool: 100,000 events, 256 MiB.
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
  /// Every crash and kill of the process, and the loss of power: each call that stores waits until the disk confirms the events
  /// (SQLite's write-ahead log with `synchronous=FULL`; on Apple's platforms with `F_FULLFSYNC`).
  case powerLoss
  /// Every crash and kill of the process. If the power fails or the system crashes, the most recently stored events may be
  /// lost; the queue itself stays intact (`synchronous=NORMAL`).
  case crash
}

/// The numbers of events that wait in a queue or have left it.
public struct QueueCounts: Hashable, Sendable {
  /// The number of waiting events, including events being sent.
  public internal(set) var waiting = 0
  /// The size of the waiting events, in bytes.
  public internal(set) var bytes = 0
  /// The number of events that the receiver has taken since the file was created.
  public internal(set) var delivered = 0
  /// The number of events that the receiver refused for good; they are kept apart.
  public internal(set) var rejected = 0
  /// The number of events, including rejected ones, that were dropped since the file was created because the queue was full.
  public internal(set) var dropped = 0
  /// The number of events that the policy has deleted since the file was created although the receiver did not take them.
  public internal(set) var lost = 0
}

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
