import ArgumentParser
import EncircleAuthoring
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// The arguments of `encircle suggest --all`.
struct SuggestAllOptions: ParsableArguments {
  @Flag(help: "Suggest a rule for each tracked element of the capture that no rule takes, with --rules-yaml.")
  var all = false

  @Option(
    name: .customLong("rules"),
    help: ArgumentHelp(
      """
      With --all: existing rules, a file or directory; may be repeated. Elements that they take, exclude or set aside get none. \
      Default: what encircle.yaml names.
      """, valueName: "rules"), completion: .file())
  var rules: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      With --all: the template of the ids, with {page}, {page_title}, {element}, {type}, {text}, {action} and {row}. \
      Default: {page}_{element}_{action}.
      """, valueName: "template"))
  var names: String?

  @Option(
    help: ArgumentHelp(
      "With --all: a file with words for texts, as '首页: home', one a line.", valueName: "file"), completion: .file())
  var words: String?

  /// - Throws: `ValidationError` for incompatible options, and for an invalid template.
  func validate() throws {
    guard all else {
      for (name, isThere) in [("rules", !rules.isEmpty), ("names", names != nil), ("words", words != nil)] where isThere
      {
        throw ValidationError("--\(name) goes with --all.")
      }
      return
    }
    _ = try template
  }

  /// The template of the ids.
  var template: NameTemplate {
    get throws {
      guard let names else { return .standard }
      do throws(NameTemplate.ParsingError) { return try NameTemplate(names) } catch {
        throw ValidationError("--names: \(error).")
      }
    }
  }

  /// Reads the words; if they have problems, prints all of them and throws an exit code.
  func loadWords() throws -> WordList {
    guard let words else { return WordList() }
    do throws(RuleFileErrors) { return try WordList(path: words) } catch {
      printErrors(error.description)
      throw ExitCode(ExitStatus(error).rawValue)
    }
  }
}

extension SuggestCommand {
  /// - Throws: `ValidationError` for options that are incompatible with `--all`.
  func validateAll() throws {
    guard rulesYaml else { throw ValidationError("--all prints a rule file: it goes with --rules-yaml.") }
    guard capture != nil else { throw ValidationError("Missing expected argument '<capture>'.") }
    let others = [
      ("an element", element != nil || by != nil), ("--event", event != nil), ("--against", !against.isEmpty),
      ("--property", !property.isEmpty),
    ]
    if let (name, _) = others.first(where: { $0.1 }) {
      throw ValidationError("--all is for all elements of a capture, so \(name) does not go with it.")
    }
    if style != nil, !many.rules.isEmpty {
      throw ValidationError("The rules say the style: --style does not go with --rules.")
    }
    try StandardInput.requireOneUse(in: [capture].compactMap { $0 } + many.rules + formats.inputPaths)
  }

  /// Writes a rule for each element of a capture that no rule selects.
  func runAll(_ capture: String) throws {
    let defaults = try ProjectDefaults.load()
    let paths = many.rules.isEmpty && style == nil ? defaults.rules : many.rules
    var ruleSet = RuleSet()
    var setAside = CoverageFiles()
    if paths.isEmpty {
      let style = style ?? defaults.style ?? .hubbleData
      ruleSet.style = style
      ruleSet.fields = EventFields(style: style)
    } else {
      ruleSet = try RuleOptions.ruleSet(RuleFiles(paths))
      setAside = try RuleOptions.setAside(besides: paths, for: ruleSet)
    }
    let words = try many.loadWords()
    let (name, screen) = try readCapture(capture)
    let used = ruleSet.part(for: screen).style
    if let refusal = used.refusal(of: screen) {
      throw ExitStatus.findings.failure("\(name): error: \(refusal)")
    }
    Self.noteOtherPlatform(of: screen, name, used)
    let proposals = ScreenSuggester(screen, ruleSet, setAside: setAside).proposals(
      names: try many.template, words: words, prefersIDs: prefer == .id)
    if let anchor {
      try AnchorPath.add(
        proposals.rules.map { UTF8String($0.id) }, on: NamedScreen(name: name, screen: screen), to: anchor)
    }
    let count = proposals.rules.count
    let what = counted(count, "element")
    try ResultWriter.print(
      proposals.yaml(comments: [
        "Suggested for \(what) of \(VisibleText.escaping(name))\(paths.isEmpty ? "" : " that no rule takes")."
      ]))
    if proposals.beyondLimit > 0 {
      printError(
        "\(name): note: \(proposals.beyondLimit) more elements get none now: \(ScreenSuggester.maximumRules) rules at a time"
      )
    }
    if count == 0, proposals.impossible.isEmpty {
      printError("\(name): note: there is no element for which a rule is missing")
    }
    for rule in proposals.rules {
      guard case .shared(let count) = rule.suggestion.uniqueness else { continue }
      let others = count - rule.elements.count
      printError(
        "\(name): warning: the rule '\(rule.id)' also selects \(counted(others, "other element"))")
    }
    for element in proposals.impossible {
      printError("\(name): warning: no rule could select the tap on element \(element)")
    }
    let isComplete = proposals.impossible.isEmpty && proposals.rules.allSatisfy(\.suggestion.isUnique)
    try (isComplete ? ExitStatus.done : .findings).exit()
  }
}
