import EncircleRuleFiles
import EncircleText
import Testing

@Suite("Budgets of rule files")
struct RuleFileBudgetTests {
  @Test("The first thousand of very many problems are kept, with part of their lines")
  func manyProblems() throws {
    let text = "{ version: 1, " + (0..<20_000).map { "键k\($0): 1" }.joined(separator: ", ") + " }"
    let error = try #require(throws: RuleFileErrors.self) { try RuleFiles(text: text, name: "a.yaml").ruleSet() }
    #expect(error.count == 20_000)
    #expect(error.diagnostics.count == 1_001)
    #expect(error.diagnostics.last?.description == "error: and 19000 more problems")
    #expect(error.diagnostics.allSatisfy { ($0.sourceLine ?? "").utf8.count < 500 })
    let middle = error.diagnostics[500].description.split(separator: "\n")
    #expect(middle[0].hasPrefix("a.yaml:1:4905: error: unknown key '键k500'"))
    // The line is cut on both sides, and the caret is below the key.
    #expect(middle[1].hasPrefix("  …") && middle[1].hasSuffix("…"))
    let caret = Array(middle[2].unicodeScalars).count - 1
    #expect(Array(middle[1].unicodeScalars)[caret...].starts(with: "键k500: 1".unicodeScalars))
  }

  @Test("A message that quotes a long text is cut at a character")
  func longMessage() throws {
    let key = String(repeating: "键", count: 100_000)
    let error = try #require(throws: RuleFileErrors.self) { try RuleFiles(text: "{\"\(key)\": 1}").ruleSet() }
    #expect(error.description.utf8.count < 5_000)
    #expect(error.description.contains("unknown key '键键"))
    #expect(!error.description.contains("\u{FFFD}"))
  }

  @Test("The place of a rule is known however long its line is, and its excerpt is short")
  func longLine() throws {
    let rules = (0..<3_000).map { "{ id: r\($0), include: { page: 页\($0) } }" }.joined(separator: ", ")
    let sourced = try RuleFiles(text: "{ version: 1, rules: [" + rules + "] }").ruleSetWithSources()
    let place = try #require(sourced.sources["r2999"])[.page(.clauses, 0)]
    #expect(place.location.line == 1)
    #expect(place.written == "页2999")
    #expect(place.sourceLine.utf8.count < 500)
    let rest = Array(place.sourceLine.unicodeScalars)[(place.location.column - place.sourceColumn)...]
    #expect(rest.starts(with: "页2999".unicodeScalars))
  }

  @Test("Aliases do not multiply a large rule without bound")
  func aliases() throws {
    func text(_ clauses: Int, _ uses: Int) -> String {
      "version: 1\nrules:\n  - id: a\n    include: &c\n"
        + (0..<clauses).map { "      - { page: P\($0), selector: V\($0) }\n" }.joined()
        + (0..<uses).map { "  - { id: b\($0), include: *c }\n" }.joined()
    }
    #expect(try RuleFiles(text: text(1_000, 10)).ruleSet().rules.count == 11)
    let error = try #require(throws: RuleFileErrors.self) { try RuleFiles(text: text(20_000, 16)).ruleSet() }
    #expect(error.description.contains("with its YAML aliases, the file has more than"))
    #expect(error.diagnostics.first?.location != nil)
  }

  @Test("The alias beyond the limit is pointed at")
  func tooManyAliases() throws {
    let text =
      "version: 1\nrules:\n  - { id: &a x, tags: [" + (0..<17).map { _ in "*a" }.joined(separator: ", ") + "] }"
    let error = try #require(throws: RuleFileErrors.self) { try RuleFiles(text: text).ruleSet() }
    #expect(error.diagnostics.first?.location == SourceLocation(line: 3, column: 88))
  }
}
