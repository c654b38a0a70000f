import EncircleText

/// A text in another tool's notation that was given as a selector: an XPath, a CSS selector, an identity.
public struct SelectorNotation: Hashable, Sendable {
  /// A description of the text, and the notation to use instead.
  public let message: String
  /// The intended selector, if the text determines it.
  public let selector: String?
  /// This is true if the text is a selector except for full-width signs.
  package let hasWideSigns: Bool

  private static let longestText = 1_024

  /// Recognises the notation of a text; nil if nothing in it points to another notation.
  ///
  /// A text with quotes may have the name of a class in them, whatever it contains, so it is not recognised, unless it begins
  /// with `//`, as no selector does.
  ///
  /// - Complexity: O(length).
  public init?(of text: String) {
    guard text.utf8.count <= Self.longestText else { return nil }
    let bytes = Array(text.utf8)
    guard bytes.starts(with: "//".utf8) || !bytes.contains(UInt8(ascii: "'")) else { return nil }
    var found = Self.reference(bytes) ?? Self.lines(text, bytes) ?? Self.wideSigns(text, bytes)
    found = found ?? Self.xpath(text, bytes) ?? Self.postHog(text) ?? Self.separateIndexes(text)
    found = found ?? Self.androidID(text, bytes)
    found = found ?? Self.css(text, bytes) ?? Self.separators(text, bytes) ?? Self.alternatives(text, bytes)
    guard let found = found ?? Self.ellipsis(text) ?? Self.brackets(text, bytes) else { return nil }
    message = found.message
    selector = found.selector
    hasWideSigns = Self.wideSigns(text, bytes) != nil
  }

  private typealias Found = (message: String, selector: String?)

  // MARK: - Other parts of a clause

  /// Returns the problem of an identity or an event ID, for which rules have separate keys.
  private static func reference(_ bytes: [UInt8]) -> Found? {
    if bytes.starts(with: "path(".utf8) {
      return ("this is an identity: write it under 'identity' instead of 'selector'", nil)
    }
    if bytes.count == 64, bytes.allSatisfy({ Hexadecimal.value(of: $0) != nil }) {
      return ("this is an event ID: write it under 'eventID' instead of 'selector'", nil)
    }
    return nil
  }

  /// Recognises a text with a line break, as `|` and `>` make them in YAML.
  private static func lines(_ text: String, _ bytes: [UInt8]) -> Found? {
    guard bytes.contains(0x0A) else { return nil }
    let parts = text.splitBytes(at: "\n").map { $0.trimmingSpaces }.filter { !$0.isEmpty }
    guard parts.allSatisfy({ (try? ElementSelector(parsing: $0)) != nil }) else { return nil }
    return parts.count == 1
      ? ("a text below '|' or '>' ends with a line break, and a selector cannot: write it after the key", parts[0])
      : ("a selector is written in one line; several selectors are a list", nil)
  }

