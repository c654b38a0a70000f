import EncircleEvents

/// The number of events that wait, and what sends them.
///
/// A simulation of the counts only: nothing is stored. It begins anew with each process.
struct SensorsQueue {
  static let leastBulkSize = 50
  private static let capacity = 10_000
  private static let dropped = 100
  // The most requests that are sent one after the other.
  private static let mostRequests = 41
  private static let requestSize = 50

  private(set) var count = 0

  /// Adds an event; of too many the oldest are dropped.
  mutating func insert() {
    while count + 1 >= Self.capacity { count -= Self.dropped }
    count += 1
  }

  /// The result of sending.
  struct Flush {
    /// The number of events that left the queue.
    var removed = 0
    /// The number of those that the receiver did not take.
    var rejected = 0
    /// The last status by which it did not take them.
    var rejection: Int?
    /// The status after which the others are kept; 0 without an answer.
    var refusal: Int?
  }

  /// Sends what waits, until the receiver refuses a request.
  mutating func flush(_ receiver: inout SensorsReceiver) -> Flush {
    var result = Flush()
    for _ in 0..<Self.mostRequests where count > 0 {
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

/// What the receiver of events answers.
struct SensorsReceiver {
  private var status = 200
  private var count: Int?
  /// Whether requests wait for their answers. A model in which requests do not wait treats this as no answer.
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
