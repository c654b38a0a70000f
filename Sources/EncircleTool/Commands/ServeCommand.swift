#if Service
  import ArgumentParser
  import EncircleService
  import Foundation
  import Logging

  /// `encircle serve`
  struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Serve captures, rules and events over HTTP, with a page on which one circles.")

    @Option(
      help: ArgumentHelp(
        "The directory that holds what the service keeps. (default: encircle-data)", valueName: "dir"))
    var data: String?

    @Option(help: "The address to listen on. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port to listen on; 0 takes a free one. (default: 8080)")
    var port: Int?

    @Option(help: ArgumentHelp("A file with settings, YAML or JSON; options take precedence.", valueName: "file"))
    var config: String?

    @Option(help: "Whether the log is lines or JSON. (default: lines)")
    var logFormat: ServiceSettings.LogFormat?

    @Option(help: "The least level of what is logged. (default: info)")
    var logLevel: Logger.Level?

    @Option(
      help: ArgumentHelp(
        "A directory with captures to store at the start, as far as they are not stored yet; may be repeated.",
        valueName: "dir"), completion: .directory)
    var captures: [String] = []

    func run() throws {
      let settings = try ServiceSettings.load(config)
      var configuration = settings.service
      if let data { configuration.directory = data }
      if let host { configuration.host = host }
      if let port { configuration.port = port }
      configuration.importedCaptures += captures
      guard (0...65_535).contains(configuration.port) else {
        throw ValidationError("the port must be from 0 to 65535")
      }
      let logger = logger(settings)
      let shownHost = configuration.host
      let service = try ServiceApplication(configuration, logger: logger) { port in
        FileHandle.standardOutput.write(Data("encircle: listening on http://\(shownHost):\(port)/\n".utf8))
      }
      try Blocking.run { try await service.run() }
    }

    private func logger(_ settings: ServiceSettings) -> Logger {
      var logger = Logger(label: "encircle") { label in
        switch logFormat ?? settings.logFormat ?? .lines {
        case .lines: StreamLogHandler.standardError(label: label)
        case .json: JSONLogHandler()
        }
      }
      logger.logLevel = logLevel ?? settings.logLevel ?? .info
      return logger
    }
  }
#endif
