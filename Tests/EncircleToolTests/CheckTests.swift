import EncircleTestSupport
import Foundation
import Testing

/// `encircle check`, run as a process.
@Suite struct CheckTests {
  private static let rules = """
    version: 1
    rules:
      - id: buy
        include: { page: CartViewController, selector: "CartCell(section:0 row:1)/BuyButton" }
      - id: all
        exclude: { selector: CartCell/** }

    """

  private static let capture = """
    <viewTree version="1"><view class="UIWindow"><view class="UITableView" controller="CartViewController">
      <view class="CartCell" superclasses="UITableViewCell" indexPath="0 0"><view class="BuyButton"/></view>
      <view class="CartCell" superclasses="UITableViewCell" indexPath="0 1"><view class="BuyButton"/></view>
      <view class="CartCell" superclasses="UITableViewCell" indexPath="0 2"><view class="BuyButton"/></view>
    </view></view></viewTree>
    """

  /// A folder with the rules and the capture.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("rules.yaml", Self.rules)
    try folder.write("capture.xml", Self.capture)
    return folder
  }

  @Test("findings have a place, a caret, an example and what to write instead")
  func text() throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try Tool.run(["check", "rules.yaml", "--captures", "capture.xml"], in: folder.url)
    #expect(
      result.text == """
        rules.yaml:3:9: error[never-selects]: buy: the rule can never select: all excludes all that it matches
            - id: buy
                  ^
          example: an event with path CartCell(section:0 row:1)/BuyButton(0), page "CartViewController"
        rules.yaml:5:9: note: 'all' excludes
        rules.yaml:4:52: warning[exact-row]: buy: CartCell(section:0 row:1) is one row of a list that has 2 more, whose content may move
              include: { page: CartViewController, selector: "CartCell(section:0 row:1)/BuyButton" }
                                                             ^
          example: capture.xml element 5: UIWindow(0)/UITableView(0)/CartCell(section:0 row:1)/BuyButton(0)
          instead: CartCell(section:0 row:*)/BuyButton

        """)
    #expect(result.errors == "2 findings: 1 error, 1 warning\n")
    #expect(result.status == 1)
  }

  @Test("a capture that the style of the rules cannot serve is named, and rules are not said to match nothing in it")
  func unserved() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let rule = "{ id: a, include: { page: CartViewController, selector: UITableView/**/UISwitch } }"
    try folder.write("rules.yaml", "version: 1\nstyle: sensors\nrules: [\(rule)]\n")
    let capture = PackageFolder.viewTrees.appendingPathComponent("cart.recursive-description.txt").path
    let result = try Tool.run(["check", "rules.yaml", "--captures", capture], in: folder.url)
    #expect(!result.text.contains("matches-nothing") && !result.text.contains("unknown-page"), "\(result.text)")
    let note =
      "\(capture): note: not checked: a style of the rules cannot serve this capture: no element names its view"
    #expect(result.errors.hasPrefix(note), "\(result.errors)")
  }

  @Test("rules of each style are compared with the dictionary")
  func dictionaryOfStyles() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let captures = ["cart.xml", "android-shop.xml"].map { PackageFolder.viewTrees.appendingPathComponent($0).path }
    #expect(try Tool.run(["index"] + captures + ["-o", "shop.dictionary"], in: folder.url).status == 0)
    try folder.write(
      "rules.yaml",
      """
      version: 1
      rules:
        - id: a
          include:
            - { style: hubbledata, selector: CartRowCel }
            - { style: sensors-android, selector: com.example.kiosk.BouquetCrd }

      """)
    let result = try Tool.run(["check", "rules.yaml", "--dictionary", "shop.dictionary"], in: folder.url)
    for name in ["CartRowCel", "com.example.kiosk.BouquetCrd"] {
      #expect(result.text.contains("unknown-class]: a: no class \(name) is known"), "\(result.text)")
    }
  }

  @Test(
    "a note says that selectors of web pages are compared only by their tags",
    arguments: [("nav > button", false), (".bouquet", true), ("button:nth-of-type(2)", true)])
  func webPages(selector: String, isNoted: Bool) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(
      "rules.yaml", "version: 1\nstyle: sensors-web\nrules: [{ id: a, include: { selector: \"\(selector)\" } }]\n")
    let result = try Tool.run(["check", "rules.yaml"], in: folder.url)
    #expect(result.status == 0 && result.errors.contains("test more than the tags of web pages") == isNoted)
  }

  @Test(
    "--fail-on says from which severity on the status is 1",
    arguments: [("error", 1), ("never", 0), ("warning", 1), ("note", 1)])
  func failOn(threshold: String, status: Int32) throws {
    let folder = try folder()
    defer { folder.remove() }
    #expect(try Tool.run(["check", "rules.yaml", "--fail-on", threshold], in: folder.url).status == status)
  }

  @Test("the shipped rules have no errors, and no warnings except intended ones")
  func shipped() throws {
    let result = try Tool.run(
      [
        "check", "Rules", "--captures", "ViewTrees", "--events", "Rules/events/shop.ndjson", "--at", "2026-03-15",
        "--fail-on",
        "warning",
      ], in: PackageFolder.root)
    #expect(result.status == 0, "\(result.text)")
  }

  @Test("docs/checks.md is what --list prints")
  func list() throws {
    let result = try Tool.run(["check", "--list"])
    let file = try PackageFolder.bytes(PackageFolder.root.appendingPathComponent("docs/checks.md"))
    #expect(result.output == file, "encircle check --list >docs/checks.md")
  }

  @Test("JSON has everything that the text has")
  func json() throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try Tool.run(
      ["check", "rules.yaml", "--captures", "capture.xml", "--format", "json"], in: folder.url)
    let object = try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: [[String: Any]]]
    let findings = try #require(object?["findings"])
    #expect(findings.map { $0["code"] as? String } == ["never-selects", "exact-row"])
    #expect(findings.map { $0["line"] as? Int } == [3, 4])
    let edit = findings[1]["edit"] as? [String: String]
    #expect(edit?["replacement"] == "CartCell(section:0 row:*)/BuyButton")
  }

  @Test("SARIF names the rule, the place, and the edit that corrects it")
  func sarif() throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try Tool.run(
      ["check", "rules.yaml", "--captures", "capture.xml", "--format", "sarif"], in: folder.url)
    let log = try #require(JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == 2)
    // The rule index of each result leads to the rule with its id.
    let driver = (run["tool"] as? [String: [String: Any]])?["driver"]
    let descriptors = try #require(driver?["rules"] as? [[String: Any]])
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(descriptors[index]["id"] as? String == result["ruleId"] as? String)
    }
    let fix = try #require((results[1]["fixes"] as? [[String: Any]])?.first)
    let change = try #require((fix["artifactChanges"] as? [[String: Any]])?.first)
    let replacement = try #require((change["replacements"] as? [[String: Any]])?.first)
    let region = try #require(replacement["deletedRegion"] as? [String: Int])
    // Applied to the file, the finding is gone.
    var lines = Self.rules.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0) }
    let content = try #require((replacement["insertedContent"] as? [String: String])?["text"])
    let (line, start, end) = (region["startLine"] ?? 0, region["startColumn"] ?? 0, region["endColumn"] ?? 0)
    lines[line - 1].replaceSubrange(start - 1..<end - 1, with: Array(content))
    try folder.write("rules.yaml", lines.map { String($0) }.joined(separator: "\n"))
    let after = try Tool.run(["check", "rules.yaml", "--captures", "capture.xml"], in: folder.url)
    #expect(!after.text.contains("exact-row"))
  }

  @Test("GitHub's annotations escape what would end them")
  func github() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(
      "a,b:c.yaml", "version: 1\nrules:\n  - { id: \"100%\\n\", include: { event: e }, to: 2020-01-01 }\n")
    let result = try Tool.run(["check", "a,b:c.yaml", "--format", "github", "--at", "2020-01-11"], in: folder.url)
    #expect(
      result.text == """
        ::warning file=a%2Cb%3Ac.yaml,line=3,col=48,title=out-of-time::100%25%0A: the rule's time ended 9 days ago%0A\
        instead: 'enabled: false' if the rule is kept for events of the past, or another 'to'

        """)
  }

  @Test(
    "the distance to the time of a rule is in days",
    arguments: [
      ("to: 2020-01-01", "ended less than a day ago"), ("to: 2019-12-31", "ended 1 day ago"),
      ("from: 2020-01-02T08:00:00Z", "begins in less than a day"), ("from: 2020-01-04", "begins in 2 days"),
    ])
  func times(time: String, expected: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("rules.yaml", "version: 1\nrules:\n  - { id: a, include: { event: e }, \(time) }\n")
    let result = try Tool.run(["check", "rules.yaml", "--at", "2020-01-02"], in: folder.url)
    #expect(result.text.contains("[out-of-time]: a: the rule's time \(expected)\n"), "\(result.text)")
  }

  @Test(
    "of many lines that are not events, the first are listed and the others counted",
    arguments: [(21, "1 more line that is not an event"), (50, "30 more lines that are not events")])
  func manyRejections(lines: Int, others: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("rules.yaml", "version: 1\nrules: []\n")
    try folder.write("bad.ndjson", String(repeating: "?\n", count: lines))
    let result = try Tool.run(["check", "rules.yaml", "--events", "bad.ndjson"], in: folder.url)
    #expect(result.status == 65)
    #expect(result.errors.contains("bad.ndjson:20:1: error: not an event: "), "\(result.errors)")
    #expect(result.errors.contains("bad.ndjson: error: and \(others)\n"), "\(result.errors)")
    #expect(!result.errors.contains("bad.ndjson:21:"), "\(result.errors)")
  }

  private static let errorOutputs: [(String, String)] = [
    ("text", ""),
    (
      "json",
      """
      {"findings":[],"errors":[{"file":"bad.yaml","line":3,"column":34,"message":"unknown key 'selectr' in a clause",\
      "suggestion":"selector"}]}

      """
    ),
    (
      "github",
      "::error file=bad.yaml,line=3,col=34,title=rule-file-error::unknown key 'selectr' in a clause; did you mean 'selector'?\n"
    ),
  ]

  @Test("files with errors are not checked, and the errors are reported in the format", arguments: errorOutputs)
  func errors(format: String, output: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("bad.yaml", "version: 1\nrules:\n  - { id: a, include: { page: P, selectr: A } }\n")
    let result = try Tool.run(["check", "bad.yaml", "--format", format], in: folder.url)
    #expect(
      result.text
        == output.replacingOccurrences(of: "\"column\":30", with: "\"column\":34").replacingOccurrences(
          of: "col=30", with: "col=34"))
    #expect(result.status == 65)
    #expect(result.errors.contains("bad.yaml:3:34: error: unknown key 'selectr' in a clause; did you mean 'selector'?"))
  }

  @Test("annotations and SARIF name the other place of an error, such as the first rule with an id")
  func relatedPlaces() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let rules = "rules: [{ id: x, include: { event: e } }, { id: x, include: { event: f } }]"
    try folder.write("a.yaml", "version: 1\n\(rules)\n")
    let annotations = try Tool.run(["check", "a.yaml", "--format", "github"], in: folder.url)
    #expect(
      annotations.text == """
        ::error file=a.yaml,line=2,col=49,title=rule-file-error::there are two rules with the id 'x'%0A\
        a.yaml:2:15: note: the first rule with the id 'x'

        """)
    let sarif = try Tool.run(["check", "a.yaml", "--format", "sarif"], in: folder.url)
    #expect(
      sarif.text.contains(
        #""relatedLocations":[{"physicalLocation":{"artifactLocation":{"uri":"a.yaml"},"#
          + #""region":{"startLine":2,"startColumn":15}},"message":{"text":"the first rule with the id 'x'"}}]"#))
  }

  @Test(
    "rules from standard input are named as other input from there",
    arguments: [
      ("check -", "include: { event: e }, to: 2020-01-01", "<stdin>:2:"),
      ("check - --format json", "include: { event: e }, to: 2020-01-01", #""file":"<stdin>""#),
      ("check -", "include: { evnt: e }", "<stdin>:2:"), ("compile - -o x.rules", "include: { evnt: e }", "<stdin>:2:"),
      ("explain --rules - --format json --event {}", "include: { event: e }", #""origin":"<stdin>:2:"#),
    ])
  func standardInput(command: String, rule: String, expected: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let rules = "version: 1\nrules: [{ id: a, \(rule) }]\n"
    let result = try Tool.run(
      command.split(separator: " ").map(String.init), in: folder.url, input: Array(rules.utf8))
    #expect((result.text + result.errors).contains(expected), "\(result.text)\(result.errors)")
  }

  private static let wrongRuns: [([String], Int32)] = [
    (["check"], 64), (["check", "--list", "rules.yaml"], 64),
    (["check", "--list", "--format", "json"], 64), (["check", "gone.yaml"], 66),
    (["check", "rules.yaml", "--fix", "--diff", "--format", "json"], 64),
    (["check", "rules.yaml", "--captures", "gone.xml"], 66), (["check", "rules.yaml", "--captures", "rules.yaml"], 65),
    (["check", "rules.yaml", "--events", "capture.xml"], 65), (["check", "rules.yaml", "--events", "gone.ndjson"], 66),
    (["check", "rules.yaml", "--dictionary", "capture.xml"], 65), (["check", "rules.yaml", "--at", "soon"], 64),
    (["check", "rules.yaml", "--fail-on", "sometimes"], 64), (["check", "rules.yaml", "--format", "xml"], 64),
  ]

  @Test("wrong usage, missing and broken input have their statuses", arguments: wrongRuns)
  func statuses(arguments: [String], status: Int32) throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try Tool.run(arguments, in: folder.url)
    #expect(result.status == status, "\(result.errors)")
    #expect(!result.errors.isEmpty)
  }

  @Test("a dictionary is as good as captures")
  func dictionary() throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write(
      "more.yaml",
      """
      version: 1
      rules:
        - id: gone
          include: { page: CartViewController, selector: GoneButton }
        - id: there
          include: { page: CartViewController, selector: BuyButton }
      """)
    #expect(try Tool.run(["index", "capture.xml", "-o", "d.dictionary"], in: folder.url).status == 0)
    let result = try Tool.run(["check", "more.yaml", "--dictionary", "d.dictionary"], in: folder.url)
    let codes = result.lines.filter { $0.hasPrefix("more.yaml") }.map {
      String($0.split(separator: " ")[1...2].joined(separator: " "))
    }
    #expect(codes == ["warning[matches-nothing]: gone:", "warning[unknown-class]: gone:"])
  }

  @Test("no name in a rule adds lines to the findings")
  func hostileNames() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(
      "rules.yaml", "version: 1\nrules: [ { id: \"a\\nno findings\", include: { event: e }, to: 2020-01-01 } ]\n")
    let result = try Tool.run(["check", "rules.yaml"], in: folder.url)
    #expect(result.text.contains("a\\u{a}no findings: the rule's time ended "), "\(result.text)")
    #expect(!result.lines.contains { $0.hasPrefix("no findings") })
  }
}
