import EncircleEvents
import EncircleText

/// The body that PostHog's SDKs post: `{"api_key": …, "batch": […], "sent_at": …}`, an array of events, or one event.
///
/// Like arrays of events, the envelope is cut by brackets, commas and strings alone, so a broken event affects neither the
/// other events nor the key.
struct PostHogEnvelope {
  private var json: [UInt8]
  private var batch: Range<Int>?
  private var sentAt: Int64?
  private var key: String?
  private var keyPlaces = ["/api_key", "/token", "/properties/token"]

  /// The number of events that are searched for the key if the envelope has none.
  private static let maximumEventsForKey = 1_000
  /// The longest key that can be a token, in bytes.
  private static let longestKey = 200

  /// - Complexity: O(bytes).
  init(_ json: [UInt8]) {
    self.json = json
    var envelope: Range<Int>?
    // The key as it is written in the envelope.
    var written: [UInt8] = []
    json.withUnsafeBufferPointer { text in
      let mark = ByteOrderMark.utf8
      let start = JSONTape.skipWhiteSpace(text, from: text.starts(with: mark) ? mark.count : 0)
      guard start < text.count else { return }
      var first = start
      if text[start] == UInt8(ascii: "{") {
        var members = ArrayElements(text, from: start)
        while let member = members.nextMember() {
          let value = UnsafeBufferPointer(rebasing: text[member.value])
          switch String(decoding: text[member.name], as: UTF8.self) {
          case "batch" where value.first == UInt8(ascii: "["): batch = member.value
          case "api_key", "token":
            guard key == nil, let text = Self.text(value) else { continue }
            key = text
            written = Array(value.dropFirst().dropLast())
          case "sent_at": sentAt = Self.value(value).flatMap { EventTime.wholeMilliseconds($0) }
          default: break
          }
        }
        if let batch {
          envelope = start..<members.position
          first = batch.lowerBound
        }
      }
      if text[first] == UInt8(ascii: "[") {
        var events = ArrayElements(text, from: first)
        // This runs before callers are authenticated, so it stops after a number of events.
        for _ in 0..<Self.maximumEventsForKey where key == nil {
          guard let event = events.next() else { break }
          key = Self.key(ofEvent: UnsafeBufferPointer(rebasing: text[event]))
        }
      } else if key == nil {
        key = Self.key(ofEvent: UnsafeBufferPointer(rebasing: text[first...]))
      }
    }
    if let envelope, let batch { blank(envelope.lowerBound..<batch.lowerBound, batch.upperBound..<envelope.upperBound) }
    // Apps write the key into the envelope alone. If the rest does not contain the key, events are kept unchanged. There is no
    // search for a key with an escape, which events may spell differently, or for a key longer than any token, which would take
    // long to find.
    if !written.isEmpty, written.count <= Self.longestKey, !written.contains(UInt8(ascii: "\\")), !contains(written) {
      keyPlaces = []
    }
  }

  func contents(sentAt requestSentAt: Int64?) -> CollectContents {
    var contents = CollectContents(json: json, sdk: .postHog, sentAt: sentAt ?? requestSentAt)
    contents.key = key
    contents.keyPlaces = keyPlaces
    return contents
  }

  /// Returns the key of an event; nil if it has none, or cannot be read.
  private static func key(ofEvent text: UnsafeBufferPointer<UInt8>) -> String? {
    var tape = JSONTape()
    guard (try? tape.parse(text)) != nil, tape[0].kind == .object else { return nil }
    let properties = tape.member("properties", of: 0, in: text)
    let found = [
      tape.member("api_key", of: 0, in: text), tape.member("token", of: 0, in: text),
      properties.flatMap { tape.member("token", of: $0, in: text) },
    ]
    for case let node? in found where tape[node].kind == .string {
      let key = tape.string(node, in: text)
      if !key.isEmpty { return key }
    }
    return nil
  }

  private func contains(_ word: [UInt8]) -> Bool {
    json.withUnsafeBufferPointer { json in word.withUnsafeBufferPointer { json.offset(of: $0, from: 0) != nil } }
  }

  /// Overwrites the envelope with spaces, so that each event keeps its line and column, which rejects report.
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
