import EncircleTree

/// Maps elements of an old screen to the same elements of a new one, with a confidence.
///
/// ```swift
/// let mapping = ScreenMapping(from: old, to: new)
/// if let match = mapping.match(for: element) { print(match.new, match.confidence, match.reasons) }
/// ```
///
/// The mapping is one to one and partial: elements may be removed or added. `docs/drift.md` explains the method.
public struct ScreenMapping: Sendable {
  /// An element that was found again, or may have been.
  public struct Match: Sendable {
    /// The element of the old screen.
    public let old: ElementID
    /// The element of the new screen.
    public let new: ElementID
    /// The probability that it is the same element, 0 to 1, as measured on screens of public apps.
    public let confidence: Double
    /// The reasons for and against the match. Their values add up to the log odds of the confidence.
    public let reasons: [MatchReason]
  }

  /// The method that found the mapping.
  public enum Method: Sendable {
    /// The screens are equal.
    case equality
    /// Each element was compared with each other one.
    case comparison
    /// The screens are too large for that: by equal subtrees and attributes only.
    case keys
  }

  public let method: Method
  private let matches: [Match?]
  private let oldOf: [Int32]

  /// Finds the elements of an old screen on a new one.
  ///
  /// - Complexity: O(old × new × depth), bounded by `limits`; linear beyond them.
  public init(from old: ViewTree, to new: ViewTree, limits: DriftLimits = DriftLimits()) {
    self.init(from: old, to: new, model: .trained, limits: limits)
  }

  @_spi(Training) public init(
    from old: ViewTree, to new: ViewTree, model: DriftModel, limits: DriftLimits = DriftLimits()
  ) {
    let comparison = ScreenComparison(old, new)
    let (before, now) = (comparison.old, comparison.new)
    var matches: [Match?] = Array(repeating: nil, count: old.count)
    if before.isEqual(to: now) {
      method = .equality
      matches = old.elements.map { Match(old: $0, new: $0, confidence: KeyMatching.equality, reasons: [.equality]) }
    } else if comparison.pairCount > limits.pairs {
      method = .keys
      for (i, j) in KeyMatching.pairs(before, now) {
        matches[i] = Match(
          old: ElementID(i), new: ElementID(j), confidence: KeyMatching.confidence, reasons: [.sameKey])
      }
    } else {
      method = .comparison
      comparison.forEachMatching(model, limits) { matching, pairs in
        let explainer = MatchExplainer(matching, old, new)
        for (i, j) in pairs { matches[matching.old.elements[i].index] = explainer.match(i, j) }
      }
      for (i, j) in comparison.scenes.windowPairs(matches) {
        matches[i] = Match(
          old: ElementID(i), new: ElementID(j), confidence: ScenePairs.windowConfidence, reasons: [.sameScenes])
      }
    }
    self.matches = matches
    var oldOf = Array(repeating: Int32(-1), count: new.count)
    for match in matches { if let match { oldOf[match.new.index] = match.old.rawValue } }
    self.oldOf = oldOf
  }

  /// Returns where an old element is now; nil if it is gone.
  ///
  /// - Parameter threshold: The minimum confidence, see ``DriftThreshold``.
  public func match(for old: ElementID, threshold: Double = DriftThreshold.usual) -> Match? {
    matches[old.index].flatMap { $0.confidence >= threshold ? $0 : nil }
  }

  /// Returns the best guess for an old element, however uncertain it is. For an element that counts as gone, this is a
  /// suggestion to look at.
  public func candidate(for old: ElementID) -> Match? { matches[old.index] }

  /// Returns which old element a new one was; nil if it was added.
  public func origin(of new: ElementID, threshold: Double = DriftThreshold.usual) -> Match? {
    oldOf[new.index] < 0 ? nil : match(for: ElementID(Int(oldOf[new.index])), threshold: threshold)
  }
}
