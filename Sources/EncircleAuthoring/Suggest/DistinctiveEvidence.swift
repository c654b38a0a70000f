import EncircleIdentity
import EncircleText
import EncircleTree

/// The role of an element among others of its class, if an expert would name the element by its role rather than by its place.
enum ElementRole {
  /// An option of an alert, which all alerts have alike.
  case alertOption
  /// A button of a navigation bar or toolbar, or a tab; they come and go, and their order changes.
  case barItem
  /// The back button, whose text is the title of the page before.
  case backButton
  /// A row of a menu: each row belongs to the app rather than to data, and has its own image and text.
  case menuRow
  /// One of several controls side by side that differ only in their texts.
  case repeatedSibling
  case other
}

extension Suggester {
  /// Returns the role of an element.
  ///
  /// - Complexity: O(depth).
  func role(of element: ElementID) -> ElementRole {
    let screen = index.screen
    switch screen.trackingType(of: element) {
    case .alert: return screen.alertTexts(of: element) == nil ? .other : .alertOption
    case .button, .control, .gestureTap: break
    case .tableViewSelect: return isMenuRow(element) ? .menuRow : .other
    default: return .other
    }
    let name = UTF8String(screen.className(of: element))
    guard !screen.kinds(of: element).isDisjoint(with: [.control, .button]), name != "_UINavigationBarTitleControl",
      isInBar(element)
    else { return isRepeatedSibling(element) ? .repeatedSibling : .other }
    let hasBackButton = screen.tree.children(of: element).contains {
      UTF8String(screen.className(of: $0)) == "_UIBackButtonContainerView"
    }
    return name == "UINavigationItemButtonView" || hasBackButton ? .backButton : .barItem
  }

  /// The maximum number of rows of a menu.
  private static let maximumMenuRows = 24

  /// Returns whether a row is in a menu: all rows of its class have different, steady texts, one each, beside an image that
  /// the app names.
  private func isMenuRow(_ element: ElementID) -> Bool {
    let rows = siblings(of: element)
    guard (3...Self.maximumMenuRows).contains(rows.count) else { return false }
    var texts: Set<UTF8String> = []
    var images: Set<UTF8String> = []
    for row in rows {
      guard let content = steadyContent(of: row), !content.text.utf8.contains(UInt8(ascii: "-")),
        texts.insert(content).inserted, let image = firstImage(in: row), images.insert(image).inserted
      else { return false }
    }
    return true
  }

  /// Returns whether an element outside of lists is one of at least three siblings of an app's class with different texts.
  private func isRepeatedSibling(_ element: ElementID) -> Bool {
    guard index.screen.cellLocator(of: element) == nil,
      ClassOrigin(of: UTF8String(index.screen.className(of: element)), in: index.hierarchy) == .app
    else { return false }
    let siblings = siblings(of: element)
    guard (3...Self.maximumMenuRows).contains(siblings.count) else { return false }
    let texts = siblings.compactMap { steadyContent(of: $0) }
    return texts.count == siblings.count && Set(texts).count == texts.count
  }

  /// Returns the elements of an element's class beside it, itself included; at most one more than a menu has.
  private func siblings(of element: ElementID) -> [ElementID] {
    let (tree, classes) = (index.screen.tree, index.classes)
    guard let parent = tree.parent(of: element) else { return [element] }
    let alike = tree.children(of: parent).lazy.filter { classes[$0.index] == classes[element.index] }
    return Array(alike.prefix(Self.maximumMenuRows + 1))
  }

  /// Returns the name of the first image in a row.
  private func firstImage(in row: ElementID) -> UTF8String? {
    let tree = index.screen.tree
    guard let imageName = tree.attributeName("imageName") else { return nil }
    var current = tree.firstChild(of: row)
    var left = 64
    while let view = current, left > 0 {
      left -= 1
      if let name = tree.value(imageName, of: view) { return UTF8String(name) }
      if let child = tree.firstChild(of: view) {
        current = child
        continue
      }
      // Continues with the next element in the row.
      var last: ElementID? = view
      while let up = last, up != row, tree.nextSibling(of: up) == nil { last = tree.parent(of: up) }
      guard let up = last, up != row else { return nil }
      current = tree.nextSibling(of: up)
    }
    return nil
  }

  private func isInBar(_ element: ElementID) -> Bool {
    var current = index.parents[element.index]
    while current >= 0 {
      let name = index.screen.className(of: ElementID(rawValue: current))
      if Self.isBar(UTF8String(name), in: index.hierarchy) { return true }
      current = index.parents[Int(current)]
    }
    return false
  }

