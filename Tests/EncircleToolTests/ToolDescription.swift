import EncircleTestSupport
import Foundation
import Testing

/// The description of the tool that the argument parser gives to programs.
struct ToolDescription: Decodable {
  struct Command: Decodable {
    var commandName: String
    var arguments: [Argument]?
    var subcommands: [Command]?
  }

  struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String
    }
    struct Completion: Decodable {
      var file: Files?
      var directory: Files?
      struct Files: Decodable {}
    }
    var kind: String
    var names: [Name]?
    var valueName: String?
    var abstract: String?
    var isRepeating: Bool
    var completionKind: Completion?
  }

  private var command: Command

  /// All commands, including `encircle` itself and the commands of groups such as `plan`.
  static func commands() throws -> [Command] {
    let result = try Tool.run(["--experimental-dump-help"])
    var open = [try JSONDecoder().decode(Self.self, from: Data(result.output)).command]
    var commands: [Command] = []
    while let command = open.popLast() {
      commands.append(command)
      open += command.subcommands ?? []
    }
    return commands
  }
}
