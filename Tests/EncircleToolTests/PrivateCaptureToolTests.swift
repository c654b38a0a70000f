import EncircleTestSupport
import EncircleTree
import Foundation
import Testing

/// No command shows what somebody typed, whatever is wrong with the captures.
@Suite struct PrivateCaptureToolTests {
  private static let rules = """
    version: 1
    rules:
      - { id: all, include: { selector: "**" } }
      - { id: text, include: { selector: UILabel, where: { $element_content: OK } } }
    """

  /// Writes whole and broken captures of all formats into `captures`, and rules into `rules.yaml`.
  private static func write(to folder: TemporaryFolder, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for format in CaptureFormat.allCases {
      for seed in (seed * 10)..<(seed * 10 + UInt64(TestSize.isFull ? 3 : 1)) {
        let capture = PrivateCapture(format, seed: seed)
        try folder.write("captures/\(format)-\(seed).xml", capture.text)
        for i in 0..<(TestSize.isFull ? 15 : 5) {
          let offset = Int.random(in: 0..<capture.text.utf8.count, using: &random)
          try folder.write("captures/\(format)-\(seed)-\(i).xml", capture.broken(at: offset, &random))
        }
      }
    }
    try folder.write("rules.yaml", rules)
    try folder.write(
      "events.ndjson", #"{"event":"$AppClick","event_id":"\#(String(repeating: "a", count: 64))"}"# + "\n")
  }

  @Test("no command prints or stores typed text", arguments: TestSize.scaled(1...2 as ClosedRange<UInt64>))
  func commands(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try Self.write(to: folder, seed: seed)
    var commands = [
      "select ** captures", "select ** captures --format json", "index captures -o x.sqlite", "stats x.sqlite",
      "check rules.yaml --captures captures", "check rules.yaml --captures captures --format json",
      "match --rules rules.yaml --captures captures events.ndjson",
      "match --rules rules.yaml --captures captures --output events events.ndjson",
      "match --rules rules.yaml --dictionary x.sqlite events.ndjson", "check rules.yaml --dictionary x.sqlite",
      "path A_B(0) --captures captures", "convert --from hubbledata --to posthog UIView(0) --captures captures",
      "resolve captures --input-format uiautomator", "resolve captures --encoding GB18030",
    ]
    for format in ["table", "json", "ndjson", "csv"] {
      commands.append("resolve captures --only all --format \(format)")
    }
    for style in ["hubbledata", "hubbledata-android", "lede", "sensors", "growingio", "posthog"] {
      commands.append("resolve captures --only all --style \(style) --format ndjson")
    }
    for (number, format) in CaptureFormat.allCases.enumerated() {
      let capture = "captures/\(format)-\(seed * 10).xml"
      for element in TestSize.part(Array(0..<4), of: number) {
        let ofElement = [
          "suggest \(capture) \(element)", "suggest \(capture) \(element) --format json --against captures",
          "explain --rules rules.yaml --capture \(capture) --element \(element)",
          "explain --rules rules.yaml --capture \(capture) --element \(element) --format json",
        ]
        commands += TestSize.part(ofElement, of: number / 3)
      }
      commands.append("suggest \(capture) --by text OK")
    }
    for command in commands {
      let result = try Tool.run(command.split(separator: " ").map(String.init), in: folder.url)
      #expect([0, 1, 64, 65].contains(result.status), "\(command): \(result.errors.prefix(500))")
      for line in result.lines + result.errors.split(separator: "\n") where line.contains(PrivateCapture.marker) {
        Issue.record("seed \(seed): \(command):\n\(line)")
      }
    }
    let stored = try Data(contentsOf: folder.url.appendingPathComponent("x.sqlite"))
    #expect(stored.range(of: Data(PrivateCapture.marker.utf8)) == nil)
  }

  @Test(
    "the format and the encoding of captures can be named in every command that reads some",
    arguments: [
      "resolve a.xml", "select ** a.xml", "index a.xml -o x.sqlite", "suggest a.xml 0",
      "check rules.yaml --captures a.xml",
      "match --rules rules.yaml --captures a.xml events.ndjson",
      "explain --rules rules.yaml --capture a.xml --element 0", "path A(0) --captures a.xml",
      "convert --from hubbledata --to lede UIView(0) --captures a.xml", "test rules.yaml",
    ])
  func options(command: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("rules.yaml", Self.rules)
    try folder.write(
      "rules.test.yaml",
      "version: 1\ntests:\n- { name: t, selector: UIView, capture: a.xml, expect: { elements: [0] } }\n")
    try folder.write("events.ndjson", "{\"event\":\"e\"}\n")
    let head = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<viewTree><view class=\"UIView\" text=\"".utf8)
    try folder.write("a.xml", head + [0xB6, 0xA8] + Array("\"/></viewTree>".utf8))
    func run(_ options: String) throws -> ToolResult {
      try Tool.run((command + " " + options).split(separator: " ").map(String.init), in: folder.url)
    }
    #expect(try [0, 1].contains(run("--input-format view-tree --encoding GBK").status))
    #expect(try ![0, 1].contains(run("--input-format view-tree").status))
    let wrong = try run("--input-format recursive-description --encoding GBK")
    #expect(
      wrong.status == 65 && (wrong.errors + wrong.text).contains("expected a capture in format recursive-description"))
    let unknown = try run("--encoding x-unheard")
    #expect(unknown.status == 64 && unknown.errors.contains("no encoding 'x-unheard'"))
  }
}
