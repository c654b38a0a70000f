import EncircleEvents

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
  /// This is true if the SDK is to track a click after the action rather than before it.
  public var comesAfterAction: Bool?
  /// This is true while a slider is being dragged.
  public var isTracking: Bool?
  /// The view's React tag.
  public var reactTag: Int?
  /// The view in a capture, which supplies what the session leaves out.
  public var element: CapturedElement?
}

/// A rectangle in points.
public struct SessionFrame: Sendable {
  public var x = 0.0
  public var y = 0.0
  public var width = 0.0
  public var height = 0.0
}
