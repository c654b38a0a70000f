import EncircleIdentity
import EncircleText
import EncircleTree

/// Writes records as a table for people, with the first digits of event IDs and long paths shortened in the middle.
struct TableWriter: RecordWriter {
  private let width = Terminal.width
  private let hasColor: Bool
  private let style: PathStyleName
  private var numberWidth = 1
  private var typeWidth = 4
  private var pageWidth = 4
  private var pathWidth = 0
  private var idWidth = 0
  private var contentWidth = 0
  private var wroteHeader = false
  private var captures = 0
  private var heading = ""

  private static let widestPage = 26
  // The minimum width of the path. Other columns become narrower to keep it.
  private static let minimumPathWidth = 24

  /// - Parameters:
  ///   - hasColor: True if the table is coloured.
  ///   - style: The style of the pages and types of the records.
  init(hasColor: Bool, style: PathStyleName) { (self.hasColor, self.style) = (hasColor, style) }

  mutating func begin(capture: String, _ screen: IdentifiedTree, to output: ResultWriter) throws {
    let header = screen.tree.header
    let app = [header.app, header.appVersion].compactMap { $0 }.joined(separator: " ")
    let os = [header.os, header.osVersion].compactMap { $0 }.joined(separator: " ")
    let about = [app, os, screen.tree.format.rawValue].filter { !$0.isEmpty }.joined(separator: ", ")
    let count = screen.tree.count
    heading = VisibleText.escaping("\(capture)  \(about): \(counted(count, "element"))")
    numberWidth = String(max(0, count - 1)).utf8.count
    let style = self.style
    let pages = Set(screen.tree.elements.lazy.compactMap { screen.page(of: $0, in: style) })
    pageWidth = min(Self.widestPage, pages.map { VisibleText.width(VisibleText.escaping($0)) }.max() ?? 0)
    pageWidth = max(4, pageWidth)
    let types = Set(screen.tree.elements.lazy.compactMap { screen.trackingType(of: $0, in: style) })
    typeWidth = max(4, types.map { Self.name(of: $0).utf8.count }.max() ?? 0)
    divideWidth()
    wroteHeader = false
  }

  /// Sets the widths of the columns, so that all of them fit.
  private mutating func divideWidth() {
    idWidth = 12
    contentWidth = 16
    pathWidth = width - numberWidth - idWidth - typeWidth - pageWidth - contentWidth - 5 * 2
    for (column, least) in [
      (\Self.pageWidth, 12), (\.contentWidth, 8), (\.idWidth, 8), (\.typeWidth, 6), (\.pageWidth, 4),
    ] {
      let taken = min(Self.minimumPathWidth - pathWidth, self[keyPath: column] - least)
      guard taken > 0 else { continue }
      self[keyPath: column] -= taken
      pathWidth += taken
    }
    // A narrow terminal shows fewer columns rather than wrapped lines.
    for column in [\Self.contentWidth, \.typeWidth, \.pageWidth] where pathWidth < Self.minimumPathWidth / 2 {
      pathWidth += self[keyPath: column] + 2
      self[keyPath: column] = 0
    }
    pathWidth = max(4, pathWidth)
  }

  /// Returns a line of the table; columns without a width are omitted.
  private func line(_ cells: [(text: String, width: Int)]) -> String {
    cells.filter { $0.width > 0 }.map(\.text).joined(separator: "  ").withoutTrailingSpaces
  }

  var separator: String { "" }

  mutating func beginRecords(to output: ResultWriter) throws {
    if !wroteHeader { try writeHeader(to: output) }
  }

  func append(_ record: ElementRecord, to bytes: inout [UInt8]) {
    let digits = String(record.eventID.description.prefix(idWidth))
    let type = record.type.map(Self.name) ?? ""
    let number = record.element.description
    let path = String(decoding: record.path, as: UTF8.self)
    // The content of a container is in the lines of its subviews.
    let content = record.isContainer ? "" : record.content ?? ""
    let text = line([
      (String(repeating: " ", count: max(0, numberWidth - number.utf8.count)) + number, numberWidth),
      (colored(digits, "36"), idWidth),
      (colored(VisibleText.fitting(type, columns: typeWidth), "33"), typeWidth),
      (VisibleText.fitting(record.page ?? "", columns: pageWidth, shorteningMiddle: true), pageWidth),
      (VisibleText.fitting(path, columns: pathWidth, shorteningMiddle: true), pathWidth),
      (VisibleText.fitting(content, columns: contentWidth), contentWidth),
    ])
    bytes.append(contentsOf: (text + "\n").utf8)
  }

  mutating func end(to output: ResultWriter) throws {
    if !wroteHeader { try writeHeading(to: output) }
    captures += 1
  }

  mutating func finish(to output: ResultWriter) throws {}

  private static func name(of type: TrackingType) -> String { String(type.rawValue.dropLast("Event".count)) }

  private mutating func writeHeading(to output: ResultWriter) throws {
    try output.write((captures > 0 ? "\n" : "") + colored(heading, "1") + "\n")
  }

  private mutating func writeHeader(to output: ResultWriter) throws {
    wroteHeader = true
    try writeHeading(to: output)
    let names = [
      ("EVENT ID", idWidth), ("TYPE", typeWidth), ("PAGE", pageWidth), ("PATH", pathWidth), ("CONTENT", contentWidth),
    ]
    let number = (String(repeating: " ", count: numberWidth - 1) + "#", numberWidth)
    let cells = [number] + names.map { (VisibleText.fitting($0, columns: $1), $1) }
    try output.write(colored(line(cells), "2") + "\n")
  }

  private func colored(_ text: String, _ code: String) -> String {
    hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
