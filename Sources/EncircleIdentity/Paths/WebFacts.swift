import EncircleText

/// The facts about an element of a web page besides its tag: everything that CSS selectors can test.
///
/// An event contains only some of them. Sensors' events contain classes and attributes only for the element itself; for the elements
/// around it, they contain the tag, the place among siblings with that tag, and one id.
public struct WebFacts: Hashable, Sendable {
  /// The tag in lower case.
  public var tag: String
  /// The attribute `id`; nil if it is missing or unknown.
  public var id: String?
  /// The classes, in any order; nil if they are not known.
  public var classes: [String]?
  /// Attributes by name, as far as they are known.
  public var attributes: [UTF8String: String] = [:]
  /// The place among all elements with the same parent, from 1; nil if it is not known.
  public var nthChild: Int?
  /// The place among the elements of the same tag with the same parent, from 1; nil if it is not known.
  public var nthOfType: Int?
  /// The text that PostHog gives the element; nil if there is none.
  public var text: String?
  /// This is true if this element was hit, in events about the hit element itself rather than the link or button around
  /// it.
  public var isHit = false

  public init(tag: String) { self.tag = tag }

  /// This is true if a tap anywhere inside the element is a use of the element, as for links and buttons.
  package var isUsedAsWhole: Bool {
    ["a", "button", "input", "select", "textarea", "label", "summary", "option"].contains(tag)
      || attributes["role"].map {
        ["button", "link", "menuitem", "tab", "checkbox", "radio", "switch", "option"].contains($0)
      }
        ?? false
  }

  /// Compares texts by their bytes.
  public static func == (a: WebFacts, b: WebFacts) -> Bool {
    a.nthChild == b.nthChild && a.nthOfType == b.nthOfType && a.isHit == b.isHit && a.names == b.names
      && a.pairs == b.pairs
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(names)
    hasher.combine(nthChild)
    hasher.combine(nthOfType)
  }

  private var names: [UTF8String?] {
    [tag, id, text].map { $0.map { UTF8String($0) } } + (classes ?? []).map { UTF8String($0) }.sorted()
  }
  private var pairs: [UTF8String: UTF8String] { attributes.mapValues { UTF8String($0) } }
}

final class WebFactsBox: Sendable {
  let facts: WebFacts

  init(_ facts: WebFacts) { self.facts = facts }
}
