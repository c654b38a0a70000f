import EncircleText

/// An import as GitHub Flavored Markdown, for a comment on a change or a message.
package enum ImportMarkdown {
  /// People copy a clause from here into a rule, so it is shortened only if it is too long to read.
  private static let widestClause = 2_000

  package static func text(_ report: ImportReport) -> String {
    let hasEvents = report.entries.contains { $0.events != nil }
    let found = ImportText.found(report)
    var header = ["definition", "name", "result"] + (hasEvents ? ["readable", "literal", "there"] : []) + ["why"]
    if found != nil { header.append("found again") }
    var text = "### Import: \(ImportText.summary(report))\n"
    guard !report.entries.isEmpty else { return text }
    text += "\n" + MarkdownText.row(header) + MarkdownText.row(header.map { _ in "---" })
    for entry in report.entries {
      let definition = entry.definition
      var cells = [
        MarkdownText.code(definition.ruleID), MarkdownText.code(definition.name),
        entry.grade.rawValue + (entry.isTaken ? "" : ", not taken"),
      ]
      if hasEvents {
        cells += [entry.events?.readable, entry.events?.literal, definition.count].map { $0.map { "\($0)" } ?? "" }
      }
      let reasons = entry.reasons.filter { $0.effect != .exact }.map { MarkdownText.code($0.sentence) }
      cells.append(reasons.joined(separator: "<br>"))
      if found != nil { cells.append(entry.proposal.map(proposal) ?? "") }
      text += MarkdownText.row(cells)
    }
    if let found { text += "\nLook at each before you take it: \(found).\n" }
    return text
  }

  private static func proposal(_ proposal: ImportProposal) -> String {
    let elements = proposal.elements.map { element in
      let place = MarkdownText.code("\(element.capture), element \(element.element) (\(element.title))")
      let clause = element.clause.map { ": " + MarkdownText.code(ImportText.written($0), columns: widestClause) } ?? ""
      return "\(ImportText.percent(element.score)) \(place), \(ImportText.reasons(element))\(clause)"
    }
    return ([proposal.verdict.rawValue] + elements).joined(separator: "<br>")
  }
}
