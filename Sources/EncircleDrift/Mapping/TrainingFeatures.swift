import EncircleTree

/// The features of the pairs of two screens, as the mapping computes them, for the training of its weights.
@_spi(Training) public struct TrainingFeatures {
  private let comparison: ScreenComparison

  public init(from old: ViewTree, to new: ViewTree) { comparison = ScreenComparison(old, new) }

  /// Calls `body` with all pairs of elements of paired scenes and their local features.
  public func forEachPair(_ body: (Int, Int, UnsafeMutableBufferPointer<Float>) -> Void) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: LocalFeature.allCases.count) { values in
      for scene in comparison.scenes.pairs {
        let local = LocalFeatures(scene.old, scene.new, comparison.names)
        for i in 0..<scene.old.count {
          for j in 0..<scene.new.count {
            local.fill(i, j, values)
            body(scene.old.elements[i].index, scene.new.elements[j].index, values)
          }
        }
      }
    }
  }

  /// Calls `body` with the pairs of a round, and their local and context features.
  ///
  /// - Parameter model: A model with the local weights and the weights of earlier rounds; other weights are ignored.
  public func forEachPair(
    inRound round: Int, _ model: DriftModel, _ body: (Int, Int, UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    let localCount = LocalFeature.allCases.count
    withUnsafeTemporaryAllocation(of: Float.self, capacity: localCount + ContextFeature.allCases.count) { values in
      let locals = UnsafeMutableBufferPointer(rebasing: values[..<localCount])
      let contexts = UnsafeMutableBufferPointer(rebasing: values[localCount...])
      comparison.forEachMatching(model, DriftLimits(), rounds: round) { matching in
        let context = matching.currentContext()
        matching.forEachCandidate { i, j in
          matching.local.fill(i, j, locals)
          context.fill(i, j, contexts)
          body(matching.old.elements[i].index, matching.new.elements[j].index, values)
        }
      }
    }
  }

  /// Calls `body` with the pairs of the mapping and the features of their confidence.
  public func forEachMatch(_ model: DriftModel, _ body: (Int, Int, UnsafeMutableBufferPointer<Float>) -> Void) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: ConfidenceFeature.allCases.count) { values in
      comparison.forEachMatching(model, DriftLimits()) { matching, pairs in
        let confidence = ConfidenceFeatures(matching)
        for (i, j) in pairs {
          confidence.fill(i, j, values)
          body(matching.old.elements[i].index, matching.new.elements[j].index, values)
        }
      }
    }
  }
}
