import EncircleRuleFiles
import EncircleText
import Testing

/// All that is wrong with a rule file, as it is shown.
func problems(_ text: String) -> String {
  do throws(RuleFileErrors) {
    _ = try RuleFiles(text: text, name: "rules.yaml").ruleSet()
    return ""
  } catch {
    return error.description
  }
}

/// Compares all problems of a text with messages at its marks, each as it is shown: place, message, line and caret. `▶` stands in
/// front of the place of each problem; a text that begins with spaces is the inside of a rule.
func checkProblems(_ marked: String, _ messages: [String], _ source: Testing.SourceLocation = #_sourceLocation) {
  let marked = marked.hasPrefix(" ") ? "version: 1\nrules:\n  - id: a\n" + marked : marked
  let text = marked.replacing("▶", with: "")
  var expected: [String] = []
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  for (i, line) in marked.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    let parts = line.split(separator: "▶", omittingEmptySubsequences: false)
    for end in 1..<max(1, parts.count) {
      let before = parts[..<end].joined().unicodeScalars
      // Wide characters take two columns.
      let indent = before.map { $0.value >= 0x2E80 ? "\u{3000}" : " " }.joined()
      let message = expected.count < messages.count ? messages[expected.count] : "no problem"
      expected.append(
        "rules.yaml:\(i + 1):\(before.count + 1): error: \(message)\n  \(VisibleText.escaping(String(lines[i])))\n  \(indent)^"
      )
    }
  }
  #expect(expected.count == messages.count, sourceLocation: source)
  #expect(problems(text) == expected.joined(separator: "\n"), sourceLocation: source)
}

/// Keys as messages list them.
func keyList(_ keys: [String]) -> String { keys.map { "'\($0)'" }.joined(separator: ", ") }
