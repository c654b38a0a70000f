import EncircleRuleFiles
import EncircleRules

extension FindingList {
  /// Reports rules with `sameKind` whose selectors are the same in any row. Event IDs and identities do not count: captures may know
  /// their row.
  mutating func checkSameKind() {
    for rule in rules.ruleSet.rules where rule.isEnabled && rule.sameKind {
      guard
        rule.clauses.allSatisfy({ clause in
          clause.eventIDs.isEmpty && clause.selectors.allSatisfy { $0.inAnyRow == $0 }
        })
      else { continue }
      add(
        .uselessSameKind, rule, .sameKind, "no selector has a row, item or section in its innermost cell to free",
        suggestion: "a selector with a row, or no 'sameKind'")
    }
  }
}
