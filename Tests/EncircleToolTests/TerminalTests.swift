import EncircleTestSupport
import Foundation
import Testing

/// Foreign text in a terminal, a spreadsheet, or a reader of lines.
@Suite struct TerminalTests {
  /// Characters that move, colour, hide or turn text.
  private static let unsafe =
    "\u{1B}[31m\u{7}\u{7F}\u{85}\u{9B}\u{AD}\u{61C}\u{180E}\u{200B}\u{200D}\u{200E}\u{200F}\u{2028}\u{2029}\u{202A}\u{202E}"
    + "\u{2060}\u{2066}\u{2069}\u{FEFF}\u{E0041}\u{034F}"
  // XML has no characters below U+0020 but tabs and line ends.
  private static let inXML =
    "\nFORGED\r\t" + String(unsafe.unicodeScalars.filter { $0.value >= 0x20 }.map(Character.init))

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    scalar != "\n" && (scalar.value < 0x20 || unsafe.unicodeScalars.dropFirst(5).contains(scalar))
  }

  /// A folder whose files have such characters in their names and everywhere in their content.
  private func folder() throws -> RulesFolder {
    let folder = try RulesFolder()
    let text = Self.inXML.unicodeScalars.map { "&#\($0.value);" }.joined()
    let capture = viewTree(
      """
      <view class='UIWindow' frame='0 0 90 90'><view class='V\(text)' controller='P\(text)' frame='0 0 90 90'>
      <view class='UIButton' title='T\(text)' identifier='i\(text)' actions='a\(text):' frame='-1 0 9 9'/>
      <view class='UIButton' title='=1+1' frame='0 9 9 9'/><view class='UIButton' title='@x' frame='0 20 9 9'/>
      <view class='UIButton' title='+x' frame='0 30 9 9'/><view class='UIButton' title='-x' frame='0 40 9 9'/>
      </view></view>
      """)
    try folder.write("capture.xml", capture)
    try folder.write("c\nFORGED\(Self.unsafe).xml", capture)
    try folder.write("bad\nFORGED\(Self.unsafe).xml", "<viewTree><x\(Self.unsafe)")
    let quoted =
      "\""
      + Self.inXML.unicodeScalars.map {
        "\\U" + String(repeating: "0", count: 8 - String($0.value, radix: 16).count) + String($0.value, radix: 16)
      }.joined() + "\""
    try folder.write(
      "hostile.yaml",
      """
      version: 1
      rules:
        - { id: a, include: { page: \(quoted) }, emit: \(quoted) }
        - { id: b, include: { event: $AppClick }, emit: \(quoted) }
        - { id: c, include: { selector: "A/B" }, name: \(quoted) }
      """)
    try folder.write("bad\nFORGED\(Self.unsafe).yaml", "version: 1\nrules: [{ \(quoted): 1, id: \(quoted) }]\n")
    try folder.write(
      "hostile.test.yaml",
      "version: 1\ntests:\n  - { name: \(quoted), event: { event: $AppClick }, expect: { selected: false, includes: [a] } }\n"
    )
    try folder.write(
      "hostile.plan.yaml",
      """
      version: 1
      events:
        - { event: \(quoted), trigger: \(quoted), tracking: circled, properties: [{ property: \(quoted), required: true }] }
        - { event: new, name: \(quoted), tracking: circled, columns: { \(quoted): \(quoted) } }
      """)
    let cell = "\"x\(Self.inXML)\""
    try folder.write("hostile.csv", "Event Name,Platforms,\(cell)\n\(cell),\(cell),\(cell)\nnew,web,\(cell)\n")
    let word = String(decoding: try JSONEncoder().encode("x\nFORGED\(Self.unsafe)"), as: UTF8.self)
    try folder.write(
      "actions.json",
      "[{\"id\":\(word),\"name\":\(word),\"steps\":[{\"event\":\"$autocapture\",\"selector\":\(word),\"text\":\(word)}]}]"
    )
    try folder.write("twice.csv", "Event Name,\(cell),\(cell)\n")
    return folder
  }

  private static let commands: [[String]] = [
    ["resolve", "capture.xml"], ["resolve", "c\nFORGED\(unsafe).xml"], ["resolve", "."],
    ["resolve", "bad\nFORGED\(unsafe).xml"], ["resolve", "--style", "lede", "capture.xml"],
    ["select", "UIButton", "capture.xml", "c\nFORGED\(unsafe).xml"], ["select", "A(\(unsafe)", "capture.xml"],
    ["suggest", "capture.xml", "2", "--against", "."], ["suggest", "capture.xml", "2", "--rules-yaml"],
    ["suggest", "c\nFORGED\(unsafe).xml", "--by", "text", "x\nFORGED\(unsafe)"],
    ["id", "x\nFORGED\(unsafe)"], ["path", "A(0)_B\nFORGED\(unsafe)(0)"], ["path", "A\nFORGED\(unsafe)_B"],
    ["path", "A(\nFORGED\(unsafe)"],
    ["explain", "--rules", "hostile.yaml", "--capture", "capture.xml", "--element", "2"],
    ["explain", "--rules", "hostile.yaml", "--event", "x\nFORGED\(unsafe)"],
    ["match", "--rules", "hostile.yaml", "events.ndjson"], ["match", "--rules", "x\nFORGED\(unsafe)"],
    ["match", "--rules", "bad\nFORGED\(unsafe).yaml", "events.ndjson"],
    ["check", "hostile.yaml", "--captures", "capture.xml"], ["check", "--format", "github", "hostile.yaml"],
    ["check", "bad\nFORGED\(unsafe).yaml"], ["test", "hostile.yaml"], ["fmt", "bad\nFORGED\(unsafe).yaml", "--check"],
    ["plan", "status", "--rules", "hostile.yaml", "--captures", "capture.xml", "--events", "events.ndjson"],
    ["plan", "status", "--rules", "hostile.yaml", "--format", "markdown", "--captures", "capture.xml"],
    ["plan", "status", "--rules", "hostile.yaml", "--format", "junit"],
    ["plan", "status", "--rules", "hostile.yaml", "--fail-on", "x\nFORGED\(unsafe)"],
    ["plan", "import", "--rules", "hostile.yaml", "hostile.csv"],
    ["plan", "import", "--rules", "hostile.yaml", "twice.csv"],
    ["plan", "diff", "--rules", "hostile.yaml", "x\nFORGED\(unsafe)"],
    ["import", "actions.json", "--events", "events.ndjson"], ["import", "actions.json", "--format", "markdown"],
    ["import", "bad\nFORGED\(unsafe).yaml"], ["import", "posthog", "x\nFORGED\(unsafe)"],
    ["import", "actions.json", "--output", "x\nFORGED\(unsafe)"],
    ["index", "c\nFORGED\(unsafe).xml", "capture.xml", "-o", "d\nFORGED\(unsafe)"],
    ["stats", "--dictionary", "dictionary"],
    ["lookup", "x\nFORGED\(unsafe)", "--dictionary", "dictionary"],
    ["lookup", "aaaaaaaa", "--dictionary", "x\nFORGED\(unsafe)"],
    ["convert", "--from", "sensors", "--to", "lede", "A[\nFORGED\(unsafe)"],
    ["convert", "--from", "hubbledata", "--to", "sensors", "A(0)_B\nFORGED\(unsafe)(0)"],
    ["x\nFORGED\(unsafe)"], ["resolve", "--format=x\nFORGED\(unsafe)"], ["resolve", "--x\nFORGED\(unsafe)"],
    ["compile", "rules.yaml", "-o", "rules.yaml"], ["compile", "rules.yaml", "-o", "no/x\nFORGED\(unsafe)"],
  ]

  @Test("no text, name or file name can control a terminal, hide in it or add a line", arguments: commands)
  func safe(arguments: [String]) throws {
    let folder = try folder()
    defer { folder.remove() }
    if arguments.contains("dictionary") {
      #expect(try folder.run(["index", "c\nFORGED\(Self.unsafe).xml", "-o", "dictionary"]).status == 0)
    }
    let result = try folder.run(arguments)
    // Decisions are JSON, where zero-width characters stay.
    for text in [arguments[0] == "match" ? "" : result.text, result.errors] {
      let found = text.unicodeScalars.filter { Self.isUnsafe($0) }.map { String($0.value, radix: 16) }
      #expect(found.isEmpty, "\(found) in \(text.debugDescription)")
      #expect(!text.split(separator: "\n").contains { $0.hasPrefix("FORGED") }, "\(text)")
    }
  }

  @Test(
    "JSON has no control characters and no line separators, and means the same",
    arguments: ["resolve --format json capture.xml", "suggest --format json capture.xml 2"])
  func json(arguments: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try folder.run(arguments)
    let escaped: Set<UInt32> = [0x7F, 0x85, 0x9B, 0x2028, 0x2029]
    #expect(!result.text.unicodeScalars.contains { escaped.contains($0.value) })
    for escape in ["\\u0085", "\\u009b", "\\u2028", "\\u2029"] { #expect(result.text.contains(escape)) }
    let value = try JSONSerialization.jsonObject(with: Data(result.output))
    #expect("\(value)".unicodeScalars.contains("\u{202E}"))
  }

  @Test(
    "cells that a spreadsheet would take for formulas get a ' in front, but not with --csv-raw",
    arguments: [false, true])
  func csv(isRaw: Bool) throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write("=cmd.xml", viewTree("<view class='=Window'><view class='UIButton' title='+1'/></view>"))
    let raw = isRaw ? ["--csv-raw"] : []
    let mark = isRaw ? "" : "'"
    let resolved = try folder.run(["resolve", "--format", "csv", "capture.xml"] + raw)
    for content in ["=1+1", "@x", "+x", "-x"] {
      #expect(resolved.text.contains(",\(mark)\(content),"), "\(resolved.text)")
      #expect(!resolved.text.contains(",\(isRaw ? "'" : "")\(content),"))
    }
    // Frames are numbers of ours, which programs read.
    #expect(resolved.text.contains(",-1 0 9 9\r\n"))
    let selected = try folder.run(["select", "--format", "csv", "UIButton", "=cmd.xml"] + raw)
    #expect(selected.text.contains("\n\(mark)=cmd.xml,1,UIButton,\(mark)=Window(0)_UIButton(0),"), "\(selected.text)")
  }

  @Test("--csv-raw is refused with other formats")
  func rawUsage() throws {
    #expect(try RulesFolder.run("resolve --csv-raw x.xml").status == 64)
  }
}
