import CLibxml2
import EncircleText
import EncircleTree

/// Builds a tree from the start and end tags of an XML capture of any format.
///
/// The first one or two elements show which ``XMLDialect`` the capture is in. The dialect gives the meaning of
/// attributes.
struct XMLTreeBuilder {
  private let expected: CaptureFormat?
  private var dialect: XMLDialect?
  // Whether the root was `hierarchy`, which several dialects have.
  private var sawHierarchy = false
  private var builder: ViewTree.Builder
  // For each open tag, whether it is an element rather than a mere container of elements.
  private var openTags: [Bool] = []

  // The meanings of attributes by the pointers of their names, which libxml2 interns. Elements repeat their attributes
  // in one order, so the meaning that was last found at a position of the tag is tried first.
  private var meanings: [(name: UnsafePointer<xmlChar>, meaning: AttributeMeaning)] = []
  private var meaningAtPlace: [Int] = []

  // The origins of the open elements in the screen's coordinates, where the dialect has those.
  private var origins: [(x: Double, y: Double)?] = []
  private var openAlerts: [(element: ElementID, staticTexts: Int)] = []
  // The depth of the outermost open text field in an alert. Text in it was typed, and is not the alert's message.
  private var fieldDepth: Int?

  /// The attribute value because of which ``start(_:)`` threw an error, if there was one.
  private(set) var culprit: UnsafePointer<UInt8>?

  init(format: CaptureFormat?) {
    expected = format
    builder = ViewTree.Builder(format: .viewTree)
  }

  var elementCount: Int { builder.count }

  /// Returns the limit that the paths or identities of the open elements pass; nil if they pass none.
  ///
  /// - Parameter bytes: The size of the capture.
  func passedLimit(of limits: CaptureLimits, bytes: Int) -> CaptureError.Kind? {
    builder.passedLimit(of: limits, bytes: bytes)
  }

  /// The number of open elements, without a root that is a mere container.
  private(set) var depth = 0

  /// Whether text between elements is an error.
  var refusesText: Bool { dialect == .viewTree }

  mutating func start(_ tag: XMLTag) throws(CaptureError) {
    let name = XMLTag.bytes(tag.name)
    if dialect == nil {
      guard try determineDialect(name, tag) else {
        openTags.append(false)
        return
      }
    }
    guard let dialect else { return }
    switch dialect {
    case .viewTree:
      guard sameBytes(name, "view"), tag.prefix == nil else {
        throw CaptureError(.unknownElement(expected: "'view'"))
      }
    case .webDriverAgent:
      guard name.starts(withLiteral: "XCUIElementType") || name.starts(withLiteral: "UIA") else {
        throw CaptureError(.unknownElement(expected: "a type such as 'XCUIElementTypeButton'"))
      }
    case .uiautomatorNodes:
      if depth == 0, Self.isContainer(name) {
        openTags.append(false)
        return
      }
      guard sameBytes(name, "node"), tag.prefix == nil else {
        throw CaptureError(.unknownElement(expected: "'node'"))
      }
    case .uiautomatorClasses: break
    }
    try startElement(tag, name: name, dialect: dialect)
  }

  mutating func end() {
    guard openTags.popLast() == true else { return }
    if dialect?.hasAbsoluteBounds == true {
      origins.removeLast()
      if let alert = openAlerts.last, alert.element == builder.openElement { openAlerts.removeLast() }
      if fieldDepth == depth { fieldDepth = nil }
    }
    depth -= 1
    builder.endElement()
  }

  consuming func finish() throws(CaptureError) -> ViewTree {
    guard builder.count > 0 else { throw CaptureError(.noElements) }
    return builder.finish()
  }

  // MARK: - Dialect

  /// Determines the dialect by the root or, if that is `hierarchy`, by its first child.
  ///
  /// - Returns: True if the tag is an element, false if it is a mere container of elements.
  private mutating func determineDialect(
    _ name: UnsafeBufferPointer<UInt8>, _ tag: XMLTag
  ) throws(CaptureError) -> Bool {
    let found: XMLDialect?
    var isElement = true
    if sameBytes(name, "viewTree"), !sawHierarchy {
      found = .viewTree
      isElement = false
    } else if sameBytes(name, "AppiumAUT"), !sawHierarchy {
      found = .webDriverAgent
      isElement = false
    } else if name.starts(withLiteral: "XCUIElementType") || name.starts(withLiteral: "UIA") {
      found = .webDriverAgent
    } else if sameBytes(name, "hierarchy") || sawHierarchy && Self.isContainer(name) || sameBytes(name, "displays") {
      found = nil
      isElement = false
      sawHierarchy = true
      guard expected != .viewTree else {
        throw CaptureError(.wrongFormat(expected: .viewTree, found: CaptureVocabulary.element(name)))
      }
    } else if sameBytes(name, "node") {
      found = .uiautomatorNodes
    } else if sawHierarchy || name.contains(UInt8(ascii: ".")) {
      found = .uiautomatorClasses
    } else {
      if let expected {
        throw CaptureError(.wrongFormat(expected: expected, found: CaptureVocabulary.element(name)))
      }
      throw CaptureError(.unknownFormat(CaptureVocabulary.document(root: name)))
    }
    if let found {
      if let expected, expected != found.format {
        throw CaptureError(.wrongFormat(expected: expected, found: found.elementDescription))
      }
      dialect = found
      builder = ViewTree.Builder(format: found.format)
      if found == .viewTree { try readHeader(tag) }
    }
    return isElement
  }

