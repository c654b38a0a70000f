/// How large a session may be. What is larger gives an error.
public struct SessionLimits: Sendable {
  /// The most bytes of a line.
  public var lineBytes = 1 << 20
  /// The most values and names of members in a line.
  public var lineValues = 100_000
  /// The deepest nesting of arrays and objects in a line.
  public var depth = 64
  /// The most members of one object, such as the properties of an event.
  public var members = 1_000
  /// The most actions that a tap or a gesture causes, and the most targets of a control.
  public var effects = 20
  /// The most view controllers of a process at a time, and the most page views that are held for a start.
  public var controllers = 10_000
  /// The most views of a process.
  public var views = 10_000
  /// The most superviews of a view, and the most parents of a view controller.
  public var nesting = 500
  /// The most classes of a process beside the system's.
  public var classes = 10_000
  /// The most timers of a process at a time.
  public var timers = 10_000

  /// The most elements of all captures that a session refers to, together.
  public var captureElements = 500_000
  /// The most events of app extensions that wait for the app.
  public var extensionEvents = 10_000

  /// Creates the default limits.
  public init() {}
}
