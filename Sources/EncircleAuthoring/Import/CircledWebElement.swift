import EncircleIdentity
import EncircleRules
import EncircleText

/// An element of a web page and its surroundings, as the selector of another tool describes them.
package struct CircledWebElement: Sendable {
  /// Tests of one element.
  struct Compound: Sendable {
    /// The tag; nil for any.
    var tag: UTF8String?
    var tests: [ElementSelector.PageTest] = []

    /// The number of tests.
    var count: Int { tests.count + (tag == nil ? 0 : 1) }

    /// Returns the number of tests that an element passes.
    func passed(by facts: WebFacts) -> Int {
      let isTag = tag.map { $0.text.hasSameBytes(as: facts.tag) } ?? false
      return tests.count { $0.matches(facts) } + (isTag ? 1 : 0)
    }
  }

  /// The element.
  private(set) var own = Compound()
  /// Its place among its siblings, as far as the selector has it.
  private(set) var places: [ElementSelector.PageTest] = []
  /// The elements around it that the selector names, the nearest first.
  private(set) var around: [Compound] = []

  /// The maximum number of elements around it that are compared.
  private static let maximumAround = 50

  /// Creates an element with a tag.
  init(tag: String) { own.tag = UTF8String(tag) }

  init(_ selector: ElementSelector) {
    for step in selector.steps.reversed().prefix(2 * Self.maximumAround) {
      guard case .component(let pattern, let locator) = step else { continue }
      var compound = Compound()
      if case .name(let tag) = pattern { compound.tag = tag }
      if case .conditions(let tests)? = locator { compound.tests = tests }
      if own.count == 0, places.isEmpty, around.isEmpty {
        places = compound.tests.filter(\.isPlace)
        compound.tests.removeAll(where: \.isPlace)
        own = compound
      } else if compound.count > 0 {
        around.append(compound)
      }
    }
  }

  /// Adds the tag, if the selector has none.
  mutating func add(tag: String) { own.tag = own.tag ?? UTF8String(tag) }

  /// This is true if the selector tests the id of the element or an attribute that developers set on only one element of a
  /// page.
  var isNamed: Bool {
    own.tests.contains { test in
      switch test {
      case .id: true
      case .attribute(let name, _): !["class", "type", "role", "href"].contains(name.text)
      default: false
      }
    }
  }

  /// This is true if only the tag of the element is known.
  var isTagOnly: Bool { own.tests.isEmpty }

  /// Returns the share of the element's tests that another element passes; nil without tests.
  func likeness(of facts: WebFacts) -> Double? {
    own.count == 0 ? nil : Double(own.passed(by: facts)) / Double(own.count)
  }

  /// Returns the share of the elements around it, and of its places among its siblings, that another element has, too; nil if
  /// the selector names neither.
  ///
  /// - Parameter chain: The other element and those around it, the outermost first.
  /// - Complexity: O(length of the chain × elements around it).
  func likeness(around chain: [WebFacts]) -> Double? {
    guard let facts = chain.last, !around.isEmpty || !places.isEmpty else { return nil }
    var found = Double(places.count { $0.matches(facts) })
    var end = chain.count - 1
    for compound in around {
      guard let place = chain[..<end].lastIndex(where: { compound.passed(by: $0) == compound.count }) else { continue }
      found += 1
      end = place
    }
    return found / Double(around.count + places.count)
  }
}

extension ElementSelector.PageTest {
  /// This is true if the test is about the place among siblings.
  fileprivate var isPlace: Bool {
    switch self {
    case .nthOfType, .nthChild: true
    default: false
    }
  }
}

/// A CSS selector without the parts that the selectors of rules cannot express. It may match more elements than the original,
/// because it only helps to find candidates.
struct LenientSelector {
  /// The selector without unknown parts.
  private(set) var text = ""
  /// The text in `:contains("…")`.
  private(set) var contained: String?
  /// The text in `[href*="…"]`.
  private(set) var href: String?

  /// The selectors that can be read; empty if nothing is left.
  var selectors: [ElementSelector] { (try? ElementSelector.css(parsing: text)) ?? [] }

  init(_ selector: String) {
    var result: [UInt8] = []
    let bytes = Array(selector.utf8)
    var i = 0
    while i < bytes.count {
      switch bytes[i] {
      case UInt8(ascii: "["):
        let end = Self.end(of: bytes, from: i, UInt8(ascii: "["), UInt8(ascii: "]"))
        result += attribute(bytes[i..<end])
        i = end
      case UInt8(ascii: ":"):
        var end = i + 1
        while end < bytes.count, CSSText.isNameByte(bytes[end]) { end += 1 }
        let name = bytes[i..<end]
        if end < bytes.count, bytes[end] == UInt8(ascii: "(") {
          end = Self.end(of: bytes, from: end, UInt8(ascii: "("), UInt8(ascii: ")"))
        }
        if name.elementsEqual(":nth-child".utf8) || name.elementsEqual(":nth-of-type".utf8) {
          result += bytes[i..<end]
        } else if name.elementsEqual(":contains".utf8), end > name.endIndex {
          let inner = bytes[(name.endIndex + 1)..<end]
          contained = contained ?? Self.unquoted(inner.last == UInt8(ascii: ")") ? inner.dropLast() : inner)
        }
        i = end
      case UInt8(ascii: "+"), UInt8(ascii: "~"):
        // Sibling combinators cannot be expressed, so everything in front of one is dropped.
        result.removeSubrange((result.lastIndex(of: UInt8(ascii: ",")).map { $0 + 1 } ?? 0)...)
        i += 1
      default:
        result.append(bytes[i])
        i += 1
      }
    }
    text = String(decoding: result, as: UTF8.self)
  }

  /// Returns the offset behind the bracket that closes the one at `start`; the end if there is none.
  private static func end(of bytes: [UInt8], from start: Int, _ open: UInt8, _ close: UInt8) -> Int {
    var depth = 0
    var quote: UInt8?
    for i in start..<bytes.count {
      let byte = bytes[i]
      if let mark = quote {
        if byte == mark { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == open {
        depth += 1
      } else if byte == close {
        depth -= 1
        if depth == 0 { return i + 1 }
      }
    }
    return bytes.count
  }

  /// Returns the test of an attribute. An operator that rules lack is left out, with its value.
  private mutating func attribute(_ test: ArraySlice<UInt8>) -> [UInt8] {
    let inner = test.dropFirst().dropLast()
    let name = inner.prefix(while: CSSText.isNameByte)
    let rest = inner.dropFirst(name.count)
    guard let sign = rest.first, sign != UInt8(ascii: "="), !name.isEmpty else { return Array(test) }
    if name.elementsEqual("href".utf8), rest.starts(with: "*=".utf8) {
      href = href ?? Self.unquoted(rest.dropFirst(2))
    }
    return [UInt8(ascii: "[")] + name + [UInt8(ascii: "]")]
  }

  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes
    if let first = bytes.first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'"), bytes.last == first,
      bytes.count > 1
    {
      bytes = bytes.dropFirst().dropLast()
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
