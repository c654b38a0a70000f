import EncircleTestSupport
import Foundation
import Testing

/// `encircle compile`, and the use of its file by other subcommands.
@Suite struct CompileTests {
  private static let package = PackageFolder.root
  private static let feed = PackageFolder.viewTrees.appendingPathComponent("home-feed.xml").path

  /// The rules of ``RulesFolder``, which the tool compiles once: each test gets a copy.
  private static let compiled = Result { () throws -> [UInt8] in
    let folder = try RulesFolder()
    defer { folder.remove() }
    let result = try folder.run("compile rules.yaml -o compiled")
    let compiled = try PackageFolder.bytes(folder.url.appendingPathComponent("compiled"))
    #expect(result.status == 0)
    #expect(result.output.isEmpty)
    #expect(result.errors == "compiled: 4 rules, \(compiled.count) bytes\n")
    return compiled
  }

  /// A folder with rules and, compiled, `compiled`.
  private func folder() throws -> RulesFolder {
    let folder = try RulesFolder()
    try folder.write("compiled", Self.compiled.get())
    return folder
  }

  private func bytes(_ name: String, _ folder: RulesFolder) throws -> [UInt8] {
    try PackageFolder.bytes(folder.url.appendingPathComponent(name))
  }

  // MARK: - Decisions

  @Test(
    "compiled rules decide as the rules do, and count the same",
    arguments: [
      "Rules/events/shop.ndjson", "--output selected Rules/events/shop.ndjson",
      "--output events Rules/events/shop.ndjson", "Rules/events/broken.ndjson",
      "--captures ViewTrees/order-v5.1.xml --captures ViewTrees/home-feed.xml Rules/events/shop.ndjson",
    ])
  func decisions(arguments: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let compiled = folder.url.appendingPathComponent("compiled").path
    let arguments = arguments.split(separator: " ").map(String.init)
    let captures = arguments.dropLast().filter { $0 == "--captures" || $0.hasSuffix(".xml") }
    let compiling = try Tool.run(["compile", "Rules", "-o", compiled] + captures, in: Self.package)
    #expect(compiling.status == 0, "\(compiling.errors)")
    let expected = try Tool.run(["match", "--rules", "Rules"] + arguments, in: Self.package)
    let result = try Tool.run(["match", "--rules", compiled] + arguments, in: Self.package)
    #expect(result.output == expected.output)
    #expect(result.errors == expected.errors)
    #expect(result.status == expected.status)
    #expect(!result.output.isEmpty)
  }

  @Test(
    "compiled rules are recognised by their content, not by name or source",
    arguments: ["compiled", "rules.yml", "renamed.json", "packed.gz", "only", "-"])
  func recognition(name: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    let compiled = try bytes("compiled", folder)
    for name in ["rules.yml", "renamed.json", "only/a.yaml"] { try folder.write(name, compiled) }
    try folder.write("packed.gz", gzip(compiled))
    let arguments = ["match", "--rules", name, "events.ndjson"]
    let result = try Tool.run(arguments, in: folder.url, input: name == "-" ? compiled : [])
    #expect(result.brief == RulesFolder.decisions)
    #expect(result.errors == RulesFolder.rejections + RulesFolder.summary)
  }

