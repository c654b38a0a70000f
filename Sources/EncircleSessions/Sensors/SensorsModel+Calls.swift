import EncircleEvents
import EncircleText

// Calls by the app's code.
extension SensorsModel {
  mutating func performCall(_ action: SignalAction, _ output: inout ReplayOutput) throws(SessionModelError) {
    switch action {
    case .enableSDK:
      enable(&output)
      return
    default: break
    }
    guard process.isAvailable else {
      explainUnavailable(event: nil, &output)
      return
    }
    switch action {
    case .track(let name, let properties):
      track(SensorsDraft(.track, named: name, properties), "code.track", "The app's code tracks it.", &output)
    case .startTimer, .endTimer, .pauseTimer, .resumeTimer, .removeTimer, .clearTimers:
      try performTimer(action, &output)
    case .superProperties(let properties): try register(properties, &output)
    case .dynamicProperties(let properties):
      process.dynamicFunction = properties
      output.explain("properties.dynamic", "The function is called for each later event.")
    case .profile(let properties):
      guard let properties else {
        output.explain("code.profile", "Without properties, even without an empty object, nothing is set.")
        return
      }
      track(
        SensorsDraft(.profileSet, named: nil, properties), "code.profile", "The app's code sets a profile.", &output)
    case .webMessage(_, in: .old): output.explain("web.old", "A UIWebView has no script messages.")
    case .webMessage(let message, in: .modern): receive(message, &output)
    case .importExtensionEvents(let signal): importEvents(signal, &output)
    case .webRequest(let url) where WebBridge.asksForIDs(url):
      output.explain("web.ids", "The page asks who uses the app, which is not an event.")
    case .webRequest(let url):
      if let message = try WebBridge.event(in: url, members: limits.members, &output) { receive(message, &output) }
    case .userAgent(let text, _): WebBridge.note(userAgent: text, &output)
    case .disableSDK: disable(&output)
    case .flush:
      flush(&output)
      output.explain("queue.flush", "What waits is sent.")
    default: try performIdentity(action, &output)
    }
  }

  // MARK: - On and off

  private mutating func disable(_ output: inout ReplayOutput) {
    track(
      SensorsDraft(.track, named: "$AppDataTrackingClose"), "sdk.close", "Switching off the SDK is recorded.", &output)
    flush(&output)
    process.timers.removeAll()
    process.mainQueue.append(.stopFlushTimer)
    process.leaves.removeAll()
    process.isDisabled = true
  }

  private mutating func enable(_ output: inout ReplayOutput) {
    guard process.isInitialized, process.isDisabled else {
      output.explain("sdk.enabled", "The SDK is not switched off.")
      return
    }
    process.isDisabled = false
    if configuration.tracksCrashes { installCrashHandlers() }
    process.mainQueue.append(.startFlushTimer)
    output.explain("sdk.enabled", "The SDK is on again; its state machine has gone on meanwhile.")
  }

  // MARK: - Properties

  private mutating func register(
    _ properties: EventObject, _ output: inout ReplayOutput
  ) throws(SessionModelError) {
    let valid = SensorsProperties.valid(properties)
    process.superProperties = Self.without(valid, process.superProperties)
    process.superProperties.merge(valid)
    if process.superProperties.members.count > limits.members {
      throw SessionModelError("more than \(limits.members) super properties")
    }
    store.superProperties = process.superProperties
    output.explain("properties.super", "Later events have these properties.")
  }

  // MARK: - Timers

