import EncircleText
import EncircleTree

/// Turns event IDs back into elements: what captures know of them, in memory.
///
/// Paths are kept as a tree: each element has its own component and the number of the one above it.
public struct ElementDictionary: Sendable {
  /// An element that has the event ID in some capture.
  public struct Entry: Sendable {
    /// The path.
    public let path: ElementPath
    /// The page, if the capture tells it.
    public let page: String?
  }

  /// A component of paths, with the one above it.
  package struct Node: Sendable {
    /// The number of the component above; -1 for windows. Always less than the own number.
    package let parent: Int32
    /// The class, in ``ElementDictionary/names``.
    package let className: StringID
    package let locator: Locator
  }

  /// An element.
  package struct Element: Sendable {
    package let eventID: EventID
    /// The last component of its path.
    package let node: Int32
    /// The page, in ``ElementDictionary/names``.
    package let page: StringID?
  }

  /// The components of all paths; the ones above come first.
  package private(set) var nodes: [Node] = []
  /// The elements, in the order in which they were added.
  package private(set) var elements: [Element] = []
  /// Names of classes and pages.
  package private(set) var names = StringTable()
  // Open addressing with linear probing by the first bytes of the event ID: 0 is free, else the element's number + 1. The
  // count is a power of two, at most half full.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)

  /// The classes of all captures.
  public private(set) var vocabulary = ClassVocabulary()
  /// The class hierarchy as far as captures name superclasses.
  public private(set) var hierarchy: ClassHierarchy

  /// The style of the paths.
  public let style: PathStyleName
  // Components by what they are, where paths do not grow with the tree: in all styles but hubbledata.
  private var nodeNumbers: [NodeKey: Int32] = [:]

  private struct NodeKey: Hashable {
    let parent: Int32
    let className: StringID
    let locator: Locator
  }

  /// Creates an empty dictionary.
  ///
  /// - Parameter style: The style of the paths that it gives, which selectors are to match.
  public init(hierarchy: ClassHierarchy = .builtIn, style: PathStyleName = .hubbleData) {
    self.hierarchy = hierarchy
    self.style = style
  }

  /// The number of event IDs.
  public var count: Int { elements.count }

  /// What is known of an event ID.
  ///
  /// - Complexity: O(length of the path).
  public subscript(id: EventID) -> Entry? {
    guard let number = number(of: id) else { return nil }
    return Entry(path: path(of: elements[number].node), page: elements[number].page.map { names[$0] })
  }

