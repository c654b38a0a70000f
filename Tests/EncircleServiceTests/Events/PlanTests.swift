import EncircleTestSupport
import Foundation
import Testing

/// The plan beside a rule set: as a file, as a table, and what became of it by the counters of stored events.
@Suite struct PlanTests {
  static let rules = """
    version: 1
    rules:
      - { id: cart.add, owner: cart, include: { event: $AppClick, where: { $element_content: Add } }, emit: add_to_cart }
    """
  private static let plan = """
    version: 1
    events:
      # Whose it is stands in the rule.
      - event: add_to_cart
        platforms: [ios, android]
        properties:
          - { property: price, type: number, required: true }
      - { event: order_paid, tracking: code }
      - { event: share, status: planned }
    """
  private static let path = "/v1/rulesets/default/plan"

  /// A service with a rule set and a plan beside it.
  static func service(plan: String = plan) async throws -> RunningService {
    let service = try RunningService()
    let rules = try await service.send(
      "PUT", "/v1/rulesets/default?reason=x", headers: ["If-Match": "*"], body: Data(rules.utf8))
    #expect(rules.status == 200, "\(rules.text)")
    if !plan.isEmpty {
      let put = try await service.send("PUT", path, headers: ["If-None-Match": "*"], body: Data(plan.utf8))
      #expect(put.status == 200, "\(put.text)")
    }
    return service
  }

  private static func event(_ number: Int, _ name: String, _ properties: [String: Any]) -> [String: Any] {
    var event = CollectTests.event(number, ["event": name])
    event["properties"] = properties
    return event
  }

  private static func tap(_ number: Int, _ properties: [String: Any]) -> [String: Any] {
    event(
      number, "$AppClick",
      ["$lib": "iOS", "$app_version": "3.2", "$element_content": "Add"].merging(properties) { $1 })
  }

  /// The rows of an event as `platform version status events`.
  private static func rows(_ answer: HTTPAnswer, _ event: String) -> [String] {
    let events = answer.object["events"] as? [[String: Any]] ?? []
    let rows = events.first { $0["event"] as? String == event }?["rows"] as? [[String: Any]] ?? []
    return rows.map { row in
      let words = ["platform", "version", "status"].map { row[$0] as? String ?? "-" } + ["\(row["events"] ?? "-")"]
      return words.joined(separator: " ")
    }
  }

  @Test func `a plan is stored as written, and changed only by somebody who has seen it`() async throws {
    let service = try await Self.service(plan: "")
    #expect(try await service.get(Self.path).status == 404)
    #expect(try await service.send("PUT", Self.path, body: Data(Self.plan.utf8)).status == 428)
    let made = try await service.send(
      "PUT", Self.path, headers: ["If-None-Match": "*"], body: Data(Self.plan.utf8))
    #expect(made.status == 200, "\(made.text)")
    let tag = try #require(made.headers["etag"])
    let read = try await service.get(Self.path)
    #expect(read.text == Self.plan)
    #expect(read.headers["etag"] == tag)
    let json = try await service.get(Self.path + "?format=json").object
    #expect((json["events"] as? [Any])?.count == 3)
    let again = try await service.send(
      "PUT", Self.path, headers: ["If-None-Match": "*"], body: Data(Self.plan.utf8))
    #expect(again.status == 412, "there is one already")
    let changed = try await service.send("PUT", Self.path, headers: ["If-Match": tag], body: Data("version: 1\n".utf8))
    #expect(changed.status == 200, "\(changed.text)")
    #expect(try await service.send("PUT", Self.path, headers: ["If-Match": tag], body: Data()).status >= 412)
    #expect(try await service.send("DELETE", Self.path).status == 204)
    #expect(try await service.send("DELETE", Self.path).status == 404)
    let anew = try await service.send(
      "PUT", Self.path, headers: ["If-None-Match": "*"], body: Data(Self.plan.utf8))
    #expect(anew.headers["etag"] != tag, "no ETag stands for two texts")
    let audit = try await service.get("/v1/audit").object["entries"] as? [[String: Any]] ?? []
    #expect(audit.filter { ($0["action"] as? String)?.hasPrefix("plan.") ?? false }.count == 4)
  }

