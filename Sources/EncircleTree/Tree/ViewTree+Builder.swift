import EncircleText

extension ViewTree {
  /// Builds a tree from elements in document order, whether they come from a capture or from a program.
  ///
  /// After ``beginElement(class:)-(String)`` come the element's attributes and frame, then its subviews, then
  /// ``endElement()``.
  public struct Builder: Sendable {
    /// The header of the tree.
    public var header = Header()

    private let format: CaptureFormat
    private var strings = StringTable()
    private var nodes: [Node] = []
    private var frames: [Frame] = []
    private var attributes: [Attribute] = []
    private var customNames: [StringID] = []
    private var customNameByString: [StringID: AttributeName] = [:]
    private var alertTexts: [ElementID: AlertText] = [:]
    private var open: Int32 = -1
    // The group that takes the place of a parent for windows.
    private var windowGroup: Int32 = -1
    // The last value of each attribute name, and the last class. Captures repeat themselves, and comparing is cheaper
    // than hashing.
    private var lastValues: [StringID?]
    private var lastClass: StringID?

    public init(format: CaptureFormat) {
      self.format = format
      lastValues = Array(repeating: nil, count: AttributeName.wellKnown.count)
    }

    /// The sum of the lengths of the class names of the open elements, in bytes.
    package private(set) var openNameBytes = 0
    /// The length, in bytes, of the longest text that becomes part of the identities of all elements inside an element: the title or
    /// message of an alert, or a controller.
    package private(set) var longestSharedText = 0
    /// An upper bound on the length of the identities of all elements that have ended, in bytes and not counting numbers.
    package private(set) var identityBytes = 0

    /// The number of view controllers that were listed beside the capture and whose views it does not have.
    package var controllersWithoutView = 0

    /// The web page of the tree; nil until one of its elements begins.
    var web: WebPage?

    /// The group of top-level elements that are begun now.
    var currentWindowGroup: Int32 { windowGroup }

    mutating func intern(_ text: UnsafeBufferPointer<UInt8>) -> StringID { strings.intern(text) }

    /// The number of elements begun so far.
    public var count: Int { nodes.count }

    /// The innermost element that has begun and not ended.
    public var openElement: ElementID? { open < 0 ? nil : ElementID(rawValue: open) }

    /// Returns the superview of an element that has begun, or nil for a window.
    public func parent(of element: ElementID) -> ElementID? {
      let parent = nodes[element.index].parent
      return parent < 0 ? nil : ElementID(rawValue: parent)
    }

    /// Keeps the top-level elements that follow apart from those before: they are no siblings of each other.
    ///
    /// - Precondition: No element is open.
    package mutating func beginWindowGroup() {
      precondition(open < 0, "an element is open")
      windowGroup -= 1
    }

    /// Begins an element inside the open one.
    ///
    /// - Precondition: There are fewer than 2³¹ − 1 elements.
    @discardableResult
    public mutating func beginElement(class name: UnsafeBufferPointer<UInt8>) -> ElementID {
      let element = Int32(nodes.count)
      let id: StringID
      if let last = lastClass, strings.equals(last, name) {
        id = last
      } else {
        id = strings.intern(name)
        lastClass = id
      }
      nodes.append(
        Node(
          parent: open < 0 ? windowGroup : open, subtreeEnd: 0, className: id, attributeStart: UInt32(attributes.count))
      )
      frames.append(Self.noFrame)
      open = element
      openNameBytes += name.count
      return ElementID(rawValue: element)
    }

    /// Notes another class that the capture has for the element begun last. If people type in views of it, the text is withheld.
    package mutating func noteClass(_ name: UnsafeBufferPointer<UInt8>) {
      guard let element = nodes.last else { return }
      let other = name.part(RuntimeSubclass.writtenClass(in: name))
      let isSame = strings.withBytes(of: element.className) {
        sameBytes(other, $0.part(RuntimeSubclass.writtenClass(in: $0)))
      }
      if !isSame, !ViewKinds(class: other).isDisjoint(with: .typedText) { addAttribute(.secure, "unknown") }
    }

