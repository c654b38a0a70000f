import EncircleIdentity
import EncircleTree

/// The facts about a screen's elements that answers contain, found for all of them in one pass. Typed text is not among them.
package struct ScreenElements {
  package let screen: IdentifiedTree
  /// In the coordinates of the windows.
  package let frames: WindowFrames
  private let contents: ElementContents
  package private(set) var types: [TrackingType?] = []
  /// For each element, the nearest tracked one: itself or an ancestor; -1 if there is none.
  package private(set) var tracked: [Int32] = []
  /// The number of elements around each.
  package private(set) var depths: [Int32] = []
  /// For each element, this is true if it or an ancestor is hidden or transparent.
  package private(set) var hidden: [Bool] = []
  /// For each element, its place among all from the back to the front, from 0.
  package private(set) var zOrder: [Int32] = []

  /// - Complexity: O(elements + attributes).
  package init(of screen: IdentifiedTree) {
    self.screen = screen
    let tree = screen.tree
    frames = WindowFrames(of: tree)
    // On a web page, only SDKs for the web track anything.
    let style: PathStyleName = tree.web == nil ? .hubbleData : .sensorsWeb
    contents = ElementContents(of: screen, in: style)
    types.reserveCapacity(tree.count)
    tracked.reserveCapacity(tree.count)
    depths.reserveCapacity(tree.count)
    hidden.reserveCapacity(tree.count)
    for element in tree.elements {
      let parent = tree.parent(of: element)?.index
      let type = screen.trackingType(of: element, in: style)
      types.append(type)
      tracked.append(type != nil ? element.rawValue : parent.map { tracked[$0] } ?? -1)
      depths.append(parent.map { depths[$0] + 1 } ?? 0)
      hidden.append(parent.map { hidden[$0] } ?? false || tree.isInvisible(element))
    }
    zOrder = Array(repeating: 0, count: tree.count)
    for (place, element) in tree.elementsInDrawingOrder.enumerated() { zOrder[element.index] = Int32(place) }
  }

  /// Returns the content of an element that is tracked or has its own text; nil for others, whose content comes only from the
  /// elements inside them.
  package func content(of element: ElementID) -> String? {
    contents.ownContent(of: element) ?? (types[element.index] != nil ? contents.content(of: element) : nil)
  }

  // MARK: - Points

  /// Returns the visible elements at a point: tracked elements before others, and in each group the topmost first.
  ///
  /// - Complexity: O(elements · log(elements)).
  package func elements(atX x: Double, y: Double) -> [ElementID] {
    let tree = screen.tree
    // For each element, whether the point is in its frame and in the frames of all ancestors.
    var isInside: [Bool] = []
    isInside.reserveCapacity(tree.count)
    var hits: [ElementID] = []
    for element in tree.elements {
      var inside = tree.parent(of: element).map { isInside[$0.index] } ?? true
      let frame = frames[element]
      if let frame {
        inside =
          inside && x >= frame.x && y >= frame.y && x < frame.x + frame.width && y < frame.y + frame.height
      }
      isInside.append(inside)
      // An element without a frame cannot be hit, but elements inside it can.
      if inside, frame != nil, !hidden[element.index] { hits.append(element) }
    }
    hits.sort { zOrder[$0.index] > zOrder[$1.index] }
    return hits.filter { types[$0.index] != nil } + hits.filter { types[$0.index] == nil }
  }
}

extension ViewTree {
  /// Returns whether an element itself is hidden or transparent.
  func isInvisible(_ element: ElementID) -> Bool {
    isHidden(element) || value(.alpha, of: element).map { Double($0) == 0 } ?? false
  }
}
