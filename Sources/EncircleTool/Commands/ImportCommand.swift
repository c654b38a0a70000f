import ArgumentParser
import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleText
import Foundation

/// `encircle import`
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make rules of the definitions that another tool has: Sensors, PostHog, GrowingIO, Pendo.",
    discussion: """
      The files are answers of the tool's API, or answers to its SDK, saved as JSON; docs/moving-in.md says how to get \
      them. Each definition gets one of five results, with reasons: exact, unverified, narrower, wider, skipped. \
      Without --output only these are shown.

      Rules have the ids of the tool, as posthog.4101, so that another import applies the changes made there. Edits \
      made here stay, and nothing is deleted.

      Exit status 1 if a definition was not taken that --allow does not name, or if a rule changed on both sides or cannot be changed on its own; 65 if a file cannot be read.
      """)

  /// The formats of the result.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, markdown
  }

  /// The imperfect results that can be accepted.
  enum Allowed: String, CaseIterable, ExpressibleByArgument {
    case wider, skipped
  }

  @Argument(
    help: ArgumentHelp(
      "The tool (\(ImportTool.allCases.map(\.rawValue).joined(separator: ", "))), which need not be named, and its files; - is standard input.",
      valueName: "tool and files"),
    completion: .file())
  var inputs: [String]

  @Option(
    name: .shortAndLong, help: "A folder for the rules: those that are there are changed.", completion: .directory)
  var output: String?

  @Option(help: "The form that is written if a definition has two. Default: the more certain one.")
  var form: ImportedForm.Kind?

  @Option(
    help: ArgumentHelp(
      "Take rules that take more than the definition did (wider), or accept that some are skipped; may be repeated.",
      valueName: "result"))
  var allow: [Allowed] = []

  @Flag(help: "Take exact rules only.")
  var strict = false

  @Option(
    help: "The treatment of parts that changed on both sides: list them, keep them as here, or make them as there.")
  var conflicts = ImportMerge.Resolution.list

  @Option(
    help:
      "A file with events of the tool, JSON objects as for `encircle match`, by which both forms are compared; may be repeated.",
    completion: .file())
  var events: [String] = []

  @Option(
    help: """
      A file or directory with captures, on which to look for the elements of definitions that have no readable rule \
      or no certain one; may be repeated. The found elements are shown, not written.
      """, completion: .file())
  var captures: [String] = []

  @Option(
    help: """
      The style of the paths that events have from now on, for rules for the elements that --captures finds. Default: \
      the style of encircle.yaml, else hubbledata, or for definitions of Android and web pages their own style.
      """)
  var style: PathStyleName?

  @Flag(help: "Take grouped events of GrowingIO apart before they are decided.")
  var unfold = false

  @Option(help: "The format of the result.")
  var format = Format.text

  @OptionGroup var formats: InputFormatOptions

  func validate() throws {
    if style != nil, captures.isEmpty { throw ValidationError("--style goes with --captures.") }
    if unfold, events.isEmpty { throw ValidationError("--unfold goes with --events.") }
    if conflicts != .list, output == nil { throw ValidationError("--conflicts goes with --output.") }
    guard inputs.count > (tool == nil ? 0 : 1) else { throw ValidationError("Name a file with definitions.") }
    try StandardInput.requireOneUse(in: inputs + events + captures + formats.inputPaths)
    try formats.requireCaptures(captures)
    if strict, allow.contains(.wider) {
      throw ValidationError("--strict takes exact rules only: it cannot be combined with --allow wider.")
    }
  }

  /// The tool, if it is named.
  private var tool: ImportTool? { inputs.first.flatMap { ImportTool(rawValue: $0) } }

  func run() throws {
    var report = try report()
    var status = ExitStatus.done
    if !events.isEmpty { status = try compare(&report) }
    if !captures.isEmpty { try find(&report) }
    let merge = try output.map { try merged(report, in: $0) }
    let writer = ResultWriter()
    switch format {
    case .text: try writer.write(ImportText.text(report, merge))
    case .json: try writer.write(ImportJSON.text(report, merge))
    case .markdown: try writer.write(ImportMarkdown.text(report))
    }
    try writer.flush()
    if let output, let merge { try save(merge, of: report, in: output) }
    if report.entries.contains(where: { $0.definition.origin.tool == .sensors }) {
      printError("note: the file may not list all visual events: compare the number with that in the console")
    }
    for problem in (merge?.items ?? []).compactMap(\.problem) {
      printDiagnostics(problem.description, isColored: Terminal.errorsHaveColor)
    }
    let isConflict = merge?.items.contains { $0.change == .conflict } ?? false
    try status.joined(with: report.hasFindings || isConflict ? .findings : .done).exit()
  }

  /// Reads the files.
  private func report() throws -> ImportReport {
    var options = ImportReport.Options()
    (options.form, options.isStrict) = (form, strict)
    options.allowsWider = allow.contains(.wider)
    options.allowsSkipped = allow.contains(.skipped)
    var reading = DefinitionImport(tool, allowsWider: options.allowsWider)
    for path in inputs.dropFirst(tool == nil ? 0 : 1) {
      let name = EventInput.name(of: path)
      let bytes = try InputBytes.read(path, limit: DefinitionImport.maximumFileSize)
      do throws(DefinitionImport.Failure) { try reading.add(bytes, name: name) } catch {
        printDiagnostics(error.diagnostic.description, isColored: Terminal.errorsHaveColor)
        throw ExitCode(ExitStatus.badData.rawValue)
      }
    }
    if let announced = reading.announced, reading.count < announced {
      printError("note: the files have \(reading.count) of \(announced) definitions: the answer has further pages")
    }
    // A comparison on events needs all forms, and the JSON shows all of them.
    let needsAll = !events.isEmpty || format == .json
    return ImportReport(reading.finish(needsAll ? .all : .written(form)), options)
  }

  private func compare(_ report: inout ImportReport) throws -> ExitStatus {
    var status = ExitStatus.done
    var comparison = try RuleOptions.orExit { try ImportComparison(report, unfolds: unfold) }
    for path in events {
      let name = EventInput.name(of: path)
      let read = try EventInput.forEach(path) { reader, line in
        guard let event = reader.withEvent({ try? AnalyticsEvent(json: Array($0)) }) else { return }
        comparison.add(event, .init(file: name, line: line))
      }
      status = status.joined(with: read)
    }
    if let note = MatchSummary.note(ofItemsLeftOut: comparison.itemsLeftOut) { printError(note) }
    comparison.finish(&report)
    return status
  }

  /// Searches the captures for elements.
  private func find(_ report: inout ImportReport) throws {
    let style = try style ?? ProjectDefaults.load().style
    var source = CaptureSource(paths: captures, formats)
    var screens: [(name: String, screen: IdentifiedTree)] = []
    try source.forEach { name, screen in
      screens.append((name, screen))
      if let style, let refusal = style.refusal(of: screen) {
        printError("\(name): note: gives no rules: \(refusal)")
      }
    }
    try source.requireAll()
    var finder = ImportFinder(screens, style: style)
    finder.propose(for: &report)
  }

  // MARK: - The folder

  private func statePath(_ report: ImportReport, in folder: String) -> String? {
    report.entries.first.map { FilePath.joining(folder, ImportState.fileName($0.definition.origin.tool)) }
  }

  private func merged(_ report: ImportReport, in folder: String) throws -> ImportMerge {
    let paths = RuleDirectory.files(folder) ?? []
    let read = RuleDirectory.texts(of: paths, limit: RuleFiles.maximumFileSize)
    return try RuleOptions.orExit {
      guard read.problems.isEmpty else { throw RuleFileErrors(read.problems, isMissingInput: false) }
      let merge = try report.merged(into: read.texts, state(report, in: folder), conflicts) {
        FilePath.joining(folder, $0)
      }
      // The rules must load together with the folder's other rules.
      try report.checkLoading(merge, into: read.texts)
      return merge
    }
  }

  /// Returns the state of the last import.
  private func state(_ report: ImportReport, in folder: String) throws -> ImportState {
    guard let path = statePath(report, in: folder), FileManager.default.fileExists(atPath: path) else {
      return ImportState()
    }
    let read = RuleDirectory.texts(of: [path], limit: RuleFiles.maximumFileSize)
    guard read.problems.isEmpty else { throw RuleFileErrors(read.problems, isMissingInput: false) }
    do throws(DefinitionImport.Failure) {
      return try ImportState(read.texts.first?.text ?? "", name: path)
    } catch {
      throw RuleFileErrors([error.diagnostic], isMissingInput: false)
    }
  }

  private func save(_ merge: ImportMerge, of report: ImportReport, in folder: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw ExitStatus.inputOutput.failure("\(folder): error: the folder cannot be made: \(error.localizedDescription)")
    }
    for file in merge.files where !file.new.hasSameBytes(as: file.old) {
      try FileReplacement.save(Array(file.new.utf8), over: file.name)
      printError("\(file.name) was written")
    }
    let state = Array(merge.state.text.utf8)
    if let path = statePath(report, in: folder), !state.isEmpty || FileManager.default.fileExists(atPath: path) {
      try FileReplacement.save(state, over: path)
    }
  }
}

extension ImportedForm.Kind: ExpressibleByArgument {}
extension ImportMerge.Resolution: ExpressibleByArgument {}
