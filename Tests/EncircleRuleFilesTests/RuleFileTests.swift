import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

/// The meaning of rule files, and of several as one rule set.
@Suite struct RuleFileTests {
  private static let everything = """
    $schema: ../docs/rules.schema.json
    version: 1
    app: com.example.shop
    track: all
    classes: { ProductCell: UITableViewCell, BigCell: ProductCell }
    pages: { exclude: [UIInputWindowController, Debug] }
    fields: { path: /path, page: [screen, $screen_name] }
    rules:
      - id: cart.add
        name: 加入购物车
        description: The button of a row
        owner: shop team
        tags: [cart, 2026]
        origin: { tool: posthog, id: 4101, url: "https://eu.example/actions/4101" }
        enabled: true
        include:
          event: $AppClick
          page: { kindOf: Detail, not: { prefix: Old } }
          selector: [UITableView/ProductCell(section:0 row:*)/UIButton(1), "'My View'/**"]
          where:
            $element_content: { equals: 加入购物车, fold: true }
            $app_version: { version: ">=5.2 <6" }
            /deep/0: [1, "1", true, null, 5.2]
            p: { not: { exists: false }, ">=": -1.5, glob: a*, matches: "^a|b$" }
        unless: { where: { test: true } }
        emit: add_to_cart
        from: 2026-03-01
        to: 2026-03-31T23:59:59.5+08:00
        sameKind: true
        tolerance: 0.8
      - id: 2
        enabled: false
        exclude:
          - eventID: 2A4D5C5B23409EB530BF3ADD8D70B23000D9FDC96113CCB0EA5D40F7A24BA986
          - identity: [ "path(UIWindow(0))", "path(UIWindow(0)_UIView(0))&controller(Home)" ]
    """

  /// A rule set for people.
  private func dump(_ ruleSet: RuleSet) -> String {
    var lines = ["track \(ruleSet.track)"]
    for (name, superclass) in ruleSet.classes.sorted(by: { $0.key < $1.key }) {
      lines.append("class \(name): \(superclass)")
    }
    for page in ruleSet.excludedPages { lines.append("no page \(page.name) of \(page.app?.text ?? "any app")") }
    for field in [EventFields.Field.path, .page, .event] {
      lines.append("\(field) in \(ruleSet.fields.places(of: field).map(\.description))")
    }
    for rule in ruleSet.rules {
      lines.append(
        "\(rule.effect) \(rule.id) of \(rule.apps.isEmpty ? "any app" : rule.apps.map(\.text).joined(separator: ", ")) at \(rule.location ?? "-")"
      )
      lines.append("  \(rule.name ?? "-"), \(rule.summary ?? "-"), \(rule.owner ?? "-"), \(rule.tags)")
      if let origin = rule.origin { lines.append("  from \(origin.tool) \(origin.id) at \(origin.url ?? "-")") }
      lines.append(
        "  emit \(rule.emit), enabled \(rule.isEnabled), sameKind \(rule.sameKind), tolerance \(rule.tolerance ?? 0)")
      lines.append("  from \(rule.from.map(String.init) ?? "-") to \(rule.to.map(String.init) ?? "-")")
      for clause in rule.clauses { lines.append("  when " + describe(clause)) }
      for clause in rule.unless { lines.append("  unless " + describe(clause)) }
    }
    return lines.joined(separator: "\n")
  }

  private func describe(_ clause: RuleClause) -> String {
    var parts: [String] = []
    if let event = clause.event { parts.append("event \(event)") }
    if let page = clause.page { parts.append("page \(page)") }
    if !clause.selectors.isEmpty {
      parts.append("element \(clause.selectors.map(\.description).joined(separator: " or "))")
    }
    for reference in clause.eventIDs { parts.append(reference.identity?.text ?? "\(reference.eventID)") }
    for test in clause.properties { parts.append("\(test.property) \(test.condition)") }
    return parts.joined(separator: "; ")
  }

