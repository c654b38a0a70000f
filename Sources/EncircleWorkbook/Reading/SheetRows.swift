import EncircleText

/// Reads the rows of a sheet.
final class SheetRows: XMLHandler {
  private(set) var rows: [CSVReader.Record] = []
  private let shared: [String]
  private let maximumText: Int
  private var line = 0
  private var cells: [String] = []
  private var column = 0
  private var type = ""
  private var text = CellText()
  private var value: [UInt8] = []
  private var hasValue = false
  private var formula: [UInt8] = []
  private var part = Part.none
  private var isCell = false
  private var textBytes = 0

  private enum Part {
    case none, value, formula
  }

  init(_ shared: [String], maximumText: Int) { (self.shared, self.maximumText) = (shared, maximumText) }

  override func start(_ name: String, _ attributes: XMLAttributes) {
    switch name {
    case "row":
      // A number beyond the rows that a sheet can have is ignored.
      let number = attributes["r"].flatMap { Int($0) } ?? 0
      line = (1...Workbook.maximumRows).contains(number) ? number : line + 1
      cells.removeAll(keepingCapacity: true)
    case "c":
      column = attributes["r"].flatMap(Self.column) ?? cells.count
      type = attributes["t"] ?? ""
      text = CellText()
      value.removeAll(keepingCapacity: true)
      hasValue = false
      formula.removeAll(keepingCapacity: true)
      isCell = true
    case "v" where isCell:
      part = .value
      hasValue = true
    case "f" where isCell: part = .formula
    default: if isCell { text.start(name) }
    }
  }

  override func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    switch part {
    case .value: value += bytes
    case .formula: formula += bytes
    case .none: if isCell { text.append(bytes) }
    }
  }

  override func end(_ name: String) {
    switch name {
    case "row":
      if !cells.isEmpty { rows.append(CSVReader.Record(line: line, cells: cells)) }
    case "c":
      isCell = false
      add(content)
    case "v", "f": part = .none
    default: if isCell { text.end(name) }
    }
  }

  private func add(_ content: String) {
    guard column < CSVReader.maximumCells else {
      // Rows that are formatted as a whole have empty cells up to the last column.
      if content.isEmpty { return }
      return fail(.tooMany("columns", limit: CSVReader.maximumCells))
    }
    textBytes += content.utf8.count + CellText.cellBytes * max(1, column + 1 - cells.count)
    guard textBytes <= maximumText else { return fail(.tooMuchText(limit: maximumText)) }
    while cells.count <= column { cells.append("") }
    cells[column] = content
  }

  /// The text that a person sees in the cell, as far as that does not depend on formats.
  private var content: String {
    switch type {
    case "s":
      let number = Int(String(decoding: value, as: UTF8.self))
      return number.flatMap { shared.indices.contains($0) ? shared[$0] : nil } ?? ""
    case "inlineStr": return text.value
    case "b": return value == [UInt8(ascii: "1")] ? "TRUE" : value.isEmpty ? "" : "FALSE"
    // The result of a formula can be an empty text; a formula that was never computed has none.
    case "str", "e", "d": return hasValue || formula.isEmpty ? EscapedText.unescaped(value) : formulaText
    default:
      return value.isEmpty && !formula.isEmpty ? formulaText : Self.number(String(decoding: value, as: UTF8.self))
    }
  }

  private var formulaText: String { "=" + String(decoding: formula, as: UTF8.self) }

  /// Shortens a number: spreadsheets write numbers with 17 digits, such as 0.10000000000000001.
  private static func number(_ text: String) -> String {
    guard text.utf8.count > 15, let number = Double(text), number.isFinite else { return text }
    if let whole = Int(exactly: number) { return "\(whole)" }
    return "\(number)"
  }

  /// Returns the number of the column, from 0, in a reference such as `AB12`; nil if the text is not a reference.
  static func column(_ reference: String) -> Int? {
    var number = 0
    var letters = 0
    for byte in reference.utf8 {
      guard byte >= UInt8(ascii: "A"), byte <= UInt8(ascii: "Z") else { break }
      letters += 1
      if letters > 3 { return nil }
      number = number * 26 + Int(byte - UInt8(ascii: "A")) + 1
    }
    return letters == 0 ? nil : number - 1
  }

  /// Returns the letters of a column.
  static func letters(of column: Int) -> String {
    var rest = column + 1
    var letters: [UInt8] = []
    while rest > 0 {
      letters.insert(UInt8(ascii: "A") + UInt8((rest - 1) % 26), at: 0)
      rest = (rest - 1) / 26
    }
    return String(decoding: letters, as: UTF8.self)
  }
}
