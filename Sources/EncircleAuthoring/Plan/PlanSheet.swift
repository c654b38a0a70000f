import EncircleText

/// A part of a plan's table, with separate headers.
package struct PlanSheet: Sendable {
  package let name: String
  /// The headers, then the other rows.
  package let rows: [CSVReader.Record]

  package init(name: String, rows: [CSVReader.Record]) { (self.name, self.rows) = (name, rows) }

  /// The maximum number of cells of all sheets together.
  static let maximumCells = 1 << 23

  /// Puts the rows of several sheets below the headers of all of them; sheets share the columns whose headers are equal.
  ///
  /// - Throws: ``PlanImport/Failure`` if there are too many cells. Empty cells before a cell count, too.
  /// - Complexity: O(rows × headers).
  static func joined(
    _ sheets: [PlanSheet]
  ) throws(PlanImport.Failure) -> (headers: [String], rows: [(sheet: String, row: CSVReader.Record)]) {
    var headers: [String] = []
    var places: [[Int]] = []
    var known: [UTF8String: Int] = [:]
    for sheet in sheets {
      var own: Set<Int> = []
      places.append(
        (sheet.rows.first?.cells ?? []).map { header in
          let text = UTF8String(PlanVocabulary.trimmed(header))
          // A header that occurs twice in a sheet is kept twice, and refused later.
          if !text.text.isEmpty, let place = known[text], own.insert(place).inserted { return place }
          headers.append(header)
          if known[text] == nil { known[text] = headers.count - 1 }
          own.insert(headers.count - 1)
          return headers.count - 1
        })
    }
    var rows: [(sheet: String, row: CSVReader.Record)] = []
    var count = 0
    for (sheet, places) in zip(sheets, places) {
      for row in sheet.rows.dropFirst() {
        var cells: [String] = []
        for (i, cell) in row.cells.enumerated() where !cell.isEmpty {
          // Cells without a header come after all cells that have one.
          let place = i < places.count ? places[i] : headers.count + i - places.count
          while cells.count <= place { cells.append("") }
          cells[place] = cell
        }
        count += cells.count + 1
        guard count <= maximumCells else {
          throw PlanImport.Failure("the sheets have more than \(maximumCells) cells together")
        }
        rows.append((sheet.name, CSVReader.Record(line: row.line, cells: cells)))
      }
    }
    return (headers, rows)
  }
}
