import EncircleText
import EncircleTree

/// The content of a text and the place where it begins, found before any parser reads it.
///
/// XML is known by its first markup, JSON by its first bracket, `recursiveDescription` and `debugDescription` by the shape
/// of a line, which no XML can have. Other text may stand in front: sentences of tools, prompts and headings.
enum CaptureContent {
  /// White space only.
  case nothing
  /// XML that begins at that offset.
  case xml(start: Int)
  /// HTML that begins at that offset.
  case html(start: Int)
  /// Lines of `recursiveDescription`, the first at that offset.
  case views(start: Int)
  /// JSON that begins at that offset.
  case json(start: Int)
  /// Lines of XCTest's `debugDescription`, the first of the tree at that offset.
  case elements(start: Int)
  /// Lines of `_printHierarchy`, the first at that offset, and no views.
  case controllers(start: Int)
  /// Something else, which the value describes.
  case other(String)

  /// - Parameter format: The format that is wanted, which decides where a text could be several; nil for any.
  /// - Complexity: O(bytes).
  init(of text: UnsafeBufferPointer<UInt8>, as format: CaptureFormat?) {
    guard let start = text.firstIndex(where: { !isWhiteSpace($0) }) else {
      self = .nothing
      return
    }
    let wantsViews = format == .recursiveDescription
    let wantsElements = format == .xcuiDescription
    let wantsXML = format.map { Self.isXML($0) } ?? false
    let lineEnd = text.lineEnd(from: start)
    let line = text.part(start..<lineEnd)
    if ControllerLine(line) != nil {
      self =
        format == nil || wantsViews ? Self.views(in: text) ?? .controllers(start: start) : .other("view controllers")
    } else if let place = ViewLine.start(of: line, allowsBareName: wantsViews) {
      self =
        format == nil || wantsViews
        ? .views(start: start + place) : (wantsXML ? Self.xml(in: text) : nil) ?? .other("recursiveDescription text")
    } else if format == nil || format == .html, HTMLStart.isPage(text, from: start) {
      self = .html(start: start)
    } else if text[start] == UInt8(ascii: "<") {
      self =
        format == .html
        ? .other("XML")
        : wantsViews ? Self.views(in: text) ?? .other("XML") : wantsElements ? .other("XML") : .xml(start: start)
    } else if let start = JSONStart.find(in: text) {
      // WebDriverAgent also gives the description of elements as a string in JSON.
      self = wantsViews ? .other("JSON") : .json(start: start)
    } else if text.prefix(4096).contains(0) {
      self = .other("binary data")
    } else {
      let found: CaptureContent? =
        if format == nil {
          Self.any(in: text)
        } else if wantsViews {
          Self.views(in: text)
        } else if wantsElements {
          Self.elements(in: text)
        } else {
          wantsXML ? Self.xml(in: text) : nil
        }
      if let found {
        self = found
      } else if text.firstInvalidUTF8 != nil {
        self = .other("binary data")
      } else if format != nil, case .views? = Self.views(in: text) {
        self = .other("recursiveDescription text")
      } else if format != nil, XCUILine.first(in: text) != nil {
        self = .other("debugDescription text")
      } else if format == nil || wantsViews, let start = Self.controllers(in: text) {
        self = .controllers(start: start)
      } else {
        self = .other("other text")
      }
    }
  }

  /// Returns whether captures of a format can be XML.
  private static func isXML(_ format: CaptureFormat) -> Bool {
    switch format {
    case .viewTree, .webDriverAgent, .uiautomator, .detox: true
    case .recursiveDescription, .xcuiDescription, .sentry, .calabash, .deviceAgent, .maestro, .axe, .html, .webSnapshot:
      false
    }
  }

  /// Returns where something begins that looks like a tree, at `start` or behind it.
  static func treeStart(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    firstMarkup(in: text, from: start) { isRoot(text, at: $0) || ViewLine.isView(text, at: $0) }
  }

  // MARK: - Search

  private static func xml(in text: UnsafeBufferPointer<UInt8>) -> CaptureContent? {
    firstMarkup(in: text, from: 0) { isRoot(text, at: $0) }.map { .xml(start: $0) }
  }

  private static func views(in text: UnsafeBufferPointer<UInt8>) -> CaptureContent? {
    firstMarkup(in: text, from: 0) { ViewLine.isView(text, at: $0) }.map { .views(start: $0) }
  }

  private static func elements(in text: UnsafeBufferPointer<UInt8>) -> CaptureContent? {
    XCUILine.first(in: text).map { .elements(start: $0) }
  }

  /// Returns the first tree, ignoring text inside elements that looks like one.
  private static func any(in text: UnsafeBufferPointer<UInt8>) -> CaptureContent? {
    let start = treeStart(in: text, from: 0)
    if let elements = XCUILine.first(in: text), start.map({ elements < $0 }) ?? true {
      return .elements(start: elements)
    }
    return start.map { isRoot(text, at: $0) ? .xml(start: $0) : .views(start: $0) }
  }

  private static func controllers(in text: UnsafeBufferPointer<UInt8>) -> Int? {
    var start = 0
    while start < text.count {
      let end = text.lineEnd(from: start)
      if ControllerLine(text.part(start..<end)) != nil { return start }
      start = end + 1
    }
    return nil
  }

  private static func firstMarkup(
    in text: UnsafeBufferPointer<UInt8>, from start: Int, where condition: (Int) -> Bool
  ) -> Int? {
    var i = start
    while let place = text.offset(of: UInt8(ascii: "<"), from: i) {
      if condition(place) { return place }
      i = place + 1
    }
    return nil
  }

  /// Returns whether the XML of a capture begins at a `<`.
  private static func isRoot(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    let rest = text.part(place + 1..<text.count)
    let names: [StaticString] = ["?xml", "viewTree", "hierarchy", "displays", "AppiumAUT", "node", "ViewHierarchy"]
    for name in names where rest.starts(withLiteral: name) {
      guard rest.count > name.utf8CodeUnitCount else { return false }
      let next = rest[name.utf8CodeUnitCount]
      if isWhiteSpace(next) || next == UInt8(ascii: ">") || next == UInt8(ascii: "/") { return true }
    }
    return ["XCUIElementType", "UIAApplication", "UIAWindow", "android.widget."].contains {
      rest.starts(withLiteral: $0)
    }
  }
}
