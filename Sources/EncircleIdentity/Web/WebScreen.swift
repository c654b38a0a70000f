import EncircleText
import EncircleTree

/// A web page as the SDKs for the web see it: places among siblings, attributes, texts.
final class WebScreen: Sendable {
  let tree: ViewTree
  let page: WebPage
  let names: Names
  /// `document.title`, or nil.
  let title: String?
  // The place of each element among all siblings and among the siblings of its tag, from 1.
  private let places: [(child: Int32, type: Int32)]
  // The entry of an element is true if no sibling has the same tag.
  private let isOnlyOfType: [Bool]
  // The text nodes of element e: direct[directStarts[e] ..< directStarts[e + 1]].
  private let direct: [Int32]
  private let directStarts: [Int32]
  /// The forms that have a field named `id`: their property `id` is this field instead of the attribute.
  let formsWithFieldID: Set<ElementID>

  /// The names of attributes that SDKs ask for; each nil if no element has it.
  struct Names {
    let id, className, name, href, type, value, contentEditable, sensorsClick, postHogNoAutocapture: AttributeName?

    init(of tree: ViewTree) {
      id = tree.webAttributeName("id")
      className = tree.webAttributeName("class")
      name = tree.webAttributeName("name")
      href = tree.webAttributeName("href")
      type = tree.webAttributeName("type")
      value = tree.webAttributeName("value")
      contentEditable = tree.webAttributeName("contenteditable")
      sensorsClick = tree.webAttributeName("data-sensors-click")
      postHogNoAutocapture = tree.webAttributeName("data-ph-no-autocapture")
    }
  }

  /// - Returns: Nil if the tree is not that of a web page.
  /// - Complexity: O(elements + texts).
  init?(of tree: ViewTree) {
    guard let page = tree.web else { return nil }
    self.tree = tree
    self.page = page
    let names = Names(of: tree)
    self.names = names
    struct Kind: Hashable {
      let parent: Int32
      let name: StringID
      let isForeign: Bool
    }
    var counts: [Int32: Int32] = [:]
    var kindCounts: [Kind: Int32] = [:]
    func kind(_ element: ElementID) -> Kind {
      Kind(
        parent: tree.siblingGroup(of: element), name: tree.classID(of: element),
        isForeign: page.traits(of: element).contains(.foreign))
    }
    var places: [(child: Int32, type: Int32)] = []
    places.reserveCapacity(tree.count)
    for element in tree.elements {
      let kind = kind(element)
      counts[kind.parent, default: 0] += 1
      kindCounts[kind, default: 0] += 1
      places.append((counts[kind.parent] ?? 0, kindCounts[kind] ?? 0))
    }
    self.places = places
    isOnlyOfType = tree.elements.map { kindCounts[kind($0)] == 1 }
    var starts = [Int32](repeating: 0, count: tree.count + 1)
    for text in page.texts { starts[text.parent.index + 1] += 1 }
    for i in 1..<starts.count { starts[i] += starts[i - 1] }
    var next = starts
    var direct = [Int32](repeating: 0, count: page.texts.count)
    for (i, text) in page.texts.enumerated() {
      direct[Int(next[text.parent.index])] = Int32(i)
      next[text.parent.index] += 1
    }
    (self.direct, directStarts) = (direct, starts)
    title = page.statedTitle ?? Self.title(of: tree, page, direct, starts)
    formsWithFieldID = Self.formsWithFieldID(tree, page, names)
  }

  private static func title(
    of tree: ViewTree, _ page: WebPage, _ direct: [Int32], _ starts: [Int32]
  ) -> String? {
    let title = tree.elements.first { element in
      !page.traits(of: element).contains(.foreign) && tree.siblingGroup(of: element) >= -1
        && tree.strings.withBytes(of: tree.classID(of: element)) { sameBytes($0, "title") }
    }
    guard let title else { return nil }
    var bytes: [UInt8] = []
    for i in direct[Int(starts[title.index])..<Int(starts[title.index + 1])] {
      tree.strings.withBytes(of: page.texts[Int(i)].text) { bytes.append(contentsOf: $0) }
    }
    let words = bytes.split { isWhiteSpace($0) || $0 == 0x0C }
    return String(decoding: Array(words.joined(separator: [0x20])), as: UTF8.self)
  }

