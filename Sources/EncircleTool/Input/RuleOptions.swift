import ArgumentParser
import EncircleDictionary
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The arguments for rules.
struct RuleOptions: ParsableArguments, InputArguments {
  @Option(
    name: .customLong("rules"),
    help: """
      A rule file, or a directory with *.yaml, *.yml and *.json files; may be repeated. For `match` also one file that \
      `encircle compile` made. Default: what encircle.yaml names.
      """, completion: .file())
  var rules: [String] = []

  mutating func validate() throws { rules = try Self.paths(rules) }

  /// Returns the named rules, or else those of `encircle.yaml`.
  ///
  /// - Throws: A usage error if there are none.
  static func paths(_ named: [String]) throws -> [String] {
    let rules = named.isEmpty ? try ProjectDefaults.load().rules : named
    guard !rules.isEmpty else {
      throw ValidationError("Name the rules: '--rules <rules>', or 'rules' in \(ProjectDefaults.fileName).")
    }
    return rules
  }

  var inputPaths: [String] { Self.inputPaths(of: rules) }

  /// Returns the files with rules, and the files beside them: tests, plans, coverage exclusions, and anchors.
  static func inputPaths(of rules: [String]) -> [String] {
    rules.flatMap { path in
      let companions = RuleDirectory.Companion.allCases.flatMap { RuleDirectory.companions($0, of: path) }
      return (RuleDirectory.files(path) ?? []) + companions + [AnchorPath.beside(path)]
    }
  }

  /// Loads the rules; if they have problems, prints all of them and throws an exit code.
  func loadRules() throws -> RuleSet { try Self.ruleSet(RuleFiles(rules)) }

  /// Loads the rules, compiled or not, and the known elements; prints problems and throws an exit code.
  func loadMatcher(_ elements: KnownElementOptions, _ formats: InputFormatOptions) throws -> Matcher {
    try loadMatcher(RuleFiles(rules), elements, formats)
  }

  /// Loads the rules of the named files, which have been read, and the known elements; prints problems and throws an exit code.
  func loadMatcher(
    _ files: RuleFiles, _ elements: KnownElementOptions, _ formats: InputFormatOptions
  ) throws -> Matcher {
    if let (name, compiled) = files.compiled.first {
      guard rules.count == 1, files.names.count == 1 else {
        throw ValidationError(
          "\(name) holds compiled rules, beside which there can be no others: compile all together.")
      }
      do {
        let compiled = try compiled.get()
        return try Matcher(compiled: compiled, dictionary: elements.loadDictionary(formats, for: compiled))
      } catch let error as CompiledRulesError {
        throw ExitStatus.badData.failure("\(name): error: \(error)")
      }
    }
    let ruleSet = try Self.ruleSet(files)
    return Matcher(ruleSet, dictionary: try elements.loadDictionary(formats, for: ruleSet))
  }

  /// Returns the ids of the rules for an unfinished command line: of the rules that `--rules` names, or else of the rules in
  /// `encircle.yaml`. The result is empty if they cannot be read.
  static func ruleIDs(in words: [String]) -> [String] {
    var paths = zip(words, words.dropFirst()).filter { $0.0 == "--rules" }.map(\.1)
    if paths.isEmpty { paths = (try? ProjectDefaults.load().rules) ?? [] }
    return (try? RuleFiles(paths).ruleSet())?.rules.map(\.id.text) ?? []
  }

  /// Returns the rules in files; if they have problems, prints all of them and throws an exit code.
  static func ruleSet(_ files: RuleFiles) throws -> RuleSet {
    try orExit { try files.ruleSet() }
  }

  /// Returns the elements that files beside rules set aside; if they have problems, prints all of them and throws an exit code.
  static func setAside(besides rules: [String], for ruleSet: RuleSet) throws -> CoverageFiles {
    try orExit { try CoverageFiles(besides: rules, for: ruleSet) }
  }

  /// Returns the result of `body`; if rule files have problems, prints all of them and throws an exit code.
  static func orExit<Value: ~Copyable>(color: ColorMode = .auto, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let errors as RuleFileErrors {
      throw exit(errors, color: color)
    }
  }

  /// Prints all problems of rule files; returns the exit code for them.
  static func exit(_ error: RuleFileErrors, color: ColorMode = .auto) -> ExitCode {
    let isColored = color == .always || color == .auto && Terminal.errorsHaveColor
    for diagnostic in error.diagnostics { printDiagnostics(diagnostic.description, isColored: isColored) }
    let count = error.count
    printError("\(counted(count, "problem")) in the rules: nothing was done")
    return ExitCode(ExitStatus(error).rawValue)
  }
}
