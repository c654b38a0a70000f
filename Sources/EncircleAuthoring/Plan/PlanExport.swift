import EncircleText

/// A plan as comma-separated values.
package enum PlanExport {
  /// A plan as a table.
  package struct Table: Sendable {
    /// A column.
    package struct Column: Sendable {
      package let header: String
      /// This is true if rows of events fill the column; `isOfProperties` is true if rows of properties do.
      package let isOfEvents: Bool
      package let isOfProperties: Bool
      /// This is true if the column is about the picture of an event.
      package let isPicture: Bool
    }

    /// A row.
    package struct Row: Sendable {
      package let isProperty: Bool
      package let event: UTF8String
      package let cells: [String]
    }

    package let columns: [Column]
    package internal(set) var rows: [Row] = []
    /// This is true if each row has an object type.
    package let hasObjectType: Bool
  }

  /// Returns the table: a line of headers, a row for each event, followed by one for each of its properties. Cells that a spreadsheet would
  /// take for formulas have a `'` in front.
  ///
  /// - Parameters:
  ///   - report: The status of the plan, which fills the cells about events that were seen.
  ///   - isWhole: True if events that only rules have get rows, too, and a status that nobody has set is derived.
  /// - Complexity: O(rows × columns).
  package static func text(_ plan: TrackingPlan, _ set: PlanHeaders, report: PlanReport? = nil, isWhole: Bool = true)
    -> String
  {
    let table = table(plan, set, report: report, isWhole: isWhole)
    var text = CSVText.line(table.columns.map { CSVText.unformulated($0.header) })
    for row in table.rows { text += CSVText.line(row.cells.map(CSVText.unformulated)) }
    return text
  }

  /// Returns the table, with texts as they are.
  ///
  /// - Complexity: O(rows × columns).
  package static func table(
    _ plan: TrackingPlan, _ set: PlanHeaders, report: PlanReport? = nil, isWhole: Bool = true
  ) -> Table {
    var sources = PlanTable.Sources()
    if let report {
      sources.report = Dictionary(report.events.map { ($0.event, $0) }) { first, _ in first }
      sources.recentIsComplete = report.recentIsComplete
      sources.places = report.places
      if report.read == 0 { sources.report = [:] }
    }
    let table = PlanTable(plan, set, sources: sources, derivesStatus: isWhole)
    let columns = table.columns.map { column in
      let isKept = column.kept != nil
      return Table.Column(
        header: column.header.text, isOfEvents: isKept || column.header.event != nil,
        isOfProperties: isKept || column.header.property != nil, isPicture: column.header.event == .picture)
    }
    var result = Table(columns: columns, hasObjectType: set.hasObjectType)
    for entry in plan.entries where isWhole || entry.isPlanned {
      result.rows.append(.init(isProperty: false, event: entry.event, cells: table.row(entry)))
      for property in entry.planned?.properties ?? [] {
        result.rows.append(.init(isProperty: true, event: entry.event, cells: table.row(property, of: entry)))
      }
    }
    return result
  }
}
