import EncircleEvents
import EncircleText

/// A model of Lede's SDK as docs/articles.md describes it: pages, clicks, events of code, and deliveries from memory and files.
///
/// The statements there, L1 to L23, name neither the events nor the app's key. The model uses its own names.
public struct LedeModel: SDKModel, ArticleModel {
  enum EventName: String {
    case pageAppear, pageDisappear, click, scrollEnd, webViewStart, webViewFinish, webViewFail
  }

  var app: ReplayedApp
  var queue = LedeQueue()
  private var deviceID: String?

  public init(configuration: SessionConfiguration, limits: SessionLimits) throws(SessionModelError) {
    app = ReplayedApp(configuration, limits)
  }

  public var life: Int { app.life }

  public mutating func perform(_ signal: Signal, into output: inout ReplayOutput) throws(SessionModelError) {
    try replay(signal, &output)
  }

  // MARK: - Processes

  mutating func beginProcess() { queue.beginProcess() }

  mutating func passTime(_ output: inout ReplayOutput) {
    guard app.configuration.flushesByTimer, app.state != .background else { return }
    if queue.isTimerDue(at: app.uptime) { sendMemory(ifMoreThan: 0, &output) }
  }

  mutating func turnMainQueue(_ output: inout ReplayOutput) {}

  mutating func kill(_ output: inout ReplayOutput) {
    let lost = queue.loseMemory()
    output.explain("memory.lost", "A killed app gets no notification: \(lost) events in memory are lost.")
  }

  mutating func reinstall(_ output: inout ReplayOutput) {
    queue.removeAll()
    deviceID = nil
    output.explain("process.reinstall", "All files are gone.")
  }

  mutating func initialize(isOnMainThread: Bool, _ output: inout ReplayOutput) {
    app.isInitialized = true
    if deviceID == nil { deviceID = app.device.id([.idfv, .uuid]) }
    queue.startTimer(at: app.uptime)
    output.explain("init", "The SDK is started; files of earlier processes are sent.")
    sendFiles(&output)
  }

  mutating func receive(_ name: NotificationSignal.Name, _ output: inout ReplayOutput) {
    switch name {
    case .willEnterForeground, .didEnterBackground:
      output.explain("files.send", "Files are sent, one at a time; there is no event of starts and ends.")
      sendFiles(&output)
    case .willTerminate:
      queue.saveMemory()
      output.explain("files.save", "What is in memory goes to a file.")
    case .didFinishLaunching, .didBecomeActive, .willResignActive:
      output.explainUndescribed("lifecycle", "events of starts and ends")
    }
  }

  mutating func performCrash(_ action: SignalAction, _ output: inout ReplayOutput) {
    guard app.isInitialized, case .exception = action else {
      output.explain("crash.undescribed", "Nothing but an exception is handled, and no crash is an event.")
      return
    }
    queue.saveMemory()
    output.explain("files.save", "What is in memory goes to a file; the exception is not an event.")
  }

  mutating func performCall(_ action: SignalAction, _ output: inout ReplayOutput) throws(SessionModelError) {
    guard case .track(let name, _) = action else {
      explainUndescribedCall(&output)
      return
    }
    guard let name else {
      output.explain("code.name", "An event needs a name.")
      return
    }
    track(
      name, page: app.world.shownPage(app.world.currentScreen), view: nil, "code.track", "The app's code tracks it.",
      &output)
  }

  // MARK: - Pages

  mutating func appear(_ controller: Int, _ signal: ControllerSignal, _ output: inout ReplayOutput) {
    guard signal.callsSuper else {
      output.explain("page.super", "viewDidAppear: does not call the superclass's method, which the SDK has replaced.")
      return
    }
    trackPage(.pageAppear, controller, "page.appear", "The page appears.", &output)
  }

  mutating func disappear(_ controller: Int, _ output: inout ReplayOutput) {
    trackPage(.pageDisappear, controller, "page.disappear", "The page disappears.", &output)
  }

  private mutating func trackPage(
    _ name: EventName, _ controller: Int, _ rule: String, _ reason: String, _ output: inout ReplayOutput
  ) {
    if !app.configuration.automaticEvents.contains(.screen) {
      output.explain("page.off", "Page views are switched off.", event: name.rawValue)
    } else if isListed(controller, isByKind: false) {
      output.explain("page.list", "The class is in the list of pages to ignore.", event: name.rawValue)
    } else {
      track(name.rawValue, page: app.world.shownPage(controller), view: nil, rule, reason, &output)
    }
  }

  // MARK: - Events

  /// Stores an event in memory, and sends the stored events once there are enough.
  ///
  /// - Parameter number: The view that the event is about; nil without a view, or if only its place is known.
  mutating func track(
    _ name: String, page: ShownPage?, view: EventObject?, of number: Int? = nil, _ rule: String,
    _ reason: @autoclosure () -> String,
    _ output: inout ReplayOutput
  ) {
    let captured = number.flatMap { app.world.views[$0].element?.capture.screen.tree.header.app }
    var record: EventObject = [
      "eventName": .string(name), "appKey": .string(app.configuration.app ?? captured ?? "app"),
      "eventTime": .number(DecimalNumber(app.time)),
      "sessionId": .string("S\(app.life)"), "deviceId": .string(deviceID ?? ""),
    ]
    if let page { record.add("pageName", .string(page.name)) }
    if let view { record.add("viewInfo", .object(view)) }
    output.explain(rule, reason(), event: name, isSent: true)
    output.append(.record(record))
    queue.insert()
    sendMemory(ifMoreThan: LedeQueue.maximumInMemory - 1, &output)
  }

  private mutating func sendMemory(ifMoreThan count: Int, _ output: inout ReplayOutput) {
    guard queue.memory > count, app.hasUsedNetwork, queue.canBeginRequest else { return }
    let request = queue.beginRequest()
    if !app.receiver.isSlow { take(app.send(), for: request, &output) }
  }

  /// Ends a request. Its events are removed if the receiver accepted them; otherwise they return to the array.
  private mutating func take(_ isTaken: Bool, for request: LedeQueue.Request, _ output: inout ReplayOutput) {
    if isTaken { output.append(.delivery(request.count, request: request.id)) }
    queue.end(request, isTaken: isTaken)
  }

  mutating func takeAnswers(_ output: inout ReplayOutput) {
    guard !app.receiver.isSlow else { return }
    for request in queue.requests { take(app.send(), for: request, &output) }
  }

  /// Sends the files one at a time, until one does not reach the receiver or is not accepted.
  private mutating func sendFiles(_ output: inout ReplayOutput) {
    while let count = queue.nextFile, app.send() {
      queue.removeFile()
      output.append(.delivery(count))
    }
  }
}
