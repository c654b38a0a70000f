import EncircleText
import EncircleTree

/// The values that PostHog's SDK for JavaScript sends for the elements of a page.
///
/// Source: posthog-js 1.418.10, run unchanged in Chromium over pages; `autocapture.ts` and `autocapture-utils.ts`.
struct PostHogWebElements: Sendable {
  private let screen: WebScreen
  // The facts that are true of each element or of something around it.
  private let surroundings: [Surroundings]
  // The entry of each element that is written when something inside the element was hit; nil for elements without children.
  private var entries: [StyledComponent?] = []

  private var tree: ViewTree { screen.tree }

  private struct Surroundings: OptionSet {
    let rawValue: UInt8
    /// The class `ph-sensitive` or `ph-no-capture`, up to the body or the shadow root.
    static let isSensitive = Surroundings(rawValue: 1)
    /// The class `ph-no-capture`, the body included.
    static let isNotCaptured = Surroundings(rawValue: 2)
    /// The class `ph-no-autocapture` or the attribute.
    static let isNotAutocaptured = Surroundings(rawValue: 4)
    /// A tag that makes all in it tracked.
    static let isInControl = Surroundings(rawValue: 8)
    /// Even without the page's styles, the browser shows the pointer cursor over the element.
    static let hasPointerWithoutStyles = Surroundings(rawValue: 16)
    /// The pointer cursor is shown over it or over an element around it.
    static let isInPointer = Surroundings(rawValue: 32)
    /// Even without the page's styles, the browser shows the pointer cursor over the element or over one around it.
    static let isInPointerWithoutStyles = Surroundings(rawValue: 64)
  }

  /// - Complexity: O(elements + attributes).
  init(_ screen: WebScreen) {
    self.screen = screen
    var surroundings: [Surroundings] = []
    surroundings.reserveCapacity(screen.tree.count)
    let controls = Self.texts
    var hosts: Set<ElementID> = []
    for element in screen.tree.elements {
      var own: Surroundings = []
      let isBody = screen.isTag(element, "body")
      let parent = screen.tree.webParent(of: element)
      let isTop = screen.tree.parent(of: element) == nil
      // Shadow hosts come before the elements of their shadow trees, so their surroundings are known.
      let around = parent.map { surroundings[$0.index] } ?? []
      // From the shadow root, the SDK continues with the elements around the host.
      var controlsAround = around
      if isTop, let parent {
        hosts.insert(parent)
        controlsAround = screen.tree.webParent(of: parent).map { surroundings[$0.index] } ?? []
      }
      own.formUnion(around.intersection([.isNotCaptured, .isNotAutocaptured]))
      let classes = screen.classes(of: element).map { UTF8String($0) }
      if classes.contains("ph-no-capture") { own.formUnion([.isNotCaptured, .isSensitive]) }
      if classes.contains("ph-sensitive") { own.insert(.isSensitive) }
      if classes.contains("ph-no-autocapture") || screen.has(screen.names.postHogNoAutocapture, element) {
        own.insert(.isNotAutocaptured)
      }
      if !isTop { own.formUnion(around.intersection(.isSensitive)) }
      if isBody { own.remove(.isSensitive) }
      // The SDK looks at the tags up to the body, but not at the body itself.
      let tag = UTF8String(screen.tag(of: element))
      if controls.contains(tag) { own.insert(.isInControl) }
      own.formUnion(controlsAround.intersection([.isInControl, .isInPointer, .isInPointerWithoutStyles]))
      let isHTML = !screen.isForeign(element)
      if isHTML, tag == "a" || tag == "area", screen.has(screen.names.href, element) {
        own.insert(.hasPointerWithoutStyles)
      } else if !(isHTML && Self.tagsWithCursor.contains(tag)) {
        own.formUnion(around.intersection(.hasPointerWithoutStyles))
      }
      if Self.hasPointer(element, own, screen) { own.insert(.isInPointer) }
      if own.contains(.hasPointerWithoutStyles) { own.insert(.isInPointerWithoutStyles) }
      if isBody { own.subtract([.isInControl, .isInPointer, .isInPointerWithoutStyles]) }
      surroundings.append(own)
    }
    self.surroundings = surroundings
    entries = screen.tree.elements.map { element in
      let isEmpty = screen.tree.firstChild(of: element) == nil && !hosts.contains(element)
      return isEmpty ? nil : entry(of: element, isTarget: false)
    }
  }

  // The HTML tags to which browsers give a special cursor.
  private static let tagsWithCursor: Set<UTF8String> = ["input", "textarea", "select", "button", "label"]

