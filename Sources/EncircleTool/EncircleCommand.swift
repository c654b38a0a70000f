import ArgumentParser
import CBuildCommit
import EncircleInput
import EncircleText
import Foundation

/// The command-line tool.
@main
struct EncircleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encircle",
    abstract: "Stable identities for the elements of captured app screens.",
    discussion: """
      Reads captures, which are dumps of screens of iOS, Android and web pages, gives every element a path, an \
      identity and an event ID, and decides by include and exclude rules which events of autocapture SDKs are selected.

      Exit status: 0 done, 1 findings or failed tests, 64 usage, 65 bad data, 66 no input, 74 I/O.
      """,
    version: versionAndCommit,
    subcommands: [
      ResolveCommand.self, IDCommand.self, PathCommand.self, SelectCommand.self, MatchCommand.self,
      ExplainCommand.self, CheckCommand.self, TestCommand.self, DiffCommand.self, AnchorCommand.self,
      DriftCommand.self, CoverageCommand.self, BoardCommand.self, PlanCommand.self, ImportCommand.self,
      ExportCommand.self,
      FormatCommand.self,
      CompileCommand.self, UDFCommand.self,
      IndexCommand.self, LookupCommand.self, StatsCommand.self, ConvertCommand.self, SuggestCommand.self,
      ReplayCommand.self, ConfigCommand.self,
      LanguageServerCommand.self,
    ] + serviceCommands)

  @Flag(help: "Print the licences of the libraries that the tool contains, and end.")
  var licenses = false

  func run() throws {
    guard licenses else { throw CleanExit.helpRequest() }
    let folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("share/doc/encircle")
    // A Debian package has it compressed.
    let files = ["NOTICES", "NOTICES.gz"].compactMap { folder?.appendingPathComponent($0).path }
    let file = files.first { FileManager.default.fileExists(atPath: $0) }
    guard let file, var source = try? ByteSource(path: file), let notices = try? source.readAll(limit: 64 << 20) else {
      throw ExitStatus.noInput.failure(
        "error: this tool was not installed by a package, whose share/doc/encircle/NOTICES has the licences")
    }
    let output = ResultWriter()
    output.buffer.append(contentsOf: notices)
    try output.flush()
  }

  /// `0.2.0 (1efc0a7f62a9)`; without the commit if the tool was not packaged.
  private static var versionAndCommit: String {
    let commit = String(cString: build_commit())
    return LibraryVersion.text.description + (commit.isEmpty ? "" : " (\(commit))")
  }

  private static var serviceCommands: [any ParsableCommand.Type] {
    #if Service
      [
        ServeCommand.self, CollectCommand.self, TokenCommand.self, BackupCommand.self, RestoreCommand.self,
        DoctorCommand.self,
      ]
    #else
      []
    #endif
  }

  /// Runs the subcommand that the arguments name.
  static func main() {
    StandardDescriptors.fillGaps()
    StandardDescriptors.ignoreLimitSignal()
    let words = CommandLine.arguments.dropFirst()
    // `id` reports each of its arguments, and goes on.
    if words.first != "id", let argument = GivenArguments.firstNotUTF8 {
      printError(
        "Error: '\(VisibleText.shortened(argument))' is not valid UTF-8, so that it would be another name or text.")
      exit(withError: ExitCode.validationFailure)
    }
    if let problem = unknownCommand(words.first == "help" ? words.dropFirst() : words) {
      printErrors(problem)
      exit(withError: ExitCode.validationFailure)
    }
    do {
      var command = try parseAsRoot(arguments)
      do {
        try command.run()
      } catch let error as ValidationError {
        // The parser itself would show the usage of all commands.
        let words = ["encircle"] + (names(of: type(of: command), in: Self.self) ?? []) + ["--help"]
        end(
          code: .validationFailure,
          "Error: \(error.message)\n  See '\(words.joined(separator: " "))' for more information.")
      }
    } catch {
      end(error)
    }
  }

  /// Returns the names that lead from a command to a subcommand at any depth; nil if it is not a subcommand.
  private static func names(
    of command: any ParsableCommand.Type, in parent: any ParsableCommand.Type
  ) -> [String]? {
    if command == parent { return [] }
    for child in parent.configuration.subcommands {
      if let names = names(of: command, in: child) {
        return (child.configuration.commandName.map { [$0] } ?? []) + names
      }
    }
    return nil
  }

  /// The arguments. A flag cannot have a value, so `--fix=all` is `--fix-all`.
  private static var arguments: [String] {
    CommandLine.arguments.dropFirst().map { $0 == "--fix=all" ? "--fix-all" : $0 }
  }

  /// Returns the error message for a word that is neither a command at its place nor an option; nil if there is none.
  ///
  /// - Parameter path: The names of the commands before the words, each with a space behind it.
  private static func unknownCommand(
    _ words: ArraySlice<String>, of parent: any ParsableCommand.Type = EncircleCommand.self, path: String = ""
  ) -> String? {
    let children = parent.configuration.subcommands
    guard !children.isEmpty, let word = words.first, word.utf8.first != UInt8(ascii: "-") else { return nil }
    if let child = children.first(where: { $0.configuration.commandName?.hasSameBytes(as: word) ?? false }) {
      return unknownCommand(words.dropFirst(), of: child, path: path + word + " ")
    }
    let names = children.compactMap { $0.configuration.commandName } + (path.isEmpty ? ["help"] : [])
    if names.contains(word) { return nil }
    let nearest = Diagnostic.nearest(to: word, among: names)
    return "Error: There is no command '\(path)\(VisibleText.escaping(word))'."
      + (nearest.map { " Did you mean '\(path)\($0)'?" } ?? " 'encircle \(path)--help' lists the commands.")
  }

  /// Ends the program with the message and the exit status of an error. Requests for help are errors, too.
  private static func end(_ error: any Error) -> Never {
    let code = exitCode(for: error)
    guard code == .success else { end(code: code, fullMessage(for: error)) }
    let text = fullMessage(for: error)
    // The parser would not notice a full disk, which would leave a completion script empty.
    let output = ResultWriter()
    do {
      if !text.isEmpty { try output.write(text + "\n") }
      try output.flush()
    } catch {
      exit(withError: error)
    }
    exit()
  }

  private static func end(code: ExitCode, _ text: String) -> Never {
    var message = text
    // The message quotes arguments, which may come from untrusted sources, such as names of files.
    for argument in CommandLine.arguments.dropFirst() {
      let parts = [argument] + argument.splitBytes(at: "=", maxSplits: 1).dropFirst().map(String.init)
      for part in parts where VisibleText.escaping(part) != part {
        message = message.replacingBytes(of: part, with: VisibleText.escaping(part))
      }
    }
    if !message.isEmpty { printErrors(message) }
    exit(withError: code)
  }
}
