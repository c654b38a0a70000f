import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleService

@Suite struct RuleAnalysisRouteTests {
  private static let rules = "version: 1\nrules:\n  - id: buttons\n    include: { selector: UIButton }\n"

  private static func post(_ service: RunningService, _ path: String, _ body: [String: Any]) async throws -> [String:
    Any]
  {
    let answer = try await service.post("/v1/rules/\(path)", json: body)
    #expect(answer.status == 200, "\(answer.text.prefix(300))")
    return answer.object
  }

  // MARK: - Checking

  @Test func `findings have a place, and a fix as a complete text that loads`() async throws {
    let service = try RunningService()
    _ = try await SelectorRouteTests.upload(["home-feed.xml"], to: service)
    let text = "version: 1\n# keep me\nrules:\n  - id: strip\n    include: { selector: FeedStripCel }\n"
    let answer = try await Self.post(service, "check", ["text": text])
    #expect(answer["loads"] as? Bool == true)
    let findings = try #require(answer["findings"] as? [[String: Any]])
    let fixed = try #require(findings.first { ($0["fixes"] as? [Any])?.isEmpty == false })
    let location = try #require(fixed["location"] as? [String: Any])
    #expect(location["line"] as? Int == 5)
    #expect(location["file"] as? String == "rules.yaml")
    let fix = try #require((fixed["fixes"] as? [[String: Any]])?.first?["text"] as? String)
    #expect(fix.contains("FeedStripCell }") && fix.contains("# keep me"))
    let again = try await Self.post(service, "check", ["text": fix])
    #expect((again["findings"] as? [[String: Any]])?.contains { $0["code"] as? String == "matches-nothing" } == false)
  }

  @Test func `a text that does not load has its errors as findings`() async throws {
    let service = try RunningService()
    for text in ["", "version: 1\nrules:\n  - id: a\n    include: { selector: A( }\n", "a: [", "{\"version\": 1"] {
      let answer = try await Self.post(service, "check", ["text": text, "name": "draft.yaml"])
      #expect(answer["loads"] as? Bool == false)
      #expect(answer["errors"] as? Int ?? 0 > 0)
      let findings = try #require(answer["findings"] as? [[String: Any]])
      #expect(findings.allSatisfy { $0["severity"] as? String == "error" })
    }
  }

  @Test func `stored rule sets and drafts are named instead of a text`() async throws {
    let service = try RunningService()
    let empty = try await Self.post(service, "check", ["ruleset": "default"])
    #expect(empty["loads"] as? Bool == true)
    for (body, status, code) in [
      (["ruleset": "none"], 404, "no-ruleset"), (["ruleset": "default", "draft": true], 404, "no-draft"),
      (["ruleset": "default", "version": 99], 404, "no-version"), ([:], 422, "no-rules"),
      (["ruleset": "default", "text": ""], 422, "bad-value"), (["text": 3], 422, "bad-value"),
      (["text": "", "draft": true], 422, "bad-value"), (["texts": ""], 422, "unknown-member"),
    ] as [([String: Any], Int, String)] {
      let answer = try await service.post("/v1/rules/check", json: body)
      #expect(answer.status == status, "\(body)")
      #expect(answer.errorCode == code, "\(body)")
    }
  }

  // MARK: - Explaining

  @Test func `an event and an element are explained, as a tree and as text`() async throws {
    let service = try RunningService()
    let capture = try #require(
      try await SelectorRouteTests.upload(["home-feed.xml"], to: service)["home-feed.xml"])
    let elements =
      try await service.post(
        "/v1/select", json: ["clause": ["selector": "UIButton"], "capture": capture]
      ).object["here"] as? [Int]
    let button = try #require(elements?.first)
    let element = try await Self.post(
      service, "explain", ["text": Self.rules, "capture": capture, "element": button])
    #expect((element["decision"] as? [String: Any])?["selected"] as? Bool == true)
    #expect((element["decision"] as? [String: Any])?["rules"] as? [String] == ["buttons"])
    #expect((element["text"] as? String)?.hasPrefix("selected as buttons") == true)
    let tree = try #require((element["explanation"] as? [String: Any])?["explanations"] as? [[String: Any]])
    #expect(tree.first?["matches"] as? Bool == true)

    let event = try await Self.post(
      service, "explain", ["text": Self.rules, "event": ["event": "$AppClick", "properties": [:] as [String: Any]]])
    #expect((event["decision"] as? [String: Any])?["selected"] as? Bool == false)

