import EncircleText
import EncircleTree

/// Reads the text that UIKit's `-[UIView recursiveDescription]` prints.
///
/// There is one view per line, with `   | ` in front for each level of nesting:
///
///     <UIWindow: 0x7f8b; frame = (0 0; 375 667); gestureRecognizers = <NSArray: 0x6000>; layer = <UIWindowLayer: 0x6001>>
///        | <ShopLabel: 0x7f8c; baseClass = UILabel; frame = (16 80; 200 20); text = 'What's new'; layer = <CALayer: 0x6002>>
///
/// In copied dumps the pointers may be missing, and comment marks and quotes may stand in front of lines. Lines that end in
/// `(layer)` are no views. Lines of other text may stand before the first view, behind the last one and between windows.
struct RecursiveDescriptionReader {
  private typealias Failure = ViewDescriptionScanner.Failure

  private let text: UnsafeBufferPointer<UInt8>
  private let limits: CaptureLimits
  private var builder = ViewTree.Builder(format: .recursiveDescription)
  private var scanner: ViewDescriptionScanner
  // The depths of the open elements, as their lines give them. A depth is missing where a layer stands between views.
  private var openDepths: [Int] = []
  private var lastDepth: Int?
  // The depth of the last view without a superview. It is not 0 if the text begins inside a window.
  private var rootDepth: Int?
  // The first line since the last view that is neither a view nor empty.
  private var otherLine: Int?

  private init(_ text: UnsafeBufferPointer<UInt8>, limits: CaptureLimits) {
    self.text = text
    self.limits = limits
    scanner = ViewDescriptionScanner(text, limits: limits)
  }

  /// Reads a dump in UTF-8.
  ///
  /// - Parameter start: The offset of the first view.
  /// - Complexity: O(bytes).
  static func parse(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, limits: CaptureLimits
  ) throws(CaptureError) -> ViewTree {
    if let offset = TextEncoding.firstInvalidUTF8(in: text) {
      throw CaptureError(.badEncoding("UTF-8"), at: SourceLocation(of: offset, in: text))
    }
    if let offset = text.firstIndex(of: 0) {
      throw CaptureError(.nulByte, at: SourceLocation(of: offset, in: text))
    }
    let escaped = EscapedText(text, firstView: start)
    do throws(Failure) {
      guard let escaped else { return try read(text, limits) }
      return try escaped.bytes.withUnsafeBufferPointer { text throws(Failure) in try read(text, limits) }
    } catch {
      let offset = escaped == nil ? error.offset : EscapedText.originalOffset(of: error.offset, in: text)
      throw CaptureError(error.kind, at: SourceLocation(of: offset, in: text))
    }
  }

  private static func read(
    _ text: UnsafeBufferPointer<UInt8>, _ limits: CaptureLimits
  ) throws(Failure) -> ViewTree {
    var reader = RecursiveDescriptionReader(text, limits: limits)
    try reader.readLines()
    guard reader.builder.count > 0 else { throw Failure(kind: .noElements, offset: 0) }
    return reader.builder.finish()
  }

  // MARK: - Lines

