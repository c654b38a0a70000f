import ArgumentParser
import EncircleAuthoring
import EncircleRuleFiles
import EncircleText
import Foundation

/// `encircle export`
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write rules as definitions of another tool, and say of each whether it takes the same events.",
    discussion: """
      Nothing is sent: the files are for the other tool's own call or command. docs/exporting.md is the manual.

      Each rule is exported, exported-wider or refused, with the part that does not fit. A definition that takes more \
      than its rule is written only with --allow wider.
      """,
    subcommands: [ExportPostHogCommand.self, ExportSensorsCommand.self])
}

/// The arguments of every export.
struct ExportOptions: ParsableArguments {
  /// The formats of the report.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, markdown
  }

  /// The ways in which definitions may differ from the rules.
  enum Allowed: String, CaseIterable, ExpressibleByArgument {
    case wider, refused
  }

  @Option(
    name: .customLong("rules"),
    help: """
      A rule file, or a directory with *.yaml, *.yml and *.json files; may be repeated. Default: what encircle.yaml names.
      """, completion: .file())
  var rules: [String] = []

  @Option(name: .shortAndLong, help: "The directory to write; it is made where it is missing.", completion: .directory)
  var output: String?

  @Option(
    help: """
      wider: write definitions that take more than their rules; refused: exit with status 0 although rules were refused. May be \
      repeated.
      """)
  var allow: [Allowed] = []

  @Flag(help: "Write only definitions that have no reasons.")
  var strict = false

  @Option(help: "The format of the report.")
  var format = Format.text

  mutating func validate() throws {
    rules = try RuleOptions.paths(rules)
    try StandardInput.requireOneUse(in: rules)
    if strict, allow.contains(.wider) { throw ValidationError("--strict and --allow wider contradict each other.") }
  }

  /// The definitions that are written in spite of a reason against them.
  var allowance: ExportAllowance { ExportAllowance(wider: allow.contains(.wider), isStrict: strict) }

  /// Loads the rules with their places; if they have problems, prints all of them and throws an exit code.
  func loadRules() throws -> SourcedRuleSet {
    try RuleOptions.orExit { try RuleFiles(rules).ruleSetWithSources() }
  }

  /// Prints the report, and writes the files if a directory is named; exits with status 1 if rules were omitted.
  func finish(_ report: ExportReport) throws {
    if let output { try save(report.files, in: output) }
    let writer = ResultWriter()
    switch format {
    case .text: try writer.write(ExportText.text(report))
    case .json: try writer.write(ExportJSON.text(report))
    case .markdown: try writer.write(ExportMarkdown.text(report))
    }
    try writer.flush()
    let isLeftOut = report.rows.contains { row in
      !row.isWritten && !(row.status == .refused && allow.contains(.refused))
    }
    if isLeftOut { try ExitStatus.findings.exit() }
  }

  private func save(_ files: [ExportReport.File], in folder: String) throws {
    let inputs = RuleOptions.inputPaths(of: rules)
    let outputs = try files.map {
      try OutputFile(FilePath.joining(folder, $0.name), option: "--output", of: self, isNoneOf: inputs)
    }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw ExitStatus.inputOutput.failure("\(folder): error: no directory can be made there")
    }
    for (output, file) in zip(outputs, files) { try FileReplacement.save(file.bytes, as: output) }
  }
}

/// `encircle export posthog`
struct ExportPostHogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "posthog",
    abstract: "Write the bodies of PostHog's call that creates actions, one file for each emitted name.",
    discussion: """
      Each clause of the rules that emit a name is a step of its action. A file is sent by PostHog's API, as docs/exporting.md shows.

      Exit status 1 if a rule was left out.
      """)

  @OptionGroup var options: ExportOptions

  func run() throws {
    try options.finish(PostHogExport.report(try options.loadRules(), options.allowance))
  }
}

extension SDKConfiguration.Platform: ExpressibleByArgument {}

/// `encircle export sensors`
struct ExportSensorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sensors",
    abstract: "Write the visual configuration of Sensors for iOS, Android and Web, and JSON for its metadata command.",
    discussion: """
      A file iOS.conf, Android.conf or Web.conf for each system, with the app's id in its name if there are several apps; and \
      metadata.json with the events' names, triggers and properties.

      Exit status 1 if a rule was left out.
      """)

  @OptionGroup var options: ExportOptions

  @Option(help: "The project that the configuration names; it must be the app's own.")
  var project = "default"

  @Option(help: "The id of an app; may be repeated. Default: those that the rule files name.")
  var app: [String] = []

  @Option(help: "ios, android or web; may be repeated. Default: those in whose styles the rules are.")
  var platform: [SDKConfiguration.Platform] = []

  func run() throws {
    let export = SensorsExport(
      try options.loadRules(), SensorsExport.Options(project: project, apps: app, platforms: platform),
      options.allowance)
    guard !export.apps.isEmpty else {
      throw ValidationError("The rules name no app: '--app <app>' says for which the configuration is.")
    }
    try options.finish(export.report())
  }
}
