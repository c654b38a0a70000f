import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

@testable import EncircleAuthoring

/// Rules and the actions that were exported of them, on 20,000 random events.
@Suite struct PostHogAlikeTests {
  private static let texts = ["pro", "team", "Pro plan", "加入购物车", "a.b", "12", "true", "50% off", "x_y"]
  private static let urls = [
    "https://shop.example/checkout/7/pay", "https://shop.example/", "/checkout/", "https://shop.example/CHECKOUT/",
  ]
  private static let classes = ["UIButton", "UIView", "RecoCell", "UIButtonBar", "UIWindow"]
  private static let tags = ["div", "button", "a", "article", "li"]

  /// A random rule, as it is written in a file.
  static func rule(_ number: Int, isWeb: Bool, _ random: inout SeededGenerator) -> String {
    let clauses = (0..<Int.random(in: 1...2, using: &random)).map { _ in clause(isWeb, &random) }
    var text = "  - { id: r\(number), include: [\(clauses.joined(separator: ", "))]"
    if random.oneIn(4) {
      let event = random.oneIn(2) ? "event: \(random.pick(["$autocapture", "$pageview"])), " : ""
      text += ", unless: { \(event)where: { \(test(&random)) } }"
    }
    return text + " }\n"
  }

  private static func clause(_ isWeb: Bool, _ random: inout SeededGenerator) -> String {
    var parts: [String] = []
    if random.oneIn(2) {
      parts = ["event: $autocapture", "selector: '\(isWeb ? css(&random) : selector(&random))'"]
    } else {
      parts = ["event: \(random.pick(["$autocapture", "$pageview", "[order_paid, $pageview]"]))"]
    }
    if random.oneIn(3) {
      parts.append("page: \(isWeb ? random.pick(["/cart", "/cart/*"]) : random.pick(["Home", "[Cart, Home]"]))")
    }
    if random.oneIn(2) {
      parts.append("where: { \(test(&random))\(random.oneIn(3) ? ", \(test(&random, "coupon"))" : "") }")
    }
    return "{ \(parts.joined(separator: ", ")) }"
  }

  private static func selector(_ random: inout SeededGenerator) -> String {
    var steps = [random.pick(classes)]
    while random.oneIn(2), steps.count < 3 { steps = [random.pick(classes)] + (random.oneIn(2) ? ["**"] : []) + steps }
    return steps.joined(separator: "/") + (random.oneIn(2) ? "/**" : "")
  }

  private static func css(_ random: inout SeededGenerator) -> String {
    var text = ""
    for i in 0..<Int.random(in: 1...2, using: &random) {
      if i > 0 { text += random.oneIn(2) ? " > " : " " }
      text += random.pick(tags) + random.pick(["", "", ".buy", "[id=\"x\"]", ":nth-child(1)", "[href=\"/p\"]"])
    }
    return text
  }

  private static func test(_ random: inout SeededGenerator, _ key: String = "plan") -> String {
    let value = "'\(random.pick(texts))'"
    if key == "plan", random.oneIn(5) {
      let url = random.pick(["/checkout/", "https://shop.example/", "checkout/7"])
      return
        "$current_url: \(random.pick(["{ contains: '\(url)' }", "'\(url)'", "{ prefix: '\(url)' }", "{ matches: 'ch.*/pay' }"]))"
    }
    let tests = [
      value, "[\(value), pro]", "{ not: \(value) }", "{ contains: \(value) }", "{ contains: \(value), fold: true }",
      "{ suffix: \(value) }", "{ glob: '*o*' }", "{ matches: '^p.o' }", "{ not: { contains: \(value) } }",
      "{ exists: true }", "{ exists: false }", "{ prefix: p, not: { suffix: o } }",
      "{ not: { equals: pro, fold: true } }",
      "{ equals: \(value), fold: true }", "12", "[12, '12']", "{ '>': 3, '<=': 12 }", "true",
      "{ not: { in: [team, pro] } }",
    ]
    return "\(key): \(random.pick(tests))"
  }

  // MARK: - Events

  /// A random event, and whether a property has a value that PostHog may take for something else.
  static func event(isWeb: Bool, _ random: inout SeededGenerator) -> (json: String, isOdd: Bool) {
    let name = random.pick(["$autocapture", "$autocapture", "$pageview", "order_paid"])
    var members: [String] = []
    var isOdd = false
    for key in ["plan", "coupon"] where !random.oneIn(4) {
      if random.oneIn(5) {
        isOdd = true
        members.append("\"\(key)\":\(random.pick(["12", "7", "true", "null", "[\"pro\"]", "{\"a\":\"pro\"}", "\"\""]))")
      } else {
        members.append("\"\(key)\":\"\(random.pick(texts))\"")
      }
    }
    if random.oneIn(2) { members.append("\"$current_url\":\"\(random.pick(urls))\"") }
    if isWeb { members.append("\"$pathname\":\"\(random.pick(["/cart", "/cart/7", "/"]))\"") }
    if !isWeb, !random.oneIn(5) { members.append("\"$screen_name\":\"\(random.pick(["Home", "Cart", "Other"]))\"") }
    if name == "$autocapture" {
      members.append("\"$elements_chain\":\"\(isWeb ? webChain(&random) : chain(&random))\"")
    }
    return ("{\"event\":\"\(name)\",\"properties\":{\(members.joined(separator: ","))}}", isOdd)
  }

