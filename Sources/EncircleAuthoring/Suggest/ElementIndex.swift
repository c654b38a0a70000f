import EncircleIdentity
import EncircleTree

/// A capture laid out for suggestions: class and superview by element, and elements by class.
///
/// It is a class because candidates use it very often, and a structure of this size would be copied each time.
final class ElementIndex: Sendable {
  let screen: IdentifiedTree
  let hierarchy: ClassHierarchy
  /// The superview of each element, or -1.
  let parents: [Int32]
  /// The number of each element's class.
  let classes: [Int32]
  // The elements of class c, in pre-order, are elementsByClass[classStarts[c] ..< classStarts[c + 1]].
  private let classStarts: [Int]
  private let elementsByClass: [Int32]
  /// The locators in events for cells and rows whose place is not in the capture.
  let unknownPlaces: [ElementID: Locator]

  /// Lays a capture out.
  ///
  /// - Complexity: O(elements).
  init(_ screen: IdentifiedTree, hierarchy: ClassHierarchy) {
    self.screen = screen
    self.hierarchy = hierarchy
    let tree = screen.tree
    var unknownPlaces: [ElementID: Locator] = [:]
    for element in tree.elements {
      if let place = screen.unknownPlace(of: element) { unknownPlaces[element] = place }
    }
    self.unknownPlaces = unknownPlaces
    parents = tree.elements.map { tree.parent(of: $0)?.rawValue ?? -1 }
    let classes = tree.elements.map { Int32(screen.writtenClass(of: $0).rawValue) }
    var starts = Array(repeating: 0, count: Int(classes.max() ?? -1) + 2)
    for name in classes { starts[Int(name) + 1] += 1 }
    for i in starts.indices.dropFirst() { starts[i] += starts[i - 1] }
    var next = starts
    var elements = Array(repeating: Int32(0), count: classes.count)
    for (element, name) in classes.enumerated() {
      elements[next[Int(name)]] = Int32(element)
      next[Int(name)] += 1
    }
    self.classes = classes
    classStarts = starts
    elementsByClass = elements
  }

  /// Returns the elements of a class, in pre-order.
  func elements(ofClass name: Int32) -> ArraySlice<Int32> {
    elementsByClass[classStarts[Int(name)]..<classStarts[Int(name) + 1]]
  }

  /// Returns whether a step of a candidate matches an element.
  func matches(_ step: StepPattern, _ element: Int32) -> Bool {
    guard classes[Int(element)] == step.classNumber else { return false }
    guard let locator = step.locator else { return true }
    let element = ElementID(rawValue: element)
    return locator.matches(screen.locator(of: element)) || (unknownPlaces[element].map { locator.matches($0) } ?? false)
  }

  /// Returns the number of siblings of an element that have its class, itself included.
  ///
  /// - Complexity: O(siblings); for a top-level window O(windows).
  func siblings(of element: Int32) -> Int {
    let tree = screen.tree
    let parent = parents[Int(element)]
    let siblings = parent < 0 ? tree.windows : tree.children(of: ElementID(rawValue: parent))
    return siblings.count { classes[$0.index] == classes[Int(element)] }
  }
}
