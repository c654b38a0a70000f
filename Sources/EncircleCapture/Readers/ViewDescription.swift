import EncircleText

/// The parts of one view's description, as ranges of the text.
///
///     <ShopLabel: 0x7f8c; baseClass = UILabel; frame = (16 80; 200 20); text = 'What's new'; layer = <CALayer: 0x2>>
///
/// A class whose description wraps its superclass's prints `<<Class: 0x1; …> …>` or `<Class: <Base: 0x1; …>>`.
struct ViewDescription {
  /// The class of the view.
  var className: Range<Int>
  /// The class in a description that is wrapped in another one.
  var innerClass: Range<Int>?
  /// The offset behind the `>` that ends the description.
  var end: Int
  /// This is true if the description is of a layer rather than a view.
  var isLayer = false

  /// Returns the address of the view, or nil if the text does not give it.
  func address(in text: UnsafeBufferPointer<UInt8>) -> UInt64? {
    // The outer description of two may have none.
    for name in [className, innerClass] {
      guard let end = name?.upperBound, ViewLine.isPointer(text, at: end) else { continue }
      var i = end + 4
      while i < text.count, i - end < 24, Hexadecimal.value(of: text[i]) != nil { i += 1 }
      return ControllerLine.address(text.part(end + 2..<i))
    }
    return nil
  }
}

/// Reads one description after the other out of a text.
struct ViewDescriptionScanner {
  /// A problem at an offset of the text.
  struct Failure: Error {
    let kind: CaptureError.Kind
    let offset: Int
  }

  /// A field of a view: its key, or nil for the text in quotes, and its value.
  struct Field {
    let key: Range<Int>?
    let value: Range<Int>
  }

  private let text: UnsafeBufferPointer<UInt8>
  private let limits: CaptureLimits
  /// The fields of the view read last. They include those that no reader knows.
  private(set) var fields: [Field] = []
  private var i = 0
  // The number of open descriptions: more than one if one wraps another.
  private var levels = 0

  static let textKey: StaticString = "text = '"

  init(_ text: UnsafeBufferPointer<UInt8>, limits: CaptureLimits) {
    self.text = text
    self.limits = limits
  }

  /// Reads the description that begins at a `<`, over as many lines as it has.
  ///
  /// - Complexity: O(length).
  mutating func read(at start: Int) throws(Failure) -> ViewDescription {
    fields.removeAll(keepingCapacity: true)
    i = start
    levels = 0
    while i < text.count, text[i] == UInt8(ascii: "<"), i - start < 8 {
      levels += 1
      i += 1
    }
    let className = try readName()
    guard !className.isEmpty else { throw Failure(kind: .missingClass(element: "<"), offset: start) }
    var view = ViewDescription(className: className, end: start)
    while text.part(i..<text.count).starts(withLiteral: ": <"), levels < 8 {
      i += 3
      levels += 1
      let inner = try readName()
      if !inner.isEmpty { view.innerClass = inner }
    }
    try readFields()
    view.end = i
    if text.part(i..<text.count).starts(withLiteral: " (layer)") {
      view.isLayer = true
      i += 8
    }
    try skipRestOfLine()
    view.end = i
    return view
  }

  /// Skips the rest of a view's line: the end of a string, or properties that some of UIKit's classes add, such as
  /// `effect=<UIBlurEffect> style=…` and `collection view layout: <…>`. None of them is a view.
  private mutating func skipRestOfLine() throws(Failure) {
    let start = i
    while i < text.count, ViewLine.isCloser(text[i]) { i += 1 }
    let word = text.part(i..<text.count).prefix { $0 == 0x20 || isLetter($0) }
    let isProperty =
      i > start && !word.isEmpty && i + word.count < text.count
      && (word.last == 0x20
        ? false : text[i + word.count] == UInt8(ascii: "=") || text[i + word.count] == UInt8(ascii: ":"))
    while i < text.count, text[i] != 0x0A, text[i] != 0x0D {
      if !ViewLine.isCloser(text[i]), !isProperty || text[i] == UInt8(ascii: "<") && ViewLine.isCertain(text, at: i) {
        throw Failure(kind: .textAfterView, offset: i)
      }
      i += 1
    }
  }

  /// Reads a class name up to its end.
  private mutating func readName() throws(Failure) -> Range<Int> {
    let start = i
    var brackets = 0
    while i < text.count {
      switch text[i] {
      case 0x0A, 0x0D: throw truncated
      case UInt8(ascii: "="), UInt8(ascii: "'"), UInt8(ascii: "\""):
        // Fields begin before the name has ended. The error does not quote them, because somebody may have typed them.
        throw Failure(kind: .unexpectedLine, offset: start)
      case UInt8(ascii: ";") where brackets == 0:
        if i + 1 == text.count || isWhiteSpace(text[i + 1]) || text[i + 1] == UInt8(ascii: ">") { return start..<i }
      case UInt8(ascii: ":") where brackets == 0:
        // An address or another description follows. An address may have been made unreadable, as in `: 0x…`.
        if i + 1 < text.count, text[i + 1] == 0x20 { return start..<i }
      case UInt8(ascii: "<"): brackets += 1
      case UInt8(ascii: ">"):
        if brackets == 0 { return start..<i }
        brackets -= 1
      default: break
      }
      i += 1
      guard i - start <= ViewLine.maximumNameLength else {
        throw Failure(kind: .nameTooLong(limit: ViewLine.maximumNameLength), offset: start)
      }
    }
    throw truncated
  }

