import EncircleIdentity
import EncircleTestSupport
import Foundation
import Testing

/// Tapped elements without a rule, from the counters of stored events.
@Suite struct CoverageTests {
  private static let capture = """
    <viewTree version="1" app="shop" appVersion="1.0" screen="200 300"><view class="UIWindow" frame="0 0 200 300">
      <view class="UIView" controller="Home" controllerTitle="Shop" frame="0 0 200 300">
        <view class="UIButton" title="Buy" frame="0 0 50 50"/><view class="HelpButton" superclasses="UIButton" title="Help" frame="0 60 50 50"/>
      </view></view></viewTree>
    """

  private static func rules(_ more: String = "") -> Data {
    Data("version: 1\nrules:\n  - { id: buy, include: { page: Home, selector: UIButton } }\n\(more)".utf8)
  }

  @Test func `counters and the current rules show the elements without a rule`() async throws {
    let service = try RunningService()
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=x", headers: ["If-Match": "*"], body: Self.rules())
    #expect([200, 201].contains(put.status), "\(put.text)")
    let stored = try await service.send("POST", "/v1/captures?name=home.xml", body: Data(Self.capture.utf8))
    let id = try #require((stored.object["capture"] as? [String: Any])?["id"] as? String, "\(stored.text)")
    let elements = try await service.get("/v1/captures/\(id)/elements").object["elements"] as? [[String: Any]] ?? []
    func eventID(_ number: Int) throws -> String {
      try #require(elements.first { $0["element"] as? Int == number }?["event_id"] as? String)
    }
    let unknown = String(repeating: "a", count: 64)
    let taps = try [eventID(2), eventID(3), eventID(3), unknown, unknown, unknown]
    for (number, tap) in taps.enumerated() {
      let event = CollectTests.event(number, ["event_id": tap, "properties": ["$screen_name": "Home"]])
      let query = number < 4 ? "" : "?project=chat"
      #expect(try await service.post("/v1/collect\(query)", json: [event]).status == 200)
    }

    func counts(_ query: String) async throws -> (taken: Int?, open: Int?, texts: [String]) {
      let answer = try await service.get("/v1/coverage?\(query)")
      #expect(answer.status == 200, "\(answer.text)")
      let taps = answer.object["taps"] as? [String: Any]
      let open = answer.object["open"] as? [[String: Any]] ?? []
      return (taps?["taken"] as? Int, taps?["open"] as? Int, open.map { $0["text"] as? String ?? "" })
    }
    #expect(try await counts("") == (1, 5, ["", "Help"]), "the most tapped first")
    #expect(try await counts("project=chat") == (0, 2, ["", "Help"]))
    let answer = try await service.get("/v1/coverage").object
    let help = (answer["open"] as? [[String: Any]])?.last
    #expect(help?["capture"] as? String == id && help?["element"] as? Int == 3)
    #expect((answer["screens"] as? [[String: Any]])?.first?["title"] as? String == "Shop")
    #expect(try await service.get("/v1/coverage?ruleset=none").status == 404)
    #expect(try await service.get("/v1/coverage?draft=maybe").status == 400)

    let more = "  - { id: help, include: { page: Home, selector: HelpButton } }\n"
    let draft = try await service.send(
      "PUT", "/v1/rulesets/default/draft", headers: ["If-None-Match": "*"], body: Self.rules(more))
    #expect([200, 201].contains(draft.status), "\(draft.text)")
    #expect(try await counts("draft=true") == (3, 3, [""]), "rules of the draft count for taps that came before them")
    #expect(try await counts("draft=false") == (1, 5, ["", "Help"]))
  }

