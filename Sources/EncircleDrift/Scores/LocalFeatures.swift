/// Computes the features of pairs of elements of two screens.
struct LocalFeatures {
  let old: ScreenFacts
  let new: ScreenFacts
  private let names: NameComparison
  private var classSimilarity: SimilarityTable { names.classSimilarity }
  // The number of occurrences of each class, text and subtree on either screen.
  private let classCounts: (old: [Int32], new: [Int32])
  private let textCounts: (old: [Int32], new: [Int32])
  private let uniqueSubtrees: (old: [Bool], new: [Bool])
  // The length of the longest common subsequence of the classes of two elements and their ancestors.
  private var commonAncestors: [UInt16] = []

  init(_ old: ScreenFacts, _ new: ScreenFacts, _ names: NameComparison) {
    self.old = old
    self.new = new
    self.names = names
    func counts(_ numbers: [Int32], _ total: Int) -> [Int32] {
      var counts = Array(repeating: Int32(0), count: total)
      for number in numbers where number >= 0 { counts[Int(number)] += 1 }
      return counts
    }
    classCounts = (counts(old.className, names.lastWords.count), counts(new.className, names.lastWords.count))
    textCounts = (counts(old.text, names.textLengths.count), counts(new.text, names.textLengths.count))
    func unique(_ hashes: [UInt64]) -> [Bool] {
      var times: [UInt64: Int] = [:]
      for hash in hashes { times[hash, default: 0] += 1 }
      return hashes.map { times[$0] == 1 }
    }
    uniqueSubtrees = (unique(old.subtreeHash), unique(new.subtreeHash))
    alignAncestors()
  }

  private mutating func alignAncestors() {
    let columns = new.count
    commonAncestors = Array(repeating: 0, count: old.count * columns)
    for i in 0..<old.count {
      let up = Int(old.parent[i])
      for j in 0..<columns {
        let left = Int(new.parent[j])
        let length: UInt16
        if old.className[i] == new.className[j] {
          length = 1 + (up >= 0 && left >= 0 ? commonAncestors[up * columns + left] : 0)
        } else {
          let above = up >= 0 ? commonAncestors[up * columns + j] : 0
          length = max(above, left >= 0 ? commonAncestors[i * columns + left] : 0)
        }
        commonAncestors[i * columns + j] = length
      }
    }
  }

  /// Writes the features of old element `i` and new element `j`, in the order of ``LocalFeature``.
  ///
  /// - Complexity: O(bag size).
  func fill(_ i: Int, _ j: Int, _ values: UnsafeMutableBufferPointer<Float>) {
    fillOwn(i, j, values)
    fillSurroundings(i, j, values)
    fillBags(i, j, values)
  }

  /// Returns the most that the surroundings can add to the score of a pair, unless both elements have no superview.
  static func neighborhoodUpperBound(_ model: AdditiveModel) -> Float {
    func weight(_ feature: LocalFeature) -> Float { max(0, model.weights[feature.rawValue]) }
    let single: [LocalFeature] = [
      .parentClassEqual, .parentClass, .parentTextsEqual, .grandparentClassEqual, .ancestors, .depthDifference,
      .rootOne,
      .siblingsEqual,
    ]
    return single.reduce(0) { $0 + weight($1) }
      + max(weight(.previousEdge), weight(.previousClass) + weight(.previousEqual))
      + max(weight(.nextEdge), weight(.nextClass) + weight(.nextEqual))
  }

  /// The most that comparing bags can add to a score.
  struct BagUpperBounds {
    let innerTexts, innerTextsNone, innerClasses, nearbyTexts, nearbyTextsNone: Float

    init(_ model: AdditiveModel) {
      func weight(_ feature: LocalFeature) -> Float { max(0, model.weights[feature.rawValue]) }
      innerTexts = weight(.innerTexts) + weight(.innerTextsEqual)
      innerTextsNone = weight(.innerTextsNone)
      innerClasses = weight(.innerClasses)
      nearbyTexts = weight(.nearbyTexts)
      nearbyTextsNone = weight(.nearbyTextsNone)
    }
  }