  private var truncated: Failure {
    Failure(kind: .truncated("expected `>` after the view's description"), offset: i)
  }

  /// Reads the `key = value` fields of a view, up to the `>` that closes it.
  private mutating func readFields() throws(Failure) {
    var fieldStart = i
    var brackets = 0
    while i < text.count {
      switch text[i] {
      case UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: ")"), UInt8(ascii: "}"), UInt8(ascii: "]"): brackets = max(0, brackets - 1)
      case UInt8(ascii: ">"):
        if brackets == 0 {
          addField(fieldStart..<i)
          fieldStart = i + 1
          levels -= 1
          if levels == 0 {
            i += 1
            return
          }
        } else {
          brackets -= 1
        }
      case UInt8(ascii: ";") where brackets == 0:
        addField(fieldStart..<i)
        fieldStart = i + 1
      case UInt8(ascii: "'") where brackets == 0:
        let length = Self.textKey.utf8CodeUnitCount
        if i + 1 >= length, sameBytes(text.part(i + 1 - length..<i + 1), Self.textKey) {
          let start = i + 1
          i = start
          try skipText()
          guard i - start <= limits.attributeBytes else {
            throw Failure(kind: .attributeTooLong(limit: limits.attributeBytes), offset: start)
          }
          fields.append(Field(key: nil, value: start..<i))
          fieldStart = i + 1
        }
      case 0x0A, 0x0D: if nextLineIsView { throw truncated }
      default: break
      }
      i += 1
    }
    throw truncated
  }

  // This is true if the line after the break at `i` is another view.
  private var nextLineIsView: Bool {
    guard let (_, start) = ViewLine.nesting(of: text, at: i + 1) else { return false }
    return ViewLine.isHead(text, at: start)
  }

  private mutating func addField(_ range: Range<Int>) {
    let field = text.part(range)
    guard let sign = Self.equalsSign(in: field) ?? Self.scrollColon(in: field) else { return }
    func trimmed(_ range: Range<Int>) -> Range<Int> {
      var range = range
      while let first = range.first, isWhiteSpace(field[first]) { range = first + 1..<range.upperBound }
      while let last = range.last, isWhiteSpace(field[last]) { range = range.lowerBound..<last }
      return range
    }
    func moved(_ inner: Range<Int>) -> Range<Int> {
      range.lowerBound + inner.lowerBound..<range.lowerBound + inner.upperBound
    }
    fields.append(Field(key: moved(trimmed(0..<sign)), value: moved(trimmed(sign + 1..<field.count))))
  }

  /// Returns the offset of the `=` behind the key of a field. The key is a word, so it is the first one.
  private static func equalsSign(in field: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let equals = field.firstIndex(of: UInt8(ascii: "=")), equals > 0, equals + 1 < field.count,
      field[equals - 1] == 0x20, field[equals + 1] == 0x20
    else { return nil }
    return equals
  }

  static let scrollKey: StaticString = "contentOffset"

  /// Returns the offset of the `:` in ` contentOffset: {0, 120}`, which UIKit writes for scroll views instead of `=`.
  private static func scrollColon(in field: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let start = field.firstIndex(where: { !isWhiteSpace($0) }),
      field.part(start..<field.count).starts(withLiteral: scrollKey)
    else { return nil }
    let colon = start + scrollKey.utf8CodeUnitCount
    return colon + 1 < field.count && field[colon] == UInt8(ascii: ":") ? colon : nil
  }

  /// Skips a text up to the quote that ends it: the first one before another field or before the view's end. The text is
  /// not escaped, so it may hold quotes, semicolons and line breaks.
  private mutating func skipText() throws(Failure) {
    while i < text.count {
      switch text[i] {
      case UInt8(ascii: "'"): if endsText(text.part(i + 1..<text.count)) { return }
      case 0x0A, 0x0D: if nextLineIsView { throw truncated }
      default: break
      }
      i += 1
    }
    throw truncated
  }

  /// Returns whether a text ends with the quote before `rest`.
  private func endsText(_ rest: UnsafeBufferPointer<UInt8>) -> Bool {
    if rest.starts(withLiteral: ">") { return true }
    if rest.starts(withLiteral: " >") {
      return rest.count == 2 || rest[2] == 0x0A || rest[2] == 0x0D || rest[2] == UInt8(ascii: ">")
    }
    guard rest.starts(withLiteral: "; ") else { return false }
    let key = rest.part(2..<min(rest.count, 66)).prefix(while: isLetter)
    let behind = rest.part(2 + key.count..<rest.count)
    return !key.isEmpty && (behind.starts(withLiteral: " = ") || behind.starts(withLiteral: ": "))
  }
}
