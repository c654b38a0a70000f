import Foundation
import Logging

/// Writes each message as a line of JSON to standard error: `{"level":"info","message":"…","time":"…", …}`.
public struct JSONLogHandler: LogHandler {
  public var logLevel = Logger.Level.info
  public var metadata = Logger.Metadata()

  public init() {}

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    var members: [String: String] = [:]
    for (key, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }) {
      members[key] = "\(value)"
    }
    if let error = event.error { members["error"] = "\(error)" }
    members["level"] = event.level.rawValue
    members["message"] = "\(event.message)"
    members["time"] = Date().formatted(.iso8601.time(includingFractionalSeconds: true))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts can always be encoded.
    guard var line = try? encoder.encode(members) else { return }
    line.append(0x0A)
    // One write a line, so that lines of several threads do not mix.
    try? FileHandle.standardError.write(contentsOf: line)
  }
}
