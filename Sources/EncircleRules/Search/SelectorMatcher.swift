import EncircleIdentity
import EncircleText
import EncircleTree

/// A selector compiled on its own, for matching paths and trees without rules.
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
    let numbers = path.components.map { compiled.table.numbers($0, &classes) }
    return numbers.withUnsafeBufferPointer { numbers in
      (0..<path.endCount).contains { dropped in
        compiled.table.matches(0, UnsafeBufferPointer(rebasing: numbers.dropLast(dropped)), classes)
      }
    }
  }

  /// Returns whether the selector matches some reading of a path.
  package func matches(_ readings: PathGraph) -> Bool {
    if let path = readings.only { return matches(path) }
    var classes = compiled.classes.copy()
    var graph = NumberedGraph()
    graph.read(readings, &classes, compiled.table, lengths: classes.nameLengths.all)
    var matcher = GraphMatcher()
    return matcher.matches(0, graph, compiled.table, classes)
  }

  /// Returns the elements of a tree that the selector matches, in pre-order. If the capture gives no index path for a cell, the cell
  /// matches by its index and as a cell in any row, but never as a cell in a certain row.
  ///
  /// - Complexity: O(elements × steps × depth), and near O(elements) for selectors with a class in their last step.
  public func elements(of screen: IdentifiedTree) -> [ElementID] {
    var classes = compiled.classes.copy()
    var path = AncestorStack<ComponentNumbers>()
    // The components with unknown rows, and the number of components whose row is unknown.
    var open = AncestorStack<(ComponentNumbers, unknown: Int)>()
    var result: [ElementID] = []
    for element in screen.tree.elements {
      path.removeNonAncestors(of: element)
      let name = classes.number(UTF8String(screen.className(of: element)))
      let numbers = ComponentNumbers(name, screen.locator(of: element))
      path.push(numbers, for: element, of: screen.tree)
      open.removeNonAncestors(of: element)
      let place = screen.unknownPlace(of: element)
      let unknown = (open.values.last?.unknown ?? 0) + (place == nil ? 0 : 1)
      open.push((place.map { ComponentNumbers(name, $0) } ?? numbers, unknown), for: element, of: screen.tree)
      let matches =
        path.values.withUnsafeBufferPointer { compiled.table.matches(0, $0, classes) }
        || (unknown > 0
          && open.values.map(\.0).withUnsafeBufferPointer { compiled.table.matches(0, $0, classes) })
      if matches { result.append(element) }
    }
    return result
  }
}
