import ArgumentParser
import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules

/// `encircle plan`
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "The tracking plan: the events that there should be, and their status.",
    discussion: """
      A plan is in files x.plan.yaml beside the rules x.yaml, or plan.yaml in a directory of rules. docs/plan.md is its manual, \
      docs/plan.schema.json describes the files.
      """,
    subcommands: [
      PlanStatusCommand.self, PlanAcceptCommand.self, PlanTakeCommand.self, PlanExportCommand.self,
      PlanImportCommand.self, PlanDiffCommand.self,
    ])
}

/// The arguments for the plan of a rule set.
struct PlanOptions: ParsableArguments, InputArguments {
  @Option(
    name: .customLong("plan"),
    help: "A file with a plan; may be repeated. Default: the files x.plan.yaml and plan.yaml beside the rules.",
    completion: .file())
  var plan: [String] = []

  var inputPaths: [String] { plan }

  /// Returns the paths of the plan's files.
  func paths(_ rules: RuleOptions) -> [String] { plan.isEmpty ? PlanFiles.paths(besides: rules.rules) : plan }

  /// Returns the file that gets new events: the first of the plan, else one beside the first rules.
  func home(_ rules: RuleOptions) -> String {
    if let first = paths(rules).first { return first }
    let path = rules.rules[0]
    if let stem = RuleDirectory.stem(of: path) { return stem + ".plan.yaml" }
    return (path.endsWithBytes(of: "/") ? path : path + "/") + "plan.yaml"
  }

  /// Throws a usage error if a file that the command writes is standard input.
  func requireFiles(_ rules: RuleOptions) throws {
    guard (rules.rules + plan).contains("-") else { return }
    throw ValidationError("--write changes files, which standard input is not.")
  }

  /// Loads the plan with the texts of its files, in order to change them. Reports problems like ``loadPlan(_:for:)``, but accepts
  /// facts that belong in rules.
  func loadTexts(
    _ rules: RuleOptions, for ruleSet: RuleSet
  ) throws -> (plan: TrackingPlan, texts: [(name: String, text: String)]) {
    let files = RuleDirectory.texts(of: paths(rules), limit: PlanFiles.maximumFileSize)
    let plan = try RuleOptions.orExit {
      try PlanFiles(texts: files.texts, problems: files.problems, isMissingInput: files.isMissingInput, for: RuleSet())
    }
    return (TrackingPlan(ruleSet, plan), files.texts)
  }

  /// Loads the plan; if it has problems, prints all of them and throws an exit code.
  func loadPlan(_ rules: RuleOptions, for ruleSet: RuleSet) throws -> PlanFiles {
    try Self.load(paths(rules), for: ruleSet)
  }

  /// Loads files of a plan; if they have problems, prints all of them and throws an exit code.
  static func load(_ paths: [String], for ruleSet: RuleSet) throws -> PlanFiles {
    try RuleOptions.orExit { try PlanFiles(paths, for: ruleSet) }
  }
}
