import EncircleText
import EncircleTree

/// A view tree that gives every element a path, a page, an identity and an event ID, in the `hubbledata` style.
///
/// ```swift
/// let screen = IdentifiedTree(tree)
/// for element in tree.elements { print(screen.eventID(of: element), screen.path(of: element).written(.slashes)) }
/// ```
///
/// It never changes. It is a class because many types hold one, and would otherwise copy its many fields.
public final class IdentifiedTree: Sendable {
  public let tree: ViewTree
  let structure: ScreenStructure
  let hubbleData: HubbleDataLocators
  /// The Android facts of the screen; nil on other systems.
  let android: AndroidScreen?
  /// The web facts of the screen; nil for a screen of an app.
  let web: WebElements?
  // The titles that identities contain, by the root view of the page's controller.
  private let screenTitles: [Int32: StringID]

  /// Identifies the elements of a tree.
  ///
  /// - Parameters:
  ///   - hierarchy: Superclasses for classes without superclasses in the capture.
  ///   - options: The optional parts of identities.
  /// - Complexity: O(elements + attributes).
  public init(_ tree: ViewTree, hierarchy: ClassHierarchy = .builtIn, options: IdentityOptions = IdentityOptions()) {
    self.tree = tree
    structure = ScreenStructure(of: tree, hierarchy: hierarchy)
    hubbleData = HubbleDataLocators(of: tree, structure)
    android = tree.isAndroid ? AndroidScreen(of: tree, structure) : nil
    web = WebScreen(of: tree).map(WebElements.init)
    screenTitles = options.titles(of: tree, structure, hierarchy)
  }

  // MARK: - One element

  /// Returns the kinds of view that an element is.
  public func kinds(of element: ElementID) -> ViewKinds { structure.kinds[element.index] }

  /// Returns the class name that paths contain: the one in the app's source, without wrappers made at run time.
  public func className(of element: ElementID) -> String {
    structure.names[structure.writtenClasses[element.index]]
  }

  /// Returns a number for the class name in paths. Within a tree, equal numbers mean equal names.
  package func writtenClass(of element: ElementID) -> StringID { structure.writtenClasses[element.index] }

  /// Returns a key that determines the answers to kind-of questions: it is the same for all elements of one class.
  func classKey(of element: ElementID) -> ClassKey {
    ClassKey(name: writtenClass(of: element), superclasses: tree.valueID(.superclasses, of: element))
  }

  /// Returns whether the element is, or lies in, a field for typing, so that its texts must not be shown.
  package func holdsTypedText(_ element: ElementID) -> Bool {
    structure.places[element.index].contains(.typedText)
  }

  /// Returns whether the state of a control is known. In view-tree XML an attribute that is absent has UIKit's default.
  func knows(_ name: AttributeName, _ element: ElementID) -> Bool {
    tree.format == .viewTree || tree.valueID(name, of: element) != nil
  }

  /// Returns the title of a button, which some formats only give as the text of the button's label; nil if it is not known.
  package func buttonTitle(of button: ElementID) -> String? {
    tree.value(.title, of: button) ?? titleLabel(of: button).flatMap { tree.value(.text, of: $0) }
  }

  /// Returns the label that shows a button's title, in captures of formats other than view-tree XML; nil for other views.
  func titleLabel(of button: ElementID) -> ElementID? {
    guard tree.format != .viewTree, kinds(of: button).contains(.button), !holdsTypedText(button) else { return nil }
    return tree.children(of: button).first { isClass($0, kindOf: "UIButtonLabel") }
  }

  /// Returns the locator of an element's component.
  public func locator(of element: ElementID) -> Locator { hubbleData.locators[element.index] }

  /// Returns the locator of the nearest cell, which may be the element itself; nil without a cell or a known index path.
  ///
  /// - Complexity: O(depth).
  public func cellLocator(of element: ElementID) -> Locator? {
    tree.inclusiveAncestors(of: element).first { hubbleData.rules[$0.index] == .cell }.map { locator(of: $0) }
  }

  /// Returns the class of the nearest view controller, or nil if the capture names none.
  ///
  /// Identity strings contain it, except for navigation-bar items.
  public func controller(of element: ElementID) -> String? {
    controllerName(structure.controllers[element.index])
  }

  /// Returns the class of the view controller whose page the user sees: the nearest one or, for elements of navigation bars and alerts,
  /// the visible one beneath. Returns nil if it is unknown.
  public func page(of element: ElementID) -> String? {
    controllerName(structure.pages[element.index])
  }

