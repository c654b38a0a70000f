import Foundation

@MainActor open class UINavigationItem: NSObject {
  open var title: String?
}

@MainActor open class UIViewController: UIResponder {
  open var title: String?
  open weak var navigationController: UINavigationController?
  open lazy var navigationItem = UINavigationItem()
  open private(set) var viewIfLoaded: UIView?

  /// Makes a view the root view of the controller.
  public func standInLoad(_ view: UIView) {
    viewIfLoaded = view
    view.standInController = self
  }

  open override var next: UIResponder? { viewIfLoaded?.superview }
}

open class UINavigationController: UIViewController {}

open class UIAlertController: UIViewController {
  open var message: String?
}
