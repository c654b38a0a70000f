import EncircleAuthoring
import EncircleText
import EncircleTree

/// Tables that are to be written as a workbook (XLSX).
package struct Workbook: Sendable {
  /// A cell.
  package enum Cell: Hashable, Sendable {
    case text(String)
    case number(Int)
  }

  /// A picture with numbered rings, which is shown from a cell on over the cells beside it.
  package struct Picture: Sendable {
    /// Pictures with the same name share one file in the workbook.
    package let name: UTF8String
    package let screenshot: Screenshot
    /// The part that is shown, in shares of width and height; nil for all.
    package var part: Frame? = nil
    /// The displayed size, in pixels.
    package let width: Int
    package let height: Int
    /// In the units of ``width`` and ``height``.
    package var rings: [(number: Int, frame: Frame)] = []
    /// The number of the cell.
    package var column = 0
  }

  /// A row.
  package struct Row: Sendable {
    package var cells: [Cell]
    /// Shown over a cell of the row, which gets the height of the picture.
    package var picture: Picture?

    package init(_ cells: [Cell], picture: Picture? = nil) { (self.cells, self.picture) = (cells, picture) }
  }

  /// A sheet, with a row of headers.
  package struct Sheet: Sendable {
    package let name: String
    package var headers: [String]
    package var rows: [Row] = []
    /// The widths of columns, in characters; others are as wide as the last.
    package var widths: [Int] = []

    /// The width of columns without a given width.
    static let usualWidth = 18

    package init(_ name: String, headers: [String]) { (self.name, self.headers) = (name, headers) }
  }

  /// The limits of spreadsheets.
  static let maximumCharacters = 32_767
  static let maximumRows = 1_048_576

  package var sheets: [Sheet]

  package init(_ sheets: [Sheet]) { self.sheets = sheets }
}
