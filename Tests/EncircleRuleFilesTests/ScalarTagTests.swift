import Testing

@testable import EncircleRuleFiles

@Suite struct ScalarTagTests {
  @Test(
    "a scalar is what YAML 1.1 takes it for",
    arguments: [
      (.null, ["", "~", "null", "Null", "NULL", "!!null x"]),
      (.bool, ["yes", "No", "TRUE", "False", "yes ", "on", "OFF"]),
      (
        .int,
        [
          "4101", "0", "00", "007", "0o17", "12345678901234567890123", "-5", "+5", "0x1F", "0b1", "1_000", "1:30",
          "12:5:59",
          "2026", "!!int \"5\"",
        ]
      ),
      (.float, ["5.0", "5.", "08", ".5", ".5e+1", "1e5", "1.5E-3", "-.inf", ".NaN", "1:30.5", "1_0.2_5"]),
      (
        .text,
        [
          "a", "falsey", "trues", "nUll", "Nulls", "nullable", "Y", "y", "n", "t", "N/A", "Off-line", "٣", "''",
          "\"5\"", "'~'",
          "\"null\"", "|\n  5", "!!str 5", "!!str null", "2026-03-01", "2026-03-01T08:00:00Z", "<<", "=", "1.2.3",
          "6.0-beta",
          "1e", "1e+", ".5e1", "+.5", "+", "0b2", "0xG", "0o8", "0:30", "1:300", "1:60", "1:", "5:30x", "1.5:30",
          "-.nan", "._5",
          "加", "é", "$AppClick",
        ]
      ),
    ] as [(ScalarTag, [String])])
  func tags(tag: ScalarTag, texts: [String]) throws {
    for text in texts {
      let document = try YAMLText("- " + text, name: "a.yaml").parse()
      let node = try #require(document?.sequence?.first, "\(text)")
      #expect(ScalarTag(of: node) == tag, "\(text)")
      #expect(ScalarTag.isNull(node) == (tag == .null), "\(text)")
    }
  }
}