  /// The number of the element with an event ID, in ``elements``.
  package func number(of id: EventID) -> Int? {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: id.prefix) & mask
    while slots[slot] != 0 {
      let number = Int(slots[slot] - 1)
      if elements[number].eventID == id { return number }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// The path that ends with a component.
  package func path(of node: Int32) -> ElementPath {
    var components: [PathComponent] = []
    var current = node
    while current >= 0 {
      let node = nodes[Int(current)]
      components.append(PathComponent(names[node.className], node.locator))
      current = node.parent
    }
    components.reverse()
    return ElementPath(components)
  }

  /// Calls `body` with every event ID, in the order in which they were added.
  ///
  /// - Complexity: O(total length of the paths).
  package func forEachEntry(_ body: (EventID, Entry) -> Void) {
    for element in elements {
      body(element.eventID, Entry(path: path(of: element.node), page: element.page.map { names[$0] }))
    }
  }

  /// Adds the elements of a capture; of elements that share an event ID, the one added first stays.
  ///
  /// - Complexity: O(elements), and hashing the identities.
  public mutating func insert(_ screen: IdentifiedTree) {
    vocabulary.insertClasses(of: screen.tree)
    hierarchy.insertClasses(of: screen)
    guard style == .hubbleData else { return insertStyled(screen) }
    // The last components of the ancestors' paths.
    var ancestors = AncestorStack<Int32>()
    screen.forEachIdentity { element, _, _, eventID in
      ancestors.removeNonAncestors(of: element)
      let known = number(of: eventID)
      let node = Node(
        parent: ancestors.values.last ?? -1, className: names.intern(screen.className(of: element)),
        locator: screen.locator(of: element))
      var number: Int32
      if let known, case let same = elements[known].node, isSame(nodes[Int(same)], node) {
        number = same
      } else {
        number = Int32(nodes.count)
        nodes.append(node)
      }
      ancestors.push(number, for: element, of: screen.tree)
      if known == nil { insert(eventID, number, page: screen.page(of: element)) }
    }
  }

  private func isSame(_ a: Node, _ b: Node) -> Bool {
    a.parent == b.parent && a.className == b.className && a.locator == b.locator
  }

  // MARK: - Parts

  /// Adds a component; parents come before their children.
  package mutating func appendNode(parent: Int32, className: StringID, locator: Locator) -> Int32 {
    precondition(parent < nodes.count)
    nodes.append(Node(parent: parent, className: className, locator: locator))
    return Int32(nodes.count - 1)
  }

  /// Adds an element, unless its event ID is known.
  package mutating func insert(_ id: EventID, _ node: Int32, page: String?) {
    insert(id, node, page: page.map { names.intern($0) })
  }

  /// Adds an element, unless its event ID is known.
  package mutating func insert(_ id: EventID, _ node: Int32, page: StringID?) {
    guard number(of: id) == nil else { return }
    elements.append(Element(eventID: id, node: node, page: page))
    if elements.count * 2 > slots.count { grow() } else { file(elements.count - 1) }
  }

  /// The number of a name, which is added if it is new.
  package mutating func intern(_ name: String) -> StringID { names.intern(name) }

  /// Adds an element of a screen that the style can serve by its chain, unless its event ID is known or the style has no path
  /// for it.
  package mutating func insert(_ id: EventID, chain: [PathNode], page: String?) {
    guard number(of: id) == nil, let styled = style.style.path(of: chain) else { return }
    // Chains say which cells have rows and which have items, so there is one form, but for resource ids.
    let path = styled.elementPaths(hierarchy).last ?? ElementPath([])
    var node: Int32 = -1
    for component in path.components {
      let key = NodeKey(parent: node, className: names.intern(component.className), locator: component.locator)
      if let known = nodeNumbers[key] {
        node = known
      } else {
        node = appendNode(parent: key.parent, className: key.className, locator: key.locator)
        nodeNumbers[key] = node
      }
    }
    guard node >= 0 else { return }
    insert(id, node, page: page)
    // HubbleData for Android sends the SHA-256 of its own path.
    if style == .hubbleDataAndroid, let digest = styled.digest {
      if let own = digest.withUnsafeBytes({ EventID(bytes: $0) }) { insert(own, node, page: page) }
    }
  }

  private mutating func insertStyled(_ screen: IdentifiedTree) {
    guard style.style.lack(of: screen) == nil else { return }
    let chains = PathChains(of: screen)
    var chain = AncestorStack<PathNode>()
    screen.forEachIdentity { element, _, _, eventID in
      chain.removeNonAncestors(of: element)
      chain.push(chains.node(of: element), for: element, of: screen.tree)
      insert(eventID, chain: chain.values, page: screen.page(of: element))
    }
  }

  /// Adds a class name, and its superclass if that is known.
  package mutating func insertClass(_ name: String, superclass: String?) {
    vocabulary.insert(name)
    if let superclass, hierarchy.superclasses(of: name).isEmpty { hierarchy.add(name, superclass: superclass) }
  }

  /// Makes room for elements that will be added.
  package mutating func reserve(_ count: Int) {
    elements.reserveCapacity(count)
    nodes.reserveCapacity(count)
    guard count * 2 > slots.count else { return }
    var size = slots.count
    while size < count * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
    for number in elements.indices { file(number) }
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for number in elements.indices { file(number) }
  }

  private mutating func file(_ number: Int) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: elements[number].eventID.prefix) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = UInt32(number + 1)
  }
}

extension ClassHierarchy {
  /// Adds the superclasses that a capture names, for classes of which nothing is known yet.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  public mutating func insertClasses(of screen: IdentifiedTree) -> Bool {
    var isNew = false
    screen.forEachNamedSuperclass { name, superclass in
      guard superclasses(of: name).isEmpty else { return false }
      if add(name, superclass: superclass) { isNew = true }
      return true
    }
    return isNew
  }
}

extension IdentifiedTree {
  /// Calls `body` with each class and its superclass that the capture names, nearest first; the rest of a chain is left out
  /// once `body` says false.
  package func forEachNamedSuperclass(_ body: (_ name: String, _ superclass: String) -> Bool) {
    func follow(_ name: String, _ superclasses: String) {
      var name = name
      for word in superclasses.utf8.split(whereSeparator: isWhiteSpace) {
        let superclass = RuntimeSubclass.writtenClass(of: String(Substring(word)))
        guard !superclass.utf8.elementsEqual(name.utf8) else { continue }
        guard body(name, superclass) else { return }
        name = superclass
      }
    }
    // A list of superclasses belongs to a class, and is mostly the same for all its elements.
    struct Key: Hashable {
      let name: StringID
      let superclasses: StringID
    }
    var seen: Set<Key> = []
    for element in tree.elements {
      if let superclasses = tree.valueID(.superclasses, of: element),
        seen.insert(Key(name: tree.classID(of: element), superclasses: superclasses)).inserted
      {
        follow(className(of: element), tree.strings[superclasses])
      }
      if let controller = tree.valueID(.controller, of: element), let name = self.controller(of: element),
        let superclasses = tree.valueID(.controllerSuperclasses, of: element),
        seen.insert(Key(name: controller, superclasses: superclasses)).inserted
      {
        follow(name, tree.strings[superclasses])
      }
    }
  }
}
