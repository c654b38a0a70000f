import EncircleEvents
import EncircleText
import Foundation

/// A model of sa-sdk-ios 4.8: its state machine, page views, clicks, timers, identities, sessions, crashes and deliveries.
///
/// The model has one thread: it does the work of the SDK's own queues immediately, and the work of the main queue when that turns.
public struct SensorsModel: SDKModel {
  let configuration: SessionConfiguration
  let limits: SessionLimits
  private let zone: TimeZone

  public internal(set) var life = 0
  var store = SensorsStore()
  /// The anonymous ID in the keychain, which survives a reinstallation.
  var keychainID: String?
  var device: ReplayedDevice
  var sessionsSoFar = 0
  var network = NetworkSignal(isUp: true)
  var receiver = SensorsReceiver()
  var process: SensorsProcess
  private var isRunning = false
  // The clocks of the current signal.
  var time: Int64 = 0
  var uptime = 0.0

  private static let flushInterval = 15.0
  /// The networks over which the SDK sends unless the app chooses others: all but the slowest.
  private static let networks: Set<NetworkSignal.Kind> = [.wifi, .mobile3G, .mobile4G, .mobile5G]

  public init(configuration: SessionConfiguration, limits: SessionLimits) throws(SessionModelError) {
    guard let zone = TimeZone(identifier: configuration.timeZone ?? "UTC") ?? TimeZone(secondsFromGMT: 0) else {
      throw SessionModelError("unknown time zone")
    }
    self.configuration = configuration
    self.limits = limits
    self.zone = zone
    process = SensorsProcess(limits: limits, state: .inactive)
    device = ReplayedDevice(configuration)
  }

  /// The current uptime in milliseconds, as the SDK counts it.
  var milliseconds: UInt64 { SensorsDuration.milliseconds(uptime) }

  public mutating func perform(_ signal: Signal, into output: inout ReplayOutput) throws(SessionModelError) {
    time = signal.time
    uptime = signal.uptime
    if isRunning { fireFlushTimer(&output) }
    try perform(signal.action, &output)
    if isRunning, !signal.isSameTurn { turnMainQueue(&output) }
  }

  mutating func perform(_ action: SignalAction, _ output: inout ReplayOutput) throws(SessionModelError) {
    switch action {
    case .launch(let state): launch(state, &output)
    case .kill: kill(&output)
    case .reinstall: reinstall(&output)
    case .network(let signal):
      network = signal
      output.explain("queue.network", "A change of the network sends nothing by itself.")
    case .receiver(let signal):
      receiver.set(signal)
      output.explain("queue.receiver", "The receiver answers differently from now on.")
    case .extensionEvent(let signal): try leave(signal, &output)
    case .device(let signal):
      device.change(signal)
      if let id = signal.keychainID { keychainID = id.utf8.isEmpty ? nil : id }
      output.explain(
        "identity.device", "The device's IDs are asked for at the start of the SDK, and where the app resets them.")
    case .wait, .turn: output.explain("time", "Time passes.")
    default:
      guard isRunning else { throw SessionModelError("no process runs: 'launch' is missing") }
      try performInProcess(action, &output)
    }
  }

  private mutating func performInProcess(
    _ action: SignalAction, _ output: inout ReplayOutput
  ) throws(SessionModelError) {
    switch action {
    case .initialize(let isOnMainThread): initialize(isOnMainThread, &output)
    case .notification(let notification): receive(notification, &output)
    case .state(let state):
      process.applicationState = state
      output.explain("lifecycle.asked", "The state of the app is not watched, only asked for.")
    case .define, .willAppear, .appear, .disappear, .release, .trackScreen, .trackScreenURL:
      try performPage(action, &output)
    case .view, .tap, .gesture, .select, .trackClick, .back: try performClick(action, &output)
    case .editingEnd, .scrollEnd, .webView, .setJSResponder, .alertButton: try performUnwatched(action, &output)
    case .exception, .unixSignal, .previousHandlers: performCrash(action, &output)
    default: try performCall(action, &output)
    }
  }

