import ArgumentParser
import EncircleAuthoring
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
      The command writes a file beside the rules: shop.anchors for shop.yaml, and rules.anchors in a directory. It has the \
      screens on which rules select an element, some tens of bytes a view, without what people have typed. \
      `encircle diff shop.anchors NEW --rules shop.yaml` then needs no old capture.

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
    try StandardInput.requireOneUse(in: [rules] + captures + formats.inputPaths)
    if let output { try OutputFile.requireName(output, option: "--output") }
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
    var hasPages = false
    try source.forEach { name, screen in
      guard Anchor.canHold(screen) else {
        hasPages = true
        printError("\(name): note: \(AnchorPath.noPages)")
        return
      }
      screens.append(NamedScreen(name: name, screen: screen))
    }
    try source.requireAll()
    let path = output ?? AnchorPath.beside(rules)
    var file = try AnchorPath.readIfPresent(path)
    let (found, without) = AnchorFile.anchors(of: ruleSet, on: screens)
    file.set(found.anchors)
    file.keepRules(Set(ruleSet.rules.map(\.id)))
    let bytes = Array(file.text.utf8)
    try FileReplacement.save(bytes, over: path)
    let views = file.anchors.reduce(0) { $0 + $1.tree.count }
    let ruleCount = Set(file.anchors.flatMap(\.rules)).count
    try ResultWriter.print(
      VisibleText.escaping(
        "\(path): \(counted(ruleCount, "rule")) on \(counted(file.anchors.count, "screen")), "
          + "\(counted(views, "view")), \(bytes.count) bytes") + "\n")
    let place = hasPages ? "other captures" : "captures"
    for rule in without { printError("note: \(rule) selects nothing on the \(place)") }
  }
}
