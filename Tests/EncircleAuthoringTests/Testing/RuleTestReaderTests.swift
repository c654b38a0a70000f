import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import Foundation
import Testing

/// Reading test files.
@Suite struct RuleTestReaderTests {
  private static let head = "version: 1\ntests:\n  - name: t\n"

  @Test(
    "a problem is reported with its place and the probable name",
    arguments: [
      ("", "rules.test.yaml: error: the file is empty: expected at least 'version: 1' and 'tests'"),
      ("tests: []", "rules.test.yaml:1:1: error: the file has no 'version': expected 'version: 1'"),
      ("version: 2", "rules.test.yaml:1:10: error: unknown version: expected 1"),
      (
        "verison: 1\ntests: []",
        "rules.test.yaml:1:1: error: unknown key 'verison' in a test file; did you mean 'version'?"
      ),
      ("version: 1\ntest: []", "rules.test.yaml:2:1: error: unknown key 'test' in a test file; did you mean 'tests'?"),
      ("version: 1\ntests: {}", "rules.test.yaml:2:8: error: expected a list of tests"),
      (
        "version: 1\ntests: [1]",
        "rules.test.yaml:2:9: error: expected a test, a mapping with 'name', 'description', "
          + "'capture', 'page', 'elements', 'selector', 'event', 'events', 'session', 'sdk', 'lines', 'with', 'expect'"
      ),
      ("version: 1\ntests:\n  - event: {}", "rules.test.yaml:3:5: error: the test has no 'name'"),
      (
        head + "    event: {}\n  - name: t\n    event: {}",
        "rules.test.yaml:5:11: error: there are two tests with this name, the first at 3:11"
      ),
      (
        head,
        "rules.test.yaml:3:5: error: the test has nothing to try the rules on: expected 'capture' with 'elements' or "
          + "'selector', 'event', 'events' or 'session'"
      ),
      (
        head + "    event: {}\n    events: []",
        "rules.test.yaml:4:12: error: a test has one of 'event', 'events', not several"
      ),
      (head + "    elements: 1", "rules.test.yaml:4:15: error: 'elements' needs a 'capture'"),
      (
        head + "    capture: home.xml\n    event: {}",
        "rules.test.yaml:4:14: error: 'capture' goes with 'elements' or 'selector'"
      ),
      (head + "    event: {}\n    lines: 1", "rules.test.yaml:5:12: error: 'lines' goes with 'events' or 'session'"),
      (head + "    events: [{}]\n    lines: 1", "rules.test.yaml:5:12: error: 'lines' goes with a file of events"),
      (
        head + "    capture: home.xml\n    selector: A\n    with: {}",
        "rules.test.yaml:6:11: error: 'with' goes with events and elements"
      ),
      (
        head + "    event: {}\n    with: { /a~b: 1 }",
        "rules.test.yaml:5:13: error: expected a JSON Pointer (RFC 6901): '~' is written '~0' and '/' in a name '~1'"
      ),
      (
        head + "    event: {}\n    with: { \(String(repeating: "/a", count: 65)): 1 }",
        "rules.test.yaml:5:13: error: values are nested deeper than 64 levels"
      ),
      (head + "    events: [{}]\n    sdk: sensors", "rules.test.yaml:5:10: error: 'sdk' goes with 'session'"),
      (
        head + "    session: no.session.ndjson",
        "rules.test.yaml:4:14: error: no.session.ndjson: no such file"
      ),
      (
        head + "    session: s.session.ndjson\n    sdk: sensor",
        "rules.test.yaml:5:10: error: unknown SDK 'sensor'"
      ),
      (
        head + "    session: s.session.ndjson\n    lines: 2",
        "rules.test.yaml:5:12: error: the signal in line 2 of s.session.ndjson makes no event"
      ),
      (
        head + "    session: wrong.session.ndjson",
        "rules.test.yaml:4:14: error: wrong.session.ndjson:2:1: 'time' is missing"
      ),
      (head + "    event: 1", "rules.test.yaml:4:12: error: expected an event, a mapping"),
      (head + "    events: []", "rules.test.yaml:4:13: error: the list of events is empty"),
      (
        head + "    events: events.ndjson\n    lines: [1, 3]",
        "rules.test.yaml:5:16: error: no event begins in line 3 of events.ndjson"
      ),
      (
        head + "    events: events.ndjson",
        "rules.test.yaml:4:13: error: events.ndjson:3:1: not an event: "
      ),
      (head + "    events: events.ndjson\n    lines: x", "rules.test.yaml:5:12: error: expected the number of a line"),
      (
        head + "    capture: home.xml\n    elements: [1, 7]",
        "rules.test.yaml:5:19: error: there is no element 7: the capture has 0 to 6"
      ),
      (
        head + "    capture: home.xml\n    elements: \(String(repeating: "0f", count: 32))",
        "rules.test.yaml:5:15: error: no element of the capture has this event ID"
      ),
      (
        head + "    capture: home.xml\n    elements: Nothing",
        "rules.test.yaml:5:15: error: the selector matches no element of the capture"
      ),
      (head + "    capture: home.xml\n    selector: \"A(x)\"", "rules.test.yaml:5:18: error: in the selector: "),
      (
        head + "    event: {}\n    expect: { rules: [ad] }",
        "rules.test.yaml:5:23: error: there is no rule 'ad'; did you mean 'add'?"
      ),
      (
        head + "    event: {}\n    expect: { rules: no }",
        "rules.test.yaml:5:22: error: 'no' is an exclude rule: expected the id of an include rule"
      ),
      (head + "    event: {}\n    expect: { selected: yes }", "rules.test.yaml:5:25: error: expected true or false"),
      (
        head + "    event: {}\n    expect: { elements: 1 }",
        "rules.test.yaml:5:25: error: 'elements' goes with 'selector'"
      ),
      (
        head + "    event: {}\n    expect: { emits: 1 }",
        "rules.test.yaml:5:15: error: unknown key 'emits' in what is expected; did you mean 'emit'?"
      ),
      (
        head + "    capture: home.xml\n    selector: A\n    expect: { selected: true }",
        "rules.test.yaml:6:25: error: 'selected' goes with events and elements, not with 'selector'"
      ),
      (
        head + "    event: { a: yes }",
        "rules.test.yaml:4:17: error: 'yes' is a truth value in YAML: quote it if the text is meant, else write true or false"
      ),
      (
        head + "    event: \(String(repeating: "{a: ", count: 70))1\(String(repeating: "}", count: 70))",
        "rules.test.yaml:4:268: error: values are nested deeper than 64 levels"
      ),
      ("version: 1\ntests: [", "rules.test.yaml:3:1: error: expected a value, or the bracket that ends this"),
    ])
  func problem(tests: String, message: String) throws {
    let problems = try TestFolder.problems(tests)
    #expect(problems.count == 1, "\(problems)")
    #expect(problems.first?.hasPrefix(message) ?? false, "\(problems)")
  }

