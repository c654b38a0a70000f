import EncircleRuleFiles
import EncircleRules

extension FindingList {
  /// Reports rules whose time is over or has not begun.
  ///
  /// - Parameter now: The time, in milliseconds since 1970.
  mutating func checkTimes(_ now: Int64) {
    for rule in rules.ruleSet.rules where rule.isEnabled {
      if let to = rule.to, to < now {
        let days = (now - to) / 86_400_000
        add(
          .outOfTime, rule, .to,
          days == 0
            ? "the rule's time is over since today"
            : "the rule's time is over since \(days) day\(days == 1 ? "" : "s")",
          suggestion: "'enabled: false' if the rule is kept for events of the past, or another 'to'")
      } else if let from = rule.from, from > now {
        let days = (from - now) / 86_400_000
        add(.outOfTime, rule, .from, "the rule's time begins in \(days) day\(days == 1 ? "" : "s")", severity: .note)
      }
    }
  }
}
