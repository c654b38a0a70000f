#if Service
  import ArgumentParser
  import EncircleInput
  import EncircleRuleFiles
  import EncircleService
  import EncircleText
  import Logging

  /// What `encircle serve --config FILE` reads, YAML or JSON; every key may be missing:
  ///
  /// ```yaml
  /// data: /var/lib/encircle
  /// host: 127.0.0.1
  /// port: 8080
  /// log: { format: json, level: info }
  /// retention: { days: 30, rows: 1000000 }
  /// allowedOrigins: [https://tools.example.com]
  /// redact: [$element_content, /identities]
  /// limits: { bodyBytes: 16777216, workSeconds: 20 }
  /// ```
  struct ServiceSettings {
    enum LogFormat: String, ExpressibleByArgument, CaseIterable { case lines, json }

    // Larger than any such file needs to be.
    private static let mostBytes = 1 << 16
    private static let keys = ["data", "host", "port", "log", "retention", "allowedOrigins", "redact", "limits"]
    /// Each limit with the least value that makes sense.
    private static let limits: [(key: String, path: WritableKeyPath<ServiceLimits, Int> & Sendable, least: Int)] = [
      ("bodyBytes", \.bodyBytes, 1_024), ("captureBytes", \.captureBytes, 1_024),
      ("collectBytes", \.collectBytes, 1_024), ("depth", \.depth, 8), ("idleSeconds", \.idleSeconds, 1),
      ("stallSeconds", \.stallSeconds, 1), ("bytesPerSecond", \.bytesPerSecond, 1), ("workSeconds", \.workSeconds, 1),
      ("answerSeconds", \.answerSeconds, 1), ("bodyMemory", \.bodyMemory, 1 << 20), ("stopSeconds", \.stopSeconds, 1),
      ("waitingWork", \.waitingWork, 1), ("connections", \.connections, 1),
    ]

    var service = ServiceConfiguration(directory: "encircle-data")
    var logFormat: LogFormat?
    var logLevel: Logger.Level?

    /// The settings of a file. If it has problems, prints all of them and throws an exit code.
    static func load(_ file: String?) throws -> ServiceSettings {
      var settings = ServiceSettings()
      guard let file else { return settings }
      let text: String
      do {
        var source = try ByteSource(path: file)
        let bytes = try source.readAll(limit: mostBytes)
        guard let valid = String(validating: bytes, as: UTF8.self) else {
          printErrors(Diagnostic(notUTF8: bytes, file: file).description)
          throw ExitCode(ExitStatus.badData.rawValue)
        }
        text = valid
      } catch let error as InputError {
        printError("\(file): error: \(error)")
        throw ExitCode(ExitStatus(error).rawValue)
      }
      var reader = NodeReader(text, name: file)
      settings.read(&reader)
      guard reader.diagnostics.isEmpty else {
        for diagnostic in reader.diagnostics.kept { printErrors(diagnostic.description) }
        throw ExitCode(ExitStatus.badData.rawValue)
      }
      return settings
    }

    private mutating func read(_ reader: inout NodeReader) {
      guard let root = reader.root(), let members = reader.members(of: root, "the configuration", allowed: Self.keys)
      else { return }
      if let node = members["data"], let path = reader.name(node, "a directory") { service.directory = path.text }
      if let node = members["host"], let host = reader.name(node, "an address") { service.host = host.text }
      if let node = members["port"], let port = number(node, 0...65_535, &reader) { service.port = port }
      if let node = members["log"] { readLog(node, &reader) }
      if let node = members["retention"],
        let members = reader.members(of: node, "retention", allowed: ["days", "rows"])
      {
        if let node = members["days"], let days = number(node, 1...36_500, &reader) { service.retention.days = days }
        if let node = members["rows"], let rows = number(node, 1...1_000_000_000, &reader) {
          service.retention.rows = rows
        }
      }
      if let node = members["allowedOrigins"] { service.allowedOrigins = texts(node, "an origin", &reader) }
      if let node = members["redact"] { service.redactedProperties = texts(node, "a property", &reader) }
      if let node = members["limits"],
        let members = reader.members(of: node, "limits", allowed: Self.limits.map(\.key))
      {
        for (key, path, least) in Self.limits {
          if let node = members[key], let value = number(node, least...(1 << 40), &reader) {
            service.limits[keyPath: path] = value
          }
        }
      }
    }

    private mutating func readLog(_ node: Node, _ reader: inout NodeReader) {
      guard let members = reader.members(of: node, "log", allowed: ["format", "level"]) else { return }
      if let node = members["format"], let name = reader.name(node, "'lines' or 'json'") {
        logFormat = LogFormat(rawValue: name.text)
        if logFormat == nil { reader.report("expected 'lines' or 'json'", at: node) }
      }
      if let node = members["level"], let name = reader.name(node, "a level") {
        logLevel = Logger.Level(rawValue: name.text)
        let names = Logger.Level.allCases.map(\.rawValue)
        if logLevel == nil {
          reader.reportUnknown(name.text, "level '\(name)'", among: names, at: node, expected: NodeReader.list(names))
        }
      }
    }

    private func number(_ node: Node, _ range: ClosedRange<Int>, _ reader: inout NodeReader) -> Int? {
      if let text = reader.name(node, "a whole number"), let number = Int(text.text), range.contains(number) {
        return number
      }
      reader.report("expected a whole number from \(range.lowerBound) to \(range.upperBound)", at: node)
      return nil
    }

    private func texts(_ node: Node, _ what: String, _ reader: inout NodeReader) -> [String] {
      var texts: [String] = []
      for item in reader.oneOrMore(node, what) {
        if let text = reader.name(item, what) { texts.append(text.text) }
      }
      return texts
    }
  }

  extension Logger.Level: @retroactive ExpressibleByArgument {}
#endif
