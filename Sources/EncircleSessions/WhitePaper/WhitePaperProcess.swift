import EncircleEvents
import EncircleText

/// The state that a process of the app keeps in memory.
struct WhitePaperProcess {
  /// This is true if the start is to be tracked when the main queue turns.
  var isLate = false
  /// The user agents that the SDK asked web views for, and that arrive when the main queue turns.
  var askedUserAgents: [String] = []
  /// This is true if this process had a start, even one that was switched off.
  var hasStarted = false
  /// This is true if the app was launched in the background and has not left it yet.
  var isPassive = false
  /// This is true if the app has resigned, and has neither become active nor entered the background since.
  var hasResigned = false
  /// This is true if the app has entered the foreground and has not become active since.
  var hasEnteredForeground = false
  /// The uptime from which the duration of `$AppEnd` counts.
  var startUptime: Double?

  /// The properties of the device when the SDK was started.
  var presetProperties = EventObject()
  /// The result of the app's function for dynamic properties.
  var dynamicProperties = EventObject()
  var timers = WhitePaperTimers()
  /// The URL of the last page that has one.
  var lastURL: String?
  /// The uptime at which the timer that sends events fires next.
  var nextFlush = 0.0

  var exceptionHandler = CrashHandler.none
  var signalHandler = CrashHandler.none
  /// This is true if the SDK found an exception handler of the app, which it calls after its own.
  var hasEarlierExceptionHandler = false
  var hasEarlierSignalHandler = false
}

/// The state that outlives the app's process.
struct WhitePaperStore {
  /// An event of an extension.
  struct ExtensionEvent {
    var time: Int64
    var name: String
    var properties: EventObject
  }

  var anonymousID: String?
  var loginID: String?
  var superProperties = EventObject()
  /// This is true if the app has been started before.
  var hasLaunchedOnce = false
  var firstDay: DeviceDay?
  /// The events that extensions left in the shared container.
  var extensionEvents: [ExtensionEvent] = []
  /// The number of stored events that have not been sent.
  var waiting = 0
}

/// Timers of code, by the names of their events and by uptime.
struct WhitePaperTimers {
  private struct Timer {
    var begin: Double
    var seconds = 0.0
    var isPaused = false
  }

  private var timers: [UTF8String: Timer] = [:]

  var count: Int { timers.count }

  mutating func start(_ event: String, at uptime: Double) { timers[UTF8String(event)] = Timer(begin: uptime) }

  /// Ends a timer; returns its duration as the SDK sends it, or nil if no timer runs.
  mutating func end(_ event: String, at uptime: Double) -> EventValue? {
    guard let timer = timers.removeValue(forKey: UTF8String(event)) else { return nil }
    return ArticleDuration.value(timer.seconds + (timer.isPaused ? 0 : uptime - timer.begin))
  }

  mutating func pause(_ event: String, at uptime: Double) {
    guard var timer = timers[UTF8String(event)], !timer.isPaused else { return }
    timer.seconds += uptime - timer.begin
    timer.isPaused = true
    timers[UTF8String(event)] = timer
  }

  mutating func resume(_ event: String, at uptime: Double) {
    guard timers[UTF8String(event)]?.isPaused == true else { return }
    timers[UTF8String(event)]?.isPaused = false
    timers[UTF8String(event)]?.begin = uptime
  }

  mutating func remove(_ event: String) { timers[UTF8String(event)] = nil }

  mutating func removeAll() { timers = [:] }
}
