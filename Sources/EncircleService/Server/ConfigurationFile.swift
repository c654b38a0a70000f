import EncircleInput
import EncircleRuleFiles
import EncircleText
import Foundation
import Logging
import NIOCore

/// Reads a configuration from a YAML file: every field by its name in snake case, relative paths from where the file is.
///
/// ```yaml
/// data: /var/lib/encircle
/// port: 8080
/// limits: { body_bytes: 16777216 }
/// ```
extension ServiceConfiguration {
  private static let mostBytes = 1 << 20

  /// Takes over what a file says; all else stays.
  ///
  /// - Throws: `InputError` where it cannot be read, else ``RuleFileErrors`` with all that is wrong in it.
  public mutating func read(file: String) throws {
    var source = try ByteSource(path: file)
    let bytes = try source.readAll(limit: Self.mostBytes)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw RuleFileErrors([Diagnostic(notUTF8: bytes, file: file)], isMissingInput: false)
    }
    try read(text, name: file)
  }

  mutating func read(_ text: String, name: String) throws(RuleFileErrors) {
    var reader = NodeReader(text, name: name)
    var changed = self
    if let root = reader.root() { changed.read(root, &reader, folder: URL(fileURLWithPath: name)) }
    guard reader.diagnostics.isEmpty else { throw RuleFileErrors(reader.diagnostics, isMissingInput: false) }
    self = changed
  }

  private mutating func read(_ root: Node, _ reader: inout NodeReader, folder: URL) {
    let what = "a configuration"
    guard let members = reader.members(of: root, what, allowed: Self.keys) else { return }
    func path(_ text: String) -> String {
      text.hasPrefix("/") ? text : folder.deletingLastPathComponent().appendingPathComponent(text).path
    }
    if let node = members["data"], let name = reader.name(node, "a directory") { directory = path(name.text) }
    if let node = members["host"], let name = reader.name(node, "an address") { host = name.text }
    if let node = members["port"] { port = reader.number(node, in: 0...65_535) ?? port }
    if let node = members["allow_anonymous"] { allowAnonymous = reader.flag(node) ?? allowAnonymous }
    if let node = members["allowed_origins"] {
      allowedOrigins = reader.texts(node, "an origin, such as https://tools.example.com", where: Self.isOrigin)
    }
    if let node = members["redacted_properties"] {
      redactedProperties = reader.texts(node, "the name of a property, or a JSON Pointer", where: Self.isProperty)
    }
    if let node = members["rules"] {
      rules = reader.texts(node, "rule files").map { text in
        // NAME=FILE
        guard let sign = text.firstIndex(of: "=") else { return path(text) }
        return text[...sign] + path(String(text[text.index(after: sign)...]))
      }
    }
    if let node = members["captures"] { importedCaptures = reader.texts(node, "directories of captures").map(path) }
    if let node = members["events"], let name = reader.name(node, "a file with events") {
      importedEvents = path(name.text)
    }
    if let node = members["trusted_proxies"] {
      trustedProxies = reader.texts(node, "addresses", where: { (try? SocketAddress(ipAddress: $0, port: 0)) != nil })
    }
    if let node = members["log_format"] { logFormat = reader.word(node, "log format") ?? logFormat }
    if let node = members["log_level"] { logLevel = reader.word(node, "log level") ?? logLevel }
    if let node = members["limits"] { limits.read(node, &reader) }
    if let node = members["retention"],
      let members = reader.members(of: node, "retention", allowed: ["days", "rows", "bytes"])
    {
      if let node = members["days"] { retention.days = reader.number(node, in: 1...3_650) ?? retention.days }
      if let node = members["rows"] { retention.rows = reader.number(node, in: 1...1_000_000_000) ?? retention.rows }
      if let node = members["bytes"] {
        retention.bytes = reader.number(node, in: 1 << 20...1 << 50) ?? retention.bytes
      }
    }
  }

  private static let keys = [
    "data", "host", "port", "allow_anonymous", "allowed_origins", "trusted_proxies", "redacted_properties", "rules",
    "captures", "events",
    "log_format", "log_level", "limits", "retention",
  ]
}

