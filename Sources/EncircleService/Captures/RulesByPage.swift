import EncircleEvents
import EncircleRules
import EncircleText
import EncircleTree

/// The include rules of a rule set, by the pages that they name.
struct RulesByPage {
  private typealias RuleNumber = Int

  // Most rules list their pages; the others are tested for each page.
  private var named: [UTF8String: Set<RuleNumber>] = [:]
  private var probes: [(rule: RuleNumber, probe: ConditionProbe)] = []

  /// - Parameter published: The rule set in force; nil counts as a rule set without rules.
  /// - Complexity: O(rules).
  init(_ published: PublishedRuleSet?) {
    guard let ruleSet = published?.ruleSet else { return }
    var hierarchy = ClassHierarchy.builtIn
    hierarchy.add(ruleSet.classes)
    for (number, rule) in ruleSet.rules.enumerated() where rule.isEnabled && rule.effect == .include {
      for case let page? in rule.clauses.map(\.page) {
        if case .isOneOf(let values, fold: false) = page {
          for case .string(let name) in values { named[name, default: []].insert(number) }
        } else {
          probes.append((number, ConditionProbe(page, hierarchy: hierarchy)))
        }
      }
    }
  }

  /// Returns the number of rules that name a page, directly or by a pattern.
  ///
  /// - Complexity: O(rules with patterns).
  func count(for page: String) -> Int {
    var rules = named[UTF8String(page)] ?? []
    for (rule, probe) in probes where !rules.contains(rule) && probe.holds(.string(page)) { rules.insert(rule) }
    return rules.count
  }
}
