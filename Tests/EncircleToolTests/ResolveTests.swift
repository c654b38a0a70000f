import EncircleTestSupport
import Foundation
import Testing

@Suite struct ResolveTests {
  private static let good = viewTree(
    "<view class='UIWindow'><view class='UIButton' controller='HomeViewController'/></view>")
  private static let bad = "<viewTree>\n<view frame='0 0 1 1'/></viewTree>"
  // The event ID of path(UIWindow(0)).
  private static let windowID = "2a4d5c5b23409eb530bf3add8d70b23000d9fdc96113ccb0ea5d40f7a24ba986"

  /// Runs the tool in a folder with a good and a bad capture, and more.
  private func run(_ arguments: String, input: [UInt8] = []) throws -> ToolResult {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("good.xml", Self.good)
    try folder.write("good.xml.gz", gzip(Array(Self.good.utf8)))
    try folder.write("bad.xml", Self.bad)
    try folder.write("empty.xml", "")
    try folder.write("binary", [0, 1, 2, 0xFF])
    try folder.write("tree/b.xml", Self.good)
    try folder.write("tree/a/c.txt", "<UIWindow: 0x1; frame = (0 0; 1 1)>")
    try folder.write("tree/picture.png", [0x89, 0x50, 0x4E, 0x47])
    try folder.write("tree/.hidden.xml", "hidden")
    try folder.write("mixed/a.xml", Self.good)
    try folder.write("mixed/b.xml", Self.bad)
    try folder.write("mixed/c.xml", Self.good)
    return try Tool.run(arguments.split(separator: " ").map(String.init), in: folder.url, input: input)
  }

  @Test(
    "the exit status says how it went",
    arguments: [
      ("resolve good.xml", 0), ("resolve good.xml.gz", 0), ("resolve tree", 0), ("resolve good.xml tree", 0),
      ("resolve --only trackable good.xml", 0), ("resolve --input-format view-tree good.xml", 0),
      ("resolve --select \(windowID) good.xml", 0), ("resolve --select 2A4D5C5B good.xml", 0),
      ("resolve --strict good.xml", 0),
      ("--help", 0), ("resolve --help", 0), ("--version", 0),
      ("resolve --strict tree", 1), ("resolve --select 00000000 good.xml", 1),
      ("resolve", 64), ("resolve --format xml good.xml", 64), ("resolve --only some good.xml", 64),
      ("resolve --select 2a4d good.xml", 64), ("resolve --select nothexadecimal good.xml", 64),
      ("resolve --input-format pdf good.xml", 64), ("resolve --unheard good.xml", 64), ("unheard", 64),
      ("help unheard", 64), ("id", 64),
      ("path", 64),
      ("resolve bad.xml", 65), ("resolve empty.xml", 65), ("resolve binary", 65), ("resolve good.xml bad.xml", 65),
      ("resolve mixed", 65), ("resolve --strict bad.xml", 65), ("resolve bad.xml missing.xml", 65),
      ("resolve missing.xml bad.xml", 65), ("resolve --input-format uiautomator good.xml", 65),
      ("resolve --input-format recursive-description good.xml", 65),
      ("resolve missing.xml", 66), ("resolve good.xml missing.xml", 66),
    ] as [(String, Int32)])
  func status(arguments: String, expected: Int32) throws {
    let result = try run(arguments)
    #expect(result.status == expected, "\(result.errors)")
    #expect((expected == 0 || expected == 1) || !result.errors.isEmpty)
  }

  @Test("one bad capture among many is reported, the others are resolved")
  func oneBad() throws {
    let result = try run("resolve --format ndjson mixed missing.xml good.xml")
    #expect(result.status == 65)
    #expect(result.lines.count == 6)
    for name in ["mixed/a.xml", "mixed/c.xml", "good.xml"] { #expect(result.text.contains("\"capture\":\"\(name)\"")) }
    #expect(result.errors.contains("mixed/b.xml:2:1: error: element 'view' has no class"))
    #expect(result.errors.contains("missing.xml: error: no such file"))
  }

  @Test("a directory is walked in order, hidden and other files left out")
  func directory() throws {
    let result = try run("resolve --format ndjson tree")
    #expect(result.lines.map { $0.split(separator: "\"")[3] } == ["tree/b.xml", "tree/b.xml", "tree/a/c.txt"])
    #expect(!result.errors.contains("tree/picture.png"))
  }

  @Test("standard input is a capture, compressed or not", arguments: [false, true])
  func standardInput(isCompressed: Bool) throws {
    let text = Array(Self.good.utf8)
    let result = try run("resolve --format ndjson -", input: isCompressed ? gzip(text) : text)
    #expect(result.status == 0)
    #expect(result.lines.count == 2)
    #expect(result.text.contains("\"capture\":\"<stdin>\"") && result.text.contains(Self.windowID))
    #expect(try run("resolve -").status == 65, "nothing on standard input")
  }

  @Test("an error has file, line and column")
  func errors() throws {
    #expect(try run("resolve bad.xml").errors == "bad.xml:2:1: error: element 'view' has no class\n")
    #expect(try run("resolve empty.xml").errors == "empty.xml: error: is empty\n")
    #expect(
      try run("resolve --input-format uiautomator good.xml").errors
        == "good.xml:1:1: error: expected a capture in format uiautomator, found element 'viewTree'\n")
  }

