/// The owner of a crash handler.
enum CrashHandler {
  case none, app, sdk
}

/// The signals for which SDKs install handlers.
enum CrashSignals {
  /// SIGILL, SIGABRT, SIGFPE, SIGSEGV, and SIGBUS: 10 on Apple's systems, 7 on Linux.
  static let handled: Set<Int> = [4, 6, 7, 8, 10, 11]
}
