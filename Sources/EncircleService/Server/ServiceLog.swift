import EncircleText
import Foundation
import Logging

/// How a service logs.
public enum LogFormat: String, CaseIterable, Sendable {
  /// A line of text an entry.
  case lines
  /// A JSON object an entry, each on a line.
  case json
}

/// Writes log entries to standard error. What clients have sent cannot add lines to them, nor what a terminal obeys.
public struct ServiceLog: LogHandler {
  public var logLevel: Logger.Level
  public var metadata: Logger.Metadata = [:]

  private let label: String
  private let format: LogFormat

  public init(label: String, format: LogFormat, level: Logger.Level) {
    self.label = label
    self.format = format
    logLevel = level
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    var all = metadata.merging(event.metadata ?? [:]) { $1 }
    if let error = event.error { all["error"] = "\(error)" }
    let pairs = all.map { ($0.key, "\($0.value)") }.sorted { $0.0 < $1.0 }
    let line = entry(event.level, "\(event.message)", pairs, at: Date())
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }

  func entry(_ level: Logger.Level, _ message: String, _ pairs: [(String, String)], at time: Date) -> String {
    let time = time.formatted(
      .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
    switch format {
    case .lines:
      let rest = pairs.map { " \($0.0)=\($0.1)" }.joined()
      return VisibleText.escaping("\(time) \(level) \(message)\(rest)")
    case .json:
      var bytes = Array("{\"time\":\"\(time)\",\"level\":\"\(level)\",\"logger\":".utf8)
      JSONText.append(label, to: &bytes)
      for (name, value) in [("message", message)] + pairs.filter({ !Self.ownMembers.contains($0.0) }) {
        bytes.append(UInt8(ascii: ","))
        JSONText.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        JSONText.append(value, to: &bytes)
      }
      return String(decoding: bytes + [UInt8(ascii: "}")], as: UTF8.self)
    }
  }

  private static let ownMembers: Set = ["time", "level", "logger", "message"]
}