  @Test("view controllers from a file of their own give pages, in every command that reads captures")
  func controllers() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(
      "tree.txt",
      "<UIWindow: 0x1; frame = (0 0; 1 1)>\n   | <UIView: 0x2>\n   |    | <UIButton: 0x3; frame = (0 0; 1 1)>\n")
    try folder.write(
      "hierarchy.txt",
      "<Shop.Home 0x8>, state: appeared, view: <UIView: 0x2>\n   + <Shop.B 0x9>, state: appeared, view: <UIView: 0x7>\n"
    )
    try folder.write("good.xml", Self.good)
    func run(_ arguments: String) throws -> ToolResult {
      try Tool.run(arguments.split(separator: " ").map(String.init), in: folder.url)
    }
    let resolved = try run("resolve tree.txt --controllers hierarchy.txt --format ndjson --only trackable")
    #expect(resolved.status == 0 && resolved.text.contains(#""page":"Shop.Home""#), "\(resolved.text)")
    #expect(
      resolved.errors == "tree.txt: note: identities lack 1 controller whose view is not in the capture, by address\n")
    #expect(try run("select UIButton tree.txt --controllers hierarchy.txt").text.contains("Shop.Home"))
    #expect(try run("suggest tree.txt 2 --controllers hierarchy.txt").text.contains("Shop.Home"))
    #expect(try run("index tree.txt -o d --controllers hierarchy.txt").status == 0)
    for (arguments, status, error) in [
      ("resolve tree.txt --controllers missing.txt", 66, "missing.txt: error: no such file"),
      ("resolve tree.txt --controllers tree.txt", 65, "tree.txt:1:1: error: has no hierarchy of view controllers"),
      ("resolve good.xml --controllers hierarchy.txt", 65, "good.xml: error: --controllers needs addresses of views"),
      ("resolve hierarchy.txt", 65, "hierarchy.txt:1:1: error: is a hierarchy of view controllers without views"),
    ] as [(String, Int32, String)] {
      let result = try run(arguments)
      #expect(result.status == status && result.errors.hasPrefix(error), "\(result.errors)")
      #expect(result.lines.isEmpty)
    }
  }

  @Test("JSON that is not a capture is skipped in a directory, complete or not")
  func otherJSON() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("c/a.xml", Self.good)
    try folder.write("c/b.ndjson", "{\"event\":\"a\"}\n{\"event\":\"b\"}\n")
    try folder.write("c/c.json", "{ // comment\n}")
    try folder.write("c/d.json", "[1, 2")
    try folder.write("c/e.json", #"{"windows":[{"type":"UIWindow"}]}"#)
    let result = try Tool.run(["resolve", "c"], in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    #expect(!result.errors.contains("skipped"))
  }

  @Test("only the requested elements are listed")
  func selection() throws {
    let trackable = try run("resolve --format ndjson --only trackable good.xml")
    #expect(trackable.lines.count == 1 && trackable.text.contains("\"type\":\"buttonEvent\""))
    let selected = try run("resolve --format ndjson --select 2a4d5c5b23 good.xml tree/b.xml")
    #expect(selected.lines.count == 2 && selected.lines.allSatisfy { $0.contains("\"element\":0,") })
    let none = try run("resolve --select 0123456789abcdef good.xml")
    #expect(none.errors.contains("no element has event ID 0123456789abcdef"))
  }

  @Test("CSV has one header line, whatever it contains", arguments: ["good.xml", "good.xml tree", "bad.xml"])
  func csvHeader(captures: String) throws {
    let lines = try run("resolve --format csv \(captures)").text.split(separator: "\r\n")
    #expect(lines.filter { $0.hasPrefix("capture,element,class,") }.count == 1)
    #expect(lines.first?.hasPrefix("capture,") == true)
  }

  @Test("JSON is an array even when nothing can be read")
  func emptyJSON() throws {
    #expect(try run("resolve --format json bad.xml").text == "[]\n")
    #expect(try run("resolve --format ndjson bad.xml").text.isEmpty)
  }

  @Test("foreign text is quoted for CSV and JSON, and harmless on a terminal")
  func quoting() throws {
    let views = viewTree(
      "<view class='UIWindow'><view class='A\"B,C' text='a&#10;\"b\",&#9;&#13;\u{7F}\u{202E}'/></view>")
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("a,b.xml", views)
    let json = try Tool.run(["resolve", "--format", "json", "a,b.xml"], in: folder.url)
    let array = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [[String: Any]])
    #expect(array[1]["class"] as? String == "A\"B,C")
    #expect((array[1]["content"] as? String).map { Array($0.utf8) } == Array("a\n\"b\",\t\r\u{7F}\u{202E}".utf8))
    let csv = try Tool.run(["resolve", "--format", "csv", "a,b.xml"], in: folder.url).text
    #expect(csv.contains("\"a,b.xml\",1,\"A\"\"B,C\",") && csv.contains("\"a\n\"\"b\"\",\t\r\u{7F}\u{202E}\""))
    let table = try Tool.run(["resolve", "a,b.xml"], in: folder.url).text
    #expect(
      !table.unicodeScalars.contains { ($0.value < 0x20 && $0 != "\n") || $0.value == 0x7F || $0.value == 0x202E })
  }

  @Test(
    "a large capture lists each element once, in order, however long the paths are",
    arguments: ["ndjson", "json", "csv", "table"], [("V", 3_000), (String(repeating: "LongClassName", count: 60), 300)])
  func large(format: String, rows: (className: String, count: Int)) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let row = "<view class='\(rows.className)'><view class='A'><view class='B'/></view></view>"
    let views = String(repeating: row, count: rows.count)
    try folder.write("large.xml", viewTree("<view class='UIWindow'>\(views)</view>"))
    let result = try Tool.run(["resolve", "--format", format, "large.xml"], in: folder.url)
    // Foundation's functions, which are optimized.
    let lines = result.text.components(separatedBy: format == "csv" ? "\r\n" : "\n")
    let numbers: [Int] =
      switch format {
      case "csv": lines.dropFirst().compactMap { Int($0.components(separatedBy: ",").dropFirst().first ?? "") }
      case "table": lines.dropFirst(2).compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
      default:
        try #require(
          JSONSerialization.jsonObject(
            with: Data(format == "json" ? result.output : Array("[\(lines.dropLast().joined(separator: ","))]".utf8)))
            as? [[String: Any]]
        ).compactMap { $0["element"] as? Int }
      }
    #expect(numbers == Array(0...3 * rows.count))
  }

  @Test("missing parts of identities and collisions are reported once per capture")
  func findings() throws {
    let result = try Tool.run(["resolve", "--format", "ndjson", "collisions.xml", "settings.wda.xml"])
    #expect(
      result.errors.split(separator: "\n").filter { $0.contains("settings.wda.xml: note: identities lack") }.count == 1)
    #expect(result.errors.contains("collisions.xml: warning:"))
    for reason in ["same index path", "equal child pages", "in the navigation bar"] {
      #expect(result.errors.contains(reason), "\(reason)")
    }
    #expect(try Tool.run(["resolve", "--strict", "collisions.xml"]).status == 1)
  }

  @Test("one shared identity counts once")
  func oneFinding() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let cell = "<view class='UITableViewCell' indexPath='0 1'><view class='UILabel'/></view>"
    try folder.write(
      "a.xml",
      viewTree("<view class='UIWindow'><view class='UITableView' controller='L'>\(cell)\(cell)</view></view>"))
    let result = try Tool.run(["resolve", "a.xml"], in: folder.url)
    #expect(
      result.errors.contains("a.xml: note: 1 identity inside such elements is shared with them\n"), "\(result.errors)")
  }

  @Test("equal input gives equal bytes")
  func deterministic() throws {
    let arguments = ["resolve", "--format", "ndjson"] + PackageFolder.captureNames
    #expect(try Tool.run(arguments).output == Tool.run(arguments).output)
  }

  @Test("a file in a directory whose name is not UTF-8 is reported rather than passed over")
  func nameNotUTF8() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("a/a.xml", viewTree("<view class='UIWindow'/>"))
    try folder.write("rules/a.yaml", "version: 1\n")
    let script = "cp a/a.xml \"$(printf 'a/b\\376.xml')\" && cp rules/a.yaml \"$(printf 'rules/b\\376.yaml')\""
    let copied = try Tool.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script], in: folder.url)
    // Some file systems have no such names.
    guard copied.status == 0 else { return }
    let captures = try Tool.run(["resolve", "a"], in: folder.url)
    #expect(captures.status == 66 && captures.errors.contains("a/b\u{FFFD}.xml: error: no such file"))
    let rules = try Tool.run(["check", "rules"], in: folder.url)
    #expect(rules.status == 66 && rules.errors.contains("rules/b\u{FFFD}.yaml: error: no such file"))
  }

  @Test(
    "captures in a directory that may be listed but not searched are errors",
    .enabled(if: geteuid() != 0, "root may search anything"))
  func notSearchable() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("a/a.xml", viewTree("<view class='UIWindow'/>"))
    let path = folder.url.appendingPathComponent("a").path
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path) }
    let result = try Tool.run(["resolve", "a"], in: folder.url)
    #expect(result.status == 74 && result.errors.contains("a/a.xml: error: cannot be read"), "\(result.errors)")
  }

  @Test("a closed pipe ends the tool quietly")
  func closedPipe() throws {
    let executable = try #require(Tool.executable)
    let script = "{ \"$0\" resolve --format ndjson big-list.xml; echo \"status $?\" >&2; } | head -n 1"
    let result = try Tool.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", script, executable.path], in: PackageFolder.viewTrees)
    #expect(result.lines.count == 1)
    #expect(result.errors == "status 0\n")
  }
}

