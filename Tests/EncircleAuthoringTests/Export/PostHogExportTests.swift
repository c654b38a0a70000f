import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

@testable import EncircleAuthoring

/// Rules as actions of PostHog.
@Suite struct PostHogExportTests {
  static func report(_ rules: String, style: String = "posthog", wider: Bool = true) throws -> ExportReport {
    let text = "version: 1\nstyle: \(style)\nrules:\n" + rules
    let files = RuleFiles(text: text, name: "rules.yaml")
    return PostHogExport.report(try files.ruleSetWithSources(), ExportAllowance(wider: wider))
  }

  private static func rule(_ clause: String, _ more: String = "") -> String {
    "  - id: a\n    include: \(clause)\n" + (more.isEmpty ? "" : "    \(more)\n")
  }

  /// The steps of the only action.
  private static func steps(_ report: ExportReport) throws -> String {
    let file = try #require(report.files.first)
    let text = String(decoding: file.bytes, as: UTF8.self)
    let start = try #require(text.range(of: "\"steps\":"))
    return String(text[start.upperBound...].dropLast(2))
  }

  @Test(
    "a clause becomes a step with all its conditions",
    arguments: [
      ("{ event: order_paid }", #"[{"event":"order_paid","properties":[]}]"#),
      (
        "{ event: [a, b], page: Home }",
        #"[{"event":"a","properties":[{"key":"$screen_name","operator":"exact","type":"event","value":["Home"]}]},"#
          + #"{"event":"b","properties":[{"key":"$screen_name","operator":"exact","type":"event","value":["Home"]}]}]"#
      ),
      (
        "{ event: $pageview, where: { $current_url: { contains: /checkout/ } } }",
        #"[{"event":"$pageview","url":"/checkout/","url_matching":"contains","properties":[]}]"#
      ),
      (
        "{ event: $pageview, where: { $current_url: '' } }",
        #"[{"event":"$pageview","properties":[{"key":"$current_url","operator":"exact","type":"event","value":[""]}]}]"#
      ),
      (
        "{ event: $pageview, where: { $current_url: { contains: a_b } } }",
        #"[{"event":"$pageview","properties":[{"key":"$current_url","operator":"regex","type":"event","value":"a_b"}]}]"#
      ),
      (
        "{ event: e, where: { p: { not: { in: [pro, team] } } } }",
        #"[{"event":"e","properties":[{"key":"p","operator":"is_not","type":"event","value":["pro","team"]}]}]"#
      ),
      (
        "{ event: e, where: { p: { prefix: a.b, not: { matches: x } } } }",
        #"[{"event":"e","properties":[{"key":"p","operator":"regex","type":"event","value":"^a\\.b"},"#
          + #"{"key":"p","operator":"not_regex","type":"event","value":"x"}]}]"#
      ),
      (
        #"{ event: e, where: { p: { matches: "(?s)\u0301abc" } } }"#,
        "[{\"event\":\"e\",\"properties\":[{\"key\":\"p\",\"operator\":\"regex\",\"type\":\"event\",\"value\":\"\u{301}abc\"}]}]"
      ),
      (
        "{ event: e, where: { p: { matches: 'a.c' }, q: { exists: false } } }",
        #"[{"event":"e","properties":[{"key":"p","operator":"regex","type":"event","value":"(?-s:a.c)"},"#
          + #"{"key":"q","operator":"is_not_set","type":"event","value":"is_not_set"}]}]"#
      ),
      (
        "{ event: $autocapture, selector: UIButton/** }",
        #"[{"event":"$autocapture","tag_name":"UIButton","properties":[]}]"#
      ),
      (
        "{ event: $autocapture, selector: [RecoCell/UIButton, RecoCell/**/UIButton] }",
        #"[{"event":"$autocapture","selector":"RecoCell > UIButton","properties":[]},"#
          + #"{"event":"$autocapture","selector":"RecoCell UIButton","properties":[]}]"#
      ),
      (
        #"{ event: $autocapture, where: { /elements_chain: { matches: '(?s)[:"]text="加入\.购物车"' } } }"#,
        #"[{"event":"$autocapture","text":"加入.购物车","text_matching":"exact","properties":[]}]"#
      ),
      (
        #"{ event: $autocapture, where: { $elements_chain: { matches: '(^|;)Shop\.Button(\.|$|;|:)' } } }"#,
        #"[{"event":"$autocapture","tag_name":"Shop.Button","properties":[]}]"#
      ),
    ])
  func step(clause: String, steps: String) throws {
    let report = try Self.report(Self.rule(clause))
    #expect(try Self.steps(report) == steps)
  }

  @Test(
    "conditions that an action cannot express are refused or noted at their place in the rule",
    arguments: [
      ("{ event: e }", "enabled: false", ["refused disabled /enabled"]),
      ("{ event: e }", "from: 2026-01-01", ["refused time-limits /from"]),
      ("{ event: e }", "sameKind: true", ["refused same-kind /sameKind"]),
      ("{ event: { prefix: a } }", "", ["refused event-name /include/event"]),
      ("{ selector: A }", "", ["refused other-events /include/selector"]),
      ("{ event: $autocapture, selector: A/*/B }", "", ["refused wildcard /include/selector"]),
      ("{ event: $autocapture, selector: ':A' }", "", ["refused wildcard /include/selector"]),
      ("{ event: $autocapture, selector: A }", "", ["wider any-element /include/selector"]),
      ("{ event: $autocapture, selector: '*/**' }", "", ["unsure any-element /include/selector"]),
      (
        #"{ event: $autocapture, selector: 'A(text:"x")/**', where: { /elements_chain: { matches: '(?s)[:"]text="y"' } } }"#,
        "", ["wider any-element /include/selector", "refused texts /include"]
      ),
      (
        #"{ event: $autocapture, selector: A/**, where: { /elements_chain: { matches: '(^|;)B(\.|$|;|:)' } } }"#, "",
        ["refused texts /include"]
      ),
      (
        "{ event: $autocapture, selector: A/** , page: { kindOf: B } }", "", ["refused kind-of /include/page"]
      ),
      ("{ event: e, where: { p: { version: '>=5' } } }", "", ["refused version /include/where/p"]),
      ("{ event: e, where: { /p: 1 } }", "", ["refused other-place /include/where/~1p"]),
      ("{ event: e, where: { p: 12 } }", "", ["wider cast /include/where/p"]),
      ("{ event: e, where: { p: '12' } }", "", ["wider cast /include/where/p"]),
      ("{ event: e, where: { p: [12, '12'] } }", "", []),
      ("{ event: e, where: { p: { not: '12' } } }", "", ["refused cast /include/where/p"]),
      ("{ event: e, where: { p: { '>': 0 } } }", "", ["wider cast /include/where/p"]),
      ("{ event: e, where: { p: { not: { '>': 0 } } } }", "", ["refused negated-number /include/where/p"]),
      ("{ event: e, where: { p: null } }", "", ["refused null-values /include/where/p"]),
      ("{ event: e, where: { p: { exists: true } } }", "", ["unsure null-values /include/where/p"]),
      ("[{ event: e }, { event: e, where: { p: { number: 1 } } }]", "", ["refused number-in-text /include/1/where/p"]),
      ("[{ event: e, where: { p: { number: 1 } } }]", "", ["refused number-in-text /include/0/where/p"]),
      ("{ event: e }", "unless: { where: { p: x } }", []),
      ("{ event: e }", "unless: [{ event: e, selector: A }]", ["refused unless /unless/0"]),
      ("{ event: e }", "unless: { event: e, selector: A }", ["refused unless /unless"]),
      ("{ event: e }", "unless: { event: e }", ["refused contradiction "]),
      ("{ event: e }", "properties: { q: 1 }", ["unsure property-given /properties/q"]),
      ("{ event: e }", "tolerance: 0.9", ["unsure tolerance /tolerance"]),
    ])
  func reasons(clause: String, more: String, expected: [String]) throws {
    let row = try #require(try Self.report(Self.rule(clause, more)).rows.first)
    #expect(row.reasons.map { "\($0.effect.rawValue) \($0.code) \($0.pointer)" } == expected)
    #expect(row.reasons.allSatisfy { $0.place?.file == "rules.yaml" && $0.text.hasSuffix(".") })
    #expect(row.isWritten == (row.status != .refused) && row.files == (row.isWritten ? ["a.json"] : []))
  }

  @Test("an exception is a test of each step, and does not matter to other events")
  func exceptions() throws {
    let rules =
      "  - { id: a, include: [{ event: e }, { event: f }], unless: [{ event: e, where: { p: x, q: y } }, { event: g }] }\n"
    let steps = try Self.steps(try Self.report(rules))
    #expect(
      steps == #"[{"event":"e","properties":[{"key":"p","operator":"is_not","type":"event","value":["x"]}]},"#
        + #"{"event":"e","properties":[{"key":"q","operator":"is_not","type":"event","value":["y"]}]},"#
        + #"{"event":"f","properties":[]}]"#)
  }

  @Test("rules that share a name are one action that lists what it lacks; missing exclude rules make it wider")
  func actions() throws {
    let rules = """
        - { id: a, description: Pays, tags: [x], include: { event: e }, emit: [pay, 'Pay/'] }
        - { id: b, tags: [x, y], include: { event: f }, emit: pay }
        - { id: c, include: { event: { prefix: g } }, emit: pay }
        - { id: d, include: { event: h }, emit: 'pay\\' }

      """
    let report = try Self.report(rules)
    #expect(report.files.map(\.name) == ["pay.json", "Pay-.json", "pay--2.json"])
    #expect(report.rows.map(\.files) == [["pay.json", "Pay-.json"], ["pay.json"], [], ["pay--2.json"]])
    #expect(report.notes.map(\.code) == ["incomplete-action"] && report.notes[0].text.contains("'c'"))
    let body = String(decoding: report.files[0].bytes, as: UTF8.self)
    #expect(body.hasPrefix(#"{"name":"pay","description":"Pays","tags":["x","y"],"steps":["#))
    let excluding = try Self.report(rules + "  - { id: out, exclude: { event: e } }\n", wider: false)
    #expect(excluding.rows.map(\.status) == [.exportedWider, .exportedWider, .refused, .exportedWider, .refused])
    #expect(excluding.files.isEmpty && !excluding.rows[0].isWritten)
  }

  @Test("a rule stays wider after any number of lesser reasons")
  func manyReasons() throws {
    let given = (0..<60).map { "p\($0): 1" }.joined(separator: ", ")
    let rules = Self.rule("{ event: e }", "properties: { \(given) }") + "  - { id: x, exclude: { event: e } }\n"
    let row = try #require(try Self.report(rules).rows.first)
    #expect(row.status == .exportedWider && row.reasons.contains { $0.effect == .unsure })
    #expect(try Self.report(rules, wider: false).files.isEmpty)
  }

  @Test("a note names the rules that came from PostHog")
  func origins() throws {
    func rule(_ id: String, _ origin: String, _ event: String = "e") -> String {
      "  - { id: \(id), origin: { tool: \(origin), id: '4' }, include: { event: \(event) } }\n"
    }
    let report = try Self.report(rule("a", "posthog") + rule("b", "pendo") + rule("c", "posthog", "{ prefix: g }"))
    #expect(report.rows.map(\.origin) == ["4", nil, "4"])
    #expect(report.notes.map(\.code) == ["has-origin"])
    #expect(
      ExportText.text(report).contains(
        "note: 'a' comes from a definition of this tool: change the original there instead of adding it twice.\n"))
    #expect(ExportJSON.text(report).contains(#""target":"action","origin":"4","status""#))
    let several = try Self.report(rule("a", "posthog") + rule("b", "posthog", "f"))
    #expect(several.notes.first?.text.hasPrefix("'a', 'b' come from definitions of this tool") == true)
    #expect(try Self.report(rule("b", "pendo")).notes.isEmpty)
  }

