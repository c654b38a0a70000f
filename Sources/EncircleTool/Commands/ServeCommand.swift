#if Service
  import ArgumentParser
  import EncircleInput
  import EncircleRuleFiles
  import EncircleService
  import EncircleService
  import Foundation
  import Logging

  /// `encircle serve`
  struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Serve captures, rules and events over HTTP, with a page for circling.",
      discussion: """
        Without tokens everybody on this machine may do everything, and only this machine can reach the service. Others can \
        once there are tokens: `encircle token add` makes them. Options take the place of what the configuration file says.
        """)

    @Option(
      help: ArgumentHelp(
        "The directory that holds what the service keeps. (default: encircle-data)", valueName: "dir"),
      completion: .directory)
    var data: String?

    @Option(help: "The address to listen on. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port to listen on; 0 takes a free one. (default: 8080)")
    var port: Int?

    @Option(
      help: ArgumentHelp("A YAML file with these and further settings.", valueName: "file"), completion: .file())
    var config: String?

    @Option(
      name: .customLong("rules"),
      help: ArgumentHelp(
        """
        Rules to begin with in a new directory; may be repeated. A file becomes the rule set 'default', NAME=FILE that of \
        the name, and each file of a directory the one of its own name.
        """, valueName: "path"), completion: .file())
    var rules: [String] = []

    @Option(
      help: ArgumentHelp(
        "A directory with captures to store at the start, as far as they are not stored yet; may be repeated.",
        valueName: "dir"), completion: .directory)
    var captures: [String] = []

    @Option(
      help: ArgumentHelp("Events to begin with, while there are none: a file as for match.", valueName: "file"),
      completion: .file())
    var events: String?

    @Flag(
      help: "Allow everything to everybody while there are no tokens, although other machines can reach the address.")
    var allowAnonymous = false

    @Option(
      name: .customLong("allowed-origin"),
      help: ArgumentHelp("An origin whose pages may use the API from a browser; may be repeated.", valueName: "origin"))
    var allowedOrigins: [String] = []

    @Option(
      name: .customLong("redact"),
      help: ArgumentHelp("A property of events that is never stored; may be repeated.", valueName: "property"))
    var redacted: [String] = []

    @Option(help: "How to log: lines or json. (default: lines)")
    var logFormat: LogFormat?

    @Option(help: "The least that is logged: trace, debug, info, notice, warning, error or critical. (default: info)")
    var logLevel: Logger.Level?

    @Option(
      help: ArgumentHelp(
        "Close a connection after this many seconds without a request. (default: 30)", valueName: "seconds"))
    var idleSeconds: Int?

    @Option(
      help: ArgumentHelp(
        "Give up on a client that sends or takes nothing for this many seconds. (default: 30)", valueName: "seconds"))
    var stallSeconds: Int?

    @Option(help: ArgumentHelp("The longest body of a request. (default: 16777216)", valueName: "bytes"))
    var bodyBytes: Int?

    @Option(help: ArgumentHelp("Keep events for this many days. (default: 30)", valueName: "days"))
    var retentionDays: Int?

    @Option(help: ArgumentHelp("Keep no more events than this. (default: 1000000)", valueName: "events"))
    var retentionRows: Int?

    func validate() throws {
      func check(_ value: Int?, _ name: String, _ range: ClosedRange<Int>) throws {
        guard let value, !range.contains(value) else { return }
        throw ValidationError("--\(name) takes a number from \(range.lowerBound) to \(range.upperBound).")
      }
      for origin in allowedOrigins where !ServiceConfiguration.isOrigin(origin) {
        throw ValidationError("--allowed-origin takes an origin, such as https://tools.example.com.")
      }
      for property in redacted where !ServiceConfiguration.isProperty(property) {
        throw ValidationError("--redact takes the name of a property, or a JSON Pointer.")
      }
      try check(port, "port", 0...65_535)
      try check(idleSeconds, "idle-seconds", 1...3_600)
      try check(stallSeconds, "stall-seconds", 1...3_600)
      try check(bodyBytes, "body-bytes", 1_024...1 << 30)
      try check(retentionDays, "retention-days", 1...3_650)
      try check(retentionRows, "retention-rows", 1...1_000_000_000)
    }

    func run() throws {
      let settings = try settings()
      let host = settings.host
      // A closed pipe is an error of the write that meets it, not the end of the service.
      signal(SIGPIPE, SIG_IGN)
      LoggingSystem.bootstrap { label in
        ServiceLog(label: label, format: settings.logFormat, level: settings.logLevel)
      }
      do {
        let service = try ServiceApplication(settings, logger: Logger(label: "encircle")) { port in
          let shown = host.contains(":") ? "[\(host)]" : host
          try? FileHandle.standardOutput.write(
            contentsOf: Data("encircle: listening on http://\(shown):\(port)/\n".utf8))
        }
        try Blocking.run { try await service.run() }
      } catch let error as ServiceStartError {
        switch error {
        case .needsToken:
          printError("error: \(error)")
          throw ExitCode.validationFailure
        case .rules(let problems, let isMissing):
          printErrors(problems)
          throw ExitCode((isMissing ? ExitStatus.noInput : .badData).rawValue)
        case .input(let problem, let isMissing):
          printError("error: \(problem)")
          throw ExitCode((isMissing ? ExitStatus.noInput : .inputOutput).rawValue)
        case .address: throw Self.failure("\(error)")
        }
      } catch let error as StoreError {
        throw Self.failure("\(error)")
      } catch let code as ExitCode {
        throw code
      } catch {
        throw Self.failure("\(settings.directory): the service cannot run: \(error)")
      }
    }

    private static func failure(_ message: String) -> ExitCode {
      printError("error: \(message)")
      return ExitCode(ExitStatus.inputOutput.rawValue)
    }

    /// What the file says, with what the options say in its place.
    private func settings() throws -> ServiceConfiguration {
      var settings = ServiceConfiguration(directory: "encircle-data")
      if let config {
        do {
          try settings.read(file: config)
        } catch let error as InputError {
          printError("\(config): error: \(error)")
          throw ExitCode(ExitStatus(error).rawValue)
        } catch let error as RuleFileErrors {
          printErrors(error.description)
          throw ExitCode(ExitStatus.badData.rawValue)
        }
      }
      settings.directory = data ?? settings.directory
      settings.host = host ?? settings.host
      settings.port = port ?? settings.port
      if !rules.isEmpty { settings.rules = rules }
      if !captures.isEmpty { settings.importedCaptures = captures }
      settings.importedEvents = events ?? settings.importedEvents
      if allowAnonymous { settings.allowAnonymous = true }
      if !allowedOrigins.isEmpty { settings.allowedOrigins = allowedOrigins }
      if !redacted.isEmpty { settings.redactedProperties = redacted }
      settings.logFormat = logFormat ?? settings.logFormat
      settings.logLevel = logLevel ?? settings.logLevel
      settings.limits.idleSeconds = idleSeconds ?? settings.limits.idleSeconds
      settings.limits.stallSeconds = stallSeconds ?? settings.limits.stallSeconds
      settings.limits.bodyBytes = bodyBytes ?? settings.limits.bodyBytes
      settings.retention.days = retentionDays ?? settings.retention.days
      settings.retention.rows = retentionRows ?? settings.retention.rows
      return settings
    }
  }

  extension LogFormat: ExpressibleByArgument {}
  extension Logger.Level: @retroactive ExpressibleByArgument {}
#endif
