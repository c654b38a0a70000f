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
  /// The level of the innermost cell, or of the innermost row of a list on Android whose position is unknown.
  let cellLevel: Int?
  /// The levels of cells and rows whose place is not in the capture.
  let unknownLevels: [Int]
  /// The path with any place at these levels; nil if there are none.
  let base: RelaxedPath?
  /// The elements with the same path, the element included.
  let twins: Set<Int32>
  /// The ways to leave the row of the innermost cell open, the narrowest first; empty outside of cells. A way that
  /// frees no more elements than the one before it is left out.
  let relaxations: [RelaxedPath]
  /// The ways to distinguish the element from its twins; each alone is enough.
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
    // An index of a re-used view is not a place in a list, so no selector may name it.
    var open = steps
    var unknownLevels: [Int] = []
    for (level, element) in trail.enumerated() {
      guard let place = index.unknownPlaces[ElementID(rawValue: element)] else { continue }
      open[level].locator = ElementSelector.LocatorPattern(exactly: place)
      unknownLevels.append(level)
    }
    self.unknownLevels = unknownLevels
    base = unknownLevels.isEmpty ? nil : RelaxedPath(steps: open, kind: Set(Self.elements(open, index)))
    cellLevel = open.indices.first { level in
      unknownLevels.contains(level) || !(open[level].locator?.withFreeRow.isEmpty ?? true)
    }
    let samePath = Self.elements(steps, index)
    twins = Set(samePath)
    var relaxations: [RelaxedPath] = []
    let isKnown = cellLevel.map { !unknownLevels.contains($0) } ?? false
    for locator in (isKnown ? cellLevel.flatMap { open[$0].locator?.withFreeRow } : nil) ?? [] {
      var free = open
      free[cellLevel ?? 0].locator = locator
      let kind = Set(Self.elements(free, index))
      if kind.count > relaxations.last?.kind.count ?? 0 { relaxations.append(RelaxedPath(steps: free, kind: kind)) }
    }
    self.relaxations = relaxations
    proofs = Proof.all(of: element, among: samePath, suggester)
  }

  /// The element's path with a free row.
  struct RelaxedPath {
    let steps: [StepPattern]
    /// The elements that the steps match, including elements with the element's own path.
    let kind: Set<Int32>
  }

  private static func elements(_ steps: [StepPattern], _ index: ElementIndex) -> [Int32] {
    var matches = SuffixMatches(steps[0], index)
    for step in steps.dropFirst() { matches.narrow(step) }
    matches.anchor()
    return matches.elements
  }
}
