import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// The properties of events that describe a page.
struct ShownPage {
  /// The class of the controller.
  var name: String
  var title: String?
}

extension SessionWorld {
  /// Returns the page of a controller.
  func shownPage(_ controller: Int?) -> ShownPage? {
    controller.flatMap { controllers[$0] }.map { ShownPage(name: $0.className, title: $0.title) }
  }

  /// Returns the page of a view: the page of its nearest controller, or, for a view in a bar or an alert, the page that is shown.
  ///
  /// - Parameter style: The style of the SDK's paths. In Lede's style, tab bars and toolbars count as bars, too; in the others
  ///   they belong to their controller.
  func shownPage(ofView view: Int, in style: PathStyleName) -> ShownPage? {
    let bars = style == .lede ? ["UINavigationBar", "UITabBar", "UIToolbar"] : ["UINavigationBar"]
    if isInside(view, anyOf: bars) { return shownPage(currentScreen) ?? capturedPage(ofView: view) }
    if style == .lede, let captured = views[view].element, isInside(captured, anyOf: bars) {
      return shownPage(currentScreen) ?? page(of: captured, in: .sensors)
    }
    if let controller = nextController(ofView: view), !isController(controller, kindOf: "UIAlertController") {
      return shownPage(controller)
    }
    return capturedPage(ofView: view) ?? shownPage(currentScreen)
  }

  /// Returns the next page in the responder chain of a view, which may be an alert.
  func nextPage(ofView view: Int) -> ShownPage? {
    if let controller = nextController(ofView: view) { return shownPage(controller) }
    guard let captured = views[view].element else { return nil }
    let screen = captured.capture.screen
    guard let name = screen.controller(of: captured.element) else { return nil }
    // An alert does not have the title of the page beneath it.
    let isPage = sameText(name, screen.page(of: captured.element))
    return ShownPage(name: name, title: isPage ? screen.pageTitle(of: captured.element) : nil)
  }

  private func capturedPage(ofView view: Int) -> ShownPage? {
    views[view].element.flatMap { page(of: $0, in: .hubbleData) }
  }

  private func page(of captured: CapturedElement, in style: PathStyleName) -> ShownPage? {
    let screen = captured.capture.screen
    return screen.page(of: captured.element, in: style).map {
      ShownPage(name: $0, title: screen.pageTitle(of: captured.element, in: style))
    }
  }

  /// Returns whether an element of a capture, or one of its ancestors, is of any of the kinds.
  private func isInside(_ captured: CapturedElement, anyOf kinds: [String]) -> Bool {
    var current: CapturedElement? = captured
    while let next = current {
      let names = [next.className] + next.superclasses
      if names.contains(where: { name in kinds.contains { isClass(name, kindOf: $0) } }) { return true }
      current = next.capture.screen.tree.parent(of: next.element).map {
        CapturedElement(capture: next.capture, element: $0)
      }
    }
    return false
  }

  /// Returns whether a view, or one of its superviews, is of any of the kinds.
  private func isInside(_ view: Int, anyOf kinds: [String]) -> Bool {
    var current: Int? = view
    while let next = current {
      if isView(next, kindOfAny: kinds) { return true }
      current = views[next].superview
    }
    return false
  }
}
