import EncircleTestSupport
import Foundation
import Testing

/// `encircle.yaml`, the defaults of a project.
@Suite struct ConfigTests {
  /// A project whose file has a text, with rules, a capture and events, and a folder beneath it.
  private func project(_ text: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("encircle.yaml", text)
    try folder.write("Rules/a.yaml", "version: 1\nrules: [{ id: a, include: { event: x } }]\n")
    try folder.write("other.yaml", "version: 1\nrules: [{ id: b, include: { event: x } }]\n")
    try folder.write("Captures/home.xml", viewTree("<view class='UIWindow' controller='Home'/>"))
    try folder.write("a/b/events.ndjson", #"{"event":"x"}"#)
    return folder
  }

  private func below(_ folder: TemporaryFolder) -> URL { folder.url.appendingPathComponent("a/b") }

  @Test("a command in a subfolder uses the rules and captures of the project, with paths relative to its file")
  func defaults() throws {
    let folder = try project("rules: Rules\ncaptures: [Captures]\nstyle: sensors\ndictionary: d\n")
    defer { folder.remove() }
    let config = try Tool.run(["config"], in: below(folder))
    let words = config.lines.map { $0.split(separator: " ").map(String.init) }
    #expect(words.map(\.first) == ["file", "--rules", "--captures", "--dictionary", "--style"])
    #expect(words[1][1].hasSuffix("/Rules") && words[2][1].hasSuffix("/Captures") && words[4][1] == "sensors")
  }

  @Test("in the directory of encircle.yaml, its paths stay relative, as CI systems need them")
  func relativePaths() throws {
    let folder = try project("rules: [Rules, other.yaml]\ncaptures: Captures\n")
    defer { folder.remove() }
    let config = try Tool.run(["config"], in: folder.url).text
    #expect(config.contains("--rules       Rules\n--rules       other.yaml\n--captures    Captures\n"), "\(config)")
    try folder.write("other.yaml", "version: 1\nrules: [{ id: b, include: { event: x }, to: 2020-01-01 }]\n")
    let annotations = try Tool.run(["check", "--format", "github"], in: folder.url).text
    #expect(annotations.contains("file=other.yaml,line=2,"), "\(annotations)")
    try folder.write(
      "Rules/a.test.yaml", "version: 1\ntests: [{ name: t, event: { event: x }, expect: { selected: true } }]\n")
    let report = try Tool.run(["test", "--format", "junit"], in: folder.url).text
    #expect(report.contains(#"file="Rules/a.test.yaml""#), "\(report)")
  }

  @Test("match, explain, check and test need no --rules in a project; options override the defaults")
  func commands() throws {
    let folder = try project("rules: Rules\n")
    defer { folder.remove() }
    func run(_ line: String) throws -> ToolResult {
      try Tool.run(line.split(separator: " ").map(String.init), in: below(folder))
    }
    #expect(try run("match events.ndjson").text.contains(#""rules":["a"]"#))
    #expect(try run("match --rules ../../other.yaml events.ndjson").text.contains(#""rules":["b"]"#))
    #expect(try run("explain --event events.ndjson").text.hasPrefix("selected as a\n"))
    #expect(try run("check").errors.hasSuffix("no findings\n"))
    #expect(try run("test").errors.contains("there are no tests"))
  }

  @Test("resolve, select and suggest take the style of the project, unless they are given one")
  func style() throws {
    let folder = try project("style: sensors\n")
    defer { folder.remove() }
    let capture = PackageFolder.viewTrees.appendingPathComponent("home-feed.xml").path
    for arguments in [["resolve", capture], ["select", "ProductCell", capture], ["suggest", capture, "35"]] {
      let options = arguments + ["--format", arguments[0] == "suggest" ? "json" : "ndjson"]
      let text = try Tool.run(options, in: below(folder)).text
      #expect(text == (try Tool.run(options + ["--style", "sensors"], in: below(folder)).text))
      #expect(text != (try Tool.run(options + ["--style", "hubbledata"], in: below(folder)).text))
    }
  }

  @Test("convert and path look into the captures of the project for paths that need them")
  func elements() throws {
    let cart = PackageFolder.viewTrees.appendingPathComponent("cart.xml").path
    let folder = try project("captures: [Captures, \"\(cart)\"]\n")
    defer { folder.remove() }
    try folder.write("Captures/shop.xml", viewTree("<view class='UIWindow'><view class='Shop_Button'/></view>"))
    let path = "UIWindow(0)_Shop_Button"
    #expect(try Tool.run(["path", path]).status == 65)
    let read = try Tool.run(["path", path], in: below(folder))
    #expect(read.status == 0 && read.text.hasPrefix("UIWindow(0)/Shop_Button\n"), "\(read.errors)")
    let views = "UITransitionView(0)_UIDropShadowView(0)_UILayoutContainerView(0)_UINavigationTransitionView(0)"
    let row = "CartRowCell(section:0 row:2)_UITableViewCellContentView(0)_UISwitch(0)"
    let toggle = "UIWindow(0)_\(views)_UIViewControllerWrapperView(0)_UIView(0)_UITableView(0)_\(row)"
    let arguments = ["convert", "--from", "hubbledata", "--to", "sensors"]
    #expect(try Tool.run(arguments + [toggle]).status == 1)
    let converted = try Tool.run(arguments + [toggle], in: below(folder))
    #expect(
      converted.text == "UIView/UITableView[0]/CartRowCell[0][-]/UITableViewCellContentView[0]/UISwitch[0]\n",
      "\(converted.errors)")
    let unknown = try Tool.run(arguments + ["UIWindow(0)_UIView(0)"], in: below(folder))
    #expect(unknown.status == 1 && unknown.errors.contains("no element has this path"), "\(unknown.errors)")
  }

