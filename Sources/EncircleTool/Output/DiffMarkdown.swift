import EncircleAuthoring
import EncircleRules
import EncircleText

/// The differences between two rule sets as GitHub Flavored Markdown, for a comment on a change of rules.
enum DiffMarkdown {
  static func text(_ report: DiffReport) -> String {
    report.parts.map { report, one, many in
      var text = "### \(DiffText.heading(report, one, many))\n"
      guard report.different > 0 else { return text }
      text += "\n| | \(many) | why | names | for example |\n| --- | ---: | --- | --- | --- |\n"
      for group in report.groups.prefix(DiffReport.maximumGroups) { text += row(group) }
      let rest = report.groups.dropFirst(DiffReport.maximumGroups).reduce(report.ungrouped) { $0 + $1.count }
      if rest > 0 { text += "\nNot shown: \(rest) \(rest == 1 ? one : many) with other reasons.\n" }
      return text
    }.joined(separator: "\n")
  }

  private static func row(_ group: DecisionComparison.Group) -> String {
    let difference = group.difference
    let cells = [
      difference.kind.heading, "\(group.count)", difference.reasons { code($0.text) }.joined(separator: "; "),
      difference.names { code($0.text) } ?? "",
      group.examples.map { example in
        [code(example.place), example.event.map(code), example.page.map(code)].compactMap { $0 }.joined(separator: " ")
      }.joined(separator: "<br>"),
    ]
    return MarkdownText.row(cells)
  }

  private static func code(_ text: String) -> String { MarkdownText.code(text) }
}
