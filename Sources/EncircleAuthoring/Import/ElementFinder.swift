import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Finds elements that were circled in another tool on captures of the same page, by the facts in their definition: text, place
/// on the screen and surrounding classes; for web pages the link, the tag with its attributes, and the surrounding elements.
///
/// The matcher of `EncircleDrift` cannot do this: it compares whole screens, but here only one element of the old screen is known.
package struct ElementFinder: Sendable {
  /// The maximum number of elements that are proposed.
  package static let maximumProposals = 3
  /// The maximum number of elements of a page that are compared.
  static let maximumCompared = 2_000
  /// The minimum score for an element to count as the circled one, and its minimum lead over others.
  static let threshold = 0.7
  static let margin = 0.1

  /// The compared facts about an element of a capture.
  struct Known: Sendable {
    var capture: Int
    var element: ElementID
    var text: UTF8String?
    var classes: [UTF8String]
    /// The path in any row, which elements in the same place of other rows share.
    var place: UTF8String
    var frame: Frame?
    var width: Double?
    /// In a web page, the element and those around it, the outermost first.
    var web: [WebFacts] = []
  }

  /// The elements of a page.
  private struct Page: Sendable {
    let name: UTF8String
    /// The address of a web page.
    let address: UTF8String?
    var elements: [Known] = []
  }

  private let captures: [IdentifiedTree]
  private let style: PathStyleName
  private var pages: [Page] = []
  private var pagesByName: [UTF8String: [Int]] = [:]

  /// - Parameter style: The style in which definitions name pages and texts. Captures that it cannot serve are left out.
  /// - Complexity: O(elements × depth).
  package init(_ captures: [IdentifiedTree], style: PathStyleName = .sensors) {
    (self.captures, self.style) = (captures, style)
    for (number, screen) in captures.enumerated() where Self.isServed(screen, style) {
      if style.isWeb { addPage(screen, number) } else { add(screen, number) }
    }
  }

  /// Returns whether a capture is searched. Captures of iOS apps are accepted even if they lack something that the style needs,
  /// because a person confirms the result.
  private static func isServed(_ screen: IdentifiedTree, _ style: PathStyleName) -> Bool {
    if style.isWeb || style.isAndroid { return style.style.unmetRequirement(for: screen) == nil }
    return screen.tree.web == nil
  }

  /// Adds an element to the page of that name.
  private mutating func add(_ known: Known, to name: UTF8String, isNewPage: Bool = false, address: UTF8String? = nil) {
    if isNewPage || pagesByName[name] == nil {
      pagesByName[name, default: []].append(pages.count)
      pages.append(Page(name: name, address: address))
    }
    guard let last = pagesByName[name]?.last, pages[last].elements.count < Self.maximumCompared else { return }
    pages[last].elements.append(known)
  }

  private mutating func add(_ screen: IdentifiedTree, _ number: Int) {
    let facts = ScreenElements(of: screen)
    let chains = PathChains(of: screen)
    let width = ScreenSize(of: screen.tree)?.width
    // All SDKs for iOS have the same classes.
    let paths: PathStyleName = style.isAndroid ? style : .sensors
    let contents = style.isAndroid ? ElementEvents(of: screen, style: style, fields: EventFields(style: style)) : nil
    for element in screen.tree.elements where !facts.hidden[element.index] {
      let isTracked =
        style.isAndroid ? screen.trackingType(of: element, in: style) != nil : facts.types[element.index] != nil
      guard isTracked, let page = screen.page(of: element, in: style),
        let path = paths.style.path(of: chains.chain(to: element))
      else { continue }
      let written = path.written
      let text = contents.map { $0.content(of: element) } ?? facts.content(of: element)
      add(
        Known(
          capture: number, element: element, text: text.map { UTF8String($0) },
          classes: RecordedElement.classes(of: written), place: UTF8String(written), frame: facts.frames[element],
          width: width),
        to: UTF8String(page))
    }
  }

  private mutating func addPage(_ screen: IdentifiedTree, _ number: Int) {
    let facts = ScreenElements(of: screen)
    let chains = PathChains(of: screen)
    let contents = ElementContents(of: screen, in: style)
    let address = screen.tree.web?.url.map { UTF8String($0) }
    var isNewPage = true
    for element in screen.tree.elements
    where screen.trackingType(of: element, in: style) != nil && !facts.hidden[element.index] {
      guard let page = screen.page(of: element, in: style),
        // The chain in this style has all attributes, so it is used for definitions of every SDK.
        let chain = PathStyleName.postHogWeb.style.path(of: chains.chain(to: element))
      else { continue }
      let web = chain.components.compactMap(\.attributes.web)
      add(
        Known(
          capture: number, element: element, text: contents.content(of: element).map { UTF8String($0) }, classes: [],
          place: Self.place(of: web), frame: facts.frames[element], width: nil, web: web),
        to: UTF8String(page), isNewPage: isNewPage, address: address)
      isNewPage = false
    }
  }

  /// Returns the tags and classes from the page down, with places among siblings except for the rows of lists and tables.
  private static func place(of chain: [WebFacts]) -> UTF8String {
    UTF8String(
      chain.map { facts in
        let isRow = facts.tag.hasSameBytes(as: "li") || facts.tag.hasSameBytes(as: "tr")
        let classes = (facts.classes ?? []).map { UTF8String($0) }.sorted().map { "." + $0.text }.joined()
        return facts.tag + classes + (isRow ? "" : ":\(facts.nthOfType ?? 0)")
      }.joined(separator: ">"))
  }

  // MARK: - Finding

  /// - Complexity: O(elements of its pages × depth²).
  package func find(_ circled: RecordedElement) -> FoundAgain {
    let known = elements(on: circled.page)
    guard let known else { return FoundAgain(verdict: .noCapture, elements: []) }
    var scored = known.map { (known: $0, found: Self.compare(circled, $0)) }.filter { $0.found.score > 0 }
      .sorted { a, b in
        (b.found.score, a.found.capture, a.found.element.index) < (
          a.found.score, b.found.capture, b.found.element.index
        )
      }
    if style.isWeb { removeInner(from: &scored) }
    let proposals = scored.prefix(Self.maximumProposals).map(\.found)
    guard let best = scored.first, best.found.score >= Self.threshold else {
      return FoundAgain(verdict: .none, elements: proposals)
    }
    let rival = scored.first { other in
      other.known.place != best.known.place && other.found.score > best.found.score - Self.margin
    }
    let isSure = rival == nil && Self.isEnough(best.found.reasons, circled)
    return FoundAgain(verdict: isSure ? .found : .several, elements: proposals)
  }

  /// Returns whether the reasons prove which element was circled. That takes two reasons, because other elements may have the
  /// same text. An id, or an attribute that is used like one, is enough, because a page has it only once.
  private static func isEnough(_ reasons: [FoundElement.Reason], _ circled: RecordedElement) -> Bool {
    reasons.count { $0.likeness >= threshold } >= 2
      || circled.webElements.contains(where: \.isNamed)
        && reasons.contains { $0.code == .attributes && $0.likeness == 1 }
  }

  /// Returns the elements of the pages; nil if no capture shows one of them.
  private func elements(on page: RecordedElement.Page) -> [Known]? {
    let numbers: [Int] =
      switch page {
      case .named(let name): pagesByName[name] ?? []
      case .addresses(let lists):
        pages.indices.filter { i in
          lists.contains { !$0.isEmpty && $0.allSatisfy { $0.likeness(pages[i].address) == 1 } }
        }
      case .any: Array(pages.indices)
      case .unknown: []
      }
    return numbers.isEmpty ? nil : Array(numbers.lazy.flatMap { pages[$0].elements }.prefix(Self.maximumCompared))
  }

  /// Removes elements that lie inside others with at least the same score: a tap on them counts as one on the outer element.
  private func removeInner(from scored: inout [(known: Known, found: FoundElement)]) {
    struct Place: Hashable {
      let capture: Int
      let element: ElementID
    }
    var scores: [Place: Double] = [:]
    for item in scored { scores[Place(capture: item.known.capture, element: item.known.element)] = item.found.score }
    scored.removeAll { item in
      let tree = captures[item.known.capture].tree
      return tree.inclusiveWebAncestors(of: item.known.element).dropFirst().contains { element in
        scores[Place(capture: item.known.capture, element: element)].map { $0 >= item.found.score } ?? false
      }
    }
  }
}
