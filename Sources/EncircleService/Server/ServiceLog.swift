import EncircleText
import Foundation
import Logging
import Synchronization

/// The format of a service's log.
public enum LogFormat: String, CaseIterable, Sendable {
  /// One line of text for each entry.
  case lines
  /// One JSON object for each entry, on a line of its own.
  case json
}

/// Writes log entries to standard error. Text that clients have sent can add neither lines nor control sequences to them.
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
    Self.write(Array((line + "\n").utf8))
  }

  /// The number of entries that could not be written, as to a full disk or a closed or blocked pipe.
  static var dropped: Int { droppedEntries.load(ordering: .relaxed) }

  private static let droppedEntries = Atomic(0)
  private static let order = Mutex(())

  /// Writes an entry, or drops and counts it: a log that cannot be written must neither end the service nor block it.
  private static func write(_ bytes: [UInt8]) {
    order.withLock { _ in
      var rest = bytes[...]
      while !rest.isEmpty {
        // A pipe that is ready for writing takes up to PIPE_BUF bytes without blocking.
        var state = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        let part = rest.prefix(Int(PIPE_BUF))
        let isReady = poll(&state, 1, 0) == 1
        let count = isReady ? part.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) } : 0
        guard count > 0 else {
          if count < 0, errno == EINTR { continue }
          droppedEntries.add(1, ordering: .relaxed)
          return
        }
        rest = rest.dropFirst(count)
      }
    }
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
