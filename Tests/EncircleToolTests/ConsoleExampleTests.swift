import EncircleTestSupport
import Foundation
import Testing

/// Runs the console examples of the documentation and compares what they print with what is shown.
///
/// CONTRIBUTING.md describes how examples are written. `UPDATE_GOLDEN=1` writes what is printed into the documents, except
/// where a line `…` leaves something out.
@Suite struct ConsoleExampleTests {
  private static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

  @Test("console examples print what the document shows", arguments: MarkdownDocument.names)
  func examples(name: String) throws {
    let document = try MarkdownDocument(name: name)
    for line in document.unmarkedExamples {
      Issue.record("\(name):\(line): put the example into a block ```console, or ```text if it is not to be run")
    }
    let examples = document.consoleExamples
    guard !examples.isEmpty else { return }
    let shell = try ExampleShell()
    defer { shell.remove() }
    var replacements: [(lines: Range<Int>, text: [String])] = []
    var status: Int32 = 0
    for example in examples {
      if try shell.createFile(shownBy: example) { continue }
      let result = try shell.run(example.command, after: status)
      status = result.status
      guard !Self.matches(result.lines, example.output) else { continue }
      if Self.isUpdating, !example.output.contains(where: Self.isEllipsis) {
        replacements.append((example.outputLines, result.lines))
      } else {
        Issue.record(
          "\(name):\(example.line): $ \(example.command)\n\(Self.difference(shown: example.output, printed: result.lines))"
        )
      }
    }
    if !replacements.isEmpty {
      var lines = document.lines
      for replacement in replacements.reversed() { lines.replaceSubrange(replacement.lines, with: replacement.text) }
      try Data(lines.joined(separator: "\n").utf8).write(to: PackageFolder.root.appendingPathComponent(name))
    }
  }

  @Test(
    "a line with an ellipsis stands for any lines",
    arguments: [
      (["a", "b"], ["a", "b"], true), (["a", "b"], ["a"], false), (["a"], ["a", "b"], false), ([], [], true),
      (["a", "b", "c"], ["a", "…"], true), (["a", "b", "c"], ["…", "c"], true), (["a", "b", "c"], ["…", "b"], false),
      (["a", "b", "c", "b"], ["…", "b"], true), (["a", "b", "a", "c"], ["…", "a", "  …", "c"], true),
      (["a"], ["a", "…"], true), (["a…b"], ["a…b"], true), (["axb"], ["a…b"], false), (["a"], ["a  "], true),
    ] as [([String], [String], Bool)])
  func ellipsis(printed: [String], shown: [String], expected: Bool) {
    #expect(Self.matches(printed, shown) == expected)
  }

  @Test("examples are found in fenced blocks, and reported if they would not be run")
  func parsing() throws {
    let text = """
      Some text.

      ```console
      $ encircle id \\
        'path(A)'
      hash

      $ true

      ```

          $ encircle path A

      ```text
      $ encircle never run
      ```

      ```sh
      $ encircle lookup
      ```
      """
    let document = MarkdownDocument(name: "test.md", text: text)
    let examples = document.consoleExamples
    try #require(examples.count == 2)
    #expect(examples[0].command == "encircle id \\\n  'path(A)'")
    #expect(examples[0].line == 4)
    #expect(examples[0].output == ["hash"])
    #expect(examples[0].outputLines == 5..<6)
    #expect(examples[1].command == "true")
    #expect(examples[1].output.isEmpty)
    #expect(document.unmarkedExamples == [12, 19])
    #expect(document.blocks.map(\.language) == ["console", "text", "sh"])
  }

