import EncircleText

/// A sheet as a part of a workbook.
enum SheetText {
  /// - Throws: ``WorkbookError`` if a text or the table is larger than a spreadsheet can be.
  static func text(_ sheet: Workbook.Sheet, hasDrawing: Bool) throws(WorkbookError) -> String {
    guard sheet.rows.count < Workbook.maximumRows else {
      throw WorkbookError(.tooMany("rows", limit: Workbook.maximumRows - 1), sheet.name)
    }
    var text = WorkbookWriter.head + "<worksheet xmlns=\"\(WorkbookWriter.main)\" "
    text += "xmlns:r=\"\(WorkbookWriter.office)\">"
    // The headers stay where they are while the table is scrolled.
    text +=
      "<sheetViews><sheetView workbookViewId=\"0\"><pane ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" "
    text += "state=\"frozen\"/></sheetView></sheetViews>" + columns(sheet) + "<sheetData>"
    try append(Workbook.Row(sheet.headers.map { .text($0) }), 1, style: 1, of: sheet, to: &text)
    for (i, row) in sheet.rows.enumerated() { try append(row, i + 2, style: 0, of: sheet, to: &text) }
    text += "</sheetData>"
    if hasDrawing { text += "<drawing r:id=\"rId1\"/>" }
    return text + "</worksheet>"
  }

  private static func columns(_ sheet: Workbook.Sheet) -> String {
    var text = "<cols>"
    for i in sheet.headers.indices {
      let width = i < sheet.widths.count ? sheet.widths[i] : sheet.widths.last ?? Workbook.Sheet.usualWidth
      text += "<col min=\"\(i + 1)\" max=\"\(i + 1)\" width=\"\(width)\" customWidth=\"1\"/>"
    }
    return sheet.headers.isEmpty ? "" : text + "</cols>"
  }

  private static func append(
    _ row: Workbook.Row, _ number: Int, style: Int, of sheet: Workbook.Sheet, to text: inout String
  ) throws(WorkbookError) {
    text += "<row r=\"\(number)\""
    // A row is 409 points high at most, of 4/3 pixels each.
    if let picture = row.picture { text += " ht=\"\(min(409, picture.height * 3 / 4 + 6))\" customHeight=\"1\"" }
    text += ">"
    for (i, cell) in row.cells.enumerated() {
      switch cell {
      case .number(let value): text += "<c r=\"\(SheetRows.letters(of: i))\(number)\" s=\"2\"><v>\(value)</v></c>"
      case .text(let value):
        if value.isEmpty { continue }
        let place = "\(SheetRows.letters(of: i))\(number)"
        // Spreadsheets count UTF-16 code units; a text never has more of them than UTF-8 bytes.
        if value.utf8.count > Workbook.maximumCharacters, value.utf16.count > Workbook.maximumCharacters {
          throw WorkbookError(.longCell(limit: Workbook.maximumCharacters), "\(sheet.name), \(place)")
        }
        text += "<c r=\"\(place)\" s=\"\(style)\" t=\"inlineStr\"><is><t xml:space=\"preserve\">"
        text += EscapedText.escaped(value)
        text += "</t></is></c>"
      }
    }
    text += "</row>"
  }
}
