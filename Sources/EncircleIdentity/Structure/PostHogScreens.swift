import EncircleText
import EncircleTree

/// The controllers that PostHog sends as the screens of elements.
///
/// From the nearest controller, the SDK repeatedly goes on to the controller that a navigation controller shows, to the selected
/// one of a tab bar controller, or to the controller that is presented by this one or by one around it. A capture does not say
/// which controller presents which, so the controllers in a window that have no controller around them are assumed to present one
/// another in their order.
///
/// Source: posthog-ios 3.69.3, `ph_topViewController` in PostHogAutocaptureEventTracker.swift.
struct PostHogScreens: Sendable {
  /// For each root view of a controller, the root view of its screen, or -1.
  private(set) var screens: [Int32: Int32] = [:]

  /// - Parameter hidden: For each element, whether it or something around it is hidden or transparent.
  /// - Complexity: O(*n* log *n*) for *n* controllers.
  init(of tree: ViewTree, _ structure: ScreenStructure, hidden: [Bool]) {
    let controllers = structure.controllerKinds.keys.sorted()
    // For each controller: its first and its last child that is shown, and the outermost controller around it.
    var firstShown: [Int32: Int32] = [:]
    var lastShown: [Int32: Int32] = [:]
    var outermost: [Int32: Int32] = [:]
    // For each outermost controller, the controller that it presents.
    var presented: [Int32: Int32] = [:]
    var last: (controller: Int32, window: ElementID)?
    var window = ElementID(0)
    for root in controllers {
      let element = ElementID(rawValue: root)
      let parent = tree.parent(of: element).map { structure.controllers[$0.index] } ?? -1
      if parent >= 0 {
        outermost[root] = outermost[parent] ?? parent
        guard !hidden[Int(root)] else { continue }
        if firstShown[parent] == nil { firstShown[parent] = root }
        lastShown[parent] = root
      } else {
        outermost[root] = root
        while element >= tree.subtreeEnd(of: window), let next = tree.nextSibling(of: window) { window = next }
        if let last, last.window == window { presented[last.controller] = root }
        last = (root, window)
      }
    }
    // The next controller is a child or a later one, so its screen is known.
    for root in controllers.reversed() {
      let kinds = structure.controllerKinds[root] ?? []
      if kinds.contains(.navigationController) {
        screens[root] = lastShown[root].map { screens[$0] ?? $0 } ?? -1
      } else if kinds.contains(.tabBarController), let selected = firstShown[root] {
        screens[root] = screens[selected] ?? selected
      } else if let next = outermost[root].flatMap({ presented[$0] }) {
        screens[root] = screens[next] ?? next
      } else {
        screens[root] = root
      }
    }
  }

  /// Returns `$screen_name` of a screen: the class without its module and without `ViewController`, wherever that occurs in it.
  ///
  /// Source: posthog-ios 3.69.3, `getViewControllerName` in UIViewController.swift.
  static func name(ofClass name: String) -> String {
    SwiftClassName.described(name).replacingBytes(of: "ViewController", with: "")
  }
}

extension PathStyleName {
  /// Returns PostHog's screen name for a controller class; empty if nothing is left of it.
  package static func postHogScreen(ofController name: String) -> String { PostHogScreens.name(ofClass: name) }
}
