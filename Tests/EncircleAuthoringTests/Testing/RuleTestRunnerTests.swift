import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleAuthoring

/// Running tests of rules.
@Suite struct RuleTestRunnerTests {
  /// The claim, the test, and the differences from its expectation.
  static let rows: [(String, String, [String])] = [
    (
      "elements are numbers, event IDs or selectors",
      "capture: home.xml\n    elements: [3, FancyCell/UIButton(0)]\n    expect: { rules: [any] }",
      ["element 3 of home.xml: rules [any] ≠ [add, any]", "element 6 of home.xml: rules [any] ≠ [add, any]"]
    ),
    (
      "event IDs may be shortened, as tables show them",
      "capture: home.xml\n    elements: f27b375bc02d\n    expect: { rules: [any] }",
      ["element 3 of home.xml: rules [any] ≠ [add, any]"]
    ),
    ("what is not expected is not asked", "capture: home.xml\n    elements: 3\n    expect: { selected: true }", []),
    (
      "all that is expected is asked",
      "capture: home.xml\n    elements: 3\n    expect: { selected: false, rules: [], excludedBy: [no], pages: [Login], emit: [x] }",
      [
        "element 3 of home.xml: selected false ≠ true, rules [] ≠ [add, any], excludedBy [no] ≠ [], pages [Login] ≠ [], emit [x] ≠ [added, any]"
      ]
    ),
    (
      "the order of names means nothing",
      "capture: home.xml\n    elements: 3\n    expect: { rules: [any, add], emit: [any, added] }", []
    ),
    ("`includes` asks for some of several", "capture: home.xml\n    elements: 3\n    expect: { includes: [add] }", []),
    (
      "and tells if they are not there", "capture: home.xml\n    elements: 4\n    expect: { includes: add }",
      ["element 4 of home.xml: includes [add] ≠ [any]"]
    ),
    (
      "properties are added",
      "capture: home.xml\n    elements: 4\n    with: { silent: true, tester: true }\n    expect: { rules: [], excludedBy: no, selected: false }",
      []
    ),
    (
      "and members of the event itself",
      "event: { event: x }\n    with: { /event: $AppClick }\n    expect: { rules: any }", []
    ),
    (
      "an event may be made of attributes",
      "event: { event: $AppClick, attributes: { a: 1 } }\n    with: { tester: true }\n    expect: { excludedBy: no }",
      []
    ),
    (
      "excluded pages are reported",
      "event: { event: $AppClick, properties: { $screen_name: Login } }\n    expect: { selected: false, pages: Login, emit: [] }",
      []
    ),
    (
      "several events are each asked", "events: [{ event: $AppClick }, { event: x }]\n    expect: { selected: true }",
      ["event 2: selected true ≠ false"]
    ),
    (
      "the events of a session are those that the SDK sends",
      "session: s.session.ndjson\n    expect: { selected: true }",
      ["line 3 of s.session.ndjson: selected true ≠ false"]
    ),
    (
      "lines of a session are those of its signals",
      "session: s.session.ndjson\n    sdk: sensors\n    lines: 4\n    expect: { rules: any, pages: [] }", []
    ),
    (
      "properties are added to events of sessions",
      "session: s.session.ndjson\n    lines: 4\n    with: { $screen_name: Login }\n    expect: { pages: Login }", []
    ),
    (
      "lines of a file", "events: events.ndjson\n    lines: [4, 1]\n    expect: { selected: true }",
      ["line 4 of events.ndjson: selected true ≠ false"]
    ),
    (
      "all lines of a file", "events: taps.ndjson\n    expect: { selected: false }",
      ["line 1 of taps.ndjson: selected false ≠ true"]
    ),
    (
      "a disabled rule does not match", "event: { event: $AppClick }\n    expect: { rules: off }",
      ["the event: rules [off] ≠ [any]"]
    ),
    (
      "a selector is asked for its elements, with the classes of the rules",
      "capture: home.xml\n    selector: \":UITableViewCell/UIButton\"\n    expect: { elements: [3, 4, 6] }", []
    ),
    (
      "in any way to name them",
      "capture: home.xml\n    selector: \":UITableViewCell/UIButton\"\n    expect: { elements: FancyCell/UIButton }", []
    ),
    (
      "a selector that matches others",
      "capture: home.xml\n    selector: UIButton(0)\n    expect: { elements: [3, 4] }", ["elements [3, 4] ≠ [3, 6]"]
    ),
    (
      "a selector that is to match nothing", "capture: home.xml\n    selector: Nothing\n    expect: { elements: [] }",
      []
    ),
  ]

