import EncircleTestSupport
import EncircleEvents
import EncircleText
import Testing

@Suite("Events are built without JSON and written as JSON")
struct EventTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("A backend's event has the members that the SDKs' events have", .articles("P3"))
  func members() throws {
    let event = AnalyticsEvent(
      name: "$AppClick", time: 1_767_225_600_000, distinctID: "u1", eventID: "6bd8",
      properties: ["$title": "首页", "n": 9_007_199_254_740_993, "list": [nil, true, []]], others: ["lib": ["v": "1"]])
    #expect(
      text(event.json)
        == #"{"event":"$AppClick","time":1767225600000,"distinct_id":"u1","event_id":"6bd8","#
        + #""properties":{"$title":"首页","n":9007199254740993,"list":[null,true,[]]},"lib":{"v":"1"}}"#)
    #expect(try AnalyticsEvent(json: event.json) == event)
    #expect(text(AnalyticsEvent().json) == "{}")
    #expect(text(AnalyticsEvent(["a": .number(DecimalNumber(0.1) ?? 0)]).json) == #"{"a":0.1}"#)
  }

  @Test(
    "Written values equal the read ones, in the shortest form",
    arguments: [
      (" { } ", "{}"),
      (#"{"a":[],"b":{},"c":[[],{}],"d":[{"e":1},2]}"#, #"{"a":[],"b":{},"c":[[],{}],"d":[{"e":1},2]}"#),
      (#"{"a":"\u0041\/\u0000\u001f\n\"\\\ud800"}"#, #"{"a":"A/\u0000\u001f\n\"\\�"}"#),
      (#"{"a":1.50e1}"#, #"{"a":15}"#),
      (#"{"a":1,"a":2}"#, #"{"a":1,"a":2}"#), (#"{"[":["{"]}"#, #"{"[":["{"]}"#),
    ] as [(String, String)])
  func roundTrip(json: String, expected: String) throws {
    #expect(text(try AnalyticsEvent(json: json).json) == expected)
  }

  @Test(
    "Input that is not an event says why",
    arguments: [
      ("", JSONError(.unexpectedEnd, at: 0)), (" [1]", JSONError(.notAnObject, at: 1)),
      ("{\"a\"}", JSONError(.expectedColon, at: 4)),
      ("{}{}", JSONError(.trailingText, at: 2)),
    ])
  func refused(json: String, error: JSONError) {
    #expect(throws: error) { try AnalyticsEvent(json: json) }
  }

  @Test("Text is compared by its bytes and numbers by their value")
  func equality() throws {
    #expect(EventValue.string("é") != .string("e\u{301}"))
    #expect(EventValue.list(["é"]) != .list(["e\u{301}"]))
    #expect(EventObject.Member(name: "é", value: nil) != EventObject.Member(name: "e\u{301}", value: nil))
    #expect(try EventValue(json: Array("[1.0,-0]".utf8)) == [1, 0])
    #expect(EventValue.number(1) != .string("1"))
    #expect(EventValue.null != .bool(false))
    #expect(Set<EventValue>([1, .number(DecimalNumber("10e-1") ?? 0), "1", ["a": 1], ["a": 1]]).count == 3)
  }

  @Test("The last of several members with one name counts, and setting leaves one")
  func subscripts() {
    var object: EventObject = ["a": 1, "b": 2]
    object.members.append(.init(name: "a", value: 3))
    #expect(object["a"] == 3)
    #expect(object["x"] == nil)
    object["a"] = 4
    #expect(object == ["b": 2, "a": 4])
    object["c"] = nil
    object["b"] = nil
    object["d"] = [:]
    #expect(object == ["a": 4, "d": [:]])
    object["d"] = .null
    #expect(object["d"] == .null)
  }

  @Test(
    "A value is put where a reference looks for it; objects on the way are kept or made, and other values there replaced",
    arguments: [
      ("{}", "a", #"{"properties":{"a":1}}"#),
      (#"{"properties":{"b":2,"a":3,"a":4},"c":5}"#, "a", #"{"properties":{"b":2,"a":1},"c":5}"#),
      (#"{"properties":7,"c":5}"#, "a", #"{"properties":{"a":1},"c":5}"#),
      (#"{"x":{"y":{"z":2}},"c":5}"#, "/x/y/a", #"{"x":{"y":{"z":2,"a":1}},"c":5}"#),
      (#"{"x":[2,3]}"#, "/x/0/a", #"{"x":[{"a":1},3]}"#), (#"{"x":[2]}"#, "/x/1", #"{"x":{"1":1}}"#),
      (#"{"a":2}"#, "/a", #"{"a":1}"#),
    ])
  func places(json: String, place: String, expected: String) throws {
    var event = try AnalyticsEvent(json: json)
    event.set(1, at: try #require(PropertyReference(parsing: place)))
    #expect(text(event.json) == expected)
  }

  @Test("Deep values are written and read without recursion, up to the limit of JSON texts")
  func depth() throws {
    let json = Array((String(repeating: "{\"a\":[", count: 256) + String(repeating: "]}", count: 256)).utf8)
    #expect(try AnalyticsEvent(json: json).json == json)
    #expect(throws: JSONError(.tooDeep(limit: 512), at: 512)) {
      _ = try EventValue(json: [UInt8](repeating: UInt8(ascii: "["), count: 600))
    }
  }
}
