import EncircleInput
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
      try self.init(Self.bytes(of: path, limit))
    } catch {
      var error = error
      error.file = path == "-" ? "<stdin>" : path
      throw error
    }
  }

  private static func bytes(of path: String, _ limit: Int) throws(CaptureError) -> [UInt8] {
    do throws(InputError) {
      var source = try ByteSource(path: path)
      return try source.readAll(limit: limit)
    } catch {
      throw CaptureError(input: error)
    }
  }

  /// Adds the controllers of another text.
  mutating func add(_ other: ControllerHierarchy) {
    controllers.merge(other.controllers) { first, _ in first }
  }

  /// Adds the controller in a line.
  ///
  /// - Returns: Whether the line has one.
  mutating func add(line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let controller = ControllerLine(line) else { return false }
    if let view = controller.view, controllers[view] == nil {
      controllers[view] = (Array(line.part(controller.className)), controller.isOnScreen)
    }
    return true
  }
}

/// A line of `_printHierarchy`.
struct ControllerLine {
  /// The class of the controller, as a range of the line.
  let className: Range<Int>
  /// The address of its view; nil if that is not loaded.
  let view: UInt64?
  /// Whether the view is in a window.
  let isOnScreen: Bool

  /// Reads a line; nil if it has no controller.
  ///
  /// - Complexity: O(bytes).
  init?(_ line: UnsafeBufferPointer<UInt8>) {
    guard let start = line.firstIndex(where: { !ViewLine.isMark($0) && $0 != UInt8(ascii: "+") }),
      line[start] == UInt8(ascii: "<"),
      let headEnd = line.part(start..<line.count).offset(of: ">, state: ").map({ start + $0 }),
      let space = line[start..<headEnd].lastIndex(of: 0x20)
    else { return nil }
    var name = start + 1..<space
    if line[name].last == UInt8(ascii: ":") { name = name.lowerBound..<name.upperBound - 1 }
    guard Self.address(line.part(space + 1..<headEnd)) != nil, !name.isEmpty,
      name.count <= ViewLine.maximumNameLength, !Self.isProse(line.part(name))
    else { return nil }
    className = name
    let state = line.part(headEnd..<line.count)
    guard let viewStart = state.offset(of: ", view: ") else { return nil }
    let view = state.part(viewStart + 8..<state.count)
    guard view.first == UInt8(ascii: "<"), let end = Self.viewEnd(view),
      let pointer = view[..<end].lastIndex(of: 0x20)
    else {
      self.view = nil
      isOnScreen = false
      return
    }
    self.view = Self.address(view.part(pointer + 1..<end))
    isOnScreen =
      !view.part(end..<view.count).starts(withLiteral: "> not in the window")
      && !state.starts(withLiteral: ">, state: disappeared")
  }

  /// Returns whether a text before an address has white space that does not separate generic arguments, which no class name has.
  private static func isProse(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var depth = 0
    for byte in text {
      if byte == UInt8(ascii: "<") { depth += 1 }
      if byte == UInt8(ascii: ">") { depth -= 1 }
      if depth <= 0, isWhiteSpace(byte) { return true }
    }
    return false
  }

  /// Returns the offset of the `>` behind the address of a view. The name of its class may contain `>`, too.
  private static func viewEnd(_ view: UnsafeBufferPointer<UInt8>) -> Int? {
    var depth = 0
    for (i, byte) in view.enumerated() {
      if byte == UInt8(ascii: "<") { depth += 1 }
      if byte == UInt8(ascii: ">") {
        depth -= 1
        if depth == 0 { return i }
      }
    }
    return nil
  }

  /// Returns the value of a text such as `0x7f01`; nil if the text is not such a number, or is 0.
  static func address(_ text: UnsafeBufferPointer<UInt8>) -> UInt64? {
    guard text.starts(withLiteral: "0x"), text.count > 2, text.count <= 18 else { return nil }
    var value: UInt64 = 0
    for byte in text[2...] {
      guard let digit = Hexadecimal.value(of: byte) else { return nil }
      value = value << 4 | UInt64(digit)
    }
    return value == 0 ? nil : value
  }
}

/// Finds the controllers of views by the addresses of the views, and counts the controllers whose views the capture lacks.
struct ControllerJoin {
  private let controllers: [UInt64: (className: [UInt8], isOnScreen: Bool)]
  private var found: Set<UInt64> = []

  init(_ hierarchy: ControllerHierarchy?) { controllers = hierarchy?.controllers ?? [:] }

  /// Whether there are any controllers.
  var isEmpty: Bool { controllers.isEmpty }

  /// Returns the class of the controller of the view at an address, or nil if it has none.
  mutating func controller(ofViewAt address: UInt64?) -> [UInt8]? {
    guard let address, let controller = controllers[address] else { return nil }
    found.insert(address)
    return controller.className
  }

  /// The number of controllers whose views are on the screen but have not been found.
  var missing: Int { controllers.count { $0.value.isOnScreen && !found.contains($0.key) } }
}
