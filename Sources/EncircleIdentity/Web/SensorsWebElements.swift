import EncircleText
import EncircleTree

/// The values that Sensors' SDK for JavaScript sends for the elements of a page.
///
/// Source: sa-sdk-javascript 1.27.10, run unchanged in Chromium over pages.
final class SensorsWebElements: Sendable {
  private let screen: WebScreen
  // This is true if the SDK uses ids, as it does unless `heatmap.element_selector` is `not_use_id`.
  private let usesIDs: Bool
  // For each element, the number of its `$element_path`; equal paths have equal numbers.
  private let pathNumbers: [Int32]
  // For each path number, the elements that have the path and that a search for their tag would find, in pre-order.
  private let elementsByPath: [[ElementID]]
  // The texts of all text nodes, short, and with each run of spaces as one.
  private let texts: WebTexts

  private var tree: ViewTree { screen.tree }

  /// - Complexity: O(elements + texts).
  init(_ screen: WebScreen, usesIDs: Bool = true) {
    self.screen = screen
    self.usesIDs = usesIDs
    texts = WebTexts(of: screen.page, in: screen.tree)
    struct Key: Hashable {
      let parent: Int32
      let tag: UTF8String
    }
    var numbers: [Key: Int32] = [:]
    var paths: [Int32] = []
    var elements: [[ElementID]] = []
    for element in screen.tree.elements {
      let tag = screen.tag(of: element)
      let key: Key
      if usesIDs, let id = Self.pathID(of: element, screen) {
        key = Key(parent: -1, tag: UTF8String("\(tag)#\(id)"))
      } else if let parent = screen.tree.parent(of: element), !screen.isTag(element, "body") {
        key = Key(parent: paths[parent.index], tag: UTF8String(tag))
      } else {
        key = Key(parent: -1, tag: UTF8String(tag))
      }
      let number = numbers[key] ?? Int32(numbers.count)
      if Int(number) == numbers.count {
        numbers[key] = number
        elements.append([])
      }
      paths.append(number)
      let isFound = screen.tree.strings.withBytes(of: screen.tree.classID(of: element)) { $0.elementsEqual(tag.utf8) }
      if isFound { elements[Int(number)].append(element) }
    }
    pathNumbers = paths
    elementsByPath = elements
  }

  // MARK: - Paths

