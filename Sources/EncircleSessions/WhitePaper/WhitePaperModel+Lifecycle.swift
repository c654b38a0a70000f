import EncircleEvents

// Starts and ends, by the statements S1 to S18 or W1 to W48 in docs/articles.md.
extension WhitePaperModel {
  mutating func receive(_ name: NotificationSignal.Name, _ output: inout ReplayOutput) {
    switch name {
    case .didFinishLaunching: finishLaunching(&output)
    case .willEnterForeground:
      process.hasEnteredForeground = true
      process.isPassive = false
      output.explain("lifecycle.foreground", "The app enters the foreground; it is not active yet.")
    case .didBecomeActive: becomeActive(&output)
    case .willResignActive:
      process.hasResigned = true
      output.explain("lifecycle.resign", "The app resigns; it may come back, or go to the background.")
    case .didEnterBackground: enterBackground(&output)
    case .willTerminate:
      output.explain("end.terminate", "Termination is not an end: only going to the background is.", event: "$AppEnd")
    }
  }

  // MARK: - Starts

  private mutating func finishLaunching(_ output: inout ReplayOutput) {
    if article == .article004 {
      startOnce(&output)
    } else if app.state == .background {
      startPassively(&output)
    } else {
      output.explain("start.later", "The start is recorded when the app becomes active.", event: "$AppStart")
    }
  }

  /// Tracks the start that the SDK missed because it was started after the end of launching. The application's state decides
  /// whether the start is passive.
  mutating func startLate(_ output: inout ReplayOutput) {
    if article == .whitePaper, app.state == .inactive {
      output.explain("start.later", "The start is recorded when the app becomes active.", event: "$AppStart")
    } else {
      startOnce(&output)
    }
  }

  /// Tracks the start of the process, unless it was tracked before.
  private mutating func startOnce(_ output: inout ReplayOutput) {
    if process.hasStarted {
      output.explain("start.once", "The start of the process was already tracked.", event: "$AppStart")
    } else if app.state == .background {
      startPassively(&output)
    } else {
      start("start.cold", "The first start of the process.", isResumed: false, &output)
    }
  }

  private mutating func startPassively(_ output: inout ReplayOutput) {
    process.isPassive = true
    trackStart(
      "$AppStartPassively", isResumed: false, "start.passive", "The app was launched in the background.", &output)
  }

  private mutating func becomeActive(_ output: inout ReplayOutput) {
    let hadResigned = process.hasResigned
    let hadEnteredForeground = process.hasEnteredForeground
    process.hasResigned = false
    process.hasEnteredForeground = false
    process.isPassive = false
    switch article {
    case .whitePaper where hadResigned:
      output.explain(
        "start.resigned", "The app had resigned before, as for the notification centre: this is not a start.",
        event: "$AppStart")
    case .whitePaper:
      start(
        process.hasStarted ? "start.hot" : "start.cold", "The app became active, and had not resigned before.",
        isResumed: process.hasStarted, &output)
    case .article004 where !process.hasStarted: startOnce(&output)
    case .article004 where hadEnteredForeground:
      start("start.hot", "The app became active after entering the foreground.", isResumed: true, &output)
    case .article004:
      output.explain("start.foreground", "The app had not entered the foreground before.", event: "$AppStart")
    }
  }

  private mutating func start(_ rule: String, _ reason: String, isResumed: Bool, _ output: inout ReplayOutput) {
    process.startUptime = app.uptime
    trackStart("$AppStart", isResumed: isResumed, rule, reason, &output)
  }

  /// Tracks a start, unless starts are switched off; in either case, the process counts as started.
  ///
  /// If starts are switched off, `article004` neither uses up the first time nor records when the app started (S4). `whitePaper`
  /// has no first time, and counts from becoming active.
  private mutating func trackStart(
    _ name: String, isResumed: Bool, _ rule: String, _ reason: String, _ output: inout ReplayOutput
  ) {
    if app.configuration.automaticEvents.contains(.start) {
      var properties = EventObject()
      if article == .article004 {
        properties.add("$is_first_time", .bool(!store.hasLaunchedOnce))
        properties.add("$resume_from_background", .bool(isResumed))
      }
      store.hasLaunchedOnce = true
      track(name, properties, rule, reason, &output)
    } else {
      if article == .article004 { process.startUptime = nil }
      output.explain("start.off", "Starts are switched off; the process counts as started.", event: name)
    }
    process.hasStarted = true
    importExtensionEvents(&output)
  }

  // MARK: - Ends

  private mutating func enterBackground(_ output: inout ReplayOutput) {
    let hadResigned = process.hasResigned
    // Otherwise, becoming active would never be a start again.
    process.hasResigned = false
    process.isPassive = false
    if hadResigned || article == .whitePaper {
      trackEnd("end.background", "The app went to the background.", &output)
    } else {
      output.explain(
        "end.resign", "The app has not resigned since it became active, or the end was already tracked.",
        event: "$AppEnd")
    }
    flush(&output)
  }

  /// Tracks `$AppEnd`, unless ends are switched off.
  mutating func trackEnd(_ rule: String, _ reason: String, _ output: inout ReplayOutput) {
    let start = process.startUptime
    process.startUptime = nil
    guard app.configuration.automaticEvents.contains(.end) else {
      output.explain("end.off", "Ends are switched off.", event: "$AppEnd")
      return
    }
    var properties = EventObject()
    if let start { properties.add("$event_duration", ArticleDuration.value(app.uptime - start)) }
    track("$AppEnd", properties, rule, reason, &output)
  }
}