  private static func formsWithFieldID(_ tree: ViewTree, _ page: WebPage, _ names: Names) -> Set<ElementID> {
    guard names.name != nil || names.id != nil else { return [] }
    let fields: Set<UTF8String> = ["button", "fieldset", "input", "object", "output", "select", "textarea", "img"]
    var forms: Set<ElementID> = []
    // The innermost form around each element; -1 for none.
    var nearest: [Int32] = []
    nearest.reserveCapacity(tree.count)
    for element in tree.elements {
      let name = UTF8String(tree.className(of: element))
      nearest.append(
        name == "form" ? element.rawValue : tree.parent(of: element).map { nearest[$0.index] } ?? -1)
      guard !page.traits(of: element).contains(.foreign), fields.contains(name), nearest[element.index] >= 0 else {
        continue
      }
      let isNamed = [names.name, names.id].contains { name in
        name.flatMap { tree.valueID($0, of: element) }.map { id in
          tree.strings.withBytes(of: id) { sameBytes($0, "id") }
        }
          ?? false
      }
      if isNamed { forms.insert(ElementID(rawValue: nearest[element.index])) }
    }
    return forms
  }

  // MARK: - Elements

  func isForeign(_ element: ElementID) -> Bool { page.traits(of: element).contains(.foreign) }

  /// Returns whether an element is one of HTML with a tag.
  func isTag(_ element: ElementID, _ tag: StaticString) -> Bool {
    !isForeign(element) && tree.strings.withBytes(of: tree.classID(of: element)) { sameBytes($0, tag) }
  }

  /// Returns the tag in lower case.
  func tag(of element: ElementID) -> String {
    tree.strings.withBytes(of: tree.classID(of: element)) { name in
      String(decoding: name.map(lowercased), as: UTF8.self)
    }
  }

  func attribute(_ name: AttributeName?, of element: ElementID) -> String? {
    name.flatMap { tree.value($0, of: element) }
  }

  func has(_ name: AttributeName?, _ element: ElementID) -> Bool {
    name.flatMap { tree.valueID($0, of: element) } != nil
  }

  /// Returns the place of an element among its siblings, and among the siblings with its tag, both from 1.
  func place(of element: ElementID) -> (child: Int, type: Int) {
    (Int(places[element.index].child), Int(places[element.index].type))
  }

  func isOnlyOfType(_ element: ElementID) -> Bool { isOnlyOfType[element.index] }

  /// Returns the numbers of the text nodes right in an element.
  func directTexts(of element: ElementID) -> ArraySlice<Int32> {
    direct[Int(directStarts[element.index])..<Int(directStarts[element.index + 1])]
  }

  /// Returns the classes of an element, in the order of the attribute.
  func classes(of element: ElementID) -> [String] {
    attribute(names.className, of: element).map(JSText.words) ?? []
  }

  func hasClass(_ word: String, _ element: ElementID) -> Bool {
    classes(of: element).contains { $0.hasSameBytes(as: word) }
  }

  /// Returns the property `type` in lower case, as far as SDKs ask for it.
  func type(of element: ElementID) -> String {
    let own = (attribute(names.type, of: element) ?? "").lowercased()
    if isTag(element, "input") { return own.isEmpty ? "text" : own }
    if isTag(element, "button") { return ["submit", "reset", "button"].contains(own) ? own : "submit" }
    let reflecting: [StaticString] = [
      "a", "embed", "li", "link", "object", "ol", "param", "script", "source", "style", "ul",
    ]
    return reflecting.contains { isTag(element, $0) } ? own : ""
  }

  /// Returns the attributes of an element by the names and values of the DOM.
  func attributes(of element: ElementID) -> [(name: String, value: String)] { tree.attributes(of: element) }

  /// Returns whether a browser by default shows the pointer cursor over an element: over links and their contents.
  func hasPointerWithoutStyles(_ element: ElementID) -> Bool {
    for view in tree.inclusiveWebAncestors(of: element) {
      if isTag(view, "a") || isTag(view, "area"), has(names.href, view) { return true }
      for tag in ["input", "textarea", "select", "button", "label"] as [StaticString] where isTag(view, tag) {
        return false
      }
    }
    return false
  }

  // MARK: - Address

  /// The path of the page's address, percent-decoded as `decodeURI` does; nil if the capture does not give an address.
  var path: String? { page.url.map { WebAddress($0).path } }
}
