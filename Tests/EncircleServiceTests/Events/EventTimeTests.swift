import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleService

/// When events happened, and who caused them, by what events of other styles and requests say.
@Suite struct EventTimeTests {
  private func put(_ rules: String, as name: String = "default", _ service: RunningService) async throws {
    let put = try await service.send(
      "PUT", "/v1/rulesets/\(name)?reason=test", headers: ["If-Match": "*", "Content-Type": "application/json"],
      body: Data(rules.utf8))
    #expect(put.status == 200, "\(put.text)")
  }

  private func times(_ service: RunningService) async throws -> [String] {
    let events = try await service.get("/v1/events?limit=10").object["events"] as? [[String: Any]] ?? []
    return events.compactMap { $0["time"] as? String }
  }

  @Test func `an event's time is read from the place in the fields of the rule set`() async throws {
    let service = try RunningService()
    try await put(
      #"{"version":1,"fields":{"time":"/eventTime"},"rules":[{"id":"a","include":{"event":"A"}}]}"#, service)
    let event = #"{"event":"A","distinct_id":"u","eventTime":"2026-03-01T08:00:00Z"}"#
    #expect(try await service.send("POST", "/v1/collect", body: Data(event.utf8)).status == 200)
    #expect(try await times(service) == ["2026-03-01T08:00:00.000Z"])
  }

  @Test func `a rule set without a publication does not determine times where a published one does`() async throws {
    let service = try RunningService()
    try await put(#"{"version":1,"fields":{"time":"/eventTime"},"rules":[]}"#, as: "shop", service)
    let event = #"{"event":"A","distinct_id":"u","time":"2026-03-02T08:00:00Z","eventTime":"2026-03-01T08:00:00Z"}"#
    #expect(try await service.send("POST", "/v1/collect", body: Data(event.utf8)).status == 200)
    #expect(try await times(service) == ["2026-03-01T08:00:00.000Z"])
    try await put(#"{"version":1,"rules":[]}"#, service)
    #expect(try await service.send("POST", "/v1/collect", body: Data(event.utf8)).status == 200)
    #expect(try await times(service).first == "2026-03-02T08:00:00.000Z")
  }

  private static func date(_ seconds: Int) -> String {
    Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601.year().month().day())
  }

  @Test func `a time in a query is read completely or refused`() async throws {
    let service = try RunningService()
    // Yesterday: what is older than events are kept counts as of now.
    let midnight = Int(Date.now.timeIntervalSince1970) / 86_400 * 86_400
    let time = (midnight - 43_200) * 1_000
    let (day, next) = (Self.date(midnight - 43_200), Self.date(midnight))
    let event = #"{"event":"A","distinct_id":"u","time":\#(time)}"#
    #expect(try await service.send("POST", "/v1/collect", body: Data(event.utf8)).status == 200)
    for (from, count) in [
      (day, 1), (next, 0), ("\(day)T12:00:00Z", 1), ("\(day)T12:00:00.001Z", 0), ("\(day)T20:00:00%2B08:00", 1),
      ("\(day)T20:00:01%2B0800", 0), ("\(day)%2012:00:00", 1), ("\(day)T12:01", 0), ("\(time)", 1), ("\(time + 1)", 0),
      // As in events, numbers of this size are seconds.
      ("\(time / 1_000)", 1), ("\(time / 1_000 + 1)", 0), ("0", 1), ("-1", 1),
      // The plus sign of an offset is a space in a query.
      ("\(day)T20:00:00+08:00", nil), ("\(day)xyz", nil), ("2026-02-30", nil), ("\(day)T25:00:00Z", nil),
      ("\(day)T12", nil), ("", nil), ("20260301", nil), ("2026", nil),
    ] as [(String, Int?)] {
      let answer = try await service.get("/v1/events?from=\(from)")
      #expect(answer.status == (count == nil ? 400 : 200), "\(from)")
      #expect((answer.object["events"] as? [Any])?.count == count, "\(from)")
    }
  }

  @Test(arguments: ["/v1/events?", "/v1/reports/counts?by=hour&", "/v1/reports/series?"])
  func `a period that ends before it begins is refused with a reason`(path: String) async throws {
    let service = try RunningService()
    let answer = try await service.get("\(path)from=2026-11-24&to=2026-11-23")
    let error = try #require(answer.object["error"] as? [String: Any])
    #expect(answer.status == 400 && error["message"] as? String == "from must not be later than to.", "\(answer.text)")
  }

  @Test(.articles("W27"))
  func `the date of a request corrects the times of events without a time of sending`() async throws {
    let service = try RunningService()
    // The clock of the device is an hour behind, and the event a minute old.
    let now = Int64(Date().timeIntervalSince1970) * 1_000
    let event = #"{"event":"A","distinct_id":"u","time":\#(now - 3_660_000)}"#
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    let date = format.string(from: Date(timeIntervalSince1970: Double(now - 3_600_000) / 1_000))
    let answer = try await service.send("POST", "/v1/collect", headers: ["Date": date], body: Data(event.utf8))
    #expect(answer.status == 200)
    let events = try await service.get("/v1/events").object["events"] as? [[String: Any]]
    let stored = try #require(events?.first?["event_json"] as? [String: Any])
    let correction = try #require(stored["_time_correction"] as? Int64)
    // From the date of the request to its arrival.
    #expect(correction >= 3_600_000)
    #expect(stored["time"] as? Int64 == now - 3_660_000 + correction)
  }

  @Test func `the user of HubbleData's events is their device, and a tap has a name and a page`() async throws {
    let service = try RunningService()
    try await put(
      #"{"version":1,"style":"hubbledata","rules":[{"id":"tap","include":{"event":"$AppClick"}}]}"#, service)
    let taps = ["d1", "d1", "d2"].map {
      #"{"eventId":"\#(String(repeating: "a", count: 64))","type":"buttonEvent","deviceUdid":"\#($0)","attributes":{"type":"buttonEvent","page":"Shop"}}"#
    }
    let body = Data(taps.joined(separator: "\n").utf8)
    #expect(try await service.send("POST", "/v1/collect", body: body).status == 200)
    let rows = try await service.get("/v1/reports/counts?by=page").object["rows"] as? [[String: Any]]
    #expect(rows?.first?["key"] as? String == "Shop")
    #expect(rows?.first?["events"] as? Int == 3)
    #expect(rows?.first?["people"] as? Int == 2)
    let events = try await service.get("/v1/events").object["events"] as? [[String: Any]]
    #expect(events?.first?["event"] as? String == "$AppClick")
    #expect(events?.first?["distinct_id"] as? String == "d2")
  }
}
