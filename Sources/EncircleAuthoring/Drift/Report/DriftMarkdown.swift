import EncircleText
import EncircleTree

/// Writes changes between captures as GitHub Flavored Markdown, for a comment on a release.
package enum DriftMarkdown {
  package static func text(_ report: DriftReport) -> String {
    var text = ""
    for screen in report.screens { append(screen, report, to: &text) }
    for name in report.onlyOld { text += "\n\(MarkdownText.code(name)): no counterpart among the new captures\n" }
    for name in report.onlyNew { text += "\n\(MarkdownText.code(name)): no counterpart among the old captures\n" }
    guard let count = report.ruleCount else { return text }
    text += "\n### \(counted(count, "rule")) compared, \(report.rules.count) broken\n"
    guard !report.rules.isEmpty else { return text }
    text += "\n| rule | | repair |\n| --- | --- | --- |\n"
    for rule in report.rules {
      text += "| \(MarkdownText.code(rule.drift.id.text)) | \(rule.drift.kind.heading) | \(repair(rule)) |\n"
    }
    return text
  }

  private static func append(_ screen: ScreenDrift, _ report: DriftReport, to text: inout String) {
    text += "### \(MarkdownText.code(screen.old.name)) → \(MarkdownText.code(screen.new.name))\n\n"
    text += DriftText.summary(screen) + "\n"
    var rows: [[String]] = []
    for change in report.changes(screen) {
      let match = change.match
      let paths = pathDifference(screen.old.screen.path(of: match.old), screen.new.screen.path(of: match.new))
      let way = change.kinds.contains(.moved) ? "\(MarkdownText.code(paths.old)) → \(MarkdownText.code(paths.new))" : ""
      let element = [screen.old.title(of: match.old)] + change.differences.map { DriftText.words($0) }
      rows.append([
        change.kinds.map(\.rawValue).joined(separator: ", "),
        element.map { MarkdownText.code($0) }.joined(separator: "<br>"), way,
        confidenceText(match.confidence), MarkdownText.code(DriftText.reasons(match)),
      ])
    }
    for element in report.gone(screen) {
      rows.append(["gone", MarkdownText.code(screen.old.title(of: element)), "", "", ""])
    }
    for element in report.added(screen) {
      rows.append(["added", MarkdownText.code(screen.new.title(of: element)), "", "", ""])
    }
    for reuse in report.reusedIDs(screen) {
      let was = MarkdownText.code(screen.old.title(of: reuse.old))
      rows.append([
        "another element under the old ID", MarkdownText.code(screen.new.title(of: reuse.new)), "was \(was)", "", "",
      ])
    }
    guard !rows.isEmpty else { return }
    text += "\n| | element | path | confidence | why |\n| --- | --- | --- | --- | --- |\n"
    for row in rows { text += MarkdownText.row(row) }
  }

  private static func repair(_ rule: DriftReport.Rule) -> String {
    guard let repair = rule.repair else { return "to be reviewed" }
    let values = repair.values.map(MarkdownText.code).joined(separator: ", ")
    let verb = repair.isReplacing ? "replace" : "add"
    let since = repair.since.map { " from \(MarkdownText.code($0)) on" } ?? ""
    return
      "\(rule.isApplied ? "done: " : "")\(verb) \(repair.key) \(values)\(since) (\(confidenceText(repair.confidence)))"
  }
}
