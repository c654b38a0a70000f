import EncircleTree

/// Two screens that are compared: their facts, names and pairs of scenes.
struct ScreenComparison {
  let old: ScreenFacts
  let new: ScreenFacts
  let names: NameComparison
  let scenes: ScenePairs

  init(_ old: ViewTree, _ new: ViewTree) {
    var (classes, texts) = (SharedNames(.classes), SharedNames(.texts))
    self.old = ScreenFacts(old, classes: &classes, texts: &texts)
    self.new = ScreenFacts(new, classes: &classes, texts: &texts)
    names = NameComparison(classes: classes, texts: texts)
    scenes = ScenePairs(self.old, self.new, classes: classes)
  }

  /// The number of pairs of elements that would be compared.
  var pairCount: Int {
    scenes.pairs.reduce(0) { sum, pair in
      let (product, isTooLarge) = pair.old.count.multipliedReportingOverflow(by: pair.new.count)
      let (total, isOver) = sum.addingReportingOverflow(product)
      return isTooLarge || isOver ? .max : total
    }
  }

  /// Matches the scenes in a number of rounds, and calls `body` with each matching.
  func forEachMatching(
    _ model: DriftModel, _ limits: DriftLimits, rounds: Int, _ body: (Matching) -> Void
  ) {
    var limits = limits
    for scene in scenes.pairs { body(matching(scene, model, &limits, rounds: rounds)) }
  }

  /// Matches the scenes, and then, across scenes, the elements that were not found in their scene. Calls `body` with each
  /// matching and its pairs, as places in its screens; each element is in one pair at most.
  func forEachMatching(
    _ model: DriftModel, _ limits: DriftLimits, _ body: (Matching, [(Int, Int)]) -> Void
  ) {
    var limits = limits
    var isFound = (old: Array(repeating: false, count: old.count), new: Array(repeating: false, count: new.count))
    func match(_ scene: ScenePairs.Pair, minimumScore: Float) {
      let matching = matching(scene, model, &limits, rounds: model.rounds.count)
      var pairs: [(Int, Int)] = []
      for i in 0..<matching.old.count where matching.mapping.newOf[i] >= 0 {
        let j = Int(matching.mapping.newOf[i])
        guard matching.scores[i, j] > minimumScore else { continue }
        pairs.append((i, j))
        isFound.old[matching.old.elements[i].index] = true
        isFound.new[matching.new.elements[j].index] = true
      }
      body(matching, pairs)
    }
    for scene in scenes.pairs { match(scene, minimumScore: scenes.isCut ? Self.minimumScoreInScene : 0) }
    guard scenes.isCut else { return }
    for _ in 0..<Self.roundsOfRest {
      for scene in scenes.restPairs(old, new, names.classes, isFound: isFound) {
        match(scene, minimumScore: Self.minimumScoreInScene)
      }
    }
    let rest = (
      old: scenes.elementsInWindows(old).filter { !isFound.old[$0] },
      new: scenes.elementsInWindows(new).filter { !isFound.new[$0] }
    )
    let (size, isTooLarge) = rest.old.count.multipliedReportingOverflow(by: rest.new.count)
    guard size > 0, !isTooLarge, size <= limits.pairs else { return }
    match(
      ScenePairs.Pair(
        old: ScreenFacts(old, keeping: rest.old), new: ScreenFacts(new, keeping: rest.new), similarity: .acrossScenes),
      minimumScore: 0)
  }

  // The number of rounds that pair unmatched parts of scenes, because a scene may have been divided into several.
  private static let roundsOfRest = 2
  // An element with a lower score may have a better partner in another scene.
  private static let minimumScoreInScene: Float = 0.5

  private func matching(
    _ scene: ScenePairs.Pair, _ model: DriftModel, _ limits: inout DriftLimits, rounds: Int
  ) -> Matching {
    var matching = Matching(scene, LocalFeatures(scene.old, scene.new, names), model: model, limits: limits)
    for round in 0..<rounds { matching.runRound(round) }
    limits.alignmentSteps -= matching.alignmentSteps
    return matching
  }
}
