import EncircleTree

/// The levels of nested lists in which elements of the same kind may have different rows.
public enum SameKindLevels: String, CaseIterable, Sendable {
  /// Only the innermost list: elements of the same kind lie in the same row of the outer list.
  case innermost
  /// All lists.
  case all
}

extension ElementPath {
  /// Returns the path with unknown section, row and item in the innermost list or in all lists; nil if no component is
  /// a cell.
  public func withoutRows(_ levels: SameKindLevels) -> ElementPath? {
    var result = self
    var isFound = false
    for i in components.indices.reversed() {
      switch components[i].locator {
      case .row: result.components[i].locator = .row(section: Locator.unknown, row: Locator.unknown)
      case .item: result.components[i].locator = .item(section: Locator.unknown, item: Locator.unknown)
      case .none, .index, .position: continue
      }
      isFound = true
      if levels == .innermost { return result }
    }
    return isFound ? result : nil
  }
}

extension IdentifiedTree {
  /// Returns the elements that correspond to an element in other rows or items, in pre-order and including the element.
  ///
  /// Their paths differ only in the section, row and item of lists. As HubbleData proposes (docs/articles.md), they also have the
  /// same width, height and x within the cell, if both frames are known. Cells themselves have the same width and height.
  ///
  /// - Parameters:
  ///   - levels: The lists in which rows may differ.
  ///   - comparesFrames: True if frames must be the same.
  /// - Returns: Only the element itself if no cell with a known index path contains it.
  /// - Complexity: O(elements) and, for elements of the class, O(depth).
  public func elements(
    ofSameKindAs element: ElementID, levels: SameKindLevels = .innermost, comparesFrames: Bool = true
  ) -> [ElementID] {
    guard let pattern = path(of: element).withoutRows(levels) else { return [element] }
    let name = structure.writtenClasses[element.index]
    let place = placeInCell(of: element)
    return tree.elements.filter { other in
      guard other != element else { return true }
      guard structure.writtenClasses[other.index] == name, path(of: other).withoutRows(levels) == pattern else {
        return false
      }
      guard comparesFrames, let place, let otherPlace = placeInCell(of: other) else { return true }
      return place == otherPlace
    }
  }

  private struct PlaceInCell: Equatable {
    var x: Double
    var width: Double
    var height: Double

    // Captures give frames with a few decimals, and do not always round a third of a point alike.
    static func == (a: PlaceInCell, b: PlaceInCell) -> Bool {
      abs(a.x - b.x) < 0.01 && abs(a.width - b.width) < 0.01 && abs(a.height - b.height) < 0.01
    }
  }

  /// Returns the size of an element and its x within the nearest cell, or nil if a frame between them is unknown.
  private func placeInCell(of element: ElementID) -> PlaceInCell? {
    guard let frame = tree.frame(of: element) else { return nil }
    var place = PlaceInCell(x: 0, width: frame.width, height: frame.height)
    var current = element
    while hubbleData.rules[current.index] != .cell {
      guard let frame = tree.frame(of: current), let parent = tree.parent(of: current) else { return nil }
      place.x += frame.x
      current = parent
    }
    return place
  }
}
