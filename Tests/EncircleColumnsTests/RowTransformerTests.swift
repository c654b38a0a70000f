import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleColumns

/// A folder with compiled rules.
struct VersionsFolder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)")

  static let rules = """
    version: 1
    pages: { exclude: [DebugViewController] }
    rules:
      - id: cart.quantity
        include: { page: CartViewController, selector: "CartRowCell(section:0 row:*)/**/_UIStepperButton" }
        emit: quantity
      - id: checkout
        include: { event: $AppClick, where: { $element_content: "去结算 '1'" } }
      - id: internal
        exclude: { where: { tester: "yes" } }
      - id: old
        include: { where: { $app_version: { version: "<5" } } }

    """

  init(_ versions: [String: String] = ["v1": rules]) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, rules) in versions { try write(name, try Self.compiled(rules)) }
  }

  static func matcher(_ rules: String) throws -> Matcher {
    Matcher(try RuleFiles(text: rules).ruleSet())
  }

  static func compiled(_ rules: String) throws -> [UInt8] { try matcher(rules).compiled() }

  func write(_ version: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: url.appendingPathComponent(version + ".rules"))
  }

  func remove() { try? FileManager.default.removeItem(at: url) }

  /// The answers to rows that arrive in pieces.
  func answers(
    _ format: RowFormat, _ columns: [EventColumn], _ bytes: [UInt8], pieces: Int = 1 << 16,
    lengthLimit: Int = RowTransformer.defaultLengthLimit
  ) throws -> [TestAnswer] {
    var rows = RowTransformer(format, columns, rules: url.path, lengthLimit: lengthLimit)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      try bytes[start..<min(start + pieces, bytes.count)].withUnsafeBufferPointer { try rows.append($0) }
    }
    try rows.finish()
    return try #require(TestAnswer.read(rows.output, format), "the output is not in \(format.rawValue)")
  }
}

@Suite struct RowTransformerTests {
  @Test("a repeated row has the answer of the first, for each version", arguments: RowFormat.allCases)
  func repeated(format: RowFormat) throws {
    let other = "version: 1\nrules:\n  - id: any\n    include: { event: $AppClick }\n"
    let folder = try VersionsFolder(["v1": VersionsFolder.rules, "v2": other])
    defer { folder.remove() }
    let columns: [EventColumn] = [.field(.event), .field(.page), .field(.path), .field(.content)]
    let taps = (0..<40).map { n in
      TestRow(
        version: ["v1", "v2", "none"][n % 3],
        values: ["$AppClick", n % 2 == 0 ? "CartViewController" : "x", Self.tap.values[2], "\(n % 5)"], properties: [])
    }
    let alone = try taps.flatMap { try folder.answers(format, columns, $0.bytes(format, columns)) }
    // More than a sample with hardly any repeated row, and then the same rows twice; small runs use one format.
    let count = TestSize.isFull || format == .tsvRaw ? 1 << 14 : 0
    let different = (0..<count).flatMap { n in
      TestRow(version: "v1", values: ["$AppClick", nil, nil, "different \(n)"], properties: []).bytes(format, columns)
    }
    let rows = taps.flatMap { $0.bytes(format, columns) }
    let answers = try folder.answers(format, columns, rows + rows + different + rows)
    #expect(Array(answers.prefix(80)) == alone + alone)
    #expect(Array(answers.suffix(40)) == alone)
    #expect(answers.count == 120 + count)
  }

  private static let tap = TestRow(
    version: "v1",
    values: [
      "$AppClick", "CartViewController", "UIWindow(0)/CartRowCell(section:0 row:7)/UIStepper(0)/_UIStepperButton(1)",
      nil,
      "去结算 '1'", "4.9", nil,
    ], properties: [("tester", "no")])

