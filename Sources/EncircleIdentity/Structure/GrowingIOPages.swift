import EncircleText
import EncircleTree

/// The controllers that GrowingIO treats as pages. The paths of elements begin with them.
///
/// An element is on the page of the nearest controller. Some of UIKit's private controllers are not pages: their views are on the
/// page of the nearest enclosing controller that is a page, or else on the current page. Alerts, and views without a controller, are
/// always on the current page, which is the one that appeared last. A capture does not show which one that was, so the last page in
/// the capture that is not hidden is used.
///
/// Source: growingio-sdk-ios-autotracker 4.11.0, GrowingPageManager.m.
struct GrowingIOPages: Sendable {
  /// For each root view of a private controller, the root view of its page, or -1.
  private(set) var pages: [Int32: Int32] = [:]
  /// The root view of the current page, or -1.
  private(set) var current: Int32 = -1

  init() {}

  /// - Parameter hidden: For each element, whether it or something around it is hidden or transparent.
  /// - Complexity: O(*n* log *n*) for *n* controllers.
  init(of tree: ViewTree, _ structure: ScreenStructure, hidden: [Bool]) {
    var hiddenPage: Int32 = -1
    let controllers = structure.controllerKinds.keys.sorted()
    for root in controllers {
      guard let name = structure.writtenControllers[root] else { continue }
      guard Self.isPrivate(structure.names[name]) else {
        if hidden[Int(root)] { hiddenPage = root } else { current = root }
        continue
      }
      let parent = tree.parent(of: ElementID(rawValue: root)).map { structure.controllers[$0.index] } ?? -1
      let isAlert = structure.controllerKinds[root]?.contains(.alertController) ?? false
      // The parent comes earlier, so its page is known. The parent is a page itself, or is private and has an entry.
      pages[root] = isAlert || parent < 0 ? -1 : pages[parent] ?? parent
    }
    if current < 0 { current = hiddenPage }
    for (root, page) in pages where page < 0 { pages[root] = current }
  }

  /// Returns the root view of an element's page, or -1, given the root view of the element's nearest controller.
  func page(ofController root: Int32) -> Int32 { root < 0 ? current : pages[root] ?? root }

  /// Returns whether a controller is one of UIKit's that are not pages.
  static func isPrivate(_ name: String) -> Bool { privateControllers.contains(UTF8String(name)) }

  private static let privateControllers: Set<UTF8String> = [
    "UIInputWindowController", "UIActivityGroupViewController", "UIKeyboardHiddenViewController",
    "UICompatibilityInputViewController", "UISystemInputAssistantViewController", "UIPredictionViewController",
    "UIApplicationRotationFollowingController", "UIAlertController", "_UIAlertControllerTextFieldViewController",
    "UICandidateViewController", "UISystemKeyboardDockController", "UIKeyboardCameraViewController",
    "UIKeyboardCameraRemoteViewController",
  ]
}
