#if Service
  import ArgumentParser
  import EncircleService
  import EncircleText
  import Foundation

  /// `encircle token`
  struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "token",
      abstract: "Make, list and remove the tokens of a service.",
      discussion: """
        Works whether or not the service runs; a running service notices a change within a second. A token is shown once, \
        when it is made; only its SHA-256 is stored.
        """,
      subcommands: [Add.self, List.self, Remove.self])

    struct Add: ParsableCommand {
      static let configuration = CommandConfiguration(commandName: "add", abstract: "Make a token, and print it.")

      @Argument(help: "What it is for, or whose it is.")
      var name: String

      @Option(
        help: """
          What it may do: collect sends events, and nothing else; read sees rules, screens and events; author also \
          changes captures, drafts and plans; publish may do everything. The first token must have the role publish.
          """)
      var role: Role

      @Option(
        help: ArgumentHelp(
          "The key that an app has already, such as PostHog's api_key, instead of a new token; with the role collect.",
          valueName: "key"))
      var key: String?

      @Option(help: "The project of the events with the key, which several keys may share. (default: the token's name)")
      var project: String?

      @Option(parsing: .unconditional, help: "After how many days it ends. (default: never)")
      var days: Int?

      @OptionGroup var directory: ServiceDirectoryOption

      func run() throws {
        try directory.useTokens(isMade: true) { tokens in
          do {
            let (record, token) = try tokens.add(
              name: name, role: role, key: key, project: project, days: days, by: TokenCommand.user)
            let output = ResultWriter(endsIfClosed: true)
            do {
              try output.write(token + "\n")
              try output.flush()
            } catch {
              // Only its hash is stored, so that nobody could use it any more.
              _ = try tokens.remove(record.id, by: TokenCommand.user)
              throw ExitStatus.inputOutput.failure("error: nobody could read the token, so it is removed again")
            }
          } catch let problem as ServiceTokens.Problem {
            printError("error: \(problem)")
            throw ExitCode.validationFailure
          }
        }
      }
    }

    struct List: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the tokens, without the tokens themselves.")

      @OptionGroup var directory: ServiceDirectoryOption

      func run() throws {
        try directory.useTokens(isMade: false) { tokens in
          let rows = try tokens.all().map { token in
            let end =
              token.expiresAt.map { "\(token.isExpired() ? "ended" : "ends") \(Self.day($0))" } ?? "does not end"
            let project = token.project.map { ", project \($0)" } ?? ""
            return [token.id, token.role, "made \(Self.day(token.createdAt))", end, token.name + project]
          }
          let output = ResultWriter()
          for line in TextTable.lines(rows, hasHeader: false) {
            try output.write(line + "\n")
          }
          try output.flush()
        }
      }

      private static func day(_ time: Date) -> String { time.formatted(.iso8601.year().month().day()) }
    }

    struct Remove: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a token, and end its sessions.")

      @Argument(help: "Its name or ID.")
      var name: String

      @OptionGroup var directory: ServiceDirectoryOption

      func run() throws {
        try directory.useTokens(isMade: false) { tokens in
          guard try tokens.remove(name, by: TokenCommand.user) else {
            throw ExitStatus.findings.failure("error: there is no token '\(name)'")
          }
        }
      }
    }

    /// The user name in the audit log for changes of tokens.
    private static var user: String { "encircle token (\(NSUserName()))" }
  }

  extension Role: ExpressibleByArgument {}
#endif
