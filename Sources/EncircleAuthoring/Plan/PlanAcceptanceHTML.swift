import EncircleText

/// Writes the state of a checklist as one self-contained, printable page of HTML.
package enum PlanAcceptanceHTML {
  package static func text(_ report: PlanAcceptanceReport, title: String) -> String {
    var html = """
      <p class="\(report.isAccepted ? "accepted" : "wrong")">\(escaped(PlanAcceptanceText.summary(report)))</p>

      """
    let facts = PlanAcceptanceText.facts(report)
    if !facts.isEmpty {
      html += "<dl>" + facts.map { "<dt>\($0.name)</dt><dd>\(escaped($0.text))</dd>" }.joined() + "</dl>\n"
    }
    if !report.items.isEmpty {
      let heads = ["", "Event", "Platform", "Arrived", "What", "Owner"]
      html += HTMLPage.tableHead(heads)
      for item in report.items { html += row(item) }
      html += "</tbody>\n</table>\n"
    }
    if !report.unexpected.isEmpty {
      html += "<p>Not in the plan: \(escaped(PlanAcceptanceText.unexpected(report)))</p>\n"
    }
    return HTMLPage.text(title: title, style: style, body: html)
  }

  private static func row(_ item: PlanAcceptance.Item) -> String {
    let name = item.name.map { "<br>\(escaped($0))" } ?? ""
    var html = "<tr class=\"\(item.isOptional && item.state == .waiting ? "" : item.state.rawValue)\">"
    html +=
      "<td class=\"mark\">\(PlanAcceptanceText.mark(item))</td><td><code>\(escaped(item.event.text))</code>\(name)</td>"
    html += "<td>\(item.platform?.rawValue ?? "")</td><td class=\"count\">\(item.arrived)</td>"
    html += "<td>\(escaped(PlanAcceptanceText.what(item)))"
    for sample in item.samples {
      let problems = sample.problems.map { "<li>\(escaped($0))</li>" }.joined()
      html += "<ul>\(problems)</ul><code>\(escaped(sample.event))</code>"
      html += " <small>\(escaped(PlanAcceptanceText.place(sample)))</small>"
    }
    return html + "</td><td>\(escaped(item.owner ?? ""))</td></tr>\n"
  }

  private static func escaped(_ text: String) -> String { XMLText.escaped(text) }

  private static let style = """
    dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; } dt { color: #4b5563; } dd { margin: 0; }
    ul { margin: .25rem 0; padding-left: 1.2rem; }
    p.accepted, .accepted .mark { color: #047857; font-weight: 700; } p.wrong, .wrong .mark, .waiting .mark { color: #b91c1c; font-weight: 700; }
    """
}
