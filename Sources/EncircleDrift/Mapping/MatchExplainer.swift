import EncircleTree

/// Computes the confidence of the pairs of a finished mapping, and the parts of each confidence.
struct MatchExplainer {
  private let matching: Matching
  private let confidence: ConfidenceFeatures
  private let text: ReasonText

  init(_ matching: Matching, _ old: ViewTree, _ new: ViewTree) {
    self.matching = matching
    confidence = ConfidenceFeatures(matching)
    text = ReasonText(matching.old, matching.new, matching.mapping, old, new)
  }

  /// Returns a pair of the mapping with its confidence and reasons, the weightiest first.
  func match(_ i: Int, _ j: Int) -> ScreenMapping.Match {
    var sums = ReasonSums()
    var share: Float = 0
    withUnsafeTemporaryAllocation(of: Float.self, capacity: ConfidenceFeature.allCases.count) { values in
      confidence.fill(i, j, values)
      let model = matching.model.confidence
      sums.add(.base, model.bias)
      for feature in ConfidenceFeature.allCases {
        let value = model.weights[feature.rawValue] * values[feature.rawValue]
        if feature == .logOdds { share = value } else { sums.add(feature.topic, value) }
      }
    }
    addScore(i, j, share, to: &sums)
    let reasons = ReasonTopic.allCases.filter { sums[$0] != 0 }
      .map { topic in
        let words = text.text(topic, i, j, isFor: sums[topic] > 0)
        return MatchReason(text: words, value: Double(sums[topic]), isPrior: topic == .base)
      }
      .sorted { abs($0.value) > abs($1.value) }
    let total = reasons.reduce(0) { $0 + $1.value }
    return ScreenMapping.Match(
      old: matching.old.elements[i], new: matching.new.elements[j], confidence: Double(probability(Float(total))),
      reasons: reasons)
  }

  /// Adds the contribution of a pair's score to its confidence, divided among the features of the score.
  private func addScore(_ i: Int, _ j: Int, _ share: Float, to sums: inout ReasonSums) {
    let model = matching.model.rounds.last ?? matching.model.local
    var parts = ReasonSums()
    parts.add(.base, model.bias)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: LocalFeature.allCases.count) { values in
      matching.local.fill(i, j, values)
      for feature in LocalFeature.allCases {
        parts.add(feature.topic, model.weights[feature.rawValue] * values[feature.rawValue])
      }
    }
    if model.weights.count > LocalFeature.allCases.count {
      withUnsafeTemporaryAllocation(of: Float.self, capacity: ContextFeature.allCases.count) { values in
        matching.context.fill(i, j, values)
        for feature in ContextFeature.allCases {
          let weight = model.weights[LocalFeature.allCases.count + feature.rawValue]
          parts.add(feature.topic, weight * values[feature.rawValue])
        }
      }
    }
    let total = parts.total
    // The score is bounded, its parts are not.
    guard abs(total) > 1e-3 else { return sums.add(.base, share) }
    for topic in ReasonTopic.allCases { sums.add(topic, parts[topic] * (share / total)) }
  }
}

/// A sum for each topic.
private struct ReasonSums {
  private var values = Array(repeating: Float(0), count: ReasonTopic.allCases.count)

  var total: Float { values.reduce(0, +) }

  subscript(topic: ReasonTopic) -> Float { values[topic.rawValue] }

  mutating func add(_ topic: ReasonTopic, _ value: Float) { values[topic.rawValue] += value }
}
