import EncircleText
import EncircleTree

/// Reads the text that UIKit's `-[UIView recursiveDescription]` prints.
///
/// There is one view per line, with `   | ` in front for each level of nesting:
///
///     <UIWindow: 0x7f8b; frame = (0 0; 375 667); gestureRecognizers = <NSArray: 0x6000>; layer = <UIWindowLayer: 0x6001>>
///        | <ShopLabel: 0x7f8c; baseClass = UILabel; frame = (16 80; 200 20); text = 'What's new'; layer = <CALayer: 0x6002>>
///
/// In copied dumps the pointers may be missing, and comment marks and quotes may stand in front of lines. Texts are not
/// escaped, so they may contain quotes, semicolons and line breaks. Lines that end in `(layer)` are no views.
struct RecursiveDescriptionReader {
  private let text: UnsafeBufferPointer<UInt8>
  private let limits: CaptureLimits
  private var builder = ViewTree.Builder(format: .recursiveDescription)
  // The depths of the open elements, as their lines give them. A depth is missing where a layer stands between views.
  private var openDepths: [Int] = []
  private var lastDepth: Int?

  private init(_ text: UnsafeBufferPointer<UInt8>, limits: CaptureLimits) {
    self.text = text
    self.limits = limits
  }

  /// Reads a dump in UTF-8.
  ///
  /// - Complexity: O(bytes).
  static func parse(
    _ text: UnsafeBufferPointer<UInt8>, limits: CaptureLimits
  ) throws(CaptureError) -> ViewTree {
    if let offset = TextEncoding.firstInvalidUTF8(in: text) {
      throw CaptureError(.badEncoding("UTF-8"), at: SourceLocation(of: offset, in: text))
    }
    if let offset = text.firstIndex(of: 0) {
      throw CaptureError(.badEncoding("text (it has a NUL byte)"), at: SourceLocation(of: offset, in: text))
    }
    var reader = RecursiveDescriptionReader(text, limits: limits)
    try reader.readLines()
    guard reader.builder.count > 0 else { throw CaptureError(.noElements) }
    return reader.builder.finish()
  }

  /// Returns whether a line looks like the description of a view, apart from marks of nesting and of copying before its
  /// `<`.
  static func looksLikeView(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let (_, start) = nesting(of: line) else { return false }
    let rest = line.part(start + 1..<line.count)
    return find(": 0x", in: rest) != nil || find("; frame = (", in: rest) != nil || isLayer(line)
  }

  // MARK: - Lines

  private mutating func readLines() throws(CaptureError) {
    var start = 0
    // The last view so far. Lines that are no view belong to it while the text in it has not ended.
    var pending: Range<Int>?
    var isTextOpen = false
    while start < text.count {
      let end = text[start...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) ?? text.count
      let line = text.part(start..<end)
      if Self.nesting(of: line) != nil {
        if let view = pending { try readView(view) }
        pending = start..<end
        isTextOpen = Self.opensText(line)
      } else if let view = pending, isTextOpen {
        pending = view.lowerBound..<end
        // The end of a text never extends over two lines, so earlier lines need not be read again.
        isTextOpen = Self.textEnd(in: line, from: 0) == nil
      } else if !line.allSatisfy({ Self.isMark($0) }) {
        throw CaptureError(.unexpectedLine, at: SourceLocation(of: start, in: text))
      }
      start = end + 1
    }
    if let view = pending { try readView(view) }
  }

  /// Returns the number of `|` before the first `<` of a line, and the offset of that `<`; nil if anything but marks
  /// comes before it.
  private static func nesting(of line: UnsafeBufferPointer<UInt8>) -> (depth: Int, start: Int)? {
    var depth = 0
    for (i, byte) in line.enumerated() {
      if byte == UInt8(ascii: "<") { return (depth, i) }
      if byte == UInt8(ascii: "|") {
        depth += 1
      } else if !isMark(byte) {
        return nil
      }
    }
    return nil
  }