  /// Returns the most that ``fillBags(_:_:_:)`` can add to the score of a pair.
  ///
  /// - Complexity: O(1).
  func bagUpperBound(_ i: Int, _ j: Int, _ most: BagUpperBounds) -> Float {
    var sum: Float = 0.001  // The margin covers sums that differ in their last digits because their order differs.
    let isBare = (old.nearbyTexts[i].isEmpty, new.nearbyTexts[j].isEmpty)
    if isBare.0, isBare.1 {
      sum += most.nearbyTextsNone
    } else if !isBare.0, !isBare.1 {
      sum += most.nearbyTexts
    }
    guard Int(old.end[i]) - i > 1, Int(new.end[j]) - j > 1 else { return sum }
    sum += most.innerClasses
    let isMute = (old.innerTexts[i].isEmpty, new.innerTexts[j].isEmpty)
    if isMute.0, isMute.1 {
      sum += most.innerTextsNone
    } else if !isMute.0, !isMute.1 {
      sum += most.innerTexts
    }
    return sum
  }

  /// The features of the elements themselves, which come first.
  static let ownFeatures = LocalFeature.parentClassEqual.rawValue

  /// Writes the features of the elements themselves, and 0 for the others.
  ///
  /// - Complexity: O(1).
  func fillOwn(_ i: Int, _ j: Int, _ values: UnsafeMutableBufferPointer<Float>) {
    values.update(repeating: 0)
    func set(_ feature: LocalFeature, _ value: Float) { values[feature.rawValue] = value }
    func set(_ feature: LocalFeature, _ value: Bool) { values[feature.rawValue] = value ? 1 : 0 }
    func compare(_ a: Int32, _ b: Int32, _ equal: LocalFeature, _ differs: LocalFeature, _ lost: LocalFeature?) {
      if a >= 0, b >= 0 {
        set(a == b ? equal : differs, 1)
      } else if a >= 0 || b >= 0, let lost {
        set(lost, 1)
      }
    }
    compare(old.identifier[i], new.identifier[j], .identifierEqual, .identifierDiffers, .identifierLost)
    compare(old.label[i], new.label[j], .labelEqual, .labelDiffers, .labelLost)
    compare(old.actions[i], new.actions[j], .actionsEqual, .actionsDiffer, nil)
    compare(old.controller[i], new.controller[j], .controllerEqual, .controllerDiffers, nil)
    compare(old.text[i], new.text[j], .textEqual, .textDiffers, .textLost)
    let text = (old.text[i], new.text[j])
    if text.0 >= 0, text.1 >= 0 {
      set(.textSimilarity, names.textSimilarity(text.0, text.1))
      if text.0 == text.1 {
        set(.textEqualUnique, textCounts.old[Int(text.0)] == 1 && textCounts.new[Int(text.0)] == 1)
        set(.textLength, names.textLengths[Int(text.0)])
      }
    } else {
      set(.textNone, text.0 < 0 && text.1 < 0)
    }
    let classes = (old.className[i], new.className[j])
    set(.classEqual, classes.0 == classes.1)
    set(.classSimilarity, classSimilarity(classes.0, classes.1))
    set(.classLastWord, names.lastWords[Int(classes.0)] == names.lastWords[Int(classes.1)])
    if classes.0 == classes.1 {
      let times = (classCounts.old[Int(classes.0)], classCounts.new[Int(classes.0)])
      set(.classUnique, times.0 == 1 && times.1 == 1)
      set(.classRarity, 1 / Float(max(times.0, times.1)))
    }
    fillContents(i, j, values)
    fillFrame(i, j, values)
  }

  private func fillContents(_ i: Int, _ j: Int, _ values: UnsafeMutableBufferPointer<Float>) {
    func set(_ feature: LocalFeature, _ value: Float) { values[feature.rawValue] = value }
    let sizes = (Float(Int(old.end[i]) - i), Float(Int(new.end[j]) - j))
    if sizes.0 == 1, sizes.1 == 1 {
      set(.leafBoth, 1)
    } else if sizes.0 == 1 || sizes.1 == 1 {
      set(.leafOne, 1)
    }
    set(.sizeRatio, min(sizes.0, sizes.1) / max(sizes.0, sizes.1))
    if old.subtreeHash[i] == new.subtreeHash[j] {
      set(.subtreeEqual, 1)
      set(.subtreeEqualUnique, uniqueSubtrees.old[i] && uniqueSubtrees.new[j] ? 1 : 0)
    }
  }

