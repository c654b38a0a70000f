import EncircleText
import EncircleTree

/// The elements of a screen, in the form that path styles use.
public struct PathChains: Sendable {
  public let screen: IdentifiedTree

  private let indexes: [Locator]
  private var roles: [ElementID: PathNode.Role] = [:]
  private var listRoles: [ElementID: PathNode.ListRole] = [:]
  // The nearest superclass of each class.
  private var superclasses: [ClassKey: String] = [:]
  private var currentPage: [PathNode.Controller] = []
  private let postHogTexts: PostHogTexts
  private var controllerIndexes: [ElementID: Int] = [:]
  private let attributes: Attributes
  let web: WebElements?

  // The names of attributes that are not well known, each nil if no element of the tree has it.
  private struct Attributes {
    let uniqueTag: AttributeName?
    let postHogLabel: AttributeName?
    let section: AttributeName?
    let role: AttributeName?
    let actionIndex: AttributeName?
    let siblingsBefore: AttributeName?

    init(of tree: ViewTree) {
      uniqueTag = tree.attributeName("growingUniqueTag")
      postHogLabel = tree.attributeName("postHogLabel")
      section = tree.attributeName("section")
      role = tree.attributeName("role")
      // The captures of GrowingIO's own tests have the second name.
      actionIndex = tree.attributeName("actionIndex") ?? tree.attributeName("oracleActionIndex")
      siblingsBefore = tree.attributeName("controllerSiblingsBefore")
    }
  }

  /// Analyses a screen.
  ///
  /// - Complexity: O(elements), and O(*n* log *n*) for *n* segments of one control or actions of one alert.
  public init(of screen: IdentifiedTree) {
    self.screen = screen
    indexes = HubbleDataLocators.sameClassIndexes(of: screen.tree, screen.structure)
    attributes = Attributes(of: screen.tree)
    postHogTexts = PostHogTexts(of: screen)
    web = screen.web
    numberControllers()
    findRoles()
    currentPage = controllers(upFrom: screen.structure.growingIOPages.current)
  }

  /// Returns the nodes from the window to an element.
  ///
  /// - Complexity: O(depth).
  public func chain(to element: ElementID) -> [PathNode] {
    screen.tree.inclusiveAncestors(of: element).reversed().map { node(of: $0) }
  }

  /// Calls `body` with every element, in pre-order, and its chain.
  ///
  /// - Complexity: O(elements) besides `body`.
  public func forEach<E: Error>(_ body: (ElementID, [PathNode]) throws(E) -> Void) throws(E) {
    var chain = AncestorStack<PathNode>()
    for element in screen.tree.elements {
      chain.removeNonAncestors(of: element)
      chain.push(node(of: element), for: element, of: screen.tree)
      try body(element, chain.values)
    }
  }

  /// Returns the node of an element.
  public func node(of element: ElementID) -> PathNode {
    let tree = screen.tree
    var index: Int = if case .index(let index) = indexes[element.index] { index } else { 0 }
    let locator = screen.locator(of: element)
    // The index of a cell changes while a list scrolls, and no style needs it where the row is known.
    let role = roles[element] ?? .view
    switch locator {
    case .row, .item: if role != .unplacedCell { index = 0 }
    case .none, .index, .position: break
    }
    var node = PathNode.Properties(className: screen.className(of: element), locator: locator, index: index)
    node.role = role
    node.listRole = listRoles[element]
    node.controller = controller(of: element.rawValue)
    let isPrivate = node.controller.map { GrowingIOPages.isPrivate($0.className) } ?? (tree.parent(of: element) == nil)
    if isPrivate { node.currentPage = currentPage }
    node.baseClass = superclasses[screen.classKey(of: element)]
    node.text = postHogTexts.text(of: element)
    node.uniqueTag = attributes.uniqueTag.flatMap { tree.value($0, of: element) }.flatMap { $0.isEmpty ? nil : $0 }
    node.label = attributes.postHogLabel.flatMap { tree.value($0, of: element) }
    if let android = screen.android {
      node.resourceID = android.resourceID(of: element)
      node.android = android.node(of: element)
      if node.uniqueTag == nil { node.uniqueTag = android.alertTags[element] }
    }
    if let web { node.web = WebNode(element: element, elements: web) }
    return PathNode(node)
  }

  // MARK: - Controllers

  private func controller(of root: Int32) -> PathNode.Controller? {
    guard let name = screen.structure.writtenControllers[root] else { return nil }
    return PathNode.Controller(
      screen.structure.names[name], index: controllerIndexes[ElementID(rawValue: root)] ?? 0,
      kinds: screen.structure.controllerKinds[root] ?? [])
  }

