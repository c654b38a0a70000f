import ArgumentParser
import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// `encircle plan diff`
struct PlanDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what a table or another plan would change.",
    discussion: """
      Shows the same as `encircle plan import` of the new plan would: of a table (CSV or XLSX), or of a file with a plan. With \
      two files, the first is what the second is compared with; else the plan beside the rules is.

      Exit status 1 if something differs.
      """)

  @OptionGroup var rules: RuleOptions

  @OptionGroup var options: PlanOptions

  @Argument(help: "The new plan. The old one comes before it if it is not beside the rules.", completion: .file())
  var plans: [String]

  func validate() throws {
    guard (1...2).contains(plans.count) else { throw ValidationError("Name one new plan, or an old and a new one.") }
    try StandardInput.requireOneUse(in: plans + rules.rules + options.plan)
  }

  func run() throws {
    let ruleSet = try rules.loadRules()
    let paths = plans.count == 2 ? [plans[0]] : options.paths(rules)
    // The old plan may have facts of events for which rules have come later.
    let old = TrackingPlan(ruleSet, try PlanOptions.load(paths, for: RuleSet()))
    let result = try PlanTableInput.compare(plans[plans.count - 1], with: old, ruleSet)
    try ResultWriter.print(PlanImportText.text(result))
    if result.hasChanges || !result.rejected.isEmpty || !result.missing.isEmpty { try ExitStatus.findings.exit() }
  }
}
