import Foundation

/// Measures the processor time of the current thread since the clock was created. Work with a budget uses it rather than
/// wall-clock time, which would end the work earlier on a busy machine.
struct ThreadClock {
  private let start = Self.now

  var spent: Duration { Self.now - start }

  private static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