  @Test func `taps excluded by version or page count as excluded, even on an element that rules take`() async throws {
    let service = try RunningService()
    let old = "  - { id: old, exclude: { where: { $app_version: \"0.9\" } } }\n"
    let rules = Data("pages: { exclude: [Login] }\n".utf8) + Self.rules(old)
    let put = try await service.send("PUT", "/v1/rulesets/default?reason=x", headers: ["If-Match": "*"], body: rules)
    #expect([200, 201].contains(put.status), "\(put.text)")
    let stored = try await service.send("POST", "/v1/captures?name=home.xml", body: Data(Self.capture.utf8))
    let id = try #require((stored.object["capture"] as? [String: Any])?["id"] as? String, "\(stored.text)")
    let elements = try await service.get("/v1/captures/\(id)/elements").object["elements"] as? [[String: Any]] ?? []
    let ids = elements.filter { [2, 3].contains($0["element"] as? Int) }.compactMap { $0["event_id"] as? String }
    try #require(ids.count == 2)
    var taps: [(id: String, page: String, version: String)] = []
    for id in ids + [String(repeating: "a", count: 64)] {
      for version in ["1.0", "0.9", "0.9"] { taps.append((id, "Home", version)) }
    }
    taps.append((String(repeating: "b", count: 64), "Login", "1.0"))
    let events = taps.enumerated().map { number, tap in
      CollectTests.event(
        number, ["event_id": tap.id, "properties": ["$screen_name": tap.page, "$app_version": tap.version]])
    }
    // In two transactions, as counters add up.
    for part in [events[..<4], events[4...]] {
      #expect(try await service.post("/v1/collect", json: Array(part)).status == 200)
    }
    for query in ["", "?project=default"] {
      let found = try await service.get("/v1/coverage\(query)").object["taps"] as? [String: Any] ?? [:]
      let counts = ["taken", "open", "excluded", "excluded_page"].map { found[$0] as? Int }
      #expect(counts == [1, 2, 6, 1], "\(found)")
    }
  }