  // MARK: - Processes

  private mutating func launch(_ state: ApplicationState, _ output: inout ReplayOutput) {
    if isRunning { save() }
    life += 1
    process = SensorsProcess(limits: limits, state: state)
    isRunning = true
    output.explain("process.launch", "A new process: the SDK does nothing before it is started.")
  }

  private mutating func kill(_ output: inout ReplayOutput) {
    let wasInFront = isRunning && process.isAvailable && process.lifecycle == .start
    if isRunning { save() }
    isRunning = false
    if wasInFront {
      output.explain("end.killed", "A killed app gets no notification: there is no end.", event: "$AppEnd")
    } else {
      output.explain("process.kill", "The process ends; the SDK gets no notification.")
    }
  }

  private mutating func reinstall(_ output: inout ReplayOutput) {
    if isRunning { save() }
    isRunning = false
    store = SensorsStore()
    device.reinstallApp()
    output.explain("process.reinstall", "All files are gone; only the keychain keeps the anonymous ID.")
  }

  /// Keeps the state that the SDK writes to files.
  private mutating func save() {
    guard process.isInitialized else { return }
    store.identity = process.identity.stored
  }

  private mutating func initialize(_ isOnMainThread: Bool, _ output: inout ReplayOutput) {
    guard isOnMainThread else {
      output.append(.note("raised NSInternalInconsistencyException"))
      output.explain("init.thread", "The SDK refuses to be started off the main thread.")
      return
    }
    if process.isInitialized {
      output.explain("init.once", "The SDK is started once a process.")
      return
    }
    process.isInitialized = true
    process.earlierViews = process.world.views.count
    process.identity = SensorsIdentity(&store.identity, keychainID: &keychainID, device: &device)
    process.superProperties = store.superProperties
    process.presetProperties = PresetProperties.lasting(device.properties, PresetProperties.sensors)
    if !configuration.numbersSessions { store.session = nil }
    let today = DeviceDay(of: time, in: zone)
    if store.firstDay == nil { store.firstDay = today }
    process.isFirstDay = store.firstDay == today
    process.mainQueue.append(.setLaunchedState)
    if configuration.tracksCrashes { installCrashHandlers() }
    output.explain(
      "init", "The SDK is started; whether it is a start or a passive one is asked when the main queue turns.")
  }

  // MARK: - Main queue and timer

  private mutating func turnMainQueue(_ output: inout ReplayOutput) {
    while !process.mainQueue.isEmpty {
      switch process.mainQueue.removeFirst() {
      case .setLaunchedState:
        setLifecycle(process.applicationState == .background ? .startPassively : .start, &output)
      case .startFlushTimer:
        guard process.flushTimerStart == nil, process.lifecycle == .start, process.isAvailable else { continue }
        process.flushTimerStart = uptime
        process.flushTimerNext = uptime + Self.flushInterval
      case .stopFlushTimer: process.flushTimerStart = nil
      }
    }
  }

  private mutating func fireFlushTimer(_ output: inout ReplayOutput) {
    guard configuration.flushesByTimer, let start = process.flushTimerStart, uptime >= process.flushTimerNext else {
      return
    }
    flush(&output)
    let rounds = ((uptime - start) / Self.flushInterval).rounded(.down)
    process.flushTimerNext = start + (rounds + 1) * Self.flushInterval
  }

  /// Sends all waiting events if a suitable network is up.
  mutating func flush(_ output: inout ReplayOutput) {
    guard network.isUp, (configuration.networks ?? Self.networks).contains(network.kind) else { return }
    let result = process.queue.flush(&receiver)
    if result.removed > 0 { output.append(.delivery(result.removed)) }
    if let status = result.rejection {
      output.append(.note("receiver answered \(status), events lost: \(result.rejected)"))
    }
    if let status = result.refusal {
      let answer = status == 0 ? "did not answer" : "answered \(status)"
      output.append(.note("receiver \(answer), events kept: \(process.queue.count)"))
    }
  }
}
