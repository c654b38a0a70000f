import EncircleEvents

/// One thing that happened in an app: a line of a session.
public struct Signal: Sendable {
  /// The line, from 1.
  public var line: Int
  /// The device's clock in milliseconds since 1970.
  public var time: Int64
  /// The seconds since the device was started.
  public var uptime: Double
  /// Whether the main queue has no turn after it.
  public var isSameTurn = false
  /// What happened.
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
  /// The names of the actions that the format has, that of the configuration included, in byte order.
  public static var actionNames: [String] { SignalParser.actionNames }
}

/// The state of an app as `UIApplication` reports it.
public enum ApplicationState: String, CaseIterable, Sendable {
  case active, inactive, background
}

/// What a signal says.
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
  // What happens to it.
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

/// A notification of an app's life, which the application posts, or other code under its name.
public struct NotificationSignal: Sendable {
  /// The notifications of an app's life.
  public enum Name: String, CaseIterable, Sendable {
    case didFinishLaunching, willEnterForeground, didBecomeActive, willResignActive, didEnterBackground, willTerminate
  }

  /// Which notification.
  public var name: Name
  /// The state of the app while the notification is posted; nil stands for the state that iOS sets.
  public var state: ApplicationState?
  /// Whether code other than the application posts it.
  public var isForeign = false
}

/// The network from now on.
public struct NetworkSignal: Sendable {
  /// The kinds of networks that SDKs tell apart.
  public enum Kind: String, CaseIterable, Sendable {
    case wifi = "WIFI"
    case mobile2G = "2G"
    case mobile3G = "3G"
    case mobile4G = "4G"
    case mobile5G = "5G"
  }

  /// Whether there is a network.
  public var isUp: Bool
  public var kind = Kind.wifi
}

/// What the device gives from now on; nil leaves it as it was.
public struct DeviceSignal: Sendable {
  /// The IDFA, which all apps of the device share; like the others, an empty text is none.
  public var advertisingID: String?
  /// The IDFV, which the apps of one vendor share.
  public var vendorID: String?
  /// The anonymous ID in the keychain, which the apps of one team may share.
  public var keychainID: String?
  /// The number of other apps of the vendor on the device. Without any, deleting the app makes its next IDFV another one.
  public var vendorApps: Int?
  /// What the device and the system say of themselves, by the names of preset properties.
  public var properties: EventObject?
}

/// What a signal says about a view controller; nil leaves it as it was.
public struct ControllerSignal: Sendable {
  /// The session's name of the controller.
  public var id: String
  public var className: String?
  /// The superclass of the class.
  public var base: String?
  public var title: String?
  /// The session's name of the parent.
  public var parent: String?
  /// Whether `viewDidAppear:`, or `viewDidDisappear:`, calls that of the superclass.
  public var callsSuper = true
  /// What `getScreenUrl` returns.
  public var url: String?
  /// What `isIgnoredAutoTrackViewScreen` returns.
  public var isIgnored: Bool?
  /// What `getTrackProperties` returns.
  public var properties: EventObject?
  /// Whether it is the one that its parent, or the window, shows.
  public var isTop: Bool?
}

/// A rectangle in points.
public struct SessionFrame: Sendable {
  public var x = 0.0
  public var y = 0.0
  public var width = 0.0
  public var height = 0.0
}

/// What a signal says about a view; nil leaves it as it was.
public struct ViewSignal: Sendable {
  /// The session's name of the view.
  public var id: String
  public var className: String?
  /// The superclass of the class.
  public var base: String?
  /// The session's name of the controller that the view belongs to.
  public var controller: String?
  /// The session's name of the superview.
  public var superview: String?
  /// What the view shows: `title`, `text`, `on`, `value`, `selectedIndex`, `hidden`, `indexPath`, `label` and others.
  public var attributes: EventObject?
  /// The place in the superview.
  public var frame: SessionFrame?
  /// The element's ID that the app has given to it.
  public var elementID: String?
  public var isIgnored: Bool?
  /// Whether the SDK is to track a click after the action rather than before it.
  public var isToldAfterAction: Bool?
  /// Whether a slider is being dragged.
  public var isTracking: Bool?
  /// The number by which React Native knows the view.
  public var reactTag: Int?
  /// The view in a capture, which tells what the session does not say.
  public var element: CapturedElement?
}

