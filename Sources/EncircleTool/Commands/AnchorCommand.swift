import ArgumentParser
import EncircleAuthoring
import EncircleInput
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// `encircle anchor`
struct AnchorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "anchor",
    abstract: "Write snapshots of the screens on which rules were circled, for `encircle diff` with a later version.",
    discussion: """
      The anchors are a file beside the rules: rules.yaml has rules.anchors, a directory Rules has Rules/rules.anchors. It has \
      the screens on which rules select an element, some tens of bytes a view, without what people have typed. \
      `encircle diff rules.anchors NEW --rules rules.yaml` then needs no old capture.

      Rules that select nothing on the captures are named, and keep the anchors that they have.
      """)

  @Argument(help: "The rules: a file or a directory.", completion: .file())
  var rules: String

  @Option(
    help: "A file or directory with captures of the version in which the rules were circled; may be repeated.",
    completion: .file())
  var captures: [String] = []

  @Option(
    name: [.short, .long], help: "The file to write, if it is not the one beside the rules.", completion: .file())
  var output: String?

  @OptionGroup var formats: InputFormatOptions

  mutating func validate() throws {
    if captures.isEmpty { captures = try ProjectDefaults.load().captures }
    if captures.isEmpty { throw ValidationError("Name the captures: --captures PATH.") }
    if output == nil, rules == "-" { throw ValidationError("Name the file to write: --output FILE.") }
  }

  func run() throws {
    let files = RuleFiles([rules])
    if let name = files.compiled.first?.name {
      throw ValidationError("\(name) holds compiled rules: name the files they were made of.")
    }
    let ruleSet = try RuleOptions.ruleSet(files)
    var screens: [NamedScreen] = []
    var source = CaptureSource(paths: captures, formats, identity: ruleSet.identity)
    try source.forEach { screens.append(NamedScreen(name: $0, screen: $1)) }
    try source.requireAll()
    let path = output ?? AnchorPath.beside(rules)
    var file = try AnchorPath.readIfPresent(path)
    let (found, without) = AnchorFile.anchors(of: ruleSet, on: screens)
    for anchor in found.anchors { file.set(anchor) }
    file.keepRules(Set(ruleSet.rules.map(\.id)))
    let bytes = Array(file.text.utf8)
    try FileReplacement.save(bytes, as: path)
    let views = file.anchors.reduce(0) { $0 + $1.tree.count }
    let ruleCount = Set(file.anchors.flatMap(\.rules)).count
    let output = ResultWriter()
    try output.write(
      VisibleText.escaping(
        "\(path): \(count(ruleCount, "rule")) on \(count(file.anchors.count, "screen")), \(count(views, "view")), "
          + "\(bytes.count) bytes") + "\n")
    try output.flush()
    for rule in without { printError("note: \(rule) selects nothing on the captures") }
  }

  private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}

/// Where the anchors of rules are.
enum AnchorPath {
  /// The file beside a rule file, or in a directory with rules.
  static func beside(_ rules: String) -> String {
    if RuleDirectory.isRegularFile(rules) {
      for ending in [".yaml", ".yml", ".json"] where rules.hasSuffix(ending) {
        return String(rules.dropLast(ending.utf8.count)) + "." + AnchorFile.fileExtension
      }
      return rules + "." + AnchorFile.fileExtension
    }
    return (rules.hasSuffix("/") ? rules : rules + "/") + "rules." + AnchorFile.fileExtension
  }

  /// Reads a file of anchors; nil if there is none at the path, or it is something else.
  static func read(_ path: String) throws -> AnchorFile? {
    guard path != "-", RuleDirectory.isRegularFile(path) else { return nil }
    do {
      var source = try ByteSource(path: path)
      var start: [UInt8] = []
      while start.count < longestStart {
        let count = start.count
        _ = try source.read(into: &start, atMost: longestStart - count)
        if start.count == count { break }
      }
      guard AnchorFile.isAnchorFile(start) else { return nil }
      let limits = AnchorLimits()
      return try AnchorFile(start + source.readAll(limit: limits.bytes), limits: limits)
    } catch let error as AnchorError {
      printError("\(path):\(error)")
      throw ExitCode(ExitStatus.badData.rawValue)
    } catch let error as InputError {
      printError("\(path): error: \(error)")
      throw ExitCode(ExitStatus(error).rawValue)
    }
  }

  /// Reads a file of anchors that is to be written anew; without one, there are no anchors.
  static func readIfPresent(_ path: String) throws -> AnchorFile {
    if let file = try read(path) { return file }
    guard !RuleDirectory.isRegularFile(path) else {
      printError("\(path): error: this is no file of anchors, and is not overwritten")
      throw ExitCode(ExitStatus.badData.rawValue)
    }
    return AnchorFile()
  }

  private static let longestStart = 32
}
