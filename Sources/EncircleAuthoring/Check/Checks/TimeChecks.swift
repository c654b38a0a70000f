import EncircleRuleFiles
import EncircleRules
import EncircleText

extension FindingList {
  /// Reports rules whose period is over or has not begun.
  ///
  /// - Parameter now: The time, in milliseconds since 1970.
  mutating func checkTimes(_ now: Int64) {
    for rule in rules.ruleSet.rules where rule.isEnabled {
      if addSeconds(rule.from, rule, .from) || addSeconds(rule.to, rule, .to) { continue }
      if let to = rule.to, to < now {
        add(
          .outOfTime, rule, .to, "the rule's time ended \(Self.days(now - to)) ago",
          suggestion: "'enabled: false' if the rule is kept for events of the past, or another 'to'")
      } else if let from = rule.from, from > now {
        add(.outOfTime, rule, .from, "the rule's time begins in \(Self.days(from - now))", severity: .note)
      }
    }
  }

  private static func days(_ milliseconds: Int64) -> String {
    let days = milliseconds / 86_400_000
    return days == 0 ? "less than a day" : counted(days, "day")
  }
}

extension FindingList {
  /// Reports a time of a rule that is written in seconds; returns whether it is.
  private mutating func addSeconds(_ time: Int64?, _ rule: SelectionRule, _ part: RuleSource.Part) -> Bool {
    guard let time, let meant = SecondsForMilliseconds.meant(by: time),
      rules.sources[rule.id]?[part].written?.utf8.allSatisfy(isDigit) ?? false
    else { return false }
    add(
      .outOfTime, rule, part, "\(time) is a time in seconds, and in milliseconds one of January to April 1970",
      suggestion: "\(meant)", edit: edit(rules.sources[rule.id]?[part], "\(meant)"))
    return true
  }
}

/// Times in seconds where milliseconds are meant.
enum SecondsForMilliseconds {
  // From September 2001 to the year 2286 in seconds; in milliseconds that is in the first months of 1970.
  private static let seconds: ClosedRange<Int64> = 1_000_000_000...9_999_999_999

  /// Returns the milliseconds that are meant by a number; nil if it may be one of milliseconds itself.
  static func meant(by number: Int64) -> Int64? { seconds.contains(number) ? number * 1_000 : nil }
}
