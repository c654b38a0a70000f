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
