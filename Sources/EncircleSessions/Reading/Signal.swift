import EncircleEvents

/// Something that happened in an app: one line of a session.
public struct Signal: Sendable {
  /// The line, from 1.
  public var line: Int
  /// The device's clock in milliseconds since 1970.
  public var time: Int64
  /// The seconds since the device was started.
  public var uptime: Double
  /// This is true if the next signal follows without a turn of the main queue.
  public var isSameTurn = false
  /// The action.
  public var action: SignalAction

  /// Creates a signal.
  public init(line: Int, time: Int64, uptime: Double, isSameTurn: Bool = false, action: SignalAction) {
    self.line = line
    self.time = time
    self.uptime = uptime
    self.isSameTurn = isSameTurn
    self.action = action
  }
}

extension Signal {
  /// The names of all actions in the format, including the configuration's, in byte order.
  public static var actionNames: [String] { SignalParser.actionNames }
}

/// The action of a signal.
public enum SignalAction: Sendable {
  // The process.
  case launch(ApplicationState)
  case kill
  case reinstall
  case initialize(isOnMainThread: Bool)
  case notification(NotificationSignal)
  case state(ApplicationState)
  case turn
  case wait
  // Pages and clicks.
  case define(ControllerSignal)
  case willAppear(ControllerSignal)
  case appear(ControllerSignal)
  case disappear(ControllerSignal)
  case release(controller: String)
  case view(ViewSignal)
  case tap(TapSignal)
  case gesture(GestureSignal)
  case select(SelectSignal)
  case back(BackSignal)
  case editingEnd(ViewSignal)
  case scrollEnd(ViewSignal)
  case webView(WebViewSignal)
  case setJSResponder(ResponderSignal)
  case alertButton(AlertButtonSignal)
  // Calls of the SDK.
  case track(name: String?, properties: EventObject)
  case startTimer(TimerName)
  case endTimer(TimerName, properties: EventObject)
  case pauseTimer(TimerName)
  case resumeTimer(TimerName)
  case removeTimer(TimerName)
  case clearTimers
  case superProperties(EventObject)
  case dynamicProperties(EventObject)
  case profile(EventObject?)
  case login(id: String?, key: String?)
  case logout
  case identify(id: String?)
  case resetAnonymousID
  case bind(key: String?, id: String?)
  case unbind(key: String?, id: String?)
  case trackScreen(ControllerSignal, properties: EventObject)
  case trackScreenURL(url: String?, properties: EventObject)
  case trackClick(ViewSignal, properties: EventObject)
  case webMessage(EventObject, in: WebViewKind)
  case importExtensionEvents(ExtensionImportSignal)
  case disableSDK
  case enableSDK
  case flush
  // Crashes, and changes around the app.
  case exception(reason: String, stack: [String])
  case unixSignal(Int, stack: [String])
  case previousHandlers
  case network(NetworkSignal)
  case receiver(ReceiverSignal)
  case extensionEvent(ExtensionEventSignal)
  case device(DeviceSignal)
  // Web views.
  case webRequest(url: String)
  case userAgent(String, in: WebViewKind)
}

/// The timer that a signal refers to, by the event's name or by the timer's name in the session.
public struct TimerName: Sendable {
  public var event: String?
  public var alias: String?
}
