import EncircleTestSupport
import Foundation
import Testing

/// The declarations of commands' options. ArgumentParser checks them where `DEBUG` is defined. `Scripts/swiftc`, which compiles it
/// for the tests, leaves `DEBUG` out.
@Suite(.enabled(if: Tool.executable != nil, "the tool has not been built")) struct OptionTests {
  @Test func `each option of a command has a unique name`() throws {
    let commands = try ToolDescription.commands()
    #expect(commands.count > 20)
    for command in commands {
      var seen: Set<String> = []
      for name in (command.arguments ?? []).flatMap({ $0.names ?? [] }) {
        #expect(seen.insert("\(name.kind) \(name.name)").inserted, "\(command.commandName): \(name.name)")
      }
    }
  }

  @Test(
    arguments: [
      ("resolv", "'resolv'. Did you mean 'resolve'?"), ("plan stats", "'plan stats'. Did you mean 'plan status'?"),
      ("help plan stats", "'plan stats'. Did you mean 'plan status'?"),
      ("export xyzzy", "'export xyzzy'. 'encircle export --help' lists the commands."),
    ]) func `an unknown command is named, with a likely one`(words: String, expected: String) throws
  {
    let result = try Tool.run(words.split(separator: " ").map(String.init))
    #expect(result.status == 64 && result.errors == "Error: There is no command \(expected)\n", "\(result.errors)")
  }

  @Test(
    arguments: ["compile rules.yaml -o", "explain --rules rules.yaml --event", "match --rules"]
  ) func `an argument that is not UTF-8 is refused, as it would be another one`(command: String) throws {
    let tool = try #require(Tool.executable, "the tool has not been built")
    let folder = try RulesFolder()
    defer { folder.remove() }
    let script = "exec \"$0\" \(command) \"$(printf '{\"a\":\"\\377\"}')\""
    let result = try Tool.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script, tool.path], in: folder.url)
    #expect(result.status == 64 && result.output.isEmpty, "\(result.errors)")
    #expect(result.errors.hasPrefix("Error: '{\"a\":\"\u{FFFD}\"}' is not valid UTF-8"), "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).allSatisfy { !$0.hasPrefix("{") })
  }

  @Test(
    arguments: [
      "match --rules a.yaml --kafka-topic a", "match --rules a.yaml --kafka-raw-topic a",
      "match --rules a.yaml --kafka-rejects-topic a", "match --rules a.yaml --kafka-group a",
      "test a.yaml --update --format json", "test a.yaml --update --coverage",
      "check a.yaml --input-format view-tree", "compile a.yaml -o a --controllers a",
      "convert --from sensors --to lede A --page a", "coverage --rules a.yaml --events a --page a",
      "drift --rules a.yaml --events a --page a", "explain --rules a.yaml --event {} --page a",
      "import posthog a.json --page a", "lookup 51effcaa --page a", "match --rules a.yaml --encoding GB18030",
      "path A --page a", "plan accept --rules a.yaml --page a", "plan export --rules a.yaml --page a",
      "plan status --rules a.yaml --page a", "plan status --rules a.yaml --only live --summary",
      "plan status --rules a.yaml --only live --format json", "plan status --rules a.yaml --only live --format junit",
      "plan take --rules a.yaml --page a", "select A cart.xml --count --format json", "suggest --event a --page a",
      "udf --rules . --page a",
    ]) func `an option without effect is refused`(words: String) throws
  {
    let result = try Tool.run(words.split(separator: " ").map(String.init))
    #expect(result.status == 64 && result.errors.contains(" with "), "\(result.errors)")
  }

  @Test(
    arguments: ["plan diff --rules a.yaml a.csv", "plan import --rules a.yaml a.csv"]
  ) func `commands that read no captures take none`(command: String) throws {
    for option in ["--captures", "--dictionary", "--page"] {
      let result = try Tool.run((command + " " + option + " a").split(separator: " ").map(String.init))
      #expect(result.status == 64 && result.errors.contains("Unknown option '\(option)'"), "\(result.errors)")
    }
  }

  @Test func `only the last positional argument is repeated`() throws {
    for command in try ToolDescription.commands() {
      let positional = (command.arguments ?? []).filter { $0.kind == "positional" }
      #expect(positional.dropLast().allSatisfy { !$0.isRepeating }, "\(command.commandName)")
    }
  }
}
