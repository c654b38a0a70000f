import EncircleTree

/// A slow and obvious implementation of identities: nested views that look up their ancestors.
final class ReferenceView {
  let className: String
  let superclasses: [String]
  let frame: Frame?
  let controller: String?
  let controllerSuperclasses: [String]
  let indexPath: String?
  let actions: String?
  let title: String?
  let message: String?
  var subviews: [ReferenceView] = []
  weak var superview: ReferenceView?

  init(of element: ElementID, in tree: ViewTree) {
    func words(_ name: AttributeName) -> [String] {
      (tree.value(name, of: element) ?? "").split(separator: " ").map(String.init)
    }
    className = RuntimeSubclass.writtenClass(of: tree.className(of: element))
    superclasses = words(.superclasses)
    frame = tree.frame(of: element)
    controller = tree.value(.controller, of: element).map { RuntimeSubclass.writtenClass(of: $0) }
    controllerSuperclasses = words(.controllerSuperclasses)
    indexPath = tree.value(.indexPath, of: element)
    actions = tree.value(.actions, of: element)
    title = tree.value(.title, of: element)
    message = tree.value(.message, of: element)
  }

  /// All views of a tree in pre-order, nested.
  static func views(of tree: ViewTree) -> [ReferenceView] {
    let views = tree.elements.map { ReferenceView(of: $0, in: tree) }
    for element in tree.elements {
      guard let parent = tree.parent(of: element) else { continue }
      views[element.index].superview = views[parent.index]
      views[parent.index].subviews.append(views[element.index])
    }
    return views
  }

  /// The identities of all elements of a tree.
  static func identities(of tree: ViewTree) -> [String] {
    views(of: tree).map(\.identity)
  }

  private var ancestors: [ReferenceView] {
    var result: [ReferenceView] = []
    var view = superview
    while let current = view {
      result.append(current)
      view = current.superview
    }
    return result
  }

  private func isKind(of base: String) -> Bool {
    ([className] + superclasses).contains { ClassHierarchy.builtIn.isClass($0, kindOf: base) }
  }

  private func isController(kindOf base: String) -> Bool {
    guard let controller else { return false }
    return ([controller] + controllerSuperclasses).contains { ClassHierarchy.builtIn.isClass($0, kindOf: base) }
  }

  private var isNavigationBarItem: Bool {
    isKind(of: "UIControl") && ancestors.contains { $0.isKind(of: "UINavigationBar") }
  }

  private var isAlert: Bool { isKind(of: "_UIAlertControllerView") }

  // MARK: - Locators

  private var locator: String {
    if let numbers = indexPath?.split(separator: " "), numbers.count == 2 {
      if isKind(of: "UITableViewCell") { return "(section:\(numbers[0]) row:\(numbers[1]))" }
      if isKind(of: "UICollectionViewCell") { return "(section:\(numbers[0]) item:\(numbers[1]))" }
      // On Android a row is whatever view lies in a list.
      if let superview, superview.isKind(of: "android.widget.AbsListView") {
        return "(section:\(numbers[0]) row:\(numbers[1]))"
      }
      if let superview, superview.isKind(of: "androidx.recyclerview.widget.RecyclerView") {
        return "(section:\(numbers[0]) item:\(numbers[1]))"
      }
    }
    if isNavigationBarItem { return "" }
    if isChildPage { return isInScrollView ? position : "" }
    if !isKind(of: "UIScrollView"), subviews.contains(where: { $0.isChildPage && $0.isInScrollView }) {
      return position
    }
    let siblings = (superview?.subviews ?? [self]).filter { $0.className.utf8.elementsEqual(className.utf8) }
    return "(\(siblings.firstIndex { $0 === self } ?? -1))"
  }

  private var parentControllerView: ReferenceView? { ancestors.first { $0.controller != nil } }

  private var isChildPage: Bool {
    guard controller != nil, let parent = parentControllerView else { return false }
    return !["UINavigationController", "UITabBarController", "UISplitViewController"].contains {
      parent.isController(kindOf: $0)
    }
  }

  private var isInScrollView: Bool {
    ancestors.prefix { $0 !== parentControllerView }.contains { $0.isKind(of: "UIScrollView") }
  }

  private var position: String {
    guard let frame, let outer = superview?.frame, outer.width != 0, outer.height != 0 else { return "" }
    let x = (frame.x + frame.width / 2) / outer.width
    let y = (frame.y + frame.height / 2) / outer.height
    return "(indexx:\(Int(x.rounded(.towardZero))) indexy:\(Int(y.rounded(.towardZero))))"
  }

  // MARK: - Identity

  private var identity: String {
    let path = (ancestors.reversed() + [self]).map { $0.className + $0.locator }
    var result = "path(" + path.joined(separator: "_") + ")"
    let chain = [self] + ancestors
    if isNavigationBarItem {
      let names = (actions ?? "").split(separator: " ")
      if !names.isEmpty { result += "&actions(" + names.joined(separator: ",") + ")" }
    } else if let controller = chain.compactMap(\.controller).first {
      result += "&controller(" + controller + ")"
    }
    // An alert view without title and message inside another one is a part of it.
    let alerts = chain.filter(\.isAlert)
    if let alert = alerts.first(where: { $0.title != nil || $0.message != nil }) ?? alerts.last {
      if let message = alert.message { result += "&message(" + message + ")" }
      if let title = alert.title { result += "&title(" + title + ")" }
    }
    return result
  }
}
