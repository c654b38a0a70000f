import ArgumentParser
import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleInput
import EncircleRules

/// `encircle diff`
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two rule sets, or captures of two versions of an app with the rules that break between them.",
    discussion: """
      With two captures, or two directories with captures, says which elements were moved, renamed or changed, are gone or \
      added, and with --rules which rules therefore break, and how they can be repaired.

      With two rule sets, says which events become selected, are no longer selected, and are selected under other names or \
      by other rules, how many they are, and which rules make the difference, with examples. With --captures the same for a \
      tap on each element that an SDK would track.

      --format markdown is for a comment on a change of rules, --exit-code for scripts. Exit status 65 if a line is not an event.
      """)

  /// The formats of the result.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, markdown
  }

  @Argument(
    help: """
      The rules as they were: a file, a directory with *.yaml, *.yml and *.json, or a compiled file. Or captures of the \
      old version: a file or a directory; or the anchors of rules, see `encircle anchor`.
      """,
    completion: .file())
  var old: String

  @Argument(help: "The rules as they are now, or captures of the new version, in the same forms.", completion: .file())
  var new: String

  @Option(help: .eventFiles, completion: .file())
  var events: [String] = []

  @OptionGroup var elements: KnownElementOptions

  @OptionGroup var formats: InputFormatOptions

  @OptionGroup var drift: DriftOptions

  @Option(parsing: .unconditional, help: "The number of examples of each difference; for rule sets. Default: 3.")
  var examples: Int?

  @Option(help: "The format of the result.")
  var format = Format.text

  @Flag(help: "Exit with status 1 if the rule sets select differently, or the screens are different.")
  var exitCode = false

  private static let maximumExamples = 100
  func validate() throws {
    if let examples, !(0...Self.maximumExamples).contains(examples) {
      throw ValidationError("--examples takes a number from 0 to \(Self.maximumExamples).")
    }
    // Captures are read twice, for the dictionary and for the comparison, and view controllers for each side.
    let readTwice = elements.captures + formats.inputPaths
    try StandardInput.requireOneUse(in: [old, new] + events + readTwice + readTwice)
  }

  func run() throws {
    if try CaptureComparison.areCaptures(old, formats) { return try compareScreens() }
    // If the old one is a capture that cannot be read, reading it below reports the problem.
    if events.isEmpty, try !elements.isGiven, try CaptureComparison.areCaptures(new, formats) {
      return try compareScreens()
    }
    // Two pipes can only be captures if nothing is named on which rule sets could be compared.
    if events.isEmpty, elements.captures.isEmpty, [old, new].allSatisfy(CaptureComparison.isReadOnce) {
      return try compareScreens()
    }
    if drift.isGiven {
      throw ValidationError("\(old) has no capture; the rules that break are looked for between captures.")
    }
    if events.isEmpty, elements.captures.isEmpty {
      throw ValidationError("Name what the rule sets are to be compared on: --events FILE, --captures PATH or both.")
    }
    try formats.requireCaptures(elements.captures)
    let (before, now) = try (ComparedRules(path: old), ComparedRules(path: new))
    let withScreens = before.readsScreens || now.readsScreens
    let known = try now.dictionary(elements, formats, withScreens: withScreens)
    // Without files to read, loading only finds out whether rules need them.
    let isSame = before.styles == now.styles && before.identity == now.identity && !elements.inputPaths.isEmpty
    let knownBefore = isSame ? known : try before.dictionary(elements, formats, withScreens: withScreens)
    let matcher = try now.matcher(known)
    var limits = DecisionComparison.Limits()
    if let examples { limits.examples = examples }
    var comparison = DecisionComparison(from: try before.matcher(knownBefore), to: matcher, limits: limits)
    var report = DiffReport()
    var status = ExitStatus.done
    if !events.isEmpty {
      status = try EventInput.forEach(of: events, projection: matcher.projection) { reader, file, line in
        comparison.add(eventOf: reader, file: file, line: line)
      }
      report.events = comparison.finish()
    }
    if !elements.captures.isEmpty {
      let (old, new) = ComparedRules.atAnyTime(before, now)
      var taps = DecisionComparison(from: try old.matcher(knownBefore), to: try new.matcher(known), limits: limits)
      try compareCaptures(now.identity, &taps)
      report.elements = taps.finish()
    }
    let output = ResultWriter()
    switch format {
    case .text: try output.write(DiffText.text(report))
    case .json: try output.write(DiffJSON.text(report))
    case .markdown: try output.write(DiffMarkdown.text(report))
    }
    try output.flush()
    if exitCode, report.isDifferent { status = status.joined(with: .findings) }
    try status.exit()
  }

  private func compareScreens() throws {
    guard events.isEmpty else {
      throw ValidationError("--events is for two rule sets, and \(old) has captures.")
    }
    guard try !elements.isGiven else {
      throw ValidationError("--captures and --dictionary are for two rule sets, and \(old) has captures.")
    }
    if examples != nil { throw ValidationError("--examples is for two rule sets, and \(old) has captures.") }
    let report = try CaptureComparison(options: drift, formats: formats).report(old, new)
    let output = ResultWriter()
    switch format {
    case .text: try output.write(DriftText.text(report))
    case .json: try output.write(DriftJSON.text(report))
    case .markdown: try output.write(DriftMarkdown.text(report))
    }
    try output.flush()
    let isBroken = report.rules.contains { !$0.isApplied }
    let isDifferent = report.isDifferent || !report.rules.isEmpty
    let fails = drift.failOn == .broken && isBroken || (drift.failOn == .different || exitCode) && isDifferent
    try (fails ? ExitStatus.findings : .done).exit()
  }

  private func compareCaptures(_ identity: IdentityOptions, _ comparison: inout DecisionComparison) throws {
    var source = CaptureSource(paths: elements.captures, formats, identity: identity)
    // Skipped files were already named when the elements were read for the dictionary.
    source.namesSkippedFiles = false
    try source.forEach { name, screen in
      if let unmet = comparison.add(screen, name: name) {
        printError("\(name): note: not compared: a style of the rules cannot serve this capture: \(unmet)")
      }
    }
    try source.requireAll()
  }
}
