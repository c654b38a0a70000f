import Testing
import Yams

@testable import EncircleRuleFiles

@Suite struct ScalarTagTests {
  @Test(
    "a scalar is what YAML takes it for, though its tag is not resolved",
    arguments: [
      "a", "yes", "No", "TRUE", "falsey", "False", "trues", "Nulls", "yes ", "on", "OFF", "null", "~", "Null",
      "nullable", "Y", "t", "4101", "0", "00", "007", "12345678901234567890123", "٣", "''", "\"5\"", "5", "-5", "+5",
      "5.0", ".5",
      "-.inf", ".NaN", "0x1F", "0b1", "1_000", "1:30", "1e5", "2026-03-01", "2026-03-01T08:00:00Z", "2026", "<<", "=",
      "1.2.3",
      "!!str 5", "!!int \"5\"", "!!null x", "'~'", "加", "é", "$AppClick", "n", "y", "N/A", "Off-line", "6.0-beta",
      "|\n  5",
    ])
  func tags(text: String) throws {
    let document = try YAMLText("- " + text, name: "a.yaml").parse(resolvesTags: false)
    let node = try #require(document?.sequence?.first)
    let resolved = try #require(try Yams.compose(yaml: "- " + text)?.sequence?.first)
    #expect(ScalarTag.isNull(node) == (resolved.tag.description == Tag.Name.null.rawValue))
    #expect(ScalarTag.resolved(node).rawValue == resolved.tag.description)
  }
}
