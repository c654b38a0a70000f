import EncircleText
import EncircleTree

/// Builds a tree from the elements of a JSON capture of any format.
struct JSONTreeReader {
  private let document: JSONCaptureText
  private let dialect: JSONDialect
  private let limits: CaptureLimits
  private var builder: ViewTree.Builder
  private var origins = ScreenOrigins()
  private var alerts = AlertTexts()
  private var join: ControllerJoin
  // The arrays of elements that are open: the next one in each, the end of the array, and whether the array is in an
  // element rather than in a mere container of elements.
  private var open: [(next: Int, end: Int, isInElement: Bool)] = []
  private var depth = 0
  // This is true if some class was in a package, as Android's classes are.
  private var sawPackage = false

  /// Reads the elements of a capture.
  ///
  /// - Complexity: O(bytes); no recursion.
  static func parse(
    _ document: JSONCaptureText, root: JSONRoot, limits: CaptureLimits, controllers: ControllerHierarchy?
  ) throws(CaptureError) -> ViewTree {
    var reader = JSONTreeReader(document, root.dialect, limits, controllers)
    reader.builder.header.os = root.os
    try reader.read(root.node)
    guard reader.builder.count > 0 else { throw CaptureError(.noElements, at: document.location(of: root.node)) }
    if root.os == nil {
      let isAndroid = reader.sawPackage
      reader.builder.header.os = isAndroid ? "Android" : root.dialect == .maestro ? "iOS" : nil
    }
    reader.builder.controllersWithoutView = reader.join.missing
    return reader.builder.finish()
  }

  private init(
    _ document: JSONCaptureText, _ dialect: JSONDialect, _ limits: CaptureLimits, _ controllers: ControllerHierarchy?
  ) {
    self.document = document
    self.dialect = dialect
    self.limits = limits
    builder = ViewTree.Builder(format: dialect.format)
    join = ControllerJoin(controllers)
  }

  private mutating func read(_ root: Int) throws(CaptureError) {
    if document.kind(of: root) == .array {
      let elements = document.contents(of: root)
      open.append((elements.lowerBound, elements.upperBound, false))
    } else {
      try readElement(root, isRoot: true)
    }
    while let last = open.last {
      guard last.next < last.end else {
        open.removeLast()
        if last.isInElement { endElement() }
        continue
      }
      open[open.count - 1].next = document.next(after: last.next)
      try readElement(last.next, isRoot: false)
    }
  }

  private mutating func endElement() {
    alerts.end(builder.openElement)
    if dialect.hasAbsoluteBounds { origins.end() }
    builder.endElement()
    depth -= 1
  }

  // MARK: - Elements

  /// The members that decide how to read an element; its attributes are read after them.
  private struct Parts {
    var className: Int?
    // Classes that an element has besides, if it has several members for its class.
    var otherClasses: [Int] = []
    var children: Int?
    var attributes: Int?
    var hasFrame = false
    var description: Int?
    // This is true if the element has an attribute that a mere container of elements lacks.
    var hasAttributes = false

    mutating func add(class node: Int) {
      if let className { otherClasses.append(className) }
      className = node
    }
  }

  private mutating func readElement(_ node: Int, isRoot: Bool) throws(CaptureError) {
    guard document.kind(of: node) == .object else {
      throw CaptureError(
        .badAttribute(name: "children", expected: "an array of objects"), at: document.location(of: node))
    }
    let parts = parts(of: node)
    let children = try children(parts)
    if isContainer(parts, isRoot: isRoot) {
      open.append((children.lowerBound, children.upperBound, false))
      return
    }
    // Calabash also lists accessible elements beside the views. Only views have frames.
    if dialect == .calabash, !parts.hasFrame { return }
    try begin(node, parts)
    try check(node)
    open.append((children.lowerBound, children.upperBound, true))
  }

  private func parts(of node: Int) -> Parts {
    var parts = Parts()
    for key in Members(document, node) {
      let value = key + 1
      switch document.withScalar(of: key, dialect.meaning) {
      case .className:
        guard document.kind(of: value) == .string, !document.range(of: value).isEmpty else { break }
        parts.add(class: value)
      case .children: parts.children = document.kind(of: value) == .null ? nil : value
      case .attributes: if document.kind(of: value) == .object { parts.attributes = value }
      case .rectangle: parts.hasFrame = document.kind(of: value) == .object
      case .description: if document.kind(of: value) == .string { parts.description = value }
      default: break
      }
    }
    guard let attributes = parts.attributes else { return parts }
    for key in Members(document, attributes) {
      switch document.withScalar(of: key, dialect.meaning) {
      case .className:
        guard document.kind(of: key + 1) == .string, !document.range(of: key + 1).isEmpty else { break }
        parts.add(class: key + 1)
      case .bounds, .attribute: parts.hasAttributes = true
      default: break
      }
    }
    return parts
  }

