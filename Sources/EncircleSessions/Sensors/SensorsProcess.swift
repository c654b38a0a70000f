import EncircleEvents
import EncircleText

/// What a process of the app keeps in memory.
struct SensorsProcess {
  /// The states of the SDK's own state machine.
  enum Lifecycle: String {
    case initial, start, startPassively, end, terminate
  }

  /// What waits for the next turn of the main queue.
  enum MainTask {
    case setLaunchedState, startFlushTimer, stopFlushTimer
  }

  /// Who handles a crash.
  enum CrashHandler {
    case none, app, sdk
  }

  var world: SessionWorld
  var applicationState: ApplicationState
  var mainQueue: [MainTask] = []

  /// Whether the SDK has been started.
  var isInitialized = false
  /// The number of views that were there before.
  var earlierViews = 0
  /// Whether the app has switched the SDK off.
  var isDisabled = false
  var lifecycle = Lifecycle.initial
  /// Whether there was a start event, or would have been one, in this process.
  var hasStarted = false
  /// Whether the app runs in the background only, so far.
  var isPassive = false
  /// The numbers of the pages that appeared meanwhile.
  var heldPages: [Int] = []
  var isFirstDay = false

  /// What the device said of itself when the SDK was started.
  var presetProperties = EventObject()
  var identity: SensorsIdentity
  var superProperties = EventObject()
  /// What the app's function for dynamic properties returns; nil without a function.
  var dynamicFunction: EventObject?
  /// What it returned last.
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
  /// The uptime at which it fires next.
  var flushTimerNext = 0.0

  var exceptionHandler = CrashHandler.none
  var signalHandler = CrashHandler.none
  /// The handlers that the SDK has found, which it calls after its own; they may be its own, too.
  var earlierExceptionHandler = CrashHandler.none
  var earlierSignalHandler = CrashHandler.none
  /// How often the SDK's handlers were called, for exceptions and signals together.
  var crashCalls = 0

  /// Whether the SDK takes calls.
  var isAvailable: Bool { isInitialized && !isDisabled }

  init(limits: SessionLimits, state: ApplicationState) {
    world = SessionWorld(limits: limits, style: .sensors)
    applicationState = state
    var stored = SensorsIdentity.Stored()
    var keychainID: String?
    var device = SensorsDevice(SessionConfiguration())
    identity = SensorsIdentity(&stored, keychainID: &keychainID, device: &device)
  }
}

/// What the device keeps of the app when its process ends.
struct SensorsStore {
  /// Whether the app has been started before.
  var hasLaunchedOnce = false
  var firstDay: DeviceDay?
  var superProperties = EventObject()
  var identity = SensorsIdentity.Stored()
  var session: SensorsSessionNumbers.Session?
  /// The events that extensions have left in the containers that they share with the app, by the container's group.
  var extensionEvents: [UTF8String: [ExtensionEventSignal]] = [:]
}
