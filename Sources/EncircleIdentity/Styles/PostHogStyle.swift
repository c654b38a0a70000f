import EncircleText
import EncircleTree

/// `$elements_chain` of PostHog for iOS: `UIButton:text="Pay"attr_id="pay";UIView;UIWindow`.
///
/// The element comes first and its window last. There are no indexes, so most paths fit several elements. Attributes have the order in
/// which the SDK writes them. Quotes in them are not escaped.
///
/// Source: posthog-ios 3.69.3, PostHogAutocaptureEventTracker.swift and AutocaptureEventProcessing.swift.
public struct PostHogStyle: PathStyle {
  /// The greatest length of a text, in characters. A longer one is cut off there, and `...` is added.
  public static let maximumTextLength = PostHogTexts.maximumLength

  public init() {}

  public var name: PathStyleName { .postHog }

  public func unmetRequirement(for screen: IdentifiedTree) -> PathStyleRequirement? {
    screen.unmetControllerRequirement(on: .iOS)
  }

  public func path(of chain: [PathNode]) -> StyledPath? {
    let components = chain.map { node in
      var component = StyledComponent(Self.typeName(node.className))
      component.attributes.text = node.text
      component.attributes.baseClass = Self.baseClass(of: node)
      component.attributes.label = Self.label(of: node)
      return component
    }
    return StyledPath(.postHog, components)
  }

  /// Returns the superclass as the style writes it; nil if the style leaves it out.
  private static func baseClass(of node: PathNode) -> String? {
    guard let base = node.baseClass, !excludedBaseClasses.contains(where: { base.hasSameBytes(as: $0) }) else {
      return nil
    }
    return typeName(base)
  }

  private static func label(of node: PathNode) -> String? { node.label.flatMap { $0.isEmpty ? nil : $0 } }

  // `excludedBaseTypes` of the SDK: superclasses that carry no information. An app's own class with one of these names is not
  // excluded.
  private static let excludedBaseClasses = ["NSObject", "UIResponder", "UIControl", "UIView", "UIScrollView"]

  /// Returns the class name without its module, outer types and generic arguments.
  static func typeName(_ name: String) -> String {
    // UIKit's names, and most apps' names, need no shortening: they have no module, no arguments, no mangled form.
    let isPlain = withContiguousBytes(name.utf8) { bytes in
      bytes.first != UInt8(ascii: "_") && !bytes.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "<") }
    }
    if isPlain { return name }
    let described = SwiftClassName.described(name)
    guard let bracket = described.utf8.firstIndex(of: UInt8(ascii: "<")), bracket > described.startIndex else {
      return described
    }
    return String(described[..<bracket])
  }

  // MARK: - Text

  // The attributes in the order of writing, with the text before their values.
  private static let attributes: [(key: WritableKeyPath<StyledComponent.Attributes, String?> & Sendable, [UInt8])] = [
    (\.text, Array("text=\"".utf8)), (\.baseClass, Array("attr__class=\"".utf8)), (\.label, Array("attr_id=\"".utf8)),
  ]

  /// ```
  /// path      = component *( ";" component )                          ; the element first
  /// component = class [ ":" [ "text=" quoted ] [ "attr__class=" quoted ] [ "attr_id=" quoted ] ]
  /// quoted    = DQUOTE *any DQUOTE
  /// ```
  public func write(_ path: StyledPath, to bytes: inout [UInt8]) {
    for (i, component) in path.components.reversed().enumerated() {
      if i > 0 { bytes.append(UInt8(ascii: ";")) }
      bytes.append(contentsOf: component.className.utf8)
      let attributes = component.attributes
      Self.write(attributes.text, attributes.baseClass, attributes.label, to: &bytes)
    }
  }

  public func write(pathOf chain: [PathNode], to bytes: inout [UInt8]) -> Bool {
    for i in chain.indices.reversed() {
      if i < chain.count - 1 { bytes.append(UInt8(ascii: ";")) }
      bytes.append(contentsOf: Self.typeName(chain[i].className).utf8)
      Self.write(chain[i].text, Self.baseClass(of: chain[i]), Self.label(of: chain[i]), to: &bytes)
    }
    return true
  }

  /// Appends the attributes of a component, in the order of `attributes`.
  private static func write(_ text: String?, _ baseClass: String?, _ label: String?, to bytes: inout [UInt8]) {
    var isFirst = true
    func write(_ value: String?, _ number: Int) {
      guard let value else { return }
      if isFirst { bytes.append(UInt8(ascii: ":")) }
      isFirst = false
      bytes.append(contentsOf: attributes[number].1)
      bytes.append(contentsOf: value.utf8)
      bytes.append(UInt8(ascii: "\""))
    }
    write(text, 0)
    write(baseClass, 1)
    write(label, 2)
  }

  /// Parses a chain. As nothing is escaped, a quote closes a value if the next attribute, `;` or the end follows it.
  ///
  /// - Complexity: O(length).
  public func read(
    _ text: UnsafeBufferPointer<UInt8>, vocabulary: ClassVocabulary?
  ) throws(PathStyleError) -> [StyledPath] {
    [StyledPath(.postHog, try StyleText.chain(text, entry: Self.readEntry))]
  }

  private static func readEntry(
    _ text: UnsafeBufferPointer<UInt8>, _ i: inout Int
  ) throws(PathStyleError) -> StyledComponent {
    let start = i
    while i < text.count, text[i] != UInt8(ascii: ";"), text[i] != UInt8(ascii: ":") { i += 1 }
    guard i > start else { throw PathStyleError(.emptyComponent, offset: start) }
    var component = StyledComponent(StyleText.string(text.part(start..<i)))
    if i < text.count, text[i] == UInt8(ascii: ":") {
      i += 1
      try readAttributes(text, &i, &component.attributes)
    }
    return component
  }

  /// Reads the attributes of a component, up to the `;` behind it or the end.
  private static func readAttributes(
    _ text: UnsafeBufferPointer<UInt8>, _ i: inout Int, _ attributes: inout StyledComponent.Attributes
  ) throws(PathStyleError) {
    var number = 0
    repeat {
      guard let found = (number..<Self.attributes.count).first(where: { starts(text, i, Self.attributes[$0].1) }) else {
        let name = text.part(i..<text.count).prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
        throw PathStyleError(.badAttribute(StyleText.string(UnsafeBufferPointer(rebasing: name))), offset: i)
      }
      number = found + 1
      let quote = i + Self.attributes[found].1.count - 1
      i = quote + 1
      while true {
        guard i < text.count else { throw PathStyleError(.unclosedQuote, offset: quote) }
        if text[i] == UInt8(ascii: "\""), isEnd(text, i + 1, next: number) { break }
        i += 1
      }
      attributes[keyPath: Self.attributes[found].key] = StyleText.string(text.part(quote + 1..<i))
      i += 1
    } while i < text.count && text[i] != UInt8(ascii: ";")
  }

  /// Returns whether a value can end just before an offset: at the end of the text, or before `;` or one of the attributes from a
  /// given number on.
  private static func isEnd(_ text: UnsafeBufferPointer<UInt8>, _ offset: Int, next: Int) -> Bool {
    offset == text.count || text[offset] == UInt8(ascii: ";")
      || (next..<attributes.count).contains { starts(text, offset, attributes[$0].1) }
  }

  private static func starts(_ text: UnsafeBufferPointer<UInt8>, _ offset: Int, _ part: [UInt8]) -> Bool {
    offset + part.count <= text.count && text.part(offset..<offset + part.count).elementsEqual(part)
  }
}