/// A control's action.
public struct TapSignal: Sendable {
  /// The kinds of events that come with an action.
  public enum EventKind: String, CaseIterable, Sendable {
    case touches, none, motion
  }
  /// The phases of a touch.
  public enum Phase: String, CaseIterable, Sendable {
    case began, moved, stationary, ended, cancelled
  }

  /// The control.
  public var view: ViewSignal
  public var phase = Phase.ended
  public var event = EventKind.touches
  /// The number of target-actions.
  public var targets = 1
  /// The class of the target.
  public var targetClass: String?
  /// The class of the sender, if it is not the control.
  public var senderClass: String?
  /// What the action does.
  public var effects: [SignalAction] = []
}

/// The action of a gesture recognizer.
public struct GestureSignal: Sendable {
  /// The states of a recognizer.
  public enum State: String, CaseIterable, Sendable {
    case possible, began, changed, ended, cancelled, failed
  }

  /// An action of the recognizer.
  public struct Action: Sendable {
    /// The selector.
    public var name: String
    /// Whether the target has a method for it.
    public var isAnswered: Bool
  }

  /// The view of the recognizer.
  public var view: ViewSignal
  /// The class of the recognizer.
  public var recognizer: String
  /// The superclass of that class.
  public var recognizerBase: String?
  public var state: State
  /// Where the touch is, in the view.
  public var point = (x: 0.0, y: 0.0)
  public var actions: [Action]
  /// What the actions do.
  public var effects: [SignalAction] = []
}

/// The selection of a cell, as the list's delegate is told.
public struct SelectSignal: Sendable {
  /// The session's name of the list; nil if the capture has it.
  public var view: String?
  /// The section and row of the cell; nil if the capture has them.
  public var indexPath: (section: Int, row: Int)?
  /// The cell in a capture.
  public var element: CapturedElement?
}

/// React Native makes a view its responder: `view`, else the view with the tag.
public struct ResponderSignal: Sendable {
  public var view: ViewSignal?
  public var reactTag: Int?
}

/// The delegate of a `UIAlertView` or a `UIActionSheet` is told which button somebody has tapped.
public struct AlertButtonSignal: Sendable {
  /// The alert.
  public var view: ViewSignal
  /// The number of the button.
  public var button: Int
  /// What the button says.
  public var title: String?
}

/// The classes of web views. An SDK and a page communicate differently in each.
public enum WebViewKind: String, CaseIterable, Sendable {
  case modern = "WKWebView"
  case old = "UIWebView"
}

/// A tap on the system's back button.
public struct BackSignal: Sendable {
  /// The session's name of the view controller that is left.
  public var controller: String
  /// The button; nil if the session does not have it.
  public var view: ViewSignal?
  /// The title of the button.
  public var title: String?
}

/// What happens when a web view loads a page.
public struct WebViewSignal: Sendable {
  /// The steps that a web view tells its delegate.
  public enum Step: String, Sendable {
    case start, finish, fail
  }

  public var view: ViewSignal
  public var step: Step
  public var url: String?
  /// The error in words; nil unless loading fails.
  public var error: String?
}

/// What the receiver of events answers from now on.
public struct ReceiverSignal: Sendable {
  /// The status; 0 if there is no answer.
  public var status: Int
  /// The number of requests with this status, after which it is 200 again; nil for all requests.
  public var count: Int?
  /// Whether it does not answer until a later signal says what.
  public var isSlow = false
}

/// An event that an extension of the app leaves in the container that they share.
public struct ExtensionEventSignal: Sendable {
  /// The name of the container's group.
  public var group: String
  public var name: String?
  public var properties: EventObject
}

/// The app asks its SDK for the events of its extensions.
public struct ExtensionImportSignal: Sendable {
  /// The name of the container's group.
  public var group: String
  /// Whether the process ends when the events are stored and the container is not empty yet.
  public var isInterrupted = false
}

/// Which timer a signal means: by the event's name, or by the name that the session gave to it.
public struct TimerName: Sendable {
  public var event: String?
  public var alias: String?
}
