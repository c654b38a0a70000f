import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Suggests CSS selectors for elements of a web page.
///
/// Selectors are tried on the paths in events of the style, so that none tests a value that its SDK does not send.
final class PageSuggester: Sendable {
  private let screen: IdentifiedTree
  private let style: PathStyleName
  private let contents: ElementContents
  private let chains: PathChains
  // The elements whose taps make events, in pre-order, with their paths.
  private let targets: [Target]

  private typealias Target = (element: ElementID, path: ElementPath)

  // The maximum numbers of candidates to try and of suggestions to keep.
  private static let maximumTried = 400
  private static let maximumFound = 12

  /// Prepares a web page, in a style of the web.
  ///
  /// - Complexity: O(total length of the paths).
  init(_ screen: IdentifiedTree, style: PathStyleName) {
    self.screen = screen
    self.style = style
    contents = ElementContents(of: screen, in: style)
    let chains = PathChains(of: screen)
    self.chains = chains
    let tracked = screen.tree.elements.filter { screen.trackingType(of: $0, in: style) != nil }
    targets = Self.targets(tracked, chains, style)
  }

  private static func targets(_ elements: [ElementID], _ chains: PathChains, _ style: PathStyleName) -> [Target] {
    elements.compactMap { element in path(of: element, chains, style).map { (element, $0) } }
  }

  private static func path(of element: ElementID, _ chains: PathChains, _ style: PathStyleName) -> ElementPath? {
    guard let path = style.style.path(of: chains.chain(to: element)), !path.components.isEmpty else { return nil }
    return ElementPath(path.componentForms(.builtIn).compactMap(\.first))
  }

  /// Returns selectors for an element, the best first.
  ///
  /// - Complexity: O(elements whose taps make events × candidates × depth); for another element O(elements × candidates × depth).
  func suggestions(for element: ElementID, limit: Int) -> [Suggestion] {
    guard let path = Self.path(of: element, chains, style) else { return [] }
    let facts = path.components.compactMap(\.texts?.web)
    guard facts.count == path.components.count else { return [] }
    let kind = Kind(of: element, in: screen.tree)
    let selectors = PageSelectors(
      facts,
      rows: kind.level.map { level in
        // Levels count from the element up.
        level < facts.count ? [facts.count - 1 - level] : []
      } ?? [])
    let allowed = Set(kind.elements)
    // An element whose taps make no events is not like any element whose taps do.
    let isTracked = screen.trackingType(of: element, in: style) != nil
    let targets = isTracked ? self.targets : Self.targets(Array(screen.tree.elements), chains, style)
    var byStep: [ElementSelector.Step: [Int]] = [:]
    var found: [Suggestion] = []
    var shared: [Suggestion] = []
    for selector in selectors.candidates.prefix(Self.maximumTried) where found.count < Self.maximumFound {
      let matched = matches(of: selector, among: targets, &byStep)
      if let suggestion = suggestion(selector, matched, element, allowed, []) {
        found.append(suggestion)
      } else if shared.count < Self.maximumFound, let text = contents.content(of: element), !text.isEmpty {
        // The text beside it may be enough.
        let evidence = Suggestion.Evidence.content(UTF8String(text))
        let same = matched.filter { evidence.holds(for: $0, screen, contents) }
        if let suggestion = suggestion(selector, same, element, allowed, [evidence]) { shared.append(suggestion) }
      }
    }
    if found.isEmpty { found = shared }
    if found.isEmpty {
      let all = matches(of: selectors.exact, among: targets, &byStep)
      found = [
        Suggestion(
          selector: selectors.exact, page: page(of: element), needsPage: false, evidence: [],
          uniqueness: all.count > 1 ? .shared(count: all.count) : .element, elements: all.isEmpty ? [element] : all,
          stability: SelectorStability(of: selectors.exact))
      ]
    }
    let sorted = found.stablySorted { [$0.stability.penalty, $0.selector.steps.count] }
    return Array(sorted.prefix(max(0, limit)))
  }

  private func page(of element: ElementID) -> String? { screen.page(of: element, in: style) }

