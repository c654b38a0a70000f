import EncircleTestSupport
import Foundation
import Testing

/// The tables of statements in `docs/articles.md`, and the tests that they name.
@Suite struct ArticleTests {
  /// A row of a table: one statement.
  struct Row: Sendable, CustomTestStringConvertible {
    let line: Int
    let number: String
    let statement: String
    let answer: String
    let tests: String

    /// `true` if Encircle does nothing about the statement.
    var isNotDone: Bool { answer.hasPrefix("Not yet: ") || answer.hasPrefix("Not here: ") }
    var testDescription: String { number }
  }

  private static let document = "docs/articles.md"
  /// The letters of the sections, with the number of their statements.
  private static let sections = [("H", 58), ("P", 8), ("S", 18), ("W", 48), ("L", 23)]

  static let rows: [Row] = {
    guard let document = try? MarkdownDocument(name: document) else { return [] }
    return document.textLines.compactMap { number, line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard cells.count == 4, let letter = cells[0].utf8.first, cells[0].utf8.count > 1,
        sections.contains(where: { Array($0.0.utf8) == [letter] }), Int(cells[0].dropFirst()) != nil
      else { return nil }
      return Row(line: number, number: cells[0], statement: cells[1], answer: cells[2], tests: cells[3])
    }
  }()

  @Test("the tables have every statement of every section once, in order")
  func numbers() {
    let expected = Self.sections.flatMap { letter, count in (1...count).map { "\(letter)\($0)" } }
    #expect(Self.rows.map(\.number) == expected)
    #expect(expected.count == 155)
  }

  @Test("the tests of a statement are those that name it in their trait", arguments: rows)
  func tests(row: Row) throws {
    #expect(!row.statement.isEmpty && !row.answer.isEmpty)
    let named = Set(row.tests.components(separatedBy: "<br>").map { Array($0.utf8) })
    let shown = Self.tests.filter { $0.statements.contains(row.number) }.map(\.written)
    #expect(row.isNotDone == shown.isEmpty, "\(Self.document):\(row.line): what is not done has no test")
    #expect(
      named == (shown.isEmpty ? [Array("–".utf8)] : Set(shown.map { Array($0.utf8) })),
      "\(Self.document):\(row.line): expected \(shown.joined(separator: "<br>"))")
  }

  @Test("traits name existing statements")
  func traits() {
    let numbers = Set(Self.rows.map(\.number))
    for test in Self.tests { #expect(numbers.isSuperset(of: test.statements), "\(test.written)") }
  }

  @Test("the text gives the right number of statements shown by tests")
  func counts() throws {
    let notYet = Self.rows.count { $0.answer.hasPrefix("Not yet: ") }
    let notHere = Self.rows.count { $0.answer.hasPrefix("Not here: ") }
    let text = try MarkdownDocument(name: Self.document).lines.joined(separator: "\n")
    let later = notYet == 0 ? "" : " \(notYet) \(notYet == 1 ? "is" : "are") for later work,"
    let sentence =
      "Of \(Self.rows.count) statements, \(Self.rows.count - notYet - notHere) are shown by tests,\(later) and \(notHere) are"
    #expect(text.contains(sentence), "expected: \(sentence)")
  }

  // MARK: - Sources

  /// A test of the sources that shows statements.
  struct StatementTest {
    let suite: String
    let name: String
    let statements: Set<String>

    /// The test as the table writes it.
    var written: String { "`\(suite) / \"\(name)\"`" }
  }

  /// All tests with the trait `.articles(…)`. Swift Testing has no list of them, so the sources are read.
  private static let tests: [StatementTest] = {
    let folder = PackageFolder.root.appendingPathComponent("Tests")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return files.sorted().filter { $0.hasSuffix(".swift") }.flatMap { file in
      let text = try? String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      return tests(in: text?.components(separatedBy: "\n") ?? [])
    }
  }()

  /// Returns the tests of a file with their statements: the suite is the nearest type above that is indented less.
  private static func tests(in lines: [String]) -> [StatementTest] {
    lines.indices.compactMap { index in
      let line = lines[index]
      guard line.drop(while: { $0 == " " }).hasPrefix("@Test") else { return nil }
      // A test has its name in quotes, or is a function whose name is a sentence.
      let rest = lines[index...]
      let last = rest.firstIndex { $0.contains("func ") } ?? index
      let function = lines[last].range(of: "func ").map { lines[last][$0.lowerBound...] } ?? ""
      let attribute =
        (lines[index..<last] + [String(lines[last].prefix(lines[last].count - function.count))]).joined()
      guard let trait = attribute.range(of: ".articles(") else { return nil }
      let statements = quoted(in: attribute[trait.upperBound...].prefix { $0 != ")" })
      let indentation = Self.indentation(of: line)
      let above = lines[..<index].last { Self.indentation(of: $0) < indentation && Self.typeName(in: $0) != nil }
      let sentence = function.split(separator: "`", omittingEmptySubsequences: false).dropFirst().first.map(String.init)
      guard let name = function.contains("`") ? sentence : quoted(in: attribute[...]).first,
        let suite = above.flatMap(typeName(in:))
      else { return nil }
      return StatementTest(suite: suite, name: name, statements: Set(statements))
    }
  }

  private static func quoted(in text: Substring) -> [String] {
    text.components(separatedBy: "\"").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }

  private static func indentation(of line: String) -> Int { line.utf8.prefix { $0 == 0x20 }.count }

  /// Returns the name of the type that a line declares.
  private static func typeName(in line: String) -> String? {
    let words = line.split(whereSeparator: { " :{<".contains($0) }).map(String.init)
    guard let keyword = words.firstIndex(where: { ["struct", "class", "enum", "extension"].contains($0) }),
      keyword + 1 < words.count, !line.contains("//")
    else { return nil }
    return words[keyword + 1]
  }
}
