import EncircleRuleFiles
import EncircleRules

extension FindingList {
  /// Reports rules with a tolerance that name no element: there is none that a new version could have moved.
  mutating func checkTolerances() {
    for rule in rules.ruleSet.rules where rule.isEnabled && rule.tolerance != nil {
      guard rule.clauses.allSatisfy({ $0.selectors.isEmpty && $0.eventIDs.isEmpty }) else { continue }
      add(
        .uselessTolerance, rule, .tolerance, "the rule names no element that a new version could move",
        suggestion: "a 'selector', or no 'tolerance'")
    }
  }
}
