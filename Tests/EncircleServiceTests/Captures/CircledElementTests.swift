import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleService

@Suite struct CircledElementTests {
  private static let rules = """
    version: 1
    rules:
      - { id: kept, name: 好, owner: lin, tags: [home], emit: ok, include: { event: $AppClick, selector: UIButton } }
      - { id: wider, during: [{ to: 2020-01-01 }, { from: 2020-02-01, to: 2020-02-02 }], include: { event: $AppClick, page: FirstViewController } }
      - { id: gone, exclude: { event: $AppClick, selector: UISwitch } }
      - { id: elsewhere, include: { event: $AppClick, page: OtherViewController } }
      - { id: off, enabled: false, include: { event: $AppClick, selector: UIButton } }
    """

  /// Puts rules into force, or into the draft.
  private static func put(_ text: String, _ service: RunningService, draft: Bool = false) async throws {
    let path = draft ? "/v1/rulesets/default/draft" : "/v1/rulesets/default?reason=test"
    let answer = try await service.send(
      "PUT", path, headers: ["If-Match": "*", "Content-Type": "application/yaml"], body: Data(text.utf8))
    try #require((200...201).contains(answer.status), "\(answer.text)")
  }

  private static func circled(_ id: String, _ service: RunningService, _ query: String = "") async throws -> [[String:
    Any]]
  {
    let answer = try await service.get("/v1/captures/\(id)/rules\(query)")
    try #require(answer.status == 200, "\(answer.text)")
    return try #require(answer.object["rules"] as? [[String: Any]])
  }

  @Test func `a screen lists the rules about its elements, including exclude rules`() async throws {
    let service = try RunningService()
    let id = try await service.upload(views: SampleScreen.views)
    try await Self.put(Self.rules, service)
    let rules = try await Self.circled(id, service)
    #expect(rules.map { $0["id"] as? String } == ["kept", "wider", "gone"])
    #expect(rules.map { $0["stage"] as? String } == ["published", "published", "published"])
    #expect((rules[0]["elements"] as? [Int])?.first == SampleScreen.button)
    #expect((rules[1]["elements"] as? [Int])?.contains(SampleScreen.toggle) == true)
    #expect(rules[2]["elements"] as? [Int] == [SampleScreen.toggle, SampleScreen.secondToggle])
    #expect(rules[0]["owner"] as? String == "lin" && rules[0]["tags"] as? [String] == ["home"])
    #expect(rules[0]["emit"] as? String == "ok" && rules[2]["kind"] as? String == "exclude")
    #expect(rules.allSatisfy { $0["before"] == nil && $0["events"] as? Int == 0 })
  }

  @Test func `the draft is shown beside the rules in force, with the elements before and after`() async throws {
    let service = try RunningService()
    let id = try await service.upload(views: SampleScreen.views)
    try await Self.put(Self.rules, service)
    // The order of a rule's keys is only layout.
    let draft = """
      version: 1
      rules:
        - { name: 好, id: kept, owner: lin, tags: [home], emit: ok, include: { selector: UIButton, event: $AppClick } }
        - { id: wider, include: { event: $AppClick, selector: UISwitch } }
        - { id: new, include: { event: $AppClick, selector: UIButton } }
      """
    try await Self.put(draft, service, draft: true)
    let rules = try await Self.circled(id, service)
    #expect(rules.map { $0["id"] as? String } == ["kept", "wider", "new", "gone"])
    #expect(rules.map { $0["stage"] as? String } == ["published", "changed", "draft", "removed"])
    #expect(rules[1]["elements"] as? [Int] == [SampleScreen.toggle, SampleScreen.secondToggle])
    #expect((rules[1]["before"] as? [Int])?.contains(SampleScreen.button) == true)
    try await Self.put("version: 1\nrules: 7", service, draft: true)
    let broken = try await service.get("/v1/captures/\(id)/rules")
    #expect(broken.object["draft"] is NSNull)
    #expect((broken.object["rules"] as? [[String: Any]])?.map { $0["id"] as? String } == ["kept", "wider", "gone"])
    _ = try await service.send("DELETE", "/v1/rulesets/default/draft")
    #expect(try await Self.circled(id, service).map { $0["id"] as? String } == ["kept", "wider", "gone"])
  }

