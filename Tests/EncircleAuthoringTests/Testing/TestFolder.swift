import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import Foundation

/// A folder with rules, a capture, events and a test file.
struct TestFolder {
  let url: URL

  static let rules = """
    version: 1
    classes: { FancyCell: UITableViewCell }
    pages: { exclude: Login }
    rules:
      - id: add
        include: { page: Home, selector: UITableView/:UITableViewCell/UIButton(0) }
        emit: added
      - id: any
        include: { event: $AppClick }
        unless: { where: { silent: true } }
      - id: no
        exclude: { where: { tester: true } }
      - id: off
        enabled: false
        include: { event: $AppClick }
    """

  private static let capture = """
    <viewTree version="1" app="shop" appVersion="5.2">
      <view class="UIWindow">
        <view class="UITableView" controller="Home">
          <view class="FancyCell" indexPath="0 0"><view class="UIButton" title="Add"/><view class="UIButton"/></view>
          <view class="FancyCell" indexPath="0 1"><view class="UIButton" title="Add"/></view>
        </view>
      </view>
    </viewTree>
    """

  // Line 3 is a start, line 4 a click.
  private static let session = """
    {"action":"config"}
    {"time":1,"uptime":1,"action":"launch"}
    {"time":2,"uptime":2,"action":"init"}
    {"time":3,"uptime":3,"action":"tap","capture":"home.xml","element":3}

    """

  init(_ tests: String, rules: String = Self.rules) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try write("rules.yaml", rules)
    try write("rules.test.yaml", tests)
    try write("home.xml", Self.capture)
    try write("events.ndjson", "{\"event\":\"$AppClick\"}\n\nno event\n{\"event\":\"$AppStart\"}\n")
    try write("taps.ndjson", "{\"event\":\"$AppClick\"}\n\n{\"event\":\"$AppStart\"}\n")
    try write("s.session.ndjson", Self.session)
    try write("wrong.session.ndjson", "{\"action\":\"config\"}\n{\"uptime\":1,\"action\":\"launch\"}\n")
  }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func remove() { try? FileManager.default.removeItem(at: url) }

  func ruleSet() throws -> RuleSet { try RuleFiles([path("rules.yaml")]).ruleSet() }

  /// Reads the test file.
  func file(checksRules: Bool = true) throws -> RuleTestFile {
    let paths = RuleTestFiles.paths(besides: [path("rules.yaml")])
    return try RuleTestFiles(paths, for: ruleSet(), checksRules: checksRules).files[0]
  }

  func results() throws -> [TestResult] {
    var runner = RuleTestRunner(try ruleSet())
    return runner.run(try file())
  }

  /// Returns the problems of a test file, without the folder in their texts.
  static func problems(_ tests: String) throws -> [String] {
    let folder = try TestFolder(tests)
    defer { folder.remove() }
    do {
      _ = try folder.file()
      return []
    } catch let error as RuleFileErrors {
      let prefix = folder.url.path + "/"
      return error.diagnostics.map { diagnostic in
        let text = diagnostic.description.split(separator: "\n").first.map(String.init) ?? ""
        return text.replacingOccurrences(of: prefix, with: "")
      }
    }
  }
}
