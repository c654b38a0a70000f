import EncircleTestSupport
import Foundation
import Testing

/// `encircle test`, as a process; `UPDATE_GOLDEN=1` writes the expected outputs anew.
@Suite struct RuleTestingTests {
  private static let rules = """
    version: 1
    rules:
      - id: add
        name: 加入
        include: { page: Home, selector: FancyCell/UIButton(0), where: { $element_content: 加入 } }
        emit: added
      - id: never
        include: { event: never }
      - id: no
        exclude: { where: { tester: true } }
    """

  private static let tests = """
    version: 1
    tests:
      - name: every row
        capture: home.xml
        elements: [3, 5]
        expect: { selected: true, rules: [add], emit: [added] }
      - name: <testers> & "quotes"
        capture: home.xml
        elements: 3
        with: { tester: true }
        expect: { selected: true }
      - name: the selector
        capture: home.xml
        selector: UIButton
        expect: { elements: [3] }
      - name: fine
        event: { event: x }
        expect: { selected: false }
      - name: nothing yet
        event: { event: x }
    """

  private static let capture = """
    <viewTree version="1">
      <view class="UIWindow"><view class="UITableView" controller="Home">
        <view class="FancyCell" indexPath="0 0"><view class="UIButton" title="加入"/></view>
        <view class="FancyCell" indexPath="0 1"><view class="UIButton" title="加入&#10;&#x1F44D;"/></view>
      </view></view>
    </viewTree>
    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("rules/shop.yaml", Self.rules)
    try folder.write("rules/shop.test.yaml", Self.tests.replacing("home.xml", with: "../home.xml"))
    try folder.write("home.xml", Self.capture)
    return folder
  }

  @Test("the shipped rules pass their tests, which cover all of them")
  func shipped() throws {
    let result = try Tool.run(["test", "Rules", "--coverage"], in: PackageFolder.root)
    #expect(result.status == 0, "\(result.text)\(result.errors)")
    #expect(result.text.firstMatch(of: /(\d+) tests, \1 passed, 0 failed\n$/) != nil, "\(result.text)")
    #expect(result.text.firstMatch(of: /^(\d+) of \1 rules covered\n/) != nil, "\(result.text)")
    #expect(result.errors.isEmpty)
  }

  @Test(
    "failures show expected and found side by side, and the rule's explanation", arguments: ["text", "json", "junit"])
  func golden(format: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try Tool.run(["test", "rules", "--format", format, "--coverage"], in: folder.url)
    #expect(result.status == 1)
    let text = result.text.replacing(/time="[0-9.]+"/, with: "time=\"0\"")
      .replacing(/"seconds":[0-9.e-]+/, with: "\"seconds\":0")
    try compareWithGolden(Array(text.utf8), "test." + ["text": "txt", "json": "json", "junit": "xml"][format]!)
    if format == "json" { _ = try JSONSerialization.jsonObject(with: Data(result.output)) }
    if format == "junit" {
      #expect(result.errors.contains("rules that no test covers:\n  rules/shop.yaml:7:9: never\n"))
    }
  }

  @Test("with --filter, --coverage is about the tests that are run, and says so")
  func filteredCoverage() throws {
    let result = try Tool.run(["test", "Rules/shop.yaml", "--coverage", "--filter", "home"], in: PackageFolder.root)
    #expect(result.text.contains("rules that none of these tests covers:\n"), "\(result.text)\(result.errors)")
  }

  @Test("tests may be JSON and are not taken for rules; --update does not change them")
  func json() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("rules/shop.yaml", Self.rules)
    try folder.write(
      "rules/shop.test.json",
      #"{"version":1,"tests":[{"name":"a","event":{"event":"never"},"expect":{"rules":["add"]}}]}"#)
    #expect(try Tool.run(["check", "--fail-on", "error", "rules"], in: folder.url).status == 0)
    for path in ["rules", "rules/shop.yaml", "rules/shop.test.json"] {
      let result = try Tool.run(["test", path], in: folder.url)
      #expect(
        result.status == 1 && result.text.hasSuffix("1 test, 0 passed, 1 failed\n"), "\(result.text)\(result.errors)")
    }
    let update = try Tool.run(["test", "rules", "--update"], in: folder.url)
    #expect(update.status == 65)
    #expect(
      update.errors.contains("shop.test.json: error: tests in JSON are not updated: edit the text"), "\(update.errors)")
  }

  @Test("--page gives the activity of the captures named by tests, also with --update")
  func page() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let page = "com.example.shop.MainActivity"
    try folder.write(
      "dump.yaml",
      "version: 1\nrules:\n  - { id: back, include: { page: \(page), selector: android.widget.ImageButton } }\n")
    let capture = PackageFolder.viewTrees.appendingPathComponent("login.uiautomator.xml").path
    let test = "version: 1\ntests:\n  - name: t\n    capture: \(capture)\n    elements: 5\n"
    try folder.write("dump.test.yaml", test + "    expect: { rules: [back] }\n")
    #expect(try Tool.run(["test", "dump.yaml"], in: folder.url).status == 1)
    #expect(try Tool.run(["test", "dump.yaml", "--page", ".MainActivity"], in: folder.url).status == 0)
    let file = try folder.write("dump.test.yaml", test)
    let result = try Tool.run(["test", "dump.yaml", "--page", ".MainActivity", "--update"], in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    #expect(String(decoding: try PackageFolder.bytes(file), as: UTF8.self).contains("rules: [back]"))
  }

  @Test("control characters that XML cannot contain do not break the output")
  func xml() throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write(
      "rules/shop.test.yaml", "version: 1\ntests:\n  - name: \"a\\u0001\\u001b]]>&<\\n\\ufffe\"\n    event: {}\n")
    let result = try Tool.run(["test", "rules", "--format", "junit"], in: folder.url)
    #expect(result.status == 1)
    #expect(result.text.contains("name=\"a\u{FFFD}\u{FFFD}]]&gt;&amp;&lt;&#10;\u{FFFD}\""), "\(result.text)")
  }

  @Test("--update writes the results, reports them, and a second run passes")
  func update() throws {
    let folder = try folder()
    defer { folder.remove() }
    // The two rows have different results, so they cannot be one test.
    let result = try Tool.run(["test", "rules", "--update"], in: folder.url)
    #expect(result.status == 1)
    #expect(
      result.text == """
        rules/shop.test.yaml: <testers> & "quotes"
        rules/shop.test.yaml: the selector
        rules/shop.test.yaml: nothing yet
        3 tests updated

