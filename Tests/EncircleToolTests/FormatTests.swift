import EncircleTestSupport
import Foundation
import Testing

/// `encircle fmt`, as a process.
@Suite struct FormatTests {
  private static let messy = """
    rules:
    - include: {event: "a"}   # why
      id: b
    version: 1
    """
  private static let tidy = """
    version: 1
    rules:
      - id: b
        include: { event: a } # why

    """

  @Test("files are formatted in place, changed ones are listed, and a second run changes nothing")
  func inPlace() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("rules/a.yaml", Self.messy)
    try folder.write("rules/sub/b.json", #"{"rules": [], "version": 1}"#)
    try folder.write("rules/c.yml", Self.tidy)
    try folder.write("rules/a.test.yaml", "tests: []\nversion: 1\n")
    try folder.write("rules/notes.txt", "a:   1")
    let result = try Tool.run(["fmt", "rules"], in: folder.url)
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.text == "rules/a.test.yaml\nrules/a.yaml\nrules/sub/b.json\n")
    #expect(try folder.text("rules/a.yaml") == Self.tidy)
    #expect(try folder.text("rules/sub/b.json") == "{\n  \"version\": 1,\n  \"rules\": []\n}\n")
    #expect(try folder.text("rules/a.test.yaml") == "version: 1\ntests: []\n")
    #expect(try folder.text("rules/notes.txt") == "a:   1")
    let again = try Tool.run(["fmt", "rules"], in: folder.url)
    #expect(again.status == 0 && again.text.isEmpty && again.errors.isEmpty)
    let check = try Tool.run(["fmt", "--check", "rules"], in: folder.url)
    #expect(check.status == 0 && check.text.isEmpty && check.errors.isEmpty)
  }

  @Test("--check changes nothing, lists what would change and exits with 1")
  func check() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("a.yaml", Self.messy)
    try folder.write("b.yaml", Self.tidy)
    let result = try Tool.run(["fmt", "--check", "a.yaml", "b.yaml"], in: folder.url)
    #expect(result.status == 1)
    #expect(result.text == "a.yaml\n")
    #expect(result.errors == "1 file is not formatted\n")
    #expect(try folder.text("a.yaml") == Self.messy)
    let input = try Tool.run(["fmt", "--check", "-"], in: folder.url, input: Array(Self.messy.utf8))
    #expect(input.status == 1 && input.text == "<stdin>\n")
  }

  @Test("- reads standard input and writes to standard output")
  func standardInput() throws {
    let result = try Tool.run(["fmt", "-"], input: Array(Self.messy.utf8))
    #expect(result.status == 0 && result.text == Self.tidy && result.errors.isEmpty)
  }

  @Test("a pipe in a directory is an error and is not waited for")
  func pipe() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("a.yaml", Self.messy)
    #expect(mkfifo(folder.url.appendingPathComponent("b.yaml").path, 0o600) == 0)
    let result = try Tool.run(["fmt", "."], in: folder.url)
    #expect(result.status == 65 && result.text == "./a.yaml\n", "\(result.text)")
    #expect(result.errors == "./b.yaml: error: is not a regular file\n")
  }

  @Test("a named pipe is not changed in place, and is not waited for")
  func namedPipe() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    #expect(mkfifo(folder.url.appendingPathComponent("b.yaml").path, 0o600) == 0)
    let result = try Tool.run(["fmt", "b.yaml"], in: folder.url)
    #expect(result.status == 65 && result.text.isEmpty, "\(result.text)")
    #expect(result.errors == "b.yaml: error: is not a regular file, and cannot be changed in place\n")
  }

  @Test("a named pipe can be checked, and is read once", arguments: ["--check", "--diff"])
  func checkedPipe(option: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let tool = try #require(Tool.executable, "the tool has not been built")
    let script = "mkfifo b.yaml; printf 'rules: []\\nversion: 1' >b.yaml & \"$0\" fmt \(option) b.yaml"
    let result = try Tool.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script, tool.path], in: folder.url)
    #expect(result.status == 1 && result.errors == "1 file is not formatted\n", "\(result.errors)")
  }

  @Test("links stay links, and files keep their modes")
  func links() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let target = try folder.write("target", Self.messy)
    let link = folder.url.appendingPathComponent("a.yaml")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target.path)
    #expect(try Tool.run(["fmt", "a.yaml"], in: folder.url).status == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == target.path)
    #expect(try folder.text("target") == Self.tidy)
    let mode = try FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
  }

  @Test("a file that cannot be formatted is reported with its place and stays as it is; the others are formatted")
  func errors() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("a.yaml", "a: [1\n")
    try folder.write("b.yaml", [0xFF, 0x0A])
    try folder.write("c.yaml", Self.messy)
    try folder.write("d.yaml", gzip(Array(Self.messy.utf8)))
    try folder.write("e.yaml", "rules:\n  - {id: x, odd: 1}\n")
    let result = try Tool.run(["fmt", "."], in: folder.url)
    #expect(result.status == 65)
    #expect(result.text == "./c.yaml\n./e.yaml\n")
    #expect(result.errors.hasPrefix("./a.yaml:2:1: error: expected "))
    #expect(result.errors.contains("./b.yaml:1:1: error: the text is not valid UTF-8: save it as UTF-8\n"))
    #expect(result.errors.contains("./d.yaml: error: a compressed file cannot be changed in place\n"))
    #expect(try folder.text("a.yaml") == "a: [1\n")
    #expect(try folder.text("c.yaml") == Self.tidy)
    #expect(try folder.text("e.yaml") == "rules:\n  - { id: x, odd: 1 }\n")
  }

  @Test(
    "the exit status says how it went",
    arguments: [
      (["missing.yaml"], 66, "missing.yaml: error: no such file or directory\n"), ([], 64, "Missing expected argument"),
      (["empty"], 66, "empty: error: the directory has no rule files (*.yaml, *.yml, *.json)\n"),
    ] as [([String], Int32, String)])
  func status(arguments: [String], expected: Int32, message: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("empty/notes.txt", "")
    let result = try Tool.run(["fmt"] + arguments, in: folder.url)
    #expect(result.status == expected)
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}
