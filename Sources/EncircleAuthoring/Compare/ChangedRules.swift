import EncircleRules
import EncircleText

/// The differing rules of two rule sets that are otherwise equal. Only events that one of these rules matches can be decided
/// differently.
package struct ChangedRules {
  private let rules: [SelectionRule]

  /// Returns nil if the rule sets differ in more than rules, or decide events of several styles.
  ///
  /// - Complexity: O(size of the rules).
  package init?(from old: RuleSet, to new: RuleSet) {
    guard old.otherStyles.isEmpty, new.otherStyles.isEmpty, old.style == new.style, old.fields == new.fields,
      old.track == new.track, old.classes == new.classes, old.identity == new.identity,
      old.excludedPages == new.excludedPages, old.excludesDefaultPages == new.excludesDefaultPages
    else { return nil }
    var before: [UTF8String: (rule: SelectionRule, meaning: [UInt8])] = [:]
    for rule in old.rules { before[rule.id] = (rule, rule.meaning) }
    var rules: [SelectionRule] = []
    for rule in new.rules {
      let was = before.removeValue(forKey: rule.id)
      if was?.meaning != rule.meaning { rules += [was?.rule, rule].compactMap { $0 } }
    }
    self.rules = rules + before.values.map(\.rule)
  }

  /// Returns the IDs of captures with elements that one of the rules matches.
  ///
  /// - Parameters:
  ///   - snapshot: The captures, prepared for either rule set.
  ///   - check: Called now and then; an error ends the search.
  /// - Complexity: As for ``ScreenSearch``.
  package func captures(
    in snapshot: ScreenIndex.Snapshot, _ settings: SelectionSettings, check: () throws -> Void
  ) throws -> Set<String> {
    let questions = rules.filter(\.isEnabled).map { rule in
      var question = SelectionRule("changed", .include, rule.clauses)
      question.apps = rule.apps
      question.sameKind = rule.sameKind
      return question
    }
    guard !questions.isEmpty else { return [] }
    let found = try ScreenSearch(questions, settings, snapshot, check: check)
    return Set(found.matches.flatMap { $0.map(\.screen.id) })
  }
}
