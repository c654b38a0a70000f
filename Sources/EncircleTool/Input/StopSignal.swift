#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Foundation
import Synchronization

/// Records a request to end (SIGTERM, SIGINT), so that the program can finish the work that it has begun. A second request
/// ends it at once, and so does a write that blocks for a second: nobody may be reading what it writes.
enum StopSignal {
  /// Changes with the beginning and the end of each write, so that it is odd while something is being written.
  private static let writes = Atomic(0)
  /// How long a write may block after a request to end.
  private static let patience = 1.0

  static func beginWrite() { writes.add(1, ordering: .relaxed) }

  static func endWrite() { writes.add(1, ordering: .relaxed) }

  /// Ends the program when it has been asked to end and waits in a write.
  private static func watchWrites() {
    Thread.detachNewThread {
      var last = 0
      while true {
        Thread.sleep(forTimeInterval: patience)
        guard isReceived else { continue }
        let now = writes.load(ordering: .relaxed)
        // The first signal has restored the default handlers, so this one ends the program.
        if now == last, !now.isMultiple(of: 2) { kill(getpid(), SIGTERM) }
        last = now
      }
    }
  }

  // Only the handler writes this, and only to change it from 0 to 1.
  nonisolated(unsafe) private static var received: sig_atomic_t = 0

  /// Whether the program has been asked to end.
  static var isReceived: Bool { received != 0 }

  // Runs in the handler, so it calls nothing but what a handler may call.
  private static func receive() {
    received = 1
    signal(SIGTERM, SIG_DFL)
    signal(SIGINT, SIG_DFL)
  }

  /// Makes the signals interrupt waiting for input instead of ending the program.
  static func catchSignals() {
    var action = sigaction()
    // Without SA_RESTART a read that waits for input returns.
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
