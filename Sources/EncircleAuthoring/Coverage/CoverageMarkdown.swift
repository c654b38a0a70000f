import EncircleText

/// Writes coverage as GitHub Flavored Markdown, for a comment on a change or a message.
package enum CoverageMarkdown {
  package static func text(_ report: CoverageReport, limit: Int) -> String {
    var text = "### Coverage: \(summary(report))\n"
    if !report.screens.isEmpty {
      text += "\n| screen | taps | taken | elements | taken |\n| --- | ---: | ---: | ---: | ---: |\n"
    }
    for screen in report.screens {
      let (taps, elements) = (screen.totals.taps, screen.totals.elements)
      let title = screen.title.map { " " + MarkdownText.code($0) } ?? ""
      text +=
        "| \(MarkdownText.code(screen.page ?? "-"))\(title) | \(taps.taken + taps.open) | \(CoverageText.percent(taps.share)) | "
        + "\(elements.taken + elements.open) | \(CoverageText.percent(elements.share)) |\n"
    }
    guard !report.open.isEmpty else { return text }
    text += "\n| taps | people | versions | without a rule | page | selector |\n"
    text += "| ---: | ---: | --- | --- | --- | --- |\n"
    for element in report.open.prefix(limit) {
      let cells = [
        "\(element.taps.open)", element.people.map { "\($0)" } ?? "",
        element.versions.isEmpty ? "" : MarkdownText.code(CoverageText.versions(element.versions)),
        MarkdownText.code([CoverageText.typeName(element.type), element.text].compactMap { $0 }.joined(separator: " "))
          + (element.state == .partly ? " (partly)" : ""),
        MarkdownText.code(element.page ?? "-"), MarkdownText.code(element.selector),
      ]
      text += MarkdownText.row(cells)
    }
    if report.open.count > limit { text += "\nNot shown: \(report.open.count - limit) more.\n" }
    return text
  }

  private static func summary(_ report: CoverageReport) -> String {
    let elements = "\(CoverageText.percent(report.totals.elements.share)) of elements"
    return report.hasTaps ? "\(CoverageText.percent(report.totals.taps.share)) of taps, \(elements)" : elements
  }
}