  @Test func `circled elements are known while the draft is being discarded`() async throws {
    let service = try RunningService()
    let id = try await service.upload(views: SampleScreen.views)
    try await Self.put(Self.rules, service)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<60 {
          try await Self.put(Self.rules + "\n# more", service, draft: true)
          _ = try await service.send("DELETE", "/v1/rulesets/default/draft")
        }
      }
      group.addTask {
        for _ in 0..<60 {
          let circled = try await Self.circled(id, service)
          #expect(circled.count == 3)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `each rule has a series of its matched events over the requested days`() async throws {
    let service = try RunningService()
    let id = try await service.upload(views: SampleScreen.views)
    try await Self.put(Self.rules, service)
    let elements = try await service.get("/v1/captures/\(id)/elements").elements
    let button = try #require(elements[SampleScreen.button]["event_id"] as? String)
    let now = Int(Date().timeIntervalSince1970 * 1_000)
    func tap(_ user: Int, hoursAgo: Int) -> [String: Any] {
      [
        "type": "track", "event": "$AppClick", "distinct_id": "u\(user)", "time": now - hoursAgo * 3_600_000,
        "event_id": button, "_track_id": user, "properties": ["$screen_name": "FirstViewController"],
      ]
    }
    let events = (0..<5).map { tap($0, hoursAgo: 0) } + (5..<8).map { tap($0, hoursAgo: 30) }
    #expect(try await service.post("/v1/collect", json: events).status == 200)
    let day = try #require(try await Self.circled(id, service, "?days=1").first)
    #expect(day["events"] as? Int == 5)
    #expect((day["series"] as? [Int])?.count == 24 && (day["series"] as? [Int])?.last == 5)
    let week = try #require(try await Self.circled(id, service).first)
    #expect(week["events"] as? Int == 8)
    #expect(week["series"] as? [Int] == [0, 0, 0, 0, 0, 3, 5])
    let answer = try await service.get("/v1/captures/\(id)/rules").object
    let taps = try #require((answer["elements"] as? [[String: Any]])?.first)
    #expect(taps["element"] as? Int == SampleScreen.button && taps["events"] as? Int == 8)
    #expect(taps["series"] as? [Int] == [0, 0, 0, 0, 0, 3, 5])
    #expect(try await service.get("/v1/captures/\(id)/rules?days=91").status == 400)
    #expect(try await service.get("/v1/captures/\(id)/rules?ruleset=none").status == 404)
    #expect(try await service.get("/v1/captures/0000000000000000/rules").status == 404)
  }

  @Test func `taps with the event ID that HubbleData's SDK for Android makes count for the element`() async throws {
    let service = try RunningService()
    let id = try await service.upload(named: "android-shop.xml")
    try await Self.put("version: 1\nstyle: hubbledata-android\nrules: []\n", service)
    let now = Int(Date().timeIntervalSince1970 * 1_000)
    let events: [[String: Any]] = (0..<3).map { user in
      [
        "type": "track", "event": "$AppClick", "distinct_id": "u\(user)", "time": now, "_track_id": user,
        "event_id": "01953cc015ef9b2e5cfa88d18ff8147dcf8cb2739fd431c41fbc81c022e4ed70", "properties": [String: Any](),
      ]
    }
    #expect(try await service.post("/v1/collect", json: events).status == 200)
    let answer = try await service.get("/v1/captures/\(id)/rules").object
    let elements = answer["elements"] as? [[String: Any]] ?? []
    #expect(elements.map { $0["element"] as? Int } == [20] && elements.first?["events"] as? Int == 3)
    let places = try await service.get("/v1/reports/heatmap?capture=\(id)").object["elements"] as? [[String: Any]]
    #expect(places?.map { $0["element"] as? Int } == [20] && places?.first?["count"] as? Int == 3)
  }

  @Test func `the list of rules finds event names, owners, tags and texts on screens, and says where a rule is`()
    async throws
  {
    let service = try RunningService()
    let id = try await service.upload(views: SampleScreen.views)
    try await Self.put(Self.rules, service)
    func list(_ query: String) async throws -> [[String: Any]] {
      let answer = try await service.get("/v1/rulesets/default/rules?\(query)")
      try #require(answer.status == 200, "\(answer.text)")
      return try #require(answer.object["rules"] as? [[String: Any]])
    }
    for (text, found) in [
      ("LIN", ["kept"]), ("home", ["kept"]), ("Ok", ["kept", "wider", "off"].filter { $0 != "off" }),
    ] {
      #expect(try await list("search=\(text)").compactMap { $0["id"] as? String } == found, "\(text)")
    }
    let all = try await list("days=7")
    let place = try #require(all[0]["place"] as? [String: Any])
    #expect(place["capture"] as? String == id && place["element"] as? Int == SampleScreen.button)
    #expect(place["frame"] as? [Int] == [10, 20, 30, 40])
    #expect(place["width"] as? Int == 100 && place["height"] as? Int == 200)
    #expect(all[3]["place"] is NSNull, "a rule of another page is on no screen")
    #expect(all.allSatisfy { $0["series"] as? [Int] == [] && $0["events"] as? Int == 0 })
  }

  @Test func `new captures and rules are known at once`() async throws {
    let service = try RunningService()
    let first = try await service.upload(views: SampleScreen.views)
    try await Self.put(Self.rules, service)
    #expect(try await Self.circled(first, service).count == 3)
    let second = try await service.upload(views: SampleScreen.views + "<view class='UISwitch' frame='0 0 1 1'/>")
    let rules = try await Self.circled(second, service)
    #expect((rules.last?["elements"] as? [Int])?.count == 3)
    try await Self.put("version: 1\nrules: [{ id: one, include: { event: $AppClick } }]", service)
    #expect(try await Self.circled(second, service).map { $0["id"] as? String } == ["one"])
  }

  @Test func `the choices that made a clause are found again`() async throws {
    let service = try RunningService()
    let ids = try await SelectorRouteTests.upload(["home-feed.xml"], to: service)
    let capture = try #require(ids["home-feed.xml"])
    func chips(_ members: [String: Any]) async throws -> [String: Any] {
      let answer = try await service.post(
        "/v1/chips", json: ["capture": capture, "element": 38].merging(members) { $1 })
      try #require(answer.status == 200, "\(answer.text)")
      return answer.object
    }
    func values(_ answer: [String: Any]) -> [String: String] {
      Dictionary(
        uniqueKeysWithValues: (answer["chips"] as? [[String: Any]] ?? []).map {
          ($0["id"] as? String ?? "", $0["value"] as? String ?? "")
        })
    }
    for choices in [["row": "this", "page": "any"], ["row": "any", "text": "this"], ["section": "any"]] {
      let made = try await chips(["choices": choices])
      let again = try await chips(["clause": try #require(made["clause"])])
      #expect(again["known"] as? Bool == true)
      #expect(values(again) == values(made), "\(choices)")
    }
    let other = try await chips(["clause": ["event": "$AppClick", "selector": "UIView"]])
    #expect(other["known"] as? Bool == false)
  }

  @Test func `rules in a style of another platform than the screen's are reported`() async throws {
    let service = try RunningService()
    let ids = try await SelectorRouteTests.upload(["ios-shop.xml", "android-shop.xml", "flowers.html"], to: service)
    for (style, own) in [
      ("hubbledata", "ios-shop.xml"), ("sensors", "ios-shop.xml"), ("sensors-android", "android-shop.xml"),
      ("sensors-web", "flowers.html"),
    ] {
      try await Self.put("version: 1\nstyle: \(style)\nrules: []", service)
      for (name, id) in ids {
        let foreign = try await service.get("/v1/captures/\(id)/rules").object["foreign_style"]
        #expect(foreign as? String == (name == own ? nil : style), "\(name)")
      }
    }
  }

  @Test func `with rules in several styles, a screen circles, finds and suggests rules of its platform`()
    async throws
  {
    let service = try RunningService()
    let ids = try await SelectorRouteTests.upload(["ios-shop.xml", "android-shop.xml"], to: service)
    let rules: [String: Any] = [
      "version": 1,
      "rules": [
        [
          "id": "both",
          "include": [
            ["style": "sensors", "selector": "UIButton"],
            ["style": "sensors-android", "selector": "android.widget.Button"],
          ],
        ]
      ],
    ]
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*", "Content-Type": "application/json"],
      body: try JSONSerialization.data(withJSONObject: rules))
    #expect(put.status == 200, "\(put.text)")
    for (name, style, selector) in [
      ("ios-shop.xml", "sensors", "UIButton"), ("android-shop.xml", "sensors-android", "android.widget.Button"),
    ] {
      let id = try #require(ids[name])
      let circled = try await Self.circled(id, service)
      let elements = try #require(circled.first?["elements"] as? [Int], "\(name)")
      #expect(!elements.isEmpty, "\(name)")
      let question: [String: Any] = ["capture": id, "element": elements[0]]
      let suggested = try await service.post("/v1/suggest", json: question)
      #expect(suggested.status == 200 && suggested.text.contains(selector), "\(suggested.text)")
      let found = try await service.post("/v1/select", json: ["clause": ["selector": selector], "capture": id])
      #expect(found.status == 200 && found.object["total"] as? Int ?? 0 > 0, "\(found.text)")
      // A proposed clause names its style: in the rule set it would otherwise be one of another style.
      let screen = try await service.get("/v1/captures/\(id)/rules").object
      #expect(screen["style"] as? String == style && screen["foreign_style"] is NSNull)
      let chips = try await service.post("/v1/chips", json: question)
      let clause = try #require(chips.object["clause"] as? [String: Any], "\(chips.text)")
      #expect(clause["style"] as? String == style)
      let again = try await service.post("/v1/chips", json: question.merging(["clause": clause]) { $1 })
      #expect(again.object["known"] as? Bool == true, "\(again.text)")
      let proposed = try await service.post("/v1/suggest/all", json: ["capture": id])
      let proposals = proposed.object["rules"] as? [[String: Any]] ?? []
      let styles = proposals.map { ($0["clause"] as? [String: Any])?["style"] as? String }
      #expect(!styles.isEmpty && styles.allSatisfy { $0 == style }, "\(proposed.text)")
      let tried: [String: Any] = ["ruleset": "default", "rule": ["id": "circled", "include": clause] as [String: Any]]
      let explained = try await service.post("/v1/rules/explain", json: tried.merging(question) { $1 })
      let decision = explained.object["decision"] as? [String: Any]
      #expect((decision?["rules"] as? [String])?.contains("circled") == true, "\(explained.text)")
    }
  }
}
