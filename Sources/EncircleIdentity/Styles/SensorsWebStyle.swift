import EncircleText
import EncircleTree

/// `$element_path` of Sensors Analytics for web pages: `ul#goods-list > li > div > button`, with `$element_selector` beside it:
/// `#goods-list > li:nth-of-type(3) > div:nth-of-type(1) > button:nth-of-type(2)`.
///
/// Both begin at the nearest element with an id that the SDK accepts, else at `body`. The path does not distinguish the rows of a list;
/// `$element_position` and the selector do.
///
/// Source: sa-sdk-javascript 1.27.10, run unchanged in Chromium over pages.
public struct SensorsWebStyle: PathStyle {
  public init() {}

  public var name: PathStyleName { .sensorsWeb }

  public func unmetRequirement(for screen: IdentifiedTree) -> PathStyleRequirement? {
    screen.web == nil ? .webPage : nil
  }

  public func path(of chain: [PathNode]) -> StyledPath? {
    chain.last?.web.map { $0.elements.sensors.path(of: $0.element) }
  }

  public func position(in chain: [PathNode]) -> String? {
    chain.last?.web.flatMap { $0.elements.sensors.position(of: $0.element) }.map { "\($0)" }
  }

  // MARK: - Text

  private static let separator = Array(" > ".utf8)

  /// ```
  /// path      = component *( " > " component )
  /// component = tag [ "#" id ]
  /// ```
  ///
  /// Events contain at most 1,024 UTF-16 units of a path, so the path of a very deep element is cut off.
  public func write(_ path: StyledPath, to bytes: inout [UInt8]) {
    let start = bytes.count
    defer {
      if bytes.count - start > SensorsWebElements.maximumLength {
        let sent = SensorsWebElements.sent(String(decoding: bytes[start...], as: UTF8.self))
        bytes.replaceSubrange(start..., with: sent.utf8)
      }
    }
    for (i, component) in path.components.enumerated() {
      if i > 0 { bytes += Self.separator }
      bytes.append(contentsOf: component.className.utf8)
      if let id = component.attributes.resourceID {
        bytes.append(UInt8(ascii: "#"))
        bytes.append(contentsOf: id.utf8)
      }
    }
  }

  public func read(
    _ text: UnsafeBufferPointer<UInt8>, vocabulary: ClassVocabulary?
  ) throws(PathStyleError) -> [StyledPath] {
    // If only the selector is known, it is used in place of the path.
    if Self.isSelector(text) { return [try Self.path(ofSelector: text)] }
    var components: [StyledComponent] = []
    try Self.forEachPart(of: text) { part, offset throws(PathStyleError) in
      let sign = part.firstIndex(of: UInt8(ascii: "#")) ?? part.count
      guard sign > 0 else { throw PathStyleError(.emptyComponent, offset: offset) }
      let name = StyleText.string(part.part(0..<sign))
      var component = StyledComponent(name)
      var facts = WebFacts(tag: name)
      if sign < part.count {
        guard sign + 1 < part.count else { throw PathStyleError(.emptyComponent, offset: offset + part.count) }
        component.attributes.resourceID = StyleText.string(part.part(sign + 1..<part.count))
        facts.id = component.attributes.resourceID
      }
      component.attributes.web = facts
      components.append(component)
    }
    return [StyledPath(.sensorsWeb, components)]
  }

  private static func forEachPart(
    of text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>, Int) throws(PathStyleError) -> Void
  ) throws(PathStyleError) {
    try StyleText.checkUTF8(text)
    var start = 0
    var i = 0
    while i <= text.count {
      let isSeparator =
        i + 3 <= text.count && text[i] == 0x20 && text[i + 1] == UInt8(ascii: ">") && text[i + 2] == 0x20
      if i == text.count || isSeparator {
        guard i > start else { throw PathStyleError(.emptyComponent, offset: start) }
        try body(text.part(start..<i), start)
        if i == text.count { return }
        i += 3
        start = i
      } else {
        i += 1
      }
    }
    throw PathStyleError(.emptyComponent, offset: text.count)
  }

  private static let ofType = Array(":nth-of-type(".utf8)

  private static func isSelector(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.first == UInt8(ascii: "#") || text.offset(of: ":nth-of-type(") != nil
  }

  /// Reads `$element_selector`.
  private static func path(ofSelector text: UnsafeBufferPointer<UInt8>) throws(PathStyleError) -> StyledPath {
    var components: [StyledComponent] = []
    try forEachPart(of: text) { part, offset throws(PathStyleError) in
      var component: StyledComponent
      if part.first == UInt8(ascii: "#") {
        guard part.count > 1 else { throw PathStyleError(.emptyComponent, offset: offset) }
        // Its tag is not known.
        component = StyledComponent("*")
        component.attributes.resourceID = StyleText.string(part.part(1..<part.count))
        var facts = WebFacts(tag: "*")
        facts.id = component.attributes.resourceID
        component.attributes.web = facts
      } else {
        let colon = part.offset(of: ":nth-of-type(") ?? part.count
        guard colon > 0 else { throw PathStyleError(.emptyComponent, offset: offset) }
        component = StyledComponent(StyleText.string(part.part(0..<colon)))
        var facts = WebFacts(tag: component.className)
        if colon < part.count {
          let end = part.count - 1
          guard part[end] == UInt8(ascii: ")"), colon + ofType.count <= end,
            let number = StyleText.number(part.part(colon + ofType.count..<end))
          else {
            throw PathStyleError(.badIndex(StyleText.string(part.part(colon..<part.count))), offset: offset + colon)
          }
          facts.nthOfType = number
        }
        component.attributes.web = facts
      }
      components.append(component)
    }
    var path = StyledPath(.sensorsWeb, components)
    path.selector = StyleText.string(text)
    return path
  }

  /// Adds the contents of the adjacent selector to a path. A selector that does not fit the path adds nothing.
  static func add(selector text: UnsafeBufferPointer<UInt8>, to path: inout StyledPath) {
    // A selector that was cut off would give wrong places.
    guard !sameBytes(text, "unknown"), text.count < SensorsWebElements.maximumLength,
      let other = try? self.path(ofSelector: text)
    else { return }
    path.selector = other.selector
    // The path begins further out than the selector if it lacks the id that the selector has. This happens in a form with a
    // field named `id`. So both are compared from the end.
    for (i, component) in zip(path.components.indices.reversed(), other.components.reversed()) {
      guard var facts = path.components[i].attributes.web, let more = component.attributes.web else { continue }
      guard more.tag == "*" || UTF8String(more.tag) == UTF8String(facts.tag) else { return }
      if let number = more.nthOfType { facts.nthOfType = number }
      if let id = more.id { facts.id = id }
      path.components[i].attributes.web = facts
    }
  }

  /// Adds the event's properties of the element itself.
  static func add(_ properties: WebProperties, to path: inout StyledPath) {
    guard let last = path.components.indices.last, var facts = path.components[last].attributes.web else { return }
    if let text = properties.className { facts.classes = JSText.words(StyleText.string(text)) }
    facts.attributes["id"] = properties.id.map(StyleText.string)
    facts.attributes["name"] = properties.name.map(StyleText.string)
    facts.attributes["href"] = properties.href.map(StyleText.string)
    facts.attributes["class"] = properties.className.flatMap { $0.isEmpty ? nil : StyleText.string($0) }
    if facts.id == nil { facts.id = facts.attributes["id"] }
    path.components[last].attributes.web = facts
  }
}
