#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Foundation
import Synchronization

/// Records a request to end (SIGTERM, SIGINT), so that the program can finish the work in progress. A second request ends the
/// program immediately. So does a write that blocks for a second, because nobody may be reading the output.
///
/// Signals in quick succession are one request: `timeout` sends its signal to the program and to the program's process group.
enum StopSignal {
  /// A counter that the beginning and the end of each write increment; it is odd during a write.
  private static let writes = Atomic(0)
  /// The number of seconds that a write may block after a request to end.
  private static let patience = 1.0

  static func beginWrite() { writes.add(1, ordering: .relaxed) }

  static func endWrite() { writes.add(1, ordering: .relaxed) }

  /// Ends the program if a write blocks after a request to end.
  private static func watchWrites() {
    Thread.detachNewThread {
      var last = 0
      while true {
        Thread.sleep(forTimeInterval: patience)
        guard isReceived else { continue }
        let now = writes.load(ordering: .relaxed)
        // This is a second request, so it ends the program.
        if now == last, !now.isMultiple(of: 2) { kill(getpid(), SIGTERM) }
        last = now
      }
    }
  }

  /// The time of the first request, in milliseconds of a monotonic clock; 0 before it.
  private static let receivedAt = Atomic<Int>(0)

  /// This is true if the program has been asked to end.
  static var isReceived: Bool { receivedAt.load(ordering: .relaxed) != 0 }

  // This runs in a signal handler, so it only calls async-signal-safe functions.
  private static func receive(_ number: Int32) {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = Int(time.tv_sec) * 1_000 + Int(time.tv_nsec) / 1_000_000
    let (isFirst, first) = receivedAt.compareExchange(expected: 0, desired: now, ordering: .relaxed)
    // Within a tenth of a second, a signal belongs to the first request.
    guard !isFirst, now - first >= 100 else { return }
    // The signal is blocked until the handler returns, and then ends the program.
    signal(number, SIG_DFL)
    raise(number)
  }

  /// Makes the signals interrupt waiting for input instead of ending the program.
  static func catchSignals() {
    // The first access to a static property may initialize it, which a handler must not do.
    _ = isReceived
    var action = sigaction()
    // Without SA_RESTART, the signal interrupts a read that waits for input.
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = { StopSignal.receive($0) }
    #else
      action.__sigaction_handler.sa_handler = { StopSignal.receive($0) }
    #endif
    // The program may have inherited a mask that blocks the signals, as from Foundation's Process in a worker thread.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGTERM, SIGINT] {
      sigaction(number, &action, nil)
      sigaddset(&signals, number)
    }
    sigprocmask(SIG_UNBLOCK, &signals, nil)
    watchWrites()
  }
}
