#if canImport(UIKit)
  import UIKit

  /// Draws the windows as they are on the screen, but covers typed text.
  @MainActor enum Screenshot {
    /// Returns a picture of windows, from the back to the front, in the PNG format.
    static func png(of windows: [UIWindow], tree: WindowTree, bounds: CGRect) -> Data? {
      guard bounds.width > 0, bounds.height > 0 else { return nil }
      let covers = covers(of: tree, in: windows)
      return UIGraphicsImageRenderer(bounds: bounds).pngData { context in
        for window in windows where !window.isHidden && window.alpha > 0 {
          window.drawHierarchy(in: window.frame, afterScreenUpdates: false)
        }
        UIColor.gray.setFill()
        for rect in covers { context.fill(rect) }
      }
    }

    /// Returns the rectangles, in the coordinates of the screen, of all views that may show what people typed.
    private static func covers(of tree: WindowTree, in windows: [UIWindow]) -> [CGRect] {
      var rects: [CGRect] = []
      var window: UIWindow?
      for node in tree.nodes {
        if node.parent < 0 { window = windows.first { $0 === node.view } }
        guard node.privacy != .open, node.isShown, let window else { continue }
        let rect = node.view.convert(node.view.bounds, to: window)
        rects.append(rect.offsetBy(dx: window.frame.minX, dy: window.frame.minY))
      }
      return rects
    }
  }
#endif
