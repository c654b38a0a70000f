import Foundation
import Testing

/// The releases of a plan: whose they are, and how far.
@Suite struct PlanReleaseTests {
  private static let path = "/v1/rulesets/default/plan/releases"

  private static let plan = """
    version: 1
    events:
      - { event: add_to_cart, platforms: [ios, android], since: "3.2", properties: [{ property: price, type: number }] }
      - { event: order_paid, tracking: code, since: 3.2.0 }
      - { event: share, since: "3.2" }
      - { event: old, since: "3.1", status: archived }
      - { event: later, since: "10.0" }
      - event: always
    """

  private static func states(_ answer: HTTPAnswer) -> [String] {
    (answer.object["events"] as? [[String: Any]] ?? []).map { "\($0["event"] ?? "") \($0["state"] ?? "")" }
  }

  private static func event(_ number: Int, _ name: String, _ system: String, _ properties: [String: Any] = [:])
    -> [String: Any]
  {
    let own: [String: Any] = ["$lib": system, "$app_version": "3.2"]
    return ["event": name, "distinct_id": "u", "_track_id": number, "properties": own.merging(properties) { $1 }]
  }

  @Test func `a rule set without a plan has no releases`() async throws {
    let service = try RunningService()
    let list = try await service.get(Self.path)
    #expect(list.status == 200 && (list.object["releases"] as? [Any])?.isEmpty ?? false, "\(list.text)")
    #expect(try await service.get(Self.path + "/3.2").status == 404)
    #expect(try await service.get("/v1/rulesets/missing/plan/releases").status == 404)
  }

