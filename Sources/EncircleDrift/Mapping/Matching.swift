/// Finds the elements of a scene on another one: it scores pairs, aligns the trees by the scores, and scores the pairs again in
/// the context of the alignment, in rounds.
struct Matching {
  let old: ScreenFacts
  let new: ScreenFacts
  let model: DriftModel
  let limits: DriftLimits
  let similarity: SceneSimilarity
  let local: LocalFeatures
  private let trees: (old: PostOrderTree, new: PostOrderTree)
  // The contribution of local features to the scores: for each candidate, a value for each round.
  private var localParts: [Float] = []
  private var candidates: [(i: Int32, j: Int32)] = []
  private(set) var scores: PairScores
  /// The mapping that follows from the scores.
  private(set) var mapping: PartialMapping
  /// The part of it that is the tree alignment.
  private(set) var aligned: [Int32]
  /// The context features of the last round.
  private(set) var context: ContextFeatures

  // Pairs whose own score is lower are not considered again.
  private static let minimumLocalScore: Float = 0.002
  private static let minimumAlignedScore: Float = 0.02
  private static let minimumAssignedScore: Float = 0.05
  // The cost of aligning a pair that has nothing in common, which exceeds the cost of removing one element and adding the other.
  private static let alignmentCost: Float = 2.4

  init(_ scene: ScenePairs.Pair, _ local: LocalFeatures, model: DriftModel, limits: DriftLimits) {
    (old, new, similarity) = (scene.old, scene.new, scene.similarity)
    self.local = local
    self.model = model
    self.limits = limits
    trees = (PostOrderTree(subtreeEnds: old.end), PostOrderTree(subtreeEnds: new.end))
    scores = PairScores(rows: 0, columns: 0, values: [])
    mapping = PartialMapping(old.count, new.count)
    aligned = mapping.newOf
    context = ContextFeatures(old, new, scores, mapping, aligned: aligned)
    scorePairs()
    alignAndAssign()
  }

  /// The number of steps of each alignment; 0 if there are too many.
  var alignmentSteps: Int {
    let steps = TreeAlignment.steps(trees.old, trees.new)
    return steps <= limits.alignmentSteps ? steps : 0
  }

  private mutating func scorePairs() {
    var values = Array(repeating: Float(0), count: old.count * new.count)
    let bagUpperBound = LocalFeatures.BagUpperBounds(model.local)
    let maximumAround = LocalFeatures.neighborhoodUpperBound(model.local)
    let least = logOdds(Self.minimumLocalScore)
    let count = LocalFeature.allCases.count
    let rounds = model.rounds.map(\.bias)
    let roundWeights = model.rounds.flatMap { $0.weights[..<count] }
    withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { features in
      let own = UnsafeMutableBufferPointer(rebasing: features[..<LocalFeatures.ownFeatures])
      let surroundings = UnsafeMutableBufferPointer(rebasing: features[LocalFeatures.ownFeatures...])
      for i in 0..<old.count {
        for j in 0..<new.count {
          // Most pairs have nothing in common. They are skipped if neither surroundings nor contents could make up for that.
          local.fillOwn(i, j, features)
          let bags = local.bagUpperBound(i, j, bagUpperBound)
          let ownScore = model.local.score(own)
          guard ownScore + (old.parent[i] >= 0 || new.parent[j] >= 0 ? maximumAround : .infinity) + bags > least else {
            continue
          }
          local.fillSurroundings(i, j, features)
          let around = AdditiveModel.product(model.local.weights, from: LocalFeatures.ownFeatures, surroundings)
          guard ownScore + around + bags > least else { continue }
          local.fillBags(i, j, features)
          let sum = model.local.score(features)
          guard sum > least else { continue }
          values[i * new.count + j] = probability(sum)
          candidates.append((Int32(i), Int32(j)))
          for (round, bias) in rounds.enumerated() {
            localParts.append(bias + AdditiveModel.product(roundWeights, from: round * count, features))
          }
        }
      }
    }
    scores = PairScores(rows: old.count, columns: new.count, values: values)
  }

  /// Computes the scores again, with the context that the current mapping gives, and then the mapping.
  mutating func runRound(_ round: Int) {
    context = ContextFeatures(old, new, scores, mapping, aligned: aligned)
    let weights = Array(model.rounds[round].weights[LocalFeature.allCases.count...])
    let rounds = model.rounds.count
    var values = Array(repeating: Float(0), count: old.count * new.count)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: ContextFeature.allCases.count) { features in
      for (number, (i, j)) in candidates.enumerated() {
        context.fill(Int(i), Int(j), features)
        let sum = localParts[number * rounds + round] + AdditiveModel.product(weights, from: 0, features)
        values[Int(i) * new.count + Int(j)] = probability(sum)
      }
    }
    scores = PairScores(rows: old.count, columns: new.count, values: values)
    alignAndAssign()
  }

  /// Calls `body` with the candidate pairs and their context, for training.
  func forEachCandidate(_ body: (Int, Int) -> Void) {
    for (i, j) in candidates { body(Int(i), Int(j)) }
  }

  /// Returns the context that the current scores and mapping give.
  func currentContext() -> ContextFeatures { ContextFeatures(old, new, scores, mapping, aligned: aligned) }

  private mutating func alignAndAssign() {
    mapping = PartialMapping(old.count, new.count)
    aligned = mapping.newOf
    if alignmentSteps > 0 {
      let pairs = TreeAlignment.align(trees.old, trees.new) { i, j in Self.alignmentCost * (1 - scores[i, j]) }
      for i in 0..<old.count where pairs[i] >= 0 && scores[i, Int(pairs[i])] > Self.minimumAlignedScore {
        mapping.map(i, Int(pairs[i]))
        aligned[i] = pairs[i]
      }
    }
    // Elements that have moved in the tree or changed their order; all elements if there was no alignment.
    var edges: [Assignment.Edge] = []
    for (i, j) in candidates where mapping.newOf[Int(i)] < 0 && mapping.oldOf[Int(j)] < 0 {
      let score = scores[Int(i), Int(j)]
      if score > Self.minimumAssignedScore { edges.append(Assignment.Edge(row: i, column: j, gain: score)) }
    }
    for edge in Assignment.choose(edges, limit: limits.assignedElements) {
      mapping.map(Int(edge.row), Int(edge.column))
    }
  }
}
