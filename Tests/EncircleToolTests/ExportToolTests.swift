import EncircleTestSupport
import Foundation
import Testing

/// `encircle export` on the command line.
@Suite struct ExportToolTests {
  private static let rules = """
    version: 1
    style: posthog
    rules:
      - { id: paid, include: { event: paid }, emit: '../paid' }
      - { id: tap, include: { event: $autocapture, selector: UIButton } }
      - { id: empty, include: { event: e, where: { p: { exists: true } } } }
      - { id: old, include: { event: e }, to: 2026-01-01 }

    """

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("rules.yaml", rules)
    return folder
  }

  private static func export(_ arguments: [String], in folder: TemporaryFolder) throws -> ToolResult {
    try Tool.run(["export"] + arguments + ["--rules", "rules.yaml"], in: folder.url)
  }

  private static func files(_ folder: TemporaryFolder, _ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent(name).path).sorted()
  }

  @Test("an export reports what it lacks, with the command that explains it")
  func explained() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    let result = try Self.export(["sensors", "-o", "out"], in: folder)
    #expect(result.status == 64)
    #expect(result.errors.hasSuffix("See 'encircle export sensors --help' for more information.\n"), "\(result.errors)")
  }

  @Test(
    "output and exit status depend on what is allowed",
    arguments: [
      ([], 1, ["-.-paid.json", "empty.json"]), (["--allow", "wider"], 1, ["-.-paid.json", "empty.json", "tap.json"]),
      (["--allow", "refused"], 1, ["-.-paid.json", "empty.json"]),
      (["--allow", "wider", "--allow", "refused"], 0, ["-.-paid.json", "empty.json", "tap.json"]),
      (["--strict"], 1, ["-.-paid.json"]),
    ] as [([String], Int32, [String])])
  func allowed(arguments: [String], status: Int32, files: [String]) throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    let result = try Self.export(["posthog", "--output", "a/b"] + arguments, in: folder)
    #expect(result.status == status && result.errors.isEmpty, "\(result.text)\(result.errors)")
    #expect(try Self.files(folder, "a/b") == files)
    #expect(result.text.contains("old") && result.text.contains("rules.yaml:7:"), "\(result.text)")
  }

  @Test("the report has three formats, and its JSON follows the schema")
  func formats() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    let markdown = try Self.export(["posthog", "--format", "markdown"], in: folder)
    #expect(
      markdown.text.hasPrefix("### Export to posthog: 2 exported, 1 exported-wider, 1 refused; 2 files\n"),
      "\(markdown.text)")
    #expect(markdown.text.contains("| `tap` | action | exported-wider, left out | any-element `"))
    let json = try Self.export(["posthog", "--format", "json"], in: folder)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
    let file = PackageFolder.root.appendingPathComponent("docs/export.schema.json")
    let schema = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    try Self.check(object, schema, schema, "#")
    let rules = try #require(object["rules"] as? [[String: Any]])
    #expect(rules.map { $0["status"] as? String } == ["exported", "exported-wider", "exported", "refused"])
    let reason = try #require((rules[3]["reasons"] as? [[String: Any]])?.first)
    #expect(reason["code"] as? String == "time-limits" && reason["pointer"] as? String == "/to")
    #expect(reason["line"] as? Int == 7)
  }

  /// Checks the keys of a value, and the words of its enumerations, by a schema.
  private static func check(_ value: Any, _ schema: [String: Any], _ root: [String: Any], _ place: String) throws {
    var schema = schema
    if let name = (schema["$ref"] as? String)?.split(separator: "/").last {
      schema = try #require((root["definitions"] as? [String: [String: Any]])?[String(name)])
    }
    if let words = schema["enum"] as? [String] { #expect(words.contains("\(value)"), "\(place): \(value)") }
    if let items = schema["items"] as? [String: Any] {
      for item in try #require(value as? [Any]) { try check(item, items, root, place + "/items") }
    }
    guard let properties = schema["properties"] as? [String: [String: Any]] else { return }
    let object = try #require(value as? [String: Any])
    for key in schema["required"] as? [String] ?? [] { #expect(object[key] != nil, "\(place): no \(key)") }
    for (key, member) in object {
      try check(member, try #require(properties[key], "\(place): unknown \(key)"), root, "\(place)/\(key)")
    }
  }

  @Test("senseless options are refused, and an unwritable file is an error")
  func usage() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    for (arguments, status, message) in [
      (["posthog", "--strict", "--allow", "wider"], 64, "contradict"), (["sensors"], 64, "--app"),
      (["posthog", "--allow", "more"], 64, "more"), (["sensors", "--app", "a", "--platform", "linux"], 64, "linux"),
      (["posthog", "--output", "rules.yaml/x"], 74, "no directory"),
    ] as [([String], Int32, String)] {
      let result = try Self.export(arguments, in: folder)
      #expect(result.status == status && result.errors.contains(message), "\(result.status) \(result.errors)")
    }
  }
}