  /// Returns a controller and those around it, outermost first.
  private func controllers(upFrom root: Int32) -> [PathNode.Controller] {
    var controllers: [PathNode.Controller] = []
    var current = root
    while let controller = controller(of: current) {
      controllers.append(controller)
      current = parentController(of: current)
    }
    controllers.reverse()
    return controllers
  }

  private func parentController(of root: Int32) -> Int32 {
    screen.tree.parent(of: ElementID(rawValue: root)).map { screen.structure.controllers[$0.index] } ?? -1
  }

  private mutating func numberControllers() {
    struct Key: Hashable {
      let parent: Int32
      let name: UTF8String
    }
    var counts: [Key: Int] = [:]
    let structure = screen.structure
    for (root, name) in structure.writtenControllers.sorted(by: { $0.key < $1.key }) {
      let parent = parentController(of: root)
      // Children without a view on the screen, such as unselected tabs.
      let unseen = attributes.siblingsBefore.flatMap { screen.tree.value($0, of: ElementID(rawValue: root)) }
      for word in unseen?.utf8.split(whereSeparator: isWhiteSpace) ?? [] {
        let name = RuntimeSubclass.writtenClass(of: String(Substring(word)))
        counts[Key(parent: parent, name: UTF8String(name)), default: 0] += 1
      }
      guard parent >= 0 else { continue }
      let key = Key(parent: parent, name: UTF8String(structure.names[name]))
      controllerIndexes[ElementID(rawValue: root)] = counts[key, default: 0]
      counts[key, default: 0] += 1
    }
  }

  // MARK: - Roles

  private mutating func findRoles() {
    let tree = screen.tree
    let structure = screen.structure
    // The options of each alert: the views with their titles, and the cells of iOS 9.
    var actions: [Int32: [ElementID]] = [:]
    var actionCells: [Int32: [ElementID]] = [:]
    // For each class, whether its views are reusable, and whether they are segments.
    var known: [ClassKey: (isReusable: Bool, isSegment: Bool)] = [:]
    for element in tree.elements {
      let kinds = structure.kinds[element.index]
      let alert = structure.alerts[element.index]
      let key = screen.classKey(of: element)
      let base =
        known[key] ?? (
          screen.isClass(element, kindOf: "UICollectionReusableView"), screen.isClass(element, kindOf: "UISegment")
        )
      if known.updateValue(base, forKey: key) == nil { superclasses[key] = screen.superclass(of: element) }
      if !kinds.isDisjoint(with: [.tableView, .collectionView]) { listRoles[element] = .list }
      if alert == element.rawValue {
        roles[element] = .alert
      } else if kinds.contains(.alertAction), alert >= 0 {
        actions[alert, default: []].append(element)
      } else if kinds.contains(.control), screen.isClass(element, kindOf: "UISegmentedControl") {
        roles[element] = .segmentedControl(selected: screen.selectedIndex(of: element))
        for (place, segment) in screen.segments(of: element).enumerated() { roles[segment] = .segment(place) }
      } else if isUnplacedCell(element, kinds) {
        roles[element] = .unplacedCell
      } else if let role = sectionRole(of: element) {
        roles[element] = role
      }
      if kinds.contains(.alertCell), alert >= 0 {
        actionCells[alert, default: []].append(element)
      } else if kinds.isDisjoint(with: .cells), base.isReusable {
        listRoles[element] = .reusableView
      } else if base.isSegment {
        listRoles[element] = .segment(segmentNumber(of: element))
      }
    }
    for (options, areCells) in actions.values.map({ ($0, false) }) + actionCells.values.map({ ($0, true) }) {
      // Options in cells are numbered by their rows, others by the order of subviews.
      let sorted = options.stablySorted { option in
        let (section, row) = screen.cellNumbers(of: option)
        return [section, row]
      }
      for (place, option) in sorted.enumerated() {
        let number = actionIndex(of: option) ?? place
        if areCells { listRoles[option] = .alertCell(number) } else { roles[option] = .alertAction(number) }
      }
    }
  }

  /// Returns the number of an alert's option among the actions of the alert; nil if the capture does not give it. Developers may
  /// add the actions in another order than they have on the screen.
  private func actionIndex(of option: ElementID) -> Int? {
    attributes.actionIndex.flatMap { screen.tree.value($0, of: option) }.flatMap { Int($0) }.flatMap {
      $0 >= 0 ? $0 : nil
    }
  }

