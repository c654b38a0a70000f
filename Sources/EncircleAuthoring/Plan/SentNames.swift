import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Says which events count under the name with which they were sent.
struct SentNames: Sendable {
  private let plan: TrackingPlan
  private let tapNames: Set<UTF8String>

  init(_ plan: TrackingPlan, _ ruleSet: RuleSet) {
    self.plan = plan
    tapNames = Set(ruleSet.styles.map { UTF8String($0.eventShape.tapName) })
  }

  /// Whether events count under the name with which they were sent. If the plan has the name, they do. Otherwise names that rules
  /// emit do not, nor do taps, which rules decide, or the SDK's own events.
  func areCounted(_ name: UTF8String) -> Bool {
    guard !name.text.isEmpty else { return false }
    if let number = plan.number(of: name) { return plan.entries[number].isPlanned }
    return !tapNames.contains(name) && !EventShape.isTapType(name.text) && name.text.utf8.first != UInt8(ascii: "$")
  }
}
