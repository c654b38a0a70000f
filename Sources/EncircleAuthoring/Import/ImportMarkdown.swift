import EncircleText

/// An import as GitHub Flavored Markdown, for a comment on a change or a message.
package enum ImportMarkdown {
  package static func text(_ report: ImportReport) -> String {
    let hasEvents = report.entries.contains { $0.events != nil }
    var header = ["definition", "name", "result"] + (hasEvents ? ["readable", "literal", "there"] : []) + ["why"]
    var text = "### Import: \(ImportText.summary(report))\n"
    guard !report.entries.isEmpty else { return text }
    text += "\n| \(header.joined(separator: " | ")) |\n|\(String(repeating: " --- |", count: header.count))\n"
    for entry in report.entries {
      let definition = entry.definition
      header = [
        MarkdownText.code(definition.ruleID), MarkdownText.code(definition.name),
        entry.grade.rawValue + (entry.isTaken ? "" : ", not taken"),
      ]
      if hasEvents {
        header += [entry.events?.readable, entry.events?.literal, definition.count].map { $0.map { "\($0)" } ?? "" }
      }
      let reasons = entry.reasons.filter { $0.effect != .exact }.map { MarkdownText.code($0.sentence) }
      header.append(reasons.joined(separator: "<br>"))
      text += "| \(header.joined(separator: " | ")) |\n"
    }
    return text
  }
}
