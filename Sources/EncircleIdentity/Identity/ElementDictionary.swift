import EncircleText
import EncircleTree

/// Finds elements by their event IDs, in memory.
///
/// Paths are stored as a tree, so that elements share the common components of their paths.
public struct ElementDictionary: Sendable {
  /// The path and the page of an element that has an event ID in some capture.
  public struct Entry: Sendable {
    /// The path, in the styles of Android without resource ids, as paths of texts are.
    public let path: ElementPath
    /// The page, or nil if the capture does not give it.
    public let page: String?
  }

  /// The texts of an element in some capture, as numbers in ``ElementDictionary/names``.
  package struct KnownTexts: Hashable, Sendable {
    /// The text.
    package var content: StringID?
    /// The actions of an item of a navigation bar, with commas between them.
    package var actions: StringID?
    package var alertTitle: StringID?
    package var alertMessage: StringID?
  }

  /// A component of paths.
  package struct Node: Hashable, Sendable {
    /// The number of the component before it, which is less than its own number; -1 if it is the first.
    package let parent: Int32
    /// The class name, in ``ElementDictionary/names``.
    package let className: StringID
    package let locator: Locator
  }

  /// An element with its event ID.
  package struct Element: Sendable {
    package let eventID: EventID
    /// The number of the last component of its path.
    package let node: Int32
    /// The page, in ``ElementDictionary/names``.
    package let page: StringID?
  }

  /// The components of all paths. Each comes after its parent.
  package private(set) var nodes: [Node] = []
  /// The elements, in the order of insertion.
  package private(set) var elements: [Element] = []
  /// The names of classes and pages, and the texts of elements.
  package private(set) var names = StringTable()
  // A hash table with open addressing and linear probing, by the event ID. 0 marks a free slot, any other value is an
  // element's number + 1. The number of slots is a power of two, and at most half of them are used.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)
  // Random, so that an author of hostile event IDs cannot make them collide.
  private let seed = UInt64.random(in: .min ... .max)

  /// The classes of all captures.
  public private(set) var vocabulary = ClassVocabulary()
  /// The class hierarchy, with the superclasses that captures name.
  public private(set) var hierarchy: ClassHierarchy

  /// The style of the paths.
  public let style: PathStyleName
  /// This is true if the dictionary also stores texts of elements, for events that name an element only by its event
  /// ID.
  public let knowsTexts: Bool
  /// This is true if the dictionary also stores the texts of all elements on screens, for rules that use them.
  public let knowsScreens: Bool
  /// The same elements with their paths in other styles, for rules that are in several.
  package private(set) var inOtherStyles: [ElementDictionary] = []
  /// The texts of the elements on screens; empty unless ``knowsScreens``.
  package private(set) var screenTexts = ScreenTexts()
  /// The texts of elements, without duplicates.
  package private(set) var texts: [KnownTexts] = []
  // For each element, the index of its texts in `texts`; -1 for none. Empty while there are no texts.
  private var textNumbers: [Int32] = []
  private var numbersOfTexts: [KnownTexts: Int32] = [:]
  // The numbers of components by their content. The style `hubbledata` does not use it: there, the tree gives the numbers.
  private var nodeNumbers: [Node: Int32] = [:]

  /// Creates an empty dictionary.
  ///
  /// - Parameters:
  ///   - style: The style of the dictionary's paths.
  ///   - knowsTexts: True if it also stores texts of elements. This costs memory and, for each capture, O(length of the texts).
  ///   - knowsScreens: True if it also stores the texts of elements that cause no events, such as labels. This costs
  ///     O(elements × depth) for each capture.
  ///   - otherStyles: Further styles of stored paths, for rules in several styles.
  public init(
    hierarchy: ClassHierarchy = .builtIn, style: PathStyleName = .hubbleData, knowsTexts: Bool = true,
    knowsScreens: Bool = false, otherStyles: [PathStyleName] = []
  ) {
    inOtherStyles = otherStyles.map {
      ElementDictionary(hierarchy: hierarchy, style: $0, knowsTexts: knowsTexts, knowsScreens: knowsScreens)
    }
    self.hierarchy = hierarchy
    self.style = style
    self.knowsTexts = knowsTexts
    self.knowsScreens = knowsScreens
  }

