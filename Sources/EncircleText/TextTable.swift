/// Tables of text for people.
package enum TextTable {
  /// Returns the lines of a table with aligned columns, whose texts are made visible. Columns without any text are left out.
  ///
  /// - Parameters:
  ///   - rows: The cells of each row; all rows have the same number of cells.
  ///   - hasHeader: True if the first row has the names of the columns. A column that has a name but no other text is left out,
  ///     too.
  ///   - right: The numbers of the columns that are aligned at the right.
  package static func lines(_ rows: [[String]], hasHeader: Bool = true, right: Set<Int> = []) -> [String] {
    let columns = (rows.first?.indices ?? 0..<0).filter { column in
      rows.dropFirst(hasHeader ? 1 : 0).contains { !$0[column].isEmpty }
    }
    let widths = columns.map { column in rows.map { VisibleText.width(VisibleText.escaping($0[column])) }.max() ?? 0 }
    return rows.map { row in
      zip(columns, widths).map { column, width in
        let text = VisibleText.escaping(row[column])
        let space = String(repeating: " ", count: max(0, width - VisibleText.width(text)))
        return right.contains(column) ? space + text : text + space
      }.joined(separator: "  ").withoutTrailingSpaces
    }
  }
}

extension String {
  /// The text without the spaces at its end.
  package var withoutTrailingSpaces: String {
    guard let last = utf8.lastIndex(where: { $0 != UInt8(ascii: " ") }) else { return "" }
    return String(Substring(utf8[...last]))
  }
}
