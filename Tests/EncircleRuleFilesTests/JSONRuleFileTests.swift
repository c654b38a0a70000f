import EncircleRuleFiles
import EncircleRules
import EncircleText
import Testing

@Suite("Rule files in JSON")
struct JSONRuleFileTests {
  private func page(_ written: String, name: String) throws -> String? {
    let text = "{\"version\": 1, \"rules\": [{\"id\": \"a\", \"include\": {\"page\": \(written)}}]}"
    let clause = try RuleFiles(text: text, name: name).ruleSet().rules.first?.clauses.first
    guard case .isOneOf(let values, _)? = clause?.page, case .string(let page)? = values.first else { return nil }
    return page.text
  }

  @Test(
    "A text is what JSON says", arguments: ["a.json", "<stdin>"],
    [
      ("\"a\u{85}b\"", "a\u{85}b"), ("\"a\u{7F}\"", "a\u{7F}"), ("\"\u{2028}\"", "\u{2028}"), (#""👍""#, "👍"),
      (#""\uFEFFa""#, "\u{FEFF}a"), (#""\/""#, "/"), (#""a # b""#, "a # b"), ("\"\u{FEFF}\"", "\u{FEFF}"),
    ])
  func texts(name: String, example: (written: String, expected: String)) throws {
    #expect(try page(example.written, name: name)?.hasSameBytes(as: example.expected) == true)
  }

  @Test("Keys may be of any length")
  func longKey() throws {
    let key = String(repeating: "k", count: 2_000)
    let text = #"{"version": 1, "rules": [{"id": "a", "include": {"where": {""# + key + #"": 1}}}]}"#
    #expect(try RuleFiles(text: text, name: "a.json").ruleSet().rules.count == 1)
  }

  @Test("Values have the types of JSON, as in YAML")
  func types() throws {
    let json =
      #"{"version": 1, "rules": [{"id": "a", "enabled": false, "include": {"where": {"a": [1.50, "1", null, true]}}}]}"#
    let yaml = "version: 1\nrules: [ { id: a, enabled: false, include: { where: { a: [1.50, '1', null, true] } } } ]"
    let (first, second) = (try RuleFiles(text: json).ruleSet(), try RuleFiles(text: yaml).ruleSet())
    #expect("\(first.rules[0].clauses)" == "\(second.rules[0].clauses)")
    #expect(first.rules[0].isEnabled == second.rules[0].isEnabled)
  }

  @Test(
    "Errors have places",
    arguments: [
      ("{\"version\": 1,\r\n \"rules\": [,]}", "a.json", 2, 12, "not valid JSON: expected a value"),
      ("{\"version\": 1} # 注", "a.json", 1, 16, "not valid JSON: JSON has no comments"),
      ("{\"注\": 1, \"version\": 1}", "<stdin>", 1, 2, "unknown key '注'"),
      ("{\"version\": 1, \"注\": 2,\r\"注\": 3}", "<stdin>", 2, 1, "the key '注' occurs twice in one object"),
      (#"{"version": 1, "rules": [{"id": "é\ud800"}]}"#, "a.json", 1, 35, "half of a surrogate pair"),
      ("version: 1", "a.json", 1, 1, "not valid JSON"), (" ", "a.json", nil, 0, "the file is empty"),
    ] as [(String, String, Int?, Int, String)])
  func errors(text: String, name: String, line: Int?, column: Int, message: String) throws {
    let error = try #require(throws: RuleFileErrors.self) { try RuleFiles(text: text, name: name).ruleSet() }
    let first = try #require(error.diagnostics.first)
    #expect(first.message.contains(message), "\(error)")
    #expect(first.location == line.map { SourceLocation(line: $0, column: column) })
  }

  @Test("Names that differ only by normalisation are different")
  func names() throws {
    let text = "{\"version\": 1, \"rules\": [{\"id\": \"a\", \"include\": {\"where\": {\"é\": 1, \"e\\u0301\": 2}}}]}"
    #expect(try RuleFiles(text: text).ruleSet().rules[0].clauses[0].properties.count == 2)
  }

  @Test("Formatting keeps text that JSON allows and YAML does not")
  func formatting() throws {
    let text =
      "{\"version\": 1, \"rules\": [{\"id\": \"a\u{85}\u{7F}\u{2028}\", \"include\": {\"page\": \"\\ud83d\\udc4d\"}}]}"
    let formatted = try RuleFileFormatter.format(text, name: "a.json")
    #expect(formatted.contains("a\u{85}\u{7F}\u{2028}"))
    #expect(formatted.contains("\\ud83d\\udc4d"))
  }
}