  private mutating func readLines() throws(Failure) {
    var start = 0
    while start < text.count {
      if let (depth, place) = view(inLineAt: start) {
        start = try readView(at: place, depth: depth)
      } else {
        let end = text[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.count
        try skipLine(start..<end)
        start = end
      }
      // The line break.
      start += 1
    }
  }

  /// Returns the depth of the view in a line and the offset of its `<`; nil if there is none. What a log adds may stand
  /// before it.
  private func view(inLineAt start: Int) -> (depth: Int, place: Int)? {
    if let (depth, place) = ViewLine.nesting(of: text, at: start),
      ViewLine.isHead(text, at: place, allowsBareName: true)
    {
      return (depth, place)
    }
    var i = start
    while i < text.count, text[i] != 0x0A, text[i] != 0x0D {
      if text[i] == UInt8(ascii: "<"), ViewLine.isCertain(text, at: i) {
        // Brackets and bars directly before it belong to it.
        var place = i
        while place > start, text[place - 1] == UInt8(ascii: "<") { place -= 1 }
        var depth = 0
        var mark = place
        while mark > start, ViewLine.isMark(text[mark - 1]) {
          mark -= 1
          if text[mark] == UInt8(ascii: "|") { depth += 1 }
        }
        // A bar before anything else than marks makes the depth uncertain.
        if text[start..<mark].contains(UInt8(ascii: "|")) { return nil }
        return (depth, place)
      }
      i += 1
    }
    return nil
  }

  /// Skips a line that is no view. It may stand where the tree is not broken by it.
  private mutating func skipLine(_ range: Range<Int>) throws(Failure) {
    let line = text.part(range)
    let hasBar = line.contains(UInt8(ascii: "|"))
    if !hasBar, line.allSatisfy({ ViewLine.isMark($0) }) { return }
    // A bar without a view is half of a line.
    if lastDepth != nil, hasBar || line.contains(UInt8(ascii: "<")) {
      throw Failure(kind: .unexpectedLine, offset: range.lowerBound)
    }
    if otherLine == nil { otherLine = range.lowerBound }
  }

  // MARK: - Views

  /// Reads a view.
  ///
  /// - Returns: The offset of the end of its last line.
  private mutating func readView(at start: Int, depth: Int) throws(Failure) -> Int {
    if let lastDepth {
      if let otherLine, depth > 0 { throw Failure(kind: .unexpectedLine, offset: otherLine) }
      if depth > lastDepth + 1 { throw Failure(kind: .missingLevel, offset: start) }
    }
    otherLine = nil
    lastDepth = depth
    let view = try scanner.read(at: start)
    if view.isLayer { return view.end }
    while let open = openDepths.last, open >= depth {
      openDepths.removeLast()
      builder.endElement()
    }
    if openDepths.isEmpty {
      // Views at several depths, whose superviews come before the text, are no siblings.
      if let rootDepth, depth < rootDepth { builder.beginWindowGroup() }
      rootDepth = depth
    }
    guard openDepths.count < limits.depth else { throw Failure(kind: .tooDeep(limit: limits.depth), offset: start) }
    guard builder.count < limits.elements else {
      throw Failure(kind: .tooManyElements(limit: limits.elements), offset: start)
    }
    openDepths.append(depth)
    builder.beginElement(class: text.part(view.className))
    try addFields(of: view)
    if let passed = builder.passedLimit(of: limits, bytes: text.count) { throw Failure(kind: passed, offset: start) }
    return view.end
  }

  private mutating func addFields(of view: ViewDescription) throws(Failure) {
    var count = 0
    var hasFrame = false
    var hasReadableBase = false
    var base = view.innerClass.map { text.part($0) }
    if let inner = base, sameBytes(inner, text.part(view.className)) { base = nil }
    for field in scanner.fields {
      let value = text.part(field.value)
      guard let key = field.key.map({ text.part($0) }) else {
        builder.addAttribute(.text, value)
        count += 1
        continue
      }
      if sameBytes(key, "frame") {
        if !hasFrame { try setFrame(value, at: field.value.lowerBound) }
        hasFrame = true
        continue
      }
      if sameBytes(key, "gestureRecognizers") {
        let kinds = Self.recognizers.filter { Self.find($0.class, in: value) != nil }.map(\.kind.description)
        if !kinds.isEmpty { builder.addAttribute(.gestures, kinds.joined(separator: " ")) }
        continue
      }
      let known = Self.attributes.first { sameBytes(key, $0.0) }?.1
      guard let name = known ?? XMLDialect.privacyAttribute(key) else { continue }
      guard value.count <= limits.attributeBytes else {
        throw Failure(kind: .attributeTooLong(limit: limits.attributeBytes), offset: field.value.lowerBound)
      }
      if name == .superclasses {
        base = nil
        hasReadableBase = Self.isClassName(value)
      }
      builder.addAttribute(name, value)
      count += 1
      guard count <= limits.attributes else {
        throw Failure(kind: .tooManyAttributes(limit: limits.attributes), offset: field.value.lowerBound)
      }
    }
    // A superclass that cannot be read may be that of a field in which people type.
    let line = text.part(view.className.lowerBound..<view.end)
    if !hasReadableBase, Self.find("baseClass", in: line) != nil { builder.addAttribute(.secure, "unknown") }
    // `<Class: <Base: 0x1; …>>` describes a view by what its superclass says of it.
    if let base { builder.addAttribute(.superclasses, base) }
  }

  private mutating func setFrame(_ value: UnsafeBufferPointer<UInt8>, at offset: Int) throws(Failure) {
    switch Self.frame(value) {
    case .frame(let frame): builder.setFrame(frame)
    case .notFinite: break
    case .malformed:
      throw Failure(kind: .badAttribute(name: "frame", expected: "(x y; width height)"), offset: offset)
    }
  }

  private static let attributes: [(StaticString, AttributeName)] = [
    ("baseClass", .superclasses), ("hidden", .hidden), ("alpha", .alpha), ("tag", .tag), ("placeholder", .placeholder),
    ("enabled", .enabled), ("title", .title), ("accessibilityIdentifier", .identifier), ("accessibilityLabel", .label),
  ]

  private static let recognizers: [(class: StaticString, kind: StaticString)] = [
    ("UITapGestureRecognizer", "tap"), ("UILongPressGestureRecognizer", "longPress"),
    ("UIPinchGestureRecognizer", "pinch"), ("UIRotationGestureRecognizer", "rotation"),
    ("UISwipeGestureRecognizer", "swipe"), ("UIPanGestureRecognizer", "pan"),
    ("UIScreenEdgePanGestureRecognizer", "screenEdgePan"),
  ]

  private enum FrameReading {
    case frame(Frame)
    // UIKit prints `inf` for the null rectangle, and `nan` for a frame that was computed wrongly.
    case notFinite
    case malformed
  }

  /// `(x y; width height)`
  private static func frame(_ value: UnsafeBufferPointer<UInt8>) -> FrameReading {
    guard value.first == UInt8(ascii: "("), value.last == UInt8(ascii: ")"), value.count > 2 else { return .malformed }
    let inner = value.part(1..<value.count - 1)
    guard let semicolon = inner.firstIndex(of: UInt8(ascii: ";")) else { return .malformed }
    var origin = WordScanner(inner.part(0..<semicolon))
    var size = WordScanner(inner.part(semicolon + 1..<inner.count))
    guard let x = origin.next(), let y = origin.next(), origin.next() == nil, let width = size.next(),
      let height = size.next(), size.next() == nil
    else { return .malformed }
    let parts = [x, y, width, height]
    let numbers = parts.compactMap { Number.double($0) }
    if numbers.count == 4 {
      return .frame(Frame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
    }
    let special = parts.allSatisfy {
      Number.double($0) != nil || sameBytes($0, "inf") || sameBytes($0, "-inf") || sameBytes($0, "nan")
        || sameBytes($0, "-nan")
    }
    return special ? .notFinite : .malformed
  }

  /// Returns whether a text has only characters that names of classes have.
  private static func isClassName(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    !text.isEmpty
      && text.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
        default: "_.$<>,() ".utf8.contains(byte)
        }
      }
  }

  private static func find(_ literal: StaticString, in text: UnsafeBufferPointer<UInt8>) -> Int? {
    let length = literal.utf8CodeUnitCount
    let first = literal.utf8Start[0]
    var i = 0
    while i + length <= text.count, let next = text[i...].firstIndex(of: first), next + length <= text.count {
      if sameBytes(text.part(next..<next + length), literal) { return next }
      i = next + 1
    }
    return nil
  }
}
