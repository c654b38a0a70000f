import Foundation

@MainActor open class UIResponder: NSObject, StandInObject {
  nonisolated(unsafe) public var standInClassNames: [String]?
  open var next: UIResponder? { nil }
  // Of NSObject in UIKit.
  open var accessibilityLabel: String?
  nonisolated public override init() { super.init() }
}

@MainActor open class UIView: UIResponder {
  open var frame: CGRect
  open var bounds: CGRect
  open var tag = 0
  open var isHidden = false
  open lazy var isUserInteractionEnabled = !(self is UILabel || self is UIImageView)
  open var alpha: CGFloat = 1
  open var gestureRecognizers: [UIGestureRecognizer]?
  open var accessibilityIdentifier: String?
  public private(set) var subviews: [UIView] = []
  public private(set) weak var superview: UIView?
  public weak var standInController: UIViewController?
  public var standInProperties: [String: Any] = [:]
  public private(set) var standInDrawings: [CGRect] = []

  public init(frame: CGRect) {
    self.frame = frame
    bounds = CGRect(origin: .zero, size: frame.size)
    super.init()
  }

  public override convenience nonisolated init() {
    self.init(standInFrame: .zero)
  }

  nonisolated private init(standInFrame frame: CGRect) {
    self.frame = frame
    bounds = CGRect(origin: .zero, size: frame.size)
    super.init()
  }

  open override var next: UIResponder? { standInController ?? superview }

  open func addSubview(_ view: UIView) {
    view.superview = self
    subviews.append(view)
  }

  /// Removes and returns the subviews, so that a test can release a deep hierarchy level by level.
  public func standInRemoveSubviews() -> [UIView] {
    defer { subviews = [] }
    return subviews
  }

  open func addGestureRecognizer(_ recognizer: UIGestureRecognizer) {
    gestureRecognizers = (gestureRecognizers ?? []) + [recognizer]
  }

  open func convert(_ rect: CGRect, to view: UIView?) -> CGRect {
    var rect = rect
    var next: UIView? = self
    while let current = next, current !== view {
      rect = rect.offsetBy(dx: current.frame.minX - current.bounds.minX, dy: current.frame.minY - current.bounds.minY)
      next = current.superview
    }
    return rect
  }

  @discardableResult open func drawHierarchy(in rect: CGRect, afterScreenUpdates: Bool) -> Bool {
    standInDrawings.append(rect)
    UIGraphicsImageRenderer.standInLog.append("draw \(rect.minX) \(rect.minY) \(rect.width) \(rect.height)")
    return true
  }
}

open class UIWindow: UIView {
  public struct Level: RawRepresentable, Hashable, Sendable {
    public var rawValue: CGFloat
    public init(rawValue: CGFloat) { self.rawValue = rawValue }
    public static let normal = Level(rawValue: 0)
    public static let alert = Level(rawValue: 2000)
  }
  open var windowLevel: UIWindow.Level = .normal
}

open class UILabel: UIView {
  open var text: String?
}

open class UIImageView: UIView {
  open var image: UIImage?
}

@MainActor open class UIScrollView: UIView {
  open var contentOffset: CGPoint {
    get { bounds.origin }
    set { bounds.origin = newValue }
  }
}

public protocol UIKeyInput: AnyObject {}
public protocol UITextInput: UIKeyInput {}

public struct UITextContentType: RawRepresentable, Hashable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let password = UITextContentType(rawValue: "password")
}

open class UITextField: UIControl, UITextInput {
  open var textContentType: UITextContentType?
  open var text: String?
  open var placeholder: String?
  open var isSecureTextEntry = false
}

open class UITextView: UIScrollView, UITextInput {
  open var textContentType: UITextContentType?
  open var text: String?
  open var isSecureTextEntry = false
}

open class UISearchBar: UIView {
  open var text: String?
  open var placeholder: String?
}

open class UITabBarItem: NSObject {}

open class UITabBar: UIView {
  open var items: [UITabBarItem]?
  open weak var selectedItem: UITabBarItem?
}

@MainActor open class UIGestureRecognizer: NSObject {}
open class UITapGestureRecognizer: UIGestureRecognizer {
  open var numberOfTapsRequired = 1
}
open class UILongPressGestureRecognizer: UIGestureRecognizer {}
open class UIPinchGestureRecognizer: UIGestureRecognizer {}
open class UIRotationGestureRecognizer: UIGestureRecognizer {}
open class UISwipeGestureRecognizer: UIGestureRecognizer {}
open class UIPanGestureRecognizer: UIGestureRecognizer {}
open class UIScreenEdgePanGestureRecognizer: UIPanGestureRecognizer {}