  /// Returns whether the pointer cursor is shown over an element, by the capture or, if it does not say, by the browser's own
  /// rules.
  private static func hasPointer(_ element: ElementID, _ own: Surroundings, _ screen: WebScreen) -> Bool {
    screen.page.knowsCursors
      ? screen.page.traits(of: element).contains(.pointer) : own.contains(.hasPointerWithoutStyles)
  }

  // The tags whose text is in the chain, and whose content is tracked.
  private static let texts: Set<UTF8String> = ["a", "button", "form", "input", "select", "textarea", "label"]

  // MARK: - Chain

  /// Returns `$elements_chain`.
  ///
  /// - Complexity: O(depth + length).
  func path(of element: ElementID) -> StyledPath {
    var components: [StyledComponent] = []
    var link: ElementID?
    for view in tree.inclusiveWebAncestors(of: element) {
      if screen.tag(of: view) == "a" { link = view }
      components.append(view == element ? entry(of: view, isTarget: true) : knownEntry(of: view))
      if screen.isTag(view, "body") { break }
    }
    // The outermost link around the element adds its address to the element that was hit.
    if let link, let href = screen.attribute(screen.names.href, of: link), !href.isEmpty, mayBeCaptured(link),
      !JSText.looksSecret(Array(href.utf16))
    {
      components[0].attributes.web?.attributes["href"] = href
    }
    components[0].attributes.web?.isHit = true
    components.reverse()
    return StyledPath(.postHogWeb, components)
  }

  private func knownEntry(of element: ElementID) -> StyledComponent {
    entries[element.index] ?? entry(of: element, isTarget: false)
  }

  private func entry(of element: ElementID, isTarget: Bool) -> StyledComponent {
    let tag = screen.tag(of: element)
    var facts = WebFacts(tag: tag)
    let place = screen.place(of: element)
    (facts.nthChild, facts.nthOfType) = (place.child, place.type)
    let isSensitive = isSensitive(element)
    facts.classes = []
    for (name, value) in screen.attributes(of: element) {
      if isSensitive, !["name", "id", "class", "aria-label"].contains(name) { continue }
      if name.utf8.starts(with: "_ngcontent".utf8) || name.utf8.starts(with: "_nghost".utf8) { continue }
      if JSText.looksSecret(Array(value.utf16)) { continue }
      let written = name == "class" ? JSText.words(value).joined(separator: " ") : value
      let limited = JSText.limited(written, Self.maximumAttributeLength)
      facts.attributes[UTF8String(name)] = limited
      if name == "class" { facts.classes = JSText.words(limited) }
      if name == "id", !limited.isEmpty { facts.id = limited }
    }
    if isTarget || Self.texts.contains(UTF8String(tag)) {
      let text = JSText.prefix(text(of: element), Self.maximumTextLength)
      facts.text = text.isEmpty ? nil : text
    }
    var component = StyledComponent(tag)
    component.attributes.web = facts
    return component
  }

  private static let maximumAttributeLength = 1_024
  private static let maximumTextLength = 400

  /// Returns whether people type into an element, so that the SDK leaves out its text and all but four of its attributes.
  private func isSensitive(_ element: ElementID) -> Bool {
    let tag = screen.tag(of: element)
    if tag == "input" { return !["button", "checkbox", "submit", "reset"].contains(screen.type(of: element)) }
    return tag == "select" || tag == "textarea" || isEditable(element)
  }

  private func isEditable(_ element: ElementID) -> Bool {
    screen.attribute(screen.names.contentEditable, of: element).map { UTF8String($0) == "true" } ?? false
  }

  private static let namedTags: Set<UTF8String> = [
    "a", "button", "fieldset", "form", "iframe", "img", "input", "map", "meta", "object", "output", "param", "select",
    "slot", "textarea", "embed",
  ]

  /// Returns whether the SDK takes texts and addresses of links from an element (`shouldCaptureElement`).
  private func mayBeCaptured(_ element: ElementID) -> Bool {
    if surroundings[element.index].contains(.isSensitive) { return false }
    if screen.hasClass("ph-include", element) { return true }
    if ["hidden", "password"].contains(screen.type(of: element)) { return false }
    var name = ""
    if Self.namedTags.contains(UTF8String(screen.tag(of: element))) {
      name = screen.attribute(screen.names.name, of: element) ?? ""
    }
    if name.isEmpty { name = screen.attribute(screen.names.id, of: element) ?? "" }
    return !Self.namesSecret(name)
  }

  private static let secretWords: [StaticString] = [
    "cardnum", "ccnum", "creditcard", "csc", "cvc", "cvv", "exp", "pass", "pwd", "routing", "seccode", "securitycode",
    "securitynum", "socialsec", "socsec", "ssn",
  ]

