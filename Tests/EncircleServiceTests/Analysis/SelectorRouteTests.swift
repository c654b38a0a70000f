import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleService

@Suite struct SelectorRouteTests {
  /// Stores shipped captures; their IDs by name.
  static func upload(_ names: [String], to service: RunningService) async throws -> [String: String] {
    var ids: [String: String] = [:]
    for name in names {
      let bytes = try Data(contentsOf: PackageFolder.viewTrees.appendingPathComponent(name))
      let answer = try await service.send("POST", "/v1/captures?name=\(name)", body: bytes)
      #expect(answer.status == 201)
      ids[name] = (answer.object["capture"] as? [String: Any])?["id"] as? String
    }
    return ids
  }

  // MARK: - Counting in events

  @Test func `counts show what the draft's exclude rules and excluded pages take away`() async throws {
    let service = try RunningService()
    let tap: (Int, String) -> [String: Any] = { number, page in
      CollectTests.event(number, ["properties": ["$screen_name": page]])
    }
    let events = [tap(1, "Home"), tap(2, "Home"), tap(3, "Cart"), tap(4, "Pay"), tap(5, "Other")]
    #expect(try await service.post("/v1/collect", json: events).status == 200)
    let other = "version: 1\nstyle: sensors\nrules:\n  - id: a\n    include: { event: $AppClick }\n"
    let made = try await service.send(
      "PUT", "/v1/rulesets/other", headers: ["If-Match": "*"], body: Data(other.utf8))
    #expect(made.status == 200)
    func counts(_ more: [String: Any]) async throws -> [Int] {
      let body: [String: Any] = ["clause": ["event": "$AppClick"], "ruleset": "other"]
      let answer = try await service.post("/v1/select", json: body.merging(more) { $1 })
      let events = answer.object["events"] as? [String: Any]
      return ["count", "excluded", "of"].map { events?[$0] as? Int ?? -1 }
    }
    #expect(try await counts([:]) == [5, 0, 5])
    #expect(try await counts(["draft": true]) == [5, 0, 5])
    let path = "/v1/rulesets/other/draft"
    let draft = other.replacing("rules:", with: "pages: { exclude: [Pay] }\nrules:")
    #expect(try await service.send("PUT", path, body: Data(draft.utf8)).status == 200)
    #expect(try await counts(["draft": true]) == [5, 1, 5])
    _ = try await service.put(path + "/rules/not-home", json: ["exclude": ["page": "Home"]])
    #expect(try await counts(["draft": true]) == [5, 3, 5])
    #expect(try await counts([:]) == [5, 0, 5])
    // A draft with errors does not count.
    _ = try await service.put(path + "/rules/broken", json: ["include": ["sector": "x"]])
    #expect(try await counts(["draft": true]) == [5, 0, 5])
  }

  @Test func `counts use the current captures, even if one has replaced another`() async throws {
    let service = try RunningService()
    let tap = CollectTests.event(
      1, ["event_id": "19fcd72be0e5ed2e8c1f42ecda0f4102ab10d08d53612d354a3a44d51654479d"])
    #expect(try await service.post("/v1/collect", json: [tap]).status == 200)
    func count() async throws -> Int? {
      let answer = try await service.post("/v1/select", json: ["clause": ["selector": "UIButton"]])
      return (answer.object["events"] as? [String: Any])?["count"] as? Int
    }
    let cart = try #require(try await Self.upload(["cart.xml"], to: service)["cart.xml"])
    #expect(try await count() == 0)
    #expect(try await service.delete("/v1/captures/\(cart)").status == 204)
    _ = try await Self.upload(["home-feed.xml"], to: service)
    #expect(try await count() == 1)
  }

  // MARK: - Parsing

  @Test func `a selector is explained step by step in its canonical form`() async throws {
    let service = try RunningService()
    let answer = try await service.post(
      "/v1/selectors/parse", json: ["selector": "**/**/Cell(row:* section:0)/:UIButton(1)"])
    #expect(answer.status == 200)
    #expect(answer.object["selector"] as? String == "Cell(section:0 row:*)/:UIButton(1)")
    let steps = try #require(answer.object["steps"] as? [[String: Any]])
    #expect(steps.map { $0["text"] as? String } == ["Cell(section:0 row:*)", ":UIButton(1)"])
    #expect(steps[1]["class"] as? String == "UIButton")
    #expect(steps[1]["kind_of"] as? Bool == true)
    #expect((steps[0]["meaning"] as? String)?.contains("in any row") == true)
  }

