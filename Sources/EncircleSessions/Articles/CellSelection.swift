import EncircleEvents
import EncircleTree

/// A cell that the user selects.
struct CellSelection {
  /// The list.
  var list: Int
  /// The cell; nil if it is not on the screen.
  var cell: Int?
  /// The section and row of the cell; nil if neither the session nor a capture states them.
  var indexPath: (section: Int, row: Int)?
}

extension SessionWorld {
  /// Returns the selected cell, which a capture may describe; nil if the list or the place does not exist.
  mutating func selection(_ signal: SelectSignal) throws(SessionModelError) -> CellSelection? {
    guard let list = try list(of: signal) else { return nil }
    let indexPath = signal.indexPath ?? Self.indexPath(of: signal.element)
    var element = signal.element.flatMap { indexPath != nil || $0.isCell ? $0 : nil }
    if element == nil {
      guard let indexPath else { return nil }
      if let cell = SensorsElements.cell(indexPath.section, indexPath.row, of: list, self) {
        return CellSelection(list: list, cell: cell, indexPath: indexPath)
      }
      element = views[list].element?.cell(section: indexPath.section, row: indexPath.row)
    }
    guard let element else { return CellSelection(list: list, cell: nil, indexPath: indexPath) }
    let cell = try define(ViewSignal(id: element.id, element: element))
    return CellSelection(list: list, cell: cell, indexPath: indexPath)
  }

  /// Returns the list of a selection: the list that it names, or the one around the cell in the capture.
  mutating func list(of signal: SelectSignal) throws(SessionModelError) -> Int? {
    if let id = signal.view, let list = index(ofView: id) { return list }
    guard let element = signal.element?.list else { return nil }
    return try define(ViewSignal(id: signal.view ?? element.id, element: element))
  }

  fileprivate static func indexPath(of element: CapturedElement?) -> (section: Int, row: Int)? {
    guard let element else { return nil }
    switch element.capture.screen.locator(of: element.element) {
    case .row(let section, let row): return (section, row)
    case .item(let section, let item): return (section, item)
    case .none, .index, .position: return nil
    }
  }
}

extension CapturedElement {
  /// This is true if the element can be selected by itself: it is a cell, or the capture states its row or item.
  var isSelectable: Bool { isCell || SessionWorld.indexPath(of: self) != nil }

  /// This is true if the element is a cell, wherever in its list it is.
  fileprivate var isCell: Bool {
    let cells: ViewKinds = [.tableViewCell, .collectionViewCell, .anyCell]
    return !capture.screen.kinds(of: element).isDisjoint(with: cells)
  }
}

extension EventObject {
  /// Adds section and row of a selected cell, as far as they are known.
  mutating func add(_ indexPath: (section: Int, row: Int)?) {
    guard let (section, row) = indexPath else { return }
    add("section", .number(DecimalNumber(section)))
    add("row", .number(DecimalNumber(row)))
  }
}
