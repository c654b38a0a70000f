import EncircleText
import EncircleTree

/// `elements_chain` of PostHog for iOS: `UIButton:text="Pay"attr__class="UIControl";UIView;UIWindow`.
///
/// The element comes first and its window last. There are no indexes, so most paths fit several elements. Attributes
/// stand in the order in which the SDK writes them.
///
/// Source: posthog-ios, PostHogAutocaptureEventTracker.swift (`elementsChainEntry`, `sanitizeText`).
public struct PostHogStyle: PathStyle {
  /// The greatest length of a text, in characters. A longer one is cut off there, and `...` is added.
  public static let maximumTextLength = 255

  public init() {}

  public var name: PathStyleName { .postHog }

  public func lack(of screen: IdentifiedTree) -> PathStyleLack? { screen.lackOfControllers(on: .iOS) }

  public func path(of chain: [PathNode]) -> StyledPath? {
    let components = chain.map { node in
      var component = StyledComponent(Self.typeName(node.className))
      let text = node.text.map(Self.sanitized)
      component.attributes.text = text == "" ? nil : text
      if let base = node.baseClass, !Self.excludedBaseClasses.contains(UTF8String(base)) {
        component.attributes.baseClass = Self.typeName(base)
      }
      component.attributes.label = node.label == "" ? nil : node.label
      return component
    }
    return StyledPath(.postHog, components)
  }

  // `excludedBaseTypes` of the SDK: superclasses that say nothing.
  private static let excludedBaseClasses: Set<UTF8String> = [
    "NSObject", "UIResponder", "UIControl", "UIView", "UIScrollView",
  ]

  /// Returns the class name without its module and generic arguments.
  static func typeName(_ name: String) -> String {
    let bytes = name.utf8
    let head = bytes.firstIndex(of: UInt8(ascii: "<")).flatMap { $0 > bytes.startIndex ? String(name[..<$0]) : nil }
    return StyleText.withoutModule(head ?? name)
  }

  /// Returns the text as the SDK's `sanitizeText` changes it: trimmed, each run of spaces and line breaks replaced by
  /// one space, zero-width characters removed, and at most 255 characters long.
  static func sanitized(_ text: String) -> String {
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    let all = text.unicodeScalars
    let start = all.firstIndex { !isSpace($0) } ?? all.endIndex
    let last = all.lastIndex { !isSpace($0) }
    var scalars = String.UnicodeScalarView()
    var isInRun = false
    for scalar in all[start..<(last.map { all.index(after: $0) } ?? start)] {
      let isBlank = scalar == " " || scalar == "\r" || scalar == "\n"
      defer { isInRun = isBlank }
      switch scalar.value {
      case 0x200B, 0x200C, 0x200D, 0xFEFF: continue
      default: if !isBlank || !isInRun { scalars.append(isBlank ? " " : scalar) }
      }
    }
    let trimmed = String(scalars)
    // The SDK counts characters as Swift does.
    guard let end = trimmed.index(trimmed.startIndex, offsetBy: maximumTextLength, limitedBy: trimmed.endIndex),
      end < trimmed.endIndex
    else { return trimmed }
    return String(trimmed[..<end]) + "..."
  }

  // MARK: - Text

  /// ```
  /// path      = component *( ";" component )                          ; the element first
  /// component = class [ ":" [ "text=" quoted ] [ "attr__class=" quoted ] [ "attr_id=" quoted ] ]
  /// quoted    = DQUOTE *( "\" DQUOTE / any byte but DQUOTE ) DQUOTE
  /// ```
  public func write(_ path: StyledPath, to bytes: inout [UInt8]) {
    for (i, component) in path.components.reversed().enumerated() {
      if i > 0 { bytes.append(UInt8(ascii: ";")) }
      bytes.append(contentsOf: component.className.utf8)
      var hasAttributes = false
      func attribute(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        if !hasAttributes { bytes.append(UInt8(ascii: ":")) }
        hasAttributes = true
        append(name, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        for byte in value.utf8 {
          if byte == UInt8(ascii: "\"") { bytes.append(UInt8(ascii: "\\")) }
          bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
      }
      attribute("text=", component.attributes.text)
      attribute("attr__class=", component.attributes.baseClass)
      attribute("attr_id=", component.attributes.label)
    }
  }

  /// Parses a chain. Attributes may stand in any order, as backends sort them.
  public func read(
    _ text: UnsafeBufferPointer<UInt8>, vocabulary: ClassVocabulary?
  ) throws(PathStyleError) -> [StyledPath] {
    try StyleText.checkUTF8(text)
    var components: [StyledComponent] = []
    var i = 0
    while true {
      let start = i
      while i < text.count, text[i] != UInt8(ascii: ";"), text[i] != UInt8(ascii: ":") { i += 1 }
      guard i > start else { throw PathStyleError(.emptyComponent, offset: start) }
      var component = StyledComponent(StyleText.string(text.part(start..<i)))
      if i < text.count, text[i] == UInt8(ascii: ":") {
        i += 1
        let attributes = i
        while i < text.count, text[i] != UInt8(ascii: ";") { try Self.readAttribute(text, &i, &component.attributes) }
        if i == attributes { throw PathStyleError(.badAttribute(""), offset: i) }
      }
      components.append(component)
      guard i < text.count else { break }
      i += 1
    }
    components.reverse()
    return [StyledPath(.postHog, components)]
  }

  private static func readAttribute(
    _ text: UnsafeBufferPointer<UInt8>, _ i: inout Int, _ attributes: inout StyledComponent.Attributes
  ) throws(PathStyleError) {
    let start = i
    while i < text.count, text[i] != UInt8(ascii: "="), text[i] != UInt8(ascii: ";") { i += 1 }
    let name = text.part(start..<i)
    guard i + 1 < text.count, text[i] == UInt8(ascii: "="), text[i + 1] == UInt8(ascii: "\"") else {
      throw PathStyleError(.badAttribute(StyleText.string(name)), offset: start)
    }
    let quote = i + 1
    i += 2
    var value: [UInt8] = []
    while true {
      guard i < text.count else { throw PathStyleError(.unclosedQuote, offset: quote) }
      if text[i] == UInt8(ascii: "\\"), i + 1 < text.count, text[i + 1] == UInt8(ascii: "\"") {
        value.append(UInt8(ascii: "\""))
        i += 2
      } else if text[i] == UInt8(ascii: "\"") {
        i += 1
        break
      } else {
        value.append(text[i])
        i += 1
      }
    }
    let string = String(decoding: value, as: UTF8.self)
    if sameBytes(name, "text"), attributes.text == nil {
      attributes.text = string
    } else if sameBytes(name, "attr__class"), attributes.baseClass == nil {
      attributes.baseClass = string
    } else if sameBytes(name, "attr_id"), attributes.label == nil {
      attributes.label = string
    } else {
      throw PathStyleError(.badAttribute(StyleText.string(name)), offset: start)
    }
  }
}
