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
}