  private static func chain(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1...4, using: &random)).map { _ in random.pick(classes) }.joined(separator: ";")
  }

  private static func webChain(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1...4, using: &random)).map { _ in
      let tag = random.pick(tags)
      let isBuy = random.oneIn(2)
      let more = random.pick(["", "attr__id=\\\"x\\\"attr_id=\\\"x\\\"", "attr__href=\\\"/p\\\"href=\\\"/p\\\""])
      return tag + (isBuy ? ".buy" : "") + ":" + (isBuy ? "attr__class=\\\"buy\\\"" : "") + more
        + "nth-child=\\\"\(random.pick(["1", "2"]))\\\"nth-of-type=\\\"1\\\""
    }.joined(separator: ";")
  }

  // MARK: -

  @Test("an exported action takes only what its rule takes, except where it says so", arguments: [false, true])
  func alike(isWeb: Bool) throws {
    var compared = 0
    var taken = 0
    var exact = 0
    for seed in TestSize.scaled(0..<50) {
      var random = SeededGenerator(seed: UInt64(seed) * 2 + (isWeb ? 1 : 0))
      let rules = (0..<8).map { Self.rule($0, isWeb: isWeb, &random) }.joined()
      let text = "version: 1\nstyle: \(isWeb ? "posthog-web" : "posthog")\nrules:\n" + rules
      let sourced = try RuleFiles(text: text, name: "rules.yaml").ruleSetWithSources()
      let report = PostHogExport.report(sourced, ExportAllowance(wider: true))
      var servers: [String: PostHogServer] = [:]
      for file in report.files { servers[file.name] = try PostHogServer(file.bytes) }
      var decider = Decider(Matcher(sourced.ruleSet))
      for _ in 0..<200 {
        let (json, isOdd) = Self.event(isWeb: isWeb, &random)
        let event = try PostHogServer.Event(json)
        let matching = Set(try decider.decide(json: Array(json.utf8)).rules)
        for row in report.rows where row.isWritten && !(isOdd && row.reasons.contains { $0.effect == .unsure }) {
          let server = try #require(servers[row.files[0]])
          let takes = server.takes(event)
          let matches = matching.contains(row.rule)
          compared += 1
          if takes { taken += 1 }
          if row.status == .exported { exact += 1 }
          let isRight = row.status == .exported ? takes == matches : takes || !matches
          #expect(isRight, "seed \(seed), \(row.rule): rule \(matches), action \(takes)\n\(json)\n\(rules)")
          guard isRight else { return }
        }
      }
    }
    #expect(compared > TestSize.scaled(20_000) && taken * 30 > compared && exact * 5 > compared)
  }
}
