import EncircleText
import Foundation

/// A board as one page of HTML that needs nothing else, and prints with a screen on each sheet of A4, in landscape.
public enum BoardHTML {
  /// Returns the page.
  ///
  /// - Parameter title: Its heading, such as the name of the app.
  /// - Complexity: O(length of the page), pictures included.
  public static func text(_ board: BoardReport, title: String) -> String {
    var html = "\n"
    if board.sheets.count > 1 { html += contents(board) }
    for (number, sheet) in board.sheets.enumerated() { html += section(sheet, number + 1, board) }
    return HTMLPage.text(title: title, style: style, body: html)
  }

  private static func contents(_ board: BoardReport) -> String {
    var html = "<nav aria-label=\"Screens\">\n<ol>\n"
    for (number, sheet) in board.sheets.enumerated() {
      let events = counted(sheet.rows.count, "event")
      html += "<li><a href=\"#screen-\(number + 1)\">\(heading(sheet))</a> <small>\(events)</small></li>\n"
    }
    return html + "</ol>\n</nav>\n"
  }

  private static func heading(_ sheet: BoardReport.Sheet) -> String {
    let page = sheet.page ?? "No page"
    guard let title = sheet.title, !title.isEmpty else { return escaped(page) }
    return "\(escaped(title)) <code>\(escaped(page))</code>"
  }

  private static func section(_ sheet: BoardReport.Sheet, _ number: Int, _ board: BoardReport) -> String {
    var html = "<section id=\"screen-\(number)\">\n<h2>\(number). \(heading(sheet))</h2>\n<div class=\"sheet\">\n"
    if let picture = sheet.picture {
      html += "<figure>\n" + drawing(picture, sheet)
      if let capture = sheet.capture { html += "<figcaption>\(escaped(capture))</figcaption>\n" }
      html += "</figure>\n"
    }
    html += sheet.rows.isEmpty ? "<p>No rule selects anything here.</p>\n" : table(sheet, board)
    return html + "</div>\n</section>\n"
  }

  // MARK: - The picture

  private static func drawing(_ picture: BoardReport.Picture, _ sheet: BoardReport.Sheet) -> String {
    func number(_ value: Double) -> String { Wireframe.text(value) }
    let size = "viewBox=\"0 0 \(number(picture.width)) \(number(picture.height))\""
    var svg = "<svg \(size) role=\"img\" aria-label=\"\(escaped(sheet.page ?? "screen"))\">"
    if let screenshot = picture.screenshot {
      let data = Data(screenshot.bytes).base64EncodedString()
      svg += "<image width=\"100%\" height=\"100%\" preserveAspectRatio=\"none\" "
      svg += "href=\"data:\(screenshot.kind.rawValue);base64,\(data)\"/>"
    } else {
      svg += picture.drawing
    }
    let scale = picture.width / 390
    var numbered: Set<Int> = []
    for ring in sheet.rings {
      let frame = ring.frame
      svg += "<rect class=\"ring\" x=\"\(number(frame.x))\" y=\"\(number(frame.y))\" width=\"\(number(frame.width))\" "
      svg += "height=\"\(number(frame.height))\" rx=\"\(number(4 * scale))\" stroke-width=\"\(number(2.5 * scale))\"/>"
      // The elements of a list have one number, at the first of them.
      guard numbered.insert(ring.number).inserted else { continue }
      let radius = 11 * scale
      let x = min(max(frame.x, radius), picture.width - radius)
      let y = min(max(frame.y, radius), picture.height - radius)
      svg += "<circle class=\"badge\" cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"\(number(radius))\"/>"
      svg += "<text class=\"badge\" x=\"\(number(x))\" y=\"\(number(y + 4.5 * scale))\" "
      svg += "font-size=\"\(number(13 * scale))\">\(ring.number)</text>"
    }
    return svg + "</svg>\n"
  }

  // MARK: - The table

  private static func table(_ sheet: BoardReport.Sheet, _ board: BoardReport) -> String {
    let hasOwners = sheet.rows.contains { $0.owner != nil || !$0.tags.isEmpty }
    let hasProperties = sheet.rows.contains { !$0.properties.isEmpty }
    let hasStatus = sheet.rows.contains { $0.status != nil }
    var heads = ["", "Event", "Trigger"]
    if hasProperties { heads.append("Properties") }
    if hasStatus { heads.append("Status") }
    if hasOwners { heads.append("Owner") }
    if board.hasEvents { heads.append("Count") }
    var html =
      "<div class=\"events\">\n" + HTMLPage.tableHead(heads)
    for row in sheet.rows {
      html += "<tr><td class=\"number\">\(row.number.map { "<b>\($0)</b>" } ?? "")</td><td>\(event(row))</td>"
      html += "<td>\(escaped(row.trigger ?? ""))</td>"
      if hasProperties {
        html += "<td>" + row.properties.map { "<code>\(escaped($0))</code>" }.joined(separator: ", ") + "</td>"
      }
      if hasStatus { html += "<td class=\"\(row.status?.rawValue ?? "")\">\(row.status?.rawValue ?? "")</td>" }
      if hasOwners {
        let tags = row.tags.map { " <small>\(escaped($0))</small>" }.joined()
        html += "<td>\(escaped(row.owner ?? ""))\(tags)</td>"
      }
      if board.hasEvents {
        let count = PlanReport.text(ofRecent: row.count, isComplete: board.countsAreComplete)
        html += "<td class=\"count\">\(count)</td>"
      }
      html += "</tr>\n"
    }
    html += "</tbody>\n</table>\n"
    if board.hasEvents, sheet.page != nil, let people = sheet.people {
      html += "<p class=\"people\">\(counted(people, "person", "people")) came here.</p>\n"
    }
    return html + "</div>\n"
  }

  private static func event(_ row: BoardReport.Row) -> String {
    var html = "<code>\(escaped(row.event))</code>"
    if let name = row.name { html += "<br>\(escaped(name))" }
    if let summary = row.summary { html += "<br><small>\(escaped(summary))</small>" }
    let rules = row.rules.filter { !sameText($0, row.event) }
    if !rules.isEmpty { html += "<br><small>rule \(rules.map(escaped).joined(separator: ", "))</small>" }
    return html
  }

  private static func escaped(_ text: String) -> String { XMLText.escaped(text) }

  private static let style = """
    h2 { font-size: 1.2rem; margin: 0 0 .75rem; } nav ol { columns: 18rem; } section { margin-top: 3rem; }
    .sheet { display: flex; gap: 2rem; align-items: flex-start; }
    figure { margin: 0; flex: 0 0 20rem; } figure svg { width: 100%; max-height: 80vh; border: 1px solid #cbd5e1; }
    figcaption { color: #4b5563; font-size: .8rem; overflow-wrap: anywhere; }
    .events { flex: 1; min-width: 0; } .people { color: #4b5563; }
    .wrong, .missing, .unexpected { color: #b91c1c; font-weight: 700; }
    .ring { fill: none; stroke: #c2185b; } circle.badge, .number b { fill: #c2185b; background: #c2185b; }
    text.badge { fill: #fff; font-weight: 700; text-anchor: middle; }
    .number b { color: #fff; border-radius: 1rem; padding: 0 .5em; print-color-adjust: exact; }
    @media screen and (max-width: 50rem) { .sheet { display: block; } }
    @media print {
      nav { break-after: page; }
      section { break-before: page; margin: 0; } nav + section { break-before: auto; }
      figure { flex-basis: 85mm; } figure svg { max-height: 160mm; }
    }
    """
}
