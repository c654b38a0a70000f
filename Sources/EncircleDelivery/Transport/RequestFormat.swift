import EncircleEvents
import EncircleInput
import EncircleText
import Foundation

/// The format of request bodies.
public struct RequestFormat: Hashable, Sendable {
  private enum Kind { case json, sensors }

  private let kind: Kind
  private let isCompressed: Bool
  /// The name of the member that holds the time of sending in each event, in milliseconds since 1970; nil for none.
  public var flushTimeMember: String? = "_flush_time"
  /// This is true if requests ask the receiver to check the events and to store nothing (`Dry-Run: true`).
  public var isDryRun = false
  /// This is true if bodies in the format of sa-sdk-ios are marked as copies for an advertising server.
  var isMirror = false

  /// A JSON array of the events, `Content-Type: application/json`.
  public static let json = RequestFormat(kind: .json, isCompressed: false)
  /// The format ``json`` with `Content-Encoding: gzip`.
  public static let gzippedJSON = RequestFormat(kind: .json, isCompressed: true)
  /// The format of sa-sdk-ios 4.8: `crc=…&gzip=1&data_list=…`. `data_list` is a gzipped JSON array in Base64, percent-encoded.
  /// `crc` is the hash that Java computes of the Base64 text.
  public static let sensors = RequestFormat(kind: .sensors, isCompressed: true)

  /// Returns the request for a batch.
  ///
  /// - Parameter now: The time of sending, in milliseconds since 1970.
  /// - Complexity: O(*n*), *n* bytes.
  public func request(for batch: EventBatch, at now: Int64) -> DeliveryRequest {
    let array = json(of: batch.events, at: now)
    let dryRun = isDryRun ? [(name: "Dry-Run", value: "true")] : []
    switch kind {
    case .json:
      var headers = [(name: "Content-Type", value: "application/json")] + dryRun
      guard isCompressed, let data = Gzip.compressed(array) else {
        return DeliveryRequest(headers: headers, body: array, eventCount: batch.events.count)
      }
      headers.append((name: "Content-Encoding", value: "gzip"))
      return DeliveryRequest(headers: headers, body: data, eventCount: batch.events.count)
    case .sensors:
      let headers =
        [
          (name: "Content-Type", value: "application/x-www-form-urlencoded"),
          (name: "User-Agent", value: "SensorsAnalytics iOS SDK"),
        ] + dryRun
      // If zlib cannot allocate memory, the data are sent uncompressed, which gzip=0 announces.
      let data = Gzip.compressed(array)
      let text = Data(data ?? array).base64EncodedString()
      var body = "crc=\(javaHash(Array(text.utf8)))&gzip=\(data == nil ? 0 : 1)&data_list="
      body += PercentEncoding.escaping(text)
      if batch.lane == .instant { body += "&instant_event=true" }
      if isMirror { body += "&sink_name=mirror" }
      return DeliveryRequest(headers: headers, body: Array(body.utf8), eventCount: batch.events.count)
    }
  }

  private func json(of events: [QueuedEvent], at now: Int64) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(events.reduce(2) { $0 + $1.json.count + 40 })
    result.append(UInt8(ascii: "["))
    for (index, event) in events.enumerated() {
      if index > 0 { result.append(UInt8(ascii: ",")) }
      if let flushTimeMember {
        Self.append(event.json, with: flushTimeMember, now, to: &result)
      } else {
        result += event.json
      }
    }
    result.append(UInt8(ascii: "]"))
    return result
  }

  /// Appends an object with one additional member, or with a new value of that member.
  private static func append(_ object: [UInt8], with name: String, _ value: Int64, to result: inout [UInt8]) {
    // In this rare case, the event already has the member.
    if has(object, name), let event = try? AnalyticsEvent(json: object) {
      var members = event.members
      members[name] = .number(DecimalNumber(value))
      result += EventValue.object(members).json
      return
    }
    guard let brace = object.lastIndex(of: UInt8(ascii: "}")) else {
      result += object
      return
    }
    let isEmpty = object[..<brace].allSatisfy { $0 <= UInt8(ascii: " ") || $0 == UInt8(ascii: "{") }
    result += object[..<brace]
    if !isEmpty { result.append(UInt8(ascii: ",")) }
    result += EventValue.string(name).json
    result.append(UInt8(ascii: ":"))
    result += String(value).utf8
    result.append(UInt8(ascii: "}"))
  }

  /// Returns whether an object has a member of a name, which escapes could spell, too.
  private static func has(_ object: [UInt8], _ name: String) -> Bool {
    guard object.contains(UInt8(ascii: "\\")) || Data(object).range(of: Data(name.utf8)) != nil else { return false }
    var tape = JSONTape()
    return object.withUnsafeBufferPointer { text in
      guard (try? tape.parse(text)) != nil else { return false }
      return withContiguousBytes(name.utf8) { tape.member($0, of: 0, in: text) != nil }
    }
  }
}
