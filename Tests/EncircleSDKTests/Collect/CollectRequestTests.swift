import EncircleEvents
import EncircleRules
import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleSDK

@Suite struct CollectRequestTests {
  private static let now: Int64 = 1_800_000_000_000

  private func contents(
    _ sdk: CollectProtocol, _ body: [UInt8], query: String? = nil, headers: [String: String] = [:]
  ) throws -> CollectContents {
    try CollectRequest(sdk, query: query) { headers[$0] }.contents(of: body, limit: 1 << 20)
  }

  private func contents(
    _ sdk: CollectProtocol, _ body: String, query: String? = nil, headers: [String: String] = [:]
  ) throws -> CollectContents {
    try contents(sdk, Array(body.utf8), query: query, headers: headers)
  }

  private func read(_ contents: CollectContents) -> CollectReader.Batch<CollectedEvent> {
    let fields = EventFields(style: contents.sdk.styles[0])
    let plan = CollectPlan(
      sdk: contents.sdk,
      places: [
        .event: fields.places(of: .event), .page: fields.places(of: .page), .distinctID: fields.places(of: .distinctID),
        .appVersion: fields.places(of: .appVersion),
      ], timePlaces: fields.places(of: .time),
      redacted: contents.keyPlaces.compactMap { PropertyReference(parsing: $0) })
    return CollectReader(plan).read(contents.json, receivedAt: Self.now, requestSentAt: contents.sentAt)
  }

  private func read(_ sdk: CollectProtocol, _ body: String) throws -> CollectReader.Batch<CollectedEvent> {
    read(try contents(sdk, body))
  }

  // MARK: - PostHog

  /// As posthog-ios sends it.
  private static let app =
    #"{"event":"$autocapture","distinct_id":"u1","timestamp":"2027-01-15T07:59:59.000Z","uuid":"0192-a","properties":"#
    + #"{"$screen_name":"Cart","$app_version":"5.2","$elements_chain":"UIButton:text=\"say \"hi\"\";UIView"}}"#

  /// As posthog-js sends it from its queue: without a time, with how long ago it was.
  private static let web =
    #"{"uuid":"0192-b","event":"$autocapture","properties":{"token":"phc_k","distinct_id":"u2","$pathname":"/cart"},"offset":2500}"#