  private mutating func performTimer(
    _ action: SignalAction, _ output: inout ReplayOutput
  ) throws(SessionModelError) {
    switch action {
    case .startTimer(let timer):
      guard let event = timer.event, !event.utf8.isEmpty else {
        output.explain("timer.name", "A timer needs the name of an event.")
        return
      }
      let id = process.timers.start(event, at: milliseconds)
      if let alias = timer.alias { process.timerAliases[UTF8String(alias)] = id }
      if max(process.timers.count, process.timerAliases.count) - limits.timers > limits.timers {
        throw SessionModelError("more than \(limits.timers) timers at a time")
      }
      output.explain("timer.start", "The time of the event begins.", event: event)
    case .endTimer(let timer, let properties):
      var draft = SensorsDraft(.track, name(of: timer))
      draft.properties = properties
      track(
        draft, "timer.end", "The app's code tracks it, with the time since its beginning if there is a timer.", &output)
    case .pauseTimer(let timer):
      if let name = validName(of: timer, &output) { process.timers.pause(name, at: milliseconds) }
    case .resumeTimer(let timer):
      if let name = validName(of: timer, &output) { process.timers.resume(name, at: milliseconds) }
    case .removeTimer(let timer):
      if let name = validName(of: timer, &output) { process.timers.remove(name) }
    default:
      process.timers.removeAll()
      output.explain("timer.clear", "No event has a duration any more, not even $AppEnd.")
    }
  }

  /// Returns the timer that a signal refers to by the alias of its ID, or by the event's name.
  private func name(of timer: TimerName) -> SensorsTimers.Name? {
    if let alias = timer.alias, let id = process.timerAliases[UTF8String(alias)] { return id }
    return timer.event.map { .name(UTF8String($0)) }
  }

  private func validName(of timer: TimerName, _ output: inout ReplayOutput) -> SensorsTimers.Name? {
    let name = name(of: timer)
    output.explain("timer.change", "A timer changes; there is no event.", event: name?.event.text)
    return name
  }

  // MARK: - Identity

  private mutating func performIdentity(
    _ action: SignalAction, _ output: inout ReplayOutput
  ) throws(SessionModelError) {
    switch action {
    // The SDK calls the app's function even if no event follows.
    case .login, .bind, .unbind: evaluateDynamicProperties()
    default: break
    }
    switch action {
    case .login(let id, let key): logIn(id, key ?? SensorsIdentity.loginKey, &output)
    case .logout:
      process.identity.logOut()
      output.explain("identity.logout", "Logging out is not an event.")
    case .identify(let id):
      if process.identity.identify(id) {
        keychainID = process.identity.anonymousID
        output.explain("identity.identify", "The anonymous ID changes; there is no event.")
      } else {
        output.explain("identity.identify", "The anonymous ID is empty, or the same.")
      }
    case .resetAnonymousID:
      process.identity.resetAnonymousID(to: device.anonymousID())
      keychainID = process.identity.anonymousID
      output.explain("identity.reset", "The anonymous ID is the device's again; there is no event.")
    case .bind(let key, let id):
      guard let key, let id, process.identity.canBind(key, id) else {
        output.explain("identity.bind", "The key is reserved or no name, or the ID is empty.", event: "$BindID")
        return
      }
      process.identity.bind(key, id)
      if process.identity.identities.members.count > limits.members {
        throw SessionModelError("more than \(limits.members) identities")
      }
      track(SensorsDraft(.bind, named: "$BindID"), "identity.bind", "The app binds an identity.", &output)
    case .unbind(let key, let id):
      guard let key, let id, process.identity.canUnbind(key, id) else {
        output.explain("identity.unbind", "The key is reserved or no name, or the ID is empty.", event: "$UnbindID")
        return
      }
      process.identity.unbind(key, id)
      track(
        SensorsDraft(.unbind, named: "$UnbindID"), "identity.unbind", "The app unbinds an identity, bound or not.",
        &output)
    default: break
    }
  }

  private mutating func logIn(_ id: String?, _ key: String, _ output: inout ReplayOutput) {
    guard let id, process.identity.canLogIn(id, key: key) else {
      output.explain(
        "identity.login",
        "The ID is empty, the anonymous ID or the logged-in user's, or the key is reserved.",
        event: "$SignUp")
      return
    }
    process.identity.logIn(id, key: key)
    var draft = SensorsDraft(.signUp, named: "$SignUp")
    draft.isSignUp = true
    track(draft, "identity.login", "A user logs in.", &output)
  }
}