  private func children(_ parts: Parts) throws(CaptureError) -> Range<Int> {
    guard let children = parts.children else { return 0..<0 }
    guard document.kind(of: children) == .array else {
      throw CaptureError(.badAttribute(name: "children", expected: "an array"), at: document.location(of: children))
    }
    return document.contents(of: children)
  }

  /// Returns whether an object only holds elements and is not an element itself.
  private func isContainer(_ parts: Parts, isRoot: Bool) -> Bool {
    switch dialect {
    case .calabash:
      return isRoot && !parts.hasFrame
        && parts.className.map { document.withScalar(of: $0) { sameBytes($0, "CalabashRootView") } } ?? false
    case .maestro: return parts.className == nil && parts.attributes != nil && !parts.hasAttributes
    case .axe: return isRoot && parts.className == nil
    case .sentry, .deviceAgent, .webDriverAgent: return false
    }
  }

  private mutating func begin(_ node: Int, _ parts: Parts) throws(CaptureError) {
    let element: ElementID
    if let className = parts.className {
      if !sawPackage {
        sawPackage = document.withScalar(of: className) { ($0.first ?? 0) >= 0x61 && $0.contains(UInt8(ascii: ".")) }
      }
      element = beginElement(class: className)
      for other in parts.otherClasses {
        document.withScalar(of: other) { name in
          let type = dialect.format.hasElementTypes ? XCUILine.prefixed(name) : Array(name)
          type.withUnsafeBufferPointer { builder.noteClass($0) }
        }
      }
    } else if dialect == .maestro, parts.attributes != nil {
      // Maestro gives no types of elements on iOS, so somebody may have typed any of the texts.
      element = builder.beginElement(class: "node")
      builder.addAttribute(.secure, "unknown")
    } else {
      throw CaptureError(.missingClass(element: "{"), at: document.location(of: node))
    }
    depth += 1
    if dialect == .calabash { try readDescription(parts.description) }
    if dialect == .sentry, parts.description != nil { builder.addAttribute(.secure, "unknown") }
    var bounds = ScreenBounds()
    var count = 0
    try readMembers(of: node, &bounds, &count)
    if let attributes = parts.attributes { try readMembers(of: attributes, &bounds, &count) }
    if dialect.hasAbsoluteBounds {
      if let frame = origins.begin(bounds) { builder.setFrame(frame) }
    } else if let frame = bounds.frame {
      builder.setFrame(frame)
    }
    if dialect.format.hasElementTypes { readAlert(element, node, parts) }
  }

  /// Begins an element of a class. If the class is a type of XCTest without its prefix, the prefix is added.
  private mutating func beginElement(class node: Int) -> ElementID {
    document.withScalar(of: node) { name in
      guard dialect.format.hasElementTypes, !name.starts(withLiteral: XCUILine.prefix) else {
        return builder.beginElement(class: name)
      }
      return builder.beginElement(class: XCUILine.prefix.description + String(decoding: name, as: UTF8.self))
    }
  }

  private func check(_ node: Int) throws(CaptureError) {
    let kind: CaptureError.Kind? =
      if depth > limits.depth {
        .tooDeep(limit: limits.depth)
      } else if builder.count > limits.elements {
        .tooManyElements(limit: limits.elements)
      } else {
        builder.passedLimit(of: limits, bytes: document.byteCount)
      }
    if let kind { throw CaptureError(kind, at: document.location(of: node)) }
  }

  // MARK: - Members

  private mutating func readMembers(
    of node: Int, _ bounds: inout ScreenBounds, _ count: inout Int
  ) throws(CaptureError) {
    for key in Members(document, node) {
      let value = key + 1
      let kind = document.kind(of: value)
      if kind == .null { continue }
      let meaning = document.withScalar(of: key, dialect.meaning)
      switch meaning {
      case .className, .children, .attributes, .ignored, .description: continue
      case .rectangle: try readRectangle(value, &bounds)
      case .edges: try readEdges(value, &bounds)
      case .bounds: try readBounds(value, &bounds)
      case .x: bounds.x = try number(value, "x")
      case .y: bounds.y = try number(value, "y")
      case .width: bounds.width = try number(value, "width")
      case .height: bounds.height = try number(value, "height")
      case .visibility:
        let isHidden = document.withScalar(of: value) {
          sameBytes($0, "false") || sameBytes($0, "0") || sameBytes($0, "invisible") || sameBytes($0, "gone")
        }
        if isHidden { builder.addAttribute(.hidden, "true") }
      case .attribute, nil:
        let isScalar = kind != .array && kind != .object
        // A list of superclasses, for example, may say that people type in the view.
        guard isScalar || meaning == .attribute(.secure) || meaning == .attribute(.superclasses) else { continue }
        count += 1
        guard count <= limits.attributes else {
          throw CaptureError(.tooManyAttributes(limit: limits.attributes), at: document.location(of: key))
        }
        if isScalar { try addAttribute(key, meaning) } else { builder.addAttribute(.secure, "unknown") }
      }
    }
  }

