import EncircleText

/// The sheets that a workbook names, with the ids of their relations.
final class SheetList: XMLHandler {
  private(set) var sheets: [(name: String, relation: String)] = []

  override func start(_ name: String, _ attributes: XMLAttributes) {
    guard name == "sheet", let text = attributes["name"], let id = attributes["id"] else { return }
    sheets.append((text, id))
    if sheets.count > WorkbookReader.maximumSheets { fail(.tooMany("sheets", limit: WorkbookReader.maximumSheets)) }
  }
}

/// The paths of parts, by the ids of their relations.
final class RelationList: XMLHandler {
  private(set) var paths: [UTF8String: String] = [:]

  override func start(_ name: String, _ attributes: XMLAttributes) {
    guard name == "Relationship", let id = attributes["Id"], let target = attributes["Target"] else { return }
    paths[UTF8String(id)] =
      target.beginsWithBytes(of: "/") ? String(Substring(target.utf8.dropFirst())) : "xl/" + target
    if paths.count > WorkbookReader.maximumParts { fail(.tooMany("parts", limit: WorkbookReader.maximumParts)) }
  }
}

/// The texts that cells share.
final class SharedTexts: XMLHandler {
  private(set) var texts: [String] = []
  private let maximumText: Int
  private var text = CellText()
  private var textBytes = 0

  init(maximumText: Int) { self.maximumText = maximumText }

  override func start(_ name: String, _ attributes: XMLAttributes) {
    if name == "si" { text = CellText() } else { text.start(name) }
  }

  override func text(_ bytes: UnsafeBufferPointer<UInt8>) { text.append(bytes) }

  override func end(_ name: String) {
    text.end(name)
    guard name == "si" else { return }
    let shared = text.value
    textBytes += shared.utf8.count + CellText.cellBytes
    guard textBytes <= maximumText else { return fail(.tooMuchText(limit: maximumText)) }
    texts.append(shared)
  }
}

/// The text of a cell: the text of its runs, without pronunciation guides.
struct CellText {
  /// The bytes that are counted for each cell in addition to its text, so that empty cells count, too.
  static let cellBytes = 8

  private var bytes: [UInt8] = []
  private var isText = false
  private var isPronunciation = false

  mutating func start(_ name: String) {
    if name == "rPh" { isPronunciation = true }
    if name == "t" { isText = !isPronunciation }
  }

  mutating func append(_ piece: UnsafeBufferPointer<UInt8>) { if isText { bytes += piece } }

  mutating func end(_ name: String) {
    if name == "rPh" { isPronunciation = false }
    if name == "t" { isText = false }
  }

  var value: String { EscapedText.unescaped(bytes) }
}
