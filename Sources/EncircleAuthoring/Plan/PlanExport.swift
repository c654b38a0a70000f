import EncircleText

/// A plan as comma-separated values.
package enum PlanExport {
  /// Returns the table: a line of headers, a row for each event, followed by one for each of its properties. Cells that a spreadsheet would
  /// take for formulas have a `'` in front.
  ///
  /// - Parameters:
  ///   - report: What became of the plan, with which cells about events that were seen are filled.
  ///   - isWhole: Whether events that only rules have get rows, too.
  /// - Complexity: O(rows × columns).
  package static func text(_ plan: TrackingPlan, _ set: PlanHeaders, report: PlanReport? = nil, isWhole: Bool = true)
    -> String
  {
    var sources = PlanTable.Sources()
    if let report {
      sources.report = Dictionary(report.events.map { ($0.event, $0) }) { first, _ in first }
      sources.places = report.places
      if report.read == 0 { sources.report = [:] }
    }
    let table = PlanTable(plan, set, sources: sources)
    var text = CSVText.line(table.columns.map { CSVText.unformulated($0.header.text) })
    for entry in plan.entries where isWhole || entry.isPlanned {
      text += CSVText.line(table.row(entry).map(CSVText.unformulated))
      for property in entry.planned?.properties ?? [] {
        text += CSVText.line(table.row(property, of: entry).map(CSVText.unformulated))
      }
    }
    return text
  }
}