  private static func wideSigns(_ text: String, _ bytes: [UInt8]) -> Found? {
    // All full-width characters that are looked for begin with this byte in UTF-8.
    guard bytes.contains(0xEF) else { return nil }
    var hasWide = false
    let plain = String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          guard "（）：＊／，．［］＞｜＼".unicodeScalars.contains(scalar) else { return scalar }
          hasWide = true
          return Unicode.Scalar(UInt8(scalar.value - 0xFEE0))
        }))
    return hasWide ? ("selectors cannot contain full-width characters", plain) : nil
  }

  // MARK: - Notations of other tools

  /// Returns whether a text is an XPath, as WebDriver has them: steps count from 1 in brackets, and `//` skips elements.
  package static func isXPath(_ text: String) -> Bool {
    text.utf8.starts(with: "//".utf8) || text.utf8.starts(with: "/hierarchy".utf8) || text.containsBytes(of: "[@")
      || text.containsBytes(of: "XCUIElementType") && text.utf8.contains(UInt8(ascii: "["))
      || text.containsBytes(of: "/descendant::") || text.containsBytes(of: "contains(@")
  }

  private static func xpath(_ text: String, _ bytes: [UInt8]) -> Found? {
    guard isXPath(text) else { return nil }
    let message = "this is an XPath; a selector has classes with '/' between them, and counts from 0"
    guard !bytes.contains(UInt8(ascii: "@")), !bytes.contains(UInt8(ascii: ":")) else { return (message, nil) }
    var path = text.replacingBytes(of: "//", with: "/**/")
    for start in ["/**/", "/hierarchy/"] where path.utf8.starts(with: start.utf8) {
      path = String(Substring(path.utf8.dropFirst(start.utf8.count)))
    }
    return (message, withLocators(path))
  }

  /// Recognises a chain of elements, which begins with the innermost one.
  private static func postHog(_ text: String) -> Found? {
    let classes = text.splitBytes(at: ";", omittingEmptySubsequences: false)
    let isPlain =
      classes.count > 1
      && classes.allSatisfy { name in !name.isEmpty && !name.utf8.contains { "/():*".utf8.contains($0) } }
    guard
      isPlain || text.containsBytes(of: "attr__") || text.containsBytes(of: "nth-child=")
        || text.containsBytes(of: "nth-of-type=")
    else { return nil }
    return (
      "this is a chain of elements as PostHog stores it; a selector has classes with '/' between them",
      isPlain ? classes.reversed().joined(separator: "/") : nil
    )
  }

  /// Recognises `A-B & 0-1` of LeDe and `/A/B & /0/1` of GrowingIO.
  private static func separateIndexes(_ text: String) -> Found? {
    let parts = text.splitBytes(at: "&")
    guard parts.count == 2, text.containsBytes(of: " & "), parts[1].utf8.contains(where: isDigit),
      parts[1].utf8.allSatisfy({ isDigit($0) || " -/,".utf8.contains($0) })
    else { return nil }
    return ("this is a path with separate indexes; a selector has the index behind its class, as in UIButton(0)", nil)
  }

  /// Recognises an id of Android's resources.
  private static func androidID(_ text: String, _ bytes: [UInt8]) -> Found? {
    var name: Substring?
    for start in ["@id/", "@+id/", "R.id."] where bytes.starts(with: start.utf8) {
      name = Substring(text.utf8.dropFirst(start.utf8.count))
    }
    if name == nil, let colon = text.indexOfByte(":"), text[colon...].beginsWithBytes(of: ":id/") {
      name = Substring(text[colon...].utf8.dropFirst(":id/".utf8.count))
    }
    guard let name, !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")) else { return nil }
    return ("this is an id of Android, which events have as a property: where: { $element_id: \(name) }", nil)
  }

  private static func css(_ text: String, _ bytes: [UInt8]) -> Found? {
    let message = "this is a CSS selector; here classes have '/' between them, and indexes in parentheses"
    if text.containsBytes(of: ":nth-") || text.containsBytes(of: ":has-text(") || text.containsBytes(of: ":not(") {
      return (message, nil)
    }
    guard let first = bytes.first, first == UInt8(ascii: "#") || first == UInt8(ascii: "."), bytes.count > 1,
      isLetter(bytes[1])
    else { return nil }
    return (message, nil)
  }

  /// Recognises `A > B` and `A\B`.
  private static func separators(_ text: String, _ bytes: [UInt8]) -> Found? {
    // Generic types have both brackets.
    if bytes.contains(UInt8(ascii: ">")), !bytes.contains(UInt8(ascii: "<")) {
      let steps = text.splitBytes(at: ">").map { $0.trimmingSpaces }
      guard steps.count > 1, steps.allSatisfy({ !$0.isEmpty }) else { return nil }
      return ("steps of a selector are separated by '/', not by '>'", steps.joined(separator: "/"))
    }
    if bytes.contains(UInt8(ascii: "\\")) {
      return (
        "steps of a selector are separated by '/', and no character needs '\\' in front",
        text.splitBytes(at: "\\").joined(separator: "/").replacingBytes(of: "//", with: "/")
      )
    }
    return nil
  }

  /// Recognises `(A|B)`.
  private static func alternatives(_ text: String, _ bytes: [UInt8]) -> Found? {
    guard bytes.contains(UInt8(ascii: "|")) else { return nil }
    var all = [text]
    if let open = text.indexOfByte("("), let close = text[open...].indexOfByte(")"),
      text[open..<close].containsBytes(of: "|")
    {
      all = text[text.utf8.index(after: open)..<close].splitBytes(at: "|").map {
        text[..<open] + $0.trimmingSpaces + text[text.utf8.index(after: close)...]
      }
    } else {
      all = text.splitBytes(at: "|").map { $0.trimmingSpaces }
    }
    guard all.count > 1 else { return nil }
    return ("alternatives are a list of selectors, as in selector: [\(all.joined(separator: ", "))]", nil)
  }

  /// Recognises a path that a table has shortened.
  private static func ellipsis(_ text: String) -> Found? {
    let steps = text.splitBytes(at: "/", omittingEmptySubsequences: false)
    guard steps.contains(where: { $0 == "…" || $0 == "..." || $0 == ".." }) else { return nil }
    let whole = steps.map { ["…", "...", ".."].contains($0) ? "**" : $0 }.joined(separator: "/")
    return ("the path has been shortened: write '**' for any number of steps", whole)
  }

  /// Indexes in brackets, as other SDKs write them.
  private static func brackets(_ text: String, _ bytes: [UInt8]) -> Found? {
    guard text.containsBytes(of: "android.widget.") || text.containsBytes(of: "android.view."),
      bytes.contains(UInt8(ascii: "["))
    else {
      return nil
    }
    return (
      "this is an XPath; a selector has classes with '/' between them, and counts from 0",
      withLocators(text)
    )
  }

  /// Returns a path with `(n)` for each `[n]`, counted from 0 rather than 1; nil if something else stands in brackets.
  private static func withLocators(_ path: String) -> String? {
    var result = ""
    var rest = Substring(path)
    while let open = rest.indexOfByte("[") {
      guard let close = rest[open...].indexOfByte("]"), let number = Int(rest[rest.utf8.index(after: open)..<close]),
        number >= 1
      else { return nil }
      result += rest[..<open] + "(\(number - 1))"
      rest = rest[rest.utf8.index(after: close)...]
    }
    return result + rest
  }
}

extension StringProtocol {
  fileprivate var trimmingSpaces: String { String(trimmingBytes(where: isWhiteSpace)) }
}