        """)
    #expect(
      result.errors
        == "rules/shop.test.yaml:3:11: error: 'every row' is not updated: its events do not agree; make it several tests\n"
    )
    let text = String(
      decoding: try PackageFolder.bytes(folder.url.appendingPathComponent("rules/shop.test.yaml")), as: UTF8.self)
    let expected = Self.tests.replacing("home.xml", with: "../home.xml")
      .replacing(
        "tester: true }\n    expect: { selected: true }", with: "tester: true }\n    expect: { selected: false }"
      )
      .replacing("elements: [3] }", with: "elements: [3, 5] }")
    #expect(text == expected + "\n    expect: { selected: false, rules: [] }\n")
    let again = try Tool.run(["test", "rules"], in: folder.url)
    #expect(again.text.hasSuffix("5 tests, 4 passed, 1 failed\n"))
    let second = try Tool.run(["test", "rules", "--update"], in: folder.url)
    #expect(second.text == "0 tests updated\n")
  }

  @Test("a file with errors is not written, and a read-only folder is reported")
  func noUpdate() throws {
    let folder = try folder()
    defer { folder.remove() }
    let broken = Self.tests + "\n  - nam: x\n"
    try folder.write("rules/shop.test.yaml", broken)
    let result = try Tool.run(["test", "rules", "--update"], in: folder.url)
    #expect(result.status == 65)
    #expect(
      try PackageFolder.bytes(folder.url.appendingPathComponent("rules/shop.test.yaml")) == Array(broken.utf8))
  }

  @Test(
    "tests are found beneath directories, beside rule files, and by their names",
    arguments: [
      (["rules"], "5 tests"), (["rules/shop.yaml"], "5 tests"), (["rules/shop.test.yaml"], "5 tests"),
      (["rules/shop.test.yaml", "--rules", "rules"], "5 tests"), (["rules", "--filter", "fine"], "1 test,"),
      (["rules", "rules/shop.yaml"], nil),
    ] as [([String], String?)])
  func found(arguments: [String], count: String?) throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try Tool.run(["test"] + arguments, in: folder.url)
    if let count {
      #expect(result.lines.last?.hasPrefix(count) ?? false, "\(result.text)\(result.errors)")
    } else {
      // The same rules twice.
      #expect(result.status == 65)
    }
  }

  @Test(
    "the exit status says how it went",
    arguments: [
      ([], 64, "Missing expected argument"), (["missing"], 66, "missing: error: no such file or directory"),
      (["home.yaml"], 66, "home.yaml: error: there are no tests: expected files *.test.yaml beside the rules"),
      (["rules", "--filter", "zzz"], 1, "error: there is no test with 'zzz' in its name"),
      (["alone.test.yaml"], 64, "Name the rules that alone.test.yaml is about with --rules."),
      (["none.test.yaml"], 66, "none.test.yaml: error: no such file\n"),
      (["rules", "--rules", "bad.yaml"], 65, "bad.yaml:1:1: error: "),
      (["alone.test.yaml", "--rules", "rules"], 65, "alone.test.yaml:2:1: error: unknown key 'test' in a test file"),
    ] as [([String], Int32, String)])
  func status(arguments: [String], expected: Int32, message: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write("home.yaml", Self.rules)
    try folder.write("bad.yaml", "rules: []")
    try folder.write("alone.test.yaml", "version: 1\ntest: []\n")
    let result = try Tool.run(["test"] + arguments, in: folder.url)
    #expect(result.status == expected, "\(result.errors)")
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.output.isEmpty)
  }
}
