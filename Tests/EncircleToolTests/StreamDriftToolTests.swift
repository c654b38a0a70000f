import EncircleTestSupport
import Foundation
import Testing

/// `encircle drift`, as a process.
@Suite struct StreamDriftToolTests {
  private static let rules = """
    version: 1
    rules:
      - id: pay
        include: { event: $AppClick, page: OrderController, selector: OrderBar/UIButton(0) }
      - id: help
        include: { event: $AppClick, page: OrderController, selector: UIButton(9) }

    """

  private static func tap(_ user: Int, _ version: String, _ path: String, _ text: String) -> String {
    #"{"event":"$AppClick","distinct_id":"u\#(user)","properties":{"$screen_name":"OrderController","$app_version":"\#(version)","#
      + #""$element_path":"UIWindow(0)/\#(path)","$element_content":"\#(text)","$element_type":"buttonEvent"}}"#
  }

  /// A folder with rules, and with events of two versions, in a file each; in 5.2, a stack view is above the button *Pay*.
  private static func folder() throws -> RulesFolder {
    let folder = try RulesFolder()
    try folder.write("rules.yaml", rules)
    var (old, new) = ("", "")
    for user in 0..<60 {
      for (version, path) in [("5.1", "OrderBar(0)/UIButton(0)"), ("5.2", "OrderBar(0)/UIStackView(0)/UIButton(0)")] {
        let taps = tap(user, version, "UIButton(9)", "Help") + "\n" + tap(user, version, path, "Pay") + "\n"
        if version == "5.1" { old += taps } else { new += taps }
      }
    }
    try folder.write("old.ndjson", old)
    try folder.write("new.ndjson", new)
    return folder
  }

  @Test("a rule that fell to zero is named with its likely successor, as text and as JSON")
  func formats() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    let text = try folder.run("drift --rules rules.yaml --events old.ndjson --events new.ndjson")
    #expect(text.status == 0 && text.errors.isEmpty, "\(text.errors)")
    #expect(
      text.text.hasPrefix("pay: fell to zero in 5.2: 60 of 60 users (100.0 %) → 0 of 60 users (0.0 %), p < 0.0001\n"))
    #expect(text.text.contains("likely successor: Pay UIWindow(0)/OrderBar(0)/UIStackView(0)/UIButton(0)"))
    let result = try folder.run("drift --rules rules.yaml --events old.ndjson --events new.ndjson --format json")
    let json = try #require(try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
    #expect(json["beyond_limits"] as? Int == 0 && json["events_without_version"] as? Int == 0)
    let changes = try #require(json["changes"] as? [[String: Any]])
    #expect(changes.count == 1 && changes[0]["rule"] as? String == "pay" && changes[0]["zero"] as? Bool == true)
    let successor = try #require((changes[0]["successors"] as? [[String: Any]])?.first)
    #expect((0.8...0.95).contains(successor["confidence"] as? Double ?? 0), "\(successor)")
  }

  @Test(
    "events without a version, or with one that has no order, are counted",
    arguments: [
      (1, "", "1 event has no version such as 5.2, and counts for nothing\n"),
      (2, "", "2 events have no version such as 5.2, and count for nothing\n"),
      (2, #","$app_version":"5.2 (1234)""#, "2 events have no version such as 5.2, and count for nothing\n"),
    ])
  func withoutVersion(count: Int, version: String, line: String) throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    let event = #"{"event":"$AppClick","properties":{"$screen_name":"OrderController"\#(version)}}"# + "\n"
    try folder.write("old.ndjson", String(repeating: event, count: count))
    let text = try folder.run("drift --rules rules.yaml --events old.ndjson").text
    #expect(text.hasSuffix("\n" + line), "\(text)")
  }

  @Test("a note says that events are of more versions than drift distinguishes")
  func manyVersions() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    try folder.write("old.ndjson", (0..<202).map { Self.tap(1, "1.\($0)", "UIButton(9)", "Help") + "\n" }.joined())
    let result = try folder.run("drift --rules rules.yaml --events old.ndjson")
    let note = "note: 2 times, a version, user or element of an event was not counted: there are too many\n"
    #expect(result.status == 0 && result.errors == note, "\(result.errors)")
    #expect(!result.text.contains("no version"), "\(result.text)")
  }

  @Test("match --history takes the successor for the lost element")
  func history() throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    let result = try folder.run(
      "match --rules rules.yaml --tolerance 0.8 --history old.ndjson --history new.ndjson new.ndjson")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("approximately, by tolerance:\n  pay  60"), "\(result.errors)")
    #expect(result.text.contains(#""approximate":{"rule":"pay","confidence":0.9"#), "\(result.text.prefix(600))")
    let strict = try folder.run("match --rules rules.yaml new.ndjson").text
    #expect(result.text.replacing(/,"approximate":\{[^}]*\}/, with: "") == strict)
  }

  @Test(
    "--fail-on says what fails, and unreadable input has its own status",
    arguments: [
      ("--events old.ndjson --events new.ndjson", 0), ("--events old.ndjson --events new.ndjson --fail-on zero", 1),
      ("--events old.ndjson --events new.ndjson --fail-on changed", 1), ("--events old.ndjson --fail-on changed", 0),
      ("--events old.ndjson new.ndjson --fail-on zero", 1), ("--events - old.ndjson --events -", 64),
      ("", 64), ("--events - --events -", 64), ("--events none.ndjson", 66), ("--events rules.yaml", 65),
    ] as [(String, Int32)])
  func statuses(arguments: String, status: Int32) throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    let result = try folder.run("drift --rules rules.yaml " + arguments)
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.isEmpty == (status <= 1))
  }
}
