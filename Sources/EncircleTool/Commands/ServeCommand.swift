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

    @Option(help: ArgumentHelp("The directory that holds what the service keeps.", valueName: "dir"))
    var data = "encircle-data"

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port = 8080

    @Option(
      help: ArgumentHelp(
        "Close a connection after this many seconds without a request.", valueName: "seconds"))
    var idleSeconds = 30

    func run() throws {
      var settings = ServiceConfiguration(directory: data, host: host, port: port)
      settings.limits.idleSeconds = idleSeconds
      let (host, logger) = (host, Logger(label: "encircle"))
      let service = try ServiceApplication(settings, logger: logger) { port in
        FileHandle.standardOutput.write(Data("encircle: listening on http://\(host):\(port)/\n".utf8))
      }
      try Blocking.run { try await service.run() }
    }
  }
#endif
