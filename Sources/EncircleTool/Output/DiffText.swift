import EncircleRules
import EncircleText

/// The differences between two rule sets for people at a terminal.
enum DiffText {
  static func text(_ report: DiffReport) -> String {
    let parts = report.parts.map { report, one, many -> String in
      var lines = [heading(report, one, many)]
      let shown = report.groups.prefix(DiffReport.maximumGroups)
      for kind in DecisionDifference.Kind.allCases {
        guard let count = report.counts[kind] else { continue }
        lines.append("\(kind.heading): \(count)")
        for group in shown where group.difference.kind == kind { append(group, to: &lines) }
      }
      let others = report.groups.dropFirst(shown.count)
      let rest = others.reduce(report.ungrouped) { $0 + $1.count }
      if rest > 0 { lines.append("not shown: \(rest) \(rest == 1 ? one : many) with other reasons") }
      return lines.map { VisibleText.escaping($0) + "\n" }.joined()
    }
    return parts.joined(separator: "\n")
  }

  /// Returns a heading with the number of compared events or elements, and the number that differ.
  static func heading(_ report: DecisionComparison.Report, _ one: String, _ many: String) -> String {
    let compared = "\(report.compared) \(report.compared == 1 ? one : many) compared"
    return "\(compared), \(report.different == 0 ? "no difference" : "\(report.different) selected differently")"
  }

  private static func append(_ group: DecisionComparison.Group, to lines: inout [String]) {
    let names = group.difference.names { $0.text }.map { " (\($0))" } ?? ""
    lines.append("  \(group.count)  \(group.difference.reasons { $0.text }.joined(separator: "; "))\(names)")
    for example in group.examples {
      var text = "     \(example.place)"
      if let event = example.event { text += "  \(event)" }
      if let page = example.page { text += "  \(page)" }
      if let element = example.path.map({ VisibleText.shortened($0, columns: 60) })
        ?? example.eventID.map({ "\($0)".prefix(12) + "…" })
      {
        text += "  \(element)"
      }
      lines.append(text)
    }
    let more = group.count - group.examples.count
    if more > 0, !group.examples.isEmpty { lines.append("     and \(more) more") }
  }
}
