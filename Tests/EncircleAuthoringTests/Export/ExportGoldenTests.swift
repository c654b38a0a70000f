import EncircleRuleFiles
import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleAuthoring

/// Rules, the report on them and the files that are written of them, for people to read: `Golden/NAME.yaml` and `Golden/NAME.txt`.
@Suite struct ExportGoldenTests {
  private static let folder = PackageFolder.root.appendingPathComponent("Tests/EncircleAuthoringTests/Export/Golden")
  private static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

  @Test("rules are exported as the golden files show", arguments: ["posthog", "sensors"])
  func golden(name: String) throws {
    let text = try String(contentsOf: Self.folder.appendingPathComponent(name + ".yaml"), encoding: .utf8)
    let rules = try RuleFiles(text: text, name: name + ".yaml").ruleSetWithSources()
    let allowance = ExportAllowance(wider: true)
    let report =
      name == "posthog" ? PostHogExport.report(rules, allowance) : SensorsExport(rules, .init(), allowance).report()
    var lines = [ExportText.text(report)]
    for file in report.files {
      let object = try JSONSerialization.jsonObject(with: Data(file.bytes))
      let json = try JSONSerialization.data(
        withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
      lines.append("--- \(file.name)\n\(String(decoding: json, as: UTF8.self))\n")
    }
    let written = lines.joined(separator: "\n")
    let golden = Self.folder.appendingPathComponent(name + ".txt")
    if Self.isUpdating { try Data(written.utf8).write(to: golden) }
    #expect(written == (try String(contentsOf: golden, encoding: .utf8)))
  }
}
