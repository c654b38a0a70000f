/// Cells of comma-separated values (RFC 4180).
package enum CSVText {
  /// Returns an untrusted text as a cell that no spreadsheet runs as a formula. Spreadsheets run cells that begin with `=`, `+`, `-`
  /// or `@`, so a `'` is put in front of such a text, and of one that begins with a tab or a line end. A text that already has a `'`
  /// in front of such a character gets another one, so that ``formulated(_:)`` can undo this.
  package static func unformulated(_ value: String) -> String { isFormula(value.utf8[...]) ? "'" + value : value }

  /// Undoes ``unformulated(_:)``; returns any other text unchanged.
  package static func formulated(_ value: String) -> String {
    guard value.utf8.first == apostrophe, isFormula(value.utf8.dropFirst()) else { return value }
    return String(Substring(value.utf8.dropFirst()))
  }

  private static let apostrophe = UInt8(ascii: "'")

  private static func isFormula(_ value: Substring.UTF8View) -> Bool {
    switch value.first(where: { $0 != apostrophe }) {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D: true
    default: false
    }
  }

  /// Returns a cell with its quotes, if it needs any.
  package static func quoted(_ value: String) -> String {
    let quotable: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: "\""), 0x0A, 0x0D]
    let special = value.utf8.contains { quotable.contains($0) }
    guard special else { return value }
    return "\"" + value.splitBytes(at: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// Returns a line of cells, with its end.
  package static func line(_ cells: [String]) -> String { cells.map(quoted).joined(separator: ",") + "\r\n" }
}
