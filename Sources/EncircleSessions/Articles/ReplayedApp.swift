/// The state that the system keeps for an app, whichever SDK the app uses: the clock, the process and the application's state.
struct ReplayedApp {
  let configuration: SessionConfiguration
  let limits: SessionLimits
  /// The number of processes so far.
  private(set) var life = 0
  private(set) var isRunning = false
  /// The clock in milliseconds since 1970.
  private(set) var time: Int64 = 0
  /// The seconds since the device was started.
  private(set) var uptime = 0.0
  var network = NetworkSignal(isUp: true)
  var device: ReplayedDevice
  var receiver = SensorsReceiver()

  // The state of the process.
  var world: SessionWorld
  var state = ApplicationState.inactive
  /// This is true if the SDK has been started.
  var isInitialized = false
  /// This is true if `didFinishLaunching` was posted before the signal that is being performed.
  private(set) var hasFinishedLaunching = false

  init(_ configuration: SessionConfiguration, _ limits: SessionLimits) {
    self.configuration = configuration
    self.limits = limits
    device = ReplayedDevice(configuration)
    world = SessionWorld(limits: limits)
  }

  /// Sets the clocks to the times of a signal.
  mutating func setClocks(_ signal: Signal) {
    time = signal.time
    uptime = signal.uptime
  }

  /// Returns whether a request reaches the receiver now and is accepted.
  mutating func send() -> Bool { hasUsedNetwork && (200..<300).contains(receiver.next()) }

  /// This is true if a network is up over which the SDK sends events.
  var hasUsedNetwork: Bool { network.isUp && (configuration.networks?.contains(network.kind) ?? true) }

  mutating func launch(_ state: ApplicationState) {
    life += 1
    isRunning = true
    world = SessionWorld(limits: limits)
    self.state = state
    isInitialized = false
    hasFinishedLaunching = false
  }

  mutating func end() {
    isRunning = false
    isInitialized = false
  }

  /// Sets the state that the application has while a notification is posted.
  mutating func willPost(_ notification: NotificationSignal) {
    if let state = notification.state {
      self.state = state
    } else if !notification.isForeign, let state = notification.name.state {
      self.state = state
    }
  }

  /// Sets the state that the application has after a notification.
  mutating func didPost(_ notification: NotificationSignal) {
    guard !notification.isForeign else { return }
    if notification.name == .didFinishLaunching { hasFinishedLaunching = true }
    if notification.name == .willResignActive, notification.state == nil { state = .inactive }
  }
}
