import EncircleEvents

/// The number of waiting events, and the triggers that send them.
///
/// This simulates the counts only and stores no events. It starts over with each process.
struct SensorsQueue {
  static let minimumBulkSize = 50
  private static let capacity = 10_000
  private static let dropped = 100
  // The maximum number of requests that are sent in a row.
  private static let maximumRequests = 41
  private static let requestSize = 50

  private(set) var count = 0

  /// Adds an event; a full queue drops the oldest events.
  mutating func insert() {
    while count + 1 >= Self.capacity { count -= Self.dropped }
    count += 1
  }

  /// The result of sending.
  struct Flush {
    /// The number of events that left the queue.
    var removed = 0
    /// The number of removed events that the receiver rejected.
    var rejected = 0
    /// The last status with which it rejected events.
    var rejection: Int?
    /// The status after which the remaining events are kept; 0 without an answer.
    var refusal: Int?
  }

  /// Sends the waiting events until the receiver refuses a request.
  mutating func flush(_ receiver: inout SensorsReceiver) -> Flush {
    var result = Flush()
    for _ in 0..<Self.maximumRequests where count > 0 {
      let status = receiver.next()
      if SensorsAnswer.keepsEvents(status: status) {
        result.refusal = status
        break
      }
      let size = min(count, Self.requestSize)
      count -= size
      result.removed += size
      if !(200..<300).contains(status) {
        result.rejected += size
        result.rejection = status
      }
    }
    return result
  }
}

/// The answers of the event receiver.
struct SensorsReceiver {
  private var status = 200
  private var count: Int?
  /// This is true if requests wait for their answers. Models that do not simulate waiting take this for a missing answer.
  private(set) var isSlow = false

  mutating func set(_ signal: ReceiverSignal) {
    status = signal.status
    count = signal.count
    isSlow = signal.isSlow
  }

  /// Returns the status of the next answer; 0 if there is none.
  mutating func next() -> Int {
    let answer = status
    if let left = count {
      count = left > 1 ? left - 1 : nil
      if left <= 1 { status = 200 }
    }
    return answer
  }
}
