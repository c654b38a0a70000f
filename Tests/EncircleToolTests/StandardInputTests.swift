import EncircleTestSupport
import Foundation
import Testing

/// Standard input as a file that commands read.
@Suite struct StandardInputTests {
  @Test(
    "standard input is read for one thing only",
    arguments: [
      "anchor - --captures - -o a", "check - -", "check - --events -", "check rules.yaml --captures - --events -",
      "compile - - -o a", "compile - --captures - -o a", "convert --from sensors --to lede - --captures -",
      "diff rules.yaml rules.yaml --captures -", "export posthog --rules - --rules -", "fmt - -", "id - -",
      "index - - -o a", "lookup --captures -",
      "lookup - --captures -", "match --rules - -", "match --rules -", "match --rules /dev/stdin",
      "match --rules rules.yaml - -",
      "match --rules rules.yaml --captures -", "path --captures - --captures - A", "plan diff --rules rules.yaml - -",
      "plan export --rules - --events -", "resolve - -", "select UIButton - -", "select --event -:2 -",
      "suggest - 1 --against -", "suggest --event -:2 --against -", "test - --rules -", "udf --rules . --captures -",
      "suggest - --all --rules-yaml --rules -", "convert --from sensors --to lede - --controllers -",
      "diff old.txt new.txt --controllers -", "index - -o a --controllers -",
      "lookup --captures old.txt --controllers -", "match --rules rules.yaml --captures old.txt --controllers -",
      "resolve - --controllers -", "select UIButton - --controllers -",
      "suggest old.txt 1 --against new.txt --controllers -", "suggest - --all --rules-yaml --controllers -",
    ])
  func readTwice(arguments: String) throws {
    let result = try RulesFolder.run(arguments, input: RulesFolder.rules)
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(result.errors.contains("Standard input can be read once only."), "\(result.errors)")
  }

  @Test(
    "a pipe is read for one thing only",
    arguments: [
      "diff a.xml b.xml --controllers p", "diff rules.yaml rules.yaml --captures p", "match --rules rules.yaml p p",
      "suggest a.xml 1 --against b.xml --controllers p",
    ])
  func pipeReadTwice(arguments: String) throws {
    let tool = try #require(Tool.executable, "the tool has not been built")
    let folder = try RulesFolder()
    defer { folder.remove() }
    let script = "mkfifo p; exec \"$0\" \(arguments)"
    let result = try Tool.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script, tool.path], in: folder.url)
    #expect(result.status == 64 && result.output.isEmpty, "\(result.errors)")
    #expect(result.errors.contains("p is a pipe, which can be read once only"), "\(result.errors)")
  }
}
