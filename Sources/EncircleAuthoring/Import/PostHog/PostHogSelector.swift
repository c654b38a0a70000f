import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// A selector of an action. It takes a tap if any element of the chain matches it, so taps inside the element count, too.
///
/// The server compiles it to a regular expression, which its API shows as `selector_regex`. Two generations of it differ:
/// - In the older one, a part with only a tag must be the very next element, whatever the combinator, and anything may follow a
///   part that is joined by `>`.
/// - In the newer one (github.com/PostHog/posthog, pull request 80653), a space means any depth and `>` the direct parent.
struct PostHogSelector {
  /// A selector in the words of rules.
  struct Readable {
    let style: PathStyleName
    let selectors: [String]
  }

  let text: String
  private let expression: String?
  private let pointer: String
  private let refusal: String?
  private let parts: [Part]?

  /// A class or tag, its required id if any, and whether the part before it is its parent.
  private struct Part {
    let name: Substring
    let id: Substring?
    let isChild: Bool
  }

  init(_ text: String, expression: String?, pointer: String) {
    self.text = text
    self.expression = expression.map { "(?s)" + $0 }
    self.pointer = pointer
    refusal = self.expression.flatMap { ImportTests.refusal(of: $0) }
    parts = Self.parts(text)
  }

  /// Returns an expression that matches an element of this tag or class anywhere in the chain.
  static func expression(ofTag tag: String) -> String { "(^|;)\(RegularExpression.quoting(tag))(\\.|$|;|:)" }

  // MARK: - The literal form

  /// The server's own expression; nil if the file does not have it, or if it cannot be used.
  var literal: String? { refusal == nil ? expression : nil }

  var whyNoLiteral: ImportReason {
    if let refusal { return ImportReason(.refusedExpression, .skipped, pointer + "_regex", refusal) }
    return ImportReason(Self.hasUnsupported(text) ? .unsupportedCSS : .selectorGeneration, .skipped, pointer, text)
  }

  var literalReasons: [ImportReason] {
    [ImportReason(.anyElement, .exact, pointer)]
      + (Self.hasUnsupported(text) ? [ImportReason(.unsupportedCSS, .exact, pointer, text)] : [])
  }

  // MARK: - The readable form

  /// The generation of the server's compiler that made the expression.
  private enum Generation { case older, other, unknown }

  private var generation: Generation {
    guard let expression else { return .unknown }
    guard let parts else { return .other }
    return expression.hasSameBytes(as: "(?s)" + Self.olderExpression(parts)) ? .older : .other
  }

  /// Returns the expression that the older compiler makes for names of tags.
  private static func olderExpression(_ parts: [Part]) -> String {
    let end = #"([-_a-zA-Z0-9\.:"= \[\]\(\),]*?)?($|;|:([^;^\s]*(;|$|\s)))"#
    return "(^|;)"
      + parts.reversed().map { RegularExpression.quoting($0.name) + end + ($0.isChild ? ".*" : "") }.joined()
  }

  /// Nil if rules have no words for it.
  var readable: Readable? {
    if let parts, parts.allSatisfy({ Self.isClass($0.name) }) {
      var steps: [ElementSelector.Step] = []
      for (i, part) in parts.enumerated() {
        if i > 0, !part.isChild, generation != .older { steps.append(.recursiveWildcard) }
        let locator = part.id.map { ElementSelector.LocatorPattern.texts([.init(.id, UTF8String(String($0)))]) }
        steps.append(.component(.name(UTF8String(String(part.name))), locator))
      }
      let selector = ElementSelector(isAnchored: false, steps: steps + [.recursiveWildcard]).description
      return ImportTests.isReadable(selector, in: .postHog) ? Readable(style: .postHog, selectors: [selector]) : nil
    }
    // Classes of an app are never tags of a page, whatever the other tests.
    guard !Self.isClass(Substring(text)) else { return nil }
    let selectors = [text, text + " *"]
    let isKnown = selectors.allSatisfy { ImportTests.isReadable($0, in: .postHogWeb) }
    guard !Self.hasUnsupported(text), isKnown else { return nil }
    return Readable(style: .postHogWeb, selectors: selectors)
  }

  var readableReasons: [ImportReason] {
    [
      ImportReason(.anyElement, .exact, pointer),
      ImportReason(.selectorGeneration, .unverified, pointer, text),
    ]
  }

  /// Returns whether a name is a class of an app rather than a tag of a page.
  static func isClass(_ name: Substring) -> Bool {
    guard let first = name.utf8.first else { return false }
    return isUpperCase(first) || first == UInt8(ascii: "_")
  }

  /// Returns the classes of an app that make up a selector, outermost first; nil for any other selector.
  static func classes(_ text: String) -> [String]? {
    guard let parts = parts(text), parts.allSatisfy({ isClass($0.name) }) else { return nil }
    return parts.map { String($0.name) }
  }

  /// Returns the parts of a selector that has nothing but names and ids; nil for any other selector.
  private static func parts(_ text: String) -> [Part]? {
    var parts: [Part] = []
    var isChild = false
    var rest = Substring(text)
    while let byte = rest.utf8.first {
      switch byte {
      case UInt8(ascii: " "): rest = Substring(rest.utf8.dropFirst())
      case UInt8(ascii: ">"):
        if isChild || parts.isEmpty { return nil }
        isChild = true
        rest = Substring(rest.utf8.dropFirst())
      default:
        let name = Substring(rest.utf8.prefix(while: CSSText.isNameByte))
        rest = Substring(rest.utf8.dropFirst(name.utf8.count))
        let id = takeID(&rest)
        let isWhole = [nil, UInt8(ascii: " "), UInt8(ascii: ">")].contains(rest.utf8.first)
        guard !name.isEmpty, isWhole else { return nil }
        parts.append(Part(name: name, id: id, isChild: isChild))
        isChild = false
      }
    }
    return isChild || parts.isEmpty ? nil : parts
  }

  /// Takes `[id="…"]` from the start of a text, and returns the id; nil if the text starts with anything else.
  private static func takeID(_ text: inout Substring) -> Substring? {
    let start = "[id=\""
    guard text.beginsWithBytes(of: start) else { return nil }
    let value = Substring(text.utf8.dropFirst(start.utf8.count))
    guard let end = value.indexOfByte("\""), value[end...].beginsWithBytes(of: "\"]") else { return nil }
    text = Substring(value[end...].utf8.dropFirst("\"]".utf8.count))
    return value[..<end]
  }

  /// Returns whether the server's compilers ignore a part of a selector, or compile it to an expression that matches nothing.
  private static func hasUnsupported(_ text: String) -> Bool {
    let marks = ["^=", "$=", "*=", "~=", "|=", ":not(", ":has(", ":first-child", ":last-child", ",", "+", "~"]
    // Every second part is a value in quotation marks.
    return text.splitBytes(at: "\"", omittingEmptySubsequences: false).enumerated().contains { i, part in
      i.isMultiple(of: 2) && marks.contains { part.containsBytes(of: $0) }
    }
  }
}
