import EncircleEvents

// Starts and ends: the SDK's state machine.
extension SensorsModel {
  /// Sets the application's state as iOS does, and notifies the SDK.
  mutating func receive(_ notification: NotificationSignal, _ output: inout ReplayOutput) {
    // A notification that other code posts does not change the application's state.
    if let state = notification.state ?? (notification.isForeign ? nil : notification.name.state) {
      process.applicationState = state
    }
    defer {
      if notification.name == .willResignActive, notification.state == nil, !notification.isForeign {
        process.applicationState = .inactive
      }
    }
    guard process.isInitialized else {
      output.explain("init.missing", "The SDK has not been started yet.")
      return
    }
    switch notification.name {
    case .didBecomeActive:
      guard isOwn(notification, .active, &output) else { return }
      setLifecycle(.start, &output)
    case .didEnterBackground:
      guard isOwn(notification, .background, &output) else { return }
      setLifecycle(.end, &output)
    case .willTerminate: setLifecycle(.terminate, &output)
    case .didFinishLaunching, .willEnterForeground, .willResignActive:
      output.explain("lifecycle.unwatched", "The SDK does not watch this notification.")
    }
  }

  /// Returns whether the application itself posted a notification, in the state that iOS sets for it.
  private func isOwn(
    _ notification: NotificationSignal, _ state: ApplicationState, _ output: inout ReplayOutput
  ) -> Bool {
    if notification.isForeign {
      output.explain("lifecycle.object", "Something other than the application posted the notification.")
      return false
    }
    if process.applicationState != state {
      output.explain("lifecycle.state", "The application's state is not \(state.rawValue).")
      return false
    }
    return true
  }

  /// Changes the state of the state machine and everything that depends on it.
  mutating func setLifecycle(_ new: SensorsProcess.Lifecycle, _ output: inout ReplayOutput) {
    let old = process.lifecycle
    if new == old {
      output.explain("lifecycle.same", "The SDK's state is '\(new.rawValue)' already.")
      return
    }
    leavePages(for: new, &output)
    if process.isAvailable { adjustTimers(from: old, to: new) }
    process.lifecycle = new
    guard process.isAvailable else {
      output.explain("sdk.disabled", "The SDK is switched off; its state changes nevertheless.")
      return
    }
    process.isPassive = old == .initial && new == .startPassively
    switch new {
    case .startPassively where process.isPassive: startPassively(&output)
    case .startPassively:
      output.explain(
        "start.passive", "Only the first state of a process is a passive start.", event: "$AppStartPassively")
    case .start: start(after: old, &output)
    case .end: end(&output)
    case .terminate:
      output.explain("end.terminate", "Termination is not an end: only going to the background is.", event: "$AppEnd")
    case .initial: break
    }
  }

  private mutating func adjustTimers(from old: SensorsProcess.Lifecycle, to new: SensorsProcess.Lifecycle) {
    if old != .initial, new == .start {
      process.timers.restart(at: milliseconds)
    } else if new == .end {
      process.mainQueue.append(.stopFlushTimer)
      process.timers.suspend(at: milliseconds)
    }
  }

  private mutating func startPassively(_ output: inout ReplayOutput) {
    // The SDK sends nothing before the app comes to the front.
    _ = trackStart(
      "$AppStartPassively", isFirst: !store.hasLaunchedOnce, isResumed: false, "start.passive",
      "The app was launched in the background.", &output)
  }

  private mutating func start(after old: SensorsProcess.Lifecycle, _ output: inout ReplayOutput) {
    if let timer = process.endTimer { process.timers.remove(timer) }
    process.endTimer = process.timers.start("$AppEnd", at: milliseconds)
    let isResumed = process.hasStarted
    let isTracked = trackStart(
      "$AppStart", isFirst: !isResumed && !store.hasLaunchedOnce, isResumed: isResumed,
      isResumed ? "start.hot" : "start.cold",
      isResumed
        ? "The application became active from the state '\(old.rawValue)'." : "The first start of the process.", &output
    )
    if isTracked { flush(&output) }
    if old == .startPassively { trackHeldPages(&output) }
    process.mainQueue.append(.startFlushTimer)
  }

  /// Tracks a start, unless starts are switched off; in either case it counts as a start. Returns whether it was tracked.
  private mutating func trackStart(
    _ name: String, isFirst: Bool, isResumed: Bool, _ rule: String, _ reason: String, _ output: inout ReplayOutput
  ) -> Bool {
    let isTracked = configuration.automaticEvents.contains(.start)
    if isTracked {
      trackAutomatic(
        name, ["$is_first_time": .bool(isFirst), "$resume_from_background": .bool(isResumed)], rule, reason, &output)
    } else {
      output.explain("start.off", "Starts are switched off; it counts as one nevertheless.", event: name)
    }
    store.hasLaunchedOnce = true
    process.hasStarted = true
    return isTracked
  }

  private mutating func end(_ output: inout ReplayOutput) {
    trackEnd("end.background", "The app went to the background.", &output)
    flush(&output)
  }

  /// Tracks `$AppEnd`, unless ends are switched off.
  mutating func trackEnd(_ rule: String, _ reason: String, _ output: inout ReplayOutput) {
    guard configuration.automaticEvents.contains(.end) else {
      output.explain("end.off", "Ends are switched off.", event: "$AppEnd")
      return
    }
    var draft = SensorsDraft(.track, process.endTimer ?? .name("$AppEnd"))
    draft.method = SensorsDraft.automatic
    track(draft, rule, reason, &output)
  }
}
