import EncircleTestSupport
import Foundation
import Testing

/// Rules broken by a new version's captures, through the API.
@Suite struct DriftRouteTests {
  private static let rules = OrderRules.text

  /// A service with the rules and the captures of both versions; the IDs of the captures.
  private static func service() async throws -> (RunningService, old: String, new: String) {
    let service = try RunningService()
    #expect(try await service.replace(rules, seen: "*").status == 200)
    let old = try await service.upload(named: "order-v5.1.xml")
    // Another page has nothing to do with it, and neither has a sheet over the page in a later version.
    _ = try await service.upload(named: "cart.xml")
    _ = try await service.upload(named: "action-sheet.xml")
    return (service, old, try await service.upload(named: "order-v5.2.xml"))
  }

  private static func rule(_ id: String, in answer: HTTPAnswer) throws -> [String: Any] {
    let rules = try #require(answer.object["rules"] as? [[String: Any]])
    return try #require(rules.first { $0["id"] as? String == id }, "\(rules.map { $0["id"] ?? "" })")
  }

  /// A page of the app for iOS with a bar of buttons.
  private static func bar(_ titles: [String], _ version: String, app: String = "com.example.shop") -> String {
    let buttons = titles.map { "<view class='UIButton' title='\($0)' frame='0 0 80 40'/>" }.joined()
    return """
      <viewTree version='1' app='\(app)' appVersion='\(version)' os='iOS'>
      <view class='UIWindow' frame='0 0 390 844'><view class='UIView' controller='Order' frame='0 0 390 844'>
      <view class='UILabel' text='Your order' frame='0 0 390 40'/>
      <view class='OrderBar' frame='0 700 390 80'>\(buttons)</view>
      </view></view></viewTree>
      """
  }

  @Test func `captures of a new version are paired with the old ones of their page, and broken rules are named`()
    async throws
  {
    let (service, old, new) = try await Self.service()
    let answer = try await service.get("/v1/drift?to=5.2.0&app=com.example.shop")
    #expect(answer.status == 200, "\(answer.text)")
    #expect(answer.object["version"] as? String == "5.2.0")
    #expect(answer.object["broken"] as? Int == 3 && answer.object["rules_compared"] as? Int == 4)
    #expect(answer.object["broken_in_draft"] == nil && answer.object["complete"] as? Bool == true)
    let screen = try #require((answer.object["screens"] as? [[String: Any]])?.first)
    #expect((screen["old"] as? [String: Any])?["id"] as? String == old)
    #expect((screen["new"] as? [String: Any])?["id"] as? String == new)
    #expect((screen["new"] as? [String: Any])?["page"] as? String == "OrderViewController")
    #expect(screen["moved"] as? Int ?? 0 > 5 && screen["gone"] as? Int == 2)

    let contact = try Self.rule("order.contact", in: answer)
    #expect(contact["version"] as? String == "5.2.0" && contact["old_version"] as? String == "5.1.0")
    #expect(contact["kind"] as? String == "nothing" && contact["message"] as? String == "selects nothing")
    let missed = try #require((contact["missed"] as? [[String: Any]])?.first)
    #expect(missed["capture"] as? String == new && missed["element"] as? Int == 53)
    #expect((missed["before"] as? [String: Any])?["capture"] as? String == old)
    #expect((missed["before"] as? [String: Any])?["element"] as? Int == 41)
    #expect(missed["confidence"] as? Double ?? 0 > 0.9 && (missed["reasons"] as? [Any])?.isEmpty == false)
    let include = (contact["repaired"] as? [String: Any])?["include"] as? [String: Any]
    #expect((include?["selector"] as? [String])?.count == 2)
    #expect(try Self.rule("order.invoice", in: answer)["kind"] as? String == "gone")
  }

