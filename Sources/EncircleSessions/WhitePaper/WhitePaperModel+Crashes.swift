import EncircleEvents

// Crashes by exception and by signal.
extension WhitePaperModel {
  /// Installs the SDK's handlers in place of the present ones.
  mutating func installCrashHandlers() {
    process.hasEarlierExceptionHandler = process.exceptionHandler == .app
    process.hasEarlierSignalHandler = process.signalHandler == .app
    process.exceptionHandler = .sdk
    process.signalHandler = .sdk
  }

  mutating func performCrash(_ action: SignalAction, _ output: inout ReplayOutput) {
    switch action {
    case .previousHandlers:
      process.exceptionHandler = .app
      process.signalHandler = .app
      output.explain("crash.handlers", "The app installs handlers of its own.")
    case .exception(let reason, let stack):
      crash(reason, stack, process.exceptionHandler, process.hasEarlierExceptionHandler, "exception", &output)
    case .unixSignal(let number, let stack):
      let handler = CrashSignals.handled.contains(number) ? process.signalHandler : .none
      crash("signal \(number)", stack, handler, process.hasEarlierSignalHandler, "signal \(number)", &output)
    default: break
    }
  }

  private mutating func crash(
    _ reason: String, _ stack: [String], _ handler: CrashHandler, _ hasEarlier: Bool, _ kind: String,
    _ output: inout ReplayOutput
  ) {
    if handler == .sdk { trackCrash(([reason] + stack).joined(separator: "\n"), &output) }
    if handler == .app || (handler == .sdk && hasEarlier) {
      output.append(.note("previous handler of \(kind) called"))
      output.explain("crash.previous", "The app's own handler is called, too.")
    } else if handler == .none {
      output.append(.note("\(kind): no handler, the process ends"))
      output.explain("crash.unhandled", "The SDK has no handler for this.", event: "$AppCrashed")
    }
  }

  /// Tracks a crash, and the end that would otherwise be missing. Afterwards, no handler is left.
  private mutating func trackCrash(_ reason: String, _ output: inout ReplayOutput) {
    track(
      "$AppCrashed", ["app_crashed_reason": .string(reason)], "crash.handled", "The SDK's handler was called.", &output)
    if app.state == .active {
      trackEnd("end.crash", "The app crashed while it was active.", &output)
    } else {
      output.explain("end.crash", "The app was not active when it crashed.", event: "$AppEnd")
    }
    process.exceptionHandler = .none
    process.signalHandler = .none
  }
}