  @Test(
    "pages excluded by the rules are refused or noted",
    arguments: [
      ("page: HomeViewController", []), ("page: LoginViewController", ["refused excluded-page"]),
      ("page: [Home, Login]", ["refused excluded-page"]),
      ("page: { prefix: L }", ["wider excluded-pages", "unsure cast"]),
      ("where: { p: x }", ["wider excluded-pages"]),
    ] as [(String, [String])])
  func excludedPages(test: String, expected: [String]) throws {
    let text = "version: 1\nstyle: posthog\npages: { exclude: [LoginViewController] }\nrules:\n"
    let files = RuleFiles(text: text + Self.rule("{ event: e, \(test) }"), name: "rules.yaml")
    let report = PostHogExport.report(try files.ruleSetWithSources(), ExportAllowance(wider: true))
    #expect(report.rows[0].reasons.map { "\($0.effect.rawValue) \($0.code)" } == expected)
  }

  @Test("a class of a page's element is written as CSS, an id as an attribute")
  func webSelectors() throws {
    func selector(_ text: String) throws -> String? {
      let rule = Self.rule("{ event: $autocapture, selector: '\(text)' }")
      let report = try Self.report(rule, style: "posthog-web")
      guard report.rows[0].status != .refused else { return report.rows[0].reasons.last?.code }
      return try Self.steps(report).firstMatch(of: /"(?:selector|tag_name)":"((?:[^"\\]|\\.)*)"/).map { String($0.1) }
    }
    #expect(try selector("button") == "button")
    #expect(try selector("#cart > button.pay.now:nth-child(2)") == #"[id=\"cart\"] > button.pay.now:nth-child(2)"#)
    #expect(try selector("form a[href=\"/x\"]") == #"form a[href=\"/x\"]"#)
    #expect(try selector("button[disabled]") == "unsupported-css")
    #expect(try selector(".md\\:w-1") == "unsupported-css")
  }

  @Test(
    "the path of a web page is also written percent-encoded, as events have it",
    arguments: [
      ("/cart", [#"["/cart"]"#]), ("/商", [#"["/商","/%E5%95%86","/%e5%95%86"]"#]),
      ("[/商, /%E5%95%86]", [#"["/商","/%E5%95%86","/%e5%95%86"]"#]), ("/men%27s", [#"["/men%27s","/men's"]"#]),
      ("/商/*", [#""^/商/[^/]*$""#, #""^/%E5%95%86/[^/]*$""#, #""^/%e5%95%86/[^/]*$""#]),
      ("[/a**, /b]", [#"["/b"]"#, #""(?-s:^/a.*$)""#]),
      ("{ prefix: /é }", [#""^/é""#, #""^/%C3%A9""#, #""^/%c3%a9""#]),
      ("'/{a}/*'", [#""^/\\{a\\}/[^/]*$""#, #""^/%7Ba%7D/[^/]*$""#, #""^/%7ba%7d/[^/]*$""#]),
      ("{ equals: /é, fold: true }", [#""(?i)^(?:/é|/%C3%A9|/%c3%a9)$""#]),
      ("{ equals: /é*, fold: true }", [#""(?i)^/é[^/]*$""#, #""(?i)^/%C3%A9[^/]*$""#, #""(?i)^/%c3%a9[^/]*$""#]),
      ("{ matches: '^/é$' }", [#""^/é$""#, #""^/%C3%A9$""#, #""^/%c3%a9$""#]), ("{ matches: '^/é+$' }", [#""^/é+$""#]),
    ] as [(String, [String])])
  func webPages(page: String, values: [String]) throws {
    let report = try Self.report(Self.rule("{ event: $autocapture, page: \(page) }"), style: "posthog-web")
    #expect(try Self.steps(report).matches(of: /"value":(.*?)\}\]\}/).map { String($0.1) } == values)
    let except = Self.rule("{ event: $autocapture }", "unless: [ { page: \(page) } ]")
    let excepted = try Self.steps(try Self.report(except, style: "posthog-web"))
    for value in values { #expect(excepted.contains("\"value\":\(value)}"), "\(excepted)") }
  }

  @Test("huge rules are refused in proportional time", arguments: ["steps", "filters", "clauses", "values"])
  func huge(what: String) throws {
    let count = 2_000
    let clause =
      switch what {
      case "steps": "{ event: [\((0..<count).map { "e\($0)" }.joined(separator: ", "))], where: { p: { any: x } } }"
      case "filters":
        "{ event: e, where: { \((0..<count).map { "p\($0): x" }.joined(separator: ", ")) } }"
      case "clauses": "[\((0..<count).map { "{ event: e\($0) }" }.joined(separator: ", "))]"
      default: "{ event: e, where: { p: [\((0..<count).map { "x\($0), \($0)" }.joined(separator: ", "))] } }"
      }
    let row = try #require(try Self.report(Self.rule(clause)).rows.first)
    #expect(row.status == (what == "values" ? .exportedWider : .refused) && row.reasons.count < 60)
  }
}
