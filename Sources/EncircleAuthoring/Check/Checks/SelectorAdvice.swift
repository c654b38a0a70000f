import EncircleIdentity
import EncircleRules
import EncircleTree

/// Advice on a selector, by the first element that it matches in a capture.
struct SelectorAdvice {
  /// The stability of the selector, with the numbers of siblings in the capture.
  let stability: SelectorStability
  /// A more stable selector that matches the same elements of the capture; nil if there is none.
  let better: ElementSelector?
  let betterStability: SelectorStability?
  /// For each step that names a row, the number of other rows in its list.
  let otherRows: [Int: Int]
  /// The steps that name a page, or the slot of a page, in a page view controller. The controller shows other pages in the same
  /// places.
  let slots: Set<Int>
  /// The name of the capture.
  let capture: String
}

/// Gives advice on selectors by means of one capture.
struct SelectorAdviser {
  private let screen: IdentifiedTree
  private let name: String
  private let hierarchy: ClassHierarchy
  private let origins: ClassOrigins
  private var suggester: Suggester?
  // Many rules may share a selector. `sound` has the selectors that rely on nothing fragile, `given` the advice on others.
  private var sound: Set<ElementSelector> = []
  private var given: [Question: SelectorAdvice] = [:]
  // The pages in slots of page view controllers, and their superviews.
  private let pagesInSlots: Set<ElementID>

  private struct Question: Hashable {
    let selector: ElementSelector
    let element: ElementID
  }

  init(_ screen: IdentifiedTree, name: String, hierarchy: ClassHierarchy) {
    self.screen = screen
    self.name = name
    self.hierarchy = hierarchy
    origins = ClassOrigins(in: hierarchy)
    let pages = screen.pagesInReusedSlots
    pagesInSlots = Set(pages).union(pages.compactMap { screen.tree.parent(of: $0) })
  }

  /// Returns advice on a selector that matches an element; nil if the selector relies on nothing fragile.
  mutating func advice(on selector: ElementSelector, _ element: ElementID) -> SelectorAdvice? {
    if sound.contains(selector) { return nil }
    let question = Question(selector: selector, element: element)
    if let known = given[question] { return known }
    let advice = newAdvice(on: selector, element)
    if let advice { given[question] = advice } else { sound.insert(selector) }
    return advice
  }

  private mutating func newAdvice(on selector: ElementSelector, _ element: ElementID) -> SelectorAdvice? {
    lazy var steps = elements(of: selector, endingAt: element)
    let stability = SelectorStability(
      of: selector, siblings: { step in steps[step].map { siblings(of: $0).count } },
      origin: { origins.origin(of: $0) })
    var isFragile = false
    var otherRows: [Int: Int] = [:]
    var slots: Set<Int> = []
    for reason in stability.reasons {
      switch reason {
      case .siblingIndex, .anchored, .wrappers: isFragile = true
      case .exactRow(let step):
        isFragile = true
        guard let cell = steps[step] else { continue }
        otherRows[step] = siblings(of: cell).count { $0 != cell && isCell($0) }
      case .pagePosition(let step) where !pagesInSlots.isEmpty:
        isFragile = true
        if let page = steps[step], pagesInSlots.contains(page) { slots.insert(step) }
      default: continue
      }
    }
    guard isFragile else { return nil }
    if suggester == nil { suggester = Suggester(screen) }
    // Matching looks at all elements, so it waits until a suggestion is more stable.
    lazy var own = SelectorMatcher(selector, hierarchy: hierarchy).elements(of: screen)
    // The suggestions are sorted by stability, so this is the most stable one that matches the same elements.
    let better = suggester?.suggestions(for: element).first { suggestion in
      suggestion.evidence.isEmpty && !suggestion.needsPage
        && suggestion.stability.penalty + Self.minimumGain <= stability.penalty
        && (Self.isBroad(stability) || !Self.isBroad(suggestion.stability)) && suggestion.elements == own
    }
    return SelectorAdvice(
      stability: stability, better: better?.selector, betterStability: better?.stability, otherRows: otherRows,
      slots: slots, capture: name)
  }

  // The smallest difference of penalties that makes a better selector worth reporting.
  private static let minimumGain = 8

  /// Returns whether a selector would also match any element of its class that is added later. Such a selector is no improvement
  /// on one that would not.
  private static func isBroad(_ stability: SelectorStability) -> Bool {
    stability.reasons.contains { if case .broadElement = $0 { true } else { false } }
  }

  private func isCell(_ element: ElementID) -> Bool {
    switch screen.locator(of: element) {
    case .row, .item: true
    default: false
    }
  }

  /// Returns the siblings of an element that have its class, itself included.
  private func siblings(of element: ElementID) -> [ElementID] {
    guard let parent = screen.tree.parent(of: element) else { return [element] }
    let written = screen.writtenClass(of: element)
    return screen.tree.children(of: parent).filter { screen.writtenClass(of: $0) == written }
  }

  /// Returns the element that each step matches if the selector ends at an element; before a `**`, the nearest element
  /// at which the steps so far can end.
  private func elements(of selector: ElementSelector, endingAt element: ElementID) -> [Int: ElementID] {
    var result: [Int: ElementID] = [:]
    var current: ElementID? = element
    for (i, step) in selector.steps.enumerated().reversed() {
      if step == .recursiveWildcard {
        guard i > 0, selector.steps[i - 1] != .recursiveWildcard else { continue }
        let outer = ElementSelector(isAnchored: selector.isAnchored, steps: Array(selector.steps[..<i]))
        let matcher = SelectorMatcher(outer, hierarchy: hierarchy)
        while let here = current, !matcher.matches(screen.path(of: here)) { current = screen.tree.parent(of: here) }
        continue
      }
      guard let here = current else { break }
      result[i] = here
      current = screen.tree.parent(of: here)
    }
    return result
  }
}
