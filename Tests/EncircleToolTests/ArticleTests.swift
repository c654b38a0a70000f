import EncircleTestSupport
import Foundation
import Testing

/// The table of what the articles say in `docs/articles.md`, and the tests that it names.
@Suite struct ArticleTests {
  /// A statement of an article.
  struct Row: Sendable, CustomTestStringConvertible {
    let line: Int
    let number: String
    let statement: String
    let answer: String
    let tests: String

    /// Whether Encircle does nothing about the statement.
    var isNotDone: Bool { answer.hasPrefix("Not yet: ") || answer.hasPrefix("Not here: ") }
    var testDescription: String { number }
  }

  private static let document = "docs/articles.md"
  /// The letters of the articles, with the number of their statements.
  private static let articles = [("H", 58), ("P", 8), ("S", 18), ("W", 48), ("L", 23)]

  static let rows: [Row] = {
    guard let document = try? MarkdownDocument(name: document) else { return [] }
    return document.textLines.compactMap { number, line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard cells.count == 4, let letter = cells[0].utf8.first, cells[0].utf8.count > 1,
        articles.contains(where: { Array($0.0.utf8) == [letter] }), Int(cells[0].dropFirst()) != nil
      else { return nil }
      return Row(line: number, number: cells[0], statement: cells[1], answer: cells[2], tests: cells[3])
    }
  }()

  @Test("every statement of every article is in the table once, in order")
  func numbers() {
    let expected = Self.articles.flatMap { letter, count in (1...count).map { "\(letter)\($0)" } }
    #expect(Self.rows.map(\.number) == expected)
    #expect(expected.count == 155)
  }

  @Test("every statement has a test that shows it, or says why not", arguments: rows)
  func testsExist(row: Row) throws {
    #expect(!row.statement.isEmpty && !row.answer.isEmpty)
    let named = row.tests.components(separatedBy: "<br>")
    if row.isNotDone {
      #expect(row.tests == "–", "\(Self.document):\(row.line): what is not done has no test")
      return
    }
    for test in named {
      #expect(
        Self.isThere(test, in: Self.known), "\(Self.document):\(row.line): there is no test \(test)")
    }
  }

  @Test("the number of statements that are shown by tests is the one in the text")
  func counts() throws {
    let notYet = Self.rows.count { $0.answer.hasPrefix("Not yet: ") }
    let notHere = Self.rows.count { $0.answer.hasPrefix("Not here: ") }
    let text = try MarkdownDocument(name: Self.document).lines.joined(separator: "\n")
    let sentence =
      "Of \(Self.rows.count) statements, \(Self.rows.count - notYet - notHere) are shown by tests, \(notYet) are for later work, and \(notHere) are"
    #expect(text.contains(sentence), "expected: \(sentence)")
  }

  @Test(
    "a test is known by its suite and its whole name",
    arguments: [
      (#"`ArticleTests / "a test is known by its suite and its whole name"`"#, true),
      (#"`ArticleTests / "a test is known by its suite"`"#, false),
      (#"`ArticleTests / "A test is known by its suite and its whole name"`"#, false),
      (#"`DocumentLinkTests / "a test is known by its suite and its whole name"`"#, false),
      (#"ArticleTests / "a test is known by its suite and its whole name""#, false), ("", false),
    ])
  func naming(test: String, isThere: Bool) { #expect(Self.isThere(test, in: Self.known) == isThere) }

  private static func isThere(_ test: String, in known: Set<[UInt8]>) -> Bool { known.contains(Array(test.utf8)) }

  // MARK: - Sources

  /// All tests as the table writes them, as bytes.
  private static let known: Set<[UInt8]> = {
    let folder = PackageFolder.root.appendingPathComponent("Tests")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    var known: Set<[UInt8]> = []
    for file in files where file.hasSuffix(".swift") {
      guard let text = try? String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8) else { continue }
      for (suite, name) in tests(in: text.components(separatedBy: "\n")) {
        known.insert(Array("`\(suite) / \"\(name)\"`".utf8))
      }
    }
    return known
  }()

  /// Returns the tests of a file: the suite is the nearest type above that is indented less.
  private static func tests(in lines: [String]) -> [(suite: String, name: String)] {
    var tests: [(String, String)] = []
    for (index, line) in lines.enumerated() where line.drop(while: { $0 == " " }).hasPrefix("@Test") {
      let here = line.contains("\"") ? line : index + 1 < lines.count ? lines[index + 1] : ""
      let quoted = here.drop { $0 != "\"" }.dropFirst()
      guard let end = quoted.firstIndex(of: "\"") else { continue }
      let indentation = Self.indentation(of: line)
      let above = lines[..<index].last { Self.indentation(of: $0) < indentation && Self.typeName(in: $0) != nil }
      guard let above, let suite = typeName(in: above) else { continue }
      tests.append((suite, String(quoted[..<end])))
    }
    return tests
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
