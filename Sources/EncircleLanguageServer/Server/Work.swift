import EncircleAuthoring
import EncircleCapture
import EncircleIdentity
import EncircleRuleFiles
import EncircleText

/// Long-running work that is done while requests are answered.
struct Work: Sendable {
  /// A check of a project's rules.
  struct Check: Sendable {
    let project: Int
    let generation: Int
    let rules: SourcedRuleSet
    let known: KnownScreens
    let tests: [(name: String, text: String)]
    let plan: [(name: String, text: String)]
    let reader: CaptureReader
    /// The current time, in milliseconds since 1970.
    let now: Int64
  }

  enum Task: Sendable {
    case readScreens(ScreenFiles, ScreenSource, KnownScreens.Settings)
    case check(Check)
  }

  /// The results of work.
  enum Result: Sendable {
    case screens(ScreenFiles, KnownScreens)
    /// The findings, and the problems of the tests and of the plan.
    case findings(project: Int, generation: Int, [Finding], [Diagnostic])
  }

  let task: Task

  /// Does the work.
  func run() -> Result {
    switch task {
    case .readScreens(var files, let source, let settings):
      files.read(source, styles: settings.styles)
      return .screens(files, KnownScreens(files, settings))
    case .check(let check):
      let settings = KnownScreens.Settings(check.rules.ruleSet)
      let isSame = settings.identity == check.known.settings.identity
      let dictionary = settings.styles == check.known.settings.styles ? check.known.dictionary : nil
      var problems = RuleTestFiles.problems(in: check.tests, for: check.rules.ruleSet, captures: check.reader)
      var plan = PlanFiles()
      do throws(RuleFileErrors) {
        if !check.plan.isEmpty { plan = try PlanFiles(texts: check.plan, for: check.rules.ruleSet) }
      } catch {
        problems += error.diagnostics
      }
      var checker = RuleChecker(check.rules, dictionary: dictionary, plan: plan)
      for known in check.known.screens {
        let screen = isSame ? known.screen : IdentifiedTree(known.screen.tree, options: settings.identity)
        checker.add(screen, name: known.name)
      }
      return .findings(
        project: check.project, generation: check.generation, checker.check(at: check.now).findings, problems)
    }
  }
}
