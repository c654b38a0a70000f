import EncircleIdentity
import EncircleTestSupport
import Foundation
import Testing

/// The output of `resolve` for the shipped captures; `UPDATE_GOLDEN=1` writes the expected files anew.
@Suite struct GoldenTests {
  @Test(
    "every shipped capture resolves to the reviewed identities", .articles("H19"), arguments: PackageFolder.captureNames
  )
  func ndjson(capture: String) throws {
    let result = try Tool.run(["resolve", "--format", "ndjson", capture])
    #expect(result.status == 0)
    let stem = capture.split(separator: ".").dropLast().joined(separator: ".")
    try compareWithGolden(capture == "big-list.xml" ? Self.abridged(result.output) : result.output, stem + ".ndjson")
    try compareWithGolden(Array(result.errors.utf8), stem + ".stderr")
  }

  @Test("the table of a capture is readable at 120 columns", arguments: ["home-feed", "cart", "alert-ios10"])
  func table(stem: String) throws {
    let result = try Tool.run(["resolve", stem + ".xml"])
    #expect(result.lines.allSatisfy { Self.columns($0) <= 120 })
    #expect(!result.output.contains(0x1B), "colour is for terminals")
    try compareWithGolden(result.output, stem + ".table")
  }

  @Test(
    "a table fits the width that COLUMNS names", arguments: [120, 80, 60],
    ["home-feed", "cart", "settings.wda", "login"])
  func width(columns: Int, stem: String) throws {
    let tool = try #require(Tool.executable)
    let result = try Tool.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["COLUMNS=\(columns)", tool.path, "resolve", stem + ".xml"],
      in: PackageFolder.viewTrees)
    #expect(result.lines.dropFirst().allSatisfy { Self.columns($0) <= columns })
    #expect(result.lines.count > 2)
  }

  @Test("the types and pages of another style have room in a table", arguments: ["sensors-web", "posthog-web"])
  func styledColumns(style: String) throws {
    let result = try Tool.run(["resolve", "--style", style, "flowers.html"])
    #expect(result.text.contains("  button ") && result.text.contains("  /flowers/today  "), "\(result.text)")
  }

  @Test("--color determines whether output is coloured, wherever it goes")
  func colors() throws {
    let rules = PackageFolder.root.appendingPathComponent("Rules/chat.yaml").path
    for arguments in [
      ["resolve", "cart.xml"], ["check", rules, "--at", "2026-03-01"],
      ["explain", "--rules", rules, "--capture", "cart.xml", "--element", "17"],
    ] {
      #expect(try Tool.run(arguments + ["--color", "always"]).output.contains(0x1B))
      #expect(!(try Tool.run(arguments + ["--color", "never"]).output.contains(0x1B)))
      #expect(!(try Tool.run(arguments).output.contains(0x1B)), "auto colours only on terminals")
    }
    #expect(!(try Tool.run(["resolve", "cart.xml", "--format", "ndjson", "--color", "always"]).output.contains(0x1B)))
  }

  @Test("the other formats say the same", .articles("H41"), arguments: ["json", "csv"])
  func others(format: String) throws {
    try compareWithGolden(try Tool.run(["resolve", "--format", format, "cart.xml"]).output, "cart." + format)
  }

  @Test(
    "listings in other styles, and of elements of the same kind, are as reviewed",
    arguments: [
      ("resolve --style sensors --format ndjson --only trackable home-feed.xml", "home-feed.sensors.ndjson"),
      ("resolve --style growingio --format ndjson --only trackable alert-ios9.xml", "alert-ios9.growingio.ndjson"),
      ("resolve --style lede --format ndjson --only trackable cart.xml", "cart.lede.ndjson"),
      ("resolve --style posthog --format ndjson --only trackable segmented.xml", "segmented.posthog.ndjson"),
      ("resolve --style sensors-exact --format table --only trackable segmented.xml", "segmented.sensors-exact.table"),
      (
        "resolve --style sensors-android --format ndjson --only trackable android-shop.xml",
        "android-shop.sensors.ndjson"
      ),
      (
        "resolve --style growingio-android --format ndjson --only trackable android-shop.xml",
        "android-shop.growingio.ndjson"
      ),
      (
        "resolve --style hubbledata-android --format csv --only trackable android-shop.xml",
        "android-shop.hubbledata.csv"
      ),
      ("resolve --style sensors-web --format ndjson --only trackable flowers.html", "flowers.sensors-web.ndjson"),
      ("resolve --style posthog-web --format ndjson --only trackable flowers.html", "flowers.posthog-web.ndjson"),
      ("suggest flowers.html 27 --by number --style posthog-web", "flowers.posthog-web.txt"),
      ("suggest android-shop.xml 6 --by number --style sensors-android --rules-yaml", "android-menu-item.yaml"),
      ("suggest login.uiautomator.xml 9 --by number --style sensors-android --page .LoginActivity", "android-dump.txt"),
      ("select --same-kind 43 home-feed.xml", "same-kind-innermost.table"),
      ("select --same-kind --levels all 43 home-feed.xml", "same-kind-all.table"),
    ])
  func styles(arguments: String, file: String) throws {
    try compareWithGolden(try Tool.run(arguments.split(separator: " ").map(String.init)).output, file)
  }

  @Test("JSON is what NDJSON is, as an array", arguments: ["cart.xml", "emoji.xml", "swiftui.xml"])
  func jsonIsNDJSON(capture: String) throws {
    let json = try Tool.run(["resolve", "--format", "json", capture]).output
    let ndjson = try Tool.run(["resolve", "--format", "ndjson", capture]).lines
    let array = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [NSDictionary])
    let lines = try ndjson.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary }
    #expect(array == lines)
  }

  /// Returns the first lines, and the hash of all.
  private static func abridged(_ output: [UInt8]) -> [UInt8] {
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let hash = output.withUnsafeBytes { EventID(identity: $0) }
    let end = "# \(lines.count - 1) lines, SHA-256 \(hash)\n"
    return Array((lines.prefix(200).joined(separator: "\n") + "\n" + end).utf8)
  }

  // Wide characters fill two columns.
  private static func columns(_ line: Substring) -> Int {
    line.reduce(0) { sum, character in
      let value = character.unicodeScalars.first.map(\.value) ?? 0
      return sum + ((0x2E80...0xFFEF).contains(value) && !(0xFF61...0xFFDF).contains(value) || value >= 0x1F000 ? 2 : 1)
    }
  }
}
