import EncircleTestSupport
import EncircleText
import Testing

/// Comma-separated values: reading, and cells that spreadsheets would run.
@Suite struct CSVReaderTests {
  private static func read(_ text: String) throws -> [[String]] {
    var reader = CSVReader(text)
    var records: [[String]] = []
    while let record = try reader.next() { records.append(record.cells) }
    return records
  }

  @Test(
    "cells are read as RFC 4180 says, with any line ends",
    arguments: [
      ("", []), ("a", [["a"]]), ("a,b\n", [["a", "b"]]), ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
      ("a\rb", [["a"], ["b"]]), ("\u{FEFF}a,b", [["a", "b"]]), ("a,,\n", [["a", "", ""]]), (",\n", [["", ""]]),
      ("\"a,b\",\"c\"\"d\"\n", [["a,b", "c\"d"]]), ("\"a\nb\r\nc\",d\n", [["a\nb\r\nc", "d"]]),
      ("\"\",\"\"\"\"\n", [["", "\""]]), ("a\n\n\nb\n", [["a"], ["b"]]), ("é,首页\n", [["é", "首页"]]),
      ("a\"b,c\n", [["a\"b", "c"]]), ("\"a\"", [["a"]]), ("e\u{301},x\n", [["e\u{301}", "x"]]),
    ] as [(String, [[String]])])
  func reading(text: String, records: [[String]]) throws {
    #expect(try Self.read(text) == records)
  }

  @Test(
    "semicolons or tabs separate the cells if the first line has them and no comma outside quotes",
    arguments: [
      ("a;b\nc,d;\"e;f\"\n", [["a", "b"], ["c,d", "e;f"]]), ("a\tb\r\nc\t;\r\n", [["a", "b"], ["c", ";"]]),
      ("\u{FEFF}\n\"a,\";b\nc;d", [["a,", "b"], ["c", "d"]]), ("a;b,c\nd;e\n", [["a;b", "c"], ["d;e"]]),
      ("a\nb;c\n", [["a"], ["b;c"]]), ("a;;b\tc\n", [["a", "", "b\tc"]]),
    ] as [(String, [[String]])])
  func separators(text: String, records: [[String]]) throws {
    #expect(try Self.read(text) == records)
  }

  @Test(
    "a first line states the separator and is no record",
    arguments: [
      ("sep=;\na,b;c\n", [["a,b", "c"]]), ("\u{FEFF}SEP=|\r\na|b\r\n", [["a", "b"]]),
      ("sep=\t\ra;b\tc", [["a;b", "c"]]), ("sep=,", []),
      ("sep=;;\na;b\n", [["sep=", "", ""], ["a", "b"]]), ("a;b\nsep=,\n", [["a", "b"], ["sep=,"]]),
    ] as [(String, [[String]])])
  func statedSeparator(text: String, records: [[String]]) throws {
    #expect(try Self.read(text) == records)
  }

  @Test(
    "errors have places",
    arguments: [
      ("a,\"b\n", "1:3", "is not closed"), ("a\nb,\"c\"d\n", "2:6", "expected a separator"),
      ("\"x\ny\",\"首\" ,\n", "2:7", "expected a separator"),
      (String(repeating: ",", count: CSVReader.maximumCells) + "x", "1:1001", "at most 1000 cells"),
      (String(repeating: ",", count: CSVReader.maximumCells) + "\"x\ny\"", "1:1001", "at most 1000 cells"),
    ])
  func problems(text: String, place: String, message: String) {
    #expect { try Self.read(text) } throws: { error in
      "\(error)".hasPrefix(place + ": ") && "\(error)".contains(message)
    }
  }

  @Test("empty cells of a formatted row do not count", arguments: ["", "\"\""])
  func formattedRow(cell: String) throws {
    let cells = try #require(try Self.read("a" + String(repeating: "," + cell, count: 2_000) + "\n").first)
    #expect(cells.first == "a" && cells.dropFirst().allSatisfy(\.isEmpty) && cells.count == CSVReader.maximumCells)
  }

  @Test("records know their lines, also behind line breaks in cells", arguments: [(0, ""), (1, "sep=,\r\n")])
  func lines(before: Int, first: String) throws {
    var reader = CSVReader(first + "a\n\"b\n\nb\"\r\nc\r\n\r\nd")
    var lines: [Int] = []
    while let record = try reader.next() { lines.append(record.line) }
    #expect(lines == [1, 2, 5, 7].map { $0 + before })
  }

  @Test("random cells survive a round trip", arguments: [1, 2, 3] as [UInt64])
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let parts = [",", "\"", "\n", "\r\n", "\r", "=", "'", " ", "a", "首", "e\u{301}", "\u{FEFF}", "\t", "-"]
    for _ in 0..<200 {
      let records = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        (0..<Int.random(in: 2...4, using: &random)).map { _ in
          (0..<Int.random(in: 0...5, using: &random)).map { _ in random.pick(parts) }.joined()
        }
      }
      // A byte order mark at the beginning of the text belongs to the file.
      let text = "\u{FEFF}" + records.map { CSVText.line($0) }.joined()
      let read = try Self.read(text)
      #expect(read.map { $0.map { UTF8String($0) } } == records.map { $0.map { UTF8String($0) } })
    }
  }

  @Test(
    "no cell is a formula, and each survives a round trip",
    arguments: [
      ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("\t=", "'\t="), ("\ra", "'\ra"), ("'=x", "''=x"),
      ("''-", "'''-"), ("'a", "'a"), ("'", "'"), ("", ""), ("a=1", "a=1"), (" =1", " =1"), ("首", "首"),
    ])
  func formulas(text: String, cell: String) {
    #expect(CSVText.unformulated(text) == cell)
    #expect(CSVText.formulated(cell) == text)
    #expect(CSVText.formulated("x") == "x")
  }
}
