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
