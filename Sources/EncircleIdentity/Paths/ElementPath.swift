import EncircleText

/// A component of a path: a class name and a locator and, in the style of PostHog, texts.
public struct PathComponent: Hashable, Sendable {
  /// The class name; not empty.
  public var className: String
  /// The locator, which distinguishes the element from its siblings.
  public var locator: Locator
  /// The texts besides class and locator, or nil. Only a component without a locator can have texts.
  public var texts: ComponentTexts?

  public init(_ className: String, _ locator: Locator = .none, texts: ComponentTexts? = nil) {
    self.className = className
    self.locator = locator
    self.texts = texts
  }

  /// Compares class names and texts by their bytes.
  public static func == (a: PathComponent, b: PathComponent) -> Bool {
    a.locator == b.locator && a.className.hasSameBytes(as: b.className) && a.texts == b.texts
  }

  /// Hashes the bytes of the class name, and the locator.
  public func hash(into hasher: inout Hasher) {
    for byte in className.utf8 { hasher.combine(byte) }
    hasher.combine(locator)
  }

  func write(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: className.utf8)
    locator.write(to: &bytes)
  }
}

/// The texts that PostHog writes into a component beside its class, and an event's facts about an element of a web page. Empty texts
/// are not written.
// A class, so that it costs the components of all other styles only a reference.
public final class ComponentTexts: Hashable, Sendable {
  /// The title of a button or the state of a control; otherwise empty.
  public let text: String
  /// The label that a developer has given the element; otherwise empty.
  public let id: String
  /// The facts about an element of a web page; nil in other styles.
  public let web: WebFacts?

  /// Creates texts; nil if both are empty.
  public init?(text: String?, id: String?) {
    self.text = text ?? ""
    self.id = id ?? ""
    web = nil
    if self.text.isEmpty, self.id.isEmpty { return nil }
  }

  /// Creates the texts of an element of a web page.
  public init(_ web: WebFacts) {
    text = ""
    id = ""
    self.web = web
  }

  /// Compares texts by their bytes.
  public static func == (a: ComponentTexts, b: ComponentTexts) -> Bool {
    UTF8String(a.text) == UTF8String(b.text) && UTF8String(a.id) == UTF8String(b.id) && a.web == b.web
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(UTF8String(text))
    hasher.combine(UTF8String(id))
    hasher.combine(web)
  }
}

/// The notations in which paths are written.
public enum PathNotation: String, CaseIterable, Sendable {
  /// Components joined by `_`, as SDKs send them and identities contain them: `UIWindow(0)_UIView(0)`.
  case underscores
  /// Components joined by `/`, as people write them: `UIWindow(0)/UIView(0)`. A class name that would be misread stands
  /// in single quotes, and single quotes in it are doubled.
  case slashes
}

/// The path from a window down to an element.
public struct ElementPath: Hashable, Sendable {
  /// The components, beginning with the window's. There is at least one.
  public var components: [PathComponent]

  public init(_ components: [PathComponent]) { self.components = components }

  /// The number of components, counted from the last one, that people may mean as the element. It is usually 1. If an event is about an
  /// element hit inside a link or button, it includes all components up to the nearest element that is used as a whole, as the DOM
  /// method `closest` would find it, but not the body.
  ///
  /// - Complexity: O(components).
  package var endCount: Int {
    guard components.last?.texts?.web?.isHit == true else { return 1 }
    var count = 0
    for component in components.reversed().prefix(Self.maximumEnds) {
      guard let facts = component.texts?.web, count == 0 || (facts.tag != "body" && facts.tag != "html") else { break }
      count += 1
      if facts.isUsedAsWhole { break }
    }
    return max(1, count)
  }

  /// The greatest number of components that are searched for a link or button, starting at the hit element.
  private static let maximumEnds = 32

  /// Appends a class name between quotes; a quote in it is doubled.
  package static func appendQuoted(_ name: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "'"))
    for byte in name.utf8 {
      bytes.append(byte)
      if byte == UInt8(ascii: "'") { bytes.append(byte) }
    }
    bytes.append(UInt8(ascii: "'"))
  }

  /// Returns the path as text.
  public func written(_ notation: PathNotation) -> String {
    var bytes: [UInt8] = []
    for (i, component) in components.enumerated() {
      switch notation {
      case .underscores:
        if i > 0 { bytes.append(UInt8(ascii: "_")) }
        component.write(to: &bytes)
      case .slashes:
        if i > 0 { bytes.append(UInt8(ascii: "/")) }
        if Self.needsQuotes(component) {
          Self.appendQuoted(component.className, to: &bytes)
          component.locator.write(to: &bytes)
        } else {
          component.write(to: &bytes)
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func needsQuotes(_ component: PathComponent) -> Bool {
    let name = component.className.utf8
    return name.contains(UInt8(ascii: "/")) || name.first == UInt8(ascii: "'")
      || (component.locator == .none && name.last == UInt8(ascii: ")"))
  }
}
