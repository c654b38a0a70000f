import EncircleRules

/// What is asked about stored events: rules that need not be in force, and for how many days.
struct RetroactiveQuestion {
  let ruleSet: RuleSet
  let days: Int

  /// Reads `clause`, or the members of ``RuleText``, and `days`.
  ///
  /// - Throws: ``ServiceError`` with 404 or 422.
  init(_ body: JSONBody, _ state: ServiceState) throws {
    days = try body.member("days")?.number(in: ReportRoutes.days) ?? 7
    if let clause = try body.member("clause") {
      if let text = try body.member("text") { throw text.error("The question is a clause, or rules, not both.") }
      let settings = try state.analysis.settings(body)
      var ruleSet = settings.ruleSet
      ruleSet.rules = [try ClauseReader.rule(clause, settings)]
      self.ruleSet = ruleSet
    } else {
      ruleSet = try RuleText(body, state.ruleSets).ruleSet()
    }
  }
}