  /// Returns the page as the SDK of a style sends it, or knows it. In the `sensors` styles, an embedded child page is a part of
  /// the page around it, and the page of a bar or an overlay is the topmost one; in `lede`, this applies to tab bars and toolbars.
  /// In `posthog`, it is the controller that the user sees, and its name has no module and no `ViewController`: `Cart` for
  /// `Kiosk.CartViewController`; if nothing is left of it, the page is the title. In `growingio`, it is the controller whose path
  /// is written. In Android styles, it is the activity, in `sensors-android` with the fragment behind `|`. In web styles, it is
  /// the path of the address. In other styles, it is ``page(of:)``.
  public func page(of element: ElementID, in style: PathStyleName) -> String? {
    if style.isWeb { return web?.screen.path }
    if style.isAndroid { return androidPage(of: element, in: style) }
    let name = controllerName(pageRoot(of: element, in: style))
    guard let name, style == .postHog else { return name }
    let short = PostHogScreens.name(ofClass: name)
    return short.isEmpty ? pageTitle(of: element, in: style) : short
  }

  /// Returns the title of the page, as its view controller has it; nil if the capture does not give it. For Sensors' SDK, an empty
  /// title is none.
  public func pageTitle(of element: ElementID, in style: PathStyleName = .hubbleData) -> String? {
    if style.isWeb { return web?.screen.title }
    let root = pageRoot(of: element, in: style)
    let title = root < 0 ? nil : tree.value(.controllerTitle, of: ElementID(rawValue: root))
    return style.isSensors && title?.isEmpty == true ? nil : title
  }

  private func pageRoot(of element: ElementID, in style: PathStyleName) -> Int32 {
    switch style {
    case .sensors, .sensorsExact: structure.sensorsScreens[element.index]
    case .lede: isInTabBar(element) ? structure.sensorsScreens[element.index] : structure.pages[element.index]
    case .postHog: structure.postHogScreens[structure.controllers[element.index]] ?? -1
    case .growingIO: structure.growingIOPages.page(ofController: structure.controllers[element.index])
    case .hubbleData, .sensorsWeb, .postHogWeb: structure.pages[element.index]
    case .hubbleDataAndroid, .sensorsAndroid, .growingIOAndroid:
      structure.activities.isEmpty ? structure.pages[element.index] : structure.activities[element.index]
    }
  }

  /// Returns whether the element is in a tab bar or a toolbar, bars that belong to a container of pages.
  private func isInTabBar(_ element: ElementID) -> Bool {
    let containers: ViewKinds = [.tabBarController, .navigationController]
    guard !(structure.controllerKinds[structure.pages[element.index]] ?? []).isDisjoint(with: containers) else {
      return false
    }
    return tree.inclusiveAncestors(of: element).contains {
      isClass($0, kindOf: "UITabBar") || isClass($0, kindOf: "UIToolbar")
    }
  }

  /// Returns the nearest list view around an element, or nil.
  func list(around element: ElementID) -> ElementID? {
    let list = structure.lists[element.index]
    return list < 0 ? nil : ElementID(rawValue: list)
  }

  /// Returns whether the element is a control in a navigation bar.
  public func isNavigationBarItem(_ element: ElementID) -> Bool {
    hubbleData.rules[element.index] == .navigationBarItem
      || (structure.places[element.index].contains(.navigationBar) && kinds(of: element).contains(.control))
  }

  /// Returns the path from the window to the element.
  ///
  /// - Complexity: O(depth).
  public func path(of element: ElementID) -> ElementPath {
    ElementPath(
      tree.inclusiveAncestors(of: element).reversed().map { PathComponent(className(of: $0), locator(of: $0)) })
  }

