import EncircleIdentity
import EncircleText
import EncircleTree

/// A selector compiled by itself, for paths and trees without rules.
public struct SelectorMatcher: Sendable {
  private final class Compiled: Sendable {
    let table: SelectorTable
    let classes: ClassTable

    init(_ table: consuming SelectorTable, _ classes: consuming ClassTable) {
      self.table = table
      self.classes = classes
    }
  }

  private let compiled: Compiled

  /// Compiles a selector.
  ///
  /// - Parameter hierarchy: The superclasses of classes, for tests with `:`.
  public init(_ selector: ElementSelector, hierarchy: ClassHierarchy = .builtIn) {
    var classes = ClassTable(hierarchy: hierarchy)
    var builder = SelectorTable.Builder()
    _ = builder.add(selector, &classes)
    compiled = Compiled(builder.freeze(), classes)
  }

  /// Returns whether the selector matches a path.
  ///
  /// - Complexity: O(steps × components).
  public func matches(_ path: ElementPath) -> Bool {
    var classes = compiled.classes.copy()
    let numbers = path.components.map { ComponentNumbers(classes.number(UTF8String($0.className)), $0.locator) }
    return numbers.withUnsafeBufferPointer { compiled.table.matches(0, $0, classes) }
  }

  /// Returns whether the selector matches some reading of a path.
  package func matches(_ readings: PathGraph) -> Bool {
    if let path = readings.only { return matches(path) }
    var classes = compiled.classes.copy()
    var graph = NumberedGraph()
    graph.read(readings, &classes, lengths: classes.nameLengths.all)
    var matcher = GraphMatcher()
    return matcher.matches(0, graph, compiled.table, classes)
  }

  /// The elements of a tree that the selector matches, in pre-order.
  ///
  /// - Complexity: O(elements × steps × depth), and near O(elements) for selectors with a class in their last step.
  public func elements(of screen: IdentifiedTree) -> [ElementID] {
    var classes = compiled.classes.copy()
    var path = AncestorStack<ComponentNumbers>()
    var result: [ElementID] = []
    for element in screen.tree.elements {
      path.removeNonAncestors(of: element)
      path.push(
        ComponentNumbers(classes.number(UTF8String(screen.className(of: element))), screen.locator(of: element)),
        for: element, of: screen.tree)
      if path.values.withUnsafeBufferPointer({ compiled.table.matches(0, $0, classes) }) { result.append(element) }
    }
    return result
  }
}