  @Test(
    "diff compares captures from a pipe in a project that has captures, too, and refuses captures for event IDs then")
  func comparedCaptures() throws {
    let folder = try project("captures: [Captures]\n")
    defer { folder.remove() }
    let old = Array(viewTree("<view class='UIWindow' controller='Home'/>").utf8)
    let result = try Tool.run(["diff", "-", "Captures/home.xml"], in: folder.url, input: old)
    #expect(result.text == "<stdin> → Captures/home.xml: 1 element as it was\n", "\(result.errors)")
    let refused = try Tool.run(["diff", "Captures", "Captures", "--dictionary", "none"], in: folder.url)
    #expect(refused.status == 64, "\(refused.text)")
    #expect(refused.errors.contains("--captures and --dictionary are for two rule sets, and Captures has captures."))
  }

  @Test("encircle.yaml is not taken for a rule file, even in a directory of rules")
  func noRules() throws {
    let folder = try project("rules: Rules\n")
    defer { folder.remove() }
    #expect(try Tool.run(["check", "."], in: folder.url).status == 0)
  }

  @Test(
    "a mistake in encircle.yaml is reported with its place",
    arguments: [
      ("ruls: a\n", ":1:1: error: unknown key 'ruls' in encircle.yaml; did you mean 'rules'?"),
      ("rules: a\nstyle: sensor\n", ":2:8: error: unknown path style 'sensor'"),
      ("- a\n", ":1:1: error: expected encircle.yaml"),
      ("rules: []\n", ":1:8: error: the list of rule files is empty"),
      ("rules: \"a", ":1:8: error: this quote is never closed"),
    ])
  func mistakes(text: String, message: String) throws {
    let folder = try project(text)
    defer { folder.remove() }
    for command in ["config", "match"] {
      let result = try Tool.run([command], in: below(folder))
      #expect(result.errors.contains("encircle.yaml" + message) && result.status == 65)
    }
  }

  @Test(
    "a directory, a pipe or a broken link in place of encircle.yaml is an error",
    arguments: [
      ("mkdir encircle.yaml", "is not a regular file"), ("mkfifo encircle.yaml", "is not a regular file"),
      ("ln -s none encircle.yaml", "is a link to a file that does not exist"),
    ])
  func irregular(script: String, problem: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    _ = try Tool.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script], in: folder.url)
    for command in ["config", "match"] {
      let result = try Tool.run([command], in: folder.url)
      #expect(result.status == 74 && result.output.isEmpty, "\(result.errors)")
      #expect(result.errors.hasSuffix("encircle.yaml: error: \(problem)\n"), "\(result.errors)")
    }
  }

  @Test("a link to encircle.yaml is followed")
  func link() throws {
    let folder = try project("")
    defer { folder.remove() }
    try folder.write("defaults", "style: sensors\n")
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("encircle.yaml"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.appendingPathComponent("encircle.yaml").path, withDestinationPath: "defaults")
    #expect(try Tool.run(["config"], in: below(folder)).text.contains("sensors"))
  }

  @Test("without a file there are no defaults, and rules must be named")
  func none() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    #expect(try Tool.run(["config"], in: folder.url).text.hasPrefix("There is no encircle.yaml"))
    let result = try Tool.run(["match"], in: folder.url)
    #expect(
      result.status == 64 && result.errors.contains("Name the rules: '--rules <rules>', or 'rules' in encircle.yaml."))
  }

  @Test("a working directory that was removed has no defaults")
  func removed() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let tool = try #require(Tool.executable, "the tool has not been built")
    // The limit ends a search that would not end otherwise.
    let script = "ulimit -t 20; mkdir gone; cd gone; rmdir ../gone; exec \"$0\" config"
    let result = try Tool.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script, tool.path], in: folder.url)
    #expect(result.status == 0 && result.text.hasPrefix("There is no encircle.yaml"), "\(result.errors)")
  }

  @Test(
    "a file that is too large, or no text, is an error",
    arguments: [Array(repeating: 0x20, count: 70_000), [0xFF]] as [[UInt8]])
  func unreadable(bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("encircle.yaml", bytes)
    #expect(try Tool.run(["config"], in: folder.url).status == 65)
  }
}
