import EncircleRules

/// A selector in the making: the steps down to the element, perhaps below a landmark and `**`.
struct Candidate: Hashable, Sendable {
  /// The steps, the element's own first; not empty.
  var tail: [StepPattern]
  /// An ancestor of all these at any distance.
  var landmark: StepPattern?
  /// For each step of the selector except `**`, the number of levels above the element, outermost first.
  var levels: [Int]
  /// This is true if the selector is anchored; the last of `tail` then is a top-level window.
  var isAnchored = false

  func selector(_ index: ElementIndex) -> ElementSelector {
    var steps: [ElementSelector.Step] = []
    if let landmark { steps += [landmark.step(index), .recursiveWildcard] }
    steps += tail.reversed().map { $0.step(index) }
    return ElementSelector(isAnchored: isAnchored, steps: steps)
  }

  /// Returns the level of a step of the selector; nil for the `**`.
  func level(ofStep step: Int) -> Int? {
    guard landmark != nil else { return levels[step] }
    return step == 1 ? nil : levels[step == 0 ? 0 : step - 1]
  }
}

extension Candidate {
  /// Returns the elements that the selector matches, in pre-order.
  ///
  /// - Complexity: O(elements of the last step's class × steps).
  func matches(_ index: ElementIndex) -> [Int32] {
    var found = SuffixMatches(tail[0], index)
    for step in tail.dropFirst() { found.narrow(step) }
    if isAnchored { found.anchor() }
    return landmark.map { found.elements(below: LandmarkRanges($0, index)) } ?? found.elements
  }
}
