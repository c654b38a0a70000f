import EncircleText
import EncircleTree

/// The elements of a screen in the form from which path styles make their paths.
public struct PathChains: Sendable {
  public let screen: IdentifiedTree

  private let indexes: [Locator]
  private var roles: [ElementID: PathNode.Role] = [:]
  private var controllerIndexes: [ElementID: Int] = [:]
  private let attributes: Attributes

  // The names of attributes that are not well known, each nil if no element of the tree has it.
  private struct Attributes {
    let uniqueTag: AttributeName?
    let postHogLabel: AttributeName?
    let section: AttributeName?
    let role: AttributeName?

    init(of tree: ViewTree) {
      uniqueTag = tree.attributeName("growingUniqueTag")
      postHogLabel = tree.attributeName("postHogLabel")
      section = tree.attributeName("section")
      role = tree.attributeName("role")
    }
  }

  /// Analyses a screen.
  ///
  /// - Complexity: O(elements), and O(*n* log *n*) for *n* segments of one control or actions of one alert.
  public init(of screen: IdentifiedTree) {
    self.screen = screen
    indexes = HubbleDataLocators.sameClassIndexes(of: screen.tree, screen.structure)
    attributes = Attributes(of: screen.tree)
    numberControllers()
    findRoles()
  }

  /// Returns the nodes from the window to an element.
  ///
  /// - Complexity: O(depth).
  public func chain(to element: ElementID) -> [PathNode] {
    var chain: [PathNode] = []
    var current: ElementID? = element
    while let element = current {
      chain.append(node(of: element))
      current = screen.tree.parent(of: element)
    }
    chain.reverse()
    return chain
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
    var node = PathNode(screen.className(of: element), locator, index: index)
    node.role = role
    if let name = screen.structure.writtenControllers[element.rawValue] {
      node.controller = PathNode.Controller(
        screen.structure.names[name], index: controllerIndexes[element] ?? 0,
        kinds: screen.structure.controllerKinds[element.rawValue] ?? [])
    }
    node.baseClass = screen.superclass(of: element)
    node.text = controlText(of: element)
    node.uniqueTag = attributes.uniqueTag.flatMap { tree.value($0, of: element) }.flatMap { $0.isEmpty ? nil : $0 }
    node.label = attributes.postHogLabel.flatMap { tree.value($0, of: element) }
    if let android = screen.android {
      node.resourceID = android.resourceID(of: element)
      node.android = android.node(of: element)
      if node.uniqueTag == nil { node.uniqueTag = android.alertTags[element] }
    }
    return node
  }

  // Returns PostHog's `ph_autocaptureText`, except for texts that somebody typed.
  private func controlText(of element: ElementID) -> String? {
    let kinds = screen.kinds(of: element)
    guard kinds.contains(.control), !screen.structure.places[element.index].contains(.typedText) else { return nil }
    let tree = screen.tree
    if kinds.contains(.button) { return tree.value(.title, of: element) ?? tree.value(.text, of: element) }
    if kinds.contains(.switchControl) {
      return tree.valueID(.on, of: element).map { _ in tree.isTrue(.on, of: element) ? "true" : "false" }
    }
    if screen.isClass(element, kindOf: "UISlider") || screen.isClass(element, kindOf: "UIStepper") {
      return tree.value(.value, of: element)
    }
    return nil
  }

  // MARK: - Controllers

  private mutating func numberControllers() {
    struct Key: Hashable {
      let parent: Int32
      let name: StringID
    }
    var counts: [Key: Int] = [:]
    let structure = screen.structure
    for (root, name) in structure.writtenControllers.sorted(by: { $0.key < $1.key }) {
      let parent = screen.tree.parent(of: ElementID(rawValue: root)).map { structure.controllers[$0.index] } ?? -1
      guard parent >= 0 else { continue }
      let key = Key(parent: parent, name: name)
      controllerIndexes[ElementID(rawValue: root)] = counts[key, default: 0]
      counts[key, default: 0] += 1
    }
  }

  // MARK: - Roles

  private mutating func findRoles() {
    let tree = screen.tree
    let structure = screen.structure
    var actions: [Int32: [ElementID]] = [:]
    for element in tree.elements {
      let kinds = structure.kinds[element.index]
      if structure.alerts[element.index] == element.rawValue {
        roles[element] = .alert
      } else if isAlertAction(element, kinds), structure.alerts[element.index] >= 0 {
        actions[structure.alerts[element.index], default: []].append(element)
      } else if kinds.contains(.control), screen.isClass(element, kindOf: "UISegmentedControl") {
        let selected = structure.appearance.selectedIndex.flatMap { tree.value($0, of: element) }.flatMap { Int($0) }
        roles[element] = .segmentedControl(selected: selected.flatMap { $0 >= 0 ? $0 : nil })
        for (place, segment) in screen.segments(of: element).enumerated() { roles[segment] = .segment(place) }
      } else if isUnplacedCell(element, kinds) {
        roles[element] = .unplacedCell
      } else if let role = sectionRole(of: element) {
        roles[element] = role
      }
    }
    for list in actions.values {
      // Actions are numbered by the rows of the cells around them or, without cells, in the order of subviews.
      let sorted = list.enumerated().sorted { a, b in
        let x = screen.cellNumbers(of: a.element)
        let y = screen.cellNumbers(of: b.element)
        return (x.section, x.row, a.offset) < (y.section, y.row, b.offset)
      }
      for (place, action) in sorted.enumerated() { roles[action.element] = .alertAction(place) }
    }
  }

  /// Returns whether an element is the view of an alert's action: the one that represents it or, up to iOS 9, shows it.
  private func isAlertAction(_ element: ElementID, _ kinds: ViewKinds) -> Bool {
    kinds.contains(.alertRepresentation)
      || (kinds.contains(.alertAction) && !screen.structure.places[element.index].contains(.alertRepresentation))
  }

  /// Returns whether an element is a cell without an index path, or one that is not directly in its collection view.
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
  /// Whether the capture says that the screen is one of an Android app.
  var isAndroid: Bool { tree.isAndroid }

  /// Returns whether an element is of a class or of a subclass, which the capture or the built-in table may know.
  ///
  /// - Complexity: O(superclasses).
  func isClass(_ element: ElementID, kindOf base: String) -> Bool {
    let name = className(of: element)
    if name.utf8.elementsEqual(base.utf8) || ClassHierarchy.builtIn.isClass(name, kindOf: base) { return true }
    guard let superclasses = tree.value(.superclasses, of: element) else { return false }
    return superclasses.utf8.split(whereSeparator: isWhiteSpace).contains {
      $0.elementsEqual(base.utf8) || ClassHierarchy.builtIn.isClass(String(Substring($0)), kindOf: base)
    }
  }

  /// Returns the nearest superclass, or nil if it is unknown.
  func superclass(of element: ElementID) -> String? {
    if let superclasses = tree.value(.superclasses, of: element),
      let first = superclasses.utf8.split(whereSeparator: isWhiteSpace).first
    {
      return RuntimeSubclass.writtenClass(of: String(Substring(first)))
    }
    return ClassHierarchy.builtIn.superclasses(of: className(of: element)).first
  }

  fileprivate func cellNumbers(of element: ElementID) -> (section: Int, row: Int) {
    switch cellLocator(of: element) {
    case .row(let section, let row)?: (section, row)
    case .item(let section, let item)?: (section, item)
    default: (0, 0)
    }
  }
}
