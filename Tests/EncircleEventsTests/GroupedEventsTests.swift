import Testing

@testable import EncircleEvents

/// Messages of GrowingIO with several taps in one.
@Suite struct GroupedEventsTests {
  @Test(
    "a grouped event becomes one event for each item, which has what stands beside the list",
    arguments: [
      (
        #"{"t":"clck","p":"A","e":[{"x":"/B","idx":"1"},7,{"x":"/C","p":"D"}]}"#,
        [#"{"t":"clck","p":"A","x":"/B","idx":"1"}"#, #"{"t":"clck","x":"/C","p":"D"}"#]
      ),
      (#"{"e":[{"e":[{"a":1}]}]}"#, [#"{"e":[{"a":1}]}"#]), (#"{"t":"x","e":[{}]}"#, [#"{"t":"x"}"#]),
    ])
  func grouped(message: String, expected: [String]) throws {
    #expect(Self.texts(try AnalyticsEvent(json: message)) == expected)
  }

  @Test(
    "a single event stays as it is",
    arguments: ["{}", #"{"t":"clck","x":"/B"}"#, #"{"e":[]}"#, #"{"e":[1]}"#, #"{"e":{"a":1}}"#])
  func single(message: String) throws {
    let event = try AnalyticsEvent(json: message)
    #expect(GroupedEvents.events(of: event) == [event])
  }

  @Test("events made from one message are bounded by items and by members")
  func bounds() throws {
    let items = EventValue.list(Array(repeating: ["x": 1], count: GroupedEvents.maximumCount + 5))
    let small = AnalyticsEvent(["t": "a", "e": items])
    #expect(GroupedEvents.events(of: small).count == GroupedEvents.maximumCount)
    let members = (0..<10_000).map { EventObject.Member(name: "m\($0)", value: 1) }
    let wide = AnalyticsEvent(EventObject(members + [.init(name: "e", value: items)]))
    #expect(GroupedEvents.events(of: wide).count == GroupedEvents.maximumMembers / 10_000)
  }

  @Test(
    "and by the bytes of all events, with what stands beside the list in each", arguments: [0, 29, 30, 59, 60, 1_000])
  func bytes(limit: Int) throws {
    let message = try AnalyticsEvent(json: #"{"t":"0123456789012345","e":[{"x":1},{"x":2},{"x":3}]}"#)
    let all = GroupedEvents.events(of: message)
    #expect(all.map(\.json.count) == [30, 30, 30])
    #expect(GroupedEvents.events(of: message, sizeLimit: limit) == Array(all.prefix(limit / 30)))
  }

  private static func texts(_ event: AnalyticsEvent) -> [String] {
    GroupedEvents.events(of: event).map { String(decoding: EventValue.object($0.members).json, as: UTF8.self) }
  }
}
