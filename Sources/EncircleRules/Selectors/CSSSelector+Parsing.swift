import EncircleIdentity
import EncircleText

extension ElementSelector {
  /// Reads a selector in the notation of a style, as it is written. In the styles of web pages, a list with commas gives several
  /// selectors. The result is never empty.
  ///
  /// - Complexity: O(length).
  public static func parsing(_ text: String, in style: PathStyleName) throws(SelectorError) -> [ElementSelector] {
    style.isWeb ? try css(parsing: text) : [try ElementSelector(parsing: text)]
  }

  /// Reads a selector as rules of a style write it, and returns the selectors that it stands for. There are several for a list with
  /// commas, and where the style's own notation can be read in several ways.
  ///
  /// - Complexity: O(length).
  public static func reading(_ text: String, in style: PathStyleName) throws(SelectorError) -> [ElementSelector] {
    try parsing(text, in: style).flatMap { $0.read(in: style) }
  }

  /// Returns whether a rule of this style can contain the selector as it is printed: reading it in the style gives this selector
  /// again, and the selector can match paths of the style. The style's own notation might give a name another meaning.
  package func isReadAsWritten(in style: PathStyleName) -> Bool {
    (try? Self.reading(description, in: style)) == read(in: style) && unreadableStep(in: style) == nil
  }

  /// Reads selectors in the subset of CSS that rules for web pages may use.
  ///
  ///     list     = selector *( "," selector )
  ///     selector = compound *( ( ">" / white space ) compound )
  ///     compound = ( tag / "*" / test ) *test
  ///     test     = "#" name / "." name / "[" name [ "=" value ] "]" / ":nth-of-type(" N ")" / ":nth-child(" N ")"
  ///     value    = name / a text between `"` or `'`
  ///
  /// In names and values, `\` escapes a character that would end them, or precedes the hexadecimal number of a character.
  ///
  /// - Complexity: O(length).
  public static func css(parsing text: String) throws(SelectorError) -> [ElementSelector] {
    var parser = CSSParser(text)
    return try parser.parseList()
  }
}

/// A construct outside the subset of CSS that rules may use, with a replacement.
public struct CSSProblem: Hashable, Sendable {
  /// The problem in words.
  public let message: String
  /// A replacement for the whole selector that probably has the intended meaning.
  public let suggestion: String?
}

/// A parser with a function for each production of the grammar; none of them recurses, as the grammar nests nothing.
private struct CSSParser {
  private let text: String
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  private typealias Step = ElementSelector.Step
  private typealias PageTest = ElementSelector.PageTest

  // list = selector *( "," selector )
  mutating func parseList() throws(SelectorError) -> [ElementSelector] {
    guard bytes.count <= ElementSelector.maximumLength else {
      throw SelectorError(kind: .tooLong(limit: ElementSelector.maximumLength), offset: 0, text: text)
    }
    skipSpace()
    guard position < bytes.count else { throw error("expected a selector, such as #cart button.buy[data-sku]") }
    var selectors: [ElementSelector] = []
    while true {
      selectors.append(try parseSelector())
      guard take(",") else { break }
      skipSpace()
      guard position < bytes.count else { throw error("expected another selector after ','") }
    }
    guard position == bytes.count else { throw unexpected() }
    return selectors
  }

  // selector = compound *( ( ">" / white space ) compound )
  private mutating func parseSelector() throws(SelectorError) -> ElementSelector {
    var steps: [Step] = []
    if position < bytes.count, bytes[position] == UInt8(ascii: ">") {
      throw error("expected an element before '>'")
    }
    while true {
      steps.append(try parseCompound())
      let hadSpace = skipSpace()
      guard position < bytes.count, bytes[position] != UInt8(ascii: ",") else { break }
      if take(">") {
        skipSpace()
        guard position < bytes.count else { throw error("expected an element after '>'") }
      } else if hadSpace, !isOne(of: "+~|/)]") {
        steps.append(.recursiveWildcard)
      } else {
        throw unexpected()
      }
    }
    return ElementSelector(isAnchored: false, steps: steps, isCSS: true)
  }

