import EncircleText

/// A model of an SDK that is based on the statements in docs/articles.md rather than on its source. The extension below
/// implements the behaviour that all these models share.
protocol ArticleModel {
  var app: ReplayedApp { get set }

  /// Discards the memory of an earlier process.
  mutating func beginProcess()
  /// Runs everything that has become due since the last signal, before the next signal is performed.
  mutating func passTime(_ output: inout ReplayOutput)
  /// Runs the pending work of the main queue, after a signal.
  mutating func turnMainQueue(_ output: inout ReplayOutput)
  /// Ends the process without notifying the SDK.
  mutating func kill(_ output: inout ReplayOutput)
  /// Discards all files of the app.
  mutating func reinstall(_ output: inout ReplayOutput)
  /// Applies changes that another app made in shared storage, such as a new ID in the keychain.
  mutating func change(_ signal: DeviceSignal)
  /// Handles the receiver's answers to the requests that wait for them.
  mutating func takeAnswers(_ output: inout ReplayOutput)

  /// Starts the SDK, for the first time in the process.
  mutating func initialize(isOnMainThread: Bool, _ output: inout ReplayOutput)
  mutating func receive(_ name: NotificationSignal.Name, _ output: inout ReplayOutput)
  /// Keeps an event that an extension of the app leaves in the shared container.
  mutating func leave(_ signal: ExtensionEventSignal, _ output: inout ReplayOutput) throws(SessionModelError)
  /// Performs a crash, or an action that prepares for one.
  mutating func performCrash(_ action: SignalAction, _ output: inout ReplayOutput)

  // The following are called only after the SDK has been started.
  /// Performs `viewWillAppear:`.
  mutating func willAppear(_ controller: Int, _ signal: ControllerSignal, _ output: inout ReplayOutput)
  mutating func appear(_ controller: Int, _ signal: ControllerSignal, _ output: inout ReplayOutput)
  mutating func disappear(_ controller: Int, _ output: inout ReplayOutput)
  /// Performs the message of one target-action of a control.
  mutating func click(_ control: Int, _ tap: TapSignal, _ output: inout ReplayOutput)
  /// Performs the action of a recognizer.
  ///
  /// - Parameter view: The recognizer's view, or in an alert the option under the touch; nil if the touch is on no option.
  mutating func click(_ view: Int?, on carrier: Int, _ gesture: GestureSignal, _ output: inout ReplayOutput)
  mutating func click(_ selection: CellSelection, _ output: inout ReplayOutput)
  /// Performs a change of a view that no action accompanies: editing or scrolling ends, a web view loads something, or React
  /// Native makes the view its responder.
  mutating func observe(_ action: SignalAction, _ view: Int, _ output: inout ReplayOutput)
  /// Performs a tap on the system's back button.
  ///
  /// - Parameter button: The button; nil if the session does not have it.
  mutating func goBack(from controller: Int, button: Int?, title: String?, _ output: inout ReplayOutput)
  /// Performs a call of the SDK.
  mutating func performCall(_ action: SignalAction, _ output: inout ReplayOutput) throws(SessionModelError)
}

extension ArticleModel {
  /// Performs a signal.
  mutating func replay(_ signal: Signal, _ output: inout ReplayOutput) throws(SessionModelError) {
    app.setClocks(signal)
    if app.isInitialized { passTime(&output) }
    try perform(signal.action, &output)
    if app.isInitialized, !signal.isSameTurn { turnMainQueue(&output) }
  }

  private mutating func perform(_ action: SignalAction, _ output: inout ReplayOutput) throws(SessionModelError) {
    switch action {
    case .launch(let state):
      app.launch(state)
      beginProcess()
      output.explain("process.launch", "A new process: the SDK does nothing before it is started.")
    case .kill:
      kill(&output)
      app.end()
    case .reinstall:
      app.end()
      app.device.reinstallApp()
      reinstall(&output)
    case .network(let signal):
      app.network = signal
      output.explain("queue.network", "A change of the network sends nothing by itself.")
    case .receiver(let signal):
      app.receiver.set(signal)
      takeAnswers(&output)
      output.explain("queue.receiver", "The receiver answers differently from now on.")
    case .extensionEvent(let signal): try leave(signal, &output)
    case .device(let signal):
      app.device.change(signal)
      change(signal)
      output.explain("identity.device", "The device is asked when the SDK is started.")
    case .wait, .turn: output.explain("time", "Time passes.")
    default:
      guard app.isRunning else { throw SessionModelError("no process runs: 'launch' is missing") }
      try performInProcess(action, &output)
    }
  }

