import EncircleText
import EncircleTree

/// The texts of a tree's elements, as SDKs send them with a tap.
///
/// PostHog, GrowingIO and the SDKs for web pages have different rules; see `PostHogTexts` and `GrowingIOContents`. For the other
/// SDKs, the content of a view is its own text or state, else the contents of its visible subviews in their order, joined by `-`.
/// It never includes typed text: text fields, text views, search bars and secure fields, and all elements inside them, have no
/// text here.
public struct ElementContents: Sendable {
  /// The greatest length of a content that is joined, in bytes. A longer one is cut off after a whole Unicode scalar.
  public static let maximumLength = 4096

  private let screen: IdentifiedTree
  private let own: Own?
  // The elements that end the search for content: elements with a text, and elements whose subtree contributes nothing, in
  // pre-order. `next` is the index in this array of the first entry after the element's subtree.
  private var parts: [(element: ElementID, text: Text, next: Int)] = []

  /// The rules that only one style has.
  private indirect enum Own {
    case postHog(PostHogTexts)
    case growingIO(GrowingIOContents)
    case web(WebElements, PathStyleName)
  }

  /// The text of an element.
  private enum Text {
    case none
    case interned(StringID)
    case made(String)
  }

  /// Gathers the texts of a tree.
  ///
  /// - Parameter style: The style of the SDK.
  /// - Complexity: O(elements).
  public init(of screen: IdentifiedTree, in style: PathStyleName = .hubbleData) {
    self.screen = screen
    own =
      switch style {
      case .postHog: .postHog(PostHogTexts(of: screen))
      case .growingIO: .growingIO(GrowingIOContents(of: screen))
      default: screen.web.map { .web($0, style) }
      }
    if own != nil { return }
    var rules: [ClassKey: ContentRule] = [:]
    // The parts of segmented controls that have a selected segment.
    var controls: [Int] = []
    for element in screen.tree.elements {
      if isSilent(element) {
        parts.append((element, .none, 0))
        continue
      }
      let key = screen.classKey(of: element)
      let rule = rules[key] ?? contentRule(of: element)
      if rules[key] == nil { rules[key] = rule }
      if let text = ownText(of: element, rule: rule) {
        parts.append((element, text, 0))
      } else if case .segmentedControl = rule, (selected(element) ?? -1) >= 0 {
        controls.append(parts.count)
        parts.append((element, .none, 0))
      }
    }
    linkParts()
    guard !controls.isEmpty else { return }
    // These controls have the content of their selected segment, which is known only now: segments come later in pre-order.
    for i in controls { parts[i].text = titleOfSelectedSegment(of: parts[i].element) }
    linkParts()
  }

  private mutating func linkParts() {
    // Going backwards, the elements inside a subtree are skipped by their own `next`, so this is linear.
    for i in parts.indices.reversed() {
      let end = screen.tree.subtreeEnd(of: parts[i].element)
      var next = i + 1
      while next < parts.count, parts[next].element < end { next = parts[next].next }
      // Entries that contribute nothing are skipped, so that joining takes time in proportion to the text.
      if next < parts.count, isEmpty(parts[next].text) { next = parts[next].next }
      parts[i].next = next
    }
  }

  /// Returns the content of an element; nil if it has none, or may be private.
  ///
  /// - Complexity: O(length + log elements) for an element with a text, or with texts close by.
  public func content(of element: ElementID) -> String? {
    switch own {
    case .postHog(let texts)?: return texts.text(of: element)
    case .growingIO(let contents)?: return contents.content(of: element)
    case .web(let elements, let style)?: return elements.content(of: element, in: style)
    case nil: break
    }
    guard !isPrivate(element) else { return nil }
    var i = parts.partitioningIndex { $0.element >= element }
    if i < parts.count, parts[i].element == element {
      // A hidden element contributes nothing to the elements around it, but still has content itself.
      if let own = string(parts[i].text) { return own }
      if let own = hiddenText(of: element) { return own }
      i += 1
    }
    return join(from: i, to: screen.tree.subtreeEnd(of: element))
  }

  /// Returns the text or state of the element itself; nil if its content comes from its subviews.
  public func ownContent(of element: ElementID) -> String? {
    if case .web(let elements, _)? = own, !elements.hasOwnText(element) { return nil }
    if own != nil { return content(of: element) }
    let i = parts.partitioningIndex { $0.element >= element }
    guard i < parts.count, parts[i].element == element, !isPrivate(element) else { return nil }
    return string(parts[i].text) ?? hiddenText(of: element)
  }

  /// Returns the text of an element for properties: its content if SDKs track it, else its own text.
  package func shownText(of element: ElementID, _ screen: IdentifiedTree) -> String? {
    screen.trackingType(of: element) == nil ? ownContent(of: element) : content(of: element)
  }

