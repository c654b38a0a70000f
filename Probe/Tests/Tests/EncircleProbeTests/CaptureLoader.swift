import Foundation
import UIKit

/// The class of the app's targets.
final class Target: NSObject {}

/// WebKit's view for typing into web pages.
final class WebContentView: UIView, UITextInput {}

/// Builds the views that an app had when a capture was made.
@MainActor final class CaptureLoader {
  private(set) var windows: [UIWindow] = []
  // Views do not hold their controllers and targets, nor tab bars the selected item.
  private var owned: [AnyObject] = []
  private let target = Target()

  init(_ root: XMLNode) {
    windows = root.children.map { node in
      let window = UIWindow(frame: .zero)
      window.standInClassNames = classNames(node, "class", "superclasses", root: "UIView")
      load(node, into: window, table: nil, collection: nil)
      return window
    }
  }

  private func load(_ node: XMLNode, into view: UIView, table: UITableView?, collection: UICollectionView?) {
    setState(of: view, node)
    setControlState(of: view, node)
    setPlace(of: view, node, table: table, collection: collection)
    if node.attributes["controller"] != nil { addController(to: view, node) }
    for child in node.children {
      let names = classNames(child, "class", "superclasses", root: "UIView")
      let subview = makeView(names)
      subview.standInClassNames = names
      view.addSubview(subview)
      load(
        child, into: subview, table: view as? UITableView ?? table, collection: view as? UICollectionView ?? collection)
    }
  }

  private func classNames(_ node: XMLNode, _ own: String, _ superclasses: String, root: String) -> [String] {
    var names = [node.attributes[own] ?? ""]
    names += (node.attributes[superclasses] ?? "").split(separator: " ").map(String.init)
    names += Repository.superclasses[names[names.count - 1]] ?? []
    if let end = names.firstIndex(of: root) { names.removeSubrange((end + 1)...) } else { names.append(root) }
    return names + ["UIResponder", "NSObject"]
  }

  private func makeView(_ names: [String]) -> UIView {
    for name in names {
      switch name {
      case "UIWindow": return UIWindow(frame: .zero)
      case "UIButton": return UIButton(frame: .zero)
      case "UISwitch": return UISwitch(frame: .zero)
      case "UISegmentedControl": return UISegmentedControl(frame: .zero)
      case "UIPageControl": return UIPageControl(frame: .zero)
      case "UIStepper": return UIStepper(frame: .zero)
      case "UISlider": return UISlider(frame: .zero)
      case "UITextField": return UITextField(frame: .zero)
      case "UITextView": return UITextView(frame: .zero)
      case "UISearchBar": return UISearchBar(frame: .zero)
      case "UITabBar": return UITabBar(frame: .zero)
      case "UITableView": return UITableView(frame: .zero)
      case "UITableViewCell": return UITableViewCell(frame: .zero)
      case "UITableViewHeaderFooterView": return UITableViewHeaderFooterView(frame: .zero)
      case "UICollectionView": return UICollectionView(frame: .zero)
      case "UICollectionViewCell": return UICollectionViewCell(frame: .zero)
      case "UICollectionReusableView": return UICollectionReusableView(frame: .zero)
      case "UILabel": return UILabel(frame: .zero)
      case "UIImageView": return UIImageView(frame: .zero)
      case "UIScrollView": return UIScrollView(frame: .zero)
      case "UIControl": return UIControl(frame: .zero)
      case "WKContentView": return WebContentView(frame: .zero)
      default: break
      }
    }
    return UIView(frame: .zero)
  }

