import EncircleColumns
import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleTestSupport
import Testing

/// Decisions on rows: the same as on the events that they stand for.
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
}

extension TestAnswer {
  init(_ decision: Decision, version: String) {
    self.init(
      rules: decision.rules.map(\.text), emit: decision.emit.map(\.text), excludedBy: decision.excludedBy.map(\.text),
      pages: decision.pages.map(\.text), selected: decision.isSelected, version: version)
  }
}
