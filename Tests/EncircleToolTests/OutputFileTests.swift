import EncircleTestSupport
import Foundation
import Testing

/// Files that are written, when they are also read, cannot be written, or are left by a run that was killed.
@Suite struct OutputFileTests {
  private static let capture = viewTree("<view class='UIWindow'><view class='UIView' controller='P'/></view>")

  /// A dictionary of the capture, which the tool writes once: each test gets a copy.
  private static let dictionary = Result { () throws -> [UInt8] in
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("capture.xml", capture)
    let result = try Tool.run(["index", "capture.xml", "-o", "d"], in: folder.url)
    try #require(result.status == 0, "\(result.errors)")
    return try PackageFolder.bytes(folder.url.appendingPathComponent("d"))
  }

  /// A folder with rules, events, a capture and a dictionary, and links to them.
  private func folder() throws -> RulesFolder {
    let folder = try RulesFolder()
    try folder.write("capture.xml", Self.capture)
    try folder.write(
      "other.xml", viewTree("<view class='UIWindow'><view class='UIView' controller='Q'/></view>"))
    try folder.write("captures/one.xml", viewTree("<view class='UIWindow'/>"))
    try folder.write("d", Self.dictionary.get())
    for name in ["events.ndjson", "rules.yaml", "capture.xml", "d"] {
      symlink(name, folder.url.appendingPathComponent("link." + name).path)
      link(folder.url.appendingPathComponent(name).path, folder.url.appendingPathComponent("hard." + name).path)
    }
    return folder
  }

  /// The bytes of all files, by their names.
  private func content(_ folder: RulesFolder) throws -> [String: [UInt8]] {
    var content: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
      let url = folder.url.appendingPathComponent(name)
      if (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true { continue }
      content[name] = try PackageFolder.bytes(url)
    }
    return content
  }

