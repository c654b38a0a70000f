import EncircleText

/// Reads the fields of an element in XCTest's `debugDescription`, which follow its address:
///
///     , {{20.0, 59.0}, {55.0, 40.0}}, identifier: 'menu', label: 'What's new', value: 1, Selected
///
/// Texts are not escaped, so they may hold quotes, commas and line breaks. A value has quotes in some versions.
struct XCUIFieldScanner {
  typealias Failure = ViewDescriptionScanner.Failure

  /// The texts of an element, by the names of their fields.
  enum Key: CaseIterable {
    case identifier, label, title, placeholder, value, other

    /// The name with the `:` behind it; nil for a text that has no name.
    var name: StaticString? {
      switch self {
      case .identifier: "identifier: "
      case .label: "label: "
      case .title: "title: "
      case .placeholder: "placeholderValue: "
      case .value: "value: "
      case .other: nil
      }
    }
  }

  /// A field of an element.
  enum Field {
    case frame(Range<Int>)
    case text(Key, Range<Int>)
    case selected
    case disabled
  }

  private static let states: [StaticString] = [
    "Selected", "Disabled", "Keyboard Focused", "Focused", "Main Window", "Highlighted", "Hittable",
  ]
  private static let numbers: [StaticString] = ["traits: ", "pid: "]

  private let text: UnsafeBufferPointer<UInt8>
  private let limits: CaptureLimits
  /// The fields of the element read last.
  private(set) var fields: [Field] = []
  /// This is true if the last field is a value without quotes, which may continue in the next lines.
  private(set) var endsInValue = false
  private var i = 0
  // The end of a line in which no further quote ends a value. Such a line is searched once, however many values it has.
  private var unquotedEnd = 0

  init(_ text: UnsafeBufferPointer<UInt8>, limits: CaptureLimits) {
    self.text = text
    self.limits = limits
  }

  /// Reads the fields of an element.
  ///
  /// - Parameter start: The offset behind the address.
  /// - Returns: The offset of the end of the line, or of the last one if a text has several.
  /// - Complexity: O(bytes read).
  mutating func read(at start: Int) throws(Failure) -> Int {
    fields.removeAll(keepingCapacity: true)
    endsInValue = false
    i = start
    while !isAtLineEnd(i) {
      if text[i] == 0x20 || text[i] == UInt8(ascii: ",") {
        i += 1
      } else if starts("{{") {
        try readFrame()
      } else if let key = Key.allCases.first(where: { $0.name.map(starts) ?? false }) {
        i += key.name?.utf8CodeUnitCount ?? 0
        try readText(key)
      } else if starts("Selected") {
        fields.append(.selected)
        skipWord()
      } else if starts("Disabled") {
        fields.append(.disabled)
        skipWord()
      } else {
        // Any other field ends with the line or at the next field.
        let fieldStart = i
        repeat { i += 1 } while !isAtLineEnd(i) && !isFieldStart(i)
        try refuseElement(in: fieldStart..<i)
      }
      guard fields.count <= limits.attributes else {
        throw Failure(kind: .tooManyAttributes(limit: limits.attributes), offset: start)
      }
    }
    return i
  }

  private func starts(_ literal: StaticString) -> Bool { text.part(i..<text.count).starts(withLiteral: literal) }

  private func isAtLineEnd(_ place: Int) -> Bool {
    place >= text.count || text[place] == 0x0A || text[place] == 0x0D
  }

  private mutating func skipWord() {
    while i < text.count, isLetter(text[i]) { i += 1 }
  }

  private mutating func readFrame() throws(Failure) {
    let start = i
    while !isAtLineEnd(i), !starts("}}") { i += 1 }
    guard starts("}}") else {
      throw Failure(kind: .badAttribute(name: "frame", expected: "{{x, y}, {width, height}}"), offset: start)
    }
    i += 2
    fields.append(.frame(start..<i))
  }

  private mutating func readText(_ key: Key) throws(Failure) {
    let start = i
    let range: Range<Int>
    if i < text.count, text[i] == UInt8(ascii: "'"), let end = quotedEnd(from: i + 1, isOneLine: key == .value) {
      range = i + 1..<end
      i = end + 1
    } else if key == .value || i >= text.count || text[i] != UInt8(ascii: "'") {
      while !isAtLineEnd(i), !isFieldStart(i) { i += 1 }
      range = start..<i
      endsInValue = isAtLineEnd(i)
    } else {
      throw Failure(kind: .truncated("expected `'` after a text"), offset: start)
    }
    guard range.count <= limits.attributeBytes else {
      throw Failure(kind: .attributeTooLong(limit: limits.attributeBytes), offset: start)
    }
    try refuseElement(in: range)
    fields.append(.text(key, range))
  }

  /// Throws an error if a text contains an element: a line break or a quote is lost then, and it is unclear which element the
  /// text belongs to.
  private func refuseElement(in range: Range<Int>) throws(Failure) {
    if let inner = XCUILine.inner(in: text.part(range)) {
      throw Failure(kind: .notOneElement, offset: range.lowerBound + inner)
    }
  }

  /// Returns the offset of the quote that ends a text: the first one before another field or the end of a line. nil if the
  /// next element comes before.
  private mutating func quotedEnd(from start: Int, isOneLine: Bool) -> Int? {
    if isOneLine, start <= unquotedEnd { return nil }
    var place = start
    search: while place < text.count {
      switch text[place] {
      case UInt8(ascii: "'"):
        var next = place + 1
        while next < text.count, text[next] == 0x20 { next += 1 }
        if isAtLineEnd(next) || isFieldStart(place + 1) { return place }
      case 0x0A, 0x0D:
        if isOneLine { break search }
        if XCUILine.head(of: text, at: place + 1) != nil { return nil }
      default: break
      }
      place += 1
    }
    if isOneLine { unquotedEnd = place }
    return nil
  }

  /// Returns whether a field begins behind `, ` at a place.
  private func isFieldStart(_ place: Int) -> Bool {
    let rest = text.part(place..<text.count)
    guard rest.starts(withLiteral: ", ") else { return false }
    let field = rest.part(2..<rest.count)
    if field.starts(withLiteral: "{{") { return true }
    if Key.allCases.contains(where: { $0.name.map(field.starts(withLiteral:)) ?? false }) { return true }
    if Self.numbers.contains(where: { field.starts(withLiteral: $0) }) { return true }
    return Self.states.contains {
      guard field.starts(withLiteral: $0) else { return false }
      let end = place + 2 + $0.utf8CodeUnitCount
      return isAtLineEnd(end) || text[end] == UInt8(ascii: ",")
    }
  }
}
