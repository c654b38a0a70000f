import EncircleEvents

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
  /// This is true if `viewDidAppear:` or `viewDidDisappear:` calls the superclass's method.
  public var callsSuper = true
  /// The result of `getScreenUrl`.
  public var url: String?
  /// The result of `isIgnoredAutoTrackViewScreen`.
  public var isIgnored: Bool?
  /// The result of `getTrackProperties`.
  public var properties: EventObject?
  /// This is true if its parent, or the window, shows this controller.
  public var isTop: Bool?
}
