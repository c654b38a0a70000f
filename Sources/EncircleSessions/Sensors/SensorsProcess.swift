import EncircleEvents
import EncircleText

/// The state that a process of the app keeps in memory.
struct SensorsProcess {
  /// The states of the SDK's own state machine.
  enum Lifecycle: String {
    case initial, start, startPassively, end, terminate
  }

  /// The tasks that wait for the next turn of the main queue.
  enum MainTask {
    case setLaunchedState, startFlushTimer, stopFlushTimer
  }

  var world: SessionWorld
  var applicationState: ApplicationState
  var mainQueue: [MainTask] = []

  /// This is true if the SDK has been started.
  var isInitialized = false
  /// The number of views that were there before.
  var earlierViews = 0
  /// This is true if the app has switched the SDK off.
  var isDisabled = false
  var lifecycle = Lifecycle.initial
  /// This is true if this process had a start, even one that was switched off.
  var hasStarted = false
  /// This is true if the app has run only in the background so far.
  var isPassive = false
  /// The numbers of the pages that appeared during that time.
  var heldPages: [Int] = []
  var isFirstDay = false

  /// The properties of the device when the SDK was started.
  var presetProperties = EventObject()
  var identity: SensorsIdentity
  var superProperties = EventObject()
  /// The result of the app's function for dynamic properties; nil without a function.
  var dynamicFunction: EventObject?
  /// The last evaluated result.
  var dynamicProperties = EventObject()
  var timers = SensorsTimers()
  var timerAliases: [UTF8String: SensorsTimers.Name] = [:]
  /// The timer of `$AppEnd`.
  var endTimer: SensorsTimers.Name?
  var referrers = SensorsReferrers()
  var leaves = SensorsPageLeaves()
  var queue = SensorsQueue()
  /// The uptime at which the timer that sends events was started.
  var flushTimerStart: Double?
  /// The uptime at which the timer fires next.
  var flushTimerNext = 0.0

  var exceptionHandler = CrashHandler.none
  var signalHandler = CrashHandler.none
  /// The handlers that the SDK found, and calls after its own. They may be the SDK's own, too.
  var earlierExceptionHandler = CrashHandler.none
  var earlierSignalHandler = CrashHandler.none
  /// The number of calls of the SDK's handlers, for exceptions and signals together.
  var crashCalls = 0

  /// This is true if the SDK takes calls.
  var isAvailable: Bool { isInitialized && !isDisabled }

  init(limits: SessionLimits, state: ApplicationState) {
    world = SessionWorld(limits: limits, style: .sensors)
    applicationState = state
    var stored = SensorsIdentity.Stored()
    var keychainID: String?
    var device = ReplayedDevice(SessionConfiguration())
    identity = SensorsIdentity(&stored, keychainID: &keychainID, device: &device)
  }
}

/// The state that outlives the app's process.
struct SensorsStore {
  /// This is true if the app has been started before.
  var hasLaunchedOnce = false
  var firstDay: DeviceDay?
  var superProperties = EventObject()
  var identity = SensorsIdentity.Stored()
  var session: SensorsSessionNumbers.Session?
  /// The events that extensions left in the containers shared with the app, by the container's group.
  var extensionEvents: [UTF8String: [ExtensionEventSignal]] = [:]
}
