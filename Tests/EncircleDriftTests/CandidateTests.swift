import EncircleTestSupport
import EncircleTree
import Testing

@testable @_spi(Training) import EncircleDrift

/// Which pairs of elements are looked at: the others are passed over before all of their features are computed.
@Suite struct CandidateTests {
  @Test(
    "a pair is passed over only if its whole score is too small, and none of such is kept",
    arguments: TestSize.scaled(0..<100))
  func candidates(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let areScreens = seed % 2 == 0
    func tree() -> ViewTree { areScreens ? MadeView.screen(&random).tree() : MadeView.any(&random, views: 20) }
    let (old, new) = (tree(), tree())
    let model = DriftModel.trained
    let features = TrainingFeatures(from: old, to: new)
    var scores: [[Int]: Float] = [:]
    features.forEachPair { i, j, values in scores[[i, j]] = model.local.score(values) }
    var kept: Set<[Int]> = []
    features.forEachPair(inRound: 0, model) { i, j, _ in kept.insert([i, j]) }
    // Log odds of 0.002.
    let least: Float = -6.2126
    for (pair, score) in scores where abs(score - least) > 0.001 {
      #expect(kept.contains(pair) == (score > least), "elements \(pair), score \(score)")
    }
    if areScreens { #expect(!kept.isEmpty && kept.count < scores.count) }
  }
}
