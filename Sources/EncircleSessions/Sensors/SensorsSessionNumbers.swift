/// The sessions of `$event_session_id`, by the clock. A session ends after a pause, or after 12 hours.
struct SensorsSessionNumbers {
  /// The state that outlives the process.
  struct Session {
    var number: Int
    var firstTime: Int64
    var lastTime: Int64
  }

  private static let maximumDuration: Int64 = 12 * 3600 * 1000

  /// Returns the number of the session that an event belongs to, and extends it.
  ///
  /// - Parameters:
  ///   - time: The event's time in milliseconds, which a web page may have given.
  ///   - timeout: The longest pause in milliseconds.
  ///   - sessionsSoFar: The number of sessions, which this increments.
  static func number(
    _ session: inout Session?, at time: Int64, timeout: Int64, sessionsSoFar: inout Int
  ) -> Int {
    var current = session ?? Session(number: 0, firstTime: 0, lastTime: 0)
    if time > current.lastTime + timeout || time > current.firstTime + maximumDuration || current.number == 0 {
      sessionsSoFar += 1
      current.number = sessionsSoFar
      current.firstTime = time
    }
    current.lastTime = time
    session = current
    return current.number
  }
}
