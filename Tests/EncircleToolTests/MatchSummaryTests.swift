import EncircleTestSupport
import Foundation
import Testing

/// The summary of `match` about a whole stream, as somebody reads it after a deployment.
@Suite struct MatchSummaryTests {
  private struct Counts: Decodable {
    struct Rule: Decodable {
      var rule: String
      var effect: String
      var matched: Int
    }
    struct Row: Decodable, Equatable {
      var page: String?
      var version: String?
      var hour: String?
      var read: Int
      var selected: Int
    }
    struct Cache: Decodable {
      var hits: Int
      var misses: Int
      var share: Double
    }
    var read: Int
    var selected: Int
    var rules: [Rule]
    var neverResolved: [String]
    var cache: Cache
    var pages: [Row]
    var versions: [Row]
    var hours: [Row]
  }

  private func counts(_ folder: RulesFolder, _ file: String) throws -> Counts {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Counts.self, from: Data(try folder.text(file).utf8))
  }

  private static let rules = """
    version: 1
    rules:
      - { id: home, include: { page: Home } }
      - { id: never, include: { page: Gone } }
      - { id: not, exclude: { event: Bad } }
      - { id: off, enabled: false, include: { page: Home } }
      - { id: unknown, include: { eventID: \(String(repeating: "ab", count: 32)) } }
    """

  private static let events = [
    #"{"event":"A","time":1772352000000,"properties":{"$screen_name":"Home","$app_version":"5.2"}}"#,
    #"{"event":"A","time":1772355599999,"properties":{"$screen_name":"Home","$app_version":"5.3"}}"#,
    #"{"event":"Bad","time":1772355600000,"properties":{"$screen_name":"Home"}}"#,
    #"{"event":"A","properties":{"$screenName":"Ca\u0072t","$app_version":7}}"#,
    #"{"event":"A","time":-1,"properties":{}}"#,
  ]

  private func folder() throws -> RulesFolder {
    let folder = try RulesFolder()
    try folder.write("own.yaml", Self.rules)
    try folder.write("own.ndjson", Self.events.joined(separator: "\n"))
    try folder.write("home.xml", viewTree("<view class='UIWindow' controller='Home'/>"))
    return folder
  }

  @Test("the summary names the enabled rules that match nothing, and those whose event IDs nothing knows")
  func idleRules() throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try folder.run("match --rules own.yaml --captures home.xml own.ndjson")
    #expect(result.errors.contains("\nmatched nothing (2 of 4 rules): never, unknown\n"))
    #expect(result.errors.hasSuffix("\nnever resolved, as nothing known has their event IDs: unknown\n"))
    #expect(!(try folder.run("match --rules own.yaml own.ndjson").errors.contains("never resolved")))
  }

  @Test(
    "--summary counts by rule, page, version and hour, alike in one thread and in several",
    arguments: [1, 4])
  func summary(threads: Int) throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try folder.run("match --rules own.yaml --summary s.json --threads \(threads) own.ndjson own.ndjson")
    #expect(result.status == 0)
    let counts = try counts(folder, "s.json")
    #expect(counts.read == 10 && counts.selected == 4)
    #expect(
      counts.rules.map { "\($0.rule) \($0.effect) \($0.matched)" } == [
        "home include 6", "never include 0", "not exclude 2", "unknown include 0",
      ])
    #expect(
      counts.pages == [Counts.Row(page: "Cart", read: 2, selected: 0), .init(page: "Home", read: 6, selected: 4)])
    #expect(
      counts.versions == [
        Counts.Row(version: "5.2", read: 2, selected: 2), .init(version: "5.3", read: 2, selected: 2),
      ])
    #expect(
      counts.hours == [
        Counts.Row(hour: "1969-12-31T23Z", read: 2, selected: 0), .init(hour: "2026-03-01T08Z", read: 4, selected: 4),
        .init(hour: "2026-03-01T09Z", read: 2, selected: 0),
      ])
    #expect(counts.cache.hits + counts.cache.misses > 0 && counts.cache.share <= 1)
    let known = try folder.run("match --rules own.yaml --captures home.xml --summary s.json own.ndjson")
    #expect(known.status == 0)
    #expect(try self.counts(folder, "s.json").neverResolved == ["unknown"])
  }

  @Test("with rules in several styles, --summary counts each event by its own SDK's values")
  func severalStyles() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    try folder.write(
      "own.yaml",
      """
      version: 1
      rules:
        - id: pay
          include: [{ style: sensors, selector: UIView/UIButton }, { style: growingio, selector: UIView/UIButton }]
      """)
    try folder.write(
      "own.ndjson",
      """
      {"event":"$AppClick","properties":{"$element_path":"UIView/UIButton[0]","$screen_name":"Home","$app_version":"5.2"}}
      {"eventType":"VIEW_CLICK","path":"/home","xpath":"/Home/UIView/UIButton","xcontent":"/0/0/0","appVersion":"5.2"}
      """)
    #expect(try folder.run("match --rules own.yaml --summary s.json own.ndjson").status == 0)
    let counts = try counts(folder, "s.json")
    #expect(counts.versions == [Counts.Row(version: "5.2", read: 2, selected: 2)])
    #expect(counts.pages.map(\.page) == ["/home", "Home"])
  }

  @Test("values of events are counted within bounded memory")
  func boundedValues() throws {
    let folder = try folder()
    defer { folder.remove() }
    let events = (0..<12_000).map { #"{"event":"A","properties":{"$screen_name":"P\#($0)"}}"# }
    try folder.write("many.ndjson", events.joined(separator: "\n"))
    #expect(try folder.run("match --rules own.yaml --summary s.json --threads 1 many.ndjson").status == 0)
    let pages = try counts(folder, "s.json").pages
    #expect(pages.count == 10_001 && pages.last == Counts.Row(read: 2_000, selected: 0))
  }

  @Test("--summary does not overwrite what is read, nor share a file with --rejects")
  func files() throws {
    let folder = try folder()
    defer { folder.remove() }
    #expect(try folder.run("match --rules own.yaml --summary own.ndjson own.ndjson").status == 64)
    #expect(try folder.run("match --rules own.yaml --summary x --rejects x own.ndjson").status == 64)
    #expect(try folder.text("own.ndjson") == Self.events.joined(separator: "\n"))
    #expect(try folder.run("match --rules own.yaml --summary none/x own.ndjson").status == 74)
  }

  @Test("with --resolution, decisions say how the element was found or why not")
  func resolution() throws {
    let folder = try folder()
    defer { folder.remove() }
    let events = [
      #"{"event":"A"}"#, #"{"properties":{"$element_path":"UIWindow(0)"}}"#,
      #"{"properties":{"$element_path":"A//B"}}"#,
      #"{"event_id":"\#(String(repeating: "cd", count: 32))"}"#,
      #"{"properties":{"$element_path":"A_B(0)_C(0)"}}"#,
    ]
    let result = try folder.run("match --rules own.yaml --resolution", input: events.joined(separator: "\n"))
    let ends = result.lines.map { line in
      line.firstRange(of: "\"emit\":[]").map { String(line[$0.upperBound...]) } ?? ""
    }
    #expect(
      ends == [
        #","resolution":"none"}"#, #","resolution":"path"}"#,
        #","resolution":"unresolved","reason":"the path cannot be read"}"#,
        #","resolution":"unresolved","reason":"nothing known has the event ID"}"#,
        #","resolution":"ambiguous","reason":"the path has several readings"}"#,
      ])
    #expect(try folder.run("match --rules own.yaml --resolution --output selected own.ndjson").status == 64)
  }

  @Test(
    "a capture is reported once, and the other inputs are still read",
    arguments: ["home-feed.xml", "settings.wda.xml", "cart.recursive-description.txt"], [1, 4])
  func capture(name: String, threads: Int) throws {
    let folder = try folder()
    defer { folder.remove() }
    let capture = PackageFolder.viewTrees.appendingPathComponent(name).path
    let result = try folder.run(["match", "--rules", "own.yaml", "--threads", "\(threads)", capture, "own.ndjson"])
    #expect(result.errors.hasPrefix("\(capture): error: this looks like a capture"))
    #expect(result.errors.components(separatedBy: "error").count == 2)
    #expect(result.errors.contains("\nread 5 = "))
    #expect(result.lines.count == 5 && result.status == 65)
  }

  @Test(
    "a file in a format that is not read is reported once, and the other inputs are still read",
    arguments: [
      ("Parquet", Array("PAR1\n\n".utf8)), ("UTF-16", [0xFF, 0xFE, 0x7B, 0x00]),
    ] as [(String, [UInt8])])
  func otherFormats(name: String, bytes: [UInt8]) throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write("other", bytes)
    for threads in ["1", "4"] {
      let result = try folder.run(["match", "--rules", "own.yaml", "--threads", threads, "other", "own.ndjson"])
      #expect(result.errors.hasPrefix("other: error: this looks like a file in \(name), so nothing was read"))
      #expect(result.errors.components(separatedBy: "error").count == 2)
      #expect(result.errors.contains("\nread 5 = "))
      #expect(result.lines.count == 5 && result.status == 65)
    }
  }

  @Test("a file of another compressor is reported once, and the other inputs are still read", arguments: [1, 4])
  func otherCompression(threads: Int) throws {
    let folder = try folder()
    defer { folder.remove() }
    try Data([0x28, 0xB5, 0x2F, 0xFD, 0, 10, 10]).write(to: folder.url.appendingPathComponent("events.zst"))
    let result = try folder.run(["match", "--rules", "own.yaml", "--threads", "\(threads)", "events.zst", "own.ndjson"])
    #expect(result.errors.hasPrefix("events.zst: error: is compressed with zstd; only gzip is read\nread 5 = "))
    #expect(result.lines.count == 5 && result.status == 65, "\(result.errors)")
  }

  @Test("a stream with markup between events is not a capture")
  func markupAmongEvents() throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try folder.run("match --rules own.yaml", input: Self.events[0] + "\n<html>\n" + Self.events[1] + "\n")
    #expect(result.lines.count == 2 && result.errors.contains("<stdin>:2:1: error: not an event"))
  }
}
