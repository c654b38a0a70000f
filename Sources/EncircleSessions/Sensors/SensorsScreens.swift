// The search of sa-sdk-ios for the controller that is the screen of a view.
extension SessionWorld {
  private static let containers = [
    "UINavigationController", "UITabBarController", "UIPageViewController", "UISplitViewController",
  ]

  /// Returns the screen of a controller: down to the controller that a navigation or tab bar controller shows, and up until
  /// the parent is a container; nil if a container shows nothing.
  func screen(ofController number: Int) -> Int? {
    var current: Int? = number
    // The steps are counted, because going down and up could repeat forever.
    for _ in 0...controllers.count {
      guard let number = current, let controller = controllers[number] else { return nil }
      if isController(number, kindOfAny: ["UINavigationController", "UITabBarController"]) {
        current = topController(of: number)
        continue
      }
      guard let parent = controller.parent, !isController(parent, kindOfAny: Self.containers) else { return number }
      current = parent
    }
    return nil
  }

  /// The screen that the window shows. Inside other controllers, the SDK only looks for navigation and tab bar controllers that
  /// fill the screen. Here, the controller that a signal names as shown counts, else the last one.
  var currentScreen: Int? {
    var current = rootController
    var isRoot = true
    for _ in 0...controllers.count {
      guard let number = current, let controller = controllers[number] else { return nil }
      if isController(number, kindOfAny: ["UINavigationController", "UITabBarController"]) {
        current = topController(of: number)
      } else if isRoot, controller.children.count == 1 {
        current = controller.children[0]
      } else if let inner = shownContainer(in: controller) {
        current = inner
      } else {
        return number
      }
      isRoot = false
    }
    return nil
  }

  /// Returns the navigation or tab bar controller that a controller shows inside itself; nil for none.
  private func shownContainer(in controller: Controller) -> Int? {
    func isContainer(_ number: Int) -> Bool {
      isController(number, kindOfAny: ["UINavigationController", "UITabBarController"])
    }
    if let top = controller.top { return isContainer(top) ? top : nil }
    return controller.children.last(where: isContainer)
  }
}