  @Test(
    "a row gets the decision on the event that its columns are of",
    arguments: [RowFormat.rowBinary, .jsonEachRow])
  func decision(format: RowFormat) throws {
    let folder = try VersionsFolder()
    defer { folder.remove() }
    var internalTap = Self.tap
    internalTap.properties = [("tester", "yes")]
    var debugTap = Self.tap
    debugTap.values[1] = "DebugViewController"
    let columns = EventColumn.defaults
    let answers = try folder.answers(
      format, columns, [Self.tap, internalTap, debugTap].flatMap { $0.bytes(format, columns) })
    let all = ["cart.quantity", "checkout", "old"]
    #expect(
      answers == [
        TestAnswer(rules: all, emit: ["checkout", "old", "quantity"], selected: true, version: "v1"),
        TestAnswer(rules: all, excludedBy: ["internal"], version: "v1"),
        TestAnswer(rules: ["checkout", "old"], pages: ["DebugViewController"], version: "v1"),
      ])
  }

  @Test("rows in any format, cut anywhere, get the same decisions as their events", arguments: RowFormat.allCases)
  func randomRows(format: RowFormat) throws {
    let folder = try VersionsFolder()
    defer { folder.remove() }
    var decider = Decider(try VersionsFolder.matcher(VersionsFolder.rules))
    let properties: EventColumn = format == .tsvRaw ? .propertiesJSON : .properties
    let columns = Array(EventColumn.defaults.dropLast()) + [properties]
    var generator = SeededGenerator(seed: 31)
    var bytes: [UInt8] = []
    var expected: [TestAnswer] = []
    for _ in 0..<TestSize.scaled(6000) {
      let (row, event) = Self.randomRow(format, &generator)
      bytes += row.bytes(format, columns)
      let decision = try decider.decide(json: Array(event.utf8))
      expected.append(TestAnswer(decision, version: row.version))
    }
    let answers = try folder.answers(
      format, columns, bytes, pieces: Int.random(in: 1...300, using: &generator))
    #expect(answers.count == expected.count)
    let differing = zip(answers, expected).enumerated().first { $0.element.0 != $0.element.1 }
    #expect(differing == nil)
    #expect(expected.contains { $0.selected } && expected.contains { !$0.excludedBy.isEmpty && !$0.pages.isEmpty })
  }

  /// A row, and the event that it stands for, written by hand.
  private static func randomRow(_ format: RowFormat, _ generator: inout SeededGenerator) -> (TestRow, String) {
    let texts = ["去结算 '1'", "", "a\\b", "\"", "{\u{1}", "e\u{301}", "\u{10FFFF}"]
    let values: [String?] = [
      generator.pick(["$AppClick", "$AppViewScreen", nil]),
      generator.pick(["CartViewController", "DebugViewController", "", nil]),
      generator.pick([tap.values[2], "UIWindow(0)", "_A_B", "(", nil]), generator.pick([nil, "00", "x"]),
      generator.pick(texts + [nil]), generator.pick(["4.9", "5.2", "", nil]),
    ]
    var properties: [(name: String, value: String)] = []
    if generator.oneIn(2) { properties.append(("tester", generator.pick(["yes", "no"] + texts))) }
    if generator.oneIn(3) { properties.append((generator.pick(texts), "x")) }
    // The column of a field counts rather than the property of its name.
    if generator.oneIn(5) { properties.insert(("$element_content", "去结算 '1'"), at: 0) }
    let object = properties.map { "\(quoted($0.name)):\(quoted($0.value))" }.joined(separator: ",")
    let places = ["$screen_name", "$element_path", "event_id", "$element_content", "$app_version"]
    var members = [object].filter { !$0.isEmpty }
    var root: [String] = values[0].map { ["\"event\":\(quoted($0))"] } ?? []
    for (place, value) in zip(places, values.dropFirst()) {
      guard let value else { continue }
      if place == "event_id" {
        root.append("\"event_id\":\(quoted(value))")
      } else {
        members.append("\"\(place)\":\(quoted(value))")
      }
    }
    root.append("\"properties\":{\(members.joined(separator: ","))}")
    let row = TestRow(
      version: "v1", values: values + [format == .tsvRaw ? "{\(object)}" : nil], properties: properties)
    return (row, "{\(root.joined(separator: ","))}")
  }

  @Test(
    "a column of times is read as the time of an event, also with a fraction or an exponent",
    arguments: RowFormat.allCases)
  func times(format: RowFormat) throws {
    let rules =
      "version: 1\nrules:\n  - { id: march, from: 2026-03-01, to: 2026-03-31, include: { event: $AppClick } }\n"
    let folder = try VersionsFolder(["v1": rules])
    defer { folder.remove() }
    let columns: [EventColumn] = [.field(.event), .field(.time)]
    let march: [String?] = [
      "1772323200000", "1772323200000.0", "1772323200000.5", "1772323200", "1772323200.5", "1.7723232e12",
      "2026-03-01T00:00:00Z",
    ]
    let others: [String?] = ["1772323199999.9", "1772323199.5", "1.7e12", "01772323200000", "", nil]
    let rows = (march + others).map { TestRow(version: "v1", values: ["$AppClick", $0]) }
    let answers = try folder.answers(format, columns, rows.flatMap { $0.bytes(format, columns) })
    #expect(answers.map(\.selected) == march.map { _ in true } + others.map { _ in false })
  }

  @Test(
    "with rules in several styles, the properties of a row determine its style",
    arguments: [RowFormat.rowBinary, .jsonEachRow])
  func styles(format: RowFormat) throws {
    let rules = """
      version: 1
      rules:
        - id: join
          include:
            - { style: posthog, page: Groups, selector: UIButton, where: { $el_text: Join } }
            - { style: sensors, page: Groups, selector: UIButton(0), where: { $element_content: Join } }
            - { style: sensors-web, page: /groups, selector: "#join" }

      """
    let folder = try VersionsFolder(["v1": rules])
    defer { folder.remove() }
    let columns: [EventColumn] = [.field(.page), .field(.path), .field(.content), .properties]
    let rows: [(library: String, values: [String?])] = [
      ("iOS", ["Groups", "UIView/UIButton[0]", "Join"]),
      ("js", ["/groups", "body > div#join", "Join"]),
      ("posthog-ios", ["Groups", "UIButton;UIWindow", "Join"]),
      ("iOS", ["/groups", "UIView/UIButton[0]", "Join"]),
      ("js", ["Groups", "body > div#join", "Join"]),
      ("posthog-ios", ["Groups", "UIButton;UIWindow", "Leave"]),
    ]
    let bytes = rows.flatMap { row in
      TestRow(version: "v1", values: row.values + [nil], properties: [("$lib", row.library)]).bytes(format, columns)
    }
    let answers = try folder.answers(format, columns, bytes)
    #expect(answers.map(\.selected) == [true, true, true, false, false, false])
    #expect(answers.allSatisfy { $0.error.isEmpty })
  }

  @Test("rows from PostHog's apps and pages are recognised by the library or the system")
  func stylesOfPostHog() throws {
    let clauses = "[{ style: posthog, page: Groups }, { style: posthog-web, page: /groups }]"
    let folder = try VersionsFolder(["v1": "version: 1\nrules:\n  - { id: join, include: \(clauses) }\n"])
    defer { folder.remove() }
    let columns: [EventColumn] = [.field(.page), .field(.path), .propertiesJSON]
    let rows = [
      ["Groups", "UIButton;UIWindow", #"{"$lib":"posthog-ios"}"#], ["/groups", "button;body", #"{"$lib":"web"}"#],
      ["/groups", "UIButton;UIWindow", #"{"$lib":"posthog-ios"}"#], ["Groups", "button;body", #"{"$lib":"web"}"#],
    ].map { TestRow(version: "v1", values: $0) }
    let answers = try folder.answers(.tsvRaw, columns, rows.flatMap { $0.bytes(.tsvRaw, columns) })
    #expect(answers.map(\.selected) == [true, true, false, false])
  }

  @Test(
    "with styles that columns do not distinguish, rows get an answer that says so, and whole events are decided",
    arguments: [
      ("growingio", #"{"eventType":"VIEW_CLICK"}"#), ("lede", #"{"eventName":"click"}"#),
      ("posthog-web", #"{"event":"$autocapture","properties":{"$elements_chain":"a","$lib":"web"}}"#),
    ])
  func untoldStyles(style: String, event: String) throws {
    let clauses = "[{ style: sensors, page: Home }, { style: \(style), event: [VIEW_CLICK, click, $autocapture] }]"
    let folder = try VersionsFolder(["v1": "version: 1\nrules:\n  - { id: home, include: \(clauses) }\n"])
    defer { folder.remove() }
    let columns: [EventColumn] = [.field(.event), .field(.page)]
    let row = TestRow(version: "v1", values: ["$AppClick", "Home"])
    let answers = try folder.answers(.tsvRaw, columns, row.bytes(.tsvRaw, columns))
    #expect(answers.map(\.selected) == [false])
    #expect(
      answers.allSatisfy { $0.error.hasSuffix("which only whole events distinguish: pass them as the column json") })
    let events = [#"{"event":"$AppClick","properties":{"$screen_name":"Home"}}"#, event, "{}"]
    let bytes = events.flatMap { TestRow(version: "v1", values: [$0]).bytes(.tsvRaw, [.event]) }
    #expect(try folder.answers(.tsvRaw, [.event], bytes).map(\.selected) == [true, true, false])
  }

  @Test("columns without a value do not hide the same value in a property")
  func nestedFields() throws {
    let rules = """
      version: 1
      fields: { content: /properties/el/text, title: /properties/el/more/title }
      rules:
        - { id: id, include: { where: { /properties/el/id: 7 } } }
        - { id: text, include: { where: { /properties/el/text: x } } }
        - { id: title, include: { where: { /properties/el/more/title: y } } }

      """
    let folder = try VersionsFolder(["v1": rules])
    defer { folder.remove() }
    let columns: [EventColumn] = [.field(.content), .field(.title), .propertiesJSON]
    let rows: [[String?]] = [
      [nil, nil, #"{"el":{"id":7,"text":"x","more":{"title":"y"}},"p":1}"#], ["x", nil, #"{"p":1}"#], [nil, "y", "{}"],
      ["x", "y", #"{"p":1}"#], [nil, nil, "{}"],
    ]
    let bytes = rows.flatMap { TestRow(version: "v1", values: $0).bytes(.tsvRaw, columns) }
    let answers = try folder.answers(.tsvRaw, columns, bytes)
    #expect(answers.map(\.rules) == [["id", "text", "title"], ["text"], ["title"], ["text", "title"], []])
    #expect(answers.allSatisfy { $0.error.isEmpty })
  }

  @Test("a whole event in JSON gets the same decision as in a stream of events", arguments: RowFormat.allCases)
  func wholeEvents(format: RowFormat) throws {
    let folder = try VersionsFolder()
    defer { folder.remove() }
    let event = #"{"event":"$AppClick","properties":{"$element_content":"去结算 '1'","$app_version":"5.2"}}"#
    let row = TestRow(version: "v1", values: [event])
    let answers = try folder.answers(format, [.event], row.bytes(format, [.event]))
    #expect(answers == [TestAnswer(rules: ["checkout"], emit: ["checkout"], selected: true, version: "v1")])
  }

  // MARK: - Rows that cannot be decided

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
    "a type makes a row without a name a tap, as it does an event of HubbleData",
    arguments: [
      (nil, "buttonEvent", ["tap"]), ("Other", "buttonEvent", []), (nil, "UIButton", []),
      ("$AppClick", "UIButton", ["tap"]),
    ] as [(String?, String, [String])])
  func tapTypes(event: String?, type: String, rules: [String]) throws {
    let folder = try VersionsFolder(["v1": "version: 1\nrules: [{ id: tap, include: { event: $AppClick } }]"])
    defer { folder.remove() }
    let columns: [EventColumn] = [.field(.event), .field(.type), .properties]
    let row = TestRow(version: "v1", values: [event, type, nil], properties: [("type", "vip")])
    let answers = try folder.answers(.rowBinary, columns, row.bytes(.rowBinary, columns))
    #expect(answers.map(\.rules) == [rules])
  }

  @Test("properties that are null, empty or the word null are none", arguments: ["", "null", " null ", "{}"])
  func noProperties(text: String) throws {
    let folder = try VersionsFolder()
    defer { folder.remove() }
    let columns: [EventColumn] = [.field(.appVersion), .propertiesJSON]
    let row = TestRow(version: "v1", values: ["4.9", text])
    let answers = try folder.answers(.rowBinary, columns, row.bytes(.rowBinary, columns))
    #expect(answers.map(\.error) == [""])
    #expect(answers.map(\.rules) == [["old"]])
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

  // MARK: - Versions of rules

  @Test("each row is decided by its own version")
  func versions() throws {
    let other = "version: 1\nrules:\n  - { id: everything, include: { event: x } }\n"
    let folder = try VersionsFolder(["v1": VersionsFolder.rules, "v2": other, "v3": other, "v4": other])
    defer { folder.remove() }
    let columns: [EventColumn] = [.field(.event)]
    let versions = ["v1", "v2", "v3", "v4", "v1", "v2", "v2", "v9", "v1"]
    let rows = versions.map { TestRow(version: $0, values: ["x"]) }
    var transformer = RowTransformer(.rowBinary, columns, rules: folder.url.path, versionCapacity: 2)
    try rows.flatMap { $0.bytes(.rowBinary, columns) }.withUnsafeBufferPointer { try transformer.append($0) }
    let answers = try #require(TestAnswer.read(transformer.output, .rowBinary))
    #expect(answers.map(\.version) == versions)
    #expect(answers.map { $0.rules.count } == [0, 1, 1, 1, 0, 1, 1, 0, 0])
    #expect(answers[7].error == "rules_version v9: there is no file \(folder.url.path)/v9.rules")
  }

  @Test(
    "the name of a version cannot leave the folder",
    arguments: ["", "..", "../v1", "/etc/passwd", "a/b", "v1\0", ".v1", String(repeating: "v", count: 129)])
  func names(version: String) throws {
    let folder = try VersionsFolder()
    defer { folder.remove() }
    let answers = try folder.answers(
      .rowBinary, [.event], TestRow(version: version, values: ["{}"]).bytes(.rowBinary, [.event]))
    #expect(
      answers.map(\.error) == [
        "rules_version: expected a name of letters, digits, '.', '_' and '-', of at most 128 bytes"
      ])
  }

  @Test("a half-written file is an error, is found once complete, and does not change from then on")
  func replacement() throws {
    let folder = try VersionsFolder()
    defer { folder.remove() }
    let whole = try VersionsFolder.compiled(VersionsFolder.rules)
    let versions = RuleVersions(folder: folder.url.path, columns: [.event], capacity: 2, retryInterval: .zero)
    func problem() -> String? {
      Array("v2".utf8).withUnsafeBufferPointer { name in
        if case .failure(let problem) = versions.decider(of: name) { problem.message } else { nil }
      }
    }
    #expect(problem() == "rules_version v2: there is no file \(folder.url.path)/v2.rules")
    for part in [[], Array("rules: []\n".utf8), Array(whole.prefix(whole.count / 2))] {
      try folder.write("v2", part)
      #expect(problem()?.hasPrefix("rules_version v2: \(folder.url.path)/v2.rules: ") == true)
    }
    try folder.write("v2", whole)
    #expect(problem() == nil)
    try folder.write("v2", Array("nothing".utf8))
    #expect(problem() == nil)
  }
}

extension TestAnswer {
  init(_ decision: Decision, version: String) {
    self.init(
      rules: decision.rules.map(\.text), emit: decision.emit.map(\.text), excludedBy: decision.excludedBy.map(\.text),
      pages: decision.pages.map(\.text), selected: decision.isSelected, version: version)
  }
}
