import EncircleTestSupport
import Foundation
import Testing

/// Completions in a shell.
@Suite(.enabled(if: Tool.executable != nil, "the tool has not been built")) struct CompletionTests {
  @Test func `arguments for files or directories complete their names`() throws {
    var files = 0
    for command in try ToolDescription.commands() {
      for argument in command.arguments ?? [] where argument.kind != "flag" {
        let words = (argument.abstract ?? "").lowercased().split { !$0.isLetter }
        let isFile = words.prefix(4).contains {
          ["file", "files", "directory", "directories", "capture", "captures"].contains($0)
        }
        guard isFile || (argument.valueName ?? "").hasPrefix("file"), argument.valueName != "input-format" else {
          continue
        }
        files += 1
        #expect(
          argument.completionKind?.file != nil || argument.completionKind?.directory != nil,
          "\(command.commandName) \(argument.valueName ?? ""): \(argument.abstract ?? "")")
      }
    }
    #expect(files > 30)
  }

  @Test func `--element completes to the numbers of the capture's tracked elements`() throws {
    let listed = try Tool.run(["resolve", "home-feed.xml", "--only", "trackable", "--format", "ndjson"]).lines.count
    let result = try Tool.run(
      ["---completion", "suggest", "--", "element", "2", "0", "encircle", "suggest", "home-feed.xml", ""])
    #expect(result.lines.count == listed && listed > 0)
    #expect(result.lines.allSatisfy { Int($0) != nil })
    let explained = try Tool.run(
      [
        "---completion", "explain", "--", "--element", "4", "0", "encircle", "explain", "--capture", "home-feed.xml",
        "--element", "",
      ])
    #expect(explained.lines == result.lines)
    let without = try Tool.run([
      "---completion", "suggest", "--", "element", "2", "0", "encircle", "suggest", "none.xml", "",
    ])
    #expect(without.status == 0 && without.output.isEmpty)
  }

  #if os(Linux)
    @Test(arguments: ["--generate-completion-script bash", "--help", "--version", "help match"])
    func `a script or help that cannot be written is an error`(arguments: String) throws {
      let tool = try #require(Tool.executable, "the tool has not been built")
      let result = try Tool.run(
        URL(fileURLWithPath: "/bin/sh"), ["-c", "exec \"$0\" \(arguments) >/dev/full", tool.path],
        in: PackageFolder.viewTrees)
      #expect(result.status == 74)
      #expect(result.errors == "encircle: cannot write to standard output: No space left on device\n")
    }
  #endif

  @Test func `rule ids complete`() throws {
    let folder = try RulesFolder()
    try folder.write(
      "rules.yaml",
      "version: 1\nrules:\n  - { id: one, include: { event: a } }\n  - { id: two, include: { event: b } }\n")
    let result = try Tool.run(
      [
        "---completion", "explain", "--", "--rule", "4", "0", "encircle", "explain", "--rules", "rules.yaml", "--rule",
        "",
      ],
      in: folder.url)
    #expect(result.lines == ["one", "two"])
  }
}
