import EncircleEvents

// Crashes by exception and by signal.
extension SensorsModel {
  // After this number of calls, the SDK's handlers only call the earlier handlers.
  private static let maximumCrashes = 10

  /// Installs the SDK's handlers in place of the present ones, even if these are the SDK's own.
  mutating func installCrashHandlers() {
    process.earlierExceptionHandler = process.exceptionHandler
    process.earlierSignalHandler = process.signalHandler
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
      let crash = Crash(
        reason: "Exception Reason:\(reason)\nException Stack:\(Self.text(of: stack))", what: "exception",
        called: "previous exception handler called")
      raise(crash, process.exceptionHandler, earlier: process.earlierExceptionHandler, &output)
    case .unixSignal(let number, let stack):
      let crash = Crash(
        reason: "Signal \(number) was raised. \(Self.text(of: stack))", what: "signal \(number)",
        called: "previous handler of signal \(number) called")
      let handler = CrashSignals.handled.contains(number) ? process.signalHandler : .none
      raise(crash, handler, earlier: process.earlierSignalHandler, &output)
    default: break
    }
  }

  private static func text(of stack: [String]) -> String { stack.isEmpty ? "…" : stack.joined(separator: "\n") }

  /// The description of a crash.
  private struct Crash {
    var reason: String
    var what: String
    /// The note that the app's handler was called.
    var called: String
  }

  private mutating func raise(
    _ crash: Crash, _ handler: CrashHandler, earlier: CrashHandler,
    _ output: inout ReplayOutput
  ) {
    if handler == .sdk {
      handle(crash, &output)
      // The SDK's handler is its own earlier handler: it calls itself until the stack overflows.
      while earlier == .sdk, process.crashCalls < Self.maximumCrashes { handle(crash, &output) }
    }
    if handler == .app || (handler == .sdk && earlier == .app) {
      output.append(.note(crash.called))
      output.explain("crash.previous", "The app's own handler is called, too.")
    } else if handler == .none {
      output.append(.note("\(crash.what): no handler, the process ends"))
      output.explain("crash.unhandled", "The SDK has no handler for it: \(crash.what).", event: "AppCrashed")
    } else if earlier == .sdk {
      output.append(.note("\(crash.what): the SDK's handler calls itself, the process ends"))
      output.explain(
        "crash.repeated", "Switched on again, the SDK takes its own handler for the earlier one; ten calls have events."
      )
    }
  }

  /// Tracks a crash and, if the application is active, the end of pages and of the app. Afterwards, no handler is left.
  private mutating func handle(_ crash: Crash, _ output: inout ReplayOutput) {
    process.crashCalls += 1
    guard process.crashCalls <= Self.maximumCrashes else { return }
    guard process.isAvailable else {
      explainUnavailable(event: "AppCrashed", &output)
      return
    }
    track(
      SensorsDraft(.track, named: "AppCrashed", ["app_crashed_reason": .string(crash.reason)]), "crash.handled",
      "The SDK's handler was called.", &output)
    if process.applicationState == .active {
      if configuration.tracksPageLeave { trackLeaves("leave.crash", "The app crashed with the page.", &output) }
      trackEnd("end.crash", "The app crashed while it was active.", &output)
    } else {
      output.explain("end.crash", "The app was not active when it crashed.", event: "$AppEnd")
    }
    process.exceptionHandler = .none
    process.signalHandler = .none
  }
}
