import EncircleText
import EncircleTree

/// The size of the screen that a capture shows, in the units of its frames.
package struct ScreenSize: Sendable {
  package var width: Double
  package var height: Double

  /// Finds the size that the capture states, or else the size that its frames cover; nil if it has no frames.
  ///
  /// - Complexity: O(elements).
  package init?(of tree: ViewTree) {
    let stated = tree.header.screen?.utf8.split(whereSeparator: isWhiteSpace).map { Double(Substring($0)) } ?? []
    if stated.count == 2, let width = stated[0], let height = stated[1], Self.isSize(width), Self.isSize(height) {
      (self.width, self.height) = (width, height)
      return
    }
    let frames = WindowFrames(of: tree)
    // Windows fill the screen. If none has a frame, their contents cover at most the screen.
    guard let found = Self.extent(tree.windows, frames) ?? Self.extent(tree.elements, frames) else { return nil }
    self = found
  }

  private init(width: Double, height: Double) { (self.width, self.height) = (width, height) }

  private static func extent(_ elements: some Sequence<ElementID>, _ frames: WindowFrames) -> ScreenSize? {
    var (width, height) = (0.0, 0.0)
    for element in elements {
      guard let frame = frames[element], isSize(frame.x + frame.width), isSize(frame.y + frame.height) else { continue }
      width = max(width, frame.x + frame.width)
      height = max(height, frame.y + frame.height)
    }
    return isSize(width) && isSize(height) ? ScreenSize(width: width, height: height) : nil
  }

  private static func isSize(_ length: Double) -> Bool { length > 0 && length <= 100_000 }
}