@Suite struct IDCommandTests {
  private static let identity =
    "path(UIWindow(0)_UIView(0)_UIView(0)_CartView_UIButton(0))&controller(CouponViewController)"
  private static let hash = "50860ec3aeabca2210858047733360bed399272951ac0172ca0b04d65b877157"

  @Test("identities are hashed, from arguments and from standard input")
  func hashes() throws {
    #expect(try Tool.run(["id", Self.identity]).text == "\(Self.hash)  \(Self.identity)\n")
    let two = try Tool.run(["id", "path(UIWindow(0))", "-"], input: Array((Self.identity + "\n").utf8))
    let starts = two.lines.map { String($0.prefix(8)) }
    #expect(starts == ["2a4d5c5b", "50860ec3"])
    #expect(two.errors.isEmpty && two.status == 0)
  }

  @Test("é composed and decomposed have two hashes", arguments: [false, true])
  func bytes(fromInput: Bool) throws {
    let texts = ["path(caf\u{E9})", "path(cafe\u{301})"]
    let result =
      fromInput
      ? try Tool.run(["id", "-"], input: Array(texts.joined(separator: "\n").utf8)) : try Tool.run(["id"] + texts)
    #expect(result.lines.count == 2)
    let hashes = Set(result.lines.map { $0.prefix(64) })
    #expect(hashes.count == 2)
    #expect(Array(result.text.utf8).contains(0xCC))
  }

