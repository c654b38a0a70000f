import EncircleText

/// A capture in memory: its elements in pre-order, in flat arrays.
///
/// Class names and attribute values are interned in ``strings``. A tree is made by a ``Builder`` and immutable from
/// then on. It can be arbitrarily deep, as releasing it needs no recursion.
public struct ViewTree: Sendable {
  /// The facts that a capture states about itself, each nil if the capture does not state it.
  public struct Header: Hashable, Sendable {
    /// Bundle identifier or package of the app.
    public var app: String?
    /// The version of the app, as the app names it.
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

    public init() {}
  }

  struct Attribute {
    let name: AttributeName
    let value: StringID
  }

  /// The format of the capture.
  public let format: CaptureFormat
  public let header: Header
  /// The class names and attribute values.
  public let strings: StringTable

  struct Node {
    let parent: Int32  // negative for a top-level window: -1 - n in the group n of windows
    var subtreeEnd: Int32  // the subtree is element ..< subtreeEnd
    let className: StringID
    let attributeStart: UInt32  // the attributes end where the next element's start
  }

  let nodes: [Node]
  let frames: [Frame]  // x is NaN where there is none
  let attributes: [Attribute]
  // The names that are not well known. Their raw values start after the well-known ones.
  let customNames: [StringID]
  // The titles and messages of alerts that a reader had to take from elements other than the alert.
  let alertTexts: [ElementID: AlertText]
  /// The number of view controllers that were listed beside the capture and have views on the screen that the capture lacks.
  public let controllersWithoutView: Int

  /// The parts of a web page besides elements and attributes; nil for a capture of an app's screen.
  public internal(set) var web: WebPage?

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

  /// All elements from the back to the front, as they are drawn. The windows of a dump of uiautomator come from the front to the
  /// back, those of other captures from the back to the front.
  ///
  /// - Complexity: O(elements).
  package var elementsInDrawingOrder: [ElementID] {
    guard format == .uiautomator else { return Array(elements) }
    return windows.reversed().flatMap { window in
      (window.index..<subtreeEnd(of: window).index).map { ElementID($0) }
    }
  }

  /// Returns the superview, or nil for a top-level window.
  public func parent(of element: ElementID) -> ElementID? {
    let parent = nodes[element.index].parent
    return parent < 0 ? nil : ElementID(rawValue: parent)
  }

  /// Elements within each other, the innermost first.
  package struct Ancestors: Sequence, IteratorProtocol {
    fileprivate let nodes: [Node]
    fileprivate let hosts: [Int32: ElementID]
    fileprivate var following: Int32

    package mutating func next() -> ElementID? {
      guard following >= 0 else { return nil }
      let element = ElementID(rawValue: following)
      let parent = nodes[element.index].parent
      following = parent >= 0 ? parent : hosts[parent]?.rawValue ?? -1
      return element
    }
  }

  /// Returns the elements around an element, the innermost first.
  package func ancestors(of element: ElementID) -> Ancestors {
    Ancestors(nodes: nodes, hosts: [:], following: nodes[element.index].parent)
  }

  /// Returns an element and the elements around it, the innermost first.
  package func inclusiveAncestors(of element: ElementID) -> Ancestors {
    Ancestors(nodes: nodes, hosts: [:], following: element.rawValue)
  }

  /// Returns an element of a web page and the elements around it, as ``webParent(of:)`` gives them, the innermost first.
  package func inclusiveWebAncestors(of element: ElementID) -> Ancestors {
    Ancestors(nodes: nodes, hosts: web?.hosts ?? [:], following: element.rawValue)
  }

  /// Returns the number of an element's parent: its superview or, if negative, its group of windows. The windows of a capture are one
  /// group, except in a text that begins inside a window, where they may have been at several depths.
  package func siblingGroup(of element: ElementID) -> Int32 { nodes[element.index].parent }

  /// Returns the first subview.
  public func firstChild(of element: ElementID) -> ElementID? {
    element.rawValue + 1 < nodes[element.index].subtreeEnd
      ? ElementID(rawValue: element.rawValue + 1) : nil
  }

  /// Returns the next subview of the same superview. For a top-level window, it is the next window.
  public func nextSibling(of element: ElementID) -> ElementID? {
    let next = nodes[element.index].subtreeEnd
    let parent = nodes[element.index].parent
    let end = parent < 0 ? Int32(count) : nodes[Int(parent)].subtreeEnd
    return next < end ? ElementID(rawValue: next) : nil
  }

