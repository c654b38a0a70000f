import ArgumentParser
import EncircleRuleFiles
import EncircleRules

/// `encircle compile`
struct CompileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compile",
    abstract: "Compile rules to one file, from which `encircle match --rules FILE` starts faster.",
    discussion: """
      The file takes the place of an older one at once, and only if all rules and captures could be read. It is for the \
      version of Encircle, and the kind of machine, that made it; others refuse it.

      Rules with sameKind that name an event ID take what --captures and --dictionary know now; give them to `match`, too, \
      where events carry only event IDs.
      """)

  @Argument(help: "Rule files, or directories with *.yaml, *.yml and *.json.")
  var rules: [String]

  @Option(name: [.short, .customLong("output")], help: "The file of compiled rules.")
  var output: String

  @OptionGroup var elements: KnownElementOptions

  func run() throws {
    let files = RuleFiles(rules)
    for name in files.names where FileReplacement.isOneFile(name, output) {
      throw ValidationError("\(output) is one of the rule files: the compiled rules need another.")
    }
    let ruleSet = try RuleOptions.ruleSet(files)
    let (dictionary, status) = try elements.loadDictionary(ruleSet.style)
    if status != .done {
      printError("\(output): error: not written, as captures could not be read")
      try status.exit()
    }
    let matcher = Matcher(ruleSet, dictionary: dictionary)
    let bytes = try matcher.compiled()
    try FileReplacement.save(bytes, as: output)
    printError("\(output): \(matcher.ruleCount) rule\(matcher.ruleCount == 1 ? "" : "s"), \(bytes.count) bytes")
  }
}
