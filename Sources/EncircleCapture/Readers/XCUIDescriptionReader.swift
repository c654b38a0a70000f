import EncircleText
import EncircleTree

/// Reads the text that XCTest's `-[XCUIApplication debugDescription]` prints.
///
/// There is one element per line, with two spaces more in front for each level of nesting:
///
///     Element subtree:
///      →Application, 0x7fb5, pid: 41491, label: 'Shop'
///         Window (Main), 0x7fb6, {{0.0, 0.0}, {393.0, 852.0}}
///           Button, 0x7fb7, {{20.0, 59.0}, {55.0, 40.0}}, label: 'Menu', Selected
///
/// The text after the tree, from `Path to element:` on, is ignored.
struct XCUIDescriptionReader {
  private typealias Failure = ViewDescriptionScanner.Failure

  private let text: UnsafeBufferPointer<UInt8>
  private let limits: CaptureLimits
  private var builder = ViewTree.Builder(format: .xcuiDescription)
  private var scanner: XCUIFieldScanner
  private var origins = ScreenOrigins()
  private var alerts = AlertTexts()
  // The columns of the open elements.
  private var openIndents: [Int] = []
  // The first line since the last element that is neither an element nor empty.
  private var otherLine: Int?

  /// Reads a description in UTF-8.
  ///
  /// - Parameter start: The offset of the line of the first element.
  /// - Complexity: O(bytes).
  static func parse(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, limits: CaptureLimits
  ) throws(CaptureError) -> ViewTree {
    try TextEncoding.check(text)
    var reader = XCUIDescriptionReader(text, limits)
    do throws(Failure) {
      try reader.readLines(from: start)
    } catch {
      throw CaptureError(error.kind, at: SourceLocation(of: error.offset, in: text))
    }
    return reader.builder.finish()
  }

  private init(_ text: UnsafeBufferPointer<UInt8>, _ limits: CaptureLimits) {
    self.text = text
    self.limits = limits
    scanner = XCUIFieldScanner(text, limits: limits)
    builder.header.os = "iOS"
  }

  private mutating func readLines(from first: Int) throws(Failure) {
    var start = first
    while start < text.count {
      if let head = XCUILine.head(of: text, at: start) {
        start = try readElement(head, at: start) + 1
        continue
      }
      let end = text.lineEnd(from: start)
      let line = text.part(start..<end)
      if XCUILine.isHeading(line) { break }
      if !line.allSatisfy(isWhiteSpace) {
        if let inner = XCUILine.inner(in: line) ?? XCUILine.brokenElement(in: line) {
          throw Failure(kind: .notOneElement, offset: start + inner)
        }
        // A value without quotes may continue in further lines, which are ignored.
        if !scanner.endsInValue, otherLine == nil { otherLine = start }
      }
      start = end + 1
    }
  }

  /// Reads an element.
  ///
  /// - Returns: The offset of the end of its last line.
  private mutating func readElement(_ head: XCUILine.Head, at start: Int) throws(Failure) -> Int {
    while let open = openIndents.last, open >= head.indent { endElement() }
    if let open = openIndents.last {
      if let otherLine { throw Failure(kind: .notOneElement, offset: otherLine) }
      // The indentation of the root does not show its level, so its children may have any indentation, as long as they agree.
      guard head.indent == open + 2 || openIndents.count == 1 && siblingIndent ?? head.indent == head.indent else {
        throw Failure(kind: .missingLevel, offset: start)
      }
      if openIndents.count == 1 { siblingIndent = head.indent }
    } else {
      // All elements of a tree are inside the marked one, so an element beside it has lost its indentation.
      if hasMarkedRoot, !head.isMarked { throw Failure(kind: .lostIndentation, offset: start) }
      hasMarkedRoot = head.isMarked
      siblingIndent = nil
    }
    otherLine = nil
    guard openIndents.count < limits.depth else { throw Failure(kind: .tooDeep(limit: limits.depth), offset: start) }
    guard builder.count < limits.elements else {
      throw Failure(kind: .tooManyElements(limit: limits.elements), offset: start)
    }
    openIndents.append(head.indent)
    let type = XCUILine.prefixed(text.part(head.type))
    let element = type.withUnsafeBufferPointer { builder.beginElement(class: $0) }
    let end = try scanner.read(at: head.end)
    try addFields(of: element, type: type)
    if let passed = builder.passedLimit(of: limits, bytes: text.count) { throw Failure(kind: passed, offset: start) }
    return end
  }

  // The column of the elements in the root.
  private var siblingIndent: Int?
  // This is true if `→` marks the root.
  private var hasMarkedRoot = false

  private mutating func endElement() {
    openIndents.removeLast()
    origins.end()
    alerts.end(builder.openElement)
    builder.endElement()
  }

  private mutating func addFields(of element: ElementID, type: [UInt8]) throws(Failure) {
    var bounds = ScreenBounds()
    var texts: [XCUIFieldScanner.Key: Range<Int>] = [:]
    for field in scanner.fields {
      switch field {
      case .frame(let range): bounds = try frame(range)
      case .selected: builder.addAttribute(builder.attributeName("selected"), "true")
      case .disabled: builder.addAttribute(.enabled, "false")
      case .text(let key, let range):
        let name: AttributeName? =
          switch key {
          case .identifier: .identifier
          case .label: .label
          case .title: .title
          case .placeholder: .placeholder
          case .value: .value
          case .other: nil
          }
        guard let name, texts[key] == nil else { continue }
        texts[key] = range
        builder.addAttribute(name, text.part(range))
      }
    }
    // An application's frame, which is the screen's, is not printed in newer versions.
    if bounds.x == nil, type.elementsEqual("XCUIElementTypeApplication".utf8) { bounds = ScreenBounds(x: 0, y: 0) }
    if let frame = origins.begin(bounds) { builder.setFrame(frame) }
    let label = (texts[.label] ?? texts[.identifier]).map { text.part($0) }
    type.withUnsafeBufferPointer { alerts.begin(element, type: $0, label: label, in: &builder) }
  }

  /// `{{x, y}, {width, height}}`; the null rectangle has infinite numbers.
  private func frame(_ range: Range<Int>) throws(Failure) -> ScreenBounds {
    let words = text[range].split { byte in
      byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: ",") || byte == 0x20
    }
    let numbers = words.map { UnsafeBufferPointer(rebasing: $0) }
    let isSpecial = numbers.contains { sameBytes($0, "inf") || sameBytes($0, "-inf") || sameBytes($0, "nan") }
    let values = numbers.compactMap { Number.double($0) }
    guard numbers.count == 4, values.count == 4 || isSpecial else {
      throw Failure(
        kind: .badAttribute(name: "frame", expected: "{{x, y}, {width, height}}"), offset: range.lowerBound)
    }
    return isSpecial
      ? ScreenBounds() : ScreenBounds(x: values[0], y: values[1], width: values[2], height: values[3])
  }
}
