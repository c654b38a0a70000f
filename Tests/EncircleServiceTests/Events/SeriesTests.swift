import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleService

/// `GET /v1/reports/series`, compared with a count that looks at every event for each number.
@Suite struct SeriesTests {
  private static let hour = 3_600_000
  private static let elements = ["a", "b"].map { String(repeating: $0, count: 64) }

  /// An event, as it is sent and as it is counted by hand.
  private struct Sample {
    var time: Int
    var event: String
    var person: String
    var page: String
    var version: String
    var content: String?
    var price: Int?
    var element: String?

    func json(_ number: Int) -> [String: Any] {
      var properties: [String: Any] = ["$screen_name": page, "$app_version": version]
      properties["$element_content"] = content
      properties["price"] = price
      var json: [String: Any] = [
        "event": event, "type": "track", "distinct_id": person, "_track_id": number, "time": time,
        "properties": properties,
      ]
      json["event_id"] = element
      return json
    }

    /// What the rules below say of it.
    var rules: Set<String> {
      var rules: Set<String> = []
      if event == "$AppClick" { rules.insert("taps") }
      if page == "Home" { rules.insert("home") }
      if version == "1.0" { rules.insert("no.old") }
      return rules
    }

    func value(_ place: String) -> [String] {
      switch place {
      case "rule": rules.isEmpty ? [""] : Array(rules)
      case "event": [event]
      case "page": [page]
      case "app_version": [version]
      case "$element_content", "content": [content ?? ""]
      case "price", "/properties/price": [price.map(String.init) ?? ""]
      default: []
      }
    }

    func isOf(_ subject: [String: String]) -> Bool {
      if let rule = subject["rule"] { return rules.contains(rule) }
      if let name = subject["event"] { return event == name }
      if let id = subject["event_id"] { return element == id }
      return true
    }
  }

  private static let rules = """
    version: 1
    rules:
      - { id: taps, include: { event: $AppClick } }
      - { id: home, include: { page: Home } }
      - { id: no.old, exclude: { where: { $app_version: "1.0" } } }
    """

