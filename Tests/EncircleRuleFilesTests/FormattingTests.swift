import EncircleRuleFiles
import EncircleTestSupport
import Foundation
import Testing

/// One claim with a text and how it is formatted; nil for as it is.
struct FormattingRow: Sendable, CustomTestStringConvertible {
  let claim: String
  let text: String
  let formatted: String?
  var testDescription: String { claim }

  init(_ claim: String, _ text: String, _ formatted: String? = nil) {
    self.claim = claim
    self.text = text
    self.formatted = formatted
  }
}

/// The layout of rule files.
@Suite struct FormattingTests {
  static let layoutRows = [
    FormattingRow(
      "indentation is two spaces, also of lists", "a:\n    b: 1\n    c:\n    - 2\n    -   3\n",
      "a:\n  b: 1\n  c:\n    - 2\n    - 3\n"),
    FormattingRow("line ends are LF, and there is one at the end", "a: 1  \r\nb: 2\rc: 3", "a: 1\nb: 2\nc: 3\n"),
    FormattingRow("a byte order mark goes", "\u{FEFF}a: 1\n", "a: 1\n"),
    FormattingRow(
      "several blank lines are one, none at the ends", "\n\na: 1\n\n\n\nb:\n\n  c: 2\n\n\n", "a: 1\n\nb:\n  c: 2\n"),
    FormattingRow("what is in braces stays so, with spaces", "a: {b: 1,c: [2,3],}\n", "a: { b: 1, c: [2, 3] }\n"),
    FormattingRow(
      "what is in braces over several lines comes into one", "a: {b: 1,\n  c: [2,\n   3]}\n", "a: { b: 1, c: [2, 3] }\n"
    ),
    FormattingRow(
      "what does not fit into 120 columns gets lines",
      "a: { \(String(repeating: "b", count: 60)): \(String(repeating: "c", count: 60)), d: { e: 1 } }\n",
      "a:\n  \(String(repeating: "b", count: 60)): \(String(repeating: "c", count: 60))\n  d: { e: 1 }\n"),
    FormattingRow(
      "wide characters take two columns", "a: [\(String(repeating: "选", count: 57)), b]\n",
      "a:\n  - \(String(repeating: "选", count: 57))\n  - b\n"),
    FormattingRow(
      "a list of clauses gets lines, short clauses do not", "rules: [{id: a, include: [{event: b}, {page: c}]}]\n",
      "rules:\n  - id: a\n    include:\n      - { event: b }\n      - { page: c }\n"),
    FormattingRow(
      "one blank line separates rules that span lines",
      "rules:\n  - id: a\n    include: {event: b}\n  # on c\n  - id: c\n    exclude: {event: b}\n",
      "rules:\n  - id: a\n    include: { event: b }\n\n  # on c\n  - id: c\n    exclude: { event: b }\n"),
    FormattingRow(
      "rules of one line need none",
      "rules:\n  - { id: a, include: { event: b } }\n  - { id: c, exclude: { event: b } }\n"),
    FormattingRow(
      "keys come in the order of the format, unknown ones last",
      "rules:\n  - emit: e\n    odd: 1\n    include: { selector: A, event: b }\n    id: a\nversion: 1\n",
      "version: 1\nrules:\n  - id: a\n    include: { event: b, selector: A }\n    emit: e\n    odd: 1\n"),
    FormattingRow(
      "tests of a value stay in the order of the author",
      "rules:\n  - id: a\n    include: { where: { p: { \">\": 1, \"<\": 2 } } }\n"),
    FormattingRow(
      "tests have an order of keys, too", "tests:\n  - expect: { emit: a, selected: true }\n    name: b\nversion: 1\n",
      "version: 1\ntests:\n  - expect: { emit: a, selected: true }\n    name: b\n".replacing(
        "  - expect: { emit: a, selected: true }\n    name: b",
        with: "  - name: b\n    expect: { selected: true, emit: a }")),
    FormattingRow(
      "a mapping behind a dash begins on its line", "a:\n  -\n    b: 1\n    c: 2\n  -   - d\n",
      "a:\n  - b: 1\n    c: 2\n  - - d\n"),
    FormattingRow(
      "a text over several lines keeps its lines", "a: one\n      two\n\n      three\nb: \"x\n y\"\n",
      "a: one\n  two\n\n  three\nb: \"x\n  y\"\n"),
    FormattingRow(
      "a text in block style keeps its lines", "a: |\n      one\n        two  \n\n      three\n\nb: >-\n c\n",
      "a: |\n  one\n    two  \n\n  three\n\nb: >-\n  c\n"),
    FormattingRow(
      "a text that keeps its blank lines keeps them", "rules:\n- name: |+\n   one\n\n\n  id: a\n- {id: b}\n",
      "rules:\n  - id: a\n    name: |+\n      one\n\n\n  - { id: b }\n"),
    FormattingRow("an indentation that must be said is said", "a: |1\n   one\n  two\n", "a: |2\n    one\n   two\n"),
    FormattingRow("the colon is no part of an empty key's anchor", "&x   :\n  a: 1\n", "&x :\n  a: 1\n"),
    FormattingRow(
      "anchors, aliases and tags stay, and then all keys where they are",
      "rules:\n- include: &x {event: !!str 5}\n  id: a\n- {id: b, unless: *x}\n",
      "rules:\n  - include: &x { event: !!str 5 }\n    id: a\n\n  - { id: b, unless: *x }\n"),
    FormattingRow("a beginning of a document stays", "# a\n---\nb:   1\n", "# a\n---\nb: 1\n"),
    FormattingRow("comments alone are a file", "# a\n\n\n#b  \n", "# a\n\n#b\n"),
    FormattingRow("a root that is no mapping is laid out, too", "[a,   b]\n", "[a, b]\n"),
    FormattingRow("an empty text stays empty", ""),
  ]

