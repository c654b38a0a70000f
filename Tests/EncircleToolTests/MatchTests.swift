import EncircleTestSupport
import Foundation
import Testing

@Suite struct MatchTests {
  @Test("decisions are written in the order of the events, apart from the summary and from invalid lines")
  func decisions() throws {
    let result = try RulesFolder.run("match --rules rules.yaml events.ndjson")
    #expect(result.brief == RulesFolder.decisions)
    #expect(result.errors == RulesFolder.rejections + RulesFolder.summary)
    #expect(result.status == 65)
  }

  @Test("--rejects gets lines that are no events, with place and reason, and the exit status is 0")
  func rejects() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    let result = try folder.run("match --rules rules.yaml --rejects rejected.jsonl events.ndjson")
    #expect(result.brief == RulesFolder.decisions)
    #expect(result.errors == RulesFolder.summary)
    #expect(result.status == 0)
    #expect(
      try folder.text("rejected.jsonl") == """
        {"file":"events.ndjson","line":2,"column":1,"reason":"unknown word: expected null, true or false","text":"not JSON"}
        {"file":"events.ndjson","line":8,"column":1,"reason":"expected an object","text":"[1]"}

        """)
  }

  @Test("selected events are written byte by byte as they were read")
  func selected() throws {
    let odd = #"{ "event" : "\u0024AppClick", "time":1.772352e12,"properties":{"a":9007199254740993,"a":1} }"#
    let result = try RulesFolder.run(
      "match --rules rules.yaml --output selected", input: RulesFolder.goodEvents.joined(separator: "\n") + "\n" + odd)
    #expect(result.text == [RulesFolder.events[0], RulesFolder.events[8], odd].joined(separator: "\n") + "\n")
    #expect(result.status == 0)
  }

  @Test("--details adds name, owner and tags of matching rules, in decisions only")
  func details() throws {
    let result = try RulesFolder.run("match --rules rules.yaml --details", input: RulesFolder.events[0] + "\n{}\n")
    #expect(result.lines.first?.hasSuffix(#""emit":["quantity"],"details":{"cart.quantity":{"name":"数量"}}}"#) == true)
    #expect(result.lines.last?.contains("details") == false)
    #expect(try RulesFolder.run("match --rules rules.yaml --details --output selected", input: "").status == 64)
  }

  @Test("--unfold decides each event of a group separately, with any number of threads", arguments: [1, 3])
  func unfold(threads: Int) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(
      "rules.yaml",
      "version: 1\nfields: { event: /t }\nrules:\n  - { id: a, include: { event: clck, where: { /x: A } } }\n")
    let group = #"{"t":"clck","e":[{"x":"B"},7,{"x":"A","n":1.50}]}"#
    try folder.write("events.ndjson", group + "\n{\"t\":\"clck\",\"x\":\"A\"}\n")
    func run(_ options: String...) throws -> ToolResult {
      try Tool.run(
        ["match", "--rules", "rules.yaml", "--threads", "\(threads)", "events.ndjson"] + options, in: folder.url)
    }
    let result = try run("--unfold")
    #expect(
      result.text == """
        {"line":1,"item":1,"selected":false,"rules":[],"excluded_by":[],"emit":[]}
        {"line":1,"item":3,"selected":true,"rules":["a"],"excluded_by":[],"emit":["a"]}
        {"line":2,"selected":true,"rules":["a"],"excluded_by":[],"emit":["a"]}

        """)
    #expect(result.errors.hasPrefix("read 3 = selected 2 + "), "\(result.errors)")
    #expect(result.errors.contains("note: left out 1 item of grouped events"), "\(result.errors)")
    #expect(
      try run("--unfold", "--output", "selected").lines == [
        #"{"t":"clck","x":"A","n":1.5}"#, #"{"t":"clck","x":"A"}"#,
      ])
    #expect(try run().errors.hasPrefix("read 2 = selected 1 + "))
  }

  @Test("--unfold says how many items it leaves out beyond the limit")
  func unfoldBeyondLimit() throws {
    let items = Array(repeating: "{}", count: 10_002).joined(separator: ",")
    let result = try RulesFolder.run("match --rules rules.yaml --unfold", input: "{\"e\":[\(items)]}\n")
    #expect(result.status == 0 && result.errors.contains("read 10000 = "), "\(result.errors)")
    #expect(result.errors.contains("note: left out 2 items of grouped events"), "\(result.errors)")
  }

  @Test("with --output events every event has its decision in $encircle")
  func events() throws {
    let result = try RulesFolder.run(
      "match --rules rules.yaml --output events", input: RulesFolder.events[2] + "\n{}\n{ }\n{\"$encircle\":1}\r\n")
    let expected = [
      #"{"event":"$AppClick","time":1772352000000,"properties":{"$screen_name":"CartViewController","$element_content":"去结算","tester":true},"$encircle":{"selected":false,"rules":["checkout"],"excluded_by":["internal"],"emit":[]}}"#,
      #"{"$encircle":{"selected":false,"rules":[],"excluded_by":[],"emit":[]}}"#,
      #"{ "$encircle":{"selected":false,"rules":[],"excluded_by":[],"emit":[]}}"#,
      #"{"$encircle":{"selected":false,"rules":[],"excluded_by":[],"emit":[]}}"#,
    ]
    #expect(result.lines.map(String.init) == expected)
  }

  @Test(
    "an event's own $encircle is removed, however it is written, and nothing else is",
    arguments: [
      (#"{"$encircle":{"selected":false}}"#, "{"), (#"{"\u0024encircle":1,"event":"X"}"#, #"{"event":"X","#),
      (#"{"event":"X","$encircle":1}"#, #"{"event":"X","#), (#"{"$encircle":1,"$encircle":2 , "a":3}"#, #"{"a":3,"#),
      (#"{"a":1, "$encircle":"}" ,"b":2 }"#, #"{"a":1 ,"b":2 ,"#),
      (#"{"a":1,"\u0024\u0065\u006E\u0063\u0069\u0072\u0063\u006c\u0065":[{"$encircle":[]},"]"]}"#, #"{"a":1,"#),
      (#"{ "a" : {"$encircle":1} , "b":"\"$encircle\":" }"#, #"{ "a" : {"$encircle":1} , "b":"\"$encircle\":" ,"#),
      (
        #"{"$encircl\u00e9":1,"x$encircle":2,"\\u0024encircle":3}"#,
        #"{"$encircl\u00e9":1,"x$encircle":2,"\\u0024encircle":3,"#
      ),
      (#"{"$encircle":1,"a":2,"$encircle":[3,{"b":4}],"c":5,"$encircle":null}"#, #"{"a":2,"c":5,"#),
    ])
  func ownMember(event: String, expected: String) throws {
    let result = try RulesFolder.run("match --rules rules.yaml --output events", input: event)
    #expect(
      result.text
        == expected + #""$encircle":{"selected":false,"rules":[],"excluded_by":[],"emit":[]}}"# + "\n")
    #expect((try? JSONSerialization.jsonObject(with: Data(result.output))) != nil)
  }

  @Test(
    "a note says that properties are a text in place of an object",
    arguments: [(#""{\"tester\":true}""#, true), (#"{"tester":"{}"}"#, false), ("null", false), ("[]", false)])
  func textProperties(properties: String, isNoted: Bool) throws {
    let result = try RulesFolder.run("match --rules rules.yaml", input: #"{"event":"X","properties":\#(properties)}"#)
    #expect(result.errors.contains("\nnote: some events have properties as a text,") == isNoted, "\(result.errors)")
    #expect(result.lines.count == 1)
  }

  @Test("an event that a collector has written keeps what says how it arrived, and nothing else of its decision")
  func arrival() throws {
    let collected = #"""
      {"event":"X","$encircle":{"selected":true,"rules":["old"],"excluded_by":[],"emit":["old"],"rules_version":"default@3","key":"5-\u0061b","project":"shop","time":5,"received_at":6e0}}
      {"$encircle":{"key":{"a":1},"project":["b"],"time":null,"received_at":true,"key":"\"}}"}}
      {"$encircle":{"key":"first"},"event":"X","$encircle":{"time":-1}}

      """#
    let result = try RulesFolder.run("match --rules rules.yaml --output events", input: collected)
    let decision = #""$encircle":{"selected":false,"rules":[],"excluded_by":[],"emit":[],"#
    let expected = [
      #"{"event":"X",\#(decision)"key":"5-\u0061b","project":"shop","time":5,"received_at":6e0}}"#,
      #"{\#(decision)"key":"\"}}"}}"#, #"{"event":"X",\#(decision)"time":-1}}"#,
    ]
    #expect(result.lines.map(String.init) == expected)
  }

  @Test(
    "events may come in any of these forms, with the same decisions",
    arguments: RulesFolder.forms)
  func forms(input: String) throws {
    let result = try RulesFolder.run("match --rules rules.yaml", input: input)
    let withoutLine = /"line":[0-9]+,/
    #expect(result.brief.replacing(withoutLine, with: "") == RulesFolder.decisions.replacing(withoutLine, with: ""))
    #expect(result.errors.hasPrefix("read 6 = selected 2 + excluded 2 + unresolved 1 + not selected 1 + rejected 0\n"))
    #expect(result.status == 0)
    // Other outputs also have one line for each event.
    let events = try RulesFolder.run("match --rules rules.yaml --output events", input: input)
    #expect(events.lines.count == 6)
  }

  @Test("plain and compressed files and standard input form one stream, and each decision names its file")
  func severalFiles() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    try folder.write("more.ndjson.gz", gzip(Array((RulesFolder.events[3] + "\n").utf8)))
    try folder.write("none.ndjson", "")
    let result = try folder.run(
      "match --rules rules.yaml events.ndjson more.ndjson.gz none.ndjson -", input: RulesFolder.events[0])
    let lines = result.lines
    #expect(lines.count == 8)
    #expect(lines.prefix(6).allSatisfy { $0.hasPrefix(#"{"file":"events.ndjson","line":"#) })
    #expect(lines[6].hasPrefix(#"{"file":"more.ndjson.gz","line":1,"selected":false,"rules":["checkout","spring"]"#))
    #expect(lines[7].hasPrefix(#"{"file":"<stdin>","line":1,"event_id":"#))
    #expect(
      result.errors.contains("\nread 10 = selected 3 + excluded 3 + unresolved 1 + not selected 1 + rejected 2\n"))
  }

  @Test("--captures resolves event IDs, so that selectors match them")
  func captures() throws {
    let cart = PackageFolder.viewTrees.appendingPathComponent("cart.xml").path
    let ids = try Tool.run(["select", "--format", "ndjson", "CartRowCell/**/_UIStepperButton", cart]).lines
    let events = try ids.map { line -> String in
      let record = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      return "{\"event\":\"$AppClick\",\"event_id\":\"\(try #require(record["event_id"] as? String))\"}"
    }
    #expect(events.count == 6)
    let without = try RulesFolder.run("match --rules rules.yaml", input: events.joined(separator: "\n"))
    let note = "note: --captures or --dictionary says which elements event IDs stand for\n"
    let unresolved = "read 6 = selected 0 + excluded 0 + unresolved 6 + not selected 0 + rejected 0\n"
    #expect(without.errors.hasPrefix(unresolved + note))
    let with = try RulesFolder.run("match --rules rules.yaml --captures \(cart)", input: events.joined(separator: "\n"))
    #expect(with.errors.hasPrefix("read 6 = selected 6 + excluded 0 + unresolved 0 + not selected 0 + rejected 0\n"))
    #expect(!with.errors.contains(note))
    #expect(with.lines.allSatisfy { $0.contains(#""rules":["cart.quantity"],"#) })
  }

  @Test(
    "captures are recommended for unknown event IDs, but not for unreadable paths",
    arguments: ["decisions", "selected"])
  func recommendedCaptures(output: String) throws {
    let events = [
      (#"{"event":"$AppClick","properties":{"$element_path":"//A(0)"}}"#, false),
      (#"{"event":"$AppClick","event_id":"\#(String(repeating: "a", count: 64))"}"#, true),
    ]
    for (event, isRecommended) in events {
      let result = try RulesFolder.run("match --rules rules.yaml --output \(output)", input: event)
      #expect(result.errors.hasPrefix("read 1 = selected 0 + excluded 0 + unresolved 1 "), "\(result.errors)")
      #expect(result.errors.contains("note: --captures") == isRecommended, "\(result.errors)")
    }
  }

  @Test("the files of a directory, or of several --rules, form one rule set")
  func directories() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    try folder.write("rules/a.yaml", RulesFolder.rules)
    try folder.write("rules/more/b.json", #"{"version":1,"rules":[{"id":"z","include":{"event":"$AppViewScreen"}}]}"#)
    let one = try folder.run("match --rules rules --rejects /dev/null events.ndjson")
    let two = try folder.run("match --rules rules.yaml --rules rules/more/b.json --rejects /dev/null events.ndjson")
    #expect(one.text == two.text)
    #expect(
      one.brief
        == RulesFolder.decisions.replacing(
          #"{"line":6,"selected":false,"rules":[],"excluded_by":[],"emit":[]}"#,
          with: #"{"line":6,"selected":true,"rules":["z"],"excluded_by":[],"emit":["z"]}"#))
  }

  @Test(
    "the exit status says how it went, and problems of the rules stop everything",
    arguments: [
      ("match --rules rules.yaml", 0), ("match --rules rules.yaml events.ndjson", 65),
      ("match --rules rules.yaml --rejects r.jsonl events.ndjson", 0), ("match", 64), ("match --rules", 64),
      ("match --rules rules.yaml --output all", 64), ("match --rules rules.yaml missing.ndjson", 66),
      ("match --rules rules.yaml missing.ndjson events.ndjson", 65), ("match --rules missing.yaml events.ndjson", 66),
      ("match --rules bad.yaml events.ndjson", 65), ("match --rules bad.yaml --rules missing.yaml", 65),
      ("match --rules empty", 66), ("match --rules rules.yaml .", 74),
      ("match --rules rules.yaml --rejects missing/r.jsonl events.ndjson", 74),
      ("match --rules rules.yaml --captures missing.xml --rejects r.jsonl events.ndjson", 66),
      ("match --rules rules.yaml broken.gz", 65),
    ] as [(String, Int32)])
  func status(arguments: String, expected: Int32) throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    try folder.write("bad.yaml", "version: 1\nrulez: []\n")
    try folder.write("empty/notes.txt", "")
    try folder.write("broken.gz", Array(gzip(Array(repeating: 0x20, count: 10_000)).dropLast(12)))
    let result = try folder.run(arguments)
    #expect(result.status == expected, "\(result.errors)")
    let isRefused =
      arguments.contains("bad.yaml") || arguments.contains("missing.yaml") || arguments.contains("empty")
      || arguments.contains("missing.xml")
    if isRefused { #expect(result.output.isEmpty) }
    // Every run that begins ends with its summary.
    let hasBegun = expected != 64 && !isRefused && !arguments.contains("missing/r.jsonl")
    #expect(result.errors.contains("read ") == hasBegun)
  }

  @Test("all problems of the rules are shown and counted")
  func ruleProblems() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    try folder.write(
      "bad.yaml",
      "version: 1\nrules:\n  - id: a\n    include: { evnt: x }\n  - id: checkout\n    include: { event: x }\n")
    let result = try folder.run("match --rules rules.yaml --rules bad.yaml events.ndjson")
    #expect(
      result.errors == """
        bad.yaml:4:16: error: unknown key 'evnt' in a clause; did you mean 'event'?
              include: { evnt: x }
                         ^
        bad.yaml:5:9: error: there are two rules with the id 'checkout'
            - id: checkout
                  ^
        rules.yaml:12:9: note: the first rule with the id 'checkout'
        2 problems in the rules: nothing was done

        """)
    #expect(result.output.isEmpty)
  }

  @Test("the summary counts each event once and adds up over many events")
  func summary() throws {
    let events = (0..<2_000).map { RulesFolder.events[($0 * 7) % RulesFolder.events.count] }
    let result = try RulesFolder.run(
      "match --rules rules.yaml --rejects /dev/null", input: events.joined(separator: "\n"))
    func count(_ line: String) -> Int { events.count { $0 == line } }
    let numbers = [
      count(RulesFolder.events[0]) + count(RulesFolder.events[8]),
      count(RulesFolder.events[2]) + count(RulesFolder.events[3]),
      count(RulesFolder.events[6]), count(RulesFolder.events[5]), count("not JSON") + count("[1]"),
    ]
    #expect(
      result.errors.hasPrefix(
        "read \(numbers.reduce(0, +)) = selected \(numbers[0]) + excluded \(numbers[1]) + unresolved \(numbers[2]) + not selected \(numbers[3]) + rejected \(numbers[4])\n"
      ))
    #expect(result.lines.count == numbers.dropLast().reduce(0, +))
    #expect(result.lines.count { $0.contains("\"selected\":true") } == numbers[0])
    #expect(result.errors.contains("  checkout  \(numbers[1])\n"))
  }

  // MARK: - Pipes and signals

  @Test("decisions are written while the input is still open", arguments: [1, 2, 8])
  func streaming(threads: Int) async throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    let running = try RunningTool(["match", "--rules", "rules.yaml", "--threads", "\(threads)"], in: folder.url)
    for (i, event) in RulesFolder.goodEvents.enumerated() {
      try running.write(event + "\n")
      let lines = try await running.lines(i + 1)
      #expect(lines.count == i + 1)
      #expect(lines.last?.hasPrefix("{\"line\":\(i + 1),") == true)
    }
    let result = try running.end(SIGTERM)
    #expect(result.lines.count == RulesFolder.goodEvents.count)
    #expect(result.errors.hasPrefix("read 6 = "))
    #expect(result.status == 0)
  }

  @Test(
    "SIGTERM and SIGINT finish the lines that have been read",
    arguments: [(SIGTERM, "", 1), (SIGINT, "", 2), (SIGTERM, "{\"event\":\"$App", 1), (SIGTERM, "{\"event\":", 3)])
  func termination(signal: Int32, unfinished: String, threads: Int) async throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    let running = try RunningTool(["match", "--rules", "rules.yaml", "--threads", "\(threads)"], in: folder.url)
    try running.write(RulesFolder.events[0] + "\n" + RulesFolder.events[2] + "\n" + unfinished)
    #expect(try await running.lines(2).count == 2)
    let result = try running.end(signal)
    let rejected = unfinished.isEmpty ? 0 : 1
    #expect(result.lines.count == 2)
    #expect(
      result.errors.contains(
        "read \(2 + rejected) = selected 1 + excluded 1 + unresolved 0 + not selected 0 + rejected \(rejected)\n"),
      "\(result.errors)")
    #expect(result.status == (unfinished.isEmpty ? 0 : 65))
  }

  @Test("a signal that is sent twice at once, as by timeout, is one request to end", arguments: [1, 3])
  func repeatedSignal(threads: Int) async throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    for signal in [SIGTERM, SIGINT] {
      let running = try RunningTool(
        ["match", "--rules", "rules.yaml", "--threads", "\(threads)", "--summary", "counts.json"], in: folder.url)
      try running.write(RulesFolder.events[0] + "\n")
      #expect(try await running.lines(1).count == 1)
      let result = try running.end(signal, times: 2)
      #expect(result.errors.hasPrefix("read 1 = selected 1 + "), "\(result.errors)")
      #expect(result.status == 0)
      #expect(try folder.text("counts.json").hasPrefix("{\"read\":1,"))
    }
  }

  @Test("a reader that closes the pipe ends the tool quietly", arguments: [1, 2, 8])
  func closedPipe(threads: Int) throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    try folder.write("many.ndjson", Array(repeating: RulesFolder.events[0] + "\n", count: 5_000).joined())
    let tool = try #require(Tool.executable, "the tool has not been built")
    let script =
      "{ \"$0\" match --rules rules.yaml --threads \(threads) many.ndjson 2>errors; echo $? >status; } | head -n 1"
    let result = try Tool.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", script, tool.path], in: folder.url)
    #expect(result.lines.count == 1)
    #expect(try folder.text("status") == "0\n")
    #expect(try folder.text("errors").isEmpty)
  }
}
