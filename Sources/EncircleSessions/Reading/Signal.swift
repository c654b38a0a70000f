import EncircleEvents

/// Something that happened in an app: one line of a session.
public struct Signal: Sendable {
  /// The line, from 1.
  public var line: Int
  /// The device's clock in milliseconds since 1970.
  public var time: Int64
  /// The seconds since the device was started.
  public var uptime: Double
  /// Whether the next signal follows without a turn of the main queue.
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

/// The state of an app as `UIApplication` reports it.
public enum ApplicationState: String, CaseIterable, Sendable {
  case active, inactive, background
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

/// A notification of an app's life cycle, posted by the application, or by other code under its name.
public struct NotificationSignal: Sendable {
  /// The notifications of an app's life cycle.
  public enum Name: String, CaseIterable, Sendable {
    case didFinishLaunching, willEnterForeground, didBecomeActive, willResignActive, didEnterBackground, willTerminate

    /// The state that the application has while the notification is posted; nil if the state does not change.
    var state: ApplicationState? {
      switch self {
      case .didBecomeActive, .willResignActive: .active
      case .willEnterForeground: .inactive
      case .didEnterBackground: .background
      case .didFinishLaunching, .willTerminate: nil
      }
    }
  }

  /// The name of the notification.
  public var name: Name
  /// The state of the app while the notification is posted; nil for the state that iOS sets.
  public var state: ApplicationState?
  /// Whether code other than the application posts it.
  public var isForeign = false
}

/// The network from now on.
public struct NetworkSignal: Sendable {
  /// The kinds of networks that SDKs distinguish.
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

/// The device's IDs and properties from now on; nil leaves a value unchanged, an empty ID removes it.
public struct DeviceSignal: Sendable {
  /// The IDFA, which all apps of the device share.
  public var advertisingID: String?
  /// The IDFV, which the apps of one vendor share.
  public var vendorID: String?
  /// The anonymous ID in the keychain, which the apps of one team may share.
  public var keychainID: String?
  /// The number of other apps of the vendor on the device. If it is 0, the app gets a new IDFV after it was deleted.
  public var vendorApps: Int?
  /// The properties of the device and the system, by the names of preset properties.
  public var properties: EventObject?
}

/// A signal's description of a view controller; nil leaves a value unchanged.
public struct ControllerSignal: Sendable {
  /// The session's name of the controller.
  public var id: String
  public var className: String?
  /// The superclass of the class.
  public var base: String?
  public var title: String?
  /// The session's name of the parent.
  public var parent: String?
  /// Whether `viewDidAppear:` or `viewDidDisappear:` calls the superclass's method.
  public var callsSuper = true
  /// The result of `getScreenUrl`.
  public var url: String?
  /// The result of `isIgnoredAutoTrackViewScreen`.
  public var isIgnored: Bool?
  /// The result of `getTrackProperties`.
  public var properties: EventObject?
  /// Whether its parent, or the window, shows this controller.
  public var isTop: Bool?
}

/// A rectangle in points.
public struct SessionFrame: Sendable {
  public var x = 0.0
  public var y = 0.0
  public var width = 0.0
  public var height = 0.0
}

/// A signal's description of a view; nil leaves a value unchanged.
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
  /// The view's attributes: `title`, `text`, `on`, `value`, `selectedIndex`, `hidden`, `indexPath`, `label` and others.
  public var attributes: EventObject?
  /// The place in the superview.
  public var frame: SessionFrame?
  /// The element ID that the app has set.
  public var elementID: String?
  public var isIgnored: Bool?
  /// Whether the SDK is to track a click after the action rather than before it.
  public var comesAfterAction: Bool?
  /// Whether a slider is being dragged.
  public var isTracking: Bool?
  /// The view's React tag.
  public var reactTag: Int?
  /// The view in a capture, which supplies what the session leaves out.
  public var element: CapturedElement?
}

/// A control's action.
public struct TapSignal: Sendable {
  /// The kinds of events that accompany an action.
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
  /// The effects of the action.
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
    /// Whether the target implements the method.
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
  /// The effects of the actions.
  public var effects: [SignalAction] = []
}

/// The selection of a cell, as the list reports it to its delegate.
public struct SelectSignal: Sendable {
  /// The session's name of the list; nil if the capture has it.
  public var view: String?
  /// The section and row of the cell; nil if the capture has them.
  public var indexPath: (section: Int, row: Int)?
  /// The cell in a capture.
  public var element: CapturedElement?
}

/// A change of React Native's responder to `view`, else to the view with the tag.
public struct ResponderSignal: Sendable {
  public var view: ViewSignal?
  public var reactTag: Int?
}

/// A tap on a button of a `UIAlertView` or a `UIActionSheet`, as its delegate receives it.
public struct AlertButtonSignal: Sendable {
  /// The alert.
  public var view: ViewSignal
  /// The number of the button.
  public var button: Int
  /// The title of the button.
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

/// A step of loading a page in a web view.
public struct WebViewSignal: Sendable {
  /// The steps that a web view reports to its delegate.
  public enum Step: String, Sendable {
    case start, finish, fail
  }

  public var view: ViewSignal
  public var step: Step
  public var url: String?
  /// The description of the error; nil unless loading fails.
  public var error: String?
}

/// The answers of the event receiver from now on.
public struct ReceiverSignal: Sendable {
  /// The status; 0 if there is no answer.
  public var status: Int
  /// The number of requests that get this status before it is 200 again; nil for all requests.
  public var count: Int?
  /// Whether the receiver delays its answers until a later signal gives them.
  public var isSlow = false
}

/// An event that an extension of the app leaves in the shared container.
public struct ExtensionEventSignal: Sendable {
  /// The name of the container's group.
  public var group: String
  public var name: String?
  public var properties: EventObject
}

/// The app's request that the SDK import the events of its extensions.
public struct ExtensionImportSignal: Sendable {
  /// The name of the container's group.
  public var group: String
  /// Whether the process ends after the events are stored, but before the container is emptied.
  public var isInterrupted = false
}

/// The timer that a signal refers to, by the event's name or by the timer's name in the session.
public struct TimerName: Sendable {
  public var event: String?
  public var alias: String?
}
