import EncircleRuleFiles
import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleLanguageServer

@Suite struct YAMLPlaceTests {
  /// A text with ‸ at the cursor; the steps to it, what may be there, and what is written.
  static let rows: [(String, String, String, String)] = [
    ("‸", "", "key value", ""),
    ("ver‸", "", "key value", "ver"),
    ("version: ‸", "version", "value", ""),
    ("version: 1\nrules:\n  - ‸", "rules -", "key value", ""),
    ("rules:\n- id: a\n  ‸", "rules -", "key value", ""),
    ("rules:\n  - id: a\n    include:\n      sel‸", "rules - include", "key value", "sel"),
    ("rules:\n  - id: a\n    include:\n      selector: A/B‸", "rules - include selector", "value", "A/B"),
    (
      "rules:\n  - id: a\n    include:\n      selector:\n        - A/‸", "rules - include selector -", "key value", "A/"
    ),
    ("rules:\n  - id: a\n    include:\n      selector: 'A/‸'", "rules - include selector", "value", "'A/'"),
    ("rules:\n  - id: a\n    include: { ‸ }", "rules - include", "key", ""),
    ("rules:\n  - id: a\n    include: { page: ‸ }", "rules - include page", "value", ""),
    ("rules:\n  - id: a\n    include: { page: A, se‸ }", "rules - include", "key", "se"),
    ("rules:\n  - { id: a, include: [{ page: A }, { selector: \"B/‸", "rules - include - selector", "value", "\"B/"),
    ("rules:\n  - { id: a, include: { page: \"A\n  - { id: b, ‸", "rules -", "key", ""),
    ("a: |\n  b: ‸", "", "", ""),
    ("a: |\n  b: c\nd: ‸", "d", "value", ""),
    ("a: b # ‸", "", "", ""),
    ("# a: ‸", "", "", ""),
    ("{ \"rules\": [ { \"id\": \"a\", \"include\": { \"page\": \"‸\" } } ] }", "rules - include page", "value", "\"\""),
    ("{\n\"rules\": [\n{\n\"‸\"", "rules -", "key", "\"\""),
    ("a: [b, ‸]", "a -", "value", ""),
    ("{ a: b c ‸}", "a", "value", "b c "),
    ("{ a: b ‸ , c: d }", "a", "value", "b "),
    ("a: [b ‸]", "a -", "value", "b "),
    ("{ a: \"b\" ‸}", "", "", ""),
    ("a: ['b' ‸]", "", "", ""),
    ("{ a: [b] ‸}", "", "", ""),
    ("{ a: \"b\", ‸}", "", "key", ""),
    ("{ \"a\": ‸}", "a", "value", ""),
    ("{ a: b(c:‸, d: e }", "a", "value", "b(c:"),
    ("{ a: b(c:‸ }", "a", "value", "b(c:"),
    ("a: [b(c:‸]", "a -", "value", "b(c:"),
    ("'a b': ‸", "a b", "value", ""),
    ("a:\n  b: 1\n‸", "", "key value", ""),
    ("a:\r\n  b: ‸\r\nc: 1", "a b", "value", ""),
    ("a: &x b‸", "a", "value", "b"),
    ("where:\n  $element_content: 加‸入", "where $element_content", "value", "加入"),
    ("page: { equals: A, not: { ‸", "page not", "key", ""),
    ("---\na: ‸", "a", "value", ""),
    ("pa‸ge: A", "", "key", "page"),
  ]

  @Test("the keys around a place are found in unfinished texts", arguments: rows)
  func place(row: (text: String, path: String, kind: String, token: String)) throws {
    let parts = row.text.components(separatedBy: "‸")
    let bytes = Array(parts.joined().utf8)
    let place = YAMLPlace(at: parts[0].utf8.count, in: bytes)
    guard !row.kind.isEmpty else {
      #expect(place == nil)
      return
    }
    let found = try #require(place)
    let path = found.path.map { if case .key(let key) = $0 { key } else { "-" } }.joined(separator: " ")
    #expect(path == row.path)
    let kind = [found.mayBeKey ? "key" : nil, found.mayBeValue ? "value" : nil].compactMap { $0 }.joined(separator: " ")
    #expect(kind == row.kind)
    #expect(String(decoding: bytes[found.token], as: UTF8.self) == row.token)
  }

