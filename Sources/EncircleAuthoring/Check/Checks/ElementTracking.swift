import EncircleIdentity
import EncircleTree

/// Whether SDKs send events of an element.
package enum ElementTracking {
  /// They do, or may: of a class whose superclasses are unknown, as of a view in which an app may follow touches itself, nobody
  /// knows.
  case possible
  /// They do not; a tap on the element is one on the element around it, if there is one.
  case none(around: Ancestor?)

  /// The nearest element around another one that SDKs send events of.
  package struct Ancestor {
    package let className: String
    /// The number of levels between the two.
    package let distance: Int
  }

  /// Finds out whether SDKs send events of an element of a capture.
  ///
  /// - Complexity: O(depth + superclasses).
  package init(of element: ElementID, in screen: IdentifiedTree, _ style: PathStyleName, _ hierarchy: ClassHierarchy) {
    self = .possible
    guard style.style.unmetRequirement(for: screen) == nil, screen.trackingType(of: element, in: style) == nil else {
      return
    }
    let name = screen.className(of: element)
    guard
      Self.plainClasses.contains(where: { name.utf8.elementsEqual($0.utf8) })
        || Self.shownClasses.contains(where: { hierarchy.isClass(name, kindOf: $0) })
    else { return }
    var distance = 1
    var current = screen.tree.parent(of: element)
    while let ancestor = current {
      if screen.trackingType(of: ancestor, in: style) != nil {
        self = .none(around: Ancestor(className: screen.className(of: ancestor), distance: distance))
        return
      }
      distance += 1
      current = screen.tree.parent(of: ancestor)
    }
    // A recognizer of its own may be followed by the app.
    if screen.tree.value(.gestures, of: element) == nil { self = .none(around: nil) }
  }

  // Classes of views that show something or hold others, and of which SDKs send no events unless they have a recognizer.
  private static let plainClasses = ["UIView", "UITableViewCellContentView", "UIStackView"]
  private static let shownClasses = [
    "UILabel", "UIImageView", "UIVisualEffectView", "UIActivityIndicatorView", "UIProgressView",
    "android.widget.TextView", "android.widget.ImageView",
  ]
}
