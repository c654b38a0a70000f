import EncircleTestSupport
import Foundation
import Testing

/// `encircle diff` on captures of two versions, and `encircle anchor`, as processes; `UPDATE_GOLDEN=1` writes the expected outputs
/// anew.
@Suite struct ScreenDiffTests {
  private static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

  private static let rules = OrderRules.text

  /// A folder with rules and the captures of both versions.
  private func folder() throws -> RulesFolder {
    let folder = try RulesFolder()
    try folder.write("order.yaml", Self.rules)
    for version in ["order-v5.1.xml", "order-v5.2.xml"] {
      try folder.write(version, PackageFolder.bytes(PackageFolder.viewTrees.appendingPathComponent(version)))
    }
    return folder
  }

  private func compare(_ output: [UInt8], with name: String) throws {
    let file = PackageFolder.root.appendingPathComponent("Tests/EncircleToolTests/Golden/" + name)
    if Self.isUpdating { try Data(output).write(to: file) }
    #expect(String(decoding: output, as: UTF8.self) == String(decoding: try PackageFolder.bytes(file), as: UTF8.self))
  }

  private static let diff = "diff order-v5.1.xml order-v5.2.xml --rules order.yaml"

  @Test(
    "text, JSON and Markdown are as reviewed",
    arguments: [("text", "diff-screens.txt"), ("json", "diff-screens.json"), ("markdown", "diff-screens.md")])
  func formats(format: String, golden: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try folder.run(Self.diff + " --format " + format)
    #expect(result.status == 0 && result.errors.isEmpty)
    // Beyond two digits, sums depend on the mathematical library.
    let rounded = result.text.replacing(/-?\d+\.\d{3,}/) { match in
      String(format: "%.2f", Double(match.output) ?? .nan)
    }
    try compare(Array(rounded.utf8), with: golden)
    #expect(try folder.text("order.yaml") == Self.rules, "nothing is written without --apply")
  }

  @Test("JSON has for each element all reasons, and they add up to the log odds of the confidence")
  func reasons() throws {
    let folder = try folder()
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
    let folder = try folder()
    defer { folder.remove() }
    #expect(try folder.run(Self.diff + " --apply 1").status == 0)
    #expect(try folder.text("order.yaml") == Self.rules)
    #expect(try folder.run(Self.diff + " --apply 0.9 --fail-on broken").status == 1, "one rule's element is gone")
    let repaired = try folder.text("order.yaml")
    try compare(Array(repaired.utf8), with: "diff-screens.yaml")
    #expect(repaired.contains("# the button at the left"))
    // The repaired rules are whole, and a second run has nothing to do.
    let again = try folder.run(Self.diff + " --apply 0.9").text
    #expect(!again.contains("order.contact"))
    #expect(try folder.text("order.yaml") == repaired)
    // A selector that means another element now counts before the new version only, as its clause says.
    #expect(!again.contains("order.shipping"))
    try folder.write("order.yaml", Self.rules)
    let replaced = try folder.run(Self.diff + " --apply 0.9 --replace").text
    #expect(replaced.contains("repaired (0.99): replace selector UIView(1)/UIButton(0)\n"))
    #expect(try !folder.text("order.yaml").contains("$app_version"))
  }

  @Test("--apply repairs rules together of which one is an alias of a part of the other")
  func applyToAlias() throws {
    let folder = try folder()
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
    let folder = try folder()
    defer { folder.remove() }
    let packed = gzip(Array(Self.rules.utf8))
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
    let folder = try folder()
    defer { folder.remove() }
    #expect(try folder.run(Self.diff + " " + options).status == status)
    let same = try folder.run("diff order-v5.1.xml order-v5.1.xml --rules order.yaml " + options).status
    #expect(same == (status == 64 ? 64 : 0))
  }

  @Test(
    "checks about rules do not pass without rules",
    arguments: ["--fail-on broken", "--apply 0.9", "--replace"])
  func withoutRules(options: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try folder.run("diff order-v5.1.xml order-v5.2.xml " + options)
    #expect(result.status == 64 && result.errors.contains("Name the rules that "), "\(result.errors)")
  }

