import EncircleAuthoring
import EncircleCapture
import EncircleIdentity
import EncircleRuleFiles
import EncircleText

/// Work that takes long and is done while requests are answered.
struct Work: Sendable {
  /// A check of a project's rules.
  struct Check: Sendable {
    let project: Int
    let generation: Int
    let rules: SourcedRuleSet
    let known: KnownScreens
    let tests: [(name: String, text: String)]
    let reader: CaptureReader
    /// Milliseconds since 1970.
    let now: Int64
  }

  enum Task: Sendable {
    case readScreens(ScreenFiles, ScreenSource, KnownScreens.Settings)
    case check(Check)
  }

  /// What the work has given.
  enum Result: Sendable {
    case screens(ScreenFiles, KnownScreens)
    case findings(project: Int, generation: Int, [Finding], tests: [Diagnostic])
  }

  let task: Task

  /// Does the work.
  func run() -> Result {
    switch task {
    case .readScreens(var files, let source, let settings):
      files.read(source, style: settings.style)
      return .screens(files, KnownScreens(files, settings))
    case .check(let check):
      let settings = KnownScreens.Settings(check.rules.ruleSet)
      let isSame = settings.identity == check.known.settings.identity
      let dictionary = settings.style == check.known.settings.style ? check.known.dictionary : nil
      var checker = RuleChecker(check.rules, dictionary: dictionary)
      for known in check.known.screens {
        let screen = isSame ? known.screen : IdentifiedTree(known.screen.tree, options: settings.identity)
        checker.add(screen, name: known.name)
      }
      let tests = RuleTestFiles.problems(in: check.tests, for: check.rules.ruleSet, captures: check.reader)
      return .findings(
        project: check.project, generation: check.generation, checker.check(at: check.now).findings, tests: tests)
    }
  }
}
