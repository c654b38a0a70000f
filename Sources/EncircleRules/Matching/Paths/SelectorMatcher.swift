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
    var builder = SelectorTable.Builder()
    _ = builder.add(selector, &classes)
    table = builder.freeze()
    self.classes = classes
  }

  /// Whether the selector matches a path.
  ///
  /// - Complexity: O(steps × components).
  public func matches(_ path: ElementPath) -> Bool {
    var classes = classes
    let numbers = path.components.map { ComponentNumbers(classes.number(Name($0.className)), $0.locator) }
    return numbers.withUnsafeBufferPointer { table.matches(0, $0, classes) }
  }

  /// The elements of a tree that the selector matches, in pre-order.
  ///
  /// - Complexity: O(elements × steps × depth), and near O(elements) for selectors with a class in their last step.
  public func elements(of screen: IdentifiedTree) -> [ElementID] {
    var classes = classes
    var path: [ComponentNumbers] = []
    var ends: [ElementID] = []
    var result: [ElementID] = []
    for element in screen.tree.elements {
      while let end = ends.last, end <= element {
        ends.removeLast()
        path.removeLast()
      }
      ends.append(screen.tree.subtreeEnd(of: element))
      path.append(ComponentNumbers(classes.number(Name(screen.className(of: element))), screen.locator(of: element)))
      if path.withUnsafeBufferPointer({ table.matches(0, $0, classes) }) { result.append(element) }
    }
    return result
  }
}
