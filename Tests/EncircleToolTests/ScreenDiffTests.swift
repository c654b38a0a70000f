import EncircleTestSupport
import Foundation
import Testing

/// `encircle diff` on captures of two versions, as a process.
@Suite struct ScreenDiffTests {
  private static let diff = "diff order-v5.1.xml order-v5.2.xml --rules order.yaml"

  @Test(
    "text, JSON and Markdown are as reviewed",
    arguments: [("text", "diff-screens.txt"), ("json", "diff-screens.json"), ("markdown", "diff-screens.md")])
  func formats(format: String, golden: String) throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    let result = try folder.run(Self.diff + " --format " + format)
    #expect(result.status == 0 && result.errors.isEmpty)
    // Beyond two digits, sums depend on the mathematical library.
    let rounded = result.text.replacing(/-?\d+\.\d{3,}/) { match in
      String(format: "%.2f", Double(match.output) ?? .nan)
    }
    try compareWithGolden(Array(rounded.utf8), golden)
    #expect(try folder.text("order.yaml") == OrderRules.text, "nothing is written without --apply")
  }

  @Test("JSON has for each element all reasons, and they add up to the log odds of the confidence")
  func reasons() throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    let json = try JSONSerialization.jsonObject(with: Data(try folder.run(Self.diff + " --all --format json").output))
    let screens = try #require((json as? [String: Any])?["screens"] as? [[String: Any]])
    let changes = try #require(screens.first?["changes"] as? [[String: Any]])
    #expect(changes.count > 5)
    for change in changes {
      let confidence = try #require(change["confidence"] as? Double)
      let reasons = try #require(change["reasons"] as? [[String: Any]])
      let sum = reasons.reduce(0) { $0 + ($1["value"] as? Double ?? .nan) }
      #expect(abs(1 / (1 + exp(-sum)) - confidence) < 0.01, "\(change)")
    }
  }

  @Test("--apply writes repairs that are certain enough, and keeps comments and what must be reviewed")
  func apply() throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    #expect(try folder.run(Self.diff + " --apply 1").status == 0)
    #expect(try folder.text("order.yaml") == OrderRules.text)
    #expect(try folder.run(Self.diff + " --apply 0.9 --fail-on broken").status == 1, "one rule's element is gone")
    let repaired = try folder.text("order.yaml")
    try compareWithGolden(Array(repaired.utf8), "diff-screens.yaml")
    #expect(repaired.contains("# the button at the left"))
    // The repaired rules are whole, and a second run has nothing to do.
    let again = try folder.run(Self.diff + " --apply 0.9").text
    #expect(!again.contains("order.contact"))
    #expect(try folder.text("order.yaml") == repaired)
    // A selector that means another element now counts before the new version only, as its clause says.
    #expect(!again.contains("order.shipping"))
    try folder.write("order.yaml", OrderRules.text)
    let replaced = try folder.run(Self.diff + " --apply 0.9 --replace").text
    #expect(replaced.contains("repaired (0.99): replace selector UIView(1)/UIButton(0)\n"))
    #expect(try !folder.text("order.yaml").contains("$app_version"))
  }

  @Test("--apply repairs rules together of which one is an alias of a part of the other")
  func applyToAlias() throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    try folder.write(
      "order.yaml",
      """
      version: 1
      rules:
        - id: order.contact
          include: &contact { event: $AppClick, page: OrderViewController, selector: OrderBar/UIButton(0) }
        - id: order.help
          include: *contact

      """)
    let result = try folder.run(Self.diff + " --apply 0.9 --fail-on broken")
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let repaired = try folder.text("order.yaml")
    #expect(repaired.contains("OrderBar/**/UIButton(0)") && !repaired.contains("*contact"), "\(repaired)")
    #expect(try folder.run(Self.diff).text.contains("2 rules compared, none breaks"))
  }

  @Test("--apply refuses compressed rules, with the reason")
  func applyToCompressed() throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    let packed = gzip(Array(OrderRules.text.utf8))
    try folder.write("order.yaml", packed)
    let result = try folder.run(Self.diff + " --apply 0.9")
    #expect(result.status == 65)
    #expect(result.errors == "order.yaml: error: a compressed file cannot be changed in place\n")
    #expect(try PackageFolder.bytes(folder.url.appendingPathComponent("order.yaml")) == packed)
  }

  @Test(
    "--fail-on says what fails",
    arguments: [
      ("--fail-on broken", 1), ("--fail-on different", 1), ("", 0), ("--exit-code", 1), ("--apply 2", 64),
      ("--threshold -1", 64), ("--fail-on never", 64),
    ] as [(String, Int32)])
  func failing(options: String, status: Int32) throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    #expect(try folder.run(Self.diff + " " + options).status == status)
    let same = try folder.run("diff order-v5.1.xml order-v5.1.xml --rules order.yaml " + options).status
    #expect(same == (status == 64 ? 64 : 0))
  }

  @Test(
    "checks about rules do not pass without rules",
    arguments: ["--fail-on broken", "--apply 0.9", "--replace"])
  func withoutRules(options: String) throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    let result = try folder.run("diff order-v5.1.xml order-v5.2.xml " + options)
    #expect(result.status == 64 && result.errors.contains("Name the rules that "), "\(result.errors)")
  }

  @Test(
    "an old capture that cannot be read is named with what is wrong, and not taken for rules",
    arguments: [("<viewTree version=\"1\"><view class=\"UIWindow\"", "cut.xml:1:"), ("", "cut.xml: error: ")])
  func unreadable(text: String, message: String) throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    try folder.write("cut.xml", text)
    for options in ["", " --rules order.yaml"] {
      let result = try folder.run("diff cut.xml order-v5.2.xml" + options)
      #expect(result.status == 65 && result.errors.contains(message), "\(result.status) \(result.errors)")
    }
  }

  @Test(
    "a pipe is read once and compared like a file",
    arguments: [
      ("cat order-v5.1.xml | \"$0\" diff /dev/stdin order-v5.1.xml", "elements as they were\n"),
      ("cat order-v5.1.xml | \"$0\" diff order-v5.1.xml /dev/stdin", "elements as they were\n"),
      ("echo '{}' > e; cat order.yaml | \"$0\" diff /dev/stdin order.yaml --events e", "compared, no difference\n"),
      ("mkfifo p; cat order-v5.1.xml > p & cat order-v5.1.xml | \"$0\" diff - p", "elements as they were\n"),
      (
        "echo '{}' > e; mkfifo p; cat order.yaml > p & cat order.yaml | \"$0\" diff - p --events e",
        "compared, no difference\n"
      ),
    ])
  func pipe(script: String, end: String) throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    let tool = try #require(Tool.executable, "the tool has not been built")
    let result = try Tool.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script, tool.path], in: folder.url)
    #expect(result.status == 0 && result.text.hasSuffix(end), "\(result.text)\(result.errors)")
  }

  @Test(
    "unreadable files are named, even if no capture is left to distinguish captures from rules",
    arguments: [
      ("cut.xml cut.xml", 65, "cut.xml:1:"), ("missing.xml cut.xml", 66, "missing.xml: error: no such file"),
      ("order-v5.1.xml order-v5.2.xml --controllers missing", 66, "missing: error: no such file"),
      ("order-v5.1.xml order-v5.2.xml --controllers .", 74, ".: error: is a directory"),
    ] as [(String, Int32, String)])
  func nothingReadable(arguments: String, status: Int32, message: String) throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    try folder.write("cut.xml", "<viewTree version=\"1\"><view class=\"UIWindow\"")
    let result = try folder.run("diff " + arguments)
    #expect(result.status == status && result.errors.hasPrefix(message), "\(result.status) \(result.errors)")
  }

  @Test(
    "captures are not compared with a directory of rules", arguments: ["order-v5.1.xml rules", "rules order-v5.1.xml"])
  func withRules(arguments: String) throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    try folder.write("rules/order.yaml", OrderRules.text)
    for options in ["", " --exit-code", " --rules order.yaml"] {
      let result = try folder.run("diff " + arguments + options)
      #expect(result.status == 64 && result.output.isEmpty)
      #expect(result.errors.contains("rules has no capture: captures are compared with captures"), "\(result.errors)")
    }
  }

  @Test(
    "an option for rule sets is refused for captures",
    arguments: ["--events order.yaml", "--captures order-v5.1.xml", "--examples 3"])
  func withOptionForRules(option: String) throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    let result = try folder.run("diff order-v5.1.xml order-v5.2.xml " + option)
    let name = option.prefix { $0 != " " }
    #expect(result.status == 64 && result.output.isEmpty && result.errors.contains(name), "\(result.errors)")
    #expect(result.errors.contains(" for two rule sets, and order-v5.1.xml has captures."), "\(result.errors)")
  }

  @Test("a note says that the new captures are of an earlier version than the old ones")
  func wrongOrder() throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    let result = try folder.run("diff order-v5.2.xml order-v5.1.xml --rules order.yaml")
    let note = "note: the captures of version 5.2.0 are compared with those of the earlier version 5.1.0\n"
    #expect(result.status == 0 && result.errors == note, "\(result.errors)")
  }

  @Test("one unchanged element counts once")
  func oneElement() throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    try folder.write("a.xml", viewTree("<view class='UIWindow'/>"))
    #expect(try folder.run("diff a.xml a.xml").text.contains(": 1 element as it was"))
  }
}