    /// Begins an element inside the open one.
    @discardableResult
    public mutating func beginElement(class name: String) -> ElementID {
      var name = name
      return name.withUTF8 { beginElement(class: $0) }
    }

    /// Adds an attribute to the element begun last. Its subviews must not have begun.
    public mutating func addAttribute(_ name: AttributeName, _ value: UnsafeBufferPointer<UInt8>) {
      if name == .title || name == .message || name == .controller { noteSharedText(value) }
      let slot = Int(name.rawValue)
      let id: StringID
      if let last = lastValues[slot], strings.equals(last, value) {
        id = last
      } else {
        id = strings.intern(value)
        lastValues[slot] = id
      }
      attributes.append(Attribute(name: name, value: id))
    }

    /// Adds an attribute to the element begun last. Its subviews must not have begun.
    public mutating func addAttribute(_ name: AttributeName, _ value: String) {
      var value = value
      value.withUTF8 { addAttribute(name, $0) }
    }

    /// Returns the well-known attribute name that is spelled `text`, or else one for this tree.
    public mutating func attributeName(_ text: UnsafeBufferPointer<UInt8>) -> AttributeName {
      AttributeName(wellKnown: text) ?? ownAttributeName(text)
    }

    /// Returns an attribute name of this tree, whatever the well-known ones are.
    mutating func ownAttributeName(_ text: UnsafeBufferPointer<UInt8>) -> AttributeName {
      let id = strings.intern(text)
      if let name = customNameByString[id] { return name }
      let name = AttributeName(rawValue: UInt32(AttributeName.wellKnown.count + customNames.count))
      customNames.append(id)
      customNameByString[id] = name
      lastValues.append(nil)
      return name
    }

    /// Returns the well-known attribute name that is spelled `text`, or else one for this tree.
    public mutating func attributeName(_ text: String) -> AttributeName {
      var text = text
      return text.withUTF8 { attributeName($0) }
    }

    /// Sets the frame of the element begun last.
    ///
    /// - Precondition: All four numbers are finite.
    public mutating func setFrame(_ frame: Frame) {
      precondition(frame.isFinite)
      frames[frames.count - 1] = frame
    }

    /// Sets the title or the message of an alert that began earlier, where a capture has them on elements inside the
    /// alert.
    public mutating func setAlertText(
      title: UnsafeBufferPointer<UInt8>? = nil, message: UnsafeBufferPointer<UInt8>? = nil,
      of alert: ElementID
    ) {
      if let title {
        noteSharedText(title)
        alertTexts[alert, default: AlertText()].title = strings.intern(title)
      }
      if let message {
        noteSharedText(message)
        alertTexts[alert, default: AlertText()].message = strings.intern(message)
      }
    }

    private mutating func noteSharedText(_ text: UnsafeBufferPointer<UInt8>) {
      longestSharedText = max(longestSharedText, text.count)
    }

    /// Ends the open element.
    ///
    /// - Precondition: An element is open.
    public mutating func endElement() {
      precondition(open >= 0, "no element is open")
      nodes[Int(open)].subtreeEnd = Int32(nodes.count)
      identityBytes += openNameBytes + longestSharedText
      openNameBytes -= strings.length(of: nodes[Int(open)].className)
      open = max(-1, nodes[Int(open)].parent)
    }

    /// Returns the tree. Elements that are still open are ended first.
    public consuming func finish() -> ViewTree {
      while open >= 0 { endElement() }
      return ViewTree(
        format: format, header: header, strings: strings, nodes: nodes, frames: frames, attributes: attributes,
        customNames: customNames, alertTexts: alertTexts, controllersWithoutView: controllersWithoutView, web: web)
    }

    private static let noFrame = Frame(x: .nan, y: 0, width: 0, height: 0)
  }
}