  @Test(
    "an old capture that cannot be read is named with what is wrong, and not taken for rules",
    arguments: [("<viewTree version=\"1\"><view class=\"UIWindow\"", "cut.xml:1:"), ("", "cut.xml: error: ")])
  func unreadable(text: String, message: String) throws {
    let folder = try folder()
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
    let folder = try folder()
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
    let folder = try folder()
    defer { folder.remove() }
    try folder.write("cut.xml", "<viewTree version=\"1\"><view class=\"UIWindow\"")
    let result = try folder.run("diff " + arguments)
    #expect(result.status == status && result.errors.hasPrefix(message), "\(result.status) \(result.errors)")
  }

  @Test(
    "captures are not compared with a directory of rules", arguments: ["order-v5.1.xml rules", "rules order-v5.1.xml"])
  func withRules(arguments: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write("rules/order.yaml", Self.rules)
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
    let folder = try folder()
    defer { folder.remove() }
    let result = try folder.run("diff order-v5.1.xml order-v5.2.xml " + option)
    let name = option.prefix { $0 != " " }
    #expect(result.status == 64 && result.output.isEmpty && result.errors.contains(name), "\(result.errors)")
    #expect(result.errors.contains(" for two rule sets, and order-v5.1.xml has captures."), "\(result.errors)")
  }

