import EncircleAuthoring
import EncircleCapture
import EncircleIdentity
import EncircleRuleFiles
import EncircleTestSupport
import Foundation
import Testing

/// What authors get wrong, and the first thing that Encircle says about it: `Golden/mistakes.txt`, in which
/// `UPDATE_GOLDEN=1` writes the answers anew.
@Suite struct MistakeTests {
  private static let file = PackageFolder.root.appendingPathComponent(
    "Tests/EncircleAuthoringTests/Check/Golden/mistakes.txt")

  /// Returns the rule file in which a mistake stands, by what is written in front of it in brackets.
  private static func ruleFile(_ kind: String, _ mistake: String) -> String {
    let head = "version: 1\nrules:\n  - id: a\n    "
    switch kind {
    case "file": return mistake + "\n"
    case "rule": return head + mistake + "\n"
    case "where", "known where": return head + "include:\n      where:\n        " + mistake + "\n"
    default: return head + "include:\n      event: $AppClick\n      " + mistake + "\n"
    }
  }

  /// Returns the place, the severity and the message of the first problem, with its suggestion or edit.
  private static func answer(_ kind: String, _ mistake: String) throws -> String {
    let rules: SourcedRuleSet
    do throws(RuleFileErrors) {
      rules = try RuleFiles(text: ruleFile(kind, mistake), name: "rules.yaml").ruleSetWithSources()
    } catch {
      let first = error.description.split(separator: "\n").first.map(String.init) ?? ""
      return String(first.dropFirst("rules.yaml:".count))
    }
    var checker = RuleChecker(rules)
    if kind.hasPrefix("known") {
      for name in ["home-feed.xml", "cart.xml", "alert-ios10.xml", "tab-bar.xml"] {
        let tree = try CaptureReader().read(contentsOf: PackageFolder.viewTrees.appendingPathComponent(name).path)
        checker.add(IdentifiedTree(tree), name: name)
      }
    }
    guard let finding = checker.check(at: 1_780_000_000_000).findings.first else { return "nothing" }
    let instead = finding.edit.map { "; instead: \($0.replacement)" } ?? finding.suggestion.map { "; \($0)" } ?? ""
    return
      "\(finding.place.location): \(finding.severity.rawValue)[\(finding.code.rawValue)]: \(finding.message)\(instead)"
  }

  @Test("each mistake is answered in plain words, at its place")
  func answers() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    var result: [String] = []
    var mistakes = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      guard line.hasPrefix("["), let end = line.firstIndex(of: "]") else {
        if !line.hasPrefix("  ") { result.append(line) }
        continue
      }
      let kind = String(line[line.index(after: line.startIndex)..<end])
      let mistake = line[line.index(after: end)...].dropFirst()
      let written = mistake.replacing("\\n", with: "\n").replacing("\\t", with: "\t")
      let answer = try Self.answer(kind, String(written))
      result.append(line)
      result.append("  " + answer)
      mistakes += 1
      #expect(answer != "nothing", "\(line)")
      #expect(!answer.contains("not valid YAML"), "\(line): libyaml's words")
    }
    #expect(mistakes >= 120)
    let updated = result.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try updated.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    #expect(updated == text)
  }
}