  private func setState(of view: UIView, _ node: XMLNode) {
    let numbers = (node.attributes["frame"] ?? "").split(separator: " ").compactMap { Double($0) }
    if numbers.count == 4 {
      view.frame = CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
      view.bounds.size = view.frame.size
    }
    // The label of React Native's texts is their text.
    let isReactText = node.attributes["class"] == "RCTTextView"
    view.accessibilityLabel = node.attributes["label"] ?? (isReactText ? node.attributes["text"] : nil)
    view.accessibilityIdentifier = node.attributes["identifier"]
    view.tag = node.attributes["tag"].flatMap { Int($0) } ?? 0
    view.isHidden = node.attributes["hidden"] == "true"
    view.alpha = node.attributes["alpha"].flatMap { Double($0) }.map { CGFloat($0) } ?? 1
    for name in ["reactTag", "nativeID"] { view.standInProperties[name] = node.attributes[name] }
    for word in (node.attributes["gestures"] ?? "").split(separator: " ") {
      switch word {
      case "tap": view.addGestureRecognizer(UITapGestureRecognizer())
      case "longPress": view.addGestureRecognizer(UILongPressGestureRecognizer())
      case "pinch": view.addGestureRecognizer(UIPinchGestureRecognizer())
      case "rotation": view.addGestureRecognizer(UIRotationGestureRecognizer())
      case "swipe": view.addGestureRecognizer(UISwipeGestureRecognizer())
      case "pan": view.addGestureRecognizer(UIPanGestureRecognizer())
      case "screenEdgePan": view.addGestureRecognizer(UIScreenEdgePanGestureRecognizer())
      default: break
      }
    }
    let image = node.attributes["imageName"].map { name in
      let image = UIImage()
      image.accessibilityIdentifier = name
      return image
    }
    let text = node.attributes["text"]
    switch view {
    case let view as UILabel: view.text = text
    case let view as UIImageView: view.image = image
    case let view as UIButton:
      view.currentTitle = node.attributes["title"]
      view.currentImage = image
    case let view as UITextField:
      view.text = text
      view.placeholder = node.attributes["placeholder"]
      view.isSecureTextEntry = node.attributes["secure"] == "true"
    case let view as UITextView: view.text = text
    case let view as UISearchBar: view.text = text
    default: break
    }
  }

  private func setControlState(of view: UIView, _ node: XMLNode) {
    let index = node.attributes["selectedIndex"].flatMap { Int($0) }
    let value = node.attributes["value"].flatMap { Double($0) }
    switch view {
    case let view as UISwitch: view.isOn = node.attributes["on"] == "true"
    case let view as UISegmentedControl: view.selectedSegmentIndex = index ?? -1
    case let view as UIPageControl: view.currentPage = index ?? 0
    case let view as UIStepper: view.value = value ?? 0
    case let view as UISlider: view.value = Float(value ?? 0)
    case let view as UITabBar:
      view.items = (0..<5).map { _ in UITabBarItem() }
      view.selectedItem = index.flatMap { view.items?[$0] }
    default: break
    }
    guard let control = view as? UIControl else { return }
    control.isEnabled = node.attributes["enabled"] != "false"
    control.isSelected = node.attributes["selected"] == "true"
    let changes = !Self.controlsOfValues.isDisjoint(with: view.standInClassNames ?? [])
    for word in (node.attributes["actions"] ?? "").split(separator: " ") {
      control.addTarget(target, action: Selector(String(word)), for: changes ? .valueChanged : .touchUpInside)
    }
  }

  /// The classes of controls whose actions are registered for changes of their values.
  private static let controlsOfValues: Set = [
    "UISwitch", "UISegmentedControl", "UIPageControl", "UIStepper", "UISlider", "UIDatePicker", "UIRefreshControl",
    "UIColorWell",
  ]

  private func setPlace(of view: UIView, _ node: XMLNode, table: UITableView?, collection: UICollectionView?) {
    let numbers = (node.attributes["indexPath"] ?? "").split(separator: " ").compactMap { Int($0) }
    if numbers.count == 2 {
      let path = IndexPath(indexes: numbers)
      if view is UITableViewCell { table?.standInIndexPaths[ObjectIdentifier(view)] = path }
      if view is UICollectionViewCell { collection?.standInIndexPaths[ObjectIdentifier(view)] = path }
    }
    guard let section = node.attributes["section"].flatMap({ Int($0) }) else { return }
    let role = node.attributes["role"] ?? "header"
    if let view = view as? UITableViewHeaderFooterView, let table {
      table.numberOfSections = max(table.numberOfSections, section + 1)
      if role == "header" { table.standInHeaders[section] = view } else { table.standInFooters[section] = view }
    } else if let view = view as? UICollectionReusableView, let collection {
      let kind =
        role == "header" ? UICollectionView.elementKindSectionHeader : UICollectionView.elementKindSectionFooter
      collection.standInSupplementary[kind, default: [:]][[section, 0]] = view
    }
  }

  private func addController(to view: UIView, _ node: XMLNode) {
    let names = classNames(node, "controller", "controllerSuperclasses", root: "UIViewController")
    let isAlert = names.contains("UIAlertController")
    let controller = isAlert ? UIAlertController() : UIViewController()
    controller.standInClassNames = names
    controller.title = isAlert ? node.attributes["title"] : node.attributes["controllerTitle"]
    (controller as? UIAlertController)?.message = node.attributes["message"]
    controller.standInLoad(view)
    owned.append(controller)
  }
}