  private static let meaning = """
    track all
    class BigCell: ProductCell
    class ProductCell: UITableViewCell
    no page UIInputWindowController of com.example.shop
    no page Debug of com.example.shop
    path in ["/path"]
    page in ["screen", "$screen_name"]
    event in ["/event", "/eventId"]
    include cart.add of com.example.shop at rules.yaml:9:9
      加入购物车, The button of a row, shop team, ["cart", "2026"]
      from posthog 4101 at https://eu.example/actions/4101
      emit add_to_cart, enabled true, sameKind true, tolerance 0.8
      from 1772323200000 to 1774972799500
      when event is "$AppClick"; page is a kind of Detail and not (begins with "Old"); \
    element UITableView/ProductCell(section:0 row:*)/UIButton(1) or 'My View'/**; \
    $element_content is "加入购物车", ignoring case; $app_version is a version >=5.2 <6; \
    /deep/0 is one of 1, "1", true, null, 5.2; \
    p not (does not exist) and >= -1.5 and has the form "a*" and matches /^a|b$/
      unless test is true
    exclude 2 of com.example.shop at rules.yaml:31:9
      -, -, -, []
      emit 2, enabled false, sameKind false, tolerance 0.0
      from - to -
      when 2a4d5c5b23409eb530bf3add8d70b23000d9fdc96113ccb0ea5d40f7a24ba986
      when path(UIWindow(0)); path(UIWindow(0)_UIView(0))&controller(Home)
    """

  @Test("every key has its meaning")
  func everyKey() throws {
    #expect(dump(try RuleFiles(text: Self.everything, name: "rules.yaml").ruleSet()) == Self.meaning)
  }

  @Test("line ends, byte order marks, comments and the style of YAML make no difference")
  func sameMeaning() throws {
    let variants = [
      "\u{FEFF}" + Self.everything, Self.everything.replacing("\n", with: "\r\n"), Self.everything + "\n# the end",
      Self.everything.replacing("event: $AppClick", with: "event: '$AppClick'"),
      Self.everything.replacing("event: $AppClick", with: "event: [\"$AppClick\"]"),
    ]
    for text in variants { #expect(dump(try RuleFiles(text: text, name: "rules.yaml").ruleSet()) == Self.meaning) }
  }

  @Test("JSON is a way to write rule files, tabs and escapes included")
  func json() throws {
    let text = """
      {
      \t"version": 1, "track": "all",
      \t"rules": [
      \t\t{"id": "a", "include": {"where": {"p": "\\ud83d\\udc4d\\/\\u00e9\\\\ud83d", "q": 1e3, "\\ud83d\\ude00": null}}},
      \t\t{"id":"b","exclude":[{"event":"x"},{"page":{"kindOf":["A"]}}]}
      \t]
      }
      """
    let ruleSet = try RuleFiles(text: text).ruleSet()
    #expect(ruleSet.rules.map(\.id) == ["a", "b"])
    #expect(
      ruleSet.rules.flatMap(\.clauses).map(describe)
        == ["p is \"👍/é\\ud83d\"; q is 1000; 😀 is null", "event is \"x\"", "page is a kind of A"])
  }

