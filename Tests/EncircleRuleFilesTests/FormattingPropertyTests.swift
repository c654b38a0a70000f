import EncircleTestSupport
import Testing

@testable import EncircleRuleFiles

/// Writes random YAML documents, with comments in all places that YAML has.
private struct RandomDocument {
  private var random: SeededGenerator
  private(set) var comments: [String] = []
  private var lines: [String] = []
  // The line behind a text in block style, and where comments there must be left of.
  private var behindText: (line: Int, indent: Int) = (-1, 0)

  // The keys of mappings, or some meaningless ones if none are given.
  private let keys: [String]

  init(seed: UInt64, keys: [String] = []) {
    random = SeededGenerator(seed: seed)
    self.keys = keys
  }

  mutating func text() -> String {
    mapping(indent: 0, depth: 0)
    between(indent: 0)
    return lines.joined(separator: "\n") + (random.oneIn(3) ? "" : "\n")
  }

  private mutating func comment() -> String {
    let text = "# \(comments.count)" + random.pick(["", " x: y", " '", "  ", " ]", " 选"])
    comments.append(String(text.reversed().drop { $0 == " " }.reversed()))
    return text
  }

  /// Comments and blank lines, some of them anywhere between the margin and the indentation.
  private mutating func between(indent: Int) {
    while random.oneIn(4) {
      var column = random.oneIn(3) ? Int.random(in: 0...indent + 3, using: &random) : indent
      if behindText.line == lines.count { column = min(column, behindText.indent) }
      if behindText.line == lines.count { behindText.line += 1 }
      lines.append(random.oneIn(3) ? String(repeating: " ", count: column) : spaces(column) + comment())
    }
  }

  private mutating func behind() -> String {
    random.oneIn(5) ? spaces(Int.random(in: 1...3, using: &random)) + comment() : ""
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  private mutating func mapping(indent: Int, depth: Int, first: String? = nil) {
    let known = keys.shuffled(using: &random)
    for i in 0..<Int.random(in: 1...4, using: &random) {
      // A node after a dash does not start a new line.
      let isFirst = i == 0 && first != nil
      if !isFirst { between(indent: indent) }
      let odd = random.pick(["k\(i)", "'k\(i)'", "\"k\(i)\"", "k \(i)", "include\(i)"])
      let key = i < known.count ? known[i] : odd
      value((isFirst ? first! : spaces(indent)) + key + ":", indent: indent, depth: depth, isMapping: true)
    }
  }

  private mutating func sequence(indent: Int, depth: Int, first: String? = nil) {
    for i in 0..<Int.random(in: 1...4, using: &random) {
      let isFirst = i == 0 && first != nil
      if !isFirst { between(indent: indent) }
      value((isFirst ? first! : spaces(indent)) + "-", indent: indent, depth: depth, isMapping: false)
    }
  }

  private mutating func value(_ lead: String, indent: Int, depth: Int, isMapping: Bool) {
    let deeper = indent + Int.random(in: 1...4, using: &random)
    switch Int.random(in: 0..<(depth < 4 ? 12 : 7), using: &random) {
    case 0: lines.append(lead + behind())
    case 1:
      lines.append(lead + " " + random.pick(["|", ">-", "|-", ">"]) + behind())
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        lines.append(spaces(deeper) + random.pick(["text", "# no comment", "a: b", "", "- x"]))
      }
      behindText = (lines.count, indent)
    case 2:
      lines.append(lead + behind())
      between(indent: deeper)
      lines.append(spaces(deeper) + scalar() + behind())
    case 3:
      lines.append(lead + " plain text")
      lines.append(spaces(deeper) + "that goes on" + behind())
    case 4: lines.append(lead + " " + flow(depth: depth, indent: deeper) + behind())
    case 5, 6: lines.append(lead + " " + scalar() + behind())
    case 7, 8:
      lines.append(lead + behind())
      mapping(indent: deeper, depth: depth + 1)
    case 9:
      lines.append(lead + behind())
      sequence(indent: isMapping && random.oneIn(2) ? indent : deeper, depth: depth + 1)
    case 10 where !isMapping: mapping(indent: indent + 2, depth: depth + 1, first: lead + " ")
    case 11 where !isMapping: sequence(indent: indent + 2, depth: depth + 1, first: lead + " ")
    default:
      lines.append(lead + " " + flow(depth: depth, indent: deeper) + behind())
    }
  }

  private mutating func scalar() -> String {
    random.pick([
      "a", "5", "'5'", "\"yes\"", "no", "'it''s'", "\"a: b\"", "x#y", "\"\\u00e9\"", "'^a\\d$'", "选中", "\"选中\"", "a:b",
      "''", "~",
      "A(1,0)", "\"a \\\"b\\\"\"", "-5", "http://x/y",
    ])
  }

