import EncircleText

/// Writes the results of an export as GitHub Flavored Markdown, for a comment on a change or a message.
package enum ExportMarkdown {
  package static func text(_ report: ExportReport) -> String {
    var text = "### Export to \(report.tool.rawValue): \(ExportText.summary(report))\n"
    if !report.rows.isEmpty { text += "\n| rule | for | result | why | where |\n| --- | --- | --- | --- | --- |\n" }
    for row in report.rows {
      var start = [MarkdownText.code(row.rule.text), row.target, ExportText.result(row)]
      if row.reasons.isEmpty { text += MarkdownText.row(start + ["", ""]) }
      for reason in row.reasons {
        let place = ExportText.place(reason)
        text += MarkdownText.row(
          start + [reason.code + " " + MarkdownText.code(reason.text), place.isEmpty ? "" : MarkdownText.code(place)])
        start = ["", "", ""]
      }
    }
    for note in report.notes { text += "\n" + MarkdownText.code(note.text) + "\n" }
    return text
  }
}
