import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Looks for selectors that match a target and no other elements, except elements that a proof distinguishes from it.
struct CandidateSearch {
  private let target: Target
  private let proof: Proof
  private let suggester: Suggester
  private var index: ElementIndex { suggester.index }
  // For each element, whether the proof distinguishes it from the target.
  private var distinguished: [Int32: Bool] = [:]
  private var seen: Set<Candidate> = []
  // The number of siblings of the target's class at each level, for the levels that were asked about.
  private var siblings: [Int: Int] = [:]
  private var found: [Suggestion] = []
  // The level that steps without a landmark must reach, so that they name a cell or a class of the app.
  private let minimumLevel: Int
  // The level of the cell that the steps must name; nil outside of cells, and if the tested values name the element by
  // themselves.
  private let cellLevel: Int?
  // This is true if only its place distinguishes the element from other items of a bar or menu.
  private let isPlaceInBar: Bool

  // The maximum number of suggestions with one proof: the first outside of cells, the second in cells, for each way to leave the
  // row open.
  private static let maximumAlone = 4
  private static let maximumOfKind = 2
  // The maximum number of ancestors that are tried as landmarks.
  private static let maximumLandmarks = 6
  // The maximum number of steps after **; a selector that needs more is better without.
  private static let longestTail = 12
  // The maximum number of steps from a landmark down to the element without **.
  private static let longestSegment = 6

  init(_ target: Target, _ proof: Proof, in suggester: Suggester) {
    self.target = target
    self.proof = proof
    self.suggester = suggester
    cellLevel = proof.isDistinctive ? nil : target.cellLevel
    minimumLevel =
      cellLevel.map { cell in
        (0...cell).first { suggester.origins[Int(target.steps[$0].classNumber)] == .app } ?? cell
      } ?? 0
    let role = suggester.role(of: target.element)
    isPlaceInBar = proof.evidence.isEmpty && [.barItem, .backButton, .menuRow, .repeatedSibling].contains(role)
  }

  mutating func suggestions() -> [Suggestion] {
    // If other elements cannot be distinguished from the target, a selector with a free row would only hide which elements
    // these are.
    let relaxations = proof.rest.count > 1 || proof.isDistinctive ? [] : target.relaxations
    for relaxation in relaxations.map(Optional.some) + [target.base] {
      var steps = relaxation?.steps ?? target.steps
      if proof.isDistinctive { steps[0].locator = nil }
      let earlier = found.count
      search(steps, landmark: nil, relaxation)
      for level in landmarks {
        search(steps, landmark: level, relaxation)
        if level < Self.longestSegment { add(Candidate(steps, from: level), relaxation) }
      }
      if origin(0) == .app { add(Candidate(steps, from: 0), relaxation) }
      keepBest(from: earlier)
    }
    return found
  }

  /// Drops all but the most stable of the suggestions from an index on: people want a choice, not a list.
  private mutating func keepBest(from start: Int) {
    let best = found[start...].stablySorted { [$0.stability.penalty] }
    found.replaceSubrange(
      start..., with: best.prefix(target.relaxations.isEmpty ? Self.maximumAlone : Self.maximumOfKind))
  }

  /// The levels of ancestors that are worth naming, nearest first.
  private var landmarks: [Int] {
    var result: [Int] = []
    for level in target.trail.indices.dropFirst() where result.count < Self.maximumLandmarks {
      if suggester.isRegion[Int(target.steps[level].classNumber)] || level == cellLevel { result.append(level) }
    }
    return result
  }

  private func origin(_ level: Int) -> ClassOrigin { suggester.origins[Int(target.steps[level].classNumber)] }

  // MARK: - The shortest that is unique

  /// Adds the selector with the fewest last steps that is unique, below a landmark if there is one.
  private mutating func search(_ steps: [StepPattern], landmark: Int?, _ relaxation: Target.RelaxedPath?) {
    let ranges = landmark.map { LandmarkRanges(steps[$0], index) }
    var matches = SuffixMatches(steps[0], index)
    // A `**` directly below a landmark would match nothing.
    let longest = landmark.map { min($0 - 1, Self.longestTail) } ?? steps.count
    for length in 1...max(1, longest) {
      if length > 1 { matches.narrow(steps[length - 1]) }
      guard length < landmark ?? .max, length - 1 >= minimumLevel || landmark.map(identifiesCell) ?? false,
        isUnique(ranges.map { matches.elements(below: $0) } ?? matches.elements, relaxation)
      else { continue }
      var candidate = Candidate(steps, from: length - 1)
      if let landmark {
        candidate.landmark = steps[landmark]
        candidate.levels.insert(landmark, at: 0)
      }
      add(candidate, relaxation)
      return
    }
    guard landmark == nil else { return }
    // All steps may also match at the end of a longer path.
    var candidate = Candidate(steps, from: steps.count - 1)
    candidate.isAnchored = true
    add(candidate, relaxation)
  }

