import EncircleTree

/// The features of the pairs of two screens, as the mapping computes them, for the training of its weights.
@_spi(Training) public struct TrainingFeatures {
  private let facts: (old: ScreenFacts, new: ScreenFacts)
  private var local: LocalFeatures

  public init(from old: ViewTree, to new: ViewTree) {
    var (classes, texts) = (SharedNames(.classes), SharedNames(.texts))
    facts = (
      ScreenFacts(old, classes: &classes, texts: &texts), ScreenFacts(new, classes: &classes, texts: &texts)
    )
    local = LocalFeatures(facts.old, facts.new, classes: classes, texts: texts)
  }

  /// Calls `body` with all pairs and their local features.
  public mutating func forEachPair(_ body: (Int, Int, UnsafeMutableBufferPointer<Float>) -> Void) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: LocalFeature.allCases.count) { values in
      for i in 0..<facts.old.count {
        for j in 0..<facts.new.count {
          local.fill(i, j, values)
          body(i, j, values)
        }
      }
    }
  }

  /// Calls `body` with the pairs that a round looks at, and their local and context features.
  ///
  /// - Parameter model: One with the local weights and those of the rounds before; the others do not matter.
  public mutating func forEachPair(
    inRound round: Int, _ model: DriftModel, _ body: (Int, Int, UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    let matching = matching(model, rounds: round)
    let context = matching.currentContext()
    let localCount = LocalFeature.allCases.count
    withUnsafeTemporaryAllocation(of: Float.self, capacity: localCount + ContextFeature.allCases.count) { values in
      let locals = UnsafeMutableBufferPointer(rebasing: values[..<localCount])
      let contexts = UnsafeMutableBufferPointer(rebasing: values[localCount...])
      matching.forEachCandidate { i, j in
        local.fill(i, j, locals)
        context.fill(i, j, contexts)
        body(i, j, values)
      }
    }
  }

  /// Calls `body` with the pairs of the mapping and the features of their confidence.
  public func forEachMatch(_ model: DriftModel, _ body: (Int, Int, UnsafeMutableBufferPointer<Float>) -> Void) {
    let matching = matching(model, rounds: model.rounds.count)
    let confidence = ConfidenceFeatures(matching)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: ConfidenceFeature.allCases.count) { values in
      for i in 0..<facts.old.count where matching.mapping.newOf[i] >= 0 {
        confidence.fill(i, Int(matching.mapping.newOf[i]), values)
        body(i, Int(matching.mapping.newOf[i]), values)
      }
    }
  }

  private func matching(_ model: DriftModel, rounds: Int) -> Matching {
    var matching = Matching(facts.old, facts.new, local, model: model, limits: DriftLimits())
    for round in 0..<rounds { matching.runRound(round) }
    return matching
  }
}
