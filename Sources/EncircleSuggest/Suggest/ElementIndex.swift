import EncircleIdentity
import EncircleTree

/// A capture laid out for suggestions: class and superview by element, and elements by class.
///
/// - Complexity: O(elements) to make.
struct ElementIndex: Sendable {
  let screen: IdentifiedTree
  let hierarchy: ClassHierarchy
  /// By element: its superview, or -1.
  let parents: [Int32]
  /// By element: the number of its class.
  let classes: [Int32]
  // The elements of class c, in pre-order, are elementsByClass[classStarts[c] ..< classStarts[c + 1]].
  private let classStarts: [Int]
  private let elementsByClass: [Int32]

  init(_ screen: IdentifiedTree, hierarchy: ClassHierarchy) {
    self.screen = screen
    self.hierarchy = hierarchy
    let tree = screen.tree
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

  /// The elements of a class, in pre-order.
  func elements(ofClass name: Int32) -> ArraySlice<Int32> {
    elementsByClass[classStarts[Int(name)]..<classStarts[Int(name) + 1]]
  }

  /// Whether an element fits a step.
  func fits(_ element: Int32, _ step: StepPattern) -> Bool {
    guard classes[Int(element)] == step.classNumber else { return false }
    if case .any = step.locator { return true }
    return step.locator.matches(screen.locator(of: ElementID(rawValue: element)))
  }

  /// The number of siblings of an element's class, itself included.
  ///
  /// - Complexity: O(siblings); for a top-level window O(windows).
  func siblings(of element: Int32) -> Int {
    let tree = screen.tree
    let parent = parents[Int(element)]
    var child = parent < 0 ? ElementID(0) : tree.firstChild(of: ElementID(rawValue: parent))
    var count = 0
    while let sibling = child {
      if classes[sibling.index] == classes[Int(element)] { count += 1 }
      child = tree.nextSibling(of: sibling)
    }
    return count
  }
}

/// A step of a candidate: a class of the capture by its number, and what its locator must be.
struct StepPattern: Hashable, Sendable {
  var classNumber: Int32
  var locator: LocatorTest
}

/// What a step of a candidate asks of a locator: the few tests that suggestions use.
enum LocatorTest: Hashable, Sendable {
  /// Any locator.
  case any
  /// This one.
  case exactly(Locator)
  /// Any row of that section, or of any section.
  case anyRow(section: Int?)
  /// Any item of that section, or of any section.
  case anyItem(section: Int?)

  func matches(_ locator: Locator) -> Bool {
    switch self {
    case .any: true
    case .exactly(.position(let x, let y)):
      // -1 stands for an unknown number, which no selector can ask for; see `pattern`.
      if case .position(let otherX, let otherY) = locator {
        (x == Locator.unknown || x == otherX) && (y == Locator.unknown || y == otherY)
      } else {
        false
      }
    case .exactly(let wanted): wanted == locator
    case .anyRow(let wanted): if case .row(let section, _) = locator { section == wanted ?? section } else { false }
    case .anyItem(let wanted): if case .item(let section, _) = locator { section == wanted ?? section } else { false }
    }
  }
}