  /// Returns the number that GrowingIO gives a segment. A control is visited before its subviews, so its role is known here.
  private func segmentNumber(of segment: ElementID) -> Int? {
    if let parent = screen.tree.parent(of: segment), case .segmentedControl? = roles[parent] {
      guard UTF8String(screen.className(of: parent)) == "UISegmentedControl", case .segment(let place)? = roles[segment]
      else { return nil }
      return place
    }
    guard case .index(let index) = indexes[segment.index] else { return nil }
    return index
  }

  /// Returns whether an element is a cell without an index path, or not directly in its collection view.
  private func isUnplacedCell(_ element: ElementID, _ kinds: ViewKinds) -> Bool {
    guard !kinds.isDisjoint(with: .cells) else { return false }
    if HubbleDataLocators.indexPath(of: element, screen.tree) == nil { return true }
    guard kinds.contains(.collectionViewCell), let parent = screen.tree.parent(of: element) else { return false }
    return !screen.structure.kinds[parent.index].contains(.collectionView)
  }

  /// Returns the role of a table's header or footer view; nil for other elements and if the capture does not give the
  /// section.
  private func sectionRole(of element: ElementID) -> PathNode.Role? {
    guard let section = section(of: element), screen.isClass(element, kindOf: "UITableViewHeaderFooterView") else {
      return nil
    }
    let isFooter =
      attributes.role.flatMap { screen.tree.valueID($0, of: element) }.map { role in
        screen.tree.strings.withBytes(of: role) { sameBytes($0, "footer") }
      } ?? false
    return isFooter ? .sectionFooter(section) : .sectionHeader(section)
  }

  /// Returns the section that an element gives as such, or as the first number of an index path.
  private func section(of element: ElementID) -> Int? {
    let tree = screen.tree
    let own = attributes.section.flatMap { tree.valueID($0, of: element) }
    guard let id = own ?? tree.valueID(.indexPath, of: element) else { return nil }
    let section = tree.strings.withBytes(of: id) { bytes in
      bytes.split(whereSeparator: isWhiteSpace).first.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
    return section.flatMap { $0 >= 0 ? $0 : nil }
  }
}

extension IdentifiedTree {
  /// This is true if the capture shows the screen of an Android app.
  var isAndroid: Bool { tree.isAndroid }

  /// Returns the styles, among several, whose SDKs send events on the capture's platform; all styles, if there are none.
  ///
  /// Every capture has identities, so `hubbledata` can serve it, but only iOS has events in this style.
  package func platformStyles(among styles: [PathStyleName]) -> [PathStyleName] {
    let own = styles.filter { isOnPlatform(of: $0) }
    return own.isEmpty ? styles : own
  }

  /// Returns whether the SDK of a style sends events on the capture's platform.
  package func isOnPlatform(of style: PathStyleName) -> Bool {
    style.isAndroid == isAndroid && style.isWeb == (web != nil)
  }

  /// Returns the style, among several, for deciding the events of the capture's elements: the first one for its platform that can serve
  /// it. If none can, returns the first one whose requirements the capture does not meet. Returns nil only without any styles.
  package func eventStyle(among styles: [PathStyleName]) -> PathStyleName? {
    let own = platformStyles(among: styles)
    return own.first { $0.style.unmetRequirement(for: self) == nil } ?? own.first
  }

  /// Returns whether an element is of a class or a subclass of it, as far as the capture or the built-in table knows.
  ///
  /// - Complexity: O(superclasses).
  package func isClass(_ element: ElementID, kindOf base: String) -> Bool {
    let name = className(of: element)
    if name.hasSameBytes(as: base) || ClassHierarchy.builtIn.isClass(name, kindOf: base) { return true }
    guard let superclasses = tree.value(.superclasses, of: element) else { return false }
    return superclasses.utf8.split(whereSeparator: isWhiteSpace).contains {
      $0.elementsEqual(base.utf8) || ClassHierarchy.builtIn.isClass(String(Substring($0)), kindOf: base)
    }
  }

  /// Returns the nearest superclass, or nil if it is unknown.
  func superclass(of element: ElementID) -> String? {
    let name = className(of: element)
    // After key-value observing, the list begins with the app's own class. That is the element's class in paths, not a
    // superclass.
    for word in tree.value(.superclasses, of: element)?.utf8.split(whereSeparator: isWhiteSpace) ?? [] {
      let superclass = RuntimeSubclass.writtenClass(of: String(Substring(word)))
      if !superclass.hasSameBytes(as: name) { return superclass }
    }
    return ClassHierarchy.builtIn.superclasses(of: name).first
  }

  fileprivate func cellNumbers(of element: ElementID) -> (section: Int, row: Int) {
    switch cellLocator(of: element) {
    case .row(let section, let row)?: (section, row)
    case .item(let section, let item)?: (section, item)
    default: (0, 0)
    }
  }
}