  /// Returns whether a class is a bar with items, or a subclass.
  static func isBar(_ name: UTF8String, in hierarchy: ClassHierarchy) -> Bool {
    bars.contains(name)
      || ["UINavigationBar", "UITabBar", "UIToolbar"].contains { hierarchy.isClass(name.text, kindOf: $0) }
  }

  static func isBar(_ name: UTF8String) -> Bool { isBar(name, in: .builtIn) }

  private static let bars: Set<UTF8String> = [
    "XCUIElementTypeNavigationBar", "XCUIElementTypeTabBar", "XCUIElementTypeToolbar", "UIANavigationBar",
    "UIATabBar", "UIAToolbar",
  ]

  /// Returns lists of values that name an element by themselves, wherever it is; the best list comes first, and each is enough
  /// among the elements with the same path in the capture. Empty if its place names the element well enough.
  func distinctiveEvidence(of element: ElementID) -> [[Suggestion.Evidence]] {
    let content = contents.content(of: element).flatMap { $0.isEmpty ? nil : UTF8String($0) }
    switch role(of: element) {
    case .other: return []
    case .backButton: return identity(of: element)
    case .menuRow, .repeatedSibling: return steadyContent(of: element).map { [[.content($0)]] } ?? []
    case .alertOption:
      guard let content else { return [] }
      return [alertEvidence(of: element) + [.content(content)]]
    case .barItem:
      let text = steadyContent(of: element).map { [Suggestion.Evidence.content($0)] }
      guard let actions = index.screen.sentActions(of: element), !Self.isSystems(actions) else {
        return text.map { [$0] } ?? identity(of: element)
      }
      return [[.actions(actions)]] + (text.map { [[.actions(actions)] + $0] } ?? [])
    }
  }

  /// Returns the identity as the value that names an item of a navigation bar, because it contains the actions, but no page and
  /// no index. If the capture has no actions, no event would have this identity.
  private func identity(of element: ElementID) -> [[Suggestion.Evidence]] {
    hasActions && index.screen.isNavigationBarItem(element) ? [[.eventID(index.screen.eventID(of: element))]] : []
  }

  /// Returns the content if it is a text that stays; nil for one with a number, such as a badge or a price, which changes, and for
  /// the state of a control.
  func steadyContent(of element: ElementID) -> UTF8String? {
    guard let content = contents.content(of: element), Self.isSteady(content), !index.screen.showsState(element) else {
      return nil
    }
    return UTF8String(content)
  }

  /// Returns whether a text is steady: short and without numbers.
  static func isSteady(_ content: String) -> Bool {
    !content.isEmpty && content.utf8.count <= longestSteadyContent
      && !content.utf8.contains(where: isDigit)
  }

  // A longer text is content rather than the title of a button.
  private static let longestSteadyContent = 60

  /// Returns the text of a button outside of lists, which names it if its place does not; empty for other elements.
  func nameOfButton(_ element: ElementID) -> [Suggestion.Evidence] {
    guard index.screen.trackingType(of: element) == .button, index.screen.cellLocator(of: element) == nil,
      role(of: element) == .other
    else { return [] }
    return steadyContent(of: element).map { [.content($0)] } ?? []
  }

  /// Returns the texts of the alert around an element that distinguish it from other alerts.
  private func alertEvidence(of element: ElementID) -> [Suggestion.Evidence] {
    guard let texts = index.screen.alertTexts(of: element) else { return [] }
    var result: [Suggestion.Evidence] = []
    if let title = texts.title { result.append(.alertTitle(UTF8String(title))) }
    if texts.title?.isEmpty ?? true, let message = texts.message, !message.isEmpty {
      result.append(.alertMessage(UTF8String(message)))
    }
    return result
  }

  /// Returns whether actions are the system's own, such as `_invoke:forEvent:`, which many items share.
  static func isSystems(_ actions: UTF8String) -> Bool {
    actions.text.utf8.split(separator: UInt8(ascii: ",")).allSatisfy { $0.first == UInt8(ascii: "_") }
  }
}

extension IdentifiedTree {
  /// This is true if some control of the capture has actions. Many formats have none.
  var hasActions: Bool { tree.elements.contains { tree.value(.actions, of: $0) != nil } }

  /// Returns whether an element is an item of a navigation bar in a capture without actions, which its events have.
  package func isBarItemWithoutActions(_ element: ElementID) -> Bool {
    isNavigationBarItem(element) && trackingType(of: element) != nil && !hasActions
  }
}
