import EncircleText
import EncircleTree

// Information that is missing because lists and page view controllers re-use their views.

extension IdentifiedTree {
  /// Information about the rows of Android's lists, and the headers and footers of UIKit's, that the capture does not contain.
  ///
  /// - Complexity: O(elements).
  var missingListInformation: [MissingInformation] {
    var missing: [MissingInformation] = []
    let rows = isAndroid ? tree.elements.count { isUnplacedRow($0) } : 0
    if rows > 0 { missing.append(.rowPositions(rows: rows)) }
    var supplements: [ClassKey: Bool] = [:]
    let section = tree.attributeName("section")
    let views = tree.elements.count { isUnplacedSupplement($0, section, &supplements) }
    if views > 0 { missing.append(.sections(views: views)) }
    return missing
  }

  /// Returns whether an element is a row of an Android list whose position in the adapter is unknown.
  package func isUnplacedRow(_ element: ElementID) -> Bool {
    guard let android, let parent = tree.parent(of: element),
      !kinds(of: parent).isDisjoint(with: [.tableView, .collectionView]),
      case .row(_, isKnown: false) = android.place(of: element)
    else { return false }
    return true
  }

  /// Returns whether an element is a header or footer of a section, or another reusable view beside cells, that does not say
  /// its section.
  ///
  /// - Parameter supplements: The answers for classes so far.
  private func isUnplacedSupplement(
    _ element: ElementID, _ section: AttributeName?, _ supplements: inout [ClassKey: Bool]
  ) -> Bool {
    guard structure.lists[element.index] >= 0, kinds(of: element).isDisjoint(with: .cells) else { return false }
    let key = classKey(of: element)
    let isSupplement =
      supplements[key]
      ?? (isClass(element, kindOf: "UITableViewHeaderFooterView")
        || isClass(element, kindOf: "UICollectionReusableView"))
    if supplements[key] == nil { supplements[key] = isSupplement }
    return isSupplement && tree.valueID(.indexPath, of: element) == nil
      && section.flatMap { tree.valueID($0, of: element) } == nil
  }

  /// Child pages whose place is a slot of a page view controller, in pre-order.
  ///
  /// A page view controller has three slots, and the middle one always shows the current page, so all
  /// pages have the same place.
  package var pagesInReusedSlots: [ElementID] {
    guard !structure.controllerKinds.isEmpty else { return [] }
    return tree.elements.filter { element in
      guard hubbleData.rules[element.index] == .childPage, case .position = locator(of: element),
        let parent = tree.parent(of: element),
        let kinds = structure.controllerKinds[structure.controllers[parent.index]], kinds.contains(.pageViewController)
      else { return false }
      return true
    }
  }
}

extension ViewKinds {
  /// The kinds of cells.
  static let cells: ViewKinds = [.tableViewCell, .collectionViewCell, .anyCell]
}

extension IdentifiedTree {
  /// Returns the locator that events give an element of a list whose index path the capture does not contain: any row, item or
  /// index. Returns nil for elements with a known place, and for those outside of lists.
  package func unknownPlace(of element: ElementID) -> Locator? {
    // A capture recorded from a running app already contains everything that its SDK says in events.
    if sdkStyle != nil { return nil }
    if isUnplacedRow(element) {
      // In events, all rows of a list have the same kind of locator.
      let kind = tree.parent(of: element).flatMap { hubbleData.placedRows[$0] }
      return kind.map { Self.anyCell($0) } ?? .index(Locator.unknown)
    }
    guard !kinds(of: element).isDisjoint(with: .cells), hubbleData.rules[element.index] == nil,
      let kind = HubbleDataLocators.cellKind(of: element, tree, structure)
    else { return nil }
    // The format has element types in place of UIKit's classes, so it is unknown whether an SDK would send a row.
    return tree.format.hasUIKitClasses ? Self.anyCell(kind) : .index(Locator.unknown)
  }

  private static func anyCell(_ kind: HubbleDataLocators.CellKind) -> Locator {
    switch kind {
    case .table: .row(section: Locator.unknown, row: Locator.unknown)
    case .collection: .item(section: Locator.unknown, item: Locator.unknown)
    }
  }

  /// Returns whether an element is, or is in, a row whose place the capture lacks; see ``unknownPlace(of:)``.
  ///
  /// - Complexity: O(depth).
  package func isInUnknownPlace(_ element: ElementID) -> Bool {
    tree.inclusiveAncestors(of: element).contains { unknownPlace(of: $0) != nil }
  }
}

/// A row of a list, by which elements with the same path differ.
package enum ListRow: Hashable, Sendable {
  case place(Locator)
  /// A row whose place the capture lacks, as its view.
  case view(ElementID)
}

extension IdentifiedTree {
  /// Returns the row of the innermost list around an element; nil outside of lists.
  ///
  /// - Complexity: O(depth).
  package func listRow(of element: ElementID) -> ListRow? {
    for view in tree.inclusiveAncestors(of: element) {
      if unknownPlace(of: view) != nil { return .view(view) }
      if hubbleData.rules[view.index] == .cell { return .place(locator(of: view)) }
    }
    return nil
  }
}
