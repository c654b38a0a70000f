import EncircleText
import EncircleTree

/// The controllers that Sensors Analytics sends as the screens of elements.
///
/// The SDK goes up from an element to the nearest controller, and on to its parent as long as the parent is not a navigation, tab
/// bar, page or split view controller. Elements of a navigation or tab bar controller's own bars lead to that controller itself;
/// from there, the SDK goes down to the controller on top. For an alert, and without any controller, it uses the controller that
/// the user sees in the window.
///
/// Source: sa-sdk-ios 4.8.3, SAUIProperties.m and UIView+SAInternalProperties.m.
struct SensorsScreens: Sendable {
  /// For each element, the root view of the controller; -1 if it is unknown.
  private(set) var roots: [Int32]

  private let tree: ViewTree
  private let structure: ScreenStructure
  private let hidden: [Bool]
  // For each root view, the controller around it, and its last visible child, which lies on top.
  private var parents: [Int32: Int32] = [:]
  private var topChildren: [Int32: Int32] = [:]
  private var children: [Int32: [Int32]] = [:]

  /// - Parameter hidden: For each element, whether it or something around it is hidden or transparent.
  /// - Complexity: O(elements).
  init(of tree: ViewTree, _ structure: ScreenStructure, hidden: [Bool]) {
    self.tree = tree
    self.structure = structure
    self.hidden = hidden
    roots = Array(repeating: -1, count: tree.count)
    let controllers = structure.controllerKinds.keys.sorted()
    for root in controllers {
      guard let parent = tree.parent(of: ElementID(rawValue: root)) else { continue }
      let owner = structure.controllers[parent.index]
      guard owner >= 0 else { continue }
      parents[root] = owner
      children[owner, default: []].append(root)
      if !hidden[Int(root)] { topChildren[owner] = root }
    }
    let screens = screens(of: controllers)
    let visible = visibleController(controllers)
    for element in tree.elements {
      let controller = structure.controllers[element.index]
      let screen = controller < 0 ? -1 : screens[controller] ?? -1
      let isAlert = screen >= 0 && kinds(screen).contains(.alertController)
      roots[element.index] = screen >= 0 && !isAlert ? screen : visible >= 0 ? visible : structure.pages[element.index]
    }
  }

  private func kinds(_ controller: Int32) -> ViewKinds { structure.controllerKinds[controller] ?? [] }

  private func isStack(_ controller: Int32) -> Bool {
    !kinds(controller).isDisjoint(with: [.navigationController, .tabBarController])
  }

  /// Returns the screen from each controller upwards; -1 for a container without a visible child.
  private func screens(of controllers: [Int32]) -> [Int32: Int32] {
    var screens: [Int32: Int32] = [:]
    // Whatever lies on top of a container comes after it.
    for root in controllers.reversed() where isStack(root) {
      let top = topChildren[root] ?? -1
      screens[root] = top >= 0 && isStack(top) ? screens[top] ?? -1 : top
    }
    let ends: ViewKinds = [.navigationController, .tabBarController, .pageViewController, .splitViewController]
    for root in controllers where !isStack(root) {
      guard let parent = parents[root], kinds(parent).isDisjoint(with: ends) else {
        screens[root] = root
        continue
      }
      screens[root] = screens[parent] ?? root
    }
    return screens
  }

  // MARK: - The visible controller

  private static let contextMenu: UTF8String = "_UIContextMenuActionsOnlyViewController"

  /// Returns the controller that the user sees in the first window that has a controller of the app.
  private func visibleController(_ controllers: [Int32]) -> Int32 {
    var current: Int32 = -1
    var window: ElementID?
    var isRoot = true
    for root in controllers
    where parents[root] == nil && !hidden[Int(root)] && !kinds(root).contains(.systemOverlay) {
      let element = ElementID(rawValue: root)
      if let window {
        guard element < tree.subtreeEnd(of: window) else { break }
        // An alert does not present other controllers.
        if kinds(root).contains(.alertController) { break }
        if structure.writtenControllers[root].map({ UTF8String(structure.names[$0]) == Self.contextMenu }) ?? false {
          break
        }
        isRoot = false
      } else {
        if kinds(root).contains(.alertController) { continue }
        window = self.window(of: element)
      }
      current = root
    }
    return current < 0 ? -1 : visible(from: current, isRoot: isRoot)
  }

  private func window(of element: ElementID) -> ElementID {
    var window = element
    while let parent = tree.parent(of: window) { window = parent }
    return window
  }

  private func visible(from root: Int32, isRoot: Bool) -> Int32 {
    var current = root
    var isRoot = isRoot
    while true {
      if isStack(current) {
        guard let top = topChildren[current] else { return current }
        current = top
      } else {
        let below = children[current] ?? []
        if below.count == 1, isRoot {
          current = below[0]
        } else if let container = below.last(where: { isStack($0) && !hidden[Int($0)] && fillsWindow($0) }) {
          current = container
        } else {
          return current
        }
      }
      isRoot = false
    }
  }

  private func fillsWindow(_ root: Int32) -> Bool {
    var x = 0.0
    var y = 0.0
    var current = ElementID(rawValue: root)
    guard let frame = tree.frame(of: current) else { return false }
    while let parent = tree.parent(of: current) {
      let frame = tree.frame(of: current)
      x += frame?.x ?? 0
      y += frame?.y ?? 0
      current = parent
    }
    guard let window = tree.frame(of: current) else { return false }
    return x == 0 && y == 0 && frame.width == window.width && frame.height == window.height
  }
}
