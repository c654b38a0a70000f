import EncircleText

/// A rule that would probably select an event, because the event's element is likely the successor of an element that the rule
/// selected in an earlier version of the app.
public struct Approximation: Hashable, Sendable {
  /// The id of the rule.
  public var rule: UTF8String
  /// The probability that the element is the rule's, 0 to 1.
  public var confidence: Double
  /// The arguments for and against the match, the weightiest first: `same text 支付 +1.9`.
  public var reasons: [String]
  /// The ids of other rules that might select the event, the likeliest first.
  public var others: [UTF8String] = []

  public init(rule: UTF8String, confidence: Double, reasons: [String], others: [UTF8String] = []) {
    self.rule = rule
    self.confidence = confidence
    self.reasons = reasons
    self.others = others
  }

  /// The confidence in hundredths, rounded down, so that it is never shown as more than it is.
  public var roundedConfidence: Double { (min(max(confidence, 0), 1) * 100 + 1e-9).rounded(.down) / 100 }
}

extension JSONBuilder {
  /// Writes the member that decisions have for events that a rule selects approximately; nothing for nil.
  package mutating func member(_ approximation: Approximation?) {
    guard let approximation else { return }
    object("approximate") { json in
      json.member("rule", approximation.rule.text)
      json.member("confidence", approximation.roundedConfidence)
      json.member("reasons", approximation.reasons)
      if !approximation.others.isEmpty { json.member("others", approximation.others.map(\.text)) }
    }
  }
}
