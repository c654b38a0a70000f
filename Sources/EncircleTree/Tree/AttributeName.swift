import EncircleText

/// The name of an element's attribute: a well-known name, or one that only its own tree can resolve.
///
/// Readers map the attributes of all formats to the names of view-tree XML, so later stages need not know the format. An element's
/// class and frame are not attributes, whatever the capture calls them.
public struct AttributeName: Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Superclasses, nearest first, separated by white space.
  public static let superclasses = AttributeName(rawValue: 0)
  /// Class of the view controller whose root view this is.
  public static let controller = AttributeName(rawValue: 1)
  /// Title of that view controller.
  public static let controllerTitle = AttributeName(rawValue: 2)
  /// Superclasses of that view controller, nearest first, separated by white space.
  public static let controllerSuperclasses = AttributeName(rawValue: 3)
  /// Section and row or item of a cell, separated by white space.
  public static let indexPath = AttributeName(rawValue: 4)
  /// Action selectors in registration order, separated by white space.
  public static let actions = AttributeName(rawValue: 5)
  /// Kinds of gesture recognizers, separated by white space.
  public static let gestures = AttributeName(rawValue: 6)
  /// Title of a button or of an alert.
  public static let title = AttributeName(rawValue: 7)
  /// Message of an alert.
  public static let message = AttributeName(rawValue: 8)
  /// Displayed or typed text.
  public static let text = AttributeName(rawValue: 9)
  /// Placeholder of a text field.
  public static let placeholder = AttributeName(rawValue: 10)
  /// Accessibility label.
  public static let label = AttributeName(rawValue: 11)
  /// Accessibility identifier, or Android resource id.
  public static let identifier = AttributeName(rawValue: 12)
  /// Accessibility value.
  public static let value = AttributeName(rawValue: 13)
  /// The view's tag.
  public static let tag = AttributeName(rawValue: 14)
  /// Says whether typed text is secret: a password field.
  public static let secure = AttributeName(rawValue: 15)
  /// Says whether the view is hidden.
  public static let hidden = AttributeName(rawValue: 16)
  /// Opacity, 0 to 1.
  public static let alpha = AttributeName(rawValue: 17)
  /// Says whether the control is enabled.
  public static let enabled = AttributeName(rawValue: 18)
  /// Says whether a switch is on.
  public static let on = AttributeName(rawValue: 19)
  /// Says whether an Android view responds to clicks.
  public static let clickable = AttributeName(rawValue: 20)
  /// Says whether an Android view responds to long clicks.
  public static let longClickable = AttributeName(rawValue: 21)

  // The order is that of the raw values above.
  static let wellKnown: [StaticString] = [
    "superclasses", "controller", "controllerTitle", "controllerSuperclasses", "indexPath",
    "actions", "gestures", "title", "message", "text", "placeholder", "label", "identifier",
    "value", "tag", "secure", "hidden", "alpha", "enabled", "on", "clickable",
    "longClickable",
  ]

  /// Creates the well-known name that is spelled `text`; nil if there is none.
  init?(wellKnown text: UnsafeBufferPointer<UInt8>) {
    guard let number = Self.wellKnown.firstIndex(where: { sameBytes(text, $0) }) else { return nil }
    rawValue = UInt32(number)
  }
}
