/// The limits of a session's size. Exceeding one is an error.
public struct SessionLimits: Sendable {
  /// The maximum number of bytes in a line.
  public var lineBytes = 1 << 20
  /// The maximum number of values and member names in a line.
  public var lineValues = 100_000
  /// The deepest nesting of arrays and objects in a line.
  public var depth = 64
  /// The maximum number of members in an object, such as the properties of an event.
  public var members = 1_000
  /// The maximum number of actions that a tap or a gesture causes, and of a control's targets.
  public var effects = 20
  /// The maximum number of a process's view controllers at a time, and of page views that are held for a start.
  public var controllers = 10_000
  /// The maximum number of views in a process.
  public var views = 10_000
  /// The maximum number of superviews of a view, and of parents of a view controller.
  public var nesting = 500
  /// The maximum number of classes in a process, besides the system's.
  public var classes = 10_000
  /// The maximum number of a process's timers at a time.
  public var timers = 10_000

  /// The maximum total number of elements in a session's captures.
  public var captureElements = 500_000
  /// The maximum number of events from app extensions that wait for the app.
  public var extensionEvents = 10_000

  /// Creates the default limits.
  public init() {}
}
