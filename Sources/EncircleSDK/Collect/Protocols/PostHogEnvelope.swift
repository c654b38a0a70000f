import EncircleEvents
import EncircleText

/// What PostHog's SDKs post: `{"api_key": …, "batch": […], "sent_at": …}`, an array of events, or one event.
///
/// The envelope is cut by brackets, commas and strings alone, as arrays of events are, so that a broken event affects neither the
/// other events nor the key.
struct PostHogEnvelope {
  private var json: [UInt8]
  private var batch: Range<Int>?
  private var sentAt: Int64?
  private var key: String?
  private var keyPlaces: [String] = []

  /// - Complexity: O(bytes).
  init(_ json: [UInt8]) {
    self.json = json
    var envelope: Range<Int>?
    json.withUnsafeBufferPointer { text in
      let start = JSONTape.skipWhiteSpace(text, from: text.starts(with: byteOrderMark) ? byteOrderMark.count : 0)
      guard start < text.count else { return }
      var first = start
      if text[start] == UInt8(ascii: "{") {
        var members = ArrayElements(membersOf: text, from: start)
        while let member = members.nextMember() {
          let value = UnsafeBufferPointer(rebasing: text[member.value])
          switch String(decoding: text[member.name], as: UTF8.self) {
          case "batch" where value.first == UInt8(ascii: "["): batch = member.value
          case "api_key", "token": key = key ?? Self.text(value)
          case "sent_at": sentAt = Self.value(value).flatMap { EventTime.wholeMilliseconds($0) }
          default: break
          }
        }
        if let batch {
          envelope = start..<members.position
          first = batch.lowerBound
        }
      }
      var event: Range<Int>? = first..<text.count
      if text[first] == UInt8(ascii: "[") {
        var events = ArrayElements(text, from: first)
        event = events.next()
      }
      if let event { readKey(ofEvent: UnsafeBufferPointer(rebasing: text[event])) }
    }
    if let envelope, let batch { blank(envelope.lowerBound..<batch.lowerBound, batch.upperBound..<envelope.upperBound) }
  }

  func contents(sentAt requestSentAt: Int64?) -> CollectContents {
    var contents = CollectContents(json: json, sdk: .postHog, sentAt: sentAt ?? requestSentAt)
    contents.key = key
    contents.keyPlaces = keyPlaces
    return contents
  }

  /// Finds the key in the first event, and where events have it.
  private mutating func readKey(ofEvent text: UnsafeBufferPointer<UInt8>) {
    var tape = JSONTape()
    guard (try? tape.parse(text)) != nil, tape[0].kind == .object else { return }
    let properties = tape.member("properties", of: 0, in: text)
    let found: [(place: String, node: Int?)] = [
      ("/api_key", tape.member("api_key", of: 0, in: text)), ("/token", tape.member("token", of: 0, in: text)),
      ("/properties/token", properties.flatMap { tape.member("token", of: $0, in: text) }),
    ]
    for (place, node) in found {
      guard let node, tape[node].kind == .string else { continue }
      let value = tape.string(node, in: text)
      if key == nil, !value.isEmpty { key = value }
      if let key, key.utf8.elementsEqual(value.utf8) { keyPlaces.append(place) }
    }
  }

  /// Replaces the envelope by spaces, so that each event keeps its line and column, which rejects report.
  private mutating func blank(_ ranges: Range<Int>...) {
    for range in ranges {
      for i in range where json[i] != 0x0A && json[i] != 0x0D { json[i] = UInt8(ascii: " ") }
    }
  }

  private static func value(_ json: UnsafeBufferPointer<UInt8>) -> EventValue? {
    // Keys and times are shorter than this.
    json.count <= 1_024 ? try? EventValue(json: json) : nil
  }

  private static func text(_ json: UnsafeBufferPointer<UInt8>) -> String? {
    guard case .string(let key)? = value(json), !key.isEmpty else { return nil }
    return key
  }
}

private let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
