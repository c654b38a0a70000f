import EncircleTestSupport
import EncircleText
import Testing

@testable import EncircleWorkbook

/// Workbooks: out, in, and what is refused.
@Suite struct WorkbookTests {
  static func rows(
    _ bytes: [UInt8], maximumBytes: Int = WorkbookReader.maximumBytes, maximumText: Int = WorkbookReader.maximumText
  ) throws -> [CSVReader.Record] {
    var reader = try WorkbookReader(bytes, maximumBytes: maximumBytes, maximumText: maximumText)
    guard let first = reader.sheets.first else { return [] }
    return try reader.rows(of: first)
  }

  /// A workbook of parts, as other programs may write it.
  static func archive(_ sheet: String, shared: String? = nil, isPacked: Bool = true) throws -> [UInt8] {
    let archive = try ZIPWriter()
    let relation = "<Relationship Id=\"r\" Type=\"t\" Target=\"/xl/worksheets/a.xml\"/>"
    try archive.add(
      "xl/workbook.xml",
      Array("<workbook><sheets><sheet name=\"S\" r:id=\"r\" xmlns:r=\"r\"/></sheets></workbook>".utf8))
    try archive.add("xl/_rels/workbook.xml.rels", Array("<Relationships>\(relation)</Relationships>".utf8))
    if let shared { try archive.add("xl/sharedStrings.xml", Array(shared.utf8)) }
    try archive.add("xl/worksheets/a.xml", Array(sheet.utf8), isPacked: isPacked)
    return try archive.finish()
  }

  private static let pieces = [
    "首页", ",", "=1+1", "@x", "-5", "'", "\"", "\n", "\r\n", "\r", "\t", "e\u{301}", " ", "🙂", "<a>", "&amp;", "_x0001_",
    "_x00",
    "_x005F_", "_xD83D_", "_", "\u{0}", "\u{1}", "\u{1F}", "\u{FFFE}", "\u{FFFF}", "\u{FFFD}", "\u{85}", "\u{2028}",
    "]]>", "1.0",
  ]