  /// Elements of one superview, or top-level windows, in their order.
  package struct Siblings: Sequence, IteratorProtocol {
    fileprivate let nodes: [Node]
    fileprivate var following: Int32
    fileprivate let end: Int32

    package mutating func next() -> ElementID? {
      guard following < end else { return nil }
      defer { following = nodes[Int(following)].subtreeEnd }
      return ElementID(rawValue: following)
    }
  }

  /// Returns the subviews of an element.
  package func children(of element: ElementID) -> Siblings {
    Siblings(nodes: nodes, following: element.rawValue + 1, end: nodes[element.index].subtreeEnd)
  }

  /// The top-level windows.
  package var windows: Siblings { Siblings(nodes: nodes, following: 0, end: Int32(count)) }

  /// Returns the first element after the element's subtree. The subtree is `element ..< subtreeEnd(of: element)`.
  public func subtreeEnd(of element: ElementID) -> ElementID {
    ElementID(rawValue: nodes[element.index].subtreeEnd)
  }

  /// Returns the id, in ``strings``, of the class name that the capture gives.
  public func classID(of element: ElementID) -> StringID { nodes[element.index].className }

  /// Returns the class name in the capture, which is the name of the class at run time.
  public func className(of element: ElementID) -> String { strings[nodes[element.index].className] }

  /// Returns the frame in the superview's coordinates, or nil if the capture does not give it.
  public func frame(of element: ElementID) -> Frame? {
    let frame = frames[element.index]
    return frame.x.isNaN ? nil : frame
  }

  /// Returns the id of an attribute's value, or nil if the element lacks the attribute. An empty value is not nil.
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

  /// Returns an attribute's value, or nil if the element lacks the attribute. An empty value is not nil.
  public func value(_ name: AttributeName, of element: ElementID) -> String? {
    valueID(name, of: element).map { strings[$0] }
  }

  /// Returns whether a Boolean attribute is set: to `true`, `YES`, `yes` or `1`.
  public func isTrue(_ name: AttributeName, of element: ElementID) -> Bool {
    guard let id = valueID(name, of: element) else { return false }
    return strings.withBytes(of: id) {
      sameBytes($0, "true") || sameBytes($0, "YES") || sameBytes($0, "yes") || sameBytes($0, "1")
    }
  }

  /// Returns whether the view itself is hidden. On Android the value can be `invisible` or `gone` instead of `true`.
  public func isHidden(_ element: ElementID) -> Bool {
    guard let id = valueID(.hidden, of: element) else { return false }
    return strings.withBytes(of: id) { sameBytes($0, "gone") || sameBytes($0, "invisible") }
      || isTrue(.hidden, of: element)
  }

  /// Returns whether an element may hold secret text: whether it has the attribute `secure` with another value than
  /// `false`, `NO`, `no` or `0`.
  public func isSecure(_ element: ElementID) -> Bool {
    for i in attributeRange(of: element) where attributes[i].name == .secure {
      let isFalse = strings.withBytes(of: attributes[i].value) {
        sameBytes($0, "false") || sameBytes($0, "NO") || sameBytes($0, "no") || sameBytes($0, "0")
      }
      if !isFalse { return true }
    }
    return false
  }

  /// Returns the attributes of an element, in the order of the capture.
  public func attributes(of element: ElementID) -> [(name: String, value: String)] {
    attributes[attributeRange(of: element)].map { (string(of: $0.name), strings[$0.value]) }
  }

  private func attributeRange(of element: ElementID) -> Range<Int> {
    let next = element.index + 1
    return Int(
      nodes[element.index].attributeStart)..<(next < count ? Int(nodes[next].attributeStart) : attributes.count)
  }

  /// Returns the attribute name that is spelled `text`, or nil if it is not well known and no element has such an
  /// attribute.
  ///
  /// - Complexity: O(number of names in the tree that are not well known).
  package func attributeName(_ text: String) -> AttributeName? {
    // A name that is not well known is looked up as in a web page, which has no others.
    withContiguousBytes(text.utf8) { AttributeName(wellKnown: $0) } ?? webAttributeName(text)
  }

  /// Returns the spelling of an attribute name: from view-tree XML if it is well known, otherwise from the capture.
  public func string(of name: AttributeName) -> String {
    let raw = Int(name.rawValue)
    return raw < AttributeName.wellKnown.count
      ? AttributeName.wellKnown[raw].description
      : strings[customNames[raw - AttributeName.wellKnown.count]]
  }
}
