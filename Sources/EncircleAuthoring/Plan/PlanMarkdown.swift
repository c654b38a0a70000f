import EncircleText

/// Writes the status of a plan as GitHub Flavored Markdown, for a comment on a change or a message.
package enum PlanMarkdown {
  /// - Parameter statuses: The statuses of events to list; nil for all.
  package static func text(_ report: PlanReport, statuses: Set<PlanReport.Status>?) -> String {
    var text = "### Tracking plan: \(PlanEvidence.counts(report))\n"
    var rows = ""
    for event in report.events {
      for summary in PlanEvidence.summaries(event) where statuses?.contains(summary.status) ?? true {
        let versions = summary.versions
        let cells = [
          MarkdownText.code(event.event.text), summary.platform?.rawValue ?? "",
          versions.isEmpty ? "" : MarkdownText.code(versions), summary.status.rawValue,
          MarkdownText.code(PlanEvidence.text(summary, of: event)),
        ]
        rows += MarkdownText.row(cells)
      }
    }
    if !rows.isEmpty {
      text += "\n| event | platform | versions | status | evidence |\n| --- | --- | --- | --- | --- |\n" + rows
    }
    return text
  }
}