  private func join(from start: Int, to end: ElementID) -> String? {
    var bytes: [UInt8] = []
    var i = start
    while i < parts.count, parts[i].element < end, bytes.count < Self.maximumLength {
      append(parts[i].text, to: &bytes)
      // A view inside one with a text, such as a button's label, would repeat that text.
      i = parts[i].next
    }
    guard !bytes.isEmpty else { return nil }
    if bytes.count > Self.maximumLength {
      var length = Self.maximumLength
      while length > 0, bytes[length] & 0xC0 == 0x80 { length -= 1 }
      bytes.removeSubrange(length...)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func append(_ text: Text, to bytes: inout [UInt8]) {
    func join(_ text: UnsafeBufferPointer<UInt8>) {
      guard !text.isEmpty else { return }
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "-")) }
      bytes.append(contentsOf: text)
    }
    switch text {
    case .none: break
    case .interned(let id): screen.tree.strings.withBytes(of: id, join)
    case .made(var text): text.withUTF8(join)
    }
  }

  private func isEmpty(_ text: Text) -> Bool {
    switch text {
    case .none: true
    case .interned(let id): screen.tree.strings.length(of: id) == 0
    case .made(let text): text.isEmpty
    }
  }

  private func string(_ text: Text) -> String? {
    switch text {
    case .none: nil
    case .interned(let id): screen.tree.strings[id]
    case .made(let text): text
    }
  }

  // MARK: - Elements' own texts

  private func isPrivate(_ element: ElementID) -> Bool {
    screen.structure.places[element.index].contains(.typedText)
  }

  /// Returns whether an element contributes nothing to the contents of its ancestors, whatever it contains.
  private func isSilent(_ element: ElementID) -> Bool { isPrivate(element) || screen.tree.isHidden(element) }

  private func hiddenText(of element: ElementID) -> String? {
    guard screen.tree.isHidden(element) else { return nil }
    return ownText(of: element, rule: contentRule(of: element)).flatMap(string)
  }

  private func contentRule(of element: ElementID) -> ContentRule {
    ContentRule(class: screen.className(of: element), superclasses: screen.tree.value(.superclasses, of: element))
  }

  private func ownText(of element: ElementID, rule: ContentRule) -> Text? {
    let tree = screen.tree
    switch rule {
    case .switchState:
      if screen.knows(.on, element) { return .made(tree.isTrue(.on, of: element) ? "checked" : "unchecked") }
    case .stepper: if screen.knows(.value, element) { return .made(CNumberFormat.general(number(.value, element))) }
    case .slider:
      // A slider's value has single precision.
      if screen.knows(.value, element) { return .made(CNumberFormat.fixed(Double(Float(number(.value, element))))) }
    case .pageControl:
      if let page = selected(element) { return .made(String(page)) }
      if screen.knows(.value, element) { return .made(String(whole(number(.value, element)))) }
    // The title needs the segments, which come later.
    case .segmentedControl: return nil
    case .reactNative: if let label = trimmed(.label, element) { return .made(label) }
    case .weex: if let value = trimmed(.value, element) { return .made(value) }
    case .text: break
    }
    if let text = tree.valueID(.text, of: element) { return .interned(text) }
    if let title = tree.valueID(.title, of: element), screen.structure.alerts[element.index] != element.rawValue {
      return .interned(title)
    }
    if let title = screen.titleLabel(of: element).flatMap({ tree.valueID(.text, of: $0) }) { return .interned(title) }
    // WebDriverAgent gives the text of labels and buttons as their accessibility label.
    return tree.format.hasElementTypes ? tree.valueID(.label, of: element).map { .interned($0) } : nil
  }

  private func number(_ name: AttributeName, _ element: ElementID) -> Double {
    screen.tree.value(name, of: element).flatMap { Double($0) } ?? 0
  }

  private func whole(_ number: Double) -> Int { Int(exactly: number.rounded(.towardZero)) ?? 0 }

  private func selected(_ element: ElementID) -> Int? {
    screen.structure.appearance.selectedIndex.flatMap { screen.tree.value($0, of: element) }.flatMap { Int($0) }
  }

  /// Returns an attribute without the white space around it; nil if nothing is left.
  private func trimmed(_ name: AttributeName, _ element: ElementID) -> String? {
    guard let text = screen.tree.value(name, of: element) else { return nil }
    func isSpace(_ scalar: Unicode.Scalar) -> Bool {
      scalar == "\t" || scalar.properties.generalCategory == .spaceSeparator
    }
    let scalars = text.unicodeScalars.drop(while: isSpace)
    guard let end = scalars.lastIndex(where: { !isSpace($0) }) else { return nil }
    return String(scalars[...end])
  }

  private func titleOfSelectedSegment(of control: ElementID) -> Text {
    let segments = screen.segments(of: control)
    guard let selected = selected(control), selected < segments.count, let title = content(of: segments[selected])
    else {
      return .none
    }
    return .made(title)
  }
}