  @Test(
    "a file that is also read is not written, under whatever name, and nothing is changed",
    arguments: [
      "match --rules rules.yaml events.ndjson --rejects events.ndjson",
      "match --rules rules.yaml events.ndjson --rejects link.events.ndjson",
      "match --rules rules.yaml link.events.ndjson --rejects ./hard.events.ndjson",
      "match --rules rules.yaml - --rejects events.ndjson", "match --rules rules.yaml --rejects link.events.ndjson",
      "match --rules rules.yaml --rejects rules.yaml other.ndjson",
      "match --rules rules.yaml --captures . --rejects capture.xml other.ndjson",
      "match --rules rules.yaml --dictionary d --rejects link.d other.ndjson",
      "compile rules.yaml -o rules.yaml", "compile rules.yaml -o link.rules.yaml", "compile . -o hard.rules.yaml",
      "compile rules.yaml --captures capture.xml -o capture.xml", "compile rules.yaml --dictionary d -o hard.d",
      "index capture.xml -o capture.xml", "index other.xml link.capture.xml -o capture.xml",
      "index captures -o captures/one.xml", "index - -o events.ndjson",
      "match --rules rules.yaml --tolerance 0.8 --captures capture.xml other.ndjson --summary rules.anchors",
      "match --rules rules.yaml --controllers controllers --captures capture.xml other.ndjson --summary controllers",
      "match --rules rules.yaml other.ndjson --summary encircle.yaml",
      "match --rules rules.yaml other.ndjson --summary link.d", "compile rules.yaml -o encircle.yaml",
      "compile rules.yaml -o d",
      "compile rules.yaml --captures capture.xml --controllers controllers -o controllers",
      "compile . -o rules.plan.yaml", "index other.xml --controllers controllers -o controllers",
      "board --rules rules.yaml --captures capture.xml -o hard.rules.yaml",
      "board --rules rules.yaml --captures capture.xml -o rules.plan.yaml",
      "board --rules rules.yaml --captures capture.xml -o d",
      "board --rules rules.yaml --captures . -o captures/one.xml",
      "board --rules rules.yaml --captures capture.xml --controllers controllers -o controllers",
      "board --rules rules.yaml --captures capture.xml --events - -o events.ndjson",
      "plan accept --rules rules.yaml --events events.ndjson -o link.events.ndjson",
      "plan accept --rules rules.yaml --events events.ndjson -o rules.plan.yaml",
      "plan accept --rules rules.yaml --events events.ndjson --dictionary hard.d -o d",
      "plan export --rules rules.yaml -o rules.yaml", "plan export --rules rules.yaml -o rules.plan.yaml",
      "plan export --rules . -o rules.plan.yaml", "plan export --rules rules.yaml --plan x.plan.yaml -o x.plan.yaml",
      "plan export --rules rules.yaml --captures capture.xml --format xlsx -o capture.xml",
      "plan export --rules rules.yaml --events events.ndjson -o hard.events.ndjson",
      "plan import --rules rules.yaml table.csv --rejected table.csv",
      "plan import --rules rules.yaml table.csv --rejected link.rules.yaml",
      "plan import --rules rules.yaml table.csv --rejected rules.plan.yaml",
      "export posthog --rules action.json -o .",
    ])
  func refused(arguments: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    for name in ["rules.plan.yaml", "x.plan.yaml"] { try folder.write(name, "version: 1\nevents: []\n") }
    for name in ["rules.anchors", "controllers"] { try folder.write(name, "") }
    try folder.write("encircle.yaml", "dictionary: d\n")
    try folder.write("table.csv", "Object Type,Event Name,Platforms\nEvent,a,andriod\n")
    try folder.write(
      "action.json", #"{"version":1,"style":"posthog","rules":[{"id":"action","include":{"event":"e"}}]}"#)
    let before = try content(folder)
    let tool = try #require(Tool.executable, "the tool has not been built")
    let result = try Tool.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", "exec \"$0\" \(arguments) <events.ndjson", tool.path], in: folder.url)
    #expect(result.status == 64, "\(result.errors)")
    #expect(result.errors.contains("is also read"), "\(result.errors)")
    #expect(result.output.isEmpty)
    #expect(try content(folder) == before)
  }

  @Test(
    "a file named - is not written",
    arguments: [
      "anchor rules.yaml --captures capture.xml -o -", "board --rules rules.yaml --captures capture.xml -o -",
      "compile rules.yaml -o -", "index capture.xml -o -", "match --rules rules.yaml events.ndjson --rejects -",
      "match --rules rules.yaml events.ndjson --summary -", "plan export --rules rules.yaml -o -",
      "suggest capture.xml 1 --rules-yaml --anchor -",
    ])
  func standardInput(arguments: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try folder.run(arguments)
    #expect(result.status == 64 && result.errors.contains("takes a file, which - does not name"), "\(result.errors)")
    #expect(try content(folder)["-"] == nil)
  }

  @Test("a compressed file is not changed in place", arguments: ["fmt rules.test.yaml", "test rules.yaml --update"])
  func compressed(arguments: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    let packed = gzip(Array("version: 1\ntests:\n  - { name:   a, event: {} }\n".utf8))
    try folder.write("rules.test.yaml", packed)
    let result = try folder.run(arguments)
    #expect(result.status == 65)
    #expect(result.errors.contains("a compressed file cannot be changed in place"), "\(result.errors)")
    #expect(try PackageFolder.bytes(folder.url.appendingPathComponent("rules.test.yaml")) == packed)
  }

  @Test(
    "a link to nothing is not replaced by a file",
    arguments: ["compile rules.yaml -o nowhere", "index capture.xml -o nowhere"])
  func danglingLink(arguments: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    let link = folder.url.appendingPathComponent("nowhere").path
    symlink("none", link)
    let result = try folder.run(arguments)
    #expect(result.status == 74)
    #expect(result.errors.hasSuffix("nowhere: error: cannot be written: it is a link to a file that does not exist\n"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "none")
  }

  @Test("two results do not go into one file, and standard output not into the input")
  func standardOutput() throws {
    let folder = try folder()
    defer { folder.remove() }
    let tool = try #require(Tool.executable, "the tool has not been built")
    for script in [
      "\"$0\" match --rules rules.yaml --rejects out events.ndjson >out",
      "\"$0\" match --rules rules.yaml --rejects out events.ndjson 2>out",
      "\"$0\" match --rules rules.yaml --rejects out --summary ./out events.ndjson",
      "\"$0\" match --rules rules.yaml --output events events.ndjson >>link.events.ndjson",
    ] {
      let before = try folder.text("events.ndjson")
      let result = try Tool.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script, tool.path], in: folder.url)
      #expect(result.status == 64)
      #expect(try folder.text("events.ndjson") == before)
    }
    // A device or pipe may be both.
    #expect(try folder.run("match --rules rules.yaml --rejects /dev/null /dev/null").status == 0)
  }

  @Test("match writes whole files if standard output has no reader", arguments: ["1", "2"])
  func closedPipe(threads: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    let command = "match --rules rules.yaml events.ndjson --threads \(threads) --summary s.json --rejects r.ndjson"
    let result = try Tool.run(intoClosedPipe: command.split(separator: " ").map(String.init), in: folder.url)
    #expect(result.status == 0 && result.errors.contains(RulesFolder.summary), "\(result.errors)")
    #expect(try folder.text("s.json").contains("\"rejected\":2"))
    #expect(try folder.text("r.ndjson").split(separator: "\n").count == 2)
  }

  @Test("a descriptor that is closed at the start is not reused for a file", arguments: 0...2)
  func closed(descriptor: Int) throws {
    let folder = try folder()
    defer { folder.remove() }
    let tool = try #require(Tool.executable, "the tool has not been built")
    let script = "exec \"$0\" match --rules rules.yaml --rejects rejects events.ndjson \(descriptor)>&-"
    let result = try Tool.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script, tool.path], in: folder.url)
    // Without standard output there are no results, which is an error.
    #expect(result.status == (descriptor == 1 ? 74 : 0))
    let rejects = try folder.text("rejects")
    #expect(!rejects.isEmpty || descriptor == 1)
    #expect(rejects.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"file\":") })
    #expect(result.lines.count == (descriptor == 1 ? 0 : 6))
    #expect(result.errors.isEmpty == (descriptor == 2))
  }

  /// Commands that replace a file, which is the last in the list.
  private static let replacing = [
    "index other.xml -o d", "compile rules.yaml -o compiled", "fmt messy.yaml",
    "test rules.yaml --update rules.test.yaml",
  ]

  /// Writes what ``replacing`` needs, large enough for a few writes; returns the name of the file.
  private func prepare(_ folder: RulesFolder, _ command: String) throws -> String {
    let rules = (0..<60).map { "  - include: {event: 'E\($0)'}\n    id: r\($0)\n" }.joined()
    try folder.write("messy.yaml", "rules:\n\(rules)version: 1\n")
    try folder.write("compiled", "old")
    let tests = (0..<60).map { "  - name: t\($0)\n    event: { event: E\($0), time: 1772352000000 }\n" }.joined()
    try folder.write("rules.test.yaml", "version: 1\ntests:\n" + tests)
    return switch command.split(separator: " ")[0] {
    case "index": "d"
    case "compile": "compiled"
    case "fmt": "messy.yaml"
    default: "rules.test.yaml"
    }
  }

  @Test(
    "a run that is killed at any time leaves the old file or the new one, and the next clears up", arguments: replacing)
  func killed(command: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    let name = try prepare(folder, command)
    let file = folder.url.appendingPathComponent(name)
    let old = try PackageFolder.bytes(file)
    let begin = ContinuousClock.now
    #expect(try folder.run(command).status == 0)
    var limit = 1.2 * Double((ContinuousClock.now - begin) / .seconds(1))
    let new = try PackageFolder.bytes(file)
    #expect(new != old)
    // Compiled rules differ from run to run, but they are whole.
    func isNew() throws -> Bool {
      if command.hasPrefix("compile") { return try folder.run("match --rules compiled", input: "{}").status == 0 }
      return try PackageFolder.bytes(file) == new
    }
    let tool = try #require(Tool.executable, "the tool has not been built")
    var random = SeededGenerator(seed: 15)
    var rounds = TestSize.scaled(200)
    var killed = 0
    while rounds > 0 || killed == 0 {
      rounds -= 1
      try #require(rounds > -1_000, "each run ended before it was killed")
      try Data(old).write(to: file)
      let process = Process()
      process.executableURL = tool
      process.arguments = command.split(separator: " ").map(String.init)
      process.currentDirectoryURL = folder.url
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      Thread.sleep(forTimeInterval: Double.random(in: 0...limit, using: &random))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      // The time of a run depends on the load of the machine, so the limit follows it.
      if process.terminationReason == .uncaughtSignal {
        killed += 1
        limit *= 1.25
      } else {
        limit *= 0.8
      }
      let found = try PackageFolder.bytes(file)
      #expect(try found == old || isNew())
    }
    try Data(old).write(to: file)
    // As a run leaves it whose process is no more.
    try folder.write(".\(name).encircle-2147483646", "rest")
    #expect(try folder.run(command).status == 0)
    #expect(try isNew())
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    let left = names.filter { $0.hasPrefix(".\(name)") }
    #expect(left == (name == "d" ? [".d.encircle-2147483646"] : []))
  }

  @Test("files in use by another run, and files of no run, are not cleared")
  func others() throws {
    let folder = try folder()
    defer { folder.remove() }
    _ = try prepare(folder, "fmt messy.yaml")
    // That of this process, which lives, and names that only look alike.
    let names = [
      ".messy.yaml.encircle-\(ProcessInfo.processInfo.processIdentifier)", ".messy.yaml.encircle-2147483646-x",
      ".messy.yaml.encircle-", ".messy.yaml.encircle-0", ".other.yaml.encircle-2147483646",
    ]
    for name in names { try folder.write(name, "rest") }
    #expect(try folder.run("fmt messy.yaml").status == 0)
    for name in names { #expect(try folder.text(name) == "rest", "\(name)") }
  }

  @Test("a full disk is an error that keeps the old file and leaves nothing beside it", arguments: replacing)
  func full(command: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    let name = try prepare(folder, command)
    try folder.write(name, PackageFolder.bytes(folder.url.appendingPathComponent(name)))
    let before = try content(folder)
    let tool = try #require(Tool.executable, "the tool has not been built")
    // A limit on the size of files, in units of 512 bytes.
    let result = try Tool.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", "ulimit -f 2; exec \"$0\" \(command)", tool.path], in: folder.url)
    #expect(result.status == 74, "\(result.errors)")
    #expect(result.errors.contains("\(name): error: "), "\(result.errors)")
    #expect(try content(folder) == before)
  }

  // MARK: - Blocked output

  @Test(
    "match ends at the second signal at the latest when nobody reads what it writes, and has written whole lines",
    arguments: [(1, SIGTERM, SIGTERM), (2, SIGTERM, SIGINT), (4, SIGINT, SIGINT)])
  func blocked(threads: Int, first: Int32, second: Int32) throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write("many.ndjson", String(repeating: RulesFolder.events[0] + "\n", count: 20_000))
    let process = Process()
    process.executableURL = Tool.executable
    process.arguments = ["match", "--rules", "rules.yaml", "--threads", "\(threads)", "many.ndjson"]
    process.currentDirectoryURL = folder.url
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    waitUntilFull(pipe)
    #expect(process.isRunning)
    kill(process.processIdentifier, first)
    Thread.sleep(forTimeInterval: 0.2)
    if process.isRunning { kill(process.processIdentifier, second) }
    for _ in 0..<30_000 where process.isRunning { Thread.sleep(forTimeInterval: 0.01) }
    #expect(!process.isRunning)
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    #if os(Linux)
      // This process holds the other end, too.
      try pipe.fileHandleForWriting.close()
      let written = try #require(try pipe.fileHandleForReading.readToEnd())
      #expect(written.count > 32_768 && written.last == 0x0A, "\(written.count) bytes, the last line is cut")
    #endif
    try pipe.fileHandleForReading.close()
  }

  /// Waits until a pipe holds so much that who writes to it waits.
  private func waitUntilFull(_ pipe: Pipe) {
    #if os(Linux)
      // Of 64 KiB; a write of at most 4 KiB waits until all of it fits.
      var count: Int32 = 0
      for _ in 0..<30_000 where count <= 56 << 10 {
        Thread.sleep(forTimeInterval: 0.01)
        _ = ioctl(pipe.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &count)
      }
    #else
      Thread.sleep(forTimeInterval: 1)
    #endif
  }
}
