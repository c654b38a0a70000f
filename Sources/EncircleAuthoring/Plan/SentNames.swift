import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Decides which events count under the names that they were sent with.
struct SentNames: Sendable {
  private let plan: TrackingPlan
  private let tapNames: Set<UTF8String>

  init(_ plan: TrackingPlan, _ ruleSet: RuleSet) {
    self.plan = plan
    tapNames = Set(ruleSet.styles.map { UTF8String($0.eventShape.tapName) })
  }

  /// Returns whether events count under the name that they were sent with. Names in the plan count. Other names do not count if
  /// rules emit them, or if the events are taps, which rules decide, or events of the SDK.
  func areCounted(_ name: UTF8String) -> Bool {
    guard !name.text.isEmpty else { return false }
    if let number = plan.number(of: name) { return plan.entries[number].isPlanned }
    return !tapNames.contains(name) && !EventShape.isTapType(name.text) && name.text.utf8.first != UInt8(ascii: "$")
  }
}
