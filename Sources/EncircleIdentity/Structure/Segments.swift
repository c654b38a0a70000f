import EncircleText
import EncircleTree

extension IdentifiedTree {
  /// Returns the segments that are subviews of a segmented control, from left to right or, without frames, in the order
  /// of subviews.
  ///
  /// - Complexity: O(*n* log *n*) for *n* subviews.
  func segments(of control: ElementID) -> [ElementID] {
    var segments: [(x: Double, element: ElementID)] = []
    for element in tree.children(of: control) where isClass(element, kindOf: "UISegment") {
      segments.append((tree.frame(of: element)?.x ?? 0, element))
    }
    return segments.sorted { ($0.x, $0.element) < ($1.x, $1.element) }.map(\.element)
  }

  /// Returns the segments anywhere in a segmented control, as iOS 26 nests them, from left to right or, without frames, in pre-order.
  /// Excludes the segments of controls inside it.
  ///
  /// - Complexity: O(*n* log *n*) for *n* views in it.
  func segments(in control: ElementID) -> [ElementID] {
    var segments: [(x: Double, element: ElementID)] = []
    // The left edges of the views from the control down to the present one, in the control's coordinates.
    var edges = AncestorStack<Double>()
    var element = ElementID(control.index + 1)
    while element < tree.subtreeEnd(of: control) {
      edges.removeNonAncestors(of: element)
      let x = (edges.values.last ?? 0) + (tree.frame(of: element)?.x ?? 0)
      if isClass(element, kindOf: "UISegment") {
        segments.append((x, element))
        element = tree.subtreeEnd(of: element)
      } else if isClass(element, kindOf: "UISegmentedControl") {
        element = tree.subtreeEnd(of: element)
      } else {
        edges.push(x, for: element, of: tree)
        element = ElementID(element.index + 1)
      }
    }
    return segments.sorted { ($0.x, $0.element) < ($1.x, $1.element) }.map(\.element)
  }

  /// Returns the text of the first label in a segment, else its title; nil for one with an image.
  func titleOfSegment(_ segment: ElementID) -> String? {
    var element = ElementID(segment.index + 1)
    while element < tree.subtreeEnd(of: segment) {
      if isClass(element, kindOf: "UILabel") { return tree.value(.text, of: element) }
      let isControl = isClass(element, kindOf: "UISegmentedControl")
      element = isControl ? tree.subtreeEnd(of: element) : ElementID(element.index + 1)
    }
    return tree.value(.title, of: segment)
  }

  /// Returns the number of the selected segment or page of a control; nil if none is selected.
  func selectedIndex(of control: ElementID) -> Int? {
    structure.appearance.selectedIndex.flatMap { tree.value($0, of: control) }.flatMap { Int($0) }.flatMap {
      $0 >= 0 ? $0 : nil
    }
  }
}
