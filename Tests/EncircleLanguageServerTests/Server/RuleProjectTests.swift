import EncircleRules
import EncircleText
import Foundation
import Testing

@testable import EncircleLanguageServer

@Suite struct RuleProjectTests {
  @Test(arguments: [
    ("rules:\n- id: a\n", true), ("version: 1\nrules: []\n", true), ("version: 1\nrules: []\nother: 1\n", true),
    (#"{"name": "x", "version": "1.0.0", "dependencies": {}}"#, false), (#"{"version": 1}"#, false),
    (#"{"compilerOptions": {}, "include": ["src"]}"#, false), ("- hosts: all\n  tasks: []\n", false), ("", false),
    ("[1, 2]", false),
    ("// options\n{\n  // strict\n  \"compilerOptions\": { \"strict\": true },\n  \"include\": [\"src\"]\n}\n", false),
    ("checks:\n  project: true\n", false), ("codecov: {}\nchecks:\n  project: true\n", false),
    ("rules:\n  - id: x\n    languages: [ swift ]\n    message: m\n    pattern: p\n", false),
    (#"{"rules": {"no-var": true, "eqeqeq": "error"}}"#, false), ("version: '3.8'\nservices: {}\n", false),
    ("version: 2\nchecks: { a: b }\n", false), (#"{"name": "app", "version": "1.0.0", "rules": []}"#, false),
    ("rules:\n  - id: x\n    include: { page: A }\n", true), ("version: 1\ntests: []\n", true),
    (#"{"version": 1, "rules": []}"#, true), ("app: com.example\nrules: []\n", true),
  ])
  func `rules have a key that only they have beside version`(text: String, isRules: Bool) {
    #expect(RuleFileText.looksLikeRules(text) == isRules)
  }

  @Test func `a file behind a link is read again when it has changed`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let rules = folder.appendingPathComponent("Rules")
    try FileManager.default.createDirectory(at: rules, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("shop")
    try FileManager.default.createSymbolicLink(at: rules.appendingPathComponent("a.yaml"), withDestinationURL: file)
    let project = RuleProject(1, roots: [rules.path], takesAll: false)
    for id in ["old", "newer"] {
      try Data("version: 1\nrules: [{ id: \(id), include: { page: A } }]\n".utf8).write(to: file)
      project.list([:])
      project.load([:])
      #expect(project.lastRules.rules.map(\.id.text) == [id])
    }
  }

  @Test(arguments: [["shop", "shop/ios", "web"], ["shop/ios", "shop", "shop", "web"]])
  func `rules of a folder inside another one are listed once`(folders: [String]) throws {
    func rule(_ id: String) -> String { "version: 1\nrules:\n  - { id: \(id), include: { event: x } }\n" }
    let client = try TestClient(
      files: ["shop/a.yaml": rule("a"), "shop/ios/b.yaml": rule("b"), "web/c.yaml": rule("c")], folders: folders)
    client.settle()
    let symbols = try client.request("workspace/symbol", #"{"query":""}"#) as? [[String: Any]]
    #expect(symbols?.compactMap { $0["name"] as? String } == ["a", "b", "c"])
  }

  @Test(arguments: ["shop/.analytics", "shop/node_modules/rules"])
  func `a folder that the one around it leaves out is a rule set of its own`(inner: String) throws {
    func rule(_ id: String) -> String { "version: 1\nrules:\n  - { id: \(id), include: { event: x } }\n" }
    let client = try TestClient(
      files: ["shop/a.yaml": rule("a"), "\(inner)/b.yaml": rule("b")], folders: ["shop", inner])
    client.settle()
    let symbols = try client.request("workspace/symbol", #"{"query":""}"#) as? [[String: Any]]
    #expect(symbols?.compactMap { $0["name"] as? String } == ["a", "b"])
  }

  @Test func `files are listed in a folder inside another one, but not behind a link to a folder`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let ios = folder.appendingPathComponent("ios")
    let link = folder.appendingPathComponent("link")
    try FileManager.default.createDirectory(at: ios, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: ios)
    #expect(FileList.reaches(ios.path, from: folder.path) && !FileList.reaches(link.path, from: folder.path))
    #expect(!FileList.reaches(folder.path, from: folder.path) && !FileList.reaches(folder.path, from: ios.path))
  }

  @Test func `files that are not rules stay out of a project, even when it is listed again`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in [
      "rules.yaml": "version: 1\nrules: []\n", "package.json": #"{"name": "x", "version": "1.0.0"}"#,
      "playbook.yml": "- hosts: all\n", "values.yaml": "image: x\n",
    ] { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
    let project = RuleProject(1, roots: [folder.path], takesAll: false)
    for _ in 1...3 {
      project.list([:])
      #expect(project.ruleFiles.map { $0.split(separator: "/").last } == ["rules.yaml"])
      project.load([:])
      #expect(project.problems.isEmpty)
    }
  }
}
