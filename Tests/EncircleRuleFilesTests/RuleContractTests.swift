import EncircleRuleFiles
import EncircleRules
import EncircleText
import Foundation
import Testing

@Suite("What rules may say")
struct RuleContractTests {
  private func problems(_ text: String) throws -> [String] {
    do throws(RuleFileErrors) {
      _ = try RuleFiles(text: text, name: "a.yaml").ruleSet()
      return []
    } catch {
      return error.diagnostics.map { "\($0.location?.description ?? "") \($0.message)" }
    }
  }

  @Test(
    "Names of pages and events are texts, however they are written",
    arguments: [
      "5", "'5'", "{ equals: 5 }", "{ equals: '5' }", "[5]", "{ in: [5] }", "{ not: { not: 5 } }",
      "{ not: { not: [5] } }",
    ])
  func names(written: String) throws {
    func holds(_ field: String, _ json: String) throws -> Bool {
      let rules = "version: 1\nrules: [ { id: a, include: { \(field): \(written) } } ]"
      return try Matcher(RuleFiles(text: rules).ruleSet()).decide([try .init(json: json)])[0].isSelected
    }
    #expect(try holds("page", #"{"properties":{"$screen_name":"5"}}"#))
    #expect(try !holds("page", #"{"properties":{"$screen_name":5}}"#))
    #expect(try holds("event", #"{"event":"5"}"#))
  }

