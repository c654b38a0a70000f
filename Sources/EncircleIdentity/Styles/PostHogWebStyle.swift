import EncircleText
import EncircleTree

/// `$elements_chain` of PostHog for web pages: `span:nth-child="1"nth-of-type="1"text="购物车";button.btn.cart:attr__class="btn cart"…`.
///
/// The element that was hit comes first, followed by all elements around it up to `body`. The order of the pairs in an entry
/// depends on the language of the visitor's browser, so entries are compared as sets. Here the pairs are written in the order of
/// most languages.
///
/// Source: posthog-js 1.418.10, run unchanged in Chromium over pages; `autocapture-utils.ts`.
public struct PostHogWebStyle: PathStyle {
  public init() {}

  public var name: PathStyleName { .postHogWeb }

  public func unmetRequirement(for screen: IdentifiedTree) -> PathStyleRequirement? {
    screen.web == nil ? .webPage : nil
  }

  public func path(of chain: [PathNode]) -> StyledPath? {
    chain.last?.web.map { $0.elements.postHog.path(of: $0.element) }
  }

  // MARK: - Text

  /// ```
  /// path  = entry *( ";" entry )                               ; the element first
  /// entry = tag *( "." class ) ":" *pair                       ; classes may contain anything but white space and quotes
  /// pair  = key "=" DQUOTE *any DQUOTE                          ; a quote is written \"
  /// ```
  public func write(_ path: StyledPath, to bytes: inout [UInt8]) {
    for (i, component) in path.components.reversed().enumerated() {
      if i > 0 { bytes.append(UInt8(ascii: ";")) }
      Self.write(component, to: &bytes)
    }
  }