  /// Returns the attribute `id` if the SDK accepts it as an id: an ASCII letter, followed by ASCII letters, digits or `-_:.`.
  static func validID(of element: ElementID, _ screen: WebScreen) -> String? {
    guard let name = screen.names.id, let id = screen.tree.valueID(name, of: element) else { return nil }
    return screen.tree.strings.withBytes(of: id) { bytes in
      guard let first = bytes.first, isLetter(first),
        bytes.allSatisfy({ isLetter($0) || isDigit($0) || "-_:.".utf8.contains($0) })
      else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Returns the id in `$element_path`. The SDK reads the property `id`, which in a form with a field named `id` is that field.
  static func pathID(of element: ElementID, _ screen: WebScreen) -> String? {
    screen.formsWithFieldID.contains(element) ? nil : validID(of: element, screen)
  }

  /// Returns `$element_path` and `$element_selector`, with the facts about the elements in them.
  ///
  /// - Complexity: O(depth).
  func path(of element: ElementID) -> StyledPath {
    var components: [StyledComponent] = []
    for view in tree.inclusiveAncestors(of: element) {
      var component = StyledComponent(screen.tag(of: view))
      var facts = WebFacts(tag: component.className)
      facts.nthOfType = screen.place(of: view).type
      if usesIDs, let id = Self.pathID(of: view, screen) {
        component.attributes.resourceID = id
        facts.id = id
      }
      if view == element { addOwn(to: &facts, element) }
      component.attributes.web = facts
      components.append(component)
      if facts.id != nil && component.attributes.resourceID != nil || screen.isTag(view, "body") { break }
    }
    components.reverse()
    var path = StyledPath(.sensorsWeb, components)
    path.selector = selector(of: element)
    return path
  }

  /// Adds the event's facts about the element itself.
  private func addOwn(to facts: inout WebFacts, _ element: ElementID) {
    facts.classes = className(of: element).map(JSText.words)
    let attributes = attributes(of: element)
    facts.attributes["id"] = attributes.id
    facts.attributes["name"] = attributes.name
    facts.attributes["href"] = attributes.href
    if let name = className(of: element), !name.isEmpty { facts.attributes["class"] = name }
    if facts.id == nil { facts.id = facts.attributes["id"] }
  }

  /// Returns `$element_selector`.
  func selector(of element: ElementID) -> String {
    var parts: [String] = []
    var current: ElementID? = element
    while let view = current {
      if screen.isTag(view, "body") {
        parts.append("body")
        break
      }
      if usesIDs, let id = Self.validID(of: view, screen) {
        parts.append("#\(id)")
        break
      }
      parts.append("\(screen.tag(of: view)):nth-of-type(\(screen.place(of: view).type))")
      current = tree.parent(of: view)
      if current == nil { return "unknown" }
    }
    return Self.sent(parts.reversed().joined(separator: " > "))
  }

  /// Returns a text as it is sent, of 1,024 UTF-16 units at most.
  static func sent(_ text: String) -> String { JSText.prefix(text, maximumLength) }

  /// The greatest length of a text of an event, in UTF-16 units.
  static let maximumLength = 1_024

  /// Returns `$element_position`: the place in the row around; nil outside of rows.
  ///
  /// - Complexity: O(depth + log elements).
  func position(of element: ElementID) -> Int? {
    var current: ElementID? = element
    while let view = current, !screen.isTag(view, "li") { current = tree.parent(of: view) }
    guard let row = current else { return nil }
    let like = elementsByPath[Int(pathNumbers[element.index])]
    let first = like.partitioningIndex { $0 > row }
    let end = like.partitioningIndex { $0 >= tree.subtreeEnd(of: row) }
    if end - first >= 2 {
      let place = like.partitioningIndex { $0 >= element }
      if place >= first, place < end, like[place] == element { return place - first }
    }
    return screen.isOnlyOfType(row) ? 0 : screen.place(of: row).child - 1
  }

  // MARK: - Properties

  /// Returns `$element_content`.
  func content(of element: ElementID) -> String {
    if screen.isTag(element, "input") {
      return ["button", "submit"].contains(screen.type(of: element))
        ? Self.sent(screen.attribute(screen.names.value, of: element) ?? "") : ""
    }
    return texts.content(of: element, in: screen.page)
  }

  /// Returns `$element_class_name`; nil for elements of SVG, which have none.
  func className(of element: ElementID) -> String? {
    if screen.isForeign(element), !screen.page.traits(of: element).contains(.mathML) { return nil }
    return Self.sent(screen.attribute(screen.names.className, of: element) ?? "")
  }

  /// Returns the properties that are attributes as they are written: `$element_id`, `$element_name` and `$element_target_url`.
  func attributes(of element: ElementID) -> (id: String?, name: String?, href: String?) {
    (
      screen.attribute(screen.names.id, of: element).map(Self.sent),
      screen.attribute(screen.names.name, of: element).map(Self.sent),
      screen.attribute(screen.names.href, of: element).map(Self.sent)
    )
  }

  // MARK: - Clicks

  /// Settings of the SDK that make it report clicks on more elements.
  enum Collecting {
    case standard
    /// `collect_tags.div` with `max_level`.
    case divs(levels: Int)
    /// `collect_tags` with these tags.
    case tags(Set<String>)
    /// `collect_elements: 'all'`
    case all
  }

  /// Returns the element that a click on an element is reported for; nil without an event.
  ///
  /// - Complexity: O(depth); with divs, O(elements inside it).
  func target(of element: ElementID, collecting: Collecting = .standard) -> ElementID? {
    if screen.isTag(element, "html") || screen.isTag(element, "body") { return nil }
    switch collecting {
    case .standard: break
    case .all:
      if let parent = tree.parent(of: element), isLink(parent) { return parent }
      return element
    case .tags(let tags):
      guard !isTracked(element) else { break }
      if tags.contains(screen.tag(of: element)) { return element }
      // A click inside an `li` or `label` is reported for that element. Elements with other tags are reported only for direct
      // clicks.
      let rows = tags.intersection(["li", "label"])
      if let around = around(element, or: { rows.contains(screen.tag(of: $0)) }) { return around }
    case .divs(let levels): if !isTracked(element), let div = div(around: element, levels) { return div }
    }
    if screen.isTag(element, "area") { return image(ofArea: element) ?? standardTarget(of: element) }
    return standardTarget(of: element)
  }

  private func standardTarget(of element: ElementID) -> ElementID? {
    isTracked(element) ? element : around(element) { _ in false }
  }

  /// Returns the nearest element, from the given one upwards, that is a link or a button, that the page marks to be reported, or
  /// that passes a test.
  private func around(_ element: ElementID, or isCollected: (ElementID) -> Bool) -> ElementID? {
    tree.inclusiveWebAncestors(of: element).first {
      isLink($0) || screen.has(screen.names.sensorsClick, $0) || isCollected($0)
    }
  }

  private func isLink(_ element: ElementID) -> Bool { ["a", "button"].contains(screen.tag(of: element)) }

  /// Returns whether the SDK always reports a click directly on an element, because of its tag.
  private func isTracked(_ element: ElementID) -> Bool {
    ["a", "button", "input", "textarea"].contains(screen.tag(of: element))
  }

  /// Returns the image directly before the map that contains an area; nil if there is none.
  private func image(ofArea area: ElementID) -> ElementID? {
    guard let map = tree.parent(of: area), screen.isTag(map, "map"), let parent = tree.parent(of: map) else {
      return nil
    }
    let before = tree.children(of: parent).prefix { $0 != map }.last
    return before.flatMap { screen.isTag($0, "img") ? $0 : nil }
  }

  private static let styleTags: Set<String> = ["mark", "strong", "b", "em", "i", "u", "abbr", "ins", "del", "s", "sup"]

  /// Returns the `div` that a click on an element is reported for with `collect_tags.div`.
  private func div(around element: ElementID, _ levels: Int) -> ElementID? {
    for view in tree.inclusiveAncestors(of: element) {
      if screen.tag(of: view) == "div" { return isCollected(view, levels) ? view : nil }
      guard Self.styleTags.contains(screen.tag(of: view)) else { return nil }
    }
    return nil
  }

  private func isCollected(_ div: ElementID, _ levels: Int) -> Bool {
    var ends: [ElementID] = []
    for index in div.index + 1..<tree.subtreeEnd(of: div).index {
      let inner = ElementID(index)
      let tag = screen.tag(of: inner)
      if tag == "div" {
        while let end = ends.last, end <= inner { ends.removeLast() }
        ends.append(tree.subtreeEnd(of: inner))
        if ends.count + 1 > levels { return false }
      } else if levels == 1, !Self.styleTags.contains(tag) {
        return false
      }
    }
    return true
  }
}
