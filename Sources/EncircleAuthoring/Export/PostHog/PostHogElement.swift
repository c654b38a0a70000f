import EncircleIdentity
import EncircleRules
import EncircleText

/// Expresses a selector as the tests of elements in an action of PostHog.
///
/// An action takes an event if any element of its chain matches, from the tapped one up to the root. A tag is compared as a
/// whole; in a selector of several parts, a class also matches classes whose names begin with it.
struct PostHogElement {
  private(set) var element = PostHogAction.Element()
  private(set) var reasons: [PostHogReason] = []

  /// - Throws: The reason why no action can select these elements.
  init(_ selector: ElementSelector) throws(PostHogReason) {
    var steps = selector.steps
    let takesInner = steps.last == .recursiveWildcard
    while steps.last == .recursiveWildcard { steps.removeLast() }
    while steps.first == .recursiveWildcard { steps.removeFirst() }
    guard !steps.isEmpty else { throw PostHogReason(.wildcard, "Its selector takes every element.") }
    if selector.isAnchored, selector.steps.first != .recursiveWildcard {
      reasons.append(PostHogReason(.anchored, .wider, "An action cannot say where the path begins."))
    }
    var parts: [String] = []
    var texts: [UTF8String] = []
    var isJoined = true
    for step in steps {
      guard step != .recursiveWildcard else {
        isJoined = false
        continue
      }
      if !parts.isEmpty { parts.append(isJoined ? " > " : " ") }
      isJoined = true
      parts.append(try Self.part(step, &texts))
    }
    guard parts.count == 1 || !parts.contains("*") else {
      throw PostHogReason(.wildcard, "An action asks for classes and tags by their names.")
    }
    guard texts.count <= 1 else { throw PostHogReason(.texts, "An action asks for one text only.") }
    if let text = texts.first, case .component(_, .texts)? = steps.last {
      element.text = text
    } else if !texts.isEmpty {
      throw PostHogReason(.texts, "An action cannot say which element around it has the text.")
    }
    if !takesInner {
      reasons.append(PostHogReason(.anyElement, .wider, "An action also takes taps on what is inside the element."))
    }
    // If the selector is only a class of an app or a tag, an action can name it without a selector.
    let isTag = parts.count == 1 && Self.isName(parts[0])
    if isTag { element.tag = UTF8String(parts[0]) } else if parts != ["*"] { element.selector = parts.joined() }
    if element.text != nil {
      reasons.append(PostHogReason(.anyElement, .wider, "The text and the class may belong to different elements."))
    }
    if element == PostHogAction.Element() {
      reasons.append(
        PostHogReason(.anyElement, .unsure, "An action for any element also takes events that have no elements."))
    }
    guard element.selector != nil else { return }
    reasons.append(
      PostHogReason(.classPrefix, .wider, "In a selector, a class also matches classes whose names begin with it."))
    if parts.count > 1 {
      reasons.append(
        PostHogReason(
          .selectorCompiler, .unsure,
          "An older version of PostHog reads a space between two parts as >, and takes nothing if others are between."))
    }
  }

  /// Returns a step as a CSS selector; adds the texts that it tests.
  private static func part(
    _ step: ElementSelector.Step, _ texts: inout [UTF8String]
  ) throws(PostHogReason) -> String {
    guard case .component(let pattern, let locator) = step else { return "" }
    var text: String
    switch pattern {
    case .name(let name):
      guard isName(name.text) else {
        throw PostHogReason(.unsupportedCSS, "PostHog may not read the name \(name) in a selector.")
      }
      text = name.text
    case .any: text = ""
    case .glob, .kindOf: throw PostHogReason(.wildcard, "An action asks for a class by its whole name: \(step).")
    }
    switch locator {
    case nil, .some(.none): break
    case .index, .fields: throw PostHogReason(.position, "Chains of PostHog have no indexes and rows: \(step).")
    case .texts(let tests):
      for test in tests {
        guard !test.text.text.isEmpty else { throw PostHogReason(.texts, "An action cannot ask for no text.") }
        switch test.field {
        case .text: texts.append(test.text)
        case .id: text += try attribute("id", test.text)
        }
      }
    case .conditions(let tests): for test in tests { text += try condition(test) }
    }
    return text.isEmpty ? "*" : text
  }

  private static func condition(_ test: ElementSelector.PageTest) throws(PostHogReason) -> String {
    switch test {
    // PostHog has not always read `#id`, so the attribute is tested instead.
    case .id(let id): return try attribute("id", id)
    case .hasClass(let name):
      guard isName(name.text) else {
        throw PostHogReason(.unsupportedCSS, "PostHog may not read the name \(name) in a selector.")
      }
      return "." + name.text
    case .hasAttribute(let name):
      throw PostHogReason(.unsupportedCSS, "PostHog asks for the value of an attribute: \(name).")
    case .attribute(let name, let value): return try attribute(name, value)
    case .nthOfType, .nthChild: return test.description
    }
  }

  private static func attribute(_ name: UTF8String, _ value: UTF8String) throws(PostHogReason) -> String {
    let isPlain = !value.text.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
    guard isName(name.text), isPlain else {
      throw PostHogReason(.unsupportedCSS, "PostHog may not read the value of \(name) in a selector.")
    }
    return "[\(name)=\"\(value)\"]"
  }

  /// Returns whether a text is a name without signs that mean something in CSS.
  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !isDigit(first) else { return false }
    return text.utf8.allSatisfy(CSSText.isNameByte)
  }
}
