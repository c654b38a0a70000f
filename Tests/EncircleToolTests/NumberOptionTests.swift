import EncircleTestSupport
import Testing

/// Options whose values are numbers.
@Suite struct NumberOptionTests {
  @Test(
    "an option that takes no negative number says which numbers it takes",
    arguments: [
      ("coverage --rules . --fail-under", "--fail-under takes a share from 0 to 100."),
      ("coverage --rules . --limit", "--limit takes a number from 0 on."),
      ("diff a b --apply", "--apply takes a confidence from 0 to 1."),
      ("diff a b --examples", "--examples takes a number from 0 to 100."),
      ("diff a b --threshold", "--threshold takes a confidence from 0 to 1."),
      ("explain --rules . --tolerance", "--tolerance takes a confidence above 0, up to 1."),
      ("match --rules . --threads", "--threads takes a number from 1 to 256."),
      ("plan status --rules . --live-days", "Numbers of days are from 0 to 36500"),
      ("plan status --rules . --missing-after-days", "Numbers of days are from 0 to 36500"),
      ("plan status --rules . --missing-people", "numbers of people from 0 on."),
      ("plan status --rules . --stale-days", "Numbers of days are from 0 to 36500"),
      ("stats --limit", "--limit takes a number from 0 on."),
      ("suggest a 1 --limit", "--limit is at least 1."),
      ("udf --rules . --versions", "--versions takes a number from 1 to 1000."),
    ])
  func negativeNumbers(option: String, message: String) throws {
    let result = try Tool.run(option.split(separator: " ").map(String.init) + ["-1"])
    #expect(result.status == 64 && result.errors.contains(message), "\(result.errors)")
  }
}
