import EncircleTree

/// Which levels of nested lists may differ between elements of the same kind.
public enum SameKindLevels: String, CaseIterable, Sendable {
  /// The innermost list's alone: what fills the same place in other rows of the same outer row.
  case innermost
  /// Those of every list.
  case all
}

extension ElementPath {
  /// The path without section, row and item of the innermost list, or of every list; nil outside of lists.
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
  /// The elements that fill the same place as an element in other rows or items, itself included, in pre-order.
  ///
  /// They have the same path but for section, row and item of the innermost list. As HubbleData's article on elements of the
  /// same kind proposes, they also have the same width, height and x within the cell, where both frames are known. For a cell
  /// itself that is its width and height.
  ///
  /// - Parameters:
  ///   - levels: The lists whose rows may differ.
  ///   - comparesFrames: Whether frames must be the same.
  /// - Returns: Only the element itself if it lies in no list whose index path is known.
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

    // Frames are written with a few decimals, and a third of a point is not always rounded alike.
    static func == (a: PlaceInCell, b: PlaceInCell) -> Bool {
      abs(a.x - b.x) < 0.01 && abs(a.width - b.width) < 0.01 && abs(a.height - b.height) < 0.01
    }
  }

  /// Size, and x within the nearest cell; nil if a frame is unknown on the way.
  private func placeInCell(of element: ElementID) -> PlaceInCell? {
    guard let frame = tree.frame(of: element) else { return nil }
    var place = PlaceInCell(x: 0, width: frame.width, height: frame.height)
    var current = element
    while hubbleData.rules[current] != .cell {
      guard let frame = tree.frame(of: current), let parent = tree.parent(of: current) else { return nil }
      place.x += frame.x
      current = parent
    }
    return place
  }
}
