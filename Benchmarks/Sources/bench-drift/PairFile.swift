import EncircleTree
import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Two versions of a screen, and the new view for each view of the old one.
struct ScreenPair {
  /// The ground truth for one view of the old screen.
  enum Truth: Equatable {
    /// It is this view of the new screen.
    case view(Int)
    case gone
    /// There is a look-alike, or no truth: not scored.
    case unknown
  }

  let id: String
  let app: String
  let kind: String
  let old: ViewTree
  let new: ViewTree
  let truth: [Truth]
  /// The number of versions of the file between both.
  let steps: Int
  /// Old views without an id that identifies their successor: most were removed and made again.
  let created: Set<Int>

  /// Reads a file with a JSON object on each line.
  static func read(_ path: String) throws -> [ScreenPair] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { try ScreenPair(json: $0) }
  }

  private init(json line: Substring) throws {
    let record = try JSONDecoder().decode(Record.self, from: Data(line.utf8))
    id = record.id
    app = record.repo
    kind = record.kind
    old = try ViewTree(pairXML: record.old)
    new = try ViewTree(pairXML: record.new)
    steps = record.steps ?? 1
    created = Set((record.src ?? [:]).filter { $0.value != "root" }.keys.compactMap { Int($0) })
    let unknown = Set((record.amb ?? []) + (record.unk ?? []))
    truth = record.map.enumerated().map { i, j in j.map { .view($0) } ?? (unknown.contains(i) ? .unknown : .gone) }
    guard truth.count == old.count else {
      throw PairError(message: "\(id): map has \(truth.count) of \(old.count) views")
    }
  }

  private struct Record: Decodable {
    let id: String
    let repo: String
    let kind: String
    let old: String
    let new: String
    let map: [Int?]
    let amb: [Int]?
    let unk: [Int]?
    let steps: Int?
    let src: [String: String]?
  }
}

struct PairError: Error {
  let message: String
}

extension ViewTree {
  /// Reads the XML of a pair: nested `<view class text label identifier x y w h>`.
  init(pairXML text: String) throws {
    let reader = PairXMLReader()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = reader
    guard parser.parse() else { throw PairError(message: "not XML: \(text.prefix(80))") }
    self = reader.builder.finish()
  }
}

private final class PairXMLReader: NSObject, XMLParserDelegate {
  var builder = ViewTree.Builder(format: .viewTree)

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    builder.beginElement(class: attributes["class"] ?? "")
    // A pair does not state whether a text is a placeholder, but it has no text that was typed into a field.
    if let text = attributes["text"] { builder.addAttribute(.placeholder, text) }
    if let label = attributes["label"] { builder.addAttribute(.label, label) }
    if let identifier = attributes["identifier"] { builder.addAttribute(.identifier, identifier) }
    let numbers = ["x", "y", "w", "h"].compactMap { attributes[$0].flatMap(Double.init) }
    if numbers.count == 4, numbers.allSatisfy(\.isFinite) {
      builder.setFrame(Frame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
    }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    builder.endElement()
  }
}