  private mutating func addAttribute(_ key: Int, _ meaning: JSONMeaning?) throws(CaptureError) {
    let value = key + 1
    guard max(document.range(of: value).count, document.range(of: key).count) <= limits.attributeBytes else {
      throw CaptureError(.attributeTooLong(limit: limits.attributeBytes), at: document.location(of: value))
    }
    let name: AttributeName =
      if case .attribute(let known) = meaning {
        known
      } else {
        document.withScalar(of: key) { builder.attributeName($0) }
      }
    document.withScalar(of: value) { builder.addAttribute(name, $0) }
  }

  // MARK: - Bounds

  private func number(_ node: Int, _ name: String) throws(CaptureError) -> Double {
    guard let number = document.number(of: node) else {
      throw CaptureError(.badAttribute(name: name, expected: "a finite number"), at: document.location(of: node))
    }
    return number
  }

  private func number(_ name: StaticString, of object: Int) throws(CaptureError) -> Double? {
    guard let node = document.member(name, of: object), document.kind(of: node) != .null else { return nil }
    return try number(node, name.description)
  }

  private func readRectangle(_ node: Int, _ bounds: inout ScreenBounds) throws(CaptureError) {
    bounds = ScreenBounds(
      x: try number("x", of: node), y: try number("y", of: node), width: try number("width", of: node),
      height: try number("height", of: node))
  }

  private func readEdges(_ node: Int, _ bounds: inout ScreenBounds) throws(CaptureError) {
    guard let left = try number("left", of: node), let top = try number("top", of: node),
      let right = try number("right", of: node), let bottom = try number("bottom", of: node)
    else { return }
    bounds = ScreenBounds(x: left, y: top, width: right - left, height: bottom - top)
  }

  private func readBounds(_ node: Int, _ bounds: inout ScreenBounds) throws(CaptureError) {
    guard let found = document.withScalar(of: node, ScreenBounds.init(bracketed:)) else {
      throw CaptureError(
        .badAttribute(name: "bounds", expected: "[left,top][right,bottom] in whole pixels"),
        at: document.location(of: node))
    }
    bounds = found
  }

  // MARK: - Specialities of dialects

  /// Adds the information about typed text from UIKit's description of a view, and the controller of the view at its address. Without
  /// a description, it is unknown whether people type in the view.
  private mutating func readDescription(_ node: Int?) throws(CaptureError) {
    guard let node else { return builder.addAttribute(.secure, "unknown") }
    let limits = limits
    let isRead = document.withScalar(of: node) { text -> Bool in
      var scanner = ViewDescriptionScanner(text, limits: limits)
      guard text.first == UInt8(ascii: "<") else { return false }
      do throws(ViewDescriptionScanner.Failure) {
        let view = try scanner.read(at: 0)
        if let controller = join.controller(ofViewAt: view.address(in: text)) {
          controller.withUnsafeBufferPointer { builder.addAttribute(.controller, $0) }
        }
        builder.noteClass(text.part(view.className))
        try ViewFields(text, limits: limits, onlyHidden: true).add(scanner.fields, of: view, to: &builder)
        return true
      } catch {
        return false
      }
    }
    if !isRead { builder.addAttribute(.secure, "unknown") }
  }

  private mutating func readAlert(_ element: ElementID, _ node: Int, _ parts: Parts) {
    guard let className = parts.className else { return }
    let label = document.member("label", of: node) ?? document.member("name", of: node)
    document.withScalar(of: className) { name in
      let type = XCUILine.prefixed(name)
      type.withUnsafeBufferPointer { type in
        guard let label, document.kind(of: label) == .string else {
          return alerts.begin(element, type: type, label: nil, in: &builder)
        }
        document.withScalar(of: label) { alerts.begin(element, type: type, label: $0, in: &builder) }
      }
    }
  }
}

/// The names of an object's members.
struct Members: Sequence, IteratorProtocol {
  private let document: JSONCaptureText
  private var key: Int
  private let end: Int

  init(_ document: JSONCaptureText, _ node: Int) {
    self.document = document
    let contents = document.contents(of: node)
    key = contents.lowerBound
    end = contents.upperBound
  }

  mutating func next() -> Int? {
    guard key < end else { return nil }
    defer { key = document.next(after: key + 1) }
    return key
  }
}
