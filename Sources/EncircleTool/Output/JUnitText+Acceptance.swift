import EncircleAuthoring
import EncircleText

extension JUnitText {
  /// Returns the state of a checklist: a suite for each file, a test for each event and platform.
  static func text(_ report: PlanAcceptanceReport) -> String {
    var files: [UTF8String] = []
    var items: [UTF8String: [PlanAcceptance.Item]] = [:]
    for item in report.items {
      let file = UTF8String(item.origin.file)
      if items[file] == nil { files.append(file) }
      items[file, default: []].append(item)
    }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites name=\"encircle plan accept\"\(acceptanceCounts(report.items))>\n"
    for file in files {
      let own = items[file] ?? []
      text += "  <testsuite name=\"\(XMLText.escaped(file.text))\"\(acceptanceCounts(own))>\n"
      text += own.map(testCase).joined() + "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func acceptanceCounts(_ items: [PlanAcceptance.Item]) -> String {
    let failures = items.count { isFailure($0) }
    let skipped = items.count { $0.isOptional && $0.state == .waiting }
    return " tests=\"\(items.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\""
  }

  private static func isFailure(_ item: PlanAcceptance.Item) -> Bool {
    item.state == .wrong || (item.state == .waiting && !item.isOptional)
  }

  private static func testCase(_ item: PlanAcceptance.Item) -> String {
    let name = [item.event.text, item.platform?.rawValue].compactMap { $0 }.joined(separator: " ")
    let start =
      "    <testcase name=\"\(XMLText.escaped(name))\" classname=\"\(XMLText.escaped(item.event.text))\""
      + " file=\"\(XMLText.escaped(item.origin.file))\" line=\"\(item.origin.location.line)\""
    guard isFailure(item) else {
      return item.state == .accepted ? start + "/>\n" : start + "><skipped/></testcase>\n"
    }
    let problems = item.samples.flatMap(\.problems)
    let message = problems.isEmpty ? "has not arrived" : problems.joined(separator: "; ")
    let events = item.samples.map { "\($0.place.file):\($0.place.line): \($0.event)" }.joined(separator: "\n")
    return start + ">\n      <failure type=\"\(item.state.rawValue)\" message=\"\(XMLText.escaped(message))\">"
      + XMLText.escaped(events, isAttribute: false) + "</failure>\n    </testcase>\n"
  }
}
