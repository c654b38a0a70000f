import ArgumentParser
import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleInput
import EncircleRuleFiles
import EncircleText
import Foundation

/// `encircle check`
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Find probable mistakes in valid rules.",
    discussion: """
      Without captures this finds contradictions, rules that others cover or exclude, and version ranges without a version. \
      With --captures it also finds rules that select nothing or too much, unknown names, and selectors that will probably \
      not last, and shows a correction where it knows one. With a plan beside the rules (x.plan.yaml) it finds what one of them has and \
      the other does not. --list explains all findings.

      A rule or a file can silence a finding with a reason: checks: { exact-row: { severity: off, reason: … } }, or a \
      comment at the place: # encircle: off exact-row - the first row is the banner

      --fix makes the corrections that are known exactly, and nothing else in the files changes. Corrections that \
      overlap are made one after the other, and the remaining findings are printed. Files with which the rules would \
      not load stay as they are. --fix=all also asks about each correction that is a guess, or lists them where there \
      is no terminal; with --yes it makes them all.
      """)

  @Argument(help: "Rule files, or directories with *.yaml, *.yml and *.json.", completion: .file())
  var rules: [String] = []

  @OptionGroup var elements: KnownElementOptions

  @OptionGroup var formats: InputFormatOptions

  @Option(
    help: "A file with events, one JSON object a line, whose names, pages and properties count as known.",
    completion: .file())
  var events: String?

  @Option(help: "The format of the findings.")
  var format = CheckFormat.text

  @OptionGroup var colors: ColorOptions

  @Option(help: "Exit with status 1 if there are findings of this severity or above.")
  var failOn = Threshold.error

  @Option(help: "The time with which 'from' and 'to' of rules are compared, as in 2026-03-01. Default: now.")
  var at: Moment?

  @Option(
    help: ArgumentHelp(
      "Show, and with --fix correct, only findings of these codes, separated by commas; may be repeated.",
      valueName: "codes"),
    completion: .list(CheckCode.allCases.map(\.rawValue)),
    transform: { try CheckCodes(parsing: $0) })
  var codes: [CheckCodes] = []

  @Flag(help: "Correct the rule files in place where a finding has an exact correction.")
  var fix = false

  @Flag(
    name: .customLong("fix-all"),
    help: "The same, and ask about each correction that is a guess; without a terminal, list them. Also --fix=all.")
  var fixesAll = false

  @Flag(help: "With --fix=all: make all corrections that are guesses, without asking.")
  var yes = false

  @Flag(
    help: """
      With --fix: change nothing; show what would change as a unified diff, which `patch -p0` applies, and exit with status 1 if \
      there is anything.
      """)
  var diff = false

  @Flag(help: "Explain all kinds of findings, with a wrong and a right example for each.")
  var list = false

  /// The lowest severity of findings that makes the command fail.
  enum Threshold: String, CaseIterable, ExpressibleByArgument {
    case note, warning, error, never

    func isReached(by severity: Severity) -> Bool { Severity(rawValue: rawValue).map { severity >= $0 } ?? false }
  }

  mutating func validate() throws {
    if rules.isEmpty, !list { rules = try ProjectDefaults.load().rules }
    if list != rules.isEmpty {
      throw ValidationError(list ? "--list takes no rules." : "Name at least one rule file or directory.")
    }
    try StandardInput.requireOneUse(in: rules + [events].compactMap { $0 } + elements.captures + formats.inputPaths)
    try formats.requireCaptures(elements.captures)
    if list, format != .text { throw ValidationError("--list prints Markdown, so --format does not go with it.") }
    if fixesAll { fix = true }
    if yes, !fixesAll {
      throw ValidationError("--yes goes with --fix=all: it confirms the corrections that are guesses.")
    }
    if diff, !fix { throw ValidationError("--diff goes with --fix: it shows what --fix would change.") }
    if diff, format != .text {
      throw ValidationError("--diff prints a unified diff, so --format does not go with it.")
    }
    if fix, events == "-" {
      throw ValidationError("--fix reads the events again after each change, which standard input cannot be.")
    }
    if fix, !diff, rules.contains("-") {
      throw ValidationError("--fix changes files, which standard input is not; with --diff it shows what would change.")
    }
  }

  func run() throws {
    let output = ResultWriter()
    if list {
      try output.write(CheckCatalogText.all)
      return try output.flush()
    }
    let sourced: SourcedRuleSet
    let files = RuleFiles(rules)
    do throws(RuleFileErrors) {
      sourced = try files.ruleSetWithSources()
    } catch {
      try output.write(format.text(of: error.diagnostics))
      try output.flush()
      throw RuleOptions.exit(error, color: colors.color)
    }
    let progress = Progress()
    defer { progress?.end() }
    let wanted = codes.reduce(into: Set<CheckCode>()) { $0.formUnion($1.codes) }
    func wantedFindings(of result: RuleChecker.Result) -> [Finding] {
      result.findings.filter { wanted.isEmpty || wanted.contains($0.code) }
    }
    var (result, unserved, status) = try check(sourced, progress)
    var findings = wantedFindings(of: result)
    var fixes = fix ? RuleFixes(files) : nil
    func makeExactEdits() throws {
      for _ in 0..<Self.maximumRounds where fixes?.apply(findings) == true { try checkAgain() }
    }
    func checkAgain() throws {
      guard let changed = try? fixes?.rules.ruleSetWithSources() else { return }
      (result, unserved, status) = try check(changed, progress)
      findings = wantedFindings(of: result)
    }
    try makeExactEdits()
    if fixesAll {
      progress?.end()
      let guesses = GuessedEdits(findings)
      let confirmed = diff || yes ? guesses.all : guesses.confirmed()
      if fixes?.apply(confirmed, guesses: true) == true {
        try checkAgain()
        try makeExactEdits()
      }
    }
    if let fixes, !diff { try fixes.save() }
    progress?.end()
    try output.write(diff ? fixes?.diff ?? "" : format.text(of: findings, isColored: colors.isColored))
    try output.flush()
    Self.printOmissions(of: result, unserved)
    if let fixes { printError(fixes.summary(isDone: !diff)) }
    if !diff { printError(Self.summary(findings)) }
    try status.joined(with: fixes?.status ?? .done).exit()
    if diff {
      if fixes?.isEmpty == false { try ExitStatus.findings.exit() }
      return
    }
    if findings.contains(where: { failOn.isReached(by: $0.severity) }) { try ExitStatus.findings.exit() }
  }

  /// The maximum number of captures without a style that are named.
  private static let maximumUnserved = 5

  /// The maximum number of checks, because edits may cause findings with further edits.
  private static let maximumRounds = 8

  /// A capture that no style of the rules can serve, with the requirement that it does not meet.
  private typealias Unserved = (name: String, unmet: PathStyleRequirement)

  /// Checks rules with the captures, events and the dictionary.
  private func check(
    _ sourced: SourcedRuleSet, _ progress: Progress?
  ) throws -> (RuleChecker.Result, [Unserved], ExitStatus) {
    let (captured, unserved) = try makeChecker(sourced, progress)
    var checker = captured
    let status = try events.map { try read($0, &checker, progress) } ?? .done
    let count = sourced.ruleSet.rules.count
    progress?.report("checking \(counted(count, "rule"))")
    return (checker.check(at: (at ?? .now).milliseconds), unserved, status)
  }

  /// Returns a checker that has the captures and the dictionary, and the captures that do not count.
  private func makeChecker(_ sourced: SourcedRuleSet, _ progress: Progress?) throws -> (RuleChecker, [Unserved]) {
    let plan = try RuleOptions.orExit(color: colors.color) { try PlanFiles(besides: rules, for: sourced.ruleSet) }
    var checker = RuleChecker(
      sourced, dictionary: try elements.loadDictionaryFile(for: sourced.ruleSet), plan: plan)
    var unserved: [Unserved] = []
    guard !elements.captures.isEmpty else { return (checker, unserved) }
    var source = CaptureSource(paths: elements.captures, formats, identity: sourced.ruleSet.identity)
    source.progress = progress
    try source.forEach { name, screen in
      if let unmet = checker.add(screen, name: name) { unserved.append((name, unmet)) }
    }
    // If one of them were missing, rules would seem to match nothing.
    try source.requireAll()
    return (checker, unserved)
  }

  private func read(_ path: String, _ checker: inout RuleChecker, _ progress: Progress?) throws -> ExitStatus {
    try EventInput.forEach(path, progress: progress.map { InputProgress($0, paths: [path]) }) { reader, _ in
      let json = reader.withEvent { Array($0) }
      if let event = try? AnalyticsEvent(json: json) { checker.add(event) }
    }
  }

  /// Prints notes about what was not checked.
  private static func printOmissions(of result: RuleChecker.Result, _ unserved: [Unserved]) {
    for (name, unmet) in unserved.prefix(maximumUnserved) {
      printError("\(name): note: not checked: a style of the rules cannot serve this capture: \(unmet)")
    }
    if unserved.count > maximumUnserved {
      printError("note: \(counted(unserved.count - maximumUnserved, "more capture")) cannot be served either")
    }
    if result.undecided > 0 {
      printError(
        "note: \(result.undecided) rule\(result.undecided == 1 ? " was" : "s were") not compared with all others: "
          + "there are too many that match the same, their selectors test more than the tags of web pages, or "
          + "their selectors and tests are too entangled")
    }
    if result.skippedElements > 0 {
      printError(
        "note: \(result.skippedElements) element\(result.skippedElements == 1 ? " was" : "s were") not looked at: their "
          + "paths are too long, or there are too many; no rule is therefore said to match nothing")
    }
  }

  private static func summary(_ findings: [Finding]) -> String {
    if findings.isEmpty { return "no findings" }
    let counts = Severity.allCases.reversed().compactMap { severity -> String? in
      let count = findings.count { $0.severity == severity }
      return count == 0 ? nil : counted(count, severity.rawValue)
    }
    return "\(counted(findings.count, "finding")): " + counts.joined(separator: ", ")
  }
}
