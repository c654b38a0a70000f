import EncircleText
import EncircleTree

/// The locators of the `hubbledata` path style.
///
/// Source: HubbleData's statements in docs/articles.md.
struct HubbleDataLocators: Sendable {
  /// The locators of all elements.
  private(set) var locators: [Locator]
  /// The rules that gave elements their locators; nil for elements whose locator is their index.
  private(set) var rules: [Rule?]
  /// Child pages and page slots whose position in their scroll view is unknown.
  private(set) var unplaced: [ElementID] = []
  /// Cells without an index path.
  private(set) var cellsWithoutIndexPath: [ElementID] = []
  /// The kinds of the cells with an index path in lists on Android, by the list.
  private(set) var placedRows: [ElementID: CellKind] = [:]

  /// The rules that give an element a locator other than its index.
  enum Rule: Sendable {
    case cell
    case navigationBarItem
    case childPage
    case pageSlot
  }

  /// - Complexity: O(elements).
  init(of tree: ViewTree, _ structure: ScreenStructure) {
    locators = Self.sameClassIndexes(of: tree, structure)
    rules = Array(repeating: nil, count: tree.count)
    placePages(of: tree, structure)
    for element in tree.elements {
      let e = element.index
      let kinds = structure.kinds[e]
      // The index path of a cell prevails, because it is more specific.
      if structure.places[e].contains(.navigationBar), kinds.contains(.control) {
        locators[e] = .none
        rules[e] = .navigationBarItem
      }
      if let cell = Self.cellKind(of: element, tree, structure) {
        if let (section, row) = Self.indexPath(of: element, tree) {
          locators[e] = cell == .table ? .row(section: section, row: row) : .item(section: section, item: row)
          rules[e] = .cell
          if tree.isAndroid, let list = tree.parent(of: element) { placedRows[list] = cell }
        } else {
          cellsWithoutIndexPath.append(element)
        }
      }
    }
    unplaced.sort()
  }

  // MARK: - Indexes

  /// Returns, for each element, its index among the siblings of the same class. A UIKit window has no siblings, as it has no
  /// superview.
  static func sameClassIndexes(of tree: ViewTree, _ structure: ScreenStructure) -> [Locator] {
    var locators = Array(repeating: Locator.none, count: tree.count)
    // For each class, the number of siblings counted so far and their parent. A count for another parent is outdated,
    // so nothing has to be reset between parents.
    var countedIn = Array(repeating: Int32.min, count: structure.names.count)
    var counts = Array(repeating: 0, count: structure.names.count)
    func number(_ siblings: ViewTree.Siblings) {
      for element in siblings {
        let name = Int(structure.writtenClasses[element.index].rawValue)
        let parent = tree.siblingGroup(of: element)
        if countedIn[name] != parent {
          countedIn[name] = parent
          counts[name] = 0
        }
        locators[element.index] = .index(counts[name])
        counts[name] += 1
      }
    }
    number(tree.windows)
    if tree.format.hasUIKitClasses, !tree.isAndroid || tree.format == .viewTree {
      // The text of a debugger may begin inside a window. Its first views are then subviews like all others.
      for window in tree.windows
      where tree.format == .viewTree || structure.kinds[window.index].contains(.window) {
        locators[window.index] = .index(0)
      }
    }
    for element in tree.elements { number(tree.children(of: element)) }
    return locators
  }

  // MARK: - Cells

  enum CellKind {
    case table
    case collection
  }

  /// Returns the kind of cell that an element is, or nil if the element is not a cell. An element of unknown class with an
  /// index path is a cell of the list around it.
  static func cellKind(of element: ElementID, _ tree: ViewTree, _ structure: ScreenStructure) -> CellKind? {
    let kinds = structure.kinds[element.index]
    if kinds.contains(.tableViewCell) { return .table }
    if kinds.contains(.collectionViewCell) { return .collection }
    let list = structure.lists[element.index]
    let listKind: CellKind? =
      list < 0 ? nil : structure.kinds[Int(list)].contains(.tableView) ? .table : .collection
    if kinds.contains(.anyCell) { return listKind }
    // A row of an Android list may be a view of any class.
    if tree.isAndroid, list >= 0, list == tree.parent(of: element)?.rawValue,
      tree.valueID(.indexPath, of: element) != nil
    {
      return listKind
    }
    guard kinds.isEmpty, tree.valueID(.superclasses, of: element) == nil, tree.valueID(.indexPath, of: element) != nil,
      !ClassHierarchy.builtIn.contains(structure.names[structure.writtenClasses[element.index]])
    else { return nil }
    return listKind
  }

  static func indexPath(of element: ElementID, _ tree: ViewTree) -> (section: Int, row: Int)? {
    guard let id = tree.valueID(.indexPath, of: element) else { return nil }
    return tree.strings.withBytes(of: id) { bytes in
      let numbers = bytes.split(whereSeparator: isWhiteSpace).map { Int(String(decoding: $0, as: UTF8.self)) }
      guard numbers.count == 2, let section = numbers[0], let row = numbers[1], section >= 0, row >= 0 else {
        return nil
      }
      return (section, row)
    }
  }

  // MARK: - Child pages

  private mutating func placePages(of tree: ViewTree, _ structure: ScreenStructure) {
    // For each element, the nearest scroll view strictly between it and the root view of the controller around it, or
    // -1.
    var scrollViews = Array(repeating: Int32(-1), count: tree.count)
    for element in tree.elements {
      let e = element.index
      guard let parent = tree.parent(of: element) else { continue }
      let owner = structure.controllers[parent.index]
      if owner >= 0, owner != parent.rawValue {
        scrollViews[e] =
          structure.kinds[parent.index].contains(.scrollView) ? parent.rawValue : scrollViews[parent.index]
      }
      let isRootView = structure.controllers[e] == element.rawValue
      guard isRootView, owner >= 0, let ownerKinds = structure.controllerKinds[owner],
        ownerKinds.isDisjoint(with: .pageContainers)
      else { continue }
      rules[e] = .childPage
      guard scrollViews[e] >= 0 else {
        locators[e] = .none
        continue
      }
      place(element, in: parent, tree)
      if !structure.kinds[parent.index].contains(.scrollView), rules[parent.index] != .pageSlot,
        rules[parent.index] != .childPage,
        let grandparent = tree.parent(of: parent)
      {
        rules[parent.index] = .pageSlot
        place(parent, in: grandparent, tree)
      }
    }
  }

  private mutating func place(_ element: ElementID, in superview: ElementID, _ tree: ViewTree) {
    if let position = Self.position(of: tree.frame(of: element), in: tree.frame(of: superview)) {
      locators[element.index] = position
    } else {
      locators[element.index] = .none
      unplaced.append(element)
    }
  }

  /// Returns the screenful of the superview that contains the centre of a view.
  private static func position(of frame: Frame?, in superview: Frame?) -> Locator? {
    guard let frame, let superview, superview.width != 0, superview.height != 0 else { return nil }
    let x = (frame.x + frame.width / 2) / superview.width
    let y = (frame.y + frame.height / 2) / superview.height
    // Beyond 2⁵³, the fraction has been lost. NaN fails the comparison, too.
    guard abs(x) < 0x1p53, abs(y) < 0x1p53 else { return nil }
    return .position(x: Int(x), y: Int(y))
  }
}
