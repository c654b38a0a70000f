import ArgumentParser
import EncircleLanguageServer
import EncircleText
import Foundation

/// `encircle lsp`
struct LanguageServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Serve editors: findings as you type, completion, and more.",
    discussion: """
      A language server (LSP 3.17) over standard input and output, which editors start. Open documents count as they are in the \
      editor, all rule files of the workspace together are one rule set, and names and values come from the captures.

      Editors can send the same settings as initializationOptions: { "rules": […], "captures": […], \
      "dictionary": "…" }. Paths in both begin at the workspace's folder. Settings that both lack come from encircle.yaml \
      in that folder, or in the nearest one above it.
      """)

  @Option(
    name: .customLong("rules"),
    help: """
      A rule file, or a directory with *.yaml, *.yml and *.json; may be repeated. Default: what encircle.yaml names, or all \
      files of the workspace that look like rules.
      """, completion: .file())
  var rules: [String] = []

  // KnownElementOptions would take its defaults from the working directory, but the workspace is only known later.
  @Option(
    name: .customLong("captures"),
    help: "A file or directory with captures of the app; may be repeated. Default: what encircle.yaml names.",
    completion: .file())
  var captures: [String] = []

  @Option(
    name: .customLong("dictionary"),
    help: "A dictionary that `encircle index` made; --captures add to it. Default: the one of encircle.yaml.",
    completion: .file())
  var dictionary: String?

  @OptionGroup var formats: InputFormatOptions

  func run() throws {
    let screens = ScreenSource(captures: captures, dictionary: dictionary, reader: try formats.readerOrExit())
    let status = LanguageServerSession.run(
      LanguageServerOptions(
        rules: rules, screens: screens, workingDirectory: FileManager.default.currentDirectoryPath
      ) { Self.defaults(in: $0) })
    throw ExitCode(status)
  }

  private static func defaults(in folder: String) -> LanguageServerOptions.Defaults {
    do throws(ProjectDefaults.Problem) {
      let project = try ProjectDefaults.load(in: folder)
      return .init(rules: project.rules, captures: project.captures, dictionary: project.dictionary)
    } catch {
      return .init(problem: error.text)
    }
  }
}
