import EncircleText

/// Reads the tables of a workbook (XLSX): the texts of the cells of its sheets.
///
/// ```swift
/// var reader = try WorkbookReader(bytes)
/// for row in try reader.rows(of: reader.sheets[0]) { print(row.line, row.cells) }
/// ```
/// A formula is read as its last result, a number as its shortest digits, a truth value as TRUE or FALSE.
package struct WorkbookReader: ~Copyable {
  /// A sheet of the workbook.
  package struct Sheet: Sendable {
    package let name: String
    fileprivate let path: String
  }

  static let maximumSheets = 256
  static let maximumParts = 4_096
  /// The maximum number of bytes that are unpacked.
  static let maximumBytes = 1 << 28
  /// The limit, in bytes, on the texts of a sheet's cells and on the texts that cells share. The cells are limited separately,
  /// because many of them can share one text.
  static let maximumText = 1 << 26

  package let sheets: [Sheet]
  private let maximumText: Int
  private var archive: ZIPReader
  private var texts: [String] = []

  /// - Throws: ``WorkbookError`` if the bytes are not a workbook.
  /// - Complexity: O(bytes that are unpacked), which are limited.
  package init(_ bytes: [UInt8]) throws(WorkbookError) {
    try self.init(bytes, maximumBytes: Self.maximumBytes)
  }

  init(_ bytes: [UInt8], maximumBytes: Int, maximumText: Int = Self.maximumText) throws(WorkbookError) {
    self.maximumText = maximumText
    var archive = try ZIPReader(bytes, limit: maximumBytes)
    let list = SheetList()
    let relations = RelationList()
    for (part, handler) in [("xl/workbook.xml", list), ("xl/_rels/workbook.xml.rels", relations)]
      as [(String, XMLHandler)]
    {
      guard try XMLParts.read(part, of: &archive, by: handler) else { throw WorkbookError(.missing, part) }
    }
    let shared = SharedTexts(maximumText: maximumText)
    _ = try XMLParts.read("xl/sharedStrings.xml", of: &archive, by: shared)
    texts = shared.texts
    sheets = list.sheets.compactMap { sheet in
      relations.paths[UTF8String(sheet.relation)].map { Sheet(name: sheet.name, path: $0) }
    }
    self.archive = archive
  }

  /// Reads the rows of a sheet that have cells, with their numbers.
  ///
  /// - Throws: ``WorkbookError`` if the sheet cannot be read, or has too much in it.
  /// - Complexity: O(bytes of the sheet).
  package mutating func rows(of sheet: Sheet) throws(WorkbookError) -> [CSVReader.Record] {
    let rows = SheetRows(texts, maximumText: maximumText)
    guard try XMLParts.read(sheet.path, of: &archive, by: rows) else { throw WorkbookError(.missing, sheet.path) }
    return rows.rows
  }
}