  @Test(
    "a property that the rule does not give is reported, whatever is expected of it",
    arguments: [("{ price: null }", nil), ("{ pric: null }", "pric"), ("{ pric: 1 }", "pric")] as [(String, String?)])
  func unknownProperty(values: String, unknown: String?) throws {
    let folder = try TestFolder(
      Self.head + "    event: { event: e }\n    expect: { properties: { add: \(values) } }",
      rules: "version: 1\nrules: [{ id: add, include: { event: e }, properties: { price: { property: p } } }]\n")
    defer { folder.remove() }
    var problems: [String] = []
    do {
      _ = try folder.file()
    } catch let error as RuleFileErrors {
      problems = error.diagnostics.map { "\($0.message); \($0.suggestion ?? "")" }
    }
    #expect(problems == (unknown.map { ["the rule 'add' gives no property '\($0)'; price"] } ?? []))
  }

  @Test("missing files are reported with their place")
  func missing() throws {
    let problems = try TestFolder.problems(
      Self.head
        + "    capture: no.xml\n    elements: 1\n  - name: u\n    events: no.ndjson\n  - name: v\n    capture: rules.yaml\n    selector: A"
    )
    #expect(problems.count == 3, "\(problems)")
    #expect(problems.allSatisfy { $0.hasPrefix("rules.test.yaml:") }, "\(problems)")
    #expect(problems[0].hasPrefix("rules.test.yaml:4:14: error: no.xml: "), "\(problems)")
  }

  @Test("a pipe or device named by a test is refused, as it may never end", arguments: ["/dev/zero", "pipe"])
  func pipes(name: String) throws {
    let folder = try TestFolder(
      "version: 1\ntests:\n  - { name: t, capture: \(name), elements: 1, expect: { selected: true } }\n"
        + "  - { name: u, events: \(name), expect: { selected: true } }\n")
    defer { folder.remove() }
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    let error = #expect(throws: RuleFileErrors.self) { try folder.file() }
    let messages = error?.diagnostics.map(\.message) ?? []
    #expect(
      messages.count == 2 && messages.allSatisfy { $0.hasSuffix("is a pipe or a device, not a file") }, "\(messages)")
  }

  @Test("all problems of all files are reported at once")
  func all() throws {
    let problems = try TestFolder.problems(
      "version: 1\ntests:\n  - name: a\n    event: {}\n    expect: { rules: [x], odd: 1 }\n  - nam: b\n    event: {}")
    #expect(problems.count == 4, "\(problems)")
  }

  @Test("random damage to a test file is reported or changes nothing, but never traps")
  func damage() throws {
    let text = Array(
      """
      version: 1
      captures: home.xml
      tests:
        - name: a
          capture: home.xml
          elements: [4, "FancyCell(section:0 row:*)/UIButton(0)"]
          with: { a: [1, { b: null }], /event: x }
          expect: { selected: true, rules: [add], emit: [added] }
        - name: b
          events: events.ndjson
          lines: [1, 4]
      """.utf8)
    var random = SeededGenerator(seed: 11)
    let folder = try TestFolder("")
    defer { folder.remove() }
    for _ in 0..<TestSize.scaled(150) {
      var damaged = text
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let i = Int.random(in: 0..<damaged.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: damaged[i] = random.pick(Array("[]{}:,- \n#&*!|>0aZ\"'".utf8))
        case 1: damaged.remove(at: i)
        default: damaged.insert(random.pick(Array("[]{}:,- \n#&*!|>9\"'".utf8)), at: i)
        }
      }
      try folder.write("rules.test.yaml", String(decoding: damaged, as: UTF8.self))
      guard let file = try? folder.file() else { continue }
      var runner = RuleTestRunner(try folder.ruleSet())
      let results = runner.run(file)
      if let update = try? ExpectationUpdate.update(file, results, for: folder.ruleSet()) {
        #expect(update.updated.count + update.problems.count == results.count { !$0.passed })
      }
    }
  }
}
