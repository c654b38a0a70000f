import EncircleEvents
import EncircleText

// Calls by the app's code, and events that web pages send.
extension WhitePaperModel {
  mutating func performCall(_ action: SignalAction, _ output: inout ReplayOutput) throws(SessionModelError) {
    switch action {
    case .track(let name, let properties):
      guard let name else {
        output.explain("code.name", "An event needs a name.")
        return
      }
      track(name, properties, "code.track", "The app's code tracks it.", &output)
    case .startTimer, .endTimer, .pauseTimer, .resumeTimer, .removeTimer, .clearTimers:
      try performTimer(action, &output)
    case .superProperties(let properties): try register(properties, &output)
    case .dynamicProperties(let properties):
      process.dynamicProperties = properties
      output.explain("properties.dynamic", "The function is called for each later event.")
    case .login(let id, _):
      guard let id, !id.utf8.isEmpty else {
        output.explain("login.empty", "A login needs an ID.")
        return
      }
      store.loginID = id
      output.explain("login", "All later events have this ID.")
    case .logout:
      store.loginID = nil
      output.explain("login", "All later events have the anonymous ID.")
    case .webMessage(_, in: .old): output.explain("web.old", "A UIWebView has no script messages, only requests.")
    case .webMessage(let message, in: .modern): receive(message, &output)
    case .webRequest(let url):
      if let message = try WebBridge.event(in: url, members: app.limits.members, &output) { receive(message, &output) }
    case .userAgent(let text, in: .old): WebBridge.note(userAgent: text, &output)
    case .userAgent(let text, in: .modern):
      // Pages that load before the main queue turns do not see the mark.
      process.askedUserAgents.append(text)
      output.explain("web.agent-asked", "A WKWebView returns its user agent later, when the main queue turns.")
    case .flush:
      flush(&output)
      output.explain("queue.flush", "What waits is sent.")
    default: explainUndescribedCall(&output)
    }
  }

  private mutating func register(
    _ properties: EventObject, _ output: inout ReplayOutput
  ) throws(SessionModelError) {
    store.superProperties.merge(properties)
    if store.superProperties.members.count > app.limits.members {
      throw SessionModelError("more than \(app.limits.members) super properties")
    }
    output.explain("properties.super", "Later events have these properties, also in later processes.")
  }

  // MARK: - Timers

  private mutating func performTimer(
    _ action: SignalAction, _ output: inout ReplayOutput
  ) throws(SessionModelError) {
    let uptime = app.uptime
    var change: (@Sendable (inout WhitePaperTimers, String) -> Void)?
    var name: TimerName?
    switch action {
    case .endTimer(let timer, let properties):
      end(timer, properties, &output)
      return
    case .startTimer(let timer): (name, change) = (timer, { $0.start($1, at: uptime) })
    case .pauseTimer(let timer): (name, change) = (timer, { $0.pause($1, at: uptime) })
    case .resumeTimer(let timer): (name, change) = (timer, { $0.resume($1, at: uptime) })
    case .removeTimer(let timer): (name, change) = (timer, { $0.remove($1) })
    default:
      process.timers.removeAll()
      output.explain("timer.clear", "No event has a duration any more.")
      return
    }
    guard let event = name?.event, let change else {
      output.explain("timer.name", "A timer has the name of its event, and no ID.")
      return
    }
    change(&process.timers, event)
    if process.timers.count > app.limits.timers {
      throw SessionModelError("more than \(app.limits.timers) timers at a time")
    }
    output.explain("timer.change", "A timer changes; there is no event.", event: event)
  }

  private mutating func end(_ timer: TimerName, _ properties: EventObject, _ output: inout ReplayOutput) {
    guard let event = timer.event else {
      output.explain("timer.name", "A timer has the name of its event, and no ID.")
      return
    }
    var all = EventObject()
    if let seconds = process.timers.end(event, at: app.uptime) { all.add("$event_duration", seconds) }
    all.merge(properties)
    track(
      event, all, "timer.end", "The app's code tracks it, with the uptime since its beginning if there is a timer.",
      &output)
  }

  // MARK: - Web pages

  /// Stores the event in a web page's message with the app's ID and properties, and a mark. The page states its own library.
  private mutating func receive(_ message: EventObject, _ output: inout ReplayOutput) {
    guard let name = message.text("event") else {
      output.explain("web.name", "The message has no event.")
      return
    }
    var properties = store.superProperties
    properties.merge(process.dynamicProperties)
    if case .object(let own)? = message["properties"] { properties.merge(own) }
    var preset = process.presetProperties
    for name in PresetProperties.library { preset.set(name, nil) }
    properties.merge(preset)
    var record: EventObject = [
      "time": message["time"] ?? .number(DecimalNumber(app.time)), "type": .string(message.text("type") ?? "track"),
      "event": .string(name),
    ]
    record.add("distinct_id", .string(distinctID))
    record.add("properties", .object(properties))
    record.add("_hybrid_h5", true)
    store(record, name, "web.message", "A web page in the app sent it.", &output)
  }
}