  private mutating func flow(depth: Int, indent: Int) -> String {
    let isMapping = random.oneIn(2)
    var text = isMapping ? "{" : "["
    let count = Int.random(in: 0...4, using: &random)
    for i in 0..<count {
      text += gap(indent)
      if isMapping { text += random.pick(["k\(i)", "'k\(i)'"]) + ":" + (random.oneIn(4) ? gap(indent) : " ") }
      if isMapping, !text.hasSuffix(" ") { text += " " }
      text += depth < 4 && random.oneIn(4) ? flow(depth: depth + 1, indent: indent) : flowScalar()
      if i < count - 1 { text += (random.oneIn(6) ? gap(indent) : "") + "," + (random.oneIn(3) ? "" : " ") }
    }
    return text + gap(indent) + (isMapping ? "}" : "]")
  }

  private mutating func flowScalar() -> String {
    random.pick([
      "a", "5", "'5'", "\"yes\"", "'x, y'", "\"a: b\"", "选中", "'选中'", "long" + String(repeating: "g", count: 40),
      "\"\\n\"",
    ])
  }

  /// White space in brackets: perhaps a comment and a line end.
  private mutating func gap(_ indent: Int) -> String {
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return " " + comment() + "\n" + spaces(indent)
    case 1: return "\n" + spaces(indent)
    case 2: return "\n" + spaces(indent) + comment() + "\n\n" + spaces(indent)
    case 3: return "  "
    default: return ""
    }
  }
}

@Suite struct FormattingPropertyTests {
  @Test("random documents keep meaning and comments in order, and formatting again changes nothing")
  func random() throws {
    var formatted = 0
    for seed in TestSize.scaled(1...2000 as ClosedRange<UInt64>) {
      var document = RandomDocument(seed: seed)
      let text = document.text()
      guard let before = try? YAMLText(text, name: "").parse() else { continue }
      let result: String
      do {
        result = try RuleFileFormatter.format(text)
      } catch {
        Issue.record("seed \(seed): \(error)\n\(text)")
        continue
      }
      formatted += 1
      let after = try YAMLText(result, name: "").parse()
      #expect(after.map { before.means($0, .other) } ?? false, "seed \(seed)\n\(text)\n\(result)")
      let comments = try SyntaxParser.parse(result).comments
      #expect(comments == document.comments, "seed \(seed)\n\(text)\n\(result)")
      let again = try RuleFileFormatter.format(result)
      #expect(again == result, "seed \(seed)\n\(text)\n\(result)\n\(again)")
      let lines = result.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(!result.utf8.contains(0x0D) && lines.allSatisfy { $0.last != " " }, "seed \(seed)")
    }
    #expect(formatted > TestSize.scaled(1600))
  }

  @Test("keys brought into order take all their comments with them")
  func order() throws {
    let keys = Array(Set(RuleFileKeys.file + RuleFileKeys.rule + RuleFileKeys.clause)).sorted()
    var formatted = 0
    for seed in TestSize.scaled(1...1500 as ClosedRange<UInt64>) {
      var document = RandomDocument(seed: seed, keys: keys)
      let text = document.text()
      guard let before = try? YAMLText(text, name: "").parse() else { continue }
      let result = try RuleFileFormatter.format(text)
      formatted += 1
      let after = try YAMLText(result, name: "").parse()
      #expect(after.map { before.means($0, .ruleFile) } ?? false, "seed \(seed)\n\(text)\n\(result)")
      let comments = try SyntaxParser.parse(result).comments
      #expect(comments.sorted() == document.comments.sorted(), "seed \(seed)\n\(text)\n\(result)")
      let again = try RuleFileFormatter.format(result)
      #expect(again == result, "seed \(seed)\n\(text)\n\(result)\n\(again)")
    }
    #expect(formatted > TestSize.scaled(1200))
  }

  @Test("damaged documents are formatted or refused, never lost")
  func damaged() throws {
    var generator = SeededGenerator(seed: 7)
    for seed in TestSize.scaled(1...800 as ClosedRange<UInt64>) {
      var document = RandomDocument(seed: seed)
      var bytes = Array(document.text().utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let i = Int.random(in: 0..<bytes.count, using: &generator)
        let signs = Array("\n\t #:-?,[]{}&*!|>'\"%@`+ \r".utf8)
        if generator.oneIn(2) { bytes[i] = generator.pick(signs) } else { bytes.insert(generator.pick(signs), at: i) }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let result = try? RuleFileFormatter.format(text) else { continue }
      let (before, after) = (try YAMLText(text, name: "").parse(), try YAMLText(result, name: "").parse())
      #expect(
        before == nil ? after == nil : after.map { before!.means($0, .other) } ?? false,
        "seed \(seed)\n\(text)\n\(result)")
      #expect(try RuleFileFormatter.format(result) == result, "seed \(seed)\n\(text)\n\(result)")
    }
  }
}
