import EncircleEvents
import EncircleText
import Foundation

/// The properties of the element of a click: type, content and position.
enum SensorsElements {
  // MARK: - Type

  /// Returns the type of a view: the name of its class, or the type that the class stands for.
  static func type(of index: Int, _ world: SessionWorld) -> String {
    let name = world.views[index].className
    if world.isView(index, kindOf: "UIControl") {
      switch UTF8String(name) {
      case "UINavigationButton", "_UIButtonBarButton": return "UIBarButtonItem"
      case "UITabBarButton": return "UITabBarItem"
      default: return name
      }
    }
    switch UTF8String(name) {
    case "_UIInterfaceActionCustomViewRepresentationView", "_UIAlertControllerCollectionViewCell":
      return alertType(of: index, world)
    case "_UIContextMenuActionView", "_UIContextMenuActionsListCell": return "UIMenu"
    default: return name
    }
  }

  // The greatest height of an option of an alert without a controller.
  private static let alertOptionHeight = 50.0

  /// Returns the type of an alert's option. An alert without its own controller has a window, and may be a sheet.
  private static func alertType(of index: Int, _ world: SessionWorld) -> String {
    var top = index
    while let superview = world.views[top].superview { top = superview }
    guard UTF8String(world.views[top].className) == "_UIAlertControllerShimPresenterWindow" else {
      return "UIAlertController"
    }
    return world.views[index].frame.height > alertOptionHeight ? "UIActionSheet" : "UIAlertView"
  }

  // MARK: - Content

  private static let reactNativeViews = [
    "RCTSurfaceView", "RCTSurfaceHostingView", "RCTFPSGraph", "RCTModalHostView", "RCTView", "RCTTextView",
    "RCTRootView", "RCTInputAccessoryView", "RCTInputAccessoryViewContent", "RNSScreenContainerView", "RNSScreen",
    "RCTVideo", "RCTSwitch", "RCTSlider", "RCTSegmentedControl", "RNGestureHandlerButton", "RNCSlider",
    "RNCSegmentedControl",
  ]
  private static let weexViews = ["WXView", "WXImageView", "WXText"]
  private static let foreignLabels = ["RTLabel", "YYLabel"]

  // The content of a view without its subviews.
  private enum OwnContent {
    case text(String)
    case nothing
    // The content comes from its subviews.
    case inside
  }

