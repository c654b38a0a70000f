import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// The different paths of elements in captures and dictionaries, as a tree of components that paths share.
///
/// Selectors that match nothing are tried on them with one thing changed, after the captures are gone.
package struct ElementPaths: Sendable {
  /// A component of paths.
  struct Component: Hashable {
    /// The number of the component before it, or -1.
    let parent: Int32
    let className: Int32
    let locator: Locator
    /// The locator in events if the capture does not give the place.
    let unknownPlace: Locator?
  }

  /// A component, and the elements that have the path up to it.
  struct Node {
    let component: Component
    /// The pages of the elements, a few of them; empty if there are no elements.
    var pages: [Int32] = []
    var count = 0
    /// The capture of the first element, and the element.
    var capture: Int32 = -1
    var element: Int32 = -1
  }

  // The maximum number of components that are kept. Of a larger app, only the first are known.
  private static let maximumNodes = 200_000
  // The maximum number of pages of one path that are kept.
  private static let maximumPages = 8

  private(set) var nodes: [Node] = []
  /// Superview and class of each component, which searches look at most.
  private(set) var links: [(parent: Int32, className: Int32)] = []
  private var numbers: [Component: Int32] = [:]
  /// The class names, by their numbers.
  private(set) var classes: [UTF8String] = []
  private var classNumbers: [UTF8String: Int32] = [:]
  /// The components of each class.
  private(set) var nodesOfClass: [[Int32]] = []
  private var pageNames: [UTF8String?] = []
  private var pageNumbers: [UTF8String?: Int32] = [:]
  private var captures: [String] = []
  /// The names in captures of web pages, of which no paths are kept.
  private(set) var pageVocabulary = PageVocabulary()

  /// Creates an empty set of paths.
  package init() {}

  /// Returns whether reasons are known in a style. Paths of PostHog also have texts, and components of Android match with and without
  /// their ids, which is not kept. Of web pages, only the names are.
  package static func giveReasons(in style: PathStyleName) -> Bool { !style.isAndroid && style != .postHog }

  /// Adds the elements of a capture.
  ///
  /// - Complexity: O(elements); in other styles than `hubbledata` O(elements × depth).
  package mutating func add(_ screen: IdentifiedTree, name: String, style: PathStyleName) {
    captures.append(name)
    if style.isWeb { return pageVocabulary.add(screen) }
    guard style == .hubbleData else { return addStyled(screen, style) }
    var path = AncestorStack<Int32>()
    for element in screen.tree.elements {
      path.removeNonAncestors(of: element)
      let component = Component(
        parent: path.values.last ?? -1, className: classNumber(screen.className(of: element)),
        locator: screen.locator(of: element), unknownPlace: screen.unknownPlace(of: element))
      // An element has no path without its superviews, so the subviews of an omitted element are omitted, too.
      guard element.index == 0 || screen.tree.parent(of: element) == nil || component.parent >= 0 else { continue }
      guard let node = node(component) else { continue }
      path.push(node, for: element, of: screen.tree)
      note(node, screen.page(of: element), element: Int32(element.index))
    }
  }

  private mutating func addStyled(_ screen: IdentifiedTree, _ style: PathStyleName) {
    var dictionary = ElementDictionary(style: style, knowsTexts: false)
    dictionary.insert(screen)
    screen.forEachIdentity { element, _, _, eventID in
      if let entry = dictionary[eventID] { add(entry, element: Int32(element.index)) }
    }
  }

  /// Adds the elements of a dictionary.
  package mutating func add(_ dictionary: ElementDictionary) {
    guard dictionary.count > 0, !dictionary.style.isWeb else { return }
    captures.append("the dictionary")
    dictionary.forEachEntry { _, entry in add(entry, element: -1) }
  }

  private mutating func add(_ entry: ElementDictionary.Entry, element: Int32) {
    var parent: Int32 = -1
    for own in entry.path.components {
      let component = Component(
        parent: parent, className: classNumber(own.className), locator: own.locator, unknownPlace: nil)
      guard let next = node(component) else { return }
      parent = next
    }
    if parent >= 0 { note(parent, entry.page, element: element) }
  }

  private mutating func classNumber(_ name: String) -> Int32 {
    let name = UTF8String(name)
    if let known = classNumbers[name] { return known }
    let number = Int32(classes.count)
    classes.append(name)
    nodesOfClass.append([])
    classNumbers[name] = number
    return number
  }

  private mutating func node(_ component: Component) -> Int32? {
    if let known = numbers[component] { return known }
    guard nodes.count < Self.maximumNodes else { return nil }
    let number = Int32(nodes.count)
    nodes.append(Node(component: component))
    links.append((component.parent, component.className))
    numbers[component] = number
    nodesOfClass[Int(component.className)].append(number)
    return number
  }

  private mutating func note(_ node: Int32, _ page: String?, element: Int32) {
    let page = page.map { UTF8String($0) }
    let number: Int32
    if let known = pageNumbers[page] {
      number = known
    } else {
      number = Int32(pageNames.count)
      pageNames.append(page)
      pageNumbers[page] = number
    }
    let i = Int(node)
    if nodes[i].count == 0 {
      nodes[i].capture = Int32(captures.count - 1)
      nodes[i].element = element
    }
    nodes[i].count += 1
    if nodes[i].pages.count < Self.maximumPages, !nodes[i].pages.contains(number) { nodes[i].pages.append(number) }
  }

  /// Returns the names of the pages of a path's elements; nil is an unknown page.
  func pages(of node: Int32) -> [UTF8String?] { nodes[Int(node)].pages.map { pageNames[Int($0)] } }

  /// Returns the components of a path from the innermost one outwards.
  func chain(of node: Int32) -> [Int32] {
    var result: [Int32] = []
    var current = node
    while current >= 0 {
      result.append(current)
      current = nodes[Int(current)].component.parent
    }
    return result
  }

  /// Returns the first element of a path in words: `cart.xml element 5: UIWindow(0)/…`.
  func text(of node: Int32) -> String {
    let path = ElementPath(
      chain(of: node).reversed().map {
        let component = nodes[Int($0)].component
        return PathComponent(classes[Int(component.className)].text, component.locator)
      })
    let capture = nodes[Int(node)].capture
    guard capture >= 0 else { return path.written(.slashes) }
    let element = nodes[Int(node)].element
    return "\(captures[Int(capture)])\(element >= 0 ? " element \(element)" : ""): \(path.written(.slashes))"
  }
}
