import EncircleText

extension ElementSelector {
  /// The longest selector, in bytes.
  public static let maximumLength = 1 << 16

  /// Reads a selector.
  ///
  ///     selector = [ "/" ] step *( "/" step )
  ///     step     = "**" / class [ "(" locator ")" ]
  ///
  /// - Complexity: O(length).
  public init(parsing text: String) throws(SelectorError) {
    self = try SelectorSyntax(parsing: text).selector
  }

  /// Parses a selector whose class names share their storage with other selectors, which saves memory with many rules.
  ///
  /// - Complexity: O(length).
  public init(parsing text: String, names: UTF8StringPool) throws(SelectorError) {
    var parser = SelectorParser(text, names)
    self = try parser.parseSelector().0
  }
}

/// A selector with the places of its parts in the text that it was read from.
public struct SelectorSyntax: Hashable, Sendable {
  /// The text that the selector was read from.
  public let text: String
  /// The selector.
  public let selector: ElementSelector
  /// The UTF-8 byte ranges of the steps.
  public let stepSpans: [Range<Int>]
  /// The UTF-8 byte ranges of the class names in the steps, with their quotes but without the `:` of a kind-of pattern. For a
  /// step `**`, the range of the whole step.
  public let classSpans: [Range<Int>]

  /// Reads a selector.
  ///
  /// - Complexity: O(length).
  public init(parsing text: String) throws(SelectorError) {
    self.text = text
    var parser = SelectorParser(text)
    let spans: [StepSpan]
    (selector, spans) = try parser.parseSelector()
    stepSpans = spans.map(\.step)
    classSpans = spans.map(\.className)
  }
}

/// The UTF-8 byte ranges of a step and of its class name.
private struct StepSpan {
  let step: Range<Int>
  let className: Range<Int>
}

/// A parser with a function for each production of the grammar; none of them recurses, as the grammar nests nothing.
private struct SelectorParser {
  private let bytes: [UInt8]
  private let names: UTF8StringPool?
  private var position = 0

  init(_ text: String, _ names: UTF8StringPool? = nil) {
    bytes = Array(text.utf8)
    self.names = names
  }

  // selector = [ "/" ] step *( "/" step )
  mutating func parseSelector() throws(SelectorError) -> (ElementSelector, [StepSpan]) {
    guard bytes.count <= ElementSelector.maximumLength else {
      throw error(.tooLong(limit: ElementSelector.maximumLength), at: 0)
    }
    guard !bytes.isEmpty else { throw error(.empty, at: 0) }
    let isAnchored = take("/")
    var steps: [ElementSelector.Step] = []
    var spans: [StepSpan] = []
    var count = 1
    for byte in bytes where byte == UInt8(ascii: "/") { count += 1 }
    steps.reserveCapacity(count)
    spans.reserveCapacity(count)
    repeat {
      let start = position
      guard position < bytes.count else { throw error(.expectedStep) }
      let (step, className) = try parseStep()
      steps.append(step)
      spans.append(StepSpan(step: start..<position, className: className))
    } while take("/")
    guard position == bytes.count else {
      throw error(underscoredPath.map { .underscores(path: $0) } ?? .expectedSlash(found: found))
    }
    return (ElementSelector(isAnchored: isAnchored, steps: steps), spans)
  }

  // step = "**" / class [ "(" locator ")" ]
  private mutating func parseStep() throws(SelectorError) -> (ElementSelector.Step, className: Range<Int>) {
    let start = position
    let pattern = try parseClass()
    if position - start == 2, bytes[start] == UInt8(ascii: "*"), bytes[start + 1] == UInt8(ascii: "*") {
      return (.recursiveWildcard, start..<position)
    }
    let className = (bytes[start] == UInt8(ascii: ":") ? start + 1 : start)..<position
    guard take("(") else { return (.component(pattern, nil), className) }
    if take(")") { return (.component(pattern, LocatorPattern.none), className) }
    let locator = try parseLocator()
    guard take(")") else {
      if let range = rangeInOtherWords { throw error(.otherRange(range)) }
      throw error(.unclosedParenthesis(found: found))
    }
    return (.component(pattern, locator), className)
  }

  /// The whole text with `/` in place of each `_` behind a parenthesis, as paths are written in events; nil if that is no
  /// selector either.
  private var underscoredPath: String? {
    guard position > 0, bytes[position] == UInt8(ascii: "_"), bytes[position - 1] == UInt8(ascii: ")"),
      bytes.count <= SelectorError.longestSuggestion
    else { return nil }
    var path = bytes
    for i in 1..<path.count where path[i] == UInt8(ascii: "_") && path[i - 1] == UInt8(ascii: ")") {
      path[i] = UInt8(ascii: "/")
    }
    let text = String(decoding: path, as: UTF8.self)
    var parser = SelectorParser(text)
    // The result has no `_` after a parenthesis, so this does not recurse.
    return (try? parser.parseSelector()) == nil ? nil : text
  }

