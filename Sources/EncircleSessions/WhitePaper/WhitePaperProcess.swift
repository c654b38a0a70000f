import EncircleEvents
import EncircleText

/// What a process of the app keeps in memory.
struct WhitePaperProcess {
  /// Who handles a crash.
  enum CrashHandler {
    case none, app, sdk
  }

  /// Whether the start is to be tracked when the main queue turns.
  var isLate = false
  /// The user agents that web views have been asked for, and tell when the main queue turns.
  var askedUserAgents: [String] = []
  /// Whether there was a start, or would have been one, in this process.
  var hasStarted = false
  /// Whether the app was launched in the background, and has not left that state yet.
  var isPassive = false
  /// Whether the app has resigned, and neither become active nor entered the background since.
  var hasResigned = false
  /// Whether the app has entered the foreground, and not become active since.
  var hasEnteredForeground = false
  /// The uptime from which the duration of `$AppEnd` counts.
  var startUptime: Double?

  /// What the device said of itself when the SDK was started.
  var presetProperties = EventObject()
  /// What the app's function for dynamic properties returns.
  var dynamicProperties = EventObject()
  var timers = WhitePaperTimers()
  /// The URL of the last page that has one.
  var lastURL: String?
  /// The uptime at which the timer that sends events fires next.
  var nextFlush = 0.0

  var exceptionHandler = CrashHandler.none
  var signalHandler = CrashHandler.none
  /// Whether the SDK has found handlers of the app, which it calls after its own.
  var hasEarlierExceptionHandler = false
  var hasEarlierSignalHandler = false
}

/// What the device keeps of the app when its process ends.
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
  /// Whether the app has been started before.
  var hasLaunchedOnce = false
  var firstDay: DeviceDay?
  /// What extensions have left in the shared container.
  var extensionEvents: [ExtensionEvent] = []
  /// The number of events that are stored and not sent.
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

  /// Ends a timer; returns its seconds as they are sent, nil if there is none.
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
