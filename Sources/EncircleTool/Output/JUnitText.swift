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
      text += "  <testsuite name=\"\(escaped(file))\"\(counts(results)) errors=\"0\" skipped=\"0\">\n"
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
      "    <testcase name=\"\(escaped(test.name))\" classname=\"\(escaped(test.file))\" file=\"\(escaped(test.file))\""
      + " line=\"\(test.location.line)\" time=\"\(seconds(result.duration))\""
    if result.passed { return start + "/>\n" }
    let message =
      result.isUnfinished
      ? "expects nothing yet"
      : result.failures.flatMap(\.mismatches).prefix(3).map {
        "\($0.key.rawValue): expected \($0.expected), found \($0.found)"
      }.joined(separator: "; ")
    return start + ">\n      <failure type=\"expectation\" message=\"\(escaped(message))\">"
      + escaped(TestReport.details(result), isAttribute: false) + "</failure>\n    </testcase>\n"
  }

  /// Returns seconds with three digits after the point.
  private static func seconds(_ seconds: Double) -> String {
    let milliseconds = Int((seconds * 1000).rounded())
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.utf8.count) + rest
  }

  /// Escapes a text for XML 1.0. Characters that XML cannot have, not even as references, become U+FFFD.
  static func escaped(_ text: String, isAttribute: Bool = true) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      // In attributes other white space would be read as spaces.
      case "\n" where !isAttribute: result.append(scalar)
      case "\n", "\t", "\r": result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      case _ where scalar.value > 0x7E && VisibleText.isUnsafe(scalar) && scalar.value < 0xFFF0:
        result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      default:
        let isForbidden = scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF
        result.append(isForbidden ? "\u{FFFD}" : scalar)
      }
    }
    return String(result)
  }
}