    for body in [
      ["text": Self.rules], ["text": Self.rules, "event": 3],
      ["text": Self.rules, "event": [:] as [String: Any], "capture": capture],
      ["text": Self.rules, "capture": capture, "element": 1 << 40],
      ["text": "version: 2", "event": [:] as [String: Any]],
    ] as [[String: Any]] {
      #expect(try await service.post("/v1/rules/explain", json: body).status == 422, "\(body)")
    }
  }

  // MARK: - Testing

  @Test func `tests run on stored captures, and open no file`() async throws {
    let service = try RunningService()
    let id = try #require(
      try await SelectorRouteTests.upload(["home-feed.xml"], to: service)["home-feed.xml"])
    func tests(_ capture: String) -> String {
      """
      version: 1
      tests:
        - name: buttons
          capture: \(capture)
          elements: UIButton
          expect: { selected: true }
        - name: a view
          event: { event: $AppViewScreen }
          expect: { selected: true }
      """
    }
    for capture in ["home-feed.xml", id] {
      let answer = try await Self.post(service, "test", ["text": Self.rules, "tests": tests(capture)])
      #expect(answer["passed"] as? Int == 1)
      #expect(answer["failed"] as? Int == 1)
    }
    let secret = PackageFolder.viewTrees.appendingPathComponent("cart.xml").path
    let refused = try await service.post(
      "/v1/rules/test", json: ["text": Self.rules, "tests": tests(secret)])
    #expect(refused.status == 422)
    #expect(refused.errorCode == "broken-tests")
    let events = "version: 1\ntests:\n  - name: a\n    events: /etc/passwd\n    expect: { selected: true }\n"
    #expect(try await service.post("/v1/rules/test", json: ["text": Self.rules, "tests": events]).status == 422)
  }

  // MARK: - Comparing

  @Test func `two rule sets are compared by lines, rules and what they select`() async throws {
    let service = try RunningService()
    _ = try await SelectorRouteTests.upload(["home-feed.xml", "cart.xml"], to: service)
    let new =
      "version: 1\nrules:\n  - id: buttons\n    include: { selector: UIButton, page: HomeViewController }\n"
      + "  - id: strip\n    include: { selector: FeedStripCell }\n"
    let answer = try await Self.post(
      service, "diff", ["old": ["text": Self.rules, "name": "old.yaml"], "new": ["text": new]])
    let unified = try #require(answer["unified"] as? String)
    #expect(unified.hasPrefix("--- old.yaml\n+++ rules.yaml\n") && unified.contains("+  - id: strip"))
    let changes = try #require(answer["rules"] as? [[String: String]])
    #expect(changes == [["id": "buttons", "change": "changed"], ["id": "strip", "change": "added"]])
    let elements = try #require(answer["elements"] as? [String: Any])
    #expect(elements["more"] as? Int ?? 0 > 0)
    #expect(elements["fewer"] as? Int ?? 0 > 0)
    #expect(answer["complete"] as? Bool == true)

    let reordered = "version: 1\nrules:\n  - include: { selector: UIButton }\n    id: buttons\n"
    for text in ["# other\n" + Self.rules, reordered] {
      let same = try await Self.post(service, "diff", ["old": ["text": Self.rules], "new": ["text": text]])
      #expect((same["rules"] as? [Any])?.isEmpty == true, "\(text)")
    }
    let broken = try await service.post(
      "/v1/rules/diff", json: ["old": ["text": Self.rules], "new": ["text": "version: 3", "name": "new.yaml"]])
    #expect(broken.status == 422)
    #expect(broken.errorCode == "broken-rules")
  }

  @Test func `expensive texts get an answer in the end`() async throws {
    let service = try RunningService()
    let aliases =
      "version: 1\nrules:\n  - &a { id: a, include: { where: { x: { in: [" + String(repeating: "1, ", count: 5_000)
      + "1] } } } }\n" + String(repeating: "  - *a\n", count: 5_000)
    let deep = "version: 1\nrules: " + String(repeating: "[", count: 100_000)
    for text in [aliases, deep, String(repeating: "- ", count: 100_000)] {
      let answer = try await service.post("/v1/rules/check", json: ["text": text])
      #expect(answer.status == 200 || answer.status == 503, "\(answer.text.prefix(200))")
    }
    #expect(try await service.get("/healthz").status == 200)
  }
}
