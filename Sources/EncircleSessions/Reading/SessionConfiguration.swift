/// The kinds of IDs that can identify a device.
public enum IDScheme: String, CaseIterable, Sendable {
  /// The identifier for advertisers, which all apps of the device share.
  case idfa
  /// The identifier for vendors, which the apps of one vendor share.
  case idfv
  /// A random UUID.
  case uuid
  /// The hardware address of the network, which has been the same on all devices since iOS 7.
  case mac
  /// The unique device identifier, which apps have no longer been able to read since iOS 6.
  case udid
  /// The international number of the device (IMEI), which no app can read.
  case imei
}

/// The configuration of the SDK, which is the first line of a session.
public struct SessionConfiguration: Sendable {
  /// The kinds of events that are sent without code.
  public enum AutomaticEvent: String, CaseIterable, Sendable {
    case start, end, click, screen
  }

  /// A description of the session for its readers.
  public var about: String?
  /// The kinds of events that are sent without code.
  public var automaticEvents = Set(AutomaticEvent.allCases)
  /// This is true if leaving a page is an event.
  public var tracksPageLeave = false
  /// This is true if leaving a page inside another page is an event, too.
  public var tracksChildPageLeave = false
  /// This is true if a page inside another page is an event.
  public var tracksChildScreens = false
  /// This is true if crashes are events.
  public var tracksCrashes = false
  /// This is true if events carry a session number.
  public var numbersSessions = false
  /// The seconds without an event after which a session ends.
  public var sessionTimeout = 300
  /// The number of stored events above which the SDK sends them.
  public var flushBulkSize = 100
  /// This is true if the timer that sends events runs.
  public var flushesByTimer = false
  /// The classes of view controllers that send no events.
  public var ignoredControllers: [String] = []
  /// The classes of view controllers whose leaving is not an event.
  public var ignoredLeaves: [String] = []
  /// The classes of views whose clicks are not events.
  public var ignoredViewTypes: [String] = []
  /// This is true if the app asks to forget the last page when it goes to the background.
  public var clearsReferrer = false
  /// The networks over which the SDK sends events; nil for its default.
  public var networks: Set<NetworkSignal.Kind>?
  /// The kinds of anonymous IDs, in the order in which the SDK tries them; nil for its default.
  public var idSchemes: [IDScheme]?
  /// This is true if the SDK keeps the anonymous ID in the keychain, where it outlives the app.
  public var usesKeychain = true
  /// The number of other apps of the vendor on the device.
  public var vendorApps = 1
  /// The name of the device's time zone, such as `Asia/Shanghai`; nil for UTC.
  public var timeZone: String?
  /// The app's name in events; nil for the name in the capture that an event refers to, if any.
  public var app: String?
  /// The device's IDFA; nil, or all zeros, if it has none.
  public var advertisingID: String?
  /// The device's IDFV; nil for an ID that all sessions share, empty if the device has none.
  public var vendorID: String?

  /// Creates a configuration with the format's default values.
  public init() {}
}
