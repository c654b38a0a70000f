import EncircleTree

extension IdentifiedTree {
  /// Returns the segments of a segmented control from left to right or, without frames, in the order of subviews.
  ///
  /// - Complexity: O(*n* log *n*) for *n* subviews.
  func segments(of control: ElementID) -> [ElementID] {
    var segments: [(x: Double, element: ElementID)] = []
    var child = tree.firstChild(of: control)
    while let element = child {
      if isClass(element, kindOf: "UISegment") { segments.append((tree.frame(of: element)?.x ?? 0, element)) }
      child = tree.nextSibling(of: element)
    }
    return segments.sorted { ($0.x, $0.element) < ($1.x, $1.element) }.map(\.element)
  }
}
