import EncircleText

/// Writes coverage for people.
package enum CoverageText {
  private static let widestScreen = 40
  private static let widestText = 24
  private static let widestPath = 50

  /// - Parameter limit: The maximum number of elements that are listed.
  package static func text(_ report: CoverageReport, limit: Int) -> String {
    var rows = [["SCREEN", "TAPS", "TAKEN", "SHARE", "ELEMENTS", "TAKEN", "SHARE", ""]]
    for screen in report.screens { rows.append(row(name(screen), screen.totals, report)) }
    if report.screens.count != 1 { rows.append(row("all", report.totals, report)) }
    var lines = TextTable.lines(rows, right: [1, 2, 3, 4, 5, 6])
    if !report.open.isEmpty {
      let order = report.hasTaps ? ", the most tapped first" : ""
      lines += ["", "\(counted(report.open.count, "element")) without a rule\(order):"]
      lines += list(report.open, of: report, limit: limit, taps: \.open)
    }
    if !report.setAside.isEmpty {
      lines += ["", "\(counted(report.setAside.count, "element")) set aside:"]
      lines += list(report.setAside, of: report, limit: limit, taps: \.setAside)
    }
    return lines.map { VisibleText.escaping($0) + "\n" }.joined()
  }

  private static func row(_ name: String, _ totals: CoverageReport.Totals, _ report: CoverageReport) -> [String] {
    let (taps, elements) = (totals.taps, totals.elements)
    return [name]
      + (report.hasTaps ? ["\(taps.taken + taps.open)", "\(taps.taken)", percent(taps.share)] : ["", "", ""])
      + ["\(elements.taken + elements.open)", "\(elements.taken)", percent(elements.share), notes(totals)]
  }

  /// Returns the elements and taps that do not count, in words such as `set aside: 2 elements, 1 tap`.
  private static func notes(_ totals: CoverageReport.Totals) -> String {
    func part(_ key: KeyPath<CoverageReport.Counts, Int>, _ what: String) -> String? {
      let (elements, taps) = (totals.elements[keyPath: key], totals.taps[keyPath: key])
      guard elements + taps > 0 else { return nil }
      return "\(what): \(counted(elements, "element"))" + (taps > 0 ? ", \(counted(taps, "tap"))" : "")
    }
    return [
      part(\.setAside, "set aside"), part(\.excluded, "excluded"), part(\.excludedPage, "on excluded pages"),
    ].compactMap { $0 }.joined(separator: "; ")
  }

  /// Returns the name of a screen: its page and title.
  static func name(_ screen: CoverageReport.Screen) -> String {
    VisibleText.fitting(
      [screen.page ?? "-", screen.title].compactMap { $0 }.joined(separator: " "), columns: widestScreen
    ).withoutTrailingSpaces
  }

  private static func list(
    _ elements: [CoverageReport.Element], of report: CoverageReport, limit: Int,
    taps: KeyPath<CoverageReport.Counts, Int>
  ) -> [String] {
    let isOpen = taps == \.open
    let names = isOpen ? ["TAPS", "PEOPLE", "VERSIONS"] : ["TAPS"]
    var rows = [names + ["TYPE", "TEXT", "PAGE", isOpen ? "PLACE" : "REASON"]]
    for element in elements.prefix(limit) {
      var row = [report.hasTaps ? "\(element.taps[keyPath: taps])" : ""]
      if isOpen {
        let people = report.hasTaps ? element.people.map { "\($0)" } : nil
        row += [people ?? "", versions(element.versions)]
      }
      let text = VisibleText.fitting(element.text ?? "", columns: widestText).withoutTrailingSpaces
      row += [typeName(element.type), text, element.page ?? "-", isOpen ? place(element) : element.reason ?? ""]
      rows.append(row)
    }
    var lines = rows.count > 1 ? TextTable.lines(rows, right: isOpen ? [0, 1] : [0]) : []
    if elements.count > limit { lines.append("and \(elements.count - limit) more") }
    return lines
  }

  /// Returns the place of an element: its capture and number, or else its path. A note follows if rules take only some of its
  /// taps.
  private static func place(_ element: CoverageReport.Element) -> String {
    let place =
      element.place.map { "\($0.capture) \($0.element)" }
      ?? VisibleText.fitting(element.selector, columns: widestPath, shorteningMiddle: true).withoutTrailingSpaces
    return element.state == .partly ? "\(place) (partly taken)" : place
  }

  /// Returns the range of some versions, from the first to the last.
  static func versions(_ versions: [String]) -> String {
    guard let first = versions.first, let last = versions.last, versions.count > 1 else { return versions.first ?? "" }
    return "\(first)–\(last)"
  }

  /// Returns a type as tables show it, such as `button` for `buttonEvent`.
  static func typeName(_ type: String?) -> String {
    guard let type else { return "" }
    return type.endsWithBytes(of: "Event") ? String(type.dropLast("Event".count)) : type
  }

  /// Returns a share in percent, rounded down, so that only a complete share is 100 %.
  package static func percent(_ share: Double?) -> String { share.map { "\(Int(($0 * 100).rounded(.down))) %" } ?? "-" }
}