  // Returns whether a byte may stand before a view: white space, or a comment mark or quote from copying.
  private static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0D, UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "#"), UInt8(ascii: "`"),
      UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ">"), UInt8(ascii: "|"):
      true
    default: false
    }
  }

  private static func isLayer(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    let end = line.lastIndex { !isMark($0) } ?? -1
    return line.part(0..<end + 1).ends(withLiteral: "> (layer)")
  }

  /// Returns whether the first line of a view begins a text that it does not end.
  private static func opensText(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = find(textKey, in: line) else { return false }
    return textEnd(in: line, from: start + textKey.utf8CodeUnitCount) == nil
  }

  // MARK: - Views

  private mutating func readView(_ range: Range<Int>) throws(CaptureError) {
    let text = text
    let line = text.part(range)
    guard let (depth, start) = Self.nesting(of: line) else { return }
    func location(_ offset: Int) -> SourceLocation { SourceLocation(of: range.lowerBound + offset, in: text) }

    if let lastDepth, depth > lastDepth + 1 { throw CaptureError(.missingLevel, at: location(start)) }
    lastDepth = depth
    if Self.isLayer(line) { return }
    while let open = openDepths.last, open >= depth {
      openDepths.removeLast()
      builder.endElement()
    }
    guard openDepths.count < limits.depth else {
      throw CaptureError(.tooDeep(limit: limits.depth), at: location(start))
    }
    guard builder.count < limits.elements else {
      throw CaptureError(.tooManyElements(limit: limits.elements), at: location(start))
    }

    let body = line.part(start + 1..<line.count)
    let pointer = Self.find(": 0x", in: body)
    let semicolon = Self.find("; ", in: body)
    let classEnd = min(pointer ?? .max, semicolon ?? .max)
    guard classEnd != .max || body.contains(UInt8(ascii: ">")) else {
      throw CaptureError(.truncated("expected `>` after the view's description"), at: location(line.count))
    }
    let nameEnd = classEnd != .max ? classEnd : body.lastIndex(of: UInt8(ascii: ">")) ?? 0
    guard nameEnd > 0 else { throw CaptureError(.missingClass(element: "<"), at: location(start)) }
    openDepths.append(depth)
    builder.beginElement(class: body.part(0..<nameEnd))
    guard try readFields(body, from: nameEnd, location: { location(start + 1 + $0) }) else {
      throw CaptureError(.truncated("expected `>` after the view's description"), at: location(line.count))
    }
  }

  /// Reads the `key = value` fields of a view, up to the `>` that closes it.
  ///
  /// - Returns: False if there is no such `>`.
  private mutating func readFields(
    _ body: UnsafeBufferPointer<UInt8>, from nameEnd: Int, location: (Int) -> SourceLocation
  ) throws(CaptureError) -> Bool {
    var i = nameEnd
    var fieldStart = nameEnd
    var brackets = 0
    while i < body.count {
      switch body[i] {
      case UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: ")"), UInt8(ascii: "}"), UInt8(ascii: "]"): brackets = max(0, brackets - 1)
      case UInt8(ascii: ">"):
        if brackets == 0 {
          try readField(body, fieldStart..<i, location)
          return true
        }
        brackets -= 1
      case UInt8(ascii: ";") where brackets == 0:
        try readField(body, fieldStart..<i, location)
        fieldStart = i + 1
      case UInt8(ascii: "'") where brackets == 0:
        let key = Self.textKey
        let length = key.utf8CodeUnitCount
        if i + 1 >= length, sameBytes(body.part(i + 1 - length..<i + 1), key) {
          guard let end = Self.textEnd(in: body, from: i + 1) else { return false }
          guard end - (i + 1) <= limits.attributeBytes else {
            throw CaptureError(.attributeTooLong(limit: limits.attributeBytes), at: location(i + 1))
          }
          builder.addAttribute(.text, body.part(i + 1..<end))
          i = end
          fieldStart = end + 1
        }
      default: break
      }
      i += 1
    }
    return false
  }

  private mutating func readField(
    _ body: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ location: (Int) -> SourceLocation
  ) throws(CaptureError) {
    let field = body.part(range)
    guard let equals = Self.find(" = ", in: field) else { return }
    let keyStart = field[..<equals].firstIndex { !isWhiteSpace($0) } ?? equals
    let key = field.part(keyStart..<equals)
    let value = field.part(equals + 3..<field.count)
    guard value.count <= limits.attributeBytes else {
      throw CaptureError(.attributeTooLong(limit: limits.attributeBytes), at: location(range.lowerBound + equals + 3))
    }
    if sameBytes(key, "frame") {
      switch Self.frame(value) {
      case .frame(let frame): builder.setFrame(frame)
      case .notFinite: break
      case .malformed:
        throw CaptureError(
          .badAttribute(name: "frame", expected: "(x y; width height)"), at: location(range.lowerBound + equals + 3))
      }
    } else if sameBytes(key, "baseClass") {
      builder.addAttribute(.superclasses, value)
    } else if sameBytes(key, "gestureRecognizers") {
      let kinds = Self.recognizers.filter { Self.find($0.class, in: value) != nil }.map(\.kind.description)
      if !kinds.isEmpty { builder.addAttribute(.gestures, kinds.joined(separator: " ")) }
    } else if let name = Self.attributes.first(where: { sameBytes(key, $0.0) })?.1 {
      builder.addAttribute(name, value)
    }
  }

  private static let textKey: StaticString = "text = '"

  private static let attributes: [(StaticString, AttributeName)] = [
    ("hidden", .hidden), ("alpha", .alpha), ("tag", .tag), ("placeholder", .placeholder), ("enabled", .enabled),
    ("title", .title), ("secureTextEntry", .secure), ("accessibilityIdentifier", .identifier),
    ("accessibilityLabel", .label),
  ]

  private static let recognizers: [(class: StaticString, kind: StaticString)] = [
    ("UITapGestureRecognizer", "tap"), ("UILongPressGestureRecognizer", "longPress"),
    ("UIPinchGestureRecognizer", "pinch"), ("UIRotationGestureRecognizer", "rotation"),
    ("UISwipeGestureRecognizer", "swipe"), ("UIPanGestureRecognizer", "pan"),
    ("UIScreenEdgePanGestureRecognizer", "screenEdgePan"),
  ]

  /// Returns the offset of the quote that ends a text. It is the first one before another field or before the view's
  /// end.
  private static func textEnd(in body: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var i = start
    while let quote = body[i...].firstIndex(of: UInt8(ascii: "'")) {
      let rest = body.part(quote + 1..<body.count)
      if rest.starts(withLiteral: ">") { return quote }
      if rest.starts(withLiteral: "; ") {
        let key = rest[2...].prefix {
          ($0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z")) || ($0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z"))
        }
        if !key.isEmpty, rest.part(key.endIndex..<rest.count).starts(withLiteral: " = ") { return quote }
      }
      i = quote + 1
    }
    return nil
  }

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
