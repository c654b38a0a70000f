import EncircleText
import EncircleTree

/// Builds the tree of a web page from elements and texts in document order, within the limits. The readers of HTML and of
/// snapshots drive it.
struct WebPageReader {
  private let limits: CaptureLimits
  private let byteCount: Int
  private var builder: ViewTree.Builder
  private(set) var depth = 0
  private var attributes = 0

  /// - Parameter byteCount: The size of the capture.
  init(_ format: CaptureFormat, limits: CaptureLimits, byteCount: Int) {
    self.limits = limits
    self.byteCount = byteCount
    builder = ViewTree.Builder(format: format)
  }

  var count: Int { builder.count }

  /// Begins an element; an error names the limit that it exceeds.
  mutating func begin(
    _ name: UnsafeBufferPointer<UInt8>, _ traits: WebPage.Traits
  ) throws(LimitError) -> ElementID {
    let element = builder.beginWebElement(name, traits)
    depth += 1
    attributes = 0
    if depth > limits.depth { throw LimitError(kind: .tooDeep(limit: limits.depth)) }
    if builder.count > limits.elements { throw LimitError(kind: .tooManyElements(limit: limits.elements)) }
    if let kind = builder.passedLimit(of: limits, bytes: byteCount) { throw LimitError(kind: kind) }
    return element
  }

  mutating func end() {
    builder.endWebElement()
    depth -= 1
  }

  mutating func add(text: UnsafeBufferPointer<UInt8>) {
    if !text.isEmpty { builder.addText(text) }
  }

  mutating func add(
    attribute name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
  ) throws(LimitError) {
    attributes += 1
    if attributes > limits.attributes { throw LimitError(kind: .tooManyAttributes(limit: limits.attributes)) }
    if max(name.count, value.count) > limits.attributeBytes {
      throw LimitError(kind: .attributeTooLong(limit: limits.attributeBytes))
    }
    builder.addWebAttribute(name, value)
  }

  mutating func setFrame(_ frame: Frame) { builder.setFrame(frame) }

  mutating func beginShadowTree(of host: ElementID) { builder.beginShadowTree(of: host) }

  /// Returns the tree.
  mutating func finish(
    url: String?, title: String?, knowsCursors: Bool, hasInvalidUTF8: Bool = false, screen: String? = nil,
    capturedAt: String? = nil
  ) -> ViewTree {
    builder.setPage(url: url, title: title, knowsCursors: knowsCursors, hasInvalidUTF8: hasInvalidUTF8)
    builder.header.os = "Web"
    builder.header.screen = screen
    builder.header.capturedAt = capturedAt
    return builder.finish()
  }

  /// The limit that an element exceeds; the caller adds the place.
  struct LimitError: Error {
    let kind: CaptureError.Kind
  }

  /// Returns whether the attribute `value` of an `input` of a type is never typed text. In text fields it can be, because React and
  /// servers write typed text into the attribute.
  static func keepsValue(ofInput type: UnsafeBufferPointer<UInt8>?) -> Bool {
    guard let type else { return false }
    let lower = type.map(lowercased)
    return lower.withUnsafeBufferPointer { type in
      let harmless: [StaticString] = ["button", "submit", "reset", "image", "checkbox", "radio"]
      return harmless.contains { sameBytes(type, $0) }
    }
  }
}