  @Test func `an element that is set aside counts for neither side and can be restored`() async throws {
    let service = try RunningService()
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=x", headers: ["If-Match": "*"], body: Self.rules())
    #expect([200, 201].contains(put.status), "\(put.text)")
    let stored = try await service.send("POST", "/v1/captures?name=home.xml", body: Data(Self.capture.utf8))
    #expect([200, 201].contains(stored.status), "\(stored.text)")
    let path = "/v1/rulesets/default/set-aside"
    func set(_ body: [String: Any]) async throws -> HTTPAnswer { try await service.post(path, json: body) }
    func lists() async throws -> [[String]] {
      let coverage = try await service.get("/v1/coverage").object
      return ["open", "set_aside"].map { name in
        (coverage[name] as? [[String: Any]] ?? []).map { "\($0["text"] ?? "") \($0["reason"] ?? "")" }
      }
    }
    #expect(try await lists() == [["Help "], []])
    let open = try await service.get("/v1/coverage").object["open"] as? [[String: Any]]
    let selector = try #require(open?.first?["selector"] as? String)
    let answer = try await set(["clause": ["page": "Home", "selector": selector], "reason": "Opens a page."])
    let id = try #require(answer.object["id"] as? Int, "\(answer.text)")
    #expect(answer.status == 201)
    #expect(try await lists() == [[], ["Help Opens a page."]])
    let items = try await service.get(path).object["items"] as? [[String: Any]]
    #expect(items?.count == 1 && items?.first?["reason"] as? String == "Opens a page.", "\(items ?? [])")

    #expect(try await set(["clause": [:], "reason": "x"]).status == 422, "it would set all aside")
    #expect(try await set(["clause": ["page": "Home"]]).status == 422)
    #expect(try await set(["clause": ["page": "Home"], "reason": ""]).status == 422)
    #expect(try await set(["clause": ["selector": "((("], "reason": "x"]).status == 422)
    #expect(try await set(["clause": ["pge": "Home"], "reason": "x"]).status == 422)
    #expect(try await set(["clause": ["page": "Home"], "reason": "x", "id": 3]).status == 422)
    #expect(
      try await service.post("/v1/rulesets/none/set-aside", json: ["clause": ["page": "A"], "reason": "x"]).status
        == 404)
    #expect(try await service.get("/v1/rulesets/none/set-aside").status == 404)
    #expect(try await service.send("DELETE", path + "/999").status == 404)
    #expect(try await service.send("DELETE", path + "/\(id)").status == 204)
    #expect(try await lists() == [["Help "], []])
  }

  @Test func `an item that the rules can no longer read says why and leaves the others set aside`() async throws {
    let service = try RunningService()
    func put(_ rules: Data) async throws {
      let put = try await service.send("PUT", "/v1/rulesets/default", headers: ["If-Match": "*"], body: rules)
      #expect(put.status == 200, "\(put.text)")
    }
    try await put(Data("style: posthog\n".utf8) + Self.rules())
    let stored = try await service.send("POST", "/v1/captures?name=home.xml", body: Data(Self.capture.utf8))
    #expect(stored.status == 201, "\(stored.text)")
    let path = "/v1/rulesets/default/set-aside"
    for selector in ["HelpButton(id:help)", "HelpButton"] {
      let answer = try await service.post(path, json: ["clause": ["selector": selector], "reason": "Opens a page."])
      #expect(answer.status == 201, "\(answer.text)")
    }
    // Only PostHog's paths have ids.
    try await put(Self.rules())
    let coverage = try await service.get("/v1/coverage").object
    #expect((coverage["set_aside"] as? [Any])?.count == 1 && coverage["open_count"] as? Int == 0)
    let items = try #require(try await service.get(path).object["items"] as? [[String: Any]])
    #expect(items.map { ($0["problem"] as? String)?.contains("style 'hubbledata'") } == [true, nil])
  }

  private static let list = """
    <viewTree version="1" app="shop" appVersion="1.0" screen="200 300"><view class="UIWindow" frame="0 0 200 300">
      <view class="UIView" controller="Home" frame="0 0 200 300"><view class="UITableView" frame="0 0 200 200">
        <view class="UITableViewCell" indexPath="0 0" frame="0 0 200 40"><view class="UIButton" title="Buy" frame="0 0 50 40"/></view>
        <view class="UITableViewCell" indexPath="0 1" frame="0 40 200 40"><view class="UIButton" title="Buy" frame="0 0 50 40"/></view>
        <view class="UITableViewCell" indexPath="0 2" frame="0 80 200 40"><view class="UIButton" title="Buy" frame="0 0 50 40"/></view>
      </view><view class="UIButton" title="Help" frame="0 220 50 50"/><view class="UISwitch" frame="60 220 50 50"/></view></view></viewTree>
    """

  @Test func `the counters agree with the tool on the same events, people and versions`() async throws {
    let service = try RunningService()
    // A rule takes one row of the list, so that the rest of its taps is open.
    let rules = """
      version: 1
      rules:
        - { id: first, include: { page: Home, selector: "UITableViewCell(section:0 row:0)/UIButton" } }
      """
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=x", headers: ["If-Match": "*"], body: Data(rules.utf8))
    #expect([200, 201].contains(put.status), "\(put.text)")
    let stored = try await service.send("POST", "/v1/captures?name=home.xml", body: Data(Self.list.utf8))
    let id = try #require((stored.object["capture"] as? [String: Any])?["id"] as? String, "\(stored.text)")
    let elements = try await service.get("/v1/captures/\(id)/elements").object["elements"] as? [[String: Any]] ?? []
    let ids = elements.filter { $0["type"] is String }.compactMap { $0["event_id"] as? String }
    #expect(ids.count == 8, "\(elements)")
    var random = SeededGenerator(seed: 381)
    let events = (0..<400).map { number in
      CollectTests.event(
        number,
        [
          "event_id": (ids + [String(repeating: "b", count: 64)]).randomElement(using: &random) ?? "",
          "distinct_id": "u\(Int.random(in: 0..<60, using: &random))",
          "properties": [
            "$screen_name": "Home", "$app_version": ["9.2", "10.0", "10.1"].randomElement(using: &random) ?? "",
          ],
        ])
    }
    for start in stride(from: 0, to: events.count, by: 61) {
      let part = Array(events[start..<min(start + 61, events.count)])
      #expect(try await service.post("/v1/collect?project=default", json: part).status == 200)
    }
    func list(_ coverage: [String: Any]) -> [String] {
      (coverage["open"] as? [[String: Any]] ?? []).map { element in
        let taps = element["taps"] as? [String: Any]
        return [element["page"], element["selector"], element["state"], element["text"], taps?["open"], taps?["taken"]]
          .map { "\($0 ?? "-")" }.joined(separator: " ") + " \(element["people"] ?? "-") \(element["versions"] ?? "-")"
      }
    }
    let output = try Tool.output(
      [
        "coverage", "--format", "json", "--rules", "@rules.yaml", "--captures", "@home.xml", "--events",
        "@events.ndjson",
      ],
      files: [
        "rules.yaml": Data(rules.utf8), "home.xml": Data(Self.list.utf8), "events.ndjson": Tool.lines(events),
      ])
    let printed = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    let open = list(printed)
    #expect(open.count == 5 && open.allSatisfy { $0.contains(#"["9.2", "10.0", "10.1"]"#) }, "\(open)")
    let answer = try await service.get("/v1/coverage")
    #expect(list(answer.object) == open)
    #expect(
      NSDictionary(dictionary: answer.object["taps"] as? [String: Any] ?? [:]) == printed["taps"] as? NSDictionary)
    #expect(list(try await service.get("/v1/coverage?project=default").object) == open)
  }
}
