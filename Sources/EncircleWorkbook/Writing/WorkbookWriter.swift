import EncircleAuthoring
import EncircleText

/// Writes workbooks in the format of spreadsheets (ISO/IEC 29500, XLSX).
///
/// All texts are stored in the cells themselves and are never formulas, whatever they begin with.
package enum WorkbookWriter {
  /// Returns the bytes of the file. Equal workbooks give equal bytes.
  ///
  /// - Throws: ``WorkbookError`` if a text or a table is larger than a spreadsheet can be.
  /// - Complexity: O(cells and pictures).
  package static func bytes(_ workbook: Workbook) throws(WorkbookError) -> [UInt8] {
    let archive = try ZIPWriter()
    var drawings = 0
    var media: [UTF8String: String] = [:]
    for (number, sheet) in workbook.sheets.enumerated() {
      let shown = sheet.rows.enumerated().compactMap { row, value in value.picture.map { (row: row + 1, picture: $0) } }
      let path = "xl/worksheets/sheet\(number + 1).xml"
      try archive.add(path, Array(try SheetText.text(sheet, hasDrawing: !shown.isEmpty).utf8))
      guard !shown.isEmpty else { continue }
      drawings += 1
      try archive.add(
        "xl/worksheets/_rels/sheet\(number + 1).xml.rels",
        relations([("rId1", "drawing", "../drawings/drawing\(drawings).xml")]))
      var relations: [(id: String, type: String, target: String)] = []
      var numbers: [UTF8String: Int] = [:]
      for (_, picture) in shown where numbers[picture.name] == nil {
        let known = media[picture.name]
        let name = known ?? "image\(media.count + 1).\(picture.screenshot.ending)"
        if known == nil { try archive.add("xl/media/\(name)", picture.screenshot.bytes, isPacked: false) }
        media[picture.name] = name
        numbers[picture.name] = relations.count + 1
        relations.append(("rId\(relations.count + 1)", "image", "../media/\(name)"))
      }
      let drawing = DrawingText.text(shown.map { ($0.row, $0.picture, numbers[$0.picture.name] ?? 0) })
      try archive.add("xl/drawings/drawing\(drawings).xml", Array(drawing.utf8))
      try archive.add("xl/drawings/_rels/drawing\(drawings).xml.rels", self.relations(relations))
    }
    try addRest(workbook, drawings: drawings, to: archive)
    return try archive.finish()
  }

  static let head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
  static let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
  private static let package = "http://schemas.openxmlformats.org/package/2006"
  static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

  private static func addRest(
    _ workbook: Workbook, drawings: Int, to archive: borrowing ZIPWriter
  ) throws(WorkbookError) {
    var sheets = ""
    var parts: [(id: String, type: String, target: String)] = []
    for (i, sheet) in workbook.sheets.enumerated() {
      sheets += "<sheet name=\"\(XMLText.escaped(sheet.name))\" sheetId=\"\(i + 1)\" r:id=\"rId\(i + 1)\"/>"
      parts.append(("rId\(i + 1)", "worksheet", "worksheets/sheet\(i + 1).xml"))
    }
    parts.append(("rId\(workbook.sheets.count + 1)", "styles", "styles.xml"))
    try archive.add(
      "xl/workbook.xml",
      Array(
        (head + "<workbook xmlns=\"\(main)\" xmlns:r=\"\(office)\"><sheets>\(sheets)</sheets></workbook>").utf8))
    try archive.add("xl/_rels/workbook.xml.rels", relations(parts))
    try archive.add("xl/styles.xml", Array((head + styles).utf8))
    try archive.add("_rels/.rels", relations([("rId1", "officeDocument", "xl/workbook.xml")]))
    var types = "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
    types += "<Default Extension=\"xml\" ContentType=\"application/xml\"/>"
    types +=
      "<Default Extension=\"png\" ContentType=\"image/png\"/><Default Extension=\"jpeg\" ContentType=\"image/jpeg\"/>"
    func type(_ part: String, _ type: String) {
      types += "<Override PartName=\"/xl/\(part)\" "
      types += "ContentType=\"application/vnd.openxmlformats-officedocument.\(type)+xml\"/>"
    }
    type("workbook.xml", "spreadsheetml.sheet.main")
    type("styles.xml", "spreadsheetml.styles")
    for i in workbook.sheets.indices { type("worksheets/sheet\(i + 1).xml", "spreadsheetml.worksheet") }
    for i in 0..<drawings { type("drawings/drawing\(i + 1).xml", "drawing") }
    try archive.add(
      "[Content_Types].xml",
      Array((head + "<Types xmlns=\"\(package)/content-types\">\(types)</Types>").utf8))
  }

  private static func relations(_ parts: [(id: String, type: String, target: String)]) -> [UInt8] {
    let texts = parts.map { "<Relationship Id=\"\($0.id)\" Type=\"\(office)/\($0.type)\" Target=\"\($0.target)\"/>" }
    return Array((head + "<Relationships xmlns=\"\(package)/relationships\">\(texts.joined())</Relationships>").utf8)
  }

  /// Cells as text that is wrapped, and headers in bold.
  private static let styles = """
    <styleSheet xmlns="\(main)"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/>\
    <name val="Calibri"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill>\
    <patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE5E7EB"/></patternFill></fill>\
    </fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1">\
    <xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3">\
    <xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1">\
    <alignment vertical="top" wrapText="1"/></xf>\
    <xf numFmtId="49" fontId="1" fillId="2" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/>\
    <xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment vertical="top"/></xf>\
    </cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>
    """
}

extension Screenshot {
  /// The ending of a file's name.
  fileprivate var ending: String { String(kind.rawValue.splitBytes(at: "/").last ?? "png") }
}