  @Test("A name that is null is an error")
  func nullName() throws {
    #expect(
      try problems("version: 1\nrules: [ { id: a, include: { page: { equals: null } } } ]")
        == ["2:46 expected a name"])
  }

  @Test("Classes of the system keep their superclasses")
  func systemClasses() throws {
    let text = "version: 1\nclasses:\n  UIButton: UIControl\n  MyButton: UIButton\n  UILabel: UIButton\n"
    #expect(
      try problems(text)
        == ["5:3 UILabel is a class of the system, whose superclass is UIView: rules cannot give it another one"])
  }

  @Test("The number of a class's superclasses is limited, in any order of classes", arguments: [false, true])
  func deepClasses(isReversed: Bool) throws {
    func text(_ count: Int) -> String {
      let lines = (0..<count).map { "  C\($0): C\($0 + 1)\n" }
      return "version: 1\nclasses:\n" + (isReversed ? lines.reversed() : lines).joined()
    }
    #expect(try problems(text(128)) == [])
    let found = try problems(text(20_000))
    #expect(found.count == 1)
    #expect(found[0].contains("some class would have more than 128 superclasses"))
  }

  @Test(
    "Brackets that the style of the rules never writes are an error",
    arguments: [
      ("sensors", "A[-][-]", 37), ("sensors", "A[*][-]", 37), ("sensors", "B/A[0...2][-]", 40), ("sensors", "A[x]", 37),
      ("sensors", "A[3](1)", 37), ("sensors", "'A[1'", 37), ("sensors-exact", "*/A[]", 40),
      ("hubbledata-android", "A[0][1]", 37),
    ])
  func brackets(style: String, selector: String, column: Int) throws {
    let found = try problems(
      "version: 1\nstyle: \(style)\nrules: [ { id: a, include: { selector: \"\(selector)\" } } ]")
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix(
        "3:\(column + 3) in the selector: style '\(style)' has no component of this form; expected")
        == true, "\(found)")
  }

  @Test(
    "Brackets that the style writes are read",
    arguments: [
      ("sensors", "A[3]"), ("sensors", "A[-]"), ("sensors", "A[0][3]/B"), ("sensors", "A*[0][-]"), ("sensors", "*[3]"),
      ("hubbledata-android", "A[0]#id"),
      ("hubbledata-android", "'A[header:0]'"), ("hubbledata-android", "A[-]"), ("sensors", "[SectionHeader][0]/B"),
      ("hubbledata", "A[x]"),
    ])
  func goodBrackets(style: String, selector: String) throws {
    #expect(
      try problems("version: 1\nstyle: \(style)\nrules: [ { id: a, include: { selector: \"\(selector)\" } } ]") == [])
  }

  @Test("An identity whose path may be read in two ways is an error under sameKind")
  func ambiguousIdentity() throws {
    let identity = "path(UIWindow(0)_Foo_Bar(section:0 row:1))"
    func rule(_ more: String) -> String {
      "rules: [ { id: a, include: { identity: '\(identity)' }\(more) } ]\nversion: 1\n"
    }
    #expect(try problems(rule("")) == [])
    let found = try problems(rule(", sameKind: true"))
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("1:40 'sameKind' needs the path of the identity, which may be read as UIWindow(0)/"))
    #expect(try problems(rule(", sameKind: true") + "classes: { Foo: UIView, Bar: UIView }") == [])
    #expect(
      try problems(
        "version: 1\nrules: [ { id: a, include: { identity: 'path()' }, sameKind: true } ]")[0]
        .contains("which cannot be read"))
  }

  @Test("The regular expressions of all files together have a budget, which names the one that exceeds it")
  func expressions() throws {
    let heavy = (0..<2_000).map {
      "  - { id: r\($0), include: { where: { a: { matches: '(x\($0).{1,30}[a-z]{1,30}){1,20}' } } } }\n"
    }
    let found = try problems("version: 1\nrules:\n" + heavy.joined())
    #expect(found.count == 1)
    #expect(found[0].contains("larger than the limit of 2000000 instructions"))
    let light = (0..<2_000).map { "  - { id: r\($0), include: { where: { a: { matches: '^x\($0).*y$' } } } }\n" }
    #expect(try problems("version: 1\nrules:\n" + light.joined()) == [])
  }

  @Test("Equal regular expressions count once, however many rules have them; one that ignores case is another")
  func equalExpressions() throws {
    func rules(_ expressions: [String]) -> String {
      let lines = expressions.enumerated().map { "  - { id: r\($0), include: { where: { a: { \($1) } } } }\n" }
      return "version: 1\nrules:\n" + lines.joined()
    }
    let heavy = "matches: '(x.{1,30}[a-z]{1,30}){1,20}'"
    let both = [heavy, heavy + ", fold: true"]
    #expect(try problems(rules((0..<1_000).map { both[$0 % 2] })) == [])
    let limit = try RegularExpression("(x.{1,30}[a-z]{1,30}){1,20}").size
    let files = RuleFiles(text: rules(both))
    #expect(throws: RuleFileErrors.self) { try files.ruleSet(expressionLimit: limit) }
    #expect(try RuleFiles(text: rules([heavy, heavy])).ruleSet(expressionLimit: limit).rules.count == 2)
  }

  @Test("The length of expressions and of version ranges is limited")
  func longTests() throws {
    func test(_ test: String) -> String { "version: 1\nrules: [ { id: a, include: { where: { a: { \(test) } } } } ]" }
    #expect(
      try problems(test("matches: '" + String(repeating: "a", count: 65_537) + "'"))[0].contains("at most 65536 bytes"))
    #expect(
      try problems(test("version: '" + (0..<300).map { ">=\($0)" }.joined(separator: " ") + "'"))[0]
        .contains("a range of versions is at most 1024 bytes long"))
  }

  @Test("A pipe in a directory of rules is an error and is not waited for")
  func pipe() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try "version: 1\n".write(to: folder.appendingPathComponent("a.yaml"), atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("c.yaml"), withDestinationURL: folder.appendingPathComponent("a.yaml"))
    #expect(try RuleFiles([folder.path]).ruleSet().rules.isEmpty)
    #expect(mkfifo(folder.appendingPathComponent("b.yaml").path, 0o600) == 0)
    let error = try #require(throws: RuleFileErrors.self) { try RuleFiles([folder.path]).ruleSet() }
    #expect(error.diagnostics.map(\.message) == ["is not a regular file"])
  }

  @Test(
    "A folder in a directory of rules that cannot be listed is an error",
    .enabled(if: geteuid() != 0, "root may list anything"))
  func closedFolder() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let closed = folder.appendingPathComponent("closed")
    try FileManager.default.createDirectory(at: closed, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try "version: 1\n".write(to: folder.appendingPathComponent("a.yaml"), atomically: true, encoding: .utf8)
    #expect(try RuleFiles([folder.path]).ruleSet().rules.isEmpty)
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed.path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: closed.path) }
    let error = try #require(throws: RuleFileErrors.self) { try RuleFiles([folder.path]).ruleSet() }
    #expect(error.diagnostics.map(\.message) == ["cannot be listed"])
  }

  @Test("A link to a directory of rules is the directory, and a link in it to another one is not followed")
  func linkedFolder() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let release = folder.appendingPathComponent("releases/1")
    let current = folder.appendingPathComponent("current")
    try FileManager.default.createDirectory(at: release, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try "version: 1\nrules: [{ id: a, include: { event: x } }]\n".write(
      to: release.appendingPathComponent("a.yaml"), atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(
      at: release.appendingPathComponent("itself"), withDestinationURL: release)
    try FileManager.default.createSymbolicLink(at: current, withDestinationURL: release)
    let files = RuleFiles([current.path])
    #expect(try files.ruleSet().rules.count == 1)
    #expect(files.names == [current.path + "/a.yaml"])
  }

  @Test("A link to nothing in a directory of rules is an error that says so")
  func danglingLink() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("a.yaml"), withDestinationURL: folder.appendingPathComponent("none.yaml"))
    let error = try #require(throws: RuleFileErrors.self) { try RuleFiles([folder.path]).ruleSet() }
    #expect(error.diagnostics.map(\.message) == ["is a link to a file that does not exist"])
  }
}
