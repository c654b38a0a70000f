import ArgumentParser
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

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

  func validate() throws {
    try StandardInput.requireOneUse(in: rules + elements.captures + formats.inputPaths)
    try formats.requireCaptures(elements.captures)
  }

  func run() throws {
    let file = try OutputFile(output, option: "--output", of: self, isNoneOf: RuleOptions.inputPaths(of: rules))
    let files = RuleFiles(rules)
    let ruleSet = try RuleOptions.ruleSet(files)
    let dictionary = try elements.loadDictionary(formats, for: ruleSet, decides: false)
    let matcher = Matcher(ruleSet, dictionary: dictionary)
    let bytes = try matcher.compiled()
    try FileReplacement.save(bytes, as: file)
    printError("\(output): \(counted(matcher.ruleCount, "rule")), \(bytes.count) bytes")
    let ofOneRow = Self.rulesOfOneRow(ruleSet, dictionary)
    if !ofOneRow.isEmpty {
      let ids = MatchSummary.list(ofOneRow, of: ofOneRow.count)
      printError(
        "note: rules with sameKind take only the row of their event ID, as nothing known has it: \(ids); compile them with "
          + "--captures or --dictionary to free the row")
    }
  }

  /// Returns the rules with `sameKind` that keep the row of their event ID, because nothing known has the element.
  private static func rulesOfOneRow(_ ruleSet: RuleSet, _ dictionary: ElementDictionary) -> [UTF8String] {
    let dictionaries = [dictionary] + dictionary.inOtherStyles
    func isUnknown(_ element: ElementReference) -> Bool {
      element.identity == nil && dictionaries.allSatisfy { $0.number(of: element.eventID) == nil }
    }
    return ruleSet.rules.filter { rule in
      rule.isEnabled && rule.sameKind && rule.clauses.contains { $0.eventIDs.contains(where: isUnknown) }
    }.map(\.id)
  }
}
