import EncircleRules
import EncircleText

/// The rules that a check has in common with an earlier one, whose counts for them are reused.
struct CommonRules {
  /// For each rule its number in the earlier check; nil for a rule that is new or has other tests.
  let numbers: [Int?]
  /// This is true if the earlier check has already read the next captures. They are then searched only for the rules that are new
  /// since that check; new captures are searched for all rules.
  let isRepeated: Bool

  /// Returns nil if the rule sets read captures differently, so that no earlier count is valid.
  ///
  /// - Complexity: O(size of the rules).
  init?(of rules: RuleSet, in earlier: RuleSet, isRepeated: Bool) {
    guard SelectionSettings(rules).key == SelectionSettings(earlier).key, rules.classes == earlier.classes else {
      return nil
    }
    var known: [UTF8String: (number: Int, meaning: [UInt8])] = [:]
    for (i, rule) in earlier.rules.enumerated() { known[rule.id] = (i, rule.meaning) }
    numbers = rules.rules.map { rule in known[rule.id].flatMap { $0.meaning == rule.meaning ? $0.number : nil } }
    self.isRepeated = isRepeated
  }

  /// This is true if the earlier check had all rules.
  var areAll: Bool { numbers.allSatisfy { $0 != nil } }

  /// Returns whether a rule needs no look at captures.
  func isSettled(_ rule: Int) -> Bool { isRepeated && numbers[rule] != nil }
}
