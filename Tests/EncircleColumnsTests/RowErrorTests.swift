import EncircleColumns
import Testing

/// Rows that cannot be decided.
@Suite struct RowErrorTests {
  @Test(
    "a row that is no event gets an answer with the reason, and the rows beside it theirs",
    arguments: RowFormat.allCases)
  func badRows(format: RowFormat) throws {
    let folder = try VersionsFolder()
    defer { folder.remove() }
    let good = TestRow(version: "v1", values: ["{}"])
    let bad = ["", "{", "[]", "nothing", "{\"a\":1}}"].map { TestRow(version: "v1", values: [$0]) }
    let rows = bad.flatMap { [$0, good] }
    let answers = try folder.answers(format, [.event], rows.flatMap { $0.bytes(format, [.event]) })
    #expect(answers.map { $0.error.isEmpty } == rows.indices.map { !$0.isMultiple(of: 2) })
    #expect(answers[4].error == "1:1: expected an object")
    #expect(answers.allSatisfy { $0.version == "v1" && !$0.selected })
  }

  @Test(
    "a row longer than the limit gets an answer that says so, however it is cut, and the rows beside it theirs",
    arguments: RowFormat.allCases, [1, 7, 1 << 16])
  func longRows(format: RowFormat, pieces: Int) throws {
    let folder = try VersionsFolder()
    defer { folder.remove() }
    let columns: [EventColumn] = [
      .field(.page), .field(.content), format == .tsvRaw ? .propertiesJSON : .properties,
    ]
    let half = String(repeating: "长", count: 200)
    let good = TestRow(version: "v1", values: ["A", half, "{}"], properties: [("a", "b")])
    let long = [
      TestRow(version: "v1", values: [half, half, "{}"]), TestRow(version: "v1", values: [nil, half + half, "{}"]),
      TestRow(
        version: "v1", values: [nil, nil, #"{"a":"\#(half + half)"}"#],
        properties: (0..<100).map { ("property \($0)", "") }),
      TestRow(version: half + half, values: [nil, nil, "{}"]),
    ]
    var bytes = long.flatMap { good.bytes(format, columns) + $0.bytes(format, columns) }
    // The last line may lack its line feed.
    if format != .rowBinary { bytes.removeLast() }
    let answers = try folder.answers(format, columns, bytes, pieces: pieces, lengthLimit: 1000)
    #expect(answers.map(\.error) == long.flatMap { _ in ["", "longer than the limit of 1000 bytes"] })
    #expect(answers.map(\.version) == long.flatMap { _ in ["v1", ""] })
  }

  @Test("a row longer than the limit is not kept in memory until it ends", arguments: RowFormat.allCases)
  func memoryOfLongRows(format: RowFormat) throws {
    let folder = try VersionsFolder()
    defer { folder.remove() }
    let row = TestRow(version: "v1", values: [String(repeating: "x", count: 5000)]).bytes(format, [.event])
    var rows = RowTransformer(format, [.event], rules: folder.url.path, lengthLimit: 1000)
    for byte in row.dropLast() {
      try [byte].withUnsafeBufferPointer { try rows.append($0) }
      let kept = rows.pendingCount
      #expect(kept <= 1000)
    }
  }

  @Test("members that follow the object of properties are not taken into the event")
  func injection() throws {
    let folder = try VersionsFolder()
    defer { folder.remove() }
    let columns: [EventColumn] = [.field(.event), .propertiesJSON]
    let rows = [#"{},"event":"$AppClick""#, "[1]", #"{"a":"#, ""].map { TestRow(version: "v1", values: ["x", $0]) }
    let answers = try folder.answers(.rowBinary, columns, rows.flatMap { $0.bytes(.rowBinary, columns) })
    #expect(
      answers.map(\.error) == [
        "properties_json: unexpected text after the value, at byte 3", "properties_json: expected an object",
        "properties_json: ends before the value is complete, at byte 6", "",
      ])
  }

  @Test(
    "a line of another number of columns gets an answer that says so",
    arguments: [
      ("v1", "expected a row of 3 columns, found 1"), ("", "expected a row of 3 columns, found 1"),
      ("v1\ta", "expected a row of 3 columns, found 2"),
      ("v1\ta\tb\tc\td", "expected a row of 3 columns, found 5"),
    ])
  func columnCount(line: String, error: String) throws {
    let folder = try VersionsFolder()
    defer { folder.remove() }
    let answers = try folder.answers(
      .tsvRaw, [.field(.event), .field(.page)], Array("\(line)\nv1\ta\tb\n".utf8))
    #expect(answers.map(\.error) == [error, ""])
  }

  @Test("a value of another type in a row of JSON gets an answer that names its column")
  func jsonTypes() throws {
    let folder = try VersionsFolder()
    defer { folder.remove() }
    let lines = [
      #"{"rules_version":"v1","page":[],"properties":{}}"#, #"{"rules_version":"v1","properties":"x"}"#,
      #"{"rules_version":7}"#, "{}", "[]", "x", #"{"rules_version":"v1","page":7,"properties":{"a":1}}"#,
      #"{"rules_version":"v1","page":"A","properties":{ }}"#,
    ]
    let answers = try folder.answers(
      .jsonEachRow, [.field(.page), .properties], Array(lines.joined(separator: "\n").utf8))
    #expect(
      answers.map(\.error) == [
        "page: a string is expected", "properties: an object is expected", "rules_version: expected a string",
        "rules_version: expected a string", "not a row: expected an object",
        "not a row: unknown word: expected null, true or false, at byte 1", "", "",
      ])
  }

