/// The frames of a tree's elements in window coordinates, which are the coordinates of a picture of the screen.
///
/// A scroll view shifts its subviews by its `contentOffset`, if the capture gives it. The subviews of a view without a frame are
/// placed as if it began at the origin of its superview.
package struct WindowFrames: Sendable {
  private var frames: [Frame?] = []

  /// Adds up the frames of a tree.
  ///
  /// - Complexity: O(elements + attributes).
  package init(of tree: ViewTree) {
    // Other formats give places on the screen, which include scrolling already.
    let scrolls = tree.format == .viewTree || tree.format == .recursiveDescription
    let contentOffset = scrolls ? tree.attributeName("contentOffset") : nil
    frames.reserveCapacity(tree.count)
    // For each ancestor, the origin of the coordinates of its subviews.
    var origins = AncestorStack<(x: Double, y: Double)>()
    for element in tree.elements {
      origins.removeNonAncestors(of: element)
      var origin = origins.values.last ?? (0, 0)
      var placed: Frame?
      if let frame = tree.frame(of: element) {
        origin = (origin.x + frame.x, origin.y + frame.y)
        // The sum of many large numbers may be infinite.
        if origin.x.isFinite, origin.y.isFinite {
          placed = Frame(x: origin.x, y: origin.y, width: frame.width, height: frame.height)
        }
      }
      frames.append(placed)
      guard tree.firstChild(of: element) != nil else { continue }
      if let contentOffset, let text = tree.value(contentOffset, of: element), let offset = Self.pair(text) {
        origin = (origin.x - offset.x, origin.y - offset.y)
      }
      origins.push(origin, for: element, of: tree)
    }
  }

  /// The frame of an element; nil if the capture does not give it.
  package subscript(element: ElementID) -> Frame? { frames[element.index] }

  /// Reads `0 120.5`, as the probe writes it, or `{0, 120.5}`, as UIKit does.
  private static func pair(_ text: String) -> (x: Double, y: Double)? {
    let numbers = text.utf8.split { byte in [0x20, 0x2C, 0x7B, 0x7D].contains(byte) }.map { Double(Substring($0)) }
    guard numbers.count == 2, let x = numbers[0], let y = numbers[1], x.isFinite, y.isFinite else { return nil }
    return (x, y)
  }
}
