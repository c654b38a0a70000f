import EncircleText

/// The view controllers of an app as UIKit's `-[UIViewController _printHierarchy]` lists them, with the addresses of their
/// views. They are joined by address with a text that gives the views of the same moment, so that each view gets its
/// controller.
///
///     <ShopNavigationController 0x7f01>, state: appeared, view: <UILayoutContainerView: 0x7f02>
///        | <ShopHomeViewController 0x7f03>, state: appeared, view: <UIView: 0x7f04>
///        + <ShopAlertController 0x7f05>, state: appeared, view: <UIView: 0x7f06>, presented with: <…>
///
/// `|` stands before a child, `+` before a controller that another one presents. The tree of views shows the nesting already,
/// so only the addresses matter.
public struct ControllerHierarchy: Sendable {
  // The class of the controller of each view, by the view's address, and whether the view is on the screen. Where two
  // controllers name one view, the first counts.
  private(set) var controllers: [UInt64: (className: [UInt8], isOnScreen: Bool)] = [:]

  /// The number of controllers whose views are loaded.
  public var count: Int { controllers.count }

  init() {}

  /// Reads a text in UTF-8, or in the encoding that its byte order mark says. Lines of other text are skipped.
  ///
  /// - Throws: A ``CaptureError`` if the text has no controllers.
  /// - Complexity: O(bytes).
  public init(_ bytes: [UInt8]) throws(CaptureError) {
    let (converted, skipping) = try bytes.withUnsafeBufferPointer { text throws(CaptureError) in
      try TextEncoding.convert(text, limit: CaptureLimits().bytes)
    }
    var hasLine = false
    var hierarchy = ControllerHierarchy()
    (converted ?? bytes).withUnsafeBufferPointer { text in
      var start = converted == nil ? skipping : 0
      while start < text.count {
        let end = text.lineEnd(from: start)
        if hierarchy.add(line: text.part(start..<end)) { hasLine = true }
        start = end + 1
      }
    }
    guard hasLine else { throw CaptureError(.noControllers, at: SourceLocation(line: 1, column: 1)) }
    self = hierarchy
  }

  /// Reads a file; `-` is standard input.
  ///
  /// - Parameter limit: The largest size of the file in bytes, after decompression.
  /// - Throws: A ``CaptureError`` with the file.
  public init(contentsOf path: String, limit: Int = CaptureLimits().bytes) throws(CaptureError) {
    do throws(CaptureError) {
      try self.init(CaptureReader.bytes(of: path, limit: limit))
    } catch {
      var error = error
      error.file = path == "-" ? "<stdin>" : path
      throw error
    }
  }

  /// Adds the controllers of another text.
  mutating func add(_ other: ControllerHierarchy) {
    controllers.merge(other.controllers) { first, _ in first }
  }

  /// Adds the controller in a line.
  ///
  /// - Returns: True if the line has one.
  mutating func add(line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let controller = ControllerLine(line) else { return false }
    if let view = controller.view, controllers[view] == nil {
      controllers[view] = (Array(line.part(controller.className)), controller.isOnScreen)
    }
    return true
  }
}
