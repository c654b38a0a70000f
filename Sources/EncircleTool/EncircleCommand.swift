import ArgumentParser
import EncircleText

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

  /// Runs the subcommand that the arguments name.
  static func main() {
    StandardDescriptors.fillGaps()
    StandardDescriptors.ignoreLimitSignal()
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      end(error)
    }
  }

  /// Ends the program with the message and the exit status of an error. A request for help is one, too.
  private static func end(_ error: any Error) -> Never {
    let code = exitCode(for: error)
    if code == .success { exit(withError: error) }
    var message = fullMessage(for: error)
    // The message quotes arguments, which may be foreign, such as names of files.
    for argument in CommandLine.arguments.dropFirst() {
      let parts = [argument, argument.firstIndex(of: "=").map { String(argument[argument.index(after: $0)...]) } ?? ""]
      for part in parts where VisibleText.escaping(part) != part {
        message = message.replacing(part, with: VisibleText.escaping(part))
      }
    }
    if !message.isEmpty { printErrors(message) }
    exit(withError: code)
  }
}
