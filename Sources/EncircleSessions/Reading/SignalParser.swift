import EncircleEvents
import EncircleText

/// Converts objects to signals.
struct SignalParser {
  /// The names of actions in the format.
  enum ActionName: String, CaseIterable {
    case config, launch, kill, reinstall, initialize = "init", initializeOffMain = "initOffMain", notification, state
    case turn, wait, define, willAppear, appear, disappear, release = "dealloc", view, tap, gesture, select, track
    case startTimer = "timerStart"
    case endTimer = "timerEnd"
    case pauseTimer = "timerPause"
    case resumeTimer = "timerResume"
    case removeTimer = "timerRemove"
    case clearTimers = "timersClear"
    case superProperties, dynamicProperties, profile, login, logout, identify, resetAnonymousID = "resetAnonymousId"
    case bind, unbind, trackScreen, trackScreenURL, trackClick, webMessage = "h5", disableSDK, enableSDK, flush
    case exception, unixSignal = "signal", previousHandlers, network, receiver
    case back, editingEnd, scrollEnd, webViewStart, webViewFinish, webViewFail, setJSResponder
    case extensionEvent, importExtensionEvents, device, webRequest, userAgent, alertButton
  }

  /// The names of all actions, in byte order.
  static var actionNames: [String] {
    ActionName.allCases.map(\.rawValue).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static let names = Dictionary(uniqueKeysWithValues: ActionName.allCases.map { (UTF8String($0.rawValue), $0) })

  /// The actions that a tap or a gesture cannot cause, because they have effects themselves or do not happen in a running app.
  private static let notEffects: Set<ActionName> = [.config, .launch, .kill, .reinstall, .tap, .gesture]

  // No device's clock shows times outside this range.
  private static let times: ClosedRange<Int64> = 0...253_402_300_799_999
  private static let maximumUptime = 1e11

  /// Returns the action that an object names.
  static func name(of object: SignalObject) throws(SessionError) -> ActionName {
    let text = try object.requiredString("action")
    guard let name = names[UTF8String(text)] else {
      throw .unknownAction(
        object.diagnostic(
          "unknown action '\(VisibleText.shortened(text))'", at: object.member("action"),
          suggestion: Diagnostic.nearest(to: text, among: ActionName.allCases.map(\.rawValue))))
    }
    return name
  }

  /// Returns the signal that an object describes.
  static func signal(_ object: SignalObject, _ name: ActionName) throws(SessionError) -> Signal {
    // The action comes first, because a second configuration, as in two sessions that were joined, has no time.
    let action = try action(object, name, isEffect: false)
    guard let time = try object.integer("time", in: times) else { throw object.error("'time' is missing") }
    guard let uptime = try object.number("uptime") else { throw object.error("'uptime' is missing") }
    guard (0...maximumUptime).contains(uptime) else {
      throw object.error("'uptime' is not a number of seconds", at: object.member("uptime"))
    }
    return Signal(
      line: object.line, time: time, uptime: uptime, isSameTurn: try object.flag("sameTurn") ?? false, action: action)
  }

  private static func action(
    _ object: SignalObject, _ name: ActionName, isEffect: Bool
  ) throws(SessionError) -> SignalAction {
    if isEffect, notEffects.contains(name) {
      throw object.error("'\(name.rawValue)' cannot be the effect of an action", at: object.member("action"))
    }
    switch name {
    case .config: throw object.error("the configuration is the first line of a session")
    case .launch: return .launch(try object.keyword("state", ApplicationState.self) ?? .inactive)
    case .kill: return .kill
    case .reinstall: return .reinstall
    case .initialize: return .initialize(isOnMainThread: true)
    case .initializeOffMain: return .initialize(isOnMainThread: false)
    case .notification: return .notification(try notification(object))
    case .state:
      guard let state = try object.keyword("state", ApplicationState.self) else {
        throw object.error("'state' is missing")
      }
      return .state(state)
    case .turn: return .turn
    case .wait: return .wait
    case .define: return .define(try controller(object))
    case .willAppear: return .willAppear(try controller(object))
    case .appear: return .appear(try controller(object))
    case .disappear: return .disappear(try controller(object))
    case .release: return .release(controller: try object.requiredString("controller"))
    case .view: return .view(try view(object))
    case .tap: return .tap(try tap(object))
    case .gesture: return .gesture(try gesture(object))
    case .select: return .select(try select(object))
    case .back: return .back(try back(object))
    case .alertButton:
      guard let button = try object.integer("button", in: 0...1_000) else { throw object.error("'button' is missing") }
      return .alertButton(
        AlertButtonSignal(view: try view(object), button: Int(button), title: try object.string("title")))
    case .editingEnd:
      var view = try Self.view(object)
      if let text = try object.string("text") {
        var attributes = view.attributes ?? EventObject()
        attributes.set("text", .string(text))
        view.attributes = attributes
      }
      return .editingEnd(view)
    case .scrollEnd: return .scrollEnd(try view(object))
    case .webViewStart: return .webView(try webView(object, .start))
    case .webViewFinish: return .webView(try webView(object, .finish))
    case .webViewFail: return .webView(try webView(object, .fail))
    case .setJSResponder: return .setJSResponder(try responder(object))
    case .exception:
      return .exception(
        reason: try object.string("reason") ?? "(null)", stack: try object.strings("stack") ?? [])
    case .unixSignal:
      guard let number = try object.integer("number", in: 1...64) else { throw object.error("'number' is missing") }
      return .unixSignal(Int(number), stack: try object.strings("stack") ?? [])
    case .previousHandlers: return .previousHandlers
    case .network:
      guard let isUp = try object.flag("up") else { throw object.error("'up' is missing") }
      let kind = try object.keyword("type", NetworkSignal.Kind.self)
      return .network(NetworkSignal(isUp: isUp, kind: kind ?? .wifi))
    case .receiver: return .receiver(try receiver(object))
    case .extensionEvent:
      return .extensionEvent(
        ExtensionEventSignal(
          group: try group(object), name: try object.string("event"), properties: try properties(object)))
    case .importExtensionEvents:
      return .importExtensionEvents(
        ExtensionImportSignal(
          group: try group(object), isInterrupted: try object.flag("interrupted") ?? false))
    case .device: return .device(try device(object))
    case .webRequest: return .webRequest(url: try object.requiredString("url"))
    case .userAgent: return .userAgent(try object.requiredString("value"), in: try webViewKind(object))
    default: return try call(object, name)
    }
  }

  /// Returns the app's call of the SDK that an object describes.
  private static func call(_ object: SignalObject, _ name: ActionName) throws(SessionError) -> SignalAction {
    switch name {
    case .startTimer: return .startTimer(try timer(object))
    case .endTimer: return .endTimer(try timer(object), properties: try properties(object))
    case .pauseTimer: return .pauseTimer(try timer(object))
    case .resumeTimer: return .resumeTimer(try timer(object))
    case .removeTimer: return .removeTimer(try timer(object))
    case .clearTimers: return .clearTimers
    case .superProperties: return .superProperties(try properties(object))
    case .dynamicProperties: return .dynamicProperties(try properties(object))
    case .profile: return .profile(try givenProperties(object))
    case .login: return .login(id: try object.string("id"), key: try object.string("key"))
    case .logout: return .logout
    case .identify: return .identify(id: try object.string("id"))
    case .resetAnonymousID: return .resetAnonymousID
    case .bind: return .bind(key: try object.string("key"), id: try object.string("id"))
    case .unbind: return .unbind(key: try object.string("key"), id: try object.string("id"))
    case .disableSDK: return .disableSDK
    case .enableSDK: return .enableSDK
    case .flush: return .flush
    case .trackScreen:
      // `properties` describe the controller, as in other signals about controllers.
      return .trackScreen(try controller(object), properties: try object.object("extra") ?? [:])
    case .trackScreenURL: return .trackScreenURL(url: try object.string("url"), properties: try properties(object))
    case .trackClick: return .trackClick(try view(object), properties: try properties(object))
    case .webMessage:
      guard let message = try object.object("message") else { throw object.error("'message' is missing") }
      return .webMessage(message, in: try webViewKind(object))
    default: return .track(name: try object.string("event"), properties: try properties(object))
    }
  }

  /// Returns the properties that an action adds to an event: `properties`, or `extra`.
  private static func properties(_ object: SignalObject) throws(SessionError) -> EventObject {
    try givenProperties(object) ?? [:]
  }

  /// Returns `properties` or `extra`; nil if both are missing.
  private static func givenProperties(_ object: SignalObject) throws(SessionError) -> EventObject? {
    let extra = try object.object("extra")
    return try object.object("properties") ?? extra
  }

  private static func timer(_ object: SignalObject) throws(SessionError) -> TimerName {
    TimerName(event: try object.string("event"), alias: try object.string("as"))
  }

  private static func notification(_ object: SignalObject) throws(SessionError) -> NotificationSignal {
    guard let name = try object.keyword("name", NotificationSignal.Name.self) else {
      throw object.error("'name' is missing")
    }
    let poster = try object.string("object")
    return NotificationSignal(
      name: name, state: try object.keyword("state", ApplicationState.self), isForeign: poster != nil)
  }

  private static func controller(_ object: SignalObject) throws(SessionError) -> ControllerSignal {
    ControllerSignal(
      id: try object.requiredString("controller"), className: try object.string("class"),
      base: try object.string("base"), title: try object.string("title"), parent: try object.string("parent"),
      callsSuper: try object.flag("super") ?? true, url: try object.string("url"),
      isIgnored: try object.flag("ignored"), properties: try object.object("properties"), isTop: try object.flag("top"))
  }

  private static func view(_ object: SignalObject) throws(SessionError) -> ViewSignal {
    var frame: SessionFrame?
    if let numbers = try object.numbers("frame", count: 4) {
      frame = SessionFrame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
    let element = try object.element()
    guard let id = try object.string("view") ?? element?.id else {
      throw object.error("'view' is missing, and there is no 'capture'")
    }
    return ViewSignal(
      id: id, className: try object.string("class"), base: try object.string("base"),
      controller: try object.string("controller"), superview: try object.string("in"),
      attributes: try object.object("attributes"), frame: frame, elementID: try object.string("elementId"),
      isIgnored: try object.flag("ignoreView"), comesAfterAction: try object.flag("after"),
      isTracking: try object.flag("tracking"), reactTag: try reactTag(object), element: element)
  }

  private static func reactTag(_ object: SignalObject) throws(SessionError) -> Int? {
    try object.integer("reactTag", in: 0...Int64(Int32.max)).map { Int($0) }
  }

  private static func responder(_ object: SignalObject) throws(SessionError) -> ResponderSignal {
    let tag = try reactTag(object)
    // The view is the one with the tag, unless the signal names another one.
    if tag != nil, object.member("view") == nil, object.member("capture") == nil {
      return ResponderSignal(view: nil, reactTag: tag)
    }
    return ResponderSignal(view: try view(object), reactTag: tag)
  }

  private static func back(_ object: SignalObject) throws(SessionError) -> BackSignal {
    let controller = try object.requiredString("controller")
    var button: ViewSignal?
    if object.member("view") != nil || object.member("capture") != nil {
      button = try view(object)
      // The controller is the page that is left, not the button's page.
      button?.controller = nil
    }
    return BackSignal(controller: controller, view: button, title: try object.string("title"))
  }

  private static func device(_ object: SignalObject) throws(SessionError) -> DeviceSignal {
    DeviceSignal(
      advertisingID: try object.string("idfa"), vendorID: try object.string("idfv"),
      keychainID: try object.string("keychain"),
      vendorApps: try object.integer("vendorApps", in: SessionConfiguration.apps).map { Int($0) },
      properties: try object.object("properties"))
  }

  private static func webViewKind(_ object: SignalObject) throws(SessionError) -> WebViewKind {
    try object.keyword("class", WebViewKind.self) ?? .modern
  }

  private static func select(_ object: SignalObject) throws(SessionError) -> SelectSignal {
    var signal = SelectSignal(view: try object.string("view"), element: try object.element())
    if let path = try object.numbers("indexPath", count: 2) {
      guard path.allSatisfy({ $0 >= 0 && $0 < 0x1p31 }) else {
        throw object.error("'indexPath' is not a section and a row", at: object.member("indexPath"))
      }
      signal.indexPath = (Int(path[0]), Int(path[1]))
    }
    if signal.element == nil {
      if signal.view == nil { throw object.error("'view' is missing, and there is no 'capture'") }
      if signal.indexPath == nil { throw object.error("'indexPath' is missing, and there is no 'capture'") }
    }
    return signal
  }

  private static func webView(_ object: SignalObject, _ step: WebViewSignal.Step) throws(SessionError) -> WebViewSignal
  {
    WebViewSignal(
      view: try view(object), step: step, url: try object.string("url"), error: try object.string("error"))
  }

  private static func receiver(_ object: SignalObject) throws(SessionError) -> ReceiverSignal {
    let isSlow = try object.flag("slow") ?? false
    guard let status = try object.integer("status", in: 0...599) ?? (isSlow ? 0 : nil) else {
      throw object.error("'status' is missing")
    }
    guard status == 0 || status >= 100 else {
      throw object.error("'status' is 100 to 599, or 0 for no answer", at: object.member("status"))
    }
    let count = try object.integer("count", in: 1...1_000_000)
    return ReceiverSignal(status: Int(status), count: count.map { Int($0) }, isSlow: isSlow)
  }

  /// Returns the name of a shared container. Most apps have one.
  private static func group(_ object: SignalObject) throws(SessionError) -> String {
    try object.string("group") ?? "group"
  }

  private static func tap(_ object: SignalObject) throws(SessionError) -> TapSignal {
    var tap = TapSignal(view: try view(object))
    tap.phase = try object.keyword("phase", TapSignal.Phase.self) ?? .ended
    tap.event = try object.keyword("event", TapSignal.EventKind.self) ?? .touches
    tap.targets = Int(try object.integer("targets", in: 0...Int64(object.limits.effects)) ?? 1)
    tap.targetClass = try object.string("to")
    tap.senderClass = try object.string("sender")
    tap.effects = try effects(object)
    return tap
  }

  private static func gesture(_ object: SignalObject) throws(SessionError) -> GestureSignal {
    guard let state = try object.keyword("state", GestureSignal.State.self) else {
      throw object.error("'state' is missing")
    }
    var gesture = GestureSignal(
      view: try view(object), recognizer: try object.requiredString("recognizer"),
      recognizerBase: try object.string("recognizerBase"), state: state,
      actions: try actions(object))
    if let point = try object.numbers("point", count: 2) { gesture.point = (point[0], point[1]) }
    gesture.effects = try effects(object)
    return gesture
  }

  /// Returns the actions of a recognizer. A session's target implements `act:`, `act2:` and so on; the system's target implements
  /// names that begin with `_`. For other actions, the session states whether the target implements them.
  private static func actions(_ object: SignalObject) throws(SessionError) -> [GestureSignal.Action] {
    guard let nodes = try object.elements("actions") else { return [.init(name: "act:", isAnswered: true)] }
    var result: [GestureSignal.Action] = []
    for node in nodes {
      switch object.tape[node].kind {
      case .string:
        let name = object.tape.string(node, in: object.text)
        result.append(.init(name: name, isAnswered: isAnswered(name)))
      case .object:
        let action = object.object(at: node)
        result.append(
          .init(name: try action.requiredString("name"), isAnswered: try action.flag("answered") ?? true))
      default: throw object.error("an action is a text or an object", at: node)
      }
    }
    return result
  }

  private static func isAnswered(_ name: String) -> Bool {
    if name.utf8.first == UInt8(ascii: "_") { return true }
    guard name.utf8.starts(with: "act".utf8), name.utf8.last == UInt8(ascii: ":") else { return false }
    return name.utf8.dropFirst(3).dropLast().allSatisfy(isDigit)
  }

  private static func effects(_ object: SignalObject) throws(SessionError) -> [SignalAction] {
    guard let nodes = try object.elements("effect") else { return [] }
    if nodes.count > object.limits.effects {
      throw object.error("more than \(object.limits.effects) effects", at: object.member("effect"))
    }
    var result: [SignalAction] = []
    for node in nodes {
      guard object.tape[node].kind == .object else { throw object.error("an effect is an object", at: node) }
      let effect = object.object(at: node)
      result.append(try action(effect, try name(of: effect), isEffect: true))
    }
    return result
  }
}
