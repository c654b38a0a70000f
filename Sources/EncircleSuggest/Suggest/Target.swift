import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// The element that a selector is wanted for, with its ancestors and the elements that have the same path.
struct Target {
  let element: ElementID
  /// The element and its ancestors, innermost first; the index is the *level*.
  let trail: [Int32]
  /// The step that matches the element of each level exactly.
  let steps: [StepPattern]
  /// The level of the innermost cell whose index path is known.
  let cellLevel: Int?
  /// The elements with the same path, the element included.
  let twins: Set<Int32>
  /// The ways to leave the row of the innermost cell open, the narrowest first; empty outside of cells. A way that
  /// frees no more elements than the one before it is left out.
  let freedoms: [Freedom]
  /// The ways to tell the element from its twins; each is enough by itself.
  let proofs: [Proof]

  init(_ element: ElementID, in suggester: Suggester) {
    let index = suggester.index
    self.element = element
    var trail: [Int32] = []
    var current = element.rawValue
    while current >= 0 {
      trail.append(current)
      current = index.parents[Int(current)]
    }
    self.trail = trail
    let steps = trail.map {
      StepPattern(
        classNumber: index.classes[Int($0)],
        locator: ElementSelector.LocatorPattern(exactly: index.screen.locator(of: ElementID(rawValue: $0))))
    }
    self.steps = steps
    cellLevel = steps.firstIndex { !($0.locator?.withFreeRow.isEmpty ?? true) }
    let samePath = Self.elements(steps, index)
    twins = Set(samePath)
    var freedoms: [Freedom] = []
    for locator in cellLevel.flatMap({ steps[$0].locator?.withFreeRow }) ?? [] {
      var free = steps
      free[cellLevel ?? 0].locator = locator
      let kind = Set(Self.elements(free, index))
      if kind.count > freedoms.last?.kind.count ?? 0 { freedoms.append(Freedom(steps: free, kind: kind)) }
    }
    self.freedoms = freedoms
    proofs = Proof.all(of: element, among: samePath, suggester)
  }

  /// The element's path with a free row.
  struct Freedom {
    let steps: [StepPattern]
    /// The elements that the steps match, those with the element's own path included.
    let kind: Set<Int32>
  }

  private static func elements(_ steps: [StepPattern], _ index: ElementIndex) -> [Int32] {
    var matches = SuffixMatches(steps[0], index)
    for step in steps.dropFirst() { matches.narrow(step) }
    matches.anchor()
    return matches.elements
  }
}