  // compound = ( tag / "*" / test ) *test
  private mutating func parseCompound() throws(SelectorError) -> Step {
    let start = position
    var pattern = ElementSelector.ClassPattern.any
    if !take("*") {
      let tag = try parseName()
      if !tag.isEmpty { pattern = .name(UTF8String(String(decoding: tag.map(lowercased), as: UTF8.self))) }
    }
    var tests: [PageTest] = []
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "#"):
        position += 1
        tests.append(.id(try parseName("an ID after '#'")))
      case UInt8(ascii: "."):
        position += 1
        tests.append(.hasClass(try parseName("a class after '.'")))
      case UInt8(ascii: "["): tests.append(try parseAttribute())
      case UInt8(ascii: ":"): tests.append(try parsePseudoClass())
      default:
        guard position > start else { throw unexpected() }
        return .component(pattern, tests.isEmpty ? nil : .conditions(tests))
      }
    }
    guard position > start else { throw unexpected() }
    return .component(pattern, tests.isEmpty ? nil : .conditions(tests))
  }

  // "[" name [ "=" value ] "]"
  private mutating func parseAttribute() throws(SelectorError) -> PageTest {
    let start = position
    position += 1
    skipSpace()
    let name = try parseName("the name of an attribute after '['")
    skipSpace()
    if take("]") { return .hasAttribute(name) }
    if isOne(of: "~^$*|"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "=") {
      let cure =
        bytes[position] == UInt8(ascii: "~") && name == "class" ? "; one of several classes is written '.name'" : ""
      throw error(
        "rules compare attributes as a whole, by '=': a part of one is tested under 'where' if it is a property of events\(cure)"
      )
    }
    guard take("=") else {
      throw error(position < bytes.count ? "expected '=' or ']', found \(found)" : "expected ']'", at: position)
    }
    skipSpace()
    let value: UTF8String
    if isOne(of: "\"'") {
      value = try parseQuoted()
    } else {
      value = try parseName("a value after '='; quote one with characters other than letters, digits, '-' and '_'")
    }
    skipSpace()
    if isOne(of: "iIsS") { throw error("rules compare values by their bytes, without 'i' and 's'") }
    guard take("]") else { throw error("expected ']' for the '[' at column \(start + 1), found \(found)") }
    return .attribute(name, value)
  }

  private mutating func parseQuoted() throws(SelectorError) -> UTF8String {
    let start = position
    let quote = bytes[position]
    position += 1
    var value: [UInt8] = []
    while position < bytes.count, bytes[position] != quote {
      if bytes[position] == UInt8(ascii: "\\") {
        value += try parseEscape()
      } else if bytes[position] == 0 {
        // CSS replaces U+0000 with U+FFFD.
        value += Array("\u{FFFD}".utf8)
        position += 1
      } else {
        value.append(bytes[position])
        position += 1
      }
    }
    guard position < bytes.count else { throw error("expected a closing quote", at: start) }
    position += 1
    return UTF8String(String(decoding: value, as: UTF8.self))
  }

  // ":nth-of-type(" N ")" / ":nth-child(" N ")"
  private mutating func parsePseudoClass() throws(SelectorError) -> PageTest {
    let start = position
    position += 1
    if take(":") { throw error("pseudo-elements are not elements, and no event is about one", at: start) }
    let nameStart = position
    while position < bytes.count, CSSText.isNameByte(bytes[position]), bytes[position] < 0x80 { position += 1 }
    let name = String(decoding: bytes[nameStart..<position].map(lowercased), as: UTF8.self)
    guard name == "nth-of-type" || name == "nth-child" else {
      throw SelectorError(kind: .css(problem(ofPseudoClass: name, start)), offset: start, text: text)
    }
    guard take("(") else { throw error("expected a number, as in :\(name)(2)") }
    skipSpace()
    let digits = position
    while position < bytes.count, isDigit(bytes[position]) { position += 1 }
    let number = Int(String(decoding: bytes[digits..<position], as: UTF8.self)).flatMap { Int32(exactly: $0) }
    skipSpace()
    guard let number, number > 0, take(")") else {
      throw error(
        ":\(name)(…) has one number from 1 on: leave it out for any place, and write several as selectors with ',' between them",
        at: digits)
    }
    return name == "nth-child" ? .nthChild(Int(number)) : .nthOfType(Int(number))
  }

  private func problem(ofPseudoClass name: String, _ start: Int) -> CSSProblem {
    func replaced(_ other: String) -> String {
      String(decoding: bytes[..<start] + Array(other.utf8) + bytes[position...], as: UTF8.self)
    }
    switch name {
    case "first-child":
      return CSSProblem(message: "this is written ':nth-child(1)'", suggestion: replaced(":nth-child(1)"))
    case "first-of-type":
      return CSSProblem(message: "this is written ':nth-of-type(1)'", suggestion: replaced(":nth-of-type(1)"))
    case "not":
      return CSSProblem(message: "write what must not match under 'unless', next to 'include'", suggestion: nil)
    case "has-text", "contains", "text":
      return CSSProblem(
        message:
          "test the text of an element under 'where', as in where: { $element_content: 加入购物车 }; PostHog has it in $el_text",
        suggestion: nil)
    case "has": return CSSProblem(message: "events do not contain what is inside an element", suggestion: nil)
    case "is", "where":
      return CSSProblem(message: "alternatives are whole selectors with ',' between them", suggestion: nil)
    case "last-child", "last-of-type", "only-child", "only-of-type", "nth-last-child", "nth-last-of-type", "empty":
      return CSSProblem(
        message:
          "events do not contain what follows an element: ':nth-child(n)' and ':nth-of-type(n)' count from the first sibling",
        suggestion: nil)
    case "hover", "focus", "active", "visited", "checked", "disabled", "enabled", "focus-within", "link", "root":
      return CSSProblem(message: "events do not say ':\(name)' of an element", suggestion: replaced(""))
    case "":
      return CSSProblem(
        message:
          "expected ':nth-of-type(n)' or ':nth-child(n)' after ':'; in a name '\\' stands before it, as in '\\:'",
        suggestion: escapingColon(start))
    default:
      return CSSProblem(
        message:
          "of pseudo-classes, rules know ':nth-of-type(n)' and ':nth-child(n)'; in a name '\\' stands before ':'",
        suggestion: escapingColon(start))
    }
  }

  /// Returns the whole text with `\` in front of the colon at an offset, if that is a valid selector; else nil.
  private func escapingColon(_ colon: Int) -> String? {
    guard bytes.count <= SelectorError.longestSuggestion, colon > 0 else { return nil }
    let escaped = String(decoding: bytes[..<colon] + [UInt8(ascii: "\\")] + bytes[colon...], as: UTF8.self)
    // The second parser makes no suggestions, so this does not recur for each colon.
    var parser = CSSParser(escaped)
    return (try? parser.parseListWithoutSuggestion()) == nil ? nil : escaped
  }

  private mutating func parseListWithoutSuggestion() throws(SelectorError) -> [ElementSelector] {
    // Parsing another unescaped colon would make a suggestion again, so it is refused here.
    guard
      bytes.indices.allSatisfy({ i in
        bytes[i] != UInt8(ascii: ":") || (i > 0 && bytes[i - 1] == UInt8(ascii: "\\"))
          || bytes[(i + 1)...].starts(with: "nth-of-type(".utf8) || bytes[(i + 1)...].starts(with: "nth-child(".utf8)
      })
    else { throw error("") }
    return try parseList()
  }

  // MARK: - Names

  private mutating func parseName(_ expected: String) throws(SelectorError) -> UTF8String {
    let name = try parseName()
    guard !name.isEmpty else { throw error("expected \(expected), found \(found)") }
    return UTF8String(String(decoding: name, as: UTF8.self))
  }

  /// Reads a name, which may be empty.
  private mutating func parseName() throws(SelectorError) -> [UInt8] {
    var name: [UInt8] = []
    while position < bytes.count {
      if CSSText.isNameByte(bytes[position]) {
        name.append(bytes[position])
        position += 1
      } else if bytes[position] == UInt8(ascii: "\\") {
        name += try parseEscape()
      } else {
        break
      }
    }
    return name
  }

  /// Reads `\` and the sign behind it, or the number of a character with up to six hexadecimal digits.
  private mutating func parseEscape() throws(SelectorError) -> [UInt8] {
    let start = position
    position += 1
    guard position < bytes.count, bytes[position] >= 0x20 else {
      throw error("expected a character after '\\'", at: start)
    }
    var number: UInt32 = 0
    let digits = position
    while position < bytes.count, position - digits < 6, let digit = Hexadecimal.value(of: bytes[position]) {
      number = number << 4 | UInt32(digit)
      position += 1
    }
    guard position > digits else {
      // The first byte of the escaped character. The bytes that follow it in UTF-8 are name bytes anyway.
      position += 1
      return [bytes[position - 1]]
    }
    if position < bytes.count, bytes[position] == 0x20 { position += 1 }
    guard number > 0, let scalar = Unicode.Scalar(number) else {
      throw error("there is no character with this number", at: start)
    }
    return Array(String(Character(scalar)).utf8)
  }

  // MARK: - Text

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: scalar) else { return false }
    position += 1
    return true
  }

  @discardableResult private mutating func skipSpace() -> Bool {
    let start = position
    while position < bytes.count, isWhiteSpace(bytes[position]) { position += 1 }
    return position > start
  }

  private func isOne(of signs: String) -> Bool { position < bytes.count && signs.utf8.contains(bytes[position]) }

  /// The character at the position, in words for an error.
  private var found: String {
    guard position < bytes.count,
      let first = String(decoding: bytes[position...], as: UTF8.self).unicodeScalars.first
    else { return "the end" }
    return first == " " ? "a space" : "'\(first)'"
  }

  private func error(_ message: String, at offset: Int? = nil, suggestion: String? = nil) -> SelectorError {
    SelectorError(
      kind: .css(CSSProblem(message: message, suggestion: suggestion)), offset: offset ?? position, text: text)
  }

  /// Returns the error for a character that cannot stand at the position.
  private func unexpected() -> SelectorError {
    guard position < bytes.count else { return error("expected an element at the end") }
    switch bytes[position] {
    case UInt8(ascii: "+"), UInt8(ascii: "~"):
      return error(
        "events do not contain the siblings of an element: name the parent, '>' and ':nth-of-type(n)' or ':nth-child(n)'"
      )
    case UInt8(ascii: "/"):
      return error(
        "selectors of web pages are CSS: write '>' between a parent and its child, and a space before an element at any depth",
        suggestion: slashes)
    case UInt8(ascii: "("):
      return error("write a place as ':nth-of-type(n)', counted from 1")
    case UInt8(ascii: "|"): return error("rules do not support namespaces: write only the tag")
    case UInt8(ascii: ","): return error("expected a selector in front of ','")
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return error("a text between quotes is the value of an attribute, as in [name=\"…\"]")
    default: return error("expected a tag, '*', '#', '.', '[', ':', '>' or ',', found \(found)")
    }
  }

  /// The CSS selector that a text with `/` between its steps probably means.
  private var slashes: String? {
    guard bytes.count <= SelectorError.longestSuggestion else { return nil }
    let written = text.splitBytes(at: "/").joined(separator: " > ").replacingBytes(of: " > ** > ", with: " ")
      .replacingBytes(
        of: "** > ", with: "")
    // The text has no `/` any more, so this does not recurse.
    var parser = CSSParser(written)
    return (try? parser.parseList()) == nil ? nil : written
  }
}
