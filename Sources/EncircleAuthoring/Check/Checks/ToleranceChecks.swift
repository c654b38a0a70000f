import EncircleRuleFiles
import EncircleRules

extension FindingList {
  /// Reports rules that have a tolerance but name no element: a new version cannot have moved anything that they need.
  mutating func checkTolerances() {
    for rule in rules.ruleSet.rules where rule.isEnabled && rule.tolerance != nil {
      guard rule.clauses.allSatisfy({ $0.selectors.isEmpty && $0.eventIDs.isEmpty }) else { continue }
      add(
        .uselessTolerance, rule, .tolerance, "the rule names no element that a new version could move",
        suggestion: "a 'selector', or no 'tolerance'")
    }
  }
}
