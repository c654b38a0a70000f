import EncircleAuthoring
import EncircleText

/// Results of tests as the XML that JUnit's Ant task writes, which CI systems read.
enum JUnitText {
  /// Returns the report.
  ///
  /// - Parameter runs: The test files with their results.
  static func text(_ runs: [(file: String, results: [TestResult])]) -> String {
    let all = runs.flatMap(\.results)
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"encircle test\"\(counts(all))>\n"
    for (file, results) in runs where !results.isEmpty {
      text += "  <testsuite name=\"\(XMLText.escaped(file))\"\(counts(results)) errors=\"0\" skipped=\"0\">\n"
      for result in results { text += testCase(result) }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func counts(_ results: [TestResult]) -> String {
    let failures = results.count { !$0.passed }
    let time = seconds(results.reduce(0) { $0 + $1.duration })
    return " tests=\"\(results.count)\" failures=\"\(failures)\" time=\"\(time)\""
  }

  private static func testCase(_ result: TestResult) -> String {
    let test = result.test
    let start =
      "    <testcase name=\"\(XMLText.escaped(test.name))\" classname=\"\(XMLText.escaped(test.file))\" file=\"\(XMLText.escaped(test.file))\""
      + " line=\"\(test.location.line)\" time=\"\(seconds(result.duration))\""
    if result.passed { return start + "/>\n" }
    let message =
      result.isUnfinished
      ? "expects nothing yet"
      : result.failures.flatMap(\.mismatches).prefix(3).map {
        "\($0.key.rawValue): expected \($0.expected), found \($0.found)"
      }.joined(separator: "; ")
    return start + ">\n      <failure type=\"expectation\" message=\"\(XMLText.escaped(message))\">"
      + XMLText.escaped(TestReport.details(result), isAttribute: false) + "</failure>\n    </testcase>\n"
  }

  /// Returns seconds with three decimals.
  private static func seconds(_ seconds: Double) -> String {
    let milliseconds = Int((seconds * 1000).rounded())
    return "\(milliseconds / 1000)." + zeroPadded(milliseconds % 1000, to: 3)
  }
}
