import EncircleSessions
import EncircleText
import Testing

@Suite struct SessionReaderTests {
  private static let config = #"{"action":"config"}"#
  private static let launch = #"{"time":1,"uptime":1,"action":"launch"}"#

  /// Replays a session; returns the problem, nil if there is none.
  private func problem(_ lines: [String], limits: SessionLimits = SessionLimits()) -> Diagnostic? {
    do throws(SessionError) {
      let reader = try SessionReader(Array(lines.joined(separator: "\n").utf8), name: "s", limits: limits)
      var replay = try SessionReplay<SensorsModel>(reader, limits: limits)
      while try replay.next() != nil {}
      return nil
    } catch {
      switch error {
      case .invalid(let diagnostic), .unknownAction(let diagnostic): return diagnostic
      case .input: return Diagnostic("input")
      }
    }
  }

  @Test(
    "A line that is no signal is an error with its place",
    arguments: [
      (["{\"action\":\"config\""], 1, 19, "ends before the value is complete"),
      (["\u{FEFF}{\"action\":\"config\""], 1, 19, "ends before the value is complete"),
      ([config, "[]"], 2, 1, "expected an object"),
      ([config, launch, "{\"time\":1,\"uptime\":2}"], 3, 1, "'action' is missing"),
      ([config, "{\"uptime\":2,\"action\":\"wait\"}"], 2, 1, "'time' is missing"),
      ([config, "{\"time\":1.5,\"uptime\":2,\"action\":\"wait\"}"], 2, 9, "'time' is not a whole number"),
      ([config, "{\"time\":1,\"uptime\":-2,\"action\":\"wait\"}"], 2, 20, "'uptime' is not a number of seconds"),
      ([config, config], 2, 1, "the configuration is the first line of a session"),
      ([launch], 1, 31, "a session begins with its configuration"),
      ([], 1, 1, "a session begins with its configuration"),
      ([config, "{\"time\":1,\"uptime\":1,\"action\":\"track\",\"event\":\"E\"}"], 2, 1, "no process runs"),
      ([config, "{\"time\":1,\"uptime\":1,\"action\":\"launch\",\"state\":\"asleep\"}"], 2, 48, "'state' is one of"),
    ])
  func badLines(_ lines: [String], line: Int, column: Int, message: String) throws {
    let found = try #require(problem(lines))
    #expect(found.message.contains(message))
    #expect(found.location == SourceLocation(line: line, column: column))
  }

  @Test("A byte order mark may begin a session", arguments: [[config], [config, launch]])
  func byteOrderMark(lines: [String]) {
    #expect(problem(["\u{FEFF}" + lines[0]] + lines.dropFirst()) == nil)
  }

  @Test("An unknown action is an error with a suggestion, and is skipped and counted on request")
  func unknownActions() throws {
    let lines = [Self.config, Self.launch, #"{"time":1,"uptime":1,"action":"trakc"}"#, Self.launch]
    #expect(problem(lines)?.suggestion == "track")
    let reader = try SessionReader(Array(lines.joined(separator: "\n").utf8), skipsUnknown: true)
    var count = 0
    while try reader.next() != nil { count += 1 }
    #expect(count == 2)
    #expect(reader.skipped == 1)
  }

  @Test("Views and controllers inside themselves are errors, not loops")
  func cycles() {
    let views = [
      #"{"time":1,"uptime":1,"action":"view","view":"a"}"#,
      #"{"time":1,"uptime":1,"action":"view","view":"b","in":"a"}"#,
      #"{"time":1,"uptime":1,"action":"view","view":"a","in":"b"}"#,
    ]
    #expect(problem([Self.config, Self.launch] + views)?.message == "a view cannot be inside itself")
    let controllers = [
      #"{"time":1,"uptime":1,"action":"define","controller":"a","parent":"b"}"#,
      #"{"time":1,"uptime":1,"action":"define","controller":"b","parent":"a"}"#,
    ]
    #expect(problem([Self.config, Self.launch] + controllers)?.message == "a view controller cannot be inside itself")
  }

  @Test("Input beyond a limit is an error")
  func limits() {
    var limits = SessionLimits()
    limits.lineBytes = 100
    let long = #"{"time":1,"uptime":1,"action":"track","event":"\#(String(repeating: "x", count: 100))"}"#
    #expect(problem([Self.config, Self.launch, long], limits: limits)?.message == "longer than the limit of 100 bytes")
    limits = SessionLimits()
    limits.views = 1
    let views = ["a", "b"].map { #"{"time":1,"uptime":1,"action":"view","view":"\#($0)"}"# }
    #expect(problem([Self.config, Self.launch] + views, limits: limits)?.message == "more than 1 views in one process")
    limits = SessionLimits()
    limits.members = 1
    let many = #"{"time":1,"uptime":1,"action":"track","event":"E","properties":{"a":1,"b":2}}"#
    #expect(
      problem([Self.config, Self.launch, many], limits: limits)?.message == "more than 1 members in one object")
  }
}
