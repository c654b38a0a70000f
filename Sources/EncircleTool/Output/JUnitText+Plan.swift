import EncircleAuthoring
import EncircleText

extension JUnitText {
  /// Returns the status of a plan: a suite for each file, a test for each event, platform and status.
  ///
  /// - Parameter failOn: The statuses that are failures.
  static func text(_ report: PlanReport, failOn: Set<PlanReport.Status>) -> String {
    var files: [UTF8String] = []
    var suites: [UTF8String: (tests: Int, failures: Int, text: String)] = [:]
    for event in report.events {
      let file = UTF8String(event.origin?.file ?? "not in the plan")
      if suites[file] == nil { files.append(file) }
      for summary in PlanEvidence.summaries(event) {
        let isFailure = failOn.contains(summary.status)
        suites[file, default: (0, 0, "")].tests += 1
        if isFailure { suites[file]?.failures += 1 }
        suites[file]?.text += testCase(event, summary, isFailure: isFailure)
      }
    }
    func counts(_ suites: [(tests: Int, failures: Int, text: String)]) -> String {
      " tests=\"\(suites.reduce(0) { $0 + $1.tests })\" failures=\"\(suites.reduce(0) { $0 + $1.failures })\""
    }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites name=\"encircle plan status\"\(counts(Array(suites.values)))>\n"
    for file in files {
      guard let suite = suites[file] else { continue }
      text += "  <testsuite name=\"\(XMLText.escaped(file.text))\"\(counts([suite])) errors=\"0\" skipped=\"0\">\n"
      text += suite.text + "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func testCase(
    _ event: PlanReport.Event, _ summary: PlanEvidence.Summary, isFailure: Bool
  ) -> String {
    let name = [event.event.text, summary.platform?.rawValue ?? "", summary.versions].filter { !$0.isEmpty }
    var start = "    <testcase name=\"\(XMLText.escaped(name.joined(separator: " ")))\""
    start += " classname=\"\(XMLText.escaped(event.event.text))\""
    if let origin = event.origin {
      start += " file=\"\(XMLText.escaped(origin.file))\" line=\"\(origin.location.line)\""
    }
    if !isFailure { return start + "/>\n" }
    let evidence = PlanEvidence.text(summary, of: event)
    return start + ">\n      <failure type=\"\(summary.status.rawValue)\" message=\"\(XMLText.escaped(evidence))\"/>\n"
      + "    </testcase>\n"
  }
}
