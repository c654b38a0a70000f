import EncircleEvents
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

@testable import EncircleSDK

@Suite struct CollectReaderTests {
  private static let now: Int64 = 1_800_000_000_000

  private func plan(_ redacted: [String] = []) -> CollectPlan {
    CollectPlan(
      places: [
        .event: [PropertyReference(parsing: "/event")!], .distinctID: [PropertyReference(parsing: "/distinct_id")!],
        .page: [PropertyReference(parsing: "$screen_name")!],
        .appVersion: [PropertyReference(parsing: "$app_version")!],
      ], redacted: redacted.map { PropertyReference(parsing: $0)! })
  }

  private func read(_ json: String, redacted: [String] = []) -> CollectReader.Batch<CollectedEvent> {
    CollectReader(plan(redacted)).read(Array(json.utf8), receivedAt: Self.now)
  }

  private func event(_ members: String = "") -> String {
    #"{"event":"A","type":"track","distinct_id":"u","time":1799999999000\#(members)}"#
  }

  @Test func `one bad event of many costs no other, and is kept with its reason`() {
    let batch = read(
      """
      \(event())
      {"type":"track","distinct_id":"u"}
      {"event":"B","type":"no such type","distinct_id":"u"}
      not json
      {"event":"C","type":"track"}
      {"event":"D","distinct_id":"u","time":"yesterday"}
      {"event":"E","distinct_id":"u","properties":[]}
      7
      \(event())
      """)
    #expect(batch.events.count == 2)
    #expect(batch.lines == [1, 9])
    #expect(batch.rejected == 7)
    #expect(batch.rejects.map(\.line) == [2, 3, 4, 5, 6, 7, 8])
    #expect(
      batch.rejects.map(\.reason) == [
        "event is missing",
        "type must be track, track_signup, profile_set, item_set, or another type of the protocol",
        "unknown word: expected null, true or false (line 4, column 1)", "distinct_id is missing",
        "time must be milliseconds or seconds since 1970, or a date and time of ISO 8601",
        "properties must be an object",
        "expected an object (line 8, column 1)",
      ])
    #expect(batch.rejects[0].text == Array(#"{"type":"track","distinct_id":"u"}"#.utf8))
  }

  @Test(
    "times are milliseconds, seconds or ISO 8601, at the first place that has one",
    arguments: [
      (#""time":1767225600021"#, 1_767_225_600_021), (#""time":1767225600.021"#, 1_767_225_600_021),
      (#""time":1767225600"#, 1_767_225_600_000), (#""timestamp":"2026-01-01T00:00:00.021Z""#, 1_767_225_600_021),
      (#""timestamp":1767225600021,"time":1"#, 1), (#""at":5"#, 7),
    ])
  func times(member: String, expected: Int64) {
    var plan = CollectPlan(places: [.event: [PropertyReference(parsing: "/event")!]])
    plan.timePlaces = ["/time", "/timestamp"].compactMap { PropertyReference(parsing: $0) }
    let batch = CollectReader(plan).read(Array(#"{"event":"E",\#(member)}"#.utf8), receivedAt: 7)
    #expect(batch.events.map(\.time) == [expected])
  }

  @Test func `records that name an element by its ID need no type of the protocol, and no name`() {
    let batch = read(
      """
      {"eventId":"5e15","type":"buttonEvent","time":1799999999000,"attributes":{"$app_version":"5.2.1"}}
      {"event_id":"6292","type":"buttonEvent"}
      {"event_id":"6292","type":"track","distinct_id":"u"}
      {"event_id":6292,"type":"buttonEvent"}
      {"type":"buttonEvent"}
      """)
    #expect(batch.events.count == 2)
    #expect(batch.rejects.map(\.line) == [3, 4, 5])
  }

  @Test func `profiles need no event, items neither that nor an id, and events of other SDKs no id`() {
    let batch = read(
      """
      {"type":"profile_set","distinct_id":"u","properties":{"a":1}}
      {"type":"item_set","item_type":"book","item_id":"1","properties":{}}
      {"event":"A"}
      {"type":"profile_set"}
      {"type":"item_set","item_id":"1"}
      """)
    #expect(batch.events.count == 3)
    #expect(batch.rejects.map(\.reason) == ["distinct_id is missing", "item_type is missing"])
  }

  @Test func `a NUL character becomes U+FFFD in the fields by which events are found, and stays in the event`() throws {
    let json = #"{"event":"a\u0000b","distinct_id":"\u0000","properties":{"$screen_name":"\\u0000"}}"#
    let event = try #require(read(json).events.first)
    #expect(event.fields == ["a\u{FFFD}b", #"\u0000"#, "\u{FFFD}", nil])
    #expect(event.json == Array(json.utf8))
  }

  @Test func `the fields by which events are found are read off them`() {
    let batch = read(event(#","properties":{"$screen_name":"Home","$app_version":5.2}"#))
    #expect(batch.events[0].fields == ["A", "Home", "u", "5.2"])
    #expect(batch.events[0].time == 1_799_999_999_000)
  }

  @Test func `an event without a time happened when it arrived`() {
    #expect(read(#"{"event":"A"}"#).events[0].time == Self.now)
  }

  @Test func `times are corrected once by the time of sending`() throws {
    // Its clock is an hour behind.
    let sent = Self.now - 3_600_000
    let batch = read(event(#","_flush_time":\#(sent)"#))
    #expect(batch.events[0].time == 1_799_999_999_000 + 3_600_000)
    let stored = try AnalyticsEvent(json: batch.events[0].kept)
    #expect(stored.members["time"] == .number(DecimalNumber(1_800_003_599_000)))
    #expect(stored.members["_time_correction"] == .number(3_600_000))
    let marked = read(event(#","_flush_time":\#(sent),"_time_correction":5"#))
    #expect(marked.events[0].time == 1_799_999_999_000)
    let close = read(event(#","_flush_time":\#(Self.now - 1_000)"#))
    #expect(close.events[0].kept == Array(event(#","_flush_time":\#(Self.now - 1_000)"#).utf8))
  }

  @Test(.articles("W27")) func `an event without a time of sending was sent with the request`() throws {
    // The clock of the device is an hour behind.
    let sent = Self.now - 3_600_000
    func read(_ json: String) throws -> CollectedEvent {
      let batch = CollectReader(plan()).read(Array(json.utf8), receivedAt: Self.now, requestSentAt: sent)
      return try #require(batch.events.first)
    }
    let corrected = try read(event())
    #expect(corrected.time == 1_799_999_999_000 + 3_600_000)
    #expect(try AnalyticsEvent(json: corrected.kept).members["time"] == .number(DecimalNumber(1_800_003_599_000)))
    // The event's own value counts.
    #expect(try read(event(#","_flush_time":\#(Self.now)"#)).time == 1_799_999_999_000)
  }

  @Test(arguments: ["1799999999000", "1799999999", #""2027-01-15T07:59:59Z""#])
  func `an event's time is read where the rules say, in each form of a time`(time: String) throws {
    var plan = plan()
    plan.timePlaces = ["/eventTime", "$when", "/time"].compactMap { PropertyReference(parsing: $0) }
    for text in [
      #"{"event":"A","eventTime":\#(time),"time":1}"#, #"{"event":"A","time":\#(time)}"#,
      #"{"event":"A","properties":{"$when":\#(time)}}"#, #"{"event":"A","eventTime":"soon","time":\#(time)}"#,
    ] {
      #expect(
        CollectReader(plan).read(Array(text.utf8), receivedAt: Self.now).events.map(\.time) == [1_799_999_999_000])
    }
  }

  @Test func `a correction never makes an invalid date`() throws {
    let text = #"{"event":"A","time":8639999999999999,"_flush_time":-8639999999999999}"#
    let batch = read(text)
    #expect(batch.events[0].time == 8_639_999_999_999_999)
    #expect(batch.events[0].kept == Array(text.utf8))
    #expect(read(String(decoding: batch.events[0].kept, as: UTF8.self)).rejected == 0)
  }

  @Test func `repeats have the same key, however often they are sent and their time is corrected`() throws {
    func key(_ text: String) -> EventKey? { read(text).events[0].key }
    let first = try #require(key(event(#","_track_id":7,"_flush_time":\#(Self.now - 90_000_000)"#)))
    #expect(key(event(#","_track_id":7,"_flush_time":\#(Self.now - 5)"#)) == first)
    #expect(key(event(#","_track_id":8"#)) != first)
    #expect(key(#"{"event":"A","type":"track","distinct_id":"v","time":1799999999000,"_track_id":7}"#) != first)
    #expect(key(#"{"event":"A","type":"track","distinct_id":"u","time":1799999999001,"_track_id":7}"#) != first)
    #expect(key(#"{"event":"B","type":"track","distinct_id":"u","time":1799999999000,"_track_id":7}"#) != first)
    #expect(key(event()) == nil, "nothing distinguishes it from another one")
  }

  @Test func `items with equal content are equal`() {
    func key(_ text: String) -> EventKey? { read(text).events[0].key }
    let item = #"{"type":"item_set","item_type":"book","item_id":"1","properties":{"a":1},"_flush_time":1}"#
    #expect(key(item) == key(item.replacing(#""_flush_time":1"#, with: #""_flush_time":2"#)))
    #expect(key(item) != key(item.replacing(#""a":1"#, with: #""a":2"#)))
    #expect(key(item) != nil)
  }

  @Test func `redacted values are never kept, under any name and however often they occur`() throws {
    let text =
      #"{"event":"A","distinct_id":"secret","time":1799999999000,"properties":{"$element_content":"secret","a":1},"#
      + #""identities":{"phone":"secret","n":2},"properties":{"$element_cont\u0065nt":"secret","$screen_name":"secret"}}"#
    let batch = read(text, redacted: ["$element_content", "$screen_name", "/identities/phone", "/distinct_id"])
    let event = batch.events[0]
    let kept = String(decoding: event.kept, as: UTF8.self)
    #expect(!kept.contains("secret"))
    #expect(kept == #"{"event":"A","time":1799999999000,"properties":{"a":1},"identities":{"n":2},"properties":{}}"#)
    #expect(event.fields == ["A", nil, nil, nil])
    #expect(String(decoding: event.json, as: UTF8.self).contains("secret"), "rules decide by the whole event")
  }

  @Test func `rejects keep no redacted values`() {
    let batch = read(
      """
      {"type":"track","properties":{"$element_content":"secret","a":1}}
      {"event":"A","properties":{"$element_content":"secret"
      """, redacted: ["$element_content"])
    #expect(batch.rejected == 2)
    for reject in batch.rejects { #expect(!String(decoding: reject.text, as: UTF8.self).contains("secret")) }
    #expect(batch.rejects[0].text == Array(#"{"type":"track","properties":{"a":1}}"#.utf8))
  }

  @Test(
    "properties in a text or a list are removed as a whole if one of them is redacted",
    arguments: [
      (#""properties":"{\"password\":\"secret\"}""#, "password"),
      (#""properties":[{"password":"secret"}]"#, "password"),
      (#""attributes":"{\"password\":\"secret\"}""#, "/attributes/password"),
    ])
  func hiddenProperties(member: String, redacted: String) {
    let batch = read(#"{"event":"A","type":"no such type",\#(member)}"#, redacted: [redacted])
    #expect(batch.rejects.map(\.text) == [Array(#"{"event":"A","type":"no such type"}"#.utf8)])
    let other = read(#"{"event":"A","type":"no such type",\#(member)}"#, redacted: ["/other/password"])
    #expect(other.rejects.map(\.text) == [Array(#"{"event":"A","type":"no such type",\#(member)}"#.utf8)])
  }

  @Test func `an event over several lines is kept in one`() {
    let batch = read("[{\"event\":\"A\",\n\"distinct_id\":\r\n\"u\"}]")
    #expect(batch.events[0].kept == Array(#"{"event":"A", "distinct_id":  "u"}"#.utf8))
  }

  @Test func `hostile texts are rejected`() {
    let deep = #"{"event":"A","x":"# + String(repeating: "[", count: 100_000)
    #expect(read(deep).rejected == 1)
    #expect(read(String(repeating: "{}", count: 10)).rejected > 0)
    let many = read(String(repeating: "x\n", count: 5_000))
    #expect(many.rejected == 5_000)
    #expect(many.rejects.count == 1_000)
    let long = #"{"event":"\#(String(repeating: "n", count: 1_025))","distinct_id":"u"}"#
    #expect(read(long).rejects[0].reason == "event must be of no more than 1024 bytes")
    let huge = #"{"event":"A","x":"\#(String(repeating: "n", count: 1 << 20))"}"#
    #expect(read(huge).rejects[0].reason.hasPrefix("longer than the limit of 1048576 bytes"))
    let badUTF8 = CollectReader(plan()).read(Array(#"{"event":"A"#.utf8) + [0xFF] + Array(#""}"#.utf8), receivedAt: 0)
    #expect(badUTF8.rejects[0].reason.hasPrefix("not valid UTF-8"))
    #expect(read("").events.isEmpty)
  }

  @Test func `times at the limits of what is possible do not overflow`() {
    for time in ["9223372036854775807", "-8640000000000000", "8640000000000000", "1e300", "1.5"] {
      _ = read(#"{"event":"A","distinct_id":"u","time":\#(time),"_flush_time":\#(time)}"#)
    }
    #expect(read(#"{"event":"A","time":9223372036854775807}"#).rejected == 1)
  }

  @Test func `a date alone is not the time of an event`() {
    #expect(read(#"{"event":"A","distinct_id":"u","time":"2026-03-02"}"#).rejected == 1)
    #expect(read(#"{"event":"A","distinct_id":"u","time":"2026-03-02T08:00:00Z"}"#).rejected == 0)
  }
}