  @Test func `each selector of a list is explained`() async throws {
    let service = try RunningService()
    let answer = try await service.post(
      "/v1/selectors/parse", json: ["selector": "#cart > a, button.buy:nth-of-type(2)", "style": "sensors-web"])
    #expect(answer.object["selector"] as? String == "#cart > a")
    let others = try #require(answer.object["others"] as? [[String: Any]])
    #expect(others.map { $0["selector"] as? String } == ["button.buy:nth-of-type(2)"])
    #expect((others[0]["steps"] as? [Any])?.count == 1)
  }

  @Test func `an invalid selector is refused with the place and what was expected`() async throws {
    let service = try RunningService()
    for (selector, column) in [("Cell(sectoin:0)", 6), ("", 1), ("A/B(", 5)] {
      let answer = try await service.post("/v1/selectors/parse", json: ["selector": selector])
      #expect(answer.status == 422)
      #expect(answer.errorCode == "bad-selector")
      let location = (answer.object["error"] as? [String: Any])?["location"] as? [String: Any]
      #expect(location?["column"] as? Int == column, "\(selector)")
      #expect(location?["line"] as? Int == 1)
    }
    let brackets: [String: Any] = ["selector": "Cell[x]", "style": "sensors"]
    #expect(try await service.post("/v1/selectors/parse", json: brackets).errorCode == "bad-selector")
  }

  // MARK: - Selecting

  @Test func `a clause is tried on the tap events of all elements of all captures`() async throws {
    let service = try RunningService()
    let ids = try await Self.upload(["home-feed.xml", "cart.xml", "search.xml"], to: service)
    let home = try #require(ids["home-feed.xml"])
    func select(_ clause: Any) async throws -> [String: Any] {
      let answer = try await service.post("/v1/select", json: ["clause": clause, "capture": home])
      #expect(answer.status == 200, "\(answer.text)")
      return answer.object
    }
    let all = try await select(["event": "$AppClick"])
    #expect(all["captures_searched"] as? Int == 3)
    let total = try #require(all["total"] as? Int)
    let captures = try #require(all["captures"] as? [[String: Any]])
    let counts = captures.compactMap { ($0["elements"] as? [Int])?.count }
    #expect(counts.reduce(0, +) == total)

    let buttons = try await select(["selector": "UIButton"])
    #expect((buttons["here"] as? [Int])?.isEmpty == false)
    let onPage = try await select(["selector": "UIButton", "page": "HomeViewController"])
    #expect(onPage["total"] as? Int ?? 0 < buttons["total"] as? Int ?? 0)
    // What rules can say of one clause, or of several.
    let without = try await select(["selector": "UIButton", "unless": ["page": "HomeViewController"]])
    #expect((without["total"] as? Int ?? 0) + (onPage["total"] as? Int ?? 0) == buttons["total"] as? Int)
    let either = try await select([
      ["selector": "UIButton", "page": "HomeViewController"], ["selector": "FeedStripCell"],
    ])
    #expect(either["total"] as? Int ?? 0 > onPage["total"] as? Int ?? 0)
    let text = try await select(["where": ["$element_content": ["equals": "no element says this"]]])
    #expect(text["total"] as? Int == 0)
    #expect((text["captures"] as? [Any])?.isEmpty == true)
    let events = try #require(all["events"] as? [String: Any])
    #expect(events["days"] as? Int == 7)
  }

  @Test func `exceptions of a rule count with the clauses that it would have`() async throws {
    let service = try RunningService()
    _ = try await Self.upload(["home-feed.xml", "cart.xml"], to: service)
    let rules = """
      version: 1
      rules:
        - id: buttons
          include: { selector: UIButton }
          unless: { page: HomeViewController }

      """
    _ = try await service.replace(rules, seen: "*")
    func total(_ clause: Any, _ rule: String? = nil) async throws -> Int {
      var body: [String: Any] = ["clause": clause, "ruleset": "default"]
      body["rule"] = rule
      return try #require(try await service.post("/v1/select", json: body).object["total"] as? Int)
    }
    let all = try await total(["selector": "UIButton"])
    let atHome = try await total(["selector": "UIButton", "page": "HomeViewController"])
    #expect(atHome > 0 && all > atHome)
    #expect(try await total(["selector": "UIButton"], "buttons") == all - atHome)
    let either = [["selector": "UIButton"], ["page": "HomeViewController"]]
    #expect(try await total(either, "buttons") == all - atHome)
    #expect(try await total(["selector": "UIButton"], "unknown") == all)
  }

