import EncircleTestSupport
import Foundation
import Testing

/// `encircle replay`, as a process.
@Suite struct ReplayTests {
  private static let good = "sessions/foreign-notifications.session.ndjson"
  private static let config = "{\"action\":\"config\"}\n"
  private static let launch = "{\"time\":1,\"uptime\":1,\"action\":\"launch\"}\n"
  private static let start = launch + "{\"time\":2,\"uptime\":2,\"action\":\"init\"}\n"

  @Test("A session gives its events; with several sessions each event has the session's name")
  func events() throws {
    let one = try Tool.run(["replay", Self.good])
    #expect(one.status == 0)
    #expect(one.errors.isEmpty)
    #expect(one.lines.count { $0.contains("\"$AppStart\"") } == 2)
    let two = try Tool.run(["replay", Self.good, "sessions/crash.session.ndjson"])
    #expect(two.status == 0)
    #expect(two.lines.allSatisfy { $0.hasPrefix("{\"session\":\"sessions/") })
    let piped = try Tool.run(
      ["replay", "-"], input: try PackageFolder.bytes(PackageFolder.viewTrees.appending(path: Self.good)))
    #expect(piped.output == one.output)
  }

  @Test(
    "Input that is not a session ends with 65 and the place",
    arguments: [
      ("", "<stdin>:1:1: error: a session begins with its configuration"),
      (launch, "<stdin>:1:31: error: a session begins with its configuration"),
      ("\(config)\(launch){\"time\":3,\"upt", "<stdin>:3:"),
      (
        "\(config)\(start){\"time\":3,\"uptime\":3,\"action\":\"tarck\"}\n",
        "<stdin>:4:31: error: unknown action 'tarck'"
      ),
      ("\(config)\u{0}\u{1}", "<stdin>:2:1: error: "),
      (
        "\(config)\(start){\"time\":3,\"uptime\":3,\"action\":\"tap\",\"capture\":\"no.xml\",\"element\":1}\n",
        "<stdin>:4:47: error: no.xml: "
      ),
    ] as [(String, String)])
  func wrong(input: String, message: String) throws {
    let result = try Tool.run(["replay", "-"], input: Array(input.utf8))
    #expect(result.status == 65)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test("The events before a wrong line are written, and other sessions are replayed")
  func partial() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("a.session.ndjson", Self.config + Self.start + "{")
    try folder.write("b.session.ndjson", Self.config + Self.start)
    let result = try Tool.run(["replay", "a.session.ndjson", "b.session.ndjson"], in: folder.url)
    #expect(result.status == 65)
    #expect(result.lines.filter { $0.contains("$AppStart") }.count == 2)
    #expect(try Tool.run(["replay", "c.session.ndjson"], in: folder.url).status == 66)
  }

  @Test("--lenient leaves out unknown actions, and counts them")
  func lenient() throws {
    let input = Self.config + Self.launch + "{\"time\":2,\"uptime\":2,\"action\":\"shake\"}\n" + Self.start
    let result = try Tool.run(["replay", "--lenient", "-"], input: Array(input.utf8))
    #expect(result.status == 0)
    #expect(result.errors.contains("<stdin>: note: 1 signal with an unknown action was left out"))
    #expect(result.lines.contains { $0.contains("$AppStart") })
  }

  @Test("a hot start that is switched off is not explained as the start of the process")
  func switchedOffStart() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let names = ["didFinishLaunching", "didBecomeActive", "willResignActive", "didEnterBackground"]
    let notifications = (names + ["willEnterForeground", "didBecomeActive"]).enumerated().map {
      #"{"time":\#(3_000 + $0 * 1_000),"uptime":\#(3 + $0),"action":"notification","name":"\#($1)"}"#
    }
    let start = [
      #"{"action":"config","autoTrack":["end"]}"#, #"{"time":1000,"uptime":1,"action":"launch","state":"inactive"}"#,
      #"{"time":2000,"uptime":2,"action":"init"}"#,
    ]
    try folder.write("a.session.ndjson", (start + notifications).joined(separator: "\n"))
    let result = try Tool.run(["replay", "--sdk", "article004", "--explain", "a.session.ndjson"], in: folder.url)
    let off = result.errors.split(separator: "\n").filter { $0.contains("start.off") }
    #expect(off.count == 2 && off.allSatisfy { !$0.contains("start of the process") }, "\(result.errors)")
  }

  @Test("--explain names a rule for every signal, on standard error")
  func explain() throws {
    let result = try Tool.run(["replay", "--explain", "sessions/unwatched.session.ndjson"])
    #expect(result.status == 0)
    let signals = try PackageFolder.bytes(
      PackageFolder.viewTrees.appending(path: "sessions/unwatched.session.ndjson")
    ).count { $0 == 0x0A }
    for line in 2...signals { #expect(result.errors.contains("unwatched.session.ndjson:\(line): ")) }
    #expect(result.errors.contains("no event $AppClick: click.editing: "))
    #expect(result.errors.contains("event $AppClick: click.control: "))
    #expect(result.text == (try Tool.run(["replay", "sessions/unwatched.session.ndjson"]).text))
  }

  @Test("Events of a session can be piped into match")
  func match() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let events = try Tool.run(["replay", "--events-only", "sessions/captures-clicks.session.ndjson"])
    #expect(events.lines.allSatisfy { $0.contains("\"type\":") })
    try folder.write(
      "rules.yaml",
      """
      version: 1
      style: sensors
      rules:
        - id: add
          include: { page: HomeViewController, selector: "UITableView(0)/ProductCell(section:* row:*)/**/UIButton(0)" }
      """)
    let matched = try Tool.run(["match", "--rules", "rules.yaml", "-"], in: folder.url, input: events.output)
    #expect(matched.status == 0, "\(matched.errors)")
    #expect(matched.lines.count { $0.contains("\"add\"") } > 2, "\(matched.text)\(matched.errors)")
  }

  @Test("--config overrides the session's configuration")
  func configuration() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("s.session.ndjson", Self.config + Self.start)
    try folder.write("c.json", "{\"autoTrack\":[]}")
    let result = try Tool.run(["replay", "--config", "c.json", "s.session.ndjson"], in: folder.url)
    #expect(result.status == 0)
    #expect(!result.text.contains("$AppStart"))
    try folder.write("c.json", "\u{FEFF}{\"autoTrack\":[]}")
    let marked = try Tool.run(["replay", "--config", "c.json", "s.session.ndjson"], in: folder.url)
    #expect(marked.text == result.text && marked.status == 0, "\(marked.errors)")
    try folder.write("c.json", "{\"autoTrack\":[\"strat\"]}")
    let wrong = try Tool.run(["replay", "--config", "c.json", "s.session.ndjson"], in: folder.url)
    #expect(wrong.status == 65)
    #expect(wrong.errors.contains("c.json:1:"))
  }
}