  @Test(
    "the styles that the clause, the rule and the file around a place name are found",
    arguments: [
      (
        "style: a\nrules:\n  - id: x\n    style: b\n    include:\n      - style: c\n        selector: ‸",
        ["a", "b", "c"]
      ),
      ("rules:\n  - include:\n      - style: a\n        selector: A\n      - page: P\n        selector: ‸", []),
      ("style: a\nrules:\n  - { style: b, include: [{ style: c }, { selector: ‸", ["a", "b"]),
      ("{\"style\": \"a\", \"rules\": [{\"include\": {\"style\": \"b\", \"selector\": \"‸\"}}]}", ["a", "b"]),
    ])
  func styles(text: String, styles: [String]) throws {
    let parts = text.components(separatedBy: "‸")
    let place = try #require(YAMLPlace(at: parts[0].utf8.count, in: Array(parts.joined().utf8)))
    #expect(place.styles == styles)
  }

  @Test(
    "escapes of JSON are read in double quotes",
    arguments: [
      (#""\u53bb\ud83d\ude00\/\t""#, "去😀/\t"), (#""a \"b\" \\""#, #"a "b" \"#), (#""\x41 \"b\"""#, #"\x41 "b""#),
      (#""\u53bb"#, #"\u53bb"#), (#"'\u53bb'"#, #"\u53bb"#),
    ])
  func escapes(written: String, text: String) throws {
    let bytes = Array("a: \(written)".utf8)
    let place = try #require(YAMLPlace(at: bytes.count, in: bytes))
    #expect(place.text(in: bytes) == text)
  }

  @Test(
    "spaces up to the cursor belong to a text only in quotes",
    arguments: [("a: b ", "b"), ("{ a: b ", "b"), ("a: 'b ", "b ")])
  func trailingSpaces(written: String, text: String) throws {
    let bytes = Array(written.utf8)
    let place = try #require(YAMLPlace(at: bytes.count, in: bytes))
    #expect(place.text(in: bytes) == text)
  }

  @Test("every scalar of the shipped rules has the place found by the reader of rules") func shippedRules()
    throws
  {
    var count = 0
    for file in FileList.files(PackageFolder.root.appendingPathComponent("Rules").path) where file.hasSuffix(".yaml") {
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let document = DocumentText(text)
      var nodes = NodeReader(text, name: file)
      let read = nodes.root()
      let root = try #require(read, "\(file)")
      var pending: [(node: Node, path: [YAMLPlace.Step])] = [(root, [])]
      var scalars: [(node: Node, path: [YAMLPlace.Step])] = []
      while let (node, path) = pending.popLast() {
        for item in node.sequence ?? [] { pending.append((item, path + [.item])) }
        for (key, value) in node.mapping ?? [] {
          if let name = key.scalar?.string { pending.append((value, path + [.key(name)])) }
        }
        if let scalar = node.scalar, scalar.style != .literal, scalar.style != .folded, !scalar.string.isEmpty {
          scalars.append((node, path))
        }
      }
      count += scalars.count
      // The scanner begins at the start of the file each time.
      for (node, path) in TestSize.part(scalars, of: count) {
        let scalar = try #require(node.scalar)
        let offset = document.offset(of: node.location)
        let place = try #require(YAMLPlace(at: offset, in: document.bytes), "\(file):\(node.location)")
        #expect(place.path == path, "\(file):\(node.location)")
        // Escapes that only YAML has stay as they are written.
        if scalar.style == .doubleQuoted, document.bytes[place.token].contains(UInt8(ascii: "\\")) { continue }
        #expect(place.text(in: document.bytes) == scalar.string, "\(file):\(node.location)")
        #expect(place.mayBeValue)
      }
    }
    #expect(count > 300)
  }

  @Test("no text makes the scanner stop, at whatever place", arguments: TestSize.scaled(1...200 as ClosedRange<UInt64>))
  func randomTexts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "a", ":", " ", "\n", "- ", "{", "}", "[", "]", ",", "'", "\"", "#", "|", "  ", "rules:", "\r\n", "加", "\\", "&x",
      "!t",
    ]
    let text = (0..<60).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    let bytes = Array(text.utf8)
    for offset in 0...bytes.count {
      guard let place = YAMLPlace(at: offset, in: bytes) else { continue }
      #expect(place.token.lowerBound <= offset && offset <= place.token.upperBound, "\(text) at \(offset)")
      _ = place.text(in: bytes)
      _ = SelectorCursor(bytes, in: place.content(in: bytes), at: offset)
    }
  }

  @Test("the time for a mapping is proportional to its keys") func manyKeys() {
    let bytes = Array(((0..<100_000).map { "k\($0): 1\n" }.joined() + "x").utf8)
    #expect(YAMLPlace(at: bytes.count, in: bytes)?.siblings.count == 100_000)
  }

  @Test("brackets nested beyond the limit end the scan without a crash") func deep() {
    let bytes = Array(String(repeating: "[", count: 1_000_000).utf8)
    #expect(YAMLPlace(at: bytes.count, in: bytes) == nil)
  }
}
