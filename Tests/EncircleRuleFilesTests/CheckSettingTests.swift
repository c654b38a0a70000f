import EncircleRuleFiles
import EncircleText
import Testing

@Suite struct CheckSettingTests {
  @Test(
    "errors in 'checks' are reported",
    arguments: [
      ("exact-rows: warning", "unknown key 'exact-rows' in checks; did you mean 'exact-row'?"),
      ("exact-row: off", "a finding is silenced with a reason: expected 'exact-row: { severity: off, reason: … }'"),
      (
        "exact-row: { severity: off }",
        "a finding is silenced with a reason: expected 'exact-row: { severity: off, reason: … }'"
      ),
      ("exact-row: fatal", "unknown severity 'fatal': expected 'off', 'note', 'warning', 'error'"),
      ("exact-row: { limit: 3 }", "'limit' goes with 'matches-many' only"),
      ("matches-many: { limit: few }", "expected a number of elements"),
      ("matches-many: { limit: -1 }", "expected a number of elements"),
      (
        "exact-row: { why: x }",
        "unknown key 'why' in a check's setting: expected 'severity', 'reason', 'limit', 'destinations'"
      ),
      ("exact-row: {}", "expected 'severity', 'reason', 'limit', 'destinations'"),
      ("exact-row: []", "expected 'off', 'note', 'warning', 'error'"),
    ])
  func errors(setting: String, message: String) {
    for rules in [
      "checks: { \(setting) }\nrules: []", "rules: [ { id: a, include: { event: e }, checks: { \(setting) } } ]",
    ] {
      let error = #expect(throws: RuleFileErrors.self) { try RuleFiles(text: "version: 1\n" + rules).ruleSet() }
      let found = error?.diagnostics.first
      let suggestion = found?.suggestion.map { "; did you mean '\($0)'?" } ?? ""
      #expect(found.map { $0.message + suggestion } == message)
    }
  }

  // é as one scalar, and as e with a combining accent.
  private static let names = ["caf\u{E9}.yaml", "cafe\u{301}.yaml"]

  @Test("files whose names differ only in their bytes have settings of their own")
  func namesAsBytes() throws {
    let texts = zip(Self.names, ["a", "b"]).map { name, id in
      (name: name, text: "version: 1\nchecks: { \(id == "a" ? "exact-row" : "bare-event-id"): note }\n")
    }
    let checks = try RuleFiles(texts: texts).ruleSetWithSources().fileChecks
    #expect(checks[UTF8String(Self.names[0])]?.keys.map(\.rawValue) == ["exact-row"])
    #expect(checks[UTF8String(Self.names[1])]?.keys.map(\.rawValue) == ["bare-event-id"])
  }

  @Test("problems are sorted by file, also if the names of files differ only in their bytes")
  func problemsByFile() {
    let problems = [(0, 5), (1, 1), (0, 2), (1, 3)].map { file, line in
      Diagnostic("\(line)", file: Self.names[file], at: SourceLocation(line: line, column: 1))
    }
    #expect(RuleFileErrors(problems, isMissingInput: false).diagnostics.map(\.message) == ["2", "5", "1", "3"])
  }

  @Test("the places and texts of clauses, selectors, ids and tests are known")
  func places() throws {
    let text = """
      version: 1
      rules:
        - id: a
          include:
            - { event: e, page: P, selector: [A/B, 'C/D'] }
            - eventID: 51effcaa9874689615be5a6eb3c1f57edf80bb5374681c07fd09b3dbe2a62f4a
              where: { $title: "x", amount: 1 }
          unless: { selector: E }
      """
    let source = try #require(try RuleFiles(text: text).ruleSetWithSources().sources["a"])
    let rows: [(RuleSource.Part, String)] = [
      (.id, "3:9 a"), (.clause(.clauses, 0), "5:9 -"), (.page(.clauses, 0), "5:27 P"),
      (.selector(.clauses, 0, 1), "5:46 'C/D'"), (.clause(.clauses, 1), "6:9 -"),
      (.property(.clauses, 1, 1), "7:31 amount"), (.selector(.unless, 0, 0), "8:25 E"), (.from, "3:9 a"),
      (.event(.clauses, 1), "6:9 -"),
    ]
    for (part, place) in rows {
      #expect("\(source[part].location) \(source[part].written ?? "-")" == place, "\(part)")
    }
    #expect(source[.element(.clauses, 1, 0)].location == SourceLocation(line: 6, column: 18))
  }

  @Test("a selector that a style reads in two ways has one place")
  func styles() throws {
    let text = """
      version: 1
      style: sensors
      rules: [ { id: a, include: { selector: [A, "Cell[0][3]", B] } } ]
      """
    let rules = try RuleFiles(text: text).ruleSetWithSources()
    #expect(
      rules.ruleSet.rules[0].clauses[0].selectors.map(\.description) == [
        "A", "Cell(section:0 row:3)", "Cell(section:0 item:3)", "B",
      ])
    let source = try #require(rules.sources["a"])
    #expect((0..<4).map { source[.selector(.clauses, 0, $0)].location.column } == [41, 44, 44, 58])
  }
}
