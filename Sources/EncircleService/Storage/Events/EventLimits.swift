/// The limits of retention: events beyond any of them are deleted.
public struct EventLimits: Sendable {
  /// The number of days since an event was received.
  public var days: Int
  /// The number of all events.
  public var rows: Int
  /// The maximum size of events on disk, in bytes, counters included.
  public var bytes: Int

  public init(days: Int = 30, rows: Int = 1_000_000, bytes: Int = 8 << 30) {
    self.days = days
    self.rows = rows
    self.bytes = bytes
  }

  /// Returns the time under which an event is counted. This is the time when it happened, unless that is in the future or
  /// before the period for which events are kept. Then it is the time when the event arrived.
  func countedTime(of row: EventRow) -> Int64 {
    let oldest = row.received - Int64(days) * 86_400_000
    return (oldest...row.received).contains(row.time) ? row.time : row.received
  }
}
