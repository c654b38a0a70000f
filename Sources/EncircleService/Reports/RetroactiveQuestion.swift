import EncircleRules
import EncircleText

/// A question about stored events: published or unpublished rules, and a number of days.
struct RetroactiveQuestion {
  let ruleSet: RuleSet
  let days: Int
  /// The rules that the answer lists separately, each with its days; nil for all rules, without days.
  let rules: Set<UTF8String>?

  /// The maximum number of rules that an answer breaks down by day, because it has a number for each rule and day.
  private static let maximumRules = 100

  /// Reads `clause`, or the members of ``RequestedRules``, `days`, and `rules`.
  ///
  /// - Throws: ``ServiceError`` with 404 or 422.
  init(_ body: JSONBody, _ state: ServiceState) throws {
    try body.allow(RequestedRules.members + ["clause", "style", "days", "rules"])
    days = try body.member("days")?.number(in: ReportRoutes.days) ?? 7
    if let clause = try body.member("clause") {
      if let text = try body.member("text") { throw text.error("A request names a clause or rules, not both.") }
      let context = try state.analysis.context(body)
      // The clause counts as a rule of that rule set: it selects nothing that the exclude rules exclude.
      var ruleSet = context.ruleSet.part(of: context.ruleSet.style)
      ruleSet.track = .selected
      ruleSet.rules = [try clause.clauseRule(context.settings)] + ruleSet.rules.filter { $0.effect == .exclude }
      self.ruleSet = ruleSet
    } else {
      ruleSet = try RequestedRules(body, state.ruleSets).ruleSet()
    }
    if let named = try body.member("rules") {
      rules = try Self.rules(named, of: ruleSet)
    } else {
      rules = nil
    }
  }

  private static func rules(_ body: JSONBody, of ruleSet: RuleSet) throws -> Set<UTF8String> {
    let names = try body.elements
    guard names.count <= maximumRules else { throw body.error("No more than \(maximumRules) rules can be named.") }
    let known = Set(ruleSet.rules.map(\.id))
    return Set(
      try names.map { name in
        let id = UTF8String(try name.text)
        guard known.contains(id) else { throw name.error("There is no rule with this id.") }
        return id
      })
  }
}