  @Test("an argument that is not UTF-8 is an error, and U+FFFD itself is hashed")
  func invalid() throws {
    let tool = try #require(Tool.executable, "the tool has not been built")
    let result = try Tool.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", "exec \"$0\" id 'path(A)' \"path($(printf '\\377'))\"", tool.path],
      in: PackageFolder.viewTrees)
    #expect(result.status == 65 && result.lines.count == 1, "\(result.errors)")
    #expect(result.errors == "error: 'path(\u{FFFD})' is not valid UTF-8\n", "\(result.errors)")
    #expect(try Tool.run(["id", "path(\u{FFFD})"]).status == 0)
  }

  @Test("text that is not an identity is hashed with a note")
  func note() throws {
    let result = try Tool.run(["id", "hello"])
    #expect(result.text.hasPrefix("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824  hello"))
    #expect(result.errors.contains("hello") && result.status == 0)
  }

  @Test("an identity with / between its components is hashed with a note, as no event has its ID")
  func slashes() throws {
    let result = try Tool.run(["id", "path(UIWindow(0)/UIView(0))&controller(A)", "path(UIWindow(0))&title(1/2)"])
    #expect(result.lines.count == 2 && result.status == 0)
    #expect(
      result.errors
        == "note: 'path(UIWindow(0)/UIView(0))&controller(A)' has '/' between components, where SDKs hash '_'; hashed as it is\n"
    )
  }
}