  @Test("event IDs are resolved in the path style of compiled rules, too")
  func style() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    try folder.write(
      "sensors.yaml",
      """
      version: 1
      style: sensors
      rules:
        - id: add
          include: { selector: "ProductCell[0][-]/**/UIButton[0]" }

      """)
    #expect(try folder.run("compile sensors.yaml -o compiled").errors.hasPrefix("compiled: 1 rule, "))
    let button = try #require(
      try Tool.run(["resolve", "--format", "ndjson", "home-feed.xml"]).text.firstMatch(
        of: /"element":35,.*"event_id":"([0-9a-f]{64})"/))
    let event = "{\"event\":\"$AppClick\",\"event_id\":\"\(button.1)\"}"
    for captures in ["", " --captures \(Self.feed)"] {
      let expected = try folder.run("match --rules sensors.yaml" + captures, input: event)
      let result = try folder.run("match --rules compiled" + captures, input: event)
      #expect(result.text == expected.text)
      #expect(result.errors == expected.errors)
      #expect(result.text.contains("\"selected\":\(captures.isEmpty ? "false" : "true")"))
    }
  }

  @Test("compiling stores the place of a sameKind rule's event ID, or a note says that it is unknown")
  func sameKind() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    let screen = try Tool.run(["resolve", "--format", "ndjson", "home-feed.xml"]).text
    let first = try #require(screen.firstMatch(of: /"element":17,.*"event_id":"([0-9a-f]{64})"/)?.1)
    let other = try #require(screen.firstMatch(of: /"element":35,.*"path":"([^"]*)".*"page":"([^"]*)"/))
    try folder.write(
      "kind.yaml", "version: 1\nrules: [{ id: add, sameKind: true, include: { eventID: \(first) } }]\n")
    let event =
      "{\"event\":\"$AppClick\",\"properties\":{\"$element_path\":\"\(other.1)\",\"$screen_name\":\"\(other.2)\"}}"
    _ = try folder.run("index \(Self.feed) -o dictionary")
    for (known, isSelected) in [("", false), (" --captures \(Self.feed)", true), (" --dictionary dictionary", true)] {
      let compiling = try folder.run("compile kind.yaml -o compiled" + known)
      #expect(compiling.status == 0, "\(compiling.errors)")
      #expect(compiling.errors.contains("note: rules with sameKind take only the row of their event ID") == !isSelected)
      let result = try folder.run("match --rules compiled", input: event)
      #expect(result.text.contains("\"selected\":\(isSelected)"), "\(known) \(result.errors)")
    }
  }

  // MARK: - Useless files

  /// Damage to a file of compiled rules, and the message about it.
  private static let damages: [(claim: String, change: @Sendable ([UInt8]) -> [UInt8], message: String)] = [
    (
      "an empty file is an empty rule file", { _ in [] },
      "the file is empty: expected at least 'version: 1' and 'rules'"
    ),
    ("the first letters alone are no rules", { Array($0.prefix(5)) }, "expected a rule file, a mapping with"),
    ("a file of 8 bytes is damaged", { Array($0.prefix(8)) }, damaged),
    ("a file without its header's end is damaged", { Array($0.prefix(63)) }, damaged),
    ("a header alone is damaged", { Array($0.prefix(64)) }, damaged),
    ("a file that ends in the middle is damaged", { Array($0.prefix($0.count / 2)) }, damaged),
    ("a file without its last byte is damaged", { Array($0.dropLast()) }, damaged),
    ("a file with a byte too many is damaged", { $0 + [0] }, damaged),
    ("a file with another bit is damaged", { flipping($0, $0.count * 2 / 3) }, damaged),
    ("a file with another checksum is damaged", { flipping($0, 24) }, damaged),
    ("a file of another version is refused", { flipping($0, 8) }, otherVersion),
    (
      "a file of the other byte order is refused", { Array($0[..<12] + $0[12..<16].reversed() + $0[16...]) },
      otherVersion
    ),
    (
      "a file that was packed and cut is refused", { Array(gzip($0).dropLast(9)) },
      "broken gzip data: the data ends too early"
    ),
  ]
  private static let damaged = "the compiled rules are damaged: compile the rules again"
  private static let otherVersion =
    "compiled by another version of Encircle, or for another kind of machine: compile the rules again"

  private static func flipping(_ bytes: [UInt8], _ place: Int) -> [UInt8] {
    var bytes = bytes
    bytes[place] ^= 4
    return bytes
  }

  @Test("an incomplete file decides nothing and is named", arguments: damages.map(\.claim))
  func damage(claim: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    let (_, change, message) = try #require(Self.damages.first { $0.claim == claim })
    try folder.write("changed", change(try bytes("compiled", folder)))
    let result = try folder.run("match --rules changed events.ndjson")
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("changed:"))
    #expect(result.errors.contains("error: \(message)"), "\(result.errors)")
    #expect(result.status == 65)
  }

  @Test(
    "the exit status and the message report the result",
    arguments: [
      ("match --rules compiled --rejects r events.ndjson", 0, "read 8 = "),
      ("match --rules compiled --rules rules.yaml events.ndjson", 64, "beside which there can be no others"),
      ("match --rules rules.yaml --rules compiled events.ndjson", 64, "compiled holds compiled rules, beside"),
      ("match --rules compiled --rules compiled events.ndjson", 64, "beside which there can be no others"),
      ("match --rules compiled --rules missing events.ndjson", 64, "beside which there can be no others"),
      ("match --rules mixed events.ndjson", 64, "mixed/b.yaml holds compiled rules, beside"),
      ("match --rules compiled --captures missing.xml --rejects r events.ndjson", 66, "missing.xml: error: "),
      ("match --rules compiled --dictionary rules.yaml events.ndjson", 65, "rules.yaml: error: is not a dictionary"),
      (
        "explain --rules compiled --event {}", 65,
        "compiled: error: compiled rules only decide events: this needs the rules themselves"
      ),
      ("explain --rules compiled --rules missing --event {}", 65, "compiled: error: compiled rules only decide"),
      ("compile compiled -o again", 65, "compiled: error: compiled rules only decide events"),
      ("compile rules.yaml", 64, "Missing expected argument '--output <output>'"),
      ("compile -o again", 64, "Missing expected argument '<rules> ...'"),
      ("compile rules.yaml -o rules.yaml", 64, "rules.yaml, the file of --output, is also read"),
      ("compile rules.yaml -o .././\(here)/link.yaml", 64, "link.yaml, the file of --output, is also read"),
      ("compile bad.yaml -o again", 65, "bad.yaml:2:1: error: unknown key 'rulez'"),
      ("compile missing.yaml -o again", 66, "missing.yaml: error: no such file or directory"),
      ("compile rules.yaml --captures missing.xml -o again", 66, "not all captures could be read: nothing was done"),
      ("compile rules.yaml --captures rules.yaml -o again", 65, "not all captures could be read: nothing was done"),
      ("compile rules.yaml --dictionary missing -o again", 66, "missing: error: no such file"),
      ("compile rules.yaml -o mixed", 74, "mixed: error: cannot be written: Is a directory"),
      (
        "compile rules.yaml -o no/such/folder", 74,
        "no/such/folder: error: cannot be written: No such file or directory"
      ),
      ("compile rules.yaml -o rules.yaml/x", 74, "rules.yaml/x: error: cannot be written: Not a directory"),
    ] as [(String, Int32, String)])
  func status(arguments: String, expected: Int32, message: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write("bad.yaml", "version: 1\nrulez: []\n")
    try folder.write("mixed/a.yaml", RulesFolder.rules)
    try folder.write("mixed/b.yaml", try bytes("compiled", folder))
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.appendingPathComponent("link.yaml").path, withDestinationPath: "rules.yaml")
    let result = try folder.run(arguments.replacing(Self.here, with: folder.url.lastPathComponent))
    #expect(result.status == expected, "\(result.errors)")
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(try folder.text("rules.yaml") == RulesFolder.rules)
    guard arguments.hasPrefix("compile") else { return }
    // Rules that cannot be compiled leave no file behind.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names.sorted() == ["bad.yaml", "compiled", "events.ndjson", "link.yaml", "mixed", "rules.yaml"])
  }
  // Stands for the name of the folder.
  private static let here = "HERE"

  // MARK: - Writing

  @Test("replacing a file leaves it whole for its readers and keeps its mode and links")
  func replacement() throws {
    let folder = try folder()
    defer { folder.remove() }
    let compiled = folder.url.appendingPathComponent("compiled")
    let link = folder.url.appendingPathComponent("link")
    let before = try bytes("compiled", folder)
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "compiled")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: compiled.path)
    let reader = try FileHandle(forReadingFrom: compiled)
    try folder.write("few.yaml", "version: 1\nrules: []\n")
    let result = try folder.run("compile few.yaml -o link")
    #expect(result.errors.hasPrefix("link: 0 rules, "))
    #expect(try [UInt8](reader.readToEnd() ?? Data()) == before)
    #expect(try bytes("compiled", folder) != before)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "compiled")
    let mode = try FileManager.default.attributesOfItem(atPath: compiled.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("a name of one letter is valid")
  func shortName() throws {
    let folder = try folder()
    defer { folder.remove() }
    #expect(try folder.run("compile rules.yaml -o c").status == 0)
    #expect(try bytes("c", folder).count > 0)
  }

  @Test("pipes and devices are written to, not replaced")
  func pipes() throws {
    let folder = try folder()
    defer { folder.remove() }
    let tool = try #require(Tool.executable, "the tool has not been built")
    let script =
      "\"$0\" compile rules.yaml -o /dev/stdout 2>errors | cat >piped && \"$0\" compile rules.yaml -o /dev/null"
    let result = try Tool.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script, tool.path], in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try folder.run("match --rules piped events.ndjson").brief == RulesFolder.decisions)
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }
}
