import EncircleAuthoring
import EncircleCapture
import EncircleIdentity
import EncircleRuleFiles
import EncircleTestSupport
import Testing

@Suite("Budgets of checks")
struct CheckBudgetTests {
  private func check(_ rules: String, steps: Int) throws -> RuleChecker.Result {
    var checker = RuleChecker(try RuleFiles(text: "version: 1\n" + rules, name: "rules.yaml").ruleSetWithSources())
    checker.stepLimit = steps
    return checker.check(at: 0)
  }

  private static func rules(_ count: Int, _ rule: (Int) -> String) -> String {
    "rules:\n" + (0..<count).map { "  - { id: r\($0), \(rule($0)) }\n" }.joined()
  }

  private static func list(_ count: Int, _ item: (Int) -> String) -> String {
    "[" + (0..<count).map(item).joined(separator: ", ") + "]"
  }

  @Test(
    "A rule set whose comparison would take too long is compared in part, and says so",
    arguments: [
      // Each rule matches what the ones before it do.
      rules(100) { "include: { selector: 'B(\($0)...)' }" },
      rules(100) { "include: { selector: 'A*\($0)*B/C*\($0)' }" },
      rules(100) { "include: { where: { v: { version: '>=\($0) <\($0 + 5)' } } }" },
      // One rule that is large in one dimension.
      "rules: [ { id: a, include: { event: e }, unless: " + list(1_000) { "{ page: P\($0), selector: V\($0) }" }
        + " } ]",
      "rules: [ { id: a, include: { selector: " + list(1_000) { "V\($0)/B" } + " } } ]",
      "rules: [ { id: a, include: { selector: " + list(100) { "'A(section:\($0 * 2) row:\($0 * 3))'" } + " } } ]",
      "rules: [ { id: a, include: { where: {" + (0..<1_000).map { "p\($0): x" }.joined(separator: ", ") + "} } } ]",
    ])
  func comparisons(rules: String) throws {
    #expect(try check(rules, steps: 2_000).undecided > 0)
  }

  @Test("An ordinary rule set of some size is compared in full")
  func ordinary() throws {
    let rules = Self.rules(300) { "include: { selector: 'A\($0)/B(1)', page: P\($0), where: { p: { prefix: x } } }" }
    let result = try check(rules, steps: 2_000_000)
    #expect(result.undecided == 0)
  }

  @Test("Elements with very long paths are skipped, and then no rule is reported to match nothing")
  func longPaths() throws {
    let name = "V" + String(repeating: "x", count: 999)
    let depth = 100
    let views =
      String(repeating: "<view class=\"\(name)\">", count: depth) + "<view class=\"UIButton\"/>"
      + String(repeating: "</view>", count: depth)
    var checker = RuleChecker(
      try RuleFiles(text: "version: 1\nrules: [ { id: a, include: { selector: UIButton } } ]").ruleSetWithSources())
    var reader = CaptureReader()
    reader.limits.pathBytes = 1 << 20
    checker.add(IdentifiedTree(try reader.read(Array("<viewTree>\(views)</viewTree>".utf8))), name: "a.xml")
    let result = checker.check(at: 0)
    #expect(result.skippedElements == 36)
    #expect(!result.findings.contains { $0.code == .matchesNothing })
  }

  @Test("Only a few of a selector's unknown classes are reported")
  func unknownClasses() throws {
    let selector = (0..<100).map { "Unknown\($0)" }.joined(separator: "/")
    let findings = try Checked.findings(
      "rules: [ { id: a, include: { selector: \(selector) } } ]", captures: ["<view class=\"UIView\"/>"])
    #expect(findings.count { $0.code == .unknownClass } == 8)
  }
}
