import EncircleTestSupport
import Foundation
import Testing

@Suite struct DictionaryTests {
  private static let home = viewTree(
    "<view class='UIWindow'><view class='UIView' controller='HomeViewController'><view class='UIButton' title='加入'/></view></view>"
  )
  private static let buttonIdentity = "path(UIWindow(0)_UIView(0)_UIButton(0))&controller(HomeViewController)"
  private static func bar(_ page: String) -> String {
    viewTree(
      """
      <view class='UIWindow'><view class='UILayoutContainerView' controller='UINavigationController'>
      <view class='UIView' controller='\(page)'/><view class='UINavigationBar'><view class='UIButton' actions='back:'/></view>
      </view></view>
      """)
  }

  /// A dictionary of two captures, which the tool writes once: each test gets a copy.
  private static let dictionary = Result { () throws -> [UInt8] in
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("home.xml", home)
    try folder.write("a.xml", bar("AViewController"))
    let result = try Tool.run(["index", "home.xml", "a.xml", "-o", "d"], in: folder.url)
    try #require(result.status == 0, "\(result.errors)")
    return try PackageFolder.bytes(folder.url.appendingPathComponent("d"))
  }

  /// A folder with a dictionary `d` of two captures, and more.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("home.xml", Self.home)
    try folder.write("a.xml", Self.bar("AViewController"))
    try folder.write("b.xml", Self.bar("BViewController"))
    try folder.write("bad.xml", "<viewTree>")
    try folder.write("text", "this is no dictionary")
    try folder.write("empty", "")
    var bytes = try Self.dictionary.get()
    try folder.write("d", bytes)
    try folder.write("half", Array(bytes.prefix(bytes.count / 2)))
    bytes[63] = 9
    try folder.write("newer", bytes)
    return folder
  }

  @Test(
    "the exit status says how it went",
    arguments: [
      ("index home.xml -o d", 0), ("index b.xml -o d", 0), ("index --strict home.xml -o new", 0),
      ("index --strict b.xml -o d", 1), ("index", 64), ("index bad.xml -o d", 65),
      ("index home.xml bad.xml -o new", 65),
      ("index home.xml -o text", 65), ("index home.xml -o empty", 65), ("index home.xml -o half", 65),
      ("index home.xml -o newer", 65), ("index missing.xml -o new", 66), ("index home.xml -o .", 74),
      ("index home.xml -o no/such/folder", 74),
      ("lookup 2a4d5c5b --dictionary d", 0), ("lookup 2A4D5C5B23 --dictionary d", 0),
      ("lookup 00000000 --dictionary d", 1),
      ("lookup 2a4d5c5 --dictionary d", 65), ("lookup nothexadecimal --dictionary d", 65),
      ("lookup 2a4d5c5b --dictionary text", 65), ("lookup 2a4d5c5b --dictionary half", 65),
      ("lookup 2a4d5c5b --dictionary newer", 65), ("lookup 2a4d5c5b --dictionary empty", 65),
      ("lookup 2a4d5c5b --dictionary missing", 66), ("lookup 2a4d5c5b", 66), ("lookup 2a4d5c5b --dictionary .", 74),
      ("stats --dictionary d", 0), ("stats --dictionary d --format json", 0), ("stats --dictionary text", 65),
      ("stats --dictionary d --limit 0", 0), ("stats --dictionary d --limit=-1", 64),
      ("convert --from sensors --to hubbledata --dictionary d UIView/UIButton[0]", 0),
      ("convert --from sensors --to hubbledata --captures home.xml UIView/UIButton[0]", 0),
      ("convert --from sensors --to hubbledata --dictionary d UIView/UIButton[1]", 1),
      ("convert --from sensors --to hubbledata UIView/UIButton[0]", 1),
      ("convert --from sensors --to hubbledata --dictionary d UIView/UIButton[x]", 65),
      ("convert --from sensors --to nothing UIView", 64), ("convert --from sensors --to lede", 64),
      ("convert --from sensors --to lede --dictionary missing UIView", 66),
      ("resolve --style sensors home.xml", 0), ("resolve --style nothing home.xml", 64),
      ("resolve --style hubbledata-android home.xml", 1),
      ("select --same-kind 2 home.xml", 0), ("select --same-kind 3 home.xml", 1), ("select --same-kind home.xml", 64),
      ("select --same-kind home.xml 2", 64), ("select --same-kind --levels all 2 home.xml", 0),
      ("select --levels all UIButton home.xml", 64), ("select --same-kind 0 missing.xml", 66),
    ] as [(String, Int32)])
  func status(arguments: String, expected: Int32) throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try Tool.run(arguments.split(separator: " ").map(String.init), in: folder.url)
    #expect(result.status == expected, "\(result.errors)")
    #expect((expected == 0) || !result.errors.isEmpty)
  }

  @Test(
    "errors in a dictionary are reported with its name",
    arguments: [
      ("text", "text: error: is not a dictionary\n"),
      ("half", "half: error: is truncated: the end of the dictionary is missing\n"),
      ("newer", "newer: error: was written by a newer version of Encircle (format 9; this one knows up to 1)\n"),
      ("missing", "missing: error: no such file\n"),
    ])
  func problems(file: String, expected: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    for arguments in [["lookup", "2a4d5c5b"], ["stats"], ["convert", "--from", "sensors", "--to", "lede", "UIView"]] {
      let result = try Tool.run(arguments + ["--dictionary", file], in: folder.url)
      #expect(result.errors == expected && result.output.isEmpty)
    }
  }

  @Test("a missing dictionary that no argument names is reported with what to do", arguments: ["lookup", "stats"])
  func unnamed(command: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let result = try Tool.run([command], in: folder.url)
    #expect(result.status == 66 && result.output.isEmpty)
    #expect(
      result.errors
        == "encircle.dictionary: error: no such file; --dictionary names another, 'encircle index' makes one\n")
  }

  @Test("an element is shown with all known facts")
  func lookup() throws {
    let folder = try folder()
    defer { folder.remove() }
    let id = try Tool.run(["id", Self.buttonIdentity], in: folder.url).text.prefix(64)
    let result = try Tool.run(["lookup", String(id), "--format", "ndjson", "--dictionary", "d"], in: folder.url)
    #expect(
      result.text == """
        {"event_id":"\(id)","known":true,"identity":"\(Self.buttonIdentity)","path":"UIWindow(0)_UIView(0)_UIButton(0)","class":"UIButton","controller":"HomeViewController","page":"HomeViewController","type":"buttonEvent","kind":"buttonEvent","content":"加入","captures":["home.xml"],"app_versions":[],"styles":{"hubbledata":"UIWindow(0)_UIView(0)_UIButton(0)","lede":"HomeViewController-UIButton & 0-0","sensors":"UIView/UIButton[0]","sensors-exact":"UIView/UIButton[0]","growingio":"/HomeViewController/UIView/UIButton & /0/0/0","posthog":"UIButton;UIView;UIWindow"},"style_ids":{"lede":"950eb69249d8925478b7678596973fb5"}}

        """)
  }

  @Test("an ID of another style, or its first digits, finds all its elements")
  func styleID() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let page = "<view class='UIView' controller='HomeViewController'><view class='UIButton'/></view>"
    try folder.write("pages.xml", viewTree("<view class='UIWindow'>\(String(repeating: page, count: 20))</view>"))
    _ = try Tool.run(["index", "pages.xml", "-o", "d"], in: folder.url)
    let id = "950eb69249d8925478b7678596973fb5"
    let result = try Tool.run(["lookup", id, "--dictionary", "d"], in: folder.url)
    #expect(result.lines.count { $0.hasPrefix("event ID") } == 20)
    #expect(Set(result.lines.filter { $0.hasPrefix("event ID") }).count == 20 && result.status == 0)
    let beginning = try Tool.run(["lookup", String(id.prefix(9)).uppercased(), "--dictionary", "d"], in: folder.url)
    #expect(beginning.text == result.text && beginning.status == 0, "\(beginning.errors)")
  }

  @Test("an event ID, or its first digits, finds all its elements")
  func manyElements() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    for page in 0..<70 { try folder.write("pages/\(page).xml", Self.bar("Page\(page)Controller")) }
    _ = try Tool.run(["index", "pages", "-o", "d"], in: folder.url)
    let id = try Tool.run(
      ["id", "path(UIWindow(0)_UILayoutContainerView(0)_UINavigationBar(0)_UIButton)&actions(back:)"], in: folder.url
    ).text.prefix(64)
    let result = try Tool.run(["lookup", String(id), "--dictionary", "d"], in: folder.url)
    #expect(result.lines.count { $0.hasPrefix("event ID") } == 70 && result.status == 0, "\(result.errors)")
    let beginning = try Tool.run(["lookup", String(id.prefix(60)), "--dictionary", "d"], in: folder.url)
    #expect(beginning.text == result.text && beginning.errors.isEmpty)
  }

  @Test("IDs from standard input give one line each, in order, even if unknown, repeated or wrong")
  func stream() throws {
    let folder = try folder()
    defer { folder.remove() }
    let input = "2a4d5c5b\n\n  00000000aa \r\n2a4d5c5b\nnonsense\n2a4d5c5b"
    for arguments in [[], ["-"]] {
      let result = try Tool.run(["lookup", "--dictionary", "d"] + arguments, in: folder.url, input: Array(input.utf8))
      #expect(result.lines.map { $0.contains("\"known\":true") } == [true, false, true, false, true])
      #expect(result.status == 65)
      #expect(result.errors.contains("<stdin>:5: error: 'nonsense' is not an event ID"), "\(result.errors)")
      #expect(result.errors.contains("<stdin>:3: error: 00000000aa is not in"), "\(result.errors)")
    }
    let long = String(repeating: "a", count: 100_000) + "\n2a4d5c5b\n"
    let result = try Tool.run(["lookup", "--dictionary", "d"], in: folder.url, input: Array(long.utf8))
    #expect(result.lines.count == 1 && result.errors.utf8.count < 1000)
  }

  @Test("IDs read together give the same results as single ones, in order")
  func batches() throws {
    let folder = try folder()
    defer { folder.remove() }
    _ = try Tool.run(["index", "b.xml", "-o", "d"], in: folder.url)
    let listing = try Tool.run(["resolve", "home.xml", "b.xml", "--format", "ndjson"], in: folder.url)
    let known = listing.text.matches(of: /"event_id":"([0-9a-f]{64})"/).map { String($0.1) }
    #expect(known.count > 5)
    var random = SeededGenerator(seed: 34)
    // More than are looked up at once, some of them by their first digits, and some unknown.
    let ids = (0..<200).map { _ -> String in
      let id = random.pick(known)
      return random.oneIn(10) ? String(id.reversed()) : random.oneIn(5) ? String(id.prefix(12)) : id
    }
    func lookUp(_ ids: [String]) throws -> ToolResult {
      try Tool.run(["lookup", "--dictionary", "d"], in: folder.url, input: Array(ids.joined(separator: "\n").utf8))
    }
    var alone: [String: (output: String, errors: String)] = [:]
    for id in Set(ids) {
      let result = try lookUp([id])
      alone[id] = (result.text, result.errors)
    }
    let together = try lookUp(ids)
    #expect(together.text == ids.map { alone[$0]?.output ?? "" }.joined())
    #expect(together.lines.count == ids.count && together.status == 1)
    // A repeated question is not reported again.
    var reported: Set<String> = []
    let errors = ids.enumerated().filter { reported.insert($0.element).inserted }.map { line, id in
      (alone[id]?.errors ?? "").replacing("<stdin>:1:", with: "<stdin>:\(line + 1):")
    }
    #expect(together.errors == errors.joined())
  }

  @Test("an answer is written at once while its reader waits for it")
  func answers() async throws {
    let folder = try folder()
    defer { folder.remove() }
    let tool = try RunningTool(["lookup", "--dictionary", "d"], in: folder.url)
    for i in 1...3 {
      try tool.write("2a4d5c5b\n")
      #expect(try await tool.lines(i).count == i)
    }
    // Tasks run with other signals blocked, and so does what they start.
    _ = try tool.end(SIGKILL)
  }

  @Test("an ID of two elements keeps both, in any order of runs, and index says so")
  func conflicts() throws {
    let folder = try folder()
    defer { folder.remove() }
    let first = try Tool.run(["index", "b.xml", "-o", "d"], in: folder.url)
    #expect(first.errors.contains("b.xml: warning: ") && first.errors.contains("is the event ID of another element"))
    #expect(
      try Tool.run(["index", "b.xml", "-o", "d"], in: folder.url).errors
        == "1 capture, 1 of them known, 5 elements, 0 of them new\n")
    let id = try Tool.run(
      ["id", "path(UIWindow(0)_UILayoutContainerView(0)_UINavigationBar(0)_UIButton)&actions(back:)"], in: folder.url
    ).text.prefix(64)
    let result = try Tool.run(["lookup", String(id), "--format", "json", "--dictionary", "d"], in: folder.url)
    let array = try #require(try JSONSerialization.jsonObject(with: Data(result.output)) as? [[String: Any]])
    #expect(array[0]["page"] as? String == "AViewController")
    #expect((array[0]["others"] as? [[String: Any]])?.map { $0["page"] as? String } == ["BViewController"])
    let stats = try Tool.run(["stats", "--dictionary", "d"], in: folder.url).text
    #expect(
      stats.contains(
        "1 event ID that does not name one element\n  \(id.prefix(12))  pages AViewController, BViewController  path("))
  }

  @Test("a run that is killed leaves the old dictionary")
  func killed() throws {
    let folder = try folder()
    defer { folder.remove() }
    let before = try PackageFolder.bytes(folder.url.appendingPathComponent("d"))
    let process = Process()
    let executable = try #require(Tool.executable, "the tool has not been built")
    process.executableURL = executable
    // Standard input does not end, so the run waits after the first capture.
    process.arguments = ["index", "b.xml", "-", "-o", "d"]
    process.currentDirectoryURL = folder.url
    process.standardInput = Pipe()
    process.standardError = FileHandle.nullDevice
    try process.run()
    let scratch = folder.url.appendingPathComponent(".d.indexing").path
    for _ in 0..<30_000 where !FileManager.default.fileExists(atPath: scratch) { Thread.sleep(forTimeInterval: 0.01) }
    #expect(FileManager.default.fileExists(atPath: scratch))
    // No other run can write in the meantime.
    #expect(try Tool.run(["index", "b.xml", "-o", "d"], in: folder.url).status == 74)
    #expect(FileManager.default.fileExists(atPath: scratch))
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(try PackageFolder.bytes(folder.url.appendingPathComponent("d")) == before)
    #expect(try Tool.run(["index", "b.xml", "-o", "d"], in: folder.url).status == 0)
    #expect(!FileManager.default.fileExists(atPath: scratch))
  }

  @Test("an unknown ID is found in the same run once the dictionary has been replaced")
  func replaced() throws {
    let folder = try folder()
    defer { folder.remove() }
    let found = try Tool.run(["resolve", "b.xml", "--format", "ndjson"], in: folder.url)
    let id = try #require(found.text.firstMatch(of: /"page":"BViewController".*?"event_id":"([0-9a-f]{64})"/)?.1)
    // The dictionary is replaced as soon as the first answer is there.
    let script = """
      {
        echo \(id)
        tries=0
        while [ ! -s answers ] && [ $tries -lt 3000 ]; do sleep 0.02; tries=$((tries + 1)); done
        "$0" index b.xml -o d 2>index.errors
        echo \(id)
      } | "$0" lookup --dictionary d >answers
      cat answers
      """
    let tool = try #require(Tool.executable, "the tool has not been built")
    let result = try Tool.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script, tool.path], in: folder.url)
    #expect(result.lines.first?.contains(#""known":false"#) == true, "\(result.text)\(result.errors)")
    #expect(result.lines.last?.contains("BViewController") == true, "\(result.text)\(result.errors)")
  }

  @Test("each line of standard input that is not blank has a JSON line, also one that is not an ID")
  func answerPerLine() throws {
    let folder = try folder()
    defer { folder.remove() }
    let input = "2a4d5c5b\nnothexadecimal\n\n2a4d5c5\n00000000\n2a4d5c5b\n"
    let result = try Tool.run(["lookup", "--dictionary", "d"], in: folder.url, input: Array(input.utf8))
    try #require(result.lines.count == 5, "\(result.text)\(result.errors)")
    #expect(result.lines[0].contains(#""known":true"#) && result.lines[4] == result.lines[0], "\(result.text)")
    #expect(
      result.lines[1...3].map(String.init) == [
        #"{"event_id":"nothexadecimal","known":false}"#, #"{"event_id":"2a4d5c5","known":false}"#,
        #"{"event_id":"00000000","known":false}"#,
      ])
    #expect(
      result.errors == """
        <stdin>:2: error: 'nothexadecimal' is not an event ID: expected 8 to 64 hexadecimal digits
        <stdin>:4: error: '2a4d5c5' is too short: expected at least 8 digits
        <stdin>:5: error: 00000000 is not in the dictionary

        """)
    #expect(result.status == 65)
  }

  @Test("events that carry only an ID are matched by the dictionary")
  func match() throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write(
      "r.yaml",
      "version: 1\nrules: [ { id: a, include: { page: HomeViewController, selector: 'UIView/UIButton(0)' } } ]")
    let id = try Tool.run(["id", Self.buttonIdentity], in: folder.url).text.prefix(64)
    let event = "{\"event\":\"$AppClick\",\"event_id\":\"\(id)\"}\n"
    for (arguments, isSelected) in [
      ([], false), (["--dictionary", "d"], true), (["--dictionary", "d", "--captures", "home.xml"], true),
    ] {
      let result = try Tool.run(["match", "--rules", "r.yaml"] + arguments, in: folder.url, input: Array(event.utf8))
      #expect(result.status == 0 && result.text.contains("\"selected\":\(isSelected)"), "\(result.errors)")
    }
    #expect(try Tool.run(["match", "--rules", "r.yaml", "--dictionary", "text"], in: folder.url).status == 65)
  }

  @Test(
    "rules see the text of an Android element that an event of HubbleData names by either of its IDs",
    arguments: [
      "style: hubbledata-android\nrules:\n  - id: tab\n    include: { where: { $element_content: 花束 } }",
      "rules:\n  - id: tab\n    include: [{ style: hubbledata, selector: UISlider }, "
        + "{ style: hubbledata-android, where: { $element_content: 花束 } }]",
    ])
  func androidTexts(rules: String) throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    let capture = PackageFolder.viewTrees.appendingPathComponent("android-shop.xml").path
    let given = "\n    properties: { label: { property: $element_content } }\n"
    try folder.write("tabs.yaml", "version: 1\n" + rules + given)
    #expect(try folder.run("index \(capture) -o d").status == 0)
    let tabs = try folder.run("resolve \(capture) --style hubbledata-android --only trackable --format ndjson").lines
    let tab = try #require(tabs.first { $0.contains("TabView[0]") && $0.contains("花束") })
    for member in ["event_id", "style_id"] {
      let pattern = try Regex("\"\(member)\":\"([0-9a-f]{64})\"")
      let id = try #require(tab.firstMatch(of: pattern)?.output[1].substring)
      let event = #"{"eventId":"\#(id)","type":"buttonEvent","attributes":{"$os":"Android"}}"#
      for known in ["--captures \(capture)", "--dictionary d"] {
        let result = try folder.run("match --rules tabs.yaml \(known)", input: event)
        #expect(
          result.text.contains(#""properties":{"tab":{"label":"花束"}}"#), "\(known) \(result.text) \(result.errors)")
      }
    }
  }

  @Test(
    "a conversion between systems is always reported as impossible",
    arguments: ["lede", "sensors", "sensors-exact", "growingio", "posthog"],
    ["hubbledata-android", "sensors-android", "growingio-android"])
  func otherSystem(iOS: String, android: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    let sources = [[], ["--dictionary", "d"], ["--captures", "home.xml"]]
    let number = iOS.utf8.count + android.utf8.count
    for (from, to, number) in [(iOS, android, number), (android, iOS, number + 1)] {
      for source in TestSize.part(sources, of: number) {
        let result = try Tool.run(
          ["convert", "--from", from, "--to", to] + source + ["UIView/UIButton[0]"], in: folder.url)
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.errors.contains("\(android) is a style of Android, \(iOS) one of iOS"), "\(result.errors)")
      }
    }
  }

  @Test(
    "a conversion between an app and web pages is reported as impossible",
    arguments: [
      ("sensors-web", "sensors", "sensors is a style of iOS, sensors-web one of web pages"),
      ("posthog-web", "growingio-android", "growingio-android is a style of Android, posthog-web one of web pages"),
    ])
  func webPages(from: String, to: String, message: String) throws {
    let result = try Tool.run(["convert", "--from", from, "--to", to, "UIView"])
    #expect(result.status == 64 && result.errors.contains(message), "\(result.errors)")
  }

  @Test("a conversion into PostHog's paths says what the dictionary lacks")
  func textsOfPostHog() throws {
    let folder = try folder()
    defer { folder.remove() }
    let convert = ["convert", "--from", "hubbledata", "--to", "posthog", "UIWindow(0)_UIView(0)_UIButton(0)"]
    let known = try Tool.run(convert + ["--dictionary", "d"], in: folder.url)
    #expect(known.text == "UIButton;UIView;UIWindow\n" && known.status == 0)
    #expect(known.errors.contains("note: a dictionary has no titles and states of controls"), "\(known.errors)")
    let captured = try Tool.run(convert + ["--captures", "home.xml"], in: folder.url)
    #expect(captured.text == "UIButton:text=\"加入\";UIView;UIWindow\n" && !captured.errors.contains("dictionary"))
  }

  @Test("a conversion prints the paths, and on standard error what was lost")
  func convert() throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write(
      "list.xml",
      viewTree(
        "<view class='UIWindow'><view class='UITableView' controller='L'><view class='UITableViewCell' indexPath='0 1'/><view class='UITableViewCell' indexPath='0 2'/></view></view>"
      ))
    let many = try Tool.run(
      [
        "convert", "--from", "sensors", "--to", "hubbledata", "--captures", "list.xml",
        "UITableView/UITableViewCell[0][-]",
      ],
      in: folder.url)
    #expect(
      many.text
        == "UIWindow(0)_UITableView(0)_UITableViewCell(section:0 row:1)\nUIWindow(0)_UITableView(0)_UITableViewCell(section:0 row:2)\n"
    )
    #expect(many.errors == "note: 2 elements with different paths have this one: UITableView/UITableViewCell[0][-]\n")
    let one = try Tool.run(
      [
        "convert", "--from", "hubbledata", "--to", "sensors", "--captures", "list.xml", "--format", "ndjson",
        "UIWindow(0)/UITableView(0)/UITableViewCell(section:0 row:2)",
      ],
      in: folder.url)
    #expect(
      one.text == """
        {"from":"hubbledata","to":"sensors","path":"UIWindow(0)/UITableView(0)/UITableViewCell(section:0 row:2)","results":[{"path":"UITableView/UITableViewCell[0][-]","lost":["the row of UITableViewCell in section 0, row 2","the index of UITableView 0","the component UIWindow"]}]}

        """)
    let bad = try Tool.run(["convert", "--from", "sensors", "--to", "lede", "A/B[x]"], in: folder.url)
    #expect(
      bad.errors == "1:5: error: not a path of style sensors: 'x' is not an index of this style\n  A/B[x]\n      ^\n")
    let lines = try Tool.run(
      ["convert", "--from", "sensors", "--to", "lede", "--captures", "list.xml", "-"], in: folder.url,
      input: Array("UITableView\n\nA/B[x]\nA/B[0]\n".utf8))
    #expect(lines.text == "L & 0\n" && lines.status == 65)
    for error in [
      "<stdin>:2:1: error: not a path of style sensors: ", "<stdin>:3:5: error: not a path of style sensors: ",
      "<stdin>:4: error: no element has this path: A/B[0]",
    ] {
      #expect(lines.errors.contains(error), "\(lines.errors)")
    }
  }

  @Test(
    "a PostHog path stands for elements with its texts, or else, with a note, for elements with other texts")
  func convertTexts() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(
      "list.xml",
      viewTree(
        "<view class='UIWindow'><view class='UIView' controller='HomeViewController'><view class='UISwitch' on='true'/><view class='UISwitch' on='false'/></view></view>"
      ))
    func convert(_ text: String) throws -> ToolResult {
      let path = "UISwitch:text=\"\(text)\";UIView;UIWindow"
      return try Tool.run(
        ["convert", "--from", "posthog", "--to", "hubbledata", "--captures", "list.xml", path], in: folder.url)
    }
    let (on, off) = ("UIWindow(0)_UIView(0)_UISwitch(0)\n", "UIWindow(0)_UIView(0)_UISwitch(1)\n")
    #expect(try convert("true").text == on && convert("false").text == off)
    #expect(try convert("false").errors == "note: lost attributes of 1 component\n")
    let other = try convert("maybe")
    #expect(other.text == on + off && other.errors.contains("of elements with other texts or ids: UISwitch"))
  }

  @Test("every style lists its output with its own ids and places")
  func resolve() throws {
    let folder = try folder()
    defer { folder.remove() }
    let lede = try Tool.run(["resolve", "--style", "lede", "--format", "ndjson", "home.xml"], in: folder.url)
    #expect(lede.lines.count == 2, "a window belongs to no controller")
    #expect(
      lede.text.contains(
        "\"path\":\"HomeViewController-UIButton & 0-0\",\"style\":\"lede\",\"style_id\":\"950eb69249d8925478b7678596973fb5\""
      ))
    let growing = try Tool.run(["resolve", "--style", "growingio", "--format", "ndjson", "home.xml"], in: folder.url)
    #expect(growing.text.contains("\"xpath\":\"/HomeViewController/UIView/UIButton\",\"xcontent\":\"/0/0/0\""))
    let csv = try Tool.run(["resolve", "--style", "sensors", "--format", "csv", "home.xml"], in: folder.url).text
    #expect(csv.contains(",frame,style,style_id,position\r\n") && csv.contains(",UIView/UIButton[0],"))
    let none = try Tool.run(["resolve", "--style", "lede", "settings.wda.xml"])
    #expect(none.output.isEmpty)
    #expect(
      none.errors
        == "settings.wda.xml: error: style lede cannot serve this capture: no element names its view controller, with which paths of this style begin\n"
    )
  }
}
