import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import Testing

/// Updates of expectations, as `--update` writes them.
@Suite struct ExpectationUpdateTests {
  /// The claim, and the tests before and after; nil if they stay as before.
  static let rows: [(String, String, String?)] = [
    (
      "a test that expects nothing gets what says most",
      "  - name: a # one\n    event: { event: $AppClick } # two\n# three\n",
      "  - name: a # one\n    event: { event: $AppClick } # two\n    expect: { selected: true, rules: [any], emit: [any] }\n# three\n"
    ),
    (
      "also at the end of a file without line end", "  - name: a\n    event: {}",
      "  - name: a\n    event: {}\n    expect: { selected: false, rules: [] }\n"
    ),
    (
      "also behind a text in block style",
      "  - name: a\n    event: {}\n    description: |\n      b\n\n  - { name: c, event: {}, expect: { selected: false } }\n",
      "  - name: a\n    event: {}\n    description: |\n      b\n    expect: { selected: false, rules: [] }\n\n  - { name: c, event: {}, expect: { selected: false } }\n"
    ),
    (
      "also in braces", "  - { name: a, event: {} }\n",
      "  - { name: a, event: {}, expect: { selected: false, rules: [] } }\n"
    ),
    (
      "a key that is there is used", "  - name: a\n    expect: # none\n    event: {}\n",
      "  - name: a\n    expect: { selected: false, rules: [] } # none\n    event: {}\n"
    ),
    (
      "empty braces are used", "  - name: a\n    expect:   {}   # none\n    event: {}\n",
      "  - name: a\n    expect: { selected: false, rules: [] }   # none\n    event: {}\n"
    ),
    (
      "a key without a value in braces gets one",
      "  - { name: a, event: {}, expect }\n  - { name: b, event: {}, expect: { selected: false } }\n",
      "  - { name: a, event: {}, expect: { selected: false, rules: [] } }\n  - { name: b, event: {}, expect: { selected: false } }\n"
    ),
    (
      "a selector gets its elements", "  - name: a\n    capture: home.xml\n    selector: UIButton(0)\n",
      "  - name: a\n    capture: home.xml\n    selector: UIButton(0)\n    expect: { elements: [3, 6] }\n"
    ),
    (
      "only what differs is written, all else stays as it is",
      "  -   name:   'a'\n      event:   {event: $AppClick}\n      expect:   {rules: [],   selected: true,emit: [ any ] } # why\n",
      "  -   name:   'a'\n      event:   {event: $AppClick}\n      expect:   {rules: [any],   selected: true,emit: [ any ] } # why\n"
    ),
    (
      "members in lines are replaced in their lines",
      "  - name: a\n    event: { event: $AppClick }\n    expect:\n      # one\n      rules: [] # two\n      selected: true\n      emit:\n        - x\n        - y\n      # three\n",
      "  - name: a\n    event: { event: $AppClick }\n    expect:\n      # one\n      rules: [any] # two\n      selected: true\n      emit: [any]\n      # three\n"
    ),
    ("what passes stays", "  - name: a\n    event: { event: $AppClick }\n    expect: {selected:   true}\n", nil),
    (
      "`includes` becomes what matches", "  - { name: a, event: { event: $AppClick }, expect: { includes: [add] } }\n",
      "  - { name: a, event: { event: $AppClick }, expect: { includes: [any] } }\n"
    ),
    (
      "a rule that is gone goes", "  - { name: a, event: {}, expect: { rules: [gone] } }\n",
      "  - { name: a, event: {}, expect: { rules: [] } }\n"
    ),
    (
      "events that agree are written once",
      "  - name: a\n    events: [{ event: $AppClick }, { event: $AppClick, x: 1 }]\n",
      "  - name: a\n    events: [{ event: $AppClick }, { event: $AppClick, x: 1 }]\n    expect: { selected: true, rules: [any], emit: [any] }\n"
    ),
  ]