  @Test("unmet expectations are found", arguments: rows.map(\.0))
  func row(claim: String) throws {
    let row = try #require(Self.rows.first { $0.0 == claim })
    let folder = try TestFolder("version: 1\ntests:\n  - name: t\n    \(row.1)\n")
    defer { folder.remove() }
    let result = try folder.results()[0]
    let found = result.failures.map { failure in
      let parts = failure.mismatches.map { "\($0.key.rawValue) \($0.expected) ≠ \($0.found)" }
      return (failure.label.map { $0 + ": " } ?? "") + parts.joined(separator: ", ")
    }
    #expect(found == row.2)
    #expect(result.passed == row.2.isEmpty)
  }

  @Test("`with` sets values at pointers, also in missing objects and in lists")
  func pointers() throws {
    let folder = try TestFolder(
      """
      version: 1
      tests:
        - name: t
          event: { event: e, items: [{ n: 1 }, { n: 2 }] }
          with: { /lib/$lib: iOS, /items/1/n: 3, /a~1b: 4 }
          expect: { properties: { read: { lib: iOS, first: 1, second: 3, slash: 4 } } }
      """,
      rules: """
        version: 1
        rules:
          - id: read
            include: { event: e }
            properties:
              lib: { property: /lib/$lib }
              first: { property: /items/0/n }
              second: { property: /items/1/n }
              slash: { property: /a~1b }
        """)
    defer { folder.remove() }
    #expect(try folder.results()[0].failures.isEmpty)
  }

  @Test("a test that expects nothing does not pass", arguments: ["", "    expect:\n", "    expect: {}\n"])
  func unfinished(expect: String) throws {
    let folder = try TestFolder("version: 1\ntests:\n  - name: t\n    event: {}\n\(expect)")
    defer { folder.remove() }
    let result = try folder.results()[0]
    #expect(!result.passed && result.isUnfinished && result.failures.isEmpty)
  }

  @Test(
    "a failure comes with the rules that it is about",
    arguments: [
      ("expect: { rules: [add, any] }", ["add"]), ("expect: { emit: [added, any] }", ["add"]),
      ("expect: { selected: false }", ["any"]), ("with: { silent: true }\n    expect: { selected: true }", ["any"]),
      ("with: { tester: true }\n    expect: { selected: true }", ["no"]),
    ])
  func explained(expectation: String, rules: [String]) throws {
    let folder = try TestFolder(
      "version: 1\ntests:\n  - name: t\n    event: { event: $AppClick }\n    \(expectation)\n")
    defer { folder.remove() }
    let failure = try #require(try folder.results()[0].failures.first)
    #expect(failure.rules.map(\.rule.id.text) == rules)
  }

  @Test("events with only an event ID are resolved by the captures of the file")
  func captures() throws {
    let folder = try TestFolder("version: 1\ntests:\n  - { name: a, capture: home.xml, elements: 3 }\n")
    defer { folder.remove() }
    guard case .events(let events) = try folder.file().tests[0].subject,
      case .object(let properties)? = events[0].event.members["properties"],
      case .string(let id)? = properties["$element_id"]
    else {
      Issue.record("no event")
      return
    }
    let test = "tests:\n  - { name: a, event: { event_id: \"\(id)\" }, expect: { rules: [add] } }\n"
    try folder.write("rules.test.yaml", "version: 1\n" + test)
    #expect(try !folder.results()[0].passed)
    try FileManager.default.createSymbolicLink(
      at: folder.url.appendingPathComponent("link"), withDestinationURL: folder.url)
    for captures in ["home.xml", "[home.xml]", ".", "link"] {
      try folder.write("rules.test.yaml", "version: 1\ncaptures: \(captures)\n" + test)
      #expect(try folder.results()[0].passed)
    }
  }

  @Test("a broken capture in a directory of captures is a problem, a file of another kind is not")
  func brokenCapture() throws {
    let folder = try TestFolder("version: 1\ncaptures: .\ntests:\n  - { name: a, event: { event: e } }\n")
    defer { folder.remove() }
    #expect(try folder.file().tests.count == 1)
    try folder.write("cut.xml", "<viewTree version=\"1\"><view class=\"UIWindow\">")
    let error = #expect(throws: RuleFileErrors.self) { try folder.file() }
    let messages = error?.diagnostics.map(\.message) ?? []
    #expect(messages.count == 1 && messages[0].contains("cut.xml:"), "\(messages)")
  }