  @Test func `the events that are new in a version are draft, circled or accepted, and so is the release`() async throws
  {
    let service = try await PlanTests.service(plan: Self.plan)
    let list = try await service.get(Self.path)
    let versions = (list.object["releases"] as? [[String: Any]])?.map { $0["version"] as? String ?? "" }
    #expect(versions == ["10.0", "3.2"], "the newest first, without what is out of use: \(list.text)")
    let release = try await service.get(Self.path + "/3.2")
    #expect(Self.states(release) == ["add_to_cart circled", "order_paid circled", "share draft"], "\(release.text)")
    #expect(release.object["state"] as? String == "draft", "as far as the event that is least far")

    // A rule of the draft is said beside the event, which stays a draft until it is in force.
    let more =
      PlanTests.rules
      + "\n  - { id: share, include: { event: $AppClick, where: { $element_content: Share } }, emit: share }\n"
    let draft = try await service.send(
      "PUT", "/v1/rulesets/default/draft", headers: ["If-None-Match": "*"], body: Data(more.utf8))
    #expect([200, 201].contains(draft.status), "\(draft.text)")
    let drafted = try await service.get(Self.path + "/3.2.0").object
    let share = (drafted["events"] as? [[String: Any]])?.last
    #expect(share?["draft_rules"] as? [String] == ["share"] && share?["rules"] as? [String] == [])
    #expect(share?["state"] as? String == "draft")

    let people = try await service.send(
      "PUT", Self.path + "/3.2", headers: ["Content-Type": "application/json"],
      body: Data(#"{"owner": "Lin", "reviewer": "王"}"#.utf8))
    #expect(people.object["owner"] as? String == "Lin" && people.object["reviewer"] as? String == "王", "\(people.text)")
    #expect(try await service.get(Self.path + "/3.2.0").object["reviewer"] as? String == "王", "3.2 is 3.2.0")
  }

  @Test func `events that arrived as planned are accepted platform by platform, and acceptance can be withdrawn`()
    async throws
  {
    let service = try await PlanTests.service(plan: Self.plan)
    let begin = try await service.get("/v1/rulesets/default/plan/acceptance").object["last_event"] as? Int ?? -1
    let accept = Self.path + "/3.2/acceptance?after=\(begin)"
    let none = try await service.send("POST", accept)
    #expect(none.status == 409, "nothing has arrived: \(none.text)")

    let tap: [String: Any] = ["$element_content": "Add", "price": 1]
    let first = [
      Self.event(1, "$AppClick", "iOS", tap), Self.event(2, "order_paid", "Java"), Self.event(3, "later", "iOS"),
    ]
    #expect(try await service.post("/v1/collect?project=default", json: first).status == 200)
    let half = try await service.send("POST", accept)
    #expect(Self.states(half) == ["add_to_cart circled", "order_paid accepted", "share draft"], "\(half.text)")
    #expect(half.object["accepted_by"] is String && half.object["accepted_at"] is String)

    let wrong = try await service.post(
      "/v1/collect?project=default", json: [Self.event(4, "$AppClick", "Android", tap.merging(["price": "x"]) { $1 })])
    #expect(wrong.status == 200)
    let still = try await service.send("POST", accept)
    #expect(Self.states(still).first == "add_to_cart circled", "what is wrong is not accepted: \(still.text)")
    let last = try await service.get("/v1/rulesets/default/plan/acceptance").object["last_event"] as? Int ?? -1
    let right = Self.event(5, "$AppClick", "Android", tap)
    #expect(try await service.post("/v1/collect?project=default", json: [right]).status == 200)
    let all = try await service.send("POST", Self.path + "/3.2/acceptance?after=\(last)&platform=android")
    #expect(Self.states(all).first == "add_to_cart accepted", "beside what was accepted before: \(all.text)")
    #expect((all.object["counts"] as? [String: Int]) == ["draft": 1, "circled": 0, "accepted": 2])

    #expect(try await service.send("DELETE", Self.path + "/3.2/acceptance").status == 204)
    #expect(try await service.send("DELETE", Self.path + "/3.2/acceptance").status == 404)
    let back = try await service.get(Self.path + "/3.2")
    #expect(Self.states(back).first == "add_to_cart circled" && back.object["accepted_by"] is NSNull)
    let audit = try await service.get("/v1/audit?limit=20").text
    #expect(audit.contains("plan.accept") && audit.contains("plan.unaccept"), "\(audit)")
  }

  @Test func `of two changes that name the same release by its ETag, the second is refused`() async throws {
    let service = try await PlanTests.service(plan: Self.plan)
    let path = Self.path + "/3.2"
    func put(_ people: [String: String], _ tag: String) async throws -> HTTPAnswer {
      try await service.put(path, json: people, headers: ["If-Match": tag])
    }
    let first = try #require(try await service.get(path).headers["etag"])
    let changed = try await put(["owner": "Lin"], first)
    #expect(changed.status == 200 && changed.headers["etag"] != first, "\(changed.text)")
    let late = try await put(["reviewer": "Wang"], first)
    #expect(late.status == 412 && late.errorCode == "stale", "\(late.text)")
    #expect(try await service.get(path).object["owner"] as? String == "Lin")

    var tag = try #require(changed.headers["etag"])
    #expect(try await service.get(path, headers: ["If-None-Match": tag]).status == 304)
    for number in 1...5 {
      let headers = ["If-Match": tag]
      async let one = service.put(path, json: ["reviewer": "Wang \(number)"], headers: headers)
      async let other = service.put(path, json: ["reviewer": "Zhou \(number)"], headers: headers)
      let statuses = try await [one.status, other.status]
      #expect(Set(statuses) == [200, 412])
      tag = try #require(try await service.get(path).headers["etag"])
    }

    // The events of the answer change with the plan.
    let plan = Self.plan.replacingOccurrences(of: "event: share,", with: "event: share, name: Share,")
    let planned = try await service.send(
      "PUT", "/v1/rulesets/default/plan", headers: ["If-Match": "*"], body: Data(plan.utf8))
    #expect(planned.status == 200, "\(planned.text)")
    #expect(try await service.get(path, headers: ["If-None-Match": tag]).status == 200)
    #expect(try await put(["owner": "Chen"], tag).status == 412)
    #expect(try await put(["owner": "Chen"], "*").status == 200)
    #expect(try await put(["owner": "Chen"], "3").status == 400, "an ETag is in quotes")
  }

  @Test func `acceptances of two platforms at the same time both count`() async throws {
    let plan = """
      version: 1
      events: [{ event: add_to_cart, platforms: [ios, android], since: "3.2" }]
      """
    let service = try await PlanTests.service(plan: plan)
    let tap: [String: Any] = ["$element_content": "Add"]
    let taps = [Self.event(1, "$AppClick", "iOS", tap), Self.event(2, "$AppClick", "Android", tap)]
    #expect(try await service.post("/v1/collect?project=default", json: taps).status == 200)
    let accept = Self.path + "/3.2/acceptance"
    for _ in 0..<5 {
      async let ios = service.send("POST", accept + "?after=0&platform=ios")
      async let android = service.send("POST", accept + "?after=0&platform=android")
      let statuses = try await [ios.status, android.status]
      #expect(statuses == [200, 200])
      let release = try await service.get(Self.path + "/3.2")
      #expect(Self.states(release) == ["add_to_cart accepted"])
      #expect(try await service.send("DELETE", accept).status == 204)
    }
  }

  @Test func `a release that is accepted at the same time under two spellings of its version has one record`()
    async throws
  {
    let events = (1...5).map { "{ event: e\($0), tracking: code, since: \"\($0).1\" }" }.joined(separator: ", ")
    let service = try await PlanTests.service(plan: "version: 1\nevents: [\(events)]\n")
    let sent = (1...5).map { number -> [String: Any] in
      let own: [String: Any] = ["$lib": "iOS", "$app_version": "\(number).1"]
      return ["event": "e\(number)", "distinct_id": "u", "_track_id": number, "properties": own]
    }
    #expect(try await service.post("/v1/collect?project=default", json: sent).status == 200)
    for number in 1...5 {
      let release = Self.path + "/\(number).1"
      async let short = service.send("POST", release + "/acceptance?after=0")
      async let long = service.send("POST", release + ".0/acceptance?after=0")
      let statuses = try await [short.status, long.status]
      #expect(statuses == [200, 200])
      #expect(try await service.send("DELETE", release + "/acceptance").status == 204)
      #expect(try await service.send("DELETE", release + ".0/acceptance").status == 404, "there is no other record")
    }
  }

  @Test(arguments: [
    ("4.0-beta.1", "4.0", 200), ("4.0-beta.2", "4.0-beta.2", 200), ("4.1-beta.1", "", 404), ("3.9", "", 404),
  ])
  func `what arrived in a pre-release is accepted for its release, unless the plan has events for the pre-release`(
    tried: String, version: String, status: Int
  ) async throws {
    let service = try await PlanTests.service(
      plan: """
        version: 1
        events: [{ event: a, tracking: code, since: "4.0" }, { event: b, tracking: code, since: 4.0-beta.2 }]
        """)
    let sent = ["a", "b"].enumerated().map { number, name -> [String: Any] in
      let own: [String: Any] = ["$lib": "iOS", "$app_version": tried]
      return ["event": name, "distinct_id": "u", "_track_id": number + 1, "properties": own]
    }
    #expect(try await service.post("/v1/collect?project=default", json: sent).status == 200)
    let answer = try await service.send("POST", Self.path + "/\(tried)/acceptance?after=0")
    #expect(answer.status == status, "\(answer.text)")
    guard status == 200 else { return }
    #expect(answer.object["version"] as? String == version)
    #expect(answer.object["counts"] as? [String: Int] == ["draft": 0, "circled": 0, "accepted": 1])
    #expect(try await service.get(Self.path + "/\(version)").object["state"] as? String == "accepted")
    // The other requests take the version for the same release.
    let read = try await service.get(Self.path + "/\(tried)")
    #expect(read.object["version"] as? String == version, "\(read.text)")
    let tag = try #require(read.headers["etag"])
    let people = try await service.put(Self.path + "/\(tried)", json: ["owner": "Lin"], headers: ["If-Match": tag])
    #expect(people.status == 200 && people.object["version"] as? String == version, "\(people.text)")
    #expect(try await service.send("DELETE", Self.path + "/\(tried)/acceptance").status == 204)
    let back = try await service.get(Self.path + "/\(version)")
    #expect(back.object["state"] as? String == "circled" && back.object["owner"] as? String == "Lin", "\(back.text)")
  }

  @Test func `an event whose name looks the same as that of an accepted one is not accepted`() async throws {
    let names = ["caf\u{E9}", "cafe\u{301}"]
    let events = names.map { "{ event: \($0), tracking: code, since: \"3.2\" }" }.joined(separator: ", ")
    let service = try await PlanTests.service(plan: "version: 1\nevents: [\(events)]\n")
    let sent = [Self.event(1, names[0], "iOS")]
    #expect(try await service.post("/v1/collect?project=default", json: sent).status == 200)
    let accepted = try await service.send("POST", Self.path + "/3.2/acceptance?after=0")
    #expect(accepted.object["counts"] as? [String: Int] == ["draft": 0, "circled": 1, "accepted": 1])
  }

  @Test(arguments: [
    ("GET", "/9.9", "", 404), ("GET", "/new", "", 404), ("POST", "/9.9/acceptance", "", 404),
    ("PUT", "/9.9", "{}", 404),
    ("PUT", "/3.2", #"{"owner": 1}"#, 422), ("PUT", "/3.2", #"{"ownr": "x"}"#, 422),
    ("POST", "/3.2/acceptance?platform=amiga", "", 400), ("POST", "/3.2/acceptance?after=x", "", 400),
  ])
  func `senseless requests are refused`(method: String, path: String, body: String, status: Int) async throws {
    let service = try await PlanTests.service(plan: Self.plan)
    let answer = try await service.send(
      method, Self.path + path, headers: ["Content-Type": "application/json"], body: Data(body.utf8))
    #expect(answer.status == status, "\(answer.text)")
    let names = [String(repeating: "x", count: 201)].map { #"{"owner": "\#($0)"}"# }
    let long = try await service.send(
      "PUT", Self.path + "/3.2", headers: ["Content-Type": "application/json"], body: Data(names[0].utf8))
    #expect(long.status == 422)
  }
}
