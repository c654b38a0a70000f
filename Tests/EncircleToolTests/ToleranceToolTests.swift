import EncircleTestSupport
import Foundation
import Testing

/// `encircle match --tolerance`, as a process.
@Suite struct ToleranceToolTests {
  private static let page = #"{"event":"$AppClick","properties":{"$screen_name":"OrderViewController","#

  /// Taps on 联系客服, in 5.1 and in 5.2, and on another button of 5.2.
  private static func taps(_ folder: RulesFolder, style: String = "hubbledata") throws -> [String] {
    var taps: [String] = []
    for (version, element) in [("5.1", 41), ("5.2", 53), ("5.2", 9)] {
      let detail = try folder.run("resolve order-v\(version).xml --style \(style) --format ndjson").text
      let line = detail.split(separator: "\n")[element]
      let record = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let path = try #require(record["path"] as? String)
      taps.append(page + "\"$app_version\":\"\(version).0\",\"$element_path\":\"\(path)\"}}")
    }
    return taps
  }

  @Test(
    "match --tolerance names the rule that lost an element, by anchors or old captures; the rest is as it was",
    .articles("H6"))
  func tolerance() throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    try folder.write("taps.ndjson", try Self.taps(folder).joined(separator: "\n") + "\n")
    let strict = try folder.run("match --rules order.yaml taps.ndjson")
    #expect(!strict.text.contains("approximate"))
    #expect(try folder.run("anchor order.yaml --captures order-v5.1.xml").status == 0)
    for evidence in ["--captures order-v5.2.xml", "--captures order-v5.1.xml --captures order-v5.2.xml"] {
      let result = try folder.run("match --rules order.yaml --tolerance 0.8 \(evidence) --threads 2 taps.ndjson")
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.errors.contains("tolerance: 2 rules lost elements: order.contact, order.shipping"))
      #expect(result.errors.contains("approximately, by tolerance:\n  order.contact  1"))
      let lines = result.text.split(separator: "\n")
      try #require(lines.count == 3)
      #expect(lines[1].contains(#""approximate":{"rule":"order.contact","confidence":0.99,"reasons":["same actions"#))
      #expect(result.text.replacing(/,"approximate":\{[^}]*\}/, with: "") == strict.text)
    }
    let explained = try folder.run(
      "explain --rules order.yaml --tolerance 0.8 --captures order-v5.2.xml --event taps.ndjson:2")
    #expect(
      explained.text.contains("approximately, by tolerance: order.contact, confidence 0.99: same actions"),
      "\(explained.text)\(explained.errors)")
    #expect(explained.text.hasPrefix("not selected"))
    // A rule's own tolerance needs no option, also in compiled form.
    try folder.write(
      "order.yaml",
      OrderRules.text.replacing("  - id: order.contact", with: "  - tolerance: 0.9\n    id: order.contact"))
    #expect(try folder.run("compile order.yaml -o order.compiled").status == 0)
    for rules in ["order.yaml", "order.compiled --anchors order.anchors"] {
      let result = try folder.run(
        "match --rules \(rules) --captures order-v5.2.xml --summary counts.json taps.ndjson")
      #expect(
        result.text.split(separator: "\n")[1].contains(#""approximate":{"rule":"order.contact""#), "\(result.errors)")
      #expect(try folder.text("counts.json").contains(#""approximate":[{"rule":"order.contact","events":1}]"#))
    }
  }

  @Test("a rule in another style than its file tolerates events of its own style") func toleranceOfStyles() throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    try folder.write(
      "order.yaml",
      OrderRules.text.replacing("  - id: order.contact", with: "  - style: sensors\n    id: order.contact")
        .replacing("OrderBar/UIButton(0)", with: "'OrderBar[0]/UIButton[0]'"))
    for (style, found) in [("hubbledata", 0), ("sensors", 1)] {
      try folder.write("taps.ndjson", try Self.taps(folder, style: style).joined(separator: "\n") + "\n")
      let result = try folder.run(
        "match --rules order.yaml --tolerance 0.8 --captures order-v5.1.xml --captures order-v5.2.xml taps.ndjson")
      #expect(result.status == 0, "\(result.errors)")
      let contacts = result.text.split(separator: "\n").filter {
        $0.contains(#""approximate":{"rule":"order.contact""#)
      }
      #expect(contacts.count == found, "\(style): \(result.text)\(result.errors)")
    }
  }

  @Test("captures from standard input are refused with tolerance, which needs them twice")
  func toleranceOfStandardInput() throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    try folder.write("taps.ndjson", Self.page + "}}\n")
    let result = try folder.run(
      "match --rules order.yaml --tolerance 0.8 --captures - taps.ndjson", input: try folder.text("order-v5.2.xml"))
    #expect(result.status == 64 && result.output.isEmpty, "\(result.errors)")
    #expect(result.errors.contains("Standard input can be read once only."), "\(result.errors)")
  }

  @Test(
    "--tolerance needs something to compare, and a level",
    arguments: [
      ("--tolerance 0", 64), ("--tolerance 1.1", 64), ("--tolerance 0.8", 64),
      ("--tolerance 0.8 --captures order-v5.2.xml", 64),
      ("--anchors order.yaml", 64), ("--tolerance 0.8 --anchors order.yaml --captures order-v5.2.xml", 65),
      ("--tolerance 0.8 --anchors none.anchors --captures order-v5.2.xml", 66),
      ("--tolerance 0.8 --history none.ndjson", 66), ("--tolerance 0.8 --history -", 64),
    ] as [(String, Int32)])
  func toleranceErrors(options: String, status: Int32) throws {
    let folder = try RulesFolder.order()
    defer { folder.remove() }
    try folder.write("taps.ndjson", Self.page + "}}\n")
    let result = try folder.run("match --rules order.yaml \(options) taps.ndjson")
    #expect(result.status == status, "\(result.errors)")
    #expect(!result.errors.isEmpty)
  }
}
