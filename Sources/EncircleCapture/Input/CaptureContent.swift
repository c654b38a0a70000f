import EncircleText
import EncircleTree

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The content of a text and the place where it begins, found before any parser reads it.
///
/// XML is known by its first markup, `recursiveDescription` by the shape of a line, which no XML can have. Other text may
/// stand in front of either: sentences of tools, prompts and headings.
enum CaptureContent {
  /// White space only.
  case nothing
  /// XML that begins at that offset.
  case xml(start: Int)
  /// Lines of `recursiveDescription`, the first at that offset.
  case views(start: Int)
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
    let wantsXML = format != nil && !wantsViews
    let lineEnd = text[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.count
    let line = text.part(start..<lineEnd)
    if let place = ViewLine.start(of: line, allowsBareName: wantsViews) {
      self = wantsXML ? Self.xml(in: text) ?? .other("recursiveDescription text") : .views(start: start + place)
    } else if text[start] == UInt8(ascii: "<") {
      self = wantsViews ? Self.views(in: text) ?? .other("XML") : .xml(start: start)
    } else if Self.looksLikeJSON(text, from: start) {
      self = .other("JSON")
    } else if text.prefix(4096).contains(0) {
      self = .other("binary data")
    } else {
      let found = wantsViews ? Self.views(in: text) : wantsXML ? Self.xml(in: text) : Self.any(in: text)
      if let found {
        self = found
      } else if TextEncoding.firstInvalidUTF8(in: text) != nil {
        self = .other("binary data")
      } else if wantsXML, case .views? = Self.views(in: text) {
        self = .other("recursiveDescription text")
      } else {
        self = .other("other text")
      }
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

  private static func any(in text: UnsafeBufferPointer<UInt8>) -> CaptureContent? {
    treeStart(in: text, from: 0).map { isRoot(text, at: $0) ? .xml(start: $0) : .views(start: $0) }
  }

  private static func firstMarkup(
    in text: UnsafeBufferPointer<UInt8>, from start: Int, where condition: (Int) -> Bool
  ) -> Int? {
    guard let base = text.baseAddress else { return nil }
    var i = start
    while i < text.count, let found = memchr(base + i, Int32(UInt8(ascii: "<")), text.count - i) {
      let place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
      if condition(place) { return place }
      i = place + 1
    }
    return nil
  }

  /// Returns whether the XML of a capture begins at a `<`.
  private static func isRoot(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    let rest = text.part(place + 1..<text.count)
    let names: [StaticString] = ["?xml", "viewTree", "hierarchy", "displays", "AppiumAUT", "node"]
    for name in names where rest.starts(withLiteral: name) {
      guard rest.count > name.utf8CodeUnitCount else { return false }
      let next = rest[name.utf8CodeUnitCount]
      if isWhiteSpace(next) || next == UInt8(ascii: ">") || next == UInt8(ascii: "/") { return true }
    }
    return ["XCUIElementType", "UIAApplication", "UIAWindow", "android.widget."].contains {
      rest.starts(withLiteral: $0)
    }
  }

  /// Returns whether a text begins like JSON rather than with a time or a name in brackets.
  private static func looksLikeJSON(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    let isArray = text[start] == UInt8(ascii: "[")
    guard isArray || text[start] == UInt8(ascii: "{") else { return false }
    guard let next = text[(start + 1)...].firstIndex(where: { !isWhiteSpace($0) }) else { return true }
    switch text[next] {
    case UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "["): return true
    case 0x30...0x39:
      let end = text[next...].firstIndex { !($0 >= 0x30 && $0 <= 0x39) && $0 != UInt8(ascii: ".") }
      guard isArray, let end else { return isArray }
      return text[end] == UInt8(ascii: ",") || text[end] == UInt8(ascii: "]") || isWhiteSpace(text[end])
    default: return false
    }
  }
}
