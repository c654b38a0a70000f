/// Computes the features that make pairs of a finished mapping more or less certain.
struct ConfidenceFeatures {
  private let old: ScreenFacts
  private let new: ScreenFacts
  private let scores: PairScores
  private let mapping: PartialMapping
  private let aligned: [Int32]
  private let matchedPart: Float
  private let similarity: SceneSimilarity
  // The number of other plausible partners of each element.
  private var rivals: (old: [Float], new: [Float])
  // The number of unmatched elements of each class on the new screen.
  private var unmatched: [Int32: Int] = [:]

  init(_ matching: Matching) {
    old = matching.old
    new = matching.new
    scores = matching.scores
    mapping = matching.mapping
    aligned = matching.aligned
    similarity = matching.similarity
    rivals = (Array(repeating: 0, count: old.count), Array(repeating: 0, count: new.count))
    let mapping = mapping
    let scores = scores
    var counts = rivals
    matching.forEachCandidate { i, j in
      let score = scores[i, j]
      guard score > 0.05, mapping.newOf[i] != Int32(j) else { return }
      counts.old[i] += score
      counts.new[j] += score
    }
    rivals = counts
    matchedPart = Float(mapping.newOf.count { $0 >= 0 }) / Float(max(old.count, new.count, 1))
    for j in 0..<new.count where mapping.oldOf[j] < 0 { unmatched[new.className[j], default: 0] += 1 }
  }

  /// Writes the features of a pair of the mapping, in the order of ``ConfidenceFeature``.
  func fill(_ i: Int, _ j: Int, _ values: UnsafeMutableBufferPointer<Float>) {
    values.update(repeating: 0)
    func set(_ feature: ConfidenceFeature, _ value: Float) { values[feature.rawValue] = value }
    func set(_ feature: ConfidenceFeature, _ value: Bool) { values[feature.rawValue] = value ? 1 : 0 }
    let s = scores[i, j]
    set(.logOdds, logOdds(min(max(s, 0.002), 0.998)))
    set(.margin, s - max(scores.rivalInRow(i, j), scores.rivalInColumn(i, j)))
    set(.rivalsOfOld, min(rivals.old[i], 3))
    set(.rivalsOfNew, min(rivals.new[j], 3))
    set(.onlyAssigned, aligned[i] != Int32(j))
    let (p, q) = (Int(old.parent[i]), Int(new.parent[j]))
    set(.parentMatched, p < 0 && q < 0 || p >= 0 && q >= 0 && mapping.newOf[p] == Int32(q))
    fillNeighbours(i, j, values)
    let isTextEqual = old.text[i] >= 0 && old.text[i] == new.text[j]
    set(.textEqual, isTextEqual)
    set(.textNone, old.text[i] < 0 && new.text[j] < 0)
    set(.textChanged, old.text[i] != new.text[j])
    set(.classEqual, old.className[i] == new.className[j])
    if !old.frame[i].x.isNaN, !new.frame[j].x.isNaN {
      let (a, b) = (old.frame[i], new.frame[j])
      set(.frameEqual, a == b)
      set(.sizeEqual, a.z == b.z && a.w == b.w)
      let way = old.origin[i] - new.origin[j]
      let isStill = abs(way.x) + abs(way.y) < 1
      set(.placeEqual, isStill)
      set(.heightOnScreen, 1 / (1 + abs(way.y) / 30))
    }
    set(.pathEqual, old.pathHash[i] == new.pathHash[j])
    set(.indexEqual, old.index[i] == new.index[j])
    set(.screenMatched, matchedPart)
    set(.elementsNumber, Float(min(old.count, 100)) / 100)
    set(.sizesOfScreens, Float(min(old.count, new.count)) / Float(max(old.count, new.count)))
    set(.sceneOverlap, similarity.overlap)
    set(.sceneMargin, similarity.margin)
    set(.ofRest, similarity.isOfRest)
    set(.acrossScenes, similarity.margin < -0.5)
    set(.unmatchedAlike, Float(min(unmatched[new.className[j], default: 0], 4)) / 4)
  }

  private func fillNeighbours(_ i: Int, _ j: Int, _ values: UnsafeMutableBufferPointer<Float>) {
    func set(_ feature: ConfidenceFeature, _ value: Float) { values[feature.rawValue] = value }
    var matched = 0
    var a = i + 1
    while a < Int(old.end[i]) {
      let image = Int(mapping.newOf[a])
      if image >= 0, new.parent[image] == Int32(j) { matched += 1 }
      a = Int(old.end[a])
    }
    let most = max(old.children[i], new.children[j])
    if most > 0 { set(.childrenMatched, Float(matched) / Float(most)) } else { set(.leaf, 1) }
    func areTogether(_ a: Int32, _ b: Int32) -> Bool {
      a < 0 && b < 0 || a >= 0 && b >= 0 && mapping.newOf[Int(a)] == b
    }
    let left = areTogether(old.previous[i], new.previous[j])
    let right = areTogether(old.next[i], new.next[j])
    set(.neighboursMatched, left && right ? 1 : 0)
    set(.oneNeighbourMatched, left != right ? 1 : 0)
  }
}