  @Test(
    "results are written with the line ends of the file, and then pass", arguments: rows.map(\.0),
    ["\n", "\r\n"])
  func row(claim: String, lineEnd: String) throws {
    let row = try #require(Self.rows.first { $0.0 == claim })
    let head = "# head\nversion: 1\n\ntests:\n"
    func file(_ tests: String) -> String { (head + tests).replacing("\n", with: lineEnd) }
    let folder = try TestFolder(file(row.1))
    defer { folder.remove() }
    let ruleSet = try folder.ruleSet()
    var runner = RuleTestRunner(ruleSet)
    let tests = try folder.file(checksRules: false)
    let update = try ExpectationUpdate.update(tests, runner.run(tests), for: ruleSet)
    #expect(update.text == file(row.2 ?? row.1))
    #expect(update.problems.isEmpty)
    #expect(update.updated == (row.2 == nil ? [] : ["a"]))
    try folder.write("rules.test.yaml", update.text)
    #expect(try folder.results().allSatisfy(\.passed))
  }

  @Test("a list that does not fit into 120 columns is broken into lines")
  func long() throws {
    let ids = (0..<12).map { "a.rule.with.a.long.name.\($0 + 10)" }
    let rules = "version: 1\nrules:\n" + ids.map { "  - { id: \($0), include: { event: a } }\n" }.joined()
    let head = "version: 1\ntests:\n  - name: a\n    event: { event: a }\n"
    let folder = try TestFolder(
      head + "    expect: { rules: [] }\n  - name: b\n    event: { event: a }\n", rules: rules)
    defer { folder.remove() }
    let ruleSet = try folder.ruleSet()
    var runner = RuleTestRunner(ruleSet)
    let file = try folder.file()
    let update = try ExpectationUpdate.update(file, runner.run(file), for: ruleSet)
    let list = ids.map { "        - \($0)\n" }.joined()
    #expect(
      update.text == head
        + "    expect: { rules: [\(ids.joined(separator: ", "))] }\n  - name: b\n    event: { event: a }\n"
        + "    expect:\n      selected: true\n      rules:\n\(list)      emit:\n\(list)")
    #expect(try RuleFileFormatter.format(update.text).contains("      rules:\n        - a.rule"))
  }

  @Test("a test whose events have different results is reported and left unchanged")
  func disagreement() throws {
    let text =
      "version: 1\ntests:\n  - name: a\n    events: [{ event: $AppClick }, {}]\n    expect: { selected: true }\n"
    let folder = try TestFolder(text)
    defer { folder.remove() }
    let ruleSet = try folder.ruleSet()
    var runner = RuleTestRunner(ruleSet)
    let file = try folder.file()
    let update = try ExpectationUpdate.update(file, runner.run(file), for: ruleSet)
    #expect(update.text == text && update.updated.isEmpty)
    #expect(update.problems.map(\.message) == ["'a' is not updated: its events do not agree; make it several tests"])
  }

  @Test(
    "a comment in a replaced part is not lost, as the file stays unchanged",
    arguments: [
      "    expect:\n      rules:\n        - add # why\n", "    expect: # why\n      {}\n",
      "    expect:\n      # why\n      {}\n", "    expect: {rules: [ # why\n      ]}\n",
    ])
  func comments(expectation: String) throws {
    try refusesUpdate(expectation)
  }

  @Test("a test that passes does not get another expectation by an alias") func alias() throws {
    try refusesUpdate(
      "    expect: &same { selected: false }\n  - name: b\n    event: { event: other }\n    expect: *same\n")
  }

  @Test("the error says where that test is in the file, which stays as it is") func aliasPlace() throws {
    // The first test would get a line more.
    let error = try refusesUpdate(
      "  - name: b\n    event: { event: $AppClick }\n    expect: &same { selected: false }\n"
        + "  - name: c\n    event: { event: other }\n    expect: *same\n")
    #expect(error?.diagnostics.map { $0.location?.line } == [8])
  }

  /// Expects that a file is not updated whose first test has an expectation that fails, or none.
  @discardableResult private func refusesUpdate(_ expectation: String) throws -> RuleFileErrors? {
    let folder = try TestFolder("version: 1\ntests:\n  - name: a\n    event: {event: $AppClick}\n" + expectation)
    defer { folder.remove() }
    let ruleSet = try folder.ruleSet()
    var runner = RuleTestRunner(ruleSet)
    let file = try folder.file()
    let results = runner.run(file)
    return #expect(throws: RuleFileErrors.self) { try ExpectationUpdate.update(file, results, for: ruleSet) }
  }
}