  @Test func `captures of other pages, or of an unchanged page, in a later version leave rules broken`() async throws {
    let (service, _, new) = try await Self.service()
    // The cart was captured in 5.2.1.
    let now = try await service.get("/v1/drift")
    #expect(now.object["version"] as? String == "5.2.1" && now.object["broken"] as? Int == 3, "\(now.text)")
    // The order page once more, in 5.3: broken rules are judged by the captures on which they selected something.
    var text = String(
      decoding: try PackageFolder.bytes(PackageFolder.viewTrees.appendingPathComponent("order-v5.2.xml")), as: UTF8.self
    )
    text = text.replacing("appVersion=\"5.2.0\"", with: "appVersion=\"5.3.0\"")
    let newest = try await service.upload(text.utf8).captureID
    #expect(newest != new)
    let later = try await service.get("/v1/drift")
    func ids(_ answer: HTTPAnswer) -> [String?]? {
      (answer.object["rules"] as? [[String: Any]])?.map { $0["id"] as? String }
    }
    #expect(ids(later) == ["order.contact", "order.invoice", "order.shipping"], "\(later.text)")
    let contact = try Self.rule("order.contact", in: later)
    #expect(contact["version"] as? String == "5.3.0" && contact["repaired"] != nil)
    // A rule that selects another element since 5.2 does so on both captures, but was not circled on them.
    let shipping = try Self.rule("order.shipping", in: later)
    #expect(shipping["old_version"] as? String == "5.1.0" && shipping["kind"] as? String == "another")
    #expect(shipping["repaired"] != nil)
  }

  @Test(arguments: [true, false])
  func `a rule that has changed is not judged by captures older than the ones it was circled on`(
    isChanged: Bool
  ) async throws {
    let (service, _, _) = try await Self.service()
    // Somebody looked at it after 5.2 had arrived. The order of a rule's keys is only layout.
    let looked =
      isChanged
      ? Self.rules.replacing("- id: order.shipping", with: "- id: order.shipping\n    owner: orders")
      : Self.rules.replacing("- id: order.shipping\n    include", with: "- include") + "    id: order.shipping\n"
    #expect(try await service.replace(looked, seen: "*").status == 200)
    var text = String(
      decoding: try PackageFolder.bytes(PackageFolder.viewTrees.appendingPathComponent("order-v5.2.xml")), as: UTF8.self
    )
    text = text.replacing("appVersion=\"5.2.0\"", with: "appVersion=\"5.3.0\"")
    _ = try await service.upload(text.utf8)
    let later = try await service.get("/v1/drift")
    let ids = (later.object["rules"] as? [[String: Any]])?.map { $0["id"] as? String }
    let expected: [String?] = ["order.contact", "order.invoice"] + (isChanged ? [] : ["order.shipping"])
    #expect(ids == expected, "\(later.text)")
  }

  @Test func `a rule that a release broke is judged by the element it was circled on when the next release comes`()
    async throws
  {
    let service = try RunningService()
    let ids = ["contact", "cancel", "pay"]
    let rules = ids.enumerated().map { "  - { id: \($1), include: { selector: OrderBar/UIButton(\($0)) } }\n" }
    #expect(try await service.replace("version: 1\nrules:\n" + rules.joined(), seen: "*").status == 200)
    let bars = [("5.1", ids), ("5.2", ["cancel", "pay", "contact"]), ("5.3", ["pay", "cancel", "contact"])]
    for (version, titles) in bars {
      _ = try await service.upload(Self.bar(titles, version).utf8)
    }
    let answer = try await service.get("/v1/drift")
    let broken = try #require(answer.object["rules"] as? [[String: Any]])
    #expect(broken.map { $0["id"] as? String } == ["contact", "pay"], "cancel is where it was: \(answer.text)")
    for rule in broken {
      let missed = try #require((rule["missed"] as? [[String: Any]])?.first)
      #expect((missed["title"] as? String)?.contains(rule["id"] as? String ?? "?") == true, "\(answer.text)")
      #expect(rule["old_version"] as? String == "5.1")
      let repaired = try #require(rule["repaired"] as? [String: Any])
      let id = try #require(rule["id"] as? String)
      #expect(try await service.put("/v1/rulesets/default/draft/rules/\(id)", json: repaired).status == 200)
    }
    // The repaired rules select the right elements of 5.2, too, so that nothing is broken any more.
    let draft = try await service.get("/v1/rulesets/default/draft").text
    #expect(draft.contains(#"version: ">=5.2 <5.3""#), "\(draft)")
    let published = try await service.post("/v1/rulesets/default/draft/publish", json: ["reason": "5.3"])
    #expect(published.status == 200, "\(published.text)")
    let repaired = try await service.get("/v1/drift")
    #expect(repaired.object["broken"] as? Int == 0, "\(repaired.text)")
  }

