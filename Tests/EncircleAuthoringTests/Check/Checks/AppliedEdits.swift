import EncircleAuthoring
import EncircleRuleFiles
import EncircleTestSupport
import EncircleText
import Testing

extension Checked {
  /// Returns rules with the edit of a finding applied; nil if what the edit says is written is not at its place.
  static func applied(_ edit: Finding.Edit, to rules: String) -> String? {
    // The first line of the file is its version.
    var lines = rules.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.unicodeScalars) }
    let line = edit.location.line - 2
    let start = edit.location.column - 1
    let written = Array(edit.written.unicodeScalars)
    guard lines.indices.contains(line), start >= 0, start + written.count <= lines[line].count,
      Array(lines[line][start..<start + written.count]) == written
    else { return nil }
    lines[line].replaceSubrange(start..<start + written.count, with: Array(edit.replacement.unicodeScalars))
    return lines.map { String(String.UnicodeScalarView($0)) }.joined(separator: "\n")
  }
}

/// A mistake in rules, the finding about it, and the edit that mends it.
struct MistakeCase: Sendable, CustomTestStringConvertible {
  let claim: String
  /// The clause of the rule, after `include: `.
  let clause: String
  var code = CheckCode.unknownValue
  var severity = Severity.warning
  /// A part of the message; empty if nothing may be found.
  let message: String
  /// The text that the edit writes, or `nil` without an edit.
  var written: String?
  var head = ""

  var testDescription: String { claim }

  /// Checks that the finding is there, that its edit is exact, and that it is gone when the edit is applied.
  func check(captures: [String], events: [String] = []) throws {
    let rules = "\(head)rules:\n  - id: a\n    include: \(clause)"
    let all = try Checked.findings(rules, captures: captures, events: events)
    let found = all.filter { $0.code == code }
    let shown = all.map { "\($0.code.rawValue): \($0.message) -> \($0.edit?.replacement ?? "no edit")" }
    guard !message.isEmpty else {
      #expect(found.isEmpty, "\(shown.joined(separator: "\n"))")
      return
    }
    let finding = try #require(
      found.first { $0.message.contains(message) }, "\(shown.joined(separator: "\n"))")
    #expect(finding.severity == severity)
    #expect(finding.edit?.replacement == written, "\(finding.suggestion ?? "no suggestion")")
    guard let edit = finding.edit else { return }
    let edited = try #require(Checked.applied(edit, to: rules), "the edit is not where it says")
    let left = try Checked.findings(edited, captures: captures, events: events)
    #expect(!left.contains { $0.code == code && $0.message == finding.message }, "\(edited)")
  }
}