  static let commentsRows = [
    FormattingRow(
      "a comment stays before its node", "a:\n    # one\n    b: 1\n# two\n\n# three\nc: 2\n# four\n",
      "a:\n  # one\n  b: 1\n# two\n\n# three\nc: 2\n# four\n"),
    FormattingRow(
      "a comment behind a value stays behind it, one space away", "a: 1     # one\nb:   # two\n  - c   #three\n",
      "a: 1 # one\nb: # two\n  - c #three\n"),
    FormattingRow(
      "a comment at the end of a collection stays in it", "a:\n   b: 1\n   # one\n\n  # two\n# three\nc: 1\n",
      "a:\n  b: 1\n  # one\n\n# two\n# three\nc: 1\n"),
    FormattingRow(
      "a comment goes with its key", "rules:\n  - name: b # n\n    # the id\n    id: a # i\n",
      "rules:\n  # the id\n  - id: a # i\n    name: b # n\n"),
    FormattingRow(
      "what a file begins with stays at its beginning",
      "# yaml-language-server: $schema=x\nrules: []\n# v\nversion: 1\n",
      "# yaml-language-server: $schema=x\n# v\nversion: 1\nrules: []\n"),
    FormattingRow(
      "but for the comment right above a key", "# file\n\n# rules\nrules: []\nversion: 1\n",
      "# file\n\nversion: 1\n# rules\nrules: []\n"),
    FormattingRow(
      "comments in brackets make lines", "a: [ # one\n  b, # two\n  # three\n  c # four\n  # five\n] # six\n",
      "a:\n  # one\n  - b # two\n  # three\n  - c # four\n  # five\n  # six\n"),
    FormattingRow(
      "a comment between key and value goes before both", "a:\n  # one\n  1 # two\nb: # three\n  2\n",
      "# one\na: 1 # two\nb: 2 # three\n"),
    FormattingRow(
      "a comment behind a dash goes before it", "a:\n- # one\n  # two\n  b: 1\n- # three\n  - # four\n    - c\n",
      "a:\n  # one\n  # two\n  - b: 1\n  # three\n  # four\n  - - - c\n"),
    FormattingRow("a comment in empty brackets goes before them", "a: [ # one\n] # two\n", "# one\na: [] # two\n"),
    FormattingRow("a # in a text is no comment", "a: b#c\nd: \"e # f\"\ng: 'h # \"i'\nj: |\n  # k\n"),
    FormattingRow(
      "a comment behind the header of a text stays there", "a: |   # one\n  b\n  # text\n# two\nc: 1\n",
      "a: | # one\n  b\n  # text\n# two\nc: 1\n"),
    FormattingRow("a comment may be anything", "a: 1 #选 ✓ \t\n#\n", "a: 1 #选 ✓\n#\n"),
  ]

