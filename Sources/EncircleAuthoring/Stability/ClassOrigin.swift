import EncircleText
import EncircleTree

/// The origin of a class, which decides how likely it is to change. It is judged by the name and the known classes.
public enum ClassOrigin: Hashable, Sendable {
  /// The app itself: the class changes when the developers of the app change it.
  case app
  /// A public class of UIKit, Android or a well-known library.
  case framework
  /// A private control of UIKit, such as `_UIStepperButton`.
  case privateControl
  /// A private view of UIKit that only holds others, such as `UITransitionView` or `UITableViewCellContentView`.
  case wrapper
  /// A layout that only holds others: Android's `LinearLayout`, WebDriverAgent's `XCUIElementTypeOther`.
  case layout
  /// The compiler, which makes such names from types and files; SwiftUI has many.
  case generated

  /// Finds the origin of a class.
  ///
  /// - Parameter hierarchy: The hierarchy that knows which private classes are controls.
  /// - Complexity: O(length + depth of the hierarchy).
  public init(of name: UTF8String, in hierarchy: ClassHierarchy = .builtIn) {
    let name = DeveloperID.withoutCollapsed(name)
    if Self.isGenerated(name) {
      self = .generated
    } else if Self.wrappers.contains(name) {
      self = .wrapper
    } else if Self.layouts.contains(name) {
      self = .layout
    } else if name.text.beginsWithBytes(of: "_"), !name.text.beginsWithBytes(of: "_Tt") {
      // Classes of the app may also begin with an underscore; they are treated alike.
      self = hierarchy.isClass(name.text, kindOf: "UIControl") ? .privateControl : .wrapper
    } else if Self.privateControls.contains(name) {
      self = .privateControl
    } else if ClassHierarchy.builtIn.contains(name.text) || Self.isFramework(name) {
      self = .framework
    } else if hierarchy.hasShortNames, Self.isShortName(name) {
      self = Self.shortLayouts.contains(name) ? .layout : .framework
    } else {
      self = .app
    }
  }

  /// Returns whether a class occurs everywhere on screens, so that its name says little about the place.
  static func isPlain(_ name: UTF8String) -> Bool {
    plainClasses.contains(DeveloperID.withoutCollapsed(name))
  }

  private static let plainClasses: Set<UTF8String> = [
    "UIView", "UIStackView", "UIScrollView", "UIWindow", "UILabel", "UIImageView", "UIControl", "UIButton",
    "UIVisualEffectView", "RCTView", "RCTViewComponentView", "XCUIElementTypeWindow", "XCUIElementTypeApplication",
    "XCUIElementTypeScrollView", "XCUIElementTypeButton", "XCUIElementTypeImage", "XCUIElementTypeStaticText",
    "android.widget.TextView", "android.widget.ImageView", "android.widget.Button", "android.widget.ScrollView",
    "TextView", "ImageView", "Button", "ScrollView",
  ]

  /// Returns whether a name is an element type of WebDriverAgent or the older UIAutomation rather than a class.
  static func isElementType(_ name: UTF8String) -> Bool {
    if name.text.beginsWithBytes(of: "XCUIElementType") { return true }
    // UIAButton is one, UIAlertView is not.
    let bytes = name.text.utf8.prefix(4)
    return name.text.beginsWithBytes(of: "UIA") && bytes.count == 4
      && isUpperCase(bytes[bytes.index(bytes.startIndex, offsetBy: 3)])
  }

  /// Returns whether a name has generic arguments, a private discriminator, or an address in place of a context.
  private static func isGenerated(_ name: UTF8String) -> Bool {
    // NSStringFromClass returns _TtC…P33_… for a private type, and _TtG… or Outer<Inner> for a generic one.
    if name.text.beginsWithBytes(of: "_Tt") {
      return name.text.containsBytes(of: "P33_") || name.text.containsBytes(of: "SwiftUI")
        || name.text.beginsWithBytes(of: "_TtG")
    }
    return name.text.containsBytes(of: "<") || name.text.containsBytes(of: "(unknown context")
  }

  private static func isFramework(_ name: UTF8String) -> Bool {
    if isElementType(name) { return true }
    for prefix in ["android.", "androidx.", "com.google.android.", "com.android.", "SwiftUI.", "UIKit.", "io.flutter."]
    where name.text.beginsWithBytes(of: prefix) {
      return true
    }
    // A framework's prefix is followed by another capital. An app may use the same letters, which is not detected.
    for prefix in ["UI", "WK", "MK", "AV", "SF", "PK", "RCT", "RNS", "RNC"] where name.text.beginsWithBytes(of: prefix)
    {
      let next = name.text.utf8.dropFirst(prefix.utf8.count).first
      if let next, isUpperCase(next) { return true }
    }
    return false
  }

  // Private classes whose names have no underscore.
  private static let wrappers: Set<UTF8String> = [
    "UITransitionView", "UIDropShadowView", "UILayoutContainerView", "UINavigationTransitionView",
    "UIViewControllerWrapperView", "UICollectionViewControllerWrapperView", "UISplitViewControllerPanelImplView",
    "UIPanelBorderView", "UITableViewCellContentView", "UITableViewWrapperView", "UITableViewCellScrollView",
    "UIInterfaceActionGroupView", "UIInterfaceActionRepresentationView", "UIDimmingView", "UIInputSetContainerView",
    "UIInputSetHostView", "RCTRootContentView", "RCTScrollContentView",
  ]

  private static let privateControls: Set<UTF8String> = [
    "UINavigationButton", "UINavigationItemButtonView", "UINavigationItemView", "UITabBarButton", "UIToolbarButton",
    "UIToolbarTextButton", "UISwipeActionButton", "UISwipeActionStandardButton", "UITableViewCellEditControl",
    "UITableViewCellReorderControl", "UITableViewIndex", "UISegment", "UICalloutBarButton",
  ]

  private static let layouts: Set<UTF8String> = [
    "XCUIElementTypeOther", "XCUIElementTypeAny", "XCUIElementTypeGroup", "UIAElement", "android.view.View",
    "android.view.ViewGroup",
    "android.widget.FrameLayout", "android.widget.LinearLayout", "android.widget.RelativeLayout",
    "android.widget.TableLayout", "android.widget.GridLayout", "androidx.constraintlayout.widget.ConstraintLayout",
    "android.support.constraint.ConstraintLayout", "androidx.coordinatorlayout.widget.CoordinatorLayout",
    "androidx.compose.ui.platform.ComposeView", "com.android.internal.policy.DecorView", "hierarchy",
  ]

  /// Returns whether a name is that of a class of Android without its package. Several classes may share it.
  private static func isShortName(_ name: UTF8String) -> Bool {
    let hierarchy = ClassHierarchy.builtInOnAndroid
    return hierarchy.contains(name.text) || !hierarchy.superclasses(of: name.text).isEmpty
  }

  private static let shortLayouts = Set(
    layouts.compactMap { $0.text.splitBytes(at: ".").last.map { UTF8String(String($0)) } })
}

/// The origins of classes, each found once.
final class ClassOrigins {
  private let hierarchy: ClassHierarchy
  private var known: [UTF8String: ClassOrigin] = [:]

  init(in hierarchy: ClassHierarchy) { self.hierarchy = hierarchy }

  func origin(of name: UTF8String) -> ClassOrigin {
    if let origin = known[name] { return origin }
    let origin = ClassOrigin(of: name, in: hierarchy)
    known[name] = origin
    return origin
  }
}
