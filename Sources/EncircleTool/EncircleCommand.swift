import ArgumentParser

/// The command-line tool.
@main
struct EncircleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encircle",
    abstract: "Stable identities for the elements of captured app screens.",
    discussion: """
      Reads captured view trees (view-tree XML, WebDriverAgent, uiautomator, UIKit's recursiveDescription), gives every \
      element a path, an identity and an event ID, and decides by include and exclude rules which events are selected.

      Exit status: 0 done, 1 findings or failed tests, 64 usage, 65 bad data, 66 no input, 74 I/O.
      """,
    version: "0.1.0",
    subcommands: [
      ResolveCommand.self, IDCommand.self, PathCommand.self, SelectCommand.self, MatchCommand.self,
      ExplainCommand.self, CheckCommand.self, TestCommand.self, FormatCommand.self, CompileCommand.self,
      IndexCommand.self, LookupCommand.self, StatsCommand.self, ConvertCommand.self, SuggestCommand.self,
    ])
}