  /// Returns whether an element of a uiautomator dump only holds others: `hierarchy` or, in a dump of all windows, one of
  /// those around it.
  private static func isContainer(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    sameBytes(name, "hierarchy") || sameBytes(name, "window") || sameBytes(name, "display")
  }

  private mutating func readHeader(_ tag: XMLTag) throws(CaptureError) {
    var header = ViewTree.Header()
    for i in 0..<tag.count {
      guard let attribute = tag.attribute(i) else { continue }
      let value = String(decoding: attribute.value, as: UTF8.self)
      switch attribute.qualifiedName {
      case "version":
        guard value == "1" else {
          culprit = attribute.value.baseAddress
          throw CaptureError(.unknownVersion)
        }
      case "app": header.app = value
      case "appVersion": header.appVersion = value
      case "os": header.os = value
      case "osVersion": header.osVersion = value
      case "screen": header.screen = value
      case "capturedAt": header.capturedAt = value
      case "screenshot": header.screenshot = value
      default: break
      }
    }
    builder.header = header
  }

  // MARK: - Elements

  private mutating func startElement(
    _ tag: XMLTag, name: UnsafeBufferPointer<UInt8>, dialect: XMLDialect
  ) throws(CaptureError) {
    var className: UnsafeBufferPointer<UInt8>? = dialect.tagIsClass ? name : nil
    var hasEmptyClass = false
    for i in 0..<tag.count {
      guard let attribute = tag.attribute(i), meaning(of: attribute, at: i, dialect) == .className else { continue }
      if !attribute.value.isEmpty {
        className = attribute.value
      } else if dialect == .uiautomatorNodes {
        // Android has views that name no class to accessibility. What such a one shows may be what somebody typed.
        className = name
        hasEmptyClass = true
      }
      break
    }
    if dialect.tagIsClass, className == nil || tag.prefix != nil {
      throw CaptureError(.unknownElement(expected: "the name of a class"))
    }
    guard let className, !className.isEmpty else {
      throw CaptureError(.missingClass(element: CaptureVocabulary.known(name) ?? "…"))
    }
    let element = builder.beginElement(class: className)
    openTags.append(true)
    depth += 1

    var bounds = AbsoluteBounds()
    for i in 0..<tag.count {
      guard let attribute = tag.attribute(i) else { continue }
      let value = attribute.value
      // If an error is thrown, this remains set and leads to the value at fault.
      culprit = value.baseAddress
      switch meaning(of: attribute, at: i, dialect) {
      case .className: break
      case .attribute(let name): if !hasEmptyClass || name != .text { builder.addAttribute(name, value) }
      case .indexPath:
        var words = WordScanner(value)
        guard let section = words.nextInteger(), let row = words.nextInteger(), words.next() == nil, section >= 0,
          row >= 0
        else {
          throw CaptureError(.badAttribute(name: "indexPath", expected: "two whole numbers, section and row or item"))
        }
        builder.addAttribute(.indexPath, value)
      case .frame:
        var words = WordScanner(value)
        guard let x = words.nextDouble(), let y = words.nextDouble(), let width = words.nextDouble(),
          let height = words.nextDouble(), words.next() == nil
        else {
          throw CaptureError(.badAttribute(name: "frame", expected: "four finite numbers, x y width height"))
        }
        builder.setFrame(Frame(x: x, y: y, width: width, height: height))
      case .bounds:
        guard let frame = Self.bracketedBounds(value) else {
          throw CaptureError(.badAttribute(name: "bounds", expected: "[left,top][right,bottom] in whole pixels"))
        }
        bounds = frame
      case .x: bounds.x = try Self.coordinate(value, of: "x")
      case .y: bounds.y = try Self.coordinate(value, of: "y")
      case .width: bounds.width = try Self.coordinate(value, of: "width")
      case .height: bounds.height = try Self.coordinate(value, of: "height")
      }
    }
    culprit = nil
    if dialect.hasAbsoluteBounds { place(element, bounds) }
    if dialect == .webDriverAgent { readAlert(element, tag, name) }
  }

