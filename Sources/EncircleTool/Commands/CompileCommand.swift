import ArgumentParser
import EncircleRuleFiles
import EncircleRules

/// `encircle compile`
struct CompileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compile",
    abstract: "Compile rules to one file, with which `encircle match --rules FILE` starts faster.",
    discussion: """
      An older file is replaced in one step, and only if all rules and captures can be read. Only the same version of \
      Encircle on the same kind of machine can read the file; others report an error.

      For rules with sameKind that name an event ID, the elements of --captures and --dictionary are compiled in. If events \
      have only an event ID and no path, `match` needs --captures or --dictionary as well.
      """)

  @Argument(help: "Rule files, or directories with *.yaml, *.yml and *.json.", completion: .file())
  var rules: [String]

  @Option(name: [.short, .customLong("output")], help: "The file to write.", completion: .file())
  var output: String

  @OptionGroup var elements: KnownElementOptions

  @OptionGroup var formats: InputFormatOptions

  func validate() throws { try StandardInput.requireOneUse(in: rules + elements.captures) }

  func run() throws {
    let file = try OutputFile(output, option: "--output", of: self, isNoneOf: RuleOptions.inputPaths(of: rules))
    let files = RuleFiles(rules)
    let ruleSet = try RuleOptions.ruleSet(files)
    let dictionary = try elements.loadDictionary(formats, for: ruleSet, decides: false)
    let matcher = Matcher(ruleSet, dictionary: dictionary)
    let bytes = try matcher.compiled()
    try FileReplacement.save(bytes, as: file)
    printError("\(output): \(matcher.ruleCount) rule\(matcher.ruleCount == 1 ? "" : "s"), \(bytes.count) bytes")
  }
}