@Suite struct PathCommandTests {
  @Test("components are listed")
  func components() throws {
    let result = try Tool.run(["path", "UIWindow(0)_UITableView(0)_ProductCell(section:0 row:7)_UIButton(0)"])
    #expect(
      result.text == """
        UIWindow(0)/UITableView(0)/ProductCell(section:0 row:7)/UIButton(0)
           0  UIWindow     index 0
           1  UITableView  index 0
           2  ProductCell  section 0, row 7
           3  UIButton     index 0

        """)
    #expect(result.status == 0)
  }

  @Test("the path is read from an identity as resolve prints it", arguments: ["table", "json"])
  func identity(format: String) throws {
    let path = "UIWindow(0)_UINavigationBar(0)_UIButton"
    let options = ["path", "--class", "UIButton", "--format", format]
    let expected = try Tool.run(options + [path])
    let result = try Tool.run(options + ["path(\(path))&actions(back:)"])
    #expect(result.text == expected.text && result.status == 0 && result.errors.isEmpty)
  }

  @Test("an ambiguous path is reported with its candidates, and decided by class names")
  func ambiguity() throws {
    let path = "W(0)__UIBar_UIButton"
    let result = try Tool.run(["path", path])
    #expect(result.status == 65)
    #expect(
      result.errors == """
        error: ambiguous, 2 readings: W(0)__UIBar_UIButton
          W(0)/_UIBar_UIButton
          W(0)/_UIBar/UIButton
          --class NAME or --captures DIR says which class names there are

        """)
    let decided = try Tool.run(["path", "--class", "_UIBar", path])
    #expect(decided.lines.first == "W(0)/_UIBar/UIButton")
    let bar = "UIWindow(0)_UINavigationBar(0)_UIButton"
    #expect(try Tool.run(["path", "--captures", "cart.xml", bar]).status == 0)
  }

  @Test(
    "an error points at its place",
    arguments: [
      (
        "A(0)_B(x:1)_C(01)",
        "error: column 15: '01' is not a locator: expected N, section:S row:R, section:S item:I or indexx:X indexy:Y\n  A(0)_B(x:1)_C(01)\n                ^\n"
      ),
      ("确//B", "error: column 3: expected a class name\n  确//B\n     ^\n"),
      ("A/'B", "error: column 3: expected a closing ' after the class name\n  A/'B\n    ^\n"),
      ("", "error: a path has at least one component\n"),
    ])
  func caret(path: String, expected: String) throws {
    let result = try Tool.run(["path", path])
    #expect(result.status == 65)
    #expect(result.errors == expected)
    #expect(result.output.isEmpty)
  }

  @Test(
    "a path of another style is read with a note, as its locators are not",
    arguments: [
      ("UIView/UITableView[0]/ProductCell[0][-]", true), ("Home-UITableView-ProductCell & 0-0-0:2", true),
      ("UIButton:text=\"a\";UIView", true), ("UIWindow(0)_UIView(0)", false), ("UIWindow/'View<A, B>'(0)", false),
    ])
  func otherStyle(path: String, isOther: Bool) throws {
    let result = try Tool.run(["path", path])
    #expect(result.status == 0 && result.errors.isEmpty != isOther, "\(result.errors)")
    #expect(!isOther || result.errors.contains("looks like a path of another style"), "\(result.errors)")
  }

  @Test("JSON has the components with their fields")
  func json() throws {
    let result = try Tool.run(["path", "--format", "json", "A(0)_B(indexx:1 indexy:-2)_C"])
    #expect(
      result.text
        == #"{"path":"A(0)_B(indexx:1 indexy:-2)_C","slashes":"A(0)/B(indexx:1 indexy:-2)/C","components":[{"class":"A","index":0},{"class":"B","indexx":1,"indexy":-2},{"class":"C"}]}"#
        + "\n")
  }

  @Test("an unreadable path does not keep the others from being read")
  func several() throws {
    let result = try Tool.run(["path", "A(0)", "A//B", "B(1)"])
    #expect(result.status == 65)
    #expect(result.lines.filter { !$0.hasPrefix(" ") } == ["A(0)", "B(1)"])
  }
}