  static let scalarsRows = [
    FormattingRow("a dash that stands alone gets quotes", "a: {b: -}\n", "a: { b: \"-\" }\n"),
    FormattingRow(
      "needless quotes go", "a: \"b c\"\n'd': '加入购物车'\n\"$x\": [\"e\", \"/f\"]\n", "a: b c\nd: 加入购物车\n$x: [e, /f]\n"),
    FormattingRow(
      "quotes stay where the text would be something else",
      "a: [\"5\", \"yes\", \"1.10\", \"null\", \"y\", \"~\", \"\", \"0x1F\", \"2026-03-01\", \"true\", \"5.2.1\", \"No\", \".5\"]\n"
    ),
    FormattingRow(
      "quotes stay where the text has signs of YAML",
      "a: [\"b: c\", \"d #e\", \"*\", \"&f\", \"!g\", \"h:\", \" i\", \"j \", \"- k\", \"[l]\", \"{m}\", \"n, o\", \">=5\", \"<4\", \"%\", \"@\", \"`\"]\n"
    ),
    FormattingRow("double quotes are preferred", "a: 'b: c'\nd: 'e ''f'': g'\n", "a: \"b: c\"\nd: \"e 'f': g\"\n"),
    FormattingRow("single quotes save escapes", "a: \"^\\\\d+\\\"$\"\n", "a: '^\\d+\"$'\n"),
    FormattingRow("an escape that was chosen stays", "a: \"caf\\u00E9\"\nb: \"x\\ny\"\nc: \"\\x41\"\n"),
    FormattingRow(
      "what is plain stays as it is spelled", "a: yes\nb: 0x1F\nc: ~\nd: 5.10\ne: [x y, Null]\nf: 6292a65c\n"),
    FormattingRow("no characters are normalised", "a: \"cafe\u{301}\"\nb: caf\u{E9}\n"),
    FormattingRow("a space that is none keeps its quotes", "a: \"b\u{A0}c\"\nd: \"e\u{2028}f\"\n"),
    FormattingRow(
      "selectors are in canonical form where that is no longer",
      "rules:\n  - id: a\n    include: { selector: [\"**/A(1,0)\", \"'B'/**/**/C\", \"D(row:1 section:0)\", 'E(\"1\")'] }\n",
      "rules:\n  - id: a\n    include: { selector: [\"A(0,1)\", B/**/C, D(section:0 row:1), 'E(\"1\")'] }\n"),
    FormattingRow(
      "a selector as another SDK writes paths stays",
      "rules:\n  - id: a\n    include: { selector: [\"**/Cell[0][-]\"] }\n"),
    FormattingRow("a name that looks like a selector elsewhere stays", "a: { selector: \"**/A(1,0)\" }\n"),
  ]

  @Test("layout", arguments: layoutRows) func layout(_ row: FormattingRow) throws { try check(row) }
  @Test("comments", arguments: commentsRows) func comments(_ row: FormattingRow) throws { try check(row) }
  @Test("texts", arguments: scalarsRows) func scalars(_ row: FormattingRow) throws { try check(row) }

  private func check(_ row: FormattingRow) throws {
    let formatted = try RuleFileFormatter.format(row.text)
    #expect(formatted == row.formatted ?? row.text)
    #expect(Array(formatted.utf8) == Array((row.formatted ?? row.text).utf8))
    #expect(try RuleFileFormatter.format(formatted) == formatted, "formatting again changes nothing")
  }

