import ArgumentParser
import EncircleLanguageServer
import EncircleText
import Foundation

/// `encircle lsp`
struct LanguageServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Serve editors: findings as one types, completion, and more.",
    discussion: """
      A language server (LSP 3.17) over standard input and output, which editors start. Open documents count as they are in the \
      editor, all rule files of the workspace together are one rule set, and names and values come from the captures.

      Editors can send the same settings as initializationOptions: { "rules": […], "captures": […], "dictionary": "…" }; paths \
      there, and those of options, begin at the workspace's folder.
      """)

  @Option(
    name: .customLong("rules"),
    help: """
      A rule file, or a directory with *.yaml, *.yml and *.json; may be repeated. Default: what encircle.yaml names, or all \
      files of the workspace that look like rules.
      """, completion: .file())
  var rules: [String] = []

  @OptionGroup var elements: KnownElementOptions

  @OptionGroup var formats: InputFormatOptions

  mutating func validate() throws {
    if rules.isEmpty { rules = try ProjectDefaults.load().rules }
  }

  func run() throws {
    let screens = ScreenSource(
      captures: elements.captures, dictionary: elements.dictionary, reader: try formats.readerOrExit())
    let status = LanguageServerSession.run(
      LanguageServerOptions(
        rules: rules, screens: screens, workingDirectory: FileManager.default.currentDirectoryPath))
    throw ExitCode(status)
  }
}
