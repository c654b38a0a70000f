import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Testing

@Suite struct ClauseReaderTests {
  private func rule(_ json: String, in style: PathStyleName = .hubbleData) throws -> SelectionRule {
    try ClauseReader.rule(try EventValue(json: json.utf8), at: "/clause", in: style)
  }

  @Test(
    arguments: [
      #"{"event": "a", "page": {"kindOf": "P"}, "selector": ["A/B", "C(0...2)"]}"#,
      #"{"where": {"a": [1.50, "1", null, true], "b": {"not": {"contains": "x"}}}}"#,
      #"[{"event": "a"}, {"page": "5"}]"#,
    ])
  func `a clause means the same as in a file`(json: String) throws {
    let text = #"{"version": 1, "rules": [{"id": "clause", "include": "# + json + "}]}"
    let expected = try RuleFiles(text: text, name: "a.json").ruleSet().rules[0]
    #expect("\(try rule(json).clauses)" == "\(expected.clauses)")
  }

  @Test func `unless and sameKind belong to the rule`() throws {
    let rule = try rule(#"{"selector": "A", "unless": {"page": "P"}, "sameKind": true}"#)
    #expect(rule.clauses.count == 1)
    #expect(rule.unless.count == 1)
    #expect(rule.sameKind)
  }

  @Test func `selectors are read in the style`() throws {
    let selectors = try rule(#"{"selector": "A[0][1]"}"#, in: .sensors).clauses[0].selectors
    #expect(selectors.map(\.description) == ["A(section:0 row:1)", "A(section:0 item:1)"])
  }

  @Test(
    arguments: [
      (#"{"colour": "red"}"#, ["/clause/colour unknown key 'colour' in a clause"]),
      (#"{"where": {"a/b": {">": "x"}}}"#, ["/clause/where/a~1b/> expected a number"]),
      (#"{"selector": ["A", "é/B("]}"#, ["/clause/selector/1:5 in the selector: "]),
      (#"{"selector": "\"\\/B("}"#, ["/clause/selector:6 in the selector: "]),
      (#"{"page": {"kindof": "P"}, "event": []}"#, ["/clause/event the list", "/clause/page/kindof unknown test"]),
      (#"{"event": "a", "event": "b"}"#, ["/clause/event the key 'event' occurs twice in one object"]),
      (#"[{"page": "P"}, {"page": {"equals": 1, "equals": 2}}]"#, ["/clause/1/page/equals the key 'equals' occurs"]),
      (#"{"unless": {}, "unless": {}}"#, ["/clause/unless the key 'unless' occurs twice in one object"]),
      (#"{"event": "a", "sameKind": 1}"#, ["/clause/sameKind expected true or false"]),
      ("[]", ["/clause the list of clauses is empty"]), ("{}", ["/clause the clause is empty"]),
      ("[null, 5]", ["/clause/0 expected a clause", "/clause/1 expected a clause"]),
    ])
  func `errors have a JSON Pointer and the column in a text`(json: String, expected: [String]) throws {
    do {
      _ = try rule(json)
      Issue.record("the clause was read")
    } catch let error as ClauseErrors {
      let found = error.problems.map { "\($0.pointer)\($0.column.map { ":\($0)" } ?? "") \($0.message)" }.sorted()
      #expect(found.count == expected.count, "\(found)")
      for (found, expected) in zip(found, expected) { #expect(found.hasPrefix(expected)) }
    }
  }
}