  @Test("random texts of cells survive a round trip")
  func randomCells() throws {
    var random = SeededGenerator(seed: 38)
    for _ in 0..<max(10, TestSize.scaled(300)) {
      var sheet = Workbook.Sheet("events", headers: ["A", "B", "C"])
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        sheet.rows.append(
          .init(
            (0..<3).map { _ in
              .text((0..<Int.random(in: 0...4, using: &random)).map { _ in random.pick(Self.pieces) }.joined())
            }))
      }
      let read = try Self.rows(try WorkbookWriter.bytes(Workbook([sheet])))
      var expected: [Int: [String]] = [1: ["A", "B", "C"]]
      for (i, row) in sheet.rows.enumerated() {
        expected[i + 2] = row.cells.map { if case .text(let text) = $0 { text } else { "" } }
      }
      for row in read {
        var cells = row.cells
        while cells.count < 3 { cells.append("") }
        let found = expected.removeValue(forKey: row.line)
        let own = try #require(found)
        #expect(zip(cells, own).allSatisfy { $0.hasSameBytes(as: $1) }, "\(cells) \(own)")
      }
      #expect(expected.values.allSatisfy { $0.allSatisfy(\.isEmpty) }, "rows without anything are not there")
    }
  }

  @Test(
    "cells are read as spreadsheets write them: shared, rich, pronounced, numbers, truth values, results of formulas, sparse"
  )
  func otherPrograms() throws {
    let shared = """
      <sst><si><t>one</t></si><si><r><t>tw</t></r><r><rPr/><t xml:space="preserve">o </t></r><rPh><t>nope</t></rPh></si></sst>
      """
    let sheet = """
      <worksheet><sheetData><row r="2"><c r="A2" t="s"><v>1</v></c><c r="C2"><v>0.10000000000000001</v></c><c r="D2" t="b"><v>1</v></c>\
      <c t="inlineStr"><is><t>in_x000D_</t></is></c></row><row><c r="B3" t="str"><f>A1&amp;"x"</f><v>ax</v></c>\
      <c><f>SUM(A1)</f></c><c t="b"><v>0</v></c><c><v>12</v></c><c t="s"><v>7</v></c><c t="e"><v>#N/A</v></c>\
      <c><v>3.0000000000000000</v></c></row></sheetData></worksheet>
      """
    let rows = try Self.rows(try Self.archive(sheet, shared: shared))
    #expect(rows.map(\.line) == [2, 3])
    #expect(rows.first?.cells == ["two ", "", "0.1", "TRUE", "in\r"])
    #expect(rows.last?.cells == ["", "ax", "=SUM(A1)", "FALSE", "12", "", "#N/A", "3"])
  }

  @Test(
    "a formula whose result is an empty text has this result, one that was never computed its own text",
    arguments: [
      ("<c t=\"str\"><f>A1</f><v></v></c>", ""), ("<c t=\"str\"><f>A1</f><v/></c>", ""),
      ("<c t=\"str\"><f>A1</f></c>", "=A1"), ("<c><f>A1</f><v/></c>", "=A1"),
    ])
  func emptyResult(cell: String, text: String) throws {
    let sheet = "<worksheet><sheetData><row>\(cell)<c><v>1</v></c></row></sheetData></worksheet>"
    #expect(try Self.rows(try Self.archive(sheet)).map(\.cells) == [[text, "1"]])
  }

  @Test("empty cells of a formatted row do not count as columns")
  func formattedRow() throws {
    let empty = (2...1_200).map { "<c r=\"\(SheetRows.letters(of: $0))1\" s=\"1\"/>" }.joined()
    let sheet = "<worksheet><sheetData><row><c r=\"A1\"><v>1</v></c>\(empty)</row></sheetData></worksheet>"
    let cells = try #require(try Self.rows(try Self.archive(sheet)).first).cells
    #expect(cells.first == "1" && cells.dropFirst().allSatisfy(\.isEmpty) && cells.count <= CSVReader.maximumCells)
  }

  private static func attributes(_ numbers: Range<Int>) -> String { numbers.map { " a\($0)=''" }.joined() }

  private static var manyNames: String {
    let elements = (0..<501).map { "<a\(attributes($0 * 200..<$0 * 200 + 200))/>" }
    return "<worksheet>\(elements.joined())</worksheet>"
  }

  @Test(
    "hostile sheets are refused",
    arguments: [
      ("<!DOCTYPE w [<!ENTITY a \"b\">]><worksheet>&a;</worksheet>", WorkbookError.Kind.documentType),
      ("<worksheet><row>", .malformed), ("", .malformed), ("<worksheet>&a;</worksheet>", .malformed),
      ("<worksheet><row><c r=\"ZZZ1\"><v>1</v></c></row></worksheet>", .tooMany("columns", limit: 1_000)),
      (String(repeating: "<a>", count: 300), .malformed),
      ("<worksheet\(attributes(0..<257))/>", .tooMany("attributes in one element", limit: 256)),
      ("<worksheet\(attributes(0..<30_000))/>", .tooMany("bytes in one tag or comment", limit: 1 << 17)),
      (manyNames, .tooMany("different names of elements and attributes", limit: 100_000)),
    ])
  func hostile(sheet: String, kind: WorkbookError.Kind) throws {
    let bytes = try Self.archive(sheet)
    #expect(throws: WorkbookError(kind, "xl/worksheets/a.xml")) { try Self.rows(bytes) }
  }

  @Test(
    "impossible row numbers are ignored", arguments: ["9223372036854775807", "0", "-5", "x", "1048577"])
  func rowNumbers(number: String) throws {
    let bytes = try Self.archive(
      "<worksheet><row r=\"\(number)\"><c><v>1</v></c></row><row><c><v>2</v></c></row></worksheet>")
    #expect(try Self.rows(bytes).map(\.line) == [1, 2])
  }

  @Test("archives that unpack beyond the limit are refused, however they are packed")
  func bomb() throws {
    let sheet = "<worksheet>" + String(repeating: " ", count: 3_000_000) + "</worksheet>"
    let bytes = try Self.archive(sheet)
    #expect(bytes.count < 20_000)
    #expect(try Self.rows(bytes).isEmpty)
    #expect(throws: WorkbookError(.tooLarge(limit: 2_000_000))) { try Self.rows(bytes, maximumBytes: 2_000_000) }
  }

  @Test("cells that share a long text count it each time")
  func sharedBomb() throws {
    let text = String(repeating: "x", count: 1 << 20)
    let cells = String(repeating: "<row><c t=\"s\"><v>0</v></c></row>", count: 70)
    let bytes = try Self.archive("<worksheet>\(cells)</worksheet>", shared: "<sst><si><t>\(text)</t></si></sst>")
    #expect(throws: WorkbookError(.tooMuchText(limit: WorkbookReader.maximumText), "xl/worksheets/a.xml")) {
      try Self.rows(bytes)
    }
  }

  @Test("the texts that cells share are counted whether a cell has them or not, and also the empty ones")
  func sharedTexts() throws {
    for (text, count) in [("<si/>", 100), ("<si><t>\(String(repeating: "x", count: 92))</t></si>", 8)] {
      func rows(_ count: Int) throws -> [CSVReader.Record] {
        let shared = "<sst>\(String(repeating: text, count: count))</sst>"
        return try Self.rows(try Self.archive("<worksheet/>", shared: shared), maximumText: 800)
      }
      #expect(try rows(count).isEmpty)
      #expect(throws: WorkbookError(.tooMuchText(limit: 800), "xl/sharedStrings.xml")) { try rows(count + 1) }
    }
  }

  @Test("other files than workbooks are refused, with a guess what they may be")
  func noWorkbook() throws {
    #expect(throws: WorkbookError(.noArchive)) { try Self.rows([]) }
    #expect(throws: WorkbookError(.noArchive)) { try Self.rows(Array("PK\u{3}\u{4} no archive".utf8)) }
    #expect(throws: WorkbookError(.compoundFile)) { try Self.rows([0xD0, 0xCF, 0x11, 0xE0, 0, 0]) }
    let other = try ZIPWriter()
    try other.add("word/document.xml", Array("<document/>".utf8))
    let bytes = try other.finish()
    #expect(throws: WorkbookError(.missing, "xl/workbook.xml")) { try Self.rows(bytes) }
  }

  @Test("broken archives are read or refused, without a crash")
  func broken() throws {
    var random = SeededGenerator(seed: 7)
    let whole = try Self.archive(
      "<worksheet><row><c t=\"s\"><v>0</v></c></row></worksheet>", shared: "<sst><si><t>a</t></si></sst>")
    for _ in 0..<max(100, TestSize.scaled(5_000)) {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if random.oneIn(3) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      _ = try? Self.rows(bytes)
    }
    #expect(try Self.rows(whole).count == 1)
  }

  @Test("a text that cannot be in a cell is refused with its place")
  func longCell() throws {
    var sheet = Workbook.Sheet("events", headers: ["A"])
    sheet.rows = [.init([.text(String(repeating: "é", count: Workbook.maximumCharacters))])]
    _ = try WorkbookWriter.bytes(Workbook([sheet]))
    sheet.rows = [.init([.text(String(repeating: "x", count: Workbook.maximumCharacters + 1))])]
    #expect(throws: WorkbookError(.longCell(limit: Workbook.maximumCharacters), "events, A2")) {
      try WorkbookWriter.bytes(Workbook([sheet]))
    }
  }

  @Test(
    "columns have the letters of spreadsheets", arguments: [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")])
  func letters(column: Int, letters: String) {
    #expect(SheetRows.letters(of: column) == letters && SheetRows.column(letters + "12") == column)
  }
}