  @Test("a value with invalid UTF-8 gets an answer that names its column")
  func invalidText() throws {
    let folder = try VersionsFolder()
    defer { folder.remove() }
    let columns: [EventColumn] = [.field(.event), .field(.page), .properties]
    let rows = [
      TestRow(version: "v1", values: ["x", "?", nil]), TestRow(version: "v1", values: ["?", "A", nil]),
      TestRow(version: "v1", values: ["x", "A", nil], properties: [("tester", "?")]),
    ]
    let bytes = rows.flatMap { $0.bytes(.rowBinary, columns) }.map { $0 == UInt8(ascii: "?") ? 0xFF : $0 }
    #expect(
      try folder.answers(.rowBinary, columns, bytes).map(\.error)
        == ["page: not valid UTF-8", "event: not valid UTF-8", "properties: not valid UTF-8"])
  }

  @Test("input that cannot be read as rows is an error with the row, and the rows before it are answered")
  func malformed() throws {
    let folder = try VersionsFolder()
    defer { folder.remove() }
    let columns: [EventColumn] = [.field(.page)]
    let good = TestRow(version: "v1", values: ["A"]).bytes(.rowBinary, columns)
    let long = RowBinary.text(String(repeating: "v", count: 2000))
    let cases: [([UInt8], RowStreamError)] = [
      ([2, 0x76, 0x31, 7], .malformed(row: 2, column: "page")),
      ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .tooLong(row: 2, limit: 2_147_483_647)),
      ([0x80, 0x80, 0x80, 0x80, 0x80, 0x80], .tooLong(row: 2, limit: 2_147_483_647)),
      ([2, 0x76], .incomplete(row: 2)),
      (Array(long.dropLast()), .incomplete(row: 2)), (long, .incomplete(row: 2)),
      (long + [7], .malformed(row: 2, column: "page")),
    ]
    for (bytes, expected) in cases {
      var rows = RowTransformer(.rowBinary, columns, rules: folder.url.path, lengthLimit: 1000)
      let error = #expect(throws: RowStreamError.self) {
        try (good + bytes).withUnsafeBufferPointer { try rows.append($0) }
        try rows.finish()
      }
      #expect(error == expected)
      #expect(TestAnswer.read(rows.output, .rowBinary)?.count == 1)
    }
  }
}
