import EncircleAuthoring
import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleTestSupport
import Foundation
import Testing

/// Mistakes of authors, and the first thing that Encircle says about each: `Golden/mistakes.txt`. `UPDATE_GOLDEN=1` updates
/// the answers there.
@Suite struct MistakeTests {
  private static let file = PackageFolder.root.appendingPathComponent(
    "Tests/EncircleAuthoringTests/Check/Golden/mistakes.txt")

  private static let screens = Result {
    try ["home-feed.xml", "cart.xml", "alert-ios10.xml", "tab-bar.xml"].map { name in
      let tree = try CaptureReader().read(contentsOf: PackageFolder.viewTrees.appendingPathComponent(name).path)
      return (name, IdentifiedTree(tree))
    }
  }

  private static let events = Result {
    try String(contentsOf: PackageFolder.root.appendingPathComponent("Rules/events/shop.ndjson"), encoding: .utf8)
      .split(separator: "\n").map { try AnalyticsEvent(json: String($0)) }
  }

  /// Returns a rule file with a mistake; the words in brackets in front of the mistake say where it belongs.
  private static func ruleFile(_ kind: String, _ mistake: String) -> String {
    let head = "version: 1\nrules:\n  - id: a\n    "
    switch kind.split(separator: " ").last.map(String.init) {
    case "file", "json": return mistake + "\n"
    case "rule": return head + mistake + "\n"
    case "where": return head + "include:\n      where:\n        " + mistake + "\n"
    default: return head + "include:\n      event: $AppClick\n      " + mistake + "\n"
    }
  }

  /// A line of a golden file: a mistake, or something unusual.
  private struct Row {
    let line: String
    let kind: String
    let written: String

    /// Reads a line; nil if it is not a row.
    init?(_ line: String) {
      guard line.hasPrefix("["), let end = line.firstIndex(of: "]") else { return nil }
      self.line = line
      kind = String(line[line.index(after: line.startIndex)..<end])
      let text = String(line[line.index(after: end)...].dropFirst())
      written = text.replacing("\\n", with: "\n").replacing("\\t", with: "\t")
    }

    /// `true` if the rule of the row may stand beside others in a file.
    var isRule: Bool { !kind.hasSuffix("file") && !kind.hasSuffix("json") }
  }

  /// The findings about a rule that depend on other rules, here the rules of the other rows.
  private static let ofOthers: Set<CheckCode> = [
    .sameMeaning, .coveredRule, .nearlyCovered, .neverSelects,
  ]

  private static func ruleSet(_ text: String, _ kind: String) throws(RuleFileErrors) -> SourcedRuleSet {
    let name = kind == "json" ? "rules.json" : "rules.yaml"
    return try RuleFiles(text: text, name: name).ruleSetWithSources()
  }

  private static func findings(_ rules: SourcedRuleSet, _ kind: String) throws -> [Finding] {
    var checker = RuleChecker(rules)
    if kind.hasPrefix("known") || kind.hasPrefix("seen") {
      for (name, screen) in try screens.get() { checker.add(screen, name: name) }
    }
    if kind.hasPrefix("seen") {
      for event in try events.get() { checker.add(event) }
    }
    return checker.check(at: 1_780_000_000_000).findings
  }

  /// Returns what is found in each row; nil for one that does not load, with the first problem.
  ///
  /// Rows with the same captures are checked in one rule set, which takes a fraction of the time.
  private static func results(_ rows: [Row]) throws -> [(problem: String?, findings: [Finding])] {
    var results: [(problem: String?, findings: [Finding])] = []
    var sets: [String: (text: String, lines: Int, rows: [(row: Int, line: Int)])] = [:]
    for (i, row) in rows.enumerated() {
      results.append((nil, []))
      do throws(RuleFileErrors) {
        let rules = try ruleSet(ruleFile(row.kind, row.written), row.kind)
        let group = row.kind.hasPrefix("known") ? "known" : row.kind.hasPrefix("seen") ? "seen" : ""
        guard row.isRule, !group.isEmpty else {
          results[i].findings = (try? findings(rules, row.kind)) ?? []
          continue
        }
        var set = sets[group] ?? ("version: 1\nrules:\n", 0, [])
        let rule = ruleFile(row.kind, row.written).split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
          .joined(separator: "\n").replacing("  - id: a\n", with: "  - id: r\(i)\n")
        set.rows.append((i, set.lines))
        set.text += rule
        set.lines += rule.count { $0 == "\n" }
        sets[group] = set
      } catch {
        let first = error.description.split(separator: "\n").first.map(String.init) ?? ""
        results[i].problem = String(first.dropFirst("rules.yaml:".count))
      }
    }
    for (group, set) in sets {
      let found = try findings(ruleSet(set.text, group), group)
      for (i, line) in set.rows {
        results[i].findings = found.filter { $0.rule.text == "r\(i)" && !ofOthers.contains($0.code) }.map { finding in
          var finding = finding
          finding.place.location.line -= line
          return finding
        }
      }
    }
    return results
  }

  /// Returns the place, the severity and the message of the first problem, or of the weightiest finding, with its suggestion or
  /// edit.
  private static func answer(_ result: (problem: String?, findings: [Finding])) -> String {
    if let problem = result.problem { return problem }
    let weighty = result.findings.filter { $0.severity >= .warning }
    guard
      let finding = weighty.first(where: { $0.edit != nil || $0.suggestion != nil }) ?? weighty.first
        ?? result.findings.first
    else { return "nothing" }
    let instead = finding.edit.map { "; instead: \($0.replacement)" } ?? finding.suggestion.map { "; \($0)" } ?? ""
    return
      "\(finding.place.location): \(finding.severity.rawValue)[\(finding.code.rawValue)]: \(finding.message)\(instead)"
  }

  @Test("each mistake is reported in plain words at its place")
  func answers() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).filter {
      !$0.hasPrefix("  ")
    }
    let results = try Self.results(lines.compactMap { Row($0) })
    var updated: [String] = []
    var mistakes = 0
    for line in lines {
      updated.append(line)
      guard Row(line) != nil else { continue }
      let answer = Self.answer(results[mistakes])
      mistakes += 1
      updated.append("  " + answer)
      #expect(answer != "nothing", "\(line)")
      #expect(!answer.contains("not valid YAML"), "\(line): libyaml's words")
    }
    #expect(mistakes >= 300)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try updated.joined(separator: "\n").write(to: Self.file, atomically: true, encoding: .utf8)
    }
    for (now, before) in zip(updated, text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)) {
      #expect(now == before)
    }
    #expect(updated.count == text.split(separator: "\n", omittingEmptySubsequences: false).count)
  }

  @Test("unusual but correct rules are not reported")
  func unusual() throws {
    let file = Self.file.deletingLastPathComponent().appendingPathComponent("unusual.txt")
    let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { Row(String($0)) }
    for (row, result) in zip(rows, try Self.results(rows)) {
      #expect(result.problem == nil, "\(row.line)")
      let found = result.findings.filter { $0.severity >= .warning }
      #expect(found.map { "\($0.code): \($0.message)" } == [], "\(row.line)")
    }
    #expect(rows.count >= 45)
  }
}