  private static func samples(_ count: Int, seed: UInt64, now: Int) -> [Sample] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      Sample(
        time: now - Int.random(in: 0..<(9 * 24 * hour), using: &random),
        event: ["$AppClick", "$AppClick", "$AppViewScreen", "购买"].randomElement(using: &random)!,
        person: "u\(Int.random(in: 0..<40, using: &random))",
        page: ["Home", "Cart", "Mine"].randomElement(using: &random)!,
        version: ["1.0", "2.0"].randomElement(using: &random)!,
        content: Bool.random(using: &random) ? nil : "第\(Int.random(in: 0..<30, using: &random))项\"/",
        price: Bool.random(using: &random) ? nil : Int.random(in: 0..<9, using: &random),
        element: [elements[0], elements[1], nil].randomElement(using: &random)!)
    }
  }

  private static func filled(_ samples: [Sample]) async throws -> RunningService {
    let service = try RunningService()
    let published = try await service.send(
      "PUT", "/v1/rulesets/default", headers: ["If-Match": "*"], body: Data(rules.utf8))
    try #require(published.status == 200, "\(published.text)")
    let answer = try await service.post("/v1/collect", json: samples.enumerated().map { $1.json($0) })
    try #require(answer.object["stored"] as? Int == samples.count, "\(answer.text)")
    return service
  }

  /// One row of an answer, as text: what it is of, its totals and its numbers by bucket.
  private static func line(_ row: [String: Any]) -> String {
    func numbers(_ part: [String: Any]) -> String {
      let total = part["total"] as? [String: Any] ?? [:]
      return "\(total["events"] ?? "?")/\(total["people"] ?? "?") \(part["events"] ?? "?") \(part["people"] ?? "?")"
    }
    let subject = ["rule", "event", "event_id"].compactMap { row[$0] as? String }.joined()
    let value = row["rest"] as? Bool == true ? "(rest)" : row["value"] as? String ?? "-"
    let before = (row["previous"] as? [String: Any]).map { " before " + numbers($0) } ?? ""
    return "\(subject) \(value) \(numbers(row))\(before)".split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The same rows, counted event by event for each number.
  private static func expected(
    _ samples: [Sample], _ subjects: [[String: String]], from start: Int, length: Int, buckets: Int, before: Bool,
    by place: String?
  ) -> [String] {
    func numbers(_ events: [Sample], from start: Int) -> String {
      let parts = (0..<buckets).map { bucket in
        events.filter { ((start + bucket * length)..<(start + (bucket + 1) * length)).contains($0.time) }
      }
      let people = parts.map { Set($0.map(\.person)).count }
      let all = parts.flatMap { $0 }
      return "\(all.count)/\(Set(all.map(\.person)).count) \(parts.map(\.count)) \(people)"
    }
    func row(_ name: String, _ value: String, _ events: [Sample]) -> String {
      let more = before ? " before " + numbers(events, from: start - buckets * length) : ""
      return "\(name) \(value) \(numbers(events, from: start))\(more)"
    }
    let current = start..<start + buckets * length
    let all = (before ? start - buckets * length : start)..<current.upperBound
    let looked = samples.filter { all.contains($0.time) }
    let ranked: [String] =
      place.map { place in
        var counts: [String: (Int, Int)] = [:]
        for event in looked where subjects.contains(where: event.isOf) {
          for value in event.value(place) {
            counts[value, default: (0, 0)].1 += 1
            if current.contains(event.time) { counts[value, default: (0, 0)].0 += 1 }
          }
        }
        return counts.sorted { a, b in
          (b.value.0, b.value.1, a.key) < (a.value.0, a.value.1, b.key)
        }.map(\.key)
      } ?? []
    return subjects.flatMap { subject -> [String] in
      let own = looked.filter { $0.isOf(subject) }
      let name = subject.values.joined()
      guard let place else { return [row(name, "-", own)] }
      let top = ranked.prefix(12).map { value in (value, own.filter { $0.value(place).contains(value) }) }
      // Somebody with several rare values counts once; so does an event.
      let rest = own.filter { !Set($0.value(place)).isDisjoint(with: ranked.dropFirst(12)) }
      return (top + [("(rest)", rest)]).filter { !$1.isEmpty }.map { row(name, $0, $1) }
    }.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  }

  @Test(
    .articles("H55"),
    arguments: [
      ("", nil as String?, 1 as UInt64), ("rule=taps&rule=home&rule=no.old&rule=none", nil, 2),
      ("event=$AppClick&event=%E8%B4%AD%E4%B9%B0", nil, 3), ("event_id=\(elements[0])&rule=taps", nil, 4),
      ("rule=taps", "app_version", 5), ("", "rule", 6), ("event=$AppClick&rule=home", "$element_content", 7),
      ("", "content", 8), ("event_id=\(elements[1])", "/properties/price", 9), ("rule=no.old", "price", 10),
      ("rule=taps", "page", 11),
    ])
  func `every number equals a slow count over random events`(
    subjects: String, by: String?, seed: UInt64
  ) async throws {
    let now = Int(Date().timeIntervalSince1970 * 1_000)
    let samples = Self.samples(600, seed: seed, now: now)
    let service = try await Self.filled(samples)
    let names = subjects.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=").map { String($0).removingPercentEncoding ?? "" }
      return [parts[0]: parts[1]]
    }
    for (interval, length) in [("hour", Self.hour), ("day", 24 * Self.hour)] {
      for before in [false, true] {
        let days = interval == "hour" ? 1 : 4
        let end = (now / length + 1) * length
        let query =
          "interval=\(interval)&from=\(end - days * 24 * Self.hour)&to=\(end)"
          + (before ? "&compare=previous" : "") + (by.map { "&by=\($0)" } ?? "") + "&\(subjects)"
        let answer = try await service.get("/v1/reports/series?\(query)")
        let rows = try #require(answer.object["series"] as? [[String: Any]], "\(answer.text)")
        let expected = Self.expected(
          samples, names.isEmpty ? [[:]] : names, from: end - days * 24 * Self.hour, length: length,
          buckets: days * 24 * Self.hour / length, before: before, by: by)
        #expect(rows.map(Self.line) == expected, "\(query), seed \(seed)")
        let isOfElement = subjects.contains("event_id")
        #expect(
          answer.object["counted"] as? String == (by == nil && !isOfElement ? "when-stored" : "one-by-one"), "\(query)")
        #expect(answer.object["people_exact"] as? Bool == true)
        #expect(answer.object["complete"] as? Bool == true)
      }
    }
  }

  @Test(.articles("H55")) func `conditions leave out events, by any place`() async throws {
    let now = Int(Date().timeIntervalSince1970 * 1_000)
    let samples = Self.samples(400, seed: 77, now: now)
    let service = try await Self.filled(samples)
    let start = (now / (24 * Self.hour) - 12) * 24 * Self.hour
    func total(_ query: String) async throws -> Int? {
      let answer = try await service.get("/v1/reports/series?interval=day&from=\(start)&event=$AppClick&\(query)")
      return (((answer.object["series"] as? [[String: Any]])?.first)?["total"] as? [String: Any])?["events"] as? Int
    }
    let taps = samples.filter { $0.event == "$AppClick" }
    #expect(try await total("where=page%3DHome") == taps.count { $0.page == "Home" })
    #expect(try await total("page=Home") == taps.count { $0.page == "Home" })
    #expect(try await total("where=page!%3DHome") == taps.count { $0.page != "Home" })
    #expect(try await total("where=rule%3Dno.old") == taps.count { $0.version == "1.0" })
    #expect(try await total("where=rule!%3Dno.old") == taps.count { $0.version == "2.0" })
    #expect(try await total("where=price%3D3") == taps.count { $0.price == 3 })
    #expect(try await total("where=price!%3D3") == taps.count { $0.price != 3 })
    #expect(try await total("where=price%3D") == taps.count { $0.price == nil })
    #expect(
      try await total("where=$element_content%3D%E7%AC%AC3%E9%A1%B9%22/") == taps.count { $0.content == "第3项\"/" })
    #expect(
      try await total("where=page%3DHome&where=app_version%3D2.0")
        == taps.count { $0.page == "Home" && $0.version == "2.0" })
    #expect(try await total("distinct_id=u3") == taps.count { $0.person == "u3" })
    #expect(try await total("selected=true") == taps.count { $0.version == "2.0" })
    #expect(try await total("project=default") == taps.count)
    #expect(try await total("project=other") == 0)
  }

  @Test func `wrong questions are refused with the parameter that is wrong`() async throws {
    let service = try RunningService()
    for (query, parameter) in [
      ("interval=month", "interval"), ("by=/a~2", "by"), ("where=page", "where"), ("where=%3Dx", "where"),
      ("event_id=12", "event_id"), ("from=yesterday", "from"), ("interval=hour&days=100", "from"),
      ("from=2026-11-24&to=2026-11-23", "from"), ("compare=other", "compare"), ("format=xml", "format"),
      ((0..<13).map { "rule=r\($0)" }.joined(separator: "&"), "rule"),
      ((0..<9).map { "where=a%3D\($0)" }.joined(separator: "&"), "where"),
    ] {
      let answer = try await service.get("/v1/reports/series?\(query)")
      #expect(answer.status == 400, "\(query): \(answer.text)")
      let location = (answer.object["error"] as? [String: Any])?["location"] as? [String: Any]
      #expect(location?["parameter"] as? String == parameter, "\(query): \(answer.text)")
    }
    #expect(try await service.get("/v1/reports/series?ruleset=none").status == 404)
  }

  @Test(arguments: [
    ("from=0001-01-01&to=0001-01-02", 200), ("from=0001-01-01&to=0001-01-02&compare=previous", 400),
    ("from=0000-12-31&to=0001-01-01", 400), ("from=-8640000000000000&to=-8639999999999999", 400),
    ("from=9999-12-30&to=9999-12-31", 200), ("from=9999-12-31&to=9999-12-31T01:00:00Z", 400),
    ("from=8639999999999999&to=8640000000000000", 400),
  ])
  func `a period lies in the years 1 to 9999, as the times of its buckets do`(query: String, status: Int) async throws {
    let answer = try await RunningService().get("/v1/reports/series?interval=day&\(query)")
    #expect(answer.status == status && (status == 200 || answer.errorCode == "bad-parameter"), "\(answer.text)")
  }

  @Test(arguments: [
    ("from=9999-12-01", "from must be earlier than now."),
    ("from=2026-11-24&to=2026-11-24", "from must be earlier than to."),
    ("from=1026-11-24", "The period must have at most 1000 buckets: choose a longer interval, or other times."),
  ])
  func `a period without buckets, or with too many, is refused with the reason`(query: String, message: String)
    async throws
  {
    let answer = try await RunningService().get("/v1/reports/series?interval=day&\(query)")
    let error = answer.object["error"] as? [String: Any]
    #expect(answer.status == 400 && error?["message"] as? String == message, "\(answer.text)")
  }

  @Test func `buckets of centuries ago have the dates that the question names`() async throws {
    let answer = try await RunningService().get("/v1/reports/series?interval=day&from=1500-01-01&to=1500-01-03").object
    #expect(answer["times"] as? [String] == ["1500-01-01T00:00:00.000Z", "1500-01-02T00:00:00.000Z"])
  }

  @Test func `results can be downloaded as a table without formulas in its cells`() async throws {
    let service = try RunningService()
    let contents = ["=1+1", "a,b \"c\"", "第一项"]
    let events = contents.enumerated().map {
      CollectTests.event($0, ["event": "=tap", "properties": ["$element_content": $1]])
    }
    #expect(try await service.post("/v1/collect", json: events).status == 200)
    let query = "/v1/reports/series?days=1&interval=day&event=%3Dtap&by=content&compare=previous"
    let table = try await service.get(query + "&format=csv")
    #expect(table.headers["content-type"] == "text/csv; charset=utf-8")
    let lines = table.text.split(separator: "\r\n").map(String.init)
    #expect(lines.first == "time,rule,event,event_id,value,events,people,previous_events,previous_people")
    let day = String(EventText.time(EventLibrary.now / 86_400_000 * 86_400_000))
    let rows = ["\"a,b \"\"c\"\"\"", "'=1+1", "第一项"].map { "\(day),,'=tap,,\($0),1,1,0,0" }
    #expect(lines.dropFirst().sorted() == rows)
    #expect(try await service.get(query, headers: ["Accept": "text/csv"]).text == table.text)
    let refused = try await service.get(query, headers: ["Accept": "application/json, text/csv;q=0"])
    #expect(refused.headers["content-type"] == "application/json; charset=utf-8")
  }

  @Test func `weeks begin on Mondays, and by default a period ends now`() async throws {
    let service = try RunningService()
    let answer = try await service.get("/v1/reports/series?interval=week&from=2026-11-25&to=2026-12-08").object
    #expect(
      answer["times"] as? [String] == [
        "2026-11-23T00:00:00.000Z", "2026-11-30T00:00:00.000Z", "2026-12-07T00:00:00.000Z",
      ])
    #expect((answer["period"] as? [String: String])?["to"] == "2026-12-14T00:00:00.000Z")
    for (query, count) in [("", 7), ("days=2", 48), ("days=1&interval=day", 1), ("days=30", 30)] {
      let times = try await service.get("/v1/reports/series?\(query)").object["times"] as? [String]
      #expect(times?.count == count, "\(query)")
    }
  }
}
