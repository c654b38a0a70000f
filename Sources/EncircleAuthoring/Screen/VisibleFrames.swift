import EncircleTree

/// The parts of elements' frames that lie on the screen, and in the frames of the elements around them.
package struct VisibleFrames: Sendable {
  private var frames: [Frame?] = []

  /// - Parameters:
  ///   - width: That of the screen, in the units of the frames.
  ///   - height: Likewise.
  /// - Complexity: O(elements).
  package init(of elements: ScreenElements, width: Double, height: Double) {
    let tree = elements.screen.tree
    frames.reserveCapacity(tree.count)
    let whole = Frame(x: 0, y: 0, width: width, height: height)
    // The visible parts of the ancestors.
    var clips = AncestorStack<Frame>()
    for element in tree.elements {
      clips.removeNonAncestors(of: element)
      let clip = clips.values.last ?? whole
      let seen = elements.frames[element].flatMap { Self.intersection($0, clip) }
      frames.append(seen)
      if elements.frames[element] != nil, tree.firstChild(of: element) != nil {
        clips.push(seen ?? Frame(x: 0, y: 0, width: 0, height: 0), for: element, of: tree)
      }
    }
  }

  /// The visible part of an element; nil if the capture does not give its frame, or if nothing of it can be seen.
  package subscript(element: ElementID) -> Frame? { frames[element.index] }

  private static func intersection(_ a: Frame, _ b: Frame) -> Frame? {
    let left = max(a.x, b.x)
    let top = max(a.y, b.y)
    let width = min(a.x + a.width, b.x + b.width) - left
    let height = min(a.y + a.height, b.y + b.height) - top
    return width >= 1 && height >= 1 ? Frame(x: left, y: top, width: width, height: height) : nil
  }
}
