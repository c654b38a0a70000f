import EncircleRuleFiles
import Testing

@Suite("YAML aliases")
struct AliasTests {
  @Test(
    "Aliases that stand for too much are refused, however they are written",
    arguments: ["\"x\":*a ", "? *a :", "?*a :", "x: *a "])
  func tooMany(use: String) {
    // Each mapping holds the one before it many times; the last is a key, which is hashed whole.
    var text = "{k: &a0 {x: 1}"
    for i in 1...20 {
      text += ", k\(i): &a\(i) {" + use.replacing("*a", with: "*a\(i - 1)") + ", y :*a\(i - 1) }"
    }
    text += ", z: {*a20 :1}}"
    let error = #expect(throws: RuleFileErrors.self) { try RuleFiles(text: text).ruleSet() }
    #expect(error?.description.contains("more than 16 YAML aliases") == true)
  }

  @Test("Aliases cannot exceed the limit on levels, which would exhaust a reader's stack")
  func levels() throws {
    func nested(_ levels: Int, _ inner: String) -> String {
      String(repeating: "[", count: levels) + inner + String(repeating: "]", count: levels)
    }
    func text(_ levels: Int) -> String {
      "version: 1\nrules: []\na: &a \(nested(500, ""))\nb: \(nested(levels, "*a"))\n"
    }
    // The mapping around it is a level, too.
    let deep = #expect(throws: RuleFileErrors.self) { try RuleFiles(text: text(500)).ruleSet() }
    #expect(deep?.description.contains(":4:504: error: not valid YAML: more than 1000 levels") == true)
    let other = #expect(throws: RuleFileErrors.self) { try RuleFiles(text: text(499)).ruleSet() }
    #expect(other?.description.contains("unknown key 'a'") == true)
  }

  @Test("Asterisks of selectors are no aliases")
  func selectors() throws {
    var text = "version: 1\nrules:\n  - {id: a, include: &c {selector: A}, unless: *c }\n"
    for i in 0..<20 {
      text += "  - {id: b\(i), include: {selector: '*/Cell(section:0 row:*)/*', where: {n: {glob: '* b'}}}}\n"
    }
    #expect(try RuleFiles(text: text).ruleSet().rules.count == 21)
  }
}
