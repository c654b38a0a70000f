import EncircleText

/// Writes coverage for programs: one object.
package enum CoverageJSON {
  package static func text(_ report: CoverageReport) -> String {
    var json = JSONBuilder()
    json.object { append(report, limit: .max, to: &$0) }
    return json.line
  }

  /// Writes the members of a report, with the maximum number of elements in each list given.
  package static func append(_ report: CoverageReport, limit: Int, to json: inout JSONBuilder) {
    append(report.totals, to: &json)
    json.array("screens", report.screens) { screen, json in
      json.object {
        $0.member("page", screen.page)
        $0.member("title", screen.title)
        $0.member("captured", screen.isCaptured)
        append(screen.totals, to: &$0)
      }
    }
    json.member("open_count", report.open.count)
    json.array("open", Array(report.open.prefix(limit))) { append($0, to: &$1) }
    json.array("set_aside", Array(report.setAside.prefix(limit))) { append($0, to: &$1) }
    json.member("other_events", report.others)
    json.member("beyond_limits", report.beyondLimits)
    json.member("captures", report.captures)
    json.member("skipped_captures", report.skippedCaptures)
  }

  private static func append(_ totals: CoverageReport.Totals, to json: inout JSONBuilder) {
    json.object("taps") { append(totals.taps, to: &$0) }
    json.object("elements") { append(totals.elements, to: &$0) }
  }

  private static func append(_ counts: CoverageReport.Counts, to json: inout JSONBuilder) {
    json.member("taken", counts.taken)
    json.member("open", counts.open)
    json.member("set_aside", counts.setAside)
    json.member("excluded", counts.excluded)
    json.member("excluded_page", counts.excludedPage)
    if let share = counts.share { json.member("share", share) } else { json.member("share") { $0.null() } }
  }

  private static func append(_ element: CoverageReport.Element, to json: inout JSONBuilder) {
    json.object {
      $0.member("page", element.page)
      $0.member("selector", element.selector)
      $0.member("state", element.state.rawValue)
      $0.member("type", element.type)
      $0.member("text", element.text)
      $0.object("taps") { append(element.taps, to: &$0) }
      $0.member("people", element.people)
      $0.member("versions", element.versions)
      $0.member("capture", element.place?.capture)
      $0.member("element", element.place?.element)
      $0.member("reason", element.reason)
    }
  }
}
