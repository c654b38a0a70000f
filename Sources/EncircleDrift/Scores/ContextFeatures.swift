/// Computes the evidence for a pair from the scores of all pairs and from the mapping that they imply.
struct ContextFeatures {
  private let old: ScreenFacts
  private let new: ScreenFacts
  private let scores: PairScores
  private let mapping: PartialMapping
  private let aligned: [Int32]
  // The nearest mapped elements before, after and above, or -1.
  private let before: [Int32]
  private let after: [Int32]
  private let above: (old: [Int32], new: [Int32])
  // For each pair, how many elements inside the old one are mapped to elements inside the new one.
  private var inside: [UInt16]
  // For each old element, how many elements inside it are mapped; likewise for new ones.
  private var mappedInside: (old: [Int32], new: [Int32])
  // The position of an element among the mapped siblings of its kind.
  private let ranks: (old: [Int32], new: [Int32])

  /// - Parameter aligned: The pairs of the tree alignment, a part of `mapping`.
  /// - Complexity: O(old × new + elements × depth²), at most ``maximumSteps`` for the latter.
  init(_ old: ScreenFacts, _ new: ScreenFacts, _ scores: PairScores, _ mapping: PartialMapping, aligned: [Int32]) {
    self.old = old
    self.new = new
    self.scores = scores
    self.mapping = mapping
    self.aligned = aligned
    var last: Int32 = -1
    before = (0..<old.count).map { i in
      defer { if mapping.newOf[i] >= 0 { last = Int32(i) } }
      return last
    }
    last = -1
    after = (0..<old.count).reversed().map { i in
      defer { if mapping.newOf[i] >= 0 { last = Int32(i) } }
      return last
    }.reversed()
    above = (Self.mappedAncestors(old, mapping.newOf), Self.mappedAncestors(new, mapping.oldOf))
    mappedInside = (Self.mappedInside(old, mapping.newOf), Self.mappedInside(new, mapping.oldOf))
    ranks = (Self.ranks(old, mapping.newOf), Self.ranks(new, mapping.oldOf))
    inside = Array(repeating: 0, count: old.count * new.count)
    var steps = 0
    for i in 0..<old.count where mapping.newOf[i] >= 0 {
      let j = Int(mapping.newOf[i])
      steps += Int(old.depth[i]) * Int(new.depth[j])
      // In absurdly deep trees counting stops here. The missing counts only weaken the evidence.
      if steps > Self.maximumSteps { break }
      var a = Int(old.parent[i])
      while a >= 0 {
        var b = Int(new.parent[j])
        while b >= 0 {
          inside[a * new.count + b] &+= 1
          b = Int(new.parent[b])
        }
        a = Int(old.parent[a])
      }
    }
  }

  private static let maximumSteps = 20_000_000

  private static func mappedAncestors(_ facts: ScreenFacts, _ partner: [Int32]) -> [Int32] {
    var result = Array(repeating: Int32(-1), count: facts.count)
    for i in 0..<facts.count where facts.parent[i] >= 0 {
      let up = Int(facts.parent[i])
      result[i] = partner[up] >= 0 ? Int32(up) : result[up]
    }
    return result
  }

  private static func mappedInside(_ facts: ScreenFacts, _ partner: [Int32]) -> [Int32] {
    var result = Array(repeating: Int32(0), count: facts.count)
    for i in stride(from: facts.count - 1, through: 0, by: -1) where facts.parent[i] >= 0 {
      result[Int(facts.parent[i])] += result[i] + (partner[i] >= 0 ? 1 : 0)
    }
    return result
  }

  private static func ranks(_ facts: ScreenFacts, _ partner: [Int32]) -> [Int32] {
    (0..<facts.count).reduce(into: []) { ranks, i in
      let previous = Int(facts.previous[i])
      ranks.append(previous < 0 ? 0 : ranks[previous] + (partner[previous] >= 0 ? 1 : 0))
    }
  }

  /// Writes the features of a pair, in the order of ``ContextFeature``.
  ///
  /// - Complexity: O(1), but for the best scores of the pairs of subviews.
  func fill(_ i: Int, _ j: Int, _ values: UnsafeMutableBufferPointer<Float>) {
    values.update(repeating: 0)
    func set(_ feature: ContextFeature, _ value: Float) { values[feature.rawValue] = value }
    let s = scores[i, j]
    set(.score, s)
    set(.rowMargin, s - scores.rivalInRow(i, j))
    set(.columnMargin, s - scores.rivalInColumn(i, j))
    set(.bestOfBoth, s >= scores.rivalInRow(i, j) && s >= scores.rivalInColumn(i, j) ? 1 : 0)
    fillParent(i, j, values)
    fillInside(i, j, values)
    fillSiblings(i, j, values)
    set(.aligned, aligned[i] == Int32(j) ? 1 : 0)
    set(.oldAlignedElsewhere, mapping.newOf[i] >= 0 && mapping.newOf[i] != Int32(j) ? 1 : 0)
    set(.newAlignedElsewhere, mapping.oldOf[j] >= 0 && mapping.oldOf[j] != Int32(i) ? 1 : 0)
    fillOrder(i, j, values)
  }

