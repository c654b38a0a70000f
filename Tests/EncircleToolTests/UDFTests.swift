import EncircleTestSupport
import Foundation
import Testing

@Suite struct UDFTests {
  /// A folder with the shipped rules as version v1.
  private func rulesFolder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let rules = PackageFolder.root.appendingPathComponent("Rules").path
    let result = try Tool.run(["compile", rules, "-o", "v1.rules"], in: folder.url)
    try #require(result.status == 0, "\(result.errors)")
    return folder
  }

  @Test("the shipped events get the same decisions as from match")
  func sameAsMatch() throws {
    let folder = try rulesFolder()
    defer { folder.remove() }
    let events = PackageFolder.root.appendingPathComponent("Rules/events/shop.ndjson")
    let lines = String(decoding: try PackageFolder.bytes(events), as: UTF8.self).split(separator: "\n")
    let rows = lines.map { "v1\t\($0)\n" }.joined()
    let decided = try Tool.run(
      ["udf", "--rules", ".", "--format", "TSVRaw", "--columns", "json"], in: folder.url, input: Array(rows.utf8))
    let matched = try Tool.run(["match", "--rules", "v1.rules", events.path], in: folder.url)
    #expect(decided.status == 0)
    let expected = try matched.lines.map { line in
      let decision = try JSONDecoder().decode(MatchLine.self, from: Data(line.utf8))
      let lists = [decision.rules, decision.emit, decision.excluded_by, decision.pages ?? []].map { list in
        "[\(list.map { "'\($0)'" }.joined(separator: ","))]"
      }
      return "(\(lists.joined(separator: ",")),\(decision.selected ? 1 : 0),'v1','')"
    }
    #expect(decided.lines.map(String.init) == expected)
    #expect(expected.count == lines.count)
  }

  private struct MatchLine: Decodable {
    var rules, emit, excluded_by: [String]
    var pages: [String]?
    var selected: Bool
  }

  @Test("a row is answered before the next one comes")
  func unbuffered() throws {
    let folder = try rulesFolder()
    defer { folder.remove() }
    // From a shell: Foundation takes a program that closes its descriptors for one that has ended, and waits for it.
    let script = """
      mkfifo rows
      : >answers
      "$0" udf --rules . --format JSONEachRow --columns json <rows >>answers & exec 8>rows
      for number in 1 2 3; do
        printf '{"rules_version":"v%s","json":"{}"}\\n' $number >&8
        tries=0
        while [ "$(grep -c . answers)" -lt $number ] && [ $tries -lt 3000 ]; do sleep 0.02; tries=$((tries + 1)); done
        grep -c . answers
      done
      exec 8>&-
      wait $!
      """
    let result = try runShell(script, in: folder)
    #expect(result.lines == ["1", "2", "3"])
    #expect(result.status == 0)
  }

  /// Runs a script with the tool as `$0`.
  private func runShell(_ script: String, in folder: TemporaryFolder) throws -> ToolResult {
    let tool = try #require(Tool.executable, "the tool has not been built")
    return try Tool.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script, tool.path], in: folder.url)
  }

  @Test("descriptors that the program inherits are closed, so that their other ends see the end")
  func inheritedDescriptors() throws {
    let folder = try rulesFolder()
    defer { folder.remove() }
    // The reader of the pipe waits for the program, which inherits the other end as 7 and waits for rows.
    let script = """
      mkfifo rows pipe
      "$0" udf --rules . <rows 7>pipe & exec 8>rows
      cat pipe && echo "seen the end"
      exec 8>&-
      wait $!
      """
    let result = try runShell(script, in: folder)
    #expect(result.text == "seen the end\n")
    #expect(result.status == 0)
  }

  @Test("an answer says that elements cannot be read, and standard error says why")
  func unreadableElements() throws {
    let folder = try rulesFolder()
    defer { folder.remove() }
    for option in ["--dictionary", "--captures"] {
      let result = try Tool.run(
        ["udf", "--rules", ".", "--format", "TSVRaw", "--columns", "json", option, "none"], in: folder.url,
        input: Array("v1\t{}\n".utf8))
      let problem = "the captures or the dictionary cannot be read; standard error has the reason"
      #expect(result.text == "([],[],[],[],0,'v1','rules_version v1: ./v1.rules: \(problem)')\n")
      #expect(result.errors.hasPrefix("none: error: no such file"), "\(result.errors)")
    }
  }

  @Test("the definition for ClickHouse names what the function knows elements by")
  func definition() throws {
    let arguments = ["udf", "--config", "--rules", "/r", "--captures", "/screens", "--dictionary"]
    let result = try Tool.run(arguments + ["/app.dictionary"])
    let command = "udf --rules /r --format RowBinary --captures /screens --dictionary /app.dictionary</command>"
    #expect(result.text.contains(command), "\(result.text)")
    let spaced = try Tool.run(arguments + ["/my app.dictionary"])
    #expect(spaced.status == 64 && spaced.errors.contains("'/my app.dictionary'"), "\(spaced.errors)")
  }

  @Test("the definition for ClickHouse has absolute paths, also of what encircle.yaml names")
  func absolutePaths() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let place = folder.url.resolvingSymlinksInPath().path
    try folder.write("encircle.yaml", "captures: screens\n")
    let result = try Tool.run(
      ["udf", "--config", "--rules", "r", "--dictionary", "d", "--controllers", "c.txt"], in: folder.url)
    let words = [
      "--rules \(place)/r", "--format RowBinary", "--captures \(place)/screens", "--dictionary \(place)/d",
      "--controllers \(place)/c.txt<",
    ]
    #expect(result.text.contains(words.joined(separator: " ")), "\(result.text)\(result.errors)")
  }

  @Test("the definition for ClickHouse says how the captures are to be read")
  func definitionWithFormats() throws {
    let arguments = ["udf", "--config", "--rules", "/r", "--captures", "/screens", "--page"]
    let formats = ["--input-format", "uiautomator", "--encoding", "GB18030", "--controllers", "/c.txt"]
    let result = try Tool.run(arguments + [".MainActivity"] + formats)
    let words =
      "--captures /screens --input-format uiautomator --encoding GB18030 --page .MainActivity --controllers /c.txt<"
    #expect(result.text.contains(words), "\(result.text)\(result.errors)")
    let spaced = try Tool.run(arguments + ["/my page"])
    #expect(spaced.status == 64 && spaced.errors.contains("'/my page'"), "\(spaced.errors)")
  }

  @Test("input without rows of the declared types ends with the row and status 65")
  func malformed() throws {
    let folder = try rulesFolder()
    defer { folder.remove() }
    let result = try Tool.run(
      ["udf", "--rules", ".", "--columns", "page"], in: folder.url, input: [2, 0x76, 0x31, 9, 9])
    #expect(
      result.errors
        == "encircle udf: error: row 1: column page is not of its type; does the function have other types than it was declared with?\n"
    )
    #expect(result.status == 65)
  }

  @Test(
    "wrong options are usage errors that say what is right",
    arguments: [
      ("--columns page,page", "the column page occurs twice"),
      ("--columns json,page", "json is the whole event: no other column can be combined with it"),
      ("--columns paeg", "There is no column 'paeg'"),
      ("--format CSV", "RowBinary, TSVRaw"),
      ("--format TSVRaw", "TSVRaw has no column 'properties'; use properties_json"),
      ("--versions 0", "a number from 1 to 1000"), ("--name f", "--name goes with --config"),
      ("--config --name 1f", "begins with no digit"),
    ])
  func usage(options: String, message: String) throws {
    let result = try Tool.run(["udf", "--rules", "."] + options.split(separator: " ").map(String.init))
    #expect(result.status == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}