  private mutating func performInProcess(
    _ action: SignalAction, _ output: inout ReplayOutput
  ) throws(SessionModelError) {
    switch action {
    case .initialize(let isOnMainThread):
      if app.isInitialized {
        output.explain("init.once", "The SDK is started once a process.")
      } else {
        initialize(isOnMainThread: isOnMainThread, &output)
      }
    case .notification(let notification):
      app.willPost(notification)
      if isInitialized(nil, &output) { receive(notification.name, &output) }
      app.didPost(notification)
    case .state(let state):
      app.state = state
      output.explain("lifecycle.asked", "The state of the app is not watched, only asked for.")
    case .exception, .unixSignal, .previousHandlers: performCrash(action, &output)
    case .define, .willAppear, .appear, .disappear, .release: try performPage(action, &output)
    case .view, .tap, .gesture, .select: try performClick(action, &output)
    case .editingEnd, .scrollEnd, .webView, .setJSResponder, .alertButton, .back:
      try performObservation(action, &output)
    default: if isInitialized(nil, &output) { try performCall(action, &output) }
    }
  }

  /// Returns whether the SDK has been started; if not, adds a reason to the output.
  private func isInitialized(_ event: String?, _ output: inout ReplayOutput) -> Bool {
    if !app.isInitialized { output.explain("init.missing", "The SDK has not been started yet.", event: event) }
    return app.isInitialized
  }

  private mutating func performObservation(
    _ action: SignalAction, _ output: inout ReplayOutput
  ) throws(SessionModelError) {
    let view: Int
    switch action {
    case .editingEnd(let signal): view = try app.world.define(signal, defaultBase: "UISearchBar")
    case .scrollEnd(let signal): view = try app.world.define(signal, defaultBase: "UIScrollView")
    case .webView(let signal): view = try app.world.define(signal.view, defaultBase: "WKWebView")
    case .alertButton(let signal): view = try app.world.define(signal.view)
    case .setJSResponder(let signal):
      guard let known = try responder(signal) else {
        output.explain("click.react-tag", "There is no view with this tag.")
        return
      }
      view = known
    case .back(let signal):
      let button = try signal.view.map { view throws(SessionModelError) in
        try app.world.define(view, defaultBase: "UIControl")
      }
      guard isInitialized(nil, &output) else { return }
      if let controller = app.world.number(ofController: signal.controller) {
        goBack(from: controller, button: button, title: signal.title, &output)
      } else {
        output.explain("page.gone", "There is no such controller.")
      }
      return
    default: return
    }
    if isInitialized(nil, &output) { observe(action, view, &output) }
  }

  /// Returns the view that React Native makes its responder; nil if no view has the tag.
  private mutating func responder(_ signal: ResponderSignal) throws(SessionModelError) -> Int? {
    if let view = signal.view { return try app.world.define(view) }
    return signal.reactTag.flatMap { app.world.index(ofReactTag: $0) }
  }

