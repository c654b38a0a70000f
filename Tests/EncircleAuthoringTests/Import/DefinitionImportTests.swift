import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import Testing

@testable import EncircleAuthoring

/// Reports of imports, and input that they refuse.
@Suite struct DefinitionImportTests {
  private static func read(_ text: String, _ tool: ImportTool? = nil) throws -> [ImportedDefinition] {
    var reading = DefinitionImport(tool)
    try reading.add(Array(text.utf8), name: "f.json")
    return reading.finish()
  }

  @Test(
    "the tool is recognised from the file",
    arguments: [
      (#"{"os":"iOS","events":[]}"#, .sensors), (#"{"events":[{"event_name":"a"}]}"#, .sensors),
      (#"{"count":1,"next":null,"results":[{"id":1,"steps":[]}]}"#, .posthog), (#"[{"id":1,"steps":[]}]"#, .posthog),
      (#"{"id":1,"steps":[]}"#, .posthog), (#"[{"id":"a","eventType":"elem","filter":{}}]"#, .growingio),
      (#"[{"id":"a","kind":"Page","rules":[]}]"#, .pendo), (#"{"results":[{"kind":"Feature"}]}"#, .pendo),
      (#"[{"id":"a","rules":[{"rule":"//a.example/"}]}]"#, .pendo),
    ] as [(String, ImportTool)])
  func detection(text: String, tool: ImportTool) throws {
    #expect(ImportTool.detected(in: try EventValue(json: text.utf8)) == tool)
    let other = ImportTool.allCases.first { $0 != tool }
    #expect(throws: DefinitionImport.Failure.self) { try Self.read(text, other) }
  }

  @Test(
    "other files are refused with the place",
    arguments: [
      ("", "f.json:1:1: error: ends before"), ("[{\"id\":1,", "f.json:1:10: error"), ("[]", "specify one of"),
      ("7", "specify one of"), ("\u{FEFF}7", "specify one of"),
      ("Event Name,Owner\npay,lin\n", "f.json: error: the file is not JSON"), ("PK\u{3}\u{4}", "the file is not JSON"),
      (#"{"rules":[{"key":"Order Completed","type":"TRACK","jsonSchema":{}}]}"#, "specify one of"),
      (String(repeating: "[", count: 600), "nested deeper"), ("{\"a\":\u{7}}", "f.json:1:6"),
    ] as [(String, String)])
  func refused(text: String, message: String) throws {
    do {
      _ = try Self.read(text)
      Issue.record("was read")
    } catch let error as DefinitionImport.Failure {
      #expect("\(error)".contains(message), "\(error)")
    }
  }

  @Test(
    "a file that cannot come from the named tool is refused, not taken for an empty one",
    arguments: [
      (.sensors, "{}"), (.sensors, "[]"), (.sensors, "null"), (.sensors, #"{"os":"iOS","events":{}}"#),
      (.posthog, "null"), (.posthog, "\"a\""), (.growingio, "7"), (.pendo, "true"),
    ] as [(ImportTool, String)])
  func notOfTheTool(tool: ImportTool, text: String) throws {
    let error = #expect(throws: DefinitionImport.Failure.self) { try Self.read(text, tool) }
    #expect(error?.description.contains("the file does not come from \(tool.title): expected") == true)
  }

  @Test("a byte order mark is passed over, and UTF-16 is named")
  func encodings() throws {
    let text = #"[{"id":1,"name":"é","steps":[{"event":"a"}]}]"#
    #expect(try Self.read("\u{FEFF}" + text)[0].name == "é")
    for mark: [UInt8] in [[0xFF, 0xFE], [0xFE, 0xFF]] {
      var reading = DefinitionImport()
      let error = #expect(throws: DefinitionImport.Failure.self) { try reading.add(mark + [0, 0x5B], name: "f.json") }
      #expect(error?.description == "f.json: error: the file is text in UTF-16: save it as UTF-8")
    }
  }

  @Test(
    "a condition of a wrong type is not left out but skips the definition, with its place",
    arguments: [
      #"[{"id":1,"steps":[{"event":"$autocapture","selector":5}]}]"#,
      #"[{"id":1,"steps":[{"event":"$autocapture","tag_name":"a","text":["x"]}]}]"#,
      #"[{"id":1,"steps":[{"event":"$autocapture","tag_name":"a","href":{}}]}]"#,
      #"[{"id":1,"steps":[{"event":"$pageview","url":5}]}]"#, #"[{"id":1,"steps":[{"event":["a"],"url":"x"}]}]"#,
      #"[{"id":1,"steps":[{"event":"a","properties":[{"key":"k","operator":5,"value":"v"}]}]}]"#,
      #"[{"id":"a","eventType":"elem","filter":{"xpath":"/A[0]","path":["p"]}}]"#,
      #"[{"id":"a","eventType":"elem","filter":{"xpath":"/A[0]","index":{}}}]"#,
      #"[{"id":"a","eventType":"elem","filter":{"xpath":"/A[0]","content":5}}]"#,
      #"{"os":"iOS","events":[{"event_name":"e","event_type":"appclick","event":{"element_path":"A[0]","screen_name":5}}]}"#,
      #"{"os":"iOS","events":[{"event_name":"e","event_type":"appclick","event":{"element_path":"A[0]","screen_name":"P","limit_element_content":"true","element_content":"x"}}]}"#,
      #"{"os":"Web","events":[{"event_name":"e","event_type":"webclick","event":{"element_path":"a","url_host":[],"url_path":"/"}}]}"#,
      #"[{"id":"f","kind":"Feature","pageId":{},"elementPathRules":["a"]}]"#,
      #"[{"id":"f","kind":"Feature","appWide":"yes","elementPathRules":["a"]}]"#,
    ])
  func mistyped(text: String) throws {
    let definition = try Self.read(text)[0]
    #expect(definition.form(nil).map { definition.grade($0) } ?? .skipped == .skipped, "\(text)")
    let reasons = definition.reasons + (definition.forms.first?.reasons ?? [])
    let pointer = reasons.first { $0.code == .unknownForm }?.pointer
    #expect(pointer.map { $0.utf8.count > 2 } == true, "\(text)")
  }

  @Test("of true and 1 a limit is switched on", arguments: ["true", "1"])
  func numbersForFlags(flag: String) throws {
    let definition = try Self.read(
      """
      {"os":"iOS","events":[{"event_name":"e","event_type":"appclick","event":{"element_path":"A[0]","screen_name":"P",
       "limit_element_content":\(flag),"element_content":"x"}}]}
      """)[0]
    let clauses = "\(definition.form(nil)?.clauses ?? [])"
    #expect(clauses.contains("$element_content"))
  }

  @Test("each definition without an id is listed separately")
  func withoutID() throws {
    let definitions = try Self.read(#"[{"name":"a"},5,null,{"steps":[]}]"#, .posthog)
    #expect(definitions.count == 4 && definitions[1].pointer == "/1" && definitions[2].pointer == "/2")
    #expect(try Self.read("[{},{},{}]", .pendo).count == 3)
  }

  @Test(
    "a test of texts that a number or boolean may pass as text is unverified, because rules take neither for a text",
    arguments: [
      ("regex", "^4[0-9]$", true), ("not_regex", #"\\d+"#, true), ("regex", ".", true), ("regex", "a?1", true),
      ("regex", "a|1", true), ("regex", "(?:a|1)", true), ("regex", #"\\pN"#, true), ("regex", "[[:digit:]]", true),
      ("regex", "a{0,1}", true), ("regex", "桃?", true), ("regex", "^(?:ios|android)$", false),
      ("not_regex", "^a[0-9]", false), ("regex", #"^/p/[0-9]+\\.html"#, false), ("regex", "(?i)桃$", false),
      ("icontains", "4_", true), ("not_icontains", "%", true), ("icontains", "4x", false),
      ("regex", "^(?:true|yes)$", true), ("not_regex", "(?i)FALSE", true), ("regex", "^true.", false),
      ("icontains", "True", true), ("not_icontains", "false", true), ("icontains", "true story", false),
    ] as [(String, String, Bool)])
  func numbers(operation: String, text: String, isUnverified: Bool) throws {
    let definition = try Self.read(
      #"""
      [{"id":1,"name":"n","steps":[{"event":"e","properties":[
        {"key":"k","operator":"\#(operation)","type":"event","value":"\#(text)"}]}]}]
      """#)[0]
    #expect(definition.forms[0].reasons.contains { $0.code == .cast && $0.effect == .unverified } == isUnverified)
  }

  @Test("expressions beyond the limit of one rule set are refused, and all others are taken")
  func manyExpressions() throws {
    let items = (0..<40).map { i in
      #"{"id":\#(i),"name":"n","steps":[{"event":"e\#(i)","properties":[{"key":"k","operator":"regex","value":"a\#(i)"}]}]}"#
    }
    let plain = #"{"id":"plain","name":"n","steps":[{"event":"other"}]}"#
    var definitions = try Self.read("[\(items.joined(separator: ",")),\(plain)]")
    #expect(definitions.allSatisfy { !$0.forms[0].clauses.isEmpty })
    // Each of them is compiled to some ten instructions.
    ImportLoading.removeRefused(from: &definitions, .written(nil), limit: 100)
    let report = ImportReport(definitions, ImportReport.Options())
    let taken = report.entries.filter(\.isTaken)
    #expect((2..<40).contains(taken.count) && taken.last?.definition.ruleID == "posthog.plain")
    let refused = report.entries.filter { !$0.isTaken }
    #expect(
      refused.allSatisfy { $0.reasons.contains { $0.code == .refusedExpression && $0.sentence.contains("limit of") } })
    // The first of them follows all that were taken.
    #expect(report.entries.firstIndex { !$0.isTaken } == taken.count - 1)
    // Of none the budget is enough.
    ImportLoading.removeRefused(from: &definitions, .written(nil), limit: 1)
    #expect(
      ImportReport(definitions, ImportReport.Options()).entries.filter(\.isTaken).map(\.definition.ruleID) == [
        "posthog.plain"
      ])
  }

  @Test(
    "a key that YAML does not allow skips its definition, and all others are taken",
    arguments: [(1_024, true), (1_025, false)])
  func longKey(length: Int, isTaken: Bool) throws {
    let key = String(repeating: "k", count: length)
    let definitions = try Self.read(
      #"""
      [{"id":1,"name":"a","steps":[{"event":"e","properties":[{"key":"\#(key)","value":"v"}]}]},
       {"id":2,"name":"b","steps":[{"event":"f"}]}]
      """#)
    let report = ImportReport(definitions, ImportReport.Options())
    #expect(report.entries.map(\.isTaken) == [isTaken, true])
    #expect(try report.newFiles().map(\.name) == ["posthog.yaml"])
  }

  @Test("values of wrong types are skipped with a reason, and crash nothing", arguments: TestSize.scaled(0..<60))
  func wrongTypes(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let odd = ["null", "true", "7", "-1e999", "\"\"", "\"x\"", "[]", "{}", "[[{}]]", "{\"a\":[null]}"]
    for tool in ImportTool.allCases {
      let cases = try ImportCaseTests.cases(tool)
      for _ in 0..<10 {
        let own = random.pick(cases)
        let changed = Self.changed(own.definition.value, random.pick(odd), &random)
        let file: EventValue =
          tool == .sensors ? ["os": .string(own.system ?? ""), "events": .list([changed])] : .list([changed])
        var reading = DefinitionImport(tool)
        // A file that can no longer be recognised as the tool's is refused.
        guard (try? reading.add(file.json, name: "f")) != nil else { continue }
        let report = ImportReport(reading.finish(), ImportReport.Options())
        #expect(report.entries.allSatisfy { $0.grade != .skipped || !$0.reasons.isEmpty }, "\(changed)")
        let files = try report.newFiles()
        if !files.isEmpty { _ = try RuleFileLoading.ruleSet(files) }
      }
    }
  }

  /// The value with something else in one place.
  private static func changed(_ value: EventValue, _ text: String, _ random: inout SeededGenerator) -> EventValue {
    let other = (try? EventValue(json: text.utf8)) ?? .null
    switch value {
    case .object(var object) where !object.members.isEmpty && !random.oneIn(4):
      let i = Int.random(in: 0..<object.members.count, using: &random)
      object.members[i].value = changed(object.members[i].value, text, &random)
      return .object(object)
    case .list(var list) where !list.isEmpty && !random.oneIn(4):
      let i = Int.random(in: 0..<list.count, using: &random)
      list[i] = changed(list[i], text, &random)
      return .list(list)
    default: return other
    }
  }

  @Test("of two definitions with one id the second is skipped, unless both are equal")
  func sameID() throws {
    let one = #"{"id":1,"name":"a","steps":[{"event":"a"}]}"#
    let other = #"{"id":1,"name":"a","steps":[{"event":"b"}]}"#
    #expect(try Self.read("[\(one),\(one)]").count == 1)
    let both = try Self.read("[\(one),\(other)]")
    #expect(both.count == 2)
    #expect(both[1].reasons.map(\.code) == [.nameTaken] && both[1].forms.isEmpty)
  }

  @Test("visual events with one name are alternatives of one rule, and some may be skipped")
  func alternatives() throws {
    func event(_ path: String, _ type: String = "appclick", _ more: String = "") -> String {
      #"{"event_name":"e","event_type":"\#(type)","event":{"element_path":"\#(path)","screen_name":"S"\#(more)}}"#
    }
    for (events, clauses, grade) in [
      ([event("A/B[0]"), event("A/C[0]")], 2, ImportGrade.exact),
      ([event("A/B[0]"), event("A/C[0]", "view")], 1, .narrower),
      ([event("A/C[0]", "view"), event("A/B[0]")], 1, .narrower),
      ([event("A/B[0]"), event("html/body", "appclick", #","h5":true"#)], 2, .unverified),
      ([event("A/B[0]", "view"), event("A/C[0]", "view")], 0, .skipped),
    ] {
      let read = try Self.read(#"{"os":"iOS","events":[\#(events.joined(separator: ","))]}"#)
      #expect(read.count == 1)
      let form = read[0].form(nil)
      #expect((form?.clauses.count ?? 0) == clauses && read[0].grade(form) == grade, "\(events)")
    }
  }

  @Test("a visual event of a page within an app asks for the page's host and path")
  func addressInPage() throws {
    let definitions = try Self.read(
      """
      {"os":"Android","events":[{"event_name":"e","event_type":"appclick","event":{"element_path":"body > a","h5":true,
       "url_host":"m.example","url_path":"/spring"}}]}
      """)
    let files = try ImportReport(definitions, ImportReport.Options()).newFiles()
    var decider = Decider(Matcher(try RuleFiles(texts: files).ruleSet()))
    for (url, path, isTaken) in [
      ("https://m.example:8080/spring?from=home", "/spring", true), ("http://m.example:8080/spring", "/spring", true),
      ("https://m.example/spring", "/spring", true), ("https://mxexample/spring", "/spring", false),
      ("https://m.example:8080/autumn", "/autumn", false),
    ] as [(String, String, Bool)] {
      let properties: EventObject = [
        "$lib": "js", "$element_path": "body > a", "$url": .string(url), "$url_path": .string(path),
      ]
      let decision = decider.decide(AnalyticsEvent(["event": "$WebClick", "properties": .object(properties)]))
      #expect(decision.isSelected == isTaken, "\(url)")
    }
  }

  @Test("a percent-encoded path of a page is taken decoded, as the SDK sends it, and as it is written")
  func encodedPath() throws {
    let definition = try Self.read(
      """
      {"os":"Web","events":[{"event_name":"e","event_type":"webclick","event":{"element_field":"element_path",
       "element_path":"body > a","url_host":"a.example","url_path":"/%E5%95%86%E5%9F%8E"}}]}
      """)[0]
    let clause = DefinitionNode(.object(try #require(definition.form(nil)?.clauses.first)))
    #expect(clause["where"]?["$url_path"]?.value == ["/商城", "/%E5%95%86%E5%9F%8E"])
  }

  @Test("a visual event of a page within an app takes its position as a number, as the page sends it, and as a text")
  func positionInPage() throws {
    let definitions = try Self.read(
      """
      {"os":"iOS","events":[{"event_name":"e","event_type":"appclick","event":{"element_path":"ul#g > li > a",
       "limit_element_position":true,"element_position":"1","h5":true}}]}
      """)
    let files = try ImportReport(definitions, ImportReport.Options()).newFiles()
    var decider = Decider(Matcher(try RuleFiles(texts: files).ruleSet()))
    for (position, isTaken) in [(1, true), ("1", true), (2, false)] as [(EventValue, Bool)] {
      let properties: EventObject = ["$lib": "js", "$element_path": "ul#g > li > a", "$element_position": position]
      let decision = decider.decide(AnalyticsEvent(["event": "$WebClick", "properties": .object(properties)]))
      #expect(decision.isSelected == isTaken, "\(position)")
    }
  }

  @Test("a feature of Pendo is narrower, too, if its page is known by some of its addresses only")
  func featureOfNarrowerPage() throws {
    let definitions = try Self.read(
      #"""
      [{"id":"p","kind":"Page","rules":[{"rule":"//a.example/x"},{"rule":"/y"}]},
       {"id":"f","kind":"Feature","pageId":"p","elementPathRules":["#buy"]}]
      """#)
    #expect(definitions.map { $0.grade($0.form(nil)) } == [.narrower, .narrower])
    let reasons = definitions[1].forms[0].reasons.filter { $0.code == .pageMissing }
    #expect(reasons.map(\.pointer) == ["/1/pageId"])
  }

  @Test("a condition that rules do not have is left out only if the rule may take more")
  func wider() throws {
    let text =
      #"[{"id":1,"name":"a","steps":[{"event":"a","properties":[{"key":"email","type":"person","value":"x"}]}]}]"#
    for (allows, grade) in [(false, ImportGrade.skipped), (true, .wider)] {
      var reading = DefinitionImport(allowsWider: allows)
      try reading.add(Array(text.utf8), name: "f")
      let definitions = reading.finish()
      #expect(definitions[0].grade(definitions[0].form(nil)) == grade)
      var options = ImportReport.Options()
      options.allowsWider = allows
      #expect(ImportReport(definitions, options).entries[0].isTaken == allows)
      options.isStrict = true
      #expect(!ImportReport(definitions, options).entries[0].isTaken)
    }
  }

  @Test("a definition that would take everything is refused, whatever is allowed")
  func everything() throws {
    for steps in ["[]", "[{}]", #"[{"event":null,"properties":[{"key":"e","type":"person","value":"x"}]}]"#] {
      var reading = DefinitionImport(allowsWider: true)
      try reading.add(Array(#"[{"id":1,"name":"a","steps":\#(steps)}]"#.utf8), name: "f")
      let definition = reading.finish()[0]
      #expect(definition.forms.allSatisfy { $0.clauses.isEmpty }, "\(steps)")
      #expect(definition.forms.contains { $0.reasons.contains { $0.code == .matchesEverything } })
    }
  }

  @Test(
    "the rules load for any names of definitions",
    arguments: [
      "{a}", "100%discount", "", "# x", ": y", "a\nb\n", "true", "7", "\u{85}\u{202E}", "- a", "*", "'\"", "é",
    ])
  func names(name: String) throws {
    let action: EventValue = [
      "id": .string(name + "1"), "name": .string(name), "description": .string(name), "tags": [.string(name)],
      "steps": [["event": .string(name + "e")]],
    ]
    var reading = DefinitionImport(.posthog)
    try reading.add(EventValue.list([action]).json, name: "f")
    let report = ImportReport(reading.finish(), ImportReport.Options())
    let rule = try #require(try RuleFileLoading.ruleSet(try report.newFiles()).rules.first)
    #expect(rule.id == UTF8String("posthog.\(name)1"))
    let isUsable = !name.isEmpty && !["{a}", "100%discount"].contains(name)
    #expect(rule.emit.hasSameBytes(as: isUsable ? name : "posthog.\(name)1"))
  }

  @Test(
    "the generation of the selector's compiler is recognised from its expression",
    arguments: [
      ("A B", #"(^|;)B@A@"#, "A/B/**"), ("A > B", #"(^|;)B@.*A@"#, "A/B/**"), ("A B", "(^|;)B;A", "A/**/B/**"),
      ("A > B", "(^|;)B;A", "A/B/**"), ("A B", nil, "A/**/B/**"),
    ] as [(String, String?, String)])
  func generations(selector: String, expression: String?, readable: String) throws {
    let end = #"([-_a-zA-Z0-9\.:"= \[\]\(\),]*?)?($|;|:([^;^\s]*(;|$|\s)))"#
    let own = PostHogSelector(selector, expression: expression?.replacing("@", with: end), pointer: "")
    #expect(try #require(own.readable).selectors == [readable])
    #expect((own.literal != nil) == (expression != nil))
  }

  @Test(
    "a filter on the selector of elements is a selector, unless there is another one",
    arguments: [
      (#""value":"a.buy""#, "", true), (#""operator":"exact","value":["a.buy"]"#, "", true),
      (#""value":"a.buy""#, #""selector":"b","#, false), (#""value":["a.buy","b"]"#, "", false),
      (#""operator":"is_not","value":"a.buy""#, "", false), (#""operator":"icontains","value":"a.buy""#, "", false),
      (#""value":"a:not(.buy)""#, "", false),
    ])
  func selectorFilter(filter: String, own: String, isTaken: Bool) throws {
    let definition = try Self.read(
      #"""
      [{"id":1,"name":"n","steps":[{"event":"$autocapture",\#(own)"properties":[
        {"key":"selector","type":"element",\#(filter)}]}]}]
      """#)[0]
    let form = definition.form(nil)
    #expect(definition.grade(form) == (isTaken ? .unverified : .skipped))
    #expect(form.map { $0.clauses[0]["selector"] == ["a.buy", "a.buy *"] } ?? !isTaken)
  }

  @Test(
    "signs in the quoted value of a selector are not combinators",
    arguments: [
      (#"[data-x="a, b"]"#, true), (#"a[href="/~u?x+y"]"#, true), (#"[title="^="] > b"#, true), ("a, b", false),
      (#"[data-x="a"] + b"#, false), (#"a[href^="/x"]"#, false), (#"a:not([title="b"])"#, false),
    ])
  func quotedSigns(selector: String, isReadable: Bool) {
    let own = PostHogSelector(selector, expression: nil, pointer: "")
    #expect((own.readable != nil) == isReadable)
    #expect((own.whyNoLiteral.code == .unsupportedCSS) == !isReadable)
  }

  @Test(
    "an app's class is not a tag of a page, whatever a selector asks of it",
    arguments: ["UILabel[data-x=\"y\"]", "UILabel.buy", "UILabel[id=\"b\"].buy", "_UIBar:nth-child(2)"])
  func classes(selector: String) {
    #expect(PostHogSelector(selector, expression: nil, pointer: "").readable == nil)
  }

  @Test(
    "a step that is skipped or wider does not take the server's expression from the others", arguments: [false, true])
  func skippedStep(allowsWider: Bool) throws {
    var reading = DefinitionImport(.posthog, allowsWider: allowsWider)
    let other = #"{"event":"pay","properties":[{"key":"e","type":"person","value":"x"}]}"#
    let step = #"{"event":"$autocapture","selector":"A B","selector_regex":"(^|;)B;A"}"#
    try reading.add(Array(#"[{"id":1,"name":"a","steps":[\#(other),\#(step)]}]"#.utf8), name: "f")
    let definition = reading.finish()[0]
    let form = try #require(definition.form(nil))
    #expect(form.kind == .literal && "\(form.clauses)".contains("(^|;)B;A"))
    #expect(form.grade == (allowsWider ? .wider : .narrower))
  }
}