  private static func namesSecret(_ name: String) -> Bool {
    guard !name.isEmpty else { return false }
    let plain = name.utf8.filter { isLetter($0) || isDigit($0) }.map(lowercased)
    if plain.starts(with: "cc".utf8) { return true }
    return plain.withUnsafeBufferPointer { plain in secretWords.contains { plain.offset(of: $0) != nil } }
  }

  // MARK: - Texts

  /// Returns the text of an element that was hit, which is `$el_text`.
  func text(of element: ElementID) -> String {
    let own = safeText(of: element)
    guard ["a", "button"].contains(screen.tag(of: element)) else { return own }
    var parts = own.isEmpty ? [] : [own]
    // Spans that lie in nothing but spans.
    var spans = spans(in: element).reversed().map { $0 }
    while let span = spans.popLast() {
      let text = safeText(of: span)
      if !text.isEmpty { parts.append(text) }
      spans += self.spans(in: span).reversed()
    }
    let text = parts.joined(separator: " ")
    return JSText.looksSecret(Array(text.utf16)) ? "" : text
  }

  private func spans(in element: ElementID) -> [ElementID] {
    tree.children(of: element).filter { screen.tag(of: $0) == "span" }
  }

  /// Returns the text right in an element, without words that look secret.
  private func safeText(of element: ElementID) -> String {
    guard mayBeCaptured(element), !isSensitive(element) else { return "" }
    var result: [UInt16] = []
    for number in screen.directTexts(of: element) {
      let text = tree.strings.withBytes(of: screen.page.texts[Int(number)].text) {
        Array(String(decoding: $0, as: UTF8.self).utf16)
      }
      let trimmed = JSText.trimmed(text[...])
      var kept: [UInt16] = []
      var i = trimmed.startIndex
      while i < trimmed.endIndex {
        let isSpace = JSText.isSpace(trimmed[i])
        let end = trimmed[i...].firstIndex { JSText.isSpace($0) != isSpace } ?? trimmed.endIndex
        if isSpace || !JSText.looksSecret(trimmed[i..<end]) { kept += trimmed[i..<end] }
        i = end
      }
      result += JSText.collapsed(kept[...]).prefix(255)
    }
    return JSText.string(JSText.trimmed(result[...]))
  }

  // MARK: - Events

  /// Returns the properties that attributes `data-ph-capture-attribute-…` of the element and of all around it add.
  func augmentation(of element: ElementID) -> [(name: String, value: String)] {
    if isNotCaptured(element) { return [] }
    var result: [(name: String, value: String)] = []
    for view in tree.inclusiveWebAncestors(of: element) {
      for (name, value) in mayBeCaptured(view) ? screen.attributes(of: view) : [] {
        guard name.utf8.starts(with: Self.augmenting.utf8), !value.isEmpty, !JSText.looksSecret(Array(value.utf16))
        else {
          continue
        }
        let key = String(name.dropFirst(Self.augmenting.count))
        if key.isEmpty { continue }
        // A value of an outer element replaces that of an inner one.
        result.removeAll { $0.name.hasSameBytes(as: key) }
        result.append((key, value))
      }
      if screen.isTag(view, "body") { break }
    }
    return result
  }

  private static let augmenting = "data-ph-capture-attribute-"

  /// Returns whether nothing at all is sent for an element, as `ph-no-capture` demands.
  func isNotCaptured(_ element: ElementID) -> Bool { surroundings[element.index].contains(.isNotCaptured) }

  /// The events that the SDK watches.
  enum Trigger: String, CaseIterable {
    case click, change, submit
  }

  /// Returns whether the SDK sends an event of an element.
  ///
  /// - Parameter usesStyles: True if the cursors in the capture count; otherwise only browsers' default cursors do.
  func isTracked(_ element: ElementID, by trigger: Trigger = .click, usesStyles: Bool = true) -> Bool {
    let own = surroundings[element.index]
    if screen.isTag(element, "html") || own.contains(.isNotCaptured) || own.contains(.isNotAutocaptured) {
      return false
    }
    let isInPointer = own.contains(usesStyles ? .isInPointer : .isInPointerWithoutStyles)
    let hasPointer =
      usesStyles ? Self.hasPointer(element, own, screen) : own.contains(.hasPointerWithoutStyles)
    if trigger == .click, hasPointer { return true }
    switch screen.tag(of: element) {
    case "form": return trigger == .submit
    case "input", "select", "textarea": return trigger == .change || trigger == .click
    case let tag:
      guard trigger == .click else { return false }
      if tag == "a" || tag == "button" || tag == "label" { return true }
      return isInPointer || own.contains(.isInControl) || isEditable(element)
    }
  }
}