  @Test("a wrong example is reported with its place and the difference")
  func wrongExample() throws {
    let shell = try ExampleShell()
    defer { shell.remove() }
    let result = try shell.run("encircle path A", after: 0)
    #expect(!Self.matches(result.lines, ["A", "   0  B  no locator"]))
    #expect(
      Self.difference(shown: ["A", "   0  B  no locator"], printed: result.lines)
        == "  A\n-    0  B  no locator\n+    0  A  no locator")
    #expect(try shell.run("echo $?", after: 65).lines == ["65"])
    #expect(try shell.run("echo error >&2; echo result", after: 0).lines == ["result", "error"])
  }

  private static func isEllipsis(_ line: String) -> Bool { line.trimmingCharacters(in: .whitespaces) == "…" }

  /// Returns whether lines are those that are shown, where a line `…` stands for any number of lines, also none.
  private static func matches(_ printed: [String], _ shown: [String]) -> Bool {
    var (i, j) = (0, 0)
    // After the last ellipsis: its place, and the first printed line that it does not stand for.
    var retry: (shown: Int, printed: Int)?
    while i < printed.count {
      if j < shown.count, isEllipsis(shown[j]) {
        j += 1
        retry = (j, i)
      } else if j < shown.count, trimmed(printed[i]) == trimmed(shown[j]) {
        i += 1
        j += 1
      } else if let last = retry {
        retry = (last.shown, last.printed + 1)
        (j, i) = (last.shown, last.printed + 1)
      } else {
        return false
      }
    }
    return shown[j...].allSatisfy(isEllipsis)
  }

  // Spaces at the end of a line cannot be seen, and editors remove them.
  private static func trimmed(_ line: String) -> [UInt8] {
    var bytes = Array(line.utf8)
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    return bytes
  }

  /// The lines that both have, those only shown after `-` and those only printed after `+`; at most 60 of them.
  private static func difference(shown: [String], printed: [String]) -> String {
    let changes = printed.difference(from: shown)
    var removed: Set<Int> = []
    var inserted: [Int: String] = [:]
    for change in changes {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, let line, _): inserted[offset] = line
      }
    }
    var result: [String] = []
    var place = 0
    func appendInsertions() {
      while let line = inserted[place] {
        result.append("+ " + line)
        place += 1
      }
    }
    for (i, line) in shown.enumerated() {
      if removed.contains(i) {
        result.append((isEllipsis(line) ? "  " : "- ") + line)
      } else {
        appendInsertions()
        result.append("  " + line)
        place += 1
      }
    }
    appendInsertions()
    return result.prefix(60).joined(separator: "\n")
      + (result.count > 60 ? "\n  and \(result.count - 60) more lines" : "")
  }
}

/// A scratch folder with copies of the files that examples use. Its shell finds the built tool as `encircle`.
struct ExampleShell {
  private let folder: TemporaryFolder
  private let toolFolder: String

  init() throws {
    toolFolder = try #require(Tool.executable, "the tool has not been built").deletingLastPathComponent().path
    folder = try TemporaryFolder()
    for name in ["Rules", "ViewTrees", "WebRules"] {
      try FileManager.default.copyItem(
        at: PackageFolder.root.appendingPathComponent(name), to: folder.url.appendingPathComponent(name))
    }
  }

  func remove() { folder.remove() }

  /// Runs a command; its `$?` is the status of the previous one.
  ///
  /// - Returns: The lines of standard output, then those of standard error, and the status.
  func run(_ command: String, after status: Int32) throws -> (lines: [String], status: Int32) {
    let quoted = "'" + toolFolder.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    let script = "PATH=\(quoted):$PATH\nexport PATH\n(exit \(status))\n\(command)"
    let result = try Tool.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script], in: folder.url)
    var lines: [String] = []
    for text in [result.text, result.errors] where !text.isEmpty {
      lines += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      if lines.last?.isEmpty == true { lines.removeLast() }
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return (lines, result.status)
  }

  /// Creates the file that an example `cat FILE` shows, if there is none yet; returns whether it did.
  func createFile(shownBy example: MarkdownDocument.ConsoleExample) throws -> Bool {
    let words = example.command.split(separator: " ")
    guard words.count == 2, words[0] == "cat" else { return false }
    let name = String(words[1])
    guard !FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(name).path) else { return false }
    try folder.write(name, example.output.joined(separator: "\n") + "\n")
    return true
  }
}
