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
        // The first signal restored the default handlers, so this one ends the program.
        if now == last, !now.isMultiple(of: 2) { kill(getpid(), SIGTERM) }
        last = now
      }
    }
  }

  // Only the handler writes this, and only changes it from 0 to 1.
  nonisolated(unsafe) private static var received: sig_atomic_t = 0

  /// Whether the program has been asked to end.
  static var isReceived: Bool { received != 0 }

  // This runs in a signal handler, so it only calls async-signal-safe functions.
  private static func receive() {
    received = 1
    signal(SIGTERM, SIG_DFL)
    signal(SIGINT, SIG_DFL)
  }

  /// Makes the signals interrupt waiting for input instead of ending the program.
  static func catchSignals() {
    var action = sigaction()
    // Without SA_RESTART, the signal interrupts a read that waits for input.
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = { _ in StopSignal.receive() }
    #else
      action.__sigaction_handler.sa_handler = { _ in StopSignal.receive() }
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
