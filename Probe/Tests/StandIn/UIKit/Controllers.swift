import Foundation

@MainActor open class UINavigationItem: NSObject {
  open var title: String?
}

@MainActor open class UIViewController: UIResponder {
  open var title: String?
  open weak var navigationController: UINavigationController?
  open lazy var navigationItem = UINavigationItem()
  open private(set) var viewIfLoaded: UIView?
  open private(set) weak var parent: UIViewController?
  open private(set) var children: [UIViewController] = []

  /// Makes a view the root view of the controller.
  public func standInLoad(_ view: UIView) {
    viewIfLoaded = view
    view.standInController = self
  }

  open func addChild(_ controller: UIViewController) {
    children.append(controller)
    controller.parent = self
  }

  open override var next: UIResponder? { viewIfLoaded?.superview }
}

open class UINavigationController: UIViewController {}

open class UIAlertAction: NSObject {
  open var title: String?
  public init(standInTitle title: String?) { self.title = title }
}

open class UIAlertController: UIViewController {
  open var actions: [UIAlertAction] = []
  open var message: String?
}
