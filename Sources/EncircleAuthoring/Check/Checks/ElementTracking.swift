import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// The answer to whether SDKs send events of an element.
package enum ElementTracking {
  /// SDKs send events, or may send them: this is uncertain if a superclass is unknown or the app may handle the touches itself.
  case possible
  /// SDKs send no events; a tap counts as a tap on the ancestor, if there is one.
  case none(around: Ancestor?)

  /// The nearest ancestor of an element for which SDKs send events.
  package struct Ancestor {
    package let className: String
    /// The number of levels between the two.
    package let distance: Int
  }

  /// Finds out whether SDKs send events of an element of a capture.
  ///
  /// - Parameter events: The events of the capture in the style; only Android styles need them.
  /// - Complexity: O(depth + superclasses + elements beside it).
  package init(
    of element: ElementID, in screen: IdentifiedTree, _ style: PathStyleName, _ events: ElementEvents?,
    _ hierarchy: ClassHierarchy
  ) {
    self = .possible
    guard style.style.unmetRequirement(for: screen) == nil else { return }
    // An SDK for Android may listen to an element and send nothing, as for a key of a keypad. A tap there causes no
    // event of an element around it, either.
    func isSilent(_ element: ElementID) -> Bool { events.map { $0.trackingType(of: element) == nil } ?? false }
    if screen.trackingType(of: element, in: style) != nil {
      if isSilent(element) { self = .none(around: nil) }
      return
    }
    let name = screen.className(of: element)
    guard
      Self.plainClasses.contains(where: { name.hasSameBytes(as: $0) })
        || Self.shownClasses.contains(where: { hierarchy.isClass(name, kindOf: $0) })
    else { return }
    for (distance, ancestor) in zip(1..., screen.tree.ancestors(of: element))
    where screen.trackingType(of: ancestor, in: style) != nil {
      self = .none(
        around: isSilent(ancestor) ? nil : Ancestor(className: screen.className(of: ancestor), distance: distance))
      return
    }
    // The app may handle the taps itself if the element has a gesture recognizer.
    if screen.tree.value(.gestures, of: element) == nil { self = .none(around: nil) }
  }

  // Classes of views that only show something or hold others: SDKs send no events of these unless they have a recognizer.
  private static let plainClasses = ["UIView", "UITableViewCellContentView", "UIStackView"]
  private static let shownClasses = [
    "UILabel", "UIImageView", "UIVisualEffectView", "UIActivityIndicatorView", "UIProgressView",
    "android.widget.TextView", "android.widget.ImageView",
  ]
}