  /// Returns the identity string, whose SHA-256 is the event ID.
  ///
  /// - Complexity: O(length).
  public func identity(of element: ElementID) -> String {
    var bytes = Array("path(\(path(of: element).written(.underscores))".utf8)
    writeIdentityEnd(of: element, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the event ID.
  ///
  /// - Complexity: O(length of the identity string).
  public func eventID(of element: ElementID) -> EventID { EventID(identity: identity(of: element)) }

  private func controllerName(_ root: Int32) -> String? {
    structure.writtenControllers[root].map { structure.names[$0] }
  }

  // MARK: - All elements

  /// Calls `body` with every element, in pre-order, its path with underscores, its identity string and its event ID. The two texts
  /// are UTF-8 and valid only during the call.
  ///
  /// Because a path begins with its parent's path, hashing continues from the parent's SHA-256 state.
  ///
  /// - Parameter numbers: The numbers of the elements to visit; nil for all.
  /// - Complexity: O(total length of the identity strings), and hashing O(elements); memory O(depth × path length).
  public func forEachIdentity<E: Error>(
    in numbers: Range<Int>? = nil,
    _ body: (ElementID, _ path: UnsafeBufferPointer<UInt8>, _ identity: UnsafeBufferPointer<UInt8>, EventID) throws(E)
      -> Void
  ) throws(E) {
    // The ends of the ancestors' paths, and the hash state at each.
    var ancestors = AncestorStack<(length: Int, hash: SHA256State)>()
    var identity = Array("path(".utf8)
    let prefixLength = identity.count
    var root = SHA256State()
    identity.withUnsafeBytes { root.update($0) }

    /// Appends the path of an element, whose ancestors are on the stack. Returns the hash of its first bytes, and their number.
    func appendPath(of element: ElementID, isAncestor: Bool) -> (hash: SHA256State, hashed: Int) {
      let parent = ancestors.values.last
      let parentLength = parent?.length ?? prefixLength
      identity.removeSubrange(parentLength...)
      if parent != nil { identity.append(UInt8(ascii: "_")) }
      structure.names.withBytes(of: structure.writtenClasses[element.index]) { identity.append(contentsOf: $0) }
      hubbleData.locators[element.index].write(to: &identity)
      var hash = parent?.hash ?? root
      guard isAncestor else { return (hash, parentLength) }
      identity.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[parentLength...])) }
      ancestors.push((identity.count, hash), for: element, of: tree)
      return (hash, identity.count)
    }

    let numbers = numbers ?? 0..<tree.count
    if !numbers.isEmpty {
      for above in tree.ancestors(of: ElementID(numbers.lowerBound)).reversed() {
        _ = appendPath(of: above, isAncestor: true)
      }
    }
    for number in numbers {
      let element = ElementID(number)
      ancestors.removeNonAncestors(of: element)
      let path = appendPath(of: element, isAncestor: tree.firstChild(of: element) != nil)
      var hash = path.hash
      let pathLength = identity.count
      writeIdentityEnd(of: element, to: &identity)
      identity.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[path.hashed...])) }
      let eventID = EventID(hash)
      try identity.withUnsafeBufferPointer { bytes throws(E) in
        try body(element, bytes.part(prefixLength..<pathLength), bytes, eventID)
      }
    }
  }

  /// Appends the part of an identity string that follows the path.
  package func writeIdentityEnd(of element: ElementID, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: ")"))
    let isItem = isNavigationBarItem(element)
    if !isItem, let controller = structure.writtenControllers[structure.controllers[element.index]] {
      structure.names.withBytes(of: controller) { IdentityString.append("&controller(", $0, to: &bytes) }
    }
    if isItem, let actions = tree.valueID(.actions, of: element) {
      tree.strings.withBytes(of: actions) { list in
        var separator: StaticString = "&actions("
        for action in list.split(whereSeparator: isWhiteSpace) {
          append(separator, to: &bytes)
          bytes.append(contentsOf: action)
          separator = ","
        }
        if list.contains(where: { !isWhiteSpace($0) }) { bytes.append(UInt8(ascii: ")")) }
      }
    }
    let alert = structure.alerts[element.index]
    guard alert >= 0 else {
      // The page beneath a bar item varies, but the item's identity must stay the same.
      if !isItem, let title = screenTitles[structure.controllers[element.index]] {
        tree.strings.withBytes(of: title) { IdentityString.append("&screenTitle(", $0, to: &bytes) }
      }
      return
    }
    if let message = tree.valueID(.message, of: ElementID(rawValue: alert)) {
      tree.strings.withBytes(of: message) { IdentityString.append("&message(", $0, to: &bytes) }
    }
    if let title = tree.valueID(.title, of: ElementID(rawValue: alert)) {
      tree.strings.withBytes(of: title) { IdentityString.append("&title(", $0, to: &bytes) }
    }
  }
}

/// A class within a tree, with the superclasses that the capture names.
struct ClassKey: Hashable {
  let name: StringID
  let superclasses: StringID?
}
