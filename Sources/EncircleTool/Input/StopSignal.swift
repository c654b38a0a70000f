#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Remembers that the program has been asked to end (SIGTERM, SIGINT), so that it can finish what it has begun.
enum StopSignal {
  // Written by the handler alone, and only ever from 0 to 1.
  nonisolated(unsafe) private static var received: sig_atomic_t = 0

  /// Whether the program has been asked to end.
  static var isReceived: Bool { received != 0 }

  /// From now on such a signal interrupts waiting for input instead of ending the program.
  static func catchSignals() {
    var action = sigaction()
    // No SA_RESTART, so that a read that waits for input returns.
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = { _ in StopSignal.received = 1 }
    #else
      action.__sigaction_handler.sa_handler = { _ in StopSignal.received = 1 }
    #endif
    // A parent may have handed down a mask that blocks them: Foundation's Process does when a worker thread runs it.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGTERM, SIGINT] {
      sigaction(number, &action, nil)
      sigaddset(&signals, number)
    }
    sigprocmask(SIG_UNBLOCK, &signals, nil)
  }
}