  @Test func `repaired and retired rules go to the draft and are no longer broken`() async throws {
    let (service, _, _) = try await Self.service()
    let answer = try await service.get("/v1/drift?to=5.2.0")
    let inForce = try await service.get("/v1/rulesets/default/draft/rules/order.contact").headers["etag"]
    #expect(try Self.rule("order.contact", in: answer)["etag"] as? String == inForce && inForce != nil)
    for (id, member) in [("order.contact", "repaired"), ("order.shipping", "repaired"), ("order.invoice", "retired")] {
      let rule = try #require(try Self.rule(id, in: answer)[member] as? [String: Any], "\(id)")
      let put = try await service.send(
        "PUT", "/v1/rulesets/default/draft/rules/\(id)", headers: ["Content-Type": "application/json"],
        body: JSONSerialization.data(withJSONObject: rule))
      #expect(put.status == 200, "\(put.text)")
    }
    let draft = try await service.get("/v1/rulesets/default/draft").text
    #expect(draft.contains("# the button at the left"), "\(draft)")
    #expect(draft.contains(#"version: ">=5.2.0""#), "\(draft)")
    let now = try await service.get("/v1/drift?to=5.2.0")
    #expect(now.object["broken"] as? Int == 3 && now.object["broken_in_draft"] as? Int == 0, "\(now.text)")
    for rule in try #require(now.object["rules"] as? [[String: Any]]) {
      #expect(rule["broken_in_draft"] as? Bool == false)
    }
    let published = try await service.send(
      "POST", "/v1/rulesets/default/draft/publish", body: Data(#"{"reason":"5.2"}"#.utf8))
    #expect(published.status == 200, "\(published.text)")
    let after = try await service.get("/v1/drift?to=5.2.0")
    #expect(after.object["broken"] as? Int == 0 && (after.object["rules"] as? [Any])?.isEmpty == true)
  }

  @Test(arguments: [true, false])
  func `a rule that was circled on the latest captures is not broken, unless nothing is known about its age`(
    isAdded: Bool
  ) async throws {
    let service = try RunningService()
    let first = "version: 1\nrules:\n  - { id: left, include: { page: Order, selector: OrderBar/UIButton(0) } }\n"
    if isAdded { #expect(try await service.replace(first, seen: "*").status == 200) }
    for (version, titles) in [("5.1", ["cancel", "pay"]), ("5.2", ["pay", "cancel"])] {
      #expect(try await service.upload(Self.bar(titles, version).utf8).status == 201)
    }
    let both = first + "  - { id: pay, include: { selector: OrderBar/UIButton(0) } }\n"
    #expect(try await service.replace(both, seen: "*").status == 200)
    let answer = try await service.get("/v1/drift")
    let ids = (answer.object["rules"] as? [[String: Any]])?.map { $0["id"] as? String }
    let expected: [String?] = isAdded ? ["left"] : ["left", "pay"]
    #expect(ids == expected, "\(answer.text)")
  }

  @Test(arguments: [true, false])
  func `the versions of each app of the rules are compared, whichever was captured last`(isNamed: Bool) async throws {
    let service = try RunningService()
    let apps = ["com.example.shop", "com.example.shop.lite"]
    let rules = """
      version: 1
      \(isNamed ? "app: [\(apps.joined(separator: ", "))]" : "# These rules are for all apps.")
      rules: [{ id: pay, include: { selector: OrderBar/UIButton(1) } }]

      """
    #expect(try await service.replace(rules, seen: "*").status == 200)
    for (app, version, titles) in [
      (0, "5.1", ["cancel", "pay"]), (0, "5.2", ["pay"]), (1, "8.1", ["cancel", "pay"]), (1, "8.2", ["cancel", "pay"]),
    ] {
      #expect(try await service.upload(Self.bar(titles, version, app: apps[app]).utf8).status == 201)
    }
    let both = try await service.get("/v1/drift")
    #expect(try Self.rule("pay", in: both)["version"] as? String == "5.2")
    #expect(both.object["app"] as? String == apps[1] && both.object["version"] as? String == "8.2", "\(both.text)")
    #expect((both.object["screens"] as? [Any])?.count == 2)
    let lite = try await service.get("/v1/drift?app=\(apps[1])")
    #expect(lite.object["broken"] as? Int == 0, "\(lite.text)")
    let shop = try await service.get("/v1/drift?app=\(apps[0])")
    #expect(shop.object["version"] as? String == "5.2" && shop.object["broken"] as? Int == 1, "\(shop.text)")
  }

  @Test func `two captures are compared element by element, with a Markdown report`() async throws {
    let (service, old, new) = try await Self.service()
    let pair = try await service.get("/v1/drift/screens?old=\(old)&new=\(new)")
    #expect(pair.status == 200)
    let changes = try #require(pair.object["changes"] as? [[String: Any]])
    #expect(changes.contains { ($0["kinds"] as? [String])?.contains("renamed") == true })
    #expect((pair.object["gone"] as? [Any])?.count == 1 && (pair.object["added"] as? [Any])?.isEmpty == false)
    let all = try await service.get("/v1/drift/screens?old=\(old)&new=\(new)&all=true")
    #expect((all.object["changes"] as? [Any])?.count ?? 0 > changes.count)
    let report = try await service.get("/v1/drift?to=5.2.0&format=markdown")
    #expect(report.headers["content-type"]?.hasPrefix("text/markdown") == true)
    #expect(report.text.contains("`order-v5.1.xml (5.1.0)` → `order-v5.2.xml (5.2.0)`"), "\(report.text)")
    #expect(report.text.contains("### 4 rules compared, 3 broken"))
  }

  @Test func `every request gets an answer`() async throws {
    let (service, _, _) = try await Self.service()
    for (query, status) in [
      ("?ruleset=none", 404), ("?to=next", 400), ("?from=", 400), ("?format=html", 400), ("?rule=order.contact", 200),
      ("?app=none", 200), ("?to=9.9", 200), ("?from=5.1&to=5.2", 200), ("?from=5.2&to=5.2", 200),
      ("/screens", 400), ("/screens?old=0000000000000000&new=0000000000000000", 404),
      ("/screens?old=../x&new=%01", 404), ("/screens?old=a&new=%00", 400),
    ] as [(String, Int)] {
      #expect(try await service.get("/v1/drift" + query).status == status, "\(query)")
    }
  }

  @Test func `without captures of two versions nothing breaks`() async throws {
    let service = try RunningService()
    let none = try await service.get("/v1/drift")
    #expect(none.status == 200 && none.object["version"] is NSNull && none.object["broken"] as? Int == 0)
    _ = try await service.upload(named: "order-v5.2.xml")
    let one = try await service.get("/v1/drift")
    #expect(one.object["version"] as? String == "5.2.0" && (one.object["screens"] as? [Any])?.isEmpty == true)
    #expect((one.object["new_pages"] as? [[String: Any]])?.first?["page"] as? String == "OrderViewController")
  }
}
