import EncircleEvents
import EncircleText
import Foundation

/// A model of the SDK that the statements W1 to W48 in docs/articles.md describe. It has starts and ends, page views, clicks,
/// timers, identities, crashes, web events and deliveries.
///
/// Where the statements leave something open, the model does the simplest thing. ``Article004Model`` has other starts and ends.
public struct WhitePaperModel: SDKModel, ArticleModel {
  /// The source of the model's starts and ends: the statements W1 to W48 or S1 to S18 in docs/articles.md.
  enum Article {
    case whitePaper, article004
  }

  let article: Article
  var app: ReplayedApp
  var store = WhitePaperStore()
  var process = WhitePaperProcess()
  /// The anonymous ID in the keychain, which survives a reinstallation.
  private var keychainID: String?
  private let zone: TimeZone

  private static let flushInterval = 15.0
  private static let schemes: [IDScheme] = [.idfa, .idfv, .uuid]

  public init(configuration: SessionConfiguration, limits: SessionLimits) throws(SessionModelError) {
    try self.init(configuration, limits, .whitePaper)
  }

  init(_ configuration: SessionConfiguration, _ limits: SessionLimits, _ article: Article) throws(SessionModelError) {
    guard let zone = TimeZone(identifier: configuration.timeZone ?? "UTC") else {
      throw SessionModelError("unknown time zone")
    }
    self.zone = zone
    self.article = article
    app = ReplayedApp(configuration, limits)
  }

  public var life: Int { app.life }

  public mutating func perform(_ signal: Signal, into output: inout ReplayOutput) throws(SessionModelError) {
    try replay(signal, &output)
  }

  // MARK: - Processes

  mutating func beginProcess() { process = WhitePaperProcess() }

  mutating func kill(_ output: inout ReplayOutput) {
    if process.startUptime != nil {
      output.explain(
        "end.killed", "A killed app gets no notification: there is no end. Stored events are kept.", event: "$AppEnd")
    } else {
      output.explain("process.kill", "The process ends; the SDK gets no notification. Stored events are kept.")
    }
  }

  mutating func reinstall(_ output: inout ReplayOutput) {
    store = WhitePaperStore()
    output.explain("process.reinstall", "All files are gone; only the keychain keeps the anonymous ID.")
  }

  mutating func change(_ signal: DeviceSignal) {
    if let id = signal.keychainID { keychainID = id.utf8.isEmpty ? nil : id }
  }

  mutating func initialize(isOnMainThread: Bool, _ output: inout ReplayOutput) {
    if article == .article004, !isOnMainThread {
      output.explain("init.thread", "The SDK is started on the main thread only.")
      return
    }
    app.isInitialized = true
    // The keychain takes precedence over the archive.
    let keychainID = app.configuration.usesKeychain ? keychainID : nil
    let id = keychainID ?? store.anonymousID ?? app.device.id(app.configuration.idSchemes ?? Self.schemes)
    if app.configuration.usesKeychain { self.keychainID = id }
    store.anonymousID = id
    process.presetProperties = PresetProperties.lasting(app.device.properties, PresetProperties.articles)
    if store.firstDay == nil { store.firstDay = DeviceDay(of: app.time, in: zone) }
    process.nextFlush = app.uptime + Self.flushInterval
    if app.configuration.tracksCrashes { installCrashHandlers() }
    if app.hasFinishedLaunching {
      process.isLate = true
      output.explain("init.late", "Launching has already ended; the start is tracked when the main queue turns.")
    } else {
      output.explain("init", "The SDK is started, and waits for the application's notifications.")
    }
  }

  mutating func turnMainQueue(_ output: inout ReplayOutput) {
    for text in process.askedUserAgents { WebBridge.note(userAgent: text, &output) }
    process.askedUserAgents = []
    guard process.isLate else { return }
    process.isLate = false
    startLate(&output)
  }

  // MARK: - Events

  /// Stores an event, and sends the waiting events once there are enough.
  mutating func track(
    _ name: String, _ properties: EventObject, _ rule: String, _ reason: @autoclosure () -> String,
    _ output: inout ReplayOutput
  ) {
    var all = store.superProperties
    all.merge(process.dynamicProperties)
    all.merge(properties)
    track(name, all, at: app.time, rule, reason(), &output)
  }

  /// Stores an event with its own time, and sends the waiting events once there are enough.
  private mutating func track(
    _ name: String, _ properties: EventObject, at time: Int64, _ rule: String, _ reason: @autoclosure () -> String,
    _ output: inout ReplayOutput
  ) {
    var all = process.presetProperties
    all.merge(properties)
    if article == .article004 { all.set("$is_first_day", .bool(store.firstDay == DeviceDay(of: time, in: zone))) }
    var record: EventObject = ["time": .number(DecimalNumber(time)), "type": "track", "event": .string(name)]
    record.add("distinct_id", .string(distinctID))
    record.add("properties", .object(all))
    store(record, name, rule, reason(), &output)
  }

  /// Stores a record.
  mutating func store(
    _ record: EventObject, _ name: String, _ rule: String, _ reason: @autoclosure () -> String,
    _ output: inout ReplayOutput
  ) {
    output.explain(rule, reason(), event: name, isSent: true)
    output.append(.record(record))
    store.waiting += 1
    if store.waiting >= max(1, app.configuration.flushBulkSize) { flush(&output) }
  }

  /// The login ID, else the anonymous ID.
  var distinctID: String { store.loginID ?? store.anonymousID ?? "" }

  // MARK: - Extensions

  mutating func leave(_ signal: ExtensionEventSignal, _ output: inout ReplayOutput) throws(SessionModelError) {
    guard let name = signal.name else {
      output.explain("extension.name", "An event needs a name.")
      return
    }
    if store.extensionEvents.count >= app.limits.extensionEvents {
      throw SessionModelError("more than \(app.limits.extensionEvents) events of extensions")
    }
    store.extensionEvents.append(.init(time: app.time, name: name, properties: signal.properties))
    output.explain("extension.leave", "The event waits in the shared container for the next start.", event: name)
  }

  /// Imports the events that extensions left in the shared container.
  mutating func importExtensionEvents(_ output: inout ReplayOutput) {
    let events = store.extensionEvents
    store.extensionEvents = []
    for event in events {
      track(
        event.name, event.properties, at: event.time, "extension.import", "A start imports the event of an extension.",
        &output)
    }
  }

  // MARK: - Deliveries

  mutating func passTime(_ output: inout ReplayOutput) {
    guard app.configuration.flushesByTimer, app.state != .background, app.uptime >= process.nextFlush else { return }
    flush(&output)
    process.nextFlush = app.uptime + Self.flushInterval
  }

  /// Sends all waiting events. They are deleted only after the receiver accepted them.
  mutating func flush(_ output: inout ReplayOutput) {
    guard store.waiting > 0, app.send() else { return }
    output.append(.delivery(store.waiting))
    store.waiting = 0
  }
}
