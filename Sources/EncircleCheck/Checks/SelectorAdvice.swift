import EncircleIdentity
import EncircleRules
import EncircleSuggest
import EncircleTree

/// What a capture tells of a selector, by the first element that it takes there.
struct SelectorAdvice {
  /// What the selector relies on, with the number of siblings that the capture has.
  let stability: SelectorStability
  /// A more stable selector that takes the same elements of the capture; nil if there is none.
  let better: ElementSelector?
  let betterStability: SelectorStability?
  /// By step with a certain row: how many other rows its list has.
  let otherRows: [Int: Int]
  /// Where all this was seen.
  let capture: String
}

/// Gives advice on selectors by one capture.
struct SelectorAdviser {
  private let screen: IdentifiedTree
  private let name: String
  private let hierarchy: ClassHierarchy
  private var suggester: Suggester?

  init(_ screen: IdentifiedTree, name: String, hierarchy: ClassHierarchy) {
    self.screen = screen
    self.name = name
    self.hierarchy = hierarchy
  }

  /// What can be said of a selector that takes an element; nil if it relies on nothing that could be better.
  mutating func advice(on selector: ElementSelector, _ element: ElementID) -> SelectorAdvice? {
    let first = SelectorStability(of: selector, hierarchy: hierarchy)
    let isFragile = first.reasons.contains { reason in
      switch reason {
      case .siblingIndex, .exactRow, .anchored, .wrappers: true
      default: false
      }
    }
    guard isFragile else { return nil }
    let steps = elements(of: selector, endingAt: element)
    let stability = SelectorStability(of: selector, hierarchy: hierarchy) { step in
      steps[step].map { siblings(of: $0).count }
    }
    var otherRows: [Int: Int] = [:]
    for case .exactRow(let step) in stability.reasons {
      guard let cell = steps[step] else { continue }
      otherRows[step] = siblings(of: cell).count { $0 != cell && isCell($0) }
    }
    if suggester == nil { suggester = Suggester(screen) }
    let own = SelectorMatcher(selector, hierarchy: hierarchy).elements(of: screen)
    // Of those that take the same elements the most stable one.
    let better = suggester?.suggestions(for: element).first { suggestion in
      suggestion.evidence.isEmpty && !suggestion.needsPage && suggestion.elements == own
        && suggestion.stability.penalty + Self.leastGain <= stability.penalty
        && (Self.isBroad(stability) || !Self.isBroad(suggestion.stability))
    }
    return SelectorAdvice(
      stability: stability, better: better?.selector, betterStability: better?.stability, otherRows: otherRows,
      capture: name)
  }

  // Less is not worth telling of.
  private static let leastGain = 8

  /// Whether a selector would take whatever element of its class is added, so that it is no advice for one that does not.
  private static func isBroad(_ stability: SelectorStability) -> Bool {
    stability.reasons.contains { if case .broadElement = $0 { true } else { false } }
  }

  private func isCell(_ element: ElementID) -> Bool {
    switch screen.locator(of: element) {
    case .row, .item: true
    default: false
    }
  }

  /// The elements of an element's class beside it, itself included.
  private func siblings(of element: ElementID) -> [ElementID] {
    guard let parent = screen.tree.parent(of: element) else { return [element] }
    let written = screen.writtenClass(of: element)
    var result: [ElementID] = []
    var child = screen.tree.firstChild(of: parent)
    while let sibling = child {
      if screen.writtenClass(of: sibling) == written { result.append(sibling) }
      child = screen.tree.nextSibling(of: sibling)
    }
    return result
  }

  /// By step, the element that it stands for when the selector ends at an element; those before a `**` are unknown.
  private func elements(of selector: ElementSelector, endingAt element: ElementID) -> [Int: ElementID] {
    var result: [Int: ElementID] = [:]
    var current: ElementID? = element
    for (i, step) in selector.steps.enumerated().reversed() {
      guard case .component = step, let here = current else { break }
      result[i] = here
      current = screen.tree.parent(of: here)
    }
    return result
  }
}