  private mutating func performPage(
    _ action: SignalAction, _ output: inout ReplayOutput
  ) throws(SessionModelError) {
    switch action {
    case .define(let signal):
      _ = try app.world.define(signal)
      output.explain("page.known", "A view controller is known.")
    case .willAppear(let signal):
      let number = try app.world.define(signal)
      if isInitialized(nil, &output) { willAppear(number, signal, &output) }
      app.world.setAppearing(number, to: true)
    case .appear(let signal):
      let number = try app.world.define(signal)
      if isInitialized(nil, &output) { appear(number, signal, &output) }
      app.world.setAppearing(number, to: false)
    case .disappear(let signal):
      guard isInitialized(nil, &output) else { return }
      if app.world.number(ofController: signal.id) != nil {
        let number = try app.world.define(signal)
        app.world.setAppearing(number, to: false)
        if signal.callsSuper {
          disappear(number, &output)
        } else {
          output.explain("page.super", "viewDidDisappear: does not call the superclass's method.")
        }
      } else {
        output.explain("page.gone", "There is no such controller.")
      }
    case .release(let id):
      app.world.release(id, isHeld: false)
      output.explain("page.released", "The app lets go of a page.")
    default: break
    }
  }

  private mutating func performClick(
    _ action: SignalAction, _ output: inout ReplayOutput
  ) throws(SessionModelError) {
    switch action {
    case .view(let signal):
      _ = try app.world.define(signal)
      output.explain("view.known", "A view is known.")
    case .tap(let tap): try perform(tap, &output)
    case .gesture(let gesture):
      let carrier = try app.world.define(gesture.view)
      if isInitialized(nil, &output) {
        let view = try TouchedOption.view(of: carrier, gesture, &app.world)
        click(view, on: carrier, gesture, &output)
      }
      for effect in gesture.effects { try perform(effect, &output) }
    case .select(let signal):
      guard isInitialized(nil, &output) else { return }
      if let selection = try app.world.selection(signal) {
        click(selection, &output)
      } else {
        output.explain("click.gone", "There is no such view, or it is not a cell.")
      }
    default: break
    }
  }

  private mutating func perform(_ tap: TapSignal, _ output: inout ReplayOutput) throws(SessionModelError) {
    let control = try app.world.define(tap.view, defaultBase: "UIControl")
    if tap.targets == 0 { output.explain("click.targets", "The control has no target.") }
    for _ in 0..<tap.targets {
      if isInitialized(nil, &output) { click(control, tap, &output) }
      for effect in tap.effects { try perform(effect, &output) }
    }
  }

  mutating func leave(_ signal: ExtensionEventSignal, _ output: inout ReplayOutput) throws(SessionModelError) {
    output.explainUndescribed("extension", "events of extensions")
  }

  mutating func change(_ signal: DeviceSignal) {}

  mutating func takeAnswers(_ output: inout ReplayOutput) {}

  mutating func willAppear(_ controller: Int, _ signal: ControllerSignal, _ output: inout ReplayOutput) {
    output.explain("page.will", "A page that is about to appear is tracked once it has appeared, which may not happen.")
  }

  mutating func observe(_ action: SignalAction, _ view: Int, _ output: inout ReplayOutput) {
    output.explainUndescribed("view", "event of this kind")
  }

  mutating func goBack(from controller: Int, button: Int?, title: String?, _ output: inout ReplayOutput) {
    output.explainUndescribed("back", "event of the system's back button")
  }

  /// Explains that a call does nothing because docs/articles.md does not mention it.
  func explainUndescribedCall(_ output: inout ReplayOutput) {
    output.explainUndescribed("call", "call of this kind, so it has no effect")
  }

  /// Returns whether a controller is excluded: a controller of the system that is not a page, or one that the app excludes.
  ///
  /// - Parameter isByKind: True if subclasses of the classes that the app names are excluded, too.
  func isListed(_ number: Int, isByKind: Bool) -> Bool {
    guard let controller = app.world.controllers[number] else { return false }
    let list = SensorsClassList.pages
    if list.names.contains(UTF8String(controller.className)) { return true }
    if app.world.isController(number, kindOfAny: list.kinds) { return true }
    let own = app.configuration.ignoredControllers
    return own.contains { sameText($0, controller.className) }
      || (isByKind && app.world.isController(number, kindOfAny: own))
  }

  /// Returns whether a recognizer's class is `base` or a subclass of it.
  func isRecognizer(_ gesture: GestureSignal, kindOf base: String) -> Bool {
    sameText(gesture.recognizer, base) || app.world.isClass(gesture.recognizer, kindOf: base)
  }
}