  private func fillParent(_ i: Int, _ j: Int, _ values: UnsafeMutableBufferPointer<Float>) {
    func set(_ feature: ContextFeature, _ value: Float) { values[feature.rawValue] = value }
    let (p, q) = (Int(old.parent[i]), Int(new.parent[j]))
    if p >= 0, q >= 0 {
      set(.parentScore, scores[p, q])
      if mapping.newOf[p] == Int32(q) {
        set(.parentMatched, 1)
      } else {
        set(.parentMatchedElsewhere, (mapping.newOf[p] >= 0 ? 0.5 : 0) + (mapping.oldOf[q] >= 0 ? 0.5 : 0))
      }
      // Views may have come or gone in between.
      let (a, b) = (Int(above.old[i]), Int(above.new[j]))
      if a >= 0, b >= 0 {
        let image = Int(mapping.newOf[a])
        let origin = Int(mapping.oldOf[b])
        let isBelow = image < j && j < Int(new.end[image])
        let comesFromBelow = origin < i && i < Int(old.end[origin])
        set(.ancestorMatched, image == b ? 1 : 0)
        set(.ancestorMissed, (isBelow ? 0 : 0.5) + (comesFromBelow ? 0 : 0.5))
      }
    } else if p < 0, q < 0 {
      set(.parentScore, 1)
      set(.parentMatched, 1)
      set(.ancestorMatched, 1)
    }
  }

  private func fillInside(_ i: Int, _ j: Int, _ values: UnsafeMutableBufferPointer<Float>) {
    func set(_ feature: ContextFeature, _ value: Float) { values[feature.rawValue] = value }
    guard old.children[i] > 0, new.children[j] > 0 else { return }
    var sum: Float = 0
    var matched = 0
    var a = i + 1
    while a < Int(old.end[i]) {
      let image = Int(mapping.newOf[a])
      if image >= 0, new.parent[image] == Int32(j) {
        matched += 1
        sum += scores[a, image]
      }
      a = Int(old.end[a])
    }
    let most = Float(max(old.children[i], new.children[j]))
    set(.childrenScore, sum / most)
    set(.childrenMatched, Float(matched) / most)
    let common = Float(inside[i * new.count + j])
    let all = Float(mappedInside.old[i] + mappedInside.new[j])
    if all > 0 {
      set(.insideMatched, 2 * common / all)
      set(.insideMatchedElsewhere, 1 - 2 * common / all)
    }
  }

  private func fillSiblings(_ i: Int, _ j: Int, _ values: UnsafeMutableBufferPointer<Float>) {
    func set(_ feature: ContextFeature, _ value: Float) { values[feature.rawValue] = value }
    func compare(_ a: Int32, _ b: Int32, _ score: ContextFeature, _ matched: ContextFeature) -> Bool {
      if a >= 0, b >= 0 {
        set(score, scores[Int(a), Int(b)])
        let isMatched = mapping.newOf[Int(a)] == b
        set(matched, isMatched ? 1 : 0)
        return isMatched
      }
      if a < 0, b < 0 { set(score, 1) }
      return a < 0 && b < 0
    }
    let left = compare(old.previous[i], new.previous[j], .previousScore, .previousMatched)
    let right = compare(old.next[i], new.next[j], .nextScore, .nextMatched)
    set(.siblingsBothMatched, left && right ? 1 : 0)
  }

  private func fillOrder(_ i: Int, _ j: Int, _ values: UnsafeMutableBufferPointer<Float>) {
    func set(_ feature: ContextFeature, _ value: Float) { values[feature.rawValue] = value }
    let (a, b) = (Int(before[i]), Int(after[i]))
    var distance: Float = 0
    if a >= 0 {
      let image = Int(mapping.newOf[a])
      set(.orderBefore, image < j ? 1 : 0)
      distance = abs(Float((j - image) - (i - a)))
      set(.shiftBefore, Self.shift(old, a, i, new, image, j))
    } else {
      set(.orderBefore, 1)
      distance = abs(Float(j - i))
    }
    if b >= 0 {
      let image = Int(mapping.newOf[b])
      set(.orderAfter, image > j ? 1 : 0)
      distance = min(distance, abs(Float((image - j) - (b - i))))
      set(.shiftAfter, Self.shift(old, b, i, new, image, j))
    } else {
      set(.orderAfter, 1)
    }
    set(.nearness, 1 / (1 + distance))
    let (p, q) = (Int(old.parent[i]), Int(new.parent[j]))
    if p >= 0, q >= 0, mapping.newOf[p] == Int32(q) {
      set(.rankInParent, ranks.old[i] == ranks.new[j] ? 1 : 0)
      set(.shiftFromParent, Self.shift(old, p, i, new, q, j))
    }
  }

  /// Returns how little the distance from an anchor to an element has changed: 1 if it is the same, 0 without frames.
  private static func shift(_ old: ScreenFacts, _ a: Int, _ i: Int, _ new: ScreenFacts, _ b: Int, _ j: Int) -> Float {
    guard !old.frame[i].x.isNaN, !new.frame[j].x.isNaN, !old.frame[a].x.isNaN, !new.frame[b].x.isNaN else { return 0 }
    let way = (old.origin[i] - old.origin[a]) - (new.origin[j] - new.origin[b])
    return 1 / (1 + (abs(way.x) + abs(way.y)) / 8)
  }
}
