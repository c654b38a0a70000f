import EncircleAuthoring
import EncircleText
import EncircleTree

/// What has changed between captures as GitHub Flavored Markdown, for a comment on a release.
enum DriftMarkdown {
  static func text(_ report: DriftReport) -> String {
    var text = ""
    for screen in report.screens { append(screen, report, to: &text) }
    for name in report.onlyOld { text += "\n\(DiffMarkdown.code(name)): no counterpart among the new captures\n" }
    for name in report.onlyNew { text += "\n\(DiffMarkdown.code(name)): no counterpart among the old captures\n" }
    guard let count = report.ruleCount else { return text }
    text += "\n### \(count) rule\(count == 1 ? "" : "s") compared, \(report.rules.count) broken\n"
    guard !report.rules.isEmpty else { return text }
    text += "\n| rule | | repair |\n| --- | --- | --- |\n"
    for rule in report.rules {
      text += "| \(DiffMarkdown.code(rule.drift.id.text)) | \(rule.drift.kind.heading) | \(repair(rule)) |\n"
    }
    return text
  }

  private static func append(_ screen: ScreenDrift, _ report: DriftReport, to text: inout String) {
    text += "### \(DiffMarkdown.code(screen.old.name)) → \(DiffMarkdown.code(screen.new.name))\n\n"
    text += DriftText.summary(screen) + "\n"
    var rows: [[String]] = []
    for change in report.changes(screen) {
      let match = change.match
      let paths = pathDifference(screen.old.screen.path(of: match.old), screen.new.screen.path(of: match.new))
      let way = change.kinds.contains(.moved) ? "\(DiffMarkdown.code(paths.old)) → \(DiffMarkdown.code(paths.new))" : ""
      rows.append([
        change.kinds.map(\.rawValue).joined(separator: ", "), DiffMarkdown.code(screen.old.title(of: match.old)), way,
        confidenceText(match.confidence), DiffMarkdown.code(DriftText.reasons(match)),
      ])
    }
    for element in report.gone(screen) {
      rows.append(["gone", DiffMarkdown.code(screen.old.title(of: element)), "", "", ""])
    }
    for element in report.added(screen) {
      rows.append(["added", DiffMarkdown.code(screen.new.title(of: element)), "", "", ""])
    }
    for takeover in report.takeovers(screen) {
      let was = DiffMarkdown.code(screen.old.title(of: takeover.old))
      rows.append([
        "another element under the old ID", DiffMarkdown.code(screen.new.title(of: takeover.new)), "was \(was)", "", "",
      ])
    }
    guard !rows.isEmpty else { return }
    text += "\n| | element | path | confidence | why |\n| --- | --- | --- | --- | --- |\n"
    for row in rows { text += "| \(row.joined(separator: " | ")) |\n" }
  }

  private static func repair(_ rule: DriftReport.Rule) -> String {
    guard let repair = rule.repair else { return "to be reviewed" }
    let values = repair.values.map(DiffMarkdown.code).joined(separator: ", ")
    let verb = repair.isReplacing ? "replace" : "add"
    return "\(rule.isApplied ? "done: " : "")\(verb) \(repair.key) \(values) (\(confidenceText(repair.confidence)))"
  }
}