  @Test func `added and removed captures count at once`() async throws {
    let service = try RunningService()
    func total() async throws -> Int? {
      try await service.post("/v1/select", json: ["clause": ["event": "$AppClick"]]).object["total"] as? Int
    }
    #expect(try await total() == 0)
    let id = try #require(try await Self.upload(["cart.xml"], to: service)["cart.xml"])
    let one = try #require(try await total())
    #expect(one > 0)
    _ = try await Self.upload(["search.xml"], to: service)
    #expect(try await total() ?? 0 > one)
    #expect(try await service.delete("/v1/captures/\(id)").status == 204)
    let rest = try #require(try await total())
    #expect(rest > 0)
    #expect(try await service.post("/v1/select", json: ["clause": ["event": "a"], "capture": id]).status == 404)
  }

  @Test func `all errors in a clause are reported at once with their places`() async throws {
    let service = try RunningService()
    let clause: [String: Any] = [
      "page": ["kindof": "X"], "where": ["a/b": [">": "x"]], "selector": ["A", "B("], "colour": "red",
    ]
    let answer = try await service.post("/v1/select", json: ["clause": clause])
    #expect(answer.status == 422)
    #expect(answer.errorCode == "bad-clause")
    let error = try #require(answer.object["error"] as? [String: Any])
    let details = try #require(error["details"] as? [[String: Any]])
    let pointers = Set(details.compactMap { ($0["location"] as? [String: Any])?["pointer"] as? String })
    #expect(pointers == ["/clause/page/kindof", "/clause/where/a~1b/>", "/clause/selector/1", "/clause/colour"])
  }

  @Test func `bodies of a wrong shape are refused without a server error`() async throws {
    let service = try RunningService()
    let bodies: [(String, Int)] = [
      ("", 400), ("{", 400), ("[]", 422), ("null", 422), ("{}", 422), ("{\"clause\":3}", 422),
      ("{\"clause\":{}}", 422), ("{\"clause\":[]}", 422), ("{\"clause\":null}", 422),
      ("{\"clause\":{\"event\":\"a\"},\"days\":0}", 422), ("{\"clause\":{\"event\":\"a\"},\"days\":1e99}", 422),
      ("{\"clause\":{\"event\":\"a\"},\"capture\":\"../x\"}", 404),
      ("{\"clause\":{\"event\":\"a\"},\"ruleset\":\"none\"}", 404),
      ("{\"clause\":{\"event\":\"a\"},\"style\":\"none\"}", 422), ("{\"clause\":{\"event\":\"a\"},\"days_\":1}", 422),
      ("{\"clause\":" + String(repeating: "[", count: 100_000), 400),
      (
        "{\"clause\":{\"where\":" + String(repeating: "{\"not\":", count: 400) + "1"
          + String(repeating: "}", count: 400) + "}}", 422
      ),
      ("{\"clause\":{\"event\":\"\u{0}\"}}", 400),
      ("{\"clause\":{\"event\":\"" + String(repeating: "a", count: 300_000), 413),
    ]
    for (body, status) in bodies {
      let answer = try await service.send("POST", "/v1/select", body: Data(body.utf8))
      #expect(answer.status == status, "\(body.prefix(60)): \(answer.text.prefix(200))")
      #expect(!answer.errorCode.isEmpty)
    }
    let broken = try await service.send("POST", "/v1/select", body: Data([0x7B, 0xFF, 0xFE]))
    #expect(broken.status == 400)
    for path in ["/v1/select", "/v1/suggest", "/v1/chips", "/v1/selectors/parse"] {
      #expect(try await service.get(path).status == 405)
    }
  }

  // MARK: - Suggesting