extension ServiceLimits {
  /// Each limit with its name in files, and the values that it may have.
  static var fields: [(name: String, path: WritableKeyPath<ServiceLimits, Int>, range: ClosedRange<Int>)] {
    [
      ("body_bytes", \.bodyBytes, 1_024...1 << 30), ("capture_bytes", \.captureBytes, 1_024...1 << 30),
      ("collect_bytes", \.collectBytes, 1_024...1 << 30), ("collect_events", \.collectEvents, 1...100_000_000),
      ("depth", \.depth, 16...512),
      ("idle_seconds", \.idleSeconds, 1...3_600), ("stall_seconds", \.stallSeconds, 1...3_600),
      ("bytes_per_second", \.bytesPerSecond, 1...1 << 30), ("work_seconds", \.workSeconds, 1...3_600),
      ("answer_seconds", \.answerSeconds, 1...3_600), ("body_memory", \.bodyMemory, 1 << 20...1 << 40),
      ("stop_seconds", \.stopSeconds, 1...3_600), ("waiting_work", \.waitingWork, 1...100_000),
      ("connections", \.connections, 1...1_000_000),
      ("connections_per_address", \.connectionsPerAddress, 1...1_000_000),
      ("capture_elements", \.captureElements, 1...2_000_000), ("screenshot_bytes", \.screenshotBytes, 1_024...1 << 30),
      ("cached_capture_bytes", \.cachedCaptureBytes, 1 << 20...1 << 40),
      ("app_connections", \.appConnections, 1...10_000),
      ("app_connection_bytes", \.appConnectionBytes, 1 << 20...1 << 50), ("app_messages", \.appMessages, 1...1_000),
      ("app_message_bytes", \.appMessageBytes, 1_024...1 << 30),
      ("app_payload_bytes", \.appPayloadBytes, 1_024...1 << 30), ("app_objects", \.appObjects, 1...1_000_000),
      ("app_picture_bytes", \.appPictureBytes, 1_024...1 << 30), ("app_link_seconds", \.appLinkSeconds, 1...86_400),
      ("app_idle_seconds", \.appIdleSeconds, 1...86_400), ("app_total_seconds", \.appTotalSeconds, 1...604_800),
    ]
  }

  fileprivate mutating func read(_ node: Node, _ reader: inout NodeReader) {
    let fields = Self.fields
    guard let members = reader.members(of: node, "limits", allowed: fields.map(\.name)) else { return }
    for field in fields {
      if let node = members[field.name], let number = reader.number(node, in: field.range) {
        self[keyPath: field.path] = number
      }
    }
  }
}

extension NodeReader {
  fileprivate mutating func number(_ node: Node, in range: ClosedRange<Int>) -> Int? {
    // YAML lets one write 16_777_216.
    if let text = node.scalar?.string, let number = Int(text.replacing("_", with: "")), range.contains(number) {
      return number
    }
    report("expected a whole number from \(range.lowerBound) to \(range.upperBound)", at: node)
    return nil
  }

  /// The texts of a list, or the one that stands in its place.
  fileprivate mutating func texts(
    _ node: Node, _ what: String, where isRight: (String) -> Bool = { _ in true }
  ) -> [String] {
    (node.sequence.map(Array.init) ?? [node]).compactMap { node in
      guard let text = name(node, what)?.text else { return nil }
      if isRight(text) { return text }
      report("expected \(what)", at: node)
      return nil
    }
  }

  fileprivate mutating func word<Word: RawRepresentable & CaseIterable>(_ node: Node, _ what: String) -> Word?
  where Word.RawValue == String {
    let words = Word.allCases.map(\.rawValue)
    guard let text = name(node, "a \(what)")?.text else { return nil }
    if let word = Word(rawValue: text) { return word }
    reportUnknown(text, "\(what) '\(text)'", among: words, at: node, expected: NodeReader.list(words))
    return nil
  }
}