  /// Returns the content of a view: its own, or the contents of its visible subviews joined by `-`; nil if there is none.
  static func content(of index: Int, _ world: SessionWorld) -> String? {
    switch ownContent(of: index, world) {
    case .text(let text): return text
    case .nothing: return nil
    case .inside: break
    }
    // Joining nested parts gives the same text as joining all parts at once, so only the order matters.
    var parts: [String] = []
    var open = visibleSubviews(of: index, world)
    while let next = open.popLast() {
      switch ownContent(of: next, world) {
      case .text(let text): if !text.utf8.isEmpty { parts.append(text) }
      case .nothing: break
      case .inside: open += visibleSubviews(of: next, world)
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "-")
  }

  // The order is reversed, because the views are taken from the end.
  private static func visibleSubviews(of index: Int, _ world: SessionWorld) -> [Int] {
    world.views[index].subviews.filter { !world.views[$0].isHidden && !world.views[$0].isIgnored }.reversed()
  }

  private static func ownContent(of index: Int, _ world: SessionWorld) -> OwnContent {
    let view = world.views[index]
    func kind(_ name: String) -> Bool { world.isView(index, kindOf: name) }
    if kind("UILabel"), !world.isView(index, kindOfAny: foreignLabels) {
      return view.attributes.text("text").map { .text($0) } ?? inherited(index, world)
    }
    if kind("UIImageView") {
      if let name = view.attributes.text("imageName"), !name.utf8.isEmpty { return .text(name) }
      return inherited(index, world)
    }
    if kind("UISearchBar") { return view.attributes.text("text").map { .text($0) } ?? .nothing }
    if kind("UIButton") { return view.attributes.text("title").map { .text($0) } ?? inherited(index, world) }
    if kind("UISwitch") { return .text(view.attributes.flag("on") == true ? "checked" : "unchecked") }
    if kind("UIStepper") { return .text(String(format: "%g", view.attributes.number("value") ?? 0)) }
    if kind("UISlider") {
      return .text(String(format: "%f", Double(Float(view.attributes.number("value") ?? 0))))
    }
    if kind("UIPageControl") { return .text(String(max(0, selectedIndex(view) ?? 0))) }
    if kind("UISegmentedControl") {
      if selectedIndex(view) == nil { return inherited(index, world) }
      return segmentTitle(view).map { .text($0) } ?? .nothing
    }
    return inherited(index, world)
  }

  /// Returns the content that any view has: the text of other frameworks' labels, else accessibility texts, else its subviews.
  private static func inherited(_ index: Int, _ world: SessionWorld) -> OwnContent {
    let attributes = world.views[index].attributes
    if world.isView(index, kindOfAny: foreignLabels) {
      if let text = attributes.text("text"), !text.utf8.isEmpty { return .text(text) }
      return .nothing
    }
    // A segment belongs to React Native if its control does.
    let isSegment = UTF8String(world.views[index].className) == "UISegment"
    let outer = isSegment ? world.views[index].superview : index
    for (view, kinds, name) in [(outer, reactNativeViews, "label"), (index, weexViews, "accessibilityValue")] {
      guard let view, world.isView(view, kindOfAny: kinds) else { continue }
      let text = (attributes.text(name) ?? "").trimmingCharacters(in: .whitespaces)
      if !text.utf8.isEmpty { return .text(text) }
    }
    return .inside
  }

  /// Returns the selected segment or page; nil for none.
  static func selectedIndex(_ view: SessionWorld.View) -> Int? {
    guard let number = view.attributes.number("selectedIndex"), number >= 0, number < 0x1p31 else { return nil }
    return Int(number)
  }

  /// Returns the title of the selected segment; nil if no segment is selected, or the segment has no title.
  static func segmentTitle(_ view: SessionWorld.View) -> String? {
    guard let selected = selectedIndex(view),
      case .list(let titles)? = view.attributes["titles"] ?? view.attributes["segments"],
      titles.indices.contains(selected), case .string(let title) = titles[selected]
    else { return nil }
    return title
  }

  // MARK: - Position

  /// Returns the position of a view: its own, or the position of the nearest superview that has one or is a cell.
  static func position(of index: Int, _ world: SessionWorld) -> String? {
    var current: Int? = index
    while let view = current {
      func kind(_ name: String) -> Bool { world.isView(view, kindOf: name) }
      let name = UTF8String(world.views[view].className)
      if kind("UITableViewCell") { return indexPath(of: view, world) }
      if kind("UICollectionViewCell") { return indexPath(of: view, world) }
      if kind("UISegmentedControl"), let selected = selectedIndex(world.views[view]) { return String(selected) }
      if name == "UITabBarButton", kind("UIControl") { return String(indexAmongSame(view, world)) }
      if name == "UISegment", kind("UIImageView") { return String(indexAmongSame(view, world)) }
      current = world.views[view].superview
    }
    return nil
  }

  /// Returns the number of views of the same class before a view in its superview.
  private static func indexAmongSame(_ index: Int, _ world: SessionWorld) -> Int {
    if let controller = world.views[index].controller {
      // A controller's view that has a superview is its root view, which counts no siblings. The controller's views without a
      // superview lie in the root view.
      if world.views[index].superview != nil { return 0 }
      return world.views[..<index].count {
        $0.controller == controller && $0.superview == nil && sameText($0.className, world.views[index].className)
      }
    }
    guard let superview = world.views[index].superview else { return 0 }
    var siblings = world.views[superview].subviews
    if world.isView(superview, kindOf: "UISegmentedControl") {
      siblings.sort { world.views[$0].frame.x < world.views[$1].frame.x }
    }
    let name = world.views[index].className
    return siblings.prefix { $0 != index }.count { sameText(world.views[$0].className, name) }
  }

  // MARK: - Cells

  /// Returns the cell of a list at an index path; nil if the list has no cell there.
  static func cell(_ section: Int, _ row: Int, of list: Int, _ world: SessionWorld) -> Int? {
    let cellClass: String
    if world.isView(list, kindOf: "UITableView") {
      cellClass = "UITableViewCell"
    } else if world.isView(list, kindOf: "UICollectionView") {
      cellClass = "UICollectionViewCell"
    } else {
      return nil
    }
    let wanted = "\(section):\(row)"
    return world.descendants(of: list).first { cell in
      world.isView(cell, kindOf: cellClass) && sameText(indexPath(of: cell, world), wanted)
        && self.list(of: cell, world) == list
    }
  }

  /// Returns the index path of a cell in its list, as events have it; nil if it has none.
  private static func indexPath(of cell: Int, _ world: SessionWorld) -> String? {
    guard list(of: cell, world) != nil, let text = world.views[cell].attributes.text("indexPath") else { return nil }
    let numbers = text.utf8.split(separator: UInt8(ascii: " ")).compactMap { String($0).flatMap { Int($0) } }
    return numbers.count == 2 ? "\(numbers[0]):\(numbers[1])" : nil
  }

  /// Returns the list of a cell: the nearest superview that is a table, or the superview of a collection's cell.
  private static func list(of cell: Int, _ world: SessionWorld) -> Int? {
    var current = world.views[cell].superview
    if world.isView(cell, kindOf: "UICollectionViewCell") {
      return current.flatMap { world.isView($0, kindOf: "UICollectionView") ? $0 : nil }
    }
    while let view = current {
      if world.isView(view, kindOf: "UITableView") { return view }
      current = world.views[view].superview
    }
    return nil
  }
}