  @Test("tests name the activities of dumps that do not say them, each its own")
  func page() throws {
    let dump = PackageFolder.viewTrees.appendingPathComponent("login.uiautomator.xml").path
    func rule(_ id: String) -> String {
      "  - { id: \(id), include: { page: com.example.shop.\(id), selector: 'CheckBox#agree' } }\n"
    }
    func test(_ name: String, _ page: String, _ more: String) -> String {
      "  - { name: \(name), capture: \(dump)\(page), \(more) }\n"
    }
    let taps = ["Login", "Pay"].map { test($0, ", page: .\($0)", "elements: 9, expect: { rules: [\($0)] }") }.joined()
    let selector = test("c", ", page: .Pay", "selector: 'CheckBox#agree', expect: { elements: 9 }")
    let folder = try TestFolder(
      "version: 1\ntests:\n" + taps + selector,
      rules: "version: 1\nstyle: hubbledata-android\nrules:\n" + rule("Login") + rule("Pay"))
    defer { folder.remove() }
    let results = try folder.results()
    #expect(results.count == 3 && results.allSatisfy(\.passed), "\(results)")
    try folder.write("rules.test.yaml", "version: 1\ntests:\n" + test("a", "", "elements: 9"))
    #expect(throws: RuleFileErrors.self) { try folder.file() }
    let problems = try TestFolder.problems("version: 1\ntests:\n  - { name: a, event: {}, page: A }\n")
    #expect(problems == ["rules.test.yaml:3:33: error: 'page' goes with 'capture'"])
  }

  @Test("a failure keeps only the rules that it is about, however many there are")
  func keptRules() throws {
    let others = (0..<100).map { "  - { id: other\($0), include: { event: x\($0) } }\n" }.joined()
    let folder = try TestFolder(
      "version: 1\ntests:\n  - { name: a, event: { event: e }, expect: { rules: [] } }\n",
      rules: "version: 1\nrules:\n  - { id: wrong, include: { event: e } }\n" + others)
    defer { folder.remove() }
    let failure = try #require(try folder.results()[0].failures.first)
    #expect(failure.rules.map(\.rule.id.text) == ["wrong"])
    #expect(failure.explanation?.rules.count == 1)
  }

  @Test("coverage counts the rules that matched an event, without disabled ones")
  func coverage() throws {
    let folder = try TestFolder(
      "version: 1\ntests:\n  - { name: a, event: { event: $AppClick }, expect: { selected: true } }\n")
    defer { folder.remove() }
    var runner = RuleTestRunner(try folder.ruleSet())
    _ = runner.run(try folder.file())
    #expect(runner.uncoveredRules.map(\.id.text) == ["add", "no"])
    #expect(runner.ruleCount == 3)
  }

  @Test("tests of rules in another style see paths of that style")
  func styles() throws {
    let rules = """
      version: 1
      style: sensors
      rules:
        - id: add
          include: { selector: "FancyCell[0][-]/UIButton[0]" }
      """
    let folder = try TestFolder(
      """
      version: 1
      tests:
        - { name: a, capture: home.xml, elements: 3, expect: { rules: [add] } }
        - { name: b, capture: home.xml, selector: "FancyCell[0][-]/UIButton[0]", expect: { elements: [3, 6] } }
      """, rules: rules)
    defer { folder.remove() }
    for result in try folder.results() { #expect(result.passed, "\(result.test.name): \(result.failures)") }
  }

  @Test("selectors are read in the style of their capture's platform")
  func platforms() throws {
    let rules = """
      version: 1
      rules:
        - id: pay
          include:
            - { style: hubbledata, selector: UIButton }
            - { style: hubbledata-android, selector: Button }
      """
    let folder = try TestFolder(
      """
      version: 1
      tests:
        - { name: a, capture: shop.xml, elements: LinearLayout/Button, expect: { rules: [pay] } }
        - { name: b, capture: shop.xml, selector: LinearLayout/Button, expect: { elements: [1, 2] } }
        - { name: c, capture: home.xml, selector: FancyCell/UIButton(0), expect: { elements: [3, 6] } }
      """, rules: rules)
    defer { folder.remove() }
    let button = "<view class=\"android.widget.Button\" clickable=\"true\"/>"
    try folder.write(
      "shop.xml",
      "<viewTree version=\"1\" os=\"Android\"><view class=\"android.widget.LinearLayout\" controller=\"com.example.Shop\">"
        + button + button + "</view></viewTree>")
    for result in try folder.results() { #expect(result.passed, "\(result.test.name): \(result.failures)") }
  }
}