  @Test("one unchanged element counts once")
  func oneElement() throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write("a.xml", viewTree("<view class='UIWindow'/>"))
    #expect(try folder.run("diff a.xml a.xml").text.contains(": 1 element as it was"))
  }

  @Test("anchors beside the rules replace the old capture")
  func anchors() throws {
    let folder = try folder()
    defer { folder.remove() }
    let written = try folder.run("anchor order.yaml --captures order-v5.1.xml")
    #expect(written.status == 0, "\(written.errors)")
    #expect(written.text.hasPrefix("order.anchors: 4 rules on 1 screen, "))
    let anchors = try PackageFolder.bytes(folder.url.appendingPathComponent("order.anchors"))
    try compare(anchors, with: "order.anchors")
    let expected = try folder.run(Self.diff).text
    let result = try folder.run("diff order.anchors order-v5.2.xml --rules order.yaml")
    #expect(result.text == expected && result.status == 0, "\(result.errors)")
    // Anchors are no rules: a directory with both loads.
    try folder.write("set/order.yaml", Self.rules)
    let inDirectory = try folder.run("anchor set --captures order-v5.1.xml").text
    #expect(inDirectory.hasPrefix("set/rules.anchors: 4 rules on 1 screen"))
    #expect(try folder.run("anchor set --captures order-v5.1.xml").status == 0)
    // Written again, they are the same.
    #expect(try folder.run("anchor order.yaml --captures order-v5.1.xml").status == 0)
    #expect(try PackageFolder.bytes(folder.url.appendingPathComponent("order.anchors")) == anchors)
    // A later version in which a rule selects nothing leaves its anchor as it is.
    let later = try folder.run("anchor order.yaml --captures order-v5.2.xml")
    #expect(later.errors.contains("order.contact selects nothing"))
    #expect(try folder.text("order.anchors").contains("\"capture\":\"order-v5.1.xml\""))
  }

  @Test("rules that test values of controls, which anchors omit, are not broken by a screen that is as it was")
  func valuesOfControls() throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write(
      "volume.xml",
      """
      <viewTree version="1"><view class="UIWindow"><view class="UIView" controller="Volume">
      <view class="UISlider" value="0.5" actions="set:"/><view class="UIStepper" value="3" actions="step:"/>
      </view></view></viewTree>
      """)
    try folder.write(
      "volume.yaml",
      """
      version: 1
      rules:
        - { id: half, include: { page: Volume, where: { $element_content: "0.500000" } } }
        - { id: other, include: { selector: UIStepper }, unless: { where: { $element_content: "3" } } }
      """)
    #expect(try folder.run("anchor volume.yaml --captures volume.xml").status == 0)
    let result = try folder.run("diff volume.anchors volume.xml --rules volume.yaml")
    #expect(result.text.contains("2 rules compared, none breaks"), "\(result.text)\(result.errors)")
  }

  @Test("web pages have no anchors, which would hold too little, and a note says so")
  func webAnchors() throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write("page.html", "<!doctype html><body><button id='pay'>Pay</button></body>")
    try folder.write(
      "web.yaml", "version: 1\nstyle: sensors-web\nrules:\n  - { id: pay, include: { selector: '#pay' } }\n")
    let result = try folder.run("anchor web.yaml --captures page.html")
    #expect(result.text.hasPrefix("web.anchors: 0 rules on 0 screens") && result.status == 0)
    #expect(result.errors.contains("page.html: note: an anchor cannot hold a web page"), "\(result.errors)")
    let suggested = try folder.run("suggest page.html Pay --style sensors-web --rules-yaml --anchor made.anchors")
    #expect(suggested.status == 65 && suggested.errors.contains("page.html: error: an anchor cannot hold a web page"))
  }

  @Test("suggest writes the anchor of its rule")
  func suggest() throws {
    let folder = try folder()
    defer { folder.remove() }
    for element in ["41", "43"] {
      let result = try folder.run("suggest order-v5.1.xml \(element) --rules-yaml --anchor made.anchors")
      #expect(result.status == 0, "\(result.errors)")
      try folder.write("made.yaml", result.output)
    }
    let lines = try folder.text("made.anchors").split(separator: "\n")
    #expect(lines.count == 2, "both rules have one screen")
    #expect(lines.last?.firstMatch(of: /"rules":\["[^"]+","[^"]+"\]/) != nil)
    let diff = try folder.run("diff made.anchors order-v5.2.xml --rules made.yaml")
    #expect(diff.status == 0 && diff.text.contains("1 rule compared"), "\(diff.errors)")
  }

  @Test(
    "other files than anchors are not overwritten, and a broken anchor file is named with its line",
    arguments: [
      ("{}\n", "is not a file of anchors"), ("{\"encircle_anchors\":2}\n", ":1: error: the version of the format is 2"),
      ("{\"encircle_anchors\":1}\n{\"capture\":1}\n", ":2: error: 'capture' is the name"),
      ("{\"encircle_anchors\":1}\n{\"capture\"\n", ":2:11: error: no JSON"),
    ])
  func broken(text: String, message: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write("order.anchors", text)
    let result = try folder.run("anchor order.yaml --captures order-v5.1.xml")
    #expect(result.status == 65 && result.errors.contains(message), "\(result.errors)")
    #expect(try folder.text("order.anchors") == text)
  }

  @Test("lookup and check say that an event ID means another element in a later version")
  func reusedIDs() throws {
    let folder = try folder()
    defer { folder.remove() }
    func bar(_ version: String, _ buttons: [String]) -> String {
      let views = buttons.map { "<view class='UIButton' title='\($0)' frame='0 0 80 40'/>" }.joined()
      return """
        <viewTree version="1" app="com.example.shop" appVersion="\(version)"><view class='UIWindow' frame='0 0 390 844'>
          <view class='UIView' controller='OrderController' frame='0 0 390 844'><view class='UILabel' text='Your order' frame='0 0 390 40'/>
            <view class='OrderBar' frame='0 700 390 80'>\(views)</view></view></view></viewTree>

        """
    }
    try folder.write("screens/a.xml", bar("5.9", ["Cancel", "Pay"]))
    try folder.write("screens/b.xml", bar("5.10", ["Pay"]))
    let resolved = try folder.run("resolve screens/a.xml --format ndjson --only trackable")
    let id = try #require(resolved.text.firstMatch(of: /"element":4,.*?"event_id":"([0-9a-f]{64})"/)?.1)
    #expect(try folder.run("index screens -o ids.encircle").status == 0)
    let text = try folder.run("lookup \(id) --dictionary ids.encircle --captures screens").text
    #expect(text.contains("UIButton Cancel  screens/a.xml element 4"), "\(text)")
    #expect(text.contains("another element: UIButton Pay  screens/b.xml element 4"), "\(text)")
    let json = try folder.run("lookup \(id) --dictionary ids.encircle --captures screens --format ndjson").text
    #expect(json.contains(#""reused":[{"before":{"app_version":"5.9""#), "\(json)")
    try folder.write("pay.yaml", "version: 1\nrules:\n  - id: cancel\n    include: { eventID: \(id) }\n")
    let check = try folder.run("check pay.yaml --captures screens --codes reused-id")
    #expect(check.text.contains("in version 5.10 the event ID means another element, UIButton Pay"), "\(check.text)")
  }

  @Test("check and lookup say so, too, if another page was captured in a version between")
  func reusedIDsAcrossVersions() throws {
    let folder = try folder()
    defer { folder.remove() }
    func page(_ controller: String, _ version: String, _ buttons: [String]) -> String {
      let views = buttons.map { "<view class='UIButton' title='\($0)' frame='0 0 80 40'/>" }.joined()
      return """
        <viewTree version="1" app="com.example.shop" appVersion="\(version)"><view class='UIWindow' frame='0 0 390 844'>
          <view class='UIView' controller='\(controller)' frame='0 0 390 844'><view class='UILabel' text='Yours' frame='0 0 390 40'/>
            <view class='Bar' frame='0 700 390 80'>\(views)</view></view></view></viewTree>

        """
    }
    try folder.write("screens/a.xml", page("OrderController", "5.1", ["Cancel", "Pay"]))
    try folder.write("screens/b.xml", page("HelpController", "5.2", ["Write"]))
    try folder.write("screens/c.xml", page("OrderController", "5.3", ["Pay"]))
    func id(_ file: String) throws -> String {
      let resolved = try folder.run("resolve screens/\(file) --format ndjson --only trackable")
      return String(try #require(resolved.text.firstMatch(of: /"element":4,.*?"event_id":"([0-9a-f]{64})"/)?.1))
    }
    let cancel = try id("a.xml")
    #expect(try folder.run("index screens -o ids.encircle").status == 0)
    let text = try folder.run("lookup \(cancel) --dictionary ids.encircle --captures screens").text
    #expect(text.contains("another element: UIButton Pay  screens/c.xml element 4"), "\(text)")
    try folder.write(
      "pay.yaml",
      "version: 1\nrules:\n  - { id: cancel, include: { eventID: \(cancel) } }\n"
        + "  - { id: write, include: { eventID: \(try id("b.xml")) } }\n")
    let check = try folder.run("check pay.yaml --captures screens --codes reused-id")
    #expect(check.text.contains("in version 5.3 the event ID means another element, UIButton Pay"), "\(check.text)")
  }

  @Test("lookup says so for each of several event IDs that share the ID of another style")
  func reusedIDsOfAnotherStyle() throws {
    let folder = try folder()
    defer { folder.remove() }
    func bars(_ version: String, _ buttons: [String]) -> String {
      let views = buttons.map { "<view class='UIButton' title='\($0)' frame='0 0 80 40'/>" }.joined()
      let bar = "<view class='OrderBar' controller='OrderController' frame='0 0 390 80'>\(views)</view>"
      return """
        <viewTree version="1" app="com.example.shop" appVersion="\(version)"><view class='UIWindow' frame='0 0 390 844'>
          \(bar)\(bar)</view></viewTree>

        """
    }
    try folder.write("screens/a.xml", bars("5.9", ["Cancel", "Pay"]))
    try folder.write("screens/b.xml", bars("5.10", ["Pay"]))
    #expect(try folder.run("index screens -o ids.encircle").status == 0)
    // The MD5 of `OrderController-UIButton & 0-0`.
    let id = "cb3d4f632f0635a6d69ed81ef6ab819b"
    let found = try folder.run("lookup \(id) --dictionary ids.encircle --captures screens --format ndjson").text
    let element = try #require(try JSONSerialization.jsonObject(with: Data(found.utf8)) as? [String: Any])
    let others = try #require(element["others"] as? [[String: Any]])
    #expect(others.count == 1)
    for element in [element] + others {
      let reused = try #require(element["reused"] as? [[String: Any]])
      #expect((reused.first?["before"] as? [String: Any])?["title"] as? String == "UIButton Cancel")
    }
  }

  // MARK: - match --tolerance

  private static let page = #"{"event":"$AppClick","properties":{"$screen_name":"OrderViewController","#

  /// Taps on 联系客服, in 5.1 and in 5.2, and on another button of 5.2.
  private static func taps(_ folder: RulesFolder, style: String = "hubbledata") throws -> [String] {
    var taps: [String] = []
    for (version, element) in [("5.1", 41), ("5.2", 53), ("5.2", 9)] {
      let detail = try folder.run("resolve order-v\(version).xml --style \(style) --format ndjson").text
      let line = detail.split(separator: "\n")[element]
      let record = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let path = try #require(record["path"] as? String)
      taps.append(page + "\"$app_version\":\"\(version).0\",\"$element_path\":\"\(path)\"}}")
    }
    return taps
  }

  @Test(
    "match --tolerance names the rule that lost an element, by anchors or old captures; the rest is as it was",
    .articles("H6"))
  func tolerance() throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write("taps.ndjson", try Self.taps(folder).joined(separator: "\n") + "\n")
    let strict = try folder.run("match --rules order.yaml taps.ndjson")
    #expect(!strict.text.contains("approximate"))
    #expect(try folder.run("anchor order.yaml --captures order-v5.1.xml").status == 0)
    for evidence in ["--captures order-v5.2.xml", "--captures order-v5.1.xml --captures order-v5.2.xml"] {
      let result = try folder.run("match --rules order.yaml --tolerance 0.8 \(evidence) --threads 2 taps.ndjson")
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.errors.contains("tolerance: 2 rules lost elements: order.contact, order.shipping"))
      #expect(result.errors.contains("approximately, by tolerance:\n  order.contact  1"))
      let lines = result.text.split(separator: "\n")
      try #require(lines.count == 3)
      #expect(lines[1].contains(#""approximate":{"rule":"order.contact","confidence":0.99,"reasons":["same actions"#))
      #expect(result.text.replacing(/,"approximate":\{[^}]*\}/, with: "") == strict.text)
    }
    let explained = try folder.run(
      "explain --rules order.yaml --tolerance 0.8 --captures order-v5.2.xml --event taps.ndjson:2")
    #expect(
      explained.text.contains("approximately, by tolerance: order.contact, confidence 0.99: same actions"),
      "\(explained.text)\(explained.errors)")
    #expect(explained.text.hasPrefix("not selected"))
    // A rule's own tolerance needs no option, also in compiled form.
    try folder.write(
      "order.yaml", Self.rules.replacing("  - id: order.contact", with: "  - tolerance: 0.9\n    id: order.contact"))
    #expect(try folder.run("compile order.yaml -o order.compiled").status == 0)
    for rules in ["order.yaml", "order.compiled --anchors order.anchors"] {
      let result = try folder.run(
        "match --rules \(rules) --captures order-v5.2.xml --summary counts.json taps.ndjson")
      #expect(
        result.text.split(separator: "\n")[1].contains(#""approximate":{"rule":"order.contact""#), "\(result.errors)")
      #expect(try folder.text("counts.json").contains(#""approximate":[{"rule":"order.contact","events":1}]"#))
    }
  }

  @Test("a rule in another style than its file tolerates events of its own style") func toleranceOfStyles() throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write(
      "order.yaml",
      Self.rules.replacing("  - id: order.contact", with: "  - style: sensors\n    id: order.contact")
        .replacing("OrderBar/UIButton(0)", with: "'OrderBar[0]/UIButton[0]'"))
    for (style, found) in [("hubbledata", 0), ("sensors", 1)] {
      try folder.write("taps.ndjson", try Self.taps(folder, style: style).joined(separator: "\n") + "\n")
      let result = try folder.run(
        "match --rules order.yaml --tolerance 0.8 --captures order-v5.1.xml --captures order-v5.2.xml taps.ndjson")
      #expect(result.status == 0, "\(result.errors)")
      let contacts = result.text.split(separator: "\n").filter {
        $0.contains(#""approximate":{"rule":"order.contact""#)
      }
      #expect(contacts.count == found, "\(style): \(result.text)\(result.errors)")
    }
  }

  @Test("captures from standard input are refused with tolerance, which needs them twice")
  func toleranceOfStandardInput() throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write("taps.ndjson", Self.page + "}}\n")
    let result = try folder.run(
      "match --rules order.yaml --tolerance 0.8 --captures - taps.ndjson", input: try folder.text("order-v5.2.xml"))
    #expect(result.status == 64 && result.output.isEmpty, "\(result.errors)")
    #expect(result.errors.contains("Standard input can be read once only."), "\(result.errors)")
  }

  @Test(
    "--tolerance needs something to compare, and a level",
    arguments: [
      ("--tolerance 0", 64), ("--tolerance 1.1", 64), ("--tolerance 0.8", 64),
      ("--tolerance 0.8 --captures order-v5.2.xml", 64),
      ("--anchors order.yaml", 64), ("--tolerance 0.8 --anchors order.yaml --captures order-v5.2.xml", 65),
      ("--tolerance 0.8 --anchors none.anchors --captures order-v5.2.xml", 66),
      ("--tolerance 0.8 --history none.ndjson", 66), ("--tolerance 0.8 --history -", 64),
    ] as [(String, Int32)])
  func toleranceErrors(options: String, status: Int32) throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write("taps.ndjson", Self.page + "}}\n")
    let result = try folder.run("match --rules order.yaml \(options) taps.ndjson")
    #expect(result.status == status, "\(result.errors)")
    #expect(!result.errors.isEmpty)
  }
}