  /// The number of event IDs.
  public var count: Int { elements.count }

  /// The element with an event ID, or nil if no capture has it.
  ///
  /// - Complexity: O(length of the path).
  public subscript(id: EventID) -> Entry? {
    number(of: id).map { entry(of: elements[$0]) }
  }

  private func entry(of element: Element) -> Entry {
    var path = path(of: element.node)
    if style.isAndroid { path.components = path.components.compactMap { $0.forms(in: style).last } }
    return Entry(path: path, page: element.page.map { names[$0] })
  }

  /// Returns the index in ``elements`` of the element with an event ID.
  package func number(of id: EventID) -> Int? {
    let mask = slots.count - 1
    var slot = firstSlot(of: id)
    while slots[slot] != 0 {
      let number = Int(slots[slot] - 1)
      if elements[number].eventID == id { return number }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private func firstSlot(of id: EventID) -> Int {
    Int(truncatingIfNeeded: id.hash(seed: seed)) & (slots.count - 1)
  }

  /// Returns the path of the element with an event ID, with all forms of its components, and its page; nil if no capture has it.
  package func resolved(_ id: EventID) -> (graph: PathGraph, page: String?)? {
    guard let number = number(of: id) else { return nil }
    let path = path(of: elements[number].node)
    return (PathGraph(path, in: style), elements[number].page.map { names[$0] })
  }

  /// Returns the path that ends with a component.
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

  /// Calls `body` with every event ID, in the order of insertion.
  ///
  /// - Complexity: O(total length of the paths).
  package func forEachEntry(_ body: (EventID, Entry) -> Void) {
    for element in elements { body(element.eventID, entry(of: element)) }
  }

  /// Adds the elements of a capture. Of elements with the same event ID, only the first is kept.
  ///
  /// - Complexity: O(elements), plus hashing the identities.
  public mutating func insert(_ screen: IdentifiedTree) {
    for i in inOtherStyles.indices { inOtherStyles[i].insert(screen) }
    vocabulary.insertClasses(of: screen.tree)
    hierarchy.insertClasses(of: screen)
    guard style == .hubbleData else { return insertStyled(screen) }
    let contents = knowsTexts || knowsScreens ? ElementContents(of: screen) : nil
    // The last components of the ancestors' paths.
    var ancestors = AncestorStack<Int32>()
    screen.forEachIdentity { element, _, _, eventID in
      ancestors.removeNonAncestors(of: element)
      let known = number(of: eventID)
      let node = Node(
        parent: ancestors.values.last ?? -1, className: names.intern(screen.className(of: element)),
        locator: screen.locator(of: element))
      var number: Int32
      if let known, case let same = elements[known].node, nodes[Int(same)] == node {
        number = same
      } else {
        number = Int32(nodes.count)
        nodes.append(node)
      }
      ancestors.push(number, for: element, of: screen.tree)
      if knowsScreens, let contents {
        insertScreenText(contents.shownText(of: element, screen), number, page: screen.page(of: element))
      }
      guard known == nil else { return }
      insert(eventID, number, page: screen.page(of: element))
      if knowsTexts, let contents { setTexts(of: element, screen, contents) }
    }
  }

  /// Adds one element of a capture, and the capture's classes.
  ///
  /// - Complexity: O(depth + classes + length of the texts).
  package mutating func insert(_ element: ElementID, of screen: IdentifiedTree, _ contents: ElementContents) {
    vocabulary.insertClasses(of: screen.tree)
    hierarchy.insertClasses(of: screen)
    var node: Int32 = -1
    for component in screen.path(of: element).components {
      node = appendNode(parent: node, className: names.intern(component.className), locator: component.locator)
    }
    insert(screen.eventID(of: element), node, page: screen.page(of: element))
    setTexts(of: element, screen, contents)
  }

  /// Records the text of an element on a screen.
  ///
  /// - Parameter node: The last component of its path.
  package mutating func insertScreenText(_ text: String?, _ node: Int32, page: String?) {
    guard knowsScreens, let text, let page, node >= 0 else { return }
    screenTexts.insert(text, page: page, path: path(of: node))
  }

  /// Stores the texts of the element that was added last, if SDKs track it. Other elements cause no events.
  private mutating func setTexts(of element: ElementID, _ screen: IdentifiedTree, _ contents: ElementContents) {
    guard screen.trackingType(of: element) != nil else { return }
    var identity = IdentityString(path: "")
    if let alert = screen.alertTexts(of: element) { (identity.title, identity.message) = alert }
    identity.actions = screen.sentActions(of: element).map { [$0.text] } ?? []
    setTexts(content: contents.content(of: element), identity)
  }

  /// Notes the texts of the element that was added last.
  ///
  /// - Parameter identity: The identity, which has the element's actions and the texts of its alert.
  package mutating func setTexts(content: String?, _ identity: IdentityString?) {
    func intern(_ text: String?) -> StringID? { text.map { names.intern($0) } }
    let actions = (identity?.actions.joined(separator: ",")).flatMap { $0.isEmpty ? nil : $0 }
    let known = KnownTexts(
      content: intern(content), actions: intern(actions), alertTitle: intern(identity?.title),
      alertMessage: intern(identity?.message))
    guard known != KnownTexts() else { return }
    let number = numbersOfTexts[known] ?? Int32(texts.count)
    if number == texts.count {
      texts.append(known)
      numbersOfTexts[known] = number
    }
    textNumbers += Array(repeating: -1, count: elements.count - textNumbers.count)
    textNumbers[elements.count - 1] = number
  }

  /// Returns the texts of an element by its index in ``elements``; nil if it has none.
  package func texts(ofElement index: Int) -> KnownTexts? {
    guard index < textNumbers.count, textNumbers[index] >= 0 else { return nil }
    return texts[Int(textNumbers[index])]
  }

  /// Returns a dictionary of elements with their paths in several styles, of which there is at least one.
  ///
  /// - Parameter make: Returns the dictionary of the elements in one style.
  package static func inEach<Failure: Error>(
    of styles: [PathStyleName], _ make: (PathStyleName) throws(Failure) -> ElementDictionary
  ) throws(Failure) -> ElementDictionary {
    var dictionary = try make(styles[0])
    for style in styles.dropFirst() { dictionary.add(try make(style)) }
    return dictionary
  }

  /// Adds a dictionary of the same elements with their paths in another style.
  package mutating func add(_ other: ElementDictionary) { inOtherStyles.append(other) }

  // MARK: - Building

  /// Adds a component, whose parent must have been added before, and returns its number.
  package mutating func appendNode(parent: Int32, className: StringID, locator: Locator) -> Int32 {
    precondition(parent < nodes.count)
    nodes.append(Node(parent: parent, className: className, locator: locator))
    return Int32(nodes.count - 1)
  }

  /// Adds an element, unless its event ID is known; returns whether it was added.
  @discardableResult
  package mutating func insert(_ id: EventID, _ node: Int32, page: String?) -> Bool {
    insert(id, node, page: page.map { names.intern($0) })
  }

  /// Adds an element, unless its event ID is known; returns whether it was added.
  @discardableResult
  package mutating func insert(_ id: EventID, _ node: Int32, page: StringID?) -> Bool {
    guard number(of: id) == nil else { return false }
    elements.append(Element(eventID: id, node: node, page: page))
    if elements.count * 2 > slots.count { grow() } else { insertSlot(elements.count - 1) }
    return true
  }

  /// Returns the number of a name, which is added if it is new.
  package mutating func intern(_ name: String) -> StringID { names.intern(name) }

  /// Adds an element by its chain, unless its event ID is known or the style has no path for it. The style must be able to serve the
  /// screen.
  ///
  /// - Parameters:
  ///   - text: The element's text, if it is known.
  ///   - isTracked: True if SDKs track the element. If so, the dictionary supplies the text to events, because HubbleData's
  ///     SDKs do not send it.
  package mutating func insert(
    _ id: EventID, chain: [PathNode], page: String?, text: String? = nil, isTracked: Bool = false
  ) {
    let isNew = number(of: id) == nil
    guard isNew || knowsScreens && text != nil, var styled = style.style.path(of: chain) else { return }
    if var position = style.style.position(in: chain) { position.withUTF8 { styled.fill(position: $0) } }
    // Chains tell cells with rows from cells with items, so a component has only one form, except in the styles of Android.
    let forms = styled.forms(hierarchy)
    if knowsScreens, text != nil {
      insertScreenText(text, number(ofPath: forms.compactMap(PathComponent.plain(of:))), page: page)
    }
    guard isNew, case let node = number(ofPath: forms.compactMap(\.first)), node >= 0 else { return }
    insert(id, node, page: page)
    guard style == .hubbleDataAndroid else { return }
    let content = knowsTexts && isTracked ? text : nil
    setTexts(content: content, nil)
    // HubbleData for Android sends the SHA-256 of the path in its own style.
    if let digest = styled.digest, let own = digest.withUnsafeBytes({ EventID(bytes: $0) }),
      insert(own, node, page: page)
    {
      setTexts(content: content, nil)
    }
  }

  /// Returns the number of the last component of a path, whose components are added if they are new; -1 if there are none.
  private mutating func number(ofPath path: [PathComponent]) -> Int32 {
    var node: Int32 = -1
    for component in path {
      let key = Node(parent: node, className: names.intern(component.className), locator: component.locator)
      if let known = nodeNumbers[key] {
        node = known
      } else {
        node = appendNode(parent: key.parent, className: key.className, locator: key.locator)
        nodeNumbers[key] = node
      }
    }
    return node
  }

  private mutating func insertStyled(_ screen: IdentifiedTree) {
    guard style.style.unmetRequirement(for: screen) == nil else { return }
    let chains = PathChains(of: screen)
    let keepsTexts = knowsTexts && style == .hubbleDataAndroid
    let contents = knowsScreens || keepsTexts ? ElementContents(of: screen) : nil
    var chain = AncestorStack<PathNode>()
    screen.forEachIdentity { element, _, _, eventID in
      chain.removeNonAncestors(of: element)
      chain.push(chains.node(of: element), for: element, of: screen.tree)
      insert(
        eventID, chain: chain.values, page: screen.page(of: element, in: style),
        text: contents?.shownText(of: element, screen),
        isTracked: keepsTexts && screen.trackingType(of: element, in: style) != nil)
    }
  }

  /// Adds a class name, and its superclass if that is known.
  package mutating func insertClass(_ name: String, superclass: String?) {
    vocabulary.insert(name)
    if let superclass, hierarchy.superclasses(of: name).isEmpty { hierarchy.add(name, superclass: superclass) }
  }

  /// Reserves memory for a number of elements.
  package mutating func reserve(_ count: Int) {
    elements.reserveCapacity(count)
    nodes.reserveCapacity(count)
    guard count * 2 > slots.count else { return }
    var size = slots.count
    while size < count * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
    for number in elements.indices { insertSlot(number) }
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for number in elements.indices { insertSlot(number) }
  }

  private mutating func insertSlot(_ number: Int) {
    let mask = slots.count - 1
    var slot = firstSlot(of: elements[number].eventID)
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = UInt32(number + 1)
  }
}
