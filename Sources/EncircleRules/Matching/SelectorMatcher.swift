import EncircleIdentity
import EncircleTree

/// A selector compiled by itself, for paths and trees without rules.
public struct SelectorMatcher: Sendable {
  private let table: SelectorTable
  private let classes: ClassTable

  /// Compiles a selector.
  ///
  /// - Parameter hierarchy: Answers its kind-of tests.
  public init(_ selector: Selector, hierarchy: ClassHierarchy = .builtIn) {
    var classes = ClassTable(hierarchy: hierarchy)
    var table = SelectorTable()
    _ = table.add(selector, &classes)
    self.table = table
    self.classes = classes
  }

  /// Whether the selector matches a path.
  ///
  /// - Complexity: O(steps × components).
  public func matches(_ path: ElementPath) -> Bool {
    var classes = classes
    var elements = CandidateElements()
    for component in path.components { elements.append(classes.number(Name(component.className)), component.locator) }
    elements.endPath()
    return elements.contains(0, of: table, classes)
  }

  /// The elements of a tree that the selector matches, in pre-order.
  ///
  /// - Complexity: O(elements × steps × depth), and near O(elements) for selectors with a class in their last step.
  public func elements(of screen: IdentifiedTree) -> [ElementID] {
    var classes = classes
    var numbers: [ClassNumber] = []
    var locators: [Locator] = []
    var ends: [ElementID] = []
    var result: [ElementID] = []
    for element in screen.tree.elements {
      while let end = ends.last, end <= element {
        ends.removeLast()
        numbers.removeLast()
        locators.removeLast()
      }
      ends.append(screen.tree.subtreeEnd(of: element))
      numbers.append(classes.number(Name(screen.className(of: element))))
      locators.append(screen.locator(of: element))
      let isMatch = numbers.withUnsafeBufferPointer { numbers in
        locators.withUnsafeBufferPointer { locators in
          table.matches(0, CandidatePath(classes: numbers, locators: locators), classes)
        }
      }
      if isMatch { result.append(element) }
    }
    return result
  }
}
