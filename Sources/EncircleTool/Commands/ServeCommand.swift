#if Service
  import ArgumentParser
  import EncircleInput
  import EncircleRuleFiles
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
        once there are tokens: `encircle token add` makes them. Options override the configuration file.
        """)

    @Option(help: help(\.directory, "dir"), completion: .directory)
    var data: String?

    @Option(help: help(\.host))
    var host: String?

    @Option(parsing: .unconditional, help: help(\.port))
    var port: Int?

    @Option(
      help: ArgumentHelp("A YAML file with these and further settings.", valueName: "file"), completion: .file())
    var config: String?

    @Option(name: .customLong("rules"), help: help(\.rules, "path", isRepeated: true), completion: .file())
    var rules: [String] = []

    @Option(help: help(\.importedCaptures, "dir", isRepeated: true), completion: .directory)
    var captures: [String] = []

    @Option(help: help(\.importedEvents, "file"), completion: .file())
    var events: String?

    @Option(help: help(\.manuals, "dir"), completion: .directory)
    var manuals: String?

    @Flag(help: help(\.allowAnonymous))
    var allowAnonymous = false

    @Option(name: .customLong("allowed-origin"), help: help(\.allowedOrigins, "origin", isRepeated: true))
    var allowedOrigins: [String] = []

    @Option(name: .customLong("redact"), help: help(\.redactedProperties, "property", isRepeated: true))
    var redacted: [String] = []

    @Option(help: help(\.logFormat))
    var logFormat: LogFormat?

    @Option(help: help(\.logLevel))
    var logLevel: Logger.Level?

    @Option(parsing: .unconditional, help: help(\.limits.idleSeconds, "seconds"))
    var idleSeconds: Int?

    @Option(parsing: .unconditional, help: help(\.limits.stallSeconds, "seconds"))
    var stallSeconds: Int?

    @Option(parsing: .unconditional, help: help(\.limits.bodyBytes, "bytes"))
    var bodyBytes: Int?

    @Option(parsing: .unconditional, help: help(\.retention.days, "days"))
    var retentionDays: Int?

    @Option(parsing: .unconditional, help: help(\.retention.rows, "events"))
    var retentionRows: Int?

    /// Returns the description of an option's setting in the table of settings, with its default.
    static func help(
      _ path: PartialKeyPath<ServiceConfiguration>, _ valueName: String? = nil, isRepeated: Bool = false
    ) -> ArgumentHelp {
      var text = Setting.at(path).text
      if isRepeated { text += " May be repeated." }
      switch ServiceConfiguration()[keyPath: path] {
      case let number as Int: text += " (default: \(number))"
      case let name as String: text += " (default: \(name))"
      case let format as LogFormat: text += " (default: \(format.rawValue))"
      case let level as Logger.Level: text += " (default: \(level.rawValue))"
      default: break
      }
      return ArgumentHelp("\(text)", valueName: valueName)
    }

    /// The options with numeric values.
    private var numbers: [(option: String, value: Int?, path: WritableKeyPath<ServiceConfiguration, Int>)] {
      [
        ("port", port, \.port), ("idle-seconds", idleSeconds, \.limits.idleSeconds),
        ("stall-seconds", stallSeconds, \.limits.stallSeconds), ("body-bytes", bodyBytes, \.limits.bodyBytes),
        ("retention-days", retentionDays, \.retention.days), ("retention-rows", retentionRows, \.retention.rows),
      ]
    }

    func validate() throws {
      for origin in allowedOrigins where !ServiceConfiguration.isOrigin(origin) {
        throw ValidationError("--allowed-origin takes an origin, such as https://tools.example.com.")
      }
      for property in redacted where !ServiceConfiguration.isProperty(property) {
        throw ValidationError("--redact takes the name of a property, or a JSON Pointer.")
      }
      for (option, value, path) in numbers {
        let range = Setting.range(of: path)
        guard let value, !range.contains(value) else { continue }
        throw ValidationError("--\(option) takes a number from \(range.lowerBound) to \(range.upperBound).")
      }
    }

    func run() throws {
      let settings = try settings()
      let host = settings.host
      try ServiceRun.reporting(settings.directory, settings) { logger in
        let service = try ServiceApplication(settings, logger: logger) { ServiceRun.announce("encircle", host, $0) }
        try Blocking.run { try await service.run() }
      }
    }

    /// The manuals that `make install` and the packages install beside the program; nil if they are missing.
    private static var installedManuals: String? {
      guard let program = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return nil }
      let folder = program.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("share/encircle/manuals")
      let isThere = FileManager.default.fileExists(atPath: folder.appendingPathComponent("index.html").path)
      return isThere ? folder.path : nil
    }

    /// Returns the settings of the file, overridden by the options.
    private func settings() throws -> ServiceConfiguration {
      var settings = try ServiceRun.configuration(config)
      settings.directory = data ?? settings.directory
      settings.host = host ?? settings.host
      if !rules.isEmpty { settings.rules = rules }
      if !captures.isEmpty { settings.importedCaptures = captures }
      settings.importedEvents = events ?? settings.importedEvents
      settings.manuals = manuals ?? settings.manuals ?? Self.installedManuals
      if allowAnonymous { settings.allowAnonymous = true }
      if !allowedOrigins.isEmpty { settings.allowedOrigins = allowedOrigins }
      if !redacted.isEmpty { settings.redactedProperties = redacted }
      settings.logFormat = logFormat ?? settings.logFormat
      settings.logLevel = logLevel ?? settings.logLevel
      for (_, value, path) in numbers { settings[keyPath: path] = value ?? settings[keyPath: path] }
      return settings
    }
  }

#endif
