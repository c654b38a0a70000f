import EncircleAuthoring
import EncircleRuleFiles

/// The documentation of all findings in Markdown, as in `encircle check --list` and docs/checks.md.
enum CheckCatalogText {
  static var all: String {
    var text = """
      # What `encircle check` finds

      Each finding has a stable code, and a severity. A rule file or a rule can set another severity, or silence a \
      finding with a reason:

      ```yaml
      checks:
        exact-row: { severity: off, reason: the first row is the banner }
        matches-many: { limit: 200, reason: three buttons in every row }
        localised-text: warning
      ```

      A comment, which also needs a reason, silences findings in one place: on the line that it ends, or on the next \
      line and what is indented beneath that, such as a rule or a clause. Several codes are separated by commas.

      ```yaml
      include:
        # encircle: off exact-row, fragile-index - the first row is the banner
        selector: CartCell(section:0 row:0)/UIButton(1)
      ```

      | code | severity | |
      | --- | --- | --- |

      """
    for code in CheckCode.allCases {
      text += "| `\(code.rawValue)` | \(code.documentation.severity.rawValue) | \(code.documentation.title) |\n"
    }
    for code in CheckCode.allCases { text += "\n" + section(code) }
    return text
  }

  private static func section(_ code: CheckCode) -> String {
    let documentation = code.documentation
    var text = "## `\(code.rawValue)`: \(documentation.title)\n\n\(documentation.explanation)\n\nWrong:\n\n"
    text += block(documentation.wrong, "yaml") + "\nRight:\n\n" + block(documentation.right, "yaml")
    if let capture = documentation.capture { text += "\nWith a capture that has\n\n" + block(capture, "xml") }
    if let capture = documentation.laterCapture {
      text += "\nand one of a later version that has\n\n" + block(capture, "xml")
    }
    if let plan = documentation.plan { text += "\nWith the plan\n\n" + block(plan, "yaml") }
    if let event = documentation.event { text += "\nWith the event\n\n" + block(event, "json") }
    return text
  }

  private static func block(_ text: String, _ language: String) -> String { "```\(language)\n\(text)\n```\n" }
}