  @Test(
    "values have the types that YAML gives them, names are always texts",
    arguments: [
      ("where: { p: 5.2 }", "p is 5.2"), ("where: { p: '5.2' }", "p is \"5.2\""),
      ("where: { p: 5.2.1 }", "p is \"5.2.1\""),
      ("where: { p: 1e3 }", "p is 1000"), ("where: { p: ~ }", "p is null"), ("where: { p: }", "p is null"),
      ("where: { p: true }", "p is true"), ("where: { p: 'true' }", "p is \"true\""),
      ("where: { p: 'yes' }", "p is \"yes\""),
      ("where: { p: 2026-03-01 }", "p is \"2026-03-01\""), ("where: { p: 007x }", "p is \"007x\""),
      ("where: { p: 9007199254740993 }", "p is 9007199254740993"), ("where: { p: 加入 购物车 }", "p is \"加入 购物车\""),
      ("where: { yes: a, on: b, 5: c }", "yes is \"a\"; on is \"b\"; 5 is \"c\""),
      ("where: { p: { version: 5.2 } }", "p is a version 5.2"), ("where: { p: { prefix: 5 } }", "p begins with \"5\""),
      ("where: { p: { prefix: no } }", "p begins with \"no\""), ("event: 5", "event is \"5\""),
      ("event: on", "event is \"on\""),
      ("page: [yes, 1.0]", "page is one of \"yes\", \"1.0\""), ("selector: [A, 5]", "element A or 5"),
      ("selector: :UIControl", "element :UIControl"), ("selector: '*'", "element *"),
      ("selector: >-\n        A/\n        B", nil), ("selector: |-\n        A/B", "element A/B"),
      ("where: { p: { in: [a, b], fold: true } }", "p is one of \"a\", \"b\", ignoring case"),
      ("where: { p: { fold: true, not: [a, b] } }", "p not (is one of \"a\", \"b\", ignoring case)"),
    ] as [(String, String?)])
  func types(clause: String, expected: String?) throws {
    let text = "version: 1\nrules:\n  - id: a\n    include:\n      \(clause)\n"
    guard let expected else {
      // Folding makes a space of the line break, which no selector has.
      #expect(problems(text).contains("in the selector: expected a class name"))
      return
    }
    #expect(try RuleFiles(text: text).ruleSet().rules[0].clauses.map(describe) == [expected])
  }

  @Test(
    "times are dates, moments and milliseconds",
    arguments: [
      ("2026-03-01", 1_772_323_200_000, 1_772_409_599_999), ("2026-03-01T08:00", 1_772_352_000_000, 1_772_352_000_000),
      ("2026-03-01T08:00:00Z", 1_772_352_000_000, 1_772_352_000_000),
      ("2026-03-01 16:00:00+08:00", 1_772_352_000_000, 1_772_352_000_000),
      ("2026-03-01T08:00:00.123456Z", 1_772_352_000_123, 1_772_352_000_123),
      ("1772352000000", 1_772_352_000_000, 1_772_352_000_000),
      ("2024-02-29", 1_709_164_800_000, 1_709_251_199_999), ("1970-01-01", 0, 86_399_999),
      ("1969-12-31", -86_400_000, -1),
      ("2000-02-29T23:30:00-00:30", 951_868_800_000, 951_868_800_000),
    ] as [(String, Int64, Int64)])
  func times(text: String, first: Int64, last: Int64) throws {
    let rules = "version: 1\nrules: [ { id: a, include: { event: e }, from: '\(text)', to: '\(text)' } ]"
    let rule = try #require(try RuleFiles(text: rules).ruleSet().rules.first)
    #expect(rule.from == first)
    #expect(rule.to == last)
  }