  /// The range around the position in another notation, such as `0-2`, `0..2` or `0~2`, rewritten as selectors have it; else nil.
  private var rangeInOtherWords: String? {
    var start = position
    while start > 0, isDigit(bytes[start - 1]) { start -= 1 }
    var end = position
    while end < bytes.count, !isDigit(bytes[end]), end - position < 4 { end += 1 }
    let separator = text(position..<end)
    guard start < position, ["-", "..", "..<", "~", "–", "—", "-…", "…", ":", " - ", "to"].contains(separator) else {
      return nil
    }
    let upper = end
    while end < bytes.count, isDigit(bytes[end]) { end += 1 }
    guard upper < end, position - start <= 10, end - upper <= 10 else { return nil }
    return "\(text(start..<position))...\(text(upper..<end))"
  }

  private typealias LocatorPattern = ElementSelector.LocatorPattern

  // class = "*" / 1*( name-character / "*" / "[" *( name-character / ":" ) ) / "'" quoted "'" / ":" name
  private mutating func parseClass() throws(SelectorError) -> ElementSelector.ClassPattern {
    if take(":") {
      if position < bytes.count, bytes[position] == UInt8(ascii: "'") { return .kindOf(try parseQuoted()) }
      let start = position
      while position < bytes.count, Self.isNameCharacter(bytes[position]) { position += 1 }
      guard position > start else { throw error(.expectedClass(found: found)) }
      return .kindOf(name(start..<position))
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: "'") { return .name(try parseQuoted()) }
    let start = position
    var stars = 0
    // Brackets may have a colon, as HubbleData's SDK for Android writes `[group:1]`.
    var isInBrackets = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "*") {
        stars += 1
      } else if !Self.isNameCharacter(byte), !(isInBrackets && byte == UInt8(ascii: ":")) {
        break
      }
      if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") { isInBrackets = byte == UInt8(ascii: "[") }
      position += 1
    }
    guard position > start else { throw error(.expectedClass(found: found)) }
    if stars == 0 { return .name(name(start..<position)) }
    return stars == position - start ? .any : .glob(name(start..<position))
  }

  // quoted = "'" 1*( any character but "'" / "''" ) "'"
  private mutating func parseQuoted(mayBeEmpty: Bool = false) throws(SelectorError) -> UTF8String {
    let start = position
    position += 1
    var text: [UInt8] = []
    while true {
      guard position < bytes.count else { throw error(.unclosedQuote, at: start) }
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "'"), !take("'") { break }
      text.append(byte)
    }
    guard mayBeEmpty || !text.isEmpty else { throw error(.emptyQuotes, at: start) }
    return UTF8String(String(decoding: text, as: UTF8.self))
  }

  // locator = test / field ":" test *( " " field ":" test ) / text-field ":" text *( " " text-field ":" text )
  private mutating func parseLocator() throws(SelectorError) -> LocatorPattern {
    guard position < bytes.count, isLetter(bytes[position]) else {
      guard position < bytes.count, Self.beginsTest(bytes[position]) else {
        throw error(.expectedLocator(found: found))
      }
      return .index(try parseTest(from: 0))
    }
    var tests: [ElementSelector.FieldTest] = []
    repeat {
      let start = position
      while position < bytes.count, isLetter(bytes[position]) { position += 1 }
      let word = text(start..<position)
      if ElementSelector.TextField(rawValue: word) != nil {
        if let other = tests.first { throw error(.mixedFields(other.field.rawValue, word), at: start) }
        position = start
        return try parseTexts()
      }
      guard let field = ElementSelector.Field(rawValue: word) else {
        throw error(word.isEmpty ? .expectedLocator(found: found) : .unknownField(word), at: start)
      }
      guard !tests.contains(where: { $0.field == field }) else { throw error(.repeatedField(field), at: start) }
      if let other = tests.first(where: { !Self.goTogether($0.field, field) }) {
        throw error(.conflictingFields(other.field, field), at: start)
      }
      guard take(":") else { throw error(.expectedColon(field: word, found: found)) }
      let least = field == .indexx || field == .indexy ? Int.min : 0
      tests.append(ElementSelector.FieldTest(field, try parseTest(from: least)))
    } while take(" ")
    return .fields(tests)
  }

  // text-field ":" text *( " " text-field ":" text )
  // text       = 1*name-character / "'" *( any character but "'" / "''" ) "'"
  private mutating func parseTexts() throws(SelectorError) -> LocatorPattern {
    var tests: [ElementSelector.TextTest] = []
    repeat {
      let start = position
      while position < bytes.count, isLetter(bytes[position]) { position += 1 }
      let word = text(start..<position)
      guard let field = ElementSelector.TextField(rawValue: word) else {
        let isNumber = ElementSelector.Field(rawValue: word) != nil
        throw error(isNumber ? .mixedFields(tests[0].field.rawValue, word) : .unknownField(word), at: start)
      }
      guard !tests.contains(where: { $0.field == field }) else { throw error(.repeatedText(field), at: start) }
      guard take(":") else { throw error(.expectedColon(field: word, found: found)) }
      if position < bytes.count, bytes[position] == UInt8(ascii: "'") {
        tests.append(ElementSelector.TextTest(field, try parseQuoted(mayBeEmpty: true)))
        continue
      }
      let value = position
      while position < bytes.count, Self.isNameCharacter(bytes[position]) { position += 1 }
      guard position > value else { throw error(.expectedText(field: word, found: found)) }
      tests.append(ElementSelector.TextTest(field, name(value..<position)))
    } while take(" ")
    return .texts(tests)
  }

  // The fields of one locator are section and row, section and item, or indexx and indexy.
  private static func goTogether(_ a: ElementSelector.Field, _ b: ElementSelector.Field) -> Bool {
    switch (a, b) {
    case (.section, .row), (.row, .section), (.section, .item), (.item, .section): true
    case (.indexx, .indexy), (.indexy, .indexx): true
    default: false
    }
  }

  // test = "*" / N / N "..." M / N "..." / "..." M / N *( "," N )
  private mutating func parseTest(from least: Int) throws(SelectorError) -> ElementSelector.NumberTest {
    if take("*") { return .any }
    let start = position
    if takeDots() { return .range(lower: nil, upper: try parseNumber(from: least)) }
    let first = try parseNumber(from: least)
    if takeDots() {
      guard position < bytes.count, Self.beginsNumber(bytes[position]) else { return .range(lower: first, upper: nil) }
      let upper = try parseNumber(from: least)
      guard first <= upper else { throw error(.emptyRange(lower: first, upper: upper), at: start) }
      return .range(lower: first, upper: upper)
    }
    guard take(",") else { return .range(lower: first, upper: first) }
    var numbers = [first]
    repeat {
      if position < bytes.count, isLetter(bytes[position]) { throw error(.commaBetweenFields, at: position - 1) }
      numbers.append(try parseNumber(from: least))
    } while take(",")
    return .oneOf(numbers)
  }

  private mutating func parseNumber(from least: Int) throws(SelectorError) -> Int {
    let start = position
    _ = take("-")
    let digits = position
    while position < bytes.count, isDigit(bytes[position]) { position += 1 }
    guard position > digits else {
      position = start
      throw error(.expectedNumber(found: found))
    }
    var number = 0
    for byte in bytes[digits..<position] {
      // The number is built as a negative one, because Int has one more negative number than positive ones.
      let (tens, overflows) = number.multipliedReportingOverflow(by: 10)
      let (next, overflowsToo) = tens.subtractingReportingOverflow(Int(byte - 0x30))
      guard !overflows, !overflowsToo else { throw error(.numberTooLarge, at: start) }
      number = next
    }
    if digits > start {
      guard number >= least else { throw error(.negativeNumber, at: start) }
      return number
    }
    guard number > .min else { throw error(.numberTooLarge, at: start) }
    return -number
  }

  private mutating func takeDots() -> Bool {
    guard position + 3 <= bytes.count else { return false }
    for i in position..<position + 3 where bytes[i] != UInt8(ascii: ".") { return false }
    position += 3
    return true
  }

  // MARK: - Characters

  /// Returns whether a class name may contain a byte without quotes: any but white space, control characters and the
  /// characters of the grammar.
  static func isNameCharacter(_ byte: UInt8) -> Bool {
    byte < 64 ? (special &>> UInt64(byte)) & 1 == 0 : byte != 0x7F
  }

  // A bit for each of the first 64 bytes, set for those that a name may not contain: control characters, white space, and '()*/:.
  // It is a constant because every byte of a selector is looked up.
  private static let special: UInt64 = 0x0400_8781_FFFF_FFFF

  private static func beginsNumber(_ byte: UInt8) -> Bool { isDigit(byte) || byte == UInt8(ascii: "-") }

  private static func beginsTest(_ byte: UInt8) -> Bool {
    beginsNumber(byte) || byte == UInt8(ascii: "*") || byte == UInt8(ascii: ".")
  }

  // MARK: - Text

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: scalar) else { return false }
    position += 1
    return true
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func name(_ range: Range<Int>) -> UTF8String {
    guard let names else { return UTF8String(text(range)) }
    return bytes.withUnsafeBufferPointer { names.name($0.part(range)) }
  }

  /// The character at the position, in words for an error.
  private var found: String {
    guard position < bytes.count else { return "the end" }
    guard let first = String(decoding: bytes[position...], as: UTF8.self).unicodeScalars.first else { return "the end" }
    return first == " " ? "a space" : "'\(first)'"
  }

  private func error(_ kind: SelectorError.Kind, at offset: Int? = nil) -> SelectorError {
    let text = String(decoding: bytes, as: UTF8.self)
    switch kind {
    case .empty, .underscores, .otherRange, .tooLong: break
    default:
      // A text that is not a selector may be one in another tool's notation; then the error reports that instead.
      if let notation = SelectorNotation(of: text),
        notation.selector.map({ (try? ElementSelector(parsing: $0)) != nil }) ?? true
      {
        return SelectorError(kind: .otherNotation(notation), offset: 0, text: text)
      }
    }
    return SelectorError(kind: kind, offset: offset ?? position, text: text)
  }
}

extension UTF8String {
  /// This is true if the name can stand in a selector without quotes.
  var isPlainInSelectors: Bool { text.utf8.allSatisfy(SelectorParser.isNameCharacter) }
}
