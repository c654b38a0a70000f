import EncircleText

/// A template for the ids of many rules, such as `{page}_{element}_{action}`.
///
/// ```swift
/// let template = try NameTemplate("{page}_{element}")
/// template.name { $0 == .page ? "cart" : "checkout" }  // cart_checkout
/// ```
public struct NameTemplate: Hashable, Sendable {
  /// The placeholders of templates.
  public enum Placeholder: String, CaseIterable, Sendable {
    /// The page, without the usual suffix: `cart` for `CartViewController`.
    case page
    /// The title of the page.
    case pageTitle = "page_title"
    /// The element's name: its text, the developer's id, its action or its class.
    case element
    /// Its kind: `button`, `row`.
    case type
    /// Its text.
    case text
    /// The action of people: `click`, `select`.
    case action
    /// `row` for an element in the rows of a list, else nothing.
    case row
  }

  /// A template that cannot be read.
  public struct ParsingError: Error, Hashable, CustomStringConvertible {
    /// The error, in words.
    public let description: String
  }

  /// The default template.
  public static let standard = NameTemplate(
    parts: [.value(.page), .text("_"), .value(.element), .text("_"), .value(.action)])

  /// The longest template, in bytes.
  public static let longest = 200
  /// The longest name, in bytes.
  public static let longestName = 120

  private enum Part: Hashable {
    case text(String)
    case value(Placeholder)
  }

  private let parts: [Part]

  private init(parts: [Part]) { self.parts = parts }

  /// Reads a template.
  ///
  /// - Throws: ``ParsingError`` for an unknown placeholder, one that does not end, none at all, letters beyond ASCII, or too long a text.
  /// - Complexity: O(length).
  public init(_ text: String) throws(ParsingError) {
    guard text.utf8.count <= Self.longest else {
      throw ParsingError(description: "a template has at most \(Self.longest) bytes")
    }
    var parts: [Part] = []
    var rest = text[...]
    while let start = rest.indexOfByte("{") {
      if start > rest.startIndex { parts.append(.text(try Self.literal(rest[..<start]))) }
      let inner = rest[rest.utf8.index(after: start)...]
      guard let end = inner.indexOfByte("}") else {
        throw ParsingError(description: "'{' without '}' in the template")
      }
      parts.append(.value(try Self.placeholder(String(inner[..<end]))))
      rest = inner[inner.utf8.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(try Self.literal(rest))) }
    guard parts.contains(where: { if case .value = $0 { true } else { false } }) else {
      throw ParsingError(description: "a template has a placeholder: \(Self.list)")
    }
    self.parts = parts
  }

  private static var list: String { Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ") }

  private static func placeholder(_ name: String) throws(ParsingError) -> Placeholder {
    if let known = Placeholder.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) { return known }
    let nearest = Diagnostic.nearest(to: name, among: Placeholder.allCases.map(\.rawValue))
    throw ParsingError(
      description: "unknown placeholder '{\(name)}'" + (nearest.map { " (did you mean {\($0)}?)" } ?? "")
        + ": expected \(list)")
  }

  private static func literal(_ text: Substring) throws(ParsingError) -> String {
    guard text.utf8.allSatisfy(isFilenameByte) else {
      throw ParsingError(description: "'\(text)' in the template: names have ASCII letters, digits, '_', '-' and '.'")
    }
    return String(text)
  }

  /// Returns a name. Separators around a missing value are merged, and removed at the ends; the name may be empty.
  ///
  /// - Parameter value: Returns the value of a placeholder in ASCII, or an empty text.
  /// - Complexity: O(length).
  func name(_ value: (Placeholder) -> String) -> String {
    var bytes: [UInt8] = []
    for part in parts {
      let text =
        switch part {
        case .text(let text): text
        case .value(let placeholder): value(placeholder)
        }
      for byte in text.utf8 {
        guard Self.isSeparator(byte) else {
          bytes.append(byte)
          continue
        }
        if let last = bytes.last, !Self.isSeparator(last) { bytes.append(byte) }
      }
    }
    bytes.removeLast(max(0, bytes.count - Self.longestName))
    while let last = bytes.last, Self.isSeparator(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}
