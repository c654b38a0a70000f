import EncircleAuthoring
import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleTestSupport
import Testing

/// Findings about rules in a text, for tests.
enum Checked {
  static let now: Int64 = 1_800_000_000_000

  /// - Parameter areVersions: Whether each capture is of a later version of the app than the one before.
  static func findings(
    _ rules: String, captures: [String] = [], areVersions: Bool = false, events: [String] = [], plan: String? = nil,
    now: Int64 = now
  ) throws -> [Finding] {
    let sourced = try RuleFiles(text: "version: 1\n" + rules, name: "rules.yaml").ruleSetWithSources()
    let texts = plan.map { [(name: "rules.plan.yaml", text: "version: 1\n" + $0)] } ?? []
    var checker = RuleChecker(sourced, plan: try PlanFiles(texts: texts, for: sourced.ruleSet))
    for (i, capture) in captures.enumerated() {
      checker.add(try Screens.of(capture, appVersion: areVersions ? "5.\(i)" : nil), name: "capture\(i).xml")
    }
    for event in events { checker.add(try AnalyticsEvent(json: event)) }
    return checker.check(at: now).findings
  }

  /// `code rule line:column`, for each finding.
  static func lines(_ findings: [Finding]) -> [String] {
    findings.map { "\($0.severity.rawValue) \($0.code.rawValue) \($0.rule) \($0.place.location)" }
  }
}

@Suite struct CatalogTests {
  @Test("every code's wrong example has its finding, and the right example does not", arguments: CheckCode.allCases)
  func examples(code: CheckCode) throws {
    let documentation = code.documentation
    let captures = [documentation.capture, documentation.laterCapture].compactMap(\.self)
    let events = documentation.event.map { [$0] } ?? []
    let wrong = try Checked.findings(
      documentation.wrong, captures: captures, areVersions: true, events: events, plan: documentation.plan)
    let found = wrong.filter { $0.code == code }
    #expect(!found.isEmpty, "\(Checked.lines(wrong))")
    #expect(found.contains { $0.severity == documentation.severity })
    let right = try Checked.findings(
      documentation.right, captures: captures, areVersions: true, events: events, plan: documentation.plan)
    #expect(!right.contains { $0.code == code }, "\(right.filter { $0.code == code }.map(\.message))")
  }

  @Test("every code has a text and a name that is easy to type")
  func texts() {
    for code in CheckCode.allCases {
      #expect(code.rawValue.utf8.allSatisfy { $0 == UInt8(ascii: "-") || ($0 >= 0x61 && $0 <= 0x7A) })
      #expect(!code.documentation.title.isEmpty && code.documentation.explanation.hasSuffix("."))
      #expect(!code.documentation.explanation.contains("\n"))
    }
  }
}
