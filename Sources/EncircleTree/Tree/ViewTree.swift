import EncircleText

/// A capture in memory: its elements in pre-order, as flat arrays.
///
/// Class names and attribute values are interned in ``strings``. A tree is built once, by a ``Builder``, and then
/// immutable; releasing it takes no recursion, however deep it is.
public struct ViewTree: Sendable {
  /// What a capture says about itself; unknown things are nil.
  public struct Header: Hashable, Sendable {
    /// Bundle identifier or package of the app.
    public var app: String?
    /// Version of the app, as it calls it.
    public var appVersion: String?
    /// Name of the operating system.
    public var os: String?
    /// Version of the operating system.
    public var osVersion: String?
    /// Screen size, `width height` in points.
    public var screen: String?
    /// Time of the capture, ISO 8601.
    public var capturedAt: String?
    /// File name of a picture of the screen.
    public var screenshot: String?

    /// Creates an empty header.
    public init() {}
  }

  struct Attribute {
    let name: AttributeName
    let value: StringID
  }

  /// The format that the tree was read from.
  public let format: CaptureFormat
  /// What the capture says about itself.
  public let header: Header
  /// Class names and attribute values.
  public let strings: StringTable

  struct Node {
    let parent: Int32  // -1 for a top-level window
    var subtreeEnd: Int32  // the subtree is element ..< subtreeEnd
    let className: StringID
    let attributeStart: UInt32  // the attributes end where the next element's start
  }

  let nodes: [Node]
  let frames: [Frame]  // x is NaN where there is none
  let attributes: [Attribute]
  // Names that are not well known, by raw value less the number of well-known ones.
  let customNames: [StringID]
  // Title and message of alerts that a reader had to gather from several elements.
  let alertTexts: [ElementID: AlertText]

  struct AlertText {
    var title: StringID?
    var message: StringID?
  }

  /// The number of elements.
  public var count: Int { nodes.count }

  /// All elements, in pre-order.
  public var elements: some RandomAccessCollection<ElementID> {
    (0..<count).lazy.map { ElementID($0) }
  }

  /// The superview; nil for a top-level window.
  public func parent(of element: ElementID) -> ElementID? {
    let parent = nodes[element.index].parent
    return parent < 0 ? nil : ElementID(rawValue: parent)
  }

  /// The first subview.
  public func firstChild(of element: ElementID) -> ElementID? {
    element.rawValue + 1 < nodes[element.index].subtreeEnd
      ? ElementID(rawValue: element.rawValue + 1) : nil
  }

  /// The next subview of the same superview, or the next top-level window.
  public func nextSibling(of element: ElementID) -> ElementID? {
    let next = nodes[element.index].subtreeEnd
    let parent = nodes[element.index].parent
    let end = parent < 0 ? Int32(count) : nodes[Int(parent)].subtreeEnd
    return next < end ? ElementID(rawValue: next) : nil
  }

  /// The number of the first element after the element's subtree, which is `element ..< end`.
  public func subtreeEnd(of element: ElementID) -> ElementID {
    ElementID(rawValue: nodes[element.index].subtreeEnd)
  }

  /// The runtime class name, as the capture has it.
  public func classID(of element: ElementID) -> StringID { nodes[element.index].className }

  /// The runtime class name, as the capture has it.
  public func className(of element: ElementID) -> String { strings[nodes[element.index].className] }

  /// The frame in the superview's coordinates, if the capture gives it.
  public func frame(of element: ElementID) -> Frame? {
    let frame = frames[element.index]
    return frame.x.isNaN ? nil : frame
  }

  /// The id of an attribute's value; nil if the element has no such attribute. An empty value is not nil.
  ///
  /// - Complexity: O(number of the element's attributes).
  public func valueID(_ name: AttributeName, of element: ElementID) -> StringID? {
    for i in attributeRange(of: element) where attributes[i].name == name { return attributes[i].value }
    if let text = alertTexts[element] {
      if name == .title { return text.title }
      if name == .message { return text.message }
    }
    return nil
  }

  /// Calls `body` with the name and the value of each attribute, in the order of the capture.
  package func forEachAttribute(of element: ElementID, _ body: (AttributeName, StringID) -> Void) {
    for i in attributeRange(of: element) { body(attributes[i].name, attributes[i].value) }
  }

  /// An attribute's value; nil if the element has no such attribute. An empty value is not nil.
  public func value(_ name: AttributeName, of element: ElementID) -> String? {
    valueID(name, of: element).map { strings[$0] }
  }

  /// Whether a state attribute says yes: `true`, `YES`, `yes` or `1`.
  public func isTrue(_ name: AttributeName, of element: ElementID) -> Bool {
    guard let id = valueID(name, of: element) else { return false }
    return strings.withBytes(of: id) {
      sameBytes($0, "true") || sameBytes($0, "YES") || sameBytes($0, "yes") || sameBytes($0, "1")
    }
  }

  /// All attributes of an element with their names, in the order of the capture.
  public func attributes(of element: ElementID) -> [(name: String, value: String)] {
    attributes[attributeRange(of: element)].map { (string(of: $0.name), strings[$0.value]) }
  }

  private func attributeRange(of element: ElementID) -> Range<Int> {
    let next = element.index + 1
    return Int(
      nodes[element.index].attributeStart)..<(next < count ? Int(nodes[next].attributeStart) : attributes.count)
  }

  /// The attribute that the capture calls so; nil if no element has one.
  ///
  /// - Complexity: O(number of names of the tree's own).
  package func attributeName(_ text: String) -> AttributeName? {
    var text = text
    return text.withUTF8 { text in
      if let known = AttributeName.wellKnown.firstIndex(where: { sameBytes(text, $0) }) {
        return AttributeName(rawValue: UInt32(known))
      }
      return customNames.firstIndex { strings.equals($0, text) }.map {
        AttributeName(rawValue: UInt32(AttributeName.wellKnown.count + $0))
      }
    }
  }

  /// The name that the capture gives to an attribute, or its view-tree name if it has one.
  public func string(of name: AttributeName) -> String {
    let raw = Int(name.rawValue)
    return raw < AttributeName.wellKnown.count
      ? AttributeName.wellKnown[raw].description
      : strings[customNames[raw - AttributeName.wellKnown.count]]
  }
}
