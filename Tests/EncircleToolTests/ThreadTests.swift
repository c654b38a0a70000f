import EncircleTestSupport
import Foundation
import Testing

@Suite struct ThreadTests {
  /// The result of a run, with the file of rejections.
  private struct Outcome {
    var status: Int32
    var output: [UInt8]
    var errors: String
    var rejections: String?
  }

  /// Runs the tool with one thread and with more, in small runs with one of the numbers; the results must be the same.
  @discardableResult
  private func expectSame(
    _ folder: RulesFolder, _ arguments: String, input: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    func run(_ threads: Int) throws -> Outcome {
      if arguments.contains("--rejects r.jsonl") { try folder.write("r.jsonl", "old") }
      let result = try folder.run("match --rules rules.yaml --threads \(threads) \(arguments)", input: input)
      return Outcome(
        status: result.status, output: result.output, errors: result.errors,
        rejections: arguments.contains("--rejects r.jsonl") ? try folder.text("r.jsonl") : nil)
    }
    let one = try run(1)
    for threads in TestSize.part([2, 3, 8], of: arguments.utf8.count) {
      let many = try run(threads)
      // The texts themselves are too long for a message.
      let differences = [
        many.status == one.status ? nil : "status", many.output == one.output ? nil : "output",
        many.errors == one.errors ? nil : "errors", many.rejections == one.rejections ? nil : "rejections",
      ].compactMap(\.self)
      #expect(differences.isEmpty, "\(threads) threads", sourceLocation: sourceLocation)
    }
    return one
  }

  /// Lines of all kinds, more than fit into several blocks.
  private static let mixed: String = {
    var text = "\n\r\n"
    for i in 0..<2_100 {
      let line = RulesFolder.events[(i * 7) % RulesFolder.events.count]
      text += String(repeating: " ", count: i % 3) + line + (i % 4 == 0 ? "\r\n" : "\n")
      switch i % 700 {
      case 300: text += "{\"event\":\"$AppClick\",\"é\":\"" + String(repeating: "长", count: 120_000) + "\"}\n"
      case 500: text += "{\"event\":\"$AppClick\",\"é\":\"" + String(repeating: "长", count: 1_000) + "\n"
      case 600: text += String(repeating: "\n", count: 500)
      default: break
      }
    }
    // The last line has no end.
    return text + RulesFolder.events[0]
  }()

  @Test(
    "every number of threads writes the same bytes, whatever the lines are",
    arguments: ["", "--rejects r.jsonl --output events", "--output selected"])
  func sameBytes(arguments: String) throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    try folder.write("mixed.ndjson", Self.mixed)
    let one = try expectSame(folder, arguments + " mixed.ndjson")
    #expect(one.errors.contains("read 1874 = "))
    #expect(one.status == (arguments.contains("--rejects") ? 0 : 65))
  }

  @Test("a line that is too long is rejected at its place")
  func longLine() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    let event = RulesFolder.events[0] + "\n"
    let long = "{\"event\":\"" + String(repeating: "x", count: 17 << 20) + "\"}\n"
    try folder.write("long.ndjson", event + long + "no\n" + event)
    let one = try expectSame(folder, "long.ndjson")
    #expect(
      one.errors.hasPrefix(
        """
        long.ndjson:2:1: error: not an event: longer than the limit of 16777216 bytes
        long.ndjson:3:1: error: not an event: unknown word: expected null, true or false
        read 4 = selected 2 +
        """))
  }

  @Test("output stays in order when a few bytes of input make many bytes of output")
  func longOutput() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    let count = TestSize.scaled(120_000)
    try folder.write("short.ndjson", String(repeating: "{}\n1\n", count: count))
    let one = try expectSame(folder, "--rejects r.jsonl short.ndjson")
    #expect(
      one.errors.hasPrefix(
        "read \(2 * count) = selected 0 + excluded 0 + unresolved 0 + not selected \(count) + "))
  }

  @Test("input may be compressed, standard input, documents, or several files, some unreadable")
  func severalFiles() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    try folder.write("mixed.ndjson", Self.mixed)
    try folder.write("mixed.ndjson.gz", gzip(Array(Self.mixed.utf8)))
    try folder.write("cut.gz", Array(gzip(Array(Self.mixed.utf8)).dropLast(100)))
    let good = RulesFolder.goodEvents
    let array = (0..<800).map { good[$0 % good.count] }.joined(separator: ",\n  ")
    try folder.write("array.json", "[\n  " + array + "\n]\n")
    try folder.write("broken.json", "[\n  " + array + ",\n  {\"a\": nul,\n  \"b\": 1},\n  " + array + "\n]\n")
    try folder.write("empty", "")
    try expectSame(folder, "-", input: Self.mixed)
    try expectSame(folder, "mixed.ndjson.gz")
    try expectSame(folder, "array.json --output selected")
    let one = try expectSame(
      folder, "mixed.ndjson.gz cut.gz missing.ndjson events.ndjson . array.json broken.json empty - mixed.ndjson",
      input: RulesFolder.events[0])
    #expect(one.status == 65)
    let problems = one.errors.split(separator: "\n").filter { !$0.contains(": not an event: ") }.prefix(3)
    #expect(
      problems == [
        "cut.gz: error: broken gzip data: the data ends too early", "missing.ndjson: error: no such file",
        ".: error: is a directory",
      ])
  }

  @Test("the number of threads must be from 1 to 256", arguments: ["0", "-1", "257", "two", ""])
  func usage(number: String) throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    let result = try folder.run(["match", "--rules", "rules.yaml", "--threads=\(number)", "events.ndjson"])
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
  }

  // MARK: - Pipes and signals

  @Test("a signal within a stream loses no input that was read", arguments: [1, 2, 8])
  func signalInTheMiddle(threads: Int) async throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    let running = try RunningTool(["match", "--rules", "rules.yaml", "--threads", "\(threads)"], in: folder.url)
    let line = RulesFolder.events[5] + "\n"
    let count = 12_000
    try running.write(String(repeating: line, count: count))
    let result = try running.end(SIGTERM)
    let lines = result.lines
    let cut = result.errors.contains("the input was interrupted here") ? 1 : 0
    // The tool may not have read the bytes that the pipe holds.
    #expect(lines.count >= count - 65_536 / line.utf8.count - 1)
    #expect(lines.enumerated().allSatisfy { $1.hasPrefix("{\"line\":\($0 + 1),") })
    #expect(result.errors.contains("read \(lines.count + cut) = "), "\(result.errors)")
    #expect(result.status == (cut == 0 ? 0 : 65))
  }

  @Test("an endless stream ends with its reader", arguments: [1, 2, 8])
  func endlessStream(threads: Int) throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    try folder.write("event", RulesFolder.events[0])
    let tool = try #require(Tool.executable, "the tool has not been built")
    let script = """
      yes "$(cat event)" | { "$0" match --rules rules.yaml --threads \(threads) 2>errors; echo $? >status; } | head -n 3
      """
    let result = try Tool.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script, tool.path], in: folder.url)
    #expect(result.lines.count == 3)
    #expect(try folder.text("status") == "0\n")
    #expect(try folder.text("errors").isEmpty)
  }
}
