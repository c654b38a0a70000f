import ArgumentParser
import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// `encircle test`
struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Run the tests beside rule files.",
    discussion: """
      For a directory all files *.test.yaml, *.test.yml and *.test.json in it are run, for a rule file x.yaml the file \
      x.test.yaml, .yml or .json. All given rules together are one rule set, on which every test is run. \
      docs/rule-tests.schema.json describes test files. If a test fails, the exit status is 1.
      """)

  @Argument(
    help: "Rule files, directories with rules and tests, or test files. Default: the rules of encircle.yaml.",
    completion: .file())
  var paths: [String] = []

  @Option(help: "A file or directory with more rules, whose tests are not run; may be repeated.", completion: .file())
  var rules: [String] = []

  @Option(help: "Run only the tests with this text in their names.")
  var filter: String?

  @OptionGroup var formats: InputFormatOptions

  @Option(help: "The format of the results.")
  var format = Format.text

  @OptionGroup var colors: ColorOptions

  @Flag(help: "List the rules that matched no event of any test.")
  var coverage = false

  @Flag(
    help: """
      Replace the expectations of tests that fail, or that expect nothing yet, with the results; review the change afterwards. \
      The rest of the files stays as it is.
      """)
  var update = false

  /// The formats of the results.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, junit
  }

  mutating func validate() throws {
    if paths.isEmpty { paths = try ProjectDefaults.load().rules }
    if paths.isEmpty {
      throw ValidationError("Missing expected argument '<paths> ...': rule files, test files or directories.")
    }
    try StandardInput.requireOneUse(in: paths + rules + formats.inputPaths)
    if update, coverage || format != .text {
      throw ValidationError("--update writes the results into the tests, so --coverage and --format do not go with it.")
    }
  }

  func run() throws {
    let ruleSet = try RuleOptions.ruleSet(RuleFiles(try rulePaths()))
    let testPaths = RuleTestFiles.paths(besides: paths)
    guard !testPaths.isEmpty else {
      throw ExitStatus.noInput.failure(
        "\(paths.joined(separator: ", ")): error: there are no tests: expected files *.test.yaml beside the rules")
    }
    let files = try load(testPaths, ruleSet)
    if ruleSet.rules.contains(where: { $0.isEnabled && $0.needsTextsWithin }) {
      for file in files where file.dictionary.count == 0 {
        printError("\(file.name): note: 'within' looks texts up in 'captures' of the file, which names none")
      }
    }
    var runner = RuleTestRunner(ruleSet)
    let wanted = filter.map { Array($0.utf8) }
    var runs: [(file: RuleTestFile, results: [TestResult])] = []
    for file in files {
      runs.append((file, runner.run(file) { test in wanted.map { Array(test.name.utf8).contains($0) } ?? true }))
    }
    if runs.allSatisfy(\.results.isEmpty) {
      printError(
        "error: there is no test"
          + (filter.map { " with '\($0)' in its name" } ?? " in \(testPaths.joined(separator: ", "))"))
      throw ExitCode((filter == nil ? ExitStatus.noInput : .findings).rawValue)
    }
    if update { return try updateFiles(runs, ruleSet) }

    let output = ResultWriter()
    let covered =
      coverage
      ? RuleCoverage(uncovered: runner.uncoveredRules, count: runner.ruleCount, isPartial: filter != nil) : nil
    let results = runs.flatMap(\.results)
    switch format {
    case .text:
      let text = TestReport.text(results, covered)
      try output.write(colors.isColored ? Color.paintMarks(in: text) : text)
    case .json: try output.write(TestReport.json(results, covered))
    case .junit:
      try output.write(JUnitText.text(runs.map { ($0.file.name, $0.results) }))
      if let covered { printErrors(covered.text) }
    }
    try output.flush()
    if results.contains(where: { !$0.passed }) { try ExitStatus.findings.exit() }
  }

  /// Returns the named rule files or, if only test files are named, the rule files beside them.
  private func rulePaths() throws -> [String] {
    let named = paths.filter { !RuleTestFiles.isTestFile($0) } + rules
    if !named.isEmpty { return named }
    let beside = paths.flatMap { RuleTestFiles.rules(beside: $0) }
    if beside.isEmpty {
      let missing = paths.filter { RuleDirectory.files($0) == nil }
      for path in missing { printError("\(path): error: no such file") }
      if !missing.isEmpty { throw ExitCode(ExitStatus.noInput.rawValue) }
      throw ValidationError("Name the rules that \(paths.joined(separator: ", ")) is about with --rules.")
    }
    return beside
  }

  private func load(_ paths: [String], _ ruleSet: RuleSet) throws -> [RuleTestFile] {
    let reader = try formats.readerOrExit()
    do throws(RuleFileErrors) {
      return try RuleTestFiles(paths, for: ruleSet, checksRules: !update, captures: reader).files
    } catch {
      printErrors(error.description)
      let count = error.count
      printError("\(counted(count, "problem")) in the tests: none was run")
      throw ExitCode(ExitStatus(error).rawValue)
    }
  }

  private func updateFiles(_ runs: [(file: RuleTestFile, results: [TestResult])], _ ruleSet: RuleSet) throws {
    let reader = try formats.readerOrExit()
    let output = ResultWriter()
    var status = ExitStatus.done
    var count = 0
    for (file, results) in runs {
      let updated = Result { () throws(RuleFileErrors) in
        try ExpectationUpdate.update(file, results, for: ruleSet, captures: reader)
      }
      switch updated {
      case .failure(let error):
        printErrors(error.description)
        status = .badData
      case .success(let update):
        for problem in update.problems { printErrors(problem.description) }
        if !update.problems.isEmpty { status = status.joined(with: .findings) }
        if update.updated.isEmpty { continue }
        count += update.updated.count
        try FileReplacement.save(Array(update.text.utf8), over: file.name)
        for test in update.updated { try output.write(VisibleText.escaping("\(file.name): \(test)") + "\n") }
      }
    }
    try output.write("\(counted(count, "test")) updated\n")
    try output.flush()
    try status.exit()
  }
}