  @Test(
    arguments: [
      (#"{"api_key":"phc_k","batch":[\#(app)],"sent_at":"2027-01-15T08:00:00.000Z"}"#, ["phc_k"], 1),
      (#"{"batch":[\#(app),\#(app)],"token":"phc_k"}"#, ["phc_k"], 2), (#"{"batch":[]}"#, [], 0),
      ("[\(web)]", ["phc_k"], 1), (web, ["phc_k"], 1),
      (#"{"api_key":"phc_k","event":"e","distinct_id":"u","properties":{}}"#, ["phc_k"], 1),
      (" \u{FEFF}".trimmingCharacters(in: .whitespaces) + #"{"batch":[\#(app)]}"#, [], 1), ("[]", [], 0),
    ] as [(String, [String], Int)])
  func `events are read from each form of PostHog's requests, with the key`(body: String, key: [String], count: Int)
    throws
  {
    let contents = try contents(.postHog, body)
    #expect(contents.key == key.first)
    let batch = read(contents)
    #expect(batch.events.count == count && batch.rejected == 0, "\(batch.rejects.map(\.reason))")
    #expect(
      batch.events.allSatisfy { !String(decoding: $0.kept, as: UTF8.self).contains("phc_k") }, "a key may be a token")
  }

  @Test func `bodies of PostHog are compressed, in Base64 or neither, as browsers and apps send them`() throws {
    let json = #"{"api_key":"phc_k","batch":[\#(Self.app)]}"#
    let zipped = gzip(Array(json.utf8))
    let form = "data=" + Data(json.utf8).base64EncodedString().replacing("+", with: "%2B").replacing("=", with: "%3D")
    for contents in [
      try contents(.postHog, json),
      try contents(.postHog, zipped, headers: ["Content-Encoding": "gzip", "Content-Type": "application/json"]),
      try contents(.postHog, zipped, query: "compression=gzip-js", headers: ["Content-Type": "text/plain"]),
      try contents(.postHog, zipped, headers: ["Content-Type": "text/plain"]),
      try contents(
        .postHog, form, query: "compression=base64", headers: ["Content-Type": "application/x-www-form-urlencoded"]),
    ] {
      #expect(contents.key == "phc_k")
      #expect(read(contents).events.map(\.fields) == [["$autocapture", "Cart", "u1", "5.2"]])
    }
    #expect(throws: CollectError.unknownEncoding("lz64")) {
      try self.contents(.postHog, "x", query: "compression=lz64")
    }
    for body in [Array(json.utf8), [0x1F, 0x8B, 0] + zipped.dropFirst(3)] as [[UInt8]] {
      #expect(throws: CollectError.damaged("it is not gzip")) {
        try self.contents(.postHog, body, headers: ["Content-Encoding": "gzip"])
      }
    }
  }

  @Test func `an event of PostHog without a time happened its offset before it arrived`() throws {
    let event = try #require(try read(.postHog, "[\(Self.web)]").events.first)
    #expect(event.time == Self.now - 2_500)
    #expect(try AnalyticsEvent(json: event.kept).members["timestamp"] == .number(DecimalNumber(Self.now - 2_500)))
    #expect(event.fields == ["$autocapture", "/cart", "u2", nil])
    for offset in ["-1", "1e300", "true", #""5""#] {
      let odd = Self.web.replacing("2500", with: offset)
      #expect(try read(.postHog, odd).events.map(\.time) == [Self.now], "\(offset)")
    }
  }

  @Test(arguments: [
    (#"{"batch":[E],"sent_at":"2027-01-15T06:59:59.500Z"}"#, nil), ("[E]", "sent_at=1799996399500"),
    ("[E]", "ip=1&_=1799996399500"),
  ])
  func `times are corrected by the time when PostHog's request was sent`(body: String, query: String?) throws {
    // The clock of the phone is an hour and half a second behind.
    let body = body.replacing("E", with: Self.app.replacing("07:59:59", with: "06:59:59"))
    #expect(read(try contents(.postHog, body, query: query)).events.map(\.time) == [1_799_999_999_500])
  }

  @Test func `repeats of PostHog are known by uuid, also without a time`() throws {
    func key(_ event: String) throws -> EventKey? { try read(.postHog, "[\(event)]").events.first?.key }
    #expect(try key(Self.app) != nil && key(Self.app) == key(Self.app))
    #expect(try key(Self.app) != key(Self.app.replacing("0192-a", with: "0192-c")))
    #expect(try key(Self.web) == key(Self.web.replacing("2500", with: "9000")), "sent again, later")
    #expect(try key(Self.web.replacing("uuid", with: "id")) == nil)
  }

  @Test func `a broken event of a batch costs neither another one nor the key, and keeps its line`() throws {
    let body = """
      {"sent_at": "x", "batch": [
        \(Self.app),
        {"event": NaN, "distinct_id": "u"},
        {"event": "e"}, 7,
        {"event": "e", "distinct_id": "u", "type": "capture", "properties": []}
      ], "api_key": "phc_k"}
      """
    let contents = try contents(.postHog, body)
    #expect(contents.key == "phc_k")
    let batch = read(contents)
    #expect(batch.events.count == 1)
    #expect(batch.rejects.map(\.line) == [3, 4, 4, 5])
    #expect(batch.rejects.map(\.code) == ["bad-json", "missing", "bad-json", "bad-value"])
    #expect(batch.rejects[1].reason == "distinct_id is missing")
  }

  @Test(arguments: [
    #"{"api_key":"k","batch":5}"#, #"{"batch":{"event":"e"}}"#, "7", "nonsense", #"{"batch":[{"event":"e","#, "{", "[",
    #"{"batch":["#, #"{"batch":[]}{"batch":[1]}"#,
  ])
  func `a body that is not a PostHog request is never lost without a reject`(body: String) throws {
    let batch = try read(.postHog, body)
    #expect(batch.events.isEmpty)
    #expect(batch.rejected > 0 || ["[", #"{"batch":["#].contains(body))
  }

  @Test(
    arguments: [
      (#"{"api_key":"phc_k","batch":[\#(app),\#(web)]}"#, "phc_k", 2),
      (#"{"api_key":"phc_k","batch":[\#(web)"#, "phc_k", 1),
      (#"{"api_key":"phc_k","batch":[\#(app),\#(web.dropLast())"#, "phc_k", 1),
      (#"{"api_key":"phc_k","batch":[{"event":"e","properties":{"token":"phc_k"}},\#(app)]}"#, "phc_k", 1),
      (#"[{"event":NaN,"properties":{"token":"phc_k"}},\#(web)]"#, "phc_k", 1),
      (#"[{"event":"e","distinct_id":"u","properties":{}},\#(web)]"#, "phc_k", 2),
      (#"[{"event":NaN,"properties":{"token":"phc_k"}}]"#, nil, 0), (#"{"batch":[\#(web.dropLast())"#, nil, 0),
      (#"{"api_key":"phc\/k","batch":[{"event":"e","distinct_id":"u","token":"phc\/k"}]}"#, "phc/k", 1),
    ] as [(String, String?, Int)])
  func `the key of PostHog's apps is kept with no event and no reject`(body: String, key: String?, count: Int) throws {
    let contents = try contents(.postHog, body)
    #expect(contents.key == key)
    let batch = read(contents)
    #expect(batch.events.count == count)
    for kept in batch.events.map(\.kept) + batch.rejects.map(\.text) {
      #expect(!String(decoding: kept, as: UTF8.self).contains("phc"))
    }
  }

  @Test func `if no PostHog event has the key, tokens and broken texts stay`() throws {
    let event = #"{"event":"e","distinct_id":"u","properties":{"token":"mine"}}"#
    let batch = try read(.postHog, #"{"api_key":"phc_k","batch":[\#(event),{"event":NaN}]}"#)
    #expect(batch.events.map(\.kept) == [Array(event.utf8)])
    #expect(batch.rejects.map(\.text) == [Array(#"{"event":NaN}"#.utf8)])
  }

  // MARK: - GrowingIO

  private static let click =
    #"{"eventType":"VIEW_CLICK","deviceId":"d1","timestamp":1799999999000,"eventSequenceId":18,"path":"/Cart","#
    + #""appVersion":"5.2","attributes":{},"xpath":"/A/UIButton","xcontent":"/0/1"}"#

  @Test func `events of GrowingIO are read where its SDKs write them, from a body or a query`() throws {
    let query =
      "stm=1800000000000&compress=0&data=" + "[\(Self.click)]".addingPercentEncoding(
        withAllowedCharacters: .alphanumerics)!
    for contents in [
      try contents(
        .growingIO, "[\(Self.click)]", query: "stm=1800000000000", headers: ["Content-Type": "application/json"]),
      try contents(.growingIO, gzip(Array("[\(Self.click)]".utf8))), try contents(.growingIO, "", query: query),
    ] {
      #expect(read(contents).events.map(\.fields) == [["VIEW_CLICK", "/Cart", "d1", "5.2"]])
      #expect(read(contents).events.map(\.time) == [1_799_999_999_000])
    }
    let late = try contents(.growingIO, "[\(Self.click)]", query: "stm=1799996400000")
    #expect(read(late).events.map(\.time) == [1_799_999_999_000 + 3_600_000], "the clock is an hour behind")
  }

  @Test func `repeats of GrowingIO are known by eventSequenceId, and what an event must have is named by its members`()
    throws
  {
    func key(_ event: String) throws -> EventKey? { try read(.growingIO, "[\(event)]").events.first?.key }
    #expect(try key(Self.click) != nil && key(Self.click) == key(Self.click))
    #expect(try key(Self.click) != key(Self.click.replacing("18,", with: "19,")))
    let batch = try read(.growingIO, #"[{"deviceId":"d"},{"eventType":"VISIT"},{"eventType":"VISIT","deviceId":"d"}]"#)
    #expect(batch.rejects.map(\.reason) == ["eventType is missing", "deviceId is missing"])
    #expect(batch.events.count == 1)
  }

  @Test(
    arguments: [
      ("[]", nil, ["X-Crypt-Codec": "1"], .encrypted("X-Crypt-Codec=1")),
      ("[]", nil, ["X-Compress-Codec": "2"], .unknownEncoding("compress=2")),
      ("[]", "stm=1&compress=1", [:], .unknownEncoding("compress=1")),
      ("[]", nil, ["Content-Type": "application/protobuf"], .unknownEncoding("application/protobuf")),
      ("[]", nil, ["Content-Encoding": "br"], .unknownEncoding("br")),
      ("\u{A}\u{12}a\u{12}b", nil, [:], .damaged(notJSON)), ("", "stm=1", [:], .noEvents),
    ] as [(String, String?, [String: String], CollectError)])
  func `packed or encrypted bodies of GrowingIO's SDKs are refused, whether marked or not`(
    body: String, query: String?, headers: [String: String], error: CollectError
  ) throws {
    #expect(throws: error) { try contents(.growingIO, body, query: query, headers: headers) }
  }

  private static let notJSON =
    "it is not JSON; events that are packed, encrypted or in Protocol Buffers cannot be read"

  // MARK: - Answers

  @Test(
    arguments: [
      (.sensors, "", [200, 400, 401, 413, 429], 503), (.sensors, "", [403, 404, 500, 503], nil),
      (.growingIO, "", [200, 204, 413], 503), (.growingIO, "", [400, 401, 403, 404, 429, 500, 503], nil),
      (.postHog, "", [200, 400, 401, 403, 404, 429], 503), (.postHog, "", [413, 500, 502, 503, 504], nil),
      (.postHog, "posthog-node/5.1", [403], 503), (.postHog, "posthog-ios/3.50.0", [403, 429, 500, 503], 300),
      (.postHog, "posthog-android/3.9.0", [403, 503], 300), (.postHog, "posthog-flutter/5.0", [503], 300),
      (.postHog, "posthog-ios/3.50.0", [413], nil),
    ] as [(CollectProtocol, String, [Int], Int?)])
  func `the status of a failure stays where the SDK keeps its events then, by its own sources`(
    sdk: CollectProtocol, userAgent: String, failures: [Int], instead: Int?
  ) {
    for status in failures {
      #expect(sdk.keepingStatus(for: status, userAgent: userAgent) == instead ?? status, "\(status)")
    }
  }

  @Test func `an excerpt of what a request says of itself is short`() {
    let long = String(repeating: "x", count: 10_000)
    #expect(throws: CollectError.unknownEncoding(String(repeating: "x", count: 30))) {
      try self.contents(.postHog, "[]", query: "compression=\(long)")
    }
  }
}