  private mutating func meaning(of attribute: XMLTag.Attribute, at place: Int, _ dialect: XMLDialect)
    -> AttributeMeaning
  {
    if attribute.prefix == nil, place < meaningAtPlace.count {
      let cached = meanings[meaningAtPlace[place]]
      if cached.name == attribute.name { return cached.meaning }
    }
    guard attribute.prefix == nil else {
      let name = attribute.qualifiedName
      let known = withContiguousBytes(name.utf8) { XMLDialect.privacyAttribute($0) }
      return .attribute(
        known ?? XMLDialect.privacyAttribute(XMLTag.bytes(attribute.name)) ?? builder.attributeName(name))
    }
    let index: Int
    if let known = meanings.firstIndex(where: { $0.name == attribute.name }) {
      index = known
    } else {
      let name = XMLTag.bytes(attribute.name)
      let meaning = dialect.meaning(of: name) ?? .attribute(builder.attributeName(name))
      // The limit keeps the search short in a document where each element has other attribute names.
      guard meanings.count < 256 else { return meaning }
      index = meanings.count
      meanings.append((attribute.name, meaning))
    }
    while meaningAtPlace.count <= place { meaningAtPlace.append(index) }
    meaningAtPlace[place] = index
    return meanings[index].meaning
  }

  // MARK: - Bounds

  private struct AbsoluteBounds {
    var x: Double?
    var y: Double?
    var width: Double?
    var height: Double?
  }

  private static func coordinate(
    _ text: UnsafeBufferPointer<UInt8>, of name: String
  ) throws(CaptureError) -> Double {
    guard let value = Number.double(text) else {
      throw CaptureError(.badAttribute(name: name, expected: "a finite number"))
    }
    return value
  }

  /// `[left,top][right,bottom]`
  private static func bracketedBounds(_ text: UnsafeBufferPointer<UInt8>) -> AbsoluteBounds? {
    var i = 0
    func number(until end: Unicode.Scalar) -> Double? {
      guard let stop = text[i...].firstIndex(of: UInt8(ascii: end)), let value = Number.integer(text.part(i..<stop))
      else { return nil }
      i = stop + 1
      return Double(value)
    }
    func open() -> Bool {
      guard i < text.count, text[i] == UInt8(ascii: "[") else { return false }
      i += 1
      return true
    }
    guard open(), let left = number(until: ","), let top = number(until: "]"), open(),
      let right = number(until: ","), let bottom = number(until: "]"), i == text.count
    else { return nil }
    return AbsoluteBounds(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Sets the frame of an element from its bounds on the screen and those of its superview. If either are unknown, so
  /// is the frame.
  private mutating func place(_ element: ElementID, _ bounds: AbsoluteBounds) {
    guard let x = bounds.x, let y = bounds.y else {
      origins.append(nil)
      return
    }
    let parent = origins.isEmpty ? (x: 0.0, y: 0.0) : origins[origins.count - 1]
    origins.append((x, y))
    guard let parent, let width = bounds.width, let height = bounds.height else { return }
    let frame = Frame(x: x - parent.x, y: y - parent.y, width: width, height: height)
    if frame.x.isFinite, frame.y.isFinite { builder.setFrame(frame) }
  }

  // MARK: - Alerts of WebDriverAgent

  /// Sets the title of an alert to its label or name, and its message to the second static text in it.
  private mutating func readAlert(_ element: ElementID, _ tag: XMLTag, _ name: UnsafeBufferPointer<UInt8>) {
    func value(_ wanted: StaticString) -> UnsafeBufferPointer<UInt8>? {
      for i in 0..<tag.count {
        if let attribute = tag.attribute(i), sameBytes(XMLTag.bytes(attribute.name), wanted) { return attribute.value }
      }
      return nil
    }
    if sameBytes(name, "XCUIElementTypeAlert") || sameBytes(name, "XCUIElementTypeSheet")
      || sameBytes(name, "UIAAlert") || sameBytes(name, "UIAActionSheet")
    {
      openAlerts.append((element, 0))
      if let title = value("label") ?? value("name") { builder.setAlertText(title: title, of: element) }
    } else if fieldDepth != nil {
      return
    } else if let alert = openAlerts.last,
      sameBytes(name, "XCUIElementTypeStaticText") || sameBytes(name, "UIAStaticText")
    {
      openAlerts[openAlerts.count - 1].staticTexts += 1
      if alert.staticTexts == 1, let message = value("label") ?? value("name") {
        builder.setAlertText(message: message, of: alert.element)
      }
    } else if !openAlerts.isEmpty, !ViewKinds(class: name).isDisjoint(with: .typedText) {
      fieldDepth = depth
    }
  }
}
