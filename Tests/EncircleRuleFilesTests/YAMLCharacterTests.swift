import EncircleRuleFiles
import EncircleRules
import EncircleText
import Testing

@Suite("Characters that YAML readers mistake")
struct YAMLCharacterTests {
  private func page(_ written: String) throws -> [UInt8] {
    let text = "version: 1\nrules:\n  - id: a\n    include:\n      page: \(written)\n"
    let clause = try #require(try RuleFiles(text: text).ruleSet().rules.first?.clauses.first)
    guard case .isOneOf(let values, _)? = clause.page, case .string(let name)? = values.first else { return [] }
    return Array(name.text.utf8)
  }

  @Test(
    "A text is read as it is written",
    arguments: [
      ("\"\\uFEFFa\"", "\u{FEFF}a"), ("\"\\ufeff\"", "\u{FEFF}"), ("\"\\U0000FEFFa\"", "\u{FEFF}a"),
      ("\"a\\uFEFF\"", "a\u{FEFF}"), ("\"\u{FEFF}a\"", "\u{FEFF}a"), ("'\u{FEFF}a'", "\u{FEFF}a"),
      ("\u{FEFF}a", "\u{FEFF}a"),
      // Where it is no escape, what looks like one stays.
      ("'\\uFeFFa'", "\\uFeFFa"), ("\\ufeffa", "\\ufeffa"), ("\"\\\\uFEFF\"", "\\uFEFF"),
      ("\"\\uE000\\uFEFF\u{F0000}\u{2028}\"", "\u{E000}\u{FEFF}\u{F0000}\u{2028}"),
      // These are no line breaks in YAML 1.2.
      ("a\u{85}b", "a\u{85}b"), ("\"a\u{2028}b\"", "a\u{2028}b"), ("'a\u{2029} b'", "a\u{2029} b"),
      ("a # comment\u{2028}      unless: { event: b }", "a"), ("\"\\N\\L\\P\"", "\u{85}\u{2028}\u{2029}"),
      ("\"e\\u0301\"", "e\u{301}"), ("\u{E001}", "\u{E001}"),
    ])
  func texts(written: String, expected: String) throws {
    #expect(try page(written) == Array(expected.utf8))
  }

  @Test("Lines end with LF, CR LF and CR only")
  func lines() throws {
    let text = "# \u{2028} \u{85} \u{2029}\r# b\r\nversion: 1\nrules: [ 5 ]"
    let error = try #require(throws: RuleFileErrors.self) { try RuleFiles(text: text).ruleSet() }
    #expect(error.diagnostics.map(\.location) == [SourceLocation(line: 4, column: 10)])
    #expect(error.diagnostics.first?.sourceLine == "rules: [ 5 ]")
  }

  @Test("Keys that differ in their bytes are different, equal ones are an error")
  func keys() throws {
    func rules(_ a: String, _ b: String) -> String {
      "version: 1\nrules: [ { id: \"\u{2028}\", include: { where: { \(a): x, \(b): y } } } ]"
    }
    for (a, b) in [("é", "e\u{301}"), ("\u{212B}", "\u{C5}"), ("가", "\u{1100}\u{1161}"), ("é", "\"e\\u0301\"")] {
      let clause = try #require(try RuleFiles(text: rules(a, b)).ruleSet().rules.first?.clauses.first)
      #expect(clause.properties.count == 2)
      guard case .property(let first)? = clause.properties.first?.property else { continue }
      #expect(first.text.hasSameBytes(as: a))
    }
    let error = try #require(throws: RuleFileErrors.self) { try RuleFiles(text: rules("é", "é")).ruleSet() }
    #expect(error.description.contains("error: the key 'é' occurs twice in one mapping"))
  }

  @Test(
    "Invalid YAML is an error with its place",
    arguments: ["\u{7F}": "U+007F", "\u{7}": "U+0007", "\u{9F}": "U+009F", "\u{FFFE}": "U+FFFE"])
  func controls(character: String, name: String) throws {
    let text = "version: 1\nrules:\n  - id: \"é\(character)\"\n"
    let error = try #require(throws: RuleFileErrors.self) { try RuleFiles(text: text).ruleSet() }
    #expect(error.diagnostics.first?.location == SourceLocation(line: 3, column: 11))
    #expect(error.description.contains(name))
  }
}
