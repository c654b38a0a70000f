import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// The rules that no test covers.
package struct RuleCoverage {
  package let uncovered: [SelectionRule]
  /// The number of rules that tests can cover.
  package let count: Int
  /// This is true if `--filter` left out some of the tests.
  package let isPartial: Bool

  package init(uncovered: [SelectionRule], count: Int, isPartial: Bool = false) {
    self.uncovered = uncovered
    self.count = count
    self.isPartial = isPartial
  }

  package var text: String {
    var lines = uncovered.map { "  \($0.location.map { "\($0): " } ?? "")\($0.id)" }
    if !lines.isEmpty {
      lines.insert(isPartial ? "rules that none of these tests covers:" : "rules that no test covers:", at: 0)
    }
    lines.append("\(count - uncovered.count) of \(count) rules covered")
    return lines.map { VisibleText.escaping($0) }.joined(separator: "\n")
  }
}

/// Results of tests for people and for programs.
package enum TestReport {
  // The maximum width of values that are shown side by side; longer ones are shown one below the other.
  private static let widestValue = 48
  private static let maximumElements = 10

  /// Returns the failures, and a line with the numbers of tests.
  package static func text(_ results: [TestResult], _ coverage: RuleCoverage?) -> String {
    var text = ""
    for result in results where !result.passed {
      text += VisibleText.escaping("✗ \(result.test.file):\(result.test.location): \(result.test.name)") + "\n"
      text += details(result, indent: "    ") + "\n"
    }
    if let coverage { text += coverage.text + "\n\n" }
    let failed = results.count { !$0.passed }
    text +=
      "\(counted(results.count, "test")), \(results.count - failed) passed, \(failed) failed\n"
    return text
  }

  /// Returns the differences from the expectation of one test.
  package static func details(_ result: TestResult, indent: String = "") -> String {
    if result.isUnfinished { return indent + "expects nothing yet: --update writes the results\n" }
    var lines: [String] = []
    for failure in result.failures {
      if let label = failure.label { lines.append(label) }
      lines += table(failure.mismatches)
      if case .selector(_, let capture) = result.test.subject {
        lines += failure.mismatches.flatMap { differences($0, capture) }
      }
      if let explanation = failure.explanation {
        lines.append("")
        lines += ExplanationText.text(explanation, failure.rules, left: 0).utf8.split(
          separator: 0x0A, omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
      }
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    if result.moreFailures > 0 { lines += ["", "and \(result.moreFailures) more of its events are not as expected"] }
    // Lines are escaped one by one, so that no name and no value can add a line.
    return lines.map { $0.isEmpty ? "\n" : indent + VisibleText.escaping($0) + "\n" }.joined()
  }

  /// Returns expected and found values side by side.
  private static func table(_ mismatches: [TestResult.Mismatch]) -> [String] {
    let rows = mismatches.map {
      ($0.key.rawValue, VisibleText.escaping($0.expected.description), VisibleText.escaping($0.found.description))
    }
    let widest = rows.map { max(VisibleText.width($0.1), VisibleText.width($0.2)) }.max() ?? 0
    guard widest <= widestValue else {
      return rows.flatMap { ["  \($0.0)", "    expected  \($0.1)", "    found     \($0.2)"] }
    }
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - VisibleText.width(text)))
    }
    let keyWidth = rows.map { VisibleText.width($0.0) }.max() ?? 0
    let width = max(widest, "expected".utf8.count)
    return ([("", "expected", "found")] + rows).map { row in
      "  \(padded(row.0, keyWidth))  \(padded(row.1, width))  \(row.2)"
    }
  }

  /// Returns the elements that are only expected or only found.
  private static func differences(_ mismatch: TestResult.Mismatch, _ capture: TestCapture) -> [String] {
    guard case .elements(let expected) = mismatch.expected, case .elements(let found) = mismatch.found else {
      return []
    }
    func lines(_ elements: [ElementID], _ verdict: String) -> [String] {
      let lines = elements.prefix(maximumElements).map { element in
        "  \(element) \(verdict): " + VisibleText.shortened(capture.screen.path(of: element).written(.slashes))
      }
      return lines
        + (elements.count > maximumElements ? ["  … and \(elements.count - maximumElements) more \(verdict)"] : [])
    }
    return lines(expected.filter { !Set(found).contains($0) }, "is not matched")
      + lines(found.filter { !Set(expected).contains($0) }, "is matched")
  }

  package static func json(_ results: [TestResult], _ coverage: RuleCoverage?) -> String {
    var json = JSONBuilder()
    json.object {
      $0.member("tests", results.count)
      let failed = results.count { !$0.passed }
      $0.member("passed", results.count - failed)
      $0.member("failed", failed)
      $0.array("results", results) { result, json in
        json.object {
          $0.member("file", result.test.file)
          $0.member("line", result.test.location.line)
          $0.member("name", result.test.name)
          $0.member("passed", result.passed)
          $0.member("seconds", result.duration)
          if result.isUnfinished { $0.member("unfinished", true) }
          $0.array("failures", result.failures, element: append)
        }
      }
      if let coverage {
        $0.member("rules", coverage.count)
        $0.array("uncovered", coverage.uncovered) { rule, json in
          json.object {
            $0.member("rule", rule.id.text)
            $0.member("origin", rule.location)
          }
        }
      }
    }
    return json.line
  }

  private static func append(_ failure: TestResult.Failure, to json: inout JSONBuilder) {
    json.object {
      $0.member("event", failure.label)
      $0.array("mismatches", failure.mismatches) { mismatch, json in
        json.object {
          $0.member("key", mismatch.key.rawValue)
          $0.member("expected") { append(mismatch.expected, to: &$0) }
          $0.member("found") { append(mismatch.found, to: &$0) }
        }
      }
      if let explanation = failure.explanation {
        let text = ExplanationText.json(explanation, failure.rules)
        $0.member("explanation") { $0.bytes.append(contentsOf: text.utf8.dropLast()) }
      }
    }
  }

  private static func append(_ value: ExpectedValue, to json: inout JSONBuilder) {
    switch value {
    case .flag(let flag): json.value(flag)
    case .names(let names): json.array(names) { $1.value($0.text) }
    case .elements(let elements): json.array(elements) { $1.value($0.index) }
    case .properties(let rules):
      json.object { json in
        for (rule, values) in rules.sorted(by: { $0.key < $1.key }) {
          json.member(escaping: rule.text) { json in
            json.object { json in
              for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                json.member(escaping: name.text) { $0.value(value) }
              }
            }
          }
        }
      }
    }
  }
}