  @Test("JSON stays JSON, with two spaces, keys in order and short lines kept")
  func json() throws {
    let text =
      #"{"rules": [{"include": {"event": "a", "where": {"p": [1, 2.50, "\u00e9\ud83d\ude00"]}}, "id": "b"}], "version": 1}"#
    let formatted = try RuleFileFormatter.format(text, name: "a.json")
    #expect(
      formatted == #"""
        {
          "version": 1,
          "rules": [
            { "id": "b", "include": { "event": "a", "where": { "p": [1, 2.50, "\u00e9\ud83d\ude00"] } } }
          ]
        }

        """#)
    #expect(try RuleFileFormatter.format(formatted, name: "a.json") == formatted)
    let long = "{\n\t\"rules\": [],\n\t\"app\": {\n\t}, \"version\":\n1}"
    #expect(try RuleFileFormatter.format(long) == "{\n  \"version\": 1,\n  \"app\": {},\n  \"rules\": []\n}\n")
  }

  // The place is the third text.
  static let refusalRows = [
    FormattingRow("a bracket that is never closed", "a: 1\nb: [1,\n", "3:1"),
    FormattingRow("two colons", "a: b: c\n", "1:5"), FormattingRow("a tab as indentation", "a:\n\tb: 1\n", "2:1"),
    FormattingRow("a tab behind a dash", "a:\n  -\tb\n", "2:4"),
    FormattingRow("a key with a question mark", "? a\n: 1\n", "1:1"),
    FormattingRow("several documents", "a: 1\n---\nb: 2\n", "2:1"),
    FormattingRow("directives", "%YAML 1.2\n---\na: 1\n", "1:1"),
    FormattingRow("the end of a document", "a: 1\n...\n", "2:1"),
    FormattingRow("a key that occurs twice", "a: 1\na: 2\n", "1:1"),
    FormattingRow("an alias of nothing", "a: *x\n", "1:4"),
    FormattingRow("a quote that is never closed", "a: \"b\n", "1:4"),
    FormattingRow("a pair without braces", "a: [b: c]\n", "1:6"),
    FormattingRow("a comment before a colon", "a: {b # c\n : 1}\n", "2:2"),
    FormattingRow("a comment behind an anchor", "a: &x # c\n  b: 1\n", "2:1"),
    FormattingRow("a character that YAML has not", "a: \u{0}\n", "1:4"),
    FormattingRow("a second byte order mark", "\u{FEFF}\u{FEFF}a: 1\n", "1:1"),
    FormattingRow("a byte order mark below the first line", "\n\u{FEFF}# a\n", "2:1"),
    FormattingRow("depth in brackets", String(repeating: "[", count: 100_000), "1:65"),
    FormattingRow("depth in braces", String(repeating: "{a: ", count: 100), "1:257"),
    FormattingRow("depth of lists", String(repeating: "- ", count: 100_000), "1:129"),
    FormattingRow(
      "depth of mappings", (0..<3000).map { String(repeating: " ", count: $0) + "a:\n" }.joined(), "65:65"),
  ]

  @Test("text that cannot be formatted is reported with its place", arguments: refusalRows)
  func refusals(_ row: FormattingRow) throws {
    do {
      _ = try RuleFileFormatter.format(row.text, name: "x.yaml")
      Issue.record("formatted")
    } catch {
      #expect(error.diagnostics.count == 1)
      #expect(error.description.hasPrefix("x.yaml:\(row.formatted ?? ""): error: "), "\(error.description.prefix(200))")
    }
  }

  @Test("the end of a document is not called a second document")
  func endOfDocument() {
    do {
      _ = try RuleFileFormatter.format("a: 1\n...\n", name: "x.yaml")
      Issue.record("formatted")
    } catch {
      #expect(error.description.contains("cannot format a file with '...'"), "\(error)")
    }
  }

  @Test("a .json file must be JSON")
  func notJSON() {
    #expect(throws: RuleFileErrors.self) { try RuleFileFormatter.format("{a: 1}", name: "a.json") }
  }

  @Test("the shipped rules and their tests are formatted", arguments: shipped)
  func shippedFiles(file: URL) throws {
    let text = String(decoding: try PackageFolder.bytes(file), as: UTF8.self)
    #expect(try RuleFileFormatter.format(text, name: file.lastPathComponent) == text)
  }

  private static let shipped: [URL] = {
    let folder = PackageFolder.root.appendingPathComponent("Rules")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".yaml") }.sorted().map { folder.appendingPathComponent($0) }
  }()
}