  @Test(
    "an invalid time is refused",
    arguments: [
      "2026-13-01", "2026-00-10", "2026-04-31", "2025-02-29", "1900-02-29", "2026-3-1", "2026-03-01T24:00",
      "2026-03-01T08:60",
      "2026-03-01T08", "2026-03-01T08:00:00.", "2026-03-01T08:00:00X", "2026-03-01T08:00:00+8",
      "2026-03-01T08:00:00+24:00", "2026",
      "-5", "", "now", "2026-03-01T08:00:00Z ", "99999999999999999999",
    ])
  func noTimes(text: String) {
    #expect(
      problems("version: 1\nrules: [ { id: a, include: { event: e }, from: '\(text)' } ]").contains("expected a date"))
  }

  // MARK: - Several files

  /// Loads files that lie in one folder, which is gone afterwards.
  private func result(
    _ files: [String: String], _ paths: [String] = [""]
  ) throws -> (Result<RuleSet, RuleFileErrors>, folder: String) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let result = Result { () throws(RuleFileErrors) in
      try RuleFiles(paths.map { $0.isEmpty ? folder.path : folder.path + "/" + $0 }).ruleSet()
    }
    return (result, folder.path)
  }

  private func load(_ files: [String: String], _ paths: [String] = [""]) throws -> RuleSet {
    try result(files, paths).0.get()
  }

  /// The problems, with `DIR` for the folder.
  private func problemsOf(_ files: [String: String], _ paths: [String] = [""]) throws -> String {
    switch try result(files, paths) {
    case (.success(let ruleSet), _): "no problem: \(ruleSet.rules.map(\.id.text))"
    case (.failure(let errors), let folder): errors.description.replacing(folder, with: "DIR")
    }
  }

  private static func rule(_ id: String) -> String {
    "version: 1\nrules: [ { id: \(id), include: { event: \(id) } } ]\n"
  }

  @Test("a directory stands for its rule files at any depth, in byte order, without other and hidden files")
  func directory() throws {
    let files = [
      "b.yaml": Self.rule("b"), "a.yml": Self.rule("a"),
      "sub/c.json": #"{"version":1,"rules":[{"id":"c","include":{"event":"e"}}]}"#,
      "notes.txt": "[", ".hidden.yaml": "[", "sub/.git/x.yaml": "[", "B.yaml": Self.rule("B"), "x.yaml.bak": "[",
    ]
    #expect(try load(files).rules.map(\.id) == ["B", "a", "b", "c"])
    #expect(try load(files, ["sub", "a.yml"]).rules.map(\.id) == ["c", "a"])
  }

  @Test("files are joined, and rules and excluded pages keep the app of their file")
  func joining() throws {
    let files = [
      "a.yaml":
        "version: 1\napp: one\ntrack: all\nclasses: { A: UIView }\npages: { exclude: P }\nrules: [ { id: a, include: { event: a } } ]",
      "b.yaml":
        "version: 1\ntrack: all\nclasses: { A: UIView, B: A }\npages: { exclude: [Q] }\nrules: [ { id: b, include: { event: b } } ]",
    ]
    let ruleSet = try load(files)
    #expect(ruleSet.track == .all)
    #expect(ruleSet.classes == ["A": "UIView", "B": "A"])
    #expect(ruleSet.excludedPages == [ExcludedPage("P", app: "one"), ExcludedPage("Q")])
    #expect(ruleSet.rules.map(\.apps) == [["one"], []])
  }

  @Test("the digest of files depends on their texts and their order, not on their names; compiled rules have none")
  func digest() throws {
    func digest(_ texts: [String]) -> String? {
      RuleFiles(texts: texts.enumerated().map { (name: "\($0.offset).yaml", text: $0.element) }).digest
    }
    let digests = [["a"], ["b"], ["a", "b"], ["b", "a"], ["ab"], ["a", ""], ["a "]].map(digest)
    #expect(Set(digests).count == digests.count)
    #expect(RuleFiles(text: "a", name: "other.yaml").digest == digests[0])
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString).rules")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(Matcher(try RuleFiles(text: Self.rule("a")).ruleSet()).compiled()).write(to: file)
    #expect(RuleFiles([file.path]).digest == nil)
  }

  @Test("files that contradict each other name both places")
  func contradictions() throws {
    let files = [
      "a.yaml":
        "version: 1\ntrack: all\nclasses: { A: UIView }\npages: { defaults: true }\nfields: { path: p }\nrules:\n  - id: x\n    include: { event: a }\n",
      "b.yaml":
        "version: 1\ntrack: selected\nclasses: { A: UIButton }\npages: { defaults: false }\nfields: { path: [p, q] }\nrules:\n  - id: x\n    include: { event: a }\n",
    ]
    #expect(
      try problemsOf(files) == """
        DIR/b.yaml:2:8: error: 'track: selected' contradicts another file of the rule set
          track: selected
                 ^
        DIR/a.yaml:2:8: note: 'track: all' is here
        DIR/b.yaml:3:12: error: A cannot have two superclasses, UIView and UIButton
          classes: { A: UIButton }
                     ^
        DIR/a.yaml:3:12: note: 'A: UIView' is here
        DIR/b.yaml:4:20: error: 'defaults: false' contradicts another file of the rule set
          pages: { defaults: false }
                             ^
        DIR/a.yaml:4:20: note: 'defaults: true' is here
        DIR/b.yaml:5:11: error: the field 'path' is elsewhere in another file of the rule set
          fields: { path: [p, q] }
                    ^
        DIR/a.yaml:5:11: note: the other place of 'path'
        DIR/b.yaml:7:9: error: there are two rules with the id 'x'
            - id: x
                  ^
        DIR/a.yaml:7:9: note: the first rule with the id 'x'
        """)
  }

  @Test("the problems of all files are reported at once, and nothing is loaded in part")
  func severalFiles() throws {
    let files = [
      "a.yaml": Self.rule("a"), "b.yaml": "version: 1\nrulez: []\n", "c.yaml": "[",
      "d.yaml": "version: 1\nrules: [ { id: a, include: { event: b } } ]\n",
    ]
    #expect(
      try problemsOf(files) == """
        DIR/b.yaml:2:1: error: unknown key 'rulez' in a rule file; did you mean 'rules'?
          rulez: []
          ^
        DIR/c.yaml:2:1: error: expected a value, or the bracket that ends this
          
          ^
        DIR/d.yaml:2:16: error: there are two rules with the id 'a'
          rules: [ { id: a, include: { event: b } } ]
                         ^
        DIR/a.yaml:2:16: note: the first rule with the id 'a'
        """)
  }

  @Test("missing files are reported beside other problems, and alone count as missing input")
  func missing() throws {
    let files = ["a.yaml": Self.rule("a"), "b.yaml": "version: 1\nrulez: []\n", "empty/x.txt": ""]
    #expect(
      try problemsOf(files, ["a.yaml", "c.yaml", "b.yaml"]) == """
        DIR/c.yaml: error: no such file or directory
        DIR/b.yaml:2:1: error: unknown key 'rulez' in a rule file; did you mean 'rules'?
          rulez: []
          ^
        """)
    #expect(
      try problemsOf(files, ["empty"]) == "DIR/empty: error: the directory has no rule files (*.yaml, *.yml, *.json)")
    for (paths, isMissing) in [
      (["c.yaml"], true), (["a.yaml", "c.yaml"], true), (["b.yaml", "c.yaml"], false), (["b.yaml"], false),
    ] {
      guard case (.failure(let errors), _) = try result(files, paths) else {
        Issue.record("\(paths) load")
        continue
      }
      #expect(errors.isMissingInput == isMissing, "\(paths)")
    }
  }

  @Test("a file named twice is two files")
  func namedTwice() throws {
    #expect(
      try problemsOf(["a.yaml": Self.rule("a")], ["a.yaml", "a.yaml"]).contains("there are two rules with the id 'a'"))
  }

  @Test(
    "invalid UTF-8 is refused",
    arguments: [
      ([0x61, 0xFF], "1:2: error: the text is not valid UTF-8: save it as UTF-8"),
      ([0x61, 0x0A, 0xC3], "2:1: error: the text is not valid UTF-8: save it as UTF-8"),
      ([0xFF, 0xFE, 0x61, 0x00], "1:1: error: the text is UTF-16: save it as UTF-8"),
      ([0xED, 0xA0, 0x80], "1:1: error: the text is not valid UTF-8: save it as UTF-8"),
    ] as [([UInt8], String)])
  func encodings(bytes: [UInt8], expected: String) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString).yaml")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    do throws(RuleFileErrors) {
      _ = try RuleFiles([file.path]).ruleSet()
      Issue.record("\(bytes) load")
    } catch {
      #expect(error.description == "\(file.path):\(expected)")
    }
  }

  @Test(
    "the ending of a rule file is bytes, also behind a sign that makes one character with a dot",
    arguments: [("a/b.yaml", "a/b"), ("\u{600}.yml", "\u{600}"), (".json", ""), ("b.json.gz", nil), ("yaml", nil)]
      as [(String, String?)])
  func stem(path: String, expected: String?) {
    #expect(RuleDirectory.stem(of: path).map { UTF8String(String($0)) } == expected.map { UTF8String($0) })
  }
}
