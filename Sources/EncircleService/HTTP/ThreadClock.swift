import Foundation

/// The processor time that this thread has spent since the clock was made: by it, work ends that is better done in part
/// than not at all. Time of the day would end it earlier on a machine with much to do.
struct ThreadClock {
  private let start = Self.now

  var spent: Duration { Self.now - start }

  private static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
