#if Service
  import ArgumentParser
  import EncircleLog
  import EncircleService
  import EncircleText
  import Foundation
  import Logging

  /// `encircle collect`
  struct CollectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "collect",
      abstract:
        "Take events of SDKs, decide them, and write them to files or to Kafka. Any number of collectors can run.",
      discussion: """
        Requests are answered with 200 only after the log has acknowledged all their events, else with 503, after which SDKs \
        keep them. Rules come from a service, `encircle serve`, and are in force within seconds of their publication. Without \
        the service, the last good ones stay in force, also after a restart.
        """)

    @Option(help: ArgumentHelp("The service that has the rules: http://HOST:PORT.", valueName: "url"))
    var control: String

    @Option(
      help: ArgumentHelp("A file with a token of that service, with the role read.", valueName: "file"),
      completion: .file())
    var controlToken: String?

    @Option(
      name: .customLong("ruleset"),
      help: ArgumentHelp(
        "A rule set that decides. May be repeated. Default: default. Events of a project with its name are decided by it alone.",
        valueName: "name"))
    var ruleSets: [String] = []

    @Option(
      help: ArgumentHelp("The directory in which the last good rules are kept, compiled.", valueName: "dir"),
      completion: .directory)
    var rulesCache = "encircle-rules"

    @Option(
      help: ArgumentHelp(
        "A file with tokens, one a line: 'collect TOKEN' for apps, 'read TOKEN' for metrics.", valueName: "file"),
      completion: .file())
    var tokens: String?

    @Option(
      help: ArgumentHelp(
        "The directory for files of events, as JSON lines. Default: encircle-events, if --kafka is not given.",
        valueName: "dir"),
      completion: .directory)
    var files: String?

    @Option(
      parsing: .unconditional, help: ArgumentHelp("The bytes after which another file is begun.", valueName: "bytes"))
    var fileBytes = FileEventLog.Rotation().bytes

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("The seconds after which another file is begun.", valueName: "seconds"))
    var fileSeconds = Int(FileEventLog.Rotation().age / .seconds(1))

    @Flag(help: "Also write events as they came, without a decision.")
    var raw = false

    @OptionGroup var kafka: KafkaOptions

    @Option(
      help: ArgumentHelp(
        """
        The address to listen on. With one that other machines can reach, the collector starts only when there are tokens; \
        --tokens names a file of them. (default: \(ServiceConfiguration().host))
        """))
    var host: String?

    @Option(parsing: .unconditional, help: "The port to listen on; 0 takes a free one. (default: 8081)")
    var port: Int?

    @Option(
      help: ArgumentHelp(
        "A YAML file as for `encircle serve`; only address, limits, origins, proxies, log and redacted properties are used.",
        valueName: "file"), completion: .file())
    var config: String?

    @Flag(help: ServeCommand.help(\.allowAnonymous))
    var allowAnonymous = false

    @Option(
      name: .customLong("redact"),
      help: "Properties of events that are never written, beside those that the service removes. May be repeated.")
    var redacted: [String] = []

    @Option(help: ServeCommand.help(\.logFormat))
    var logFormat: LogFormat?

    @Option(help: ServeCommand.help(\.logLevel))
    var logLevel: Logger.Level?

    @OptionGroup var elements: KnownElementOptions

    @OptionGroup var formats: InputFormatOptions

    /// The defaults, with a port other than the service's, which may run on the same machine.
    private static let defaults: ServiceConfiguration = {
      var defaults = ServiceConfiguration()
      defaults.port = 8_081
      return defaults
    }()
    private static let longestFile = 1 << 16

    func validate() throws {
      guard ControlPlane(control) != nil else {
        throw ValidationError("--control takes http://HOST:PORT; a proxy on this machine can add TLS.")
      }
      for name in ruleSets where !CollectorConfiguration.isRuleSetName(name) {
        throw ValidationError("--ruleset: '\(name)' cannot be the name of a rule set.")
      }
      for property in redacted where !ServiceConfiguration.isProperty(property) {
        throw ValidationError("--redact takes the name of a property, or a JSON Pointer.")
      }
      if let port, !Setting.range(of: \.port).contains(port) {
        throw ValidationError("--port takes a number from 0 to 65535.")
      }
      if !(1 << 10...1 << 40).contains(fileBytes) {
        throw ValidationError("--file-bytes takes a number from 1024 to \(1 << 40).")
      }
      if !(1...86_400).contains(fileSeconds) { throw ValidationError("--file-seconds takes a number from 1 to 86400.") }
      if files != nil, kafka.isUsed { throw ValidationError("--files and --kafka exclude each other.") }
      try formats.requireCaptures(elements.captures)
    }

    func run() throws {
      var configuration = CollectorConfiguration(service: try settings(), control: try controlPlane())
      if let tokens { configuration.tokens = try readTokens(tokens) }
      configuration.ruleSets = ruleSets
      configuration.cache = rulesCache
      configuration.logsRaw = raw
      let (elements, formats) = (elements, formats)
      configuration.elements = CollectorConfiguration.Elements(
        ofRules: { try elements.loadDictionary(formats, for: $0) },
        ofCompiled: { try elements.loadDictionary(formats, for: $0) })
      let host = configuration.service.host
      try ServiceRun.reporting(rulesCache, configuration.service) { [configuration] logger in
        let log = try openLog()
        let collector = try CollectorApplication(configuration, log: log, logger: logger) {
          ServiceRun.announce("encircle collect", host, $0)
        }
        try Blocking.run { try await collector.run() }
      }
    }

    private func openLog() throws -> any EventLog {
      if kafka.isUsed { return try kafka.openLog() }
      return try FileEventLog(
        folder: files ?? "encircle-events",
        rotation: FileEventLog.Rotation(bytes: fileBytes, age: .seconds(fileSeconds)))
    }

    private func controlPlane() throws -> ControlPlane {
      let token = try controlToken.map { try Self.text(of: $0).trimmingCharacters(in: .whitespacesAndNewlines) }
      guard let plane = ControlPlane(control, token: token) else {
        throw ExitStatus.badData.failure("\(controlToken ?? ""): error: this is not a token")
      }
      return plane
    }

    private func readTokens(_ path: String) throws -> CollectorTokens {
      let text = try Self.text(of: path)
      do throws(CollectorTokens.Problem) {
        return try CollectorTokens(text)
      } catch {
        throw ExitStatus.badData.failure("\(path):\(error.line): error: \(error)")
      }
    }

    private static func text(of path: String) throws -> String {
      String(decoding: try InputBytes.read(path, limit: longestFile).withoutByteOrderMark, as: UTF8.self)
    }

    /// Returns the settings of the file, overridden by the options.
    private func settings() throws -> ServiceConfiguration {
      var settings = try ServiceRun.configuration(config, defaults: Self.defaults)
      settings.host = host ?? settings.host
      settings.port = port ?? settings.port
      if allowAnonymous { settings.allowAnonymous = true }
      settings.redactedProperties += redacted
      settings.logFormat = logFormat ?? settings.logFormat
      settings.logLevel = logLevel ?? settings.logLevel
      return settings
    }
  }
#endif
