import EncircleAuthoring
import EncircleRuleFiles
import EncircleText
import EncircleTree

/// A tracking plan as a workbook: the sheets *events* and *properties*, which an import takes back, and *screens* and *undefined*.
package enum PlanWorkbook {
  /// The names of sheets.
  private enum Name: String {
    case events, properties, screens, undefined
  }

  /// Returns a workbook of the plan.
  ///
  /// - Parameters:
  ///   - report: The status of the plan.
  ///   - board: The screens with the events that each can cause; nil leaves the sheet out.
  ///   - coverage: The elements without a rule; nil leaves the sheet out.
  ///   - pictures: The pictures of planned events, by name. Other events show the part of a screen that has their element.
  /// - Complexity: O(rows × columns).
  package static func workbook(
    _ plan: TrackingPlan, _ set: PlanHeaders, report: PlanReport? = nil, board: BoardReport? = nil,
    coverage: CoverageReport? = nil, pictures: [UTF8String: Screenshot] = [:]
  ) -> Workbook {
    let table = PlanExport.table(plan, set, report: report)
    var sheets: [Workbook.Sheet]
    // Without a column for the type of object, properties follow their event.
    if table.hasObjectType {
      sheets = [
        sheet(.events, table, columns: table.columns.map(\.isOfEvents), rows: table.rows.filter { !$0.isProperty }),
        sheet(.properties, table, columns: table.columns.map(\.isOfProperties), rows: table.rows.filter(\.isProperty)),
      ]
    } else {
      sheets = [sheet(.events, table, columns: table.columns.map { _ in true }, rows: table.rows)]
    }
    show(PlanPictures(pictures, board), of: table, in: &sheets[0])
    if let board { sheets.append(screens(board)) }
    if let coverage { sheets.append(undefined(coverage)) }
    return Workbook(sheets)
  }

  /// Returns a workbook with the sheet *screens* alone.
  package static func workbook(_ board: BoardReport) -> Workbook { Workbook([screens(board)]) }

  /// Reads the table of a workbook: its sheets *events* and *properties*, or else the first one. Spreadsheets ignore the case
  /// of such names.
  ///
  /// - Throws: ``WorkbookError`` if the bytes are not a workbook, or too large.
  package static func table(_ bytes: [UInt8]) throws(WorkbookError) -> [PlanSheet] {
    var reader = try WorkbookReader(bytes)
    let sheets = reader.sheets
    var wanted = [Name.events, .properties].compactMap { name in
      sheets.first { $0.name.lowercased().hasSameBytes(as: name.rawValue) }
    }
    if wanted.isEmpty { wanted = Array(sheets.prefix(1)) }
    var found: [PlanSheet] = []
    for sheet in wanted { found.append(PlanSheet(name: sheet.name, rows: try reader.rows(of: sheet))) }
    return found
  }

  /// Returns whether bytes begin like a workbook.
  package static func isWorkbook(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: ZIPReader.compoundFile)
  }

  private static func sheet(
    _ name: Name, _ table: PlanExport.Table, columns: [Bool], rows: [PlanExport.Table.Row]
  ) -> Workbook.Sheet {
    let places = columns.indices.filter { columns[$0] }
    var sheet = Workbook.Sheet(name.rawValue, headers: places.map { table.columns[$0].header })
    sheet.rows = rows.map { row in .init(places.map { .text(row.cells[$0]) }) }
    return sheet
  }

  /// Shows the pictures of events over the cells that name them.
  private static func show(_ pictures: PlanPictures, of table: PlanExport.Table, in sheet: inout Workbook.Sheet) {
    let columns = table.columns.filter { $0.isOfEvents || !table.hasObjectType }
    guard let column = columns.firstIndex(where: \.isPicture) else { return }
    let rows = table.hasObjectType ? table.rows.filter { !$0.isProperty } : table.rows
    for (i, row) in rows.enumerated() where !row.isProperty {
      guard var picture = pictures[row.event] else { continue }
      picture.column = column
      sheet.rows[i].picture = picture
      sheet.widths = columns.indices.map { $0 == column ? PlanPictures.columnWidth : Workbook.Sheet.usualWidth }
    }
  }

  // MARK: - Screens

  private static func screens(_ board: BoardReport) -> Workbook.Sheet {
    var headers = ["Picture", "Page", "Page Title", "No.", "Event Name", "Event Display Name", "Trigger"]
    headers += ["Properties", "Status", "Owner", "Count", "People", "Capture"]
    var sheet = Workbook.Sheet(Name.screens.rawValue, headers: headers)
    sheet.widths = [44, 24, 18, 6, 24, 24, 36, 30, 12, 14, 10, 10, 24]
    for screen in board.sheets {
      let page = screen.page ?? ""
      var first = Array(repeating: Workbook.Cell.text(""), count: headers.count)
      (first[1], first[2], first[12]) = (.text(page), .text(screen.title ?? ""), .text(screen.capture ?? ""))
      if board.hasEvents, let people = screen.people { first[11] = .number(people) }
      sheet.rows.append(.init(first, picture: PlanPictures.picture(of: screen)))
      for row in screen.rows {
        let texts = [
          row.event, row.name ?? "", row.trigger ?? "", row.properties.joined(separator: ", "),
          row.status?.rawValue ?? "", row.owner ?? "",
        ]
        let number: Workbook.Cell = row.number.map { .number($0) } ?? .text("")
        // A lower bound is a text, so that it is not included in sums.
        let count: Workbook.Cell =
          board.countsAreComplete
          ? .number(row.count) : .text(PlanReport.text(ofRecent: row.count, isComplete: false))
        sheet.rows.append(
          .init(
            [.text(""), .text(page), .text(screen.title ?? ""), number] + texts.map { .text($0) }
              + [board.hasEvents ? count : .text("")]))
      }
    }
    return sheet
  }

  // MARK: - What is not defined yet

  private static func undefined(_ coverage: CoverageReport) -> Workbook.Sheet {
    let headers = ["Page", "Element", "Text", "Taps", "People", "Versions", "Selector", "Capture"]
    var sheet = Workbook.Sheet(Name.undefined.rawValue, headers: headers)
    sheet.widths = [24, 18, 24, 10, 10, 18, 60, 24]
    sheet.rows = coverage.open.map { element in
      .init([
        .text(element.page ?? ""), .text(element.type ?? ""), .text(element.text ?? ""), .number(element.taps.open),
        element.people.map { .number($0) } ?? .text(""), .text(element.versions.joined(separator: ", ")),
        .text(element.selector), .text(element.place?.capture ?? ""),
      ])
    }
    return sheet
  }
}
