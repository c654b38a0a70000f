import EncircleText

/// Writes the results of an export as text for people.
package enum ExportText {
  private static let widestRule = 40

  package static func text(_ report: ExportReport) -> String {
    var rows = [["RULE", "FOR", "RESULT", "WHY", "WHERE"]]
    for row in report.rows {
      var start = [VisibleText.shortened(row.rule.text, columns: widestRule), row.target, result(row)]
      if row.reasons.isEmpty { rows.append(start + ["", ""]) }
      for reason in row.reasons {
        rows.append(start + ["\(reason.code): \(reason.text)", place(reason)])
        start = ["", "", ""]
      }
    }
    var lines = rows.count > 1 ? TextTable.lines(rows) + [""] : []
    lines += report.notes.map { "note: \($0.text)" }
    lines.append(summary(report))
    return lines.map { VisibleText.escaping($0) + "\n" }.joined()
  }

  /// Returns the numbers of rules in one line.
  static func summary(_ report: ExportReport) -> String {
    let counts = report.counts
    let statuses = ExportReport.Status.allCases.map { "\(counts[$0] ?? 0) \($0.rawValue)" }.joined(separator: ", ")
    return "\(statuses); \(counted(report.files.count, "file"))"
  }

  static func result(_ row: ExportReport.Row) -> String {
    row.status != .refused && !row.isWritten ? "\(row.status.rawValue), left out" : row.status.rawValue
  }

  static func place(_ reason: ExportReport.Reason) -> String {
    reason.place.map { "\($0.file):\($0.location)" } ?? ""
  }
}