  /// Writes the features that compare the contents and surroundings of elements.
  ///
  /// - Complexity: O(bag size).
  func fillBags(_ i: Int, _ j: Int, _ values: UnsafeMutableBufferPointer<Float>) {
    func set(_ feature: LocalFeature, _ value: Float) { values[feature.rawValue] = value }
    if Int(old.end[i]) - i > 1, Int(new.end[j]) - j > 1 {
      set(.innerClasses, sharedPart(old.innerClasses[i], new.innerClasses[j]))
      if old.innerTexts[i].isEmpty, new.innerTexts[j].isEmpty {
        set(.innerTextsNone, 1)
      } else {
        let part = sharedPart(old.innerTexts[i], new.innerTexts[j])
        set(.innerTexts, part)
        set(.innerTextsEqual, part == 1 ? 1 : 0)
      }
    }
    if old.nearbyTexts[i].isEmpty, new.nearbyTexts[j].isEmpty {
      set(.nearbyTextsNone, 1)
    } else {
      set(.nearbyTexts, sharedPart(old.nearbyTexts[i], new.nearbyTexts[j]))
    }
  }

  private func fillFrame(_ i: Int, _ j: Int, _ values: UnsafeMutableBufferPointer<Float>) {
    func set(_ feature: LocalFeature, _ value: Float) { values[feature.rawValue] = value }
    let (a, b) = (old.frame[i], new.frame[j])
    guard !a.x.isNaN, !b.x.isNaN else { return set(.frameMissing, 1) }
    func ratio(_ a: Float, _ b: Float) -> Float {
      let (a, b) = (max(abs(a), 1), max(abs(b), 1))
      return min(a, b) / max(a, b)
    }
    func isNear(_ a: Float, _ b: Float) -> Float { abs(a - b) < 0.75 ? 1 : 0 }
    set(.width, ratio(a.z, b.z))
    set(.widthEqual, isNear(a.z, b.z))
    set(.height, ratio(a.w, b.w))
    set(.heightEqual, isNear(a.w, b.w))
    set(.left, 1 / (1 + abs(a.x - b.x) / 16))
    set(.leftEqual, isNear(a.x, b.x))
    if old.parent[i] >= 0, new.parent[j] >= 0 {
      let (p, q) = (old.frame[Int(old.parent[i])], new.frame[Int(new.parent[j])])
      set(.rightEqual, isNear(p.z - a.x - a.z, q.z - b.x - b.z))
    }
    set(.frameEqual, isNear(a.x, b.x) * isNear(a.y, b.y) * isNear(a.z, b.z) * isNear(a.w, b.w))
  }

  /// Writes the features that compare superviews and neighbours.
  ///
  /// - Complexity: O(1).
  func fillSurroundings(_ i: Int, _ j: Int, _ values: UnsafeMutableBufferPointer<Float>) {
    func set(_ feature: LocalFeature, _ value: Float) { values[feature.rawValue] = value }
    let (p, q) = (Int(old.parent[i]), Int(new.parent[j]))
    if p >= 0, q >= 0 {
      let (a, b) = (old.className[p], new.className[q])
      set(.parentClassEqual, a == b ? 1 : 0)
      set(.parentClass, classSimilarity(a, b))
      set(.parentTextsEqual, old.text[p] >= 0 && old.text[p] == new.text[q] ? 1 : 0)
      let (g, h) = (Int(old.parent[p]), Int(new.parent[q]))
      set(.grandparentClassEqual, g < 0 && h < 0 || g >= 0 && h >= 0 && old.className[g] == new.className[h] ? 1 : 0)
      let common = Float(commonAncestors[p * new.count + q])
      set(.ancestors, 2 * common / Float(old.depth[i] + new.depth[j]))
    } else {
      set(p < 0 && q < 0 ? .rootBoth : .rootOne, 1)
    }
    set(.depthDifference, Float(min(abs(old.depth[i] - new.depth[j]), 5)) / 5)
    compareSiblings(old.previous[i], new.previous[j], .previousEdge, .previousClass, .previousEqual, values)
    compareSiblings(old.next[i], new.next[j], .nextEdge, .nextClass, .nextEqual, values)
    if p >= 0, q >= 0, old.children[p] == new.children[q] { set(.siblingsEqual, 1) }
  }

  private func compareSiblings(
    _ a: Int32, _ b: Int32, _ edge: LocalFeature, _ similarity: LocalFeature, _ equal: LocalFeature,
    _ values: UnsafeMutableBufferPointer<Float>
  ) {
    if a >= 0, b >= 0 {
      let (a, b) = (Int(a), Int(b))
      values[similarity.rawValue] = classSimilarity(old.className[a], new.className[b])
      values[equal.rawValue] = old.subtreeHash[a] == new.subtreeHash[b] ? 1 : 0
    } else if a < 0, b < 0 {
      values[edge.rawValue] = 1
    }
  }
}