  /// Returns whether naming a level makes clear which cell a selector is about. Outside of cells it always does. In a cell, the
  /// level must be the cell or a class of the app inside it; otherwise readers would not see that the row is free.
  private func identifiesCell(_ level: Int) -> Bool {
    cellLevel.map { level == $0 || (level < $0 && origin(level) == .app) } ?? true
  }

  // MARK: - The elements of a selector

  private mutating func isUnique(_ matches: [Int32], _ relaxation: Target.RelaxedPath?) -> Bool {
    for element in matches {
      if isAllowed(element, relaxation) { continue }
      if !isDistinguished(element) { return false }
    }
    return true
  }

  private func isAllowed(_ element: Int32, _ relaxation: Target.RelaxedPath?) -> Bool {
    proof.rest.contains(element)
      || (relaxation.map { $0.kind.contains(element) && !target.twins.contains(element) } ?? false)
  }

  /// Returns whether a rule with the proof leaves out an element that its selector matches.
  private mutating func isDistinguished(_ element: Int32) -> Bool {
    guard proof.needsPage || !proof.evidence.isEmpty else { return false }
    if let known = distinguished[element] { return known }
    let id = ElementID(rawValue: element)
    var result = false
    if proof.needsPage, !sameText(index.screen.page(of: id), index.screen.page(of: target.element)) { result = true }
    if !result { result = !proof.evidence.allSatisfy { suggester.has($0, id, as: target.element) } }
    distinguished[element] = result
    return result
  }

  // MARK: - Candidates

  private mutating func add(_ candidate: Candidate, _ relaxation: Target.RelaxedPath?) {
    guard candidate.levels.contains(where: identifiesCell), isUnique(candidate.matches(index), relaxation) else {
      return
    }
    let candidate = relaxed(candidate, relaxation)
    guard seen.insert(candidate).inserted else { return }
    let selector = candidate.selector(index)
    guard selector.description.utf8.count <= ElementSelector.maximumLength else { return }
    let selected = candidate.matches(index).filter { !isDistinguished($0) }
    for level in candidate.levels where siblings[level] == nil {
      siblings[level] = index.siblings(of: target.trail[level])
    }
    var stability = SelectorStability(
      of: selector, siblings: { step in candidate.level(ofStep: step).flatMap { siblings[$0] } },
      origin: { suggester.origin(of: $0) })
    let page = index.screen.page(of: target.element)
    for (step, _) in selector.steps.enumerated() {
      guard let level = candidate.level(ofStep: step), target.unknownLevels.contains(level) else { continue }
      stability.add(.unknownRow(step: step))
    }
    if proof.needsPage, let page { stability.add(.page(UTF8String(page))) }
    for evidence in proof.evidence {
      if proof.isDistinctive, case .eventID = evidence {
        stability.add(.barIdentity)
      } else {
        stability.add(evidence.reason(in: .hubbleData))
      }
    }
    if proof.isDistinctive { stability.removeBreadth() }
    if isPlaceInBar { stability.add(.barPlace) }
    let uniqueness: Suggestion.Uniqueness =
      if proof.rest.count > 1 {
        .shared(count: proof.rest.count)
      } else if relaxation != nil, candidate.levels.contains(cellLevel ?? -1) || selected.count > 1 {
        .kind(count: selected.count)
      } else {
        .element
      }
    found.append(
      Suggestion(
        selector: selector, page: page, needsPage: proof.needsPage, evidence: proof.evidence, uniqueness: uniqueness,
        elements: selected.map { ElementID(rawValue: $0) }, stability: stability))
  }

  /// Returns the candidate without the indexes of the app's classes, and without `()`, as far as it stays unique.
  ///
  /// A class of the app identifies an element without an index; a `UIButton` without its index would also match the
  /// next button that is added.
  private mutating func relaxed(_ candidate: Candidate, _ relaxation: Target.RelaxedPath?) -> Candidate {
    var result = candidate
    // A path that needs more steps repeats itself and has no class of the app to identify it.
    guard candidate.tail.count <= Self.longestTail else { return result }
    func canRelax(_ step: StepPattern) -> Bool {
      switch step.locator {
      case .some(.none): true
      case .index?: suggester.origins[Int(step.classNumber)] == .app
      default: false
      }
    }
    if let landmark = candidate.landmark, canRelax(landmark) {
      var other = result
      other.landmark?.locator = nil
      if isUnique(other.matches(index), relaxation) { result = other }
    }
    // The outermost index comes first, as the element's own index is the last one to leave open.
    for i in candidate.tail.indices.reversed().prefix(Self.longestSegment) where canRelax(candidate.tail[i]) {
      var other = result
      other.tail[i].locator = nil
      if isUnique(other.matches(index), relaxation) { result = other }
    }
    return result
  }
}

extension Candidate {
  /// Creates a candidate from the steps from a level down to the element.
  init(_ steps: [StepPattern], from level: Int) {
    self.init(tail: Array(steps[...level]), levels: Array((0...level).reversed()))
  }
}
