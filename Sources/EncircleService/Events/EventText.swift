import EncircleRules
import EncircleText
import Foundation

/// Stored events as JSON in one line.
enum EventText {
  static func append(_ event: StoredEvent, to bytes: inout [UInt8]) {
    let row = event.row
    bytes += "{\"id\":\(event.id),\"received_at\":".utf8
    appendTime(row.received, to: &bytes)
    bytes += ",\"time\":".utf8
    appendTime(row.time, to: &bytes)
    for (name, text) in [
      ("event", row.event), ("page", row.page), ("distinct_id", row.distinctID), ("app_version", row.appVersion),
      ("event_id", row.element.map(Hexadecimal.text)),
    ] {
      bytes += ",\"\(name)\":".utf8
      if let text { JSONText.append(text, to: &bytes) } else { bytes += "null".utf8 }
    }
    bytes += ",\"selected\":\(row.verdict.isSelected)".utf8
    for (name, texts) in [
      ("rules", row.verdict.rules), ("excluded_by", row.verdict.excludedBy), ("emit", row.verdict.emit),
    ] {
      bytes += ",\"\(name)\":[".utf8
      for (i, text) in texts.enumerated() {
        if i > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONText.append(text, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
    bytes += ",\"event_json\":".utf8
    bytes += row.json
    bytes.append(UInt8(ascii: "}"))
  }

  /// A list of events, with the member for the place of the next ones.
  static func list(_ events: [StoredEvent], next: Int64?) -> [UInt8] {
    var bytes = Array("{\"events\":[".utf8)
    for (i, event) in events.enumerated() {
      if i > 0 { bytes.append(UInt8(ascii: ",")) }
      append(event, to: &bytes)
    }
    bytes += "],\"next\":\(next.map { "\"\($0)\"" } ?? "null")}".utf8
    return bytes
  }

  private static func appendTime(_ milliseconds: Int64, to bytes: inout [UInt8]) {
    bytes += "\"\(time(milliseconds))\"".utf8
  }

  /// ISO 8601 with milliseconds, in UTC. Years that do not fit into four digits are cut to the nearest that do.
  static func time(_ milliseconds: Int64) -> String {
    let clamped = min(max(milliseconds, -62_135_596_800_000), 253_402_300_799_999)
    return Date(timeIntervalSince1970: Double(clamped) / 1_000).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
