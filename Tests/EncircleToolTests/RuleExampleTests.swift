import EncircleTestSupport
import Foundation
import Testing

/// Loads the examples of rules in the documentation.
@Suite struct RuleExampleTests {
  @Test("every YAML example of rules loads", arguments: MarkdownDocument.names.filter { $0 != "docs/checks.md" })
  func examples(name: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    // Rules with 'within' decide nothing without captures.
    try folder.write("capture.xml", "<viewTree version=\"1\"><view class=\"UIWindow\"/></viewTree>")
    for block in try MarkdownDocument(name: name).blocks where block.language == "yaml" {
      guard let text = Self.ruleFile(block.lines) else { continue }
      try folder.write("rules.yaml", text)
      let result = try Tool.run(["match", "--rules", "rules.yaml", "--captures", "capture.xml"], in: folder.url)
      #expect(result.status == 0, "\(name):\(block.firstLine): \(result.errors)\n\(text)")
    }
  }

  /// The rule file for an example, which is a whole file or begins with a key of a file, a rule or a clause; nil for tests and plans.
  private static func ruleFile(_ lines: [String]) -> String? {
    let first = lines.first { !$0.isEmpty && !$0.hasPrefix("#") } ?? ""
    let key = first.prefix { $0 != ":" }.trimmingCharacters(in: .whitespaces)
    if lines.contains(where: { $0.hasPrefix("tests:") || $0.hasPrefix("events:") }) { return nil }
    func indented(_ spaces: Int) -> String {
      lines.map { $0.isEmpty ? "" : String(repeating: " ", count: spaces) + $0 }.joined(separator: "\n") + "\n"
    }
    if first.hasPrefix("- ") || first.hasPrefix("  - ") { return "version: 1\nrules:\n" + indented(2) }
    switch key {
    case "version": return indented(0)
    case "app", "style", "track", "classes", "pages", "identity", "fields", "rules": return "version: 1\n" + indented(0)
    case "event", "page", "selector", "eventID", "where":
      return "version: 1\nrules:\n  - id: example\n    include:\n" + indented(6)
    default:
      let hasEffect = lines.contains { $0.hasPrefix("include:") || $0.hasPrefix("exclude:") }
      return "version: 1\nrules:\n  - id: example\n" + indented(4)
        + (hasEffect ? "" : "    include: { event: $AppClick }\n")
    }
  }
}
