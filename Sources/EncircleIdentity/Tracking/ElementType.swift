import EncircleText
import EncircleTree

extension IdentifiedTree {
  /// Returns `$element_type` of a tap on an element: mostly its class.
  ///
  /// In the `sensors` styles a selected cell has the class of its list, and bar buttons, tabs, alert options and menus have
  /// the classes that developers know.
  ///
  /// Source: sa-sdk-ios 4.8.3, UIView+SAElementType.m and SAViewElementInfo.m.
  ///
  /// - Complexity: O(depth).
  public func elementType(of element: ElementID, in style: PathStyleName = .hubbleData) -> String {
    let name = className(of: element)
    guard style.isSensors else { return name }
    let kinds = kinds(of: element)
    if !kinds.isDisjoint(with: [.alertRepresentation, .alertCell]) { return alertType(of: element) }
    if let known = Self.knownTypes[UTF8String(name)] { return known }
    if HubbleDataLocators.cellKind(of: element, tree, structure) != nil, let list = list(around: element) {
      return className(of: list)
    }
    return name
  }

  private static let knownTypes: [UTF8String: String] = [
    "UINavigationButton": "UIBarButtonItem", "_UIButtonBarButton": "UIBarButtonItem",
    "UITabBarButton": "UITabBarItem", "_UIContextMenuActionView": "UIMenu",
    "_UIContextMenuActionsListCell": "UIMenu",
  ]

  /// Returns the type of an alert's action. In the window that presents alerts of old classes, the height identifies the class.
  private func alertType(of element: ElementID) -> String {
    var window = element
    while let parent = tree.parent(of: window) { window = parent }
    guard UTF8String(className(of: window)) == "_UIAlertControllerShimPresenterWindow" else {
      return "UIAlertController"
    }
    return (tree.frame(of: element)?.height ?? 0) > 50 ? "UIActionSheet" : "UIAlertView"
  }
}
