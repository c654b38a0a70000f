import ArgumentParser
import EncircleDictionary
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules

/// The arguments by which subcommands take rules and a dictionary.
struct RuleOptions: ParsableArguments {
  @Option(
    name: .customLong("rules"), help: "A rule file, or a directory with *.yaml, *.yml and *.json; may be repeated.")
  var rules: [String]

  @Option(
    name: .customLong("captures"),
    help: "Captures, files or directories, by which events that carry only an event ID are resolved; may be repeated.")
  var captures: [String] = []

  @Option(
    name: .customLong("dictionary"),
    help: "A dictionary that `encircle index` made, for the same purpose; --captures add to it.")
  var dictionary: String?

  /// The rules; all that is wrong with them is printed.
  func loadRules() throws -> RuleSet {
    do throws(RuleFileErrors) {
      return try RuleFileLoader.load(rules)
    } catch {
      for diagnostic in error.diagnostics { printError(diagnostic.description) }
      let count = error.diagnostics.count
      printError("\(count) problem\(count == 1 ? "" : "s") in the rules: nothing was done")
      throw ExitCode((error.isMissingInput ? ExitStatus.noInput : .badData).rawValue)
    }
  }

  /// The dictionary of the file and the captures; captures that cannot be read are reported, and then the status is not `done`.
  ///
  /// - Parameter style: The style of the rule set, in which the dictionary is to have its paths.
  func loadDictionary(_ style: PathStyleName) throws -> (ElementDictionary, ExitStatus) {
    var dictionary = ElementDictionary(style: style)
    if let path = self.dictionary {
      do throws(DictionaryError) {
        dictionary = try DictionaryReader(path: path).load(style: style)
      } catch {
        throw DictionaryOptions.exit(path, error)
      }
    }
    guard !captures.isEmpty else { return (dictionary, .done) }
    var source = CaptureSource(paths: captures)
    try source.forEach { _, screen in dictionary.insert(screen) }
    return (dictionary, source.status)
  }
}