  private static func write(_ component: StyledComponent, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: component.className.utf8)
    guard let facts = component.attributes.web else { return bytes.append(UInt8(ascii: ":")) }
    for name in (facts.classes ?? []).sorted(by: { $0.utf16.lexicographicallyPrecedes($1.utf16) }) {
      bytes.append(UInt8(ascii: "."))
      bytes.append(contentsOf: name.utf8.filter { $0 != UInt8(ascii: "\"") })
    }
    bytes.append(UInt8(ascii: ":"))
    var pairs = facts.attributes.map { (key: "attr__" + $0.key.text, value: $0.value) }
    if let text = facts.text, !text.isEmpty { pairs.append(("text", text)) }
    if let number = facts.nthChild { pairs.append(("nth-child", "\(number)")) }
    if let number = facts.nthOfType { pairs.append(("nth-of-type", "\(number)")) }
    if let href = facts.attributes["href"], !href.isEmpty { pairs.append(("href", JSText.prefix(href, 2_048))) }
    if let id = facts.attributes["id"], !id.isEmpty { pairs.append(("attr_id", id)) }
    let sorted = pairs.map { (KeyOrder($0.key), $0) }.sorted { $0.0 < $1.0 }
    for (_, pair) in sorted {
      writeEscaped(pair.key, to: &bytes)
      bytes += [UInt8(ascii: "="), UInt8(ascii: "\"")]
      writeEscaped(pair.value, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
  }

  /// Writes a text with `\"` for each quote. A quote that already has a backslash in front is not escaped again.
  private static func writeEscaped(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\""), bytes.last != UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
    }
  }

  /// The order of keys in most languages: punctuation and symbols, digits, then letters regardless of case.
  private struct KeyOrder: Comparable {
    private let weights: [UInt32]
    private let key: String

    private static let signs = Array("_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$".utf8)

    init(_ key: String) {
      self.key = key
      weights = key.unicodeScalars.map { scalar in
        guard scalar.isASCII else { return 0x1000 + scalar.value }
        let byte = UInt8(scalar.value)
        if let place = Self.signs.firstIndex(of: byte) { return UInt32(place) }
        if isDigit(byte) { return 0x100 + UInt32(byte) }
        return 0x200 + UInt32(lowercased(byte))
      }
    }

    static func < (a: KeyOrder, b: KeyOrder) -> Bool {
      if a.weights != b.weights { return a.weights.lexicographicallyPrecedes(b.weights) }
      // Lower case first.
      return b.key.utf8.lexicographicallyPrecedes(a.key.utf8)
    }

    static func == (a: KeyOrder, b: KeyOrder) -> Bool { UTF8String(a.key) == UTF8String(b.key) }
  }

  // MARK: - Reading

  /// Reads a chain.
  ///
  /// A quote ends a value unless a backslash precedes it. A value that ends with a backslash looks like one with an escaped quote; the
  /// quote counts as the end if a pair, an entry or nothing follows.
  ///
  /// - Complexity: O(length).
  public func read(
    _ text: UnsafeBufferPointer<UInt8>, vocabulary: ClassVocabulary?
  ) throws(PathStyleError) -> [StyledPath] {
    var components = try StyleText.chain(text, entry: Self.readEntry)
    components[components.count - 1].attributes.web?.isHit = true
    return [StyledPath(.postHogWeb, components)]
  }

  private static func readEntry(
    _ text: UnsafeBufferPointer<UInt8>, _ i: inout Int
  ) throws(PathStyleError) -> StyledComponent {
    let start = i
    // The head ends at the `:` that precedes the pairs. Classes may contain a `:` as well.
    var head = i
    var isInClasses = false
    while head < text.count {
      if text[head] == UInt8(ascii: ":"), beginsPair(text, head + 1) { break }
      if text[head] == UInt8(ascii: "\"") || text[head] == UInt8(ascii: ";") && !isInClasses { break }
      if text[head] == UInt8(ascii: ".") { isInClasses = true }
      head += 1
    }
    let hasPairs = head < text.count && text[head] == UInt8(ascii: ":")
    let end = hasPairs ? head : text[start...].firstIndex(of: UInt8(ascii: ";")) ?? text.count
    var name = text.part(start..<end)
    if !hasPairs, name.last == UInt8(ascii: ":") { name = name.part(0..<name.count - 1) }
    let dot = name.firstIndex(of: UInt8(ascii: ".")) ?? name.count
    guard dot > 0 else { throw PathStyleError(.emptyComponent, offset: start) }
    var component = StyledComponent(StyleText.string(name.part(0..<dot)))
    var facts = WebFacts(tag: component.className)
    facts.classes = []
    i = end
    var hasHref: String?
    if hasPairs {
      i += 1
      while i < text.count, text[i] != UInt8(ascii: ";") {
        let (key, value) = try readPair(text, &i)
        switch key {
        case "text": facts.text = value
        case "nth-child": facts.nthChild = Int(value)
        case "nth-of-type": facts.nthOfType = Int(value)
        case "href": hasHref = value
        case "attr_id": facts.id = value
        default:
          if key.utf8.starts(with: "attr__".utf8) { facts.attributes[UTF8String(String(key.dropFirst(6)))] = value }
        }
      }
    }
    if let value = facts.attributes["class"] {
      facts.classes = JSText.words(value)
    } else if dot < name.count {
      // Attributes may be masked; then dots in classes are taken for the ends of classes.
      facts.classes = StyleText.string(name.part(dot + 1..<name.count)).splitBytes(at: ".").map(String.init)
    }
    if facts.id == nil { facts.id = facts.attributes["id"].flatMap { $0.isEmpty ? nil : $0 } }
    if let hasHref, facts.attributes["href"] == nil { facts.attributes["href"] = hasHref }
    component.attributes.web = facts
    return component
  }

  /// Returns whether a key, `=` and a quote stand at an offset.
  ///
  /// - Complexity: O(1): names of attributes are short.
  private static func beginsPair(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
    let rest = text.part(min(start, text.count)..<text.count)
    if keys.contains(where: { rest.starts(withLiteral: $0) }) { return true }
    guard rest.starts(withLiteral: "attr__") else { return false }
    for i in 6..<min(rest.count, longestKey) {
      switch rest[i] {
      case UInt8(ascii: "="): if i + 1 < rest.count, rest[i + 1] == UInt8(ascii: "\"") { return true }
      case UInt8(ascii: "\""), UInt8(ascii: ";"), UInt8(ascii: " "): return false
      default: break
      }
    }
    return false
  }

  private static let longestKey = 1_024
  private static let keys: [StaticString] = ["text=\"", "nth-child=\"", "nth-of-type=\"", "href=\"", "attr_id=\""]

  private static func readPair(
    _ text: UnsafeBufferPointer<UInt8>, _ i: inout Int
  ) throws(PathStyleError) -> (key: String, value: String) {
    let start = i
    var quote: Int?
    var j = i
    while j + 1 < text.count, quote == nil {
      if text[j] == UInt8(ascii: "="), text[j + 1] == UInt8(ascii: "\"") { quote = j + 1 }
      j += 1
    }
    guard let quote, quote - 1 > start else {
      throw PathStyleError(
        .badAttribute(StyleText.string(text.part(start..<min(text.count, start + 40)))), offset: start)
    }
    var value: [UInt8] = []
    j = quote + 1
    while j < text.count {
      if text[j] == UInt8(ascii: "\\"), j + 1 < text.count, text[j + 1] == UInt8(ascii: "\"") {
        // A backslash at the end of a value, rather than an escaped quote.
        if endsValue(text, j + 2) {
          value.append(text[j])
          j += 1
          break
        }
        value.append(UInt8(ascii: "\""))
        j += 2
        continue
      }
      if text[j] == UInt8(ascii: "\"") { break }
      value.append(text[j])
      j += 1
    }
    guard j < text.count else { throw PathStyleError(.unclosedQuote, offset: quote) }
    i = j + 1
    guard i >= text.count || text[i] == UInt8(ascii: ";") || beginsPair(text, i) else {
      throw PathStyleError(.badAttribute(StyleText.string(text.part(i..<min(text.count, i + 40)))), offset: i)
    }
    return (
      StyleText.string(text.part(start..<quote - 1)).replacingBytes(of: "\\\"", with: "\""),
      String(decoding: value, as: UTF8.self)
    )
  }

  /// Returns whether a value can end before an offset: a pair, the next entry or nothing follows.
  private static func endsValue(_ text: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Bool {
    guard offset < text.count else { return true }
    return text[offset] == UInt8(ascii: ";") ? beginsEntry(text, offset + 1) : beginsPair(text, offset)
  }

  /// Returns whether an entry begins at an offset: a letter, and then a `:` behind which a pair begins.
  private static func beginsEntry(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
    guard start < text.count, isLetter(text[start]) else { return false }
    var i = start
    while i < text.count, text[i] != UInt8(ascii: "\"") {
      if text[i] == UInt8(ascii: ":"), beginsPair(text, i + 1) { return true }
      i += 1
    }
    return false
  }
}