  @Test(arguments: [
    ("version: 1\nevents:\n  - { event: add_to_cart, owner: me }\n", "each fact is stated in one place"),
    ("version: 1\nevents:\n  - { event: a, platforms: [andriod] }\n", "android"),
    ("version: 1\nevents:\n  - { event: a }\n  - { event: a }\n", "already"),
  ])
  func `a plan with errors is refused with all of them`(_ text: String, _ message: String) async throws {
    let service = try await Self.service(plan: "")
    let answer = try await service.send("PUT", Self.path, headers: ["If-Match": "*"], body: Data(text.utf8))
    #expect(answer.status == 422)
    let error = answer.object["error"] as? [String: Any]
    #expect(error?["code"] as? String == "broken-plan")
    #expect((error?["message"] as? String)?.contains(message) == true, "\(answer.text)")
    #expect((error?["location"] as? [String: Any])?["line"] as? Int ?? 0 >= 3)
    #expect(try await service.get(Self.path).status == 404)
  }

  @Test func `counters of stored events report the state of each planned event`() async throws {
    let service = try await Self.service()
    let events = [
      Self.tap(1, ["price": 12]), Self.tap(2, ["price": "12"]), Self.tap(3, [:]),
      Self.event(4, "order_paid", ["$lib": "Java"]), Self.event(5, "debug", ["$lib": "Java", "$app_version": "1"]),
      Self.event(6, "$AppStart", ["$lib": "iOS"]),
    ]
    #expect(try await service.post("/v1/collect?project=default", json: events).status == 200)
    let answer = try await service.get(Self.path + "/status")
    #expect(Self.rows(answer, "add_to_cart") == ["ios 3.2 wrong 3", "android - defined 0"], "\(answer.text)")
    #expect(Self.rows(answer, "order_paid") == ["server - live 1"])
    #expect(Self.rows(answer, "share") == ["- - planned 0"])
    #expect(Self.rows(answer, "debug") == ["server 1 unexpected 1"])
    #expect(Self.rows(answer, "$AppStart") == [], "an event of the SDK is no surprise")
    let entry = (answer.object["events"] as? [[String: Any]])?.first
    #expect(entry?["owner"] as? String == "cart" && entry?["platforms"] as? [String] == ["ios", "android"])
    let row = (entry?["rows"] as? [[String: Any]])?.first
    let faults = row?["faults"] as? [[String: Any]] ?? []
    #expect(faults.map { $0["violation"] as? String } == ["missing", "wrong_type"])
    #expect(faults.allSatisfy { $0["count"] as? Int == 1 })
    let sample = try #require(faults.last?["line"] as? Int)
    let stored = try await service.get("/v1/events/\(sample)").text
    #expect(stored.contains(#""price":"12""#), "the sample is a stored event with the fault: \(stored)")
    #expect(!answer.text.contains(#""12""#), "no value is shown")
    #expect(try await service.get(Self.path + "/status?format=markdown").text.contains("### Tracking plan: 1 wrong"))

    // Another plan for the property begins anew.
    let changed = Self.plan.replacingOccurrences(of: "type: number, required: true", with: "type: any")
    #expect(
      try await service.send("PUT", Self.path, headers: ["If-Match": "*"], body: Data(changed.utf8)).status == 200)
    #expect(Self.rows(try await service.get(Self.path + "/status"), "add_to_cart").first == "ios 3.2 live 3")
    #expect(try await service.post("/v1/collect?project=default", json: [Self.tap(7, ["price": "x"])]).status == 200)
    #expect(Self.rows(try await service.get(Self.path + "/status"), "add_to_cart").first == "ios 3.2 live 4")
    #expect(try await service.get("/v1/rulesets/none/plan/status").status == 404)
  }

  @Test func `the plan's counters agree with a slow count of the events`() async throws {
    let service = try await Self.service()
    var random = SeededGenerator(seed: 38)
    let names = ["add_to_cart", "order_paid", "share", "debug", "$AppClick", "$AppEnd"]
    var events: [[String: Any]] = []
    for number in 0..<200 {
      let name = names.randomElement(using: &random) ?? ""
      var properties: [String: Any] = ["$app_version": ["3.1", "3.2"].randomElement(using: &random) ?? ""]
      properties["$lib"] = ["iOS", "Android", "js"].randomElement(using: &random)
      properties["$element_content"] = ["Add", "Buy"].randomElement(using: &random)
      if Bool.random(using: &random) { properties["price"] = Bool.random(using: &random) ? 3 : "3" }
      events.append(Self.event(number, name, properties))
    }
    for start in stride(from: 0, to: events.count, by: 37) {
      let part = Array(events[start..<min(start + 37, events.count)])
      #expect(try await service.post("/v1/collect?project=default", json: part).status == 200)
    }
    let answer = try await service.get(Self.path + "/status")
    var expected: [String: Int] = [:]
    for event in events {
      let properties = event["properties"] as? [String: Any] ?? [:]
      let name = event["event"] as? String ?? ""
      let isTap = name == "$AppClick" && properties["$element_content"] as? String == "Add"
      guard isTap || !name.hasPrefix("$") else { continue }
      let platform = ["iOS": "ios", "Android": "android", "js": "web"][properties["$lib"] as? String ?? ""] ?? ""
      let key = "\(isTap ? "add_to_cart" : name) \(platform) \(properties["$app_version"] ?? "")"
      expected[key, default: 0] += 1
    }
    var found: [String: Int] = [:]
    var faults = 0
    for event in answer.object["events"] as? [[String: Any]] ?? [] {
      for row in event["rows"] as? [[String: Any]] ?? [] where row["events"] as? Int != 0 {
        found["\(event["event"] ?? "") \(row["platform"] ?? "") \(row["version"] ?? "")"] = row["events"] as? Int
        for fault in row["faults"] as? [[String: Any]] ?? [] { faults += fault["count"] as? Int ?? 0 }
      }
    }
    #expect(found == expected)
    let wrong = events.count { event in
      let properties = event["properties"] as? [String: Any] ?? [:]
      let name = event["event"] as? String ?? ""
      let isCart = name == "add_to_cart" || (name == "$AppClick" && properties["$element_content"] as? String == "Add")
      return isCart && !(properties["price"] is Int)
    }
    #expect(faults == wrong)
  }

  @Test func `a table is shown before it is written, into the plan and the draft`() async throws {
    let service = try await Self.service()
    let table = try await service.get(Self.path + "?format=csv")
    #expect(table.headers["content-type"]?.hasPrefix("text/csv") == true)
    func send(_ text: String, _ query: String = "") async throws -> HTTPAnswer {
      try await service.send(
        "POST", Self.path + "/import" + query, headers: ["Content-Type": "text/csv"], body: Data(text.utf8))
    }
    func counts(_ answer: HTTPAnswer) -> [Int] {
      let counts = answer.object["counts"] as? [String: Int] ?? [:]
      return ["new", "changed", "unchanged", "rejected", "missing"].map { counts[$0] ?? -1 }
    }
    let same = try await send(table.text, "?write=true")
    #expect(counts(same) == [0, 0, 4, 0, 0], "what comes back as it was changes nothing: \(same.text)")
    #expect(try await service.get(Self.path).text == Self.plan)

    let workbook = try await service.get(Self.path + "?format=xlsx&headers=zh")
    let type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    #expect(workbook.headers["content-type"] == type && workbook.body.starts(with: Data("PK".utf8)))
    let accepted = try await service.get(Self.path, headers: ["Accept": type])
    #expect(accepted.headers["content-type"] == type, "\(accepted.headers)")
    let refused = try await service.get(Self.path, headers: ["Accept": "text/csv;q=0, \(type);q=0.0"])
    #expect(refused.text == Self.plan, "\(refused.headers)")
    let back = try await service.send(
      "POST", Self.path + "/import?write=true", headers: ["Content-Type": type], body: workbook.body)
    #expect(counts(back) == [0, 0, 4, 0, 0], "as a workbook, too: \(back.text)")
    let half = try await service.send(
      "POST", Self.path + "/import", headers: ["Content-Type": type], body: Data(workbook.body.prefix(200)))
    #expect(half.status == 422 && half.errorCode == "bad-table", "\(half.text)")

    let edit = "Event Name,Owner,Trigger,Platforms\nadd_to_cart,lin,Tap,ios\nrefund,,,andriod\n"
    let shown = try await send(edit)
    #expect(counts(shown) == [0, 1, 0, 1, 3], "\(shown.text)")
    let rows = shown.object["rows"] as? [[String: Any]] ?? []
    #expect(rows.last?["column"] as? String == "Platforms" && rows.last?["line"] as? Int == 3)
    #expect((shown.object["rejected_table"] as? String)?.contains("did you mean 'android'?") == true)
    #expect(try await send(edit, "?write=true").object["revision"] is NSNull, "a row is wrong")
    #expect(try await service.get(Self.path).text == Self.plan)

    let tag = try #require(try await service.get(Self.path).headers["etag"])
    #expect(shown.headers["etag"] == tag, "what was shown can be named when it is written")
    let written = try await send(edit, "?write=true&partial=true")
    #expect(written.object["draft"] as? Int != nil, "the owner belongs to the rule: \(written.text)")
    let text = try await service.get(Self.path).text
    #expect(text.contains("trigger: Tap") && text.contains("# Whose it is stands in the rule."), "\(text)")
    #expect(try await service.get("/v1/rulesets/default/draft").text.contains("owner: lin"))
    let late = try await service.send(
      "POST", Self.path + "/import?write=true", headers: ["If-Match": tag, "Content-Type": "text/csv"],
      body: Data(edit.utf8))
    #expect(late.status == 412)
    #expect(try await send("a\nb\n").status == 422, "no header is known")
    #expect(try await send("Event Name,Trigger\n埋,点\n", "?write=true").status == 200)

    let draft = "/v1/rulesets/default/draft"
    let seen = try #require(try await service.get(draft).headers["etag"])
    let put = try await service.send(
      "PUT", draft, headers: ["If-Match": seen], body: Data("version: 1\nrules: [\n".utf8))
    #expect(put.status == 200)
    let owner = "Event Name,Owner\nadd_to_cart,kim\n"
    let broken = try await send(owner, "?write=true")
    #expect(broken.status == 422 && broken.errorCode == "broken-rules", "the draft has errors: \(broken.text)")
    #expect(try await send(owner).status == 200, "without writing, the rules in force count")
  }

  @Test func `a table is written into the plan and the draft, or into neither if the plan changes meanwhile`()
    async throws
  {
    let service = try await Self.service()
    let others = Task {
      while !Task.isCancelled {
        _ = try await service.send("PUT", Self.path, headers: ["If-Match": "*"], body: Data(Self.plan.utf8))
      }
    }
    defer { others.cancel() }
    for i in 0..<20 {
      let answer = try await service.send(
        "POST", Self.path + "/import?write=true", headers: ["Content-Type": "text/csv"],
        body: Data("Event Name,Owner,Trigger\nadd_to_cart,lin\(i)x,Tap\n".utf8))
      #expect([200, 412].contains(answer.status), "\(answer.text)")
      let draft = try await service.get("/v1/rulesets/default/draft").text
      #expect(draft.contains("owner: lin\(i)x") == (answer.status == 200), "\(answer.text)")
    }
  }

  @Test func `a table moves facts of planned events into rules that have come later, and such facts do not block it`()
    async throws
  {
    let service = try await Self.service(plan: "version: 1\nevents:\n  - { event: refund, name: 退款, owner: money }\n")
    let rules = Self.rules + "\n  - { id: back, owner: lin, include: { event: returned }, emit: refund }\n"
    let published = try await service.send(
      "PUT", "/v1/rulesets/default?reason=x", headers: ["If-Match": "*"], body: Data(rules.utf8))
    #expect(published.status == 200, "\(published.text)")
    let errors = try await service.get(Self.path + "/status").object["errors"] as? [Any]
    #expect(errors?.count == 2, "the name and the owner")
    #expect(try await service.post("/v1/collect?project=default", json: [Self.event(1, "debug", [:])]).status == 200)
    let taken = try await service.post(Self.path + "/events", json: ["events": ["debug"]])
    #expect(taken.status == 200, "\(taken.text)")
    let written = try await service.send(
      "POST", Self.path + "/import?write=true", headers: ["Content-Type": "text/csv"],
      body: Data("Event Name,Platforms\nrefund,server\n".utf8))
    #expect(written.status == 200, "\(written.text)")
    let moved = written.object["moved"] as? [[String: Any]] ?? []
    #expect(moved.map { $0["key"] as? String } == ["name", "owner"], "\(written.text)")
    #expect(moved.map { $0["taken"] as? Bool } == [true, false], "\(written.text)")
    let plan = try await service.get(Self.path).text
    #expect(plan.contains("platforms: [server]") && plan.contains("debug") && !plan.contains("money"), "\(plan)")
    let draft = try await service.get("/v1/rulesets/default/draft").text
    #expect(draft.contains("name: 退款") && draft.contains("owner: lin") && !draft.contains("money"), "\(draft)")
    #expect((try await service.get(Self.path + "/status").object["errors"] as? [Any])?.isEmpty == true)
  }

  @Test func `a table is refused if the draft has changed since it was shown`() async throws {
    let service = try await Self.service()
    let draft = "/v1/rulesets/default/draft"
    func send(_ query: String) async throws -> HTTPAnswer {
      try await service.send(
        "POST", Self.path + "/import" + query, headers: ["Content-Type": "text/csv"],
        body: Data("Event Name,Owner\nadd_to_cart,kim\n".utf8))
    }
    #expect(try await send("").object["compared_draft"] as? Int == 0, "there is no draft yet")
    let made = try await service.send(
      "PUT", draft, headers: ["If-None-Match": "*"],
      body: Data(Self.rules.replacingOccurrences(of: "owner: cart", with: "owner: lin").utf8))
    #expect(made.status == 200, "\(made.text)")
    let late = try await send("?write=true&draft=0")
    #expect(late.status == 412 && late.errorCode == "stale", "\(late.text)")
    #expect(try await service.get(draft).text.contains("owner: lin"), "what another person wrote stays")

    let shown = try await send("")
    let revision = try #require(shown.object["compared_draft"] as? Int, "\(shown.text)")
    #expect(try await service.get(draft).headers["etag"] == "\"\(revision)\"")
    let written = try await send("?write=true&draft=\(revision)")
    #expect(written.status == 200, "\(written.text)")
    #expect(try await service.get(draft).text.contains("owner: kim"))
    #expect(try await send("?draft=new").status == 400)
  }

  @Test func `a checklist starts when a person starts it, and ticks with the events of one person and version`()
    async throws
  {
    let service = try await Self.service()
    let acceptance = Self.path + "/acceptance?app_version=3.2&platform=ios&distinct_id=u1"
    #expect(try await service.post("/v1/collect?project=default", json: [Self.tap(1, ["price": 1])]).status == 200)
    let begin = try await service.get(acceptance)
    let last = try #require(begin.object["last_event"] as? Int, "\(begin.text)")
    func states(_ answer: HTTPAnswer) -> [String] {
      (answer.object["items"] as? [[String: Any]] ?? []).map { "\($0["event"] ?? "") \($0["state"] ?? "")" }
    }
    #expect(states(begin) == ["add_to_cart waiting", "order_paid waiting", "share waiting"], "\(begin.text)")
    let events = [
      Self.tap(8, ["price": 2]), Self.tap(9, ["price": "x"]), Self.tap(15, ["$app_version": "3.1", "price": "x"]),
      Self.event(22, "order_paid", ["$lib": "iOS", "note": "secret"]),
    ]
    #expect(try await service.post("/v1/collect?project=default", json: events).status == 200)
    let done = try await service.get(acceptance + "&after=\(last)&tester=lin")
    #expect(states(done) == ["add_to_cart accepted", "order_paid accepted", "share waiting"], "\(done.text)")
    #expect(done.object["accepted"] as? Bool == true && done.object["other_events"] as? Int == 1)
    let all = try await service.get(Self.path + "/acceptance?after=\(last)")
    #expect(states(all).first == "add_to_cart wrong", "another person's event is wrong: \(all.text)")
    for (format, expected) in [("html", "<dt>tester</dt><dd>lin</dd>"), ("markdown", "- tester: `lin`")] {
      let report = try await service.get(acceptance + "&after=\(last)&tester=lin&format=\(format)").text
      #expect(report.contains(expected) && !report.contains("secret"), "\(report)")
    }
    #expect(try await service.get(Self.path + "/acceptance?platform=amiga").status == 400)
    #expect(try await service.get(Self.path + "/acceptance?app_version=new").status == 400)
    #expect(try await service.send("DELETE", Self.path).status == 204)
    #expect(try await service.get(acceptance).status == 404, "there is no plan")
  }

  @Test func `unexpected events enter the plan as seen, without values that only one person sent`()
    async throws
  {
    let service = try await Self.service()
    let events = (0..<120).map { number in
      Self.event(
        number, "search",
        [
          "$lib": "js", "query": "text of person \(number)", "source": ["home", "cart"][number % 2], "hits": number,
          "tags": ["a"], "$secret": "x",
        ])
    }
    #expect(try await service.post("/v1/collect?project=default", json: events).status == 200)
    let answer = try await service.post(Self.path + "/events", json: ["events": ["search", "unknown", "share"]])
    #expect(answer.status == 200, "\(answer.text)")
    let text = try await service.get(Self.path).text
    #expect(text.hasPrefix(Self.plan.prefix(40)), "what was there stays")
    #expect(text.contains("search") && text.contains("web") && text.contains("home"), "\(text)")
    #expect(!text.contains("person") && !text.contains("secret") && !text.contains("unknown"))
    let status = try await service.get(Self.path + "/status")
    #expect(Self.rows(status, "search") == ["web - live 120"], "\(status.text)")
    let events2 = try await service.get(Self.path + "?format=json").object["events"] as? [[String: Any]] ?? []
    let properties = events2.last?["properties"] as? [[String: Any]] ?? []
    let types = properties.map { "\($0["property"] ?? "") \($0["type"] ?? "-") \($0["list"] ?? "-")" }
    #expect(types == ["hits number -", "query string -", "source string -", "tags string 1"], "\(text)")
    let again = try await service.post(Self.path + "/events", json: ["events": ["search"]])
    #expect((again.object["events"] as? [Any])?.isEmpty == true, "it is planned already")
  }
}
