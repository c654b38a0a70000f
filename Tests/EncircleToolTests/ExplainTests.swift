import EncircleTestSupport
import Foundation
import Testing

/// The output of `explain`; `UPDATE_GOLDEN=1` writes the expected files anew.
@Suite struct ExplainTests {
  static let cart = PackageFolder.viewTrees.appendingPathComponent("cart.xml").path
  static let cases: [(name: String, arguments: [String])] = [
    ("excluded.txt", ["--event", RulesFolder.events[2]]), ("page.txt", ["--event", RulesFolder.events[3]]),
    ("selected.txt", ["--event", RulesFolder.events[0]]),
    ("ambiguous.txt", ["--event", RulesFolder.events[8], "--rule", "spring"]),
    ("unresolved.txt", ["--event", RulesFolder.events[6], "--rule", "cart.quantity"]),
    ("element.txt", ["--capture", cart, "--element", "17"]),
    ("near-miss.txt", ["--capture", cart, "--element", "20", "--rule", "cart.quantity", "--rule", "old"]),
    (
      "dictionary.txt",
      ["--captures", cart, "--rule", "cart.quantity", "--event", #"{"event_id":"69e2c0bc06a6"}"#]
    ),
    ("excluded.json", ["--format", "json", "--event", RulesFolder.events[2]]),
    ("element.json", ["--format", "json", "--capture", cart, "--element", "17", "--rule", "cart.quantity"]),
  ]

  @Test(
    "an explanation says rule by rule and test by test what was found, and what would have to change",
    arguments: cases.map(\.name))
  func golden(name: String) throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    var arguments = try #require(Self.cases.first { $0.name == name }).arguments
    if name == "dictionary.txt" {
      let id = try #require(
        try Tool.run(["resolve", "--format", "ndjson", "cart.xml"]).text.firstMatch(
          of: /"event_id":"(69e2c0bc06a6[0-9a-f]{52})"/))
      arguments[arguments.count - 1] = "{\"event_id\":\"\(id.1)\"}"
    }
    let result = try folder.run(["explain", "--rules", "rules.yaml"] + arguments)
    #expect(result.status == 0)
    let notes = [
      // An event ID says nothing without captures.
      "unresolved.txt": "note: --captures or --dictionary says which element the event ID stands for\n",
      "near-miss.txt":
        "\(Self.cart): note: element 20 (UILabel) is inside element 8 (CartRowCell), which is what SDKs track\n",
    ]
    #expect(result.errors == (notes[name] ?? ""))
    try compareWithGolden(result.output, "explain-" + name)
    if name.hasSuffix("json") { _ = try JSONSerialization.jsonObject(with: Data(result.output)) }
  }

  @Test("an explanation says that a page is excluded by default", .articles("H31"))
  func defaultPage() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    let event = #"{"event":"$AppClick","properties":{"$screen_name":"SFBrowserRemoteViewController"}}"#
    let text = try folder.run(["explain", "--rules", "rules.yaml", "--event", event]).text
    #expect(text.hasPrefix("not selected; on an excluded page: SFBrowserRemoteViewController (excluded by default)\n"))
    let json = try folder.run(["explain", "--rules", "rules.yaml", "--event", event, "--format", "json"]).text
    #expect(json.contains(#""default_pages":["SFBrowserRemoteViewController"]"#))
  }

  @Test(
    "times are written as dates in UTC, and a value that is not a time as it is",
    arguments: [
      (
        "from: 2026-03-01T08:00:00+08:00", "1772323199999", "2026-03-01T00:00:00.000Z or later",
        "2026-02-28T23:59:59.999Z"
      ),
      ("to: 2026-03-31", "1775001600000.5", "2026-03-31T23:59:59.999Z or earlier", "2026-04-01T00:00:00.000Z"),
      (
        "during: [{ from: 2026-06-01, to: 2026-06-18 }, { from: 2026-11-01 }]", "\"2026-07-01T00:00:00+08:00\"",
        "2026-06-01T00:00:00.000Z to 2026-06-18T23:59:59.999Z, or 2026-11-01T00:00:00.000Z or later",
        "2026-06-30T16:00:00.000Z"
      ),
      ("to: 2026-03-31", "\"31.3.2026\"", "2026-03-31T23:59:59.999Z or earlier", "\"31.3.2026\""),
      ("to: 2026-03-31", "null", "2026-03-31T23:59:59.999Z or earlier", "null"),
    ])
  func times(key: String, time: String, expected: String, found: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("rules.yaml", "version: 1\nrules:\n  - id: a\n    include: { event: e }\n    \(key)\n")
    let event = "{\"event\":\"e\",\"time\":\(time)}"
    let text = try Tool.run(["explain", "--rules", "rules.yaml", "--event", event], in: folder.url).text
    #expect(text.contains("    ✗ time is \(expected)\n        found \(found)\n"), "\(text)")
  }

  @Test(
    "a list is shown with its items, shortened if it is long",
    arguments: [
      (#"["vip", "new"]"#, #"["vip","new"]"#), ("[]", "[]"), (#"{"a":1}"#, "an object"),
      ("[\(String(repeating: "1,", count: 200))2]", "[1,1,"),
    ])
  func lists(value: String, found: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("rules.yaml", "version: 1\nrules: [{ id: a, include: { where: { tags: vip } } }]\n")
    let event = "{\"properties\":{\"tags\":\(value)}}"
    let text = try Tool.run(["explain", "--rules", "rules.yaml", "--event", event], in: folder.url).text
    #expect(text.contains("    ✗ tags is \"vip\"\n        found \(found)"), "\(text)")
    #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count < 200 }, "\(text)")
  }

  @Test(
    "where the event lacks a property, the one is named that was probably meant",
    arguments: [
      ("curency: CNY", "missing, but the event has currency"), ("Currency: CNY", "missing, but the event has currency"),
      ("distinct_id: u1", "missing, but the event has /distinct_id"),
      ("/currency: CNY", "missing, but the event has currency"),
      ("user.level: gold", "missing, but the event has /properties/user/level"),
      ("/user/level: gold", "missing, but the event has /properties/user/level"), ("price: 5", "missing"),
      ("/user/name: x", "missing"),
    ])
  func missing(test: String, found: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("rules.yaml", "version: 1\nrules: [{ id: a, include: { where: { \(test) } } }]\n")
    let event = #"{"distinct_id":"u2","properties":{"currency":"CNY","user":{"level":"gold"}}}"#
    let text = try Tool.run(["explain", "--rules", "rules.yaml", "--event", event], in: folder.url).text
    #expect(text.contains("\n        found \(found)\n"), "\(text)")
  }

  @Test(
    "where the event lacks its page or path, the place is named where it probably has them",
    arguments: [
      (
        "hubbledata", #"{"page":"Home","path":"A(0)"}"#, "missing, but the event has /page",
        "missing, but the event has /path"
      ),
      (
        "hubbledata", #"{"$screen_name":"Home","properties":{"path":"A(0)"}}"#,
        "missing, but the event has /$screen_name", "missing, but the event has path"
      ),
      (
        "sensors", #"{"properties":{"screen_name":"Home","element_path":"A[0]"}}"#,
        "missing, but the event has screen_name", "missing, but the event has element_path"
      ),
      (
        "hubbledata", #"{"properties":"{\"$screen_name\":\"Home\"}"}"#,
        "missing, but the event has properties as a text", "missing, but the event has properties as a text"
      ),
      // There, /path is the page.
      ("growingio", #"{"path":"/other"}"#, "\"other\"", "missing"),
      ("hubbledata", #"{"properties":{"name":"Home"}}"#, "missing", "missing"),
    ])
  func missingFields(style: String, event: String, page: String, path: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let rules = "version: 1\nstyle: \(style)\nrules: [{ id: a, include: { page: Home, selector: A } }]\n"
    try folder.write("rules.yaml", rules)
    let text = try Tool.run(["explain", "--rules", "rules.yaml", "--event", event], in: folder.url).text
    #expect(text.contains("    ✗ page is \"Home\"\n        found \(page)\n"), "\(text)")
    #expect(text.contains("    ✗ element matches A\n        found \(path)\n"), "\(text)")
  }

  @Test("matching rules come first, then near misses; the rest is only counted without --all or --rule")
  func order() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    var rules = "version: 1\nrules:\n"
    for i in 0..<6 { rules += "  - { id: far\(i), include: { event: x, page: y, where: { p: 1 } } }\n" }
    rules += """
        - { id: near, include: { event: A, page: y } }
        - { id: yes, include: { event: A } }
        - { id: half, include: { event: x, page: y } }
      """
    try folder.write("own.yaml", rules)
    func heads(_ options: String...) throws -> [String] {
      let result = try folder.run(["explain", "--rules", "own.yaml", "--event", #"{"event":"A"}"#] + options)
      #expect(result.status == 0)
      return result.lines.filter { ["✓", "✗"].contains($0.first) || $0.contains("other rule") }.map { line in
        String(line.split(separator: " ")[line.first!.isNumber ? 0 : 2])
      }
    }
    #expect(try heads() == ["yes", "near", "half", "far0", "5"])
    #expect(try heads("--all") == ["yes", "near", "half"] + (0..<6).map { "far\($0)" })
    #expect(try heads("--rule", "far3", "--rule", "near") == ["near", "far3"])
  }

  @Test("an event in a file is named by its line")
  func lines() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    try folder.write("e.json", "[\n{\"event\":\"a\"},\n{\n\"event\":\"b\"}\n]\n")
    try folder.write("e.json:2", "{\"event\":\"c\"}")
    try folder.write("own.yaml", "version: 1\nrules: [{ id: r, include: { event: [a, b, c] } }]\n")
    func run(_ event: String) throws -> ToolResult {
      try folder.run(["explain", "--rules", "own.yaml", "--all", "--event", event])
    }
    #expect(try run("e.json:3").text.hasPrefix("selected as r\n"))
    // A file of that name is that file.
    #expect(try run("e.json:2").text.hasPrefix("selected as r\n"))
    // Without a line it is the first event.
    #expect(try run("e.json").text.hasPrefix("selected as r\n"))
    for (event, message, status) in [
      ("e.json:4", "e.json: error: there is no event that begins in line 4; the nearest begins in line 3\n", 1),
      ("e.json:1", "e.json: error: there is no event that begins in line 1; the nearest begins in line 2\n", 1),
      ("e.json:0", "e.json: error: there is no event that begins in line 0; the nearest begins in line 2\n", 1),
      ("own.yaml:1", "own.yaml:1:1: error: not an event: unknown word: expected null, true or false\n", 65),
    ] as [(String, String, Int32)] {
      let result = try run(event)
      #expect(result.errors == message && result.status == status)
    }
    #expect(try run("none.json:7").errors == "none.json: error: no such file\n")
  }

  @Test("an event may be named as a file or come from standard input")
  func inputs() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    try folder.write("event.json", RulesFolder.events[2].replacing(",\"", with: ",\n\""))
    try folder.write("event.json.gz", gzip(Array(RulesFolder.events[2].utf8)))
    let expected = try folder.run(["explain", "--rules", "rules.yaml", "--event", RulesFolder.events[2]]).text
    for name in ["event.json", "event.json.gz", "-"] {
      let result = try folder.run(["explain", "--rules", "rules.yaml", "--event", name], input: RulesFolder.events[2])
      #expect(result.text == expected)
    }
  }

  @Test(
    "the exit status says how it went",
    arguments: [
      (["--rules", "rules.yaml"], 64, "Name either --event"),
      (["--rules", "rules.yaml", "--event", "{}", "--capture", cart, "--element", "0"], 64, "Name either"),
      (["--rules", "rules.yaml", "--event", "{}", "--event-name", "a"], 64, "--event-name goes with --capture"),
      (["--rules", "rules.yaml", "--capture", cart], 64, "go together"), (["--event", "{}"], 64, "--rules"),
      (
        ["--rules", "rules.yaml", "--event", "{}", "--rule", "chekout"], 1,
        "there is no rule 'chekout'; did you mean 'checkout'?"
      ),
      (
        ["--rules", "rules.yaml", "--event", "{"], 65,
        "--event:1:2: error: not an event: ends before the value is complete"
      ),
      (["--rules", "-", "--event", "-"], 64, "Standard input can be read once only."),
      (["--rules", "-", "--event", "-:2"], 64, "Standard input can be read once only."),
      (["--rules", "-", "--capture", "-", "--element", "0"], 64, "Standard input can be read once only."),
      (["--rules", "rules.yaml", "--event", "missing.json"], 66, "missing.json: error: "),
      (["--rules", "rules.yaml", "--event", "rules.yaml"], 65, "rules.yaml:1:1: error: not an event: "),
      (
        ["--rules", "rules.yaml", "--capture", cart, "--element", "105"], 1,
        "there is no element 105: the capture has 0 to 104"
      ),
      (["--rules", "rules.yaml", "--capture", cart, "--element", "-1"], 64, "Missing value"),
      (["--rules", "rules.yaml", "--capture", "rules.yaml", "--element", "0"], 65, "rules.yaml:"),
      (["--rules", "rules.yaml", "--capture", ".", "--element", "0"], 74, ".: error: is a directory"),
      (["--rules", "missing.yaml", "--event", "{}"], 66, "missing.yaml: error: no such file or directory"),
    ] as [([String], Int32, String)])
  func status(arguments: [String], expected: Int32, message: String) throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    let result = try folder.run(["explain"] + arguments)
    #expect(result.status == expected, "\(result.errors)")
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  @Test("the event made up for an element has its values where the rules look for them")
  func renamedFields() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(
      "rules.yaml",
      """
      version: 1
      fields: { event: /name, path: /element/path, page: screen, event_id: /id }
      rules:
        - id: a
          include: { event: $AppClick, page: HomeViewController, selector: UIButton, where: { /element/path: { suffix: ")" } } }
      """)
    let capture = PackageFolder.viewTrees.appendingPathComponent("home-feed.xml").path
    let result = try Tool.run(
      ["explain", "--rules", "rules.yaml", "--capture", capture, "--element", "35"], in: folder.url)
    #expect(result.text.hasPrefix("selected as a\n"), "\(result.text)")
  }

  @Test(
    "a note names the element that SDKs track instead of the explained one, as the style's SDK does",
    arguments: [("hubbledata", 18, nil), ("growingio", 18, 15), ("hubbledata", 76, 75)] as [(String, Int, Int?)])
  func inner(style: String, element: Int, tracked: Int?) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("rules.yaml", "version: 1\nstyle: \(style)\nrules: [{ id: a, include: { page: A } }]\n")
    let result = try Tool.run(
      ["explain", "--rules", "rules.yaml", "--capture", Self.cart, "--element", "\(element)"], in: folder.url)
    #expect(result.status == 0)
    let note = tracked.map { "is inside element \($0) (" }
    #expect(note.map { result.errors.contains($0) } ?? result.errors.isEmpty, "\(result.errors)")
  }

  @Test("a note says that texts around an element are looked up in other captures than the one with the element")
  func within() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let capture = PackageFolder.viewTrees.appendingPathComponent("home-feed.xml").path
    let within = "{ selector: ProductCell, says: { contains: 咖啡 } }"
    let rule = "{ id: a, include: { selector: UIButton(0), within: \(within) } }"
    try folder.write("rules.yaml", "version: 1\nrules: [\(rule)]\n")
    let tap = ["explain", "--rules", "rules.yaml", "--capture", capture, "--element", "17"]
    let alone = try Tool.run(tap, in: folder.url)
    #expect(alone.text.hasPrefix("not selected"), "\(alone.text)")
    let hint = "note: 'within' looks texts up in --captures: name \(capture) there, too\n"
    #expect(alone.errors.contains(hint), "\(alone.errors)")
    let known = try Tool.run(tap + ["--captures", capture], in: folder.url)
    #expect(known.text.hasPrefix("selected") && !known.errors.contains("'within'"), "\(known.text)\(known.errors)")
    let test = "{ name: t, capture: \(capture), elements: 17, expect: { rules: [a] } }"
    try folder.write("rules.test.yaml", "version: 1\ntests: [\(test)]\n")
    let tested = try Tool.run(["test", "rules.yaml"], in: folder.url)
    let note = "rules.test.yaml: note: 'within' looks texts up in 'captures' of the file, which names none\n"
    #expect(tested.status == 1 && tested.errors == note, "\(tested.errors)")
  }

  @Test("no value of an event adds lines to the explanation")
  func hostileValues() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("rules.yaml", "version: 1\nrules: [ { id: a, include: { where: { k: x } } } ]\n")
    let event = #"{"event":"e","properties":{"k":"y\n✓ include a matches","$screen_name":"P\nselected"}}"#
    let result = try Tool.run(["explain", "--rules", "rules.yaml", "--event", event], in: folder.url)
    #expect(result.lines.first == "not selected: no include rule matches")
    #expect(!result.lines.dropFirst().contains { $0.hasPrefix("✓") || $0.hasPrefix("selected") }, "\(result.text)")
  }

  @Test("an Android path is not ambiguous, and a missing row is not a number")
  func androidPath() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(
      "rules.yaml", "version: 1\nstyle: sensors-android\nrules: [ { id: a, include: { selector: 'Row(2)' } } ]\n")
    let event = #"{"event":"$AppClick","properties":{"$lib":"Android","$element_path":"a.List[0]/a.Row[-]"}}"#
    let result = try Tool.run(["explain", "--rules", "rules.yaml", "--event", event], in: folder.url)
    #expect(result.lines.contains { $0.hasPrefix("element: a.List(") }, "\(result.text)")
    #expect(result.text.contains("a.Row(section:0 row:-)") && !result.text.contains("-1"), "\(result.text)")
  }
}