  /// Returns the elements whose taps a selector takes.
  private func matches(
    of selector: ElementSelector, among targets: [Target], _ byStep: inout [ElementSelector.Step: [Int]]
  ) -> [ElementID] {
    guard let last = selector.steps.last else { return [] }
    let near: [Int]
    if let known = byStep[last] {
      near = known
    } else {
      near = targets.indices.filter { i in
        let path = targets[i].path
        return path.components.suffix(path.endCount).contains { last.matches($0, hierarchy: .builtIn) }
      }
      byStep[last] = near
    }
    return near.filter { selector.matches(targets[$0].path, hierarchy: .builtIn) }.map { targets[$0].element }
  }

  /// Returns the suggestion of a selector if it takes only taps on the element, or on the same element in other rows; nil
  /// otherwise.
  private func suggestion(
    _ selector: ElementSelector, _ matched: [ElementID], _ element: ElementID, _ allowed: Set<ElementID>,
    _ evidence: [Suggestion.Evidence]
  ) -> Suggestion? {
    guard selector.description.utf8.count <= ElementSelector.maximumLength, selector.unreadableStep(in: style) == nil
    else {
      return nil
    }
    var kinds: Set<ElementID> = []
    for other in matched {
      // Some events name the innermost element that was hit. So an element inside an allowed one counts as the allowed one.
      guard let own = around(other, in: allowed) else { return nil }
      kinds.insert(own)
    }
    var stability = SelectorStability(of: selector)
    for value in evidence { stability.add(value.reason(in: style)) }
    if !evidence.isEmpty { stability.removeBreadth() }
    return Suggestion(
      selector: selector, page: page(of: element), needsPage: false, evidence: evidence,
      uniqueness: kinds.count > 1 ? .kind(count: kinds.count) : .element,
      elements: matched.isEmpty ? [element] : matched,
      stability: stability)
  }

  private func around(_ element: ElementID, in allowed: Set<ElementID>) -> ElementID? {
    guard style == .postHogWeb else { return allowed.contains(element) ? element : nil }
    return screen.tree.inclusiveWebAncestors(of: element).first { allowed.contains($0) }
  }

  /// The elements at the same place in other rows of the innermost list around an element, and how far up the row is.
  private struct Kind {
    /// The number of levels from the element up to the row; nil outside of lists.
    var level: Int?
    /// The element, and the same element in other rows.
    var elements: [ElementID]

    private static let maximumLevels = 64

    init(of element: ElementID, in tree: ViewTree) {
      elements = [element]
      let names = tree.webAttributeName("class")
      // For each level from the element up to the child of the row, the number among the siblings with the same tag.
      var way: [(name: StringID, place: Int)] = []
      var current: ElementID? = element
      var levels = 0
      while let view = current, levels < Self.maximumLevels, let parent = tree.parent(of: view) {
        let siblings = tree.children(of: parent).filter { tree.classID(of: $0) == tree.classID(of: view) }
        let tag = UTF8String(tree.className(of: view))
        let isRow = PageSelectors.isRow(tag)
        let like = siblings.filter { sibling in
          names.map { tree.valueID($0, of: sibling) == tree.valueID($0, of: view) } ?? true
        }
        if isRow ? siblings.count > 1 : view != element && like.count > 1 && PageSelectors.isBlock(tag) {
          let found = (isRow ? siblings : like).compactMap { Self.descend(from: $0, way.reversed(), tree) }
          // If only one of the blocks has such an element, the blocks are the cells of a row, or columns.
          if isRow || found.count > 1 {
            level = levels
            elements = found
            return
          }
        }
        way.append((tree.classID(of: view), siblings.firstIndex(of: view) ?? 0))
        current = parent
        levels += 1
      }
    }

    private static func descend(
      from row: ElementID, _ way: ReversedCollection<[(name: StringID, place: Int)]>, _ tree: ViewTree
    ) -> ElementID? {
      var current = row
      for (name, place) in way {
        let like = tree.children(of: current).filter { tree.classID(of: $0) == name }
        guard place < like.count else { return nil }
        current = like[place]
      }
      return current
    }
  }
}
