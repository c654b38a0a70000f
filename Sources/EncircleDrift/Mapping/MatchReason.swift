/// A reason for or against a match.
public struct MatchReason: Hashable, Sendable, CustomStringConvertible {
  /// The reason for people: `same text 支付`.
  public let text: String
  /// Its contribution to the log odds that the match is right; negative if it counts against the match.
  public let value: Double
  /// This is true for the part that all matches start from, independent of the two elements.
  public let isPrior: Bool

  init(text: String, value: Double, isPrior: Bool = false) {
    self.text = text
    self.value = value
    self.isPrior = isPrior
  }

  static let equality = MatchReason(text: "nothing on the screen has changed", value: 6.9067547786)
  static let sameKey = MatchReason(text: "equal attributes at an equal place", value: 1.0986122887)

  static let sameScenes = MatchReason(text: "most of its content was found in it", value: 3.8918202981)

  /// The text and the value: `same text 支付 +1.9`.
  public var description: String {
    let tenths = Int((value * 10).rounded())
    return "\(text) \(tenths < 0 ? "−" : "+")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }
}
