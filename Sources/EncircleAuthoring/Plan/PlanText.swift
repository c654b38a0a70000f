import EncircleText

/// Writes the status of a plan for people.
package enum PlanText {
  private static let widestName = 40

  /// - Parameter statuses: The statuses of events to list; nil for all.
  package static func text(_ report: PlanReport, statuses: Set<PlanReport.Status>?) -> String {
    var rows = [["EVENT", "PLATFORM", "VERSIONS", "STATUS", "EVIDENCE"]]
    for event in report.events {
      var name = VisibleText.shortened(event.event.text, columns: widestName)
      for summary in PlanEvidence.summaries(event) where statuses?.contains(summary.status) ?? true {
        rows.append([
          name, summary.platform?.rawValue ?? "", summary.versions, summary.status.rawValue,
          PlanEvidence.text(summary, of: event),
        ])
        name = ""
      }
    }
    var lines = rows.count > 1 ? TextTable.lines(rows) + [""] : []
    lines += PlanEvidence.summary(report)
    return lines.map { VisibleText.escaping($0) + "\n" }.joined()
  }
}
