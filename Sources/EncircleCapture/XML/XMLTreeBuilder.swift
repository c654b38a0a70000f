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
  // This is true if the root was `hierarchy`, which several dialects have.
  private var sawHierarchy = false
  // This is true if the root was `ViewHierarchy`, as in Detox.
  private var sawDetoxRoot = false
  private var builder: ViewTree.Builder
  // For each open tag, whether it is an element rather than a mere container of elements.
  private var openTags: [Bool] = []

  // The meanings of attributes by the pointers of their names, which libxml2 interns. Elements repeat their attributes
  // in one order, so the meaning that was last found at a position of the tag is tried first.
  private var meanings: [(name: UnsafePointer<xmlChar>, meaning: AttributeMeaning)] = []
  private var meaningAtPlace: [Int] = []

  private var origins = ScreenOrigins()
  private var alerts = AlertTexts()

  /// The attribute value that made ``start(_:)`` throw an error, if there was one.
  private(set) var culprit: UnsafePointer<UInt8>?

  init(format: CaptureFormat?) {
    expected = format
    builder = ViewTree.Builder(format: .viewTree)
  }

  var elementCount: Int { builder.count }

  /// Returns the limit that paths or identities have exceeded so far; nil if they are within all limits.
  ///
  /// - Parameter bytes: The size of the capture.
  func passedLimit(of limits: CaptureLimits, bytes: Int) -> CaptureError.Kind? {
    builder.passedLimit(of: limits, bytes: bytes)
  }

  /// The number of open elements, without a root that is a mere container.
  private(set) var depth = 0

  /// This is true if the reader rejects text between elements. These formats have no such text, so it is a sign of a
  /// broken tag.
  var refusesText: Bool { refusesCDATA || dialect?.format == .detox }

  /// Says whether the reader refuses CDATA sections. Dumps of Detox keep the HTML of web views in them.
  var refusesCDATA: Bool { dialect == .viewTree }

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
    case .uiautomatorClasses, .detox: break
    }
    try startElement(tag, name: name, dialect: dialect)
  }

  mutating func end() {
    guard openTags.popLast() == true else { return }
    if dialect?.hasAbsoluteBounds == true { origins.end() }
    if dialect == .webDriverAgent { alerts.end(builder.openElement) }
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
    } else if sameBytes(name, "ViewHierarchy"), !sawHierarchy, !sawDetoxRoot {
      found = nil
      isElement = false
      sawDetoxRoot = true
      if let expected, expected != .detox {
        throw CaptureError(.wrongFormat(expected: expected, found: CaptureVocabulary.element(name)))
      }
    } else if sawDetoxRoot {
      found = .detox(isAndroid: Self.isAndroidClass(in: tag))
    } else if name.starts(withLiteral: "XCUIElementType") || name.starts(withLiteral: "UIA") {
      found = .webDriverAgent
    } else if sameBytes(name, "hierarchy") || sawHierarchy && Self.isContainer(name) || sameBytes(name, "displays") {
      found = nil
      isElement = false
      sawHierarchy = true
      if let expected, expected == .viewTree || expected == .detox {
        throw CaptureError(.wrongFormat(expected: expected, found: CaptureVocabulary.element(name)))
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
      if case .detox(let isAndroid) = found { builder.header.os = isAndroid ? "Android" : "iOS" }
    }
    return isElement
  }

  /// Returns whether an element of a uiautomator dump only holds others: `hierarchy` or, in a dump of all windows, one of
  /// those around it.
  private static func isContainer(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    sameBytes(name, "hierarchy") || sameBytes(name, "window") || sameBytes(name, "display")
  }

  /// Returns whether a tag's class is in a package, as Android's classes are. Swift's classes are in a module, whose name begins with an
  /// upper-case letter.
  private static func isAndroidClass(in tag: XMLTag) -> Bool {
    for i in 0..<tag.count {
      guard let attribute = tag.attribute(i), sameBytes(XMLTag.bytes(attribute.name), "class"),
        let first = attribute.value.first
      else { continue }
      return first >= 0x61 && first <= 0x7A && attribute.value.contains(UInt8(ascii: "."))
    }
    return false
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
        // Some Android views report no class to accessibility. Somebody may have typed their text.
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
    // The tags of UiAutomator2 and of Detox on iOS are classes, too.
    if dialect == .uiautomatorClasses || dialect == .detox(isAndroid: false), !sameBytes(name, className) {
      builder.noteClass(name)
    }
    // So is the type that WebDriverAgent repeats in an attribute.
    if dialect == .webDriverAgent, let type = Self.value("type", in: tag), !sameBytes(type, name) {
      builder.noteClass(type)
    }

    var bounds = ScreenBounds()
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
        guard let frame = ScreenBounds(bracketed: value) else {
          throw CaptureError(.badAttribute(name: "bounds", expected: "[left,top][right,bottom] in whole pixels"))
        }
        bounds = frame
      case .visibility:
        if sameBytes(value, "invisible") || sameBytes(value, "gone") { builder.addAttribute(.hidden, "true") }
      case .temporaryIdentifier:
        if !value.starts(withLiteral: "detox_temp_") { builder.addAttribute(.identifier, value) }
      case .x: bounds.x = try Self.coordinate(value, of: "x", dialect)
      case .y: bounds.y = try Self.coordinate(value, of: "y", dialect)
      case .width: bounds.width = try Self.coordinate(value, of: "width", dialect)
      case .height: bounds.height = try Self.coordinate(value, of: "height", dialect)
      }
    }
    culprit = nil
    if dialect.hasAbsoluteBounds, let frame = origins.begin(bounds) { builder.setFrame(frame) }
    if dialect == .detox(isAndroid: false), let frame = bounds.frame { builder.setFrame(frame) }
    if dialect == .webDriverAgent { alerts.begin(element, type: name, label: Self.label(in: tag), in: &builder) }
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
      // The limit keeps the search short in a document whose elements all have different attribute names.
      guard meanings.count < 256 else { return meaning }
      index = meanings.count
      meanings.append((attribute.name, meaning))
    }
    while meaningAtPlace.count <= place { meaningAtPlace.append(index) }
    meaningAtPlace[place] = index
    return meanings[index].meaning
  }

  // MARK: - Bounds

  /// Returns a number; nil for a number that is known to be missing.
  private static func coordinate(
    _ text: UnsafeBufferPointer<UInt8>, of name: String, _ dialect: XMLDialect
  ) throws(CaptureError) -> Double? {
    if let value = Number.double(text) { return value }
    guard dialect.format == .detox, sameBytes(text, DetoxNumbers.mended) else {
      throw CaptureError(.badAttribute(name: name, expected: "a finite number"))
    }
    return nil
  }

  // MARK: - Attributes of WebDriverAgent

  /// Returns the label of an element, which is the title if the element is an alert.
  private static func label(in tag: XMLTag) -> UnsafeBufferPointer<UInt8>? {
    value("label", in: tag) ?? value("name", in: tag)
  }

  private static func value(_ wanted: StaticString, in tag: XMLTag) -> UnsafeBufferPointer<UInt8>? {
    for i in 0..<tag.count {
      if let attribute = tag.attribute(i), sameBytes(XMLTag.bytes(attribute.name), wanted) { return attribute.value }
    }
    return nil
  }
}
