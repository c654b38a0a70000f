/// What a device can be known by.
public enum IDScheme: String, CaseIterable, Sendable {
  /// The identifier for advertisers, which all apps of the device share.
  case idfa
  /// The identifier for vendors, which the apps of one vendor share.
  case idfv
  /// A random UUID.
  case uuid
  /// The address of the network's hardware, which has been the same on all devices since iOS 7.
  case mac
  /// The unique device identifier, which apps have no longer been able to read since iOS 6.
  case udid
  /// The international number of the device (IMEI), which no app can read.
  case imei
}

/// How the app of a session has configured its SDK: the first line of a session.
public struct SessionConfiguration: Sendable {
  /// The kinds of events that are sent without code.
  public enum AutomaticEvent: String, CaseIterable, Sendable {
    case start, end, click, screen
  }

  /// What the session shows, for people.
  public var about: String?
  /// The kinds of events that are sent without code.
  public var automaticEvents = Set(AutomaticEvent.allCases)
  /// Whether leaving a page is an event.
  public var tracksPageLeave = false
  /// Whether leaving a page inside another page is an event, too.
  public var tracksChildPageLeave = false
  /// Whether a page inside another page is an event.
  public var tracksChildScreens = false
  /// Whether crashes are events.
  public var tracksCrashes = false
  /// Whether events have the number of a session.
  public var numbersSessions = false
  /// The seconds without an event after which a session ends.
  public var sessionTimeout = 300
  /// The number of stored events above which they are sent.
  public var flushBulkSize = 100
  /// Whether the timer that sends events runs.
  public var flushesByTimer = false
  /// The classes of view controllers that make no events.
  public var ignoredControllers: [String] = []
  /// The classes of view controllers whose leaving is not an event.
  public var ignoredLeaves: [String] = []
  /// The classes of views that make no clicks.
  public var ignoredViewTypes: [String] = []
  /// Whether the app asks to forget the last page when it goes to the background.
  public var clearsReferrer = false
  /// The networks in which events are sent; nil is the SDK's default.
  public var networks: Set<NetworkSignal.Kind>?
  /// What the anonymous ID may be, in the order in which the SDK tries it; nil is the SDK's default.
  public var idSchemes: [IDScheme]?
  /// Whether the SDK keeps the anonymous ID in the keychain, where it outlives the app.
  public var usesKeychain = true
  /// The number of other apps of the vendor on the device.
  public var vendorApps = 1
  /// The name of the device's time zone, such as `Asia/Shanghai`; nil is UTC.
  public var timeZone: String?
  /// The app as its events name it; nil is that of the capture, where an event is about one.
  public var app: String?
  /// The device's IDFA; nil, or all zeros, is none.
  public var advertisingID: String?
  /// The device's IDFV. Nil stands for one that all sessions share, an empty text for none.
  public var vendorID: String?

  /// Creates a configuration with the default values of the format.
  public init() {}
}