  @Test func `suggestions come with their reasons, and with what they select here and elsewhere`() async throws {
    let service = try RunningService()
    let ids = try await Self.upload(["order-v5.1.xml", "order-v5.2.xml"], to: service)
    let capture = try #require(ids["order-v5.1.xml"])
    let elements = try await service.get("/v1/captures/\(capture)/elements").object["elements"] as? [[String: Any]]
    let tracked = try #require(elements?.first { $0["type"] is String }?["element"] as? Int)
    let answer = try await service.post(
      "/v1/suggest", json: ["capture": capture, "element": tracked, "limit": 3])
    #expect(answer.status == 200)
    let suggestions = try #require(answer.object["suggestions"] as? [[String: Any]])
    #expect((1...3).contains(suggestions.count))
    for suggestion in suggestions {
      #expect(suggestion["here"] as? Int ?? 0 > 0)
      let clause = try #require(suggestion["clause"] as? [String: Any])
      let selected = try await service.post("/v1/select", json: ["clause": clause, "capture": capture]).object
      #expect((selected["here"] as? [Int])?.contains(tracked) == true)
      #expect(
        selected["total"] as? Int == (suggestion["here"] as? Int ?? 0) + (suggestion["elsewhere"] as? Int ?? 0))
    }
    for element in [-1, 1_000_000] {
      #expect(try await service.post("/v1/suggest", json: ["capture": capture, "element": element]).status == 422)
    }
    #expect(try await service.post("/v1/suggest", json: ["capture": "0", "element": 1]).status == 404)
  }

  @Test func `a key of a keypad is not tracked, as the SDK of the style sends no event for it`() async throws {
    let service = try RunningService()
    let keys = ["1", "2"].map { #"<view class="android.widget.TextView" text="\#($0)" clickable="true"/>"# }.joined()
    let screen =
      #"<viewTree version="1" os="Android"><view class="android.widget.LinearLayout" controller="com.example.Pay">"#
      + keys + #"<view class="android.widget.Button" text="OK" clickable="true"/></view></viewTree>"#
    let stored = try await service.send("POST", "/v1/captures?name=pay.xml", body: Data(screen.utf8))
    let capture = try #require((stored.object["capture"] as? [String: Any])?["id"] as? String)
    for (style, tracked) in [("sensors-android", [false, false, true]), ("growingio-android", [true, true, true])] {
      for (element, isTracked) in zip(1..., tracked) {
        for route in ["/v1/suggest", "/v1/chips"] {
          let answer = try await service.post(route, json: ["capture": capture, "element": element, "style": style])
          #expect(answer.object["element"] as? Int == element, "\(answer.text)")
          #expect(answer.object["tracked"] as? Bool == isTracked, "\(route) \(style) \(element)")
        }
      }
    }
  }

  @Test func `chips change the clause and show how many elements each choice would select`() async throws {
    let service = try RunningService()
    let capture = try #require(try await Self.upload(["home-feed.xml"], to: service)["home-feed.xml"])
    func chips(_ choices: [String: String]) async throws -> [String: Any] {
      let answer = try await service.post(
        "/v1/chips", json: ["capture": capture, "element": 38, "choices": choices])
      #expect(answer.status == 200, "\(answer.text)")
      return answer.object
    }
    let open = try await chips([:])
    let row = try #require((open["chips"] as? [[String: Any]])?.first)
    #expect(row["id"] as? String == "row")
    #expect(row["value"] as? String == "any")
    let options = try #require(row["options"] as? [[String: Any]])
    for option in options {
      let value = try #require(option["value"] as? String)
      let clause = try #require(try await chips(["row": value])["clause"])
      let selected = try await service.post("/v1/select", json: ["clause": clause, "capture": capture]).object
      #expect((selected["here"] as? [Int])?.count == option["here"] as? Int)
      #expect(selected["total"] as? Int == option["total"] as? Int)
    }
    // The choice of a chip that this element does not have stays for the next one.
    _ = try await chips(["alert": "this", "row-3": "any"])
    for choices in [["colour": "this"], ["row": "every"]] {
      let answer = try await service.post(
        "/v1/chips", json: ["capture": capture, "element": 38, "choices": choices])
      #expect(answer.status == 422)
    }
  }
}
